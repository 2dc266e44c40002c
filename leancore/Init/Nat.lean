prelude
import Init.Logic
/-! The first facts about natural numbers: what numerals, `simp` and lists need. -/
set_option linter.all false
universe u v

namespace Nat
variable {n m k : Nat}
@[elab_as_elim, induction_eliminator] protected noncomputable abbrev recAux {motive : Nat → Sort u} (zero : motive 0)
    (succ : ∀ n, motive n → motive (n + 1)) (t : Nat) : motive t := Nat.rec zero succ t
@[elab_as_elim, cases_eliminator] protected abbrev casesAuxOn {motive : Nat → Sort u} (t : Nat) (zero : motive 0)
    (succ : ∀ n, motive (n + 1)) : motive t := Nat.casesOn t zero succ

theorem succ.inj' (h : succ n = succ m) : n = m := congrArg pred h
theorem succ_inj : succ n = succ m ↔ n = m := ⟨succ.inj', congrArg succ⟩
theorem zero_eq : zero = 0 := rfl
theorem add_one (n : Nat) : n + 1 = succ n := rfl
theorem succ_eq_add_one (n : Nat) : succ n = n + 1 := rfl
theorem add_zero (n : Nat) : n + 0 = n := rfl
theorem add_succ (n m : Nat) : n + succ m = succ (n + m) := rfl
protected theorem zero_add : (n : Nat) → 0 + n = n
  | 0 => rfl
  | n + 1 => congrArg succ (Nat.zero_add n)
theorem succ_add : (n m : Nat) → succ n + m = succ (n + m)
  | _, 0 => rfl
  | n, m + 1 => congrArg succ (succ_add n m)
protected theorem add_comm : (n m : Nat) → n + m = m + n
  | n, 0 => (Nat.zero_add n).symm
  | n, m + 1 => (congrArg succ (Nat.add_comm n m)).trans (succ_add m n).symm
protected theorem add_assoc : (n m k : Nat) → n + m + k = n + (m + k)
  | _, _, 0 => rfl
  | n, m, k + 1 => congrArg succ (Nat.add_assoc n m k)
protected theorem mul_zero (n : Nat) : n * 0 = 0 := rfl
theorem mul_succ (n m : Nat) : n * succ m = n * m + n := rfl
protected theorem zero_mul : (n : Nat) → 0 * n = 0
  | 0 => rfl
  | n + 1 => Nat.zero_mul n
theorem succ_ne_zero (n : Nat) : succ n ≠ 0 := fun h => Nat.noConfusion h
theorem add_one_ne_zero (n : Nat) : n + 1 ≠ 0 := succ_ne_zero n
theorem zero_ne_add_one (n : Nat) : 0 ≠ n + 1 := fun h => Nat.noConfusion h
theorem beq_eq_true_eq (n m : Nat) : ((n == m) = true) = (n = m) := decide_eq_true_eq
theorem beq_refl (n : Nat) : Nat.beq n n = true := beq_self_eq_true n
theorem beq_eq : (Nat.beq n m = true) = (n = m) := propext ⟨eq_of_beq_eq_true, fun h => h ▸ beq_refl n⟩
theorem ble_eq : (Nat.ble n m = true) = (n ≤ m) := propext ⟨le_of_ble_eq_true, ble_eq_true_of_le⟩
end Nat
