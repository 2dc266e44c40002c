prelude
import Init.Quote

/-!
`Nat` is a commutative semiring with cancellation. The base library proves what tactics themselves need
(`zero_add`, `succ_add`, `add_comm`, `add_assoc`, `zero_mul`); the rest is here.
-/

namespace Nat

protected theorem add_left_comm (n m k : Nat) : n + (m + k) = m + (n + k) := by
  rw [← Nat.add_assoc, Nat.add_comm n m, Nat.add_assoc]

protected theorem add_right_comm (n m k : Nat) : n + m + k = n + k + m := by
  rw [Nat.add_assoc, Nat.add_comm m k, Nat.add_assoc]

theorem succ_mul (n m : Nat) : succ n * m = n * m + m := by
  induction m with
  | zero => rfl
  | succ m ih =>
    show succ n * m + succ n = n * m + n + succ m
    rw [ih, Nat.add_succ, Nat.add_succ, Nat.add_right_comm]

protected theorem mul_comm (n m : Nat) : n * m = m * n := by
  induction m with
  | zero => rw [Nat.zero_mul, Nat.mul_zero]
  | succ m ih => show n * m + n = succ m * n; rw [succ_mul, ih]

protected theorem mul_add (n m k : Nat) : n * (m + k) = n * m + n * k := by
  induction k with
  | zero => rfl
  | succ k ih => show n * (m + k) + n = n * m + (n * k + n); rw [ih, Nat.add_assoc]

protected theorem add_mul (n m k : Nat) : (n + m) * k = n * k + m * k := by
  rw [Nat.mul_comm, Nat.mul_add, Nat.mul_comm k n, Nat.mul_comm k m]

protected theorem left_distrib (n m k : Nat) : n * (m + k) = n * m + n * k := Nat.mul_add n m k
protected theorem right_distrib (n m k : Nat) : (n + m) * k = n * k + m * k := Nat.add_mul n m k

protected theorem mul_assoc (n m k : Nat) : n * m * k = n * (m * k) := by
  induction k with
  | zero => rfl
  | succ k ih => show n * m * k + n * m = n * (m * k + m); rw [ih, Nat.mul_add]

protected theorem mul_left_comm (n m k : Nat) : n * (m * k) = m * (n * k) := by
  rw [← Nat.mul_assoc, Nat.mul_comm n m, Nat.mul_assoc]

protected theorem mul_right_comm (n m k : Nat) : n * m * k = n * k * m := by
  rw [Nat.mul_assoc, Nat.mul_comm m k, Nat.mul_assoc]

@[simp] protected theorem mul_one (n : Nat) : n * 1 = n := Nat.zero_add n
@[simp] protected theorem one_mul (n : Nat) : 1 * n = n := by rw [Nat.mul_comm, Nat.mul_one]

@[simp] protected theorem pow_zero (n : Nat) : n ^ 0 = 1 := rfl
protected theorem pow_succ {n m : Nat} : n ^ (m + 1) = n ^ m * n := rfl

protected theorem add_left_cancel {n m k : Nat} (h : n + m = n + k) : m = k := by
  induction n with
  | zero => rwa [Nat.zero_add, Nat.zero_add] at h
  | succ n ih => rw [Nat.succ_add, Nat.succ_add] at h; exact ih (succ.inj h)

protected theorem add_right_cancel {n m k : Nat} (h : n + m = k + m) : n = k := by
  rw [Nat.add_comm n, Nat.add_comm k] at h; exact Nat.add_left_cancel h

end Nat
