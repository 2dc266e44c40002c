prelude
import Init.Arith.Nat.DivLemmas

/-!
Shifts, bitwise operations and the binary logarithm. On literals the kernel uses code of its own for these names, so
the definitions have to mean the same; a test compares the two.
-/

namespace Nat

@[extern "lean_nat_shiftl"] def shiftLeft : (n : @& Nat) → (m : @& Nat) → Nat
  | n, 0 => n
  | n, m + 1 => shiftLeft (2 * n) m

@[extern "lean_nat_shiftr"] def shiftRight : (n : @& Nat) → (m : @& Nat) → Nat
  | n, 0 => n
  | n, m + 1 => shiftRight n m / 2

instance : ShiftLeft Nat := ⟨Nat.shiftLeft⟩
instance : ShiftRight Nat := ⟨Nat.shiftRight⟩

theorem shiftLeft_eq (a b : Nat) : a <<< b = a * 2 ^ b := by
  induction b generalizing a with
  | zero => exact (Nat.mul_one a).symm
  | succ b ih => show (2 * a) <<< b = _; rw [ih, Nat.pow_succ, Nat.mul_comm 2, Nat.mul_assoc, Nat.mul_comm 2]

theorem shiftRight_eq_div_pow (m n : Nat) : m >>> n = m / 2 ^ n := by
  induction n with
  | zero => exact (Nat.div_one m).symm
  | succ n ih => show (m >>> n) / 2 = _; rw [ih, Nat.pow_succ, div_div_eq_div_mul]

@[simp] theorem shiftLeft_zero (n : Nat) : n <<< 0 = n := rfl
@[simp] theorem shiftRight_zero (n : Nat) : n >>> 0 = n := rfl
theorem shiftLeft_succ (m n : Nat) : m <<< (n + 1) = 2 * (m <<< n) := by
  rw [shiftLeft_eq, shiftLeft_eq, Nat.pow_succ, ← Nat.mul_assoc, Nat.mul_comm]
theorem shiftRight_succ (m n : Nat) : m >>> (n + 1) = (m >>> n) / 2 := rfl

/-- the number whose bits are `f` of the bits of `n` and `m`, at most `steps` of them -/
def bitwiseSteps (f : Bool → Bool → Bool) : (steps n m : Nat) → Nat
  | 0, _, _ => 0
  | steps + 1, n, m =>
    if n + m = 0 then 0 else 2 * bitwiseSteps f steps (n / 2) (m / 2) + cond (f (n % 2 == 1) (m % 2 == 1)) 1 0

/-- bitwise combination by an `f` with `f false false = false` -/
def bitwise (f : Bool → Bool → Bool) (n m : Nat) : Nat := bitwiseSteps f (n + m) n m

@[extern "lean_nat_land"] def land (n m : @& Nat) : Nat := bitwise and n m
@[extern "lean_nat_lor"] def lor (n m : @& Nat) : Nat := bitwise or n m
@[extern "lean_nat_lxor"] def xor (n m : @& Nat) : Nat := bitwise bne n m

instance instAndOp : AndOp Nat := ⟨Nat.land⟩
instance instOrOp : OrOp Nat := ⟨Nat.lor⟩
instance instXorOp : XorOp Nat := ⟨Nat.xor⟩

/-- whether bit `n` of `m` is set, counted from 0 -/
def testBit (m n : Nat) : Bool := (m >>> n) % 2 == 1

/-- halvings of `n` down to 1, at most `steps` -/
def log2Steps : (steps n : Nat) → Nat
  | 0, _ => 0
  | steps + 1, n => if 2 ≤ n then log2Steps steps (n / 2) + 1 else 0

/-- the binary logarithm, rounded down; `log2 0 = 0` -/
@[extern "lean_nat_log2"] def log2 (n : @& Nat) : Nat := log2Steps n n

end Nat

namespace Lean.Omega.Int

theorem ofNat_shiftLeft_eq {x y : Nat} : ((x <<< y : Nat) : Int) = (x : Int) * (2 ^ y : Nat) :=
  congrArg _ (_root_.Nat.shiftLeft_eq x y)

theorem ofNat_shiftRight_eq_div_pow {x y : Nat} : ((x >>> y : Nat) : Int) = (x : Int) / (2 ^ y : Nat) :=
  congrArg _ (_root_.Nat.shiftRight_eq_div_pow x y)

end Lean.Omega.Int
