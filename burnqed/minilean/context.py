"""Metavariables and local contexts: assignment, instantiation, types and reduction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

from burnqed.minilean.budget import Budget
from burnqed.minilean.expr import (
    HAS_MVAR,
    NAT,
    PROP,
    App,
    Binder,
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
    apps,
    instantiate,
    lam,
    pi,
    sort,
    spine,
)
from burnqed.minilean.kernel import Kernel
from burnqed.minilean.kernel_reduce import NATIVE, Decl, Env, beta, if_then_else, unfold


class TacticError(Exception):
    """A tactic or an elaboration failed; the text is Lean's message without the goal."""


class LocalDecl:
    """A hypothesis: `name` is the user's, `hygienic` ones cannot be referred to."""

    __slots__ = ("id", "name", "type", "hygienic", "fvar")

    def __init__(self, fvar: FVar, name: str, type: Expr, hygienic: bool = False) -> None:
        self.fvar, self.id, self.name, self.type = fvar, fvar.id, name, type
        self.hygienic = hygienic


class LocalContext:
    """An immutable, ordered set of hypotheses."""

    __slots__ = ("decls", "_by_name")

    def __init__(self, decls: dict[int, LocalDecl]) -> None:
        self.decls = decls
        self._by_name: dict[str, LocalDecl] | None = None

    def add(self, *new: LocalDecl) -> LocalContext:
        decls = dict(self.decls)
        for d in new:
            decls[d.id] = d
        return LocalContext(decls)

    def without(self, ids: Iterable[int]) -> LocalContext:
        drop = set(ids)
        return LocalContext({k: d for k, d in self.decls.items() if k not in drop})

    def find(self, name: str) -> LocalDecl | None:
        if self._by_name is None:
            self._by_name = {d.name: d for d in self.decls.values() if not d.hygienic}
            # a hygienic variable never captures, an accessible one shadows older ones
        return self._by_name.get(name)


EMPTY = LocalContext({})
NATURAL, SYNTHETIC = "natural", "synthetic"
ANY_SORT = Sort(-1)  # the unknown universe of a hole; it unifies with every sort


class Goal:
    """A metavariable's declaration: context, type, case tag."""

    __slots__ = ("mvar", "lctx", "type", "tag", "kind", "fragment", "parent")

    def __init__(self, mvar: MVar, lctx: LocalContext, type: Expr, tag: str, kind: str) -> None:
        self.mvar, self.lctx, self.type, self.tag, self.kind = mvar, lctx, type, tag, kind
        self.fragment = "tactic"  # or "conv": the type is `term = ?new`, of which the term is shown; or "calc"
        self.parent: Goal | None = None  # of a `conv` goal that is stepped alone: the goal to come back to


def unfoldable(decl: Decl) -> bool:
    return decl.value is not None or bool(decl.rules) or decl.name in NATIVE


def close(binders: tuple[tuple[int, str, Expr, str], ...], body: Expr) -> Expr:
    """`fun binders => body`, abstracting all binders in one pass."""
    ids = [b[0] for b in binders]
    body = abstract(body, ids)
    for k in range(len(binders) - 1, -1, -1):
        _, name, ty, info = binders[k]
        body = lam(name, abstract(ty, ids[:k]), body, info)
    return body


