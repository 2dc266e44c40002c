"""The simplifier: proof-producing rewriting of a term to normal form."""

from __future__ import annotations

from collections.abc import Sequence

from burnqed.minilean.context import LocalContext, TacticError
from burnqed.minilean.expr import (
    HAS_FVAR,
    HAS_MVAR,
    PROP,
    TYPE,
    App,
    Cert,
    Const,
    Expr,
    FVar,
    Lam,
    Lit,
    Pi,
    abstract,
    app,
    apps,
    bvar,
    capp,
    const,
    instantiate1,
    lam,
    pi,
    spine,
)
from burnqed.minilean.kernel import Kernel
from burnqed.minilean.kernel_reduce import NATIVE, KernelError, int_expr, int_of
from burnqed.minilean.meta import Meta
from burnqed.minilean.simp_rules import (
    Rule,
    RuleSet,
    equation,
    open_rule,
    order_key,
    permutative,
)

TRUE, FALSE = const("True"), const("False")
MAX_STEPS = 1500
Result = tuple[Expr, Expr | None]  # new term, proof of old = new (None when it is Eq.refl)


class Simp:
    """Rewrites terms of one goal with a rule set."""

    def __init__(self, m: Meta, lctx: LocalContext, rules: RuleSet, unfold: Sequence[str]) -> None:
        self.m = m
        self.lctx = lctx
        self.rules = rules
        self.unfold = frozenset(unfold)
        self.steps = 0
        self.depth = 0
        self.skip = 0  # the hypothesis that is being simplified

    def type_of(self, e: Expr) -> Expr:
        return self.m.whnf(self.m.inst(self.m.infer(e)))

    def trans(self, ty: Expr, a: Expr, first: Result, second: Result) -> Result:
        b, p = first
        c, q = second
        if p is None:
            return c, q
        if q is None:
            return c, p
        return c, capp("Eq.trans", ty, a, b, c, p, q)

    def run(self, e: Expr) -> Result:
        """The normal form of `e`. Raises `TacticError` when the step limit is hit."""
        self.m.budget.tick()
        self.steps += 1
        if self.steps > MAX_STEPS or self.depth > 150:
            raise TacticError("maximum recursion depth has been reached")
        if isinstance(e, (FVar, Lit, Const)) and not self.rules.find(e):
            return e, None
        self.depth += 1
        try:
            inner = self.children(e)
            top = self.rewrite(inner[0])
            if top is None:
                return inner
            ty = self.m.inst(self.m.infer(e))
            done = self.trans(ty, e, inner, top)
            return self.trans(ty, e, done, self.run(done[0]))
        finally:
            self.depth -= 1

    # congruence

    def children(self, e: Expr) -> Result:
        if isinstance(e, Pi):
            return self.pi(e)
        if isinstance(e, Lam):
            return self.lam(e)
        if not isinstance(e, App):
            return e, None
        fn, args = spine(e)
        whole: Result = (e, None)
        ty = None
        cur = list(args)
        infos = self.infos(fn, args)
        for i, a in enumerate(args):
            if not infos[i]:
                continue
            b, p = self.run(a)
            if p is None and b is a:
                continue
            new = [*cur[:i], b, *cur[i + 1 :]]
            after = apps(fn, *new)
            if p is None:
                cur = new
                whole = (after, whole[1])
                continue
            if ty is None:
                ty = self.m.inst(self.m.infer(e))
            alpha = self.m.inst(self.m.infer(a))
            x = self.m.fvar("x", alpha)
            hole = apps(fn, *cur[:i], x.fvar, *cur[i + 1 :])
            f = lam("x", alpha, abstract(hole, [x.id]))
            step = capp("congrArg", alpha, ty, a, b, f, p)
            whole = self.trans(ty, e, whole, (after, step))
            cur = new
        return whole

    def infos(self, fn: Expr, args: list[Expr]) -> list[bool]:
        """Which arguments are explicit data or propositions that simp may rewrite."""
        t = self.m.whnf(self.m.infer(fn))
        out: list[bool] = []
        for a in args:
            if not isinstance(t, Pi):
                out.append(False)
                continue
            out.append(t.info == "default" and t.body.lo == 0 and t.ty != TYPE)
            t = instantiate1(t.body, a)
            t = t if isinstance(t, Pi) else self.m.whnf(t)
        return out

    def pi(self, e: Pi) -> Result:
        if not self.m.is_prop(e):
            return e, None
        if e.body.lo == 0 and self.m.is_prop(e.ty):
            a, p = self.run(e.ty)
            b, q = self.run(e.body)
            out: Result = (e, None)
            if p is not None:
                f = lam("x", PROP, pi(e.name, _bvar0(), e.body))
                out = self.trans(PROP, e, out, (pi(e.name, a, e.body), capp("congrArg", PROP, PROP, e.ty, a, f, p)))
            if q is not None:
                f = lam("x", PROP, pi(e.name, a, _bvar1()))
                out = self.trans(PROP, e, out, (pi(e.name, a, b), capp("congrArg", PROP, PROP, e.body, b, f, q)))
            return out
        if self.m.is_prop(e.ty):
            return e, None
        x = self.m.fvar(e.name, e.ty)
        saved, self.lctx = self.lctx, self.lctx.add(x)
        body, p = self.run(instantiate1(e.body, x.fvar))
        self.lctx = saved
        if p is None:
            return e, None
        new = abstract(body, [x.id])
        h = lam(e.name, e.ty, abstract(self.m.inst(p), [x.id]))
        proof = capp("forall_congr", e.ty, lam(e.name, e.ty, e.body), lam(e.name, e.ty, new), h)
        return pi(e.name, e.ty, new, e.info), proof

    def lam(self, e: Lam) -> Result:
        x = self.m.fvar(e.name, e.ty)
        saved, self.lctx = self.lctx, self.lctx.add(x)
        old = instantiate1(e.body, x.fvar)
        body, p = self.run(old)
        self.lctx = saved
        if p is None:
            return e, None
        beta_ty = self.m.inst(self.m.infer(old))
        new = lam(e.name, e.ty, abstract(body, [x.id]), e.info)
        h = lam(e.name, e.ty, abstract(self.m.inst(p), [x.id]))
        return new, capp("funext", e.ty, beta_ty, e, new, h)

    # steps at the top

    def rewrite(self, e: Expr) -> Result | None:
        """One step at the root of `e`."""
        done = self.ground(e)
        if done is not None:
            return done
        fn, args = spine(e)
        if isinstance(fn, Const) and fn.name in self.unfold:
            nxt = self.m.delta(fn, args)
            if nxt is not None:
                new = self.m.head_beta(nxt)
                return new, capp("Eq.refl", self.m.inst(self.m.infer(e)), e)
        if isinstance(fn, Const) and fn.name in ("Nat.ge", "Nat.gt", "Int.ge", "Int.gt"):
            nxt = self.m.delta(fn, args)
            assert nxt is not None
            return self.m.head_beta(nxt), capp("Eq.refl", PROP, e)
        if isinstance(fn, Lam) and args:
            new = self.m.head_beta(e)
            return new, capp("Eq.refl", self.m.inst(self.m.infer(e)), e)
        if isinstance(e, Pi):
            got = self.imp(e)
            if got is not None:
                return got
        for rule in self.rules.find(e):
            if rule.origin and rule.origin == self.skip:
                continue
            got = self.apply(rule, e)
            if got is not None:
                return got
        return None

    def imp(self, e: Pi) -> Result | None:
        if e.body.lo or not self.m.is_prop(e.ty):
            if e.body == TRUE and e.body.lo == 0:
                proof = lam(e.name, e.ty, const("True.intro"))
                return TRUE, capp("eq_true", e, proof)
            return None
        p, q = e.ty, e.body
        if q == TRUE:
            return TRUE, capp("implies_true", p)
        if p == TRUE:
            return q, capp("true_implies", q)
        if p == FALSE:
            return TRUE, capp("false_implies", q)
        if p == q:
            return TRUE, capp("eq_true", e, lam("h", p, _bvar0()))
        if q == FALSE:
            return capp("Not", p), capp("Eq.refl", PROP, e)
        fn, args = spine(p)
        if isinstance(fn, Const) and "and_imp" in self.named:
            if fn.name == "And":
                a, b = args
                new = pi("a✝", a, pi("a✝", b, q))
                return new, capp("propext", e, new, capp("and_imp", a, b, q))
            if fn.name == "Exists" and isinstance(args[1], Lam):
                x = self.m.fvar(args[1].name, args[0])
                inner = pi("a✝", self.m.head_beta(app(args[1], x.fvar)), q)
                new = pi(args[1].name, args[0], abstract(inner, [x.id]))
                return new, capp("propext", e, new, capp("forall_exists_index", *args, q))
        return None

    named: frozenset[str] = frozenset()

    def ground(self, e: Expr) -> Result | None:
        """Literal arithmetic and decidable closed propositions."""
        if e.fl & (HAS_FVAR | HAS_MVAR):
            return None
        fn, args = spine(e)
        if not isinstance(fn, Const) or not args:
            return None
        if fn.name in NATIVE:
            if fn.name.startswith("Nat") and all(isinstance(a, Lit) for a in args):
                v = self.m.whnf(e)
                if v != e:
                    return v, capp("Eq.refl", self.m.inst(self.m.infer(e)), e)
            if fn.name.startswith("Int") and all(_int_lit(a) for a in args):
                value = int_of(e, self.m.whnf)
                if value is not None and value >= 0 and fn.name != "Int.neg":
                    return int_expr(value), capp("Eq.refl", const("Int"), e)
            return None
        kind = fn.name.split(".")[0]
        if kind in ("Nat", "Int", "Eq") and len(args) >= 2:
            if fn.name == "Eq" and args[1] == args[2]:
                return None
            if not all(isinstance(a, Lit) or _int_lit(a) for a in args[-2:]):
                return None
            try:
                verdict = Kernel(self.m.env, self.m.budget).decide(e)
            except KernelError:
                return None
            if verdict is None:
                return None
            if verdict:
                return TRUE, capp("eq_true", e, Cert("decide", e, (), None))
            return FALSE, capp("eq_false", e, Cert("decide", capp("Not", e), (), None))
        return None

    def apply(self, rule: Rule, e: Expr) -> Result | None:
        """Rewrite `e` with `rule`, proving its hypotheses by simp."""
        m = self.m
        mark = len(m.trail)
        proof, ty, holes = open_rule(m, rule, self.lctx)
        eq = equation(proof, ty)
        if eq is None:
            return None
        alpha, lhs, rhs, p = eq
        if rule.reverse:
            lhs, rhs, p = rhs, lhs, capp("Eq.symm", alpha, lhs, rhs, p)
        swap = permutative(lhs, rhs)
        if not m.eq(lhs, e, reducible=True):
            return None
        for h in holes:
            if h.id in m.assign:
                continue
            want = m.head_beta(m.inst(m.goals[h.id].type))
            if not m.is_prop(want) or not self.discharge(h.id, want):
                m.undo(mark)
                return None
        new = m.inst(rhs)
        if new == e or new.fl & HAS_MVAR or swap and order_key(new) >= order_key(e):
            m.undo(mark)
            return None
        return new, m.inst(p)

    def discharge(self, hole: int, want: Expr) -> bool:
        if want.fl & HAS_MVAR:
            return False
        for d in self.lctx.decls.values():
            if self.m.inst(d.type) == want:
                self.m.set(hole, d.fvar)
                return True
        if self.depth > 8:
            return False
        try:
            new, p = self.run(want)
        except TacticError:
            return False
        if new != TRUE or p is None:
            return False
        self.m.set(hole, capp("of_eq_true", want, p))
        return True


def _bvar0() -> Expr:
    return bvar(0)


def _bvar1() -> Expr:
    """The bound proposition under the arrow's own binder."""
    return bvar(1)


def _int_lit(e: Expr) -> bool:
    if isinstance(e, App) and e.fn == const("Int.neg"):
        e = e.arg
    return isinstance(e, App) and e.fn == const("Int.ofNat") and isinstance(e.arg, Lit)
