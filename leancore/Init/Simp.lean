prelude
import Init.Coe
/-! The simp set of logic, Booleans, numerals and products. Smaller than the one of Lean's own library. -/
set_option linter.all false
universe u v w

gen_injective_theorems% Prod
gen_injective_theorems% PProd
gen_injective_theorems% MProd
gen_injective_theorems% Subtype
gen_injective_theorems% Fin
gen_injective_theorems% Array
gen_injective_theorems% Sum
gen_injective_theorems% PSum
gen_injective_theorems% Nat
gen_injective_theorems% Option
gen_injective_theorems% List
gen_injective_theorems% Except
gen_injective_theorems% Sigma
gen_injective_theorems% PSigma
gen_injective_theorems% ULift
gen_injective_theorems% PLift

attribute [simp] id_eq eq_self cast_eq eq_mp_eq_cast eq_mpr_eq_cast ne_eq heq_eq_eq and_self or_self iff_self true_and
  and_true false_and and_false true_or or_true false_or or_false iff_true true_iff iff_false false_iff false_implies
  forall_false implies_true true_implies imp_self not_false_eq_true not_true_eq_false and_not_self not_and_self
  not_and not_or and_imp and_self_left and_self_right or_self_left or_self_right and_iff_left_iff_imp
  and_iff_right_iff_imp or_iff_left_iff_imp or_iff_right_iff_imp not_exists exists_const forall_const exists_false
  exists_and_left exists_and_right exists_eq exists_eq' exists_eq_left exists_eq_left' exists_eq_right
  exists_eq_right' exists_eq_or_imp forall_eq forall_eq' forall_eq_or_imp forall_exists_index exists_prop'
  nonempty_prop exists_true_left exists_apply_eq_apply exists_apply_eq_apply' exists_eq_right_right
  exists_eq_right_right' exists_or_eq_left exists_or_eq_right exists_or_eq_left' exists_or_eq_right'
  forall_apply_eq_imp_iff forall_eq_apply_imp_iff forall_apply_eq_imp_iff₂ decide_eq_decide cast_heq cast_cast
  eq_true_eq_id ite_true ite_false dite_true dite_false ite_self dif_eq_if ite_cond_eq_true ite_cond_eq_false
  dite_cond_eq_true dite_cond_eq_false dite_eq_ite decide_eq_true_eq decide_eq_false_iff_not decide_not
  decide_true_eq_true decide_false_eq_false decide_decide Classical.not_not Decidable.not_not Classical.not_forall
  Classical.not_imp Nat.add_zero Nat.zero_add Nat.mul_zero Nat.zero_mul Nat.add_one_ne_zero Nat.zero_ne_add_one
  Nat.succ_ne_zero Nat.zero_le Nat.not_lt_zero Nat.le_refl
attribute [simp] eq_rec_constant iff_not_self not_iff_self
attribute [congr] ite_congr dite_congr exists_prop_congr

@[simp] theorem eq_self_iff_true {α : Sort u} (a : α) : a = a ↔ True := iff_true_intro rfl
theorem cond_true {α : Sort u} (x y : α) : cond true x y = x := rfl
theorem cond_false {α : Sort u} (x y : α) : cond false x y = y := rfl
@[simp] theorem if_true {α : Sort u} {h : Decidable True} (t e : α) : ite True t e = t := if_pos trivial
@[simp] theorem if_false {α : Sort u} {h : Decidable False} (t e : α) : ite False t e = e := if_neg id
@[simp] theorem dite_not {α : Sort u} {p : Prop} {_ : Decidable p} {_ : Decidable ¬p} (x : ¬p → α) (y : ¬¬p → α) :
    dite (¬p) x y = dite p (fun h => y (not_not_intro h)) x :=
  if h : p then by rw [dif_pos h, dif_neg (not_not_intro h)] else by rw [dif_neg h, dif_pos h]
@[simp] theorem ite_not {α : Sort u} (p : Prop) {_ : Decidable p} {_ : Decidable ¬p} (x y : α) :
    ite (¬p) x y = ite p y x := dite_not _ _
