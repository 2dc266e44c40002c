prelude
import Init.Arith
/-! Well-founded recursion: accessibility, measures, lexicographic pairs, sizes, and the rules that `termination_by`
and `decreasing_tactic` name. -/
set_option linter.all false
universe u v

inductive Acc {α : Sort u} (r : α → α → Prop) : α → Prop where
  | intro (x : α) (h : (y : α) → r y x → Acc r y) : Acc r x
theorem Acc.inv {α : Sort u} {r : α → α → Prop} {x y : α} (h : Acc r x) (k : r y x) : Acc r y := by
  cases h with | intro _ h => exact h y k

inductive WellFounded {α : Sort u} (r : α → α → Prop) : Prop where
  | intro (h : ∀ a, Acc r a) : WellFounded r
class WellFoundedRelation (α : Sort u) where
  rel : α → α → Prop
  wf : WellFounded rel

namespace WellFounded
variable {α : Sort u} {r : α → α → Prop}
theorem apply (wf : WellFounded r) (a : α) : Acc r a := by cases wf with | intro h => exact h a
section
variable {C : α → Sort v} (F : ∀ x, (∀ y, r y x → C y) → C x)
noncomputable def fixF (x : α) (a : Acc r x) : C x := a.rec (motive := fun x _ => C x) fun x _ ih => F x ih
theorem fixF_eq (x : α) (a : Acc r x) : fixF F x a = F x fun y p => fixF F y (a.inv p) := by
  cases a with | intro _ _ => rfl
end
end WellFounded
namespace WellFounded
variable {α : Sort u} {C : α → Sort v} {r : α → α → Prop}
noncomputable def fix (hwf : WellFounded r) (F : ∀ x, (∀ y, r y x → C y) → C x) (x : α) : C x :=
  fixF F x (hwf.apply x)
theorem fix_eq (hwf : WellFounded r) (F : ∀ x, (∀ y, r y x → C y) → C x) (x : α) :
    fix hwf F x = F x fun y _ => fix hwf F y := fixF_eq F x _
theorem recursion {C : α → Prop} (hwf : WellFounded r) (a : α) (h : ∀ x, (∀ y, r y x → C y) → C x) : C a := by
  induction hwf.apply a with | intro x _ ih => exact h x ih
theorem induction {C : α → Prop} (hwf : WellFounded r) (a : α) (h : ∀ x, (∀ y, r y x → C y) → C x) : C a :=
  hwf.recursion a h
end WellFounded

def InvImage {α : Sort u} {β : Sort v} (r : β → β → Prop) (f : α → β) : α → α → Prop := fun a b => r (f a) (f b)
theorem InvImage.accessible {α : Sort u} {β : Sort v} {r : β → β → Prop} (f : α → β) {b : β} (h : Acc r b) :
    ∀ a, f a = b → Acc (InvImage r f) a := by
  induction h with
  | intro b _ ih => exact fun a e => ⟨a, fun c k => ih (f c) (e ▸ k) c rfl⟩
theorem InvImage.wf {α : Sort u} {β : Sort v} {r : β → β → Prop} (f : α → β) (h : WellFounded r) :
    WellFounded (InvImage r f) := ⟨fun a => accessible f (h.apply (f a)) a rfl⟩
@[reducible] def invImage {α : Sort u} {β : Sort v} (f : α → β) (h : WellFoundedRelation β) :
    WellFoundedRelation α where
  rel := InvImage h.rel f
  wf := InvImage.wf f h.wf

theorem Nat.acc_of_le (n : Nat) : ∀ m, m ≤ n → Acc (· < ·) m := by
  induction n with
  | zero => exact fun m h => ⟨m, fun k j => absurd (Nat.lt_of_lt_of_le j h) (Nat.not_lt_zero k)⟩
  | succ n ih => exact fun m h => ⟨m, fun k j => ih k (Nat.le_of_lt_succ (Nat.lt_of_lt_of_le j h))⟩
@[instance_reducible] def Nat.lt_wfRel : WellFoundedRelation Nat where
  rel := (· < ·)
  wf := ⟨fun n => Nat.acc_of_le n n (Nat.le_refl n)⟩

abbrev measure {α : Sort u} (f : α → Nat) : WellFoundedRelation α := invImage f Nat.lt_wfRel

