prelude
import Init.Arith.Nat.Div
import Init.Arith.Nat.MinMax

/-! Greatest common divisor by Euclid's algorithm. The recursion is bounded by fuel, because well-founded
recursion would not reduce; `m + 1` steps are always enough. -/

namespace Nat

/-- `steps` rounds of Euclid's algorithm -/
def euclid : (steps m n : Nat) → Nat
  | 0, _, n => n
  | succ steps, m, n => if m = 0 then n else euclid steps (n % m) m

/-- the greatest common divisor of two numbers -/
@[extern "lean_nat_gcd"] def gcd (m n : @& Nat) : Nat := euclid (succ m) m n

private theorem euclid_dvd (steps : Nat) :
    ∀ m n : Nat, m < steps → euclid steps m n ∣ m ∧ euclid steps m n ∣ n := by
  induction steps with
  | zero => intro m n h; exact absurd h (not_succ_le_zero m)
  | succ steps ih =>
    intro m n h
    show ite _ _ _ ∣ m ∧ ite _ _ _ ∣ n
    split
    next e => subst e; exact ⟨Nat.dvd_zero n, Nat.dvd_refl n⟩
    next e =>
      have smaller := mod_lt n (Nat.pos_of_ne_zero e)
      have ⟨dvd_mod, dvd_m⟩ := ih (n % m) m (Nat.lt_of_lt_of_le smaller (le_of_lt_succ h))
      have dvd_n := Nat.dvd_add (Nat.dvd_trans dvd_m (Nat.dvd_mul_right m (n / m))) dvd_mod
      rw [div_add_mod] at dvd_n
      exact ⟨dvd_m, dvd_n⟩

theorem gcd_dvd_left (m n : Nat) : gcd m n ∣ m := (euclid_dvd (succ m) m n .refl).1
theorem gcd_dvd_right (m n : Nat) : gcd m n ∣ n := (euclid_dvd (succ m) m n .refl).2

end Nat
