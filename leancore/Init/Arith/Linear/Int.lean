prelude
import Init.Arith.Linear.Vector
import Init.Arith.Int.DivLemmas

/-!
`simp +arith` on `Int`. The tactic normalises `lhs - rhs` to a polynomial `p`, perhaps divided by the common divisor of
the coefficients, and names the theorem that says so; names, constructors and argument orders are the tactic's.
Certificates compare coefficient vectors.
-/

namespace Int.Internal.Linear

open Lean.Linear

abbrev Context := Lean.RArray Int

inductive Expr where
  | num (v : Int) : Expr
  | var (i : Nat) : Expr
  | add (a b : Expr) : Expr
  | sub (a b : Expr) : Expr
  | neg (a : Expr) : Expr
  | mulL (k : Int) (a : Expr) : Expr
  | mulR (a : Expr) (k : Int) : Expr

def Expr.denote (ctx : Context) : Expr → Int
  | num v => v
  | var i => ctx.get i
  | add a b => Int.add (denote ctx a) (denote ctx b)
  | sub a b => Int.sub (denote ctx a) (denote ctx b)
  | neg a => Int.neg (denote ctx a)
  | mulL k a => Int.mul k (denote ctx a)
  | mulR a k => Int.mul (denote ctx a) k

/-- a polynomial: monomials with numbered variables, then the constant term -/
inductive Poly where
  | num (k : Int) : Poly
  | add (k : Int) (v : Nat) (p : Poly) : Poly

/-! The value of a polynomial is written as the tactic shows it: no factor 1, no constant term 0. -/

def monomial (ctx : Context) (k : Int) (v : Nat) : Int := if k = 1 then ctx.get v else Int.mul k (ctx.get v)

def Poly.addTo (ctx : Context) (r : Int) : Poly → Int
  | num k => if k = 0 then r else Int.add r k
  | add k v p => addTo ctx (Int.add r (monomial ctx k v)) p

def Poly.denote' (ctx : Context) : Poly → Int
  | num k => k
  | add k v p => addTo ctx (monomial ctx k v) p

/-! Vectors of expressions and polynomials. -/

def Expr.vector : Expr → Vector
  | num v => .const v
  | var i => .var i
  | add a b => .add a.vector b.vector
  | sub a b => .sub a.vector b.vector
  | neg a => .smul (-1) a.vector
  | mulL k a => .smul k a.vector
  | mulR a k => .smul k a.vector

def Poly.vector : Poly → Vector
  | num k => .const k
  | add k v p => .add (.smul k (.var v)) p.vector

theorem Expr.eval_vector (ctx : Context) : (e : Expr) → e.vector.eval ctx.get = e.denote ctx
  | num v => Vector.eval_const _ v
  | var i => Vector.eval_var _ i
  | add a b => by
    show Vector.eval _ (.add _ _) = _; rw [Vector.eval_add, eval_vector ctx a, eval_vector ctx b]; rfl
  | sub a b => by
    show Vector.eval _ (.sub _ _) = _; rw [Vector.eval_sub, eval_vector ctx a, eval_vector ctx b]; rfl
  | neg a => by show Vector.eval _ (.smul _ _) = _; rw [Vector.eval_smul, eval_vector ctx a, Int.neg_one_mul]; rfl
  | mulL k a => by show Vector.eval _ (.smul _ _) = _; rw [Vector.eval_smul, eval_vector ctx a]; rfl
  | mulR a k => by
    show Vector.eval _ (.smul _ _) = _; rw [Vector.eval_smul, eval_vector ctx a, Int.mul_comm]; rfl

theorem monomial_eq (ctx : Context) (k : Int) (v : Nat) : monomial ctx k v = k * ctx.get v := by
  unfold monomial
  split
  next h => rw [h, Int.one_mul]
  next => rfl

theorem Poly.addTo_eq (ctx : Context) : (r : Int) → (p : Poly) → p.addTo ctx r = r + p.vector.eval ctx.get
  | r, num k => by
    show ite _ _ _ = r + Vector.eval _ (.const k)
    rw [Vector.eval_const]
    split
    next h => rw [h, Int.add_zero]
    next => rfl
  | r, add k v p => by
    show p.addTo ctx (r + monomial ctx k v) = r + Vector.eval _ (.add (.smul k (.var v)) p.vector)
    rw [addTo_eq ctx _ p, monomial_eq, Vector.eval_add, Vector.eval_smul, Vector.eval_var, Int.add_assoc]

