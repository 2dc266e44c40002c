prelude
import Init.Classes
import Init.Arith
/-! Text, for `deriving Repr` and `#eval`. -/
set_option linter.all false
universe u v

namespace Std
inductive Format.FlattenBehavior where
  | allOrNone | fill
inductive Format where
  | nil : Format
  | line : Format
  | align (force : Bool) : Format
  | text : String → Format
  | nest (indent : Int) (f : Format) : Format
  | append : Format → Format → Format
  | group : Format → (behavior : Format.FlattenBehavior := .allOrNone) → Format
  | tag : Nat → Format → Format
namespace Format
export FlattenBehavior (allOrNone fill)
instance : Inhabited Format := ⟨nil⟩
instance : Append Format := ⟨append⟩
instance : Coe String Format := ⟨text⟩
@[extern "_"] opaque bracket (l : String) (x : Format) (r : String) : Format
@[extern "_"] opaque paren (f : Format) : Format
@[extern "_"] opaque sbracket (f : Format) : Format
def join (xs : List Format) : Format := xs.foldl (· ++ ·) nil
@[extern "_"] opaque pretty (f : Format) (width : Nat := 120) (indent : Nat := 0) (column : Nat := 0) : String
end Format
class ToFormat (α : Type u) where
  format : α → Format
export ToFormat (format)
instance : ToFormat Format := ⟨id⟩
instance : ToFormat String := ⟨.text⟩
def Format.joinSep {α : Type u} [ToFormat α] : List α → Format → Format
  | [], _ => nil
  | [a], _ => format a
  | a :: as, sep => format a ++ sep ++ joinSep as sep
end Std
open Std (Format)

class ToString (α : Type u) where
  toString : α → String
export ToString (toString)
class Repr (α : Type u) where
  reprPrec : α → Nat → Format
export Repr (reprPrec)
def repr {α : Type u} [Repr α] (a : α) : Format := reprPrec a 0
abbrev reprStr {α : Type u} [Repr α] (a : α) : String := (reprPrec a 0).pretty
abbrev reprArg {α : Type u} [Repr α] (a : α) : Format := reprPrec a 1024
class ReprAtom (α : Type u)
@[extern "_"] opaque Repr.addAppParen (f : Format) (prec : Nat) : Format
@[extern "_"] opaque Nat.reprFast (n : Nat) : String
def Nat.repr (n : Nat) : String := n.reprFast
@[extern "_"] opaque String.quote (s : String) : String
@[extern "_"] opaque Char.quote (c : Char) : String
instance : ToString String := ⟨id⟩
instance : ToString Nat := ⟨Nat.repr⟩
instance : ToString Bool := ⟨fun b => cond b "true" "false"⟩
instance : ToString Unit := ⟨fun _ => "()"⟩
instance : Repr Nat := ⟨fun n _ => Nat.repr n⟩
instance : Repr Bool := ⟨fun b _ => cond b "true" "false"⟩
instance : Repr String := ⟨fun s _ => s.quote⟩
instance : Repr Char := ⟨fun c _ => c.quote⟩
instance : Repr Int where
  reprPrec
    | .ofNat n, _ => Nat.repr n
    | .negSucc n, prec => Repr.addAppParen ("-" ++ Nat.repr (n + 1)) (prec - 1023)
instance : Repr Unit := ⟨fun _ _ => "()"⟩
instance : ReprAtom Nat := ⟨⟩
instance : ReprAtom Bool := ⟨⟩
instance : ReprAtom String := ⟨⟩
section
variable {α : Type u} {β : Type v} [Repr α] [Repr β]
instance : Repr (Option α) where
  reprPrec
    | none, _ => "none"
    | some a, prec => Repr.addAppParen ("some " ++ reprArg a) prec
instance : Repr (List α) where
  reprPrec
    | [], _ => "[]"
    | as, _ => Format.bracket "[" (Format.joinSep (as.map repr) ("," ++ Format.line)) "]"
instance : Repr (α × β) where
  reprPrec
    | (a, b), _ => Format.bracket "(" (repr a ++ "," ++ Format.line ++ repr b) ")"
instance : Repr (α ⊕ β) where
  reprPrec
    | .inl a, prec => Repr.addAppParen ("Sum.inl " ++ reprArg a) prec
    | .inr b, prec => Repr.addAppParen ("Sum.inr " ++ reprArg b) prec
instance {p : α → Prop} : Repr (Subtype p) := ⟨fun a prec => reprPrec a.val prec⟩
instance {n : Nat} : Repr (Fin n) := ⟨fun a prec => reprPrec a.val prec⟩
end

/-! Numbers for `deriving Hashable`. -/

@[extern "lean_uint64_of_nat"] opaque UInt64.ofNat (n : @& Nat) : UInt64
instance {n : Nat} : OfNat UInt64 n := ⟨UInt64.ofNat n⟩
instance : Hashable Nat := ⟨UInt64.ofNat⟩
instance : Hashable Bool := ⟨fun b => cond b 11 13⟩
instance {α : Type u} {β : Type v} [Hashable α] [Hashable β] : Hashable (α × β) :=
  ⟨fun p => mixHash (hash p.1) (hash p.2)⟩
instance {α : Type u} [Hashable α] : Hashable (Option α) := ⟨fun | none => 11 | some a => mixHash (hash a) 13⟩
instance {α : Type u} [Hashable α] : Hashable (List α) := ⟨fun as => as.foldl (fun r a => mixHash r (hash a)) 7⟩
