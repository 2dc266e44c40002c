prelude
import Init.Arith.Omega.Coeffs

/-! Linear combinations, `const + coeffs · atoms`, and how each operation evaluates. -/

namespace Lean.Omega

structure LinearCombo where
  const : Int
  coeffs : Coeffs

namespace LinearCombo

/-- the value at the atoms `v` -/
def eval (lc : LinearCombo) (v : Coeffs) : Int := lc.const + Coeffs.dot lc.coeffs v

/-- the atom with number `i` -/
def coordinate (i : Nat) : LinearCombo := ⟨0, Coeffs.set [] i 1⟩

theorem coordinate_eval (i : Nat) (v : Coeffs) : (coordinate i).eval v = v.get i :=
  (Int.zero_add _).trans (IntList.dot_unit i v)

-- The first ten atoms have lemmas of their own, which spare the tactic the look-up in the list.
section
variable {a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 : Int} {t : List Int}

theorem coordinate_eval_0 : (coordinate 0).eval (.ofList (a0 :: t)) = a0 := coordinate_eval 0 _
theorem coordinate_eval_1 : (coordinate 1).eval (.ofList (a0 :: a1 :: t)) = a1 := coordinate_eval 1 _
theorem coordinate_eval_2 : (coordinate 2).eval (.ofList (a0 :: a1 :: a2 :: t)) = a2 := coordinate_eval 2 _
theorem coordinate_eval_3 : (coordinate 3).eval (.ofList (a0 :: a1 :: a2 :: a3 :: t)) = a3 := coordinate_eval 3 _
theorem coordinate_eval_4 : (coordinate 4).eval (.ofList (a0 :: a1 :: a2 :: a3 :: a4 :: t)) = a4 :=
  coordinate_eval 4 _
theorem coordinate_eval_5 : (coordinate 5).eval (.ofList (a0 :: a1 :: a2 :: a3 :: a4 :: a5 :: t)) = a5 :=
  coordinate_eval 5 _
theorem coordinate_eval_6 : (coordinate 6).eval (.ofList (a0 :: a1 :: a2 :: a3 :: a4 :: a5 :: a6 :: t)) = a6 :=
  coordinate_eval 6 _
theorem coordinate_eval_7 :
    (coordinate 7).eval (.ofList (a0 :: a1 :: a2 :: a3 :: a4 :: a5 :: a6 :: a7 :: t)) = a7 :=
  coordinate_eval 7 _
theorem coordinate_eval_8 :
    (coordinate 8).eval (.ofList (a0 :: a1 :: a2 :: a3 :: a4 :: a5 :: a6 :: a7 :: a8 :: t)) = a8 :=
  coordinate_eval 8 _
theorem coordinate_eval_9 :
    (coordinate 9).eval (.ofList (a0 :: a1 :: a2 :: a3 :: a4 :: a5 :: a6 :: a7 :: a8 :: a9 :: t)) = a9 :=
  coordinate_eval 9 _
end

instance : Add LinearCombo := ⟨fun a b => ⟨a.const + b.const, IntList.add a.coeffs b.coeffs⟩⟩
instance : Sub LinearCombo := ⟨fun a b => ⟨a.const - b.const, IntList.sub a.coeffs b.coeffs⟩⟩
instance : Neg LinearCombo := ⟨fun a => ⟨-a.const, IntList.neg a.coeffs⟩⟩

def smul (k : Int) (a : LinearCombo) : LinearCombo := ⟨k * a.const, IntList.smul a.coeffs k⟩

/-- the product, when one factor is constant -/
def mul (a b : LinearCombo) : LinearCombo := (smul b.const a + smul a.const b) - ⟨a.const * b.const, []⟩

theorem add_eval (a b : LinearCombo) (v : Coeffs) : (a + b).eval v = a.eval v + b.eval v := by
  show (a.const + b.const) + IntList.dot (IntList.add a.coeffs b.coeffs) v
    = (a.const + IntList.dot a.coeffs v) + (b.const + IntList.dot b.coeffs v)
  rw [IntList.dot_add, Int.add_assoc, Int.add_assoc, Int.add_left_comm b.const]

theorem neg_eval (a : LinearCombo) (v : Coeffs) : (-a).eval v = -a.eval v := by
  show -a.const + IntList.dot (IntList.neg a.coeffs) v = -(a.const + IntList.dot a.coeffs v)
  rw [IntList.dot_neg, Int.neg_add]

theorem sub_eval (a b : LinearCombo) (v : Coeffs) : (a - b).eval v = a.eval v - b.eval v := by
  show (a.const - b.const) + IntList.dot (IntList.sub a.coeffs b.coeffs) v
    = (a.const + IntList.dot a.coeffs v) - (b.const + IntList.dot b.coeffs v)
  rw [IntList.dot_sub]
  simp only [Int.sub_eq_add_neg, Int.neg_add, Int.add_assoc]
  rw [Int.add_left_comm (-b.const)]

theorem smul_eval (k : Int) (a : LinearCombo) (v : Coeffs) : (smul k a).eval v = k * a.eval v := by
  show k * a.const + IntList.dot (IntList.smul a.coeffs k) v = k * (a.const + IntList.dot a.coeffs v)
  rw [IntList.dot_smul, Int.mul_add]

private theorem eval_of_isZero {a : LinearCombo} (h : Coeffs.isZero a.coeffs) (v : Coeffs) :
    a.eval v = a.const := by
  show a.const + IntList.dot a.coeffs v = _; rw [IntList.dot_of_isZero h, Int.add_zero]

theorem mul_eval (a b : LinearCombo) (v : Coeffs) (w : Coeffs.isZero a.coeffs ∨ Coeffs.isZero b.coeffs) :
    (mul a b).eval v = a.eval v * b.eval v := by
  show ((smul b.const a + smul a.const b) - (⟨a.const * b.const, []⟩ : LinearCombo)).eval v = _
  rw [sub_eval, add_eval, smul_eval, smul_eval]
  show b.const * a.eval v + a.const * b.eval v - (a.const * b.const + 0) = _
  rw [Int.add_zero, Int.mul_comm b.const]
  cases w with
  | inl w =>
    rw [eval_of_isZero w, Int.add_comm, Int.sub_eq_add_neg, Int.add_assoc, Int.add_right_neg, Int.add_zero]
  | inr w =>
    rw [eval_of_isZero w, Int.sub_eq_add_neg, Int.add_assoc, Int.add_right_neg, Int.add_zero]

end LinearCombo
end Lean.Omega
