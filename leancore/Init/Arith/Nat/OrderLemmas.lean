prelude
import Init.Arith.Omega.Facts

/-! Lemmas on zero, successor, order and addition of natural numbers, under the names and statements of Lean's own
library, for `rw`, `simp` and `exact`. -/

namespace Nat

variable {a b c d k m n : Nat}

/-! ### Zero and successor -/

attribute [simp] succ_eq_add_one

theorem one_add (n : Nat) : 1 + n = succ n := Nat.add_comm 1 n
theorem succ_eq_one_add (n : Nat) : succ n = 1 + n := (one_add n).symm
theorem succ_add_eq_add_succ (a b : Nat) : succ a + b = a + succ b := succ_add a b
theorem add_one_inj : a + 1 = b + 1 ↔ a = b := by omega
theorem succ_inj' : succ a = succ b ↔ a = b := add_one_inj
theorem succ_ne_succ_iff : succ a ≠ succ b ↔ a ≠ b := not_congr add_one_inj

@[simp] theorem add_one_pos (n : Nat) : 0 < n + 1 := succ_pos n
@[simp] protected theorem zero_ne_one : 0 ≠ (1 : Nat) := nofun
@[simp] protected theorem one_ne_zero : 1 ≠ (0 : Nat) := nofun
protected theorem zero_lt_one : 0 < (1 : Nat) := succ_pos 0
protected theorem one_pos : 0 < 1 := succ_pos 0
protected theorem two_pos : 0 < 2 := succ_pos 1
protected theorem one_lt_two : 1 < 2 := .refl
theorem succ_ne_self (n : Nat) : succ n ≠ n := by omega
theorem add_one_ne_self (n : Nat) : n + 1 ≠ n := by omega
theorem exists_eq_succ_of_ne_zero (h : n ≠ 0) : ∃ k, n = succ k := match n, h with
  | 0, h => absurd rfl h
  | k + 1, _ => ⟨k, rfl⟩
theorem exists_eq_add_one_of_ne_zero (h : n ≠ 0) : ∃ k, n = k + 1 := exists_eq_succ_of_ne_zero h

@[simp] theorem pred_zero : pred 0 = 0 := rfl
@[simp] theorem pred_succ (n : Nat) : pred (succ n) = n := rfl
theorem pred_eq_sub_one (n : Nat) : pred n = n - 1 := rfl
theorem succ_pred (h : a ≠ 0) : succ (pred a) = a := by show a - 1 + 1 = a; omega
theorem succ_pred_eq_of_pos (h : 0 < n) : succ (pred n) = n := succ_pred (by omega)
theorem pred_le (n : Nat) : pred n ≤ n := by show n - 1 ≤ n; omega
theorem pred_lt (h : n ≠ 0) : pred n < n := by show n - 1 < n; omega
theorem pred_lt_of_lt (h : m < n) : pred n < n := pred_lt (by omega)

theorem eq_zero_or_pos (n : Nat) : n = 0 ∨ 0 < n := by omega
protected theorem eq_zero_or_eq_succ_pred (n : Nat) : n = 0 ∨ n = succ (pred n) := by
  show n = 0 ∨ n = n - 1 + 1; omega
theorem zero_lt_of_lt (h : a < b) : 0 < b := by omega
theorem zero_lt_of_ne_zero (h : a ≠ 0) : 0 < a := by omega
theorem pos_of_lt (h : a < b) : 0 < b := by omega
protected theorem pos_iff_ne_zero : 0 < n ↔ n ≠ 0 := by omega
theorem ne_zero_of_lt (h : b < a) : a ≠ 0 := by omega
theorem ne_zero_iff_zero_lt : n ≠ 0 ↔ 0 < n := by omega
theorem eq_zero_of_le_zero (h : n ≤ 0) : n = 0 := by omega
theorem eq_zero_of_not_pos (h : ¬0 < n) : n = 0 := by omega
@[simp] theorem le_zero_eq (n : Nat) : (n ≤ 0) = (n = 0) := propext (by omega)
protected theorem le_zero : n ≤ 0 ↔ n = 0 := by omega
protected theorem not_lt_zero' : ¬n < 0 := by omega
@[simp] theorem lt_one_iff : n < 1 ↔ n = 0 := by omega
theorem one_le_iff_ne_zero : 1 ≤ n ↔ n ≠ 0 := by omega
theorem le_one_iff_eq_zero_or_eq_one : n ≤ 1 ↔ n = 0 ∨ n = 1 := by omega

