"""Tactics behave as in Lean 4: proofs that must pass, texts of states, and what is rejected."""

from __future__ import annotations

import contextlib
import re

import pytest

from burnqed.minilean.budget import HeartbeatError
from burnqed.minilean.context import TacticError
from burnqed.minilean.engine import Engine, State
from burnqed.minilean.lexer import ParseError

ENGINE = Engine()


def play(statement: str, *tactics: str) -> State:
    state = ENGINE.start(statement)
    for t in tactics:
        state = ENGINE.step(state, t)
    return state


PROVED = [
    ("∀ (p q : Prop), p ∧ q → q ∧ p", ["intro p q h", "constructor", "exact h.2", "exact h.1"]),
    (
        "∀ (p q : Prop), p ∨ q → q ∨ p",
        ["intro p q h", "cases h with\n| inl h => exact Or.inr h\n| inr h => exact Or.inl h"],
    ),
    ("∀ (p q : Prop), p ∨ q → q ∨ p", ["rintro p q (hp | hq)", "right; assumption", "left; exact hq"]),
    ("∀ (p q r : Prop), (p ∧ q) ∧ r → p ∧ q ∧ r", ["rintro p q r ⟨⟨a, b⟩, c⟩", "exact ⟨a, b, c⟩"]),
    ("∀ (p q : Prop), (p ↔ q) → (q ↔ p)", ["intro p q ⟨h1, h2⟩", "exact ⟨h2, h1⟩"]),
    ("∀ (p q : Prop), ¬(p ∨ q) → ¬p ∧ ¬q", ["intro p q h", "exact ⟨fun hp => h (Or.inl hp), fun hq => h (.inr hq)⟩"]),
    ("∀ (p : Prop), ¬¬p → p", ["intro p h", "by_cases hp : p", "exact hp", "exact absurd hp h"]),
    (
        "∀ (p q : Prop), (¬q → ¬p) → p → q",
        ["intro p q h hp", "apply Classical.byContradiction", "intro hq", "exact h hq hp"],
    ),
    ("∀ (p : Nat → Prop), (∀ n, p n → p (n + 1)) → p 0 → p 2", ["intro p h h0", "exact h 1 (h 0 h0)"]),
    ("∀ (p q : Nat → Prop), (∃ x, p x ∧ q x) → ∃ x, q x", ["intro p q h", "obtain ⟨x, _, hq⟩ := h", "exists x"]),
    ("∀ (α : Type) (p : α → Prop), (¬∃ x, p x) → ∀ x, ¬p x", ["intro α p h x hx", "apply h", "exact ⟨x, hx⟩"]),
    ("∀ n : Nat, 0 + n = n", ["intro n", "induction n with | zero => rfl | succ n ih => rw [← Nat.add_assoc, ih]"]),
    (
        "∀ n m : Nat, n + m = m + n",
        [
            "intro n m",
            "induction n",
            "rw [Nat.zero_add, Nat.add_zero]",
            "rename_i k ih",
            "rw [Nat.add_right_comm, ih, Nat.add_assoc]",
        ],
    ),
    ("∀ n m : Nat, n = m → m + 1 = n + 1", ["intro n m h", "subst h", "rfl"]),
    ("∀ a b c : Nat, a = b → b = c → a = c", ["intro a b c h1 h2", "rw [h1]", "exact h2"]),
    ("∀ a b : Nat, a = b → b = a", ["intro a b h", "exact h ▸ rfl"]),
    ("∀ a b c : Nat, a ≤ b → b ≤ c → a ≤ c", ["intro a b c h1 h2", "apply Nat.le_trans", "exact h1", "exact h2"]),
    ("∀ a b : Nat, a < b → ∃ c, b = a + c + 1", ["intro a b h", "exact ⟨b - a - 1, by omega⟩"]),
    ("∀ n : Nat, n < 3 → n = 0 ∨ n = 1 ∨ n = 2", ["intro n h", "omega"]),
    ("∀ x, x < 5 → x * x < 25", ["decide"]),
    ("∀ b : Bool, (!!b) = b", ["intro b", "cases b <;> rfl"]),
    (
        "∀ xs ys : List Nat, (xs ++ ys).length = xs.length + ys.length",
        [
            "intro xs ys",
            "induction xs with\n| nil => simp\n| cons x xs ih =>\n"
            "  rw [List.cons_append, List.length_cons, ih]\n  simp\n  omega",
        ],
    ),
    ("∀ n : Nat, n + 1 ≠ 0", ["intro n h", "cases h"]),
    ("∀ n m : Nat, n + 1 = m + 1 → n = m", ["intro n m h", "simp at h", "exact h"]),
    ("∀ n : Nat, n % 2 = 0 ∨ n % 2 = 1", ["intro n", "omega"]),
    ("∀ (p q : Prop), p → q → p ∧ q ∧ True", ["intros", "and_intros <;> first | assumption | trivial"]),
    ("∀ (p q : Prop), (p → q) → p → q", ["intro p q h hp", "specialize h hp", "assumption"]),
    ("∀ (p q : Prop), p → (p → q) → q", ["intro p q hp h", "suffices hq : q from hq", "exact h hp"]),
    ("∀ a : Int, a + 0 = a", ["intro a", "exact Int.add_zero a"]),
    ("∀ n : Nat, 2 ∣ n * 2", ["intro n", "exact ⟨n, Nat.mul_comm n 2⟩"]),
    (
        "∀ n : Nat, n ≤ n * n",
        ["intro n", "cases n", "case zero => simp", "case succ k => exact Nat.le_mul_of_pos_right _ (by omega)"],
    ),
    (
        "∀ n : Nat, n < 2 ^ n",
        ["intro n", "induction n with\n| zero => decide\n| succ n ih => rw [Nat.pow_succ]; omega"],
    ),
    ("∀ (α β : Type) (f g : α → β) (a : α), f = g → f a = g a", ["intro α β f g a h", "subst h", "rfl"]),
    ("∀ (α β : Type) (f : α → β) (a b : α), a = b → f a = f b", ["intro α β f a b h", "rw [h]"]),
]