/- Recursion along a measure, with the measure as fuel: it computes on closed terms. -/
namespace WellFounded.Nat
variable {α : Sort u} {motive : α → Sort v} (h : α → _root_.Nat)
  (F : (x : α) → ((y : α) → InvImage (· < ·) h y x → motive y) → motive x)
def fix.go : (fuel : _root_.Nat) → (x : α) → h x < fuel → motive x
  | 0, _, k => absurd k (_root_.Nat.not_lt_zero _)
  | n + 1, x, k => F x fun y j => go n y (_root_.Nat.lt_of_lt_of_le j (_root_.Nat.le_of_lt_succ k))
def fix (x : α) : motive x := fix.go h F (h x + 1) x (_root_.Nat.lt_succ_self _)
theorem fix.go_eq (n m : _root_.Nat) : ∀ x a b, fix.go h F n x a = fix.go h F m x b := by
  induction n generalizing m with
  | zero => exact fun x a => absurd a (_root_.Nat.not_lt_zero _)
  | succ n ih =>
    intro x a b
    cases m with
    | zero => exact absurd b (_root_.Nat.not_lt_zero _)
    | succ m => exact congrArg (F x) (funext fun y => funext fun j => ih m y _ _)
theorem fix_eq (x : α) : fix h F x = F x fun y _ => fix h F y :=
  congrArg (F x) (funext fun y => funext fun _ => fix.go_eq h F _ _ y _ _)
end WellFounded.Nat

/-! Sizes. -/

class SizeOf (α : Sort u) where
  sizeOf : α → Nat
export SizeOf (sizeOf)
protected def default.sizeOf (α : Sort u) : α → Nat
  | _ => 0
instance (priority := low) instSizeOfDefault (α : Sort u) : SizeOf α := ⟨default.sizeOf α⟩
@[simp] theorem sizeOf_default {α : Sort u} (n : α) : sizeOf n = 0 := rfl
instance instSizeOfNat : SizeOf Nat := ⟨fun n => n⟩
@[simp] theorem sizeOf_nat (n : Nat) : sizeOf n = n := rfl
instance instSizeOfForallUnit {α : Sort u} [SizeOf α] : SizeOf (Unit → α) := ⟨fun f => sizeOf (f ())⟩
@[simp] theorem sizeOf_thunk {α : Sort u} [SizeOf α] (f : Unit → α) : sizeOf f = sizeOf (f ()) := rfl
deriving instance SizeOf for PUnit
deriving instance SizeOf for Bool
deriving instance SizeOf for Prod
deriving instance SizeOf for PProd
deriving instance SizeOf for MProd
deriving instance SizeOf for Option
deriving instance SizeOf for List
deriving instance SizeOf for Sum
deriving instance SizeOf for PSum
deriving instance SizeOf for Sigma
deriving instance SizeOf for PSigma
deriving instance SizeOf for Subtype
deriving instance SizeOf for Array
deriving instance SizeOf for Except
deriving instance SizeOf for Fin
deriving instance SizeOf for ULift
deriving instance SizeOf for PLift
deriving instance SizeOf for Int

abbrev sizeOfWFRel {α : Sort u} [SizeOf α] : WellFoundedRelation α := measure sizeOf
instance (priority := low) instWellFoundedRelationOfSizeOf {α : Sort u} [SizeOf α] : WellFoundedRelation α :=
  sizeOfWFRel
def wfParam {α : Sort u} (a : α) : α := a
@[wf_preprocess] theorem ite_eq_dite {α : Sort u} {p : Prop} [Decidable p] {a b : α} :
    ite p a b = dite p (fun h => binderNameHint h () a) fun h => binderNameHint h () b := rfl
theorem Nat.lt_eq (a b : Nat) : Nat.lt a b = (a < b) := rfl

/-! Lexicographic order. -/

inductive Prod.Lex {α : Type u} {β : Type v} (ra : α → α → Prop) (rb : β → β → Prop) : α × β → α × β → Prop where
  | left {a₁ : α} (b₁ : β) {a₂ : α} (b₂ : β) (h : ra a₁ a₂) : Lex ra rb (a₁, b₁) (a₂, b₂)
  | right (a : α) {b₁ b₂ : β} (h : rb b₁ b₂) : Lex ra rb (a, b₁) (a, b₂)
