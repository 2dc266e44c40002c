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
  induction n with | zero => ?_ | succ n ih => ?_
  left
  exact ⟨0, rfl⟩
  rcases ih with ⟨k, h⟩ | ⟨k, h⟩
  right
  refine ⟨k, ?_⟩
  omega
  left
  refine ⟨k + 1, ?_⟩
  omega
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
  have h1 : s 1 = s 0 + 1 := h 0
  have h2 : s 2 = s 1 + 2 := h 1
  have h3 : s 3 = s 2 + 3 := h 2
  have h4 : s 4 = s 3 + 4 := h 3
  have h5 : s 5 = s 4 + 5 := h 4
  have h6 : s 6 = s 5 + 6 := h 5
  have h7 : s 7 = s 6 + 7 := h 6
  have h8 : s 8 = s 7 + 8 := h 7
  have h9 : s 9 = s 8 + 9 := h 8
  have h10 : s 10 = s 9 + 10 := h 9
  omega
gauss_formula : ∀ (s : Nat → Nat), s 0 = 0 → (∀ n, s (n + 1) = s n + (n + 1))
    → ∀ n, 2 * s n = n * (n + 1)
  intro s h0 h n
  induction n with | zero => ?_ | succ n ih => ?_
  omega
  rw [h]
  rw [Nat.mul_add]
  rw [ih]
  rw [Nat.mul_comm (n + 1) (n + 1 + 1)]
  rw [← Nat.add_mul]
odd_sum_square : ∀ (s : Nat → Nat), s 0 = 0 → (∀ n, s (n + 1) = s n + (2 * n + 1))
    → ∀ n, s n = n * n
  intro s h0 h n
  induction n with | zero => ?_ | succ n ih => ?_
  omega
  rw [h]
  rw [ih]
  rw [Nat.mul_add]
  rw [Nat.add_mul]
  omega
arithmetic_progression : ∀ (f : Nat → Nat) (d : Nat), f 0 = d → (∀ n, f (n + 1) = f n + d)
    → ∀ n, f n = d * (n + 1)
  intro f d h0 h n
  induction n with | zero => ?_ | succ n ih => ?_
  rw [h0]
  rw [Nat.zero_add]
  rw [Nat.mul_one]
  rw [h]
  rw [ih]
  rw [Nat.mul_add d (n + 1) 1]
  rw [Nat.mul_one]
constant_of_step : ∀ (f : Nat → Nat), (∀ n, f (n + 1) = f n) → ∀ n, f n = f 0
  intro f h n
  induction n with | zero => ?_ | succ n ih => ?_
  rfl
  rw [h]
  exact ih
monotone_of_step : ∀ (f : Nat → Nat), (∀ n, f n ≤ f (n + 1)) → ∀ n, f 0 ≤ f n
  intro f h n
  induction n with | zero => ?_ | succ n ih => ?_
  exact Nat.le_refl (f 0)
  exact Nat.le_trans ih (h n)
growth_of_step : ∀ (f : Nat → Nat), (∀ n, f n < f (n + 1)) → ∀ n, n ≤ f n
  intro f h n
  induction n with | zero => ?_ | succ n ih => ?_
  exact Nat.zero_le (f 0)
  have h1 := h n
  omega
induction_from_step_two : ∀ (P : Nat → Prop), P 0 → P 1 → (∀ n, P n → P (n + 2))
    → ∀ n, P n ∧ P (n + 1)
  intro P h0 h1 h n
  induction n with | zero => ?_ | succ n ih => ?_
  exact ⟨h0, h1⟩
  exact ⟨ih.2, h n ih.1⟩
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
strong_induction : ∀ (P : Nat → Prop), (∀ n, (∀ m, m < n → P m) → P n) → ∀ n, P n
  intro P h n
  have key : ∀ k m, m < k → P m := ?_
  exact key (n + 1) n (Nat.lt_succ_self n)
  intro k
  induction k with | zero => ?_ | succ k ih => ?_
  intro m hm
  omega
  intro m hm
  apply h
  intro j hj
  apply ih
  omega
least_element : ∀ (P : Nat → Prop), (∀ n, P n → ∃ m, m < n ∧ P m) → ∀ n, ¬P n
  intro P h n
  have key : ∀ k m, m ≤ k → ¬P m := ?_
  exact key n n (Nat.le_refl n)
  intro k
  induction k with | zero => ?_ | succ k ih => ?_
  intro m hm hp
  obtain ⟨j, hj, hq⟩ := h m hp
  omega
  intro m hm hp
  obtain ⟨j, hj, hq⟩ := h m hp
  apply ih j _ hq
  omega