@pytest.mark.parametrize(("statement", "tactics"), PROVED)
def test_proofs(statement: str, tactics: list[str]) -> None:
    state = play(statement, *tactics)
    assert state.goals == [] and state.proof is not None and not state.sorry


STATES = [
    (
        "∀ (p q : Prop), p ∨ q → q ∨ p",
        ["intro p q h", "cases h"],
        "case inl\np q : Prop\nh✝ : p\n⊢ q ∨ p\n\ncase inr\np q : Prop\nh✝ : q\n⊢ q ∨ p",
    ),
    (
        "∀ (p q : Prop), p ∨ q → q ∨ p",
        ["intro p q h", "cases h", "apply Or.inr", "assumption"],
        "case inr\np q : Prop\nh✝ : q\n⊢ q ∨ p",
    ),
    (
        "∀ (n m : Nat), n + m = m + n",
        ["intro n m", "induction n"],
        "case zero\nm : Nat\n⊢ 0 + m = m + 0\n\ncase succ\nm n✝ : Nat\na✝ : n✝ + m = m + n✝\n"
        "⊢ n✝ + 1 + m = m + (n✝ + 1)",
    ),
    (
        "∀ (p : Prop), p → p ∧ (p ∨ p)",
        ["intro p h", "apply And.intro"],
        "case left\np : Prop\nh : p\n⊢ p\n\ncase right\np : Prop\nh : p\n⊢ p ∨ p",
    ),
    ("∀ (p q : Prop), p → q → p", ["intro h h h h"], "h✝² h✝¹ : Prop\nh✝ : h✝²\nh : h✝¹\n⊢ h✝²"),
    ("∀ (p q : Prop), p → q", ["intro p q _", "exfalso"], "p q : Prop\na✝ : p\n⊢ False"),
    ("∀ (p q : Prop), (p ↔ q) → p", ["intro p q h", "rw [h]"], "p q : Prop\nh : p ↔ q\n⊢ q"),
    ("∃ n : Nat, n = 3", ["constructor"], "case h\n⊢ ?w = 3\n\ncase w\n⊢ Nat"),
]


