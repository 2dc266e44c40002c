prelude
import Init.Arith.Omega.Facts

/-! `decide` on statements that quantify over the natural numbers below a bound. -/

namespace Nat

instance decidableBallLT : (n : Nat) → (P : (k : Nat) → k < n → Prop) → [∀ k h, Decidable (P k h)] →
    Decidable (∀ k h, P k h)
  | 0, _, _ => isTrue fun k h => absurd h (not_lt_zero k)
  | n + 1, P, dec => match decidableBallLT n fun k h => P k (.step h) with
    | isFalse f => isFalse fun g => f fun k h => g k _
    | isTrue t => match dec n .refl with
      | isFalse f => isFalse fun g => f (g n _)
      | isTrue p => isTrue fun k h => if e : k = n then by subst e; exact p else t k (by omega)

instance decidableBallLE (n : Nat) (P : (k : Nat) → k ≤ n → Prop) [∀ k h, Decidable (P k h)] :
    Decidable (∀ k h, P k h) :=
  decidable_of_iff (∀ (k : Nat) (h : k < n + 1), P k (le_of_lt_succ h))
    ⟨fun f k h => f k (lt_succ_of_le h), fun f k h => f k (le_of_lt_succ h)⟩

instance decidableForallFin {n : Nat} (P : Fin n → Prop) [DecidablePred P] : Decidable (∀ i, P i) :=
  decidable_of_iff (∀ k h, P ⟨k, h⟩) ⟨fun f ⟨k, h⟩ => f k h, fun f k h => f ⟨k, h⟩⟩

instance decidableExistsLT (n : Nat) (P : Nat → Prop) [DecidablePred P] : Decidable (∃ k, k < n ∧ P k) :=
  decidable_of_iff (¬∀ k, k < n → ¬P k)
    ⟨fun h => Classical.byContradiction fun no => h fun k lt p => no ⟨k, lt, p⟩, fun ⟨k, lt, p⟩ f => f k lt p⟩

instance decidableExistsLE (n : Nat) (P : Nat → Prop) [DecidablePred P] : Decidable (∃ k, k ≤ n ∧ P k) :=
  decidable_of_iff (∃ k, k < n + 1 ∧ P k)
    ⟨fun ⟨k, h, p⟩ => ⟨k, le_of_lt_succ h, p⟩, fun ⟨k, h, p⟩ => ⟨k, lt_succ_of_le h, p⟩⟩

end Nat
