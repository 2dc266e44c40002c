prelude
import Init.Arith.Nat.SubLemmas

/-! Lemmas on products and powers of natural numbers: order, cancellation, zero and one. -/

namespace Nat

variable {a b c d k m n : Nat}

protected theorem mul_mul_mul_comm (a b c d : Nat) : a * b * (c * d) = a * c * (b * d) := by
  rw [Nat.mul_assoc, Nat.mul_left_comm b, ← Nat.mul_assoc]

/-! ### Order -/

protected theorem mul_le_mul_right (k : Nat) (h : m ≤ n) : m * k ≤ n * k := by
  rw [Nat.mul_comm m, Nat.mul_comm n]; exact Nat.mul_le_mul_left k h

protected theorem mul_le_mul (h₁ : a ≤ b) (h₂ : c ≤ d) : a * c ≤ b * d :=
  Nat.le_trans (Nat.mul_le_mul_right c h₁) (Nat.mul_le_mul_left b h₂)

protected theorem mul_pos (ha : 0 < n) (hb : 0 < m) : 0 < n * m := Nat.mul_le_mul ha hb
theorem pos_of_mul_pos (h : 0 < n * m) : 0 < n := match n, h with
  | 0, h => by rw [Nat.zero_mul] at h; exact h
  | _ + 1, _ => succ_pos _

protected theorem mul_lt_mul_left (a0 : 0 < a) : a * b < a * c ↔ b < c := by
  refine ⟨fun h => Nat.not_le.1 fun k => Nat.not_le.2 h (Nat.mul_le_mul_left a k), fun h => ?_⟩
  have := Nat.mul_le_mul_left a (succ_le_of_lt h)
  rw [Nat.mul_succ] at this; omega

protected theorem mul_lt_mul_right (a0 : 0 < a) : b * a < c * a ↔ b < c := by
  rw [Nat.mul_comm b, Nat.mul_comm c, Nat.mul_lt_mul_left a0]

protected theorem mul_lt_mul_of_pos_left (h : n < m) (hk : 0 < k) : k * n < k * m := (Nat.mul_lt_mul_left hk).2 h
protected theorem mul_lt_mul_of_pos_right (h : n < m) (hk : 0 < k) : n * k < m * k := (Nat.mul_lt_mul_right hk).2 h

protected theorem mul_lt_mul_of_le_of_lt (hac : a ≤ c) (hbd : b < d) (hc : 0 < c) : a * b < c * d :=
  Nat.lt_of_le_of_lt (Nat.mul_le_mul_right b hac) (Nat.mul_lt_mul_of_pos_left hbd hc)

protected theorem mul_lt_mul_of_lt_of_le (hac : a < c) (hbd : b ≤ d) (hd : 0 < d) : a * b < c * d :=
  Nat.lt_of_le_of_lt (Nat.mul_le_mul_left a hbd) (Nat.mul_lt_mul_of_pos_right hac hd)

protected theorem mul_lt_mul_of_lt_of_lt (hac : a < c) (hbd : b < d) : a * b < c * d :=
  Nat.mul_lt_mul_of_lt_of_le hac (Nat.le_of_lt hbd) (zero_lt_of_lt hbd)

protected theorem le_of_mul_le_mul_left (h : c * a ≤ c * b) (hc : 0 < c) : a ≤ b :=
  Nat.not_lt.1 fun lt => Nat.not_le.2 (Nat.mul_lt_mul_of_pos_left lt hc) h

protected theorem le_of_mul_le_mul_right (h : a * c ≤ b * c) (hc : 0 < c) : a ≤ b := by
  rw [Nat.mul_comm a, Nat.mul_comm b] at h; exact Nat.le_of_mul_le_mul_left h hc

protected theorem mul_le_mul_left_iff (hc : 0 < c) : c * a ≤ c * b ↔ a ≤ b :=
  ⟨fun h => Nat.le_of_mul_le_mul_left h hc, Nat.mul_le_mul_left c⟩

protected theorem mul_le_mul_right_iff (hc : 0 < c) : a * c ≤ b * c ↔ a ≤ b :=
  ⟨fun h => Nat.le_of_mul_le_mul_right h hc, Nat.mul_le_mul_right c⟩

protected theorem lt_of_mul_lt_mul_left (h : a * b < a * c) : b < c :=
  Nat.not_le.1 fun k => Nat.not_le.2 h (Nat.mul_le_mul_left a k)

protected theorem lt_of_mul_lt_mul_right (h : b * a < c * a) : b < c :=
  Nat.not_le.1 fun k => Nat.not_le.2 h (Nat.mul_le_mul_right a k)

