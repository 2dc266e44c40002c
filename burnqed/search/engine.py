"""One theorem's search.

Determinism: the record depends on the theorem, the seeds, the candidates and energies of each state
(which the back-ends make independent of what else is in a batch), and what the prover answers. It
does not depend on timing, on the number of workers or shards, on other theorems in flight, or on
resume. The two exceptions are real time-outs: a tactic that the prover gave up after its wall-clock
limit, and ``max_seconds`` of a theorem. Set them generously where exact repetition matters.

The candidates of a state are seeded by its text and by how often it was sampled before, never by the
order of expansion. So two orders, or two heads, see the same candidates at the same state, and a difference
between them is theirs alone; two models see the same random numbers.

Prefix property: with equal seeds, the rows of a search limited to b expansions are the rows with
``expansion <= b`` of any longer search. So one search at the largest budget gives the results for
all smaller ones. It holds because nodes are popped one after the other (never more than the budget
leaves), results are recorded in that order, and a proof ends the record with its own expansion (or ``past_proof``
expansions later).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from burnqed.records.theorems import Theorem
from burnqed.records.trajectories import SCHEMA, TheoremResult
from burnqed.search.frontier import Frontier
from burnqed.search.moves import Move, execute, plan_moves
from burnqed.search.plan import (
    Candidate,
    Continuation,
    Generator,
    HistoryScorer,
    ProofGenerator,
    Scorer,
    SearchPlan,
    Session,
    StepResult,
    storable,
)
from burnqed.search.tree import Node, StateGraph, canonical, path_to
from burnqed.seeds import derive_seed

MAX_MESSAGE = 1000  # characters of a prover message that are kept
UNLIKELY = -20.0  # log-probability of a probe tactic where the policy gave no candidate


@dataclass
class SearchRecord:
    """A finished search: its result, its rows by column, and where the time went (seconds)."""

    result: TheoremResult
    columns: dict[str, list[Any]]
    times: dict[str, Any]


@dataclass
class _Clock:
    """Seconds spent waiting for each part."""

    start: float = field(default_factory=time.perf_counter)
    policy: float = 0.0
    lean: float = 0.0
    value: float = 0.0

    def seconds(self) -> float:
        return time.perf_counter() - self.start


class TheoremSearch:
    """Best-first search for a proof of one theorem; use once."""

    def __init__(
        self,
        theorem: Theorem,
        attempt: int,
        session: Session,
        generator: Generator,
        scorer: Scorer | None,
        plan: SearchPlan,
    ) -> None:
        plan.check_policy(generator)
        self.plan, self.theorem, self.attempt = plan, theorem, attempt
        self.session, self.generator, self.scorer = session, generator, scorer
        self.goal = canonical(storable(session.root_text))
        self.graph = StateGraph(self.goal, session.root, plan.ranking.length_alpha)
        self.frontier = Frontier(plan.ranking)
        self.frontier.push(self.graph.root)
        self.columns: dict[str, list[Any]] = {name: [] for name in SCHEMA.names}
        self.elapsed_ms: list[float] = []
        self.expansions = 0
        self.proof: tuple[Node, int] | None = None  # parent state, number of the closing row
        self.proof_expansion = 0  # that found it
        self.too_deep = 0  # states that were left out for their depth
        self.clock = _Clock()

    @property
    def tactics(self) -> int:
        """Tactics tried so far: the number of rows."""
        return len(self.elapsed_ms)

    async def run(self) -> SearchRecord:
        """Search until a proof is found (and the expansions past it are used), a limit is crossed or no state is left."""
        while not (stop := self._limit()):
            room = self._last_expansion() - self.expansions
            nodes = self.frontier.pop(min(self.plan.batch_expansions, room))
            if not nodes:
                stop = "proved" if self.proof is not None else "depth" if self.too_deep else "exhausted"
                break
            await self._expand(nodes)
        if self.proof is not None:
            self._mark_proof(*self.proof)
        return self._record(stop)

    def _last_expansion(self) -> int:
        """Return the number of expansions at which the search ends."""
        if self.proof is None:
            return self.plan.expansions
        return min(self.plan.expansions, self.proof_expansion + self.plan.past_proof)

    def _limit(self) -> str:
        """Return why the search is over, empty while it is not. A proof counts also beyond a limit."""
        stop = ""
        if self.expansions >= self._last_expansion():
            stop = "expansions"
        elif self.tactics >= self.plan.max_tactics:
            stop = "tactics"
        elif self.clock.seconds() >= self.plan.max_seconds:
            stop = "seconds"
        return "proved" if stop and self.proof is not None else stop

    def _seed(self, node: Node) -> int:
        return self.plan.candidate_seed(self.theorem.name, self.attempt, node.text, max(node.pops, 1))

    async def _expand(self, nodes: list[Node]) -> None:
        """Expand some nodes and queue the new ones."""
        moves, fresh = await self._explore(nodes, self.plan.probe_tactics)
        waiting = [*fresh, *(node for node in nodes if node.pops <= self.plan.resample)]
        if self.expansions < self._last_expansion():
            for node in waiting:
                self.frontier.push(node)
        self._forget(nodes, moves, {node.state for node in waiting})

    async def _explore(self, nodes: list[Node], probes: Sequence[str]) -> tuple[list[list[Move]], list[Node]]:
        """Try tactics at some nodes and record them: one policy call, their tactics, one scorer call.

        Returns the moves of each node and the new nodes.
        """
        seeds = [self._seed(node) for node in nodes]
        before = time.perf_counter()
        candidates, continuations = await self._ask_policy([node.text for node in nodes], seeds)
        self.clock.policy += time.perf_counter() - before
        moves = [plan_moves(*item, probes) for item in zip(nodes, candidates, continuations, strict=True)]
        before = time.perf_counter()
        proved = await execute(self.session, nodes, moves, to_the_end=self.plan.past_proof > 0)
        self.clock.lean += time.perf_counter() - before
        count = len(nodes) if proved is None or self.plan.past_proof else proved + 1
        fresh: list[Node] = []
        for position, (node, seed) in enumerate(zip(nodes[:count], seeds[:count], strict=True)):
            if position and self.tactics >= self.plan.max_tactics:
                break
            self.expansions += 1
            self._note(node, moves[position], seed, fresh)
        await self._score(fresh)
        return moves, fresh

    def _forget(self, nodes: list[Node], moves: list[list[Move]], kept: set[int | None]) -> None:
        """Drop the states of explored nodes, and of those that their moves made, but for some."""
        made = [move.result.state for group in moves for move in group if move.result is not None]
        self._drop(state for state in (*made, *(node.state for node in nodes)) if state not in kept)
        for node in nodes:
            if node.state not in kept:
                node.state = None

    async def _ask_policy(
        self, states: list[str], seeds: list[int]
    ) -> tuple[Sequence[Sequence[Candidate]], Sequence[Sequence[Continuation]]]:
        """Return for each state single tactics and whole continuations, as many of each as planned."""
        plan = self.plan
        candidates: Sequence[Sequence[Candidate]] = [[] for _ in states]
        continuations: Sequence[Sequence[Continuation]] = [[] for _ in states]
        calls: list[Awaitable[None]] = []

        async def tactics() -> None:
            nonlocal candidates
            candidates = await self.generator.generate(
                states, plan.candidates - plan.continuations, plan.temperature, seeds
            )

        async def proofs() -> None:
            nonlocal continuations
            own = [derive_seed(seed, "continuation") for seed in seeds]
            policy = cast(ProofGenerator, self.generator)
            continuations = await policy.continue_proofs(states, plan.continuations, plan.temperature, own)

        if plan.continuations < plan.candidates:
            calls.append(tactics())
        if plan.continuations:
            calls.append(proofs())
        await asyncio.gather(*calls)
        return candidates, continuations

    def _note(self, expanded: Node, moves: list[Move], seed: int, fresh: list[Node]) -> None:
        """Record an expansion's results in order; add its new nodes to ``fresh``.

        A probe ranks with the least likely tactic of the policy here: it must not outrank them.
        """
        expanded.expanded = True
        sampled = [m.logprob for m in moves if m.parent is None and m.logprob is not None]
        lowest = min(sampled, default=UNLIKELY)
        for move in moves:
            node = expanded if move.parent is None else move.parent.reached
            result = move.result
            if node is None or result is None:  # a step before it led nowhere
                continue
            if node.tried and move.tactic in node.tried:
                move.reached = node.tried[move.tactic]
                continue
            total = round(node.cumulative_logprob + (lowest if move.logprob is None else move.logprob), 6)
            outcome, text, energy = str(result.outcome), None, None
            if outcome == "ok":
                assert result.state is not None
                text = canonical(storable(result.text))
                known = self.graph.get(text)
                if known is not None:
                    outcome, energy, move.reached = "duplicate", known.energy, known
                    if self.graph.reach_again(known, total, node.depth + 1) and known not in fresh and not known.pops:
                        self.frontier.push(known)
                elif node.depth + 1 >= self.plan.max_depth:
                    self.too_deep += 1  # a shorter path may find it yet
                else:
                    move.reached = self.graph.add(node, move.tactic, total, text, result.state, self.tactics)
                    move.reached.energy = move.energy
                    fresh.append(move.reached)
            move.row = self.tactics
            if outcome == "proved" and self.proof is None:
                self.proof, self.proof_expansion = (node, self.tactics), self.expansions
            if self.plan.continuations or self.plan.resample:
                node.tried = node.tried or {}
                node.tried[move.tactic] = move.reached
            self._row(node, move, outcome, text, total, energy, seed, result)

    def _row(
        self,
        node: Node,
        move: Move,
        outcome: str,
        text: str | None,
        total: float,
        energy: float | None,
        seed: int,
        result: StepResult,
    ) -> None:
        add = self.columns
        add["iteration"].append(self.plan.iteration)
        add["kind"].append(self.plan.kind)
        add["theorem"].append(self.theorem.name)
        add["attempt"].append(self.attempt)
        add["step"].append(self.tactics)
        add["parent_step"].append(node.step)
        add["depth"].append(node.depth)
        add["state"].append(node.text)
        add["goal"].append(self.goal)
        add["tactic"].append(move.tactic)
        add["outcome"].append(outcome)
        add["next_state"].append(text)
        add["message"].append(canonical(storable(result.message))[:MAX_MESSAGE])
        add["logprob"].append(move.logprob)
        add["cumulative_logprob"].append(total)
        add["energy"].append(energy)
        add["on_proof_path"].append(False)
        add["remaining_steps"].append(None)
        add["expansion"].append(self.expansions)
        add["seed"].append(seed)
        self.elapsed_ms.append(round(result.elapsed_ms, 3))

    async def _score(self, fresh: list[Node]) -> None:
        """Give the new nodes their energies, in one call; the rows that lead to them get them too.

        Only where the order asks for them, which the log-probability does not, and they did not come with the tactics.
        """
        if self.scorer is None or not fresh or not self.plan.uses_value:
            return
        unknown = [node for node in fresh if node.energy is None]
        if unknown:
            before = time.perf_counter()
            states, goals = [node.text for node in unknown], [self.goal] * len(unknown)
            if getattr(self.scorer, "reads_history", False):
                histories = [tuple(one.tactic for one in path_to(node)[1:]) for node in unknown]
                energies = await cast(HistoryScorer, self.scorer).score_after(states, goals, histories)
            else:
                energies = await self.scorer.score(states, goals)
            self.clock.value += time.perf_counter() - before
            for node, energy in zip(unknown, energies, strict=True):
                node.energy = energy
        first = min(node.step for node in fresh)
        found = {node.text: node.energy for node in fresh}
        for row in range(first, self.tactics):
            text = self.columns["next_state"][row]
            if text in found:
                self.columns["energy"][row] = found[text]

    def _drop(self, states: Iterable[int | None]) -> None:
        """Let the prover forget states; the root stays, as it was not made by a tactic."""
        gone = {state for state in states if state is not None and state != self.session.root}
        if gone:
            self.session.drop(gone)

    def _mark_proof(self, parent: Node, closing_row: int) -> None:
        rows = [node.step for node in path_to(parent)[1:]] + [closing_row]
        for number, row in enumerate(rows):
            self.columns["on_proof_path"][row] = True
            self.columns["remaining_steps"][row] = len(rows) - number

    def _record(self, stop: str) -> SearchRecord:
        proof: list[str] = []
        if self.proof is not None:
            parent, row = self.proof
            proof = [node.tactic for node in path_to(parent)[1:]] + [self.columns["tactic"][row]]
        plan, clock = self.plan, self.clock
        result = TheoremResult(
            theorem=self.theorem.name,
            attempt=self.attempt,
            proved=bool(proof),
            proof=proof,
            expansions=self.expansions,
            tactics=self.tactics,
            nodes=self.proof_expansion or self.expansions,
            depth=len(proof) or self.graph.depth,
            stop_reason=stop,
            message="",
            seed=self._seed(self.graph.root),
            kind=plan.kind,
            iteration=plan.iteration,
        )
        times = {
            "theorem": self.theorem.name,
            "kind": plan.kind,
            "attempt": self.attempt,
            "seconds": round(clock.seconds(), 6),
            "policy_seconds": round(clock.policy, 6),
            "lean_seconds": round(clock.lean, 6),
            "value_seconds": round(clock.value, 6),
            "elapsed_ms": self.elapsed_ms,
        }
        return SearchRecord(result, self.columns, times)


def failed_start(theorem: Theorem, attempt: int, plan: SearchPlan, message: str) -> SearchRecord:
    """Return the record of a theorem that the prover could not start."""
    seed = plan.candidate_seed(theorem.name, attempt, "", 0)
    result = TheoremResult(
        theorem.name,
        attempt,
        False,
        [],
        0,
        0,
        0,
        0,
        "start_failed",
        storable(message)[:MAX_MESSAGE],
        seed,
        plan.kind,
        plan.iteration,
    )
    times: dict[str, Any] = {"theorem": theorem.name, "kind": plan.kind, "attempt": attempt}
    times |= {"seconds": 0.0, "policy_seconds": 0.0, "lean_seconds": 0.0, "value_seconds": 0.0, "elapsed_ms": []}
    return SearchRecord(result, {name: [] for name in SCHEMA.names}, times)
