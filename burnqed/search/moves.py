"""The tactics to try in one round, and trying them.

Whole-proof continuations of one state share their beginnings, so the tactics to try form a tree (a
trie): each tactic is run once on the state that its predecessors led to.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from burnqed.search.plan import Candidate, Continuation, Session, StepResult, storable
from burnqed.search.tree import Node

IN_FLIGHT = 8  # tactics of one theorem handed to the prover at once


@dataclass(eq=False, slots=True)
class Move:
    """A tactic to try; ``logprob`` None marks a probe.

    ``parent`` is the move whose result it is tried on, None for the expanded state itself.
    ``reached`` is the live state it led to, and ``row`` the number of its row, once it is recorded.
    """

    tactic: str
    logprob: float | None
    parent: Move | None = None
    children: dict[str, Move] = field(default_factory=dict)
    result: StepResult | None = None
    reached: Node | None = None
    row: int = -1


def plan_moves(
    node: Node, candidates: Sequence[Candidate], continuations: Sequence[Continuation], probes: Iterable[str]
) -> list[Move]:
    """Return the different moves to try from a state, each after its parent: policy first, then probes.

    Text that cannot be stored is left out, with what follows it; so is a tactic tried here before.
    """
    roots: dict[str, Move] = {}
    chains: list[Sequence[tuple[str, float | None]]] = [[(c.tactic, c.logprob)] for c in candidates]
    chains += [list(c.steps) for c in continuations]
    chains += [[(tactic, None)] for tactic in probes]
    for chain in chains:
        level, parent = roots, None
        for tactic, logprob in chain:
            if storable(tactic) != tactic:
                break
            parent = level.setdefault(tactic, Move(tactic, logprob, parent))
            level = parent.children

    tried = node.tried or {}

    def walk(level: Iterable[Move]) -> Iterator[Move]:
        stack = list(level)[::-1]
        while stack:
            move = stack.pop()
            yield move
            stack.extend(list(move.children.values())[::-1])

    return list(walk(move for move in roots.values() if move.children or move.tactic not in tried))


async def execute(session: Session, nodes: Sequence[Node], moves: Sequence[Sequence[Move]]) -> int | None:
    """Try the moves of each node; return the position of the first node with a proof.

    Once a node has a proof, moves of later nodes need not run: they are not recorded. What runs is
    a matter of timing; what is recorded is not.
    """
    proved = len(nodes)
    first = [(position, move) for position, group in enumerate(moves) for move in group if move.parent is None]
    roots = iter(first)

    async def run() -> None:
        nonlocal proved
        for position, root in roots:
            waiting = [root]
            while waiting and position <= proved:
                move = waiting.pop()
                state = nodes[position].state if move.parent is None else _state(move.parent)
                assert state is not None
                move.result = await session.apply(state, move.tactic)
                if move.result.outcome == "proved":
                    proved = min(proved, position)
                elif move.result.outcome == "ok":
                    waiting.extend(list(move.children.values())[::-1])

    runners = [asyncio.ensure_future(run()) for _ in range(min(IN_FLIGHT, len(first)))]
    try:
        await asyncio.gather(*runners)
    finally:
        for runner in runners:
            runner.cancel()
    return proved if proved < len(nodes) else None


def _state(move: Move) -> int | None:
    return None if move.result is None else move.result.state
