"""Tactics that change the context or restate the goal: have, show, specialize, unfold, ..."""

from __future__ import annotations

from burnqed.minilean.context import Goal, LocalContext, LocalDecl, TacticError
from burnqed.minilean.cursor import Term
from burnqed.minilean.expr import HAS_MVAR, App, Closure, Const, Expr, Lam, Pi, app, apps, capp, const, lam, pi, spine
from burnqed.minilean.runner import Runner
from burnqed.minilean.tactic_core import tactic
from burnqed.minilean.tactic_rcases import rcases
from burnqed.minilean.traverse import mvars


@tactic("have")
def t_have(r: Runner, pat: Term, ty_t: Term | None, value: Term) -> None:
    g = r.main
    elab = r.elab()
    start = r.m.fresh
    if ty_t is not None:
        ty = elab.type(ty_t, g.lctx)
        proof = elab.term(value, ty, g.lctx)
        ty = r.m.inst(ty)
    else:
        proof = elab.term(value, None, g.lctx)
        ty = r.m.head_beta(r.m.inst(r.m.infer(proof)))
    holes = sorted(i for i in dict.fromkeys(mvars(r.m.inst(proof))) if i > start)
    if any(r.m.goals[i].kind == "natural" for i in holes):
        raise r.fail(g, "don't know how to synthesize placeholder\ncontext:")
    others = r.tag_holes(g, holes, "refine", more=1) if holes else []
    name = pat[1] if pat[0] == "name" else "x"
    new = r.assert_(g, name, pat[0] != "name", ty, proof)
    if holes:
        new.tag = f"{g.tag}.refine_{len(holes) + 1}" if g.tag else f"refine_{len(holes) + 1}"
    i = next(k for k, x in enumerate(r.goals) if x is new)
    if pat[0] not in ("name", "hole"):
        goals = rcases(r, new, new.lctx.decls[max(new.lctx.decls)], pat)
        r.goals[i : i + 1] = goals
        r.goals[i + len(goals) : i + len(goals)] = others
    else:
        r.goals[i + 1 : i + 1] = others


@tactic("suffices")
def t_suffices(r: Runner, name: str, ty_t: Term, value: Term) -> None:
    g = r.main
    ty = r.elab().type(ty_t, g.lctx)
    d = r.m.fvar(name, ty)
    body = r.elab().term(value, r.target(g), g.lctx.add(d))
    new = r.new_goal(g.lctx, ty, g.tag)
    r.close(g, app(Closure(((d.id, name, ty, "default"),), body), new.mvar), [new])


@tactic("show")
def t_show(r: Runner, t: Term) -> None:
    g = r.main
    ty = r.elab().type(t, g.lctx)
    if not r.m.unify(ty, r.target(g)):
        raise r.fail(
            g,
            "'show' tactic failed, pattern\n  "
            f"{r.text(ty, g.lctx)}\nis not definitionally equal to target\n  "
            f"{r.text(r.target(g), g.lctx)}",
        )
    new = r.new_goal(g.lctx, r.m.inst(ty), g.tag)
    r.close(g, new.mvar, [new])


@tactic("change")
def t_change(r: Runner, t: Term, loc: tuple[str, ...] | None) -> None:
    if loc is None or loc == ("⊢",):
        t_show(r, t)
        return
    for name in loc:
        g = r.main
        d = r.find(g, name)
        ty = r.elab().type(t, g.lctx)
        if not r.m.unify(ty, d.type):
            raise r.fail(g, "Tactic `change` failed: type is not definitionally equal\n")
        retype(r, g, d, r.m.inst(ty))


def retype(r: Runner, g: Goal, d: LocalDecl, ty: Expr) -> Goal:
    """Show `d` with the definitionally equal type `ty`."""
    return r.replace_local(g, d, ty, d.fvar)


