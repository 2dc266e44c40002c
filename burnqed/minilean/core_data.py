"""Lemmas on booleans, lists and integers; the format is that of `core_text.py`."""

DATA = r"""
lemma Bool.not_not : ∀ (b : Bool), Bool.not (Bool.not b) = b
lemma Bool.and_comm : ∀ (x y : Bool), (x && y) = (y && x)
lemma Bool.or_comm : ∀ (x y : Bool), (x || y) = (y || x)
lemma Bool.and_self : ∀ (b : Bool), (b && b) = b
lemma Bool.or_self : ∀ (b : Bool), (b || b) = b
lemma List.nil_append : ∀ {α : Type} (as : List α), [] ++ as = as
lemma List.append_nil : ∀ {α : Type} (as : List α), as ++ [] = as
lemma List.cons_append : ∀ {α : Type} {a : α} {as bs : List α}, (a :: as) ++ bs = a :: (as ++ bs)
lemma List.append_assoc : ∀ {α : Type} (as bs cs : List α), as ++ bs ++ cs = as ++ (bs ++ cs)
lemma List.length_nil : ∀ {α : Type}, List.length ([] : List α) = 0
lemma List.length_cons : ∀ {α : Type} {a : α} {as : List α}, List.length (a :: as) = List.length as + 1
lemma List.length_append : ∀ {α : Type} {as bs : List α}, List.length (as ++ bs) = List.length as + List.length bs
lemma List.length_reverse : ∀ {α : Type} {as : List α}, List.length (List.reverse as) = List.length as
lemma List.length_map : ∀ {α β : Type} {as : List α} (f : α → β), List.length (List.map f as) = List.length as
lemma List.map_nil : ∀ {α β : Type} {f : α → β}, List.map f [] = []
lemma List.map_cons : ∀ {α β : Type} {f : α → β} {a : α} {l : List α}, List.map f (a :: l) = f a :: List.map f l
lemma List.map_append : ∀ {α β : Type} {f : α → β} {l₁ l₂ : List α}, List.map f (l₁ ++ l₂) = List.map f l₁ ++ List.map f l₂
lemma List.reverse_nil : ∀ {α : Type}, List.reverse ([] : List α) = []
lemma List.reverse_cons : ∀ {α : Type} {a : α} {as : List α}, List.reverse (a :: as) = List.reverse as ++ [a]
lemma List.reverse_append : ∀ {α : Type} {as bs : List α}, List.reverse (as ++ bs) = List.reverse bs ++ List.reverse as
lemma List.reverse_reverse : ∀ {α : Type} (as : List α), List.reverse (List.reverse as) = as
lemma List.cons_ne_nil : ∀ {α : Type} (a : α) (l : List α), a :: l ≠ []
lemma List.cons.inj : ∀ {α : Type} {a b : α} {as bs : List α} (h : a :: as = b :: bs), a = b ∧ as = bs
lemma List.append_cancel_left : ∀ {α : Type} {as bs cs : List α} (h : as ++ bs = as ++ cs), bs = cs
lemma Int.ofNat_add : ∀ (n m : Nat), ((n + m : Nat) : Int) = (n : Int) + (m : Int)
lemma Int.ofNat_mul : ∀ (n m : Nat), ((n * m : Nat) : Int) = (n : Int) * (m : Int)
lemma Int.add_comm : ∀ (a b : Int), a + b = b + a
lemma Int.add_assoc : ∀ (a b c : Int), a + b + c = a + (b + c)
lemma Int.add_left_comm : ∀ (a b c : Int), a + (b + c) = b + (a + c)
lemma Int.add_right_comm : ∀ (a b c : Int), a + b + c = a + c + b
lemma Int.add_zero : ∀ (a : Int), a + 0 = a
lemma Int.zero_add : ∀ (a : Int), 0 + a = a
lemma Int.mul_comm : ∀ (a b : Int), a * b = b * a
lemma Int.mul_assoc : ∀ (a b c : Int), a * b * c = a * (b * c)
lemma Int.mul_one : ∀ (a : Int), a * 1 = a
lemma Int.one_mul : ∀ (a : Int), 1 * a = a
lemma Int.mul_zero : ∀ (a : Int), a * 0 = 0
lemma Int.zero_mul : ∀ (a : Int), 0 * a = 0
lemma Int.mul_add : ∀ (a b c : Int), a * (b + c) = a * b + a * c
lemma Int.add_mul : ∀ (a b c : Int), (a + b) * c = a * c + b * c
lemma Int.neg_neg : ∀ (a : Int), - -a = a
lemma Int.neg_add : ∀ {a b : Int}, -(a + b) = -a + -b
lemma Int.add_left_neg : ∀ (a : Int), -a + a = 0
lemma Int.add_right_neg : ∀ (a : Int), a + -a = 0
lemma Int.sub_self : ∀ (a : Int), a - a = 0
lemma Int.sub_zero : ∀ (a : Int), a - 0 = a
lemma Int.sub_eq_add_neg : ∀ {a b : Int}, a - b = a + -b
lemma Int.add_sub_cancel : ∀ (a b : Int), a + b - b = a
lemma Int.sub_add_cancel : ∀ (a b : Int), a - b + b = a
lemma Int.le_refl : ∀ (a : Int), a ≤ a
lemma Int.le_trans : ∀ {a b c : Int} (h₁ : a ≤ b) (h₂ : b ≤ c), a ≤ c
lemma Int.le_antisymm : ∀ {a b : Int} (h₁ : a ≤ b) (h₂ : b ≤ a), a = b
lemma Int.le_total : ∀ (a b : Int), a ≤ b ∨ b ≤ a
lemma Int.le_of_lt : ∀ {a b : Int} (h : a < b), a ≤ b
lemma Int.lt_irrefl : ∀ (a : Int), ¬a < a
lemma Int.lt_of_lt_of_le : ∀ {a b c : Int} (h₁ : a < b) (h₂ : b ≤ c), a < c
lemma Int.lt_of_le_of_lt : ∀ {a b c : Int} (h₁ : a ≤ b) (h₂ : b < c), a < c
lemma Int.lt_trans : ∀ {a b c : Int} (h₁ : a < b) (h₂ : b < c), a < c
lemma Int.not_le : ∀ {a b : Int}, ¬a ≤ b ↔ b < a
lemma Int.not_lt : ∀ {a b : Int}, ¬a < b ↔ b ≤ a
lemma Int.add_le_add : ∀ {a b c d : Int} (h₁ : a ≤ b) (h₂ : c ≤ d), a + c ≤ b + d
"""
