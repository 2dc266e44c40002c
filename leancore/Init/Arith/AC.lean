prelude
import Init.Arith.Omega.Facts

/-!
`ac_rfl`: equations that hold because an operation is associative, and perhaps commutative or idempotent.

The compiled tactic turns both sides into an `Expr` over numbered variables and asks for `Context.eq_of_norm` with
a proof that the two normal forms agree. Here a normal form is the list of variables: neutral elements left out,
sorted when the operation is commutative, repetitions dropped when it is idempotent. Since the empty list has no
value, lists are evaluated in the operation with a unit adjoined.
-/

universe u

namespace Std

class Associative {α : Sort u} (op : α → α → α) : Prop where
  assoc : (a b c : α) → op (op a b) c = op a (op b c)

class Commutative {α : Sort u} (op : α → α → α) : Prop where
  comm : (a b : α) → op a b = op b a

class IdempotentOp {α : Sort u} (op : α → α → α) : Prop where
  idempotent : (x : α) → op x x = x

class LawfulIdentity {α : Sort u} (op : α → α → α) (o : outParam α) : Prop where
  left_id : (a : α) → op o a = a
  right_id : (a : α) → op a o = a

end Std

namespace Lean.Data.AC

open Std

inductive Expr where
  | var (x : Nat) : Expr
  | op (lhs rhs : Expr) : Expr

structure Variable {α : Sort u} (op : α → α → α) : Type u where
  value : α
  neutral : Option (PLift (LawfulIdentity op value))

structure Context (α : Sort u) : Type u where
  op : α → α → α
  assoc : Associative op
  comm : Option (PLift (Commutative op))
  idem : Option (PLift (IdempotentOp op))
  vars : List (Variable op)
  arbitrary : α

variable {α : Sort u} {op : α → α → α}

private def lookup (default : α) : List (Variable op) → Nat → Variable op
  | [], _ => ⟨default, none⟩
  | v :: _, 0 => v
  | _ :: vs, i + 1 => lookup default vs i

def Context.var (c : Context α) (i : Nat) : Variable c.op := lookup c.arbitrary c.vars i

def eval (c : Context α) : Expr → α
  | .var i => (c.var i).value
  | .op l r => c.op (eval c l) (eval c r)

/-! Normal forms. -/

/-- the variables of an expression, from left to right, in front of `l` -/
def Expr.toList : Expr → List Nat → List Nat
  | .var i, l => i :: l
  | .op a b, l => a.toList (b.toList l)

def Variable.isNeutral : Variable op → Bool
  | ⟨_, some _⟩ => true
  | ⟨_, none⟩ => false

/-- the first variable that is a neutral element -/
def findNeutral : List (Variable op) → Option (Variable op)
  | [] => none
  | ⟨v, some h⟩ :: _ => some ⟨v, some h⟩
  | ⟨_, none⟩ :: vs => findNeutral vs

/-- builds a list anew, each element by `f` instead of `::` -/
def rebuild (f : Nat → List Nat → List Nat) : List Nat → List Nat
  | [] => []
  | x :: l => f x (rebuild f l)

def consUnlessNeutral (c : Context α) (x : Nat) (l : List Nat) : List Nat :=
  cond (c.var x).isNeutral l (x :: l)

def insertSorted (x : Nat) : List Nat → List Nat
  | [] => [x]
  | y :: l => cond (Nat.ble x y) (x :: y :: l) (y :: insertSorted x l)

def consUnlessEqual (x : Nat) : List Nat → List Nat
  | [] => [x]
  | y :: l => if x = y then y :: l else x :: y :: l

def dropNeutral (c : Context α) (l : List Nat) : List Nat := match findNeutral c.vars with
  | none => l
  | some _ => rebuild (consUnlessNeutral c) l

def sortIfCommutative (c : Context α) (l : List Nat) : List Nat := match c.comm with
  | none => l
  | some _ => rebuild insertSorted l

def dropRepeated (c : Context α) (l : List Nat) : List Nat := match c.idem with
  | none => l
  | some _ => rebuild consUnlessEqual l

def norm (c : Context α) (e : Expr) : List Nat :=
  dropRepeated c (sortIfCommutative c (dropNeutral c (e.toList [])))

/-! Each step keeps the value. -/

/-- a type with a unit adjoined -/
inductive WithUnit (α : Sort u) : Type u where
  | unit : WithUnit α
  | elem (a : α) : WithUnit α

def WithUnit.combine (f : α → α → α) : WithUnit α → WithUnit α → WithUnit α
  | .unit, y => y
  | .elem x, .unit => .elem x
  | .elem x, .elem y => .elem (f x y)

/-- the value of a list of variables, in front of `z` -/
def evalList (c : Context α) (z : WithUnit α) : List Nat → WithUnit α
  | [] => z
  | x :: l => .combine c.op (.elem (c.var x).value) (evalList c z l)

/-- what an empty list stands for: the neutral element if there is one -/
def emptyValue (c : Context α) : WithUnit α := match findNeutral c.vars with
  | none => .unit
  | some v => .elem v.value