theorem le_mul_of_pos_left (m : Nat) (h : 0 < n) : m ≤ n * m := by
  have := Nat.mul_le_mul_right m h; rwa [Nat.one_mul] at this

theorem le_mul_of_pos_right (m : Nat) (h : 0 < n) : m ≤ m * n := by
  have := Nat.mul_le_mul_left m h; rwa [Nat.mul_one] at this

theorem le_mul_self : (n : Nat) → n ≤ n * n
  | 0 => Nat.le_refl 0
  | n + 1 => le_mul_of_pos_left (n + 1) (succ_pos n)

protected theorem mul_self_le_mul_self (h : m ≤ n) : m * m ≤ n * n := Nat.mul_le_mul h h
protected theorem mul_self_lt_mul_self (h : m < n) : m * m < n * n := Nat.mul_lt_mul_of_lt_of_lt h h

theorem pos_of_mul_pos_left (h : 0 < m * n) : 0 < n := pos_of_mul_pos (n := n) (m := m) (by rwa [Nat.mul_comm])
theorem pos_of_mul_pos_right (h : 0 < m * n) : 0 < m := pos_of_mul_pos h
@[simp] theorem mul_pos_iff_of_pos_left (h : 0 < c) : 0 < c * b ↔ 0 < b := ⟨pos_of_mul_pos_left, Nat.mul_pos h⟩
@[simp] theorem mul_pos_iff_of_pos_right (h : 0 < c) : 0 < b * c ↔ 0 < b :=
  ⟨pos_of_mul_pos_right, fun p => Nat.mul_pos p h⟩

/-! ### Cancellation, zero and one -/

protected theorem eq_of_mul_eq_mul_left (ha : 0 < a) (h : a * b = a * c) : b = c :=
  Nat.le_antisymm (Nat.le_of_mul_le_mul_left (Nat.le_of_eq h) ha)
    (Nat.le_of_mul_le_mul_left (Nat.le_of_eq h.symm) ha)

protected theorem eq_of_mul_eq_mul_right (ha : 0 < a) (h : b * a = c * a) : b = c := by
  rw [Nat.mul_comm b, Nat.mul_comm c] at h; exact Nat.eq_of_mul_eq_mul_left ha h

protected theorem mul_left_cancel (np : 0 < n) (h : n * m = n * k) : m = k := Nat.eq_of_mul_eq_mul_left np h
protected theorem mul_right_cancel (mp : 0 < m) (h : n * m = k * m) : n = k := Nat.eq_of_mul_eq_mul_right mp h
protected theorem mul_left_cancel_iff (p : 0 < n) : n * m = n * k ↔ m = k :=
  ⟨Nat.mul_left_cancel p, congrArg _⟩
protected theorem mul_right_cancel_iff (p : 0 < n) : m * n = k * n ↔ m = k :=
  ⟨Nat.mul_right_cancel p, congrArg (· * n)⟩

@[simp] protected theorem mul_eq_zero : {m n : Nat} → n * m = 0 ↔ n = 0 ∨ m = 0
  | 0, _ => ⟨fun _ => .inr rfl, fun _ => rfl⟩
  | _ + 1, 0 => ⟨fun _ => .inl rfl, fun _ => Nat.zero_mul _⟩
  | _ + 1, _ + 1 => ⟨fun h => Nat.noConfusion h, fun h => h.elim Nat.noConfusion Nat.noConfusion⟩

theorem eq_zero_of_mul_eq_zero (h : n * m = 0) : n = 0 ∨ m = 0 := Nat.mul_eq_zero.1 h
protected theorem mul_ne_zero (hn : n ≠ 0) (hm : m ≠ 0) : n * m ≠ 0 :=
  fun h => (eq_zero_of_mul_eq_zero h).elim hn hm
protected theorem mul_ne_zero_iff : n * m ≠ 0 ↔ n ≠ 0 ∧ m ≠ 0 :=
  ⟨fun h => ⟨fun e => h (Nat.mul_eq_zero.2 (.inl e)), fun e => h (Nat.mul_eq_zero.2 (.inr e))⟩,
    fun h => Nat.mul_ne_zero h.1 h.2⟩

protected theorem eq_one_of_mul_eq_one_right (h : a * b = 1) : a = 1 := by
  have ha : a ≠ 0 := fun e => by rw [e, Nat.zero_mul] at h; exact Nat.noConfusion h
  have hb : b ≠ 0 := fun e => by rw [e, Nat.mul_zero] at h; exact Nat.noConfusion h
  have := le_mul_of_pos_right a (Nat.pos_of_ne_zero hb)
  omega

