prelude
import Init.Arith.Nat.DvdLemmas

/-! Lemmas on the greatest common divisor, and the least common multiple. -/

namespace Nat

variable {k m n : Nat}

@[simp] theorem gcd_zero_left (n : Nat) : gcd 0 n = n := rfl

/-- Any two amounts of fuel that suffice give the same result. -/
private theorem euclid_steps {s t : Nat} : (m n : Nat) → m < s → m < t → euclid s m n = euclid t m n := by
  induction s generalizing t with
  | zero => intro m _ h; exact absurd h (not_lt_zero m)
  | succ s ih =>
    intro m n hs ht
    cases t with
    | zero => exact absurd ht (not_lt_zero m)
    | succ t =>
      show ite _ _ _ = ite _ _ _
      split
      next => rfl
      next e =>
        have := mod_lt n (Nat.pos_of_ne_zero e)
        exact ih (n % m) m (by omega) (by omega)

theorem gcd_rec (m n : Nat) : gcd m n = gcd (n % m) m := by
  cases m with
  | zero => show n = gcd (n % 0) 0; rw [mod_zero]; exact Nat.dvd_antisymm (dvd_gcd_zero n) (gcd_dvd_left n 0)
  | succ m => exact euclid_steps (n % (m + 1)) (m + 1) (mod_lt n (succ_pos m)) (lt_succ_self _)
where
  dvd_gcd_zero (n : Nat) : n ∣ gcd n 0 := by
    cases n with
    | zero => exact Nat.dvd_refl 0
    | succ n => exact Nat.dvd_refl (n + 1)

theorem gcd_succ (x y : Nat) : gcd (succ x) y = gcd (y % succ x) (succ x) := gcd_rec _ _
theorem gcd_add_one (x y : Nat) : gcd (x + 1) y = gcd (y % (x + 1)) (x + 1) := gcd_rec _ _

/-- induction along Euclid's algorithm -/
@[elab_as_elim] theorem gcd.induction {P : Nat → Nat → Prop} (m n : Nat) (H0 : ∀ n, P 0 n)
    (H1 : ∀ m n, 0 < m → P (n % m) m → P m n) : P m n := by
  induction m using Nat.strongRecOn generalizing n with
  | ind m ih =>
    cases m with
    | zero => exact H0 n
    | succ m => exact H1 _ _ (succ_pos m) (ih _ (mod_lt n (succ_pos m)) _)

theorem dvd_gcd : k ∣ m → k ∣ n → k ∣ gcd m n := by
  induction m, n using gcd.induction with
  | H0 n => intro _ h; exact h
  | H1 m n _ ih =>
    intro hm hn
    rw [gcd_rec]
    exact ih ((Nat.dvd_mod_iff hm).2 hn) hm

theorem dvd_gcd_iff : k ∣ gcd m n ↔ k ∣ m ∧ k ∣ n :=
  ⟨fun h => ⟨Nat.dvd_trans h (gcd_dvd_left m n), Nat.dvd_trans h (gcd_dvd_right m n)⟩, fun h => dvd_gcd h.1 h.2⟩

theorem gcd_comm (m n : Nat) : gcd m n = gcd n m :=
  Nat.dvd_antisymm (dvd_gcd (gcd_dvd_right m n) (gcd_dvd_left m n)) (dvd_gcd (gcd_dvd_right n m) (gcd_dvd_left n m))

theorem gcd_assoc (m n k : Nat) : gcd (gcd m n) k = gcd m (gcd n k) := by
  apply Nat.dvd_antisymm <;> simp only [dvd_gcd_iff]
  · have h := dvd_gcd_iff.1 (Nat.dvd_refl (gcd (gcd m n) k))
    have hmn := dvd_gcd_iff.1 h.1
    exact ⟨hmn.1, hmn.2, h.2⟩
  · have h := dvd_gcd_iff.1 (Nat.dvd_refl (gcd m (gcd n k)))
    have hnk := dvd_gcd_iff.1 h.2
    exact ⟨⟨h.1, hnk.1⟩, hnk.2⟩

