"""The hand-written benchmark: statements and reference proofs about natural numbers."""

NUMBERS = """
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
