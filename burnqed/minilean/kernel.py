"""The trusted core: types of closed proof terms, definitional equality, `decide`.

A statement counts as proved only when `Kernel.check` accepts its whole proof term. The type theory
is a miniature of Lean 4's: dependent products, an impredicative `Prop` with proof irrelevance,
integer universe levels, eta, and constants whose definitions are either a value, defining equations
(matched first to last on weak head normal forms) or native arithmetic on literals. Recursors
eliminate into `Prop` only, so they need no computation rules.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Protocol

from burnqed.minilean.expr import (
    HAS_MVAR,
    NAT,
    PROP,
    App,
    BVar,
    Cert,
    Closure,
    Const,
    Expr,
    FVar,
    Lam,
    Lit,
    MVar,
    Pi,
    Sort,
    abstract,
    app,
    apps,
    const,
    instantiate,
    instantiate1,
    lit,
    pi,
    same,
    sort,
    spine,
)

MAX_HEARTBEATS = 200_000
MAX_LITERAL_BITS = 1 << 16


class KernelError(Exception):
    """A term is not type correct, or does not prove its statement."""


class HeartbeatError(Exception):
    """The deterministic step limit of one request is used up."""

    def __init__(self) -> None:
        super().__init__(
            "(deterministic) timeout at `whnf`, maximum number of heartbeats (200000) has been"
            " reached\n\nNote: Use `set_option maxHeartbeats <num>` to set the limit.\n\nAdditional"
            " diagnostic information may be available using the `set_option diagnostics true`"
            " command."
        )


class InterruptError(Exception):
    """The wall-clock limit of one request has passed."""


class Budget:
    """Steps and time one request may still use; every reduction step ticks it."""

    __slots__ = ("left", "deadline")

    def __init__(self, steps: int = MAX_HEARTBEATS, seconds: float | None = None) -> None:
        self.left = steps
        self.deadline = None if not seconds else time.monotonic() + seconds

    def check(self) -> None:
        """Raise `InterruptError` when the time is over; spends no step."""
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise InterruptError

    def tick(self, n: int = 1) -> None:
        """Spend `n` steps. Raises `HeartbeatError` or `InterruptError`."""
        before = self.left
        self.left = before - n
        if self.left < 0:
            raise HeartbeatError
        if self.deadline is not None and (before >> 6) != (self.left >> 6):
            if time.monotonic() > self.deadline:
                raise InterruptError


class Decl:
    """A constant. `rules` are (argument patterns, number of variables, right-hand side).

    `kind` is one of theorem, def, ctor, rec, inductive, opaque, axiom.
    """

    __slots__ = ("name", "type", "kind", "value", "rules", "reducible", "height", "axioms")

    def __init__(
        self,
        name: str,
        type: Expr,
        kind: str = "theorem",
        value: Expr | None = None,
        reducible: bool = False,
        height: int = 0,
        axioms: frozenset[str] = frozenset(),
    ) -> None:
        self.name, self.type, self.kind, self.value = name, type, kind, value
        self.rules: tuple[tuple[tuple[Expr, ...], int, Expr], ...] = ()
        self.reducible, self.height, self.axioms = reducible, height, axioms


class Env(Protocol):
    """What the kernel asks of an environment."""

    def get(self, name: str) -> Decl | None: ...


def _div(a: int, b: int) -> int:
    return a // b if b else 0


def _mod(a: int, b: int) -> int:
    return a % b if b else a


def _gcd(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return a


def _pow(a: int, b: int) -> int | None:
    return a**b if a < 2 or b * a.bit_length() <= MAX_LITERAL_BITS else None


NATIVE_NAT: Mapping[str, Callable[[int, int], int | bool | None]] = {
    "Nat.add": lambda a, b: a + b,
    "Nat.sub": lambda a, b: max(a - b, 0),
    "Nat.mul": lambda a, b: a * b,
    "Nat.div": _div,
    "Nat.mod": _mod,
    "Nat.pow": _pow,
    "Nat.gcd": _gcd,
    "Nat.min": min,
    "Nat.max": max,
    "Nat.beq": lambda a, b: a == b,
    "Nat.ble": lambda a, b: a <= b,
}


def _ediv(a: int, b: int) -> int:
    """Int.div of Lean 4 (Euclidean): the remainder is never negative."""
    return 0 if b == 0 else (a - a % abs(b)) // b


NATIVE_INT: Mapping[str, Callable[[int, int], int]] = {
    "Int.add": lambda a, b: a + b,
    "Int.sub": lambda a, b: a - b,
    "Int.mul": lambda a, b: a * b,
    "Int.div": _ediv,
    "Int.mod": lambda a, b: a % abs(b) if b else a,
}

NATIVE = {**NATIVE_NAT, **NATIVE_INT, "Int.neg": None, "Int.pow": None, "Int.natAbs": None, "Int.toNat": None}
TRUE, FALSE = const("Bool.true"), const("Bool.false")
SUCC = const("Nat.succ")
OF_NAT, NEG_SUCC = const("Int.ofNat"), const("Int.negSucc")

Whnf = Callable[[Expr], Expr]


def int_expr(value: int) -> Expr:
    """The constructor form of an integer."""
    return app(OF_NAT, lit(value)) if value >= 0 else app(NEG_SUCC, lit(-value - 1))


def as_literal(e: Expr) -> int | None:
    """The value of `Lit`, `Nat.zero` or successors of it."""
    n = 0
    while isinstance(e, App) and e.fn == SUCC:
        n, e = n + 1, e.arg
    if isinstance(e, Lit):
        return n + e.value
    return n if isinstance(e, Const) and e.name == "Nat.zero" else None


def _native(name: str, args: list[Expr], whnf: Whnf) -> Expr | None:
    if name in NATIVE_NAT and len(args) == 2:
        a = as_literal(whnf(args[0]))
        b = as_literal(whnf(args[1])) if a is not None else None
        if a is None or b is None:
            return None
        r = NATIVE_NAT[name](a, b)
        if r is None:
            return None
        return (TRUE if r else FALSE) if isinstance(r, bool) else lit(r)
    if name in NATIVE_INT and len(args) == 2:
        x = int_of(args[0], whnf)
        y = int_of(args[1], whnf) if x is not None else None
        return None if x is None or y is None else int_expr(NATIVE_INT[name](x, y))
    if name == "Int.pow" and len(args) == 2:
        x, k = int_of(args[0], whnf), as_literal(whnf(args[1]))
        if x is None or k is None or k * x.bit_length() > MAX_LITERAL_BITS:
            return None
        return int_expr(x**k)
    if name in ("Int.neg", "Int.natAbs", "Int.toNat") and len(args) == 1:
        x = int_of(args[0], whnf)
        if x is None:
            return None
        if name == "Int.neg":
            return int_expr(-x)
        return lit(abs(x) if name == "Int.natAbs" else max(x, 0))
    return None


def int_of(e: Expr, whnf: Whnf) -> int | None:
    """The value of an integer term whose weak head normal form is a constructor on a literal."""
    e = whnf(e)
    if isinstance(e, App) and e.fn in (OF_NAT, NEG_SUCC):
        n = as_literal(whnf(e.arg))
        return None if n is None else n if e.fn == OF_NAT else -n - 1
    return None


def match(pattern: Expr, e: Expr, whnf: Whnf, out: list[Expr | None]) -> bool:
    """Match constructor `pattern` (variables are `BVar`s) against `e`, filling `out`."""
    if isinstance(pattern, BVar):
        out[pattern.idx] = e
        return True
    pf, pargs = spine(pattern)
    if isinstance(pf, MVar):  # an ignored parameter, such as a type
        return True
    v = whnf(e)
    if isinstance(pattern, Lit) or pf == SUCC:
        if isinstance(v, Lit):
            if isinstance(pattern, Lit):
                return v.value == pattern.value
            return v.value > 0 and match(pargs[0], lit(v.value - 1), whnf, out)
        if isinstance(pattern, Lit):
            if pattern.value == 0:
                return isinstance(v, Const) and v.name == "Nat.zero"
            return isinstance(v, App) and v.fn == SUCC and match(lit(pattern.value - 1), v.arg, whnf, out)
    vf, vargs = spine(v)
    return (
        isinstance(vf, Const)
        and vf == pf
        and len(vargs) == len(pargs)
        and all(match(p, a, whnf, out) for p, a in zip(pargs, vargs, strict=True))
    )


def unfold(decl: Decl, args: list[Expr], whnf: Whnf) -> Expr | None:
    """One step of delta, a defining equation or native arithmetic; None when stuck."""
    if decl.name in NATIVE:
        r = _native(decl.name, args, whnf)
        if r is not None:
            return r
    if decl.value is not None:
        return beta(decl.value, args)
    for patterns, nvars, rhs in decl.rules:
        n = len(patterns)
        if len(args) < n:
            return None
        out: list[Expr | None] = [None] * nvars
        if all(match(p, a, whnf, out) for p, a in zip(patterns, args, strict=False)):
            bound = [x for x in reversed(out) if x is not None]
            if len(bound) != nvars:
                raise KernelError(f"unbound pattern variable in {decl.name}")
            return apps(instantiate(rhs, bound), *args[n:])
    return None


def beta(fn: Expr, args: list[Expr]) -> Expr:
    """`fn args` with the outermost redexes contracted."""
    i, n = 0, len(args)
    while i < n and isinstance(fn, Lam):
        j = i
        while j < n and isinstance(fn, Lam):
            fn, j = fn.body, j + 1
        fn, i = instantiate(fn, args[i:j]), j
        if i < n and isinstance(fn, App):
            f, more = spine(fn)
            if isinstance(f, Lam):
                fn, args, i, n = f, more + args[i:], 0, len(more) + n - i
    return apps(fn, *args[i:])


def offset(e: Expr) -> tuple[Expr | None, int]:
    """Split a Nat term into (rest, k) with `e = rest + k`; rest is None for a literal."""
    k = 0
    while True:
        if isinstance(e, Lit):
            return None, k + e.value
        if isinstance(e, App):
            if e.fn == SUCC:
                k, e = k + 1, e.arg
                continue
            f = e.fn
            if isinstance(f, App) and isinstance(e.arg, Lit) and isinstance(f.fn, Const) and f.fn.name == "Nat.add":
                k, e = k + e.arg.value, f.arg
                continue
        if isinstance(e, Const) and e.name == "Nat.zero":
            return None, k
        return e, k


def from_offset(rest: Expr | None, k: int) -> Expr:
    if rest is None:
        return lit(k)
    return rest if k == 0 else apps(const("Nat.add"), rest, lit(k))


class Kernel:
    """Type checker for one environment. Not re-entrant across threads."""

    def __init__(self, env: Env, budget: Budget | None = None) -> None:
        self.env = env
        self.budget = budget or Budget()
        self.locals: dict[int, Expr] = {}
        self._types: dict[int, tuple[Expr, Expr]] = {}
        self._fresh = -1

    def check(self, proof: Expr, statement: Expr) -> None:
        """Accept only a closed, metavariable-free `proof` whose type is `statement`.

        Raises `KernelError` otherwise, `HeartbeatError` when the step limit is used up.
        """
        for e in (statement, proof):
            if e.lo or e.fl & HAS_MVAR:
                raise KernelError("the term is not closed")
        if not isinstance(self.whnf(self.infer(statement)), Sort):
            raise KernelError("the statement is not a type")
        try:
            actual = self.infer(proof)
            if not self.eq(actual, statement):
                raise KernelError("declaration type mismatch: the proof shows another statement")
        except RecursionError:
            raise KernelError("maximum recursion depth has been reached") from None

    def _local(self, ty: Expr) -> FVar:
        x = FVar(self._fresh)
        self._fresh -= 1
        self.locals[x.id] = ty
        return x

    # types

    def infer(self, e: Expr) -> Expr:
        """The type of `e`, every part of it checked. Raises `KernelError`."""
        hit = self._types.get(id(e))
        if hit is not None:
            return hit[1]
        t = self._infer(e)
        self._types[id(e)] = (e, t)
        return t

    def _infer(self, e: Expr) -> Expr:
        self.budget.tick()
        if isinstance(e, App):
            fn, args = spine(e)
            t = self.infer(fn)
            pending: list[Expr] = []
            for a in args:
                if not isinstance(t, Pi):
                    t, pending = self.whnf(instantiate(t, pending)), []
                    if not isinstance(t, Pi):
                        raise KernelError("function expected")
                if not self.eq(self.infer(a), instantiate(t.ty, pending)):
                    raise KernelError("application type mismatch")
                pending.append(a)
                t = t.body
            return instantiate(t, pending)
        if isinstance(e, Const):
            decl = self.env.get(e.name)
            if decl is None:
                raise KernelError(f"unknown constant '{e.name}'")
            return decl.type
        if isinstance(e, FVar):
            if e.id not in self.locals:
                raise KernelError("unknown free variable")
            return self.locals[e.id]
        if isinstance(e, Lit):
            return NAT
        if isinstance(e, Sort):
            if e.level < 0:  # the elaborator's unknown universe
                raise KernelError("unknown universe level")
            return sort(e.level + 1)
        if isinstance(e, Lam):
            return self._infer_lam(e)
        if isinstance(e, Pi):
            dom = self.sort_of(e.ty)
            cod = self.sort_of(instantiate1(e.body, self._local(e.ty)))
            return PROP if cod == 0 else sort(max(dom, cod))
        if isinstance(e, Cert):
            self._check_cert(e)
            return e.prop
        raise KernelError("metavariable in a proof" if isinstance(e, (MVar, Closure)) else "ill")

    def _infer_lam(self, e: Lam) -> Expr:
        """A chain of binders is opened at once: one instantiation of the body, not one each."""
        chain: list[Lam] = []
        xs: list[Expr] = []
        ids: list[int] = []
        body: Expr = e
        while isinstance(body, Lam):
            ty = instantiate(body.ty, xs)
            self.sort_of(ty)
            x = self._local(ty)
            xs.append(x)
            ids.append(x.id)
            chain.append(body)
            body = body.body
        t = abstract(self.infer(instantiate(body, xs)), ids)
        for b in reversed(chain):
            t = pi(b.name, b.ty, t, b.info)
        return t

    def sort_of(self, ty: Expr) -> int:
        """The level of the sort `ty` lives in. Raises `KernelError` when `ty` is no type."""
        s = self.whnf(self.infer(ty))
        if not isinstance(s, Sort):
            raise KernelError("type expected")
        return s.level

    def _check_cert(self, e: Cert) -> None:
        if self.sort_of(e.prop) != 0:
            raise KernelError("a certificate must prove a proposition")
        if e.kind == "decide":
            if self.decide(e.prop) is not True:
                raise KernelError("decide certificate refused")
        elif e.kind == "omega":
            from burnqed.minilean.omega import check_certificate

            hyps = [self.infer(p) for p in e.hyps]
            if not all(self.sort_of(h) == 0 for h in hyps):
                raise KernelError("a certificate's hypothesis is no proof")
            if not check_certificate(hyps, e.prop, e.data):
                raise KernelError("arithmetic certificate refused")
        else:
            raise KernelError(f"unknown certificate '{e.kind}'")

    # reduction

    def whnf(self, e: Expr) -> Expr:
        """Weak head normal form: beta, definitions, equations, native arithmetic."""
        while True:
            if isinstance(e, (Lit, Sort, Lam, Pi, FVar, Cert)):
                return e
            fn, args = spine(e)
            if isinstance(fn, Lam):
                self.budget.tick()
                e = beta(fn, args)
                continue
            nxt = self._unfold(fn, args)
            if nxt is None:
                return e
            e = nxt

    def _unfold(self, fn: Expr, args: list[Expr]) -> Expr | None:
        if not isinstance(fn, Const):
            return None
        decl = self.env.get(fn.name)
        if decl is None or (decl.value is None and not decl.rules and fn.name not in NATIVE):
            return None
        self.budget.tick()
        return unfold(decl, args, self.whnf)

    def _height(self, fn: Expr) -> int:
        decl = self.env.get(fn.name) if isinstance(fn, Const) else None
        return decl.height if decl else 0

    def eq(self, a: Expr, b: Expr) -> bool:
        """Definitional equality. Sound; complete enough for the proofs tactics build."""
        while True:
            if same(a, b):
                return True
            self.budget.tick()
            if isinstance(a, Sort) and isinstance(b, Sort):
                return a.level == b.level
            if type(a) is type(b) and isinstance(a, (Lam, Pi)):
                assert isinstance(b, (Lam, Pi))
                if self.eq(a.ty, b.ty):
                    x = self._local(a.ty)
                    if self.eq(instantiate1(a.body, x), instantiate1(b.body, x)):
                        return True
                return False
            ra, ka = offset(a)
            rb, kb = offset(b)
            k = min(ka, kb)
            if k:
                a, b = from_offset(ra, ka - k), from_offset(rb, kb - k)
                continue
            fa, xs = spine(a)
            fb, ys = spine(b)
            if isinstance(fa, Lam) and xs:
                a = beta(fa, xs)
                continue
            if isinstance(fb, Lam) and ys:
                b = beta(fb, ys)
                continue
            if len(xs) == len(ys) and xs and same(fa, fb):
                if all(self.eq(x, y) for x, y in zip(xs, ys, strict=True)):
                    return True
            ha, hb = self._height(fa), self._height(fb)
            na = self._unfold(fa, xs) if ha >= hb else None
            nb = self._unfold(fb, ys) if hb >= ha else None
            if na is None and nb is None:
                na = self._unfold(fa, xs) if ha < hb else None
                nb = self._unfold(fb, ys) if hb < ha else None
            if na is None and nb is None:
                return self._eq_stuck(a, b)
            a, b = na or a, nb or b

    def _eq_stuck(self, a: Expr, b: Expr) -> bool:
        va, vb = as_literal(a), as_literal(b)
        if va is not None and vb is not None:
            return va == vb
        if isinstance(a, App) and isinstance(b, App) and a.fn == SUCC and isinstance(b.arg, Expr):
            if b.fn == SUCC:
                return self.eq(a.arg, b.arg)
        for x, y in ((a, b), (b, a)):
            if isinstance(x, Lam):
                t = self.whnf(self.infer(y))
                if isinstance(t, Pi) and self.eq(x.ty, t.ty):
                    v = self._local(x.ty)
                    return self.eq(instantiate1(x.body, v), app(y, v))
                return False
        if isinstance(a, (Sort, Pi)) or isinstance(b, (Sort, Pi)):
            return False
        fa, xs = spine(a)
        fb, ys = spine(b)
        if len(xs) == len(ys) and same(fa, fb) and not isinstance(fa, Const):
            if all(self.eq(x, y) for x, y in zip(xs, ys, strict=True)):
                return True
        ta = self.infer(a)
        return self.sort_of(ta) == 0 and self.eq(ta, self.infer(b))

    # decide

    def value(self, e: Expr) -> object:
        """The canonical value of a closed Nat, Int, Bool or List term; None when stuck."""
        self.budget.tick()
        v = self.whnf(e)
        n = as_literal(v)
        if n is not None:
            return n
        fn, args = spine(v)
        if not isinstance(fn, Const):
            return None
        if fn == SUCC and len(args) == 1:
            m = self.value(args[0])
            return m + 1 if isinstance(m, int) else None
        if fn.name in ("Bool.true", "Bool.false"):
            return ("bool", fn.name)
        if fn in (OF_NAT, NEG_SUCC):
            m = self.value(args[0])
            if not isinstance(m, int):
                return None
            return ("int", m if fn == OF_NAT else -m - 1)
        if fn.name == "List.nil":
            return ("nil",)
        if fn.name == "List.cons" and len(args) == 3:
            x, rest = self.value(args[1]), self.value(args[2])
            return None if x is None or rest is None else ("cons", x, rest)
        return None

    def decide(self, p: Expr) -> bool | None:
        """Evaluate a decidable proposition without free variables; None when it is not one."""
        self.budget.tick()
        if isinstance(p, Pi):
            return self._decide_pi(p)
        fn, args = spine(p)
        if isinstance(fn, Lam):
            return self.decide(beta(fn, args))
        if not isinstance(fn, Const):
            return None
        name, n = fn.name, len(args)
        if name in ("True", "False") and n == 0:
            return name == "True"
        if name == "Not" and n == 1:
            r = self.decide(args[0])
            return None if r is None else not r
        if name in ("And", "Or", "Iff") and n == 2:
            r, s = self.decide(args[0]), self.decide(args[1])
            if r is None or s is None:
                return None
            return (r and s) if name == "And" else (r or s) if name == "Or" else r == s
        if name in ("Eq", "Ne") and n == 3:
            head_, _ = spine(self.whnf(args[0]))
            if not isinstance(head_, Const) or head_.name not in ("Nat", "Int", "Bool", "List"):
                return None
            x, y = self.value(args[1]), self.value(args[2])
            if x is None or y is None:
                return None
            return (x == y) == (name == "Eq")
        if n == 2 and name.split(".")[0] in ("Nat", "Int"):
            return self._decide_order(name, args)
        decl = self.env.get(name)
        if decl is not None and decl.reducible and decl.value is not None:
            return self.decide(beta(decl.value, args))
        return None

    def _decide_order(self, name: str, args: list[Expr]) -> bool | None:
        kind, _, rel = name.partition(".")
        x: int | None
        y: int | None
        if kind == "Int":
            x, y = int_of(args[0], self.whnf), int_of(args[1], self.whnf)
        else:
            u, v = self.value(args[0]), self.value(args[1])
            x = u if isinstance(u, int) else None
            y = v if isinstance(v, int) else None
        if x is None or y is None:
            return None
        if rel == "le":
            return x <= y
        if rel == "lt":
            return x < y
        if rel == "ge":
            return x >= y
        if rel == "gt":
            return x > y
        if rel == "dvd":
            return y % x == 0 if x else y == 0
        return None

    def _decide_pi(self, p: Pi) -> bool | None:
        """Implications, `∀ b : Bool`, and `∀ x, x < n → …` on Nat."""
        if p.ty == const("Bool"):
            rs = [self.decide(instantiate1(p.body, v)) for v in (FALSE, TRUE)]
            return None if None in rs else all(rs)
        if p.ty == NAT:
            if not isinstance(p.body, Pi):
                return None
            fn, args = spine(p.body.ty)
            bounded = isinstance(fn, Const) and fn.name == "Nat.lt" and args[0] == BVar(0)
            if not bounded or args[1].lo:
                return None
            bound = self.value(args[1])
            if not isinstance(bound, int):
                return None
            for i in range(bound):
                proof = Cert("decide", instantiate1(p.body.ty, lit(i)), (), None)
                r = self.decide(instantiate(p.body.body, [lit(i), proof]))
                if r is not True:
                    return r
            return True
        if self.sort_of(p.ty) != 0:
            return None
        r = self.decide(p.ty)
        if r is None:
            return None
        if p.body.lo:
            return None
        s = self.decide(p.body)
        return None if s is None else (not r) or s
