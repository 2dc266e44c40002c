/-! What may stand around a proof: definitions, structures, classes, notation, macros, recursion of all kinds. -/
set_option linter.unusedVariables false

/-! Definitions by recursion. -/

def fact : Nat → Nat
  | 0 => 1
  | n + 1 => (n + 1) * fact n
theorem fact_5 : fact 5 = 120 := by decide
theorem fact_pos (n : Nat) : 0 < fact n := by
  induction n with
  | zero => decide
  | succ n ih => exact Nat.mul_pos (Nat.succ_pos n) ih

def ack : Nat → Nat → Nat
  | 0, n => n + 1
  | m + 1, 0 => ack m 1
  | m + 1, n + 1 => ack m (ack (m + 1) n)
termination_by m n => (m, n)
theorem ack_2 : ack 1 1 = 3 := by simp [ack]

def log2 (n : Nat) : Nat := if n ≤ 1 then 0 else 1 + log2 (n / 2)
theorem log2_le (n : Nat) : log2 n ≤ n := by
  fun_induction log2 n with
  | case1 => exact Nat.zero_le _
  | case2 n h ih => omega

def merge : List Nat → List Nat → List Nat
  | [], ys => ys
  | xs, [] => xs
  | x :: xs, y :: ys => if x ≤ y then x :: merge xs (y :: ys) else y :: merge (x :: xs) ys
termination_by xs ys => xs.length + ys.length

mutual
def even : Nat → Bool
  | 0 => true
  | n + 1 => odd n
def odd : Nat → Bool
  | 0 => false
  | n + 1 => even n
end
theorem even_4 : even 4 = true := by decide

/-! Types. -/

inductive Tree (α : Type) where
  | leaf : Tree α
  | node (l : Tree α) (a : α) (r : Tree α) : Tree α
deriving DecidableEq, Repr, BEq, Inhabited
namespace Tree
def size : Tree α → Nat
  | leaf => 0
  | node l _ r => l.size + 1 + r.size
def mirror : Tree α → Tree α
  | leaf => leaf
  | node l a r => node r.mirror a l.mirror
theorem mirror_mirror (t : Tree α) : t.mirror.mirror = t := by
  induction t with
  | leaf => rfl
  | node l a r hl hr => simp [mirror, hl, hr]
theorem size_mirror (t : Tree α) : t.mirror.size = t.size := by
  induction t with
  | leaf => rfl
  | node l a r hl hr => simp only [mirror, size, hl, hr]; omega
end Tree
theorem leaf_ne : (Tree.leaf : Tree Nat) ≠ .node .leaf 1 .leaf := by decide

inductive Even : Nat → Prop
  | zero : Even 0
  | step : Even n → Even (n + 2)
theorem Even.add (h : Even n) (k : Even m) : Even (n + m) := by
  induction k with
  | zero => exact h
  | step _ ih => exact .step ih
theorem not_even_one : ¬Even 1 := by intro h; cases h

mutual
inductive A
  | a (b : B)
  | z
inductive B
  | b (a : A)
end
inductive Rose (α : Type) where
  | node (a : α) (l : List (Rose α))

structure Point where
  x : Nat
  y : Nat := 0
deriving DecidableEq, Repr, BEq, Inhabited, Hashable
theorem point (p q : Point) (h : p.x = q.x) (k : p.y = q.y) : p = q := by cases p; cases q; simp_all
theorem point_default : ({ x := 1 } : Point).y = 0 := rfl
@[ext] structure Pair (α : Type u) where
  a : α
  b : α
theorem pair (p q : Pair α) (h : p.a = q.a) (k : p.b = q.b) : p = q := by ext <;> assumption

inductive Color | red | green | blue
deriving DecidableEq, Repr, Inhabited, Ord
theorem colors (c : Color) : c = .red ∨ c = .green ∨ c = .blue := by cases c <;> decide

/-! Classes. -/

class Group (G : Type) extends Mul G, One G, Inv G where
  mul_assoc : ∀ a b c : G, a * b * c = a * (b * c)
  one_mul : ∀ a : G, One.one * a = a
  inv_mul : ∀ a : G, a⁻¹ * a = One.one
