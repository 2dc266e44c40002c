prelude
import Init.Prelude
/-! Names, syntax trees, parser descriptions and the macro monad: what compiled parsers and macros take and return.
A function marked `extern "_"` is bound to the code of that name in the Lean binary. -/
set_option linter.all false
universe u v w

namespace Lean

inductive Name where
  | anonymous : Name
  | str (pre : Name) (str : String)
  | num (pre : Name) (i : Nat)
with
  @[computed_field, inline] hash : Name → UInt64
    | .anonymous => .ofNatLT 1723 (of_decide_eq_true rfl)
    | .str p s => mixHash p.hash s.hash
    | .num p v => mixHash p.hash
        (dite (LT.lt v UInt64.size) (fun h => .ofNatLT v h) fun _ => .ofNatLT 17 (of_decide_eq_true rfl))
instance instInhabitedName : Inhabited Name := ⟨.anonymous⟩
instance instHashableName : Hashable Name := ⟨Name.hash⟩

namespace Name
abbrev mkStr (p : Name) (s : String) : Name := .str p s
abbrev mkNum (p : Name) (v : Nat) : Name := .num p v
abbrev mkSimple (s : String) : Name := .str .anonymous s
section
variable (a b c d e f g h : String)
@[reducible] def mkStr1 : Name := .str .anonymous a
@[reducible] def mkStr2 : Name := .str (mkStr1 a) b
@[reducible] def mkStr3 : Name := .str (mkStr2 a b) c
@[reducible] def mkStr4 : Name := .str (mkStr3 a b c) d
@[reducible] def mkStr5 : Name := .str (mkStr4 a b c d) e
@[reducible] def mkStr6 : Name := .str (mkStr5 a b c d e) f
@[reducible] def mkStr7 : Name := .str (mkStr6 a b c d e f) g
@[reducible] def mkStr8 : Name := .str (mkStr7 a b c d e f g) h
end
@[extern "lean_name_eq"] protected def beq : (@& Name) → (@& Name) → Bool
  | anonymous, anonymous => true
  | str p s, str q t => and (BEq.beq s t) (Name.beq p q)
  | num p n, num q m => and (BEq.beq n m) (Name.beq p q)
  | _, _ => false
instance instBEq : BEq Name := ⟨Name.beq⟩
@[extern "_"] opaque appendCore (n m : Name) : Name
@[extern "_"] opaque append (n m : Name) : Name
@[extern "_"] opaque hasMacroScopes (n : Name) : Bool
@[extern "_"] opaque eraseMacroScopes (n : Name) : Name
@[extern "_"] opaque simpMacroScopes (n : Name) : Name
end Name
instance instAppendName : Append Name := ⟨Name.append⟩

def defaultMaxRecDepth : Nat := 512
@[extern "_"] opaque maxRecDepthErrorMessage : String

/-! Syntax trees. -/

inductive SourceInfo where
  | original (leading : Substring.Raw) (pos : String.Pos.Raw) (trailing : Substring.Raw) (endPos : String.Pos.Raw)
  | synthetic (pos : String.Pos.Raw) (endPos : String.Pos.Raw) (canonical := false)
  | protected none
instance instInhabitedSourceInfo : Inhabited SourceInfo := ⟨SourceInfo.none⟩

abbrev SyntaxNodeKind := Name

inductive Syntax.Preresolved where
  | namespace (ns : Name)
  | decl (n : Name) (fields : List String)

inductive Syntax where
  | missing : Syntax
  | node (info : SourceInfo) (kind : SyntaxNodeKind) (args : Array Syntax) : Syntax
  | atom (info : SourceInfo) (val : String) : Syntax
  | ident (info : SourceInfo) (rawVal : Substring.Raw) (val : Name) (preresolved : List Syntax.Preresolved) : Syntax
instance instInhabitedSyntax : Inhabited Syntax := ⟨Syntax.missing⟩

