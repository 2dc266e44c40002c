prelude
/-! Types, classes and functions that Lean's elaborator, compiler and tactics refer to by name.
Only built-in notation exists here: no `=`, no `+`, no tactics but `exact`-free terms.
Names, argument orders and universe levels are fixed by the Lean binary. -/
set_option linter.all false
universe u v w

/-! Constants that the compiler uses for erased terms. -/

unsafe axiom lcErased : Type
unsafe axiom lcAny : Type
unsafe axiom lcVoid : Type

set_option bootstrap.inductiveCheckResultingUniverse false in
inductive PUnit : Sort u where
  | unit : PUnit

inductive Eq {α : Sort u} : α → α → Prop where
  | refl (a : α) : Eq a a

abbrev Eq.ndrec.{u1, u2} {α : Sort u2} {a : α} {motive : α → Sort u1} (m : motive a) {b : α} (h : Eq a b) :
    motive b :=
  h.rec m

inductive HEq : {α : Sort u} → α → {β : Sort u} → β → Prop where
  | refl {α : Sort u} (a : α) : HEq a a

inductive Bool : Type where
  | false : Bool
  | true : Bool
export Bool (false true)

@[inline, implicit_reducible] def id {α : Sort u} (a : α) : α := a

/-- The kernel evaluates `a` before it compares types: certificates of arithmetic are wrapped in it. -/
def eagerReduce {α : Sort u} (a : α) : α := a

opaque Lean.opaqueId {α : Sort u} (x : α) : α := x

@[reducible] def binderNameHint {α : Sort u} {β : Sort v} {γ : Sort w} (v : α) (binder : β) (e : γ) : γ := e

@[inline, implicit_reducible] def Function.comp {α : Sort u} {β : Sort v} {δ : Sort w} (f : β → δ) (g : α → β) :
    α → δ :=
  fun x => f (g x)

@[inline] def Function.const {α : Sort u} (β : Sort v) (a : α) : β → α := fun _ => a

set_option checkBinderAnnotations false in
abbrev inferInstance {α : Sort u} [i : α] : α := i
set_option checkBinderAnnotations false in
abbrev «inferInstanceAs» (α : Sort u) [i : α] : α := i

abbrev Unit : Type := PUnit
@[match_pattern] abbrev Unit.unit : Unit := PUnit.unit

unsafe axiom lcProof {α : Prop} : α
unsafe axiom lcCast {α : Sort u} {β : Sort v} (a : α) : β
unsafe axiom lcUnreachable {α : Sort u} : α

/-! Propositions. -/

inductive True : Prop where
  | intro : True

theorem trivial : True := True.intro

inductive False : Prop

inductive Empty : Type

set_option bootstrap.inductiveCheckResultingUniverse false in
inductive PEmpty : Sort u where

@[implicit_reducible, pp_nodot] def Not (a : Prop) : Prop := a → False

@[macro_inline] def False.elim {C : Sort u} (h : False) : C := h.rec

@[macro_inline] def absurd {a : Prop} {b : Sort v} (h₁ : a) (h₂ : Not a) : b := (h₂ h₁).rec

@[match_pattern] def rfl {α : Sort u} {a : α} : Eq a a := Eq.refl a

theorem id_eq {α : Sort u} (a : α) : Eq (id a) a := rfl

theorem Eq.subst {α : Sort u} {motive : α → Prop} {a b : α} (h₁ : Eq a b) (h₂ : motive a) : motive b := h₁.ndrec h₂

@[symm] theorem Eq.symm {α : Sort u} {a b : α} (h : Eq a b) : Eq b a := h ▸ rfl

abbrev Eq.ndrec_symm.{u1, u2} {α : Sort u2} {a : α} {motive : α → Sort u1} (m : motive a) {b : α} (h : Eq b a) :
    motive b :=
  h.symm.ndrec m

theorem Eq.trans {α : Sort u} {a b c : α} (h₁ : Eq a b) (h₂ : Eq b c) : Eq a c := h₂ ▸ h₁

@[macro_inline, implicit_reducible] def cast {α β : Sort u} (h : Eq α β) (a : α) : β := h.rec a

theorem congrArg {α : Sort u} {β : Sort v} {a₁ a₂ : α} (f : α → β) (h : Eq a₁ a₂) : Eq (f a₁) (f a₂) := h ▸ rfl

theorem congr {α : Sort u} {β : Sort v} {f₁ f₂ : α → β} {a₁ a₂ : α} (h₁ : Eq f₁ f₂) (h₂ : Eq a₁ a₂) :
    Eq (f₁ a₁) (f₂ a₂) :=
  h₁ ▸ h₂ ▸ rfl

theorem congrFun {α : Sort u} {β : α → Sort v} {f g : (x : α) → β x} (h : Eq f g) (a : α) : Eq (f a) (g a) := h ▸ rfl

theorem congrFun' {α : Sort u} {β : Sort v} {f g : α → β} (h : Eq f g) (a : α) : Eq (f a) (g a) := h ▸ rfl

/-! Quotients and function extensionality. -/

init_quot

axiom Quot.sound : ∀ {α : Sort u} {r : α → α → Prop} {a b : α}, r a b → Eq (Quot.mk r a) (Quot.mk r b)
unsafe axiom Quot.lcInv {α : Sort u} {r : α → α → Prop} (q : Quot r) : α

protected abbrev Quot.liftOn {α : Sort u} {β : Sort v} {r : α → α → Prop} (q : Quot r) (f : α → β)
    (c : (a b : α) → r a b → Eq (f a) (f b)) : β :=
  Quot.lift f c q

/- Functions modulo pointwise equality: application is well defined on the quotient,
  and at the class of `f` it is `f`. -/
theorem funext {α : Sort u} {β : α → Sort v} {f g : (x : α) → β x} (h : ∀ x, Eq (f x) (g x)) : Eq f g :=
  congrArg (fun (q : Quot fun f g : (x : α) → β x => ∀ x, Eq (f x) (g x)) x => q.liftOn (fun f => f x) fun _ _ k => k x)
    (Quot.sound h)

@[match_pattern] protected def HEq.rfl {α : Sort u} {a : α} : HEq a a := HEq.refl a

theorem eq_of_heq {α : Sort u} {a a' : α} (h : HEq a a') : Eq a a' :=
  have cast_eq : (α β : Sort u) → (a : α) → (b : β) → HEq a b → (e : Eq α β) → Eq (cast e a) b :=
    fun _ _ _ _ h => h.rec fun _ => rfl
  cast_eq α α a a' h rfl

theorem heq_of_eq {α : Sort u} {a a' : α} (h : Eq a a') : HEq a a' := h.subst (HEq.refl a)

/-! Pairs, conjunction, disjunction, subtypes. -/

structure Prod (α : Type u) (β : Type v) where
  mk ::
  fst : α
  snd : β
attribute [unbox] Prod

structure PProd (α : Sort u) (β : Sort v) where
  fst : α
  snd : β

structure MProd (α β : Type u) where
  fst : α
  snd : β

@[pp_using_anonymous_constructor]
structure And (a b : Prop) : Prop where
  intro ::
  left : a
  right : b

inductive Or (a b : Prop) : Prop where
  | inl (h : a) : Or a b
  | inr (h : b) : Or a b

theorem Or.intro_left {a : Prop} (b : Prop) (h : a) : Or a b := Or.inl h
theorem Or.intro_right {b : Prop} (a : Prop) (h : b) : Or a b := Or.inr h

theorem Or.elim {a b c : Prop} (h : Or a b) (left : a → c) (right : b → c) : c :=
  match h with
  | inl h => left h
  | inr h => right h

