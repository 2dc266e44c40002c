prelude
import Init.Arith.Linear.Vector

/-!
`simp +arith` on `Nat`. The tactic hands over both sides as an `Expr` and names one of four theorems here; names,
constructors and argument orders are the tactic's.
-/

namespace Nat.Internal.Linear

open Lean.Linear

abbrev Context := Lean.RArray Nat

inductive Expr where
  | num (v : Nat) : Expr
  | var (i : Nat) : Expr
  | add (a b : Expr) : Expr
  | mulL (k : Nat) (a : Expr) : Expr
  | mulR (a : Expr) (k : Nat) : Expr

def Expr.denote (ctx : Context) : Expr → Nat
  | num v => v
  | var i => ctx.get i
  | add a b => Nat.add (denote ctx a) (denote ctx b)
  | mulL k a => Nat.mul k (denote ctx a)
  | mulR a k => Nat.mul (denote ctx a) k

/-- an equation (`eq`) or an inequality `≤` -/
structure ExprCnstr where
  eq : Bool
  lhs : Expr
  rhs : Expr

def ExprCnstr.denote (ctx : Context) (c : ExprCnstr) : Prop :=
  cond c.eq (c.lhs.denote ctx = c.rhs.denote ctx) (c.lhs.denote ctx ≤ c.rhs.denote ctx)

def Expr.vector : Expr → Vector
  | num v => .const v
  | var i => .var i
  | add a b => .add a.vector b.vector
  | mulL k a => .smul k a.vector
  | mulR a k => .smul k a.vector

def values (ctx : Context) (i : Nat) : Int := ctx.get i

theorem values_nonneg (ctx : Context) (i : Nat) : 0 ≤ values ctx i := Int.natCast_nonneg _

theorem Expr.eval_vector (ctx : Context) : (e : Expr) → e.vector.eval (values ctx) = (e.denote ctx : Int)
  | num v => Vector.eval_const _ v
  | var i => Vector.eval_var _ i
  | add a b => by
    show Vector.eval _ (.add _ _) = _; rw [Vector.eval_add, eval_vector ctx a, eval_vector ctx b]; rfl
  | mulL k a => by show Vector.eval _ (.smul _ _) = _; rw [Vector.eval_smul, eval_vector ctx a]; rfl
  | mulR a k => by
    show Vector.eval _ (.smul _ _) = _; rw [Vector.eval_smul, eval_vector ctx a, Int.mul_comm]; rfl

theorem Expr.eq_of_toNormPoly_eq (ctx : Context) (a b : Expr) (h : a.vector.same b.vector = true) :
    a.denote ctx = b.denote ctx := by
  have e := Vector.eval_of_same (values ctx) h
  rw [eval_vector, eval_vector] at e; omega

namespace ExprCnstr

/-- left side minus right side -/
def vector (c : ExprCnstr) : Vector := c.lhs.vector.sub c.rhs.vector

theorem eval_vector (ctx : Context) (c : ExprCnstr) :
    c.vector.eval (values ctx) = (c.lhs.denote ctx : Int) - (c.rhs.denote ctx : Int) := by
  show Vector.eval _ (.sub _ _) = _
  rw [Vector.eval_sub, Expr.eval_vector, Expr.eval_vector]

def same (a b : ExprCnstr) : Bool := and (cond a.eq b.eq (not b.eq)) (a.vector.same b.vector)

theorem eq_of_toNormPoly_eq (ctx : Context) (a b : ExprCnstr) (h : a.same b = true) :
    a.denote ctx = b.denote ctx := by
  rcases a with ⟨aeq, al, ar⟩
  rcases b with ⟨beq, bl, br⟩
  have differences : Vector.same (vector ⟨aeq, al, ar⟩) (vector ⟨beq, bl, br⟩) = true →
      (al.denote ctx : Int) - ar.denote ctx = bl.denote ctx - br.denote ctx := by
    intro h
    have e := Vector.eval_of_same (values ctx) h
    rwa [eval_vector, eval_vector] at e
  cases aeq <;> cases beq
  · have := differences h
    exact propext (by show al.denote ctx ≤ ar.denote ctx ↔ bl.denote ctx ≤ br.denote ctx; omega)
  · exact Bool.noConfusion h
  · exact Bool.noConfusion h
  · have := differences h
    exact propext (by show al.denote ctx = ar.denote ctx ↔ bl.denote ctx = br.denote ctx; omega)

def isValid (c : ExprCnstr) : Bool := cond c.eq c.vector.isZero (c.vector.smul (-1)).isNonneg
def isUnsat (c : ExprCnstr) : Bool := or c.vector.isPos (and c.eq (c.vector.smul (-1)).isPos)

theorem eq_true_of_isValid (ctx : Context) (c : ExprCnstr) (h : c.isValid = true) : c.denote ctx = True := by
  have d := eval_vector ctx c
  rcases c with ⟨eq, l, r⟩
  have d : _ = (l.denote ctx : Int) - (r.denote ctx : Int) := d
  cases eq with
  | true =>
    have k := Vector.eval_of_isZero (values ctx) h
    exact eq_true (by show l.denote ctx = r.denote ctx; omega)
  | false =>
    have k := Vector.eval_nonneg _ (values_nonneg ctx) h
    rw [Vector.eval_smul, d] at k
    exact eq_true (by show l.denote ctx ≤ r.denote ctx; omega)

theorem eq_false_of_isUnsat (ctx : Context) (c : ExprCnstr) (h : c.isUnsat = true) : c.denote ctx = False := by
  have d := eval_vector ctx c
  rcases c with ⟨eq, l, r⟩
  have d : _ = (l.denote ctx : Int) - (r.denote ctx : Int) := d
  have h : or (Vector.isPos (vector ⟨eq, l, r⟩)) (and eq (Vector.isPos (.smul (-1) (vector ⟨eq, l, r⟩)))) = true := h
  cases p : Vector.isPos (vector ⟨eq, l, r⟩) with
  | true =>
    have k := Vector.eval_pos _ (values_nonneg ctx) p
    rw [d] at k
    cases eq with
    | true => exact eq_false (by show ¬l.denote ctx = r.denote ctx; omega)
    | false => exact eq_false (by show ¬l.denote ctx ≤ r.denote ctx; omega)
  | false =>
    rw [p] at h
    cases eq with
    | false => exact Bool.noConfusion h
    | true =>
      have k := Vector.eval_pos _ (values_nonneg ctx) h
      rw [Vector.eval_smul, d] at k
      exact eq_false (by show ¬l.denote ctx = r.denote ctx; omega)

end ExprCnstr
end Nat.Internal.Linear