@tactic("specialize")
def t_specialize(r: Runner, t: Term) -> None:
    g = r.main
    f = t[1] if t[0] == "app" else t
    name = f[1] if f[0] in ("id", "explicit") else ""
    d = g.lctx.find(name)
    if d is None:
        raise TacticError(
            "'specialize' requires a term of the form `h x_1 .. x_n` where `h` appears in the local context"
        )
    value = r.elab().term(t, None, g.lctx)
    ty = r.m.head_beta(r.m.inst(r.m.infer(value)))
    if value.fl & HAS_MVAR:
        raise r.fail(g, "don't know how to synthesize placeholder\ncontext:")
    new = r.assert_(g, d.name, False, ty, value)
    r.clear(new, [d.id])


@tactic("revert")
def t_revert(r: Runner, *names: str) -> None:
    g = r.main
    r.revert(g, [r.find(g, n).id for n in names])


@tactic("clear")
def t_clear(r: Runner, *names: str) -> None:
    for n in names:
        g = r.main
        d = r.find(g, n)
        if r.clear(g, [d.id]) is g:
            raise r.fail(g, f"Tactic `clear` failed: variable `{n}` is used\n")


@tactic("rename")
def t_rename(r: Runner, t: Term, name: str) -> None:
    g = r.main
    ty = r.elab().type(t, g.lctx)
    for d in reversed(g.lctx.decls.values()):
        if r.m.unify(d.type, ty):
            decls = {k: LocalDecl(o.fvar, name, o.type) if o is d else o for k, o in g.lctx.decls.items()}
            new = r.new_goal(LocalContext(decls), g.type, g.tag)
            r.close(g, new.mvar, [new])
            return
    raise TacticError("Failed to find a hypothesis with that type")


@tactic("by_cases")
def t_by_cases(r: Runner, name: str, t: Term) -> None:
    g = r.main
    p = r.elab().term(t, None, g.lctx)
    p = r.elab().as_type(p, g.lctx)
    q = capp("Not", p)
    goals = []
    minors: list[Expr] = []
    for ty, tag in ((p, "pos"), (q, "neg")):
        d = r.m.fvar(name.rstrip("✝"), ty, name.endswith("✝"))
        new = r.new_goal(g.lctx.add(d), g.type, f"{g.tag}.{tag}" if g.tag else tag)
        minors.append(Closure(((d.id, d.name, ty, "default"),), new.mvar))
        goals.append(new)
    r.close(g, apps(const("Or.rec"), p, q, r.target(g), *minors, capp("Classical.em", p)), goals)


@tactic("unfold")
def t_unfold(r: Runner, names: list[str], loc: tuple[str, ...] | None) -> None:
    for name in names:
        for where in loc or ("⊢",):
            g = r.main
            d = None if where == "⊢" else r.find(g, where)
            old = r.target(g) if d is None else r.m.inst(d.type)
            new = unfold_all(r, old, name)
            if new is None:
                raise r.fail(g, f"Tactic `unfold` failed to unfold `{name}`\n")
            if d is None:
                goal = r.new_goal(g.lctx, new, g.tag)
                r.close(g, goal.mvar, [goal])
            else:
                retype(r, g, d, new)


def unfold_all(r: Runner, e: Expr, name: str) -> Expr | None:
    """`e` with the applications of `name` unfolded; None when there is none."""
    decl = r.m.env.get(name)
    if decl is None:
        raise TacticError(f"Unknown constant `{name}`")
    hit = False

    def go(x: Expr) -> Expr:
        nonlocal hit
        if isinstance(x, (App, Const)):
            fn, args = spine(x)
            new = [go(a) for a in args]
            if isinstance(fn, Const) and fn.name == name:
                y = r.m.delta(fn, new)
                if y is not None:
                    hit = True
                    return r.m.head_beta(y)
            return apps(go(fn) if not isinstance(fn, Const) else fn, *new)
        if isinstance(x, Pi):
            return pi(x.name, go(x.ty), go(x.body), x.info)
        if isinstance(x, Lam):
            return lam(x.name, go(x.ty), go(x.body), x.info)
        return x

    out = go(e)
    return out if hit else None
