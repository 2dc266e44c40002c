prelude
import Init.Arith.Omega.Constraint

/-! `omega` tidies each new constraint: the leading coefficient becomes positive, the common divisor of the
coefficients is divided out, and the bounds are rounded inwards. With this file the tactic works on integers. -/

namespace Lean.Omega

namespace IntList

/-- `d` divides every entry -/
def AllDvd (d : Nat) : IntList → Prop
  | [] => True
  | x :: xs => d ∣ x.natAbs ∧ AllDvd d xs

theorem allDvd_of_dvd_gcd (d : Nat) : (xs : IntList) → d ∣ gcd xs → AllDvd d xs
  | [], _ => ⟨⟩
  | _ :: xs, h =>
    ⟨Nat.dvd_trans h (Nat.gcd_dvd_left _ _), allDvd_of_dvd_gcd d xs (Nat.dvd_trans h (Nat.gcd_dvd_right _ _))⟩

theorem mul_dot_sdiv (d : Nat) : (xs v : IntList) → AllDvd d xs → (d : Int) * dot (sdiv xs d) v = dot xs v
  | [], _, _ => Int.mul_zero _
  | _ :: _, [], _ => Int.mul_zero _
  | x :: xs, y :: v, ⟨h, k⟩ => by
    have e := Int.mul_ediv_add_emod x d
    rw [Int.emod_eq_zero_of_natAbs_dvd (a := d) h, Int.add_zero] at e
    show (d : Int) * (x / d * y + dot (sdiv xs d) v) = x * y + dot xs v
    rw [Int.mul_add, mul_dot_sdiv d xs v k, ← Int.mul_assoc, e]

end IntList

namespace Constraint

instance decIsAbove : (l : Option Int) → (t : Int) → Decidable (IsAbove l t)
  | none, _ => instDecidableTrue
  | some l, t => Int.decLe l t

instance decIsBelow : (u : Option Int) → (t : Int) → Decidable (IsBelow u t)
  | none, _ => instDecidableTrue
  | some u, t => Int.decLe t u

instance (c : Constraint) (t : Int) : Decidable (c.sat t) :=
  @instDecidableAnd _ _ (decIsAbove _ _) (decIsBelow _ _)

/-- the constraint of `t` when `c` is that of `k * t` -/
def div (c : Constraint) (k : Nat) : Constraint :=
  ⟨mapBound (fun x => -(-x / k)) c.lowerBound, mapBound (fun x => x / k) c.upperBound⟩

theorem div_sat {c : Constraint} {t : Int} {k : Nat} (h : k ≠ 0) (w : c.sat (k * t)) : (c.div k).sat t := by
  have up : ∀ {u t : Int}, (k : Int) * t ≤ u → t ≤ u / k :=
    Int.le_ediv_of_mul_le (Int.ofNat_lt.2 (Nat.pos_of_ne_zero h))
  have lo : ∀ {l t : Int}, l ≤ (k : Int) * t → -(-l / k) ≤ t := by
    intro l t h
    have h := Int.neg_le_neg h
    rw [← Int.mul_neg] at h
    have h := Int.neg_le_neg (up h)
    rwa [Int.neg_neg] at h
  rcases c with ⟨_ | l, _ | u⟩ <;> rcases w with ⟨wl, wu⟩ <;> constructor <;>
    first | exact ⟨⟩ | exact lo wl | exact up wu

end Constraint

def positivize (p : Constraint × Coeffs) : Constraint × Coeffs :=
  if 0 ≤ IntList.leading p.2 then p else (p.1.neg, IntList.smul p.2 (-1))

def normalize (p : Constraint × Coeffs) : Constraint × Coeffs :=
  if IntList.gcd p.2 = 0 then (if p.1.sat 0 then (Constraint.trivial, p.2) else (Constraint.impossible, p.2))
  else if IntList.gcd p.2 = 1 then p
  else (p.1.div (IntList.gcd p.2), IntList.sdiv p.2 (IntList.gcd p.2))

def tidy (p : Constraint × Coeffs) : Constraint × Coeffs := normalize (positivize p)
abbrev tidyConstraint (s : Constraint) (x : Coeffs) : Constraint := (tidy (s, x)).1
abbrev tidyCoeffs (s : Constraint) (x : Coeffs) : Coeffs := (tidy (s, x)).2

theorem positivize_sat {p : Constraint × Coeffs} {v : Coeffs} (w : p.1.sat' p.2 v) :
    (positivize p).1.sat' (positivize p).2 v := by
  unfold positivize
  split
  next => exact w
  next =>
    show Constraint.sat _ (IntList.dot (IntList.smul _ _) _)
    rw [IntList.dot_smul, Int.neg_one_mul]; exact Constraint.neg_sat w

theorem normalize_sat {p : Constraint × Coeffs} {v : Coeffs} (w : p.1.sat' p.2 v) :
    (normalize p).1.sat' (normalize p).2 v := by
  have e := IntList.mul_dot_sdiv (IntList.gcd p.2) p.2 v (IntList.allDvd_of_dvd_gcd _ _ (Nat.dvd_refl _))
  have w : p.1.sat (IntList.dot p.2 v) := w
  rw [← e] at w
  unfold normalize
  split
  next h =>
    rw [h] at w
    have w : p.1.sat ((0 : Int) * IntList.dot (IntList.sdiv p.2 0) v) := w
    rw [Int.zero_mul] at w
    split
    next => exact ⟨⟨⟩, ⟨⟩⟩
    next k => exact absurd w k
  next h =>
    split
    next => rw [e] at w; exact w
    next => exact Constraint.div_sat h w

theorem tidy_sat {s : Constraint} {x v : Coeffs} (w : s.sat' x v) :
    (tidyConstraint s x).sat' (tidyCoeffs s x) v :=
  normalize_sat (p := positivize (s, x)) (positivize_sat (p := (s, x)) w)

end Lean.Omega
