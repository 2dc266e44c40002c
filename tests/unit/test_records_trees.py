"""What the searches of a theorem found out together."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from burnqed.files import UserError, write_jsonl
from burnqed.records.trees import Move, ProofTree, read_checked


def _tree(edges: list[tuple[str, str, str | None]], depths: dict[str, int] | None = None) -> ProofTree:
    tree = ProofTree("r")
    for state, tactic, after in edges:
        outcome = "error" if after == "!" else "proved" if after is None else "ok"
        row: dict[str, Any] = {"state": state, "tactic": tactic, "outcome": outcome, "next_state": after}
        tree.add(row | {"depth": (depths or {}).get(state, 0), "logprob": -1.0})
    tree.settle()
    return tree


def test_distance_is_that_of_the_shortest_known_way() -> None:
    tree = _tree(
        [("r", "a", "x"), ("r", "b", "y"), ("x", "c", "y"), ("y", "d", None), ("x", "e", "z"), ("z", "f", "!")]
    )
    assert tree.to_go == {"y": 1, "x": 2, "r": 2}
    assert tree.best_moves("r") == [("b", Move("y", -1.0))]
    assert tree.best_moves("z") == []
    assert tree.failed["z"] == {"f"}


def test_circles_prove_nothing_and_an_unexpanded_state_has_no_fate() -> None:
    tree = _tree([("r", "a", "x"), ("x", "b", "r"), ("x", "c", "u"), ("v", "d", "!"), ("w", "e", "v"), ("w", "f", "w")])
    assert tree.to_go == {}
    assert tree.exhausted() == {"v", "w"}  # r and x lead to u, where nothing was tried
    assert tree.expanded == ["r", "x", "v", "w"]


def test_labels_agree_with_a_plain_search_on_random_graphs() -> None:
    for seed in range(200):
        chance = random.Random(seed)
        states = [str(n) for n in range(12)]
        expanded = chance.sample(states, 8)
        edges: list[tuple[str, str, str | None]] = [
            (
                state,
                f"t{n}",
                chance.choice([*states, *states, "!", "!", "!", None] if chance.random() < 0.3 else [*states, "!"]),
            )
            for state in expanded
            for n in range(2)
        ]
        tree = _tree(edges)
        after = {s: [a for state, _, a in edges if state == s and a != "!"] for s in states}

        def steps(state: str, left: int, after: dict[str, list[str | None]] = after) -> int | None:
            """Return the fewest tactics to the end, by trying all ways of at most ``left``."""
            if not left:
                return None
            found = [1 if a is None else steps(a, left - 1) for a in after[state]]
            return min(
                (n if a is None else n + 1 for a, n in zip(after[state], found, strict=True) if n is not None),
                default=None,
            )

        def reach(state: str, after: dict[str, list[str | None]] = after) -> set[str]:
            seen, front = {state}, [state]
            while front:
                for a in after[front.pop()]:
                    if a is not None and a not in seen:
                        seen.add(a)
                        front.append(a)
            return seen

        known = {s for s in states if s in expanded} | {a for _, _, a in edges if a not in (None, "!")}
        for state in states:
            assert tree.to_go.get(state) == steps(state, 8), (seed, state)
            dead = state in known and steps(state, 8) is None and reach(state) <= set(expanded)
            assert (state in tree.exhausted()) == dead, (seed, state)


def test_a_damaged_proof_is_named(tmp_path: Path) -> None:
    write_jsonl(
        tmp_path / "p.jsonl", [{"theorem": "a", "proof": ["t"], "iteration": "x", "kind": "main", "attempt": 0}]
    )
    with pytest.raises(UserError, match=r"p\.jsonl: proof 1: needs theorem, proof"):
        read_checked([tmp_path / "p.jsonl"])