@pytest.mark.parametrize(("statement", "tactics", "text"), STATES)
def test_states(statement: str, tactics: list[str], text: str) -> None:
    assert play(statement, *tactics).text() == text


REJECTED = [
    ("1 = 2", "rfl", "Tactic `rfl` failed"),
    ("1 = 2", "decide", "is false"),
    ("1 = 2", "omega", "omega could not prove the goal"),
    ("∀ n : Nat, n = n + 0 + 1", "decide", "Decidable"),
    ("∀ p : Prop, p", "intro p; assumption", "Tactic `assumption` failed"),
    ("∀ p q : Prop, p ∧ q", "intro p q; left", "Tactic `left` failed"),
    ("∀ a b : Nat, a = b", "intro a b; rw [Nat.add_comm]", "Did not find an occurrence of the pattern"),
    ("∀ a b : Nat, a = b", "intro a b; simp", "`simp` made no progress"),
    ("∀ p : Prop, p → p", "intro p h; exact h.left", "Invalid field"),
    ("∀ p : Prop, p → p", "exact fun p h => x", "Unknown identifier `x`"),
    ("True", "intro x", "no additional binders"),
    ("∀ p : Prop, p → p", "intro p h; { skip }", "unsolved goals"),
    ("∀ p : Prop, p → p", "intro p h; · intro", "introN"),
    ("∃ n : Nat, n = 1", "exact ⟨_, rfl⟩; trivial", "No goals"),
    ("∀ n : Nat, n = n", "intro n; induction n with | zero => rfl", "`succ` has not been provided"),
    ("∀ n : Nat, n = n", "intro n; induction n with | nil => rfl | succ n ih => rfl", "Invalid alternative name"),
    ("∀ p : Prop, p ∨ ¬p", "intro p; exact Classical.em", "Type mismatch"),
    ("∀ p : Prop, p → p", "intro p h; clear p", "Tactic `clear` failed"),
    ("∀ a b : Nat, a + b = b + a", "intro a b; linear_combination", "unknown tactic"),
]


@pytest.mark.parametrize(("statement", "tactic", "message"), REJECTED)
def test_rejections(statement: str, tactic: str, message: str) -> None:
    with pytest.raises((TacticError, ParseError), match="(?s)" + re.escape(message)):
        play(statement, tactic)


@pytest.mark.parametrize(
    "tactic",
    [
        "use 3",
        "linarith",
        "ring",
        "norm_num",
        "tauto",
        "cases' h with a b",
        "nlinarith",
        "positivity",
        "field_simp",
        "push_neg",
        "aesop",
        "exact h,",
        "rw h",
        "simp [h",
        "intro (",
        "have h",
        "",
        "  ",
    ],
)
def test_mathlib_and_broken_text_do_not_parse(tactic: str) -> None:
    with pytest.raises(ParseError):
        play("∀ p : Prop, p → p", tactic)


def test_states_are_immutable() -> None:
    state = play("∀ (p q : Prop), p ∧ q → q ∧ p", "intro p q h", "constructor")
    before = state.text()
    for t in ("exact h.2", "assumption", "cases h", "all_goals simp_all", "exact h.1"):
        with contextlib.suppress(TacticError):
            ENGINE.step(state, t)
        assert state.text() == before
    assert ENGINE.step(ENGINE.step(state, "exact h.2"), "exact h.1").goals == []


def test_heartbeats_stop_long_reductions() -> None:
    engine = Engine()
    engine.heartbeats = 5_000
    state = engine.step(engine.start("∀ n : Nat, (n + 1) ^ 12 = 0"), "intro n")
    with pytest.raises((HeartbeatError, TacticError)):
        engine.step(state, "repeat rw [Nat.pow_succ]; rfl")
    assert state.text() == "n : Nat\n⊢ (n + 1) ^ 12 = 0"


def test_goal_can_be_chosen() -> None:
    state = play("True ∧ 1 = 1", "constructor")
    state = ENGINE.step(state, "rfl", goal=1)
    assert [g.tag for g in state.goals] == ["left"]
