"""The trusted core: types of closed proof terms, definitional equality, `decide`.

A statement counts as proved only when `Kernel.check` accepts its whole proof term. The type theory
is a miniature of Lean 4's: dependent products, an impredicative `Prop` with proof irrelevance,
integer universe levels, eta, and constants whose definitions are either a value, defining equations
(matched first to last on weak head normal forms) or native arithmetic on literals. Recursors
eliminate into `Prop` only, so they need no computation rules.
"""

from __future__ import annotations

from burnqed.minilean.budget import Budget
from burnqed.minilean.expr import (
    HAS_FVAR,
    HAS_MVAR,
    NAT,
    App,
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
    instantiate,
    instantiate1,
    pi,
    same,
    sort,
    spine,
)
from burnqed.minilean.kernel_decide import decide
from burnqed.minilean.kernel_omega import check_certificate
from burnqed.minilean.kernel_reduce import (
    NATIVE,
    SUCC,
    Env,
    KernelError,
    as_literal,
    beta,
    from_offset,
    if_then_else,
    offset,
    unfold,
)


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
            if e.lo or e.fl & (HAS_FVAR | HAS_MVAR):
                raise KernelError("the term is not closed")
        # `fun (x : A) => p` proves `∀ x : A, q` when A is a type and p proves q, with one x for both: their common
        # binders are opened once, and what p and q share is looked at once.
        xs: list[Expr] = []
        while isinstance(statement, Pi) and isinstance(proof, Lam) and same(statement.ty, proof.ty):
            ty = instantiate(statement.ty, xs)
            self.sort_of(ty)
            xs.append(self._local(ty))
            statement, proof = statement.body, proof.body
        statement = instantiate(statement, xs)
        if not isinstance(self.whnf(self.infer(statement)), Sort):
            raise KernelError("the statement is not a type")
        try:
            actual = self.infer(instantiate(proof, xs))
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
            return self._infer_pi(e)
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

    def _infer_pi(self, e: Pi) -> Expr:
        """As `_infer_lam`: a chain of binders is opened at once."""
        xs: list[Expr] = []
        levels: list[int] = []
        body: Expr = e
        while isinstance(body, Pi):
            ty = instantiate(body.ty, xs)
            levels.append(self.sort_of(ty))
            xs.append(self._local(ty))
            body = body.body
        level = self.sort_of(instantiate(body, xs))
        return sort(max(level, *levels) if level else 0)

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
            return if_then_else(args, self.decide) if fn.name == "ite" else None
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

    def decide(self, p: Expr) -> bool | None:
        """Evaluate a decidable proposition without free variables; None when it is not one."""
        return decide(self, p)
