"""Splitting whole proofs."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnqed.leantext.scripts import split_tactics


def split(proof: str) -> list[str]:
    return [unit.tactic for unit in split_tactics(proof)]


@pytest.mark.parametrize(
    ("proof", "tactics"),
    [
        ("", []),
        ("intro h\nexact h", ["intro h", "exact h"]),
        ("  intro h\n\n  exact h\n", ["intro h", "exact h"]),
        ("intro h; exact h", ["intro h", "exact h"]),
        ("constructor <;> simp; omega", ["constructor <;> simp", "omega"]),
        ("constructor\n<;> simp\nomega", ["constructor\n<;> simp", "omega"]),
        ("constructor <;>\nsimp\nomega", ["constructor <;>\nsimp", "omega"]),
        ("have h : a = b := by\n  simp\n  omega\nexact h", ["have h : a = b := by\n  simp\n  omega", "exact h"]),
        ("have h : p := by simp; omega\nexact h", ["have h : p := by simp; omega", "exact h"]),
        ("constructor\n· intro h; exact h\n· simp", ["constructor", "· intro h; exact h", "· simp"]),
        ("  constructor\n  · intro h\n    exact h\n  · simp", ["constructor", "· intro h\n  exact h", "· simp"]),
        (
            "induction n with\n| zero => simp\n| succ n ih =>\n  rw [ih]; rfl\nrfl",
            ["induction n with\n| zero => simp\n| succ n ih =>\n  rw [ih]; rfl", "rfl"],
        ),
        ("rcases h with ⟨a,\nb⟩\nsimp", ["rcases h with ⟨a,\nb⟩", "simp"]),
        ("(intro h; simp)\nomega", ["(intro h; simp)", "omega"]),
        ("first | simp; done | omega\nrfl", ["first | simp; done | omega", "rfl"]),
        ("simp -- a; b\n/- x\ny -/\nomega", ["simp", "omega"]),
        ("/- a /- nested -/ b -/ simp", ["simp"]),
        ('trace "a; -- b"\nsimp', ['trace "a; -- b"', "simp"]),
        ("calc a = b := by simp\n  _ = c := by omega\nsimp", ["calc a = b := by simp\n  _ = c := by omega", "simp"]),
        ("  simp\n  omega\nThis proves it.", ["simp", "omega"]),
        ("simp\nomega)\nexact h", ["simp", "omega"]),
        ("nlinarith [sq_nonneg (a - b),\n  sq_nonneg a]", ["nlinarith [sq_nonneg (a - b),\n  sq_nonneg a]"]),
        ("case inl h => simp; omega\ncase inr h =>\n  rfl", ["case inl h => simp; omega", "case inr h =>\n  rfl"]),
    ],
)
def test_units(proof: str, tactics: list[str]) -> None:
    assert split(proof) == tactics


def test_places_are_those_in_the_text() -> None:
    proof = "  intro h -- why\n  cases h; simp\n  · omega\n    rfl\n"
    found = [proof[unit.start : unit.end] for unit in split_tactics(proof)]
    assert found == ["intro h", "cases h", "simp", "· omega\n    rfl"]


@given(st.text(alphabet='ab ;\n<>()⟨⟩|·-/"\\=,', max_size=60))
def test_any_text_is_split_in_order_and_nothing_is_made_up(proof: str) -> None:
    units = split_tactics(proof)
    assert all(a.end <= b.start for a, b in pairwise(units))
    for unit in units:
        assert unit.tactic.strip() == unit.tactic != ""
        assert 0 <= unit.start < unit.end <= len(proof)
        place = iter(proof[unit.start : unit.end])
        assert all(char in place for char in unit.tactic if not char.isspace())