class MetaContext:
    """Metavariable context without unification."""

    __slots__ = ("env", "goals", "assign", "budget", "fresh", "trail", "types", "reducible_only")

    def __init__(self, env: Env, budget: Budget) -> None:
        self.env = env
        self.goals: dict[int, Goal] = {}
        self.assign: dict[int, Expr] = {}
        self.budget = budget
        self.fresh = 0
        self.trail: list[int] = []
        self.types: dict[int, Expr] = {}
        self.reducible_only = False

    def copy(self, budget: Budget) -> Self:
        m = type(self)(self.env, budget)
        m.goals, m.assign = dict(self.goals), dict(self.assign)
        m.types, m.fresh = dict(self.types), self.fresh
        return m

    def restore(self, saved: MetaContext) -> None:
        self.goals, self.assign = dict(saved.goals), dict(saved.assign)
        self.types = dict(saved.types)
        self.trail = []

    # names and metavariables

    def fvar(self, name: str, type: Expr, hygienic: bool = False) -> LocalDecl:
        self.fresh += 1
        x = FVar(self.fresh)
        self.types[x.id] = type
        return LocalDecl(x, name, type, hygienic)

    def mvar(self, lctx: LocalContext, type: Expr, tag: str = "", kind: str = NATURAL) -> MVar:
        self.fresh += 1
        m = MVar(self.fresh)
        self.goals[m.id] = Goal(m, lctx, type, tag, kind)
        return m

    def set(self, m: int, value: Expr) -> None:
        self.assign[m] = value
        self.trail.append(m)

    def undo(self, mark: int) -> None:
        while len(self.trail) > mark:
            self.assign.pop(self.trail.pop(), None)

    def inst(self, e: Expr) -> Expr:
        """`e` with assigned metavariables replaced, redexes this makes contracted."""
        if not e.fl & HAS_MVAR:
            return e
        return self._inst(e, {})

    def _inst(self, e: Expr, memo: dict[int, tuple[Expr, Expr]]) -> Expr:
        if not e.fl & HAS_MVAR:
            return e
        hit = memo.get(id(e))
        if hit is not None:
            return hit[1]
        r: Expr
        if isinstance(e, MVar):
            v = self.assign.get(e.id)
            r = e if v is None else self._inst(v, memo)
        elif isinstance(e, App):
            fn, args = spine(e)
            f = self._inst(fn, memo)
            new = [self._inst(a, memo) for a in args]
            r = beta(f, new) if f is not fn and isinstance(f, Lam) else apps(f, *new)
        elif isinstance(e, Lam):
            r = lam(e.name, self._inst(e.ty, memo), self._inst(e.body, memo), e.info)
        elif isinstance(e, Pi):
            r = pi(e.name, self._inst(e.ty, memo), self._inst(e.body, memo), e.info)
        elif isinstance(e, Cert):
            r = Cert(e.kind, self._inst(e.prop, memo), tuple(self._inst(p, memo) for p in e.hyps), e.data)
        else:
            assert isinstance(e, Closure)
            chain, inner = e.binders, e.body
            while True:  # one closure per `intro`: abstract a chain of them at once
                if isinstance(inner, MVar) and inner.id in self.assign:
                    inner = self.assign[inner.id]
                elif isinstance(inner, Closure):
                    chain, inner = chain + inner.binders, inner.body
                else:
                    break
            body = self._inst(inner, memo)
            binders = tuple((i, n, self._inst(t, memo), b) for i, n, t, b in chain)
            if body.fl & HAS_MVAR or any(b[2].fl & HAS_MVAR for b in binders):
                r = Closure(binders, body)
            else:
                r = close(binders, body)
        memo[id(e)] = (e, r)
        return r

    def abstract_lam(self, decls: Sequence[LocalDecl], body: Expr, infos: str = "") -> Expr:
        """`fun decls => body`, delayed when metavariables are left."""
        body = self.inst(body)
        binders = tuple((d.id, d.name, self.inst(d.type), "default") for d in decls)
        if body.fl & HAS_MVAR or any(b[2].fl & HAS_MVAR for b in binders):
            return Closure(binders, body)
        return close(binders, body)

    def abstract_pi(self, decls: Sequence[LocalDecl], body: Expr) -> Expr:
        """`∀ decls, body`; metavariables in it must not depend on `decls`."""
        ids = [d.id for d in decls]
        e = abstract(self.inst(body), ids)
        for i in range(len(decls) - 1, -1, -1):
            e = pi(decls[i].name, abstract(self.inst(decls[i].type), ids[:i]), e)
        return e

    # types and reduction

    def infer(self, e: Expr) -> Expr:
        """The type of a well-typed term, unchecked."""
        if isinstance(e, App):
            fn, args = spine(e)
            t = self.infer(fn)
            pending: list[Expr] = []
            for a in args:
                if not isinstance(t, Pi):
                    t, pending = self.whnf(instantiate(t, pending)), []
                    if not isinstance(t, Pi):
                        raise TacticError("Function expected")
                pending.append(a)
                t = t.body
            return self.head_beta(instantiate(t, pending))
        if isinstance(e, FVar):
            return self.types[e.id]
        if isinstance(e, MVar):
            return self.goals[e.id].type
        if isinstance(e, Const):
            decl = self.env.get(e.name)
            if decl is None:
                raise TacticError(f"Unknown constant `{e.name}`")
            return decl.type
        if isinstance(e, Lit):
            return NAT
        if isinstance(e, Sort):
            return sort(e.level + 1)
        if isinstance(e, (Lam, Pi)):
            return self._infer_binders(e)
        if isinstance(e, Cert):
            return e.prop
        if isinstance(e, Closure):
            t = self.infer(e.body)
            for i, n, ty, info in reversed(e.binders):
                t = pi(n, self.inst(ty), abstract(self.inst(t), [i]), info)
            return t
        raise TacticError("ill-formed term")

    def _infer_binders(self, e: Binder) -> Expr:
        """The type of a chain of `fun`s or of `∀`s, opened at once: one instantiation of the body, not one each."""
        kind = type(e)
        chain: list[Binder] = []
        xs: list[FVar] = []
        body: Expr = e
        while type(body) is kind:
            assert isinstance(body, Binder)
            xs.append(self.fvar(body.name, instantiate(body.ty, xs)).fvar)
            chain.append(body)
            body = body.body
        t = self.infer(instantiate(body, xs))
        if kind is Lam:
            t = abstract(self.inst(t), [x.id for x in xs])
            for b in reversed(chain):
                t = pi(b.name, b.ty, t, b.info)
            return t
        t = self.whnf(t)
        for x in reversed(xs):
            dom = self.whnf(self.infer(self.types[x.id]))
            if not isinstance(t, Sort) or t.level == 0:
                t = PROP
            elif isinstance(dom, Sort):
                t = sort(max(t.level, dom.level))
        return t

    def is_prop(self, ty: Expr) -> bool:
        """Whether the type `ty` is a proposition."""
        t = self.whnf(self.infer(ty))
        return isinstance(t, Sort) and t.level == 0

    def head_beta(self, e: Expr) -> Expr:
        """`e` with an assigned head metavariable replaced and head redexes contracted."""
        while isinstance(e, (App, MVar)):
            fn, args = spine(e)
            if isinstance(fn, MVar) and fn.id in self.assign:
                e = apps(self.assign[fn.id], *args)
                continue
            if isinstance(fn, Closure) and args:
                fn2 = self.inst(fn)
                if isinstance(fn2, Lam):
                    e = beta(fn2, args)
                    continue
                return e
            if isinstance(fn, Lam) and args:
                e = beta(fn, args)
                continue
            return e
        return e

    def delta(self, fn: Expr, args: list[Expr]) -> Expr | None:
        if not isinstance(fn, Const):
            return None
        decl = self.env.get(fn.name)
        if decl is None or not unfoldable(decl):
            if fn.name == "ite" and not self.reducible_only:
                return if_then_else(args, Kernel(self.env, self.budget).decide)
            return None
        if self.reducible_only and not decl.reducible:
            if fn.name not in NATIVE or not all(isinstance(a, Lit) for a in args):
                return None
        self.budget.tick()
        return unfold(decl, args, self.whnf)

    def whnf(self, e: Expr) -> Expr:
        """Weak head normal form with metavariables as stuck heads."""
        while True:
            if isinstance(e, (Lit, Sort, Lam, Pi, FVar, Cert)):
                return e
            e = self.head_beta(e)
            fn, args = spine(e)
            nxt = self.delta(fn, args)
            if nxt is None:
                return e
            e = nxt
