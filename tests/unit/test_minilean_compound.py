"""calc, conv, match, if, let, split, injection, ext, funext, congr, generalize, cases h : e, rw at *."""

from __future__ import annotations

import pytest

from burnqed.minilean.context import TacticError
from burnqed.minilean.engine import Engine, State
from burnqed.minilean.lexer import ParseError

ENGINE = Engine()
PROVED = [
    ("∀ (a b c d : Nat), a + b = b + c → b + c = c + d → a + b = c + d", "intro a b c d h k\ncalc a + b = b + c := h\n  _ = c + d := k"),
    ("∀ (a b c : Nat), a = b → b ≤ c → a < c + 1", "intro a b c h k\ncalc\n  a = b := h\n  _ ≤ c := k\n  _ < c + 1 := Nat.lt_succ_self c"),
    ("∀ (a b c : Int), a < b → b ≤ c → a < c", "intro a b c h k\ncalc\n  a < b := h\n  _ ≤ c := by exact k"),
    ("∀ (p q r : Prop), (p ↔ q) → (q ↔ r) → (p ↔ r)", "intro p q r h k; exact calc\n  p ↔ q := h\n  _ ↔ r := k"),
    ("∀ (a b c : Nat), a ≤ b → b = c → a ≤ c", "intro a b c h k\ncalc a\n  _ ≤ b := h\n  _ = c := k"),
    ("∀ (a b : Int), a = b → b = 0 → a + 1 = 1", "intro a b h k\ncalc a + 1 = b + 1 := by rw [h]\n _ = 0 + 1 := by rw [k]\n _ = 1 := rfl"),
    ("∀ (a b c1 c2 : Nat), (b + a) + c1 = (b + a) + c2 → (a + b) + c1 = (b + a) + c2", "intro a b c1 c2 h\nconv =>\n  lhs\n  congr\n  . rw [Nat.add_comm]\n  . rfl\nexact h"),
    ("∀ (p : Prop) (x y z : Nat), p → (p → x = y) → x + z = y + z ∧ p", "intro p x y z hp hi\napply And.intro\nconv =>\n  rhs\n  arg 1\n  rw [← hi]\n  rfl\n  tactic => exact hp\nexact hp"),
    ("∀ f : Nat → Nat, (∀ x, f x = x) → (fun x => f x) = (fun x => x)", "intro f h\nconv => lhs; ext x; rw [h]"),
    ("∀ f : Nat → Nat, (∀ x, f x = x) → ∀ x, f x = 0 + x", "intro f h\nconv => ext x; lhs; rw [h]\nsimp"),
    ("∀ (a b : Nat), a * b = b * a → a * b = a * b", "intro a b h\nconv at h => rhs; rw [Nat.mul_comm]\nexact h"),
    ("∀ (a b : Nat), a * b + 0 = b * a", "intro a b\nconv in a * b => rw [Nat.mul_comm]\nrfl"),
    ("∀ (p q r : Prop), (p ∧ q → r) → (q ∧ p → r)", "intro p q r h\nconv => arg 1; rw [And.comm]\nexact h"),
    ("∀ (a b : Nat), (a + b) * 1 = b + a", "intro a b\nconv => enter [1, 1]; rw [Nat.add_comm]\nsimp"),
    ("∀ (p q : Prop), p ∨ q → q ∨ p", "intro p q h\nmatch h with\n| .inl a => exact .inr a\n| .inr b => exact .inl b"),
    ("∀ (p q : Prop), p ∨ q → q ∨ p", "exact fun p q h => match h with | .inl a => .inr a | .inr b => .inl b"),
    ("∀ (p q : Prop), p ∨ q → q ∨ p", "exact fun p q => fun | Or.inl a => Or.inr a | Or.inr b => Or.inl b"),
    ("∀ (p q r : Prop), p ∧ (q ∨ r) → (p ∧ q) ∨ (p ∧ r)", "intro p q r h\nmatch h with\n| ⟨a, .inl b⟩ => exact .inl ⟨a, b⟩\n| ⟨a, .inr b⟩ => exact .inr ⟨a, b⟩"),
    ("∀ n : Nat, n = 0 ∨ ∃ k, n = k + 1", "intro n\nmatch n with\n| 0 => left; rfl\n| k + 1 => right; exact ⟨k, rfl⟩"),
    ("∀ n m : Nat, n = 0 ∨ m = 0 ∨ n * m > 0", "intro n m\nmatch n, m with\n| 0, _ => simp\n| _, 0 => simp\n| a + 1, b + 1 => exact .inr (.inr (Nat.mul_pos (Nat.succ_pos a) (Nat.succ_pos b)))"),
    ("∀ a b : Nat, a = b → b = a", "intro a b h\nmatch h with\n| rfl => rfl"),
    ("∀ p : Prop, False → p", "intro p h; nomatch h"),
    ("∀ p : Prop, False → p", "intro p h; exact match h with"),
    ("∀ xs : List Nat, xs = [] ∨ xs.length > 0", "intro xs\nmatch xs with\n| [] => left; rfl\n| x :: ys => right; simp"),
    ("∀ a b : Nat, (if a < b then a else b) ≤ a", "intro a b; split\n· exact Nat.le_refl a\n· omega"),
    ("∀ a b : Nat, (if a < b then a else b) = a → a ≤ b", "intro a b h; split at h <;> omega"),
    ("(if 2 < 3 then 1 else 0) = 1", "decide"),
    ("(if 2 < 3 ∧ ¬1 = 0 then 1 else 0) = 1", "rfl"),
    ("∀ a : Nat, a < 3 → (if a < 3 then 1 else 0) = 1", "intro a h; simp [h]"),
    ("∀ a b : Nat, a + 1 = b + 1 → a = b", "intro a b h; injection h with k"),
    ("∀ (a b : Nat) (x y : List Nat), a :: x = b :: y → x = y", "intro a b x y h; injections"),
    ("∀ a : Nat, a + 1 = 0 → False", "intro a h; injection h"),
    ("∀ f : Nat → Nat, (∀ x, f x = x) → f = fun x => x", "intro f h; funext x; exact h x"),
    ("∀ (p q : Prop), (p → q) → (q → p) → p = q", "intro p q h k; ext; exact ⟨h, k⟩"),
    ("∀ f g : Nat → Nat → Nat, (∀ x y, f x y = g x y) → f = g", "intro f g h; ext x y; exact h x y"),
    ("∀ (a b c d : Nat), a = b → c = d → a + c = b + d", "intro a b c d h k; congr"),
    ("∀ (a b : Nat) (f : Nat → Nat), a = b → f a + 1 = f b + 1", "intro a b f h; congr"),
    ("∀ a b : Nat, a * b = 0 ∨ a * b > 0", "intro a b; cases h : a * b\n· left; rfl\n· right; simp"),
    ("∀ a b : Nat, a * b = 0 ∨ a * b > 0", "intro a b; generalize h : a * b = c; cases c\n· left; rfl\n· right; simp"),
    ("∀ p q : Prop, p → q → p ∧ q", "intro p q hp hq; exact let x := hp; ⟨x, hq⟩"),
    ("∀ p q : Prop, p ∧ q → q", "intro p q h; exact let ⟨_, b⟩ := h; b"),
    ("∀ p q : Prop, p → q → p ∧ q", "intro p q hp hq; exact suffices h : q ∧ p from ⟨h.2, h.1⟩; ⟨hq, hp⟩"),
]  # fmt: skip
REFUSED = [
    ("∀ a b : Nat, a ≥ b → b ≥ 0 → a ≥ 0", "intro a b h k; calc a ≥ b := h\n _ ≥ 0 := k", "`Trans` instance"),
    ("∀ a b c : Nat, a = b → c = b → a = c", "intro a b c h k\ncalc\n  a = b := h\n  c = b := k", "left-hand side is"),
    ("∀ a b : Nat, a = b", "intro a b\ncalc a = b := rfl", "Type mismatch"),
    ("∀ a b : Nat, a = b", "intro a b\ncalc a = a := rfl", "Type mismatch"),
    ("∀ n : Nat, n = 0 ∨ n > 0", "intro n\nmatch n with\n| 0 => left; rfl", "Missing cases"),
    (
        "∀ n : Nat, 0 ≤ n",
        "intro n\nmatch n with\n| 0 => simp\n| k + 1 => simp\n| 0 => simp",
        "Redundant alternative",
    ),
    ("∀ p : Prop, p → p", "intro p h; nomatch h", "Missing cases"),
    ("∀ p : Prop, (if p then 1 else 0) = 1", "skip", "Decidable p"),
    ("∀ a : Nat, a = a", "intro a; split", "Could not split"),
    ("∀ a b : Nat, a = b → True", "intro a b h; injection h", "equality of constructor applications"),
    ("∀ a b : Nat, a = b", "intro a b; ext", "No applicable extensionality theorem found for type\n  Nat"),
    ("∀ a b : Nat, a = b", "intro a b; funext x", "funext"),
    ("∀ a b : Nat, a = b", "intro a b; congr", "could not apply congruence"),
    ("∀ a b : Nat, a = b → a = 0", "intro a b h; conv => lhs; rw [Nat.add_comm]", "Did not find an occurrence"),
    ("∀ a b : Nat, a = b → a = 0", "intro a b h; conv => arg 3", "cannot select argument"),
    ("∀ p : Prop, p → p", "intro p h; conv => exact h", "unknown tactic"),
    ("(let x := 2; x) = 2", "rfl", "`let` outside of proofs"),
    ("∀ a b : Nat, a = b → a = 0", "intro a b h; rw [Nat.mul_one] at *", "Did not find an occurrence"),
]


