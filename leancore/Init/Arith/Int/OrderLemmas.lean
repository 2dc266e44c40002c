prelude
import Init.Arith.Int.Lemmas

/-! Lemmas on the order of integers: sums, products, minimum, maximum, absolute value, natural part, sign. -/

namespace Int

variable {a b c d x y : Int}

/-! ### Order -/

protected theorem le_rfl : a ≤ a := Int.le_refl a
protected theorem le_of_eq (h : a = b) : a ≤ b := by omega
protected theorem le_of_lt (h : a < b) : a ≤ b := by omega
@[simp] protected theorem lt_irrefl (a : Int) : ¬a < a := by omega
protected theorem lt_trans (h₁ : a < b) (h₂ : b < c) : a < c := by omega
protected theorem lt_of_lt_of_le (h₁ : a < b) (h₂ : b ≤ c) : a < c := by omega
protected theorem lt_of_le_of_lt (h₁ : a ≤ b) (h₂ : b < c) : a < c := by omega
protected theorem lt_asymm (h : a < b) : ¬b < a := by omega
protected theorem le_total (a b : Int) : a ≤ b ∨ b ≤ a := by omega
protected theorem lt_trichotomy (a b : Int) : a < b ∨ a = b ∨ b < a := by omega
protected theorem lt_or_le (a b : Int) : a < b ∨ b ≤ a := by omega
protected theorem le_or_lt (a b : Int) : a ≤ b ∨ b < a := by omega
protected theorem ne_of_lt (h : a < b) : a ≠ b := by omega
protected theorem ne_iff_lt_or_gt : a ≠ b ↔ a < b ∨ b < a := by omega
protected theorem lt_of_not_ge (h : ¬a ≤ b) : b < a := by omega
protected theorem not_le_of_gt (h : b < a) : ¬a ≤ b := by omega
protected theorem not_lt_of_ge (h : b ≤ a) : ¬a < b := by omega
protected theorem lt_iff_le_and_ne : a < b ↔ a ≤ b ∧ a ≠ b := by omega
protected theorem lt_iff_le_not_le : a < b ↔ a ≤ b ∧ ¬b ≤ a := by omega
protected theorem le_iff_lt_or_eq : a ≤ b ↔ a < b ∨ a = b := by omega
protected theorem lt_of_le_of_ne (h₁ : a ≤ b) (h₂ : a ≠ b) : a < b := by omega
theorem le_antisymm_iff : a = b ↔ a ≤ b ∧ b ≤ a := by omega
theorem lt_iff_add_one_le : a < b ↔ a + 1 ≤ b := Iff.rfl
theorem add_one_le_iff : a + 1 ≤ b ↔ a < b := Iff.rfl
theorem lt_add_one_iff : a < b + 1 ↔ a ≤ b := by omega
theorem lt_add_one_of_le (h : a ≤ b) : a < b + 1 := by omega
theorem le_of_lt_add_one (h : a < b + 1) : a ≤ b := by omega
theorem lt_add_one (a : Int) : a < a + 1 := by omega
protected theorem zero_lt_one : (0 : Int) < 1 := by decide

instance : Trans (α := Int) (· < ·) (· < ·) (· < ·) := ⟨Int.lt_trans⟩
instance : Trans (α := Int) (· ≤ ·) (· ≤ ·) (· ≤ ·) := ⟨Int.le_trans⟩
instance : Trans (α := Int) (· < ·) (· ≤ ·) (· < ·) := ⟨Int.lt_of_lt_of_le⟩
instance : Trans (α := Int) (· ≤ ·) (· < ·) (· < ·) := ⟨Int.lt_of_le_of_lt⟩