theorem Or.resolve_left {a b : Prop} (h : Or a b) (na : Not a) : b := h.elim (fun k => absurd k na) id
theorem Or.resolve_right {a b : Prop} (h : Or a b) (nb : Not b) : a := h.elim id fun k => absurd k nb
theorem Or.neg_resolve_left {a b : Prop} (h : Or (Not a) b) (ha : a) : b := h.elim (absurd ha) id
theorem Or.neg_resolve_right {a b : Prop} (h : Or a (Not b)) (nb : b) : a := h.elim id (absurd nb)

@[pp_using_anonymous_constructor]
structure Subtype {α : Sort u} (p : α → Prop) where
  val : α
  property : p val

structure Iff (a b : Prop) : Prop where
  intro ::
  mp : a → b
  mpr : b → a

theorem Iff.refl (a : Prop) : Iff a a := ⟨id, id⟩
protected theorem Iff.rfl {a : Prop} : Iff a a := Iff.refl a

inductive Exists {α : Sort u} (p : α → Prop) : Prop where
  | intro (w : α) (h : p w) : Exists p

@[reducible] def Ne {α : Sort u} (a b : α) : Prop := Not (Eq a b)

inductive Sum (α : Type u) (β : Type v) where
  | inl (val : α) : Sum α β
  | inr (val : β) : Sum α β

inductive PSum (α : Sort u) (β : Sort v) where
  | inl (val : α) : PSum α β
  | inr (val : β) : PSum α β

@[pp_using_anonymous_constructor]
structure Sigma {α : Type u} (β : α → Type v) where
  fst : α
  snd : β fst

@[pp_using_anonymous_constructor]
structure PSigma {α : Sort u} (β : α → Sort v) where
  fst : α
  snd : β fst

/-! Gadgets of the elaborator. -/

@[reducible] def optParam (α : Sort u) (default : α) : Sort u := α
@[reducible] def outParam (α : Sort u) : Sort u := α
@[reducible] def semiOutParam (α : Sort u) : Sort u := α
@[reducible] def namedPattern {α : Sort u} (x a : α) (h : Eq x a) : α := a

@[extern "lean_sorry", never_extract] axiom sorryAx (α : Sort u) (synthetic : Bool) : α

theorem Bool.eq_false_of_ne_true : {b : Bool} → Not (Eq b true) → Eq b false
  | true, h => absurd rfl h
  | false, _ => rfl

theorem Bool.eq_true_of_ne_false : {b : Bool} → Not (Eq b false) → Eq b true
  | true, _ => rfl
  | false, h => absurd rfl h

theorem Bool.ne_false_of_eq_true : {b : Bool} → Eq b true → Not (Eq b false)
  | true, _ => fun h => Bool.noConfusion h
  | false, h => Bool.noConfusion h

theorem Bool.ne_true_of_eq_false : {b : Bool} → Eq b false → Not (Eq b true)
  | true, h => Bool.noConfusion h
  | false, _ => fun h => Bool.noConfusion h

/-! Inhabited types and choice. -/

class Inhabited (α : Sort u) where
  default : α
export Inhabited (default)

class inductive Nonempty (α : Sort u) : Prop where
  | intro (val : α) : Nonempty α

axiom Classical.choice {α : Sort u} : Nonempty α → α

protected theorem Nonempty.elim {α : Sort u} {p : Prop} (h₁ : Nonempty α) (h₂ : α → p) : p :=
  match h₁ with
  | intro a => h₂ a

instance instNonemptyOfInhabited {α : Sort u} [Inhabited α] : Nonempty α := ⟨default⟩

noncomputable def Classical.ofNonempty {α : Sort u} [Nonempty α] : α := Classical.choice inferInstance

instance Pi.instNonempty {α : Sort u} {β : α → Sort v} [(a : α) → Nonempty (β a)] : Nonempty ((a : α) → β a) :=
  ⟨fun _ => Classical.ofNonempty⟩

instance instInhabitedSort : Inhabited (Sort u) := ⟨PUnit⟩
instance Pi.instInhabited {α : Sort u} {β : α → Sort v} [(a : α) → Inhabited (β a)] : Inhabited ((a : α) → β a) :=
  ⟨fun _ => default⟩
instance instInhabitedBool : Inhabited Bool := ⟨false⟩

structure PLift (α : Sort u) : Type u where
  up ::
  down : α

structure ULift.{r, s} (α : Type s) : Type (max s r) where
  up ::
  down : α

structure PULift.{r, s} (α : Sort s) : Sort (max s r 1) where
  up ::
  down : α

def NonemptyType := Subtype fun α : Type u => Nonempty α
abbrev NonemptyType.type (type : NonemptyType.{u}) : Type u := type.val
instance : Inhabited NonemptyType.{u} := ⟨⟨PUnit, ⟨⟨⟩⟩⟩⟩

/-! Booleans and decidable propositions. -/

@[macro_inline, implicit_reducible] def cond {α : Sort u} (c : Bool) (x y : α) : α :=
  match c with
  | true => x
  | false => y

@[macro_inline] protected def Bool.dcond {α : Sort u} (c : Bool) (x : Eq c true → α) (y : Eq c false → α) : α :=
  match c with
  | true => x rfl
  | false => y rfl

@[macro_inline, implicit_reducible] def Bool.or (x y : Bool) : Bool :=
  match x with
  | true => true
  | false => y

@[macro_inline, implicit_reducible] def Bool.and (x y : Bool) : Bool :=
  match x with
  | false => false
  | true => y

@[inline, implicit_reducible] def Bool.not : Bool → Bool
  | true => false
  | false => true
export Bool (or and not)

@[inline, implicit_reducible] def Bool.beq (a b : Bool) : Bool :=
  match b with
  | false => not a
  | true => a

abbrev Bool.Reflects : Bool → Prop → Prop
  | false, p => Not p
  | true, p => p

class Decidable (p : Prop) where
  intro ::
  decide : Bool
  reflects_decide (p) : decide.Reflects p
attribute [implicit_reducible] Decidable.decide

@[match_pattern] abbrev Decidable.isFalse {p : Prop} (h : Not p) : Decidable p := ⟨false, h⟩
@[match_pattern] abbrev Decidable.isTrue {p : Prop} (h : p) : Decidable p := ⟨true, h⟩

@[cases_eliminator, induction_eliminator, elab_as_elim]
abbrev Decidable.falseTrueCases {p : Prop} {motive : Decidable p → Sort u} (isFalse : ∀ h, motive (isFalse h))
    (isTrue : ∀ h, motive (isTrue h)) (t : Decidable p) : motive t :=
  t.casesOn fun b => b.casesOn isFalse isTrue
export Decidable (isTrue isFalse decide)

abbrev DecidablePred {α : Sort u} (r : α → Prop) := (a : α) → Decidable (r a)
abbrev DecidableRel {α : Sort u} {β : Sort v} (r : α → β → Prop) := (a : α) → (b : β) → Decidable (r a b)
abbrev DecidableEq (α : Sort u) := (a b : α) → Decidable (Eq a b)
def decEq {α : Sort u} [inst : DecidableEq α] (a b : α) : Decidable (Eq a b) := inst a b

theorem decide_eq_true {p : Prop} : [inst : Decidable p] → p → Eq (decide p) true
  | isTrue _, _ => rfl
  | isFalse n, h => absurd h n

theorem decide_eq_false {p : Prop} : [inst : Decidable p] → Not p → Eq (decide p) false
  | isTrue h, n => absurd h n
  | isFalse _, _ => rfl

theorem of_decide_eq_true {p : Prop} [inst : Decidable p] : Eq (decide p) true → p := fun h =>
  match (generalizing := false) inst with
  | isTrue k => k
  | isFalse n => absurd h (Bool.ne_true_of_eq_false (decide_eq_false n))

theorem of_decide_eq_false {p : Prop} [inst : Decidable p] : Eq (decide p) false → Not p := fun h =>
  match (generalizing := false) inst with
  | isTrue k => absurd h (Bool.ne_false_of_eq_true (decide_eq_true k))
  | isFalse n => n