section
variable (info : SourceInfo) (kind : SyntaxNodeKind) (a b c d e f g h : Syntax)
def Syntax.node1 : Syntax := .node info kind (Array.mkArray1 a)
def Syntax.node2 : Syntax := .node info kind (Array.mkArray2 a b)
def Syntax.node3 : Syntax := .node info kind (Array.mkArray3 a b c)
def Syntax.node4 : Syntax := .node info kind (Array.mkArray4 a b c d)
def Syntax.node5 : Syntax := .node info kind (Array.mkArray5 a b c d e)
def Syntax.node6 : Syntax := .node info kind (Array.mkArray6 a b c d e f)
def Syntax.node7 : Syntax := .node info kind (Array.mkArray7 a b c d e f g)
def Syntax.node8 : Syntax := .node info kind (Array.mkArray8 a b c d e f g h)
end

@[implicit_reducible] def SyntaxNodeKinds := List SyntaxNodeKind
structure TSyntax (ks : SyntaxNodeKinds) where
  raw : Syntax
instance instInhabitedTSyntax {ks : SyntaxNodeKinds} : Inhabited (TSyntax ks) := ⟨⟨default⟩⟩
abbrev TSyntaxArray (ks : SyntaxNodeKinds) := Array (TSyntax ks)
@[extern "_"] opaque TSyntaxArray.raw {ks : SyntaxNodeKinds} (as : TSyntaxArray ks) : Array Syntax
@[extern "_"] opaque TSyntaxArray.mk {ks : SyntaxNodeKinds} (as : Array Syntax) : TSyntaxArray ks

abbrev choiceKind : SyntaxNodeKind := `choice
abbrev nullKind : SyntaxNodeKind := `null
abbrev groupKind : SyntaxNodeKind := `group
abbrev identKind : SyntaxNodeKind := `ident
abbrev strLitKind : SyntaxNodeKind := `str
abbrev charLitKind : SyntaxNodeKind := `char
abbrev numLitKind : SyntaxNodeKind := `num
abbrev hexnumKind : SyntaxNodeKind := `hexnum
abbrev scientificLitKind : SyntaxNodeKind := `scientific
abbrev nameLitKind : SyntaxNodeKind := `name
abbrev fieldIdxKind : SyntaxNodeKind := `fieldIdx
abbrev hygieneInfoKind : SyntaxNodeKind := `hygieneInfo
abbrev interpolatedStrLitKind : SyntaxNodeKind := `interpolatedStrLitKind
abbrev interpolatedStrKind : SyntaxNodeKind := `interpolatedStrKind

@[inline] def mkNode (k : SyntaxNodeKind) (args : Array Syntax) : TSyntax (.cons k .nil) := ⟨.node .none k args⟩
@[inline] def mkNullNode (args : Array Syntax := Array.empty) : Syntax := (mkNode nullKind args).raw
def mkAtom (val : String) : Syntax := .atom .none val

namespace Syntax
@[extern "_"] opaque getKind (stx : Syntax) : SyntaxNodeKind
@[extern "_"] opaque setKind (stx : Syntax) (k : SyntaxNodeKind) : Syntax
@[extern "_"] opaque isOfKind (stx : Syntax) (k : SyntaxNodeKind) : Bool
@[extern "_"] opaque getArg (stx : Syntax) (i : Nat) : Syntax
@[extern "_"] opaque getArgs (stx : Syntax) : Array Syntax
@[extern "_"] opaque getNumArgs (stx : Syntax) : Nat
@[extern "_"] opaque getOptional? (stx : Syntax) : Option Syntax
@[extern "_"] opaque isMissing (stx : Syntax) : Bool
@[extern "_"] opaque isNodeOf (stx : Syntax) (k : SyntaxNodeKind) (n : Nat) : Bool
@[extern "_"] opaque isIdent (stx : Syntax) : Bool
@[extern "_"] opaque getId (stx : Syntax) : Name
@[extern "_"] opaque getHeadInfo? (stx : Syntax) : Option SourceInfo
@[extern "_"] opaque getHeadInfo (stx : Syntax) : SourceInfo
@[extern "_"] opaque getPos? (stx : Syntax) (canonicalOnly := false) : Option String.Pos.Raw
@[extern "_"] opaque getTailPos? (stx : Syntax) (canonicalOnly := false) : Option String.Pos.Raw
@[extern "_"] opaque matchesNull (stx : Syntax) (n : Nat) : Bool
@[extern "_"] opaque matchesIdent (stx : Syntax) (id : Name) : Bool
@[extern "_"] opaque matchesLit (stx : Syntax) (k : SyntaxNodeKind) (val : String) : Bool

