"""`conv`: rewriting inside a chosen part of the goal or of a hypothesis.

A `conv` goal is an equation `term = ?new` whose right side is a hole: the tactics change what is shown,
the term, and `rfl` ends them by filling the hole with it.
"""

from __future__ import annotations

from typing import Any

from burnqed.minilean.congruence import congruence, explicit_arguments
from burnqed.minilean.context import NATURAL, Goal, LocalContext, TacticError
from burnqed.minilean.cursor import Term
from burnqed.minilean.expr import (
    PROP,
    App,
    Closure,
    Expr,
    Lam,
    MVar,
    Pi,
    abstract,
    app,
    bvar,
    capp,
    instantiate1,
    lam,
    pi,
    spine,
)
from burnqed.minilean.printer import state_text
from burnqed.minilean.rewrite import kabstract
from burnqed.minilean.runner import Runner
from burnqed.minilean.tactic_block import Tac
from burnqed.minilean.tactic_close import try_rfl
from burnqed.minilean.tactic_context import unfold_all
from burnqed.minilean.tactic_core import tactic
from burnqed.minilean.tactic_rw import rewriting
from burnqed.minilean.tactic_simp import make


def conv_goal(r: Runner, lctx: LocalContext, e: Expr, tag: str = "") -> Goal:
    """A new goal `e = ?new`."""
    alpha = r.m.inst(r.m.infer(e))
    new = r.m.mvar(lctx, alpha, "", NATURAL)
    goal = r.new_goal(lctx, capp("Eq", alpha, e, new), tag)
    goal.fragment = "conv"
    return goal


def parts(r: Runner, g: Goal) -> tuple[Expr, Expr, MVar]:
    """Type, term and hole of a `conv` goal."""
    if g.fragment != "conv":
        raise TacticError("invalid 'conv' goal")
    _, (alpha, e, new) = spine(r.m.inst(g.type))
    assert isinstance(new, MVar)
    return alpha, e, new


def replace_term(r: Runner, g: Goal, new: Expr, proof: Expr | None) -> Goal:
    """Go on with `new`, by a proof that the goal's term equals it (None when they are definitionally equal)."""
    alpha, e, hole = parts(r, g)
    nxt = r.new_goal(g.lctx, capp("Eq", alpha, new, hole), g.tag)
    nxt.fragment = "conv"
    r.close(g, nxt.mvar if proof is None else capp("Eq.trans", alpha, e, new, hole, proof, nxt.mvar), [nxt])
    return nxt


def close_conv(r: Runner, g: Goal) -> None:
    """Fill the hole of a `conv` goal with its term."""
    alpha, e, new = parts(r, g)
    r.m.set(new.id, e)
    r.close(g, capp("Eq.refl", alpha, e))


def hole_of(r: Runner, g: Goal) -> Expr:
    return spine(g.type)[1][2]


def descend(r: Runner, g: Goal, places: list[int]) -> None:
    """Replace a goal about an application by goals about the arguments at `places`."""
    _, e, new = parts(r, g)
    args = spine(e)[1]
    goals = [conv_goal(r, g.lctx, args[k], g.tag) for k in places]
    found = congruence(r.m, e, [(k, hole_of(r, x), x.mvar) for k, x in zip(places, goals, strict=True)])
    assert found is not None
    r.m.set(new.id, found[0])
    r.close(g, found[1], goals)


def descend_arrow(r: Runner, g: Goal, e: Pi, places: list[int]) -> None:
    """The same for an implication, whose two sides are places 0 and 1."""
    new = parts(r, g)[2]
    sides = [e.ty, e.body]
    goals = [conv_goal(r, g.lctx, sides[k], g.tag) for k in places]
    current, proof = list(sides), None
    for k, x in zip(places, goals, strict=True):
        v = r.m.fvar("x", PROP).fvar
        open_side = [*current[:k], v, *current[k + 1 :]]
        f = lam("x", PROP, abstract(arrow(e, open_side), [v.id]))
        before = arrow(e, current)
        step = capp("congrArg", PROP, PROP, current[k], hole_of(r, x), f, x.mvar)
        current[k] = hole_of(r, x)
        after = arrow(e, current)
        proof = step if proof is None else capp("Eq.trans", PROP, e, before, after, proof, step)
    assert proof is not None
    r.m.set(new.id, arrow(e, current))
    r.close(g, proof, goals)


def arrow(e: Pi, sides: list[Expr]) -> Expr:
    """The implication between `sides`, with the binder of `e`."""
    return pi(e.name, sides[0], sides[1])


