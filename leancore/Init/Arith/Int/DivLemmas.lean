prelude
import Init.Arith.Int.OrderLemmas
import Init.Arith.Nat.DvdLemmas

/-! Lemmas on quotient, remainder and divisibility of integers by any divisor, and on powers. -/

namespace Int

variable {a b c k m n : Int}

theorem emod_add_mul_ediv (a b : Int) : a % b + b * (a / b) = a := by rw [Int.add_comm, mul_ediv_add_emod]
theorem ediv_mul_add_emod (a b : Int) : a / b * b + a % b = a := by rw [Int.mul_comm, mul_ediv_add_emod]
theorem ediv_add_emod (a b : Int) : b * (a / b) + a % b = a := mul_ediv_add_emod a b
theorem emod_add_ediv (a b : Int) : a % b + b * (a / b) = a := emod_add_mul_ediv a b

@[simp] theorem zero_ediv (b : Int) : 0 / b = 0 := match b with
  | ofNat n => congrArg ofNat (Nat.zero_div n)
  | negSucc n => by show -ofNat (0 / (n + 1)) = 0; rw [Nat.zero_div]; rfl
@[simp] theorem zero_emod (b : Int) : 0 % b = 0 := rfl
@[simp] theorem emod_zero (a : Int) : a % 0 = a := by rw [emod_def, Int.zero_mul, Int.sub_zero]
@[simp] theorem ediv_one (a : Int) : a / 1 = a := by omega
@[simp] theorem emod_one (a : Int) : a % 1 = 0 := by omega
theorem ediv_minus_one (a : Int) : a / -1 = -a := by rw [Int.ediv_neg, ediv_one]
theorem emod_minus_one (a : Int) : a % -1 = 0 := by rw [emod_def, ediv_minus_one, Int.neg_mul_neg]; omega

theorem emod_lt (a : Int) (h : b ≠ 0) : a % b < natAbs b := by
  cases Int.lt_or_le 0 b with
  | inl p => have := emod_lt_of_pos a p; omega
  | inr p =>
    have e : a % b = a % -b := by rw [emod_def, emod_def, Int.ediv_neg, Int.neg_mul_neg]
    have := emod_lt_of_pos a (b := -b) (by omega)
    omega

/-- Euclid's equation and the bounds fix quotient and remainder. -/
theorem ediv_emod_unique (h : 0 < b) {r q : Int} : a / b = q ∧ a % b = r ↔ r + b * q = a ∧ 0 ≤ r ∧ r < b := by
  refine ⟨fun ⟨hq, hr⟩ => ?_, fun ⟨e, h0, h1⟩ => ?_⟩
  · rw [← hq, ← hr]; exact ⟨emod_add_mul_ediv a b, emod_nonneg a (by omega), emod_lt_of_pos a h⟩
  · have e' := emod_add_mul_ediv a b
    have h0' := emod_nonneg a (b := b) (by omega)
    have h1' := emod_lt_of_pos a h
    have quot : a / b = q := by
      refine Int.le_antisymm (Int.not_lt.1 fun lt => ?_) (Int.not_lt.1 fun lt => ?_)
      · have := Int.mul_le_mul_of_nonneg_left (c := b) lt (Int.le_of_lt h)
        rw [Int.mul_add, Int.mul_one] at this; omega
      · have := Int.mul_le_mul_of_nonneg_left (c := b) lt (Int.le_of_lt h)
        rw [Int.mul_add, Int.mul_one] at this; omega
    exact ⟨quot, by rw [quot] at e'; omega⟩

@[simp] theorem mul_emod_right (a b : Int) : a * b % a = 0 := emod_eq_zero_of_dvd ⟨b, rfl⟩
@[simp] theorem mul_emod_left (a b : Int) : a * b % b = 0 := by rw [Int.mul_comm, mul_emod_right]
@[simp] theorem emod_self {a : Int} : a % a = 0 := by have := mul_emod_right a 1; rwa [Int.mul_one] at this

