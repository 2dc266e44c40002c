"""The hand-written benchmark: statements and reference proofs of logic."""

from __future__ import annotations

LOGIC = """
and_swap : ∀ (p q : Prop), p ∧ q → q ∧ p
  intro p q h
  obtain ⟨hp, hq⟩ := h
  exact ⟨hq, hp⟩
and_comm' : ∀ (p q : Prop), p ∧ q ↔ q ∧ p
  intro p q
  constructor
  intro h
  exact ⟨h.2, h.1⟩
  intro h
  exact ⟨h.2, h.1⟩
or_comm' : ∀ (p q : Prop), p ∨ q ↔ q ∨ p
  intro p q
  constructor
  intro h
  rcases h with hp | hq
  right
  exact hp
  left
  exact hq
  intro h
  rcases h with hq | hp
  right
  exact hq
  left
  exact hp
and_assoc' : ∀ (p q r : Prop), (p ∧ q) ∧ r ↔ p ∧ q ∧ r
  intro p q r
  constructor
  intro h
  exact ⟨h.1.1, h.1.2, h.2⟩
  intro h
  exact ⟨⟨h.1, h.2.1⟩, h.2.2⟩
or_assoc' : ∀ (p q r : Prop), (p ∨ q) ∨ r → p ∨ q ∨ r
  intro p q r h
  rcases h with h | hr
  rcases h with hp | hq
  left
  exact hp
  right
  left
  exact hq
  right
  right
  exact hr
and_or_distrib : ∀ (p q r : Prop), p ∧ (q ∨ r) → p ∧ q ∨ p ∧ r
  intro p q r h
  obtain ⟨hp, h⟩ := h
  rcases h with hq | hr
  left
  exact ⟨hp, hq⟩
  right
  exact ⟨hp, hr⟩
and_or_factor : ∀ (p q r : Prop), p ∧ q ∨ p ∧ r → p ∧ (q ∨ r)
  intro p q r h
  rcases h with h | h
  exact ⟨h.1, Or.inl h.2⟩
  exact ⟨h.1, Or.inr h.2⟩
or_and_distrib : ∀ (p q r : Prop), p ∨ q ∧ r → (p ∨ q) ∧ (p ∨ r)
  intro p q r h
  rcases h with hp | h
  exact ⟨Or.inl hp, Or.inl hp⟩
  exact ⟨Or.inr h.1, Or.inr h.2⟩
curry : ∀ (p q r : Prop), (p ∧ q → r) → p → q → r
  intro p q r h hp hq
  exact h ⟨hp, hq⟩
uncurry : ∀ (p q r : Prop), (p → q → r) → p ∧ q → r
  intro p q r h hpq
  exact h hpq.1 hpq.2
curry_iff : ∀ (p q r : Prop), (p ∧ q → r) ↔ (p → q → r)
  intro p q r
  constructor
  intro h hp hq
  exact h ⟨hp, hq⟩
  intro h hpq
  exact h hpq.1 hpq.2
or_elim_iff : ∀ (p q r : Prop), (p ∨ q → r) ↔ (p → r) ∧ (q → r)
  intro p q r
  constructor
  intro h
  constructor
  intro hp
  exact h (Or.inl hp)
  intro hq
  exact h (Or.inr hq)
  intro h hpq
  rcases hpq with hp | hq
  exact h.1 hp
  exact h.2 hq
imp_trans' : ∀ (p q r : Prop), (p → q) → (q → r) → p → r
  intro p q r hpq hqr hp
  exact hqr (hpq hp)
imp_and_distrib : ∀ (p q r : Prop), (p → q ∧ r) → (p → q) ∧ (p → r)
  intro p q r h
  constructor
  intro hp
  exact (h hp).1
  intro hp
  exact (h hp).2
combinator_s : ∀ (p q r : Prop), (p → q → r) → (p → q) → p → r
  intro p q r h g hp
  exact h hp (g hp)
contrapositive : ∀ (p q : Prop), (p → q) → ¬q → ¬p
  intro p q h hq hp
  exact hq (h hp)
double_negation_intro : ∀ (p : Prop), p → ¬¬p
  intro p hp hn
  exact hn hp
triple_negation : ∀ (p : Prop), ¬¬¬p → ¬p
  intro p h hp
  apply h
  intro hn
  exact hn hp
non_contradiction : ∀ (p : Prop), ¬(p ∧ ¬p)
  intro p h
  exact h.2 h.1
not_iff_self : ∀ (p : Prop), ¬(p ↔ ¬p)
  intro p h
  have hn : ¬p := fun hp => h.mp hp hp
  exact hn (h.mpr hn)
em_irrefutable : ∀ (p : Prop), ¬¬(p ∨ ¬p)
  intro p h
  apply h
  right
  intro hp
  exact h (Or.inl hp)
peirce_irrefutable : ∀ (p q : Prop), ¬¬(((p → q) → p) → p)
  intro p q h
  apply h
  intro hpqp
  apply hpqp
  intro hp
  exfalso
  apply h
  intro _
  exact hp
de_morgan_or : ∀ (p q : Prop), ¬(p ∨ q) ↔ ¬p ∧ ¬q
  intro p q
  constructor
  intro h
  exact ⟨fun hp => h (Or.inl hp), fun hq => h (Or.inr hq)⟩
  intro h hpq
  rcases hpq with hp | hq
  exact h.1 hp
  exact h.2 hq
de_morgan_and : ∀ (p q : Prop), ¬p ∨ ¬q → ¬(p ∧ q)
  intro p q h hpq
  rcases h with hp | hq
  exact hp hpq.1
  exact hq hpq.2
disjunctive_syllogism : ∀ (p q : Prop), p ∨ q → ¬p → q
  intro p q h hn
  rcases h with hp | hq
  contradiction
  exact hq
material_implication : ∀ (p q : Prop), ¬p ∨ q → p → q
  intro p q h hp
  rcases h with hn | hq
  contradiction
  exact hq
ex_falso : ∀ (p q : Prop), p → ¬p → q
  intro p q hp hn
  exact absurd hp hn
constructive_dilemma : ∀ (p q r s : Prop), (p → q) → (r → s) → p ∨ r → q ∨ s
  intro p q r s hpq hrs h
  rcases h with hp | hr
  left
  exact hpq hp
  right
  exact hrs hr
iff_trans' : ∀ (p q r : Prop), (p ↔ q) → (q ↔ r) → (p ↔ r)
  intro p q r hpq hqr
  constructor
  intro hp
  exact hqr.mp (hpq.mp hp)
  intro hr
  exact hpq.mpr (hqr.mpr hr)
iff_symm' : ∀ (p q : Prop), (p ↔ q) → (q ↔ p)
  intro p q h
  exact ⟨h.2, h.1⟩
and_absorption : ∀ (p q : Prop), p ∧ (p ∨ q) ↔ p
  intro p q
  constructor
  intro h
  exact h.1
  intro hp
  exact ⟨hp, Or.inl hp⟩
or_absorption : ∀ (p q : Prop), p ∨ p ∧ q ↔ p
  intro p q
  constructor
  intro h
  rcases h with hp | hpq
  exact hp
  exact hpq.1
  intro hp
  left
  exact hp
and_self' : ∀ (p : Prop), p ∧ p ↔ p
  intro p
  constructor
  intro h
  exact h.1
  intro hp
  exact ⟨hp, hp⟩
excluded_middle : ∀ (p : Prop), p ∨ ¬p
  intro p
  exact Classical.em p
double_negation_elim : ∀ (p : Prop), ¬¬p → p
  intro p h
  rcases Classical.em p with hp | hn
  exact hp
  contradiction
peirce : ∀ (p q : Prop), ((p → q) → p) → p
  intro p q h
  rcases Classical.em p with hp | hn
  exact hp
  apply h
  intro hp
  contradiction
de_morgan_classical : ∀ (p q : Prop), ¬(p ∧ q) → ¬p ∨ ¬q
  intro p q h
  rcases Classical.em p with hp | hn
  right
  intro hq
  exact h ⟨hp, hq⟩
  left
  exact hn
not_or_of_imp : ∀ (p q : Prop), (p → q) → ¬p ∨ q
  intro p q h
  rcases Classical.em p with hp | hn
  right
  exact h hp
  left
  exact hn
contrapositive_converse : ∀ (p q : Prop), (¬q → ¬p) → p → q
  intro p q h hp
  rcases Classical.em q with hq | hn
  exact hq
  exact absurd hp (h hn)
linearity : ∀ (p q : Prop), (p → q) ∨ (q → p)
  intro p q
  rcases Classical.em p with hp | hn
  right
  intro _
  exact hp
  left
  intro hp
  contradiction
"""
QUANTIFIERS = """
forall_and : ∀ (P Q : Nat → Prop), (∀ x, P x ∧ Q x) ↔ (∀ x, P x) ∧ (∀ x, Q x)
  intro P Q
  constructor
  intro h
  exact ⟨fun x => (h x).1, fun x => (h x).2⟩
  intro h x
  exact ⟨h.1 x, h.2 x⟩
exists_or : ∀ (P Q : Nat → Prop), (∃ x, P x ∨ Q x) → (∃ x, P x) ∨ (∃ x, Q x)
  intro P Q h
  obtain ⟨x, h⟩ := h
  rcases h with hp | hq
  left
  exact ⟨x, hp⟩
  right
  exact ⟨x, hq⟩
not_exists_iff : ∀ (P : Nat → Prop), (¬∃ x, P x) ↔ ∀ x, ¬P x
  intro P
  constructor
  intro h x hx
  exact h ⟨x, hx⟩
  intro h hx
  obtain ⟨x, hx⟩ := hx
  exact h x hx
exists_not : ∀ (P : Nat → Prop), (∃ x, ¬P x) → ¬∀ x, P x
  intro P h hall
  obtain ⟨x, hx⟩ := h
  exact hx (hall x)
exists_forall_swap : ∀ (R : Nat → Nat → Prop), (∃ x, ∀ y, R x y) → ∀ y, ∃ x, R x y
  intro R h y
  obtain ⟨x, hx⟩ := h
  exact ⟨x, hx y⟩
syllogism : ∀ (P Q R : Nat → Prop), (∀ x, P x → Q x) → (∀ x, Q x → R x) → ∀ x, P x → R x
  intro P Q R hpq hqr x hx
  exact hqr x (hpq x hx)
darii : ∀ (P Q R : Nat → Prop), (∀ x, P x → Q x) → (∃ x, P x ∧ R x) → ∃ x, Q x ∧ R x
  intro P Q R h hx
  obtain ⟨x, hp, hr⟩ := hx
  exact ⟨x, h x hp, hr⟩
barber : ∀ (R : Nat → Nat → Prop), ¬∃ b, ∀ x, R b x ↔ ¬R x x
  intro R h
  obtain ⟨b, hb⟩ := h
  have h1 := hb b
  have hn : ¬R b b := fun hr => h1.mp hr hr
  exact hn (h1.mpr hn)
forall_imp_exists : ∀ (P : Nat → Prop), (∀ x, P x) → ∃ x, P x
  intro P h
  exact ⟨0, h 0⟩
not_all_small : ¬∃ n, ∀ m : Nat, m ≤ n
  intro h
  obtain ⟨n, hn⟩ := h
  have h1 := hn (n + 1)
  omega
drinker : ∀ (P : Nat → Prop), ∃ x, P x → ∀ y, P y
  intro P
  rcases Classical.em (∃ x, ¬P x) with h | h
  obtain ⟨x, hx⟩ := h
  refine ⟨x, ?_⟩
  intro hp
  contradiction
  refine ⟨0, ?_⟩
  intro _ y
  rcases Classical.em (P y) with hy | hy
  exact hy
  exact absurd ⟨y, hy⟩ h
not_forall' : ∀ (P : Nat → Prop), (¬∀ x, P x) → ∃ x, ¬P x
  intro P h
  rcases Classical.em (∃ x, ¬P x) with h1 | h1
  exact h1
  exfalso
  apply h
  intro x
  rcases Classical.em (P x) with h2 | h2
  exact h2
  exact absurd ⟨x, h2⟩ h1
cantor : ∀ (f : Nat → Nat → Prop), ∃ S : Nat → Prop, ∀ n, ¬(f n n ↔ S n)
  intro f
  refine ⟨fun n => ¬f n n, ?_⟩
  intro n h
  have hn : ¬f n n := fun hr => h.mp hr hr
  exact hn (h.mpr hn)
skolem_at_point : ∀ (R : Nat → Nat → Prop) (f : Nat → Nat), (∀ x, R x (f x)) → ∀ x, ∃ y, R x y
  intro R f h x
  exact ⟨f x, h x⟩
symmetric_transitive_related : ∀ (R : Nat → Nat → Prop), (∀ x y, R x y → R y x)
    → (∀ x y z, R x y → R y z → R x z) → ∀ x y, R x y → R x x
  intro R h1 h2 x y h
  apply h2 x y x
  exact h
  exact h1 x y h
"""