theorem of_decide_eq_self_eq_true {α : Sort u} [inst : DecidableEq α] (a : α) : Eq (decide (Eq a a)) true :=
  decide_eq_true rfl

@[macro_inline] instance instDecidableAnd {p q} [dp : Decidable p] [dq : Decidable q] : Decidable (And p q) where
  decide := and (decide p) (decide q)
  reflects_decide :=
    match dp, dq with
    | isTrue hp, isTrue hq => ⟨hp, hq⟩
    | isTrue _, isFalse nq => fun h => nq h.right
    | isFalse np, _ => fun h => np h.left

@[macro_inline] instance instDecidableOr {p q} [dp : Decidable p] [dq : Decidable q] : Decidable (Or p q) where
  decide := or (decide p) (decide q)
  reflects_decide :=
    match dp, dq with
    | isTrue hp, _ => .inl hp
    | isFalse _, isTrue hq => .inr hq
    | isFalse np, isFalse nq => fun h => h.elim np nq

@[inline] instance instDecidableNot {p} [dp : Decidable p] : Decidable (Not p) where
  decide := not (decide p)
  reflects_decide :=
    match dp with
    | isTrue hp => absurd hp
    | isFalse np => np

@[inline, implicit_reducible] def Bool.decEq (a b : Bool) : Decidable (Eq a b) where
  decide := a.beq b
  reflects_decide :=
    match a, b with
    | false, false => rfl
    | false, true => Bool.noConfusion
    | true, false => Bool.noConfusion
    | true, true => rfl

@[macro_inline] instance instDecidableEqBool : DecidableEq Bool := Bool.decEq

class BEq (α : Type u) where
  beq : α → α → Bool

instance (priority := 500) instBEqOfDecidableEq {α : Type u} [DecidableEq α] : BEq α where
  beq a b := decide (Eq a b)

@[macro_inline, implicit_reducible]
def dite {α : Sort u} (c : Prop) [h : Decidable c] (t : c → α) (e : Not c → α) : α :=
  h.decide.casesOn e t h.reflects_decide

@[macro_inline, implicit_reducible] def ite {α : Sort u} (c : Prop) [h : Decidable c] (t e : α) : α :=
  dite c (fun _ => t) (fun _ => e)

/-! Natural numbers and the classes of notation. -/

set_option genCtorIdx false in
inductive Nat where
  | zero : Nat
  | succ (n : Nat) : Nat

instance instInhabitedNat : Inhabited Nat := ⟨Nat.zero⟩

@[extern "lean_obj_tag_nat", tagged_return] unsafe opaque getObjTagNat {α : Sort u} (x : @& α) : Nat

class OfNat (α : Type u) (_ : Nat) where
  ofNat : α
@[default_instance 100] instance instOfNatNat (n : Nat) : OfNat Nat n := ⟨n⟩

class LE (α : Type u) where
  le : α → α → Prop
class LT (α : Type u) where
  lt : α → α → Prop
@[reducible] def GE.ge {α : Type u} [LE α] (a b : α) : Prop := LE.le b a
@[reducible] def GT.gt {α : Type u} [LT α] (a b : α) : Prop := LT.lt b a
abbrev DecidableLT (α : Type u) [LT α] := DecidableRel (LT.lt : α → α → Prop)
abbrev DecidableLE (α : Type u) [LE α] := DecidableRel (LE.le : α → α → Prop)

class Max (α : Type u) where
  max : α → α → α
export Max (max)
@[inline, instance_reducible] def maxOfLe {α : Type u} [LE α] [DecidableRel (@LE.le α _)] : Max α where
  max x y := ite (LE.le x y) y x

class Min (α : Type u) where
  min : α → α → α
export Min (min)
@[inline, instance_reducible] def minOfLe {α : Type u} [LE α] [DecidableRel (@LE.le α _)] : Min α where
  min x y := ite (LE.le x y) x y

class Trans.{u₁, u₂, u₃, v₁, v₂, v₃} {α : Sort v₁} {β : Sort v₂} {γ : Sort v₃} (r : α → β → Sort u₁)
    (s : β → γ → Sort u₂) (t : outParam (α → γ → Sort u₃)) where
  trans {a : α} {b : β} {c : γ} : r a b → s b c → t a c
export Trans (trans)
instance instTransEq {α : Sort u} {γ : Sort v} (r : α → γ → Sort w) : Trans Eq r r where
  trans h k := h ▸ k
instance instTransEq_1 {α : Sort u} {β : Sort v} (r : α → β → Sort w) : Trans r Eq r where
  trans h k := k ▸ h

