prelude
import Init.Arith.Omega.Cast

/-!
`omega` writes a linear term as a constant plus the scalar product of a list of coefficients with the list of
atoms. Lists end where only zeros follow, so every operation treats a missing entry as 0.
-/

namespace Lean.Omega

abbrev IntList := List Int

namespace IntList

def get : IntList → Nat → Int
  | [], _ => 0
  | x :: _, 0 => x
  | _ :: xs, i + 1 => get xs i

/-- replaces entry `i`, filling up with zeros -/
def set : IntList → Nat → Int → IntList
  | [], 0, y => [y]
  | [], i + 1, y => 0 :: set [] i y
  | _ :: xs, 0, y => y :: xs
  | x :: xs, i + 1, y => x :: set xs i y

/-- the first entry that is not 0 -/
def leading : IntList → Int
  | [] => 0
  | x :: xs => if x = 0 then leading xs else x

def smul (xs : IntList) (k : Int) : IntList := match xs with
  | [] => []
  | x :: xs => k * x :: smul xs k

def neg : IntList → IntList
  | [] => []
  | x :: xs => -x :: neg xs

def add : IntList → IntList → IntList
  | [], ys => ys
  | x :: xs, [] => x :: xs
  | x :: xs, y :: ys => (x + y) :: add xs ys

def sub : IntList → IntList → IntList
  | [], ys => neg ys
  | x :: xs, [] => x :: xs
  | x :: xs, y :: ys => (x - y) :: sub xs ys

/-- `a * xs + b * ys` -/
def combo (a : Int) : IntList → Int → IntList → IntList
  | [], b, ys => smul ys b
  | x :: xs, _, [] => smul (x :: xs) a
  | x :: xs, b, y :: ys => (a * x + b * y) :: combo a xs b ys

/-- scalar product -/
def dot : IntList → IntList → Int
  | [], _ => 0
  | _ :: _, [] => 0
  | x :: xs, y :: ys => x * y + dot xs ys

/-- divides every entry by `g`, rounding down -/
def sdiv : IntList → Int → IntList
  | [], _ => []
  | x :: xs, g => x / g :: sdiv xs g

def gcd : IntList → Nat
  | [] => 0
  | x :: xs => Nat.gcd x.natAbs (gcd xs)

def bmod : IntList → Nat → IntList
  | [], _ => []
  | x :: xs, m => Int.bmod x m :: bmod xs m

def length : IntList → Nat
  | [] => 0
  | _ :: xs => length xs + 1

def isZero : IntList → Prop
  | [] => True
  | x :: xs => x = 0 ∧ isZero xs

def decIsZero : (xs : IntList) → Decidable (isZero xs)
  | [] => instDecidableTrue
  | _ :: xs => @instDecidableAnd _ _ _ (decIsZero xs)

theorem dot_of_isZero : {xs : IntList} → isZero xs → (v : IntList) → dot xs v = 0
  | [], _, _ => rfl
  | _ :: _, _, [] => rfl
  | x :: xs, ⟨h, k⟩, y :: v => by
    show x * y + dot xs v = 0; rw [h, dot_of_isZero k v, Int.zero_mul, Int.add_zero]

theorem dot_add : (xs ys v : IntList) → dot (add xs ys) v = dot xs v + dot ys v
  | [], _, _ => (Int.zero_add _).symm
  | _ :: _, [], _ => (Int.add_zero _).symm
  | _ :: _, _ :: _, [] => rfl
  | x :: xs, y :: ys, z :: v => by
    show (x + y) * z + dot (add xs ys) v = (x * z + dot xs v) + (y * z + dot ys v)
    rw [dot_add xs ys v, Int.add_mul, Int.add_assoc, Int.add_assoc, Int.add_left_comm (y * z)]

theorem dot_neg : (xs v : IntList) → dot (neg xs) v = -dot xs v
  | [], _ => rfl
  | _ :: _, [] => rfl
  | x :: xs, z :: v => by
    show -x * z + dot (neg xs) v = -(x * z + dot xs v)
    rw [dot_neg xs v, Int.neg_mul, Int.neg_add]

theorem dot_sub : (xs ys v : IntList) → dot (sub xs ys) v = dot xs v - dot ys v
  | [], ys, v => (dot_neg ys v).trans (Int.zero_add _).symm
  | _ :: _, [], _ => (Int.add_zero _).symm
  | _ :: _, _ :: _, [] => rfl
  | x :: xs, y :: ys, z :: v => by
    show (x - y) * z + dot (sub xs ys) v = (x * z + dot xs v) - (y * z + dot ys v)
    rw [dot_sub xs ys v]
    simp only [Int.sub_eq_add_neg, Int.add_mul, Int.neg_add, Int.neg_mul, Int.add_assoc]
    rw [Int.add_left_comm (-(y * z))]

theorem dot_smul : (xs : IntList) → (k : Int) → (v : IntList) → dot (smul xs k) v = k * dot xs v
  | [], k, _ => (Int.mul_zero k).symm
  | _ :: _, k, [] => (Int.mul_zero k).symm
  | x :: xs, k, z :: v => by
    show k * x * z + dot (smul xs k) v = k * (x * z + dot xs v)
    rw [dot_smul xs k v, Int.mul_add, Int.mul_assoc]

theorem dot_combo (a b : Int) : (xs ys v : IntList) → dot (combo a xs b ys) v = a * dot xs v + b * dot ys v
  | [], ys, v => by show dot (smul ys b) v = a * 0 + _; rw [dot_smul, Int.mul_zero, Int.zero_add]
  | x :: xs, [], v => by show dot (smul (x :: xs) a) v = _ + b * 0; rw [dot_smul, Int.mul_zero, Int.add_zero]
  | _ :: _, _ :: _, [] => by show 0 = a * 0 + b * 0; rw [Int.mul_zero, Int.mul_zero]; rfl
  | x :: xs, y :: ys, z :: v => by
    show (a * x + b * y) * z + dot (combo a xs b ys) v = a * (x * z + dot xs v) + b * (y * z + dot ys v)
    rw [dot_combo a b xs ys v]
    simp only [Int.add_mul, Int.mul_add, Int.mul_assoc, Int.add_assoc]
    rw [Int.add_left_comm (b * (y * z))]

theorem dot_unit : (i : Nat) → (v : IntList) → dot (set [] i 1) v = get v i
  | 0, [] => rfl
  | _ + 1, [] => rfl
  | 0, y :: v => by show 1 * y + 0 = y; rw [Int.one_mul, Int.add_zero]
  | i + 1, y :: v => by
    show 0 * y + dot (set [] i 1) v = get v i; rw [Int.zero_mul, Int.zero_add]; exact dot_unit i v

end IntList

/-! The tactic refers to these operations under the name `Coeffs`. -/

abbrev Coeffs := IntList

namespace Coeffs

abbrev ofList (xs : List Int) : Coeffs := xs
abbrev isZero (xs : Coeffs) : Prop := IntList.isZero xs
instance (xs : Coeffs) : Decidable (isZero xs) := IntList.decIsZero xs
abbrev get (xs : Coeffs) (i : Nat) : Int := IntList.get xs i
abbrev set (xs : Coeffs) (i : Nat) (y : Int) : Coeffs := IntList.set xs i y
abbrev length (xs : Coeffs) : Nat := IntList.length xs
abbrev dot (xs ys : Coeffs) : Int := IntList.dot xs ys
abbrev combo (a : Int) (xs : Coeffs) (b : Int) (ys : Coeffs) : Coeffs := IntList.combo a xs b ys

end Coeffs
end Lean.Omega