@[simp] protected theorem mul_ediv_cancel_left (b : Int) (h : a ≠ 0) : a * b / a = b := by
  have e := mul_ediv_add_emod (a * b) a
  rw [mul_emod_right, Int.add_zero] at e
  exact Int.eq_of_mul_eq_mul_left h e
@[simp] protected theorem mul_ediv_cancel (a : Int) (h : b ≠ 0) : a * b / b = a := by
  rw [Int.mul_comm, Int.mul_ediv_cancel_left a h]
@[simp] protected theorem ediv_self (h : a ≠ 0) : a / a = 1 := by
  have := Int.mul_ediv_cancel_left 1 h; rwa [Int.mul_one] at this

theorem emod_eq_of_lt (h1 : 0 ≤ a) (h2 : a < b) : a % b = a :=
  ((ediv_emod_unique (by omega)).2 ⟨by rw [Int.mul_zero, Int.add_zero], h1, h2⟩).2
theorem ediv_eq_zero_of_lt (h1 : 0 ≤ a) (h2 : a < b) : a / b = 0 :=
  ((ediv_emod_unique (by omega)).2 ⟨by rw [Int.mul_zero, Int.add_zero], h1, h2⟩).1

theorem add_mul_ediv_right (a b : Int) {c : Int} (H : c ≠ 0) : (a + b * c) / c = a / c + b := by
  have pos (a b : Int) {c : Int} (H : 0 < c) : (a + b * c) / c = a / c + b := by
    refine ((ediv_emod_unique H).2 ⟨?_, emod_nonneg a (Int.ne_of_gt H), emod_lt_of_pos a H⟩).1
    rw [Int.mul_add, ← Int.add_assoc, emod_add_mul_ediv, Int.mul_comm c]
  cases Int.lt_or_le 0 c with
  | inl h => exact pos a b h
  | inr h =>
    have e := pos a (-b) (c := -c) (by omega)
    rw [Int.neg_mul_neg, Int.ediv_neg, Int.ediv_neg] at e
    omega
theorem add_mul_ediv_left (a : Int) {b : Int} (c : Int) (H : b ≠ 0) : (a + b * c) / b = a / b + c := by
  rw [Int.mul_comm, add_mul_ediv_right a c H]

@[simp] theorem add_mul_emod_self_right (a b c : Int) : (a + b * c) % c = a % c := by
  cases Int.lt_trichotomy c 0 with
  | inr h => cases h with
    | inl h => rw [h, Int.mul_zero, Int.add_zero]
    | inr h => rw [emod_def, add_mul_ediv_right a b (Int.ne_of_gt h), Int.mul_add, emod_def, Int.mul_comm b]; omega
  | inl h => rw [emod_def, add_mul_ediv_right a b (Int.ne_of_lt h), Int.mul_add, emod_def, Int.mul_comm b]; omega
@[simp] theorem add_mul_emod_self_left (a b c : Int) : (a + b * c) % b = a % b := by
  rw [Int.mul_comm, add_mul_emod_self_right]

@[simp] theorem emod_emod (a b : Int) : a % b % b = a % b := by
  have := add_mul_emod_self_left (a % b) b (a / b); rwa [emod_add_mul_ediv, eq_comm] at this

theorem add_emod (a b n : Int) : (a + b) % n = (a % n + b % n) % n := by
  have e : a + b = a % n + b % n + n * (a / n + b / n) := by
    have := emod_add_mul_ediv a n
    have := emod_add_mul_ediv b n
    rw [Int.mul_add]; omega
  rw [e, add_mul_emod_self_left]

theorem sub_emod (a b n : Int) : (a - b) % n = (a % n - b % n) % n := by
  have e : a - b = a % n - b % n + n * (a / n - b / n) := by
    have := emod_add_mul_ediv a n
    have := emod_add_mul_ediv b n
    rw [Int.mul_sub]; omega
  rw [e, add_mul_emod_self_left]