structure SepArray (sep : String) where
  elemsAndSeps : Array Syntax
structure TSepArray (ks : SyntaxNodeKinds) (sep : String) where
  elemsAndSeps : Array Syntax
instance instInhabitedSepArray {sep : String} : Inhabited (SepArray sep) := ⟨⟨Array.empty⟩⟩
instance instInhabitedTSepArray {ks : SyntaxNodeKinds} {sep : String} : Inhabited (TSepArray ks sep) := ⟨⟨Array.empty⟩⟩
end Syntax

@[extern "_"] opaque SourceInfo.fromRef (ref : Syntax) (canonical := false) : SourceInfo
@[extern "_"] opaque mkAtomFrom (src : Syntax) (val : String) (canonical := false) : Syntax

/-! Grammars as data. -/

inductive ParserDescr where
  | const (name : Name)
  | unary (name : Name) (p : ParserDescr)
  | binary (name : Name) (p₁ p₂ : ParserDescr)
  | node (kind : SyntaxNodeKind) (prec : Nat) (p : ParserDescr)
  | trailingNode (kind : SyntaxNodeKind) (prec lhsPrec : Nat) (p : ParserDescr)
  | symbol (val : String)
  | nonReservedSymbol (val : String) (includeIdent : Bool)
  | cat (catName : Name) (rbp : Nat)
  | parser (declName : Name)
  | nodeWithAntiquot (name : String) (kind : SyntaxNodeKind) (p : ParserDescr)
  | sepBy (p : ParserDescr) (sep : String) (psep : ParserDescr) (allowTrailingSep : Bool := false)
  | sepBy1 (p : ParserDescr) (sep : String) (psep : ParserDescr) (allowTrailingSep : Bool := false)
  | unicodeSymbol (val asciiVal : String) (preserveForPP : Bool)
instance instInhabitedParserDescr : Inhabited ParserDescr := ⟨.symbol ""⟩
abbrev TrailingParserDescr := ParserDescr

structure Parser.Category

/-! Monads with hygiene. -/

abbrev MacroScope := Nat
def reservedMacroScope : Nat := 0
def firstFrontendMacroScope : Nat := 1

class MonadRef (m : Type → Type) where
  getRef : m Syntax
  withRef {α} : Syntax → m α → m α
export MonadRef (getRef)
instance instMonadRefOfMonadLiftOfMonadFunctor (m n : Type → Type) [MonadLift m n] [MonadFunctor m n] [MonadRef m] :
    MonadRef n where
  getRef := liftM (getRef : m _)
  withRef ref x := monadMap (m := m) (MonadRef.withRef ref) x
@[extern "_"] opaque replaceRef (ref : Syntax) (oldRef : Syntax) : Syntax
@[always_inline, inline] def withRef {m : Type → Type} [Monad m] [MonadRef m] {α} (ref : Syntax) (x : m α) : m α :=
  bind getRef fun oldRef => MonadRef.withRef (replaceRef ref oldRef) x

class MonadQuotation (m : Type → Type) extends MonadRef m where
  getCurrMacroScope : m MacroScope
  getContext : m Name
  withFreshMacroScope {α : Type} : m α → m α
export MonadQuotation (getCurrMacroScope withFreshMacroScope)
abbrev MonadQuotation.getMainModule := @MonadQuotation.getContext
@[inline] def MonadRef.mkInfoFromRefPos {m : Type → Type} [Monad m] [MonadRef m] : m SourceInfo :=
  bind getRef fun ref => pure (SourceInfo.fromRef ref)
