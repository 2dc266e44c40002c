prelude
import Init.Simp
/-! What user-written `notation`, `syntax`, `macro` and `do` blocks compile to: typed syntax, its coercions,
helpers that quotations call, monad functions and the types of `IO`. -/
set_option linter.all false
universe u v w


/-! Functors and monads. -/

section
variable {f : Type u → Type v} {α β : Type u}
@[always_inline, inline] def Functor.discard [Functor f] (x : f α) : f PUnit := Functor.mapConst PUnit.unit x
@[always_inline, inline] def Function.flip {α : Sort u} {β : Sort v} {φ : Sort w} (g : α → β → φ) : β → α → φ :=
  fun b a => g a b
@[always_inline, inline] def when {m : Type → Type v} [Applicative m] (c : Prop) [Decidable c] (t : m Unit) : m Unit :=
  if c then t else pure ()
end
class Alternative (f : Type u → Type v) : Type (max (u + 1) v) extends Applicative f where
  failure {α : Type u} : f α
  orElse {α : Type u} : f α → (Unit → f α) → f α
export Alternative (failure)
instance {f : Type u → Type v} {α : Type u} [Alternative f] : OrElse (f α) := ⟨Alternative.orElse⟩
@[always_inline, inline] def guard {f : Type → Type v} [Alternative f] (p : Prop) [Decidable p] : f Unit :=
  if p then pure () else failure
@[always_inline] instance : Monad Option where
  pure := Option.some
  bind := Option.bind
instance : Alternative Option where
  failure := none
  orElse := Option.orElse
@[always_inline] instance {ε : Type u} : Monad (Except ε) where
  pure := Except.ok
  bind
    | .error e, _ => .error e
    | .ok a, f => f a
instance {ε : Type u} : MonadExceptOf ε (Except ε) where
  throw := Except.error
  tryCatch
    | .error e, h => h e
    | .ok a, _ => .ok a
def StateT (σ : Type u) (m : Type u → Type v) (α : Type u) : Type (max u v) := σ → m (α × σ)
def Id (type : Sort u) : Sort u := type
@[always_inline] instance : Monad Id where
  pure x := x
  bind x f := f x
def Id.run {α : Type u} (x : Id α) : α := x

/-! Typed syntax. -/

namespace Lean
instance instCoeSyntaxNodeKindSyntaxNodeKinds : Coe SyntaxNodeKind SyntaxNodeKinds := ⟨fun k => List.cons k .nil⟩
instance instCoeOutTSyntaxSyntax {ks : SyntaxNodeKinds} : CoeOut (TSyntax ks) Syntax := ⟨TSyntax.raw⟩
instance instCoeSyntaxTSyntaxConsSyntaxNodeKindMkStr1Nil : Coe Syntax (TSyntax `rawNaturalLit) := ⟨TSyntax.mk⟩

abbrev Term := TSyntax `term
abbrev Command := TSyntax `command
namespace Syntax
abbrev Level := TSyntax `level
abbrev Tactic := TSyntax `tactic
abbrev Prec := TSyntax `prec
abbrev Prio := TSyntax `prio
abbrev Ident := TSyntax identKind
abbrev StrLit := TSyntax strLitKind
abbrev CharLit := TSyntax charLitKind
abbrev NameLit := TSyntax nameLitKind
abbrev ScientificLit := TSyntax scientificLitKind
abbrev NumLit := TSyntax numLitKind
abbrev HygieneInfo := TSyntax hygieneInfoKind
end Syntax
export Syntax (Level Tactic Prec Prio Ident StrLit CharLit NameLit ScientificLit NumLit HygieneInfo)

namespace TSyntax
instance instCoeConsSyntaxNodeKindNil {k : SyntaxNodeKind} {ks : SyntaxNodeKinds} :
    Coe (TSyntax [k]) (TSyntax (k :: ks)) := ⟨fun s => ⟨s⟩⟩
instance instCoeConsSyntaxNodeKind {k : SyntaxNodeKind} {ks : SyntaxNodeKinds} : Coe (TSyntax ks) (TSyntax (k :: ks)) :=
  ⟨fun s => ⟨s⟩⟩
instance instCoeIdentTerm : Coe Ident Term := ⟨fun s => ⟨s.raw⟩⟩
instance instCoeDepTermMkIdentIdent {info ss n res} : CoeDep Term ⟨Syntax.ident info ss n res⟩ Ident :=
  ⟨⟨Syntax.ident info ss n res⟩⟩
instance instCoeStrLitTerm : Coe StrLit Term := ⟨fun s => ⟨s.raw⟩⟩
instance instCoeNameLitTerm : Coe NameLit Term := ⟨fun s => ⟨s.raw⟩⟩
instance instCoeScientificLitTerm : Coe ScientificLit Term := ⟨fun s => ⟨s.raw⟩⟩
instance instCoeNumLitTerm : Coe NumLit Term := ⟨fun s => ⟨s.raw⟩⟩
instance instCoeCharLitTerm : Coe CharLit Term := ⟨fun s => ⟨s.raw⟩⟩
instance instCoeIdentLevel : Coe Ident Level := ⟨fun s => ⟨s.raw⟩⟩
instance instCoeNumLitPrio : Coe NumLit Prio := ⟨fun s => ⟨s.raw⟩⟩
instance instCoeNumLitPrec : Coe NumLit Prec := ⟨fun s => ⟨s.raw⟩⟩
@[inline] def getId (s : Ident) : Name := s.raw.getId
@[extern "_"] opaque getNat (s : NumLit) : Nat
@[extern "_"] opaque getString (s : StrLit) : String
namespace Compat
scoped instance instCoeTailSyntaxTSyntax {k : SyntaxNodeKinds} : CoeTail Syntax (TSyntax k) := ⟨fun s => ⟨s⟩⟩
scoped instance instCoeTailArraySyntaxTSyntaxArray {k : SyntaxNodeKinds} : CoeTail (Array Syntax) (TSyntaxArray k) :=
  ⟨TSyntaxArray.mk⟩
end Compat
end TSyntax

namespace Syntax
instance instCoeIdentTSyntaxConsSyntaxNodeKindMkStr4Nil : Coe Ident (TSyntax `Lean.Parser.Command.declId) :=
  ⟨fun s => ⟨mkNullNode (Array.mkArray2 s.raw mkNullNode)⟩⟩