/-! ### Order and successor -/

theorem succ_le_of_lt (h : n < m) : succ n ≤ m := h
theorem lt_of_succ_le (h : succ n ≤ m) : n < m := h
theorem succ_le : succ n ≤ m ↔ n < m := Iff.rfl
theorem lt_iff_add_one_le : m < n ↔ m + 1 ≤ n := Iff.rfl
theorem add_one_le_iff : n + 1 ≤ m ↔ n < m := Iff.rfl
theorem add_one_le_of_lt (h : n < m) : n + 1 ≤ m := h
theorem lt_of_add_one_le (h : n + 1 ≤ m) : n < m := h
theorem le_of_succ_le (h : succ n ≤ m) : n ≤ m := by omega
theorem lt_of_succ_lt (h : succ n < m) : n < m := by omega
theorem lt_succ_self (n : Nat) : n < succ n := .refl
@[simp] theorem lt_add_one (n : Nat) : n < n + 1 := .refl
protected theorem lt_add_one_of_le (h : n ≤ m) : n < m + 1 := by omega
protected theorem lt_add_one_iff : m < n + 1 ↔ m ≤ n := by omega
theorem lt_succ : m < succ n ↔ m ≤ n := by omega
theorem lt_succ_iff : m < succ n ↔ m ≤ n := by omega
theorem le_of_lt_add_one (h : n < m + 1) : n ≤ m := by omega
theorem lt_succ_of_lt (h : a < b) : a < succ b := by omega
theorem lt_add_one_of_lt (h : a < b) : a < b + 1 := by omega
theorem succ_lt_succ (h : n < m) : succ n < succ m := by omega
theorem lt_of_succ_lt_succ (h : succ n < succ m) : n < m := by omega
theorem succ_le_succ_iff : succ a ≤ succ b ↔ a ≤ b := by omega
theorem succ_lt_succ_iff : succ a < succ b ↔ a < b := by omega
theorem le_succ_iff : m ≤ succ n ↔ m ≤ n ∨ m = succ n := by omega
theorem lt_succ_iff_lt_or_eq : a < succ b ↔ a < b ∨ a = b := by omega
theorem le_or_eq_of_le_succ (h : m ≤ succ n) : m ≤ n ∨ m = succ n := by omega
theorem not_succ_lt_self : ¬succ n < n := by omega
theorem le_pred_of_lt (h : n < m) : n ≤ m - 1 := by omega
theorem le_sub_one_of_lt (h : a < b) : a ≤ b - 1 := by omega
theorem lt_pred_iff : a < pred b ↔ succ a < b := by show a < b - 1 ↔ a + 1 < b; omega

/-! ### Order -/

