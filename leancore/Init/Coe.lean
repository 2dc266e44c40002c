prelude
import Init.Nat
/-! Coercions: the classes that `↑` resolves, in the order in which they are chained. -/
set_option linter.all false
universe u v w w'

class Coe (α : semiOutParam (Sort u)) (β : Sort v) where
  coe : α → β
attribute [coe_decl] Coe.coe
class CoeTC (α : Sort u) (β : Sort v) where
  coe : α → β
attribute [coe_decl] CoeTC.coe
instance [Coe β γ] [CoeTC α β] : CoeTC α γ := ⟨fun a => Coe.coe (CoeTC.coe a : β)⟩
instance [Coe α β] : CoeTC α β := ⟨Coe.coe⟩
instance : CoeTC α α := ⟨fun a => a⟩
class CoeOut (α : Sort u) (β : semiOutParam (Sort v)) where
  coe : α → β
attribute [coe_decl] CoeOut.coe
class CoeOTC (α : Sort u) (β : Sort v) where
  coe : α → β
attribute [coe_decl] CoeOTC.coe
instance [CoeOut α β] [CoeOTC β γ] : CoeOTC α γ := ⟨fun a => CoeOTC.coe (CoeOut.coe a : β)⟩
instance [CoeTC α β] : CoeOTC α β := ⟨CoeTC.coe⟩
instance : CoeOTC α α := ⟨fun a => a⟩
class CoeHead (α : Sort u) (β : semiOutParam (Sort v)) where
  coe : α → β
attribute [coe_decl] CoeHead.coe
class CoeHTC (α : Sort u) (β : Sort v) where
  coe : α → β
attribute [coe_decl] CoeHTC.coe
instance [CoeHead α β] [CoeOTC β γ] : CoeHTC α γ := ⟨fun a => CoeOTC.coe (CoeHead.coe a : β)⟩
instance [CoeOTC α β] : CoeHTC α β := ⟨CoeOTC.coe⟩
instance : CoeHTC α α := ⟨fun a => a⟩
class CoeTail (α : semiOutParam (Sort u)) (β : Sort v) where
  coe : α → β
attribute [coe_decl] CoeTail.coe
class CoeHTCT (α : Sort u) (β : Sort v) where
  coe : α → β
attribute [coe_decl] CoeHTCT.coe
instance [CoeTail β γ] [CoeHTC α β] : CoeHTCT α γ := ⟨fun a => CoeTail.coe (CoeHTC.coe a : β)⟩
instance [CoeHTC α β] : CoeHTCT α β := ⟨CoeHTC.coe⟩
instance : CoeHTCT α α := ⟨fun a => a⟩
class CoeDep (α : Sort u) (_ : α) (β : Sort v) where
  coe : β
attribute [coe_decl] CoeDep.coe
class CoeT (α : Sort u) (_ : α) (β : Sort v) where
  coe : β
attribute [coe_decl] CoeT.coe
instance [CoeHTCT α β] : CoeT α a β := ⟨CoeHTCT.coe a⟩
instance [CoeDep α a β] : CoeT α a β := ⟨CoeDep.coe a⟩
class CoeFun (α : Sort u) (γ : outParam (α → Sort v)) where
  coe : (f : α) → γ f
attribute [coe_decl] CoeFun.coe
instance [CoeFun α fun _ => β] : CoeOut α β := ⟨fun a => CoeFun.coe a⟩
class CoeSort (α : Sort u) (β : outParam (Sort v)) where
  coe : α → β
attribute [coe_decl] CoeSort.coe
instance [CoeSort α β] : CoeOut α β := ⟨fun a => CoeSort.coe a⟩

instance boolToProp : Coe Bool Prop := ⟨fun b => b = true⟩
instance boolToSort : CoeSort Bool Prop := ⟨fun b => b = true⟩
instance decPropToBool (p : Prop) [Decidable p] : CoeDep Prop p Bool := ⟨decide p⟩
instance optionCoe {α : Type u} : Coe α (Option α) := ⟨some⟩
instance subtypeCoe {α : Sort u} {p : α → Prop} : CoeOut (Subtype p) α := ⟨Subtype.val⟩
instance instCoeOutFinNat {n : Nat} : CoeOut (Fin n) Nat := ⟨Fin.val⟩
@[coe_decl] abbrev Lean.Internal.liftCoeM {m : Type u → Type v} {n : Type u → Type w} {α β : Type u} [MonadLiftT m n]
    [∀ a, CoeT α a β] [Monad n] (x : m α) : n β := bind (liftM x) fun a => pure (CoeT.coe a)
@[coe_decl] abbrev Lean.Internal.coeM {m : Type u → Type v} {α β : Type u} [∀ a, CoeT α a β] [Monad m] (x : m α) :
    m β :=
  bind x fun a => pure (CoeT.coe a)
