"""Cutting declarations and normalising statements."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnqed.leantext.declarations import (
    TextError,
    normalise_statement,
    parse_declaration,
    proposition_from_state,
    read_statement,
    symbols_of,
)
from burnqed.leantext.outline import strip_comments


@pytest.mark.parametrize("ending", [" := by\n", " := by", " := by sorry", " := by\n  sorry", " := sorry", " :=", ""])
def test_every_published_ending_gives_the_same_proposition(ending: str) -> None:
    parts = parse_declaration(f"theorem t (h : p) : q{ending}")
    assert (parts.name, parts.proposition) == ("t", "∀ (h : p), q")


@pytest.mark.parametrize(
    ("text", "proposition"),
    [
        ("theorem t : ∀ n : ℕ, n = n := by", "∀ n : ℕ, n = n"),
        ("theorem t\n: 1 = 1 := by\n", "1 = 1"),
        ("theorem t {α : Type*} [Fintype α] (f : α → ℕ) ⦃x : α⦄ : f x = f x := by", None),
        ("lemma A.b.{u, v} (x : Nat) : x = x := sorry", "∀ (x : Nat), x = x"),
        ("theorem t : let y := 3; y = 3 := by rfl", "let y := 3; y = 3"),
        ("theorem t : (fun x : ℕ => x) 1 = 1 := by", "(fun x : ℕ => x) 1 = 1"),
        ("theorem t (s : Finset ℕ := {1, 2}) (h : p) : q := by", "∀ (s : Finset ℕ ) (h : p), q"),
        ("theorem t (x : ℕ) /- note (( -/ : x = x -- why :=\n := by", "∀ (x : ℕ), x = x"),
        ("@[simp] private theorem t (h : p) : q := by simp", "∀ (h : p), q"),
        ("theorem foo.bar'₁ (h : ∀ x ∈ {y : ℕ | y > 0}, x > 0) : q :=", "∀ (h : ∀ x ∈ {y : ℕ | y > 0}, x > 0), q"),
        ("example (a b : Nat) : a + b = b + a := by omega", "∀ (a b : Nat), a + b = b + a"),
    ],
)
def test_binders_become_a_quantifier(text: str, proposition: str | None) -> None:
    wanted = proposition or "∀ {α : Type*} [Fintype α] (f : α → ℕ) ⦃x : α⦄, f x = f x"
    assert parse_declaration(text).proposition == wanted


def test_preamble_keeps_opens_and_drops_documentation() -> None:
    parts = parse_declaration("import Mathlib\nopen Nat\n\n/-- theorem u : no -/\ntheorem t : p := by sorry")
    assert parts.name == "t"
    assert parts.preamble == "import Mathlib\nopen Nat"


@pytest.mark.parametrize(
    "text", ["theorem t (h : p : q := by", "theorem t := by simp", "theorem t (h : p]) : q", "", "def f := 1"]
)
def test_unreadable_declarations_are_refused(text: str) -> None:
    with pytest.raises(TextError):
        parse_declaration(text)


def test_bare_proposition_is_read_as_it_stands() -> None:
    assert read_statement("∀ (p : Prop),\n  p → p").proposition == "∀ (p : Prop), p → p"
    with pytest.raises(TextError):
        read_statement("(p → q")


def test_comments_nest_and_strings_stay() -> None:
    assert strip_comments('a /- b /- c -/ d -/ e "-- f" -- g').split() == ["a", "e", '"--', 'f"']


def test_equal_statements_normalise_equal() -> None:
    first = normalise_statement("∀ (p q : Prop), p ∧ q → q ∧ p")
    assert first == normalise_statement("∀ {a b:Prop},\n  a ∧ b → b ∧ a -- same")
    assert first != normalise_statement("∀ (p q : Prop), p ∧ q → p ∧ q")
    assert normalise_statement("∃ x : Nat, x = 0") == normalise_statement("∃ (y : Nat), y = 0")


def test_brackets_that_matter_are_told_apart() -> None:
    assert normalise_statement("∀ (p q r : Prop), (p → q) → r") != normalise_statement("∀ (p q r : Prop), p → q → r")


def test_free_names_are_not_renamed() -> None:
    assert normalise_statement("Nat.succ 0 = 1") != normalise_statement("Nat.pred 0 = 1")


@given(st.permutations(["a", "b", "c", "d", "e"]))
def test_normal_form_ignores_a_renaming(names: list[str]) -> None:
    text = "∀ (a b c : Nat) (d : a = b), ∃ e, e = c ∧ a + e = b"
    table = dict(zip("abcde", names, strict=True))
    renamed = "".join(table.get(c, c) if not (c == "a" and text[i - 1] == "N") else c for i, c in enumerate(text))
    assert normalise_statement(renamed) == normalise_statement(text)


def test_state_becomes_a_proposition() -> None:
    state = "α : Type u_1\ninst✝¹ : Monoid α\nx y✝ : α\nn : ℕ := 2\nh : x =\n  y✝\n⊢ x ^ n = y✝ ^ n"
    assert proposition_from_state(state) == (
        "∀ (α : Type _) [Monoid α] (x y_ : α), let n : ℕ := 2; ∀ (h : x = y_), x ^ n = y_ ^ n"
    )
    with pytest.raises(TextError):
        proposition_from_state("⊢ p\n\n⊢ q")


def test_arrows_of_functions_are_one_token() -> None:
    assert normalise_statement("∃ f, f = fun x => x") == normalise_statement("∃ g, g = fun y ↦ y")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("∀ (p : Prop), p → p", "∀ {q : Prop}, q → q"),
        ("∃ «a+b» : Nat, «a+b» ≤ 3", "∃ x : Nat, x ≤ 3"),
        ("∀ x : Nat, (fun y => y) x = x -- why", "∀ (z : Nat), (λ w ↦ w) z = z"),
    ],
)
def test_symbols_are_equal_where_statements_are(first: str, second: str) -> None:
    assert normalise_statement(first) == normalise_statement(second)
    assert symbols_of(first) == symbols_of(second)