protected theorem le_of_eq (h : n = m) : n ≤ m := by omega
protected theorem le_rfl : n ≤ n := Nat.le_refl n
protected theorem ge_of_eq (h : a = b) : b ≤ a := by omega
protected theorem le_of_lt_or_eq (h : m < n ∨ m = n) : m ≤ n := by omega
protected theorem lt_of_le_of_ne (h₁ : n ≤ m) (h₂ : n ≠ m) : n < m := by omega
protected theorem lt_of_lt_of_eq (h₁ : n < m) (h₂ : m = k) : n < k := by omega
protected theorem lt_of_eq_of_lt (h₁ : n = m) (h₂ : m < k) : n < k := by omega
protected theorem le_of_eq_or_lt (h : m = n ∨ m < n) : m ≤ n := by omega
theorem ne_of_gt (h : b < a) : a ≠ b := by omega
theorem ne_of_lt (h : a < b) : a ≠ b := by omega
theorem ne_of_lt' (h : b < a) : a ≠ b := by omega
protected theorem lt_asymm (h : a < b) : ¬b < a := by omega
protected theorem not_le_of_gt (h : n > m) : ¬n ≤ m := by omega
protected theorem not_le_of_lt (h : a < b) : ¬b ≤ a := by omega
protected theorem not_lt_of_ge (h : b ≥ a) : ¬b < a := by omega
protected theorem not_lt_of_le (h : a ≤ b) : ¬b < a := by omega
theorem gt_of_not_le (h : ¬n ≤ m) : n > m := by omega
theorem ge_of_not_lt (h : ¬n < m) : n ≥ m := by omega
protected theorem lt_of_not_ge (h : ¬n ≥ m) : n < m := by omega
protected theorem le_of_not_ge (h : ¬a ≥ b) : a ≤ b := by omega
protected theorem le_of_not_le (h : ¬b ≤ a) : a ≤ b := by omega
protected theorem le_of_not_gt (h : ¬b > a) : b ≤ a := by omega
protected theorem not_lt_eq_le (h : ¬a < b) : b ≤ a := by omega
protected theorem lt_iff_le_not_le : m < n ↔ m ≤ n ∧ ¬n ≤ m := by omega
protected theorem lt_iff_le_and_ne : m < n ↔ m ≤ n ∧ m ≠ n := by omega
protected theorem lt_iff_le_and_not_ge : m < n ↔ m ≤ n ∧ ¬n ≤ m := by omega
protected theorem le_antisymm_iff : n = m ↔ n ≤ m ∧ m ≤ n := by omega
protected theorem eq_iff_le_and_ge : n = m ↔ n ≤ m ∧ m ≤ n := by omega
protected theorem ne_iff_lt_or_gt : a ≠ b ↔ a < b ∨ b < a := by omega
protected theorem lt_or_lt_of_ne (h : a ≠ b) : a < b ∨ b < a := by omega
protected theorem lt_or_eq_of_le (h : n ≤ m) : n < m ∨ n = m := by omega
protected theorem eq_or_lt_of_le (h : n ≤ m) : n = m ∨ n < m := by omega
protected theorem eq_or_lt_of_not_lt (h : ¬a < b) : a = b ∨ b < a := by omega
protected theorem le_iff_lt_or_eq : n ≤ m ↔ n < m ∨ n = m := by omega
protected theorem lt_or_le (a b : Nat) : a < b ∨ b ≤ a := by omega
protected theorem le_or_lt (a b : Nat) : a ≤ b ∨ b < a := by omega
protected theorem lt_trichotomy (a b : Nat) : a < b ∨ a = b ∨ b < a := by omega
protected theorem eq_of_le_of_lt_succ (h₁ : n ≤ m) (h₂ : m < n + 1) : m = n := by omega
protected theorem eq_of_lt_succ_of_not_lt (h₁ : a < b + 1) (h₂ : ¬a < b) : a = b := by omega

instance : Trans (α := Nat) (· < ·) (· < ·) (· < ·) := ⟨Nat.lt_trans⟩
instance : Trans (α := Nat) (· ≤ ·) (· ≤ ·) (· ≤ ·) := ⟨Nat.le_trans⟩
instance : Trans (α := Nat) (· < ·) (· ≤ ·) (· < ·) := ⟨Nat.lt_of_lt_of_le⟩
instance : Trans (α := Nat) (· ≤ ·) (· < ·) (· < ·) := ⟨Nat.lt_of_le_of_lt⟩

/-! ### Order and addition -/

attribute [simp] le_add_right le_add_left

