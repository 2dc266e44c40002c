prelude
import Init.Arith.Nat.OrderLemmas

/-! Lemmas on truncated subtraction of natural numbers. -/

namespace Nat

variable {a b c k l m n : Nat}

@[simp] theorem sub_le (n m : Nat) : n - m ≤ n := by omega
theorem sub_lt (h₁ : 0 < n) (h₂ : 0 < m) : n - m < n := by omega
theorem sub_add_eq (a b c : Nat) : a - (b + c) = a - b - c := by omega
theorem sub_one (n : Nat) : n - 1 = pred n := rfl
theorem succ_sub_one (n : Nat) : succ n - 1 = n := rfl
@[simp] protected theorem add_one_sub_one (n : Nat) : n + 1 - 1 = n := rfl
theorem add_sub_of_le (h : a ≤ b) : a + (b - a) = b := by omega
@[simp] protected theorem sub_add_cancel (h : m ≤ n) : n - m + m = n := by omega
protected theorem sub_one_add_one (h : a ≠ 0) : a - 1 + 1 = a := by omega
theorem sub_one_add_one_eq_of_pos (h : 0 < n) : n - 1 + 1 = n := by omega
protected theorem add_sub_assoc (h : k ≤ m) (n : Nat) : n + m - k = n + (m - k) := by omega
protected theorem sub_add_comm (h : k ≤ n) : n + m - k = n - k + m := by omega
protected theorem add_sub_add_sub_cancel (h₁ : c ≤ b) (h₂ : b ≤ a) : a - b + (b - c) = a - c := by omega
protected theorem sub_add_sub_cancel (h₁ : b ≤ a) (h₂ : c ≤ b) : a - b + (b - c) = a - c := by omega
protected theorem sub_right_comm (m n k : Nat) : m - n - k = m - k - n := by omega
protected theorem sub_self_add (n m : Nat) : n - (n + m) = 0 := by omega
theorem add_sub_self_left (a b : Nat) : a + b - a = b := by omega
theorem add_sub_self_right (a b : Nat) : a + b - b = a := by omega
theorem sub_sub_self (h : m ≤ n) : n - (n - m) = m := by omega
theorem succ_sub (h : n ≤ m) : succ m - n = succ (m - n) := by omega
theorem sub_succ' (m n : Nat) : m - succ n = m - n - 1 := rfl
theorem sub_eq_zero_iff_le : n - m = 0 ↔ n ≤ m := by omega
theorem le_of_sub_eq_zero (h : n - m = 0) : n ≤ m := by omega
theorem sub_pos_of_lt (h : m < n) : 0 < n - m := by omega
theorem sub_pos_iff_lt : 0 < n - m ↔ m < n := by omega
theorem zero_lt_sub_of_lt (h : m < n) : 0 < n - m := by omega
theorem lt_of_sub_pos (h : 0 < n - m) : m < n := by omega
theorem sub_ne_zero_of_lt (h : a < b) : b - a ≠ 0 := by omega
theorem sub_ne_zero_iff_lt : n - m ≠ 0 ↔ m < n := by omega
protected theorem sub_le_sub_left (h : n ≤ m) (k : Nat) : k - m ≤ k - n := by omega
protected theorem sub_le_sub_right (h : n ≤ m) (k : Nat) : n - k ≤ m - k := by omega
protected theorem sub_lt_sub_left (h₁ : k < m) (h₂ : k < n) : m - n < m - k := by omega
protected theorem sub_lt_sub_right (h₁ : c ≤ a) (h₂ : a < b) : a - c < b - c := by omega
theorem sub_le_of_le_add (h : a ≤ c + b) : a - b ≤ c := by omega
theorem le_add_of_sub_le (h : a - b ≤ c) : a ≤ c + b := by omega
theorem add_le_of_le_sub (hle : b ≤ c) (h : a ≤ c - b) : a + b ≤ c := by omega
theorem le_sub_of_add_le (h : a + b ≤ c) : a ≤ c - b := by omega
theorem add_lt_of_lt_sub (h : a < c - b) : a + b < c := by omega
theorem lt_sub_of_add_lt (h : a + b < c) : a < c - b := by omega
protected theorem sub_le_iff_le_add : a - b ≤ c ↔ a ≤ c + b := by omega
protected theorem sub_le_iff_le_add' : a - b ≤ c ↔ a ≤ b + c := by omega
protected theorem le_sub_iff_add_le (h : k ≤ m) : n ≤ m - k ↔ n + k ≤ m := by omega
protected theorem sub_lt_iff_lt_add (h : c ≤ a) : a - c < b ↔ a < b + c := by omega
protected theorem sub_lt_iff_lt_add' (h : c ≤ a) : a - c < b ↔ a < c + b := by omega
protected theorem lt_sub_iff_add_lt : a < c - b ↔ a + b < c := by omega
protected theorem sub_eq_of_eq_add (h : a = c + b) : a - b = c := by omega
protected theorem eq_add_of_sub_eq (hle : b ≤ a) (h : a - b = c) : a = c + b := by omega
protected theorem eq_sub_of_add_eq (h : a + b = c) : a = c - b := by omega
protected theorem sub_eq_iff_eq_add (h : b ≤ a) : a - b = c ↔ a = c + b := by omega
protected theorem sub_eq_iff_eq_add' (h : b ≤ a) : a - b = c ↔ a = b + c := by omega
@[simp] protected theorem add_sub_cancel' (h : m ≤ n) : m + (n - m) = n := by omega
@[simp] protected theorem sub_add_min_cancel (n m : Nat) : n - m + min n m = n := by omega
theorem sub_succ_lt_self (a i : Nat) (h : i < a) : a - (i + 1) < a - i := by omega
theorem sub_lt_self (h₁ : 0 < a) (h₂ : a ≤ b) : b - a < b := by omega
theorem sub_one_lt (h : n ≠ 0) : n - 1 < n := by omega
theorem sub_one_lt_of_lt (h : n < m) : m - 1 < m := by omega
theorem sub_one_lt_iff : n - 1 < n ↔ 0 < n := by omega
theorem sub_one_le_of_le_succ (h : n ≤ m + 1) : n - 1 ≤ m := by omega
theorem lt_sub_iff_add_lt' : a < c - b ↔ b + a < c := by omega
theorem le_sub_iff_add_le' (h : k ≤ m) : n ≤ m - k ↔ k + n ≤ m := by omega
theorem sub_le_sub_iff_left (h : k ≤ n) : n - m ≤ n - k ↔ k ≤ m := by omega
theorem sub_le_sub_iff_right (h : k ≤ n) : m - k ≤ n - k ↔ m ≤ n := by omega
theorem sub_sub_eq_min (a b : Nat) : a - (a - b) = min a b := by omega
protected theorem sub_add_eq_max (a b : Nat) : a - b + b = max a b := by omega
theorem lt_of_sub_ne_zero (h : n - m ≠ 0) : m < n := by omega
theorem pred_lt_pred (h₁ : n ≠ 0) (h₂ : n < m) : pred n < pred m := by show n - 1 < m - 1; omega
theorem sub_lt_of_lt (h : a < b) : a - c < b := by omega

