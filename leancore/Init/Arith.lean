prelude
import Init.Arith.Nat.Decidable
import Init.Arith.Nat.GcdLemmas
import Init.Arith.Nat.MinMaxLemmas
import Init.Arith.Nat.Simproc
import Init.Arith.Int.DivLemmas
import Init.Arith.AC
import Init.Arith.Fin
import Init.Arith.Linear.Int
import Init.Arith.Linear.Nat
