prelude
import Init.Arith.Int.Difference

/-! `Int` is a commutative ring. -/

namespace Int

section
attribute [local simp] Nat.add_mul Nat.mul_add Nat.add_comm Nat.add_left_comm Nat.add_assoc Nat.mul_comm
  Nat.mul_left_comm Nat.mul_assoc

protected theorem add_comm (a b : Int) : a + b = b + a := by
  rcases exists_subNatNat a with ⟨a, a', rfl⟩; rcases exists_subNatNat b with ⟨b, b', rfl⟩
  simp only [subNatNat_add_subNatNat]; apply subNatNat_ext; simp

protected theorem add_assoc (a b c : Int) : a + b + c = a + (b + c) := by
  rcases exists_subNatNat a with ⟨a, a', rfl⟩; rcases exists_subNatNat b with ⟨b, b', rfl⟩
  rcases exists_subNatNat c with ⟨c, c', rfl⟩
  simp only [subNatNat_add_subNatNat]; apply subNatNat_ext; simp

protected theorem mul_comm (a b : Int) : a * b = b * a := by
  rcases exists_subNatNat a with ⟨a, a', rfl⟩; rcases exists_subNatNat b with ⟨b, b', rfl⟩
  simp only [subNatNat_mul_subNatNat]; apply subNatNat_ext; simp

protected theorem mul_assoc (a b c : Int) : a * b * c = a * (b * c) := by
  rcases exists_subNatNat a with ⟨a, a', rfl⟩; rcases exists_subNatNat b with ⟨b, b', rfl⟩
  rcases exists_subNatNat c with ⟨c, c', rfl⟩
  simp only [subNatNat_mul_subNatNat]; apply subNatNat_ext; simp

protected theorem mul_add (a b c : Int) : a * (b + c) = a * b + a * c := by
  rcases exists_subNatNat a with ⟨a, a', rfl⟩; rcases exists_subNatNat b with ⟨b, b', rfl⟩
  rcases exists_subNatNat c with ⟨c, c', rfl⟩
  simp only [subNatNat_mul_subNatNat, subNatNat_add_subNatNat]; apply subNatNat_ext; simp

@[simp] protected theorem add_zero (a : Int) : a + 0 = a := by
  rcases exists_subNatNat a with ⟨a, a', rfl⟩
  simp only [zero_eq_subNatNat, subNatNat_add_subNatNat]; apply subNatNat_ext; simp

@[simp] protected theorem mul_one (a : Int) : a * 1 = a := by
  rcases exists_subNatNat a with ⟨a, a', rfl⟩
  simp only [one_eq_subNatNat, subNatNat_mul_subNatNat]; apply subNatNat_ext; simp

@[simp] protected theorem mul_zero (a : Int) : a * 0 = 0 := by
  rcases exists_subNatNat a with ⟨a, a', rfl⟩
  simp only [zero_eq_subNatNat, subNatNat_mul_subNatNat]; apply subNatNat_ext; simp

@[simp] protected theorem sub_self (a : Int) : a - a = 0 := by
  rcases exists_subNatNat a with ⟨a, a', rfl⟩
  simp only [zero_eq_subNatNat, subNatNat_sub_subNatNat]; apply subNatNat_ext; simp

protected theorem neg_add {a b : Int} : -(a + b) = -a + -b := by
  rcases exists_subNatNat a with ⟨a, a', rfl⟩; rcases exists_subNatNat b with ⟨b, b', rfl⟩
  simp only [subNatNat_add_subNatNat, neg_subNatNat]

protected theorem neg_mul (a b : Int) : -a * b = -(a * b) := by
  rcases exists_subNatNat a with ⟨a, a', rfl⟩; rcases exists_subNatNat b with ⟨b, b', rfl⟩
  simp only [subNatNat_mul_subNatNat, neg_subNatNat]; apply subNatNat_ext; simp

end

@[simp] protected theorem neg_neg (a : Int) : - -a = a := by
  rcases exists_subNatNat a with ⟨a, a', rfl⟩; simp only [neg_subNatNat]

@[simp] protected theorem neg_zero : -(0 : Int) = 0 := rfl
@[simp] protected theorem zero_add (a : Int) : 0 + a = a := by rw [Int.add_comm, Int.add_zero]
@[simp] protected theorem zero_mul (a : Int) : 0 * a = 0 := by rw [Int.mul_comm, Int.mul_zero]
@[simp] protected theorem one_mul (a : Int) : 1 * a = a := by rw [Int.mul_comm, Int.mul_one]

protected theorem add_left_comm (a b c : Int) : a + (b + c) = b + (a + c) := by
  rw [← Int.add_assoc, Int.add_comm a b, Int.add_assoc]

protected theorem mul_left_comm (a b c : Int) : a * (b * c) = b * (a * c) := by
  rw [← Int.mul_assoc, Int.mul_comm a b, Int.mul_assoc]

protected theorem add_mul (a b c : Int) : (a + b) * c = a * c + b * c := by
  rw [Int.mul_comm, Int.mul_add, Int.mul_comm c a, Int.mul_comm c b]

protected theorem mul_neg (a b : Int) : a * -b = -(a * b) := by
  rw [Int.mul_comm, Int.neg_mul, Int.mul_comm]

protected theorem neg_one_mul (a : Int) : -1 * a = -a := by
  show -(1 : Int) * a = -a; rw [Int.neg_mul, Int.one_mul]

protected theorem sub_eq_add_neg {a b : Int} : a - b = a + -b := rfl
@[simp] protected theorem add_right_neg (a : Int) : a + -a = 0 := Int.sub_self a
@[simp] protected theorem add_left_neg (a : Int) : -a + a = 0 := by rw [Int.add_comm]; exact Int.sub_self a

protected theorem sub_eq_zero_of_eq {a b : Int} (h : a = b) : a - b = 0 := by subst h; exact Int.sub_self a
protected theorem pow_succ (b : Int) (e : Nat) : b ^ (e + 1) = b ^ e * b := rfl

theorem negSucc_eq (n : Nat) : negSucc n = -((n : Int) + 1) := rfl
theorem natCast_succ (n : Nat) : (Nat.succ n : Int) = (n : Int) + 1 := rfl
theorem natCast_add (a b : Nat) : ((a + b : Nat) : Int) = (a : Int) + (b : Int) := rfl
theorem natCast_mul (a b : Nat) : ((a * b : Nat) : Int) = (a : Int) * (b : Int) := rfl

end Int
