prelude
import Init.Arith.Int.Basic

/-!
Every integer is a difference of natural numbers, `subNatNat a b`, and each operation has a formula on such
differences. A law of integers then becomes a law of natural numbers, multiplied out and closed by `simp` with
associativity and commutativity; this replaces a case split on signs.
-/

namespace Int

variable {a b c d k : Nat}

theorem subNatNat_eq_ofNat (h : a = b + k) : subNatNat a b = ofNat k := by
  subst h; unfold subNatNat
  rw [Nat.sub_eq_zero_of_le (Nat.le_add_right b k), Nat.add_sub_cancel_left]

theorem subNatNat_eq_negSucc (h : b = a + (k + 1)) : subNatNat a b = negSucc k := by
  subst h; unfold subNatNat
  rw [Nat.add_sub_cancel_left]

theorem subNatNat_eq_negOfNat (h : b = a + k) : subNatNat a b = negOfNat k := by
  cases k with
  | zero => exact subNatNat_eq_ofNat h.symm
  | succ k => exact subNatNat_eq_negSucc h

theorem subNatNat_cases (a b : Nat) :
    (∃ k, a = b + k ∧ subNatNat a b = ofNat k) ∨ (∃ k, b = a + (k + 1) ∧ subNatNat a b = negSucc k) := by
  cases Nat.lt_or_ge a b with
  | inl h =>
    rcases Nat.le.dest h with ⟨k, hk⟩
    have e : b = a + (k + 1) := by rw [← hk, Nat.succ_add]; rfl
    exact .inr ⟨k, e, subNatNat_eq_negSucc e⟩
  | inr h =>
    rcases Nat.le.dest h with ⟨k, hk⟩
    exact .inl ⟨k, hk.symm, subNatNat_eq_ofNat hk.symm⟩

theorem ofNat_eq_subNatNat (n : Nat) : ofNat n = subNatNat n 0 := (subNatNat_eq_ofNat (Nat.zero_add n).symm).symm
theorem natCast_eq_subNatNat (n : Nat) : (n : Int) = subNatNat n 0 := ofNat_eq_subNatNat n
theorem zero_eq_subNatNat : (0 : Int) = subNatNat 0 0 := rfl
theorem one_eq_subNatNat : (1 : Int) = subNatNat 1 0 := rfl
theorem negSucc_eq_subNatNat (n : Nat) : negSucc n = subNatNat 0 (n + 1) :=
  (subNatNat_eq_negSucc (Nat.zero_add _).symm).symm

theorem exists_subNatNat (x : Int) : ∃ a b, x = subNatNat a b := match x with
  | ofNat n => ⟨n, 0, ofNat_eq_subNatNat n⟩
  | negSucc n => ⟨0, n + 1, negSucc_eq_subNatNat n⟩

attribute [local simp] Nat.add_mul Nat.mul_add Nat.add_comm Nat.add_left_comm Nat.add_assoc Nat.mul_comm
  Nat.mul_left_comm Nat.mul_assoc

theorem subNatNat_ext (h : a + d = c + b) : subNatNat a b = subNatNat c d := by
  rcases subNatNat_cases c d with ⟨k, rfl, e⟩ | ⟨k, rfl, e⟩ <;> rw [e]
  · refine subNatNat_eq_ofNat (Nat.add_right_cancel (m := d) (h.trans ?_)); simp
  · refine subNatNat_eq_negSucc (Nat.add_left_cancel (n := c) (h.symm.trans ?_)); simp

theorem subNatNat_inj (h : subNatNat a b = subNatNat c d) : a + d = c + b := by
  rcases subNatNat_cases a b with ⟨k, rfl, e⟩ | ⟨k, rfl, e⟩ <;>
    rcases subNatNat_cases c d with ⟨l, rfl, f⟩ | ⟨l, rfl, f⟩ <;> rw [e, f] at h
  · injection h with h; subst h; simp
  · injection h
  · injection h
  · injection h with h; subst h; simp

theorem subNatNat_add_subNatNat (a b c d : Nat) : subNatNat a b + subNatNat c d = subNatNat (a + c) (b + d) := by
  rcases subNatNat_cases a b with ⟨k, rfl, e⟩ | ⟨k, rfl, e⟩ <;>
    rcases subNatNat_cases c d with ⟨l, rfl, f⟩ | ⟨l, rfl, f⟩ <;> rw [e, f]
  · exact (subNatNat_eq_ofNat (by simp)).symm
  · show subNatNat k (l + 1) = _; apply subNatNat_ext; simp
  · show subNatNat l (k + 1) = _; apply subNatNat_ext; simp
  · exact (subNatNat_eq_negSucc (by show _ = _ + (k + l + 1 + 1); simp)).symm

theorem neg_subNatNat (a b : Nat) : -subNatNat a b = subNatNat b a := by
  rcases subNatNat_cases a b with ⟨k, rfl, e⟩ | ⟨k, rfl, e⟩ <;> rw [e]
  · exact (subNatNat_eq_negOfNat rfl).symm
  · exact (subNatNat_eq_ofNat rfl).symm

theorem subNatNat_sub_subNatNat (a b c d : Nat) : subNatNat a b - subNatNat c d = subNatNat (a + d) (b + c) := by
  show _ + -_ = _; rw [neg_subNatNat, subNatNat_add_subNatNat]

theorem subNatNat_mul_subNatNat (a b c d : Nat) :
    subNatNat a b * subNatNat c d = subNatNat (a * c + b * d) (a * d + b * c) := by
  rcases subNatNat_cases a b with ⟨k, rfl, e⟩ | ⟨k, rfl, e⟩ <;>
    rcases subNatNat_cases c d with ⟨l, rfl, f⟩ | ⟨l, rfl, f⟩ <;> rw [e, f]
  · exact (subNatNat_eq_ofNat (by simp)).symm
  · refine (subNatNat_eq_negOfNat (k := k * (l + 1)) ?_).symm; simp
  · refine (subNatNat_eq_negOfNat (k := (k + 1) * l) ?_).symm; simp
  · refine (subNatNat_eq_ofNat (k := (k + 1) * (l + 1)) ?_).symm; simp

theorem nonNeg_subNatNat (a b : Nat) : NonNeg (subNatNat a b) ↔ b ≤ a := by
  rcases subNatNat_cases a b with ⟨k, rfl, e⟩ | ⟨k, rfl, e⟩ <;> rw [e]
  · exact ⟨fun _ => Nat.le_add_right _ _, fun _ => NonNeg.mk k⟩
  · exact ⟨fun h => (nomatch h),
      fun h => absurd (Nat.lt_of_le_of_lt (Nat.le_add_right a k) h) (Nat.lt_irrefl _)⟩

theorem subNatNat_le_subNatNat (a b c d : Nat) : (subNatNat a b ≤ subNatNat c d) ↔ a + d ≤ c + b := by
  show NonNeg (_ - _) ↔ _; rw [subNatNat_sub_subNatNat, nonNeg_subNatNat, Nat.add_comm d a]

theorem subNatNat_lt_subNatNat (a b c d : Nat) : (subNatNat a b < subNatNat c d) ↔ a + d < c + b := by
  show ((_ : Int) + 1 ≤ _) ↔ _
  rw [one_eq_subNatNat, subNatNat_add_subNatNat, subNatNat_le_subNatNat]
  show a + 1 + d ≤ c + b ↔ a + d + 1 ≤ c + b
  rw [Nat.add_right_comm]

end Int
