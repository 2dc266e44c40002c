"""What runs tactics: their registry, the list of goals, failure and traces."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from burnqed.minilean.context import SYNTHETIC, Goal, LocalContext, TacticError
from burnqed.minilean.elab import Elab
from burnqed.minilean.expr import Expr, MVar
from burnqed.minilean.meta import Meta
from burnqed.minilean.printer import goal_text, show_in, state_text
from burnqed.minilean.tactic_block import Tac
from burnqed.minilean.traverse import consts

TacticFn = Callable[..., None]
TACTICS: dict[str, TacticFn] = {}
Saved = tuple[Meta, list[Goal], list[int], int]


class GoalError(TacticError):
    """A failed tactic whose message ends with the goal's text."""


class Trace:
    """Called around every atomic tactic: goals before, tactic, goals after."""

    def __init__(self) -> None:
        self.steps: list[tuple[str, Tac, str, set[str]]] = []


def tactic(*names: str) -> Callable[[TacticFn], TacticFn]:
    def register(fn: TacticFn) -> TacticFn:
        for n in names:
            TACTICS[n] = fn
        return fn

    return register


COMBINATORS = frozenset(
    "then_all bullet paren all_goals any_goals try repeat iterate first case fail_if_success match".split()
)
STRUCTURAL = frozenset(("skip", "done"))


class RunnerBase:
    """Runs tactics on a list of goals, changing one metavariable context in place."""

    def __init__(self, meta: Meta, goals: list[Goal], opens: Sequence[str] = (), trace: Trace | None = None) -> None:
        self.m = meta
        self.goals = goals
        self.opens = tuple(opens)
        self.trace = trace
        self.failed_at: Tac | None = None

    # goals

    @property
    def main(self) -> Goal:
        if not self.goals:
            raise TacticError("No goals to be solved")
        return self.goals[0]

    def target(self, g: Goal) -> Expr:
        return self.m.head_beta(self.m.inst(g.type))

    def new_goal(self, lctx: LocalContext, type: Expr, tag: str) -> Goal:
        m = self.m.mvar(lctx, type, tag, SYNTHETIC)
        return self.m.goals[m.id]

    def close(self, g: Goal, value: Expr, new: Sequence[Goal] = ()) -> None:
        """Solve `g` by `value`; `new` goals take its place."""
        self.m.set(g.mvar.id, value)
        i = next(k for k, x in enumerate(self.goals) if x is g)
        self.goals[i : i + 1] = list(new)

    def prune(self) -> None:
        """Drop goals that unification has solved."""
        self.goals = [g for g in self.goals if g.mvar.id not in self.m.assign]

    def fail(self, g: Goal, message: str) -> GoalError:
        return GoalError(f"{message}\n{goal_text(self.m, g)}")

    def text(self, e: Expr, lctx: LocalContext) -> str:
        return show_in(self.m, lctx, e)

    def elab(self) -> Elab:
        return Elab(self.m, self.run_nested, self.opens)

    def run_nested(self, hole: MVar, tacs: list[Tac]) -> None:
        """A `by` block inside a term: must close its goal."""
        inner = type(self)(self.m, [self.m.goals[hole.id]], self.opens, self.trace)
        try:
            inner.seq(tacs)
            inner.require_done()
        except TacticError:
            self.failed_at = inner.failed_at
            raise

    def require_done(self) -> None:
        self.prune()
        if self.goals:
            raise TacticError("unsolved goals\n" + state_text(self.m, self.goals))

    # running

    def seq(self, tacs: Sequence[Tac]) -> None:
        for t in tacs:
            self.run(t)

    def run(self, t: Tac) -> None:
        """Run one tactic. Raises `TacticError`; the state is then undefined."""
        self.m.budget.tick(4)
        fn = TACTICS.get(t.kind)
        if fn is None:
            raise TacticError(f"minilean does not support the tactic `{t.kind}`")
        before = ""
        known = 0
        atomic = self.trace is not None and t.kind not in COMBINATORS
        if atomic:
            before, known = state_text(self.m, self.goals), len(self.m.trail)
        try:
            fn(self, *t.args)
        except TacticError:
            if self.failed_at is None:
                self.failed_at = t
            raise
        except RecursionError:
            raise TacticError("maximum recursion depth has been reached") from None
        self.prune()
        if atomic and self.trace is not None:
            used = set()
            for x in self.m.trail[known:]:
                if x in self.m.assign:
                    used |= consts(self.m.assign[x])
            self.trace.steps.append((before, t, state_text(self.m, self.goals), used))

    def attempt(self, tacs: Sequence[Tac]) -> TacticError | None:
        """Run `tacs`; on failure restore everything and return the error."""
        saved = self.save()
        try:
            self.seq(tacs)
        except TacticError as e:
            self.restore(saved)
            return e
        return None

    def save(self) -> Saved:
        """What `restore` needs to undo all that happens from now on."""
        steps = len(self.trace.steps) if self.trace else 0
        return self.m.copy(self.m.budget), list(self.goals), list(self.m.trail), steps

    def restore(self, saved: Saved) -> None:
        """Go back to a saved state; numbers of variables are not used twice."""
        meta, goals, trail, steps = saved
        fresh = self.m.fresh
        self.m.restore(meta)
        self.m.trail = trail
        self.m.fresh = fresh
        self.goals = goals
        self.failed_at = None
        if self.trace is not None:
            del self.trace.steps[steps:]

    def focus(self, g: Goal, tacs: Sequence[Tac]) -> list[Goal]:
        """Run `tacs` on `g` alone; the goals left."""
        saved, self.goals = self.goals, [g]
        self.seq(tacs)
        self.prune()
        left, self.goals = self.goals, saved
        return left

    def solve(self, g: Goal, tacs: Sequence[Tac]) -> None:
        left = self.focus(g, tacs)
        if left:
            raise TacticError("unsolved goals\n" + state_text(self.m, left))
