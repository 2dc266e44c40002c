"""One theorem's search.

Determinism: the record depends on the theorem, the seeds, the candidates and energies of each state
(which the back-ends make independent of what else is in a batch), and what the prover answers. It
does not depend on timing, on the number of workers or shards, on other theorems in flight, or on
resume. The two exceptions are real time-outs: a tactic that the prover gave up after its wall-clock
limit, and ``max_seconds`` of a theorem. Set them generously where exact repetition matters.

Prefix property: with equal seeds, the rows of a search limited to b expansions are the rows with
``expansion <= b`` of any longer search. So one search at the largest budget gives the results for
all smaller ones. It holds because nodes are popped one after the other (never more than the budget
leaves), results are recorded in that order, and a proof ends the record with its own expansion.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from burnqed.artifacts import UserError
from burnqed.config import SearchSettings
from burnqed.data.theorems import Theorem
from burnqed.search.frontier import Frontier, Ranking
from burnqed.search.trajectories import SCHEMA, TheoremResult
from burnqed.search.tree import Node, StateGraph, canonical, path_to

MAX_MESSAGE = 1000  # characters of a prover message that are kept
IN_FLIGHT = 8  # tactics of one theorem handed to the prover at once
UNLIKELY = -20.0  # log-probability of a probe tactic where the policy gave no candidate


def derive_seed(*parts: object) -> int:
    """Return a seed (63 bits) that depends on all parts: the head of the SHA-256 of their texts."""
    text = "\x1f".join(str(part) for part in parts)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def storable(text: str) -> str:
    """Return the text with what UTF-8 cannot hold (lone surrogates) replaced."""
    return text.encode("utf-8", "replace").decode("utf-8")


class Candidate(Protocol):
    """A proposed tactic."""

    @property
    def tactic(self) -> str: ...
    @property
    def logprob(self) -> float: ...


class Generator(Protocol):
    """The policy, as the search uses it."""

    async def generate(
        self, states: Sequence[str], n: int, temperature: float, seeds: Sequence[int]
    ) -> Sequence[Sequence[Candidate]]: ...


class Scorer(Protocol):
    """The value, as the search uses it: low energy = provable."""

    async def score(self, states: Sequence[str], goals: Sequence[str]) -> Sequence[float]: ...


class StepResult(Protocol):
    """The prover's answer to one tactic; ``outcome`` is ok, proved, error, timeout or crash."""

    @property
    def outcome(self) -> str: ...
    @property
    def state(self) -> int | None: ...
    @property
    def text(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def elapsed_ms(self) -> float: ...


class Session(Protocol):
    """One theorem opened in the prover."""

    @property
    def root(self) -> int: ...
    @property
    def root_text(self) -> str: ...
    async def apply(self, state: int, tactic: str) -> StepResult: ...
    def drop(self, states: Iterable[int]) -> None: ...


@dataclass(frozen=True)
class SearchPlan:
    """What all searches of a run have in common; ``candidates`` are sampled per expansion."""

    kind: str
    iteration: int
    seed: int
    expansions: int
    candidates: int
    temperature: float
    ranking: Ranking
    max_depth: int = 50
    max_tactics: int = 20_000
    max_seconds: float = 1800.0
    batch_expansions: int = 4
    probe_tactics: tuple[str, ...] = ()

    @classmethod
    def from_settings(
        cls,
        settings: SearchSettings,
        *,
        kind: str,
        iteration: int,
        seed: int,
        with_head: bool,
        budget: int | None = None,
    ) -> SearchPlan:
        """Return the plan for the settings; raise UserError when a setting is not supported.

        Without a head the priority is the log-probability, whatever the settings say.
        """
        if settings.mode != "tactic":
            raise UserError(
                f"search.mode: '{settings.mode}' is not supported by this version; set search.mode to 'tactic'"
            )
        temperature = settings.temperature_with_head if with_head else settings.temperature
        return cls(
            kind=kind,
            iteration=iteration,
            seed=seed,
            expansions=settings.expansions if budget is None else budget,
            candidates=settings.candidates_with_head if with_head else settings.candidates,
            temperature=settings.noisy_temperature if kind == "noisy" else temperature,
            ranking=Ranking(
                settings.priority if with_head else "logprob",
                settings.length_alpha,
                settings.logprob_weight,
                settings.energy_weight,
            ),
            max_depth=settings.max_depth,
            max_tactics=settings.max_tactics,
            max_seconds=settings.max_seconds,
            batch_expansions=settings.batch_expansions,
            probe_tactics=tuple(settings.probe_tactics),
        )


@dataclass
class SearchRecord:
    """A finished search: its result, its rows by column, and where the time went (seconds)."""

    result: TheoremResult
    columns: dict[str, list[Any]]
    times: dict[str, Any]


@dataclass
class _Move:
    """A tactic to try; ``logprob`` None marks a probe."""

    position: int  # of the node in the batch
    node: Node
    tactic: str
    logprob: float | None
    cumulative_logprob: float
    result: StepResult | None = None


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
        self.plan, self.theorem, self.attempt = plan, theorem, attempt
        self.session, self.generator, self.scorer = session, generator, scorer
        self.goal = canonical(storable(session.root_text))
        self.graph = StateGraph(self.goal, session.root)
        self.frontier = Frontier(plan.ranking)
        self.frontier.push_root(self.graph.root)
        self.columns: dict[str, list[Any]] = {name: [] for name in SCHEMA.names}
        self.elapsed_ms: list[float] = []
        self.expansions = 0
        self.proof: tuple[Node, int] | None = None  # parent state, number of the closing row
        self.clock = _Clock()

    @property
    def tactics(self) -> int:
        """Tactics tried so far: the number of rows."""
        return len(self.elapsed_ms)

    async def run(self) -> SearchRecord:
        """Search until a proof is found, a limit is crossed or no state is left."""
        while not (stop := self._limit()):
            room = self.plan.expansions - self.expansions
            nodes = self.frontier.pop(min(self.plan.batch_expansions, room))
            if not nodes:
                stop = "exhausted"
                break
            await self._expand(nodes)
        if self.proof is not None:
            self._mark_proof(*self.proof)
        return self._record(stop)

    def _limit(self) -> str:
        """Return why the search is over, empty while it is not. A proof counts also beyond a limit."""
        if self.proof is not None:
            return "proved"
        if self.expansions >= self.plan.expansions:
            return "expansions"
        if self.tactics >= self.plan.max_tactics:
            return "tactics"
        if self.clock.seconds() >= self.plan.max_seconds:
            return "seconds"
        return ""

    def _seed(self, expansion: int) -> int:
        plan = self.plan
        return derive_seed(plan.seed, plan.iteration, plan.kind, self.theorem.name, self.attempt, expansion)

    async def _expand(self, nodes: list[Node]) -> None:
        """Expand some nodes: one policy call, their tactics, one scorer call."""
        seeds = [self._seed(self.expansions + 1 + position) for position in range(len(nodes))]
        before = time.perf_counter()
        proposals = await self.generator.generate(
            [node.text for node in nodes], self.plan.candidates, self.plan.temperature, seeds
        )
        self.clock.policy += time.perf_counter() - before
        moves: list[_Move] = []
        reached = len(nodes)
        for position, (node, candidates) in enumerate(zip(nodes, proposals, strict=True)):
            if position and self.tactics + len(moves) >= self.plan.max_tactics:
                reached = position  # the limit is crossed before this node's turn
                break
            moves += self._moves(position, node, candidates)
        before = time.perf_counter()
        proved = await self._execute(moves)
        self.clock.lean += time.perf_counter() - before
        if proved is not None:
            reached = proved + 1
        fresh = self._note(moves, reached, seeds)
        self.expansions += reached
        await self._score(fresh)
        if self.proof is None:
            for node in fresh:
                self.frontier.push(node)
        self._drop(node.state for node in nodes)
        for node in nodes:
            node.state = None

    def _moves(self, position: int, node: Node, candidates: Sequence[Candidate]) -> list[_Move]:
        """Return the different tactics to try on a node, the policy's first.

        A probe ranks with the least likely candidate there: it must not outrank the policy's own.
        """
        moves: dict[str, _Move] = {}
        lowest = min((c.logprob for c in candidates), default=UNLIKELY)
        for tactic, logprob in [(c.tactic, c.logprob) for c in candidates] + [
            (t, None) for t in self.plan.probe_tactics
        ]:
            if tactic not in moves and storable(tactic) == tactic:
                total = round(node.cumulative_logprob + (lowest if logprob is None else logprob), 6)
                moves[tactic] = _Move(position, node, tactic, logprob, total)
        return list(moves.values())

    async def _execute(self, moves: list[_Move]) -> int | None:
        """Try the tactics; return the position of the first node with a proof.

        Once a node has a proof, tactics of later nodes need not run: they are not recorded.
        """
        proved = len(moves)
        waiting = iter(moves)

        async def run() -> None:
            nonlocal proved
            for move in waiting:
                if move.position > proved:
                    return
                assert move.node.state is not None
                move.result = await self.session.apply(move.node.state, move.tactic)
                if move.result.outcome == "proved":
                    proved = min(proved, move.position)

        runners = [asyncio.ensure_future(run()) for _ in range(min(IN_FLIGHT, len(moves)))]
        try:
            await asyncio.gather(*runners)
        finally:
            for runner in runners:
                runner.cancel()
        return proved if any(m.result is not None and m.result.outcome == "proved" for m in moves) else None

    def _note(self, moves: list[_Move], reached: int, seeds: Sequence[int]) -> list[Node]:
        """Record the results in order; return the new nodes."""
        fresh: list[Node] = []
        dead: list[int | None] = []
        for move in moves:
            result = move.result
            if result is None or move.position >= reached:
                dead.append(None if result is None else result.state)
                continue
            outcome, text, energy = str(result.outcome), None, None
            if outcome == "ok":
                assert result.state is not None
                text = canonical(storable(result.text))
                known = self.graph.get(text)
                if known is not None:
                    outcome, energy = "duplicate", known.energy
                    dead.append(result.state)
                    likelier = self.graph.reach_again(known, move.cumulative_logprob)
                    if likelier and known not in fresh:
                        self.frontier.push(known)
                elif move.node.depth + 1 >= self.plan.max_depth:
                    dead.append(result.state)  # too deep to expand: not a node, so that a shorter path may find it
                else:
                    fresh.append(
                        self.graph.add(
                            move.node, move.tactic, move.cumulative_logprob, text, result.state, self.tactics
                        )
                    )
            elif outcome == "proved":
                dead.append(result.state)
                if self.proof is None:
                    self.proof = move.node, self.tactics
            self._row(move, outcome, text, energy, self.expansions + move.position + 1, seeds[move.position], result)
        self._drop(dead)
        return fresh

    def _row(
        self,
        move: _Move,
        outcome: str,
        text: str | None,
        energy: float | None,
        expansion: int,
        seed: int,
        result: StepResult,
    ) -> None:
        add = self.columns
        add["iteration"].append(self.plan.iteration)
        add["kind"].append(self.plan.kind)
        add["theorem"].append(self.theorem.name)
        add["attempt"].append(self.attempt)
        add["step"].append(self.tactics)
        add["parent_step"].append(move.node.step)
        add["depth"].append(move.node.depth)
        add["state"].append(move.node.text)
        add["goal"].append(self.goal)
        add["tactic"].append(move.tactic)
        add["outcome"].append(outcome)
        add["next_state"].append(text)
        add["message"].append(canonical(storable(result.message))[:MAX_MESSAGE])
        add["logprob"].append(move.logprob)
        add["cumulative_logprob"].append(move.cumulative_logprob)
        add["energy"].append(energy)
        add["on_proof_path"].append(False)
        add["remaining_steps"].append(None)
        add["expansion"].append(expansion)
        add["seed"].append(seed)
        self.elapsed_ms.append(round(result.elapsed_ms, 3))

    async def _score(self, fresh: list[Node]) -> None:
        """Give the new nodes their energies, in one call; the rows that lead to them get them too."""
        if self.scorer is None or not fresh:
            return
        before = time.perf_counter()
        energies = await self.scorer.score([node.text for node in fresh], [self.goal] * len(fresh))
        self.clock.value += time.perf_counter() - before
        first = min(node.step for node in fresh)
        found: dict[str, float] = {}
        for node, energy in zip(fresh, energies, strict=True):
            node.energy = found[node.text] = energy
        for row in range(first, self.tactics):
            text = self.columns["next_state"][row]
            if text in found:
                self.columns["energy"][row] = found[text]

    def _drop(self, states: Iterable[int | None]) -> None:
        """Let the prover forget states; the root stays, as it was not made by a tactic."""
        gone = [state for state in states if state is not None and state != self.session.root]
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
            nodes=self.expansions,
            depth=len(proof) or self.graph.depth,
            stop_reason=stop,
            message="",
            seed=self._seed(0),
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
    seed = derive_seed(plan.seed, plan.iteration, plan.kind, theorem.name, attempt, 0)
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
