prelude
import Init.Arith.Nat.DivLemmas

/-! Lemmas on divisibility of natural numbers. -/

namespace Nat

variable {a b c d k m n : Nat}

theorem dvd_mul_right_of_dvd (h : a ∣ b) (c : Nat) : a ∣ b * c := Nat.dvd_trans h (Nat.dvd_mul_right b c)
theorem dvd_mul_left_of_dvd (h : a ∣ b) (c : Nat) : a ∣ c * b := Nat.dvd_trans h (Nat.dvd_mul_left b c)
protected theorem dvd_of_eq (h : a = b) : a ∣ b := h ▸ Nat.dvd_refl a
protected theorem one_dvd (n : Nat) : 1 ∣ n := ⟨n, (Nat.one_mul n).symm⟩
attribute [simp] Nat.one_dvd
@[simp] protected theorem zero_dvd : 0 ∣ n ↔ n = 0 := ⟨Nat.eq_zero_of_zero_dvd, fun h => h ▸ Nat.dvd_zero 0⟩

theorem le_of_dvd (h : 0 < n) (d : m ∣ n) : m ≤ n := by
  rcases d with ⟨c, rfl⟩
  cases c with
  | zero => exact absurd h (Nat.lt_irrefl 0)
  | succ c => exact le_mul_of_pos_right m (succ_pos c)

theorem pos_of_dvd_of_pos (h : m ∣ n) (H : 0 < n) : 0 < m :=
  Nat.pos_of_ne_zero fun e => by rw [e, Nat.zero_dvd] at h; omega
theorem not_dvd_of_pos_of_lt (h1 : 0 < n) (h2 : n < m) : ¬m ∣ n := fun h => Nat.not_le.2 h2 (le_of_dvd h1 h)
theorem eq_zero_of_dvd_of_lt (w : a ∣ b) (h : b < a) : b = 0 :=
  (eq_zero_or_pos b).elim id fun p => absurd w (not_dvd_of_pos_of_lt p h)

protected theorem dvd_antisymm (h₁ : m ∣ n) (h₂ : n ∣ m) : m = n := by
  cases m with
  | zero => exact (Nat.eq_zero_of_zero_dvd h₁).symm
  | succ m => exact Nat.le_antisymm (le_of_dvd (pos_of_dvd_of_pos h₂ (succ_pos m)) h₁) (le_of_dvd (succ_pos m) h₂)

@[simp] protected theorem dvd_one : n ∣ 1 ↔ n = 1 :=
  ⟨fun h => Nat.dvd_antisymm h (Nat.one_dvd n), fun h => h ▸ Nat.dvd_refl 1⟩
theorem eq_one_of_dvd_one (h : n ∣ 1) : n = 1 := Nat.dvd_one.1 h

protected theorem dvd_sub (h₁ : k ∣ m) (h₂ : k ∣ n) : k ∣ m - n := by
  rcases h₁ with ⟨x, rfl⟩; rcases h₂ with ⟨y, rfl⟩; exact ⟨x - y, (Nat.mul_sub k x y).symm⟩

protected theorem dvd_add_right (h : k ∣ m) : k ∣ m + n ↔ k ∣ n :=
  ⟨fun s => by have := Nat.dvd_sub s h; rwa [Nat.add_sub_cancel_left] at this, Nat.dvd_add h⟩
protected theorem dvd_add_iff_right (h : k ∣ m) : k ∣ n ↔ k ∣ m + n := (Nat.dvd_add_right h).symm
protected theorem dvd_add_iff_left (h : k ∣ n) : k ∣ m ↔ k ∣ m + n := by
  rw [Nat.add_comm]; exact Nat.dvd_add_iff_right h

protected theorem mul_dvd_mul (h₁ : a ∣ b) (h₂ : c ∣ d) : a * c ∣ b * d := by
  rcases h₁ with ⟨x, rfl⟩; rcases h₂ with ⟨y, rfl⟩; exact ⟨x * y, Nat.mul_mul_mul_comm a x c y⟩