theorem Poly.eval_vector (ctx : Context) : (p : Poly) → p.vector.eval ctx.get = p.denote' ctx
  | num k => Vector.eval_const _ k
  | add k v p => by
    show Vector.eval _ (.add (.smul k (.var v)) p.vector) = p.addTo ctx (monomial ctx k v)
    rw [addTo_eq, monomial_eq, Vector.eval_add, Vector.eval_smul, Vector.eval_var]

variable (ctx : Context) (lhs rhs e : Expr) (p : Poly)

theorem Expr.eq_of_norm_eq (h : e.vector.same p.vector = true) : e.denote ctx = p.denote' ctx := by
  rw [← eval_vector, ← Poly.eval_vector]; exact Vector.eval_of_same _ h

/-! Equations and inequalities: `lhs - rhs` is a multiple of a polynomial. -/

/-- the vector of `lhs - rhs` -/
def difference : Vector := lhs.vector.sub rhs.vector

theorem eval_difference : (difference lhs rhs).eval ctx.get = lhs.denote ctx - rhs.denote ctx := by
  unfold difference; rw [Vector.eval_sub, Expr.eval_vector, Expr.eval_vector]

/-- whether `lhs - rhs = k * p` with a positive `k` -/
def isMultiple (k : Int) : Bool := and (decide (0 < k)) ((difference lhs rhs).same (.smul k p.vector))

private theorem of_and : {a b : Bool} → and a b = true → a = true ∧ b = true
  | true, true, _ => ⟨rfl, rfl⟩

variable {lhs rhs e p} in
theorem difference_eq_mul {k : Int} (h : isMultiple lhs rhs p k = true) :
    0 < k ∧ lhs.denote ctx - rhs.denote ctx = k * p.denote' ctx := by
  have ⟨pos, same⟩ := of_and h
  have e := Vector.eval_of_same ctx.get same
  rw [eval_difference, Vector.eval_smul, Poly.eval_vector] at e
  exact ⟨of_decide_eq_true pos, e⟩