protected theorem add_le_add_left (h : a ≤ b) (c : Int) : c + a ≤ c + b := by omega
protected theorem add_le_add_right (h : a ≤ b) (c : Int) : a + c ≤ b + c := by omega
protected theorem add_lt_add_left (h : a < b) (c : Int) : c + a < c + b := by omega
protected theorem add_lt_add_right (h : a < b) (c : Int) : a + c < b + c := by omega
protected theorem add_lt_add (h₁ : a < b) (h₂ : c < d) : a + c < b + d := by omega
protected theorem le_of_add_le_add_left (h : a + b ≤ a + c) : b ≤ c := by omega
protected theorem le_of_add_le_add_right (h : a + b ≤ c + b) : a ≤ c := by omega
@[simp] protected theorem add_le_add_iff_left (a : Int) : a + b ≤ a + c ↔ b ≤ c := by omega
@[simp] protected theorem add_le_add_iff_right (c : Int) : a + c ≤ b + c ↔ a ≤ b := by omega
@[simp] protected theorem add_lt_add_iff_left (a : Int) : a + b < a + c ↔ b < c := by omega
@[simp] protected theorem add_lt_add_iff_right (c : Int) : a + c < b + c ↔ a < b := by omega
protected theorem neg_lt_neg (h : a < b) : -b < -a := by omega
protected theorem neg_le_neg_iff : -a ≤ -b ↔ b ≤ a := by omega
protected theorem neg_lt_neg_iff : -a < -b ↔ b < a := by omega
protected theorem neg_nonneg_of_nonpos (h : a ≤ 0) : 0 ≤ -a := by omega
protected theorem neg_nonpos_of_nonneg (h : 0 ≤ a) : -a ≤ 0 := by omega
protected theorem neg_pos_of_neg (h : a < 0) : 0 < -a := by omega
protected theorem neg_neg_of_pos (h : 0 < a) : -a < 0 := by omega
protected theorem sub_nonneg : 0 ≤ a - b ↔ b ≤ a := by omega
protected theorem sub_pos : 0 < a - b ↔ b < a := by omega
protected theorem sub_pos_of_lt (h : b < a) : 0 < a - b := by omega
protected theorem lt_of_sub_pos (h : 0 < a - b) : b < a := by omega
protected theorem sub_left_le_of_le_add (h : a ≤ b + c) : a - b ≤ c := by omega
protected theorem le_add_of_sub_left_le (h : a - b ≤ c) : a ≤ b + c := by omega
protected theorem sub_le_iff_le_add : a - c ≤ b ↔ a ≤ b + c := by omega
protected theorem le_sub_iff_add_le : a ≤ c - b ↔ a + b ≤ c := by omega
protected theorem sub_lt_iff_lt_add : a - c < b ↔ a < b + c := by omega
protected theorem lt_sub_iff_add_lt : a < c - b ↔ a + b < c := by omega
protected theorem sub_le_sub_left (h : a ≤ b) (c : Int) : c - b ≤ c - a := by omega
protected theorem sub_le_sub_right (h : a ≤ b) (c : Int) : a - c ≤ b - c := by omega
protected theorem sub_le_self (a : Int) (h : 0 ≤ b) : a - b ≤ a := by omega
protected theorem le_add_of_nonneg_right (h : 0 ≤ b) : a ≤ a + b := by omega
protected theorem le_add_of_nonneg_left (h : 0 ≤ b) : a ≤ b + a := by omega
protected theorem add_nonneg (ha : 0 ≤ a) (hb : 0 ≤ b) : 0 ≤ a + b := by omega
protected theorem add_pos (ha : 0 < a) (hb : 0 < b) : 0 < a + b := by omega

theorem lt_of_add_one_le (h : a + 1 ≤ b) : a < b := h
theorem le_sub_one_of_lt (h : a < b) : a ≤ b - 1 := by omega
theorem lt_of_le_sub_one (h : a ≤ b - 1) : a < b := by omega
theorem le_add_one (h : a ≤ b) : a ≤ b + 1 := by omega
protected theorem le_of_not_le (h : ¬a ≤ b) : b ≤ a := by omega
protected theorem eq_iff_le_and_ge : a = b ↔ a ≤ b ∧ b ≤ a := by omega
protected theorem add_lt_add_of_le_of_lt (h₁ : a ≤ b) (h₂ : c < d) : a + c < b + d := by omega
protected theorem add_lt_add_of_lt_of_le (h₁ : a < b) (h₂ : c ≤ d) : a + c < b + d := by omega
protected theorem lt_of_add_lt_add_left (h : a + b < a + c) : b < c := by omega
protected theorem lt_of_add_lt_add_right (h : a + b < c + b) : a < c := by omega
protected theorem lt_add_of_pos_right (a : Int) (h : 0 < b) : a < a + b := by omega
protected theorem lt_add_of_pos_left (a : Int) (h : 0 < b) : a < b + a := by omega
protected theorem add_pos_of_pos_of_nonneg (ha : 0 < a) (hb : 0 ≤ b) : 0 < a + b := by omega
protected theorem add_pos_of_nonneg_of_pos (ha : 0 ≤ a) (hb : 0 < b) : 0 < a + b := by omega
protected theorem add_nonpos (ha : a ≤ 0) (hb : b ≤ 0) : a + b ≤ 0 := by omega
protected theorem add_neg (ha : a < 0) (hb : b < 0) : a + b < 0 := by omega
protected theorem le_of_neg_le_neg (h : -b ≤ -a) : a ≤ b := by omega
protected theorem lt_of_neg_lt_neg (h : -b < -a) : a < b := by omega
protected theorem neg_le_of_neg_le (h : -a ≤ b) : -b ≤ a := by omega
protected theorem le_neg_of_le_neg (h : a ≤ -b) : b ≤ -a := by omega
protected theorem sub_nonpos_of_le (h : a ≤ b) : a - b ≤ 0 := by omega
protected theorem le_of_sub_nonpos (h : a - b ≤ 0) : a ≤ b := by omega
protected theorem sub_neg_of_lt (h : a < b) : a - b < 0 := by omega
protected theorem lt_of_sub_neg (h : a - b < 0) : a < b := by omega
protected theorem sub_le_sub (h₁ : a ≤ b) (h₂ : c ≤ d) : a - d ≤ b - c := by omega
protected theorem sub_lt_sub (h₁ : a < b) (h₂ : c < d) : a - d < b - c := by omega
protected theorem sub_lt_self (a : Int) (h : 0 < b) : a - b < a := by omega

