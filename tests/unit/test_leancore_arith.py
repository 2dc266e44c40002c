"""Arithmetic in the embedded Lean: omega against written verdicts, ac_rfl, simp +arith, norm_cast, decide, lemmas."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from embedded_lean import needs_embedded_lean, run_lean

pytestmark = needs_embedded_lean

# z3's verdicts on random statements: benchmarks/omega_check.py --sample
STATEMENTS = Path(__file__).parent / "omega_statements.txt"
BINDERS = "(a b c : Nat) (x y z : Int)"
AXIOMS = {"propext", "Classical.choice", "Quot.sound"}

PROVED = {
    "omega": """
        example (a b : Nat) (h : a < b) : a + 1 ≤ b := by omega
        example (a b c : Nat) (h : a - b = c) (k : b ≤ a) : a = b + c := by omega
        example (a b : Nat) (h : a / 3 = b) (k : a % 3 = 2) : a = 3 * b + 2 := by omega
        example (x y : Int) (h : 5 * x + 7 * y = 1) (hx : 0 < x) (hy : x < 3) : False := by omega
        example (x y : Int) (h : 3 ∣ x) (k : 3 ∣ y) : 3 ∣ x + 2 * y := by omega
        example (a b : Nat) : max a b + min a b = a + b := by omega
        example (x : Int) : x.natAbs = 0 ↔ x = 0 := by omega
        example (x : Int) : x.toNat = 0 ↔ x ≤ 0 := by omega
        example (x y : Int) : (if x ≤ y then x else y) ≤ y := by omega
        example (i : Fin 5) : i.val < 7 := by omega
        example (i j : Fin 5) (h : i < j) : i.val + 1 ≤ j.val := by omega
        example (p : Prop) (a : Nat) (h : a < 0) : p := by omega
        example (a b : Nat) (h : ¬(a < b ∧ b < a + 5)) (k : a < b) : a + 5 ≤ b := by omega
        example (n : Nat) (h : 2 ^ n > 0) : 2 ^ n ≥ 1 := by omega
        example (a b : Nat) (h : (a, b).1 < (b, a).1) : a < b := by omega
        example (a b c d e f g h i j k l : Nat) (w : a < b) (w : b < c) (w : c < d) (w : d < e) (w : e < f) (w : f < g)
            (w : g < h) (w : h < i) (w : i < j) (w : j < k) (w : k < l) : a + 11 ≤ l := by omega
    """,
    "ac_rfl": """
        example (a b c d : Nat) : a + b + c + d = d + (c + b) + a := by ac_rfl
        example (x y z : Int) : x * y * z = z * y * x := by ac_rfl
        example (a b c : Nat) : max a (max b (max a c)) = max c (max b a) := by ac_rfl
        example (a b : Nat) : a + (0 + b) = b + a := by ac_rfl
        example (p q r : Prop) : ((p ∧ q) ∧ r) = ((r ∧ p) ∧ q) := by ac_rfl
        example (f : Nat → Nat) (a b c : Nat) : f (a * (b * c)) = f (c * b * a) := by ac_nf
    """,
    "simp +arith": """
        example (a b : Nat) : a + b + 1 + a = 1 + 2 * a + b := by simp +arith
        example (a b : Nat) : ¬(a + b + 1 ≤ a) := by simp +arith
        example (a b : Nat) (h : a + b + 1 ≤ 2 * a) : b + 1 ≤ a := by simp +arith at h ⊢; assumption
        example (x y : Int) : x + y + 1 ≤ 2 + (y + x) := by simp +arith
        example (x y : Int) : ¬(x + y + 3 = 2 + (y + x)) := by simp +arith
        example (x y : Int) (h : 2 * x + 2 * y ≤ 5) : x + y ≤ 2 := by simp +arith at h ⊢; assumption
        example (x y : Int) (h : 2 * x + 4 * y = 5) : False := by simp +arith at h
        example (x y : Int) (h : x + y + 1 = y + 8) : x = 7 := by simp +arith at h ⊢; assumption
        example (x y : Int) (h : x + y + 1 = 2 * y + 1) : x = y := by simp +arith at h ⊢; assumption
        example (x : Int) (h : 4 ∣ 2 * x + 6) : 2 ∣ x + 3 := by simp +arith at h ⊢; assumption
        example (x : Int) (h : 4 ∣ 2 * x + 1) : False := by simp +arith at h
        example (x : Int) (f : Int → Int) : f (x + x + x) = f (3 * x) := by simp +arith
    """,
    "numerals": """
        example (a : Nat) : a + 3 = 8 ↔ a = 5 := by simp
        example (a : Nat) : 8 = a + 3 ↔ 5 = a := by simp
        example (a : Nat) : 3 ≤ a + 5 := by simp
        example (a : Nat) : 5 ≤ a + 3 ↔ 2 ≤ a := by simp
        example (a : Nat) : a + 5 ≤ 3 ↔ False := by simp
        example (a : Nat) : (a + 3 == 8) = (a == 5) := by simp
        example (a b : Nat) : a + 3 - (b + 7) = a - (b + 4) := by simp
        example (a b : Nat) : a + 7 - (b + 3) = a + 4 - b := by simp
        example : (7 : Nat) ∣ 21 ∧ ¬(7 : Int) ∣ 22 ∧ (3 : Int) - 5 = -2 ∧ Nat.gcd 12 18 = 6 := by simp
    """,
    "casts": """
        example (a b c : Nat) (h : (a : Int) + b = c) : a + b = c := by norm_cast at h
        example (a b c : Nat) (h : a + b = c) : (a : Int) + b = c := by exact_mod_cast h
        example (a c : Nat) (h : (a : Int) * 3 < c) : a * 3 < c := by exact_mod_cast h
        example (a c : Nat) : ((a * c + 2 : Nat) : Int) = a * c + 2 := by push_cast; rfl
        example (a : Nat) (h : (a : Int) ≠ 0) : a ≠ 0 := by norm_cast at h
    """,
    "decide": """
        example : ∀ a, a < 10 → ∃ b, b < 20 ∧ b = 2 * a := by decide
        example : ∀ a < 10, a * a < 100 := by decide
        example : ¬∃ a ≤ 20, a * a = 200 := by decide
        example : ∀ i : Fin 6, i.val * i.val < 30 := by decide
        example : 100003 % 7 = 1 ∧ (-7 : Int) / 2 = -4 ∧ Nat.gcd 1071 462 = 21 := by decide
    """,
    "bits": """
        example : 5 <<< 3 = 40 ∧ 100 >>> 3 = 12 ∧ 12 &&& 10 = 8 ∧ 12 ||| 10 = 14 ∧ 12 ^^^ 10 = 6 := by simp
        example (a : Nat) : a <<< 3 = 8 * a := by omega
        example (a : Nat) : a >>> 3 ≤ a := by omega
    """,
    "Fin": """
        example : (3 : Fin 5) + 4 = 2 ∧ (3 : Fin 5) - 4 = 4 := by decide
        example : (3 : Fin 5) * 4 = 2 := by simp
        example (i j : Fin 7) : i + j = j + i := by omega
        example (i : Fin 7) : (i + 1).val = (i.val + 1) % 7 := by omega
        example (i : Fin 7) (h : i ≠ 0) : 0 < i.val := by omega
    """,
    # On literals the kernel runs code of its own: it has to agree with the definitions.
    "kernel": """
        example : ∀ a < 12, ∀ b < 12, b * (a / b) + a % b = a ∧ (b = 0 ∨ a % b < b) := by decide
        example : ∀ a < 12, ∀ b < 12, Nat.gcd a b = Nat.euclid (a + 1) a b := by decide
        example : ∀ a < 12, ∀ b < 12, a &&& b = Nat.bitwise and a b ∧ a ||| b = Nat.bitwise or a b := by decide
        example : ∀ a < 12, ∀ b < 12, a ^^^ b = Nat.bitwise bne a b := by decide
        example : ∀ a < 12, ∀ b < 9, a <<< b = a * 2 ^ b ∧ a >>> b = a / 2 ^ b := by decide
        example : ∀ a < 80, Nat.log2 a = Nat.log2Steps a a := by decide
        example : ∀ a : Nat, a < 12 → ∀ b : Nat, b < 12 → -(a : Int) / b * b + -(a : Int) % b = -a := by decide
    """,
    "lemmas": """
        example (a b c d : Nat) (h : a ≤ b) (k : b < c) (l : c ≤ d) : a < d := calc
          a ≤ b := h
          _ < c := k
          _ ≤ d := l
        example (a b c : Nat) : a * (b + c) = a * b + a * c := by rw [Nat.mul_add]
        example (a b c : Nat) (h : a ∣ b) : a ∣ b * c := Nat.dvd_mul_right_of_dvd h c
        example (a b : Nat) (h : 0 < b) : a % b < b := Nat.mod_lt a h
        example (a b n : Nat) : (a * b) % n = ((a % n) * (b % n)) % n := Nat.mul_mod a b n
        example (a b c : Nat) (h : 0 < c) : a ≤ b / c ↔ a * c ≤ b := by rw [Nat.le_div_iff_mul_le h]
        example (a b c : Nat) (h : 0 < a) (k : a * b = a * c) : b = c := Nat.eq_of_mul_eq_mul_left h k
        example (a m n : Nat) : a ^ (m + n) = a ^ m * a ^ n := Nat.pow_add a m n
        example (m n : Nat) : Nat.gcd m n = Nat.gcd n m := Nat.gcd_comm m n
        example (k m n : Nat) (h : Nat.Coprime k m) (d : k ∣ m * n) : k ∣ n := h.dvd_of_dvd_mul_left d
        example (x y : Int) : x * y = 0 ↔ x = 0 ∨ y = 0 := by simp
        example (x y : Int) (h : 0 ≤ x) (k : 0 ≤ y) : 0 ≤ x * y := Int.mul_nonneg h k
        example (x y : Int) : y * (x / y) + x % y = x := Int.mul_ediv_add_emod x y
        example (p : Nat → Prop) (h : ∀ n, (∀ m, m < n → p m) → p n) (n : Nat) : p n := by
          induction n using Nat.strongRecOn with
          | ind n ih => exact h n ih
    """,
}


@pytest.mark.parametrize("topic", PROVED)
def test_true_statements_are_proved(topic: str, tmp_path: Path) -> None:
    errors = [m for m in run_lean(PROVED[topic].replace("\n        ", "\n"), tmp_path) if m.severity == "error"]
    assert errors == []


def test_omega_agrees_with_the_written_verdicts(tmp_path: Path) -> None:
    verdicts = [line.split("\t") for line in STATEMENTS.read_text(encoding="utf-8").splitlines()]
    source = "".join(f"theorem t{i} {BINDERS} : {text} := by omega\n" for i, (_, text) in enumerate(verdicts))
    errors = {m.line - 1: m.text for m in run_lean(source, tmp_path) if m.severity == "error"}
    assert set(errors) == {i for i, (verdict, _) in enumerate(verdicts) if verdict == "false"}
    assert all(text.startswith("omega could not prove the goal") for text in errors.values())


def test_omega_rests_on_the_three_axioms_of_lean(tmp_path: Path) -> None:
    verdicts = [line.split("\t") for line in STATEMENTS.read_text(encoding="utf-8").splitlines()]
    true = [text for verdict, text in verdicts if verdict == "true"][:15]
    source = "".join(
        f"theorem t{i} {BINDERS} : {text} := by omega\n#print axioms t{i}\n" for i, text in enumerate(true)
    )
    found = [m.text for m in run_lean(source, tmp_path) if "axioms" in m.text]
    assert len(found) == len(true)
    assert {name for text in found for name in re.findall(r"[\w.]+", text.partition("axioms:")[2])} <= AXIOMS


@pytest.mark.parametrize(
    "statement",
    [
        "theorem t (a b : Nat) : a - b + b = a := by omega",
        "theorem t (x : Int) : x / 2 * 2 = x := by omega",
        "theorem t (a b : Nat) : a + b = a := by ac_rfl",
        "theorem t (a b : Nat) : a - b = b - a := by ac_rfl",
        "theorem t (a b : Nat) : a + b + 1 ≤ a + b := by simp +arith",
        "theorem t (x y : Int) : 2 * x + 4 * y = 6 → x + y = 3 := by simp +arith",
        "theorem t : ∀ a < 10, a * a < 80 := by decide",
        "theorem t (x : Int) (h : x ≤ 3) : x.toNat ≤ 2 := by omega",
    ],
)
def test_false_statements_are_not_proved(statement: str, tmp_path: Path) -> None:
    assert [m.severity for m in run_lean(statement + "\n", tmp_path)] == ["error"]
