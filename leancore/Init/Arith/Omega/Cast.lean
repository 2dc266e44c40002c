prelude
import Init.Arith.Omega.Logic

/-! What `omega` uses to move from natural numbers to integers, and to rewrite inside sums and products. -/

universe u v

namespace Lean.Omega.Int

variable {a b c d : Int}

theorem add_congr (h₁ : a = b) (h₂ : c = d) : a + c = b + d := h₁ ▸ h₂ ▸ rfl
theorem mul_congr (h₁ : a = b) (h₂ : c = d) : a * c = b * d := h₁ ▸ h₂ ▸ rfl
theorem sub_congr (h₁ : a = b) (h₂ : c = d) : a - c = b - d := h₁ ▸ h₂ ▸ rfl
theorem neg_congr (h : a = b) : -a = -b := h ▸ rfl

theorem natCast_ofNat {x : Nat} : @Nat.cast Int instNatCastInt (no_index (OfNat.ofNat x)) = OfNat.ofNat x := rfl
theorem ofNat_congr {a b : Nat} (h : a = b) : (a : Int) = (b : Int) := congrArg _ h
theorem ofNat_le_of_le {x y : Nat} (h : x ≤ y) : (x : Int) ≤ (y : Int) := Int.ofNat_le.2 h
theorem ofNat_lt_of_lt {x y : Nat} (h : x < y) : (x : Int) < (y : Int) := Int.ofNat_lt.2 h
theorem ofNat_pos_of_pos {a : Nat} (h : 0 < a) : 0 < (a : Int) := Int.ofNat_lt.2 h
theorem ofNat_mul_nonneg {a b : Nat} : 0 ≤ (a : Int) * b := Int.natCast_nonneg (a * b)
theorem emod_ofNat_nonneg {x : Nat} {y : Int} : 0 ≤ (x : Int) % y := Int.natCast_nonneg _

theorem ofNat_sub_sub {a b c : Nat} : ((a - b - c : Nat) : Int) = ((a - (b + c) : Nat) : Int) :=
  congrArg _ (Nat.sub_sub a b c)

theorem ofNat_sub_dichotomy {a b : Nat} :
    b ≤ a ∧ ((a - b : Nat) : Int) = a - b ∨ a < b ∧ ((a - b : Nat) : Int) = 0 := by
  cases Nat.lt_or_ge a b with
  | inl h => exact .inr ⟨h, congrArg _ (Nat.sub_eq_zero_of_le (Nat.le_of_lt h))⟩
  | inr h =>
    refine .inl ⟨h, ?_⟩
    rcases Nat.le.dest h with ⟨k, rfl⟩
    rw [Nat.add_sub_cancel_left, Int.natCast_eq_subNatNat, Int.natCast_eq_subNatNat, Int.natCast_eq_subNatNat,
      Int.subNatNat_sub_subNatNat]
    apply Int.subNatNat_ext
    show k + (0 + b) = b + k
    rw [Nat.zero_add, Nat.add_comm]

theorem ofNat_pow (a b : Nat) : ((a ^ b : Nat) : Int) = (a : Int) ^ b := by
  induction b with
  | zero => rfl
  | succ b ih => show ((a ^ b * a : Nat) : Int) = (a : Int) ^ b * a; rw [← ih]; rfl

theorem ofNat_fst_mk {β : Type v} {x : Nat} {y : β} : ((Prod.mk x y).fst : Int) = (x : Int) := rfl
theorem ofNat_snd_mk {α : Type u} {x : α} {y : Nat} : ((Prod.mk x y).snd : Int) = (y : Int) := rfl

end Lean.Omega.Int
