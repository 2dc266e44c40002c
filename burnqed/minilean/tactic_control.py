"""Tactics that run tactics: `<;>`, bullets, `first`, `repeat`, `case`, ..."""

from __future__ import annotations

import time
from collections.abc import Sequence

from burnqed.minilean.budget import InterruptError
from burnqed.minilean.context import Goal, LocalContext, LocalDecl, TacticError
from burnqed.minilean.runner import Runner
from burnqed.minilean.tactic_block import Tac
from burnqed.minilean.tactic_core import tactic


@tactic("skip")
def t_skip(r: Runner) -> None:
    pass


@tactic("done")
def t_done(r: Runner) -> None:
    r.require_done()


@tactic("fail")
def t_fail(r: Runner, message: str) -> None:
    raise r.fail(r.main, message)


@tactic("unsupported")
def t_unsupported(r: Runner, name: str) -> None:
    if name == "exact?":
        raise TacticError("`exact?` could not close the goal. Try `apply?` to see partial suggestions.")
    raise TacticError(f"minilean does not support the tactic `{name}`")


@tactic("sleep")
def t_sleep(r: Runner, milliseconds: int) -> None:
    end = time.monotonic() + milliseconds / 1000
    while (now := time.monotonic()) < end:
        r.m.budget.tick(0)
        if r.m.budget.deadline is not None and now > r.m.budget.deadline:
            raise InterruptError
        time.sleep(min(0.002, end - now))


@tactic("then_all")
def t_then_all(r: Runner, first: Tac, second: Tac) -> None:
    g = r.main
    rest = r.goals[1:]
    out: list[Goal] = []
    for x in r.focus(g, [first]):
        if x.mvar.id not in r.m.assign:
            out += r.focus(x, [second])
    r.goals = [*out, *rest]


@tactic("paren")
def t_paren(r: Runner, tacs: list[Tac]) -> None:
    r.seq(tacs)


@tactic("bullet")
def t_bullet(r: Runner, tacs: list[Tac]) -> None:
    g = r.main
    r.solve(g, tacs)
    r.prune()


@tactic("all_goals")
def t_all_goals(r: Runner, tacs: list[Tac]) -> None:
    out: list[Goal] = []
    for g in list(r.goals):
        if g.mvar.id not in r.m.assign:
            out += r.focus(g, tacs)
    r.goals = out


@tactic("any_goals")
def t_any_goals(r: Runner, tacs: list[Tac]) -> None:
    out: list[Goal] = []
    worked = False
    saved = list(r.goals)
    for g in saved:
        if g.mvar.id in r.m.assign:
            continue
        r.goals = [g]
        if r.attempt(tacs) is None:
            worked = True
        out += r.goals
    r.goals = out
    if not worked:
        raise TacticError("Tactic failed on all goals")


@tactic("try")
def t_try(r: Runner, tacs: list[Tac]) -> None:
    r.attempt(tacs)


@tactic("repeat")
def t_repeat(r: Runner, tacs: list[Tac]) -> None:
    for _ in range(MAX_REPEAT):
        if not r.goals or r.attempt(tacs) is not None:
            return
    raise TacticError("maximum recursion depth has been reached")


@tactic("iterate")
def t_iterate(r: Runner, n: int, tacs: list[Tac]) -> None:
    for _ in range(n):
        r.seq(tacs)


@tactic("fail_if_success")
def t_fail_if_success(r: Runner, tacs: list[Tac]) -> None:
    saved, goals, trail = r.m.copy(r.m.budget), list(r.goals), list(r.m.trail)
    if r.attempt(tacs) is None:
        raise TacticError("The tactic provided to `fail_if_success` succeeded but was expected to fail")
    r.m.restore(saved)
    r.m.trail, r.goals = trail, goals


@tactic("first")
def t_first(r: Runner, blocks: list[list[Tac]]) -> None:
    error: TacticError | None = None
    for b in blocks:
        error = r.attempt(b)
        if error is None:
            return
    assert error is not None
    raise error


@tactic("case")
def t_case(r: Runner, tag: str | None, names: list[str], tacs: list[Tac]) -> None:
    g: Goal | None = r.main
    if tag not in (None, "_"):
        g = next((x for x in r.goals if x.tag == tag), None)
        g = g or next((x for x in r.goals if x.tag.split(".")[-1] == tag), None)
        g = g or next((x for x in r.goals if x.tag.startswith(f"{tag}.")), None)
        if g is None:
            raise TacticError(f"Case tag `{tag}` not found.")
    assert g is not None
    rest = [x for x in r.goals if x is not g]
    r.goals = [g, *rest]
    if names:
        rename_inaccessible(r, r.main, names)
    r.solve(r.main, tacs)
    r.goals = rest


@tactic("rotate_left")
def t_rotate_left(r: Runner) -> None:
    r.goals = r.goals[1:] + r.goals[:1]


@tactic("rotate_right")
def t_rotate_right(r: Runner) -> None:
    r.goals = r.goals[-1:] + r.goals[:-1]


def rename_inaccessible(r: Runner, g: Goal, names: Sequence[str]) -> Goal:
    """Name the last inaccessible hypotheses, in order."""
    seen: set[str] = set()
    hidden: list[LocalDecl] = []
    for d in reversed(list(g.lctx.decls.values())):
        if d.hygienic or d.name in seen:
            hidden.append(d)
        if not d.hygienic:
            seen.add(d.name)
    if len(hidden) < len(names):
        raise TacticError("too many variable names provided")
    renamed = {}
    for d, n in zip(reversed(hidden[: len(names)]), names, strict=True):
        if n != "_":
            renamed[d.id] = n
    decls = {k: LocalDecl(d.fvar, renamed[k], d.type) if k in renamed else d for k, d in g.lctx.decls.items()}
    new = r.new_goal(LocalContext(decls), g.type, g.tag)
    r.close(g, new.mvar, [new])
    return new


@tactic("rename_i")
def t_rename_i(r: Runner, *names: str) -> None:
    rename_inaccessible(r, r.main, names)


MAX_REPEAT = 200
