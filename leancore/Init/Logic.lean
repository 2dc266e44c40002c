prelude
import Init.Syn
/-! Propositional logic, equality, quantifiers, classical reasoning, `if`: the lemmas that tactics put into their
proofs, and the names users know. Term proofs only: `simp` and `rw` need this file. -/
set_option linter.all false
universe u v w

attribute [coe] Subtype.val

/-! Equality. -/

axiom propext {a b : Prop} : (a ↔ b) → a = b

section
variable {α β : Sort u} {a b c : α}

@[macro_inline] def Eq.mp (h : α = β) (a : α) : β := h ▸ a
@[macro_inline] def Eq.mpr (h : α = β) (b : β) : α := h ▸ b
theorem Eq.substr {α : Sort u} {p : α → Prop} {a b : α} (h : b = a) (k : p a) : p b := h ▸ k
theorem Eq.mpr_prop {p q : Prop} (h : p = q) (k : q) : p := h ▸ k
theorem Eq.mpr_not {p q : Prop} (h : p = q) (k : ¬q) : ¬p := h ▸ k
theorem Eq.propIntro {a b : Prop} (h : a → b) (k : b → a) : a = b := propext ⟨h, k⟩
theorem eq_self (a : α) : (a = a) = True := propext ⟨fun _ => trivial, fun _ => rfl⟩
theorem cast_eq (h : α = α) (a : α) : cast h a = a := rfl
theorem cast_cast {γ : Sort u} (h : α = β) (k : β = γ) (a : α) : cast k (cast h a) = cast (h.trans k) a := by
  cases h; cases k; rfl
theorem cast_heq (h : α = β) (a : α) : HEq (cast h a) a := by cases h; exact HEq.refl a
theorem eq_comm : a = b ↔ b = a := ⟨Eq.symm, Eq.symm⟩
theorem eq_mp_eq_cast (h : α = β) : Eq.mp h = cast h := rfl
theorem eq_mpr_eq_cast (h : α = β) : Eq.mpr h = cast h.symm := rfl
theorem eq_rec_constant {motive : Sort v} (h : a = b) (x : motive) : (@Eq.rec α a (fun _ _ => motive) x b h) = x := by
  cases h; rfl
theorem congr_arg_heq {β : α → Sort v} (f : ∀ a, β a) (h : a = b) : HEq (f a) (f b) := by cases h; exact HEq.refl _
end

