"""Rests of proofs as training examples."""

from __future__ import annotations

from dataclasses import replace

from burnqed.data.extraction import ProofTrace
from burnqed.data.filters import PairFilter, filter_traces
from burnqed.records.pairs import TacticPair
from burnqed.training.continuations import choose_continuations, rests_of_pairs, rests_of_proofs


def steps(theorem: str, *rows: tuple[str, int, int]) -> list[TacticPair]:
    """Return pairs from (tactic, depth, goals); the state tells the place in the proof."""
    return [
        TacticPair(f"{theorem} at {place}", tactic, theorem, depth, "test", goals)
        for place, (tactic, depth, goals) in enumerate(rows)
    ]


def rests(pairs: list[TacticPair]) -> dict[str, str]:
    return {state: rest for state, rest, _ in rests_of_pairs(pairs)}


def test_a_chain_gives_each_of_its_ends() -> None:
    pairs = steps("a", ("intro h", 0, 1), ("constructor", 1, 1), ("exact x", 2, 2), ("exact y", 3, 1))
    assert rests([*pairs, *steps("b", ("rfl", 0, 1))]) == {
        "a at 0": "intro h\nconstructor\nexact x\nexact y",
        "a at 1": "constructor\nexact x\nexact y",
        "a at 2": "exact x\nexact y",
        "a at 3": "exact y",
        "b at 0": "rfl",
    }


def test_a_rest_ends_where_the_goals_of_its_state_end() -> None:
    # depth as length of the path to the goal, and states under a bullet that show one goal alone
    pairs = steps("a", ("constructor", 0, 1), ("intro h", 1, 1), ("exact h", 2, 1), ("exact y", 1, 1))
    assert rests(pairs) == {
        "a at 0": "constructor\nintro h\nexact h\nexact y",
        "a at 1": "intro h\nexact h",
        "a at 2": "exact h",
        "a at 3": "exact y",
    }
    # the same proof with states that show all goals
    both = steps("a", ("constructor", 0, 1), ("intro h", 1, 2), ("exact h", 2, 2), ("exact y", 1, 1))
    assert rests(both)["a at 1"] == rests(both)["a at 0"].partition("\n")[2]


def test_a_hole_ends_nothing_early_and_hides_what_is_before_it() -> None:
    pairs = steps("a", ("intro h", 0, 1), ("cases h", 1, 1), ("simp", 2, 1), ("rfl", 3, 1))
    del pairs[1]
    assert rests(pairs) == {"a at 2": "simp\nrfl", "a at 3": "rfl"}


def test_tactics_that_the_filter_dropped_are_missed() -> None:
    chain = steps("a", ("intro h", 0, 1), ("cases h", 1, 1), ("rfl", 2, 1), ("simp", 2, 1), ("rfl", 3, 1))
    rules = PairFilter(1000, trivial=frozenset({"rfl"}), trivial_share=0.0)
    pairs = filter_traces([ProofTrace("a", "p", tuple(chain))], rules).pairs
    assert [(pair.tactic, pair.dropped_after) for pair in pairs] == [("intro h", 0), ("cases h", 1), ("simp", 1)]
    assert rests(pairs) == {}  # neither the hole between siblings nor the missing end shows in the depths
    two = [*chain[:3], replace(chain[3], tactic="omega"), replace(chain[4], tactic=" ")]
    assert rests(filter_traces([ProofTrace("a", "p", tuple(two))], 1000).pairs)["a at 1"] == "cases h\nrfl\nomega"


def test_tactics_told_twice_are_left_out() -> None:
    pairs = steps("a", ("have h : p := by simp", 0, 1), ("simp", 1, 1), ("exact h", 1, 1))
    assert rests(pairs) == {"a at 1": "simp", "a at 2": "exact h"}


def test_rests_of_found_proofs() -> None:
    path = [("s0", "t0", "a", 1), ("s1", "t1", "a", 1), ("s0", "t2", "a", 2)]
    assert list(rests_of_proofs(path)) == [("s0", "t0\nt1", "a"), ("s1", "t1", "a"), ("s0", "t2", "a")]


def test_the_choice_is_random_repeatable_and_without_held_out_theorems() -> None:
    pairs = [pair for n in range(40) for pair in steps(f"t{n}", ("intro h", 0, 1), ("exact h", 1, 1))]
    proofs = [("new", "omega", "x", 1), ("held", "omega", "h", 2), ("t0 at 1", "exact h", "t0", 3)]
    chosen = choose_continuations(pairs, proofs, {"h"}, 20, 3, [0, 1])
    assert len(chosen) == len(set(chosen)) == 20
    assert chosen == choose_continuations(pairs, proofs, {"h"}, 20, 3, [0, 1])
    assert chosen != choose_continuations(pairs, proofs, {"h"}, 20, 3, [0, 2])
    everything = choose_continuations(pairs, proofs, {"h"}, 1000, 3, [0, 1])
    assert len(everything) == 80 + 3
    assert everything.count(("new", "omega")) == 3
    assert choose_continuations(pairs, proofs, {"h"}, 0, 3, [0, 1]) == []
