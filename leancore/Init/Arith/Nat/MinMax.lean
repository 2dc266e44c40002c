prelude
import Init.Arith.Nat.Order

/-! Minimum and maximum of natural numbers; their lemmas are in `Init.Arith.Nat.Lemmas`. -/

instance instMinNat : Min Nat := minOfLe
instance instMaxNat : Max Nat := maxOfLe

namespace Nat

protected abbrev min (n m : Nat) : Nat := Min.min n m
protected abbrev max (n m : Nat) : Nat := Max.max n m

protected theorem min_def {n m : Nat} : min n m = if n ≤ m then n else m := rfl
protected theorem max_def {n m : Nat} : max n m = if n ≤ m then m else n := rfl

end Nat
