prelude
import Init.List
/-! Classes that users give instances of: sets, orders by name, quotients; and properties of functions. -/
set_option linter.all false
universe u v w

/-! Sets: `∅`, `{a, b}`, `∪`, `∩`, `\`, `⊆`, `⊂`. -/

class EmptyCollection (α : Type u) where
  emptyCollection : α
class Insert (α : outParam (Type u)) (γ : Type v) where
  insert : α → γ → γ
export Insert (insert)
class Singleton (α : outParam (Type u)) (β : Type v) where
  singleton : α → β
export Singleton (singleton)
class LawfulSingleton (α : Type u) (β : Type v) [EmptyCollection β] [Insert α β] [Singleton α β] : Prop where
  insert_empty_eq (x : α) : (insert x ∅ : β) = singleton x
export LawfulSingleton (insert_empty_eq)
attribute [simp] insert_empty_eq
class HasSubset (α : Type u) where
  Subset : α → α → Prop
export HasSubset (Subset)
class HasSSubset (α : Type u) where
  SSubset : α → α → Prop
export HasSSubset (SSubset)
abbrev Superset {α : Type u} [HasSubset α] (a b : α) : Prop := Subset b a
abbrev SSuperset {α : Type u} [HasSSubset α] (a b : α) : Prop := SSubset b a
class Union (α : Type u) where
  union : α → α → α
class Inter (α : Type u) where
  inter : α → α → α
class SDiff (α : Type u) where
  sdiff : α → α → α
class Sep (α : outParam (Type u)) (γ : Type v) where
  sep : (α → Prop) → γ → γ

instance {α : Type u} : EmptyCollection (List α) := ⟨[]⟩
instance {α : Type u} : HasSubset (List α) := ⟨fun a b => ∀ ⦃x⦄, x ∈ a → x ∈ b⟩
theorem List.Subset.refl {α : Type u} (l : List α) : l ⊆ l := fun _ h => h
theorem List.Subset.trans {α : Type u} {a b c : List α} (h : a ⊆ b) (k : b ⊆ c) : a ⊆ c := fun _ m => k (h m)
@[simp] theorem List.nil_subset {α : Type u} (l : List α) : [] ⊆ l := fun _ h => absurd h not_mem_nil
@[simp] theorem List.subset_cons_self {α : Type u} (a : α) (l : List α) : l ⊆ a :: l := fun _ h => .tail a h
theorem List.subset_append_left {α : Type u} (a b : List α) : a ⊆ a ++ b := fun _ h => mem_append.2 (.inl h)
theorem List.subset_append_right {α : Type u} (a b : List α) : b ⊆ a ++ b := fun _ h => mem_append.2 (.inr h)

/-! Relations, equivalences and quotients. -/

structure Equivalence {α : Sort u} (r : α → α → Prop) : Prop where
  refl : ∀ x, r x x
  symm : ∀ {x y}, r x y → r y x
  trans : ∀ {x y z}, r x y → r y z → r x z
def emptyRelation {α : Sort u} (_ _ : α) : Prop := False
def Subrelation {α : Sort u} (q r : α → α → Prop) : Prop := ∀ {x y}, q x y → r x y
class HasEquiv (α : Sort u) where
  Equiv : α → α → Sort v
class Setoid (α : Sort u) where
  r : α → α → Prop
  iseqv : Equivalence r
instance {α : Sort u} [Setoid α] : HasEquiv α := ⟨Setoid.r⟩
namespace Setoid
variable {α : Sort u} [Setoid α] {a b c : α}
theorem refl (a : α) : a ≈ a := iseqv.refl a
theorem symm (h : a ≈ b) : b ≈ a := iseqv.symm h
theorem trans (h : a ≈ b) (k : b ≈ c) : a ≈ c := iseqv.trans h k
end Setoid
attribute [refl] Setoid.refl
attribute [symm] Setoid.symm
def Quotient {α : Sort u} (s : Setoid α) := @Quot α Setoid.r
namespace Quotient
protected def mk {α : Sort u} (s : Setoid α) (a : α) : Quotient s := Quot.mk Setoid.r a
protected def mk' {α : Sort u} [s : Setoid α] (a : α) : Quotient s := Quotient.mk s a
theorem sound {α : Sort u} {s : Setoid α} {a b : α} (h : a ≈ b) : Quotient.mk s a = Quotient.mk s b := Quot.sound h
protected abbrev lift {α : Sort u} {β : Sort v} {s : Setoid α} (f : α → β) (h : ∀ a b, a ≈ b → f a = f b)
    (q : Quotient s) : β := Quot.lift f h q
protected theorem ind {α : Sort u} {s : Setoid α} {p : Quotient s → Prop} (h : ∀ a,
  p (Quotient.mk s a)) (q : Quotient s) :
    p q := Quot.ind h q
protected abbrev liftOn {α : Sort u} {β : Sort v} {s : Setoid α} (q : Quotient s) (f : α → β)
    (h : ∀ a b, a ≈ b → f a = f b) : β := Quot.liftOn q f h
protected theorem inductionOn {α : Sort u} {s : Setoid α} {p : Quotient s → Prop} (q : Quotient s)
    (h : ∀ a, p (Quotient.mk s a)) : p q := Quot.ind h q
theorem exists_rep {α : Sort u} {s : Setoid α} (q : Quotient s) : ∃ a, Quotient.mk s a = q :=
  Quotient.inductionOn (p := fun q => ∃ a, Quotient.mk s a = q) q fun a => ⟨a, rfl⟩
/- `x ~ y` lifts to a predicate on the quotient because the relation is an equivalence. -/
theorem exact {α : Sort u} {s : Setoid α} {a b : α} (h : Quotient.mk s a = Quotient.mk s b) : a ≈ b :=
  have key : Quotient.lift (a ≈ ·)
      (fun _ _ k => propext ⟨fun j => Setoid.trans j k, fun j => Setoid.trans j (Setoid.symm k)⟩)
      (Quotient.mk s b) := h ▸ Setoid.refl a
  key
end Quotient
theorem Quot.inductionOn {α : Sort u} {r : α → α → Prop} {p : Quot r → Prop} (q : Quot r) (h : ∀ a, p (Quot.mk r a)) :
    p q :=
  Quot.ind h q

/-! Functions. -/

namespace Function
variable {α : Sort u} {β : Sort v} {γ : Sort w}
def Injective (f : α → β) : Prop := ∀ ⦃a b⦄, f a = f b → a = b
def Surjective (f : α → β) : Prop := ∀ b, ∃ a, f a = b
def LeftInverse (g : β → α) (f : α → β) : Prop := ∀ x, g (f x) = x
def RightInverse (g : β → α) (f : α → β) : Prop := LeftInverse f g
theorem Injective.comp {g : β → γ} {f : α → β} (hg : Injective g) (hf : Injective f) : Injective (g ∘ f) :=
  fun _ _ h => hf (hg h)
theorem Surjective.comp {g : β → γ} {f : α → β} (hg : Surjective g) (hf : Surjective f) : Surjective (g ∘ f) := fun c =>
  match hg c with
  | ⟨b, hb⟩ =>
    match hf b with
    | ⟨a, ha⟩ => ⟨a, (congrArg g ha).trans hb⟩
theorem LeftInverse.injective {g : β → α} {f : α → β} (h : LeftInverse g f) : Injective f :=
  fun a b e => (h a).symm.trans ((congrArg g e).trans (h b))
theorem RightInverse.surjective {g : β → α} {f : α → β} (h : RightInverse g f) : Surjective f := fun b => ⟨g b, h b⟩
theorem id_comp (f : α → β) : id ∘ f = f := rfl
theorem comp_id (f : α → β) : f ∘ id = f := rfl
theorem comp_assoc {δ : Sort u} (f : γ → δ) (g : β → γ) (h : α → β) : (f ∘ g) ∘ h = f ∘ (g ∘ h) := rfl
end Function

/-! Orders by name. -/

inductive Ordering where
  | lt | eq | gt
deriving DecidableEq
class Ord (α : Type u) where
  compare : α → α → Ordering
export Ord (compare)
def Ordering.swap : Ordering → Ordering
  | .lt => .gt
  | .eq => .eq
  | .gt => .lt
def Ordering.then : Ordering → Ordering → Ordering
  | .eq, o => o
  | o, _ => o
@[inline] def compareOfLessAndEq {α : Type u} (x y : α) [LT α] [Decidable (x < y)] [DecidableEq α] : Ordering :=
  if x < y then .lt else if x = y then .eq else .gt
instance : Ord Nat := ⟨fun a b => compareOfLessAndEq a b⟩
instance : Ord Bool := ⟨fun a b =>
  match a, b with
  | false, true => .lt
  | true, false => .gt
  | _, _ => .eq⟩

