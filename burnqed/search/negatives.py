"""Kind negatives: other tactics along a known proof, for the value's contrast.

A search that finds a proof early has tried little beside it. Here the proof is played again, and at
each of its states the policy's candidates and probe tactics are tried too. What they lead to are
siblings of states that are known to be provable: rows off the proof path. A tactic that closes the
goal in another way is recorded as ``proved``, so it is never taken for a negative.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from burnqed.records.theorems import Theorem
from burnqed.records.trajectories import read_results
from burnqed.search.engine import MAX_MESSAGE, SearchRecord, TheoremSearch
from burnqed.search.moves import Move
from burnqed.search.plan import Generator, Scorer, SearchPlan, Session, storable
from burnqed.search.tree import Node


def known_proofs(path: Path, theorems: Sequence[Theorem]) -> dict[tuple[str, int], list[str]]:
    """Return the proofs in a trajectory file by theorem and attempt, for the theorems given."""
    names = {theorem.name for theorem in theorems}
    results = [result for result in read_results(path) if result.proved and result.theorem in names]
    return {(result.theorem, result.attempt): result.proof for result in results}


class PathSearch(TheoremSearch):
    """A walk along a known proof that tries other tactics at each of its states; use once.

    Each state of the path is one expansion. The result is ``proved`` again, or ``replay_failed`` when
    a tactic of the proof does not do any more what it did.
    """

    def __init__(
        self,
        theorem: Theorem,
        attempt: int,
        session: Session,
        generator: Generator,
        scorer: Scorer | None,
        plan: SearchPlan,
        path: Sequence[str],
    ) -> None:
        super().__init__(theorem, attempt, session, generator, scorer, plan)
        self.path = path

    async def run(self) -> SearchRecord:
        """Walk the path and return the record."""
        node: Node | None = self.graph.root
        message = "the proof ended before the goal was closed"
        for tactic in self.path:
            assert node is not None
            (moves,), _ = await self._explore([node], [tactic, *self.plan.probe_tactics])
            self.proof, self.proof_expansion = None, 0  # closing a goal beside the path does not end the walk
            move = next(move for move in moves if move.tactic == tactic)
            assert move.result is not None
            kept = move.result.state if move.reached is not None else None
            self._forget([node], [moves], {kept})
            if move.result.outcome == "proved":
                self.proof, self.proof_expansion = (node, move.row), self.expansions
                break
            node = self._next(move, kept)
            if node is None:
                message = f"{tactic}: {move.result.outcome} {move.result.message}".strip()
                break
        if self.proof is None:
            record = self._record("replay_failed")
            return replace(record, result=replace(record.result, message=storable(message)[:MAX_MESSAGE]))
        self._mark_proof(*self.proof)
        return self._record("proved")

    def _next(self, move: Move, state: int | None) -> Node | None:
        """Return the state a tactic led to, ready for the next tactic, None when it led nowhere.

        Another tactic may have led to it before: then only this copy of it is still in the prover.
        """
        if move.reached is None or move.reached.expanded:
            return None
        move.reached.state = state
        return move.reached