@[simp] theorem ite_eq_left_iff {α : Sort u} {p : Prop} {_ : Decidable p} {x y : α} : ite p x y = x ↔ (¬p → y = x) :=
  if h : p then ⟨fun _ n => absurd h n, fun _ => if_pos h⟩
  else ⟨fun e _ => (if_neg h).symm.trans e, fun k => (if_neg h).trans (k h)⟩
@[simp] theorem ite_eq_right_iff {α : Sort u} {p : Prop} {_ : Decidable p} {x y : α} : ite p x y = y ↔ (p → x = y) :=
  if h : p then ⟨fun e _ => (if_pos h).symm.trans e, fun k => (if_pos h).trans (k h)⟩
  else ⟨fun _ n => absurd n h, fun _ => if_neg h⟩
@[simp] theorem dite_eq_left_iff {α : Sort u} {p : Prop} [Decidable p] {x : α} {y : ¬p → α} :
    (if h : p then x else y h) = x ↔ ∀ h : ¬p, y h = x :=
  if h : p then by rw [dif_pos h]; exact ⟨fun _ n => absurd h n, fun _ => rfl⟩
  else by rw [dif_neg h]; exact ⟨fun e _ => e, fun f => f h⟩
@[simp] theorem dite_eq_right_iff {α : Sort u} {p : Prop} [Decidable p] {x : p → α} {y : α} :
    (if h : p then x h else y) = y ↔ ∀ h : p, x h = y :=
  if h : p then by rw [dif_pos h]; exact ⟨fun e _ => e, fun f => f h⟩
  else by rw [dif_neg h]; exact ⟨fun _ k => absurd k h, fun _ => rfl⟩
section
variable {p q : Prop} [Decidable p]
@[simp] theorem ite_then_self {p q : Prop} [Decidable p] : (if p then p else q) = (¬p → q) :=
  if h : p then by rw [if_pos h]; exact (eq_true h).trans (eq_true fun n => absurd h n).symm
  else by rw [if_neg h]; exact propext ⟨fun x _ => x, fun f => f h⟩
@[simp] theorem ite_else_self {p q : Prop} [Decidable p] : (if p then q else p) = (p ∧ q) :=
  if h : p then by rw [if_pos h]; exact propext ⟨fun x => ⟨h, x⟩, And.right⟩
  else by rw [if_neg h]; exact propext ⟨fun x => absurd x h, And.left⟩
@[simp] theorem if_false_left : ite p False q ↔ ¬p ∧ q :=
  if h : p then by rw [if_pos h]; exact ⟨False.elim, fun k => k.1 h⟩ else by rw [if_neg h]; exact ⟨fun x => ⟨h, x⟩,
    And.right⟩
@[simp] theorem if_false_right : ite p q False ↔ p ∧ q :=
  if h : p then by rw [if_pos h]; exact ⟨fun x => ⟨h, x⟩, And.right⟩
  else by rw [if_neg h]; exact ⟨False.elim, fun k => h k.1⟩
@[simp low] theorem if_true_left : ite p True q ↔ ¬p → q :=
  if h : p then by rw [if_pos h]; exact ⟨fun _ n => absurd h n, fun _ => trivial⟩
  else by rw [if_neg h]; exact ⟨fun x _ => x, fun f => f h⟩
@[simp low] theorem if_true_right : ite p q True ↔ p → q :=
  if h : p then by rw [if_pos h]; exact ⟨fun x _ => x, fun f => f h⟩
  else by rw [if_neg h]; exact ⟨fun _ x => absurd x h, fun _ => trivial⟩
end
section
variable {a b c p q : Prop}
@[simp] theorem and_congr_right_iff : (a ∧ b ↔ a ∧ c) ↔ (a → (b ↔ c)) :=
  ⟨fun h x => ⟨fun y => (h.1 ⟨x, y⟩).2, fun z => (h.2 ⟨x, z⟩).2⟩, and_congr_right⟩
@[simp] theorem and_congr_left_iff : (a ∧ c ↔ b ∧ c) ↔ c → (a ↔ b) :=
  ⟨fun h z => ⟨fun x => (h.1 ⟨x, z⟩).1, fun y => (h.2 ⟨y, z⟩).1⟩, and_congr_left⟩