def is_arrow(r: Runner, e: Expr) -> bool:
    return isinstance(e, Pi) and not e.body.lo and r.m.is_prop(e) and r.m.is_prop(e.ty)


def choose(r: Runner, word: str, index: int, from_end: bool) -> None:
    """Go to one explicit argument, counted from 0 or, with `from_end`, from -1."""
    g = r.main
    e = parts(r, g)[1]
    places = [0, 1] if is_arrow(r, e) else explicit_arguments(r.m, e)
    try:
        place = places[-index if from_end else index]
    except IndexError:
        raise TacticError(f"cannot select argument: `{word}` does not apply to\n  {r.text(e, g.lctx)}") from None
    if isinstance(e, Pi):
        descend_arrow(r, g, e, [place])
    else:
        descend(r, g, [place])


@tactic("conv_lhs")
def t_conv_lhs(r: Runner) -> None:
    choose(r, "lhs", 2, True)


@tactic("conv_rhs")
def t_conv_rhs(r: Runner) -> None:
    choose(r, "rhs", 1, True)


@tactic("conv_arg")
def t_conv_arg(r: Runner, every: bool, index: int) -> None:
    g = r.main
    _, e, new = parts(r, g)
    if index == 0:
        if not isinstance(e, App):
            raise TacticError("invalid `fun` conv tactic, application expected")
        ty = r.m.inst(r.m.infer(e))
        fn_ty = r.m.inst(r.m.infer(e.fn))
        x = r.m.fvar("f", fn_ty).fvar
        goal = conv_goal(r, g.lctx, e.fn, g.tag)
        f = lam("f", fn_ty, abstract(app(x, e.arg), [x.id]))
        r.m.set(new.id, app(hole_of(r, goal), e.arg))
        r.close(g, capp("congrArg", fn_ty, ty, e.fn, hole_of(r, goal), f, goal.mvar), [goal])
        return
    if every:
        n = len(spine(e)[1])
        place = index - 1 if index > 0 else n + index
        if not 0 <= place < n or place not in explicit_arguments(r.m, e):
            raise TacticError(f"cannot select argument {index} of\n  {r.text(e, g.lctx)}")
        descend(r, g, [place])
        return
    choose(r, f"arg {index}", index - 1 if index > 0 else -index, index < 0)


@tactic("conv_congr")
def t_conv_congr(r: Runner) -> None:
    g = r.main
    e = parts(r, g)[1]
    if isinstance(e, Pi) and is_arrow(r, e):
        descend_arrow(r, g, e, [0, 1])
        return
    places = explicit_arguments(r.m, e) if isinstance(e, App) else []
    if not places:
        raise TacticError("invalid 'congr' conv tactic, application or implication expected")
    descend(r, g, places)


@tactic("conv_ext")
def t_conv_ext(r: Runner, names: list[str]) -> None:
    for name in names:
        under_binder(r, r.main, None if name == "_" else name)


def under_binder(r: Runner, g: Goal, name: str | None) -> None:
    """Go below a `fun` or `∀`."""
    m = r.m
    alpha, e, new = parts(r, g)
    if not isinstance(e, (Lam, Pi)):
        raise TacticError("invalid 'ext' conv tactic, function or arrow expected")
    x = m.fvar(name or e.name.rstrip("✝"), e.ty, name is None)
    inner = conv_goal(r, g.lctx.add(x), instantiate1(e.body, x.fvar), g.tag)
    binders = ((x.id, x.name, e.ty, "default"),)
    proof, after = Closure(binders, inner.mvar), Closure(binders, hole_of(r, inner))
    if isinstance(e, Lam):
        body_ty = m.whnf(alpha)
        assert isinstance(body_ty, Pi)
        m.set(new.id, after)
        r.close(g, capp("funext", e.ty, body_ty.body, e, after, proof), [inner])
        return
    if not m.is_prop(e):
        raise TacticError("invalid 'ext' conv tactic, function or arrow expected")
    m.set(new.id, pi(e.name, e.ty, app(after, bvar(0)), e.info))
    before = lam(e.name, e.ty, e.body)
    r.close(g, capp("forall_congr", e.ty, before, after, proof), [inner])


@tactic("conv_rw")
def t_conv_rw(r: Runner, rules: list[Any]) -> None:
    for back, t, _ in rules:
        g = r.main
        alpha, e, _ = parts(r, g)
        step = rewriting(r, g, back, t, e)
        new = r.m.head_beta(app(step.motive, step.target))
        proof = capp("congrArg", step.alpha, alpha, step.source, step.target, step.motive, step.proof)
        replace_term(r, g, new, proof)
        r.goals[1:1] = step.side


