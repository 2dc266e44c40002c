prelude
import Init.Arith.Nat.Ring

/-! The order of `Nat`, as far as integers and `omega` rest on it. The long list of order lemmas is proved by
`omega` in `Init.Arith.Nat.Lemmas`. -/

universe u

variable {α : Type u} {a b c : α}

theorem le_of_le_of_eq [LE α] (h₁ : a ≤ b) (h₂ : b = c) : a ≤ c := h₂ ▸ h₁
theorem le_of_eq_of_le [LE α] (h₁ : a = b) (h₂ : b ≤ c) : a ≤ c := h₁ ▸ h₂
theorem lt_of_lt_of_eq [LT α] (h₁ : a < b) (h₂ : b = c) : a < c := h₂ ▸ h₁
theorem lt_of_eq_of_lt [LT α] (h₁ : a = b) (h₂ : b < c) : a < c := h₁ ▸ h₂

namespace Nat

variable {n m k l : Nat}

attribute [refl] Nat.le_refl

theorem le_add_right (n k : Nat) : n ≤ n + k := by
  induction k with
  | zero => exact .refl
  | succ k ih => exact .step ih

theorem le_add_left (n m : Nat) : n ≤ m + n := Nat.add_comm n m ▸ le_add_right n m

theorem le.dest (h : n ≤ m) : ∃ k, n + k = m := by
  induction h with
  | refl => exact ⟨0, rfl⟩
  | step _ ih => cases ih with | intro k hk => exact ⟨k + 1, congrArg succ hk⟩

theorem le.intro (h : n + k = m) : n ≤ m := h ▸ le_add_right n k

theorem not_succ_le_self (n : Nat) : ¬succ n ≤ n := by
  intro h
  cases le.dest h with
  | intro k hk =>
    rw [Nat.succ_add] at hk
    have : n + succ k = n + 0 := hk
    exact Nat.noConfusion (Nat.add_left_cancel this)

@[simp] protected theorem lt_irrefl (n : Nat) : ¬n < n := not_succ_le_self n
protected theorem le_of_lt (h : n < m) : n ≤ m := Nat.le_trans (.step .refl) h
theorem lt_succ_of_le (h : n ≤ m) : n < succ m := succ_le_succ h
theorem le_of_lt_succ (h : n < succ m) : n ≤ m := le_of_succ_le_succ h
protected theorem lt_of_lt_of_le (h₁ : n < m) (h₂ : m ≤ k) : n < k := Nat.le_trans h₁ h₂
protected theorem lt_of_le_of_lt (h₁ : n ≤ m) (h₂ : m < k) : n < k := Nat.le_trans (succ_le_succ h₁) h₂
protected theorem lt_trans (h₁ : n < m) (h₂ : m < k) : n < k := Nat.le_trans (.step h₁) h₂

protected theorem le_antisymm (h₁ : n ≤ m) (h₂ : m ≤ n) : n = m := by
  cases h₁ with
  | refl => rfl
  | step h => exact absurd (Nat.le_trans h₂ h) (not_succ_le_self _)

protected theorem lt_or_ge (n m : Nat) : n < m ∨ n ≥ m := by
  induction m with
  | zero => exact .inr (zero_le n)
  | succ m ih =>
    cases ih with
    | inl h => exact .inl (.step h)
    | inr h =>
      cases h with
      | refl => exact .inl .refl
      | step h => exact .inr (succ_le_succ h)

protected theorem le_total (m n : Nat) : m ≤ n ∨ n ≤ m :=
  (Nat.lt_or_ge m n).elim (fun h => .inl (Nat.le_of_lt h)) .inr

protected theorem le_of_not_lt (h : ¬n < m) : m ≤ n := (Nat.lt_or_ge n m).elim (fun k => absurd k h) id
protected theorem lt_of_not_le (h : ¬n ≤ m) : m < n := (Nat.lt_or_ge m n).elim id (fun k => absurd k h)

@[simp] protected theorem not_le : ¬n ≤ m ↔ m < n :=
  ⟨Nat.lt_of_not_le, fun h k => Nat.lt_irrefl _ (Nat.lt_of_lt_of_le h k)⟩

@[simp] protected theorem not_lt : ¬n < m ↔ m ≤ n :=
  ⟨Nat.le_of_not_lt, fun h k => Nat.lt_irrefl _ (Nat.lt_of_lt_of_le k h)⟩

protected theorem lt_or_gt_of_ne (ne : n ≠ m) : n < m ∨ n > m :=
  (Nat.lt_or_ge n m).elim .inl fun h => (Nat.lt_or_ge m n).elim .inr fun k => absurd (Nat.le_antisymm k h) ne

protected theorem add_le_add_left (h : n ≤ m) (k : Nat) : k + n ≤ k + m := by
  cases le.dest h with | intro d hd => exact le.intro (k := d) (by rw [Nat.add_assoc, hd])

protected theorem add_le_add_right (h : n ≤ m) (k : Nat) : n + k ≤ m + k := by
  rw [Nat.add_comm n, Nat.add_comm m]; exact Nat.add_le_add_left h k

protected theorem add_le_add (h₁ : n ≤ m) (h₂ : k ≤ l) : n + k ≤ m + l :=
  Nat.le_trans (Nat.add_le_add_right h₁ k) (Nat.add_le_add_left h₂ m)

protected theorem le_of_add_le_add_left (h : k + n ≤ k + m) : n ≤ m := by
  cases le.dest h with
  | intro d hd => exact le.intro (k := d) (Nat.add_left_cancel (by rw [← Nat.add_assoc]; exact hd))

protected theorem mul_le_mul_left (k : Nat) (h : n ≤ m) : k * n ≤ k * m := by
  cases le.dest h with | intro d hd => exact le.intro (k := k * d) (by rw [← Nat.mul_add, hd])

protected theorem pos_of_ne_zero (h : n ≠ 0) : 0 < n := match n, h with
  | 0, h => absurd rfl h
  | n + 1, _ => succ_le_succ (zero_le n)

protected theorem pow_pos (h : 0 < n) : 0 < n ^ m := by
  induction m with
  | zero => exact .refl
  | succ m ih =>
    show 0 < n ^ m * n
    cases n with
    | zero => exact h
    | succ n => exact Nat.lt_of_lt_of_le ih (le_add_left _ _)

end Nat