@[simp] theorem iff_self_and : (p ↔ p ∧ q) ↔ (p → q) := Iff.comm.trans and_iff_left_iff_imp
@[simp] theorem iff_and_self : (p ↔ q ∧ p) ↔ (p → q) := Iff.comm.trans and_iff_right_iff_imp
@[simp] theorem iff_self_or {a b : Prop} : (a ↔ a ∨ b) ↔ (b → a) := Iff.comm.trans or_iff_left_iff_imp
@[simp] theorem iff_or_self {a b : Prop} : (b ↔ a ∨ b) ↔ (a → b) := Iff.comm.trans or_iff_right_iff_imp
@[simp] theorem not_decide_eq_true [Decidable p] : ((!decide p) = true) = ¬p :=
  propext ⟨fun h x => by rw [decide_eq_true x] at h; exact Bool.noConfusion h, fun n => by rw [decide_eq_false n]; rfl⟩
end
theorem ite_and {α : Sort u} {p q : Prop} [Decidable p] [Decidable q] {a b : α} :
    (if p ∧ q then a else b) = if p then if q then a else b else b :=
  if hp : p then if hq : q then ((if_pos ⟨hp, hq⟩).trans (if_pos hq).symm).trans (if_pos hp).symm
    else ((if_neg fun h => hq h.2).trans (if_neg hq).symm).trans (if_pos hp).symm
  else (if_neg fun h => hp h.1).trans (if_neg hp).symm
theorem apply_ite {α : Sort u} {β : Sort v} (f : α → β) (p : Prop) [Decidable p] (x y : α) :
    f (ite p x y) = ite p (f x) (f y) :=
  if h : p then (congrArg f (if_pos h)).trans (if_pos h).symm else (congrArg f (if_neg h)).trans (if_neg h).symm

/-! Booleans. -/

namespace Bool
variable (a b c : Bool)
@[simp] theorem false_ne_true : (false = true) = False := eq_false fun h => Bool.noConfusion h
@[simp] theorem true_ne_false : (true = false) = False := eq_false fun h => Bool.noConfusion h
@[simp] theorem and_true : (b && true) = b := by cases b <;> rfl
@[simp] theorem and_false : (b && false) = false := by cases b <;> rfl
@[simp] theorem true_and : (true && b) = b := rfl
@[simp] theorem false_and : (false && b) = false := rfl
@[simp] theorem and_self : (b && b) = b := by cases b <;> rfl
@[simp] theorem or_true : (b || true) = true := by cases b <;> rfl
@[simp] theorem or_false : (b || false) = b := by cases b <;> rfl
@[simp] theorem true_or : (true || b) = true := rfl
@[simp] theorem false_or : (false || b) = b := rfl
@[simp] theorem or_self : (b || b) = b := by cases b <;> rfl
@[simp] theorem not_not : (!!b) = b := by cases b <;> rfl
@[simp] theorem not_true : (!true) = false := rfl
@[simp] theorem not_false : (!false) = true := rfl
@[simp] theorem and_not_self : (b && !b) = false := by cases b <;> rfl
@[simp] theorem not_and_self : (!b && b) = false := by cases b <;> rfl
@[simp] theorem or_not_self : (b || !b) = true := by cases b <;> rfl
@[simp] theorem not_or_self : (!b || b) = true := by cases b <;> rfl
@[simp] theorem not_eq_true : (¬b = true) = (b = false) := propext ⟨eq_false_of_ne_true, ne_true_of_eq_false⟩
@[simp] theorem not_eq_false : (¬b = false) = (b = true) := propext ⟨eq_true_of_ne_false, ne_false_of_eq_true⟩
@[simp] theorem and_eq_true : ((a && b) = true) = (a = true ∧ b = true) :=
  propext (by cases a <;> cases b <;> decide)
theorem and_eq_true_iff : ((a && b) = true) ↔ (a = true ∧ b = true) := iff_of_eq (and_eq_true a b)
@[simp] theorem or_eq_true : ((a || b) = true) = (a = true ∨ b = true) :=
  propext (by cases a <;> cases b <;> decide)