theorem Prod.lex_def {α : Type u} {β : Type v} {r : α → α → Prop} {s : β → β → Prop} {p q : α × β} :
    Prod.Lex r s p q ↔ r p.1 q.1 ∨ p.1 = q.1 ∧ s p.2 q.2 := by
  constructor
  · intro h
    cases h with
    | left _ _ h => exact .inl h
    | right _ h => exact .inr ⟨rfl, h⟩
  · intro h
    obtain ⟨a, b⟩ := p
    obtain ⟨c, d⟩ := q
    cases h with
    | inl h => exact .left _ _ h
    | inr h => obtain ⟨e, h⟩ := h; cases e; exact .right _ h
theorem Prod.Lex.right' {β : Type v} {rb : β → β → Prop} {a₁ a₂ : Nat} {b₁ b₂ : β} (h : a₁ ≤ a₂) (k : rb b₁ b₂) :
    Prod.Lex (· < ·) rb (a₁, b₁) (a₂, b₂) :=
  (Nat.eq_or_lt_of_le h).elim (fun e => by cases e; exact .right _ k) fun l => .left _ _ l
theorem Prod.lexAccessible {α : Type u} {β : Type v} {ra : α → α → Prop} {rb : β → β → Prop} (hb : ∀ b,
  Acc rb b) {a : α}
    (ha : Acc ra a) : ∀ b, Acc (Prod.Lex ra rb) (a, b) := by
  induction ha with
  | intro a _ iha =>
    intro b
    induction hb b with
    | intro b _ ihb =>
      refine ⟨_, fun p h => ?_⟩
      cases h with
      | left c _ h => exact iha _ h c
      | right _ h => exact ihb _ h
@[reducible] def Prod.lex {α : Type u} {β : Type v} (ha : WellFoundedRelation α) (hb : WellFoundedRelation β) :
    WellFoundedRelation (α × β) where
  rel := Prod.Lex ha.rel hb.rel
  wf := ⟨fun (a, b) => Prod.lexAccessible hb.wf.apply (ha.wf.apply a) b⟩
instance Prod.instWellFoundedRelation {α : Type u} {β : Type v} [ha : WellFoundedRelation α]
    [hb : WellFoundedRelation β] :
    WellFoundedRelation (α × β) := Prod.lex ha hb

inductive PSigma.Lex {α : Sort u} {β : α → Sort v} (r : α → α → Prop) (s : ∀ a,
  β a → β a → Prop) : PSigma β → PSigma β → Prop where
  | left {a₁ : α} (b₁ : β a₁) {a₂ : α} (b₂ : β a₂) : r a₁ a₂ → Lex r s ⟨a₁, b₁⟩ ⟨a₂, b₂⟩
  | right (a : α) {b₁ b₂ : β a} : s a b₁ b₂ → Lex r s ⟨a, b₁⟩ ⟨a, b₂⟩
theorem PSigma.lexAccessible {α : Sort u} {β : α → Sort v} {r : α → α → Prop} {s : ∀ a, β a → β a → Prop}
    (hb : ∀ a b, Acc (s a) b) {a : α} (ha : Acc r a) : ∀ b, Acc (PSigma.Lex r s) ⟨a, b⟩ := by
  induction ha with
  | intro a _ iha =>
    intro b
    induction hb a b with
    | intro b _ ihb =>
      refine ⟨_, fun p h => ?_⟩
      cases h with
      | left c _ h => exact iha _ h c
      | right _ h => exact ihb _ h
@[reducible] def PSigma.lex {α : Sort u} {β : α → Sort v} (ha : WellFoundedRelation α)
    (hb : (a : α) → WellFoundedRelation (β a)) :
    WellFoundedRelation (PSigma β) where
  rel := PSigma.Lex ha.rel fun a => (hb a).rel
  wf := ⟨fun ⟨a, b⟩ => PSigma.lexAccessible (fun a => (hb a).wf.apply) (ha.wf.apply a) b⟩
instance PSigma.instWellFoundedRelation {α : Sort u} {β : α → Sort v} [ha : WellFoundedRelation α]
    [hb : (a : α) → WellFoundedRelation (β a)] : WellFoundedRelation (PSigma β) := PSigma.lex ha hb
