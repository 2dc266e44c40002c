"""Trusted: declarations, and one step of reduction (beta, definitions, equations, native arithmetic)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from burnqed.minilean.expr import (
    HAS_FVAR,
    HAS_MVAR,
    App,
    BVar,
    Const,
    Expr,
    Lam,
    Lit,
    MVar,
    app,
    apps,
    const,
    instantiate,
    lit,
    spine,
)

MAX_LITERAL_BITS = 1 << 16


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


def if_then_else(args: list[Expr], decide: Callable[[Expr], bool | None]) -> Expr | None:
    """`ite α c t e …` reduced when its condition has no variables and can be evaluated."""
    if len(args) < 4 or args[1].fl & (HAS_FVAR | HAS_MVAR):
        return None
    verdict = decide(args[1])
    return None if verdict is None else apps(args[2] if verdict else args[3], *args[4:])


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


class KernelError(Exception):
    """A term is not type correct, or does not prove its statement."""