theorem or_eq_true_iff : ((a || b) = true) ↔ (a = true ∨ b = true) := iff_of_eq (or_eq_true a b)
@[simp] theorem not_eq_true' : ((!b) = true) = (b = false) := propext (by cases b <;> decide)
@[simp] theorem not_eq_false' : ((!b) = false) = (b = true) := propext (by cases b <;> decide)
@[simp] theorem not_eq_eq_eq_not : ((!a) = b) = (a = !b) := propext (by cases a <;> cases b <;> decide)
@[simp] theorem and_eq_false_imp : ((a && b) = false) ↔ (a = true → b = false) := by cases a <;> cases b <;> decide
@[simp] theorem or_eq_false_iff : ((a || b) = false) ↔ a = false ∧ b = false := by cases a <;> cases b <;> decide
theorem and_comm : (a && b) = (b && a) := by cases a <;> cases b <;> rfl
theorem or_comm : (a || b) = (b || a) := by cases a <;> cases b <;> rfl
theorem and_assoc : (a && b && c) = (a && (b && c)) := by cases a <;> rfl
theorem or_assoc : (a || b || c) = (a || (b || c)) := by cases a <;> rfl
theorem and_left_comm : (a && (b && c)) = (b && (a && c)) := by cases a <;> cases b <;> rfl
theorem or_left_comm : (a || (b || c)) = (b || (a || c)) := by cases a <;> cases b <;> rfl
theorem and_or_distrib_left : (a && (b || c)) = (a && b || a && c) := by cases a <;> rfl
theorem and_or_distrib_right : ((a || b) && c) = (a && c || b && c) := by cases a <;> cases b <;> cases c <;> rfl
theorem or_and_distrib_left : (a || b && c) = ((a || b) && (a || c)) := by cases a <;> rfl
theorem or_and_distrib_right : (a && b || c) = ((a || c) && (b || c)) := by cases a <;> cases b <;> cases c <;> rfl
@[simp] theorem not_and : (!(a && b)) = (!a || !b) := by cases a <;> rfl
@[simp] theorem not_or : (!(a || b)) = (!a && !b) := by cases a <;> rfl
theorem eq_iff_iff {a b : Bool} : a = b ↔ (a = true ↔ b = true) := by cases a <;> cases b <;> decide
theorem eq_false_or_eq_true : (b = true) ∨ b = false := by cases b <;> decide
theorem eq_false_iff {b : Bool} : b = false ↔ b ≠ true := by cases b <;> decide
theorem ne_false_iff {b : Bool} : b ≠ false ↔ b = true := by cases b <;> decide
@[simp] theorem cond_true {α : Sort u} (x y : α) : cond true x y = x := rfl
@[simp] theorem cond_false {α : Sort u} (x y : α) : cond false x y = y := rfl
theorem cond_pos {α : Sort u} {c : Bool} {x y : α} (h : c = true) : cond c x y = x := by cases h; rfl
theorem cond_neg {α : Sort u} {c : Bool} {x y : α} (h : c = false) : cond c x y = y := by cases h; rfl
theorem of_not_eq_true {b : Bool} (h : ¬b = true) : b = false := eq_false_of_ne_true h
theorem of_not_eq_false {b : Bool} (h : ¬b = false) : b = true := eq_true_of_ne_false h
@[simp] theorem decide_eq_true {b : Bool} [Decidable (b = true)] : decide (b = true) = b := by
  cases b
  · exact decide_eq_false (fun h => Bool.noConfusion h)
  · exact _root_.decide_eq_true rfl
@[simp] theorem decide_eq_false {b : Bool} [Decidable (b = false)] : decide (b = false) = !b := by
  cases b
  · exact _root_.decide_eq_true rfl
  · exact _root_.decide_eq_false (fun h => Bool.noConfusion h)
end Bool

instance Bool.instDecidableForallOfDecidablePred (p : Bool → Prop) [DecidablePred p] : Decidable (∀ x, p x) :=
  decidable_of_iff (p true ∧ p false)
    ⟨fun h x => match x with | true => h.1 | false => h.2, fun h => ⟨h true, h false⟩⟩
instance Bool.instDecidableExistsOfDecidablePred (p : Bool → Prop) [DecidablePred p] : Decidable (∃ x, p x) :=
  decidable_of_iff (p true ∨ p false)
    ⟨fun h => h.elim (fun k => ⟨true, k⟩) fun k => ⟨false, k⟩,
     fun ⟨x, k⟩ => match x, k with | true, k => .inl k | false, k => .inr k⟩