theorem WithUnit.combine_assoc (c : Context α) : (x y z : WithUnit α) →
    WithUnit.combine c.op (.combine c.op x y) z = .combine c.op x (.combine c.op y z)
  | .unit, _, _ => rfl
  | .elem _, .unit, _ => rfl
  | .elem _, .elem _, .unit => rfl
  | .elem x, .elem y, .elem z => congrArg WithUnit.elem (c.assoc.assoc x y z)

theorem evalList_toList (c : Context α) (z : WithUnit α) : (e : Expr) → (l : List Nat) →
    evalList c z (e.toList l) = .combine c.op (.elem (eval c e)) (evalList c z l)
  | .var _, _ => rfl
  | .op a b, l => by
    show evalList c z (a.toList (b.toList l)) = WithUnit.combine c.op (.combine c.op (.elem _) (.elem _)) _
    rw [evalList_toList c z a, evalList_toList c z b, WithUnit.combine_assoc]

theorem evalList_rebuild (c : Context α) (z : WithUnit α) (f : Nat → List Nat → List Nat)
    (h : ∀ x l, evalList c z (f x l) = evalList c z (x :: l)) :
    (l : List Nat) → evalList c z (rebuild f l) = evalList c z l
  | [] => rfl
  | x :: l => (h x _).trans (congrArg (WithUnit.combine c.op _) (evalList_rebuild c z f h l))

theorem evalList_insertSorted (c : Context α) (z : WithUnit α) (k : Commutative c.op) (x : Nat) :
    (l : List Nat) → evalList c z (insertSorted x l) = evalList c z (x :: l)
  | [] => rfl
  | y :: l => by
    show evalList c z (cond _ _ _) = _
    cases Nat.ble x y with
    | true => rfl
    | false =>
      have swap : WithUnit.combine c.op (.elem (c.var y).value) (.elem (c.var x).value)
          = WithUnit.combine c.op (.elem (c.var x).value) (.elem (c.var y).value) :=
        congrArg WithUnit.elem (k.comm _ _)
      show WithUnit.combine c.op _ (evalList c z (insertSorted x l))
        = .combine c.op _ (.combine c.op _ (evalList c z l))
      rw [evalList_insertSorted c z k x l]
      show WithUnit.combine c.op _ (.combine c.op _ (evalList c z l)) = _
      rw [← WithUnit.combine_assoc, ← WithUnit.combine_assoc, swap]

theorem evalList_consUnlessEqual (c : Context α) (z : WithUnit α) (k : IdempotentOp c.op) (x : Nat) :
    (l : List Nat) → evalList c z (consUnlessEqual x l) = evalList c z (x :: l)
  | [] => rfl
  | y :: l => by
    show evalList c z (ite _ _ _) = _
    split
    next e =>
      subst e
      have twice : WithUnit.combine c.op (.elem (c.var x).value) (.elem (c.var x).value) = .elem (c.var x).value :=
        congrArg WithUnit.elem (k.idempotent _)
      show WithUnit.combine c.op _ (evalList c z l) = .combine c.op _ (.combine c.op _ (evalList c z l))
      rw [← WithUnit.combine_assoc, twice]
    next => rfl

private theorem evalList_elem (c : Context α) (b : α) : (l : List Nat) → ∃ a, evalList c (.elem b) l = .elem a
  | [] => ⟨b, rfl⟩
  | x :: l => match evalList_elem c b l with
    | ⟨a, h⟩ => ⟨c.op (c.var x).value a, congrArg (WithUnit.combine c.op _) h⟩

private theorem neutral_left : (v : Variable op) → v.isNeutral = true → (a : α) → op v.value a = a
  | ⟨_, some h⟩, _, a => h.down.left_id a
  | ⟨_, none⟩, h, _ => Bool.noConfusion h

theorem evalList_consUnlessNeutral (c : Context α) (b : α) (x : Nat) (l : List Nat) :
    evalList c (.elem b) (consUnlessNeutral c x l) = evalList c (.elem b) (x :: l) := by
  show evalList c _ (cond _ _ _) = .combine c.op _ (evalList c _ l)
  cases h : (c.var x).isNeutral with
  | false => rfl
  | true =>
    rcases evalList_elem c b l with ⟨a, e⟩
    show evalList c _ l = _
    rw [e]; exact congrArg WithUnit.elem (neutral_left _ h a).symm

private theorem neutral_right : {vs : List (Variable op)} → {v : Variable op} → findNeutral vs = some v →
    (a : α) → op a v.value = a
  | ⟨_, some k⟩ :: _, _, h, a => by injection h with h; subst h; exact k.down.right_id a
  | ⟨_, none⟩ :: vs, _, h, a => neutral_right (vs := vs) h a
  | [], _, h, _ => nomatch h

