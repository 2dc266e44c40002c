"""Proof states as text: real states unchanged, grouping both ways, other separators."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from burnqed.leantext.states import (
    Goal,
    Hypothesis,
    StateError,
    canonical_state,
    canonical_states,
    group_hypotheses,
    parse_state,
    render_state,
)

RECORDED = Path(__file__).resolve().parents[3] / "shared" / "data"
recorded = pytest.mark.skipif(not RECORDED.is_dir(), reason="recorded published data is not here")


def real_states() -> Iterator[str]:
    """States that Lean printed: LeanDojo's traces and DeepSeek's miniF2F goals."""
    for name in ("leandojo_random_test_100.json", "leandojo_benchmark_4_random_val.sample.json"):
        for theorem in json.loads((RECORDED / "leandojo" / name).read_text()):
            for tactic in theorem["traced_tactics"]:
                yield tactic["state_before"]
                yield tactic["state_after"]
    for line in (RECORDED / "minif2f/minif2f_deepseek_prover_v1.5.jsonl").read_text().splitlines():
        yield json.loads(line)["goal"]


def one_name_a_line(goal: Goal) -> Goal:
    """Return a goal as Pantograph's clients print it."""
    single = tuple(Hypothesis((name,), item.rest) for item in goal.hypotheses for name in item.names)
    return Goal(goal.tag, single, goal.target)


@recorded
def test_real_states_pass_unchanged_and_regroup() -> None:
    states = [state for state in real_states() if state.strip() not in ("", "no goals")]
    assert len(states) > 1100
    unlike = 0
    for state in states:
        goals = parse_state(state)
        assert render_state(goals) == state.strip("\n")
        single = [one_name_a_line(goal) for goal in goals]
        assert all(len(h.names) == 1 for goal in single for h in goal.hypotheses)
        unlike += [group_hypotheses(goal) for goal in single] != goals
    # One state has two neighbours `: Language` that differ in universes, which the print hides.
    assert unlike == 1


@recorded
def test_proofs_in_leans_print_are_left_alone() -> None:
    for theorem in json.loads((RECORDED / "leandojo/leandojo_random_test_100.json").read_text()):
        states = [tactic["state_before"] for tactic in theorem["traced_tactics"]]
        assert canonical_states(states) == [state.strip() for state in states]


def test_goals_on_neighbouring_lines_get_a_blank_line() -> None:
    printed = "case inl\np q : Prop\nh✝ : p\n⊢ q ∨ p\ncase inr\np q : Prop\nh✝ : q\n⊢ q ∨ p"
    assert canonical_states([printed]) == [printed.replace("\ncase inr", "\n\ncase inr")]
    assert canonical_states([printed.replace("\n", "\r\n")]) == canonical_states([printed])


def test_one_hypothesis_per_line_becomes_leans_print() -> None:
    single = "p : Prop\nq : Prop\nx : Nat := 1\ny : Nat\nh : p ∧\n  q\n⊢ q\ncase r\na : Nat\nb : Nat\n⊢ a = b"
    assert canonical_state(single) == (
        "p q : Prop\nx : Nat := 1\ny : Nat\nh : p ∧\n  q\n⊢ q\n\ncase r\na b : Nat\n⊢ a = b"
    )


def test_values_and_names_with_spaces_keep_apart() -> None:
    goal = parse_state("«a b» c : Nat\nx : Nat := 1\ny : Nat := 1\nf : (Nat → Nat := g)\n| x = y")[0]
    assert goal.hypotheses[0].names == ("«a b»", "c")
    assert group_hypotheses(goal) == goal
    assert [h.has_value for h in goal.hypotheses] == [False, True, True, False]


@pytest.mark.parametrize("text", ["", "no goals", "\n"])
def test_no_goals(text: str) -> None:
    assert parse_state(text) == [] and canonical_state(text) == "" and canonical_states([text]) == [""]


@pytest.mark.parametrize("text", ["h : p", "words without sense\n⊢ p", "case a\n\n⊢ p"])
def test_other_text_is_refused_but_not_lost(text: str) -> None:
    with pytest.raises(StateError):
        parse_state(text)
    assert canonical_state(f" {text}\n") == text
