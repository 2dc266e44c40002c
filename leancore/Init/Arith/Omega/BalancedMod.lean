prelude
import Init.Arith.Omega.Tidy

/-! Equations without a coefficient ±1: `omega` introduces a new atom and reduces the coefficients modulo m to
the remainders nearest to 0. -/

namespace Lean.Omega

theorem Int.exists_bmod_eq (y : Int) (m : Nat) : ∃ c, Int.bmod y m = y + m * c := by
  show ∃ c, ite (y % m < (m + 1) / 2) (y % m) (y % m - m) = _
  have e := Int.emod_def y m
  split
  next => exact ⟨-(y / m), by rw [e, Int.mul_neg]; rfl⟩
  next => exact ⟨-(y / m) + -1, by rw [e, Int.mul_add, Int.mul_neg, Int.mul_neg, Int.mul_one]; omega⟩

namespace IntList

theorem exists_dot_bmod_eq (m : Nat) : (xs v : IntList) → ∃ c, dot (bmod xs m) v = dot xs v + m * c
  | [], _ => ⟨0, by rw [Int.mul_zero]; rfl⟩
  | _ :: _, [] => ⟨0, by rw [Int.mul_zero]; rfl⟩
  | x :: xs, y :: v => by
    rcases exists_dot_bmod_eq m xs v with ⟨c, hc⟩
    rcases Int.exists_bmod_eq x m with ⟨d, hd⟩
    refine ⟨d * y + c, ?_⟩
    show Int.bmod x m * y + dot (bmod xs m) v = x * y + dot xs v + m * (d * y + c)
    rw [hc, hd, Int.add_mul, Int.mul_add, Int.mul_assoc]; omega

theorem length_bmod (m : Nat) : (xs : IntList) → length (bmod xs m) = length xs
  | [] => rfl
  | _ :: xs => congrArg (· + 1) (length_bmod m xs)

theorem dot_set : (xs : IntList) → (i : Nat) → (z : Int) → (v : IntList) → length xs ≤ i →
    dot (set xs i z) v = dot xs v + z * get v i
  | [], 0, z, [], _ => by show 0 = 0 + z * 0; rw [Int.mul_zero]; rfl
  | [], 0, z, y :: v, _ => by show z * y + 0 = 0 + z * y; rw [Int.add_comm]
  | [], i + 1, z, [], _ => by show 0 = 0 + z * 0; rw [Int.mul_zero]; rfl
  | [], i + 1, z, y :: v, _ => by
    show 0 * y + dot (set [] i z) v = 0 + z * get v i
    rw [dot_set [] i z v (Nat.zero_le _), Int.zero_mul, Int.zero_add]; rfl
  | _ :: _, 0, _, _, h => absurd h (Nat.not_succ_le_zero _)
  | _ :: _, i + 1, z, [], _ => by show 0 = 0 + z * 0; rw [Int.mul_zero]; rfl
  | x :: xs, i + 1, z, y :: v, h => by
    show x * y + dot (set xs i z) v = x * y + dot xs v + z * get v i
    rw [dot_set xs i z v (Nat.le_of_succ_le_succ h), Int.add_assoc]

end IntList

abbrev Coeffs.bmod_dot_sub_dot_bmod (m : Nat) (a b : Coeffs) : Int :=
  Int.bmod (IntList.dot a b) m - IntList.dot (IntList.bmod a m) b

/-- what the new atom stands for -/
abbrev bmod_div_term (m : Nat) (a b : Coeffs) : Int := Coeffs.bmod_dot_sub_dot_bmod m a b / m

def bmod_coeffs (m : Nat) (i : Nat) (x : Coeffs) : Coeffs := Coeffs.set (IntList.bmod x m) i m

private theorem mul_bmod_div_term (m : Nat) (x v : Coeffs) :
    m * bmod_div_term m x v = Int.bmod (IntList.dot x v) m - IntList.dot (IntList.bmod x m) v := by
  rcases Int.exists_bmod_eq (IntList.dot x v) m with ⟨c, hc⟩
  rcases IntList.exists_dot_bmod_eq m x v with ⟨d, hd⟩
  have multiple : Int.bmod (IntList.dot x v) m - IntList.dot (IntList.bmod x m) v = m * (c + -d) := by
    rw [hc, hd, Int.mul_add, Int.mul_neg]; omega
  have e := Int.mul_ediv_add_emod (Coeffs.bmod_dot_sub_dot_bmod m x v) m
  rwa [Int.emod_eq_zero_of_dvd ⟨_, multiple⟩, Int.add_zero] at e

theorem bmod_sat (m : Nat) (r : Int) (i : Nat) (x v : Coeffs) (h : x.length ≤ i)
    (p : Coeffs.get v i = bmod_div_term m x v) (w : (Constraint.exact r).sat' x v) :
    (Constraint.exact (Int.bmod r m)).sat' (bmod_coeffs m i x) v := by
  have r_eq : r = IntList.dot x v := Int.le_antisymm w.1 w.2
  have e : Int.bmod r m = IntList.dot (bmod_coeffs m i x) v := by
    show _ = IntList.dot (IntList.set (IntList.bmod x m) i m) v
    rw [IntList.dot_set _ _ _ _ (IntList.length_bmod m x ▸ h), show IntList.get v i = _ from p,
      mul_bmod_div_term, r_eq]
    omega
  rw [e]; exact ⟨Int.le_refl _, Int.le_refl _⟩

end Lean.Omega