instance instCoeTermTSyntaxConsSyntaxNodeKindMkStr4Nil : Coe Term (TSyntax `Lean.Parser.Term.funBinder) :=
  ⟨fun s => ⟨s.raw⟩⟩
instance instCoeOutTSyntaxArrayArray {k : SyntaxNodeKinds} : CoeOut (TSyntaxArray k) (Array Syntax) :=
  ⟨TSyntaxArray.raw⟩
instance instCoeOutTSepArraySepArray {k : SyntaxNodeKinds} {sep : String} : CoeOut (TSepArray k sep) (SepArray sep) :=
  ⟨fun a => ⟨a.elemsAndSeps⟩⟩
@[extern "_"] opaque TSepArray.getElems {k : SyntaxNodeKinds} {sep : String} (sa : TSepArray k sep) : TSyntaxArray k
@[extern "_"] opaque TSepArray.ofElems {k : SyntaxNodeKinds} {sep : String} (elems : Array (TSyntax k)) :
    TSepArray k sep
@[extern "_"] opaque SepArray.getElems {sep : String} (sa : SepArray sep) : Array Syntax
@[extern "_"] opaque SepArray.ofElems {sep : String} (elems : Array Syntax) : SepArray sep
instance instCoeOutTSepArrayTSyntaxArray {k : SyntaxNodeKinds} {sep : String} :
    CoeOut (TSepArray k sep) (TSyntaxArray k) :=
  ⟨TSepArray.getElems⟩
instance instCoeTSyntaxArrayTSepArray {k : SyntaxNodeKinds} {sep : String} : Coe (TSyntaxArray k) (TSepArray k sep) :=
  ⟨TSepArray.ofElems⟩
@[extern "_"] opaque mkLit (kind : SyntaxNodeKind) (val : String) (info := SourceInfo.none) : TSyntax kind
@[extern "_"] opaque mkStrLit (val : String) (info := SourceInfo.none) : StrLit
@[extern "_"] opaque mkNumLit (val : String) (info := SourceInfo.none) : NumLit
@[extern "_"] opaque mkNatLit (val : Nat) (info := SourceInfo.none) : NumLit
@[extern "_"] opaque mkApp (fn : Term) (args : TSyntaxArray `term) : Term
@[extern "_"] opaque mkCApp (fn : Name) (args : TSyntaxArray `term) : Term
end Syntax
@[extern "_"] opaque mkIdent (val : Name) : Ident
@[extern "_"] opaque mkIdentFrom (src : Syntax) (val : Name) (canonical := false) : Ident
@[extern "_"] opaque mkCIdentFrom (src : Syntax) (c : Name) (canonical := false) : Ident
@[extern "_"] opaque mkCIdent (c : Name) : Ident
@[extern "_"] opaque mkSepArray (as : Array Syntax) (sep : Syntax) : Array Syntax
@[extern "_"] opaque mkOptionalNode (arg : Option Syntax) : Syntax
@[extern "_"] opaque mkHole (ref : Syntax) (canonical := false) : Term
@[extern "_"] opaque mkGroupNode (args : Array Syntax) : Syntax
@[extern "_"] opaque HygieneInfo.mkIdent (s : HygieneInfo) (val : Name) (canonical := false) : Ident

class Quote (α : Type) (k : SyntaxNodeKind := `term) where
  quote : α → TSyntax k
export Quote (quote)
instance instQuoteTermMkStr1 : Quote Term := ⟨fun s => s⟩
instance instQuoteStringStrLitKind : Quote String strLitKind := ⟨Syntax.mkStrLit⟩
instance instQuoteNatNumLitKind : Quote Nat numLitKind := ⟨Syntax.mkNatLit⟩
instance instQuoteNatTerm : Quote Nat := ⟨fun n => ⟨(Syntax.mkNatLit n).raw⟩⟩
instance instQuoteStringTerm : Quote String := ⟨fun s => ⟨(Syntax.mkStrLit s).raw⟩⟩

end Lean
@[reducible] def autoParam.{x} (α : Sort x) (tactic : Lean.Syntax) : Sort x := α

/-! Arrays and lists that quotations build. -/

@[extern "_"] protected opaque Array.append {α : Type u} (as : Array α) (bs : Array α) : Array α
instance {α : Type u} : Append (Array α) := ⟨Array.append⟩

