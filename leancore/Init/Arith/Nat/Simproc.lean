prelude
import Init.Arith.Omega.Facts

/-! Lemmas that compiled simplification procedures name: numerals in equations and inequalities, and `∣` between
literals. -/

namespace Nat

theorem not_le_eq (a b : Nat) : (¬a ≤ b) = (b + 1 ≤ a) := propext Nat.not_le
theorem not_ge_eq (a b : Nat) : (¬a ≥ b) = (a + 1 ≤ b) := propext Nat.not_le
theorem not_lt_eq (a b : Nat) : (¬a < b) = (b ≤ a) := propext Nat.not_lt
theorem not_gt_eq (a b : Nat) : (¬a > b) = (a ≤ b) := propext Nat.not_lt

theorem dvd_eq_true_of_mod_eq_zero {m n : Nat} (h : (n % m == 0) = true) : (m ∣ n) = True :=
  eq_true (dvd_of_mod_eq_zero (of_decide_eq_true h))

theorem dvd_eq_false_of_mod_ne_zero {m n : Nat} (h : not (n % m == 0) = true) : (m ∣ n) = False :=
  eq_false fun k => by rw [mod_eq_zero_of_dvd k] at h; exact Bool.noConfusion h

namespace Simproc

-- The procedures pass arguments by position, so the order of the binders is part of the statement.
theorem add_eq_gt (a : Nat) {b c : Nat} (h : b > c) : (a + b = c) = False := eq_false (by omega)
theorem eq_add_gt {a b c : Nat} (h : c > a) : (a = b + c) = False := eq_false (by omega)
theorem add_eq_le (a : Nat) {b c : Nat} (h : b ≤ c) : (a + b = c) = (a = c - b) := propext (by omega)
theorem eq_add_le {a : Nat} (b : Nat) {c : Nat} (h : c ≤ a) : (a = b + c) = (b = a - c) := propext (by omega)
theorem add_eq_add_le (a c : Nat) {b d : Nat} (h : b ≤ d) : (a + b = c + d) = (a = c + (d - b)) :=
  propext (by omega)
theorem add_eq_add_ge (a c : Nat) {b d : Nat} (h : b ≥ d) : (a + b = c + d) = (a + (b - d) = c) :=
  propext (by omega)

theorem add_le_gt (a : Nat) {b c : Nat} (h : b > c) : (a + b ≤ c) = False := eq_false (by omega)
theorem le_add_le (a : Nat) {b c : Nat} (h : a ≤ c) : (a ≤ b + c) = True := eq_true (by omega)
theorem add_le_le (a : Nat) {b c : Nat} (h : b ≤ c) : (a + b ≤ c) = (a ≤ c - b) := propext (by omega)
theorem le_add_ge (a : Nat) {b c : Nat} (h : a ≥ c) : (a ≤ b + c) = (a - c ≤ b) := propext (by omega)
theorem add_le_add_le (a c : Nat) {b d : Nat} (h : b ≤ d) : (a + b ≤ c + d) = (a ≤ c + (d - b)) :=
  propext (by omega)
theorem add_le_add_ge (a c : Nat) {b d : Nat} (h : b ≥ d) : (a + b ≤ c + d) = (a + (b - d) ≤ c) :=
  propext (by omega)

theorem add_sub_le (a : Nat) {b c : Nat} (h : b ≤ c) : a + b - c = a - (c - b) := by omega
theorem sub_add_eq_comm (a b c : Nat) : a - (b + c) = a - c - b := by omega
theorem add_sub_add_le (a c : Nat) {b d : Nat} (h : b ≤ d) : a + b - (c + d) = a - (c + (d - b)) := by omega
theorem add_sub_add_ge (a c : Nat) {b d : Nat} (h : b ≥ d) : a + b - (c + d) = a + (b - d) - c := by omega

variable {a b c d : Nat}

theorem beqEqOfEqEq (h : (a = b) = (c = d)) : (a == b) = (c == d) :=
  if e : a = b then (decide_eq_true e).trans (decide_eq_true (cast h e)).symm
  else (decide_eq_false e).trans (decide_eq_false (cast (congrArg Not h) e)).symm
theorem beqFalseOfEqFalse (h : (a = b) = False) : (a == b) = false := decide_eq_false (of_eq_false h)
theorem bneEqOfEqEq (h : (a = b) = (c = d)) : (a != b) = (c != d) := congrArg not (beqEqOfEqEq h)
theorem bneTrueOfEqFalse (h : (a = b) = False) : (a != b) = true := congrArg not (beqFalseOfEqFalse h)

end Simproc
end Nat

namespace Int

theorem not_le_eq (a b : Int) : (¬a ≤ b) = (b + 1 ≤ a) := propext Int.not_le
theorem not_ge_eq (a b : Int) : (¬a ≥ b) = (a + 1 ≤ b) := propext Int.not_le
theorem not_lt_eq (a b : Int) : (¬a < b) = (b ≤ a) := propext Int.not_lt
theorem not_gt_eq (a b : Int) : (¬a > b) = (a ≤ b) := propext Int.not_lt

theorem dvd_eq_true_of_mod_eq_zero {m n : Int} (h : (n % m == 0) = true) : (m ∣ n) = True :=
  eq_true (dvd_of_emod_eq_zero (of_decide_eq_true h))

theorem dvd_eq_false_of_mod_ne_zero {m n : Int} (h : not (n % m == 0) = true) : (m ∣ n) = False :=
  eq_false fun k => by rw [emod_eq_zero_of_dvd k] at h; exact Bool.noConfusion h

end Int
