"""The tactic runner: goals, combinators, and the tactics that introduce and apply."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from burnqed.minilean.elab import Elab
from burnqed.minilean.expr import (
    HAS_MVAR,
    Closure,
    Const,
    Expr,
    MVar,
    Pi,
    app,
    instantiate1,
    mvars,
    occurs,
)
from burnqed.minilean.meta import (
    NATURAL,
    SYNTHETIC,
    Goal,
    LocalContext,
    LocalDecl,
    Meta,
    TacticError,
)
from burnqed.minilean.printer import goal_text, show_in, state_text
from burnqed.minilean.syntax import Term
from burnqed.minilean.tactic_syntax import Tac

TacticFn = Callable[..., None]
TACTICS: dict[str, TacticFn] = {}
MAX_REPEAT = 200


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


class Runner:
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
        inner = Runner(self.m, [self.m.goals[hole.id]], self.opens, self.trace)
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
                    from burnqed.minilean.expr import consts

                    used |= consts(self.m.assign[x])
            self.trace.steps.append((before, t, state_text(self.m, self.goals), used))

    def attempt(self, tacs: Sequence[Tac]) -> TacticError | None:
        """Run `tacs`; on failure restore everything and return the error."""
        saved, goals = self.m.copy(self.m.budget), list(self.goals)
        trail, steps = list(self.m.trail), len(self.trace.steps) if self.trace else 0
        try:
            self.seq(tacs)
        except TacticError as e:
            fresh = self.m.fresh
            self.m.restore(saved)
            self.m.trail = trail
            self.m.fresh = fresh
            self.goals = goals
            self.failed_at = None
            if self.trace is not None:
                del self.trace.steps[steps:]
            return e
        return None

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

    # shared steps

    def intro(self, g: Goal, name: str | None) -> tuple[Goal, LocalDecl]:
        """One `intro`; None picks the binder's name, inaccessible."""
        t = self.target(g)
        if not isinstance(t, Pi):
            t = self.m.whnf(t)
            if not isinstance(t, Pi):
                raise self.fail(
                    g,
                    "Tactic `introN` failed: There are no additional binders or `let` bindings in"
                    " the goal to introduce\n",
                )
        hygienic = name is None
        d = self.m.fvar(name or t.name.rstrip("✝"), t.ty, hygienic)
        new = self.new_goal(g.lctx.add(d), instantiate1(t.body, d.fvar), g.tag)
        self.m.set(g.mvar.id, Closure(((d.id, d.name, t.ty, "default"),), new.mvar))
        i = next(k for k, x in enumerate(self.goals) if x is g)
        self.goals[i] = new
        return new, d

    def apply(self, g: Goal, e: Expr, name: str = "apply") -> None:
        """Backward chaining with `e`: new goals for the arguments that stay unknown."""
        m = self.m
        target = self.target(g)
        full = m.head_beta(m.inst(m.infer(e)))
        want = _arity(target)
        have = _arity(m.whnf(full)) if not isinstance(full, Pi) else _arity(full)
        first = max(have - want, 0)
        tried: Expr | None = None
        limit = have + 6
        i = first
        while i <= limit:
            mark = len(m.trail)
            new: list[tuple[MVar, Pi]] = []
            cur, ty = e, full
            while len(new) < i:
                if not isinstance(ty, Pi):
                    ty = m.whnf(ty)
                    if not isinstance(ty, Pi):
                        break
                x = m.mvar(g.lctx, ty.ty, ty.name.rstrip("✝"), NATURAL)
                new.append((x, ty))
                cur = app(cur, x)
                ty = m.head_beta(instantiate1(ty.body, x))
            if len(new) < i:
                break
            if tried is None:
                tried = ty
            if m.unify(ty, target):
                self.finish_apply(g, cur, new)
                return
            m.undo(mark)
            i += 1
        shown = self.text(e, g.lctx)
        at = "@" + shown if isinstance(e, Const) else shown
        concl = self.text(tried if tried is not None else full, g.lctx)
        note = ""
        if isinstance(full, Pi):
            note = f"\n\nNote: The full type of `{at}` is\n  {self.text(full, g.lctx)}"
        raise self.fail(
            g,
            f"Tactic `{name}` failed: could not unify the conclusion of `{at}`\n  {concl}\nwith the"
            f" goal\n  {self.text(target, g.lctx)}{note}\n",
        )

    def finish_apply(self, g: Goal, proof: Expr, new: list[tuple[MVar, Pi]]) -> None:
        m = self.m
        left: list[tuple[MVar, Pi]] = [(x, b) for x, b in new if x.id not in m.assign]
        used_by_types = set()
        for x, _ in left:
            used_by_types.update(mvars(m.inst(m.goals[x.id].type)))
        first = [x for x, _ in left if x.id not in used_by_types]
        later = [x for x, _ in left if x.id in used_by_types]
        goals = []
        known = {x.id for x, _ in new}
        extra = [i for i in mvars(m.inst(proof)) if i not in known and m.goals[i].kind == NATURAL]
        for x in [*first, *later, *(m.goals[i].mvar for i in dict.fromkeys(extra))]:
            old = m.goals[x.id]
            if len(new) == 1:
                tag = g.tag
            else:
                tag = f"{g.tag}.{old.tag}" if g.tag and old.tag else old.tag or g.tag
            goal = Goal(x, old.lctx, old.type, tag, SYNTHETIC)
            m.goals[x.id] = goal
            goals.append(goal)
        self.close(g, proof, goals)

    def refine(self, g: Goal, t: Term, prefix: str = "refine") -> None:
        """Elaborate `t` at the goal's type; `?_` become goals, other holes must be solved."""
        elab = self.elab()
        start = self.m.fresh
        value = elab.term(t, self.target(g), g.lctx)
        if value.fl & HAS_MVAR:
            order = list(dict.fromkeys(mvars(value)))
            for i in order:
                if self.m.goals[i].kind == NATURAL and i > start:
                    raise self.fail(g, "don't know how to synthesize placeholder\ncontext:")
            holes = sorted(i for i in order if i > start)
            goals = self.tag_holes(g, holes, prefix)
        else:
            goals = []
        self.close(g, value, goals)

    def tag_holes(self, g: Goal, holes: Sequence[int], prefix: str) -> list[Goal]:
        goals = []
        for k, i in enumerate(holes, 1):
            old = self.m.goals[i]
            if old.tag:
                tag = old.tag
            elif len(holes) == 1:
                tag = g.tag
            else:
                tag = f"{g.tag}.{prefix}_{k}" if g.tag else f"{prefix}_{k}"
            goal = Goal(old.mvar, old.lctx, old.type, tag, SYNTHETIC)
            self.m.goals[i] = goal
            goals.append(goal)
        return goals

    def find(self, g: Goal, name: str) -> LocalDecl:
        d = g.lctx.find(name)
        if d is None:
            raise TacticError(f"Unknown identifier `{name}`")
        return d

    def assert_(self, g: Goal, name: str, hygienic: bool, type: Expr, proof: Expr) -> Goal:
        """Add `name : type := proof` to the goal's context."""
        d = self.m.fvar(name, type, hygienic)
        new = self.new_goal(g.lctx.add(d), g.type, g.tag)
        body = Closure(((d.id, name, type, "default"),), new.mvar)
        self.close(g, app(body, proof), [new])
        return new

    def replace_local(self, g: Goal, d: LocalDecl, type: Expr, proof: Expr) -> Goal:
        """Give `d` a new type, proved by `proof`, at its place in the context."""
        x = self.m.fvar(d.name, type, d.hygienic)
        decls: dict[int, LocalDecl] = {}
        uses = any(occurs(self.m.inst(o.type), d.id) for o in g.lctx.decls.values())
        uses = uses or occurs(self.target(g), d.id)
        for k, o in g.lctx.decls.items():
            if k == d.id:
                if uses:
                    decls[k] = o
                decls[x.id] = x
            else:
                decls[k] = o
        new = self.new_goal(LocalContext(decls), g.type, g.tag)
        self.close(g, app(Closure(((x.id, x.name, type, "default"),), new.mvar), proof), [new])
        return new

    def clear(self, g: Goal, ids: Sequence[int]) -> Goal:
        """Remove hypotheses nothing depends on; others stay."""
        drop: list[int] = []
        target = self.target(g)
        for i in ids:
            rest = [o for k, o in g.lctx.decls.items() if k not in drop and k != i]
            if occurs(target, i) or any(occurs(self.m.inst(o.type), i) for o in rest):
                continue
            drop.append(i)
        if not drop:
            return g
        new = self.new_goal(g.lctx.without(drop), g.type, g.tag)
        self.close(g, new.mvar, [new])
        return new

    def revert(self, g: Goal, ids: Sequence[int]) -> tuple[Goal, list[LocalDecl]]:
        """Move hypotheses and all that depend on them back into the goal."""
        deps = self.dependents(g, ids, True)
        if not deps:
            return g, []
        t = self.m.abstract_pi(deps, self.target(g))
        new = self.new_goal(g.lctx.without([d.id for d in deps]), t, g.tag)
        value: Expr = new.mvar
        for d in deps:
            value = app(value, d.fvar)
        self.close(g, value, [new])
        return new, deps

    def dependents(self, g: Goal, ids: Sequence[int], include: bool) -> list[LocalDecl]:
        """The declarations `ids` (if `include`) and those whose types depend on them, in order."""
        found = set(ids)
        out = []
        for k, d in g.lctx.decls.items():
            if k in found:
                if include:
                    out.append(d)
            elif any(occurs(self.m.inst(d.type), i) for i in found):
                found.add(k)
                out.append(d)
        return out

    def reintro(self, g: Goal, decls: Sequence[LocalDecl]) -> Goal:
        """Introduce one variable per declaration, under its old name."""
        for d in decls:
            t = self.target(g)
            if not isinstance(t, Pi):
                t = self.m.whnf(t)
                assert isinstance(t, Pi)
            x = self.m.fvar(d.name, t.ty, d.hygienic)
            new = self.new_goal(g.lctx.add(x), instantiate1(t.body, x.fvar), g.tag)
            self.m.set(g.mvar.id, Closure(((x.id, x.name, t.ty, "default"),), new.mvar))
            g = new
        return g


def _arity(t: Expr) -> int:
    n = 0
    while isinstance(t, Pi):
        t, n = t.body, n + 1
    return n


COMBINATORS = frozenset(
    "then_all bullet paren all_goals any_goals try repeat iterate first case fail_if_success".split()
)

STRUCTURAL = frozenset(("skip", "done"))


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
            from burnqed.minilean.kernel import InterruptError

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
