"""Pantograph's modes: `calc` and `conv` one step at a time, over states of the engine."""

from __future__ import annotations

from collections.abc import Sequence

from burnqed.minilean.context import Goal, TacticError
from burnqed.minilean.engine import Engine, State
from burnqed.minilean.expr import capp, spine
from burnqed.minilean.runner import Runner
from burnqed.minilean.tactic_calc import calc_step
from burnqed.minilean.tactic_close import try_rfl
from burnqed.minilean.tactic_conv import close_conv, conv_goal
from burnqed.minilean.tactic_syntax import parse_conv, parse_term


def begin(engine: Engine, state: State, index: int, manual: bool) -> tuple[Runner, list[Goal]]:
    """A runner whose main goal is number `index`, and the goals that stay dormant."""
    goals = list(state.goals)
    goals.insert(0, goals.pop(index))
    dormant = list(state.dormant)
    if manual:
        goals, dormant = goals[:1], [*goals[1:], *dormant]
    return Runner(state.meta.copy(engine.budget()), goals, engine.opens), dormant


def enter(engine: Engine, state: State, mode: str, index: int, manual: bool) -> State:
    """Go into the mode `calc` or `conv`, or with `tactic` back out of it."""
    r, dormant = begin(engine, state, index, manual)
    g = r.main
    if mode == "tactic":
        leave(r, g, dormant)
    elif g.fragment != "tactic":
        raise TacticError(f"The goal is already in the mode `{g.fragment}`")
    elif mode == "calc":
        r.m.goals[g.mvar.id] = r.goals[0] = again = Goal(g.mvar, g.lctx, g.type, g.tag, g.kind)
        again.fragment = "calc"
    elif mode == "conv":
        target = r.target(g)
        if not r.m.is_prop(target):
            raise TacticError("minilean rewrites propositions only")
        goal = conv_goal(r, g.lctx, target)
        result = spine(goal.type)[1][2]
        goal.parent = r.new_goal(g.lctx, result, g.tag)
        r.close(g, capp("Eq.mpr", target, result, goal.mvar, goal.parent.mvar), [goal])
    else:
        raise TacticError(f"Unknown mode `{mode}`")
    return engine.finish(state, r.m, r.goals, dormant)


def step(engine: Engine, state: State, text: str, index: int, manual: bool) -> State:
    """One step on a goal that is in the mode `calc` or `conv`."""
    r, dormant = begin(engine, state, index, manual)
    g = r.main
    if g.fragment == "calc":
        calc_step(r, g, parse_term(text))
        return engine.finish(state, r.m, r.goals, dormant)
    before = {x.mvar.id for x in r.goals}
    r.seq(parse_conv(text))
    r.prune()
    for x in r.goals:
        if x.fragment == "conv" and x.mvar.id not in before:
            x.parent = g.parent
    resume(r, g.parent, dormant)
    return engine.finish(state, r.m, r.goals, dormant)


def resume(r: Runner, parent: Goal | None, dormant: Sequence[Goal], close: bool = True) -> None:
    """Come back to the goal that `conv` was about once none of its parts is left; `close` it by `rfl` if that does."""
    if parent is None or any(x.parent is parent for x in (*r.goals, *dormant)):
        return
    r.goals.insert(0, parent)
    if close:
        try_rfl(r, parent)
        r.prune()


def leave(r: Runner, g: Goal, dormant: list[Goal]) -> None:
    """Back to ordinary tactics: what is left of `conv` stays as it is."""
    if g.fragment == "calc":
        r.m.goals[g.mvar.id] = r.goals[0] = Goal(g.mvar, g.lctx, g.type, g.tag, g.kind)
        return
    if g.fragment != "conv":
        raise TacticError("The goal is in no mode that could be left")
    asleep = [x for x in dormant if x.parent is g.parent]
    dormant[:] = [x for x in dormant if x not in asleep]
    r.goals += asleep
    for x in list(r.goals):
        if x.fragment == "conv" and x.parent is g.parent:
            close_conv(r, x)
    resume(r, g.parent, dormant, close=False)  # Pantograph leaves it to the next tactic
