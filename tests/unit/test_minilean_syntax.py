"""Parsing and printing: Lean's precedences and pretty print, and each the other's inverse."""

from __future__ import annotations

import pytest

from burnqed.minilean.context import TacticError
from burnqed.minilean.corpus import generate
from burnqed.minilean.engine import Engine, library
from burnqed.minilean.lexer import ParseError
from burnqed.minilean.printer import show

ENGINE = Engine()
# Lean itself cannot read these back: `[].length` and `∃ k, n = k.succ` lost a type.
LOSSY = {"List.length_nil", "List.reverse_nil", "Nat.exists_eq_succ_of_ne_zero"}
# Their condition is a variable, which Lean has a `Decidable` instance for in the context.
UNDECIDED = ("if_pos", "if_neg", "ite_self")


def test_library_types_survive_printing_and_parsing() -> None:
    for name in library().names():
        if name in LOSSY or name in UNDECIDED:
            continue
        decl = library().get(name)
        assert decl is not None
        assert ENGINE.statement(show(ENGINE.env, decl.type)) == decl.type, name


def test_corpus_statements_survive_printing_and_parsing() -> None:
    for theorem in generate(3, 250):
        e = ENGINE.statement(theorem.statement)
        assert ENGINE.statement(show(ENGINE.env, e)) == e, theorem.statement


PRINTED = [
    ("forall (p q: Prop), Or p q -> Or q p", "∀ (p q : Prop), p ∨ q → q ∨ p"),
    ("∀ p q r : Prop, (p → q) → r", "∀ (p q r : Prop), (p → q) → r"),
    ("∀ p q r : Prop, p → (q → r)", "∀ (p q r : Prop), p → q → r"),
    ("∀ p q : Prop, (p /\\ q) \\/ Not p <-> q", "∀ (p q : Prop), p ∧ q ∨ ¬p ↔ q"),
    ("∀ p q : Prop, ¬(p ∧ q) → (p ∧ q) ∧ p", "∀ (p q : Prop), ¬(p ∧ q) → (p ∧ q) ∧ p"),
    ("∀ n : Nat, (n + 1) * 2 - n = n.succ", "∀ (n : Nat), (n + 1) * 2 - n = n.succ"),
    ("∀ n m : Nat, n - (m - n) ≠ n ^ 2 ^ m", "∀ (n m : Nat), n - (m - n) ≠ n ^ 2 ^ m"),
    ("∀ (p : Nat → Prop), (∃ x, p x) ∨ ∃ x, ¬p x", "∀ (p : Nat → Prop), (∃ x, p x) ∨ ∃ x, ¬p x"),
    ("∃ x y : Nat, x < y ∧ 0 < x", "∃ x y, x < y ∧ 0 < x"),
    ("∀ x > 0, ∃ y < x, y = 0", "∀ (x : Nat), x > 0 → ∃ y, y < x ∧ y = 0"),
    ("∀ n : Nat, (n : Int) + 1 = ↑(n + 1)", "∀ (n : Nat), ↑n + 1 = ↑(n + 1)"),
    ("∀ a : Int, -a - 1 < -(a + 1) + 2", "∀ (a : Int), -a - 1 < -(a + 1) + 2"),
    ("∀ xs : List Nat, (1 :: xs) ++ [2, 3] = []", "∀ (xs : List Nat), 1 :: xs ++ [2, 3] = []"),
    ("∀ (α : Type) (p : α → Prop) (x : α), p x", "∀ (α : Type) (p : α → Prop) (x : α), p x"),
    ("(fun x : Nat => x + 1) 2 = 3", "(fun x => x + 1) 2 = 3"),
    ("∀ (b : Bool), (b && !b) = false", "∀ (b : Bool), (b && !b) = false"),
]


@pytest.mark.parametrize(("text", "printed"), PRINTED)
def test_printed_form(text: str, printed: str) -> None:
    assert show(ENGINE.env, ENGINE.statement(text)) == printed


@pytest.mark.parametrize(
    "text",
    [
        "",
        "∀ x",
        "1 = 2 = 3",
        "p ↔ q ↔ r",
        "∀ (x : Nat, x = x",
        "1 +",
        "⟨1, 2",
        "fun x",
        "∃, p",
        "1 = 2)",
        "x ∧",
        "Sort u",
        "∀ [h : Nat], True",
        "1 ＝ 1",
        "h✝ = 1",
        "let x := 1 x = 1",
        "match h : 1 with",
        "if h : 1 = 1 then True else False",
        "do 1",
        "(1, 2) = 1",
    ],
)
def test_unreadable_statements(text: str) -> None:
    with pytest.raises(ParseError):
        ENGINE.statement(text)


@pytest.mark.parametrize(
    "text",
    [
        "let x := 1; x = 1",
        "match 1 with",
        "(match 1 with | 0 => 1 | _ => 2) = 2",
        "x = 1",
        "Nat.foo 1 = 2",
        "1 + True = 2",
        "1",
        "∀ p : Prop, p = 1",
        "(1 : Nat) = (1 : Int) ∧ True → 3",
    ],
)
def test_ill_typed_statements(text: str) -> None:
    with pytest.raises(TacticError):
        ENGINE.statement(text)
