"""Lemmas on propositions, equality and quantifiers; the format is that of `core_text.py`."""

LOGIC = r"""
lemma trivial : True
lemma And.left : ∀ {a b : Prop} (self : a ∧ b), a
lemma And.right : ∀ {a b : Prop} (self : a ∧ b), b
lemma Iff.mp : ∀ {a b : Prop} (self : a ↔ b), a → b
lemma Iff.mpr : ∀ {a b : Prop} (self : a ↔ b), b → a
lemma And.elim : ∀ {a b α : Prop} (f : a → b → α) (h : a ∧ b), α
lemma Iff.elim : ∀ {a b α : Prop} (f : (a → b) → (b → a) → α) (h : a ↔ b), α
lemma Or.elim : ∀ {a b c : Prop} (h : a ∨ b) (left : a → c) (right : b → c), c
lemma Exists.elim : ∀ {α : Type} {p : α → Prop} {b : Prop} (h₁ : ∃ x, p x) (h₂ : ∀ a, p a → b), b
lemma False.elim : ∀ {C : Prop} (h : False), C
lemma rfl : ∀ {α : Type} {a : α}, a = a
lemma Eq.symm : ∀ {α : Type} {a b : α} (h : a = b), b = a
lemma Eq.trans : ∀ {α : Type} {a b c : α} (h₁ : a = b) (h₂ : b = c), a = c
lemma Eq.mp : ∀ {α β : Prop} (h : α = β) (a : α), β
lemma Eq.mpr : ∀ {α β : Prop} (h : α = β) (b : β), α
lemma cast : ∀ {α β : Prop} (h : α = β) (a : α), β
lemma congrArg : ∀ {α β : Type} {a₁ a₂ : α} (f : α → β) (h : a₁ = a₂), f a₁ = f a₂
lemma congrFun : ∀ {α β : Type} {f g : α → β} (h : f = g) (a : α), f a = g a
lemma congr : ∀ {α β : Type} {f₁ f₂ : α → β} {a₁ a₂ : α} (h₁ : f₁ = f₂) (h₂ : a₁ = a₂), f₁ a₁ = f₂ a₂
lemma Ne.symm : ∀ {α : Type} {a b : α} (h : a ≠ b), b ≠ a
lemma Ne.intro : ∀ {α : Type} {a b : α} (h : a = b → False), a ≠ b
lemma Ne.elim : ∀ {α : Type} {a b : α} (h : a ≠ b), a = b → False
lemma Ne.irrefl : ∀ {α : Type} {a : α} (h : a ≠ a), False
lemma eq_comm : ∀ {α : Type} {a b : α}, a = b ↔ b = a
lemma ne_comm : ∀ {α : Type} {a b : α}, a ≠ b ↔ b ≠ a
lemma id : ∀ {α : Prop} (a : α), α
lemma absurd : ∀ {a b : Prop} (h₁ : a) (h₂ : ¬a), b
lemma Not.elim : ∀ {a b : Prop} (H1 : ¬a) (H2 : a), b
lemma Not.intro : ∀ {a : Prop} (h : a → False), ¬a
lemma Not.imp : ∀ {a b : Prop} (H2 : ¬b) (H1 : a → b), ¬a
lemma mt : ∀ {a b : Prop} (h₁ : a → b) (h₂ : ¬b), ¬a
lemma not_not_intro : ∀ {p : Prop} (h : p), ¬¬p
lemma not_not_em : ∀ (a : Prop), ¬¬(a ∨ ¬a)
lemma not_false : ¬False
lemma not_not_not : ∀ {a : Prop}, ¬¬¬a ↔ ¬a
lemma imp_false : ∀ {a : Prop}, (a → False) ↔ ¬a
lemma imp_not_comm : ∀ {a b : Prop}, (a → ¬b) ↔ (b → ¬a)
lemma imp_intro : ∀ {α β : Prop} (h : α), β → α
lemma And.symm : ∀ {a b : Prop} (h : a ∧ b), b ∧ a
lemma And.comm : ∀ {a b : Prop}, a ∧ b ↔ b ∧ a
lemma And.swap : ∀ {a b : Prop} (h : a ∧ b), b ∧ a
lemma And.imp : ∀ {a b c d : Prop} (f : a → c) (g : b → d) (h : a ∧ b), c ∧ d
lemma And.imp_left : ∀ {a b c : Prop} (h : a → b), a ∧ c → b ∧ c
lemma And.imp_right : ∀ {a b c : Prop} (h : a → b), c ∧ a → c ∧ b
lemma and_comm : ∀ {a b : Prop}, a ∧ b ↔ b ∧ a
lemma and_assoc : ∀ {a b c : Prop}, (a ∧ b) ∧ c ↔ a ∧ (b ∧ c)
lemma and_left_comm : ∀ {a b c : Prop}, a ∧ (b ∧ c) ↔ b ∧ (a ∧ c)
lemma and_right_comm : ∀ {a b c : Prop}, (a ∧ b) ∧ c ↔ (a ∧ c) ∧ b
lemma and_imp : ∀ {a b c : Prop}, (a ∧ b → c) ↔ (a → b → c)
lemma and_congr : ∀ {a b c d : Prop} (h₁ : a ↔ c) (h₂ : b ↔ d), a ∧ b ↔ c ∧ d
lemma and_congr_left' : ∀ {a b c : Prop} (h : a ↔ b), a ∧ c ↔ b ∧ c
lemma and_congr_right' : ∀ {a b c : Prop} (h : b ↔ c), a ∧ b ↔ a ∧ c
lemma and_or_left : ∀ {a b c : Prop}, a ∧ (b ∨ c) ↔ (a ∧ b) ∨ (a ∧ c)
lemma and_or_right : ∀ {a b c : Prop}, (a ∨ b) ∧ c ↔ (a ∧ c) ∨ (b ∧ c)
lemma or_and_left : ∀ {a b c : Prop}, a ∨ (b ∧ c) ↔ (a ∨ b) ∧ (a ∨ c)
lemma or_and_right : ∀ {a b c : Prop}, (a ∧ b) ∨ c ↔ (a ∨ c) ∧ (b ∨ c)
lemma and_not_self : ∀ {a : Prop}, ¬(a ∧ ¬a)
lemma not_and_self : ∀ {a : Prop}, ¬(¬a ∧ a)
lemma and_iff_left : ∀ {a b : Prop} (hb : b), a ∧ b ↔ a
lemma and_iff_right : ∀ {a b : Prop} (ha : a), a ∧ b ↔ b
lemma and_iff_left_of_imp : ∀ {a b : Prop} (h : a → b), (a ∧ b) ↔ a
lemma and_iff_right_of_imp : ∀ {a b : Prop} (h : b → a), (a ∧ b) ↔ b
lemma Or.symm : ∀ {a b : Prop} (h : a ∨ b), b ∨ a
lemma Or.comm : ∀ {a b : Prop}, a ∨ b ↔ b ∨ a
lemma Or.intro_left : ∀ {a : Prop} (b : Prop) (h : a), a ∨ b
lemma Or.intro_right : ∀ {b : Prop} (a : Prop) (h : b), a ∨ b
lemma Or.imp : ∀ {a c b d : Prop} (f : a → c) (g : b → d) (h : a ∨ b), c ∨ d
lemma Or.imp_left : ∀ {a b c : Prop} (f : a → b), a ∨ c → b ∨ c
lemma Or.imp_right : ∀ {b c a : Prop} (f : b → c), a ∨ b → a ∨ c
lemma Or.resolve_left : ∀ {a b : Prop} (h : a ∨ b) (na : ¬a), b
lemma Or.resolve_right : ∀ {a b : Prop} (h : a ∨ b) (nb : ¬b), a
lemma Or.neg_resolve_left : ∀ {a b : Prop} (h : ¬a ∨ b) (ha : a), b
lemma Or.neg_resolve_right : ∀ {a b : Prop} (h : a ∨ ¬b) (nb : b), a
lemma or_comm : ∀ {a b : Prop}, a ∨ b ↔ b ∨ a
lemma or_assoc : ∀ {a b c : Prop}, (a ∨ b) ∨ c ↔ a ∨ (b ∨ c)
lemma or_left_comm : ∀ {a b c : Prop}, a ∨ (b ∨ c) ↔ b ∨ (a ∨ c)
lemma or_imp : ∀ {a b c : Prop}, (a ∨ b → c) ↔ (a → c) ∧ (b → c)
lemma or_congr : ∀ {a b c d : Prop} (h₁ : a ↔ c) (h₂ : b ↔ d), a ∨ b ↔ c ∨ d
lemma or_iff_left_of_imp : ∀ {a b : Prop} (hb : b → a), (a ∨ b) ↔ a
lemma or_iff_right_of_imp : ∀ {a b : Prop} (ha : a → b), (a ∨ b) ↔ b
lemma not_or : ∀ {p q : Prop}, ¬(p ∨ q) ↔ ¬p ∧ ¬q
lemma not_and : ∀ {a b : Prop}, ¬(a ∧ b) ↔ (a → ¬b)
lemma not_and' : ∀ {a b : Prop}, ¬(a ∧ b) ↔ (b → ¬a)
lemma not_and_of_not_left : ∀ {a : Prop} (b : Prop) (h : ¬a), ¬(a ∧ b)
lemma not_and_of_not_right : ∀ (a : Prop) {b : Prop} (h : ¬b), ¬(a ∧ b)
lemma not_and_of_not_or_not : ∀ {a b : Prop} (h : ¬a ∨ ¬b), ¬(a ∧ b)
lemma not_congr : ∀ {a b : Prop} (h : a ↔ b), ¬a ↔ ¬b
lemma not_of_not_imp : ∀ {a b : Prop} (h : ¬(a → b)), ¬b
lemma imp_congr : ∀ {a b c d : Prop} (h₁ : a ↔ c) (h₂ : b ↔ d), (a → b) ↔ (c → d)
lemma imp_iff_right : ∀ {b a : Prop} (ha : a), (a → b) ↔ b
lemma Iff.refl : ∀ (a : Prop), a ↔ a
lemma Iff.rfl : ∀ {a : Prop}, a ↔ a
lemma Iff.symm : ∀ {a b : Prop} (h : a ↔ b), b ↔ a
lemma Iff.trans : ∀ {a b c : Prop} (h₁ : a ↔ b) (h₂ : b ↔ c), a ↔ c
lemma Iff.comm : ∀ {a b : Prop}, (a ↔ b) ↔ (b ↔ a)
lemma Iff.of_eq : ∀ {a b : Prop} (h : a = b), a ↔ b
lemma iff_of_eq : ∀ {a b : Prop} (h : a = b), a ↔ b
lemma iff_of_true : ∀ {a b : Prop} (ha : a) (hb : b), a ↔ b
lemma iff_of_false : ∀ {a b : Prop} (ha : ¬a) (hb : ¬b), a ↔ b
lemma iff_true_intro : ∀ {a : Prop} (h : a), a ↔ True
lemma iff_false_intro : ∀ {a : Prop} (h : ¬a), a ↔ False
lemma iff_iff_implies_and_implies : ∀ {a b : Prop}, (a ↔ b) ↔ (a → b) ∧ (b → a)
lemma iff_not_self : ∀ {a : Prop}, ¬(a ↔ ¬a)
lemma Exists.imp : ∀ {α : Type} {p q : α → Prop} (h : ∀ a, p a → q a), (∃ a, p a) → ∃ a, q a
lemma not_exists : ∀ {α : Type} {p : α → Prop}, (¬∃ x, p x) ↔ ∀ x, ¬p x
lemma not_exists_of_forall_not : ∀ {α : Type} {p : α → Prop} (h : ∀ x, ¬p x), ¬∃ x, p x
lemma forall_not_of_not_exists : ∀ {α : Type} {p : α → Prop} (h : ¬∃ x, p x), ∀ x, ¬p x
lemma not_forall_of_exists_not : ∀ {α : Type} {p : α → Prop} (h : ∃ x, ¬p x), ¬∀ x, p x
lemma exists_imp : ∀ {α : Type} {p : α → Prop} {b : Prop}, ((∃ x, p x) → b) ↔ ∀ x, p x → b
lemma forall_and : ∀ {α : Type} {p q : α → Prop}, (∀ x, p x ∧ q x) ↔ (∀ x, p x) ∧ (∀ x, q x)
lemma exists_or : ∀ {α : Type} {p q : α → Prop}, (∃ x, p x ∨ q x) ↔ (∃ x, p x) ∨ ∃ x, q x
lemma exists_and_left : ∀ {α : Type} {p : α → Prop} {b : Prop}, (∃ x, b ∧ p x) ↔ b ∧ (∃ x, p x)
lemma exists_and_right : ∀ {α : Type} {p : α → Prop} {b : Prop}, (∃ x, p x ∧ b) ↔ (∃ x, p x) ∧ b
lemma forall_exists_index : ∀ {α : Type} {p : α → Prop} {b : Prop}, ((∃ x, p x) → b) ↔ ∀ x, p x → b
lemma exists_eq : ∀ {α : Type} {a' : α}, ∃ a, a = a'
lemma exists_eq' : ∀ {α : Type} {a' : α}, ∃ a, a' = a
lemma exists_eq_left : ∀ {α : Type} {p : α → Prop} {a' : α}, (∃ a, a = a' ∧ p a) ↔ p a'
lemma forall_eq : ∀ {α : Type} {p : α → Prop} {a' : α}, (∀ a, a = a' → p a) ↔ p a'
lemma forall_eq' : ∀ {α : Type} {p : α → Prop} {a' : α}, (∀ a, a' = a → p a) ↔ p a'
lemma forall_congr' : ∀ {α : Type} {p q : α → Prop} (h : ∀ a, p a ↔ q a), (∀ a, p a) ↔ ∀ a, q a
lemma exists_congr : ∀ {α : Type} {p q : α → Prop} (h : ∀ a, p a ↔ q a), (∃ a, p a) ↔ ∃ a, q a
class Classical.byContradiction : ∀ {p : Prop} (h : ¬p → False), p
class Classical.byCases : ∀ {p q : Prop} (hpq : p → q) (hnpq : ¬p → q), q
class Classical.not_not : ∀ {a : Prop}, ¬¬a ↔ a
class Classical.not_and_iff_not_or_not : ∀ {a b : Prop}, ¬(a ∧ b) ↔ ¬a ∨ ¬b
class Classical.not_imp : ∀ {a b : Prop}, ¬(a → b) ↔ a ∧ ¬b
class Classical.not_forall : ∀ {α : Type} {p : α → Prop}, (¬∀ x, p x) ↔ ∃ x, ¬p x
class Classical.not_forall_not : ∀ {α : Type} {p : α → Prop}, (¬∀ x, ¬p x) ↔ ∃ x, p x
class Classical.not_exists_not : ∀ {α : Type} {p : α → Prop}, (¬∃ x, ¬p x) ↔ ∀ x, p x
class Classical.or_iff_not_imp_left : ∀ {a b : Prop}, a ∨ b ↔ (¬a → b)
class Classical.or_iff_not_imp_right : ∀ {a b : Prop}, a ∨ b ↔ (¬b → a)
class Classical.imp_iff_not_or : ∀ {a b : Prop}, (a → b) ↔ (¬a ∨ b)
ext ne_eq : ∀ {α : Type} (a b : α), (a ≠ b) = ¬(a = b)
ext eq_self : ∀ {α : Type} (a : α), (a = a) = True
ext eq_true : ∀ {p : Prop} (h : p), p = True
ext eq_false : ∀ {p : Prop} (h : ¬p), p = False
ext eq_false' : ∀ {p : Prop} (h : p → False), p = False
lemma of_eq_true : ∀ {p : Prop} (h : p = True), p
lemma not_of_eq_false : ∀ {p : Prop} (h : p = False), ¬p
ext forall_congr : ∀ {α : Type} {p q : α → Prop} (h : ∀ a, p a = q a), (∀ a, p a) = (∀ a, q a)
ext and_self : ∀ (p : Prop), (p ∧ p) = p
ext and_true : ∀ (p : Prop), (p ∧ True) = p
ext true_and : ∀ (p : Prop), (True ∧ p) = p
ext and_false : ∀ (p : Prop), (p ∧ False) = False
ext false_and : ∀ (p : Prop), (False ∧ p) = False
ext or_self : ∀ (p : Prop), (p ∨ p) = p
ext or_true : ∀ (p : Prop), (p ∨ True) = True
ext true_or : ∀ (p : Prop), (True ∨ p) = True
ext or_false : ∀ (p : Prop), (p ∨ False) = p
ext false_or : ∀ (p : Prop), (False ∨ p) = p
ext iff_self : ∀ (p : Prop), (p ↔ p) = True
ext iff_true : ∀ (p : Prop), (p ↔ True) = p
ext true_iff : ∀ (p : Prop), (True ↔ p) = p
ext iff_false : ∀ (p : Prop), (p ↔ False) = ¬p
ext false_iff : ∀ (p : Prop), (False ↔ p) = ¬p
ext not_true_eq_false : (¬True) = False
ext not_false_eq_true : (¬False) = True
ext implies_true : ∀ (α : Prop), (α → True) = True
ext true_implies : ∀ (p : Prop), (True → p) = p
ext false_implies : ∀ (p : Prop), (False → p) = True
lemma imp_self : ∀ {a : Prop}, (a → a) ↔ True
lemma if_pos : ∀ {c : Prop} (hc : c) {α : Type} {t e : α}, ite c t e = t
lemma if_neg : ∀ {c : Prop} (hnc : ¬c) {α : Type} {t e : α}, ite c t e = e
lemma ite_self : ∀ {α : Type} {c : Prop} (a : α), ite c a a = a
lemma if_true : ∀ {α : Type} (t e : α), ite True t e = t
lemma if_false : ∀ {α : Type} (t e : α), ite False t e = e
"""
