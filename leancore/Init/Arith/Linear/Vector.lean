prelude
import Init.Arith.Omega.Facts

/-!
Linear terms as coefficient vectors, for `simp +arith`: entry 0 is the constant term, entry i + 1 the coefficient of
variable i. Two terms are equal as soon as the difference of their vectors is zero, which the kernel computes.
-/

universe u

/-- a list of variables as a binary tree, the form in which tactics hand over the values -/
inductive Lean.RArray (α : Type u) : Type u where
  | leaf (x : α) : RArray α
  | branch (p : Nat) (l r : RArray α) : RArray α

def Lean.RArray.get {α : Type u} : Lean.RArray α → Nat → α
  | .leaf x, _ => x
  | .branch p l r, n => cond (Nat.ble p n) (r.get n) (l.get n)

namespace Lean.Linear

open Lean.Omega

abbrev Vector := IntList

namespace Vector

def const (k : Int) : Vector := [k]
def var (i : Nat) : Vector := IntList.set [] (i + 1) 1
def add (xs ys : Vector) : Vector := IntList.add xs ys
def smul (k : Int) (xs : Vector) : Vector := IntList.smul xs k
def sub (xs ys : Vector) : Vector := add xs (smul (-1) ys)

/-- the values of the unit and of the variables -/
def extend (v : Nat → Int) : Nat → Int
  | 0 => 1
  | i + 1 => v i

/-- the sum of the entries times `f i, f (i + 1), ..` -/
def evalFrom (f : Nat → Int) (i : Nat) : Vector → Int
  | [] => 0
  | x :: xs => x * f i + evalFrom f (i + 1) xs

def eval (v : Nat → Int) (xs : Vector) : Int := evalFrom (extend v) 0 xs

theorem evalFrom_add (f : Nat → Int) : (i : Nat) → (xs ys : Vector) →
    evalFrom f i (add xs ys) = evalFrom f i xs + evalFrom f i ys
  | _, [], _ => (Int.zero_add _).symm
  | _, _ :: _, [] => (Int.add_zero _).symm
  | i, x :: xs, y :: ys => by
    show (x + y) * f i + evalFrom f (i + 1) (add xs ys)
      = (x * f i + evalFrom f (i + 1) xs) + (y * f i + evalFrom f (i + 1) ys)
    rw [evalFrom_add f (i + 1) xs ys, Int.add_mul]; omega

theorem evalFrom_smul (f : Nat → Int) (k : Int) : (i : Nat) → (xs : Vector) →
    evalFrom f i (smul k xs) = k * evalFrom f i xs
  | _, [] => (Int.mul_zero k).symm
  | i, x :: xs => by
    show k * x * f i + evalFrom f (i + 1) (smul k xs) = k * (x * f i + evalFrom f (i + 1) xs)
    rw [evalFrom_smul f k (i + 1) xs, Int.mul_add, Int.mul_assoc]

theorem evalFrom_unit (f : Nat → Int) : (j i : Nat) → evalFrom f i (IntList.set [] j 1) = f (i + j)
  | 0, i => by show 1 * f i + 0 = f i; rw [Int.one_mul, Int.add_zero]
  | j + 1, i => by
    show 0 * f i + evalFrom f (i + 1) (IntList.set [] j 1) = f (i + (j + 1))
    rw [Int.zero_mul, Int.zero_add, evalFrom_unit f j (i + 1), Nat.succ_add]; rfl

variable (v : Nat → Int) {xs ys : Vector}

theorem eval_const (k : Int) : eval v (const k) = k := by
  show k * 1 + 0 = k; rw [Int.mul_one, Int.add_zero]

theorem eval_var (i : Nat) : eval v (var i) = v i := by
  show evalFrom _ 0 (IntList.set [] (i + 1) 1) = _; rw [evalFrom_unit, Nat.zero_add]; rfl

theorem eval_add (xs ys : Vector) : eval v (add xs ys) = eval v xs + eval v ys := evalFrom_add _ 0 xs ys
theorem eval_smul (k : Int) (xs : Vector) : eval v (smul k xs) = k * eval v xs := evalFrom_smul _ k 0 xs
theorem eval_sub (xs ys : Vector) : eval v (sub xs ys) = eval v xs - eval v ys := by
  unfold sub; rw [eval_add, eval_smul]; omega

/-! What the kernel checks of a vector. -/

def isZero (xs : Vector) : Bool := @decide _ (IntList.decIsZero xs)

theorem evalFrom_of_isZero (f : Nat → Int) : (i : Nat) → (xs : Vector) → IntList.isZero xs → evalFrom f i xs = 0
  | _, [], _ => rfl
  | i, x :: xs, ⟨h, k⟩ => by
    show x * f i + evalFrom f (i + 1) xs = 0
    rw [h, Int.zero_mul, evalFrom_of_isZero f (i + 1) xs k]; rfl

theorem eval_of_isZero (h : isZero xs = true) : eval v xs = 0 := evalFrom_of_isZero _ 0 xs (of_decide_eq_true h)

/-- whether two vectors agree -/
def same (xs ys : Vector) : Bool := isZero (sub xs ys)

theorem eval_of_same (h : same xs ys = true) : eval v xs = eval v ys := by
  have e := eval_of_isZero v h
  rw [eval_sub] at e; omega

/-- no entry is negative -/
def isNonneg : Vector → Bool
  | [] => true
  | x :: xs => and (decide (0 ≤ x)) (isNonneg xs)

theorem evalFrom_nonneg {f : Nat → Int} (hf : ∀ i, 0 ≤ f i) : (i : Nat) → (xs : Vector) → isNonneg xs = true →
    0 ≤ evalFrom f i xs
  | _, [], _ => Int.le_refl 0
  | i, x :: xs, h => by
    have h : and (decide (0 ≤ x)) (isNonneg xs) = true := h
    cases e : decide (0 ≤ x) with
    | false => rw [e] at h; exact Bool.noConfusion h
    | true =>
      rw [e] at h
      have := evalFrom_nonneg hf (i + 1) xs h
      have := Int.mul_nonneg (of_decide_eq_true e) (hf i)
      show 0 ≤ x * f i + evalFrom f (i + 1) xs
      omega

theorem eval_nonneg (hv : ∀ i, 0 ≤ v i) (h : isNonneg xs = true) : 0 ≤ eval v xs :=
  evalFrom_nonneg (fun
    | 0 => (by decide : (0 : Int) ≤ 1)
    | i + 1 => hv i) 0 xs h

/-- no entry is negative and the constant term is positive -/
def isPos (xs : Vector) : Bool := isNonneg (sub xs (const 1))

theorem eval_pos (hv : ∀ i, 0 ≤ v i) (h : isPos xs = true) : 0 < eval v xs := by
  have := eval_nonneg v hv h
  rw [eval_sub, eval_const] at this; omega

end Vector
end Lean.Linear