protected theorem mul_dvd_mul_left (a : Nat) (h : b ∣ c) : a * b ∣ a * c := Nat.mul_dvd_mul (Nat.dvd_refl a) h
protected theorem mul_dvd_mul_right (h : a ∣ b) (c : Nat) : a * c ∣ b * c := Nat.mul_dvd_mul h (Nat.dvd_refl c)
theorem dvd_of_mul_dvd_mul_left (kpos : 0 < k) (H : k * m ∣ k * n) : m ∣ n := by
  rcases H with ⟨x, h⟩
  exact ⟨x, Nat.eq_of_mul_eq_mul_left kpos (by rw [h, Nat.mul_assoc])⟩
theorem dvd_of_mul_right_dvd (h : a * b ∣ c) : a ∣ c := Nat.dvd_trans (Nat.dvd_mul_right a b) h
theorem dvd_of_mul_left_dvd (h : a * b ∣ c) : b ∣ c := Nat.dvd_trans (Nat.dvd_mul_left b a) h

protected theorem mul_div_cancel' (H : n ∣ m) : n * (m / n) = m := by
  have := div_add_mod m n; rwa [mod_eq_zero_of_dvd H, Nat.add_zero] at this
protected theorem div_mul_cancel (H : n ∣ m) : m / n * n = m := by rw [Nat.mul_comm, Nat.mul_div_cancel' H]
protected theorem mul_div_assoc (m : Nat) (H : k ∣ n) : m * n / k = m * (n / k) := by
  cases k with
  | zero => rw [Nat.div_zero, Nat.div_zero, Nat.mul_zero]
  | succ k =>
    rcases H with ⟨x, rfl⟩
    rw [Nat.mul_left_comm, mul_div_right _ (succ_pos k), mul_div_right _ (succ_pos k)]
protected theorem div_eq_of_eq_mul_right (H1 : 0 < n) (H2 : m = n * k) : m / n = k := by
  rw [H2, Nat.mul_div_cancel_left k H1]
protected theorem div_eq_of_eq_mul_left (H1 : 0 < n) (H2 : m = k * n) : m / n = k := by
  rw [H2, Nat.mul_div_cancel k H1]
protected theorem div_eq_iff_eq_mul_right (H : 0 < b) (H' : b ∣ a) : a / b = c ↔ a = b * c :=
  ⟨fun h => by rw [← h, Nat.mul_div_cancel' H'], Nat.div_eq_of_eq_mul_right H⟩
protected theorem div_eq_iff_eq_mul_left (H : 0 < b) (H' : b ∣ a) : a / b = c ↔ a = c * b := by
  rw [Nat.mul_comm]; exact Nat.div_eq_iff_eq_mul_right H H'
@[simp] theorem mod_mod_of_dvd (n : Nat) (h : m ∣ k) : n % k % m = n % m := by
  rcases h with ⟨c, rfl⟩
  have e := mod_add_div n (m * c)
  rw [Nat.mul_assoc] at e
  have := add_mul_mod_self_left (n % (m * c)) m (c * (n / (m * c)))
  rwa [e, eq_comm] at this
protected theorem div_dvd_of_dvd (h : n ∣ m) : m / n ∣ m := ⟨n, (Nat.div_mul_cancel h).symm⟩
protected theorem dvd_mod_iff (h : k ∣ n) : k ∣ m % n ↔ k ∣ m := by
  have := Nat.dvd_add_iff_right (n := m % n) (dvd_mul_right_of_dvd h (m / n))
  rwa [div_add_mod] at this
protected theorem pow_dvd_pow (a : Nat) (h : m ≤ n) : a ^ m ∣ a ^ n := by
  rcases exists_eq_add_of_le h with ⟨d, rfl⟩; rw [Nat.pow_add]; exact Nat.dvd_mul_right _ _

end Nat
