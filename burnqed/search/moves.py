"""The tactics to try in one round, and trying them.

Whole-proof continuations of one state share their beginnings, so the tactics to try form a tree (a
trie): each tactic is run once on the state that its predecessors led to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from burnqed.search.plan import Candidate, Continuation, Session, StepResult, storable
from burnqed.search.tree import Node


@dataclass(eq=False, slots=True)
class Move:
    """A tactic to try; ``logprob`` None marks a probe, ``energy`` is what came with a sampled tactic.

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
    energy: float | None = None


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
    for candidate in candidates:
        if candidate.tactic in roots:
            roots[candidate.tactic].energy = getattr(candidate, "energy", None)

    tried = node.tried or {}

    def walk(level: Iterable[Move]) -> Iterator[Move]:
        stack = list(level)[::-1]
        while stack:
            move = stack.pop()
            yield move
            stack.extend(list(move.children.values())[::-1])

    return list(walk(move for move in roots.values() if move.children or move.tactic not in tried))


async def execute(
    session: Session, nodes: Sequence[Node], moves: Sequence[Sequence[Move]], *, to_the_end: bool = False
) -> int | None:
    """Try the moves of each node; return the position of the first node with a proof.

    Once a node has a proof, moves of later nodes need not run, unless ``to_the_end``: they are not recorded.
    """
    proved: int | None = None
    for position, (node, group) in enumerate(zip(nodes, moves, strict=True)):
        if await _try_all(session, node, [move for move in group if move.parent is None]) and proved is None:
            proved = position
            if not to_the_end:
                break
    return proved


async def _try_all(session: Session, node: Node, roots: Sequence[Move]) -> bool:
    """Try moves and what follows those that work; return whether one of them proves the theorem."""
    assert node.state is not None
    proved = False
    waiting: list[tuple[int, Sequence[Move]]] = [(node.state, roots)]
    while waiting:
        state, siblings = waiting.pop()
        results = await session.apply_many(state, [move.tactic for move in siblings])
        for move, result in zip(siblings, results, strict=True):
            move.result = result
            proved = proved or result.outcome == "proved"
            if result.outcome == "ok" and result.state is not None and move.children:
                waiting.append((result.state, list(move.children.values())))
    return proved
