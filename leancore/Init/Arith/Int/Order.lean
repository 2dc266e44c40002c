prelude
import Init.Arith.Int.Ring

/-! The order of `Int`, as far as `omega` rests on it. -/

namespace Int

section
attribute [local simp] Nat.add_comm Nat.add_left_comm Nat.add_assoc

@[refl, simp] protected theorem le_refl (a : Int) : a ≤ a := by
  rcases exists_subNatNat a with ⟨a, a', rfl⟩; rw [subNatNat_le_subNatNat]

protected theorem le_trans {a b c : Int} (h₁ : a ≤ b) (h₂ : b ≤ c) : a ≤ c := by
  rcases exists_subNatNat a with ⟨a, a', rfl⟩; rcases exists_subNatNat b with ⟨b, b', rfl⟩
  rcases exists_subNatNat c with ⟨c, c', rfl⟩
  rw [subNatNat_le_subNatNat] at h₁ h₂ ⊢
  refine Nat.le_of_add_le_add_left (k := b + b') ?_
  refine Nat.le_trans (Nat.le_trans ?_ (Nat.add_le_add h₁ h₂)) ?_ <;> simp <;> exact .refl

protected theorem le_antisymm {a b : Int} (h₁ : a ≤ b) (h₂ : b ≤ a) : a = b := by
  rcases exists_subNatNat a with ⟨a, a', rfl⟩; rcases exists_subNatNat b with ⟨b, b', rfl⟩
  rw [subNatNat_le_subNatNat] at h₁ h₂; exact subNatNat_ext (Nat.le_antisymm h₁ h₂)

protected theorem add_le_add {a b c d : Int} (h₁ : a ≤ b) (h₂ : c ≤ d) : a + c ≤ b + d := by
  rcases exists_subNatNat a with ⟨a, a', rfl⟩; rcases exists_subNatNat b with ⟨b, b', rfl⟩
  rcases exists_subNatNat c with ⟨c, c', rfl⟩; rcases exists_subNatNat d with ⟨d, d', rfl⟩
  rw [subNatNat_add_subNatNat, subNatNat_add_subNatNat]
  rw [subNatNat_le_subNatNat] at h₁ h₂ ⊢
  refine Nat.le_trans (Nat.le_trans ?_ (Nat.add_le_add h₁ h₂)) ?_ <;> simp <;> exact .refl

theorem le_iff_sub_nonneg {a b : Int} : a ≤ b ↔ 0 ≤ b - a := by
  rcases exists_subNatNat a with ⟨a, a', rfl⟩; rcases exists_subNatNat b with ⟨b, b', rfl⟩
  rw [subNatNat_sub_subNatNat, zero_eq_subNatNat, subNatNat_le_subNatNat, subNatNat_le_subNatNat]; simp

end

variable {a b c : Int}

@[simp] protected theorem not_le : ¬a ≤ b ↔ b < a := by
  rcases exists_subNatNat a with ⟨a, a', rfl⟩; rcases exists_subNatNat b with ⟨b, b', rfl⟩
  rw [subNatNat_le_subNatNat, subNatNat_lt_subNatNat]; exact Nat.not_le

@[simp] protected theorem not_lt : ¬a < b ↔ b ≤ a := by
  rcases exists_subNatNat a with ⟨a, a', rfl⟩; rcases exists_subNatNat b with ⟨b, b', rfl⟩
  rw [subNatNat_le_subNatNat, subNatNat_lt_subNatNat]; exact Nat.not_lt

protected theorem lt_or_gt_of_ne (ne : a ≠ b) : a < b ∨ a > b := by
  rcases exists_subNatNat a with ⟨a, a', rfl⟩; rcases exists_subNatNat b with ⟨b, b', rfl⟩
  show _ ∨ (_ : Int) < _
  rw [subNatNat_lt_subNatNat, subNatNat_lt_subNatNat]
  exact Nat.lt_or_gt_of_ne fun e => ne (subNatNat_ext e)

protected theorem neg_le_neg (h : a ≤ b) : -b ≤ -a := by
  rcases exists_subNatNat a with ⟨a, a', rfl⟩; rcases exists_subNatNat b with ⟨b, b', rfl⟩
  rw [neg_subNatNat, neg_subNatNat, subNatNat_le_subNatNat] at *
  rwa [Nat.add_comm a' b, Nat.add_comm b' a]

theorem natCast_nonneg (n : Nat) : 0 ≤ (n : Int) := by
  rw [zero_eq_subNatNat, natCast_eq_subNatNat, subNatNat_le_subNatNat]; exact Nat.zero_le _

theorem ofNat_le {m n : Nat} : (m : Int) ≤ (n : Int) ↔ m ≤ n := by
  rw [natCast_eq_subNatNat, natCast_eq_subNatNat, subNatNat_le_subNatNat]; exact Iff.rfl

theorem ofNat_lt {m n : Nat} : (m : Int) < (n : Int) ↔ m < n := ofNat_le

protected theorem mul_nonneg (ha : 0 ≤ a) (hb : 0 ≤ b) : 0 ≤ a * b := match a, b, ha, hb with
  | ofNat m, ofNat n, _, _ => natCast_nonneg (m * n)
  | negSucc _, _, h, _ => nomatch h
  | ofNat _, negSucc _, _, h => nomatch h

protected theorem sub_nonneg_of_le (h : b ≤ a) : 0 ≤ a - b := le_iff_sub_nonneg.1 h
protected theorem le_of_sub_nonneg (h : 0 ≤ a - b) : b ≤ a := le_iff_sub_nonneg.2 h
theorem add_one_le_of_lt (h : a < b) : a + 1 ≤ b := h
protected theorem ne_of_gt (h : b < a) : a ≠ b := by
  intro e; subst e; exact Int.not_lt.2 (Int.le_refl a) h

protected theorem mul_le_mul_of_nonneg_left (h₁ : a ≤ b) (h₂ : 0 ≤ c) : c * a ≤ c * b := by
  have := Int.mul_nonneg h₂ (Int.sub_nonneg_of_le h₁)
  rw [Int.sub_eq_add_neg, Int.mul_add, Int.mul_neg] at this
  exact Int.le_of_sub_nonneg this

protected theorem mul_le_mul_of_nonpos_left (h₁ : c ≤ 0) (h₂ : a ≤ b) : c * b ≤ c * a := by
  have := Int.neg_le_neg (Int.mul_le_mul_of_nonneg_left h₂ (Int.neg_le_neg h₁))
  rwa [Int.neg_mul, Int.neg_mul, Int.neg_neg, Int.neg_neg] at this

protected theorem min_def (n m : Int) : min n m = if n ≤ m then n else m := rfl
protected theorem max_def (n m : Int) : max n m = if n ≤ m then m else n := rfl

protected theorem max_le_of_le_of_le (h₁ : a ≤ c) (h₂ : b ≤ c) : max a b ≤ c := by
  show ite _ _ _ ≤ c; split <;> assumption

protected theorem le_min_of_le_of_le (h₁ : c ≤ a) (h₂ : c ≤ b) : c ≤ min a b := by
  show c ≤ ite _ _ _; split <;> assumption

end Int
