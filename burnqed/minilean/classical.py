"""A hand-written benchmark: classical facts of logic and of the natural numbers.

Each comes with a reference proof in core Lean 4, one tactic per line, each on the first goal (a
deeper indented line continues the one above). The proofs are for
tests only, and the generated corpus leaves these statements out.
"""

from __future__ import annotations

from burnqed.minilean.corpus_draft import CorpusTheorem, Draft, level_of

_LOGIC = """
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

_QUANTIFIERS = """
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
"""

_NUMBERS = """
zero_add' : ∀ (n : Nat), 0 + n = n
  intro n
  exact Nat.zero_add n
add_comm' : ∀ (a b : Nat), a + b = b + a
  intro a b
  rw [Nat.add_comm]
add_right_comm' : ∀ (a b c : Nat), a + b + c = a + c + b
  intro a b c
  omega
mul_comm' : ∀ (a b : Nat), a * b = b * a
  intro a b
  exact Nat.mul_comm a b
square_of_sum : ∀ (a b : Nat), (a + b) * (a + b) = a * a + a * b + (b * a + b * b)
  intro a b
  rw [Nat.add_mul]
  rw [Nat.mul_add]
  rw [Nat.mul_add]
mul_distrib : ∀ (a b c : Nat), a * (b + c) = b * a + c * a
  intro a b c
  rw [Nat.mul_add]
  rw [Nat.mul_comm a b]
  rw [Nat.mul_comm a c]
mul_left_swap : ∀ (a b c : Nat), a * (b * c) = b * (a * c)
  intro a b c
  rw [← Nat.mul_assoc]
  rw [Nat.mul_comm a b]
  rw [Nat.mul_assoc]
eq_trans' : ∀ (a b c : Nat), a = b → b = c → a = c
  intro a b c h1 h2
  rw [h1]
  exact h2
congr_fun' : ∀ (f : Nat → Nat) (a b : Nat), a = b → f a = f b
  intro f a b h
  rw [h]
le_trans' : ∀ (a b c : Nat), a ≤ b → b ≤ c → a ≤ c
  intro a b c h1 h2
  exact Nat.le_trans h1 h2
le_antisymm' : ∀ (a b : Nat), a ≤ b → b ≤ a → a = b
  intro a b h1 h2
  exact Nat.le_antisymm h1 h2
lt_irrefl' : ∀ (a : Nat), ¬a < a
  intro a
  exact Nat.lt_irrefl a
lt_trichotomy' : ∀ (a b : Nat), a < b ∨ a = b ∨ b < a
  intro a b
  omega
le_total' : ∀ (a b : Nat), a ≤ b ∨ b ≤ a
  intro a b
  exact Nat.le_total a b
lt_succ_iff : ∀ (a b : Nat), a < b + 1 ↔ a ≤ b
  intro a b
  omega
add_le_add' : ∀ (a b c d : Nat), a ≤ b → c ≤ d → a + c ≤ b + d
  intro a b c d h1 h2
  omega
sub_add_cancel' : ∀ (a b : Nat), b ≤ a → a - b + b = a
  intro a b h
  omega
sub_self' : ∀ (a : Nat), a - a = 0
  intro a
  omega
mod_two_cases : ∀ (n : Nat), n % 2 = 0 ∨ n % 2 = 1
  intro n
  omega
div_mod_two : ∀ (n : Nat), 2 * (n / 2) + n % 2 = n
  intro n
  omega
even_or_odd : ∀ (n : Nat), (∃ k, n = 2 * k) ∨ (∃ k, n = 2 * k + 1)
  intro n
  induction n with | zero => exact Or.inl ⟨0, rfl⟩ | succ n ih => rcases ih with ⟨k, h⟩
    | ⟨k, h⟩; exact Or.inr ⟨k, by omega⟩; exact Or.inl ⟨k + 1, by omega⟩
even_add_even : ∀ (m n : Nat), (∃ k, m = 2 * k) → (∃ k, n = 2 * k) → ∃ k, m + n = 2 * k
  intro m n h1 h2
  obtain ⟨i, h3⟩ := h1
  obtain ⟨j, h4⟩ := h2
  exact ⟨i + j, by omega⟩
odd_add_odd : ∀ (m n : Nat), (∃ k, m = 2 * k + 1) → (∃ k, n = 2 * k + 1) → ∃ k, m + n = 2 * k
  intro m n h1 h2
  obtain ⟨i, h3⟩ := h1
  obtain ⟨j, h4⟩ := h2
  exact ⟨i + j + 1, by omega⟩
not_even_and_odd : ∀ (n : Nat), (∃ k, n = 2 * k) → ¬∃ k, n = 2 * k + 1
  intro n h1 h2
  obtain ⟨i, h3⟩ := h1
  obtain ⟨j, h4⟩ := h2
  omega
