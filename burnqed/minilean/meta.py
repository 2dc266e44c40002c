"""Unification: the untrusted machinery tactics stand on."""

from __future__ import annotations

import builtins

from burnqed.minilean.context import NATURAL, SYNTHETIC, Goal, LocalContext, MetaContext
from burnqed.minilean.expr import (
    HAS_FVAR,
    HAS_MVAR,
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
    lam,
    same,
    spine,
)
from burnqed.minilean.kernel_reduce import SUCC, as_literal, from_offset, offset
from burnqed.minilean.traverse import mvars, subterms


class Meta(MetaContext):
    """Metavariable context of one proof state. `copy` before changing a shared one."""

    __slots__ = ()

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


def replace_fvars(e: Expr, subst: dict[int, FVar]) -> Expr:
    ids = list(subst)
    if e.fl & HAS_MVAR and _has_closure(e):
        return e
    return instantiate(abstract(e, ids), [subst[i] for i in ids])


def _occurs(e: Expr, m: int) -> bool:
    return m in _mvars(e)


def _mvars(e: Expr) -> set[int]:
    return set(mvars(e))


def _has_closure(e: Expr) -> bool:
    return any(isinstance(x, Closure) for x in subterms(e))