def run(statement: str, tactics: str) -> State:
    return ENGINE.step(ENGINE.start(statement), tactics)


@pytest.mark.parametrize(("statement", "tactics"), PROVED)
def test_proved(statement: str, tactics: str) -> None:
    state = run(statement, tactics)
    assert state.proof is not None and not state.sorry


@pytest.mark.parametrize(("statement", "tactics", "said"), REFUSED)
def test_refused(statement: str, tactics: str, said: str) -> None:
    with pytest.raises((TacticError, ParseError)) as caught:
        run(statement, tactics)
    assert said in str(caught.value)


def test_states_read_as_in_lean() -> None:
    split = run("∀ a b : Nat, (if a < b then a else b) ≤ a", "intro a b; split")
    assert split.text() == (
        "case isTrue\na b : Nat\nh✝ : a < b\n⊢ a ≤ a\n\ncase isFalse\na b : Nat\nh✝ : ¬a < b\n⊢ b ≤ a"
    )
    cases = run("∀ a b : Nat, 0 ≤ a * b", "intro a b; cases h : a * b")
    assert cases.text().endswith("case succ\na b n✝ : Nat\nh : a * b = n✝ + 1\n⊢ 0 ≤ n✝ + 1")
    assert run("∀ p q : Prop, p = q", "intro p q; ext").text() == "case a\np q : Prop\n⊢ p ↔ q"
    assert run("∀ a b c : Nat, a + b = a + c", "intro a b c; congr").text() == "case e_a\na b c : Nat\n⊢ b = c"
    everywhere = run("∀ a b c : Nat, a = b → a + c = 5 → a + a = 10", "intro a b c h k; rw [h] at *")
    assert everywhere.text() == "a b c : Nat\nh : b = b\nk : b + c = 5\n⊢ b + b = 10"
    holes = run("∀ p q : Prop, p ∨ q → q ∨ p", "intro p q h\nhave x : 1 + 1 = 2 := ?_\ncases h")
    assert [g.tag for g in holes.goals] == ["refine_2.inl", "refine_2.inr", "refine_1"]