class HAdd (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hAdd : α → β → γ
class HSub (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hSub : α → β → γ
class HMul (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hMul : α → β → γ
class HDiv (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hDiv : α → β → γ
class HMod (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hMod : α → β → γ
class HPow (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hPow : α → β → γ
class HSMul (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hSMul : α → β → γ
class HAppend (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hAppend : α → β → γ
class HOrElse (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hOrElse : α → (Unit → β) → γ
class HAndThen (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hAndThen : α → (Unit → β) → γ
class HAnd (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hAnd : α → β → γ
class HXor (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hXor : α → β → γ
class HOr (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hOr : α → β → γ
class HShiftLeft (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hShiftLeft : α → β → γ
class HShiftRight (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hShiftRight : α → β → γ
class Zero (α : Type u) where
  zero : α
class One (α : Type u) where
  one : α
class Add (α : Type u) where
  add : α → α → α
class Sub (α : Type u) where
  sub : α → α → α
class Mul (α : Type u) where
  mul : α → α → α
class Neg (α : Type u) where
  neg : α → α
class Div (α : Type u) where
  div : α → α → α
class Inv (α : Type u) where
  inv : α → α
class Mod (α : Type u) where
  mod : α → α → α
class Dvd (α : Type u) where
  dvd : α → α → Prop
class Pow (α : Type u) (β : Type v) where
  pow : α → β → α
class NatPow (α : Type u) where
  protected pow : α → Nat → α
class HomogeneousPow (α : Type u) where
  protected pow : α → α → α
class SMul (M : Type u) (α : Type v) where
  smul : M → α → α
class Append (α : Type u) where
  append : α → α → α
class OrElse (α : Type u) where
  orElse : α → (Unit → α) → α
class AndThen (α : Type u) where
  andThen : α → (Unit → α) → α
class AndOp (α : Type u) where
  and : α → α → α
class XorOp (α : Type u) where
  xor : α → α → α
class OrOp (α : Type u) where
  or : α → α → α
class Complement (α : Type u) where
  complement : α → α
class ShiftLeft (α : Type u) where
  shiftLeft : α → α → α
class ShiftRight (α : Type u) where
  shiftRight : α → α → α
class Membership (α : outParam (Type u)) (γ : Type v) where
  mem : γ → α → Prop
attribute [implicit_reducible] Membership.mem

section
variable {α : Type u} {β : Type v}
@[default_instance] instance instHAdd [Add α] : HAdd α α α where hAdd a b := Add.add a b
@[default_instance] instance instHSub [Sub α] : HSub α α α where hSub a b := Sub.sub a b
@[default_instance] instance instHMul [Mul α] : HMul α α α where hMul a b := Mul.mul a b
@[default_instance] instance instHDiv [Div α] : HDiv α α α where hDiv a b := Div.div a b
@[default_instance] instance instHMod [Mod α] : HMod α α α where hMod a b := Mod.mod a b
@[default_instance] instance instHPow [Pow α β] : HPow α β α where hPow a b := Pow.pow a b
@[default_instance] instance instPowNat [NatPow α] : Pow α Nat where pow a n := NatPow.pow a n
@[default_instance] instance instPowOfHomogeneousPow [HomogeneousPow α] : Pow α α where
  pow a b := HomogeneousPow.pow a b
@[default_instance] instance instHSMul [SMul α β] : HSMul α β β where hSMul := SMul.smul
instance (priority := 1100) instSMulOfMul [Mul α] : SMul α α where smul x y := Mul.mul x y
@[default_instance] instance instHAppendOfAppend [Append α] : HAppend α α α where hAppend a b := Append.append a b
@[default_instance] instance instHOrElseOfOrElse [OrElse α] : HOrElse α α α where hOrElse a b := OrElse.orElse a b
@[default_instance] instance instHAndThenOfAndThen [AndThen α] : HAndThen α α α where
  hAndThen a b := AndThen.andThen a b
@[default_instance] instance instHAndOfAndOp [AndOp α] : HAnd α α α where hAnd a b := AndOp.and a b
@[default_instance] instance instHXorOfXorOp [XorOp α] : HXor α α α where hXor a b := XorOp.xor a b
@[default_instance] instance instHOrOfOrOp [OrOp α] : HOr α α α where hOr a b := OrOp.or a b
@[default_instance] instance instHShiftLeftOfShiftLeft [ShiftLeft α] : HShiftLeft α α α where
  hShiftLeft a b := ShiftLeft.shiftLeft a b
@[default_instance] instance instHShiftRightOfShiftRight [ShiftRight α] : HShiftRight α α α where
  hShiftRight a b := ShiftRight.shiftRight a b
end

set_option bootstrap.genMatcherCode false in
@[extern "lean_nat_add", instance_reducible] protected def Nat.add : (@& Nat) → (@& Nat) → Nat
  | a, zero => a
  | a, succ b => succ (Nat.add a b)
instance instAddNat : Add Nat := ⟨Nat.add⟩
attribute [match_pattern] Nat.add Add.add HAdd.hAdd Neg.neg Mul.mul HMul.hMul Inv.inv

set_option bootstrap.genMatcherCode false in
@[extern "lean_nat_mul", instance_reducible] protected def Nat.mul : (@& Nat) → (@& Nat) → Nat
  | _, 0 => 0
  | a, succ b => Nat.add (Nat.mul a b) a
instance instMulNat : Mul Nat := ⟨Nat.mul⟩

set_option bootstrap.genMatcherCode false in
@[extern "lean_nat_pow"] protected def Nat.pow (m : @& Nat) : (@& Nat) → Nat
  | 0 => 1
  | succ n => Nat.mul (Nat.pow m n) m
instance instNatPowNat : NatPow Nat := ⟨Nat.pow⟩

set_option bootstrap.genMatcherCode false in
@[extern "lean_nat_dec_eq"] def Nat.beq : (@& Nat) → (@& Nat) → Bool
  | zero, zero => true
  | zero, succ _ => false
  | succ _, zero => false
  | succ n, succ m => beq n m

theorem Nat.eq_of_beq_eq_true : {n m : Nat} → Eq (beq n m) true → Eq n m
  | zero, zero, _ => rfl
  | zero, succ _, h => Bool.noConfusion h
  | succ _, zero, h => Bool.noConfusion h
  | succ _, succ _, h => congrArg succ (eq_of_beq_eq_true h)

theorem Nat.beq_self_eq_true : (n : Nat) → Eq (beq n n) true
  | zero => rfl
  | succ n => beq_self_eq_true n

theorem Nat.ne_of_beq_eq_false {n m : Nat} (h : Eq (beq n m) false) : Not (Eq n m) :=
  fun e => Bool.ne_true_of_eq_false h (e.subst (motive := fun k => Eq (beq n k) true) (beq_self_eq_true n))

theorem Nat.beq_self_rec : (n : Nat) → (beq n n).rec False True
  | zero => True.intro
  | succ n => beq_self_rec n
theorem noConfusion_of_Nat {α : Sort u} (f : α → Nat) {a b : α} (h : Eq a b) : (Nat.beq (f a) (f b)).rec False True :=
  congrArg f h ▸ Nat.beq_self_rec (f a)

@[reducible, extern "lean_nat_dec_eq"] protected def Nat.decEq (n m : @& Nat) : Decidable (Eq n m) where
  decide := beq n m
  reflects_decide :=
    match h : beq n m with
    | true => eq_of_beq_eq_true h
    | false => ne_of_beq_eq_false h
@[inline] instance instDecidableEqNat : DecidableEq Nat := Nat.decEq

set_option bootstrap.genMatcherCode false in
@[extern "lean_nat_dec_le"] def Nat.ble : @& Nat → @& Nat → Bool
  | zero, _ => true
  | succ _, zero => false
  | succ n, succ m => ble n m

attribute [gen_constructor_elims] Bool

protected inductive Nat.le (n : Nat) : Nat → Prop
  | refl : Nat.le n n
  | step {m} : Nat.le n m → Nat.le n (succ m)
instance instLENat : LE Nat := ⟨Nat.le⟩
@[implicit_reducible] protected def Nat.lt (n m : Nat) : Prop := Nat.le (succ n) m
instance instLTNat : LT Nat := ⟨Nat.lt⟩

set_option bootstrap.genMatcherCode false in
@[extern "lean_nat_pred", implicit_reducible] def Nat.pred : (@& Nat) → Nat
  | 0 => 0
  | succ a => a

set_option bootstrap.genMatcherCode false in
@[extern "lean_nat_sub", instance_reducible] protected def Nat.sub : (@& Nat) → (@& Nat) → Nat
  | a, 0 => a
  | a, succ b => pred (Nat.sub a b)
attribute [gen_constructor_elims] Nat
instance instSubNat : Sub Nat := ⟨Nat.sub⟩

theorem Nat.not_succ_le_zero (n : Nat) : LE.le (succ n) 0 → False :=
  have main : ∀ m, LE.le (succ n) m → Eq m 0 → False := fun _ h =>
    Nat.le.casesOn (motive := fun m _ => Eq m 0 → False) h (fun e => Nat.noConfusion e) (fun _ e => Nat.noConfusion e)
  fun h => main 0 h rfl
theorem Nat.not_lt_zero (n : Nat) : Not (LT.lt n 0) := not_succ_le_zero n
theorem Nat.zero_le : (n : Nat) → LE.le 0 n
  | zero => .refl
  | succ n => .step (zero_le n)
theorem Nat.succ_le_succ {n m : Nat} : LE.le n m → LE.le (succ n) (succ m)
  | .refl => .refl
  | .step h => .step (succ_le_succ h)
theorem Nat.zero_lt_succ (n : Nat) : LT.lt 0 (succ n) := succ_le_succ (zero_le n)
theorem Nat.succ_pos (n : Nat) : LT.lt 0 (succ n) := zero_lt_succ n
theorem Nat.le_succ (n : Nat) : LE.le n (succ n) := .step .refl
theorem Nat.le_succ_of_le {n m : Nat} (h : LE.le n m) : LE.le n (succ m) := .step h
protected theorem Nat.le_refl (n : Nat) : LE.le n n := .refl
protected theorem Nat.le_trans {n m k : Nat} : LE.le n m → LE.le m k → LE.le n k
  | h, .refl => h
  | h, .step k => .step (Nat.le_trans h k)
theorem Nat.pred_le_pred : {n m : Nat} → LE.le n m → LE.le (pred n) (pred m)
  | _, _, .refl => .refl
  | 0, succ _, .step h => h
  | succ _, succ _, .step h => Nat.le_trans (le_succ _) h
theorem Nat.le_of_succ_le_succ {n m : Nat} : LE.le (succ n) (succ m) → LE.le n m := pred_le_pred
theorem Nat.le_of_ble_eq_true : {n m : Nat} → Eq (Nat.ble n m) true → LE.le n m
  | 0, m, _ => zero_le m
  | succ _, zero, h => Bool.noConfusion h
  | succ _, succ _, h => succ_le_succ (le_of_ble_eq_true h)
theorem Nat.ble_eq_true_of_le : {n m : Nat} → LE.le n m → Eq (Nat.ble n m) true
  | zero, _, _ => rfl
  | succ n, zero, h => (not_succ_le_zero n h).elim
  | succ n, succ m, h => ble_eq_true_of_le (n := n) (m := m) (le_of_succ_le_succ h)
theorem Nat.not_le_of_not_ble_eq_true {n m : Nat} (h : Not (Eq (Nat.ble n m) true)) : Not (LE.le n m) :=
  fun k => h (ble_eq_true_of_le k)

@[extern "lean_nat_dec_le"] instance Nat.decLe (n m : @& Nat) : Decidable (LE.le n m) where
  decide := ble n m
  reflects_decide :=
    match h : ble n m with
    | true => le_of_ble_eq_true h
    | false => not_le_of_not_ble_eq_true (Bool.ne_true_of_eq_false h)
@[extern "lean_nat_dec_lt"] instance Nat.decLt (n m : @& Nat) : Decidable (LT.lt n m) := decLe (succ n) m

/-! Bounded numbers, machine words, characters. -/

@[pp_using_anonymous_constructor]
structure Fin (n : Nat) where
  mk ::
  val : Nat
  isLt : LT.lt val n
attribute [coe] Fin.val

theorem Fin.eq_of_val_eq {n} : ∀ {i j : Fin n}, Eq i.val j.val → Eq i j
  | ⟨_, _⟩, ⟨_, _⟩, rfl => rfl
theorem Fin.val_eq_of_eq {n} {i j : Fin n} (h : Eq i j) : Eq i.val j.val := congrArg val h
instance instDecidableEqFin (n : Nat) : DecidableEq (Fin n) := fun i j => {
  decide := decide (Eq i.val j.val)
  reflects_decide :=
    match instDecidableEqNat i.val j.val with
    | isTrue h => Fin.eq_of_val_eq h
    | isFalse h => fun e => h (Fin.val_eq_of_eq e) }
instance instLTFin {n : Nat} : LT (Fin n) := ⟨fun a b => LT.lt a.val b.val⟩
instance instLEFin {n : Nat} : LE (Fin n) := ⟨fun a b => LE.le a.val b.val⟩
instance Fin.decLt {n : Nat} (a b : Fin n) : Decidable (LT.lt a b) := Nat.decLt ..
instance Fin.decLe {n : Nat} (a b : Fin n) : Decidable (LE.le a b) := Nat.decLe ..

structure BitVec (w : Nat) where
  ofFin ::
  toFin : Fin (HPow.hPow 2 w)
@[implicit_reducible] def BitVec.decEq {w : Nat} (x y : BitVec w) : Decidable (Eq x y) where
  decide := decide (Eq x.toFin y.toFin)
  reflects_decide :=
    match instDecidableEqFin _ x.toFin y.toFin with
    | isTrue h => congrArg BitVec.ofFin h
    | isFalse h => fun e => h (congrArg BitVec.toFin e)
instance instDecidableEqBitVec {w : Nat} : DecidableEq (BitVec w) := BitVec.decEq
@[match_pattern, implicit_reducible] protected def BitVec.ofNatLT {w : Nat} (i : Nat) (p : LT.lt i (HPow.hPow 2 w)) :
    BitVec w :=
  ⟨⟨i, p⟩⟩
@[implicit_reducible] protected def BitVec.toNat {w : Nat} (x : BitVec w) : Nat := x.toFin.val

abbrev UInt8.size : Nat := 256
structure UInt8 where
  ofBitVec ::
  toBitVec : BitVec 8
attribute [extern "lean_uint8_of_nat_mk"] UInt8.ofBitVec
attribute [extern "lean_uint8_to_nat"] UInt8.toBitVec
@[extern "lean_uint8_of_nat", implicit_reducible] def UInt8.ofNatLT (n : @& Nat) (h : LT.lt n UInt8.size) : UInt8 :=
  ⟨BitVec.ofNatLT n h⟩

abbrev UInt16.size : Nat := 65536
structure UInt16 where
  ofBitVec ::
  toBitVec : BitVec 16
attribute [extern "lean_uint16_of_nat_mk"] UInt16.ofBitVec
attribute [extern "lean_uint16_to_nat"] UInt16.toBitVec

abbrev UInt32.size : Nat := 4294967296
structure UInt32 where
  ofBitVec ::
  toBitVec : BitVec 32
attribute [extern "lean_uint32_of_nat_mk"] UInt32.ofBitVec
attribute [extern "lean_uint32_to_nat"] UInt32.toBitVec
@[extern "lean_uint32_of_nat", implicit_reducible] def UInt32.ofNatLT (n : @& Nat) (h : LT.lt n UInt32.size) : UInt32 :=
  ⟨BitVec.ofNatLT n h⟩
@[extern "lean_uint32_to_nat", implicit_reducible] def UInt32.toNat (n : UInt32) : Nat := n.toBitVec.toNat
set_option bootstrap.genMatcherCode false in
@[extern "lean_uint32_dec_eq", implicit_reducible] def UInt32.decEq (a b : UInt32) : Decidable (Eq a b) where
  decide := decide (Eq a.toBitVec b.toBitVec)
  reflects_decide :=
    match instDecidableEqBitVec a.toBitVec b.toBitVec with
    | isTrue h => congrArg UInt32.ofBitVec h
    | isFalse h => fun e => h (congrArg UInt32.toBitVec e)
instance instDecidableEqUInt32 : DecidableEq UInt32 := UInt32.decEq
instance instInhabitedUInt32 : Inhabited UInt32 := ⟨UInt32.ofNatLT 0 (of_decide_eq_true rfl)⟩

abbrev UInt64.size : Nat := 18446744073709551616
structure UInt64 where
  ofBitVec ::
  toBitVec : BitVec 64
attribute [extern "lean_uint64_of_nat_mk"] UInt64.ofBitVec
attribute [extern "lean_uint64_to_nat"] UInt64.toBitVec
@[extern "lean_uint64_of_nat", implicit_reducible] def UInt64.ofNatLT (n : @& Nat) (h : LT.lt n UInt64.size) : UInt64 :=
  ⟨BitVec.ofNatLT n h⟩
instance instInhabitedUInt64 : Inhabited UInt64 := ⟨UInt64.ofNatLT 0 (of_decide_eq_true rfl)⟩

@[extern "lean_system_platform_nbits"]
opaque System.Platform.getNumBits : Unit → Subtype fun n : Nat => Or (Eq n 32) (Eq n 64) := fun _ => ⟨64, Or.inr rfl⟩
def System.Platform.numBits : Nat := (getNumBits ()).val
abbrev USize.size : Nat := HPow.hPow 2 System.Platform.numBits
structure USize where
  ofBitVec ::
  toBitVec : BitVec System.Platform.numBits
attribute [extern "lean_usize_of_nat_mk"] USize.ofBitVec
attribute [extern "lean_usize_to_nat"] USize.toBitVec

abbrev Nat.isValidChar (n : Nat) : Prop := Or (LT.lt n 0xd800) (And (LT.lt 0xdfff n) (LT.lt n 0x110000))
abbrev UInt32.isValidChar (n : UInt32) : Prop := n.toNat.isValidChar
structure Char where
  val : UInt32
  valid : val.isValidChar

theorem Nat.lt_uint32_size_of_isValidChar {n : Nat} (h : n.isValidChar) : LT.lt n UInt32.size :=
  h.elim (fun h => Nat.le_trans h (of_decide_eq_true rfl)) (fun h => Nat.le_trans h.right (of_decide_eq_true rfl))
@[extern "lean_uint32_of_nat", implicit_reducible] def Char.ofNatAux (n : @& Nat) (h : n.isValidChar) : Char where
  val := ⟨BitVec.ofNatLT n (Nat.lt_uint32_size_of_isValidChar h)⟩
  valid := h
@[noinline, match_pattern, implicit_reducible] def Char.ofNat (n : Nat) : Char :=
  dite n.isValidChar (fun h => Char.ofNatAux n h) fun _ => Char.ofNatAux 0 (Or.inl (of_decide_eq_true rfl))
theorem Char.ext : ∀ {c d : Char}, Eq c.val d.val → Eq c d
  | ⟨_, _⟩, ⟨_, _⟩, rfl => rfl
instance instDecidableEqChar : DecidableEq Char := fun c d => {
  decide := decide (Eq c.val d.val)
  reflects_decide :=
    match instDecidableEqUInt32 c.val d.val with
    | isTrue h => Char.ext h
    | isFalse h => fun e => h (congrArg Char.val e) }

/-! Options, lists, arrays, strings. -/

inductive Option (α : Type u) where
  | none : Option α
  | some (val : α) : Option α
attribute [unbox] Option
export Option (none some)
instance instInhabitedOption {α : Type u} : Inhabited (Option α) := ⟨none⟩
@[macro_inline, implicit_reducible] def Option.getD {α : Type u} (opt : Option α) (dflt : α) : α :=
  match opt with
  | some x => x
  | none => dflt
@[inline, implicit_reducible] protected def Option.map {α : Type u} {β : Type v} (f : α → β) : Option α → Option β
  | some x => some (f x)
  | none => none

inductive List (α : Type u) where
  | nil : List α
  | cons (head : α) (tail : List α) : List α
instance instInhabitedList {α : Type u} : Inhabited (List α) := ⟨List.nil⟩

@[implicit_reducible] protected def List.beq {α : Type u} [BEq α] : (a b : List α) → Bool
  | nil, nil => true
  | cons _ _, nil => false
  | nil, cons _ _ => false
  | cons a as, cons b bs => and (BEq.beq a b) (List.beq as bs)

@[instance_reducible] protected def List.hasDecEq {α : Type u} [DecidableEq α] : (a b : List α) → Decidable (Eq a b)
  | nil, nil => isTrue rfl
  | cons _ _, nil => isFalse fun h => List.noConfusion rfl (heq_of_eq h)
  | nil, cons _ _ => isFalse fun h => List.noConfusion rfl (heq_of_eq h)
  | cons a as, cons b bs =>
    match decEq a b, List.hasDecEq as bs with
    | isTrue h, isTrue k => isTrue (h ▸ k ▸ rfl)
    | isTrue _, isFalse n => isFalse fun h => List.noConfusion rfl (heq_of_eq h) fun _ k => n (eq_of_heq k)
    | isFalse n, _ => isFalse fun h => List.noConfusion rfl (heq_of_eq h) fun k _ => n (eq_of_heq k)
instance instDecidableEqList {α : Type u} [DecidableEq α] : DecidableEq (List α) := List.hasDecEq

@[instance_reducible] def List.length {α : Type u} : List α → Nat
  | nil => 0
  | cons _ as => HAdd.hAdd (length as) 1
@[implicit_reducible] def List.get {α : Type u} : (as : List α) → Fin as.length → α
  | cons a _, ⟨0, _⟩ => a
  | cons _ as, ⟨Nat.succ i, h⟩ => get as ⟨i, Nat.le_of_succ_le_succ h⟩
def List.set {α : Type u} : (l : List α) → (n : Nat) → (a : α) → List α
  | cons _ as, 0, b => cons b as
  | cons a as, Nat.succ n, b => cons a (set as n b)
  | nil, _, _ => nil
@[specialize] def List.foldl {α : Type u} {β : Type v} (f : α → β → α) : (init : α) → List β → α
  | a, nil => a
  | a, cons b l => foldl f (f a b) l
@[implicit_reducible] def List.concat {α : Type u} : List α → α → List α
  | nil, b => cons b nil
  | cons a as, b => cons a (concat as b)
@[implicit_reducible] protected def List.append {α : Type u} : (xs ys : List α) → List α
  | nil, bs => bs
  | cons a as, bs => cons a (List.append as bs)
@[implicit_reducible] def List.flatten {α : Type u} : List (List α) → List α
  | nil => nil
  | cons l L => List.append l (flatten L)
@[specialize, implicit_reducible] def List.map {α : Type u} {β : Type v} (f : α → β) : (l : List α) → List β
  | nil => nil
  | cons a as => cons (f a) (map f as)
@[inline, implicit_reducible] def List.flatMap {α : Type u} {β : Type v} (b : α → List β) (as : List α) : List β :=
  flatten (map b as)

class GetElem (coll : Type u) (idx : Type v) (elem : outParam (Type w)) (valid : outParam (coll → idx → Prop)) where
  getElem (xs : coll) (i : idx) (h : valid xs i) : elem
export GetElem (getElem)
class GetElem? (coll : Type u) (idx : Type v) (elem : outParam (Type w)) (valid : outParam (coll → idx → Prop)) extends
    GetElem coll idx elem valid where
  getElem? : coll → idx → Option elem
  getElem! [Inhabited elem] (xs : coll) (i : idx) : elem :=
    match getElem? xs i with
    | some e => e
    | none => default
export GetElem? (getElem? getElem!)
structure Array (α : Type u) where
  mk ::
  toList : List α
attribute [extern "lean_array_to_list"] Array.toList
attribute [extern "lean_array_mk"] Array.mk
@[match_pattern] abbrev List.toArray {α : Type u} (xs : List α) : Array α := .mk xs
@[extern "lean_mk_empty_array_with_capacity", implicit_reducible]
def Array.emptyWithCapacity {α : Type u} (c : @& Nat) : Array α := ⟨.nil⟩
@[extern "lean_mk_empty_array_with_capacity"] def Array.mkEmpty {α : Type u} (c : @& Nat) : Array α := ⟨.nil⟩
@[inline, implicit_reducible] def Array.empty {α : Type u} : Array α := emptyWithCapacity 0
instance instInhabitedArray {α : Type u} : Inhabited (Array α) := ⟨Array.empty⟩
@[extern "lean_array_get_size", tagged_return, instance_reducible] def Array.size {α : Type u} (a : @& Array α) : Nat :=
  a.toList.length
@[extern "lean_array_fget_borrowed"]
unsafe opaque Array.getInternalBorrowed {α : Type u} (a : @& Array α) (i : @& Nat) (h : LT.lt i a.size) : α :=
  a.toList.get ⟨i, h⟩
@[extern "lean_array_get_borrowed"]
unsafe opaque Array.get!InternalBorrowed {α : Type u} [@&Inhabited α] (a : @& Array α) (i : @& Nat) : α
@[extern "lean_array_fget", implicit_reducible]
def Array.getInternal {α : Type u} (a : @& Array α) (i : @& Nat) (h : LT.lt i a.size) : α := a.toList.get ⟨i, h⟩
@[inline] abbrev Array.getD {α : Type u} (a : Array α) (i : Nat) (v₀ : α) : α :=
  dite (LT.lt i a.size) (fun h => a.getInternal i h) fun _ => v₀
@[extern "lean_array_get", implicit_reducible]
def Array.get!Internal {α : Type u} [@&Inhabited α] (a : @& Array α) (i : @& Nat) : α := Array.getD a i default
@[extern "lean_array_push", implicit_reducible] def Array.push {α : Type u} (a : Array α) (v : α) : Array α :=
  ⟨a.toList.concat v⟩
section
variable {α : Type u} (a b c d e f g h : α)
def Array.mkArray0 : Array α := emptyWithCapacity 0
def Array.mkArray1 : Array α := (emptyWithCapacity 1).push a
def Array.mkArray2 : Array α := ((emptyWithCapacity 2).push a).push b
def Array.mkArray3 : Array α := (((emptyWithCapacity 3).push a).push b).push c
def Array.mkArray4 : Array α := ((((emptyWithCapacity 4).push a).push b).push c).push d
def Array.mkArray5 : Array α := (((((emptyWithCapacity 5).push a).push b).push c).push d).push e
def Array.mkArray6 : Array α := ((((((emptyWithCapacity 6).push a).push b).push c).push d).push e).push f
def Array.mkArray7 : Array α := (((((((emptyWithCapacity 7).push a).push b).push c).push d).push e).push f).push g
def Array.mkArray8 : Array α :=
  ((((((((emptyWithCapacity 8).push a).push b).push c).push d).push e).push f).push g).push h
end
@[extern "_"] protected opaque Array.appendCore {α : Type u} (as : Array α) (bs : Array α) : Array α
@[extern "_"] opaque Array.extract {α : Type u} (as : Array α) (start : Nat := 0) (stop : Nat := as.size) : Array α

structure ByteArray where
  mk ::
  data : Array UInt8
attribute [extern "lean_byte_array_mk"] ByteArray.mk
attribute [extern "lean_byte_array_data"] ByteArray.data

/- Strings are characters in order here; Lean's own library stores their UTF-8 bytes. -/
structure String where
  ofList ::
  toList : List Char
attribute [extern "lean_string_mk"] String.ofList
attribute [extern "lean_string_data"] String.toList
instance instInhabitedString : Inhabited String := ⟨""⟩
@[extern "lean_string_dec_eq", instance_reducible] def String.decEq (s₁ s₂ : @& String) : Decidable (Eq s₁ s₂) :=
  match s₁, s₂ with
  | ⟨a⟩, ⟨b⟩ =>
    match instDecidableEqList a b with
    | isTrue h => isTrue (congrArg String.ofList h)
    | isFalse n => isFalse fun h => n (congrArg String.toList h)
instance instDecidableEqString : DecidableEq String := String.decEq
@[extern "lean_string_append"] def String.append : String → (@& String) → String
  | ⟨a⟩, ⟨b⟩ => ⟨a.append b⟩
instance instAppendString : Append String := ⟨String.append⟩
@[extern "lean_string_length"] def String.length (s : @& String) : Nat := s.toList.length
@[extern "lean_string_utf8_byte_size", tagged_return] opaque String.utf8ByteSize (s : @& String) : Nat

structure String.Pos.Raw where
  byteIdx : Nat := 0
instance instInhabitedRaw : Inhabited String.Pos.Raw := ⟨{}⟩
structure Substring.Raw where
  str : String
  startPos : String.Pos.Raw
  stopPos : String.Pos.Raw
instance instInhabitedRaw_1 : Inhabited Substring.Raw := ⟨⟨"", {}, {}⟩⟩
@[extern "_"] opaque String.toRawSubstring' (s : String) : Substring.Raw
@[inline] def String.rawEndPos (s : String) : String.Pos.Raw := ⟨utf8ByteSize s⟩
@[inline] def String.toRawSubstring (s : String) : Substring.Raw := ⟨s, {}, s.rawEndPos⟩

unsafe def unsafeCast {α : Sort u} {β : Sort v} (a : α) : β :=
  PLift.down (ULift.down.{max u v} (cast lcProof (ULift.up.{max u v} (PLift.up a))))
@[never_extract, extern "lean_panic_fn_borrowed"] def panicCore {α : Sort u} [@&Inhabited α] (msg : String) : α :=
  default
@[noinline, never_extract] def panic {α : Sort u} [Inhabited α] (msg : String) : α := panicCore msg

/-! Monads. -/

class Bind (m : Type u → Type v) where
  bind {α β : Type u} : m α → (α → m β) → m β
export Bind (bind)
class Pure (f : Type u → Type v) where
  pure {α : Type u} : α → f α
export Pure (pure)
class Functor (f : Type u → Type v) : Type (max (u + 1) v) where
  map {α β : Type u} : (α → β) → f α → f β
  mapConst {α β : Type u} : α → f β → f α := Function.comp map (Function.const _)
class Seq (f : Type u → Type v) : Type (max (u + 1) v) where
  seq {α β : Type u} : f (α → β) → (Unit → f α) → f β
class SeqLeft (f : Type u → Type v) : Type (max (u + 1) v) where
  seqLeft {α β : Type u} : f α → (Unit → f β) → f α
class SeqRight (f : Type u → Type v) : Type (max (u + 1) v) where
  seqRight {α β : Type u} : f α → (Unit → f β) → f β
class Applicative (f : Type u → Type v) extends Functor f, Pure f, Seq f, SeqLeft f, SeqRight f where
  map g x := Seq.seq (pure g) fun _ => x
  seqLeft a b := Seq.seq (Functor.map (Function.const _) a) b
  seqRight a b := Seq.seq (Functor.map (Function.const _ id) a) b
class Monad (m : Type u → Type v) : Type (max (u + 1) v) extends Applicative m, Bind m where
  map f x := bind x (Function.comp pure f)
  seq f x := bind f fun y => Functor.map y (x ())
  seqLeft x y := bind x fun a => bind (y ()) fun _ => pure a
  seqRight x y := bind x fun _ => y ()
instance instInhabitedForallOfMonad {α : Type u} {m : Type u → Type v} [Monad m] : Inhabited (α → m α) := ⟨pure⟩
instance instInhabitedOfMonad {α : Type u} {m : Type u → Type v} [Monad m] [Inhabited α] : Inhabited (m α) :=
  ⟨pure default⟩

class MonadLift (m : semiOutParam (Type u → Type v)) (n : Type u → Type w) where
  monadLift {α : Type u} : m α → n α
class MonadLiftT (m : Type u → Type v) (n : Type u → Type w) where
  monadLift {α : Type u} : m α → n α
export MonadLiftT (monadLift)
abbrev liftM := @monadLift
@[always_inline] instance instMonadLiftTOfMonadLift (m n o) [MonadLift n o] [MonadLiftT m n] : MonadLiftT m o where
  monadLift x := MonadLift.monadLift (m := n) (monadLift x)
instance instMonadLiftT (m) : MonadLiftT m m where
  monadLift x := x
class MonadFunctor (m : semiOutParam (Type u → Type v)) (n : Type u → Type w) where
  monadMap {α : Type u} : ({β : Type u} → m β → m β) → n α → n α
class MonadFunctorT (m : Type u → Type v) (n : Type u → Type w) where
  monadMap {α : Type u} : ({β : Type u} → m β → m β) → n α → n α
export MonadFunctorT (monadMap)
@[always_inline] instance instMonadFunctorTOfMonadFunctor (m n o) [MonadFunctor n o] [MonadFunctorT m n] :
    MonadFunctorT m o where
  monadMap f := MonadFunctor.monadMap (m := n) (monadMap (m := m) f)
instance monadFunctorRefl (m) : MonadFunctorT m m where
  monadMap f := f

inductive Except (ε : Type u) (α : Type v) where
  | error : ε → Except ε α
  | ok : α → Except ε α
attribute [unbox] Except
class MonadExceptOf (ε : semiOutParam (Type u)) (m : Type v → Type w) where
  throw {α : Type v} : ε → m α
  tryCatch {α : Type v} (body : m α) (handler : ε → m α) : m α
abbrev throwThe (ε : Type u) {m : Type v → Type w} [MonadExceptOf ε m] {α : Type v} (e : ε) : m α :=
  MonadExceptOf.throw e
abbrev tryCatchThe (ε : Type u) {m : Type v → Type w} [MonadExceptOf ε m] {α : Type v} (x : m α) (handle : ε → m α) :
    m α :=
  MonadExceptOf.tryCatch x handle
class MonadExcept (ε : outParam (Type u)) (m : Type v → Type w) where
  throw {α : Type v} : ε → m α
  tryCatch {α : Type v} : (body : m α) → (handler : ε → m α) → m α
export MonadExcept (throw tryCatch)
instance instMonadExceptOfMonadExceptOf (ε : Type u) (m : Type v → Type w) [MonadExceptOf ε m] : MonadExcept ε m where
  throw := throwThe ε
  tryCatch := tryCatchThe ε
@[inline] protected def MonadExcept.orElse {ε : Type u} {m : Type v → Type w} [MonadExcept ε m] {α : Type v} (t₁ : m α)
    (t₂ : Unit → m α) : m α :=
  tryCatch t₁ fun _ => t₂ ()
instance MonadExcept.instOrElse {ε : Type u} {m : Type v → Type w} [MonadExcept ε m] {α : Type v} : OrElse (m α) :=
  ⟨MonadExcept.orElse⟩

@[implicit_reducible] def ReaderT (ρ : Type u) (m : Type u → Type v) (α : Type u) : Type (max u v) := (a : @&ρ) → m α
instance instInhabitedReaderT (ρ : Type u) (m : Type u → Type v) (α : Type u) [Inhabited (m α)] :
    Inhabited (ReaderT ρ m α) :=
  ⟨fun _ => default⟩
namespace ReaderT
variable {ρ : Type u} {m : Type u → Type v} {α : Type u}
@[always_inline, inline] def run (x : ReaderT ρ m α) (r : ρ) : m α := x r
instance instMonadLift : MonadLift m (ReaderT ρ m) := ⟨fun x _ => x⟩
@[always_inline] instance instMonadExceptOf (ε) [MonadExceptOf ε m] : MonadExceptOf ε (ReaderT ρ m) where
  throw e := liftM (m := m) (throw e)
  tryCatch := fun x c r => tryCatchThe ε (x r) fun e => (c e) r
@[always_inline, inline] protected def read [Monad m] : ReaderT ρ m ρ := pure
@[always_inline] instance instMonad [Monad m] : Monad (ReaderT ρ m) where
  pure a := fun _ => pure a
  bind x f := fun r => bind (x r) fun a => f a r
  map f x := fun r => Functor.map f (x r)
  seq f x := fun r => Seq.seq (f r) fun _ => x () r
instance instMonadFunctor (ρ : Type u) (m : Type u → Type v) : MonadFunctor m (ReaderT ρ m) where
  monadMap f x := fun ctx => f (x ctx)
end ReaderT

class MonadReaderOf (ρ : semiOutParam (Type u)) (m : Type u → Type v) where
  read : m ρ
class MonadReader (ρ : outParam (Type u)) (m : Type u → Type v) where
  read : m ρ
export MonadReader (read)
@[always_inline, inline] def readThe (ρ : Type u) {m : Type u → Type v} [MonadReaderOf ρ m] : m ρ := MonadReaderOf.read
instance instMonadReaderOfMonadReaderOf (ρ : Type u) (m : Type u → Type v) [MonadReaderOf ρ m] : MonadReader ρ m :=
  ⟨readThe ρ⟩
instance instMonadReaderOfOfMonadLift {ρ : Type u} {m : Type u → Type v} {n : Type u → Type w} [MonadLift m n]
    [MonadReaderOf ρ m] : MonadReaderOf ρ n :=
  ⟨liftM (m := m) read⟩
instance instMonadReaderOfReaderT {ρ : Type u} {m : Type u → Type v} [Monad m] : MonadReaderOf ρ (ReaderT ρ m) :=
  ⟨ReaderT.read⟩
class MonadWithReaderOf (ρ : semiOutParam (Type u)) (m : Type u → Type v) where
  withReader {α : Type u} (f : ρ → ρ) (x : m α) : m α
@[always_inline, inline] def withTheReader (ρ : Type u) {m : Type u → Type v} [MonadWithReaderOf ρ m] {α : Type u}
    (f : ρ → ρ) (x : m α) : m α :=
  MonadWithReaderOf.withReader f x
class MonadWithReader (ρ : outParam (Type u)) (m : Type u → Type v) where
  withReader {α : Type u} : (f : ρ → ρ) → (x : m α) → m α
export MonadWithReader (withReader)
instance instMonadWithReaderOfMonadWithReaderOf (ρ : Type u) (m : Type u → Type v) [MonadWithReaderOf ρ m] :
    MonadWithReader ρ m :=
  ⟨withTheReader ρ⟩
instance instMonadWithReaderOfReaderT {ρ : Type u} {m : Type u → Type v} : MonadWithReaderOf ρ (ReaderT ρ m) where
  withReader f x := fun ctx => x (f ctx)

class MonadStateOf (σ : semiOutParam (Type u)) (m : Type u → Type v) where
  get : m σ
  set : σ → m PUnit
  modifyGet {α : Type u} : (σ → Prod α σ) → m α
export MonadStateOf (set)
abbrev getThe (σ : Type u) {m : Type u → Type v} [MonadStateOf σ m] : m σ := MonadStateOf.get
class MonadState (σ : outParam (Type u)) (m : Type u → Type v) where
  get : m σ
  set : σ → m PUnit
  modifyGet {α : Type u} : (σ → Prod α σ) → m α
export MonadState (get modifyGet)
instance instMonadStateOfMonadStateOf (σ : Type u) (m : Type u → Type v) [MonadStateOf σ m] : MonadState σ m where
  set := MonadStateOf.set
  get := getThe σ
  modifyGet f := MonadStateOf.modifyGet f
@[always_inline, inline] def modify {σ : Type u} {m : Type u → Type v} [MonadState σ m] (f : σ → σ) : m PUnit :=
  modifyGet fun s => (PUnit.unit, f s)
@[always_inline] instance instMonadStateOfOfMonadLift {σ : Type u} {m : Type u → Type v} {n : Type u → Type w}
    [MonadLift m n] [MonadStateOf σ m] : MonadStateOf σ n where
  get := liftM (m := m) MonadStateOf.get
  set s := liftM (m := m) (MonadStateOf.set s)
  modifyGet f := monadLift (m := m) (MonadState.modifyGet f)

inductive EStateM.Result (ε σ α : Type u) where
  | ok : α → σ → Result ε σ α
  | error : ε → σ → Result ε σ α
def EStateM (ε σ α : Type u) := σ → EStateM.Result ε σ α
namespace EStateM
variable {ε σ α β : Type u}
instance instInhabitedOfE [Inhabited ε] : Inhabited (EStateM ε σ α) := ⟨fun s => .error default s⟩
class Backtrackable (δ : outParam (Type u)) (σ : Type u) where
  save : σ → δ
  restore : σ → δ → σ
instance nonBacktrackable : Backtrackable PUnit σ := ⟨fun _ => ⟨⟩, fun s _ => s⟩
@[always_inline, inline] protected def tryCatch {δ} [Backtrackable δ σ] {α} (x : EStateM ε σ α)
    (handle : ε → EStateM ε σ α) : EStateM ε σ α := fun s =>
  let d := Backtrackable.save s
  match x s with
  | .error e s => handle e (Backtrackable.restore s d)
  | ok => ok
@[always_inline] instance instMonad : Monad (EStateM ε σ) where
  pure a := fun s => .ok a s
  bind x f := fun s =>
    match x s with
    | .ok a s => f a s
    | .error e s => .error e s
instance instMonadStateOf : MonadStateOf σ (EStateM ε σ) where
  set s := fun _ => .ok ⟨⟩ s
  get := fun s => .ok s s
  modifyGet f := fun s =>
    match f s with
    | (a, s) => .ok a s
instance instMonadExceptOfOfBacktrackable {δ} [Backtrackable δ σ] : MonadExceptOf ε (EStateM ε σ) where
  throw e := fun s => .error e s
  tryCatch := EStateM.tryCatch
end EStateM

class Hashable (α : Sort u) where
  hash : α → UInt64
export Hashable (hash)
@[extern "lean_uint64_mix_hash"] opaque mixHash (u₁ u₂ : UInt64) : UInt64
@[extern "lean_string_hash"] protected opaque String.hash (s : @& String) : UInt64
instance instHashableString : Hashable String := ⟨String.hash⟩