protected theorem eq_one_of_mul_eq_one_left (h : a * b = 1) : b = 1 :=
  Nat.eq_one_of_mul_eq_one_right (a := b) (b := a) (by rw [Nat.mul_comm]; exact h)

protected theorem mul_eq_one_iff : a * b = 1 ↔ a = 1 ∧ b = 1 :=
  ⟨fun h => ⟨Nat.eq_one_of_mul_eq_one_right h, Nat.eq_one_of_mul_eq_one_left h⟩, fun h => by rw [h.1, h.2]⟩

/-! ### Powers -/

protected theorem pow_add_one (a n : Nat) : a ^ (n + 1) = a ^ n * a := rfl
protected theorem pow_succ' {m n : Nat} : m ^ (n + 1) = m * m ^ n := by rw [Nat.pow_succ, Nat.mul_comm]
@[simp] protected theorem pow_one (a : Nat) : a ^ 1 = a := Nat.one_mul a
protected theorem pow_two (a : Nat) : a ^ 2 = a * a := by rw [Nat.pow_succ, Nat.pow_one]

@[simp] protected theorem one_pow (n : Nat) : 1 ^ n = 1 := by
  induction n with
  | zero => rfl
  | succ n ih => rw [Nat.pow_succ, ih]

protected theorem zero_pow (h : 0 < n) : 0 ^ n = 0 := match n, h with
  | n + 1, _ => Nat.mul_zero (0 ^ n)

protected theorem pow_add (a m n : Nat) : a ^ (m + n) = a ^ m * a ^ n := by
  induction n with
  | zero => exact (Nat.mul_one _).symm
  | succ n ih => rw [← Nat.add_assoc, Nat.pow_succ, Nat.pow_succ, ih, Nat.mul_assoc]

protected theorem mul_pow (a b n : Nat) : (a * b) ^ n = a ^ n * b ^ n := by
  induction n with
  | zero => rfl
  | succ n ih => rw [Nat.pow_succ, Nat.pow_succ, Nat.pow_succ, ih, Nat.mul_mul_mul_comm]

protected theorem pow_mul (a m n : Nat) : a ^ (m * n) = (a ^ m) ^ n := by
  induction n with
  | zero => rfl
  | succ n ih => rw [Nat.mul_succ, Nat.pow_add, Nat.pow_succ, ih]

theorem pos_pow_of_pos (m : Nat) (h : 0 < n) : 0 < n ^ m := Nat.pow_pos h
protected theorem two_pow_pos (n : Nat) : 0 < 2 ^ n := Nat.pow_pos (succ_pos 1)

protected theorem pow_le_pow_left (h : m ≤ n) (i : Nat) : m ^ i ≤ n ^ i := by
  induction i with
  | zero => exact Nat.le_refl 1
  | succ i ih => exact Nat.mul_le_mul ih h

protected theorem pow_le_pow_right (h : n > 0) (hmk : m ≤ k) : n ^ m ≤ n ^ k := by
  rcases exists_eq_add_of_le hmk with ⟨d, rfl⟩
  rw [Nat.pow_add]; exact le_mul_of_pos_right _ (Nat.pow_pos h)

protected theorem pow_lt_pow_right (ha : 1 < a) (h : m < n) : a ^ m < a ^ n := by
  have a0 : 0 < a := by omega
  refine Nat.lt_of_lt_of_le ?_ (Nat.pow_le_pow_right a0 (succ_le_of_lt h))
  have := Nat.mul_lt_mul_of_pos_left ha (Nat.pow_pos (m := m) a0)
  rwa [Nat.mul_one] at this

theorem pow_lt_pow_succ (h : 1 < a) : a ^ n < a ^ (n + 1) := Nat.pow_lt_pow_right h .refl
theorem one_lt_two_pow (h : n ≠ 0) : 1 < 2 ^ n := Nat.pow_lt_pow_right (m := 0) Nat.one_lt_two (by omega)
theorem one_le_two_pow : 1 ≤ 2 ^ n := Nat.two_pow_pos n

protected theorem pow_le_pow_iff_right (h : 1 < a) : a ^ n ≤ a ^ m ↔ n ≤ m :=
  ⟨fun le => Nat.not_lt.1 fun lt => Nat.not_le.2 (Nat.pow_lt_pow_right h lt) le, Nat.pow_le_pow_right (by omega)⟩

protected theorem pow_lt_pow_iff_right (h : 1 < a) : a ^ n < a ^ m ↔ n < m := by
  rw [← Nat.not_le, Nat.pow_le_pow_iff_right h, Nat.not_le]

theorem lt_two_pow_self : n < 2 ^ n := by
  induction n with
  | zero => exact succ_pos 0
  | succ n ih => rw [Nat.pow_succ]; omega

end Nat
