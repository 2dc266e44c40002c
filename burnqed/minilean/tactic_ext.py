"""funext, ext, congr: equality of functions, propositions and applications."""

from __future__ import annotations

from burnqed.minilean.congruence import congruence, explicit_arguments
from burnqed.minilean.context import Goal, TacticError
from burnqed.minilean.expr import PROP, App, Closure, Const, Expr, Lam, Pi, app, capp, spine
from burnqed.minilean.runner import Runner
from burnqed.minilean.tactic_basic import assumption
from burnqed.minilean.tactic_cases import join
from burnqed.minilean.tactic_close import try_rfl
from burnqed.minilean.tactic_core import tactic


def function_equation(r: Runner, g: Goal) -> tuple[Pi, list[Expr]] | None:
    """The function type and the arguments of `Eq` of a goal `f = g` between functions."""
    fn, args = spine(r.target(g))
    if not isinstance(fn, Const) or fn.name != "Eq":
        return None
    ty = r.m.whnf(args[0])
    return (ty, args) if isinstance(ty, Pi) and not ty.body.lo else None


def extend(r: Runner, g: Goal, name: str | None) -> Goal | None:
    """`funext` and `intro`; None when the goal equates no functions."""
    found = function_equation(r, g)
    if found is None:
        return None
    ty, (_, f, h) = found
    binder = next((x.name for x in map(r.m.whnf, (f, h)) if isinstance(x, Lam)), "x")
    x = r.m.fvar(name or binder.rstrip("✝"), ty.ty, name is None)
    sides = [r.m.head_beta(app(side, x.fvar)) for side in (f, h)]
    new = r.new_goal(g.lctx.add(x), capp("Eq", ty.body, *sides), g.tag)
    proof = Closure(((x.id, x.name, ty.ty, "default"),), new.mvar)
    r.close(g, capp("funext", ty.ty, ty.body, f, h, proof), [new])
    return new


@tactic("funext")
def t_funext(r: Runner, names: list[str]) -> None:
    g, count = r.main, 0
    while not names or count < len(names):
        new = extend(r, g, names[count] if names and names[count] != "_" else None)
        if new is None:
            break
        g, count = new, count + 1
    if count < max(len(names), 1):
        raise r.fail(g, "Tactic `apply` failed: could not unify the conclusion of `@funext` with the goal\n")


@tactic("ext")
def t_ext(r: Runner, names: list[str]) -> None:
    g = r.main
    wanted: list[str | None] = [None if n == "_" else n for n in names]
    applied = False
    while True:
        new = extend(r, g, wanted.pop(0) if wanted else None) if function_equation(r, g) else None
        if new is None:
            fn, args = spine(r.target(g))
            if not (isinstance(fn, Const) and fn.name == "Eq" and args[0] == PROP):
                break
            new = r.new_goal(g.lctx, capp("Iff", *args[1:]), join(g.tag, "a"))
            r.close(g, capp("propext", *args[1:], new.mvar), [new])
        applied, g = True, new
    if not applied:
        fn, args = spine(r.target(g))
        kind = r.text(args[0], g.lctx) if isinstance(fn, Const) and fn.name == "Eq" else r.text(r.target(g), g.lctx)
        raise TacticError(f"No applicable extensionality theorem found for type\n  {kind}")
    if wanted:
        raise TacticError("`ext` did not consume the patterns: " + str([n or "_" for n in wanted]))


@tactic("congr")
def t_congr(r: Runner) -> None:
    g = r.main
    rest = r.goals[1:]
    r.goals = [g]
    if not split_equation(r, g, 0):
        raise r.fail(g, "Tactic `congr` failed: could not apply congruence\n")
    r.goals = [*r.goals, *rest]


def split_equation(r: Runner, g: Goal, depth: int) -> bool:
    """Close `g`, or replace it by equations between the arguments of its two sides."""
    m = r.m
    fn, args = spine(r.target(g))
    if not isinstance(fn, Const) or fn.name not in ("Eq", "Iff"):
        return False
    if try_rfl(r, g, reducible=True) or assumption(r, g):
        return True
    if fn.name == "Iff":
        same = r.new_goal(g.lctx, capp("Eq", PROP, *args), g.tag)
        r.close(g, capp("Iff.of_eq", *args, same.mvar), [same])
        g, args = same, [PROP, *args]
    a, b = m.inst(args[1]), m.inst(args[2])
    fa, xs = spine(a)
    fb, ys = spine(b)
    places = [k for k in explicit_arguments(m, a) if k < len(ys) and xs[k] != ys[k]] if fa == fb else []
    others = [k for k in range(min(len(xs), len(ys))) if k not in places and xs[k] != ys[k]]
    if depth > 20 or not isinstance(a, App) or len(xs) != len(ys) or not places or others:
        return False
    names = argument_names(r, fa, len(xs))
    goals = []
    for k in places:
        ty = m.inst(m.infer(xs[k]))
        goals.append(r.new_goal(g.lctx, capp("Eq", ty, xs[k], ys[k]), join(g.tag, f"e_{names[k]}")))
    proof = congruence(m, a, [(k, ys[k], x.mvar) for k, x in zip(places, goals, strict=True)])
    assert proof is not None
    r.close(g, proof[1], goals)
    for x in goals:
        split_equation(r, x, depth + 1)
    return True


def argument_names(r: Runner, fn: Expr, count: int) -> list[str]:
    """The names of a function's arguments, as tags of the goals about them."""
    t = r.m.infer(fn)
    out = []
    for _ in range(count):
        t = t if isinstance(t, Pi) else r.m.whnf(t)
        named = isinstance(t, Pi) and not t.name.endswith("✝")
        out.append(t.name if named and isinstance(t, Pi) else "a")
        t = t.body if isinstance(t, Pi) else t
    return out