section
variable {α β γ : Sort u} {a b : α} {a' : α} {b' : β} {c : γ}
theorem HEq.symm (h : HEq a b') : HEq b' a := h.rec (HEq.refl a)
theorem HEq.trans (h : HEq a b') (k : HEq b' c) : HEq a c := by cases h; exact k
theorem heq_of_heq_of_eq {b c : β} (h : HEq a b) (k : b = c) : HEq a c := k ▸ h
theorem heq_of_eq_of_heq (h : a = a') (k : HEq a' b') : HEq a b' := h ▸ k
theorem type_eq_of_heq (h : HEq a b') : α = β := h.rec rfl
theorem heq_of_eq_mp (e : α = β) (h : Eq.mp e a = b') : HEq a b' := by cases e; cases h; exact HEq.refl _
theorem eqRec_heq {φ : α → Sort v} :
    {a a' : α} → (h : a = a') → (p : φ a) → HEq (Eq.recOn (motive := fun x _ => φ x) h p) p
  | _, _, rfl, p => HEq.refl p
theorem heq_eq_eq (a b : α) : HEq a b = (a = b) := propext ⟨eq_of_heq, heq_of_eq⟩
theorem heq_self_eq_true (a : α) : HEq a a = True := propext ⟨fun _ => trivial, fun _ => HEq.refl a⟩
theorem HEq.subst {p : (T : Sort u) → T → Prop} (h : HEq a b') (k : p α a) : p β b' := by cases h; exact k
def HEq.ndrec {α : Sort u} {a : α} {motive : {β : Sort u} → β → Sort v} (m : motive a) {β : Sort u} {b : β}
    (h : HEq a b) : motive b := h.rec m
abbrev HEq.homo_ndrec.{u1, u2} {α : Sort u2} {a : α} {motive : α → Sort u1} (m : motive a) {b : α} (h : HEq a b) :
    motive b := (eq_of_heq h).ndrec m
abbrev HEq.homo_ndrec_symm.{u1, u2} {α : Sort u2} {a : α} {motive : α → Sort u1} (m : motive a) {b : α} (h : HEq b a) :
    motive b := (eq_of_heq h).ndrec_symm m
theorem proof_irrel_heq {p q : Prop} (hp : p) (hq : q) : HEq hp hq := by
  cases propext ⟨fun _ => hq, fun _ => hp⟩; exact HEq.refl _
theorem heq_comm : HEq a b' ↔ HEq b' a := ⟨HEq.symm, HEq.symm⟩
end

theorem Lean.injEq_helper {p q r : Prop} (h : p → q → r) (k : p ∧ q) : r := h k.1 k.2

/-! `≠`. -/

section
variable {α : Sort u} {a b c : α}
theorem Ne.intro (h : a = b → False) : a ≠ b := h
theorem Ne.elim (h : a ≠ b) : a = b → False := h
theorem Ne.symm (h : a ≠ b) : b ≠ a := fun e => h e.symm
theorem Ne.irrefl (h : a ≠ a) : False := h rfl
theorem ne_comm : a ≠ b ↔ b ≠ a := ⟨Ne.symm, Ne.symm⟩
theorem false_of_ne (h : a ≠ a) : False := h rfl
theorem ne_of_eq_of_ne (h : a = b) (k : b ≠ c) : a ≠ c := h ▸ k
theorem ne_of_ne_of_eq (h : a ≠ b) (k : b = c) : a ≠ c := k ▸ h
theorem ne_eq (a b : α) : (a ≠ b) = ¬(a = b) := rfl
theorem ne_self_iff_false (a : α) : a ≠ a ↔ False := ⟨fun h => h rfl, False.elim⟩
theorem ne_of_apply_ne {α : Sort u} {β : Sort v} (f : α → β) {x y : α} (h : f x ≠ f y) : x ≠ y := fun e => h (e ▸ rfl)
theorem ne_true_of_not {p : Prop} (h : ¬p) : p ≠ True := fun e => h (e ▸ trivial)
theorem ne_false_of_self {p : Prop} (h : p) : p ≠ False := fun e => e ▸ h
theorem true_ne_false : ¬(True = False) := ne_false_of_self trivial
theorem false_ne_true : False ≠ True := fun h => h.symm ▸ trivial
@[inline] def bne {α : Type u} [BEq α] (a b : α) : Bool := !(a == b)
theorem bne_eq_not_beq {α : Type u} [BEq α] (a b : α) : (a != b) = !(a == b) := rfl
end

/-! `↔`. -/

section
variable {a b c d : Prop}
theorem Iff.of_eq (h : a = b) : a ↔ b := h ▸ Iff.refl a
theorem Iff.trans (h : a ↔ b) (k : b ↔ c) : a ↔ c := ⟨fun x => k.1 (h.1 x), fun x => h.2 (k.2 x)⟩
theorem Iff.symm (h : a ↔ b) : b ↔ a := ⟨h.2, h.1⟩
attribute [refl] Iff.refl
theorem Iff.comm : (a ↔ b) ↔ (b ↔ a) := ⟨Iff.symm, Iff.symm⟩
theorem iff_comm : (a ↔ b) ↔ (b ↔ a) := Iff.comm
theorem Iff.subst {p : Prop → Prop} (h : a ↔ b) (k : p a) : p b := propext h ▸ k
instance : Trans Iff Iff Iff := ⟨Iff.trans⟩
theorem iff_of_true (h : a) (k : b) : a ↔ b := ⟨fun _ => k, fun _ => h⟩
theorem iff_of_false (h : ¬a) (k : ¬b) : a ↔ b := ⟨fun x => (h x).elim, fun x => (k x).elim⟩
theorem iff_of_eq (h : a = b) : a ↔ b := h ▸ Iff.refl a
theorem iff_iff_eq : (a ↔ b) ↔ a = b := ⟨propext, iff_of_eq⟩
theorem iff_true_intro (h : a) : a ↔ True := iff_of_true h trivial
theorem iff_false_intro (h : ¬a) : a ↔ False := iff_of_false h id
theorem of_iff_true (h : a ↔ True) : a := h.2 trivial
theorem not_of_iff_false (h : a ↔ False) : ¬a := h.1
theorem not_iff_false_intro (h : a) : ¬a ↔ False := ⟨fun n => n h, False.elim⟩
theorem iff_true_left (h : a) : (a ↔ b) ↔ b := ⟨fun k => k.1 h, fun k => iff_of_true h k⟩
theorem iff_true_right (h : a) : (b ↔ a) ↔ b := Iff.comm.trans (iff_true_left h)
theorem iff_false_left (h : ¬a) : (a ↔ b) ↔ ¬b := ⟨fun k x => h (k.2 x), fun k => iff_of_false h k⟩
theorem iff_false_right (h : ¬a) : (b ↔ a) ↔ ¬b := Iff.comm.trans (iff_false_left h)
theorem Iff.not (h : a ↔ b) : ¬a ↔ ¬b := ⟨fun n x => n (h.2 x), fun n x => n (h.1 x)⟩
theorem not_congr (h : a ↔ b) : ¬a ↔ ¬b := h.not
theorem Iff.and (h : a ↔ b) (k : c ↔ d) : a ∧ c ↔ b ∧ d := ⟨fun x => ⟨h.1 x.1, k.1 x.2⟩, fun x => ⟨h.2 x.1, k.2 x.2⟩⟩
theorem and_congr (h : a ↔ b) (k : c ↔ d) : a ∧ c ↔ b ∧ d := h.and k
theorem Or.imp (f : a → c) (g : b → d) (h : a ∨ b) : c ∨ d := h.elim (fun x => .inl (f x)) fun x => .inr (g x)
theorem Or.imp_left (f : a → b) : a ∨ c → b ∨ c := .imp f id
theorem Or.imp_right (f : b → c) : a ∨ b → a ∨ c := .imp id f
theorem Iff.or (h : a ↔ b) (k : c ↔ d) : a ∨ c ↔ b ∨ d := ⟨.imp h.1 k.1, .imp h.2 k.2⟩
theorem or_congr (h : a ↔ b) (k : c ↔ d) : a ∨ c ↔ b ∨ d := h.or k
theorem or_congr_left (h : a ↔ b) : a ∨ c ↔ b ∨ c := h.or .rfl
theorem or_congr_right (h : b ↔ c) : a ∨ b ↔ a ∨ c := Iff.or .rfl h
theorem imp_congr (h : a ↔ c) (k : b ↔ d) : (a → b) ↔ (c → d) :=
  ⟨fun f x => k.1 (f (h.2 x)), fun f x => k.2 (f (h.1 x))⟩
theorem imp_congr_left (h : a ↔ b) : (a → c) ↔ (b → c) := imp_congr h .rfl
theorem imp_congr_right (h : a → (b ↔ c)) : (a → b) ↔ (a → c) := ⟨fun f x => (h x).1 (f x), fun f x => (h x).2 (f x)⟩
theorem imp_congr_ctx (h : a ↔ c) (k : c → (b ↔ d)) : (a → b) ↔ (c → d) :=
  ⟨fun f x => (k x).1 (f (h.2 x)), fun f x => (k (h.1 x)).2 (f (h.1 x))⟩
theorem Iff.imp (h : a ↔ c) (k : b ↔ d) : (a → b) ↔ (c → d) := imp_congr h k
theorem iff_congr (h : a ↔ c) (k : b ↔ d) : (a ↔ b) ↔ (c ↔ d) := by
  cases propext h; cases propext k; exact .rfl
theorem Iff.iff (h : a ↔ c) (k : b ↔ d) : (a ↔ b) ↔ (c ↔ d) := iff_congr h k
theorem and_congr_right (h : a → (b ↔ c)) : a ∧ b ↔ a ∧ c :=
  ⟨fun x => ⟨x.1, (h x.1).1 x.2⟩, fun x => ⟨x.1, (h x.1).2 x.2⟩⟩
theorem and_congr_left (h : c → (a ↔ b)) : a ∧ c ↔ b ∧ c :=
  ⟨fun x => ⟨(h x.2).1 x.1, x.2⟩, fun x => ⟨(h x.2).2 x.1, x.2⟩⟩
theorem and_congr_right' (h : b ↔ c) : a ∧ b ↔ a ∧ c := and_congr_right fun _ => h
theorem and_congr_left' (h : a ↔ b) : a ∧ c ↔ b ∧ c := and_congr_left fun _ => h
end

/-! `¬`, `∧`, `∨`, `→`: what simplification of propositions needs. -/

section
variable {a b c d p q : Prop}
theorem Not.intro (h : a → False) : ¬a := h
def Not.elim {α : Sort u} (h : ¬a) (k : a) : α := absurd k h
theorem Not.imp (h : ¬b) (f : a → b) : ¬a := fun x => h (f x)
theorem mt (f : a → b) (h : ¬b) : ¬a := fun x => h (f x)
theorem not_false : ¬False := id
theorem not_true : ¬True ↔ False := ⟨fun h => h trivial, False.elim⟩
theorem not_not_intro (h : a) : ¬¬a := fun n => n h
theorem not_not_em (a : Prop) : ¬¬(a ∨ ¬a) := fun h => h (.inr fun x => h (.inl x))
theorem not_not_not : ¬¬¬a ↔ ¬a := ⟨fun h x => h (not_not_intro x), not_not_intro⟩
theorem not_of_not_imp (h : ¬(a → b)) : ¬b := fun x => h fun _ => x
theorem imp_not_comm : (a → ¬b) ↔ (b → ¬a) := ⟨fun f y x => f x y, fun f x y => f y x⟩
theorem absurd_iff_false (h : a) : ¬a ↔ False := ⟨fun n => n h, False.elim⟩
theorem iff_not_self : ¬(a ↔ ¬a) := fun h => have n : ¬a := fun x => h.1 x x; n (h.2 n)
theorem not_iff_self : ¬(¬a ↔ a) := fun h => iff_not_self h.symm
theorem and_not_self : ¬(a ∧ ¬a) := fun h => h.2 h.1
theorem not_and_self : ¬(¬a ∧ a) := fun h => h.1 h.2
theorem and_not_self_iff (a : Prop) : a ∧ ¬a ↔ False := iff_false_intro and_not_self
theorem not_and_self_iff (a : Prop) : ¬a ∧ a ↔ False := iff_false_intro not_and_self
theorem not_imp_of_and_not (h : a ∧ ¬b) : ¬(a → b) := fun f => h.2 (f h.1)
abbrev And.elim (f : a → b → α) (h : a ∧ b) : α := f h.1 h.2
theorem And.imp (f : a → c) (g : b → d) (h : a ∧ b) : c ∧ d := ⟨f h.1, g h.2⟩
theorem And.imp_left (f : a → b) (h : a ∧ c) : b ∧ c := ⟨f h.1, h.2⟩
theorem And.imp_right (f : a → b) (h : c ∧ a) : c ∧ b := ⟨h.1, f h.2⟩
theorem And.symm (h : a ∧ b) : b ∧ a := ⟨h.2, h.1⟩
theorem And.comm : a ∧ b ↔ b ∧ a := ⟨And.symm, And.symm⟩
theorem and_comm : a ∧ b ↔ b ∧ a := And.comm
theorem and_assoc : (a ∧ b) ∧ c ↔ a ∧ (b ∧ c) := ⟨fun h => ⟨h.1.1, h.1.2, h.2⟩, fun h => ⟨⟨h.1, h.2.1⟩, h.2.2⟩⟩
theorem and_left_comm : a ∧ (b ∧ c) ↔ b ∧ (a ∧ c) := ⟨fun h => ⟨h.2.1, h.1, h.2.2⟩, fun h => ⟨h.2.1, h.1, h.2.2⟩⟩
theorem and_right_comm : (a ∧ b) ∧ c ↔ (a ∧ c) ∧ b := ⟨fun h => ⟨⟨h.1.1, h.2⟩, h.1.2⟩, fun h => ⟨⟨h.1.1, h.2⟩, h.1.2⟩⟩
theorem and_rotate : a ∧ b ∧ c ↔ b ∧ c ∧ a := ⟨fun h => ⟨h.2.1, h.2.2, h.1⟩, fun h => ⟨h.2.2, h.1, h.2.1⟩⟩
theorem and_and_and_comm : (a ∧ b) ∧ c ∧ d ↔ (a ∧ c) ∧ b ∧ d :=
  ⟨fun h => ⟨⟨h.1.1, h.2.1⟩, h.1.2, h.2.2⟩, fun h => ⟨⟨h.1.1, h.2.1⟩, h.1.2, h.2.2⟩⟩
theorem and_and_left : a ∧ (b ∧ c) ↔ (a ∧ b) ∧ a ∧ c :=
  ⟨fun h => ⟨⟨h.1, h.2.1⟩, h.1, h.2.2⟩, fun h => ⟨h.1.1, h.1.2, h.2.2⟩⟩
theorem and_and_right : (a ∧ b) ∧ c ↔ (a ∧ c) ∧ b ∧ c :=
  ⟨fun h => ⟨⟨h.1.1, h.2⟩, h.1.2, h.2⟩, fun h => ⟨⟨h.1.1, h.2.1⟩, h.1.2⟩⟩
theorem and_iff_left (h : b) : a ∧ b ↔ a := ⟨And.left, fun x => ⟨x, h⟩⟩
theorem and_iff_right (h : a) : a ∧ b ↔ b := ⟨And.right, fun x => ⟨h, x⟩⟩
theorem and_iff_left_of_imp (h : a → b) : a ∧ b ↔ a := ⟨And.left, fun x => ⟨x, h x⟩⟩
theorem and_iff_right_of_imp (h : b → a) : a ∧ b ↔ b := ⟨And.right, fun x => ⟨h x, x⟩⟩
theorem and_iff_left_iff_imp : (a ∧ b ↔ a) ↔ (a → b) := ⟨fun h x => (h.2 x).2, and_iff_left_of_imp⟩
theorem and_iff_right_iff_imp : (a ∧ b ↔ b) ↔ (b → a) := ⟨fun h x => (h.2 x).1, and_iff_right_of_imp⟩
theorem and_self_left : a ∧ a ∧ b ↔ a ∧ b := ⟨And.right, fun h => ⟨h.1, h⟩⟩
theorem and_self_right : (a ∧ b) ∧ b ↔ a ∧ b := ⟨And.left, fun h => ⟨h, h.2⟩⟩
theorem not_and_of_not_left (b : Prop) (h : ¬a) : ¬(a ∧ b) := fun x => h x.1
theorem not_and_of_not_right (a : Prop) (h : ¬b) : ¬(a ∧ b) := fun x => h x.2
theorem and_imp : (a ∧ b → c) ↔ (a → b → c) := ⟨fun f x y => f ⟨x, y⟩, fun f h => f h.1 h.2⟩
theorem imp_and {α : Sort u} : (α → b ∧ c) ↔ (α → b) ∧ (α → c) :=
  ⟨fun f => ⟨fun x => (f x).1, fun x => (f x).2⟩, fun f x => ⟨f.1 x, f.2 x⟩⟩
theorem not_and : ¬(a ∧ b) ↔ (a → ¬b) := and_imp
theorem not_and' : ¬(a ∧ b) ↔ (b → ¬a) := ⟨fun h y x => h ⟨x, y⟩, fun h k => h k.2 k.1⟩
theorem imp_intro {α β : Prop} (h : α) : β → α := fun _ => h
theorem imp_imp_imp {a b c d : Prop} (h₀ : c → a) (h₁ : b → d) : (a → b) → (c → d) := fun f x => h₁ (f (h₀ x))
theorem imp_iff_right {a : Prop} (h : a) : (a → b) ↔ b := ⟨fun f => f h, fun y _ => y⟩
theorem imp_true_iff (α : Sort u) : (α → True) ↔ True := ⟨fun _ => trivial, fun _ _ => trivial⟩
theorem false_imp_iff (a : Prop) : (False → a) ↔ True := ⟨fun _ => trivial, fun _ => False.elim⟩
theorem true_imp_iff {α : Prop} : (True → α) ↔ α := ⟨fun f => f trivial, fun x _ => x⟩
theorem imp_self (a : Prop) : (a → a) ↔ True := iff_true_intro id
theorem imp_false : (a → False) ↔ ¬a := Iff.rfl
theorem imp.swap : (a → b → c) ↔ (b → a → c) := ⟨fun f y x => f x y, fun f x y => f y x⟩
theorem forall_imp {α : Sort u} {p q : α → Prop} (h : ∀ a, p a → q a) : (∀ a, p a) → ∀ a, q a := fun k a => h a (k a)
theorem Or.symm (h : a ∨ b) : b ∨ a := h.elim .inr .inl
theorem Or.comm : a ∨ b ↔ b ∨ a := ⟨Or.symm, Or.symm⟩
theorem or_comm : a ∨ b ↔ b ∨ a := Or.comm
def Or.by_cases [Decidable p] {α : Sort u} (h : p ∨ q) (f : p → α) (g : q → α) : α :=
  if hp : p then f hp else g (h.resolve_left hp)
theorem or_assoc : (a ∨ b) ∨ c ↔ a ∨ (b ∨ c) :=
  ⟨fun h => h.elim (.imp_right .inl) fun x => .inr (.inr x), fun h => h.elim (fun x => .inl (.inl x)) (.imp_left .inr)⟩
theorem or_left_comm : a ∨ (b ∨ c) ↔ b ∨ (a ∨ c) := or_assoc.symm.trans ((or_congr_left or_comm).trans or_assoc)
theorem or_right_comm : (a ∨ b) ∨ c ↔ (a ∨ c) ∨ b := or_assoc.trans ((or_congr_right or_comm).trans or_assoc.symm)
theorem or_rotate : a ∨ b ∨ c ↔ b ∨ c ∨ a := or_comm.trans or_assoc
theorem or_or_or_comm : (a ∨ b) ∨ c ∨ d ↔ (a ∨ c) ∨ b ∨ d :=
  or_assoc.trans ((or_congr_right or_left_comm).trans or_assoc.symm)
theorem or_self_iff : a ∨ a ↔ a := ⟨fun h => h.elim id id, .inl⟩
theorem and_self_iff : a ∧ a ↔ a := ⟨And.left, fun h => ⟨h, h⟩⟩
theorem or_or_distrib_left : a ∨ b ∨ c ↔ (a ∨ b) ∨ a ∨ c :=
  ⟨fun h => h.elim (fun x => .inl (.inl x)) (.imp .inr .inr), fun h => h.elim (.imp_right .inl) (.imp_right .inr)⟩
theorem or_or_distrib_right : (a ∨ b) ∨ c ↔ (a ∨ c) ∨ b ∨ c :=
  ⟨fun h => h.elim (.imp .inl .inl) fun x => .inl (.inr x), fun h => h.elim (.imp_left .inl) (.imp_left .inr)⟩
theorem or_iff_left (h : ¬b) : a ∨ b ↔ a := ⟨fun x => x.resolve_right h, .inl⟩
theorem or_iff_right (h : ¬a) : a ∨ b ↔ b := ⟨fun x => x.resolve_left h, .inr⟩
theorem or_iff_left_of_imp (h : b → a) : a ∨ b ↔ a := ⟨fun x => x.elim id h, .inl⟩
theorem or_iff_right_of_imp (h : a → b) : a ∨ b ↔ b := ⟨fun x => x.elim h id, .inr⟩
theorem or_iff_left_iff_imp : (a ∨ b ↔ a) ↔ (b → a) := ⟨fun h y => h.1 (.inr y), or_iff_left_of_imp⟩
theorem or_iff_right_iff_imp : (a ∨ b ↔ b) ↔ (a → b) := ⟨fun h y => h.1 (.inl y), or_iff_right_of_imp⟩
theorem or_self_left : a ∨ a ∨ b ↔ a ∨ b := ⟨fun h => h.elim .inl id, fun h => .inr h⟩
theorem or_self_right : (a ∨ b) ∨ b ↔ a ∨ b := ⟨fun h => h.elim id .inr, .inl⟩
theorem or_imp : (a ∨ b → c) ↔ (a → c) ∧ (b → c) :=
  ⟨fun f => ⟨fun x => f (.inl x), fun x => f (.inr x)⟩, fun f h => h.elim f.1 f.2⟩
theorem not_or : ¬(p ∨ q) ↔ ¬p ∧ ¬q := or_imp
theorem not_and_of_not_or_not (h : ¬a ∨ ¬b) : ¬(a ∧ b) := fun k => h.elim (fun n => n k.1) fun n => n k.2
theorem not_or_intro (h : ¬a) (k : ¬b) : ¬(a ∨ b) := fun x => x.elim h k
theorem and_or_left : a ∧ (b ∨ c) ↔ a ∧ b ∨ a ∧ c :=
  ⟨fun h => h.2.imp (fun y => ⟨h.1, y⟩) fun y => ⟨h.1, y⟩, fun h => h.elim (.imp_right .inl) (.imp_right .inr)⟩
theorem or_and_right : (a ∨ b) ∧ c ↔ a ∧ c ∨ b ∧ c :=
  ⟨fun h => h.1.imp (fun y => ⟨y, h.2⟩) fun y => ⟨y, h.2⟩, fun h => h.elim (.imp_left .inl) (.imp_left .inr)⟩
theorem or_and_left : a ∨ (b ∧ c) ↔ (a ∨ b) ∧ (a ∨ c) :=
  ⟨fun h => h.elim (fun x => ⟨.inl x, .inl x⟩) fun x => ⟨.inr x.1, .inr x.2⟩,
   fun h => h.1.elim .inl fun y => h.2.imp_right fun z => ⟨y, z⟩⟩
theorem and_or_right : (a ∧ b) ∨ c ↔ (a ∨ c) ∧ (b ∨ c) :=
  or_comm.trans (or_and_left.trans (and_congr or_comm or_comm))
theorem iff_def : (a ↔ b) ↔ (a → b) ∧ (b → a) := ⟨fun h => ⟨h.1, h.2⟩, fun h => ⟨h.1, h.2⟩⟩
theorem iff_def' : (a ↔ b) ↔ (b → a) ∧ (a → b) := ⟨fun h => ⟨h.2, h.1⟩, fun h => ⟨h.2, h.1⟩⟩
theorem iff_iff_implies_and_implies : (a ↔ b) ↔ (a → b) ∧ (b → a) := iff_def
theorem not_iff_not_of_iff (h : a ↔ b) : ¬a ↔ ¬b := h.not
theorem nonempty_prop (p : Prop) : Nonempty p ↔ p := ⟨fun ⟨h⟩ => h, fun h => ⟨h⟩⟩

/-! The same as equations between propositions. -/

theorem eq_true (h : p) : p = True := propext (iff_true_intro h)
theorem eq_false (h : ¬p) : p = False := propext (iff_false_intro h)
theorem eq_false' (h : p → False) : p = False := eq_false h
theorem of_eq_true (h : p = True) : p := h.symm ▸ trivial
theorem of_eq_false (h : p = False) : ¬p := h ▸ id
theorem eq_iff_iff : (a = b) ↔ (a ↔ b) := ⟨iff_of_eq, propext⟩
theorem iff_eq_eq : (a ↔ b) = (a = b) := propext eq_iff_iff.symm
theorem true_and (p : Prop) : (True ∧ p) = p := propext (and_iff_right trivial)
theorem and_true (p : Prop) : (p ∧ True) = p := propext (and_iff_left trivial)
theorem false_and (p : Prop) : (False ∧ p) = False := eq_false And.left
theorem and_false (p : Prop) : (p ∧ False) = False := eq_false And.right
theorem and_self (p : Prop) : (p ∧ p) = p := propext and_self_iff
theorem or_self (p : Prop) : (p ∨ p) = p := propext or_self_iff
theorem true_or (p : Prop) : (True ∨ p) = True := eq_true (.inl trivial)
theorem or_true (p : Prop) : (p ∨ True) = True := eq_true (.inr trivial)
theorem false_or (p : Prop) : (False ∨ p) = p := propext (or_iff_right id)
theorem or_false (p : Prop) : (p ∨ False) = p := propext (or_iff_left id)
theorem iff_self (p : Prop) : (p ↔ p) = True := eq_true .rfl
theorem iff_true (p : Prop) : (p ↔ True) = p := propext ⟨of_iff_true, iff_true_intro⟩
theorem true_iff (p : Prop) : (True ↔ p) = p := propext ⟨fun h => h.1 trivial, fun h => (iff_true_intro h).symm⟩
theorem iff_false (p : Prop) : (p ↔ False) = ¬p := propext ⟨Iff.mp, iff_false_intro⟩
theorem false_iff (p : Prop) : (False ↔ p) = ¬p := propext ⟨Iff.mpr, fun h => (iff_false_intro h).symm⟩
theorem false_implies (p : Prop) : (False → p) = True := eq_true False.elim
theorem true_implies (p : Prop) : (True → p) = p := propext true_imp_iff
theorem forall_false (p : False → Prop) : (∀ h : False, p h) = True := eq_true fun h => h.elim
theorem implies_true (α : Sort u) : (α → True) = True := eq_true fun _ => trivial
theorem not_false_eq_true : (¬False) = True := eq_true id
theorem not_true_eq_false : (¬True) = False := eq_false fun h => h trivial
theorem eq_true_eq_id : Eq True = id := funext fun p => propext ⟨fun h => h ▸ trivial, fun h => (eq_true h).symm⟩
theorem and_congr_right_eq (h : a → b = c) : (a ∧ b) = (a ∧ c) := propext (and_congr_right fun x => iff_of_eq (h x))
theorem and_congr_left_eq (h : c → a = b) : (a ∧ c) = (b ∧ c) := propext (and_congr_left fun x => iff_of_eq (h x))
theorem implies_congr {p₁ p₂ : Sort u} {q₁ q₂ : Sort v} (h : p₁ = p₂) (k : q₁ = q₂) : (p₁ → q₁) = (p₂ → q₂) :=
  h ▸ k ▸ rfl
theorem implies_congr_left {p₁ p₂ : Sort u} {q : Sort v} (h : p₁ = p₂) : (p₁ → q) = (p₂ → q) := h ▸ rfl
theorem implies_congr_right {p : Sort u} {q₁ q₂ : Sort v} (h : q₁ = q₂) : (p → q₁) = (p → q₂) := h ▸ rfl
theorem implies_dep_congr_ctx {p₁ p₂ q₁ : Prop} (h : p₁ = p₂) {q₂ : p₂ → Prop} (k : (x : p₂) → q₁ = q₂ x) :
    (p₁ → q₁) = ((x : p₂) → q₂ x) :=
  propext ⟨fun f x => k x ▸ f (h.symm ▸ x), fun f x => k (h ▸ x) ▸ f (h ▸ x)⟩
theorem implies_congr_ctx {p₁ p₂ q₁ q₂ : Prop} (h : p₁ = p₂) (k : p₂ → q₁ = q₂) : (p₁ → q₁) = (p₂ → q₂) :=
  implies_dep_congr_ctx h k
end

theorem forall_congr {α : Sort u} {p q : α → Prop} (h : ∀ a, p a = q a) : (∀ a, p a) = ∀ a, q a :=
  (funext h : p = q) ▸ rfl
theorem pi_congr {α : Sort u} {β β' : α → Sort v} (h : ∀ a, β a = β' a) : (∀ a, β a) = ∀ a, β' a :=
  (funext h : β = β') ▸ rfl
theorem forall_prop_domain_congr {p₁ p₂ : Prop} {q₁ : p₁ → Prop} {q₂ : p₂ → Prop} (h : p₁ = p₂)
    (k : ∀ a : p₂, q₁ (h.substr (p := fun x : Prop => x) a) = q₂ a) : (∀ a : p₁, q₁ a) = ∀ a : p₂, q₂ a := by
  cases h; exact forall_congr k
theorem forall_prop_congr_dom {p₁ p₂ : Prop} (h : p₁ = p₂) (q : p₁ → Prop) :
    (∀ a : p₁, q a) = ∀ a : p₂, q (h.substr (p := fun x : Prop => x) a) := by cases h; rfl
theorem forall_congr' {α : Sort u} {p q : α → Prop} (h : ∀ a, p a ↔ q a) : (∀ a, p a) ↔ ∀ a, q a :=
  ⟨fun k a => (h a).1 (k a), fun k a => (h a).2 (k a)⟩
theorem let_congr {α : Sort u} {β : Sort v} {a a' : α} {b b' : α → β} (h : a = a') (k : ∀ x, b x = b' x) :
    (let x := a; b x) = (let x := a'; b' x) := by cases h; cases funext k; rfl
theorem let_val_congr {α : Sort u} {β : Sort v} {a a' : α} (b : α → β) (h : a = a') :
    (let x := a; b x) = (let x := a'; b x) := by cases h; rfl
theorem let_body_congr {α : Sort u} {β : α → Sort v} {b b' : (a : α) → β a} (a : α) (h : ∀ x, b x = b' x) :
    (let x := a; b x) = (let x := a; b' x) := h a
theorem have_congr {α : Sort u} {β : Sort v} {a a' : α} {f f' : α → β} (h : a = a') (k : ∀ x, f x = f' x) :
    f a = f' a' := by cases h; exact k a
theorem have_congr' {α : Sort u} {β : Sort v} {a a' : α} {f f' : α → β} (h : a = a') (k : ∀ x, f x = f' x) :
    f a = f' a' := have_congr h k
theorem have_unused {α : Sort u} {β : Sort v} (a : α) {b b' : β} (h : b = b') : (have _ := a; b) = b' := h
theorem have_unused' {α : Sort u} {β : Sort v} (a : α) {f : α → β} {b' : β} (h : ∀ x, f x = b') : f a = b' := h a
theorem have_unused_dep {α : Sort u} {β : Sort v} (a : α) {b : α → β} {b' : β} (h : ∀ x, b x = b') :
    (have x := a; b x) = b' := h a
theorem have_unused_dep' {α : Sort u} {β : Sort v} (a : α) {b : α → β} {b' : β} (h : ∀ x, b x = b') : b a = b' := h a
theorem have_body_congr_dep {α : Sort u} {β : α → Sort v} (a : α) {f f' : (x : α) → β x} (h : ∀ x, f x = f' x) :
    (have x := a; f x) = (have x := a; f' x) := h a
theorem have_body_congr {α : Sort u} {β : Sort v} (a : α) {f f' : α → β} (h : ∀ x, f x = f' x) :
    (have x := a; f x) = (have x := a; f' x) := h a
theorem have_body_congr_dep' {α : Sort u} {β : α → Sort v} (a : α) {f f' : (x : α) → β x} (h : ∀ x, f x = f' x) :
    f a = f' a := h a
theorem have_body_congr' {α : Sort u} {β : Sort v} (a : α) {f f' : α → β} (h : ∀ x, f x = f' x) : f a = f' a := h a
theorem have_val_congr {α : Sort u} {β : Sort v} {a a' : α} {f : α → β} (h : a = a') :
    (have x := a; f x) = (have x := a'; f x) := congrArg f h
theorem have_val_congr' {α : Sort u} {β : Sort v} {a a' : α} {f : α → β} (h : a = a') : f a = f a' := congrArg f h

/-! Quantifiers. -/

section
variable {α : Sort u} {p q : α → Prop} {b : Prop}
theorem Exists.elim {b : Prop} (h : ∃ x, p x) (f : ∀ a, p a → b) : b :=
  match h with
  | ⟨w, k⟩ => f w k
theorem Exists.imp (h : ∀ a, p a → q a) : (∃ a, p a) → ∃ a, q a := fun ⟨a, k⟩ => ⟨a, h a k⟩
theorem Exists.imp' {β : Sort v} {q : β → Prop} (f : α → β) (h : ∀ a, p a → q (f a)) : (∃ a, p a) → ∃ b, q b :=
  fun ⟨a, k⟩ => ⟨f a, h a k⟩
theorem exists_imp : (∃ x, p x) → b ↔ ∀ x, p x → b := ⟨fun h x k => h ⟨x, k⟩, fun h ⟨x, k⟩ => h x k⟩
theorem exists_congr (h : ∀ a, p a ↔ q a) : (∃ a, p a) ↔ ∃ a, q a := ⟨.imp fun a => (h a).1, .imp fun a => (h a).2⟩
theorem exists₂_imp {P : (x : α) → p x → Prop} : (∃ x h, P x h) → b ↔ ∀ x h, P x h → b :=
  ⟨fun f x h k => f ⟨x, h, k⟩, fun f ⟨x, h, k⟩ => f x h k⟩
theorem Exists.nonempty : (∃ x, p x) → Nonempty α := fun ⟨x, _⟩ => ⟨x⟩
theorem exists_const (α : Sort u) [i : Nonempty α] : (∃ _ : α, b) ↔ b :=
  ⟨fun ⟨_, h⟩ => h, fun h => i.elim fun a => ⟨a, h⟩⟩
theorem forall_const (α : Sort u) [i : Nonempty α] : (α → b) ↔ b := ⟨fun h => i.elim h, fun h _ => h⟩
theorem exists_false : ¬∃ _ : α, False := fun ⟨_, h⟩ => h
theorem not_exists : (¬∃ x, p x) ↔ ∀ x, ¬p x := exists_imp
theorem not_exists_of_forall_not (h : ∀ x, ¬p x) : ¬∃ x, p x := fun ⟨x, k⟩ => h x k
theorem forall_not_of_not_exists (h : ¬∃ x, p x) : ∀ x, ¬p x := fun x k => h ⟨x, k⟩
theorem not_forall_of_exists_not : (∃ x, ¬p x) → ¬∀ x, p x := fun ⟨x, n⟩ h => n (h x)
theorem forall_and : (∀ x, p x ∧ q x) ↔ (∀ x, p x) ∧ ∀ x, q x :=
  ⟨fun h => ⟨fun x => (h x).1, fun x => (h x).2⟩, fun h x => ⟨h.1 x, h.2 x⟩⟩
theorem exists_or : (∃ x, p x ∨ q x) ↔ (∃ x, p x) ∨ ∃ x, q x :=
  ⟨fun ⟨x, h⟩ => h.imp (fun k => ⟨x, k⟩) fun k => ⟨x, k⟩,
   fun h => h.elim (fun ⟨x, k⟩ => ⟨x, .inl k⟩) fun ⟨x, k⟩ => ⟨x, .inr k⟩⟩
theorem exists_and_left : (∃ x, b ∧ p x) ↔ b ∧ ∃ x, p x := ⟨fun ⟨x, h⟩ => ⟨h.1, x, h.2⟩, fun ⟨h, x, k⟩ => ⟨x, h, k⟩⟩
theorem exists_and_right : (∃ x, p x ∧ b) ↔ (∃ x, p x) ∧ b :=
  ⟨fun ⟨x, h⟩ => ⟨⟨x, h.1⟩, h.2⟩, fun ⟨⟨x, h⟩, k⟩ => ⟨x, h, k⟩⟩
theorem exists_eq {a : α} : ∃ x, x = a := ⟨a, rfl⟩
theorem exists_eq' {a : α} : ∃ x, a = x := ⟨a, rfl⟩
theorem exists_eq_left {a : α} : (∃ x, x = a ∧ p x) ↔ p a := ⟨fun ⟨_, e, h⟩ => e ▸ h, fun h => ⟨a, rfl, h⟩⟩
theorem exists_eq_left' {a : α} : (∃ x, a = x ∧ p x) ↔ p a := ⟨fun ⟨_, e, h⟩ => e ▸ h, fun h => ⟨a, rfl, h⟩⟩
theorem exists_eq_right {a : α} : (∃ x, p x ∧ x = a) ↔ p a := ⟨fun ⟨_, h, e⟩ => e ▸ h, fun h => ⟨a, h, rfl⟩⟩
theorem exists_eq_right' {a : α} : (∃ x, p x ∧ a = x) ↔ p a := ⟨fun ⟨_, h, e⟩ => e ▸ h, fun h => ⟨a, h, rfl⟩⟩
theorem exists_eq_or_imp {a : α} : (∃ x, (x = a ∨ q x) ∧ p x) ↔ p a ∨ ∃ x, q x ∧ p x :=
  ⟨fun ⟨x, h, k⟩ => h.elim (fun e => .inl (e ▸ k)) fun l => .inr ⟨x, l, k⟩,
   fun h => h.elim (fun k => ⟨a, .inl rfl, k⟩) fun ⟨x, l, k⟩ => ⟨x, .inr l, k⟩⟩
theorem forall_eq {a : α} : (∀ x, x = a → p x) ↔ p a := ⟨fun h => h a rfl, fun h _ e => e ▸ h⟩
theorem forall_eq' {a : α} : (∀ x, a = x → p x) ↔ p a := ⟨fun h => h a rfl, fun h _ e => e ▸ h⟩
theorem forall_eq_or_imp {a : α} : (∀ x, x = a ∨ q x → p x) ↔ p a ∧ ∀ x, q x → p x :=
  ⟨fun h => ⟨h a (.inl rfl), fun x k => h x (.inr k)⟩, fun h x k => k.elim (fun e => e ▸ h.1) (h.2 x)⟩
theorem forall_exists_index {p : α → Prop} {q : (∃ x, p x) → Prop} : (∀ h, q h) ↔ ∀ x (h : p x), q ⟨x, h⟩ :=
  ⟨fun f x h => f ⟨x, h⟩, fun f ⟨x, h⟩ => f x h⟩
theorem exists_prop {a b : Prop} : (∃ _ : a, b) ↔ a ∧ b := ⟨fun ⟨x, h⟩ => ⟨x, h⟩, fun h => ⟨h.1, h.2⟩⟩
theorem exists_prop' (p : Prop) : (∃ _ : α, p) ↔ Nonempty α ∧ p := ⟨fun ⟨a, h⟩ => ⟨⟨a⟩, h⟩, fun ⟨⟨a⟩, h⟩ => ⟨a, h⟩⟩
theorem exists_prop_congr {p p' : Prop} {q q' : p → Prop} (hq : ∀ h, q h ↔ q' h) (hp : p ↔ p') :
    Exists q ↔ ∃ h : p', q' (hp.2 h) := ⟨fun ⟨h, k⟩ => ⟨hp.1 h, (hq _).1 k⟩, fun ⟨h, k⟩ => ⟨hp.2 h, (hq _).2 k⟩⟩
theorem exists_true_left (p : True → Prop) : Exists p ↔ p trivial := ⟨fun ⟨_, h⟩ => h, fun h => ⟨trivial, h⟩⟩
theorem forall_prop_of_false {p : Prop} {q : p → Prop} (n : ¬p) : (∀ h : p, q h) ↔ True :=
  iff_true_intro fun h => absurd h n
theorem exists_prop_of_true {p : Prop} {q : p → Prop} (h : p) : (∃ h' : p, q h') ↔ q h :=
  ⟨fun ⟨_, k⟩ => k, fun k => ⟨h, k⟩⟩
theorem forall_prop_of_true {p : Prop} {q : p → Prop} (h : p) : (∀ h' : p, q h') ↔ q h := ⟨fun f => f h, fun k _ => k⟩
theorem exists_eq_right_right {a : α} : (∃ x, p x ∧ q x ∧ x = a) ↔ p a ∧ q a :=
  ⟨fun ⟨_, h, k, e⟩ => e ▸ ⟨h, k⟩, fun h => ⟨a, h.1, h.2, rfl⟩⟩
theorem exists_eq_right_right' {a : α} : (∃ x, p x ∧ q x ∧ a = x) ↔ p a ∧ q a :=
  ⟨fun ⟨_, h, k, e⟩ => e ▸ ⟨h, k⟩, fun h => ⟨a, h.1, h.2, rfl⟩⟩
theorem exists_or_eq_left (y : α) (p : α → Prop) : ∃ x, x = y ∨ p x := ⟨y, .inl rfl⟩
theorem exists_or_eq_right (y : α) (p : α → Prop) : ∃ x, p x ∨ x = y := ⟨y, .inr rfl⟩
theorem exists_or_eq_left' (y : α) (p : α → Prop) : ∃ x, y = x ∨ p x := ⟨y, .inl rfl⟩
theorem exists_or_eq_right' (y : α) (p : α → Prop) : ∃ x, p x ∨ y = x := ⟨y, .inr rfl⟩
theorem forall_apply_eq_imp_iff {β : Sort v} {f : α → β} {p : β → Prop} : (∀ b a, f a = b → p b) ↔ ∀ a, p (f a) :=
  ⟨fun h a => h _ a rfl, fun h _ a e => e ▸ h a⟩
theorem forall_eq_apply_imp_iff {β : Sort v} {f : α → β} {p : β → Prop} : (∀ b a, b = f a → p b) ↔ ∀ a, p (f a) :=
  ⟨fun h a => h _ a rfl, fun h _ a e => e ▸ h a⟩
theorem forall_apply_eq_imp_iff₂ {β : Sort v} {f : α → β} {p : α → Prop} {q : β → Prop} :
    (∀ b a, p a → f a = b → q b) ↔ ∀ a, p a → q (f a) := ⟨fun h a k => h _ a k rfl, fun h _ a k e => e ▸ h a k⟩
theorem exists_comm {β : Sort v} {r : α → β → Prop} : (∃ a b, r a b) ↔ ∃ b a, r a b :=
  ⟨fun ⟨a, b, h⟩ => ⟨b, a, h⟩, fun ⟨b, a, h⟩ => ⟨a, b, h⟩⟩
theorem forall_comm {β : Sort v} {r : α → β → Prop} : (∀ a b, r a b) ↔ ∀ b a, r a b :=
  ⟨fun h b a => h a b, fun h a b => h b a⟩
theorem exists_apply_eq_apply {β : Sort v} (f : α → β) (a : α) : ∃ x, f x = f a := ⟨a, rfl⟩
theorem exists_apply_eq_apply' {β : Sort v} (f : α → β) (a : α) : ∃ x, f a = f x := ⟨a, rfl⟩
end

section
variable {α : Sort u} {β : α → Sort v} {γ : ∀ a, β a → Sort w}
theorem forall₂_congr {p q : ∀ a, β a → Prop} (h : ∀ a b, p a b ↔ q a b) : (∀ a b, p a b) ↔ ∀ a b, q a b :=
  forall_congr' fun a => forall_congr' (h a)
theorem exists₂_congr {p q : ∀ a, β a → Prop} (h : ∀ a b, p a b ↔ q a b) : (∃ a b, p a b) ↔ ∃ a b, q a b :=
  exists_congr fun a => exists_congr (h a)
theorem forall₃_congr {p q : ∀ a b, γ a b → Prop} (h : ∀ a b c, p a b c ↔ q a b c) :
    (∀ a b c, p a b c) ↔ ∀ a b c, q a b c := forall_congr' fun a => forall₂_congr (h a)
theorem exists₃_congr {p q : ∀ a b, γ a b → Prop} (h : ∀ a b c, p a b c ↔ q a b c) :
    (∃ a b c, p a b c) ↔ ∃ a b c, q a b c := exists_congr fun a => exists₂_congr (h a)
end

/-! Decidable propositions and `if`. -/

instance instDecidableTrue : Decidable True := isTrue trivial
instance instDecidableFalse : Decidable False := isFalse not_false
@[instance_reducible] def decidable_of_decidable_of_iff {p q : Prop} [Decidable p] (h : p ↔ q) : Decidable q :=
  if hp : p then isTrue (h.1 hp) else isFalse fun hq => hp (h.2 hq)
@[instance_reducible] def decidable_of_decidable_of_eq {p q : Prop} [Decidable p] (h : p = q) : Decidable q :=
  decidable_of_decidable_of_iff (iff_of_eq h)
@[instance_reducible] def decidable_of_iff {b : Prop} (a : Prop) (h : a ↔ b) [Decidable a] : Decidable b :=
  decidable_of_decidable_of_iff h
@[instance_reducible] def decidable_of_iff' {a : Prop} (b : Prop) (h : a ↔ b) [Decidable b] : Decidable a :=
  decidable_of_decidable_of_iff h.symm
@[macro_inline] instance instDecidableForall {p q : Prop} [Decidable p] [Decidable q] : Decidable (p → q) :=
  if hp : p then
    if hq : q then isTrue fun _ => hq else isFalse fun f => hq (f hp)
  else isTrue fun h => absurd h hp
instance instDecidableIff {p q : Prop} [Decidable p] [Decidable q] : Decidable (p ↔ q) :=
  decidable_of_decidable_of_iff iff_def.symm
instance instDecidableNe {α : Sort u} [DecidableEq α] (a b : α) : Decidable (a ≠ b) :=
  inferInstanceAs (Decidable ¬(a = b))
instance instDecidableEqProd {α : Type u} {β : Type v} [DecidableEq α] [DecidableEq β] : DecidableEq (α × β) :=
  fun (a, b) (c, d) =>
    match decEq a c, decEq b d with
    | isTrue h, isTrue k => isTrue (h ▸ k ▸ rfl)
    | isTrue _, isFalse n => isFalse fun h => n (congrArg Prod.snd h)
    | isFalse n, _ => isFalse fun h => n (congrArg Prod.fst h)
instance instDecidableEqPUnit : DecidableEq PUnit := fun _ _ => isTrue rfl
instance instDecidableEqEmpty : DecidableEq Empty := fun a => a.rec
instance instDecidableEqOption {α : Type u} [DecidableEq α] : DecidableEq (Option α)
  | none, none => isTrue rfl
  | none, some _ => isFalse fun h => Option.noConfusion rfl (heq_of_eq h)
  | some _, none => isFalse fun h => Option.noConfusion rfl (heq_of_eq h)
  | some a, some b =>
    match decEq a b with
    | isTrue h => isTrue (h ▸ rfl)
    | isFalse n => isFalse fun h => Option.noConfusion rfl (heq_of_eq h) fun k => n (eq_of_heq k)
instance instDecidableEqSum {α : Type u} {β : Type v} [DecidableEq α] [DecidableEq β] : DecidableEq (α ⊕ β)
  | .inl a, .inl b =>
    match decEq a b with
    | isTrue h => isTrue (h ▸ rfl)
    | isFalse n => isFalse fun h => Sum.noConfusion rfl rfl (heq_of_eq h) fun k => n (eq_of_heq k)
  | .inr a, .inr b =>
    match decEq a b with
    | isTrue h => isTrue (h ▸ rfl)
    | isFalse n => isFalse fun h => Sum.noConfusion rfl rfl (heq_of_eq h) fun k => n (eq_of_heq k)
  | .inl _, .inr _ => isFalse fun h => Sum.noConfusion rfl rfl (heq_of_eq h)
  | .inr _, .inl _ => isFalse fun h => Sum.noConfusion rfl rfl (heq_of_eq h)
instance Subtype.instDecidableEq {α : Type u} {p : α → Prop} [DecidableEq α] : DecidableEq { x : α // p x } :=
  fun ⟨a, h⟩ ⟨b, k⟩ => if e : a = b then isTrue (by cases e; rfl) else isFalse fun x => e (congrArg Subtype.val x)

section
variable {α : Sort u} {c : Prop}
theorem if_pos {h : Decidable c} (hc : c) {t e : α} : ite c t e = t :=
  match h with
  | isTrue _ => rfl
  | isFalse n => absurd hc n
theorem if_neg {h : Decidable c} (nc : ¬c) {t e : α} : ite c t e = e :=
  match h with
  | isTrue k => absurd k nc
  | isFalse _ => rfl
theorem dif_pos {h : Decidable c} (hc : c) {t : c → α} {e : ¬c → α} : dite c t e = t hc :=
  match h with
  | isTrue _ => rfl
  | isFalse n => absurd hc n
theorem dif_neg {h : Decidable c} (nc : ¬c) {t : c → α} {e : ¬c → α} : dite c t e = e nc :=
  match h with
  | isTrue k => absurd k nc
  | isFalse _ => rfl
theorem ite_eq_left {c : Prop} {h : Decidable c} (hc : c) {α : Sort u} {t e : α} : ite c t e = t := if_pos hc
theorem ite_eq_right {c : Prop} {h : Decidable c} (nc : ¬c) {α : Sort u} {t e : α} : ite c t e = e := if_neg nc
theorem dite_eq_left {c : Prop} {h : Decidable c} (hc : c) {α : Sort u} {t : c → α} {e : ¬c → α} : dite c t e = t hc :=
  dif_pos hc
theorem dite_eq_right {c : Prop} {h : Decidable c} (nc : ¬c) {α : Sort u} {t : c → α} {e : ¬c → α} :
    dite c t e = e nc :=
  dif_neg nc
theorem ite_eq_left_of_eq_true {α : Sort u} {c : Prop} {h : Decidable c} (a b : α) (k : c = True) : ite c a b = a :=
  if_pos (of_eq_true k)
theorem ite_eq_right_of_eq_false {α : Sort u} {c : Prop} {h : Decidable c} (a b : α) (k : c = False) : ite c a b = b :=
  if_neg (of_eq_false k)
theorem dite_eq_left_of_eq_true {α : Sort u} {c : Prop} {h : Decidable c} {t : c → α} {e : ¬c → α} (k : c = True) :
    dite c t e = t (of_eq_true k) := dif_pos _
theorem dite_eq_right_of_eq_false {α : Sort u} {c : Prop} {h : Decidable c} {t : c → α} {e : ¬c → α} (k : c = False) :
    dite c t e = e (of_eq_false k) := dif_neg _
theorem ite_cond_congr {α : Sort u} {c d : Prop} {h : Decidable c} {k : Decidable d} {t e : α} (eq : c = d) :
    ite c t e = ite d t e := by
  cases eq
  exact if hc : c then (if_pos hc).trans (if_pos hc).symm else (if_neg hc).trans (if_neg hc).symm
theorem dite_cond_congr {α : Sort u} {c d : Prop} {h : Decidable c} {k : Decidable d} {t : c → α} {e : ¬c → α}
    (eq : c = d) :
    dite c t e = dite d (fun x => t (eq.mpr_prop x)) fun x => e (eq.mpr_not x) := by
  cases eq
  exact if hc : c then (dif_pos hc).trans (dif_pos hc).symm else (dif_neg hc).trans (dif_neg hc).symm
theorem dite_eq_ite {c : Prop} {h : Decidable c} {t e : α} : dite c (fun _ => t) (fun _ => e) = ite c t e := rfl
theorem dif_eq_if (c : Prop) {h : Decidable c} (t e : α) : dite c (fun _ => t) (fun _ => e) = ite c t e := rfl
theorem ite_true (a b : α) : (if True then a else b) = a := rfl
theorem ite_false (a b : α) : (if False then a else b) = b := rfl
theorem dite_true {t : True → α} {e : ¬True → α} : dite True t e = t trivial := rfl
theorem dite_false {t : False → α} {e : ¬False → α} : dite False t e = e not_false := rfl
theorem ite_cond_eq_true {c : Prop} {h : Decidable c} (a b : α) (k : c = True) : ite c a b = a := if_pos (of_eq_true k)
theorem ite_cond_eq_false {c : Prop} {h : Decidable c} (a b : α) (k : c = False) : ite c a b = b :=
  if_neg (of_eq_false k)
theorem dite_cond_eq_true {c : Prop} {h : Decidable c} {t : c → α} {e : ¬c → α} (k : c = True) :
    dite c t e = t (of_eq_true k) := dif_pos _
theorem dite_cond_eq_false {c : Prop} {h : Decidable c} {t : c → α} {e : ¬c → α} (k : c = False) :
    dite c t e = e (of_eq_false k) := dif_neg _
theorem ite_self {c : Prop} {d : Decidable c} (a : α) : ite c a a = a :=
  match d with
  | isTrue _ => rfl
  | isFalse _ => rfl
theorem ite_congr {b c : Prop} {x y u v : α} {s : Decidable b} [Decidable c] (h : b = c) (ht : c → x = u)
    (he : ¬c → y = v) : ite b x y = ite c u v := by
  cases h
  exact if k : b then (if_pos k).trans ((ht k).trans (if_pos k).symm) else (if_neg k).trans
      ((he k).trans (if_neg k).symm)
theorem dite_congr {b c : Prop} {s : Decidable b} [Decidable c] {x : b → α} {u : c → α} {y : ¬b → α} {v : ¬c → α}
    (h : b = c) (ht : (k : c) → x (h.mpr k) = u k) (he : (k : ¬c) → y (h.mpr_not k) = v k) : dite b x y = dite c u v :=
      by
  cases h
  exact if k : b then (dif_pos k).trans ((ht k).trans (dif_pos k).symm) else (dif_neg k).trans
      ((he k).trans (dif_neg k).symm)
end

/-! Classical reasoning. -/

namespace Classical
noncomputable def indefiniteDescription {α : Sort u} (p : α → Prop) (h : ∃ x, p x) : { x // p x } :=
  choice (match h with | ⟨x, k⟩ => ⟨⟨x, k⟩⟩)
noncomputable def choose {α : Sort u} {p : α → Prop} (h : ∃ x, p x) : α := (indefiniteDescription p h).val
theorem choose_spec {α : Sort u} {p : α → Prop} (h : ∃ x, p x) : p (choose h) := (indefiniteDescription p h).property

/- Diaconescu: choose from the predicates "is True, or p" and "is False,
  or p"; if p holds they are the same predicate. -/
theorem em (p : Prop) : p ∨ ¬p :=
  have hT : ∃ x : Prop, x = True ∨ p := ⟨True, .inl rfl⟩
  have hF : ∃ x : Prop, x = False ∨ p := ⟨False, .inl rfl⟩
  (choose_spec hT).elim (fun t => (choose_spec hF).elim
    (fun f => .inr fun hp =>
      have same : (fun x : Prop => x = True ∨ p) = (fun x : Prop => x = False ∨ p) :=
        funext fun x => propext ⟨fun _ => .inr hp, fun _ => .inr hp⟩
      have chosen : ∀ (q : Prop → Prop) (h : ∃ x, q x), (fun x : Prop => x = True ∨ p) = q → choose hT = choose h :=
        fun q h e => by cases e; rfl
      have eq : choose hT = choose hF := chosen _ hF same
      true_ne_false (t.symm.trans (eq.trans f)))
    .inl) .inl

theorem propComplete (a : Prop) : a = True ∨ a = False := (em a).imp eq_true eq_false
@[instance_reducible] noncomputable scoped instance (priority := low) propDecidable (a : Prop) : Decidable a :=
  choice ((em a).elim (fun h => ⟨isTrue h⟩) fun h => ⟨isFalse h⟩)
noncomputable def typeDecidableEq (α : Sort u) : DecidableEq α := fun _ _ => propDecidable _
theorem byCases {p q : Prop} (f : p → q) (g : ¬p → q) : q := (em p).elim f g
theorem byContradiction {p : Prop} (h : ¬p → False) : p := (em p).elim id fun n => (h n).elim
theorem by_contradiction {p : Prop} (h : ¬p → False) : p := byContradiction h
theorem not_not {a : Prop} : ¬¬a ↔ a := ⟨byContradiction, not_not_intro⟩
theorem of_not_not {a : Prop} (h : ¬¬a) : a := byContradiction h
theorem not_forall {α : Sort u} {p : α → Prop} : (¬∀ x, p x) ↔ ∃ x, ¬p x :=
  ⟨fun h => byContradiction fun n => h fun x => byContradiction fun k => n ⟨x, k⟩, not_forall_of_exists_not⟩
theorem not_forall_not {α : Sort u} {p : α → Prop} : (¬∀ x, ¬p x) ↔ ∃ x, p x :=
  not_forall.trans (exists_congr fun _ => not_not)
theorem not_exists_not {α : Sort u} {p : α → Prop} : (¬∃ x, ¬p x) ↔ ∀ x, p x :=
  not_exists.trans (forall_congr' fun _ => not_not)
theorem exists_not_of_not_forall {α : Sort u} {p : α → Prop} (h : ¬∀ x, p x) : ∃ x, ¬p x := not_forall.1 h
theorem exists_of_not_forall_not {α : Sort u} {p : α → Prop} (h : ¬∀ x, ¬p x) : ∃ x, p x := not_forall_not.1 h
theorem forall_or_exists_not {α : Sort u} (p : α → Prop) : (∀ a, p a) ∨ ∃ a, ¬p a := (em _).imp_right not_forall.1
theorem exists_or_forall_not {α : Sort u} (p : α → Prop) : (∃ a, p a) ∨ ∀ a, ¬p a := (em _).imp_right not_exists.1
section
variable {a b c p q : Prop}
theorem or_iff_not_imp_left : a ∨ b ↔ (¬a → b) := ⟨Or.resolve_left, fun f => (em a).imp_right f⟩
theorem or_iff_not_imp_right : a ∨ b ↔ (¬b → a) := or_comm.trans or_iff_not_imp_left
theorem not_imp_iff_and_not : ¬(a → b) ↔ a ∧ ¬b :=
  ⟨fun h => ⟨byContradiction fun n => h fun x => absurd x n, fun y => h fun _ => y⟩, fun h f => h.2 (f h.1)⟩
theorem not_imp : ¬(a → b) ↔ a ∧ ¬b := not_imp_iff_and_not
theorem not_and_iff_not_or_not : ¬(a ∧ b) ↔ ¬a ∨ ¬b :=
  ⟨fun h => (em a).elim (fun x => .inr fun y => h ⟨x, y⟩) .inl, not_and_of_not_or_not⟩
theorem not_and_iff_or_not_not : ¬(a ∧ b) ↔ ¬a ∨ ¬b := not_and_iff_not_or_not
theorem not_iff : ¬(a ↔ b) ↔ (¬a ↔ b) :=
  ⟨fun h => ⟨fun x => byContradiction fun y => h (iff_of_false x y), fun y x => h (iff_of_true x y)⟩,
   fun h k => (em a).elim (fun x => h.2 (k.1 x) x) fun x => x (k.2 (h.1 x))⟩
theorem and_or_imp : a ∧ b ∨ (a → c) ↔ a → b ∨ c :=
  ⟨fun h x => h.imp And.right fun f => f x,
   fun f => (em a).elim (fun x => (f x).imp (fun y => ⟨x, y⟩) fun z _ => z) fun n => .inr fun x => absurd x n⟩
theorem imp_iff_not_or : (a → b) ↔ ¬a ∨ b :=
  ⟨fun f => (em a).elim (fun x => .inr (f x)) .inl, fun h x => h.neg_resolve_left x⟩
theorem imp_iff_left_iff : (b ↔ a → b) ↔ a ∨ b :=
  ⟨fun h => (em a).imp_right fun n => h.2 fun x => absurd x n, fun h => ⟨fun y _ => y, fun f => h.elim f id⟩⟩
theorem imp_iff_right_iff : (a → b ↔ b) ↔ a ∨ b := Iff.comm.trans imp_iff_left_iff
theorem imp_and_neg_imp_iff : (a → b) ∧ (¬a → b) ↔ b :=
  ⟨fun h => (em a).elim h.1 h.2, fun y => ⟨fun _ => y, fun _ => y⟩⟩
theorem imp_or : (a → b ∨ c) ↔ (a → b) ∨ (a → c) :=
  ⟨fun f => (em a).elim (fun x => (f x).imp (fun y _ => y) fun z _ => z) fun n => .inl fun x => absurd x n,
   fun h x => h.imp (fun f => f x) fun f => f x⟩
theorem peirce (a b : Prop) (h : (a → b) → a) : a := (em a).elim id fun n => h fun x => absurd x n
theorem iff_iff_and_or_not_and_not : (a ↔ b) ↔ a ∧ b ∨ ¬a ∧ ¬b :=
  ⟨fun h => (em a).imp (fun x => ⟨x, h.1 x⟩) fun n => ⟨n, fun y => n (h.2 y)⟩,
   fun h => h.elim (fun k => iff_of_true k.1 k.2) fun k => iff_of_false k.1 k.2⟩
theorem not_iff_not : (¬a ↔ ¬b) ↔ (a ↔ b) :=
  ⟨fun h => ⟨fun x => byContradiction fun y => h.2 y x, fun y => byContradiction fun x => h.1 x y⟩, Iff.not⟩
theorem imp_not_self : (a → ¬a) ↔ ¬a := ⟨fun f x => f x x, fun n _ => n⟩
theorem not_imp_not : (¬a → ¬b) ↔ (b → a) := ⟨fun f y => byContradiction fun x => f x y, mt⟩
end
end Classical

theorem Exists.choose_spec {α : Sort u} {p : α → Prop} (h : ∃ x, p x) : p (Classical.choose h) :=
  Classical.choose_spec h
noncomputable def Exists.choose {α : Sort u} {p : α → Prop} (h : ∃ x, p x) : α := Classical.choose h
namespace Decidable
variable {a b c p q : Prop}
theorem em (p : Prop) [d : Decidable p] : p ∨ ¬p :=
  match d with
  | isTrue h => .inl h
  | isFalse h => .inr h
def byCases {q : Sort u} [dec : Decidable p] (f : p → q) (g : ¬p → q) : q :=
  match dec with
  | isTrue h => f h
  | isFalse h => g h
theorem byContradiction [Decidable p] (h : ¬p → False) : p := (em p).elim id fun n => (h n).elim
theorem of_not_not [Decidable p] (h : ¬¬p) : p := byContradiction h
theorem not_not [Decidable p] : ¬¬p ↔ p := ⟨of_not_not, not_not_intro⟩
theorem not_and_iff_or_not_not [Decidable p] : ¬(p ∧ q) ↔ ¬p ∨ ¬q :=
  ⟨fun h => (em p).elim (fun x => .inr fun y => h ⟨x, y⟩) .inl, not_and_of_not_or_not⟩
theorem not_and_iff_not_or_not [Decidable p] : ¬(p ∧ q) ↔ ¬p ∨ ¬q := not_and_iff_or_not_not
theorem not_or_iff_and_not : ¬(p ∨ q) ↔ ¬p ∧ ¬q := not_or
theorem not_imp_symm [Decidable a] (h : ¬a → b) (k : ¬b) : a := byContradiction fun n => k (h n)
theorem not_imp_iff_and_not [Decidable a] : ¬(a → b) ↔ a ∧ ¬b :=
  ⟨fun h => ⟨byContradiction fun n => h fun x => absurd x n, fun y => h fun _ => y⟩, fun h f => h.2 (f h.1)⟩
theorem or_iff_not_imp_left [Decidable a] : a ∨ b ↔ (¬a → b) := ⟨Or.resolve_left, fun f => (em a).imp_right f⟩
theorem or_iff_not_imp_right [Decidable b] : a ∨ b ↔ (¬b → a) := or_comm.trans or_iff_not_imp_left
theorem imp_iff_not_or [Decidable a] : (a → b) ↔ ¬a ∨ b :=
  ⟨fun f => (em a).elim (fun x => .inr (f x)) .inl, fun h x => h.neg_resolve_left x⟩
theorem not_imp_not [Decidable a] : (¬a → ¬b) ↔ (b → a) := ⟨fun f y => byContradiction fun x => f x y, mt⟩
theorem not_iff_not [Decidable a] [Decidable b] : (¬a ↔ ¬b) ↔ (a ↔ b) :=
  ⟨fun h => ⟨fun x => byContradiction fun y => h.2 y x, fun y => byContradiction fun x => h.1 x y⟩, Iff.not⟩
theorem iff_iff_and_or_not_and_not [Decidable b] : (a ↔ b) ↔ a ∧ b ∨ ¬a ∧ ¬b :=
  ⟨fun h => (em b).imp (fun y => ⟨h.2 y, y⟩) fun n => ⟨fun x => n (h.1 x), n⟩,
   fun h => h.elim (fun k => iff_of_true k.1 k.2) fun k => iff_of_false k.1 k.2⟩
theorem not_forall_not {α : Sort u} {p : α → Prop} [Decidable (∃ x, p x)] : (¬∀ x, ¬p x) ↔ ∃ x, p x :=
  ⟨fun h => byContradiction fun n => h fun x k => n ⟨x, k⟩, fun ⟨x, k⟩ h => h x k⟩
theorem not_or_self (p : Prop) [Decidable p] : ¬p ∨ p := (em p).symm
abbrev or_not_self := em
theorem by_contra [Decidable p] (h : ¬p → False) : p := byContradiction h
theorem of_not_imp [Decidable a] (h : ¬(a → b)) : a := byContradiction fun n => h fun x => absurd x n
theorem not_imp_comm [Decidable a] [Decidable b] : (¬a → b) ↔ (¬b → a) := ⟨not_imp_symm, not_imp_symm⟩
theorem not_imp_self [Decidable a] : (¬a → a) ↔ a := ⟨fun f => byContradiction fun n => n (f n), fun x _ => x⟩
theorem imp_iff_or_not [Decidable b] : b → a ↔ a ∨ ¬b := imp_iff_not_or.trans or_comm
theorem imp_or [Decidable a] : (a → b ∨ c) ↔ (a → b) ∨ (a → c) :=
  ⟨fun f => (em a).elim (fun x => (f x).imp (fun y _ => y) fun z _ => z) fun n => .inl fun x => absurd x n,
   fun h x => h.imp (fun f => f x) fun f => f x⟩
theorem peirce (a b : Prop) [Decidable a] (h : (a → b) → a) : a := (em a).elim id fun n => h fun x => absurd x n
theorem not_iff_comm [Decidable a] [Decidable b] : (¬a ↔ b) ↔ (¬b ↔ a) :=
  ⟨fun h => ⟨fun n => byContradiction fun x => n (h.1 x), fun x y => h.2 y x⟩,
   fun h => ⟨fun n => byContradiction fun y => n (h.1 y), fun y x => h.2 x y⟩⟩
theorem not_iff [Decidable b] : ¬(a ↔ b) ↔ (¬a ↔ b) :=
  ⟨fun h => ⟨fun n => byContradiction fun k => h (iff_of_false n k), fun y x => h (iff_of_true x y)⟩,
   fun h k => (em b).elim (fun y => h.2 y (k.2 y)) fun n => n (h.1 fun x => n (k.1 x))⟩
theorem iff_not_comm [Decidable a] [Decidable b] : (a ↔ ¬b) ↔ (b ↔ ¬a) :=
  ⟨fun h => ⟨fun y x => h.1 x y, fun n => byContradiction fun k => n (h.2 k)⟩,
   fun h => ⟨fun x y => h.1 y x, fun n => byContradiction fun k => n (h.2 k)⟩⟩
theorem or_iff_not_and_not [Decidable a] [Decidable b] : a ∨ b ↔ ¬(¬a ∧ ¬b) :=
  ⟨fun h k => h.elim k.1 k.2, fun h => byContradiction fun n => h (not_or.1 n)⟩
theorem and_iff_not_or_not [Decidable a] [Decidable b] : a ∧ b ↔ ¬(¬a ∨ ¬b) :=
  ⟨fun h k => not_and_of_not_or_not k h, fun h => byContradiction fun n => h (not_and_iff_or_not_not.1 n)⟩
theorem not_and_not_right [Decidable b] : ¬(a ∧ ¬b) ↔ (a → b) :=
  ⟨fun h x => byContradiction fun n => h ⟨x, n⟩, fun f h => h.2 (f h.1)⟩
theorem not_forall {α : Sort u} {p : α → Prop} [Decidable (∃ x, ¬p x)] [∀ x, Decidable (p x)] :
    (¬∀ x, p x) ↔ ∃ x, ¬p x :=
  ⟨fun h => byContradiction fun n => h fun x => byContradiction fun k => n ⟨x, k⟩, not_forall_of_exists_not⟩
theorem not_exists_not {α : Sort u} {p : α → Prop} [∀ x, Decidable (p x)] : (¬∃ x, ¬p x) ↔ ∀ x, p x :=
  ⟨fun h x => byContradiction fun n => h ⟨x, n⟩, fun h ⟨x, n⟩ => n (h x)⟩
end Decidable
export Decidable (not_imp_self)

instance exists_prop_decidable {p : Prop} (P : p → Prop) [Decidable p] [∀ h, Decidable (P h)] : Decidable (∃ h, P h) :=
  if h : p then decidable_of_decidable_of_iff (p := P h) ⟨fun k => ⟨h, k⟩, fun ⟨_, k⟩ => k⟩ else isFalse fun ⟨k,
    _⟩ => h k
instance forall_prop_decidable {p : Prop} (P : p → Prop) [Decidable p] [∀ h, Decidable (P h)] : Decidable (∀ h, P h) :=
  if h : p then decidable_of_decidable_of_iff (p := P h) ⟨fun k _ => k, fun f => f h⟩ else isTrue fun k => absurd k h
@[instance_reducible] def decidable_of_bool {a : Prop} : (b : Bool) → (b = true ↔ a) → Decidable a
  | true, h => isTrue (h.1 rfl)
  | false, h => isFalse fun x => Bool.noConfusion (h.2 x)


theorem decide_eq_true_eq {p : Prop} [Decidable p] : (decide p = true) = p :=
  propext ⟨of_decide_eq_true, decide_eq_true⟩
theorem decide_eq_false_iff_not {p : Prop} {_ : Decidable p} : (decide p = false) ↔ ¬p :=
  ⟨of_decide_eq_false, decide_eq_false⟩
theorem decide_eq_true_iff {p : Prop} [Decidable p] : (decide p = true) ↔ p := ⟨of_decide_eq_true, decide_eq_true⟩
theorem decide_eq_decide {p q : Prop} {_ : Decidable p} {_ : Decidable q} : decide p = decide q ↔ (p ↔ q) :=
  ⟨fun h => ⟨fun x => of_decide_eq_true (h ▸ decide_eq_true x), fun x => of_decide_eq_true (h ▸ decide_eq_true x)⟩,
   fun h => by
     cases h' : decide q with
     | true => exact decide_eq_true (h.2 (of_decide_eq_true h'))
     | false => exact decide_eq_false fun x => of_decide_eq_false h' (h.1 x)⟩
theorem eq_true_of_decide {p : Prop} [Decidable p] (h : decide p = true) : p = True := eq_true (of_decide_eq_true h)
theorem eq_false_of_decide {p : Prop} {_ : Decidable p} (h : decide p = false) : p = False :=
  eq_false (of_decide_eq_false h)
theorem decide_true_eq_true (h : Decidable True) : @decide True h = true := decide_eq_true trivial
theorem decide_false_eq_false (h : Decidable False) : @decide False h = false := decide_eq_false id
theorem decide_not {p : Prop} [g : Decidable p] [h : Decidable ¬p] : decide (¬p) = !decide p := by
  cases g with
  | isTrue hp => exact decide_eq_false (not_not_intro hp)
  | isFalse hp => exact decide_eq_true hp
theorem decide_decide {p : Prop} [h : Decidable p] : decide (decide p = true) = decide p := by
  cases h with
  | isTrue hp => rfl
  | isFalse hp => rfl
theorem Decidable.eq_of_same (p : Prop) : ∀ a b : Decidable p, a = b
  | isTrue _, isTrue _ => rfl
  | isFalse _, isFalse _ => rfl
  | isTrue h, isFalse n => absurd h n
  | isFalse n, isTrue h => absurd h n