instance instMonadQuotationOfMonadFunctorOfMonadLift {m n : Type → Type} [MonadFunctor m n] [MonadLift m n]
    [MonadQuotation m] : MonadQuotation n where
  getCurrMacroScope := liftM (m := m) getCurrMacroScope
  getContext := liftM (m := m) MonadQuotation.getContext
  withFreshMacroScope := monadMap (m := m) withFreshMacroScope

@[extern "_"] opaque addMacroScope (ctx : Name) (n : Name) (scp : MacroScope) : Name
@[inline] def MonadQuotation.addMacroScope {m : Type → Type} [MonadQuotation m] [Monad m] (n : Name) : m Name :=
  bind MonadQuotation.getContext fun ctx => bind getCurrMacroScope fun scp => pure (Lean.addMacroScope ctx n scp)

namespace Macro
opaque MethodsRefPointed : NonemptyType.{0}
def MethodsRef : Type := MethodsRefPointed.type
instance : Nonempty MethodsRef := MethodsRefPointed.property

structure Context where
  methods : MethodsRef
  quotContext : Name
  currMacroScope : MacroScope
  currRecDepth : Nat := 0
  maxRecDepth : Nat := defaultMaxRecDepth
  ref : Syntax

inductive Exception where
  | error : Syntax → String → Exception
  | unsupportedSyntax : Exception
instance instInhabitedException : Inhabited Exception := ⟨.unsupportedSyntax⟩

structure State where
  macroScope : MacroScope
  traceMsgs : List (Prod Name String) := List.nil
  expandedMacroDecls : List Name := List.nil
instance instInhabitedState : Inhabited State := ⟨{ macroScope := 0 }⟩
end Macro

abbrev MacroM := ReaderT Macro.Context (EStateM Macro.Exception Macro.State)
abbrev Macro := Syntax → MacroM Syntax

namespace Macro
instance instMonadRefMacroM : MonadRef MacroM where
  getRef := bind read fun ctx => pure ctx.ref
  withRef ref x := withReader (fun ctx => { ctx with ref := ref }) x
def throwUnsupported {α} : MacroM α := throw Exception.unsupportedSyntax
def throwError {α} (msg : String) : MacroM α := bind getRef fun ref => throw (Exception.error ref msg)
def throwErrorAt {α} (ref : Syntax) (msg : String) : MacroM α := withRef ref (throwError msg)
@[inline] protected def withFreshMacroScope {α} (x : MacroM α) : MacroM α :=
  bind (modifyGet fun s => (s.macroScope, { s with macroScope := HAdd.hAdd s.macroScope 1 })) fun fresh =>
    withReader (fun ctx => { ctx with currMacroScope := fresh }) x
instance instMonadQuotationMacroM : MonadQuotation MacroM where
  getCurrMacroScope ctx := pure ctx.currMacroScope
  getContext ctx := pure ctx.quotContext
  withFreshMacroScope := Macro.withFreshMacroScope
def addMacroScope (n : Name) : MacroM Name := MonadQuotation.addMacroScope n
@[extern "_"] opaque expandMacro? (stx : Syntax) : MacroM (Option Syntax)
@[extern "_"] opaque hasDecl (declName : Name) : MacroM Bool
@[extern "_"] opaque getCurrNamespace : MacroM Name
@[extern "_"] opaque resolveGlobalName (n : Name) : MacroM (List (Prod Name (List String)))
end Macro
export Macro (expandMacro?)

namespace PrettyPrinter
abbrev UnexpandM := ReaderT Syntax (EStateM Unit Unit)
abbrev Unexpander := Syntax → UnexpandM Syntax
instance instMonadQuotationUnexpandM : MonadQuotation UnexpandM where
  getRef := read
  withRef ref x := withReader (fun _ => ref) x
  getCurrMacroScope := pure 0
  getContext := pure `_fakeMod
  withFreshMacroScope x := x
end PrettyPrinter

end Lean