theorem mul_emod (a b n : Int) : a * b % n = a % n * (b % n) % n := by
  have e : a * b = a % n * (b % n) + n * (a % n * (b / n) + a / n * b) := by
    have expand : a * b = (a % n + n * (a / n)) * b := by rw [emod_add_mul_ediv]
    have expand_b : a % n * b = a % n * (b % n + n * (b / n)) := by rw [emod_add_mul_ediv]
    rw [expand, Int.add_mul, expand_b, Int.mul_add, Int.mul_add, Int.mul_left_comm (a % n) n, Int.mul_assoc]
    omega
  rw [e, add_mul_emod_self_left]

@[simp] theorem emod_emod_of_dvd (n : Int) {m k : Int} (h : m ∣ k) : n % k % m = n % m := by
  rcases h with ⟨c, rfl⟩
  have e := emod_add_mul_ediv n (m * c)
  rw [Int.mul_assoc] at e
  have := add_mul_emod_self_left (n % (m * c)) m (c * (n / (m * c)))
  rwa [e, eq_comm] at this

theorem emod_two_eq (x : Int) : x % 2 = 0 ∨ x % 2 = 1 := by omega

theorem ediv_nonneg (ha : 0 ≤ a) (hb : 0 ≤ b) : 0 ≤ a / b := match a, b, ha, hb with
  | ofNat m, ofNat n, _, _ => natCast_nonneg (m / n)
  | negSucc _, _, h, _ => nomatch h
  | _, negSucc _, _, h => nomatch h

theorem ediv_mul_le (a : Int) (h : b ≠ 0) : a / b * b ≤ a := by rw [Int.mul_comm]; exact mul_ediv_self_le h
theorem lt_ediv_add_one_mul_self (a : Int) (h : 0 < b) : a < (a / b + 1) * b := by
  rw [Int.mul_comm, Int.mul_add, Int.mul_one]; exact lt_mul_ediv_self_add h
theorem le_ediv_iff_mul_le (h : 0 < c) : a ≤ b / c ↔ a * c ≤ b :=
  ⟨fun k => Int.le_trans (Int.mul_le_mul_of_nonneg_right k (Int.le_of_lt h)) (ediv_mul_le b (Int.ne_of_gt h)),
    fun k => le_ediv_of_mul_le h (by rwa [Int.mul_comm])⟩
theorem ediv_lt_iff_lt_mul (h : 0 < c) : a / c < b ↔ a < b * c := by
  rw [← Int.not_le, le_ediv_iff_mul_le h, Int.not_le]

/-! ### Divisibility -/

protected theorem dvd_refl (a : Int) : a ∣ a := ⟨1, (Int.mul_one a).symm⟩
protected theorem dvd_zero (a : Int) : a ∣ 0 := ⟨0, (Int.mul_zero a).symm⟩
protected theorem one_dvd (a : Int) : 1 ∣ a := ⟨a, (Int.one_mul a).symm⟩
protected theorem dvd_mul_right (a b : Int) : a ∣ a * b := ⟨b, rfl⟩
protected theorem dvd_mul_left (a b : Int) : b ∣ a * b := ⟨a, Int.mul_comm a b⟩
attribute [simp] Int.dvd_refl Int.dvd_zero Int.one_dvd Int.dvd_mul_right Int.dvd_mul_left
protected theorem dvd_trans (h₁ : a ∣ b) (h₂ : b ∣ c) : a ∣ c := by
  rcases h₁ with ⟨x, rfl⟩; rcases h₂ with ⟨y, rfl⟩; exact ⟨x * y, Int.mul_assoc a x y⟩
protected theorem dvd_add (h₁ : a ∣ b) (h₂ : a ∣ c) : a ∣ b + c := by
  rcases h₁ with ⟨x, rfl⟩; rcases h₂ with ⟨y, rfl⟩; exact ⟨x + y, (Int.mul_add a x y).symm⟩
protected theorem dvd_sub (h₁ : a ∣ b) (h₂ : a ∣ c) : a ∣ b - c := by
  rcases h₁ with ⟨x, rfl⟩; rcases h₂ with ⟨y, rfl⟩; exact ⟨x - y, (Int.mul_sub a x y).symm⟩