theorem gcd_eq_left (h : m ∣ n) : gcd m n = m := Nat.dvd_antisymm (gcd_dvd_left m n) (dvd_gcd (Nat.dvd_refl m) h)
theorem gcd_eq_right (h : n ∣ m) : gcd m n = n := by rw [gcd_comm, gcd_eq_left h]
@[simp] theorem gcd_zero_right (n : Nat) : gcd n 0 = n := gcd_eq_left (Nat.dvd_zero n)
@[simp] theorem gcd_self (n : Nat) : gcd n n = n := gcd_eq_left (Nat.dvd_refl n)
@[simp] theorem gcd_one_left (n : Nat) : gcd 1 n = 1 := gcd_eq_left (Nat.one_dvd n)
@[simp] theorem gcd_one_right (n : Nat) : gcd n 1 = 1 := gcd_eq_right (Nat.one_dvd n)
@[simp] theorem gcd_mul_left_left (m n : Nat) : gcd (m * n) n = n := gcd_eq_right (Nat.dvd_mul_left n m)
@[simp] theorem gcd_mul_right_left (m n : Nat) : gcd (n * m) n = n := gcd_eq_right (Nat.dvd_mul_right n m)

theorem gcd_pos_of_pos_left (n : Nat) (h : 0 < m) : 0 < gcd m n := pos_of_dvd_of_pos (gcd_dvd_left m n) h
theorem gcd_pos_of_pos_right (m : Nat) (h : 0 < n) : 0 < gcd m n := pos_of_dvd_of_pos (gcd_dvd_right m n) h
theorem gcd_le_left (n : Nat) (h : 0 < m) : gcd m n ≤ m := le_of_dvd h (gcd_dvd_left m n)
theorem gcd_le_right (m : Nat) (h : 0 < n) : gcd m n ≤ n := le_of_dvd h (gcd_dvd_right m n)

theorem gcd_eq_zero_iff : gcd m n = 0 ↔ m = 0 ∧ n = 0 :=
  ⟨fun h => ⟨Nat.zero_dvd.1 (h ▸ gcd_dvd_left m n), Nat.zero_dvd.1 (h ▸ gcd_dvd_right m n)⟩,
    fun h => by rw [h.1, h.2]; rfl⟩

theorem mul_mod_mul_left (z x y : Nat) : z * x % (z * y) = z * (x % y) := by
  cases z with
  | zero => rw [Nat.zero_mul, Nat.zero_mul, Nat.zero_mul, mod_zero]
  | succ z =>
    cases y with
    | zero => rw [Nat.mul_zero, mod_zero, mod_zero]
    | succ y =>
      refine (mod_div_unique (q := x / (y + 1)) ?_ ?_).1
      · exact Nat.mul_lt_mul_of_pos_left (mod_lt x (succ_pos y)) (succ_pos z)
      · rw [Nat.mul_assoc, ← Nat.mul_add, div_add_mod]

theorem gcd_mul_left (m n k : Nat) : gcd (m * n) (m * k) = m * gcd n k := by
  induction n, k using gcd.induction with
  | H0 k => rw [Nat.mul_zero, gcd_zero_left, gcd_zero_left]
  | H1 n k _ ih => rw [gcd_rec, mul_mod_mul_left, ih, ← gcd_rec]

theorem gcd_mul_right (m n k : Nat) : gcd (m * n) (k * n) = gcd m k * n := by
  rw [Nat.mul_comm m, Nat.mul_comm k, gcd_mul_left, Nat.mul_comm]

theorem mul_mod_mul_right (z x y : Nat) : x * z % (y * z) = x % y * z := by
  rw [Nat.mul_comm x, Nat.mul_comm y, mul_mod_mul_left, Nat.mul_comm]

theorem gcd_dvd_gcd_of_dvd_left (k : Nat) (h : m ∣ n) : gcd m k ∣ gcd n k :=
  dvd_gcd (Nat.dvd_trans (gcd_dvd_left m k) h) (gcd_dvd_right m k)

/-- no common divisor but 1 -/
@[reducible] def Coprime (m n : Nat) : Prop := gcd m n = 1

theorem Coprime.symm (h : Coprime m n) : Coprime n m := (gcd_comm n m).trans h