/-! ### Order and products -/

protected theorem mul_pos (ha : 0 < a) (hb : 0 < b) : 0 < a * b := by
  have := Int.mul_le_mul_of_nonneg_left (a := 1) (b := b) (c := a) hb (Int.le_of_lt ha)
  rw [Int.mul_one] at this; omega

protected theorem mul_le_mul_of_nonneg_right (h₁ : a ≤ b) (h₂ : 0 ≤ c) : a * c ≤ b * c := by
  rw [Int.mul_comm a, Int.mul_comm b]; exact Int.mul_le_mul_of_nonneg_left h₁ h₂

protected theorem mul_lt_mul_of_pos_left (h₁ : a < b) (h₂ : 0 < c) : c * a < c * b := by
  have := Int.mul_pos h₂ (Int.sub_pos_of_lt h₁)
  rw [Int.mul_sub] at this; omega

protected theorem mul_lt_mul_of_pos_right (h₁ : a < b) (h₂ : 0 < c) : a * c < b * c := by
  rw [Int.mul_comm a, Int.mul_comm b]; exact Int.mul_lt_mul_of_pos_left h₁ h₂

protected theorem le_of_mul_le_mul_left (w : a * b ≤ a * c) (h : 0 < a) : b ≤ c :=
  Int.not_lt.1 fun lt => Int.not_le.2 (Int.mul_lt_mul_of_pos_left lt h) w

protected theorem lt_of_mul_lt_mul_left (w : a * b < a * c) (h : 0 ≤ a) : b < c :=
  Int.not_le.1 fun le => Int.not_lt.2 (Int.mul_le_mul_of_nonneg_left le h) w

protected theorem mul_le_mul (hac : a ≤ c) (hbd : b ≤ d) (nb : 0 ≤ b) (nc : 0 ≤ c) : a * b ≤ c * d :=
  Int.le_trans (Int.mul_le_mul_of_nonneg_right hac nb) (Int.mul_le_mul_of_nonneg_left hbd nc)

protected theorem mul_nonpos_of_nonneg_of_nonpos (ha : 0 ≤ a) (hb : b ≤ 0) : a * b ≤ 0 := by
  have := Int.mul_le_mul_of_nonneg_left hb ha; rwa [Int.mul_zero] at this

protected theorem mul_nonneg_of_nonpos_of_nonpos (ha : a ≤ 0) (hb : b ≤ 0) : 0 ≤ a * b := by
  rw [← Int.neg_mul_neg]; exact Int.mul_nonneg (by omega) (by omega)

protected theorem mul_neg_of_pos_of_neg (ha : 0 < a) (hb : b < 0) : a * b < 0 := by
  have := Int.mul_lt_mul_of_pos_left hb ha; rwa [Int.mul_zero] at this

protected theorem mul_pos_of_neg_of_neg (ha : a < 0) (hb : b < 0) : 0 < a * b := by
  rw [← Int.neg_mul_neg]; exact Int.mul_pos (by omega) (by omega)

protected theorem mul_self_nonneg (a : Int) : 0 ≤ a * a := by
  cases Int.le_total 0 a with
  | inl h => exact Int.mul_nonneg h h
  | inr h => rw [← Int.neg_mul_neg]; exact Int.mul_nonneg (by omega) (by omega)

/-! ### Minimum, maximum, absolute value, natural part -/