@[simp] theorem Bool.forall_bool {p : Bool → Prop} : (∀ b, p b) ↔ p false ∧ p true :=
  ⟨fun h => ⟨h false, h true⟩, fun h b => match b with | false => h.1 | true => h.2⟩
@[simp] theorem Bool.exists_bool {p : Bool → Prop} : (∃ b, p b) ↔ p false ∨ p true :=
  ⟨fun ⟨b, h⟩ => match b, h with | false, h => .inl h | true, h => .inr h, fun h => h.elim (fun k => ⟨_, k⟩) fun k => ⟨_, k⟩⟩

class ReflBEq (α : Type u) [BEq α] : Prop where
  rfl {a : α} : (a == a) = true
class LawfulBEq (α : Type u) [BEq α] : Prop extends ReflBEq α where
  eq_of_beq : {a b : α} → (a == b) = true → a = b
export LawfulBEq (eq_of_beq)
section
variable {α : Type u} [BEq α]
@[simp] theorem BEq.rfl [ReflBEq α] {a : α} : (a == a) = true := ReflBEq.rfl
@[simp] theorem beq_self_eq_true [ReflBEq α] (a : α) : (a == a) = true := ReflBEq.rfl
@[simp] theorem beq_iff_eq [LawfulBEq α] {a b : α} : (a == b) = true ↔ a = b := ⟨eq_of_beq, fun h => h ▸ ReflBEq.rfl⟩
@[simp] theorem bne_iff_ne [LawfulBEq α] {a b : α} : (a != b) = true ↔ a ≠ b := by
  show (!(a == b)) = true ↔ _
  constructor
  · intro h e
    rw [beq_iff_eq.2 e] at h
    exact Bool.noConfusion h
  · intro n
    cases h : a == b
    · rfl
    · exact absurd (eq_of_beq h) n
@[simp] theorem bne_self_eq_false [ReflBEq α] (a : α) : (a != a) = false := by
  show (!(a == a)) = false
  rw [beq_self_eq_true]; rfl
@[simp] theorem bne_eq_false_iff_eq [LawfulBEq α] {a b : α} : (a != b) = false ↔ a = b := by
  rw [← Bool.not_eq_true, bne_iff_ne]; exact Classical.not_not
@[simp] theorem beq_eq_false_iff_ne [LawfulBEq α] {a b : α} : (a == b) = false ↔ a ≠ b := by
  rw [← Bool.not_eq_true, beq_iff_eq]
end
instance {α : Type u} [DecidableEq α] : LawfulBEq α where
  rfl := decide_eq_true rfl
  eq_of_beq := of_decide_eq_true
instance : LawfulBEq Bool := inferInstance
@[simp] theorem beq_true (b : Bool) : (b == true) = b := by cases b <;> rfl
@[simp] theorem beq_false (b : Bool) : (b == false) = !b := by cases b <;> rfl

/-! Products, options and the rest of the standard types. -/

@[simp] theorem Prod.mk.eta {α : Type u} {β : Type v} (p : α × β) : (p.1, p.2) = p := rfl
theorem Prod.ext {α : Type u} {β : Type v} : {p q : α × β} → p.1 = q.1 → p.2 = q.2 → p = q
  | (_, _), (_, _), rfl, rfl => rfl
theorem Prod.ext_iff {α : Type u} {β : Type v} {p q : α × β} : p = q ↔ p.1 = q.1 ∧ p.2 = q.2 :=
  ⟨fun h => h ▸ ⟨rfl, rfl⟩, fun h => Prod.ext h.1 h.2⟩
@[simp] theorem Prod.exists {α : Type u} {β : Type v} {p : α × β → Prop} : (∃ x, p x) ↔ ∃ a b, p (a, b) :=
  ⟨fun ⟨(a, b), h⟩ => ⟨a, b, h⟩, fun ⟨a, b, h⟩ => ⟨(a, b), h⟩⟩
@[simp] theorem Prod.forall {α : Type u} {β : Type v} {p : α × β → Prop} : (∀ x, p x) ↔ ∀ a b, p (a, b) :=
  ⟨fun h a b => h (a, b), fun h (a, b) => h a b⟩
instance {α : Type u} {β : Type v} [Inhabited α] [Inhabited β] : Inhabited (α × β) := ⟨(default, default)⟩
@[simp] def Prod.map {α₁ α₂ β₁ β₂ : Type u} (f : α₁ → α₂) (g : β₁ → β₂) : α₁ × β₁ → α₂ × β₂
  | (a, b) => (f a, g b)