theorem evalList_norm (c : Context α) (e : Expr) : evalList c (emptyValue c) (norm c e) = .elem (eval c e) := by
  have ofExpr : evalList c (emptyValue c) (e.toList []) = .elem (eval c e) := by
    rw [evalList_toList]
    show WithUnit.combine c.op _ (emptyValue c) = _
    unfold emptyValue
    cases h : findNeutral c.vars with
    | none => rfl
    | some v => exact congrArg WithUnit.elem (neutral_right h _)
  have neutral (l) : evalList c (emptyValue c) (dropNeutral c l) = evalList c (emptyValue c) l := by
    unfold emptyValue dropNeutral
    cases findNeutral c.vars with
    | none => rfl
    | some v => exact evalList_rebuild c _ _ (evalList_consUnlessNeutral c v.value) _
  have sorted (l) : evalList c (emptyValue c) (sortIfCommutative c l) = evalList c (emptyValue c) l := by
    unfold sortIfCommutative
    cases c.comm with
    | none => rfl
    | some k => exact evalList_rebuild c _ _ (evalList_insertSorted c _ k.down) _
  have repeated (l) : evalList c (emptyValue c) (dropRepeated c l) = evalList c (emptyValue c) l := by
    unfold dropRepeated
    cases c.idem with
    | none => rfl
    | some k => exact evalList_rebuild c _ _ (evalList_consUnlessEqual c _ k.down) _
  unfold norm
  rw [repeated, sorted, neutral, ofExpr]

/-- equality of lists, computed without instances, since the kernel runs it in every proof -/
def sameList : List Nat → List Nat → Bool
  | [], [] => true
  | [], _ :: _ => false
  | _ :: _, [] => false
  | x :: l, y :: m => and (Nat.beq x y) (sameList l m)

theorem eq_of_sameList : {l m : List Nat} → sameList l m = true → l = m
  | [], [], _ => rfl
  | [], _ :: _, h => Bool.noConfusion h
  | _ :: _, [], h => Bool.noConfusion h
  | x :: l, y :: m, h => by
    have h : and (Nat.beq x y) (sameList l m) = true := h
    cases e : Nat.beq x y with
    | false => rw [e] at h; exact Bool.noConfusion h
    | true => rw [e] at h; rw [Nat.eq_of_beq_eq_true e, eq_of_sameList (l := l) (m := m) h]

theorem Context.eq_of_norm (c : Context α) (a b : Expr) (h : sameList (norm c a) (norm c b) = true) :
    eval c a = eval c b := by
  have e := evalList_norm c a
  rw [eq_of_sameList h, evalList_norm c b] at e
  injection e with e; exact e.symm

end Lean.Data.AC

/-! Instances. -/

instance : Std.Associative (α := Nat) (· + ·) := ⟨Nat.add_assoc⟩
instance : Std.Commutative (α := Nat) (· + ·) := ⟨Nat.add_comm⟩
instance : Std.LawfulIdentity (α := Nat) (· + ·) 0 := ⟨Nat.zero_add, Nat.add_zero⟩
instance : Std.Associative (α := Nat) (· * ·) := ⟨Nat.mul_assoc⟩
instance : Std.Commutative (α := Nat) (· * ·) := ⟨Nat.mul_comm⟩
instance : Std.LawfulIdentity (α := Nat) (· * ·) 1 := ⟨Nat.one_mul, Nat.mul_one⟩
instance : Std.Associative (α := Nat) min := ⟨by omega⟩
instance : Std.Commutative (α := Nat) min := ⟨by omega⟩
instance : Std.IdempotentOp (α := Nat) min := ⟨by omega⟩
instance : Std.Associative (α := Nat) max := ⟨by omega⟩
instance : Std.Commutative (α := Nat) max := ⟨by omega⟩
instance : Std.IdempotentOp (α := Nat) max := ⟨by omega⟩

instance : Std.Associative (α := Int) (· + ·) := ⟨Int.add_assoc⟩
instance : Std.Commutative (α := Int) (· + ·) := ⟨Int.add_comm⟩
instance : Std.LawfulIdentity (α := Int) (· + ·) 0 := ⟨Int.zero_add, Int.add_zero⟩
instance : Std.Associative (α := Int) (· * ·) := ⟨Int.mul_assoc⟩
instance : Std.Commutative (α := Int) (· * ·) := ⟨Int.mul_comm⟩
instance : Std.LawfulIdentity (α := Int) (· * ·) 1 := ⟨Int.one_mul, Int.mul_one⟩

instance : Std.Associative And := ⟨fun _ _ _ => propext and_assoc⟩
instance : Std.Commutative And := ⟨fun _ _ => propext ⟨And.symm, And.symm⟩⟩
instance : Std.IdempotentOp And := ⟨and_self⟩
instance : Std.LawfulIdentity And True := ⟨true_and, and_true⟩
instance : Std.Associative Or := ⟨fun _ _ _ => propext or_assoc⟩
instance : Std.Commutative Or := ⟨fun _ _ => propext ⟨Or.symm, Or.symm⟩⟩
instance : Std.IdempotentOp Or := ⟨or_self⟩
instance : Std.LawfulIdentity Or False := ⟨false_or, or_false⟩