theorem norm_eq_coeff (k : Int) (h : isMultiple lhs rhs p k = true) :
    (lhs.denote ctx = rhs.denote ctx) = (p.denote' ctx = 0) := by
  have ⟨pos, e⟩ := difference_eq_mul ctx h
  refine propext ⟨fun eq => ?_, fun eq => ?_⟩
  · rw [eq, Int.sub_self] at e
    exact (Int.mul_eq_zero.1 e.symm).resolve_left (Int.ne_of_gt pos)
  · rw [eq, Int.mul_zero] at e; omega

theorem norm_le_coeff (k : Int) (h : isMultiple lhs rhs p k = true) :
    (lhs.denote ctx ≤ rhs.denote ctx) = (p.denote' ctx ≤ 0) := by
  have ⟨pos, e⟩ := difference_eq_mul ctx h
  refine propext ⟨fun le => Int.le_of_mul_le_mul_left (a := k) ?_ pos, fun le => ?_⟩
  · rw [Int.mul_zero]; omega
  · have := Int.mul_le_mul_of_nonneg_left le (Int.le_of_lt pos)
    rw [Int.mul_zero] at this; omega

theorem norm_eq (h : isMultiple lhs rhs p 1 = true) : (lhs.denote ctx = rhs.denote ctx) = (p.denote' ctx = 0) :=
  norm_eq_coeff ctx lhs rhs p 1 h

theorem norm_le (h : isMultiple lhs rhs p 1 = true) : (lhs.denote ctx ≤ rhs.denote ctx) = (p.denote' ctx ≤ 0) :=
  norm_le_coeff ctx lhs rhs p 1 h

theorem norm_eq_var (x y : Nat) (h : (difference lhs rhs).same (.sub (.var x) (.var y)) = true) :
    (lhs.denote ctx = rhs.denote ctx) = (ctx.get x = ctx.get y) := by
  have e := Vector.eval_of_same ctx.get h
  rw [eval_difference, Vector.eval_sub, Vector.eval_var, Vector.eval_var] at e
  exact propext (by omega)

theorem norm_eq_var_const (x : Nat) (k : Int) (h : (difference lhs rhs).same (.sub (.var x) (.const k)) = true) :
    (lhs.denote ctx = rhs.denote ctx) = (ctx.get x = k) := by
  have e := Vector.eval_of_same ctx.get h
  rw [eval_difference, Vector.eval_sub, Vector.eval_var, Vector.eval_const] at e
  exact propext (by omega)

/-! `lhs - rhs = k * p + r` with -k < r ≤ 0: the inequality is rounded. -/

def constantTerm : Vector → Int
  | [] => 0
  | x :: _ => x

def isTightened (k : Int) : Bool :=
  let rest := (difference lhs rhs).sub (.smul k p.vector)
  and (and (decide (-k < constantTerm rest)) (decide (constantTerm rest ≤ 0))) (rest.same (.const (constantTerm rest)))

theorem norm_le_coeff_tight (k : Int) (h : isTightened lhs rhs p k = true) :
    (lhs.denote ctx ≤ rhs.denote ctx) = (p.denote' ctx ≤ 0) := by
  have ⟨bounds, same⟩ := of_and h
  have ⟨low, high⟩ := of_and bounds
  have low := of_decide_eq_true low
  have high := of_decide_eq_true high
  have e := Vector.eval_of_same ctx.get same
  rw [Vector.eval_sub, eval_difference, Vector.eval_smul, Poly.eval_vector, Vector.eval_const] at e
  refine propext ⟨fun le => Int.not_lt.1 fun lt => ?_, fun le => ?_⟩
  · have := Int.mul_le_mul_of_nonneg_left (c := k) (add_one_le_of_lt lt) (by omega)
    rw [Int.zero_add, Int.mul_one] at this; omega
  · have := Int.mul_le_mul_of_nonneg_left (c := k) le (by omega)
    rw [Int.mul_zero] at this; omega

/-! Constants. -/

/-- the difference of the sides is the number `k` -/
def isConst (k : Int) : Bool := (difference lhs rhs).same (.const k)

private theorem difference_eq {k : Int} (h : isConst lhs rhs k = true) : lhs.denote ctx - rhs.denote ctx = k := by
  have e := Vector.eval_of_same ctx.get h
  rwa [eval_difference, Vector.eval_const] at e

theorem eq_eq_true (h : isConst lhs rhs 0 = true) : (lhs.denote ctx = rhs.denote ctx) = True := by
  have := difference_eq ctx lhs rhs h
  exact eq_true (by omega)

theorem eq_eq_false (h : and (not (decide (constantTerm (difference lhs rhs) = 0)))
    (isConst lhs rhs (constantTerm (difference lhs rhs))) = true) :
    (lhs.denote ctx = rhs.denote ctx) = False := by
  have ⟨ne, const⟩ := of_and h
  have := difference_eq ctx lhs rhs const
  exact eq_false fun eq => by
    rw [eq, Int.sub_self] at this
    rw [decide_eq_true this.symm] at ne
    exact Bool.noConfusion ne

theorem le_eq_true (h : and (decide (constantTerm (difference lhs rhs) ≤ 0))
    (isConst lhs rhs (constantTerm (difference lhs rhs))) = true) :
    (lhs.denote ctx ≤ rhs.denote ctx) = True := by
  have ⟨le, const⟩ := of_and h
  have := difference_eq ctx lhs rhs const
  have le := of_decide_eq_true le
  exact eq_true (by omega)

theorem le_eq_false (h : and (decide (0 < constantTerm (difference lhs rhs)))
    (isConst lhs rhs (constantTerm (difference lhs rhs))) = true) :
    (lhs.denote ctx ≤ rhs.denote ctx) = False := by
  have ⟨lt, const⟩ := of_and h
  have := difference_eq ctx lhs rhs const
  have lt := of_decide_eq_true lt
  exact eq_false (by omega)

/-! Divisibility. -/

theorem norm_dvd (k : Int) (e : Expr) (p : Poly) (h : e.vector.same p.vector = true) :
    (k ∣ e.denote ctx) = (k ∣ p.denote' ctx) := by
  rw [Expr.eq_of_norm_eq ctx e p h]

theorem norm_dvd_gcd (k₁ : Int) (e₁ : Expr) (k₂ : Int) (p₂ : Poly) (g : Int)
    (h : and (and (decide (g ≠ 0)) (decide (k₁ = g * k₂))) (e₁.vector.same (.smul g p₂.vector)) = true) :
    (k₁ ∣ e₁.denote ctx) = (k₂ ∣ p₂.denote' ctx) := by
  have ⟨conditions, same⟩ := of_and h
  have ⟨ne, eq⟩ := of_and conditions
  have ne := of_decide_eq_true ne
  have e := Vector.eval_of_same ctx.get same
  rw [Expr.eval_vector, Vector.eval_smul, Poly.eval_vector] at e
  rw [e, of_decide_eq_true eq]
  refine propext ⟨fun ⟨c, h⟩ => ⟨c, ?_⟩, fun ⟨c, h⟩ => ⟨c, ?_⟩⟩
  · rw [Int.mul_assoc] at h; exact Int.eq_of_mul_eq_mul_left ne h
  · rw [h, Int.mul_assoc]

/-- every coefficient of a variable is a multiple of `g`, the constant term is not -/
def isOffset (g : Int) : Vector → Bool
  | [] => false
  | x :: xs => and (not (decide (g ∣ x))) (coefficients xs)
where
  coefficients : Vector → Bool
    | [] => true
    | x :: xs => and (decide (g ∣ x)) (coefficients xs)

theorem dvd_evalFrom (f : Nat → Int) {g : Int} : (i : Nat) → (xs : Vector) → isOffset.coefficients g xs = true →
    g ∣ Vector.evalFrom f i xs
  | _, [], _ => Int.dvd_zero g
  | i, x :: xs, h => by
    have ⟨hx, hxs⟩ := of_and (a := decide (g ∣ x)) h
    exact Int.dvd_add (Int.dvd_trans (of_decide_eq_true hx) (Int.dvd_mul_right x (f i))) (dvd_evalFrom f (i + 1) xs hxs)

theorem not_dvd_of_isOffset (v : Nat → Int) {g : Int} : (xs : Vector) → isOffset g xs = true → ¬g ∣ xs.eval v
  | x :: xs, h, d => by
    have ⟨hx, hxs⟩ := of_and (a := not (decide (g ∣ x))) h
    have rest := dvd_evalFrom (Vector.extend v) 1 xs hxs
    have e : Vector.eval v (x :: xs) - Vector.evalFrom (Vector.extend v) 1 xs = x := by
      show x * 1 + Vector.evalFrom (Vector.extend v) 1 xs - _ = x
      omega
    have dx : g ∣ x := e ▸ Int.dvd_sub d rest
    rw [decide_eq_true dx] at hx
    exact Bool.noConfusion hx

theorem eq_eq_false_of_divCoeff (k : Int) (h : isOffset k (difference lhs rhs) = true) :
    (lhs.denote ctx = rhs.denote ctx) = False := by
  have no := not_dvd_of_isOffset ctx.get _ h
  rw [eval_difference] at no
  exact eq_false fun e => no (by rw [e, Int.sub_self]; exact Int.dvd_zero k)

/-- the greatest common divisor of `k` and the coefficients of the variables -/
def commonDivisor (k : Int) : Vector → Int
  | [] => k
  | _ :: xs => (Nat.gcd k.natAbs (Lean.Omega.IntList.gcd xs) : Nat)

theorem commonDivisor_dvd (k : Int) : (xs : Vector) → commonDivisor k xs ∣ k
  | [] => Int.dvd_refl k
  | _ :: _ => natAbs_dvd_natAbs.1 (Nat.gcd_dvd_left _ _)

theorem dvd_eq_false (k : Int) (e : Expr) (h : isOffset (commonDivisor k e.vector) e.vector = true) :
    (k ∣ e.denote ctx) = False := by
  have no := not_dvd_of_isOffset ctx.get _ h
  rw [Expr.eval_vector] at no
  exact eq_false fun d => no (Int.dvd_trans (commonDivisor_dvd k e.vector) d)

end Int.Internal.Linear