even_mul : ∀ (m n : Nat), (∃ k, m = 2 * k) → ∃ k, m * n = 2 * k
  intro m n h
  obtain ⟨k, h1⟩ := h
  exact ⟨k * n, by rw [h1, Nat.mul_assoc]⟩
no_largest : ∀ (n : Nat), ∃ m, n < m
  intro n
  exact ⟨n + 1, by omega⟩
gauss_sum : ∀ (s : Nat → Nat), s 0 = 0 → (∀ n, s (n + 1) = s n + (n + 1)) → s 10 = 55
  intro s h0 h
  have h1 := h 0
  have h2 := h 1
  have h3 := h 2
  have h4 := h 3
  have h5 := h 4
  have h6 := h 5
  have h7 := h 6
  have h8 := h 7
  have h9 := h 8
  have h10 := h 9
  omega
gauss_formula : ∀ (s : Nat → Nat), s 0 = 0 → (∀ n, s (n + 1) = s n + (n + 1))
    → ∀ n, 2 * s n = n * (n + 1)
  intro s h0 h n
  induction n with | zero => omega | succ n ih => rw [h, Nat.mul_add, ih,
    Nat.mul_comm (n + 1) (n + 1 + 1), ← Nat.add_mul]
odd_sum_square : ∀ (s : Nat → Nat), s 0 = 0 → (∀ n, s (n + 1) = s n + (2 * n + 1))
    → ∀ n, s n = n * n
  intro s h0 h n
  induction n with | zero => omega | succ n ih => rw [h, ih, Nat.mul_add, Nat.add_mul]; omega
arithmetic_progression : ∀ (f : Nat → Nat) (d : Nat), f 0 = d → (∀ n, f (n + 1) = f n + d)
    → ∀ n, f n = d * (n + 1)
  intro f d h0 h n
  induction n with | zero => rw [h0, Nat.mul_add, Nat.mul_zero, Nat.zero_add, Nat.mul_one]
    | succ n ih => rw [h, ih, Nat.mul_add d (n + 1) 1, Nat.mul_one]
constant_of_step : ∀ (f : Nat → Nat), (∀ n, f (n + 1) = f n) → ∀ n, f n = f 0
  intro f h n
  induction n with | zero => rfl | succ n ih => rw [h, ih]
monotone_of_step : ∀ (f : Nat → Nat), (∀ n, f n ≤ f (n + 1)) → ∀ n, f 0 ≤ f n
  intro f h n
  induction n with | zero => exact Nat.le_refl (f 0) | succ n ih => exact Nat.le_trans ih (h n)
growth_of_step : ∀ (f : Nat → Nat), (∀ n, f n < f (n + 1)) → ∀ n, n ≤ f n
  intro f h n
  induction n with | zero => exact Nat.zero_le (f 0) | succ n ih => have h1 := h n; omega
induction_from_step_two : ∀ (P : Nat → Prop), P 0 → P 1 → (∀ n, P n → P (n + 2))
    → ∀ n, P n ∧ P (n + 1)
  intro P h0 h1 h n
  induction n with | zero => exact ⟨h0, h1⟩ | succ n ih => exact ⟨ih.2, h n ih.1⟩
frobenius_three_five : ∀ (n : Nat), 8 ≤ n → n < 11 → ∃ a b, n = 3 * a + 5 * b
  intro n h1 h2
  have h3 : n = 8 ∨ n = 9 ∨ n = 10 := by omega
  rcases h3 with h | h | h
  exact ⟨1, 1, h⟩
  exact ⟨3, 0, h⟩
  exact ⟨0, 2, h⟩
powers : 2 ^ 10 = 1024
  rfl
remainder_fact : 100 % 7 = 2
  decide
"""


def _parse(text: str, family: str) -> list[Draft]:
    drafts: list[Draft] = []
    for line in text.strip().splitlines():
        last = drafts[-1] if drafts else None
        if line.startswith("    "):
            assert last is not None
            *steps, end = [last.statement, *last.proof]
            statement, *steps = [*steps, f"{end} {line.strip()}"]
            drafts[-1] = Draft(last.tag, family, statement, tuple(steps))
        elif line.startswith("  "):
            assert last is not None
            drafts[-1] = Draft(last.tag, family, last.statement, (*last.proof, line.strip()))
        else:
            name, _, statement = line.partition(" : ")
            drafts.append(Draft(name, family, statement, ()))
    return drafts


def theorems() -> list[CorpusTheorem]:
    """The whole set, in order; families are logic, quantifiers and numbers."""
    drafts = [
        *_parse(_LOGIC, "logic"),
        *_parse(_QUANTIFIERS, "quantifiers"),
        *_parse(_NUMBERS, "numbers"),
    ]
    return [
        CorpusTheorem(
            f"classical_{draft.tag.rstrip(chr(39))}",
            draft.statement,
            list(draft.proof),
            draft.family,
            level_of(draft),
            "benchmark",
        )
        for draft in drafts
    ]
