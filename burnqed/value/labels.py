"""Honest labels of proof states, from what all recorded searches of a theorem found out.

A state counts as provable when a recorded tactic closed it or led to a provable state, in the tree of a theorem with
a re-checked proof; as not proved when tactics were tried there and none led to a proof. A state that was never
expanded has no label, whatever became of its search: at the same budget about a quarter of such states are provable.
Trees of theorems that were not solved count too. "Not proved" is a fact of that search's budget, not of logic.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from burnqed.records.trees import ProofTree
from burnqed.seeds import fraction

Target = Literal["binary", "steps"]
Negatives = Literal["expanded", "exhausted"]


@dataclass(frozen=True)
class LabelledState:
    """A state with its label: ``to_go`` is the fewest known tactics to the end of a proof, None when not proved.

    ``history`` are the tactics on the path that found the state first.
    """

    theorem: str
    root: str
    state: str
    to_go: int | None
    history: tuple[str, ...] = ()


def labelled_states(
    trees: Mapping[str, ProofTree], checked: set[str], negatives: Negatives = "expanded"
) -> list[LabelledState]:
    """Return the labelled states of some theorems' trees, ordered by theorem and discovery.

    ``checked`` are the theorems with a re-checked proof; a tree with an unchecked proof has no labels at all.
    ``negatives: exhausted`` keeps of the states not proved those where nothing was left to try.
    """
    found: list[LabelledState] = []
    for name, tree in sorted(trees.items()):
        if tree.to_go and name not in checked:
            continue
        kept = tree.exhausted() if negatives == "exhausted" else set(tree.expanded)
        histories = _histories(tree)
        for state in tree.expanded:
            if state != tree.root and (state in tree.to_go or state in kept):
                found.append(LabelledState(name, tree.root, state, tree.to_go.get(state), histories.get(state, ())))
    return found


def _histories(tree: ProofTree) -> dict[str, tuple[str, ...]]:
    """Return a shortest path of tactics from the root to each state."""
    histories: dict[str, tuple[str, ...]] = {tree.root: ()}
    front = [tree.root]
    while front:
        after = []
        for state in front:
            for tactic, move in tree.moves.get(state, {}).items():
                if move.child is not None and move.child not in histories:
                    histories[move.child] = (*histories[state], tactic)
                    after.append(move.child)
        front = after
    return histories


def target_of(label: LabelledState, target: Target, discount: float) -> float:
    """Return what a value learns: 1 or 0, or ``discount^(steps to go - 1)`` with 0 for a state not proved.

    The second is the discounted return of a task that pays 1 at the end of the proof (Sutton and Barto 2018,
    section 3.3); LeanProgress (arXiv:2502.17925) and AlphaProof predict steps to go as well.
    """
    if label.to_go is None:
        return 0.0
    return 1.0 if target == "binary" else float(discount ** (label.to_go - 1))


def is_held_out(theorem: str, share: float, seed: int) -> bool:
    """Return whether a theorem's states are kept from training, by hash of name and seed."""
    return fraction(f"{seed}\x1f{theorem}") < share


def counts(labels: Iterable[LabelledState]) -> dict[str, int]:
    """Return how many states there are of each class, and of how many theorems."""
    rows = list(labels)
    return {
        "states": len(rows),
        "provable": sum(row.to_go is not None for row in rows),
        "not_proved": sum(row.to_go is None for row in rows),
        "theorems": len({row.theorem for row in rows}),
        "theorems_without_proof": len({r.theorem for r in rows} - {r.theorem for r in rows if r.to_go is not None}),
    }


def provable_negatives(labels: Iterable[LabelledState], larger: Mapping[str, ProofTree]) -> tuple[int, int]:
    """Return how many states labelled "not proved" a larger search proves, and how many of them it expanded at all.

    This is the false-negative rate of the labels: search again with more, and look.
    """
    again = [r for r in labels if r.to_go is None and r.theorem in larger and r.state in larger[r.theorem].moves]
    return sum(row.state in larger[row.theorem].to_go for row in again), len(again)
