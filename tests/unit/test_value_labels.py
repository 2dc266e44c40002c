"""Honest labels of states."""

from __future__ import annotations

import pytest

from burnqed.records.trees import ProofTree
from burnqed.value.labels import (
    LabelledState,
    counts,
    is_held_out,
    labelled_states,
    provable_negatives,
    target_of,
)


def tree(edges: list[tuple[str, str, str | None]]) -> ProofTree:
    """Return a tree of accepted tactics (state, tactic, next state; None closes) and refused ones ("!")."""
    found = ProofTree("r")
    for state, tactic, after in edges:
        outcome = "error" if after == "!" else "proved" if after is None else "ok"
        found.add(
            {"state": state, "tactic": tactic, "outcome": outcome, "next_state": after, "depth": 0, "logprob": -1.0}
        )
    found.settle()
    return found


SOLVED = tree([("r", "a", "x"), ("r", "b", "y"), ("r", "c", "u"), ("x", "d", "z"), ("y", "e", "!"), ("z", "f", None)])
FAILED = tree([("r", "a", "p"), ("p", "b", "!"), ("r", "c", "q"), ("q", "d", "s")])


def labels(trees: dict[str, ProofTree], checked: set[str], **more: object) -> dict[tuple[str, str], int | None]:
    return {(row.theorem, row.state): row.to_go for row in labelled_states(trees, checked, **more)}  # type: ignore[arg-type]


def test_expanded_states_are_labelled_and_others_are_not() -> None:
    found = labels({"t": SOLVED, "f": FAILED}, {"t"})
    assert found == {("t", "x"): 2, ("t", "z"): 1, ("t", "y"): None, ("f", "p"): None, ("f", "q"): None}


def test_negatives_may_be_limited_to_exhausted_states() -> None:
    found = labels({"t": SOLVED, "f": FAILED}, {"t"}, negatives="exhausted")
    assert found == {("t", "x"): 2, ("t", "z"): 1, ("t", "y"): None, ("f", "p"): None}  # q leads to s, never expanded


def test_a_tree_whose_proof_failed_the_re_check_has_no_labels() -> None:
    assert labels({"t": SOLVED, "f": FAILED}, set()) == {("f", "p"): None, ("f", "q"): None}


def test_histories_lead_to_their_states() -> None:
    found = {row.state: row.history for row in labelled_states({"t": SOLVED}, {"t"})}
    assert found == {"x": ("a",), "y": ("b",), "z": ("a", "d")}


def test_targets() -> None:
    near, far, lost = (LabelledState("t", "r", "s", to_go) for to_go in (1, 3, None))
    assert [target_of(row, "binary", 0.8) for row in (near, far, lost)] == [1.0, 1.0, 0.0]
    assert [target_of(row, "steps", 0.8) for row in (near, far, lost)] == pytest.approx([1.0, 0.64, 0.0])


def test_counts_and_split() -> None:
    rows = labelled_states({"t": SOLVED, "f": FAILED}, {"t"})
    assert counts(rows) == {"states": 5, "provable": 2, "not_proved": 3, "theorems": 2, "theorems_without_proof": 1}
    held = [is_held_out(f"t{n}", 0.2, 1) for n in range(2000)]
    assert 320 < sum(held) < 480
    assert held != [is_held_out(f"t{n}", 0.2, 2) for n in range(2000)]


def test_a_larger_search_tells_which_negatives_were_provable() -> None:
    larger = tree([("r", "a", "p"), ("p", "z", None), ("r", "c", "q"), ("q", "d", "!")])
    assert provable_negatives(labelled_states({"f": FAILED}, set()), {"f": larger}) == (1, 2)
