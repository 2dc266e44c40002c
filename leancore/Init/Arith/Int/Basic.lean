prelude
import Init.Arith.Nat.Gcd

/-!
The integers: constructors, operations and instances.

The compiled Lean has big-number code for these names and constructors (`extern`), and tactics recognise the
instances by name, so the definitions below must keep names, argument orders and meaning.
-/

universe u

/-- the canonical map from the natural numbers -/
class NatCast (R : Type u) where
  protected natCast : Nat → R

instance instNatCastNat : NatCast Nat := ⟨id⟩

@[coe, reducible] protected def Nat.cast {R : Type u} [NatCast R] : Nat → R := NatCast.natCast

instance {R : Type u} [NatCast R] : CoeTail Nat R where coe := Nat.cast
instance {R : Type u} [NatCast R] : CoeHTCT Nat R where coe := Nat.cast

-- The binary represents small integers unboxed, so the tag of a constructor cannot be read off generated code.
set_option genCtorIdx false in
/-- integers: `ofNat n` is n, `negSucc n` is -(n + 1) -/
inductive Int : Type where
  | ofNat : Nat → Int
  | negSucc : Nat → Int

/-- the canonical map from the integers -/
class IntCast (R : Type u) where
  protected intCast : Int → R

instance : IntCast Int := ⟨id⟩

@[coe, reducible] protected def Int.cast {R : Type u} [IntCast R] : Int → R := IntCast.intCast

instance {R : Type u} [IntCast R] : CoeTail Int R where coe := Int.cast
instance {R : Type u} [IntCast R] : CoeHTCT Int R where coe := Int.cast

set_option bootstrap.genMatcherCode false

@[reducible] protected noncomputable def Int.ctorIdx : Int → Nat
  | .ofNat _ => 0
  | .negSucc _ => 1

attribute [extern "lean_nat_to_int"] Int.ofNat
attribute [extern "lean_int_neg_succ_of_nat"] Int.negSucc

instance instNatCastInt : NatCast Int := ⟨Int.ofNat⟩
instance instOfNat {n : Nat} : OfNat Int n := ⟨Int.ofNat n⟩

namespace Int

instance : Inhabited Int := ⟨ofNat 0⟩

def negOfNat : Nat → Int
  | 0 => 0
  | .succ m => negSucc m

@[extern "lean_int_neg"] protected def neg (n : @& Int) : Int := match n with
  | ofNat n => negOfNat n
  | negSucc n => ofNat (.succ n)

@[default_instance mid] instance instNegInt : Neg Int := ⟨Int.neg⟩

/-- the difference of two natural numbers -/
def subNatNat (m n : Nat) : Int := match (n - m : Nat) with
  | 0 => ofNat (m - n)
  | .succ k => negSucc k

@[extern "lean_int_add"] protected def add (m n : @& Int) : Int := match m, n with
  | ofNat m, ofNat n => ofNat (m + n)
  | ofNat m, negSucc n => subNatNat m (.succ n)
  | negSucc m, ofNat n => subNatNat n (.succ m)
  | negSucc m, negSucc n => negSucc (.succ (m + n))

instance instAdd : Add Int := ⟨Int.add⟩

@[extern "lean_int_mul"] protected def mul (m n : @& Int) : Int := match m, n with
  | ofNat m, ofNat n => ofNat (m * n)
  | ofNat m, negSucc n => negOfNat (m * .succ n)
  | negSucc m, ofNat n => negOfNat (.succ m * n)
  | negSucc m, negSucc n => ofNat (.succ m * .succ n)

instance instMul : Mul Int := ⟨Int.mul⟩

@[extern "lean_int_sub"] protected def sub (m n : @& Int) : Int := m + -n

instance instSub : Sub Int := ⟨Int.sub⟩

inductive NonNeg : Int → Prop where
  | mk (n : Nat) : NonNeg (ofNat n)

protected def le (a b : Int) : Prop := NonNeg (b - a)
instance instLEInt : LE Int := ⟨Int.le⟩

protected def lt (a b : Int) : Prop := (a + 1) ≤ b
instance instLTInt : LT Int := ⟨Int.lt⟩

@[extern "lean_int_dec_eq"] protected def decEq (a b : @& Int) : Decidable (a = b) := match a, b with
  | ofNat a, ofNat b => match decEq a b with
    | isTrue h => isTrue (h ▸ rfl)
    | isFalse h => isFalse (fun e => Int.noConfusion e (fun e => absurd e h))
  | ofNat _, negSucc _ => isFalse (fun e => Int.noConfusion e)
  | negSucc _, ofNat _ => isFalse (fun e => Int.noConfusion e)
  | negSucc a, negSucc b => match decEq a b with
    | isTrue h => isTrue (h ▸ rfl)
    | isFalse h => isFalse (fun e => Int.noConfusion e (fun e => absurd e h))

instance instDecidableEq : DecidableEq Int := Int.decEq

@[extern "lean_int_dec_nonneg"] def decNonneg (m : @& Int) : Decidable (NonNeg m) := match m with
  | ofNat m => isTrue (NonNeg.mk m)
  | negSucc _ => isFalse (fun h => nomatch h)

@[extern "lean_int_dec_le"] instance decLe (a b : @& Int) : Decidable (a ≤ b) := decNonneg _
@[extern "lean_int_dec_lt"] instance decLt (a b : @& Int) : Decidable (a < b) := decNonneg _

/-- the absolute value -/
@[extern "lean_nat_abs"] def natAbs (m : @& Int) : Nat := match m with
  | ofNat m => m
  | negSucc m => m.succ

/-- the number itself, or 0 when it is negative -/
def toNat : Int → Nat
  | ofNat n => n
  | negSucc _ => 0

/-- -1, 0 or 1 -/
def sign : Int → Int
  | ofNat (.succ _) => 1
  | ofNat 0 => 0
  | negSucc _ => -1

/-- Euclidean division, the one of `a / b`: the remainder is never negative. -/
@[extern "lean_int_ediv"] def ediv : (@& Int) → (@& Int) → Int
  | ofNat m, ofNat n => ofNat (m / n)
  | ofNat m, negSucc n => -ofNat (m / .succ n)
  | negSucc _, ofNat 0 => 0
  | negSucc m, ofNat (.succ n) => negSucc (m / .succ n)
  | negSucc m, negSucc n => ofNat (.succ (m / .succ n))

/-- the Euclidean remainder, the one of `a % b` -/
@[extern "lean_int_emod"] def emod : (@& Int) → (@& Int) → Int
  | ofNat m, n => ofNat (m % natAbs n)
  | negSucc m, n => subNatNat (natAbs n) (.succ (m % natAbs n))

instance instDiv : Div Int := ⟨Int.ediv⟩
instance instMod : Mod Int := ⟨Int.emod⟩
instance instDvd : Dvd Int := ⟨fun a b => ∃ c, b = a * c⟩

/-- the remainder that is nearest to 0 -/
def bmod (x : Int) (m : Nat) : Int :=
  let r := x % m
  if r < (m + 1) / 2 then r else r - m

protected def pow (m : Int) : Nat → Int
  | 0 => 1
  | .succ n => Int.pow m n * m

instance instNatPow : NatPow Int := ⟨Int.pow⟩
instance instMin : Min Int := minOfLe
instance instMax : Max Int := maxOfLe

end Int