protected theorem min_comm (a b : Int) : min a b = min b a := by omega
protected theorem max_comm (a b : Int) : max a b = max b a := by omega
protected theorem min_assoc (a b c : Int) : min (min a b) c = min a (min b c) := by omega
protected theorem max_assoc (a b c : Int) : max (max a b) c = max a (max b c) := by omega
protected theorem le_min : a ≤ min b c ↔ a ≤ b ∧ a ≤ c := by omega
protected theorem max_le : max a b ≤ c ↔ a ≤ c ∧ b ≤ c := by omega
protected theorem min_eq_left (h : a ≤ b) : min a b = a := by omega
protected theorem min_eq_right (h : b ≤ a) : min a b = b := by omega
protected theorem max_eq_left (h : b ≤ a) : max a b = a := by omega
protected theorem max_eq_right (h : a ≤ b) : max a b = b := by omega
@[simp] protected theorem min_self (a : Int) : min a a = a := by omega
@[simp] protected theorem max_self (a : Int) : max a a = a := by omega

@[simp, norm_cast] theorem natAbs_natCast (n : Nat) : natAbs (n : Int) = n := rfl
@[simp] theorem natAbs_zero : natAbs 0 = 0 := rfl
@[simp] theorem natAbs_one : natAbs 1 = 1 := rfl
@[simp] theorem natAbs_neg (a : Int) : natAbs (-a) = natAbs a := by omega
theorem natAbs_pos : 0 < natAbs a ↔ a ≠ 0 := by omega
theorem natAbs_of_nonneg (h : 0 ≤ a) : (natAbs a : Int) = a := by omega
theorem ofNat_natAbs_of_nonpos (h : a ≤ 0) : (natAbs a : Int) = -a := by omega
theorem natAbs_eq (a : Int) : a = natAbs a ∨ a = -natAbs a := by omega
theorem natAbs_sub_comm (a b : Int) : natAbs (a - b) = natAbs (b - a) := by omega
theorem natAbs_add_le (a b : Int) : natAbs (a + b) ≤ natAbs a + natAbs b := by omega

theorem natAbs_sub_le (a b : Int) : natAbs (a - b) ≤ natAbs a + natAbs b := by omega
theorem natAbs_ne_zero : natAbs a ≠ 0 ↔ a ≠ 0 := by omega
theorem natAbs_eq_natAbs_iff : natAbs a = natAbs b ↔ a = b ∨ a = -b := by omega
theorem eq_natAbs_of_zero_le (h : 0 ≤ a) : a = natAbs a := by omega
theorem natAbs_mul_self : {a : Int} → ((natAbs a * natAbs a : Nat) : Int) = a * a
  | ofNat _ => rfl
  | negSucc _ => rfl

@[simp] theorem toNat_natCast (n : Nat) : toNat (n : Int) = n := rfl
@[simp] theorem toNat_zero : toNat 0 = 0 := rfl
@[simp] theorem toNat_one : toNat 1 = 1 := rfl
@[simp] theorem toNat_of_nonneg (h : 0 ≤ a) : (toNat a : Int) = a := by omega
theorem toNat_of_nonpos (h : a ≤ 0) : toNat a = 0 := by omega
theorem self_le_toNat (a : Int) : a ≤ toNat a := by omega
theorem toNat_le {n : Nat} : toNat a ≤ n ↔ a ≤ n := by omega
theorem lt_toNat {n : Nat} : n < toNat a ↔ (n : Int) < a := by omega
theorem toNat_sub (m n : Nat) : toNat (m - n) = m - n := by omega

@[simp] theorem le_toNat {n : Nat} (h : 0 ≤ a) : n ≤ toNat a ↔ (n : Int) ≤ a := by omega
@[simp] theorem toNat_lt {n : Nat} (h : 0 ≤ a) : toNat a < n ↔ a < (n : Int) := by omega
theorem toNat_add (ha : 0 ≤ a) (hb : 0 ≤ b) : toNat (a + b) = toNat a + toNat b := by omega
theorem toNat_add_nat (ha : 0 ≤ a) (n : Nat) : toNat (a + n) = toNat a + n := by omega
@[simp] theorem toNat_sub_toNat_neg (a : Int) : (toNat a : Int) - toNat (-a) = a := by omega
theorem toNat_neg_natCast (n : Nat) : toNat (-(n : Int)) = 0 := by omega

@[simp] theorem sign_zero : sign 0 = 0 := rfl
@[simp] theorem sign_one : sign 1 = 1 := rfl
theorem sign_eq_one_of_pos : {a : Int} → 0 < a → sign a = 1
  | ofNat (_ + 1), _ => rfl
theorem sign_eq_neg_one_of_neg : {a : Int} → a < 0 → sign a = -1
  | negSucc _, _ => rfl
@[simp] theorem sign_mul_natAbs : (a : Int) → sign a * natAbs a = a
  | ofNat 0 => rfl
  | ofNat (_ + 1) => Int.one_mul _
  | negSucc _ => Int.neg_one_mul _

end Int