def Prod.swap {α : Type u} {β : Type v} (p : α × β) : β × α := (p.2, p.1)
@[simp] theorem Prod.fst_swap {α : Type u} {β : Type v} (p : α × β) : p.swap.1 = p.2 := rfl
@[simp] theorem Prod.snd_swap {α : Type u} {β : Type v} (p : α × β) : p.swap.2 = p.1 := rfl
@[simp] theorem Prod.swap_swap {α : Type u} {β : Type v} (p : α × β) : p.swap.swap = p := rfl
theorem Subtype.ext {α : Sort u} {p : α → Prop} : {a b : { x // p x }} → a.1 = b.1 → a = b
  | ⟨_, _⟩, ⟨_, _⟩, rfl => rfl
protected theorem Subtype.eq {α : Sort u} {p : α → Prop} {a b : { x // p x }} (h : a.1 = b.1) : a = b := Subtype.ext h
theorem Subtype.ext_iff {α : Sort u} {p : α → Prop} {a b : { x // p x }} : a = b ↔ a.1 = b.1 :=
  ⟨congrArg _, Subtype.ext⟩
@[simp] theorem Subtype.exists {α : Sort u} {p : α → Prop} {q : { x // p x } → Prop} :
    (∃ x, q x) ↔ ∃ a, ∃ h, q ⟨a, h⟩ :=
  ⟨fun ⟨⟨a, h⟩, k⟩ => ⟨a, h, k⟩, fun ⟨a, h, k⟩ => ⟨⟨a, h⟩, k⟩⟩
@[simp] theorem Subtype.forall {α : Sort u} {p : α → Prop} {q : { x // p x } → Prop} : (∀ x, q x) ↔ ∀ a h, q ⟨a, h⟩ :=
  ⟨fun h a k => h ⟨a, k⟩, fun h ⟨a, k⟩ => h a k⟩
attribute [ext] funext
attribute [ext] Prod.ext
attribute [ext] Subtype.ext
theorem Fin.ext {n : Nat} {a b : Fin n} (h : a.val = b.val) : a = b := Fin.eq_of_val_eq h
theorem Fin.ext_iff {n : Nat} {a b : Fin n} : a = b ↔ a.val = b.val := ⟨Fin.val_eq_of_eq, Fin.ext⟩
attribute [ext] Fin.ext
@[simp] theorem Fin.eta {n : Nat} (a : Fin n) (h : a.val < n) : (⟨a.val, h⟩ : Fin n) = a := rfl
theorem PUnit.ext (a b : PUnit) : a = b := rfl
attribute [ext] PUnit.ext
theorem propext_iff {a b : Prop} : a = b ↔ (a ↔ b) := eq_iff_iff
attribute [ext] propext
@[simp] theorem Function.comp_apply {α : Sort u} {β : Sort v} {δ : Sort w} {f : β → δ} {g : α → β} {x : α} :
    (f ∘ g) x = f (g x) := rfl
@[simp] theorem Function.const_apply {α : Sort u} {β : Sort v} {y : β} {x : α} : Function.const α y x = y := rfl
theorem Function.comp_def {α : Sort u} {β : Sort v} {δ : Sort w} (f : β → δ) (g : α → β) : f ∘ g = fun x => f (g x) :=
  rfl

namespace Option
variable {α : Type u} {β : Type v}
@[inline] def isSome : Option α → Bool
  | some _ => true
  | none => false
@[inline] def isNone : Option α → Bool
  | some _ => false
  | none => true
@[inline] protected def bind : Option α → (α → Option β) → Option β
  | none, _ => none
  | some a, f => f a
@[inline] protected def elim : Option α → β → (α → β) → β
  | some x, _, f => f x
  | none, y, _ => y
@[inline] def get : (o : Option α) → isSome o = true → α
  | some x, _ => x
@[inline] protected def filter (p : α → Bool) : Option α → Option α
  | some a => if p a then some a else none
  | none => none
protected def orElse : Option α → (Unit → Option α) → Option α
  | some a, _ => some a
  | none, b => b ()
instance : OrElse (Option α) := ⟨Option.orElse⟩
instance : Membership α (Option α) := ⟨fun o a => o = some a⟩
@[simp] theorem mem_def {a : α} {b : Option α} : a ∈ b ↔ b = some a := Iff.rfl
theorem some_inj {a b : α} : some a = some b ↔ a = b := ⟨fun h => Option.some.inj h, congrArg some⟩
theorem some_ne_none (a : α) : some a ≠ none := fun h => Option.noConfusion rfl (heq_of_eq h)
@[simp] theorem isSome_none : (none : Option α).isSome = false := rfl
@[simp] theorem isSome_some {a : α} : (some a).isSome = true := rfl
@[simp] theorem isNone_none : (none : Option α).isNone = true := rfl
@[simp] theorem isNone_some {a : α} : (some a).isNone = false := rfl
@[simp] theorem map_none (f : α → β) : Option.map f none = none := rfl
@[simp] theorem map_some (f : α → β) (a : α) : Option.map f (some a) = some (f a) := rfl
@[simp] theorem bind_none (f : α → Option β) : Option.bind none f = none := rfl
@[simp] theorem bind_some (a : α) (f : α → Option β) : Option.bind (some a) f = f a := rfl
@[simp] theorem getD_none {a : α} : getD none a = a := rfl
@[simp] theorem getD_some {a b : α} : getD (some a) b = a := rfl
theorem ne_none_iff_exists {o : Option α} : o ≠ none ↔ ∃ x, some x = o := by
  cases o with
  | none => exact ⟨fun h => absurd rfl h, fun ⟨_, h⟩ => absurd h (some_ne_none _)⟩
  | some a => exact ⟨fun _ => ⟨a, rfl⟩, fun _ => some_ne_none a⟩
theorem isSome_iff_exists {o : Option α} : o.isSome = true ↔ ∃ a, o = some a := by
  cases o with
  | none => exact ⟨fun h => Bool.noConfusion h, fun ⟨_, h⟩ => absurd h.symm (some_ne_none _)⟩
  | some a => exact ⟨fun _ => ⟨a, rfl⟩, fun _ => rfl⟩
theorem eq_none_iff_forall_not_mem {o : Option α} : o = none ↔ ∀ a, ¬a ∈ o := by
  cases o with
  | none => exact ⟨fun _ a h => some_ne_none a h.symm, fun _ => rfl⟩
  | some a => exact ⟨fun h => absurd h (some_ne_none a), fun h => absurd rfl (h a)⟩
theorem ext : {a b : Option α} → (∀ x, a = some x ↔ b = some x) → a = b
  | none, none, _ => rfl
  | none, some x, h => ((h x).2 rfl)
  | some x, none, h => ((h x).1 rfl).symm
  | some x, some y, h => ((h x).1 rfl).symm
end Option
attribute [ext] Option.ext

namespace Nonempty
variable {α : Sort u}
protected theorem map {β : Sort v} (f : α → β) : Nonempty α → Nonempty β := fun ⟨a⟩ => ⟨f a⟩
end Nonempty
theorem not_nonempty_iff_imp_false {α : Sort u} : ¬Nonempty α ↔ α → False := ⟨fun h a => h ⟨a⟩, fun h ⟨a⟩ => h a⟩

class Subsingleton (α : Sort u) : Prop where
  intro ::
  allEq : (a b : α) → a = b
protected theorem Subsingleton.elim {α : Sort u} [h : Subsingleton α] : (a b : α) → a = b := h.allEq
protected theorem Subsingleton.helim {α β : Sort u} [h : Subsingleton α] (e : α = β) (a : α) (b : β) : HEq a b := by
  subst e; exact heq_of_eq (Subsingleton.elim a b)
instance (p : Prop) : Subsingleton p := ⟨fun _ _ => rfl⟩
instance : Subsingleton PUnit := ⟨fun _ _ => rfl⟩
instance : Subsingleton Empty := ⟨fun a => a.rec⟩
instance (p : Prop) : Subsingleton (Decidable p) := ⟨Decidable.eq_of_same p⟩
instance {α : Sort u} {β : α → Sort v} [∀ a, Subsingleton (β a)] : Subsingleton (∀ a, β a) :=
  ⟨fun f g => funext fun a => Subsingleton.elim (f a) (g a)⟩