protected theorem mul_sub_right_distrib (n m k : Nat) : (n - m) * k = n * k - m * k := by
  cases Nat.le_total n m with
  | inl h =>
    rw [Nat.sub_eq_zero_of_le h, Nat.zero_mul, Nat.mul_comm n, Nat.mul_comm m,
      Nat.sub_eq_zero_of_le (Nat.mul_le_mul_left k h)]
  | inr h => rcases exists_eq_add_of_le' h with ⟨d, rfl⟩; rw [Nat.add_mul, Nat.add_sub_cancel, Nat.add_sub_cancel]

protected theorem mul_sub_left_distrib (n m k : Nat) : n * (m - k) = n * m - n * k := by
  rw [Nat.mul_comm, Nat.mul_sub_right_distrib, Nat.mul_comm m, Nat.mul_comm k]

protected theorem sub_mul (n m k : Nat) : (n - m) * k = n * k - m * k := Nat.mul_sub_right_distrib n m k
protected theorem mul_sub (n m k : Nat) : n * (m - k) = n * m - n * k := Nat.mul_sub_left_distrib n m k
theorem mul_pred (n m : Nat) : n * pred m = n * m - n := by
  show n * (m - 1) = _; rw [Nat.mul_sub, Nat.mul_one]
protected theorem sub_one_mul (n m : Nat) : (n - 1) * m = n * m - m := by rw [Nat.sub_mul, Nat.one_mul]
protected theorem mul_sub_one (n m : Nat) : n * (m - 1) = n * m - n := by rw [Nat.mul_sub, Nat.mul_one]

end Nat