theorem Coprime.dvd_of_dvd_mul_left (h : Coprime k m) (d : k ∣ m * n) : k ∣ n := by
  have e : gcd (k * n) (m * n) = n := by rw [gcd_mul_right, h, Nat.one_mul]
  rw [← e]; exact dvd_gcd (Nat.dvd_mul_right k n) d

theorem Coprime.dvd_of_dvd_mul_right (h : Coprime k n) (d : k ∣ m * n) : k ∣ m :=
  h.dvd_of_dvd_mul_left (by rwa [Nat.mul_comm])

theorem coprime_comm : Coprime m n ↔ Coprime n m := ⟨Coprime.symm, Coprime.symm⟩

theorem Coprime.gcd_mul_left_cancel (m : Nat) (h : Coprime k n) : gcd (k * m) n = gcd m n := by
  have coprime : Coprime (gcd (k * m) n) k := by
    have d := dvd_gcd (gcd_dvd_right (gcd (k * m) n) k)
      (Nat.dvd_trans (gcd_dvd_left (gcd (k * m) n) k) (gcd_dvd_right (k * m) n))
    rw [h] at d
    exact Nat.dvd_one.1 d
  exact Nat.dvd_antisymm
    (dvd_gcd (coprime.dvd_of_dvd_mul_left (gcd_dvd_left (k * m) n)) (gcd_dvd_right (k * m) n))
    (dvd_gcd (dvd_mul_left_of_dvd (gcd_dvd_left m n) k) (gcd_dvd_right m n))

theorem Coprime.mul (h₁ : Coprime m k) (h₂ : Coprime n k) : Coprime (m * n) k :=
  (h₁.gcd_mul_left_cancel n).trans h₂

theorem Coprime.pow_left (n : Nat) (h : Coprime m k) : Coprime (m ^ n) k := by
  induction n with
  | zero => exact gcd_one_left k
  | succ n ih => exact ih.mul h

theorem Coprime.mul_dvd_of_dvd_of_dvd {a : Nat} (h : Coprime k n) (hk : k ∣ a) (hn : n ∣ a) : k * n ∣ a := by
  rcases hk with ⟨x, rfl⟩
  exact Nat.mul_dvd_mul_left k (h.symm.dvd_of_dvd_mul_left hn)

/-- the least common multiple -/
def lcm (m n : Nat) : Nat := m * n / gcd m n

theorem lcm_comm (m n : Nat) : lcm m n = lcm n m := by unfold lcm; rw [Nat.mul_comm, gcd_comm]
theorem dvd_lcm_left (m n : Nat) : m ∣ lcm m n := ⟨n / gcd m n, Nat.mul_div_assoc m (gcd_dvd_right m n)⟩
theorem dvd_lcm_right (m n : Nat) : n ∣ lcm m n := lcm_comm n m ▸ dvd_lcm_left n m
@[simp] theorem lcm_zero_left (m : Nat) : lcm 0 m = 0 := by unfold lcm; rw [Nat.zero_mul, Nat.zero_div]
@[simp] theorem lcm_one_left (m : Nat) : lcm 1 m = m := by
  unfold lcm; rw [Nat.one_mul, gcd_one_left, Nat.div_one]
@[simp] theorem lcm_self (m : Nat) : lcm m m = m := by
  cases m with
  | zero => rfl
  | succ m => unfold lcm; rw [gcd_self, Nat.mul_div_cancel _ (succ_pos m)]
theorem gcd_mul_lcm (m n : Nat) : gcd m n * lcm m n = m * n :=
  Nat.mul_div_cancel' (dvd_mul_right_of_dvd (gcd_dvd_left m n) n)

theorem lcm_dvd {k : Nat} (h₁ : m ∣ k) (h₂ : n ∣ k) : lcm m n ∣ k := by
  cases eq_zero_or_pos (gcd m n) with
  | inl h =>
    have ⟨hm, _⟩ := gcd_eq_zero_iff.1 h
    subst hm; rw [lcm_zero_left]; exact h₁
  | inr h =>
    refine dvd_of_mul_dvd_mul_left h ?_
    rw [gcd_mul_lcm, ← gcd_mul_right]
    exact dvd_gcd (Nat.mul_dvd_mul_left m h₂) (Nat.mul_comm m n ▸ Nat.mul_dvd_mul_left n h₁)

end Nat