protected theorem dvd_neg : a ∣ -b ↔ a ∣ b :=
  ⟨fun ⟨k, h⟩ => ⟨-k, by rw [Int.mul_neg, ← h, Int.neg_neg]⟩, fun ⟨k, h⟩ => ⟨-k, by rw [Int.mul_neg, h]⟩⟩
protected theorem ediv_mul_cancel (h : b ∣ a) : a / b * b = a := by
  have := ediv_mul_add_emod a b; rwa [emod_eq_zero_of_dvd h, Int.add_zero] at this
protected theorem mul_ediv_cancel' (h : a ∣ b) : a * (b / a) = b := by rw [Int.mul_comm, Int.ediv_mul_cancel h]
theorem natAbs_dvd_natAbs : natAbs a ∣ natAbs b ↔ a ∣ b :=
  ⟨fun h => dvd_of_emod_eq_zero (emod_eq_zero_of_natAbs_dvd h), fun ⟨c, h⟩ => ⟨natAbs c, by rw [h, natAbs_mul]⟩⟩

theorem natAbs_dvd : (natAbs a : Int) ∣ b ↔ a ∣ b := by
  rw [← natAbs_dvd_natAbs, natAbs_natCast, natAbs_dvd_natAbs]
theorem dvd_natAbs : a ∣ (natAbs b : Int) ↔ a ∣ b := by
  rw [← natAbs_dvd_natAbs, natAbs_natCast, natAbs_dvd_natAbs]
theorem ofNat_dvd_left {n : Nat} : (n : Int) ∣ a ↔ n ∣ natAbs a := by
  rw [← natAbs_dvd_natAbs, natAbs_natCast]
protected theorem neg_dvd : -a ∣ b ↔ a ∣ b := by rw [← natAbs_dvd_natAbs, natAbs_neg, natAbs_dvd_natAbs]
@[simp] protected theorem zero_dvd : 0 ∣ a ↔ a = 0 :=
  ⟨fun ⟨k, h⟩ => by rw [h, Int.zero_mul], fun h => h ▸ Int.dvd_refl 0⟩
protected theorem dvd_mul_of_dvd_left (h : a ∣ b) (c : Int) : a ∣ b * c := Int.dvd_trans h (Int.dvd_mul_right b c)
theorem le_of_dvd (h : 0 < b) (d : a ∣ b) : a ≤ b := by
  have := Nat.le_of_dvd (natAbs_pos.2 (Int.ne_of_gt h)) (natAbs_dvd_natAbs.2 d)
  omega
theorem eq_one_of_dvd_one (h : 0 ≤ a) (d : a ∣ 1) : a = 1 := by
  have := Nat.eq_one_of_dvd_one (natAbs_dvd_natAbs.2 d)
  omega
theorem eq_one_of_mul_eq_one_right (h : 0 ≤ a) (e : a * b = 1) : a = 1 := eq_one_of_dvd_one h ⟨b, e.symm⟩
theorem dvd_antisymm (ha : 0 ≤ a) (hb : 0 ≤ b) (h₁ : a ∣ b) (h₂ : b ∣ a) : a = b := by
  have := Nat.dvd_antisymm (natAbs_dvd_natAbs.2 h₁) (natAbs_dvd_natAbs.2 h₂)
  omega

/-! ### Powers -/

@[simp] protected theorem pow_zero (b : Int) : b ^ 0 = 1 := rfl
protected theorem pow_succ' (b : Int) (e : Nat) : b ^ (e + 1) = b * b ^ e := by rw [Int.pow_succ, Int.mul_comm]
protected theorem pow_add (a : Int) (m n : Nat) : a ^ (m + n) = a ^ m * a ^ n := by
  induction n with
  | zero => exact (Int.mul_one _).symm
  | succ n ih => rw [← Nat.add_assoc, Int.pow_succ, Int.pow_succ, ih, Int.mul_assoc]
protected theorem pow_pos {n : Nat} (h : 0 < a) : 0 < a ^ n := Lean.Omega.Int.pos_pow_of_pos a n h

end Int
