"""The prover's API: immutable numbered states, steps checked by the kernel when a proof closes."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from burnqed.minilean import (  # noqa: F401  they register their tactics
    tactic_basic,
    tactic_calc,
    tactic_cases,
    tactic_close,
    tactic_context,
    tactic_control,
    tactic_conv,
    tactic_ext,
    tactic_match,
    tactic_rcases,
    tactic_rw,
    tactic_simp,
    tactic_split,
    tactic_subst,
)
from burnqed.minilean.budget import MAX_HEARTBEATS, Budget, HeartbeatError
from burnqed.minilean.context import EMPTY, SYNTHETIC, Goal, TacticError
from burnqed.minilean.cursor import Term
from burnqed.minilean.elab import Elab
from burnqed.minilean.environment import FileEnv, Library
from burnqed.minilean.expr import HAS_SORRY, Cert, Expr, MVar
from burnqed.minilean.kernel import Kernel
from burnqed.minilean.kernel_reduce import KernelError
from burnqed.minilean.lexer import ParseError
from burnqed.minilean.meta import Meta
from burnqed.minilean.printer import state_text
from burnqed.minilean.runner import Runner
from burnqed.minilean.tactic_block import Tac
from burnqed.minilean.tactic_core import Trace
from burnqed.minilean.tactic_syntax import parse_tactics, parse_term
from burnqed.minilean.traverse import consts, subterms

sys.setrecursionlimit(max(sys.getrecursionlimit(), 12_000))
sys.set_int_max_str_digits(max(sys.get_int_max_str_digits(), 40_000))  # literals are bounded in bits

_library: Library | None = None


def library() -> Library:
    """The shared core library."""
    global _library
    if _library is None:
        _library = Library()
    return _library


class State:
    """A proof state. Never changed after it was made; steps copy its metavariables.

    `sorry`: whether the step that made it used `sorry`; `proof`: the checked term, once no goal is
    left; `dormant`: goals a manual-mode step left aside.
    """

    __slots__ = ("meta", "goals", "root", "statement", "sorry", "proof", "parents", "dormant")

    def __init__(self, meta: Meta, goals: list[Goal], root: MVar, statement: Expr) -> None:
        self.meta, self.goals, self.root, self.statement = meta, goals, root, statement
        self.sorry = False
        self.proof: Expr | None = None
        self.parents: tuple[MVar, ...] = ()
        self.dormant: tuple[Goal, ...] = ()

    def text(self) -> str:
        """Lean's own pretty print of all goals; empty when the proof is complete."""
        return state_text(self.meta, self.goals)


class Engine:
    """Starts and steps proofs over one environment."""

    def __init__(self, env: FileEnv | None = None, opens: Sequence[str] = ()) -> None:
        self.env = env if env is not None else FileEnv(library())
        self.opens = tuple(opens)
        self.timeout: float | None = None  # seconds per request
        self.heartbeats = MAX_HEARTBEATS

    def budget(self) -> Budget:
        return Budget(self.heartbeats, self.timeout)

    def statement(self, text: str) -> Expr:
        """Elaborate a proposition. Raises `ParseError` or `TacticError`."""
        return self.type(parse_term(text))

    def type(self, term: Term) -> Expr:
        meta = Meta(self.env, self.budget())
        e = Elab(meta, opens=self.opens).type(term, EMPTY)
        if e.fl & 2:
            raise TacticError("don't know how to synthesize placeholder")
        return e

    def start(self, statement: str | Expr) -> State:
        """The state whose only goal is `statement`."""
        e = self.statement(statement) if isinstance(statement, str) else statement
        meta = Meta(self.env, self.budget())
        m = meta.mvar(EMPTY, e, "", SYNTHETIC)
        return State(meta, [meta.goals[m.id]], m, e)

    def step(self, state: State, tactic: str, goal: int | None = None, manual: bool = False) -> State:
        """Run a tactic text; the first goal (or `goal`) is the main one.

        Raises `ParseError`, `TacticError` (also for a refusal of the kernel), `HeartbeatError` or
        `InterruptError`; `state` is unchanged then, as always.
        """
        return self.run(state, parse_tactics(tactic), goal, manual=manual)

    def run(
        self,
        state: State,
        tacs: Sequence[Tac],
        goal: int | None = None,
        trace: Trace | None = None,
        manual: bool = False,
    ) -> State:
        """Like `step`, on parsed tactics. A `manual` step leaves the other goals dormant."""
        meta = state.meta.copy(self.budget())
        goals = list(state.goals)
        if goal:
            goals.insert(0, goals.pop(goal))
        dormant = state.dormant
        if manual:
            dormant = (*goals[1:], *dormant)
            goals = goals[:1]
        runner = Runner(meta, goals, self.opens, trace)
        try:
            runner.seq(tacs)
            runner.prune()
        except TacticError as e:
            if runner.failed_at is not None:
                e.tac = runner.failed_at  # type: ignore[attr-defined]
            raise
        except RecursionError:
            raise TacticError("maximum recursion depth has been reached") from None
        return self.finish(state, meta, runner.goals, dormant)

    def finish(self, state: State, meta: Meta, goals: list[Goal], dormant: Sequence[Goal] = ()) -> State:
        """The state after a step; the kernel checks the whole proof when no goal is left."""
        new = State(meta, goals, state.root, state.statement)
        new.dormant = tuple(g for g in dormant if g.mvar.id not in meta.assign)
        new.parents = tuple(g.mvar for g in state.goals if g.mvar.id in meta.assign)
        made = [v for i, v in meta.assign.items() if state.meta.assign.get(i) is not v]
        new.sorry = any(v.fl & HAS_SORRY for v in made)
        if not goals and not new.dormant:
            proof = meta.inst(state.root)
            check_proof(self.env, proof, state.statement, meta.budget)
            new.proof = proof
            new.sorry = rests_on_sorry(meta, proof)
        return new


def rests_on_sorry(meta: Meta, proof: Expr) -> bool:
    """Whether a proof, or a step on the way to it that reduction has since removed, used `sorry`."""
    return bool(proof.fl & HAS_SORRY) or any(v.fl & HAS_SORRY for v in meta.assign.values())


def check_proof(env: FileEnv, proof: Expr, statement: Expr, budget: Budget) -> None:
    """The kernel's verdict on a complete proof. Raises `TacticError` on a refusal."""
    fresh = Budget(MAX_HEARTBEATS)
    fresh.deadline = budget.deadline
    try:
        Kernel(env, fresh).check(proof, statement)
    except KernelError as e:
        raise TacticError(f"(kernel) {e}") from None


def axioms_of(env: FileEnv, proof: Expr) -> set[str]:
    """The axioms a checked proof rests on, under Lean's names."""
    out: set[str] = set()
    for name in consts(proof):
        decl = env.get(name)
        if decl is not None:
            out |= decl.axioms
    if any(isinstance(x, Cert) and x.kind == "omega" for x in subterms(proof)):
        out.add("propext")
    return out


__all__ = ["Engine", "HeartbeatError", "ParseError", "State", "TacticError", "axioms_of", "check_proof", "library"]