@tactic("conv_simp")
def t_conv_simp(r: Runner, only: bool, args: list[Any]) -> None:
    g = r.main
    e = parts(r, g)[1]
    new, proof = make(r, g, only, args).run(e)
    if proof is None and new == e:
        raise TacticError("`simp` made no progress")
    replace_term(r, g, new, proof)


@tactic("conv_unfold")
def t_conv_unfold(r: Runner, names: list[str]) -> None:
    for name in names:
        g = r.main
        new = unfold_all(r, parts(r, g)[1], name)
        if new is None:
            raise TacticError(f"Tactic `unfold` failed to unfold `{name}`")
        replace_term(r, g, new, None)


@tactic("conv_change")
def t_conv_change(r: Runner, t: Term) -> None:
    g = r.main
    alpha, e, _ = parts(r, g)
    new = r.elab().term(t, alpha, g.lctx)
    if not r.m.unify(new, e):
        raise TacticError("invalid 'change' conv tactic, the terms are not definitionally equal")
    replace_term(r, g, r.m.inst(new), None)


@tactic("conv_pattern")
def t_conv_pattern(r: Runner, t: Term) -> None:
    g = r.main
    m = r.m
    alpha, e, new = parts(r, g)
    pattern = m.inst(r.elab().go(t, None, g.lctx))
    body = kabstract(m, e, pattern, first=True)
    if body is None:
        raise TacticError(f"'pattern' conv tactic failed, pattern was not found\n  {r.text(pattern, g.lctx)}")
    pattern = m.inst(pattern)
    motive = lam("x", m.inst(m.infer(pattern)), body)
    goal = conv_goal(r, g.lctx, pattern, g.tag)
    m.set(new.id, instantiate1(body, hole_of(r, goal)))
    r.close(g, capp("congrArg", motive.ty, alpha, pattern, hole_of(r, goal), motive, goal.mvar), [goal])


@tactic("conv_tactic")
def t_conv_tactic(r: Runner, tacs: list[Tac]) -> None:
    g = r.main
    g.fragment = "tactic"
    r.solve(g, tacs)


@tactic("conv_rfl")
def t_conv_rfl(r: Runner) -> None:
    g = r.main
    if g.fragment == "conv":
        close_conv(r, g)
    elif not try_rfl(r, g):
        raise r.fail(g, "Tactic `rfl` failed\n")


def convert(r: Runner, g: Goal, e: Expr, tacs: list[Tac]) -> tuple[Expr, Expr]:
    """What `tacs` make of `e`, and the proof that `e` equals it."""
    start = conv_goal(r, g.lctx, e)
    inner = Runner(r.m, [start], r.opens)
    try:
        inner.seq(tacs)
    except TacticError:
        r.failed_at = inner.failed_at
        raise
    finish(inner)
    if inner.goals:
        raise TacticError("convert tactic failed, there are unsolved goals\n" + state_text(r.m, inner.goals))
    return r.m.inst(hole_of(r, start)), r.m.inst(start.mvar)


def finish(r: Runner) -> None:
    """Close what is left in `conv` by reflexivity."""
    for x in list(r.goals):
        if x.fragment == "conv":
            close_conv(r, x)
        else:
            try_rfl(r, x)
    r.prune()


@tactic("conv_bullet")
def t_conv_bullet(r: Runner, tacs: list[Tac]) -> None:
    rest = r.goals[1:]
    r.goals = r.goals[:1]
    r.seq(tacs)
    finish(r)
    if r.goals:
        raise TacticError("unsolved goals\n" + state_text(r.m, r.goals))
    r.goals = rest


@tactic("conv")
def t_conv(r: Runner, where: str | None, pattern: Term | None, tacs: list[Tac]) -> None:
    g = r.main
    if pattern is not None:
        tacs = [Tac("conv_pattern", (pattern,), 0, 0), *tacs]
    d = r.find(g, where) if where is not None else None
    old = r.target(g) if d is None else r.m.inst(d.type)
    new, proof = convert(r, g, old, tacs)
    if d is not None:
        r.replace_local(g, d, new, capp("Eq.mp", old, new, proof, d.fvar))
        return
    goal = r.new_goal(g.lctx, new, g.tag)
    r.close(g, capp("Eq.mpr", old, new, proof, goal.mvar), [goal])
    try_rfl(r, goal, reducible=True)
