"""Searching a recorded tree again in another order, without policy and prover.

The candidates of a state do not depend on when it is expanded, so a tree that was explored far enough answers what
any order of expansion would have found. The search itself is the live one (`TheoremSearch`): only policy and prover
are replaced by their recorded answers, so a replay in the recorded order is the recorded search.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from burnqed.records.theorems import Theorem
from burnqed.records.trajectories import TheoremResult, iter_rows, read_results
from burnqed.search.engine import TheoremSearch
from burnqed.search.plan import Scorer, SearchPlan

COLUMNS = ("theorem", "kind", "attempt", "state", "goal", "tactic", "outcome", "next_state", "message", "logprob")


class NotRecorded(Exception):
    """The search wants to expand a state that the recorded tree did not."""


@dataclass(frozen=True)
class Answer:
    """A recorded answer of the prover, as a search session gives it."""

    outcome: str
    state: int | None
    text: str
    message: str
    elapsed_ms: float = 0.0


@dataclass(frozen=True)
class RecordedTactic:
    """A recorded candidate with what it did; ``energy`` is that of a value that reads samples."""

    tactic: str
    logprob: float
    outcome: str
    next_state: str | None
    message: str
    energy: float | None = None


@dataclass
class RecordedTree:
    """One recorded search: its root, and the tactics tried at each expanded state, in order."""

    theorem: str
    attempt: int
    root: str
    result: TheoremResult
    tactics: dict[str, list[RecordedTactic]] = field(default_factory=dict)

    def shortest_proof(self) -> int | None:
        """Return the fewest expansions that reach a proof, None without one: what the best of all orders needs."""
        depth = {self.root: 1}
        queue = deque([self.root])
        while queue:
            state = queue.popleft()
            for tried in self.tactics.get(state, ()):
                if tried.outcome == "proved":
                    return depth[state]
                if tried.next_state is not None and tried.next_state not in depth:
                    depth[tried.next_state] = depth[state] + 1
                    queue.append(tried.next_state)
        return None

    def states(self) -> list[str]:
        """Return all states of the tree but the root, in order of discovery."""
        found = {t.next_state: None for group in self.tactics.values() for t in group if t.next_state is not None}
        found.pop(self.root, None)
        return list(found)


def read_recorded(path: Path) -> list[RecordedTree]:
    """Read the trees of a trajectory file, ordered by theorem and attempt. Raises UserError for a damaged file."""
    results = {result.key: result for result in read_results(path)}
    trees: dict[tuple[str, str, int], RecordedTree] = {}
    for row in iter_rows(path, COLUMNS):
        key = row["theorem"], row["kind"], row["attempt"]
        tree = trees.get(key)
        if tree is None:
            tree = trees[key] = RecordedTree(row["theorem"], row["attempt"], row["goal"], results[key])
        tried = RecordedTactic(row["tactic"], row["logprob"] or 0.0, row["outcome"], row["next_state"], row["message"])
        tree.tactics.setdefault(row["state"], []).append(tried)
    for key, result in results.items():  # a search that tried nothing has no row: its root had no candidate
        trees.setdefault(key, RecordedTree(result.theorem, result.attempt, "", result, {"": []}))
    return [trees[key] for key in sorted(trees)]


class _Session:
    """The prover's side of a replay: states are numbered as they are made."""

    def __init__(self, tree: RecordedTree) -> None:
        self.root, self.root_text = 0, tree.root
        self._texts = [tree.root]
        self._answers = {state: {tried.tactic: tried for tried in group} for state, group in tree.tactics.items()}

    async def apply_many(self, state: int, tactics: Sequence[str]) -> list[Answer]:
        return [self._apply(state, tactic) for tactic in tactics]

    def _apply(self, state: int, tactic: str) -> Answer:
        tried = self._answers[self._texts[state]][tactic]
        if tried.outcome == "proved":
            return Answer("proved", None, "", tried.message)
        if tried.next_state is None:
            return Answer(tried.outcome, None, "", tried.message)
        self._texts.append(tried.next_state)
        return Answer("ok", len(self._texts) - 1, tried.next_state, tried.message)

    def drop(self, states: Iterable[int]) -> None:
        """Nothing is held."""


class _Policy:
    """The policy's side of a replay."""

    def __init__(self, tree: RecordedTree) -> None:
        self._tree = tree

    async def generate(
        self, states: Sequence[str], n: int, temperature: float, seeds: Sequence[int]
    ) -> list[list[RecordedTactic]]:
        unknown = [state for state in states if state not in self._tree.tactics]
        if unknown:
            raise NotRecorded(unknown[0])
        return [self._tree.tactics[state] for state in states]


@dataclass(frozen=True)
class Replay:
    """What an order of expansion found on a recorded tree, and what it would have asked for.

    ``proof``: empty when it found none; ``nodes``: expansions until the proof, else all; ``tactics`` tried and
    ``scored`` states until then. ``complete``: the tree reached far enough; else the search ended where it did not.
    """

    theorem: str
    proof: tuple[str, ...]
    nodes: int
    tactics: int
    scored: tuple[str, ...]
    complete: bool

    def solves(self, nodes: int) -> bool:
        """Return whether the order has a proof within so many expansions."""
        return bool(self.proof) and self.nodes <= nodes


def replay_all(trees: Iterable[RecordedTree], plan: SearchPlan, scorers: Iterable[Scorer | None]) -> list[Replay]:
    """Search recorded trees again by a plan, each with its scorer; of the plan the order, budget and depth count."""

    async def run() -> list[Replay]:
        return [await _replayed(tree, plan, scorer) for tree, scorer in zip(trees, scorers, strict=True)]

    return asyncio.run(run())


async def _replayed(tree: RecordedTree, plan: SearchPlan, scorer: Scorer | None) -> Replay:
    search = _search(tree, plan, scorer)
    proof: Sequence[str] = ()
    nodes, complete = 0, True
    try:
        result = (await search.run()).result
        proof, nodes = result.proof, result.nodes
    except NotRecorded:
        nodes, complete = search.expansions, False
    scored = search.graph.texts()[1:] if scorer is not None and plan.uses_value else ()
    return Replay(tree.theorem, tuple(proof), nodes, search.tactics, tuple(scored), complete)


def _search(tree: RecordedTree, plan: SearchPlan, scorer: Scorer | None) -> TheoremSearch:
    return TheoremSearch(Theorem(tree.theorem, ""), tree.attempt, _Session(tree), _Policy(tree), scorer, plan)


def replay(tree: RecordedTree, plan: SearchPlan, scorer: Scorer | None = None) -> TheoremResult | None:
    """Return the result of searching a recorded tree by a plan, None when the tree does not reach far enough.

    Of the plan the order, the budget and the depth count; candidates are those that were recorded.
    """
    try:
        return asyncio.run(_search(tree, plan, scorer).run()).result
    except NotRecorded:
        return None
