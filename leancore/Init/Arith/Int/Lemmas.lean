prelude
import Init.Arith.Omega.Facts

/-! Lemmas on casts, sums, differences and products of integers, under the names and statements of Lean's own
library. -/

namespace Int

variable {a b c d k m n x y : Int}

/-! ### Casts from the natural numbers -/

norm_cast_add_elim ne_eq

@[simp] theorem ofNat_eq_coe {n : Nat} : ofNat n = (n : Int) := rfl
@[simp, norm_cast] theorem natCast_zero : ((0 : Nat) : Int) = 0 := rfl
@[simp, norm_cast] theorem natCast_one : ((1 : Nat) : Int) = 1 := rfl
theorem ofNat_zero : ((0 : Nat) : Int) = 0 := rfl
theorem ofNat_one : ((1 : Nat) : Int) = 1 := rfl
@[simp, norm_cast] theorem natCast_ofNat {n : Nat} :
    @Nat.cast Int instNatCastInt (no_index (OfNat.ofNat n)) = OfNat.ofNat n := rfl
attribute [simp, norm_cast] natCast_add natCast_mul natCast_ediv natCast_emod ofNat_le ofNat_lt
attribute [simp] natCast_nonneg
theorem ofNat_add (n m : Nat) : ((n + m : Nat) : Int) = n + m := rfl
theorem ofNat_mul (n m : Nat) : ((n * m : Nat) : Int) = n * m := rfl
theorem ofNat_succ (n : Nat) : (Nat.succ n : Int) = n + 1 := rfl
theorem ofNat_ediv (n m : Nat) : ((n / m : Nat) : Int) = n / m := rfl
theorem ofNat_emod (n m : Nat) : ((n % m : Nat) : Int) = n % m := rfl
@[norm_cast] theorem natCast_pow (b n : Nat) : ((b ^ n : Nat) : Int) = (b : Int) ^ n := Lean.Omega.Int.ofNat_pow b n
theorem ofNat_sub {m n : Nat} (h : m ≤ n) : ((n - m : Nat) : Int) = n - m := by omega
@[norm_cast] theorem natCast_sub {m n : Nat} (h : m ≤ n) : ((n - m : Nat) : Int) = n - m := by omega
theorem natCast_pred_of_pos {n : Nat} (h : 0 < n) : ((n - 1 : Nat) : Int) = (n : Int) - 1 := by omega
theorem ofNat_inj {m n : Nat} : (m : Int) = n ↔ m = n := by omega
@[simp, norm_cast] theorem natCast_inj {m n : Nat} : (m : Int) = n ↔ m = n := by omega
@[norm_cast] theorem natCast_eq_zero {n : Nat} : (n : Int) = 0 ↔ n = 0 := by omega
@[norm_cast] theorem natCast_ne_zero {n : Nat} : (n : Int) ≠ 0 ↔ n ≠ 0 := by omega
@[norm_cast] theorem natCast_pos {n : Nat} : 0 < (n : Int) ↔ 0 < n := by omega
theorem ofNat_pos {n : Nat} : 0 < (n : Int) ↔ 0 < n := by omega
theorem ofNat_nonneg (n : Nat) : 0 ≤ (n : Int) := natCast_nonneg n
@[norm_cast] theorem natCast_min (m n : Nat) : ((min m n : Nat) : Int) = min (m : Int) n := by omega
@[norm_cast] theorem natCast_max (m n : Nat) : ((max m n : Nat) : Int) = max (m : Int) n := by omega
@[norm_cast] theorem natCast_dvd_natCast {m n : Nat} : (m : Int) ∣ n ↔ m ∣ n := by
  rw [dvd_iff_emod_eq_zero, Nat.dvd_iff_mod_eq_zero, ← natCast_emod, natCast_eq_zero]
theorem eq_ofNat_of_zero_le (h : 0 ≤ a) : ∃ n : Nat, a = n := match a, h with
  | ofNat n, _ => ⟨n, rfl⟩
  | negSucc _, h => nomatch h

/-! ### Sums and differences -/

