prelude
import Init.Arith.Omega.LinearCombo

/-!
Constraints: a scalar product of coefficients and atoms lies between two optional bounds. Each step of the
elimination in `omega` makes a new constraint that follows from earlier ones; here is why it follows.
-/

namespace Lean.Omega

structure Constraint where
  lowerBound : Option Int
  upperBound : Option Int

/-- `t` is not below the bound -/
def IsAbove : Option Int → Int → Prop
  | none, _ => True
  | some l, t => l ≤ t

/-- `t` is not above the bound -/
def IsBelow : Option Int → Int → Prop
  | none, _ => True
  | some u, t => t ≤ u

namespace Constraint

/-- a bound moved by `f` -/
def mapBound (f : Int → Int) : Option Int → Option Int
  | none => none
  | some x => some (f x)

/-- a bound made from two; without one of them there is none -/
def bothBounds (f : Int → Int → Int) : Option Int → Option Int → Option Int
  | some x, some y => some (f x y)
  | some _, none => none
  | none, _ => none

/-- the tighter of two bounds, by `f` -/
def mergeBounds (f : Int → Int → Int) : Option Int → Option Int → Option Int
  | some x, some y => some (f x y)
  | some x, none => some x
  | none, y => y

def sat (c : Constraint) (t : Int) : Prop := IsAbove c.lowerBound t ∧ IsBelow c.upperBound t
abbrev sat' (c : Constraint) (x y : Coeffs) : Prop := c.sat (Coeffs.dot x y)

def trivial : Constraint := ⟨none, none⟩
def impossible : Constraint := ⟨some 1, some 0⟩
def exact (r : Int) : Constraint := ⟨some r, some r⟩

/-- the constraint of `-t` -/
def neg (c : Constraint) : Constraint := ⟨mapBound Neg.neg c.upperBound, mapBound Neg.neg c.lowerBound⟩

def isImpossible : Constraint → Bool
  | ⟨some x, some y⟩ => decide (y < x)
  | ⟨some _, none⟩ => false
  | ⟨none, _⟩ => false

/-- the constraint of `k * t` -/
def scale (k : Int) (c : Constraint) : Constraint :=
  if k = 0 then cond c.isImpossible c ⟨some 0, some 0⟩
  else if 0 < k then ⟨mapBound (k * ·) c.lowerBound, mapBound (k * ·) c.upperBound⟩
  else ⟨mapBound (k * ·) c.upperBound, mapBound (k * ·) c.lowerBound⟩

/-- the constraint of a sum -/
def add (x y : Constraint) : Constraint :=
  ⟨bothBounds (· + ·) x.lowerBound y.lowerBound, bothBounds (· + ·) x.upperBound y.upperBound⟩

def combo (a : Int) (x : Constraint) (b : Int) (y : Constraint) : Constraint := add (scale a x) (scale b y)

/-- both constraints on the same value -/
def combine (x y : Constraint) : Constraint :=
  ⟨mergeBounds max x.lowerBound y.lowerBound, mergeBounds min x.upperBound y.upperBound⟩

theorem not_sat_of_isImpossible : {c : Constraint} → (h : isImpossible c = true) → {t : Int} → ¬c.sat t
  | ⟨some _, some _⟩, h, _, ⟨l, u⟩ => absurd (Int.le_trans l u) (Int.not_le.2 (of_decide_eq_true h))
  | ⟨some _, none⟩, h, _, _ => Bool.noConfusion h
  | ⟨none, _⟩, h, _, _ => Bool.noConfusion h

theorem not_sat'_of_isImpossible {c : Constraint} (h : isImpossible c = true) {x y : Coeffs} : ¬c.sat' x y :=
  not_sat_of_isImpossible h

theorem neg_sat {c : Constraint} {t : Int} (h : c.sat t) : (neg c).sat (-t) := by
  rcases c with ⟨_ | l, _ | u⟩ <;> rcases h with ⟨hl, hu⟩ <;> constructor <;>
    first | exact ⟨⟩ | exact Int.neg_le_neg hl | exact Int.neg_le_neg hu