protected theorem add_lt_add_left (h : n < m) (k : Nat) : k + n < k + m := by omega
protected theorem add_lt_add_right (h : n < m) (k : Nat) : n + k < m + k := by omega
protected theorem add_lt_add (h₁ : a < b) (h₂ : c < d) : a + c < b + d := by omega
protected theorem add_lt_add_of_le_of_lt (h₁ : a ≤ b) (h₂ : c < d) : a + c < b + d := by omega
protected theorem add_lt_add_of_lt_of_le (h₁ : a < b) (h₂ : c ≤ d) : a + c < b + d := by omega
protected theorem le_of_add_le_add_right (h : a + b ≤ c + b) : a ≤ c := by omega
protected theorem lt_of_add_lt_add_left (h : n + k < n + m) : k < m := by omega
protected theorem lt_of_add_lt_add_right (h : k + n < m + n) : k < m := by omega
@[simp] protected theorem add_le_add_iff_left : n + k ≤ n + m ↔ k ≤ m := by omega
@[simp] protected theorem add_le_add_iff_right : m + n ≤ k + n ↔ m ≤ k := by omega
@[simp] protected theorem add_lt_add_iff_left : k + n < k + m ↔ n < m := by omega
@[simp] protected theorem add_lt_add_iff_right : n + k < m + k ↔ n < m := by omega
@[simp] protected theorem add_left_cancel_iff : n + m = n + k ↔ m = k := by omega
@[simp] protected theorem add_right_cancel_iff : m + n = k + n ↔ m = k := by omega
theorem le_of_add_right_le (h : n + k ≤ m) : n ≤ m := by omega
theorem le_of_add_left_le (h : n + k ≤ m) : k ≤ m := by omega
theorem le_add_right_of_le (h : n ≤ m) : n ≤ m + k := by omega
theorem le_add_left_of_le (h : n ≤ m) : n ≤ k + m := by omega
theorem lt_add_of_pos_right (h : 0 < k) : n < n + k := by omega
theorem lt_add_of_pos_left (h : 0 < k) : n < k + n := by omega
theorem lt_add_right (c : Nat) (h : a < b) : a < b + c := by omega
theorem lt_add_left (c : Nat) (h : a < b) : a < c + b := by omega
theorem lt_of_add_one_lt (h : n + 1 < m) : n < m := by omega
theorem lt_of_add_left_lt (h : m + k < n) : k < n := by omega
theorem lt_of_add_right_lt (h : m + k < n) : m < n := by omega
protected theorem pos_of_lt_add_right (h : n < n + k) : 0 < k := by omega
protected theorem pos_of_lt_add_left (h : n < k + n) : 0 < k := by omega
theorem add_pos_left (h : 0 < m) (n : Nat) : 0 < m + n := by omega
theorem add_pos_right (m : Nat) (h : 0 < n) : 0 < m + n := by omega
protected theorem add_pos_iff_pos_or_pos : 0 < m + n ↔ 0 < m ∨ 0 < n := by omega
theorem eq_zero_of_add_eq_zero (h : n + m = 0) : n = 0 ∧ m = 0 := by omega
protected theorem eq_zero_of_add_eq_zero_left (h : n + m = 0) : m = 0 := by omega
protected theorem eq_zero_of_add_eq_zero_right (h : n + m = 0) : n = 0 := by omega
protected theorem add_eq_zero_iff : n + m = 0 ↔ n = 0 ∧ m = 0 := by omega
@[simp] protected theorem add_eq_left : a + b = a ↔ b = 0 := by omega
@[simp] protected theorem add_eq_right : a + b = b ↔ a = 0 := by omega
@[simp] protected theorem left_eq_add : a = a + b ↔ b = 0 := by omega
@[simp] protected theorem right_eq_add : b = a + b ↔ a = 0 := by omega
theorem add_eq_one_iff : m + n = 1 ↔ m = 0 ∧ n = 1 ∨ m = 1 ∧ n = 0 := by omega
protected theorem add_self_ne_one (n : Nat) : n + n ≠ 1 := by omega
protected theorem add_add_add_comm (a b c d : Nat) : a + b + (c + d) = a + c + (b + d) := by omega
theorem exists_eq_add_of_le (h : m ≤ n) : ∃ k, n = m + k := ⟨n - m, by omega⟩
theorem exists_eq_add_of_le' (h : m ≤ n) : ∃ k, n = k + m := ⟨n - m, by omega⟩
theorem exists_eq_add_of_lt (h : m < n) : ∃ k, n = m + k + 1 := ⟨n - (m + 1), by omega⟩
protected theorem le_iff_exists_add : m ≤ n ↔ ∃ k, n = m + k := ⟨exists_eq_add_of_le, fun ⟨k, h⟩ => by omega⟩
theorem two_mul (n : Nat) : 2 * n = n + n := by omega
theorem mul_two (n : Nat) : n * 2 = n + n := by omega

/-! ### Induction -/

section
universe u
variable {motive : Nat → Sort u} (ind : ∀ n, (∀ m, m < n → motive m) → motive n)

/-- all numbers below a bound; structural on the bound, so that it reduces -/
def strongRecBelow : (n m : Nat) → m < n → motive m
  | 0, m, h => absurd h (not_lt_zero m)
  | n + 1, m, h => ind m fun k hk => strongRecBelow n k (Nat.lt_of_lt_of_le hk (le_of_lt_succ h))

/-- recursion with all smaller numbers at hand -/
@[elab_as_elim] protected def strongRecOn (n : Nat) (ind : ∀ n, (∀ m, m < n → motive m) → motive n) : motive n :=
  ind n (strongRecBelow ind n)

end

end Nat
