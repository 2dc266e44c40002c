prelude
import Init.Arith.Nat.OrderLemmas

/-! Lemmas on minimum and maximum of natural numbers. -/

namespace Nat

variable {a b c : Nat}

protected theorem min_comm (a b : Nat) : min a b = min b a := by omega
protected theorem min_assoc (a b c : Nat) : min (min a b) c = min a (min b c) := by omega
@[simp] protected theorem min_self (a : Nat) : min a a = a := by omega
protected theorem min_le_left (a b : Nat) : min a b ≤ a := by omega
protected theorem min_le_right (a b : Nat) : min a b ≤ b := by omega
protected theorem min_eq_left (h : a ≤ b) : min a b = a := by omega
protected theorem min_eq_right (h : b ≤ a) : min a b = b := by omega
protected theorem le_min : a ≤ min b c ↔ a ≤ b ∧ a ≤ c := by omega
protected theorem le_min_of_le_of_le (h₁ : a ≤ b) (h₂ : a ≤ c) : a ≤ min b c := by omega
protected theorem lt_min : a < min b c ↔ a < b ∧ a < c := by omega
protected theorem min_lt_of_lt_left (h : a < c) : min a b < c := by omega
protected theorem min_lt_of_lt_right (h : b < c) : min a b < c := by omega
@[simp] protected theorem zero_min (a : Nat) : min 0 a = 0 := by omega
@[simp] protected theorem min_zero (a : Nat) : min a 0 = 0 := by omega
protected theorem min_eq_left_iff : min a b = a ↔ a ≤ b := by omega
protected theorem min_eq_right_iff : min a b = b ↔ b ≤ a := by omega
protected theorem min_le : min a b ≤ c ↔ a ≤ c ∨ b ≤ c := by omega
protected theorem add_min_add_left (a b c : Nat) : min (a + b) (a + c) = a + min b c := by omega
protected theorem add_min_add_right (a b c : Nat) : min (a + c) (b + c) = min a b + c := by omega
protected theorem sub_eq_sub_min (n m : Nat) : n - m = n - min n m := by omega

protected theorem max_comm (a b : Nat) : max a b = max b a := by omega
protected theorem max_assoc (a b c : Nat) : max (max a b) c = max a (max b c) := by omega
@[simp] protected theorem max_self (a : Nat) : max a a = a := by omega
protected theorem le_max_left (a b : Nat) : a ≤ max a b := by omega
protected theorem le_max_right (a b : Nat) : b ≤ max a b := by omega
protected theorem max_eq_left (h : b ≤ a) : max a b = a := by omega
protected theorem max_eq_right (h : a ≤ b) : max a b = b := by omega
protected theorem max_le : max a b ≤ c ↔ a ≤ c ∧ b ≤ c := by omega
protected theorem max_le_of_le_of_le (h₁ : a ≤ c) (h₂ : b ≤ c) : max a b ≤ c := by omega
protected theorem max_lt : max a b < c ↔ a < c ∧ b < c := by omega
protected theorem lt_max_of_lt_left (h : a < b) : a < max b c := by omega
protected theorem lt_max_of_lt_right (h : a < c) : a < max b c := by omega
@[simp] protected theorem zero_max (a : Nat) : max 0 a = a := by omega
@[simp] protected theorem max_zero (a : Nat) : max a 0 = a := by omega
protected theorem max_eq_left_iff : max a b = a ↔ b ≤ a := by omega
protected theorem max_eq_right_iff : max a b = b ↔ a ≤ b := by omega
protected theorem le_max : a ≤ max b c ↔ a ≤ b ∨ a ≤ c := by omega
protected theorem add_max_add_left (a b c : Nat) : max (a + b) (a + c) = a + max b c := by omega
protected theorem add_max_add_right (a b c : Nat) : max (a + c) (b + c) = max a b + c := by omega

protected theorem min_max_distrib_left (a b c : Nat) : min a (max b c) = max (min a b) (min a c) := by omega
protected theorem max_min_distrib_left (a b c : Nat) : max a (min b c) = min (max a b) (max a c) := by omega
protected theorem min_max_distrib_right (a b c : Nat) : min (max a b) c = max (min a c) (min b c) := by omega
protected theorem max_min_distrib_right (a b c : Nat) : max (min a b) c = min (max a c) (max b c) := by omega
theorem succ_min_succ (a b : Nat) : min (succ a) (succ b) = succ (min a b) := by omega
theorem succ_max_succ (a b : Nat) : max (succ a) (succ b) = succ (max a b) := by omega
@[simp] protected theorem min_self_assoc : min a (min a b) = min a b := by omega
@[simp] protected theorem max_self_assoc : max a (max a b) = max a b := by omega

end Nat