archimedes : ∀ (a b : Nat), 0 < a → ∃ n, b < n * a
  intro a b h
  refine ⟨b + 1, ?_⟩
  rw [Nat.add_mul]
  rw [Nat.one_mul]
  have h1 : b * 1 ≤ b * a := Nat.mul_le_mul_left b h
  omega
product_of_odd : ∀ (m n : Nat), m % 2 = 1 → n % 2 = 1 → (m + n) % 2 = 0
  intro m n h1 h2
  omega
square_not_two_mod_three : ∀ (n : Nat), n % 3 = 0 ∨ n % 3 = 1 ∨ n % 3 = 2
  intro n
  omega
coin_problem : ∀ (n : Nat), 4 ≤ n → ∃ a b, n = 2 * a + 5 * b
  intro n h
  have h1 : n % 2 = 0 ∨ n % 2 = 1 := by omega
  rcases h1 with h1 | h1
  refine ⟨n / 2, 0, ?_⟩
  omega
  refine ⟨(n - 5) / 2, 1, ?_⟩
  omega
sum_of_consecutive : ∀ (n : Nat), 3 ∣ n + (n + 1) + (n + 2)
  intro n
  omega
square_difference : ∀ (n : Nat), (n + 1) * (n + 1) = n * n + 2 * n + 1
  intro n
  rw [Nat.add_mul]
  rw [Nat.mul_add]
  omega
"""

LISTS = """
append_right_nil : ∀ (xs : List Nat), xs ++ [] = xs
  intro xs
  induction xs with | nil => ?_ | cons x xs ih => ?_
  rfl
  rw [List.cons_append]
  rw [ih]
append_assoc' : ∀ (xs ys zs : List Nat), xs ++ ys ++ zs = xs ++ (ys ++ zs)
  intro xs ys zs
  exact List.append_assoc xs ys zs
reverse_twice : ∀ (xs : List Nat), xs.reverse.reverse = xs
  intro xs
  exact List.reverse_reverse xs
reverse_of_append : ∀ (xs ys : List Nat), (xs ++ ys).reverse = ys.reverse ++ xs.reverse
  intro xs ys
  exact List.reverse_append
palindrome : ∀ (xs : List Nat), (xs ++ xs.reverse).reverse = xs ++ xs.reverse
  intro xs
  rw [List.reverse_append]
  rw [List.reverse_reverse]
length_of_append : ∀ (xs ys : List Nat), (xs ++ ys).length = ys.length + xs.length
  intro xs ys
  rw [List.length_append]
  omega
fold_of_append : ∀ (s : List Nat → Nat), s [] = 1 → (∀ x xs, s (x :: xs) = x * s xs)
    → ∀ xs ys, s (xs ++ ys) = s xs * s ys
  intro s h1 h2 xs ys
  induction xs with | nil => ?_ | cons x xs ih => ?_
  rw [List.nil_append]
  rw [h1]
  rw [Nat.one_mul]
  rw [List.cons_append]
  rw [h2]
  rw [h2]
  rw [ih]
  rw [Nat.mul_assoc]
nonempty_list : ∀ (xs : List Nat), xs = [] ∨ ∃ y ys, xs = y :: ys
  intro xs
  cases xs with | nil => ?_ | cons y ys => ?_
  left
  rfl
  right
  exact ⟨y, ys, rfl⟩
cons_injective : ∀ (x y : Nat) (xs ys : List Nat), x :: xs = y :: ys → x = y ∧ xs = ys
  intro x y xs ys h
  injection h with h1 h2
  exact ⟨h1, h2⟩
map_map : ∀ (f g : Nat → Nat) (m n k : List Nat → List Nat), m [] = [] → n [] = [] → k [] = []
    → (∀ x xs, m (x :: xs) = f x :: m xs) → (∀ x xs, n (x :: xs) = g x :: n xs)
    → (∀ x xs, k (x :: xs) = f (g x) :: k xs) → ∀ xs, m (n xs) = k xs
  intro f g m n k h1 h2 h3 h4 h5 h6 xs
  induction xs with | nil => ?_ | cons x xs ih => ?_
  rw [h2]
  rw [h1]
  rw [h3]
  rw [h5]
  rw [h4]
  rw [h6]
  rw [ih]
"""