theorem add_sat {c d : Constraint} {s t : Int} (h : c.sat s) (k : d.sat t) : (add c d).sat (s + t) := by
  rcases c with ⟨_ | l, _ | u⟩ <;> rcases d with ⟨_ | l', _ | u'⟩ <;> rcases h with ⟨hl, hu⟩ <;>
    rcases k with ⟨kl, ku⟩ <;> constructor <;>
    first | exact ⟨⟩ | exact Int.add_le_add hl kl | exact Int.add_le_add hu ku

theorem scale_sat (k : Int) {c : Constraint} {t : Int} (h : c.sat t) : (scale k c).sat (k * t) := by
  unfold scale
  split
  next e =>
    subst e; rw [Int.zero_mul]
    cases e : c.isImpossible with
    | true => exact absurd h (not_sat_of_isImpossible e)
    | false => exact ⟨Int.le_refl 0, Int.le_refl 0⟩
  next =>
    split
    next p =>
      have p := Int.le_trans (Int.natCast_nonneg 1) (show 0 + 1 ≤ k from p)
      rcases c with ⟨_ | l, _ | u⟩ <;> rcases h with ⟨hl, hu⟩ <;> constructor <;>
        first
        | exact ⟨⟩
        | exact Int.mul_le_mul_of_nonneg_left hl p
        | exact Int.mul_le_mul_of_nonneg_left hu p
    next p =>
      have p := Int.not_lt.1 p
      rcases c with ⟨_ | l, _ | u⟩ <;> rcases h with ⟨hl, hu⟩ <;> constructor <;>
        first
        | exact ⟨⟩
        | exact Int.mul_le_mul_of_nonpos_left p hl
        | exact Int.mul_le_mul_of_nonpos_left p hu

theorem combine_sat' {s t : Constraint} {x y : Coeffs} (h : s.sat' x y) (k : t.sat' x y) :
    (combine s t).sat' x y := by
  rcases s with ⟨_ | l, _ | u⟩ <;> rcases t with ⟨_ | l', _ | u'⟩ <;> rcases h with ⟨hl, hu⟩ <;>
    rcases k with ⟨kl, ku⟩ <;> constructor <;>
    first
    | exact ⟨⟩
    | exact Int.max_le_of_le_of_le hl kl
    | exact Int.le_min_of_le_of_le hu ku
    | exact hl
    | exact kl
    | exact hu
    | exact ku

theorem addInequality_sat {c : Int} {x y : Coeffs} (w : c + Coeffs.dot x y ≥ 0) :
    sat' ⟨some (-c), none⟩ x y := by
  refine ⟨?_, ⟨⟩⟩
  have := Int.add_le_add w (Int.le_refl (-c))
  rwa [Int.zero_add, Int.add_comm c, Int.add_assoc, Int.add_right_neg, Int.add_zero] at this

theorem addEquality_sat {c : Int} {x y : Coeffs} (w : c + Coeffs.dot x y = 0) :
    sat' ⟨some (-c), some (-c)⟩ x y := by
  have e : -c = Coeffs.dot x y := by
    have e : -c + (c + Coeffs.dot x y) = -c + 0 := congrArg (-c + ·) w
    rw [← Int.add_assoc, Int.add_left_neg, Int.zero_add, Int.add_zero] at e
    exact e.symm
  rw [e]; exact ⟨Int.le_refl _, Int.le_refl _⟩

end Constraint

theorem combo_sat' (s t : Constraint) (a : Int) (x : Coeffs) (b : Int) (y : Coeffs) (v : Coeffs)
    (h : s.sat' x v) (k : t.sat' y v) : (Constraint.combo a s b t).sat' (Coeffs.combo a x b y) v := by
  show Constraint.sat _ (IntList.dot _ _)
  rw [IntList.dot_combo]
  exact Constraint.add_sat (Constraint.scale_sat a h) (Constraint.scale_sat b k)

end Lean.Omega