theorem Group.mul_left_cancel [Group G] (a b c : G) (h : a * b = a * c) : b = c := by
  have : a⁻¹ * (a * b) = a⁻¹ * (a * c) := by rw [h]
  rwa [← Group.mul_assoc, ← Group.mul_assoc, Group.inv_mul, Group.one_mul, Group.one_mul] at this

def Set (α : Type u) := α → Prop
namespace Set
instance : Membership α (Set α) := ⟨fun s a => s a⟩
instance : Union (Set α) := ⟨fun s t a => a ∈ s ∨ a ∈ t⟩
instance : Inter (Set α) := ⟨fun s t a => a ∈ s ∧ a ∈ t⟩
instance : HasSubset (Set α) := ⟨fun s t => ∀ a, a ∈ s → a ∈ t⟩
instance : EmptyCollection (Set α) := ⟨fun _ => False⟩
instance : Singleton α (Set α) := ⟨fun a b => b = a⟩
instance : Insert α (Set α) := ⟨fun a s b => b = a ∨ b ∈ s⟩
@[ext] theorem ext {s t : Set α} (h : ∀ a, a ∈ s ↔ a ∈ t) : s = t := funext fun a => propext (h a)
theorem mem_union (s t : Set α) (a : α) : a ∈ s ∪ t ↔ a ∈ s ∨ a ∈ t := Iff.rfl
theorem union_comm (s t : Set α) : s ∪ t = t ∪ s := by ext a; simp only [mem_union]; exact or_comm
theorem inter_subset (s t : Set α) : s ∩ t ⊆ s := fun _ h => h.1
theorem one_mem : (1 : Nat) ∈ ({1, 2} : Set Nat) := by left; rfl
theorem empty_subset (s : Set α) : ∅ ⊆ s := by intro a h; cases h
end Set

instance parity : Setoid Nat := ⟨fun a b => a % 2 = b % 2, ⟨fun _ => rfl, Eq.symm, Eq.trans⟩⟩
theorem quotient : Quotient.mk parity 1 = Quotient.mk parity 3 := Quotient.sound (by show 1 % 2 = 3 % 2; rfl)

/-! Notation and macros. -/

notation "ℕ" => Nat
infixl:65 " ⊞ " => Nat.add
theorem notation_1 : (1 : ℕ) ⊞ 2 = 3 := rfl
local notation "⟪" a ", " b "⟫" => (a + b) * (a + b)
theorem notation_2 : ⟪1, 2⟫ = 9 := rfl
macro "finish" : tactic => `(tactic| first | assumption | trivial | omega)
theorem macro_1 (a b : Nat) (h : a < b) : a ≤ b := by finish
syntax "twice " tactic : tactic
macro_rules | `(tactic| twice $t) => `(tactic| ($t; $t))
theorem macro_2 (p q : Prop) : p → q → p := by twice intro _; assumption

/-! Numbers, lists, options, text. -/

theorem bounded : ∃ x > 3, x * x = 16 := ⟨4, by decide, rfl⟩
theorem members (l : List Nat) (h : ∀ x ∈ l, x = 1) : ∀ x ∈ l ++ l, x = 1 := by simp; exact h
theorem index (xs : List Nat) (h : 0 < xs.length) : xs[0] ∈ xs := by
  cases xs with
  | nil => simp at h
  | cons x xs => simp
theorem option (o : Option Nat) (h : o ≠ none) : ∃ n, o = some n := by cases o <;> simp_all
theorem texts : "a" ++ "b" = "ab" ∧ "a" ≠ "b" := by decide
theorem choice (p : Nat → Prop) (h : ¬∀ n, ¬p n) : ∃ n, p n := Classical.not_forall_not.1 h
example (a b : Int) (h : a * b = 0) (k : a = 2) : b = 0 := by subst k; omega
/-- info: [2, 4, 6] -/
#guard_msgs in #eval [1, 2, 3].map (· * 2)
/-- info: { x := 1, y := 0 } -/
#guard_msgs in #eval ({ x := 1 } : Point)
