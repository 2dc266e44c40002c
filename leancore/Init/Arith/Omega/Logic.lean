prelude
import Init.Arith.Int.Div

/-!
`omega` is compiled into the Lean binary; what it needs from a library is the set of lemmas it puts into its
proofs. Their names, argument orders and statements are the tactic's. This file: how it takes hypotheses apart.
-/

universe u v

theorem Decidable.not_or_of_imp {a b : Prop} [Decidable a] (h : a → b) : ¬a ∨ b :=
  Decidable.byCases (fun k => .inr (h k)) .inl

namespace Lean.Omega

variable {p q : Prop}

theorem Decidable.and_not_of_not_imp [Decidable p] (h : ¬(p → q)) : p ∧ ¬q :=
  ⟨Decidable.byContradiction fun n => h fun k => absurd k n, fun k => h fun _ => k⟩

theorem Decidable.or_not_not_of_not_and [Decidable p] [Decidable q] (h : ¬(p ∧ q)) : ¬p ∨ ¬q :=
  if hp : p then .inr fun hq => h ⟨hp, hq⟩ else .inl hp

theorem and_not_not_of_not_or (h : ¬(p ∨ q)) : ¬p ∧ ¬q := ⟨fun k => h (.inl k), fun k => h (.inr k)⟩

theorem Decidable.and_or_not_and_not_of_iff [Decidable q] (h : p ↔ q) : (p ∧ q) ∨ (¬p ∧ ¬q) :=
  if hq : q then .inl ⟨h.2 hq, hq⟩ else .inr ⟨fun k => hq (h.1 k), hq⟩

theorem Decidable.and_not_or_not_and_of_not_iff [Decidable p] [Decidable q] (h : ¬(p ↔ q)) :
    (p ∧ ¬q) ∨ (¬p ∧ q) :=
  if hp : p then .inl ⟨hp, fun hq => h ⟨fun _ => hq, fun _ => hp⟩⟩
  else .inr ⟨hp, Decidable.byContradiction fun hq => h ⟨fun k => absurd k hp, fun k => absurd k hq⟩⟩

theorem ite_disjunction {α : Type u} {P : Prop} [Decidable P] {a b : α} :
    (P ∧ (if P then a else b) = a) ∨ (¬P ∧ (if P then a else b) = b) :=
  if h : P then .inl ⟨h, if_pos h⟩ else .inr ⟨h, if_neg h⟩

theorem Nat.lt_of_gt {x y : Nat} (h : x > y) : y < x := h
theorem Nat.le_of_ge {x y : Nat} (h : x ≥ y) : y ≤ x := h

theorem Prod.fst_mk {α : Type u} {x : α} {β : Type v} {y : β} : (Prod.mk x y).fst = x := rfl
theorem Prod.snd_mk {α : Type u} {x : α} {β : Type v} {y : β} : (Prod.mk x y).snd = y := rfl

namespace Int

variable {x y : Int}

theorem lt_of_gt (h : x > y) : y < x := h
theorem le_of_ge (h : x ≥ y) : y ≤ x := h
theorem lt_of_not_le (h : ¬x ≤ y) : y < x := Int.not_le.1 h
theorem le_of_not_lt (h : ¬x < y) : y ≤ x := Int.not_lt.1 h

end Int
end Lean.Omega
