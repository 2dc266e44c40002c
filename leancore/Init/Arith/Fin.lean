prelude
import Init.Arith.Nat.Bits

/-! Arithmetic of `Fin n`, modulo n. -/

universe u

instance (priority := 300) Zero.toOfNat0 {α : Type u} [Zero α] : OfNat α (nat_lit 0) := ⟨Zero.zero⟩
instance (priority := 200) Zero.ofOfNat0 {α : Type u} [OfNat α (nat_lit 0)] : Zero α := ⟨0⟩

/-- a number that is not 0, found by instance search -/
class NeZero {R : Type u} [Zero R] (n : R) : Prop where
  out : n ≠ 0

instance Nat.instNeZeroSucc {n : Nat} : NeZero (n + 1) := ⟨Nat.succ_ne_zero n⟩

namespace Fin

variable {n : Nat}

/-- `a` modulo n -/
protected def ofNat (n : Nat) [h : NeZero n] (a : Nat) : Fin n := ⟨a % n, Nat.mod_lt a (Nat.pos_of_ne_zero h.out)⟩

instance instOfNat [NeZero n] {i : Nat} : OfNat (Fin n) i := ⟨Fin.ofNat n i⟩

private theorem mod_lt_of (a : Fin n) (x : Nat) : x % n < n := Nat.mod_lt x (Nat.zero_lt_of_lt a.isLt)

protected def add (a b : Fin n) : Fin n := ⟨(a.val + b.val) % n, mod_lt_of a _⟩
protected def mul (a b : Fin n) : Fin n := ⟨a.val * b.val % n, mod_lt_of a _⟩
protected def sub (a b : Fin n) : Fin n := ⟨(n - b.val + a.val) % n, mod_lt_of a _⟩
protected def div (a b : Fin n) : Fin n := ⟨a.val / b.val, Nat.lt_of_le_of_lt (Nat.div_le_self _ _) a.isLt⟩
protected def mod (a b : Fin n) : Fin n := ⟨a.val % b.val, Nat.lt_of_le_of_lt (Nat.mod_le _ _) a.isLt⟩

instance instAdd : Add (Fin n) := ⟨Fin.add⟩
instance instMul : Mul (Fin n) := ⟨Fin.mul⟩
instance instSub : Sub (Fin n) := ⟨Fin.sub⟩
instance instDiv : Div (Fin n) := ⟨Fin.div⟩
instance instMod : Mod (Fin n) := ⟨Fin.mod⟩

def succ (a : Fin n) : Fin (n + 1) := ⟨a.val + 1, Nat.succ_lt_succ a.isLt⟩
def castSucc (a : Fin n) : Fin (n + 1) := ⟨a.val, Nat.lt_succ_of_lt a.isLt⟩
def last (n : Nat) : Fin (n + 1) := ⟨n, Nat.lt_succ_self n⟩
def castLE {m : Nat} (h : n ≤ m) (a : Fin n) : Fin m := ⟨a.val, Nat.lt_of_lt_of_le a.isLt h⟩
def rev (a : Fin n) : Fin n := ⟨n - (a.val + 1), by have := a.isLt; omega⟩

theorem val_add (a b : Fin n) : (a + b).val = (a.val + b.val) % n := rfl
theorem val_mul (a b : Fin n) : (a * b).val = a.val * b.val % n := rfl
@[simp] theorem val_succ (a : Fin n) : a.succ.val = a.val + 1 := rfl
@[simp] theorem val_castSucc (a : Fin n) : a.castSucc.val = a.val := rfl
@[simp] theorem val_last (n : Nat) : (last n).val = n := rfl
@[simp] theorem is_lt (a : Fin n) : a.val < n := a.isLt
theorem le_def {a b : Fin n} : a ≤ b ↔ a.val ≤ b.val := Iff.rfl
theorem lt_def {a b : Fin n} : a < b ↔ a.val < b.val := Iff.rfl

/-- a function on `Fin (n + 1)` from its values at 0 and at successors -/
@[elab_as_elim] def cases {motive : Fin (n + 1) → Sort u} (zero : motive 0) (succ : ∀ i : Fin n, motive i.succ) :
    (i : Fin (n + 1)) → motive i
  | ⟨0, _⟩ => zero
  | ⟨i + 1, h⟩ => succ ⟨i, Nat.lt_of_succ_lt_succ h⟩

end Fin

namespace Lean.Omega.Fin

variable {n : Nat} {x y : Fin n}

theorem ofNat_val_add : ((x + y : Fin n) : Int) = ((x : Int) + (y : Int)) % n := rfl
theorem ofNat_val_sub : ((x - y : Fin n) : Int) = (((n - y : Nat) + (x : Int) : Int)) % n := rfl
theorem ofNat_val_mul : ((x * y : Fin n) : Int) = ((x : Int) * (y : Int)) % n := rfl
theorem ofNat_val_natCast {n x y : Nat} (h : y = x % (n + 1)) :
    @Nat.cast Int instNatCastInt (@Fin.val (n + 1) (OfNat.ofNat x)) = OfNat.ofNat y := by
  subst h; rfl

end Lean.Omega.Fin