protected theorem add_right_comm (a b c : Int) : a + b + c = a + c + b := by omega
protected theorem add_left_cancel (h : a + b = a + c) : b = c := by omega
protected theorem add_right_cancel (h : a + b = c + b) : a = c := by omega
@[simp] protected theorem add_left_inj (k : Int) : m + k = n + k ↔ m = n := by omega
@[simp] protected theorem add_right_inj (k : Int) : k + m = k + n ↔ m = n := by omega
@[simp] protected theorem sub_zero (a : Int) : a - 0 = a := by omega
@[simp] protected theorem zero_sub (a : Int) : 0 - a = -a := by omega
protected theorem neg_sub (a b : Int) : -(a - b) = b - a := by omega
protected theorem sub_neg (a b : Int) : a - -b = a + b := by omega
protected theorem sub_sub (a b c : Int) : a - b - c = a - (b + c) := by omega
protected theorem sub_sub_self (a b : Int) : a - (a - b) = b := by omega
protected theorem add_sub_assoc (a b c : Int) : a + b - c = a + (b - c) := by omega
@[simp] protected theorem add_sub_cancel (a b : Int) : a + b - b = a := by omega
@[simp] protected theorem sub_add_cancel (a b : Int) : a - b + b = a := by omega
@[simp] protected theorem add_sub_cancel_left (a b : Int) : a + b - a = b := by omega
protected theorem add_sub_cancel' (a b : Int) : a + (b - a) = b := by omega
@[simp] protected theorem neg_add_cancel_left (a b : Int) : -a + (a + b) = b := by omega
@[simp] protected theorem add_neg_cancel_left (a b : Int) : a + (-a + b) = b := by omega
@[simp] protected theorem neg_inj : -a = -b ↔ a = b := by omega
@[simp] protected theorem neg_eq_zero : -a = 0 ↔ a = 0 := by omega
protected theorem neg_ne_zero : -a ≠ 0 ↔ a ≠ 0 := by omega
protected theorem neg_eq_comm : -a = b ↔ -b = a := by omega
protected theorem eq_neg_comm : a = -b ↔ b = -a := by omega
protected theorem sub_eq_zero : a - b = 0 ↔ a = b := by omega
protected theorem eq_of_sub_eq_zero (h : a - b = 0) : a = b := by omega
protected theorem sub_eq_iff_eq_add : b - a = c ↔ b = c + a := by omega
protected theorem sub_eq_iff_eq_add' : b - a = c ↔ b = a + c := by omega
protected theorem eq_sub_of_add_eq (h : a + c = b) : a = b - c := by omega
protected theorem sub_eq_of_eq_add (h : a = c + b) : a - b = c := by omega
protected theorem neg_eq_of_add_eq_zero (h : a + b = 0) : -a = b := by omega
protected theorem eq_neg_of_add_eq_zero (h : a + b = 0) : a = -b := by omega
@[simp] protected theorem add_neg_cancel_right (a b : Int) : a + b + -b = a := by omega
@[simp] protected theorem neg_add_cancel_right (a b : Int) : a + -b + b = a := by omega
@[simp] protected theorem add_left_eq_self : a + b = b ↔ a = 0 := by omega
@[simp] protected theorem add_right_eq_self : a + b = a ↔ b = 0 := by omega
protected theorem eq_neg_of_eq_neg (h : a = -b) : b = -a := by omega
protected theorem add_sub_add_right (n k m : Int) : n + k - (m + k) = n - m := by omega
protected theorem add_sub_add_left (k n m : Int) : k + n - (k + m) = n - m := by omega
protected theorem zero_ne_one : (0 : Int) ≠ 1 := by decide
@[simp] theorem neg_negSucc (n : Nat) : -negSucc n = (n : Int) + 1 := rfl
theorem neg_ofNat_succ (n : Nat) : -((n + 1 : Nat) : Int) = negSucc n := rfl
protected theorem two_mul (n : Int) : 2 * n = n + n := by omega
protected theorem mul_two (n : Int) : n * 2 = n + n := by omega

/-! ### Products -/

@[simp] protected theorem neg_mul_neg (a b : Int) : -a * -b = a * b := by
  rw [Int.neg_mul, Int.mul_neg, Int.neg_neg]
protected theorem mul_right_comm (a b c : Int) : a * b * c = a * c * b := by
  rw [Int.mul_assoc, Int.mul_comm b, Int.mul_assoc]
protected theorem mul_sub (a b c : Int) : a * (b - c) = a * b - a * c := by
  rw [Int.sub_eq_add_neg, Int.mul_add, Int.mul_neg]; rfl
protected theorem sub_mul (a b c : Int) : (a - b) * c = a * c - b * c := by
  rw [Int.mul_comm, Int.mul_sub, Int.mul_comm c, Int.mul_comm c]
protected theorem neg_mul_comm (a b : Int) : -a * b = a * -b := by rw [Int.neg_mul, Int.mul_neg]
protected theorem neg_mul_eq_neg_mul (a b : Int) : -(a * b) = -a * b := (Int.neg_mul a b).symm
protected theorem neg_mul_eq_mul_neg (a b : Int) : -(a * b) = a * -b := (Int.mul_neg a b).symm
@[simp] protected theorem mul_neg_one (a : Int) : a * -1 = -a := by rw [Int.mul_neg, Int.mul_one]
protected theorem neg_eq_neg_one_mul (a : Int) : -a = -1 * a := (Int.neg_one_mul a).symm

@[simp] theorem natAbs_eq_zero : natAbs a = 0 ↔ a = 0 := by omega

@[simp] protected theorem mul_eq_zero : a * b = 0 ↔ a = 0 ∨ b = 0 := by
  refine ⟨fun h => ?_, fun h => h.elim (fun e => by rw [e, Int.zero_mul]) fun e => by rw [e, Int.mul_zero]⟩
  have e : natAbs a * natAbs b = 0 := by rw [← natAbs_mul, h]; rfl
  cases ha : natAbs a with
  | zero => exact .inl (natAbs_eq_zero.1 ha)
  | succ m =>
    cases hb : natAbs b with
    | zero => exact .inr (natAbs_eq_zero.1 hb)
    | succ n => rw [ha, hb] at e; exact Nat.noConfusion e

protected theorem mul_ne_zero (ha : a ≠ 0) (hb : b ≠ 0) : a * b ≠ 0 :=
  fun h => (Int.mul_eq_zero.1 h).elim ha hb

protected theorem eq_of_mul_eq_mul_left (ha : a ≠ 0) (h : a * b = a * c) : b = c := by
  have e : a * (b - c) = 0 := by rw [Int.mul_sub, h, Int.sub_self]
  have := (Int.mul_eq_zero.1 e).resolve_left ha
  omega

protected theorem mul_eq_mul_left_iff (h : c ≠ 0) : c * a = c * b ↔ a = b :=
  ⟨Int.eq_of_mul_eq_mul_left h, fun e => e ▸ rfl⟩

protected theorem eq_of_mul_eq_mul_right (ha : a ≠ 0) (h : b * a = c * a) : b = c := by
  rw [Int.mul_comm b, Int.mul_comm c] at h; exact Int.eq_of_mul_eq_mul_left ha h

end Int
