prelude
import Init.Arith.Omega.BalancedMod

/-!
Facts that `omega` adds when it meets `min`, `max`, `natAbs`, `toNat`, a power of two numerals or an element of
`Fin n`. With these files the tactic is complete, so from here on it proves lemmas itself.
-/

universe u

namespace Int

protected theorem min_le_left (a b : Int) : min a b ≤ a := by rw [Int.min_def]; split <;> omega
protected theorem min_le_right (a b : Int) : min a b ≤ b := by rw [Int.min_def]; split <;> omega
protected theorem le_max_left (a b : Int) : a ≤ max a b := by rw [Int.max_def]; split <;> omega
protected theorem le_max_right (a b : Int) : b ≤ max a b := by rw [Int.max_def]; split <;> omega

theorem negSucc_lt_zero (n : Nat) : negSucc n < 0 := by rw [negSucc_eq]; omega

theorem toNat_eq_max : (a : Int) → (toNat a : Int) = max a 0
  | ofNat n => by show (n : Int) = ite ((n : Int) ≤ 0) 0 (n : Int); split <;> omega
  | negSucc n => by
    show (0 : Int) = ite (negSucc n ≤ 0) 0 _
    have := negSucc_lt_zero n
    split <;> omega

theorem le_natAbs {a : Int} : a ≤ natAbs a := match a with
  | ofNat _ => Int.le_refl _
  | negSucc n => by
    have := negSucc_lt_zero n
    show negSucc n ≤ ((n + 1 : Nat) : Int)
    omega

end Int

namespace Lean.Omega.Int

theorem neg_le_natAbs {a : Int} : -a ≤ a.natAbs := match a with
  | .ofNat n => by show -(n : Int) ≤ n; omega
  | .negSucc _ => Int.le_refl _

theorem ofNat_natAbs (a : Int) : (a.natAbs : Int) = if 0 ≤ a then a else -a := match a with
  | .ofNat n => by
    show (n : Int) = ite (0 ≤ (n : Int)) _ _
    split
    next => rfl
    next => omega
  | .negSucc n => by
    have := Int.negSucc_lt_zero n
    split
    next => omega
    next => rfl

theorem ofNat_min (a b : Nat) : ((min a b : Nat) : Int) = min (a : Int) (b : Int) := by
  rw [Nat.min_def, Int.min_def]; split <;> split <;> omega

theorem ofNat_max (a b : Nat) : ((max a b : Nat) : Int) = max (a : Int) (b : Int) := by
  rw [Nat.max_def, Int.max_def]; split <;> split <;> omega

theorem pos_pow_of_pos (a : Int) (b : Nat) (h : 0 < a) : 0 < a ^ b := by
  induction b with
  | zero => show (0 : Int) < 1; decide
  | succ b ih =>
    have := Int.mul_nonneg (Int.sub_nonneg_of_le ih) (Int.sub_nonneg_of_le h)
    show 0 < a ^ b * a
    rw [Int.sub_eq_add_neg, Int.sub_eq_add_neg, Int.mul_add, Int.add_mul, Int.add_mul] at this
    omega

end Lean.Omega.Int

namespace Fin

variable {n : Nat} {a b : Fin n}

theorem val_congr (h : a = b) : a.val = b.val := h ▸ rfl
theorem val_le_of_le (h : a ≤ b) : a.val ≤ b.val := h
theorem val_le_of_ge (h : a ≥ b) : b.val ≤ a.val := h
theorem val_add_one_le_of_lt (h : a < b) : a.val + 1 ≤ b.val := h
theorem val_add_one_le_of_gt (h : a > b) : b.val + 1 ≤ a.val := h

end Fin

namespace Lean.Omega.Fin

variable {n : Nat} {i j : Fin n}

theorem le_of_not_lt (h : ¬i < j) : j ≤ i := _root_.Nat.le_of_not_lt h
theorem lt_of_not_le (h : ¬i ≤ j) : j < i := _root_.Nat.lt_of_not_le h
theorem lt_or_gt_of_ne (h : i ≠ j) : i < j ∨ i > j :=
  _root_.Nat.lt_or_gt_of_ne fun e => h (_root_.Fin.eq_of_val_eq e)

end Lean.Omega.Fin
