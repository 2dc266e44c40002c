"""Equations between variables and constructors: subst, injectivity, clashes."""

from __future__ import annotations

from burnqed.minilean.context import Goal, LocalDecl, TacticError
from burnqed.minilean.expr import NAT, App, Cert, Const, Expr, FVar, app, apps, capp, const, lam, spine
from burnqed.minilean.expr import abstract as abstract_fvars
from burnqed.minilean.runner import Runner
from burnqed.minilean.tactic_basic import whnf_prop
from burnqed.minilean.tactic_close import clash
from burnqed.minilean.tactic_core import tactic
from burnqed.minilean.traverse import fvars, occurs


def solve_eq(r: Runner, g: Goal, d: LocalDecl) -> list[Goal]:
    """Case analysis on an equation: substitution, injectivity or a clash of constructors."""
    m = r.m
    _, args, _ = whnf_prop(r, d.type)
    alpha, a, b = args
    a, b = m.inst(a), m.inst(b)
    for x, y in ((b, a), (a, b)):
        if isinstance(x, FVar) and x.id in g.lctx.decls and not occurs(y, x.id):
            return [substitute(r, g, d, x, y, x is b)]
    if m.unify(a, b):
        return [r.clear(g, [d.id])]
    if alpha == NAT:
        false = clash(r, d.fvar, a, b)
        if false is not None:
            r.close(g, capp("False.elim", r.target(g), false))
            return []
        wa, wb = m.whnf(a), m.whnf(b)
        if isinstance(wa, App) and isinstance(wb, App) and wa.fn == wb.fn == const("Nat.succ"):
            inj = apps(const("Nat.succ.inj"), wa.arg, wb.arg, d.fvar)
            ty = capp("Eq", NAT, wa.arg, wb.arg)
            new = r.assert_(g, d.name, True, ty, inj)
            h = new.lctx.decls[max(new.lctx.decls)]
            new = r.clear(new, [d.id])
            return solve_eq(r, new, h)
    fa, xs = spine(m.whnf(a))
    fb, ys = spine(m.whnf(b))
    if isinstance(fa, Const) and isinstance(fb, Const):
        if {fa.name, fb.name} == {"List.nil", "List.cons"}:
            proof: Expr = d.fvar
            cons = xs if fa.name == "List.cons" else ys
            if fa.name == "List.nil":
                proof = capp("Eq.symm", alpha, a, b, proof)
            false = app(capp("List.cons_ne_nil", *cons), proof)
            r.close(g, capp("False.elim", r.target(g), false))
            return []
        if {fa.name, fb.name} == {"Bool.true", "Bool.false"}:
            p = capp("Not", capp("Eq", alpha, a, b))
            false = app(Cert("decide", p, (), None), d.fvar)
            r.close(g, capp("False.elim", r.target(g), false))
            return []
    raise r.fail(
        g,
        f"Dependent elimination failed: Failed to solve equation\n  {r.text(a, g.lctx)} = {r.text(b, g.lctx)}",
    )


def substitute(r: Runner, g: Goal, h: LocalDecl, x: FVar, value: Expr, right: bool) -> Goal:
    """Replace the variable `x` by `value` everywhere, by `h : value = x` (or `x = value`)."""
    m = r.m
    order = list(g.lctx.decls)
    deps = [d for d in r.dependents(g, [x.id], False) if d.id != h.id]
    if any(occurs(m.inst(d.type), h.id) for d in deps) or occurs(r.target(g), h.id):
        raise TacticError("the goal depends on the equation's proof")
    late = [k for k in _free(value) if order.index(k) > order.index(x.id)]
    body = m.abstract_pi(deps, r.target(g))
    xd = g.lctx.decls[x.id]
    motive = lam(xd.name, m.inst(xd.type), abstract_fvars(body, [x.id]))
    drop = [x.id, h.id, *(d.id for d in deps)]
    if late and any(k in drop for k in late):
        raise TacticError("motive is not type correct")
    new = r.new_goal(g.lctx.without(drop), m.head_beta(app(motive, value)), g.tag)
    alpha = m.inst(xd.type)
    proof: Expr = h.fvar
    if not right:
        proof = capp("Eq.symm", alpha, x, value, proof)
    e = capp("Eq.subst", alpha, motive, value, x, proof, new.mvar)
    for d in deps:
        e = app(e, d.fvar)
    m.set(g.mvar.id, e)
    out = r.reintro(new, deps)
    i = next(k for k, y in enumerate(r.goals) if y is g)
    r.goals[i] = out
    return out


def _free(e: Expr) -> set[int]:
    return fvars(e)


@tactic("subst")
def t_subst(r: Runner, *names: str) -> None:
    for n in names:
        g = r.main
        d = r.find(g, n)
        name, args, _ = whnf_prop(r, d.type)
        if name != "Eq":
            # a variable may be named: find an equation for it
            for o in g.lctx.decls.values():
                k, xs, _ = whnf_prop(r, o.type)
                if k == "Eq" and any(isinstance(y, FVar) and y.id == d.id for y in xs[1:]):
                    d, args = o, xs
                    break
            else:
                raise r.fail(g, "Tactic `subst` failed: did not find an equation\n")
        a, b = r.m.inst(args[1]), r.m.inst(args[2])
        for x, y, right in ((b, a, True), (a, b, False)):
            if isinstance(x, FVar) and x.id in g.lctx.decls and not occurs(y, x.id):
                substitute(r, g, d, x, y, right)
                break
        else:
            raise r.fail(
                g,
                "Tactic `subst` failed: invalid equality proof, it is not of the form (x = t) or (t"
                f" = x)\n  {r.text(args[1], g.lctx)} = {r.text(args[2], g.lctx)}\n",
            )
