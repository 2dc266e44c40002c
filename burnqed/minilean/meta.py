"""Metavariables, local contexts and unification: the untrusted machinery tactics stand on."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Sequence

from burnqed.minilean.expr import (
    HAS_FVAR,
    HAS_MVAR,
    NAT,
    PROP,
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
    apps,
    instantiate,
    instantiate1,
    lam,
    pi,
    same,
    sort,
    spine,
)
from burnqed.minilean.kernel import (
    NATIVE,
    SUCC,
    Budget,
    Decl,
    Env,
    as_literal,
    beta,
    from_offset,
    offset,
    unfold,
)


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

    __slots__ = ("mvar", "lctx", "type", "tag", "kind")

    def __init__(self, mvar: MVar, lctx: LocalContext, type: Expr, tag: str, kind: str) -> None:
        self.mvar, self.lctx, self.type, self.tag, self.kind = mvar, lctx, type, tag, kind


class Meta:
    """Metavariable context of one proof state. `copy` before changing a shared one."""

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

    def copy(self, budget: Budget) -> Meta:
        m = Meta(self.env, budget)
        m.goals, m.assign = dict(self.goals), dict(self.assign)
        m.types, m.fresh = dict(self.types), self.fresh
        return m

    def restore(self, saved: Meta) -> None:
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
        memo: dict[int, tuple[Expr, Expr]] = {}

        def go(e: Expr) -> Expr:
            if not e.fl & HAS_MVAR:
                return e
            hit = memo.get(id(e))
            if hit is not None:
                return hit[1]
            r: Expr
            if isinstance(e, MVar):
                v = self.assign.get(e.id)
                r = e if v is None else go(v)
            elif isinstance(e, App):
                fn, args = spine(e)
                f = go(fn)
                new = [go(a) for a in args]
                r = beta(f, new) if f is not fn and isinstance(f, Lam) else apps(f, *new)
            elif isinstance(e, Lam):
                r = lam(e.name, go(e.ty), go(e.body), e.info)
            elif isinstance(e, Pi):
                r = pi(e.name, go(e.ty), go(e.body), e.info)
            elif isinstance(e, Cert):
                r = Cert(e.kind, go(e.prop), tuple(go(p) for p in e.hyps), e.data)
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
                body = go(inner)
                binders = tuple((i, n, go(t), b) for i, n, t, b in chain)
                if body.fl & HAS_MVAR or any(b[2].fl & HAS_MVAR for b in binders):
                    r = Closure(binders, body)
                else:
                    r = close(binders, body)
            memo[id(e)] = (e, r)
            return r

        return go(e)

    def abstract_lam(self, decls: Sequence[LocalDecl], body: Expr, infos: str = "") -> Expr:
        """`fun decls => body`, delayed when metavariables are left."""
        body = self.inst(body)
        binders = tuple((d.id, d.name, self.inst(d.type), "default") for d in decls)
        if body.fl & HAS_MVAR or any(b[2].fl & HAS_MVAR for b in binders):
            return Closure(binders, body)
        return close(binders, body)

    def abstract_pi(self, decls: Sequence[LocalDecl], body: Expr) -> Expr:
        """`∀ decls, body`; metavariables in it must not depend on `decls`."""
        e = self.inst(body)
        for i in range(len(decls) - 1, -1, -1):
            d = decls[i]
            e = pi(d.name, self.inst(d.type), abstract(e, [d.id]))
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
        if isinstance(e, Lam):
            d = self.fvar(e.name, e.ty)
            body = self.infer(instantiate1(e.body, d.fvar))
            return pi(e.name, e.ty, abstract(self.inst(body), [d.id]), e.info)
        if isinstance(e, Pi):
            d = self.fvar(e.name, e.ty)
            cod = self.whnf(self.infer(instantiate1(e.body, d.fvar)))
            dom = self.whnf(self.infer(e.ty))
            if isinstance(cod, Sort) and cod.level == 0:
                return PROP
            if isinstance(cod, Sort) and isinstance(dom, Sort):
                return sort(max(cod.level, dom.level))
            return PROP if not isinstance(cod, Sort) else cod
        if isinstance(e, Cert):
            return e.prop
        if isinstance(e, Closure):
            t = self.infer(e.body)
            for i, n, ty, info in reversed(e.binders):
                t = pi(n, self.inst(ty), abstract(self.inst(t), [i]), info)
            return t
        raise TacticError("ill-formed term")

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

    # unification

    def unify(self, a: Expr, b: Expr) -> bool:
        """Make `a` and `b` equal by assigning metavariables; nothing changes on failure."""
        mark = len(self.trail)
        if self._unify(a, b):
            return True
        self.undo(mark)
        return False

    def eq(self, a: Expr, b: Expr, reducible: bool = False) -> bool:
        """Like `unify`, at reducible transparency if asked."""
        saved, self.reducible_only = self.reducible_only, reducible
        try:
            return self.unify(a, b)
        finally:
            self.reducible_only = saved

    def _height(self, fn: Expr) -> int:
        decl = self.env.get(fn.name) if isinstance(fn, Const) else None
        return decl.height if decl is not None else 0

    def _unify(self, a: Expr, b: Expr) -> bool:
        while True:
            if same(a, b):
                return True
            self.budget.tick()
            if (a.fl | b.fl) & HAS_MVAR or isinstance(a, App) or isinstance(b, App):
                a, b = self.head_beta(a), self.head_beta(b)
                if same(a, b):
                    return True
            fa, xs = spine(a)
            fb, ys = spine(b)
            if isinstance(fa, MVar) or isinstance(fb, MVar):
                return self._flex(a, fa, xs, b, fb, ys)
            if isinstance(a, Sort) and isinstance(b, Sort):
                return a.level == b.level or min(a.level, b.level) < 0
            if type(a) is type(b) and isinstance(a, (Lam, Pi)):
                assert isinstance(b, (Lam, Pi))
                if not self._unify(a.ty, b.ty):
                    return False
                x = self.fvar(a.name, a.ty).fvar
                return self._unify(instantiate1(a.body, x), instantiate1(b.body, x))
            if isinstance(a, Closure) or isinstance(b, Closure):
                na, nb = self.inst(a), self.inst(b)
                if isinstance(na, Closure) or isinstance(nb, Closure):
                    return self._eta_closure(na, nb)
                a, b = na, nb
                continue
            ra, ka = offset(a)
            rb, kb = offset(b)
            k = min(ka, kb)
            if k:
                a, b = from_offset(ra, ka - k), from_offset(rb, kb - k)
                continue
            if len(xs) == len(ys) and xs and same(fa, fb):
                mark = len(self.trail)
                if all(self._unify(x, y) for x, y in zip(xs, ys, strict=True)):
                    return True
                self.undo(mark)
            ha, hb = self._height(fa), self._height(fb)
            da = self.delta(fa, xs) if ha >= hb else None
            db = self.delta(fb, ys) if hb >= ha else None
            if da is None and db is None:
                da = self.delta(fa, xs) if ha < hb else None
                db = self.delta(fb, ys) if hb < ha else None
            if da is None and db is None:
                return self._stuck(a, b)
            a, b = da or a, db or b

    def _eta_closure(self, a: Expr, b: Expr) -> bool:
        if isinstance(a, Closure):
            a, b = b, a
        assert isinstance(b, Closure)
        if isinstance(a, Closure):
            if len(a.binders) != len(b.binders):
                return False
            body = a.body
            subst = {i: FVar(j) for (i, *_), (j, *_) in zip(a.binders, b.binders, strict=True)}
            return self._unify(replace_fvars(self.inst(body), subst), b.body)
        for i, _, ty, _ in b.binders:
            self.types.setdefault(i, ty)
            a = self.head_beta(app(a, FVar(i)))
        return self._unify(a, b.body)

    def _stuck(self, a: Expr, b: Expr) -> bool:
        va, vb = as_literal(a), as_literal(b)
        if va is not None and vb is not None:
            return va == vb
        for x, y in ((a, b), (b, a)):
            if isinstance(x, Lam):
                t = self.whnf(self.infer(y))
                if not isinstance(t, Pi):
                    return False
                v = self.fvar(x.name, x.ty).fvar
                return self._unify(instantiate1(x.body, v), app(y, v))
            # ?n + 1 =?= literal or successor
            if isinstance(x, Lit) and x.value > 0:
                ry, ky = offset(y)
                if ry is not None and ky and isinstance(ry, MVar) and x.value >= ky:
                    return self._unify(ry, from_offset(None, x.value - ky))
        if isinstance(a, (Sort, Pi)) or isinstance(b, (Sort, Pi)):
            return False
        if isinstance(a, App) and isinstance(b, App) and a.fn == SUCC and b.fn == SUCC:
            return self._unify(a.arg, b.arg)
        ta = self.infer(a)
        if self.is_prop(ta):
            return self._unify(ta, self.infer(b))
        return False

    def _flex(self, a: Expr, fa: Expr, xs: list[Expr], b: Expr, fb: Expr, ys: list[Expr]) -> bool:
        if isinstance(fa, MVar) and isinstance(fb, MVar) and fa.id == fb.id:
            return len(xs) == len(ys) and all(self._unify(x, y) for x, y in zip(xs, ys, strict=True))
        if isinstance(fa, MVar) and isinstance(fb, MVar) and not xs and not ys:
            # synthetic holes are goals: assign the natural one to them
            ka, kb = self.goals[fa.id].kind, self.goals[fb.id].kind
            if ka == SYNTHETIC and kb == NATURAL:
                return self._solve(fb, ys, a) or self._solve(fa, xs, b)
            return self._solve(fa, xs, b) or self._solve(fb, ys, a)
        if isinstance(fa, MVar) and self._solve(fa, xs, b):
            return True
        if isinstance(fb, MVar) and self._solve(fb, ys, a):
            return True
        if xs and ys:  # first-order approximation
            mark = len(self.trail)
            assert isinstance(a, App) and isinstance(b, App)
            if self._unify(a.fn, b.fn) and self._unify(a.arg, b.arg):
                return True
            self.undo(mark)
        for flex, args, rigid, left in ((fa, xs, b, True), (fb, ys, a, False)):
            if isinstance(flex, MVar) and args:
                f, zs = spine(rigid)
                nxt = self.delta(f, zs)
                if nxt is not None:
                    return self._unify(a, nxt) if left else self._unify(nxt, b)
        return False

    def _solve(self, m: MVar, args: list[Expr], value: Expr) -> bool:
        """Assign `m args := value` when the arguments are distinct variables."""
        goal = self.goals.get(m.id)
        if goal is None or m.id in self.assign:
            return False
        value = self.inst(value)
        ids: list[int] = []
        for x in args:
            x = self.head_beta(x)
            if not isinstance(x, FVar) or x.id in ids or x.id in goal.lctx.decls:
                if not isinstance(x, FVar) or x.id in ids:
                    return False
            ids.append(x.id)
        if value.fl & HAS_MVAR and _occurs(value, m.id):
            return False
        if not self._in_scope(value, goal.lctx, set(ids)):
            return False
        if not args:
            ty = self.infer(value)
            if not self._unify_types(goal.type, ty):
                return False
            self.set(m.id, value)
            return True
        body = value
        if body.fl & HAS_MVAR:
            inner = [x for x in _mvars(body) if any(i in self.goals[x].lctx.decls for i in ids)]
            if inner:
                return False
            if _has_closure(body):
                return False
        for i in reversed(ids):
            ty = self.inst(self.types[i])
            body = lam(self._name_of(goal, i), ty, abstract(body, [i]))
        if not self._unify_types(goal.type, self.infer(body)):
            return False
        self.set(m.id, body)
        return True

    def _name_of(self, goal: Goal, i: int) -> str:
        d = goal.lctx.decls.get(i)
        return d.name if d is not None else "x"

    def _unify_types(self, a: Expr, b: Expr) -> bool:
        saved, self.reducible_only = self.reducible_only, False
        try:
            return self._unify(a, b)
        finally:
            self.reducible_only = saved

    def _in_scope(self, e: Expr, lctx: LocalContext, extra: builtins.set[int]) -> bool:
        """Whether `e` only uses variables of `lctx`; narrows natural metavariables if needed."""
        if not e.fl & (HAS_FVAR | HAS_MVAR):
            return True
        seen: builtins.set[int] = builtins.set()
        todo: list[tuple[Expr, frozenset[int]]] = [(e, frozenset(extra))]
        while todo:
            x, ok = todo.pop()
            if id(x) in seen or not x.fl & (HAS_FVAR | HAS_MVAR):
                continue
            seen.add(id(x))
            if isinstance(x, FVar):
                if x.id not in lctx.decls and x.id not in ok:
                    return False
            elif isinstance(x, MVar):
                g = self.goals[x.id]
                if any(i not in lctx.decls and i not in ok for i in g.lctx.decls):
                    if g.kind != NATURAL:
                        return False
                    keep = {i: d for i, d in g.lctx.decls.items() if i in lctx.decls or i in ok}
                    narrow = self.mvar(LocalContext(keep), g.type)
                    self.set(x.id, narrow)
            elif isinstance(x, App):
                todo += ((x.fn, ok), (x.arg, ok))
            elif isinstance(x, (Lam, Pi)):
                todo += ((x.ty, ok), (x.body, ok))
            elif isinstance(x, Cert):
                todo += ((p, ok) for p in (*x.hyps, x.prop))
            elif isinstance(x, Closure):
                inner = ok | {b[0] for b in x.binders}
                todo.append((x.body, inner))
                todo += ((b[2], inner) for b in x.binders)
        return True


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


def replace_fvars(e: Expr, subst: dict[int, FVar]) -> Expr:
    ids = list(subst)
    if e.fl & HAS_MVAR and _has_closure(e):
        return e
    return instantiate(abstract(e, ids), [subst[i] for i in ids])


def _occurs(e: Expr, m: int) -> bool:
    return m in _mvars(e)


def _mvars(e: Expr) -> set[int]:
    from burnqed.minilean.expr import mvars

    return set(mvars(e))


def _has_closure(e: Expr) -> bool:
    from burnqed.minilean.expr import subterms

    return any(isinstance(x, Closure) for x in subterms(e))
