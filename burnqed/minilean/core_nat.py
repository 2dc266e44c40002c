"""Lemmas on natural numbers; the format is that of `core_text.py`."""

NAT = r"""
lemma Nat.add_comm : ∀ (n m : Nat), n + m = m + n
lemma Nat.add_assoc : ∀ (n m k : Nat), n + m + k = n + (m + k)
lemma Nat.add_left_comm : ∀ (n m k : Nat), n + (m + k) = m + (n + k)
lemma Nat.add_right_comm : ∀ (n m k : Nat), n + m + k = n + k + m
lemma Nat.add_add_add_comm : ∀ (a b c d : Nat), (a + b) + (c + d) = (a + c) + (b + d)
lemma Nat.zero_add : ∀ (n : Nat), 0 + n = n
lemma Nat.add_zero : ∀ (n : Nat), n + 0 = n
lemma Nat.add_succ : ∀ (n m : Nat), n + Nat.succ m = Nat.succ (n + m)
lemma Nat.succ_add : ∀ (n m : Nat), Nat.succ n + m = Nat.succ (n + m)
lemma Nat.add_one : ∀ (n : Nat), n + 1 = Nat.succ n
lemma Nat.succ_eq_add_one : ∀ (n : Nat), Nat.succ n = n + 1
lemma Nat.one_add : ∀ (n : Nat), 1 + n = Nat.succ n
lemma Nat.add_left_cancel : ∀ {n m k : Nat} (h : n + m = n + k), m = k
lemma Nat.add_right_cancel : ∀ {n m k : Nat} (h : n + m = k + m), n = k
lemma Nat.add_left_cancel_iff : ∀ {m k n : Nat}, n + m = n + k ↔ m = k
lemma Nat.add_right_cancel_iff : ∀ {m k n : Nat}, m + n = k + n ↔ m = k
lemma Nat.mul_comm : ∀ (n m : Nat), n * m = m * n
lemma Nat.mul_assoc : ∀ (n m k : Nat), n * m * k = n * (m * k)
lemma Nat.mul_left_comm : ∀ (n m k : Nat), n * (m * k) = m * (n * k)
lemma Nat.mul_right_comm : ∀ (n m k : Nat), n * m * k = n * k * m
lemma Nat.mul_zero : ∀ (n : Nat), n * 0 = 0
lemma Nat.zero_mul : ∀ (n : Nat), 0 * n = 0
lemma Nat.mul_one : ∀ (n : Nat), n * 1 = n
lemma Nat.one_mul : ∀ (n : Nat), 1 * n = n
lemma Nat.mul_succ : ∀ (n m : Nat), n * Nat.succ m = n * m + n
lemma Nat.succ_mul : ∀ (n m : Nat), Nat.succ n * m = n * m + m
lemma Nat.mul_add : ∀ (x y z : Nat), x * (y + z) = x * y + x * z
lemma Nat.add_mul : ∀ (x y z : Nat), (x + y) * z = x * z + y * z
lemma Nat.left_distrib : ∀ (n m k : Nat), n * (m + k) = n * m + n * k
lemma Nat.right_distrib : ∀ (n m k : Nat), (n + m) * k = n * k + m * k
lemma Nat.mul_add_one : ∀ (a b : Nat), a * (b + 1) = a * b + a
lemma Nat.add_one_mul : ∀ (a b : Nat), (a + 1) * b = a * b + b
lemma Nat.two_mul : ∀ (n : Nat), 2 * n = n + n
lemma Nat.mul_two : ∀ (n : Nat), n * 2 = n + n
lemma Nat.mul_self_sub_mul_self_eq : ∀ (a b : Nat), a * a - b * b = (a + b) * (a - b)
lemma Nat.mul_eq_zero : ∀ {m n : Nat}, n * m = 0 ↔ n = 0 ∨ m = 0
lemma Nat.eq_of_mul_eq_mul_left : ∀ {m k n : Nat} (hn : 0 < m) (h : m * k = m * n), k = n
lemma Nat.eq_of_mul_eq_mul_right : ∀ {n m k : Nat} (hm : 0 < m) (h : n * m = k * m), n = k
lemma Nat.pow_zero : ∀ (b : Nat), b ^ 0 = 1
lemma Nat.pow_succ : ∀ {b n : Nat}, b ^ (n + 1) = b ^ n * b
lemma Nat.pow_two : ∀ (a : Nat), a ^ 2 = a * a
lemma Nat.pow_one : ∀ (a : Nat), a ^ 1 = a
lemma Nat.one_pow : ∀ (n : Nat), 1 ^ n = 1
lemma Nat.sub_self : ∀ (n : Nat), n - n = 0
lemma Nat.sub_zero : ∀ (n : Nat), n - 0 = n
lemma Nat.zero_sub : ∀ (n : Nat), 0 - n = 0
lemma Nat.add_sub_cancel : ∀ {n m : Nat}, n + m - m = n
lemma Nat.add_sub_cancel_left : ∀ {n m : Nat}, n + m - n = m
lemma Nat.sub_add_cancel : ∀ {n m : Nat} (h : m ≤ n), n - m + m = n
lemma Nat.add_sub_of_le : ∀ {a b : Nat} (h : a ≤ b), a + (b - a) = b
lemma Nat.add_sub_assoc : ∀ {m k : Nat} (h : k ≤ m) (n : Nat), n + m - k = n + (m - k)
lemma Nat.sub_sub : ∀ (n m k : Nat), n - m - k = n - (m + k)
lemma Nat.sub_succ : ∀ (n m : Nat), n - Nat.succ m = Nat.pred (n - m)
lemma Nat.succ_sub_succ : ∀ (n m : Nat), Nat.succ n - Nat.succ m = n - m
lemma Nat.succ_sub_one : ∀ (n : Nat), Nat.succ n - 1 = n
lemma Nat.add_one_sub_one : ∀ (n : Nat), n + 1 - 1 = n
lemma Nat.pred_succ : ∀ (n : Nat), Nat.pred (Nat.succ n) = n
lemma Nat.pred_zero : Nat.pred 0 = 0
lemma Nat.sub_le : ∀ (n m : Nat), n - m ≤ n
lemma Nat.sub_eq_zero_of_le : ∀ {n m : Nat} (h : n ≤ m), n - m = 0
lemma Nat.le_refl : ∀ (n : Nat), n ≤ n
lemma Nat.le.refl : ∀ {n : Nat}, n ≤ n
lemma Nat.le.step : ∀ {n m : Nat} (h : n ≤ m), n ≤ Nat.succ m
lemma Nat.le_trans : ∀ {n m k : Nat} (h₁ : n ≤ m) (h₂ : m ≤ k), n ≤ k
lemma Nat.le_antisymm : ∀ {n m : Nat} (h₁ : n ≤ m) (h₂ : m ≤ n), n = m
lemma Nat.le_antisymm_iff : ∀ {a b : Nat}, a = b ↔ a ≤ b ∧ b ≤ a
lemma Nat.le_of_lt : ∀ {n m : Nat} (h : n < m), n ≤ m
lemma Nat.lt_trans : ∀ {n m k : Nat} (h₁ : n < m) (h₂ : m < k), n < k
lemma Nat.lt_of_lt_of_le : ∀ {n m k : Nat} (h₁ : n < m) (h₂ : m ≤ k), n < k
lemma Nat.lt_of_le_of_lt : ∀ {n m k : Nat} (h₁ : n ≤ m) (h₂ : m < k), n < k
lemma Nat.lt_irrefl : ∀ (n : Nat), ¬n < n
lemma Nat.lt_asymm : ∀ {a b : Nat} (h : a < b), ¬b < a
lemma Nat.lt_succ_self : ∀ (n : Nat), n < Nat.succ n
lemma Nat.lt_add_one : ∀ (n : Nat), n < n + 1
lemma Nat.le_succ : ∀ (n : Nat), n ≤ Nat.succ n
lemma Nat.le_add_one : ∀ (n : Nat), n ≤ n + 1
lemma Nat.le_succ_of_le : ∀ {n m : Nat} (h : n ≤ m), n ≤ Nat.succ m
lemma Nat.zero_le : ∀ (n : Nat), 0 ≤ n
lemma Nat.succ_le_succ : ∀ {n m : Nat} (h : n ≤ m), Nat.succ n ≤ Nat.succ m
lemma Nat.le_of_succ_le_succ : ∀ {n m : Nat} (h : Nat.succ n ≤ Nat.succ m), n ≤ m
lemma Nat.le_of_succ_le : ∀ {n m : Nat} (h : Nat.succ n ≤ m), n ≤ m
lemma Nat.succ_le_of_lt : ∀ {n m : Nat} (h : n < m), Nat.succ n ≤ m
lemma Nat.lt_of_succ_le : ∀ {n m : Nat} (h : Nat.succ n ≤ m), n < m
lemma Nat.succ_le : ∀ {n m : Nat}, Nat.succ n ≤ m ↔ n < m
lemma Nat.succ_le_iff : ∀ {n m : Nat}, Nat.succ n ≤ m ↔ n < m
lemma Nat.add_one_le_iff : ∀ {n m : Nat}, n + 1 ≤ m ↔ n < m
lemma Nat.lt_succ_iff : ∀ {m n : Nat}, m < Nat.succ n ↔ m ≤ n
lemma Nat.lt_add_one_iff : ∀ {m n : Nat}, m < n + 1 ↔ m ≤ n
lemma Nat.lt_iff_add_one_le : ∀ {m n : Nat}, m < n ↔ m + 1 ≤ n
lemma Nat.succ_le_succ_iff : ∀ {a b : Nat}, Nat.succ a ≤ Nat.succ b ↔ a ≤ b
lemma Nat.succ_lt_succ_iff : ∀ {a b : Nat}, Nat.succ a < Nat.succ b ↔ a < b
lemma Nat.succ_lt_succ : ∀ {n m : Nat} (h : n < m), Nat.succ n < Nat.succ m
lemma Nat.lt_of_succ_lt_succ : ∀ {n m : Nat} (h : Nat.succ n < Nat.succ m), n < m
lemma Nat.lt_of_succ_lt : ∀ {n m : Nat} (h : Nat.succ n < m), n < m
lemma Nat.lt_succ_of_le : ∀ {n m : Nat} (h : n ≤ m), n < Nat.succ m
lemma Nat.lt_succ_of_lt : ∀ {a b : Nat} (h : a < b), a < Nat.succ b
lemma Nat.lt_add_one_of_le : ∀ {n m : Nat} (h : n ≤ m), n < m + 1
lemma Nat.le_of_lt_succ : ∀ {m n : Nat} (h : m < Nat.succ n), m ≤ n
lemma Nat.le_of_lt_add_one : ∀ {n m : Nat} (h : n < m + 1), n ≤ m
lemma Nat.le_of_eq : ∀ {n m : Nat} (p : n = m), n ≤ m
lemma Nat.le_of_not_lt : ∀ {a b : Nat} (h : ¬b < a), a ≤ b
lemma Nat.le_of_not_le : ∀ {a b : Nat} (h : ¬b ≤ a), a ≤ b
lemma Nat.lt_of_not_le : ∀ {a b : Nat} (h : ¬b ≤ a), a < b
lemma Nat.lt_of_not_ge : ∀ {a b : Nat} (h : ¬b ≥ a), b < a
lemma Nat.not_lt : ∀ {n m : Nat}, ¬n < m ↔ m ≤ n
lemma Nat.not_le : ∀ {n m : Nat}, ¬n ≤ m ↔ m < n
lemma Nat.not_lt_of_le : ∀ {n m : Nat} (h : n ≤ m), ¬m < n
lemma Nat.not_le_of_lt : ∀ {n m : Nat} (h : n < m), ¬m ≤ n
lemma Nat.not_le_of_gt : ∀ {n m : Nat} (h : n > m), ¬n ≤ m
lemma Nat.not_lt_of_ge : ∀ {n m : Nat} (h : n ≥ m), ¬n < m
lemma Nat.not_lt_zero : ∀ (n : Nat), ¬n < 0
lemma Nat.not_succ_le_zero : ∀ (n : Nat), Nat.succ n ≤ 0 → False
lemma Nat.not_succ_le_self : ∀ (n : Nat), ¬Nat.succ n ≤ n
lemma Nat.lt_or_ge : ∀ (a b : Nat), a < b ∨ a ≥ b
lemma Nat.le_total : ∀ (m n : Nat), m ≤ n ∨ n ≤ m
lemma Nat.lt_or_eq_of_le : ∀ {n m : Nat} (h : n ≤ m), n < m ∨ n = m
lemma Nat.eq_or_lt_of_le : ∀ {n m : Nat} (h : n ≤ m), n = m ∨ n < m
lemma Nat.lt_or_gt_of_ne : ∀ {a b : Nat} (ne : a ≠ b), a < b ∨ a > b
lemma Nat.lt_trichotomy : ∀ (a b : Nat), a < b ∨ a = b ∨ b < a
lemma Nat.eq_zero_or_pos : ∀ (n : Nat), n = 0 ∨ 0 < n
lemma Nat.lt_of_le_of_ne : ∀ {n m : Nat} (h₁ : n ≤ m) (h₂ : n ≠ m), n < m
lemma Nat.lt_iff_le_and_ne : ∀ {m n : Nat}, m < n ↔ m ≤ n ∧ m ≠ n
lemma Nat.lt_iff_le_not_le : ∀ {m n : Nat}, m < n ↔ m ≤ n ∧ ¬n ≤ m
lemma Nat.le_iff_lt_or_eq : ∀ {n m : Nat}, n ≤ m ↔ n < m ∨ n = m
lemma Nat.ne_of_lt : ∀ {a b : Nat} (h : a < b), a ≠ b
lemma Nat.ne_of_gt : ∀ {a b : Nat} (h : b < a), a ≠ b
lemma Nat.ne_of_lt' : ∀ {a b : Nat} (h : a < b), b ≠ a
lemma Nat.pos_of_ne_zero : ∀ {n : Nat} (h : n ≠ 0), 0 < n
lemma Nat.ne_zero_of_lt : ∀ {b a : Nat} (h : b < a), a ≠ 0
lemma Nat.pos_iff_ne_zero : ∀ {n : Nat}, 0 < n ↔ n ≠ 0
lemma Nat.zero_lt_succ : ∀ (n : Nat), 0 < Nat.succ n
lemma Nat.succ_pos : ∀ (n : Nat), 0 < Nat.succ n
lemma Nat.zero_lt_one : 0 < (1 : Nat)
lemma Nat.one_pos : 0 < (1 : Nat)
lemma Nat.add_pos_left : ∀ {m : Nat} (h : 0 < m) (n : Nat), 0 < m + n
lemma Nat.add_pos_right : ∀ {n : Nat} (m : Nat) (h : 0 < n), 0 < m + n
lemma Nat.mul_pos : ∀ {n m : Nat} (ha : n > 0) (hb : m > 0), n * m > 0
lemma Nat.add_le_add : ∀ {a b c d : Nat} (h₁ : a ≤ b) (h₂ : c ≤ d), a + c ≤ b + d
lemma Nat.add_le_add_left : ∀ {n m : Nat} (h : n ≤ m) (k : Nat), k + n ≤ k + m
lemma Nat.add_le_add_right : ∀ {n m : Nat} (h : n ≤ m) (k : Nat), n + k ≤ m + k
lemma Nat.add_lt_add : ∀ {a b c d : Nat} (h₁ : a < b) (h₂ : c < d), a + c < b + d
lemma Nat.add_lt_add_left : ∀ {n m : Nat} (h : n < m) (k : Nat), k + n < k + m
lemma Nat.add_lt_add_right : ∀ {n m : Nat} (h : n < m) (k : Nat), n + k < m + k
lemma Nat.add_lt_add_of_lt_of_le : ∀ {a b c d : Nat} (hlt : a < b) (hle : c ≤ d), a + c < b + d
lemma Nat.add_lt_add_of_le_of_lt : ∀ {a b c d : Nat} (hle : a ≤ b) (hlt : c < d), a + c < b + d
lemma Nat.le_add_right : ∀ (n k : Nat), n ≤ n + k
lemma Nat.le_add_left : ∀ (n m : Nat), n ≤ m + n
lemma Nat.le_add_right_of_le : ∀ {n m k : Nat} (h : n ≤ m), n ≤ m + k
lemma Nat.le_add_left_of_le : ∀ {n m k : Nat} (h : n ≤ m), n ≤ k + m
lemma Nat.le_of_add_le_add_left : ∀ {a b c : Nat} (h : a + b ≤ a + c), b ≤ c
lemma Nat.le_of_add_le_add_right : ∀ {a b c : Nat} (h : a + b ≤ c + b), a ≤ c
lemma Nat.lt_of_add_lt_add_left : ∀ {a b c : Nat} (h : a + b < a + c), b < c
lemma Nat.lt_of_add_lt_add_right : ∀ {a b c : Nat} (h : a + b < c + b), a < c
lemma Nat.add_le_add_iff_left : ∀ {m k n : Nat}, n + m ≤ n + k ↔ m ≤ k
lemma Nat.add_le_add_iff_right : ∀ {m k n : Nat}, m + n ≤ k + n ↔ m ≤ k
lemma Nat.add_lt_add_iff_left : ∀ {k n m : Nat}, k + n < k + m ↔ n < m
lemma Nat.add_lt_add_iff_right : ∀ {k n m : Nat}, n + k < m + k ↔ n < m
lemma Nat.mul_le_mul : ∀ {p q m n : Nat} (h₁ : p ≤ m) (h₂ : q ≤ n), p * q ≤ m * n
lemma Nat.mul_le_mul_left : ∀ {m n : Nat} (k : Nat) (h : m ≤ n), k * m ≤ k * n
lemma Nat.mul_le_mul_right : ∀ {m n : Nat} (k : Nat) (h : m ≤ n), m * k ≤ n * k
lemma Nat.mul_lt_mul_of_pos_left : ∀ {n m k : Nat} (h₁ : n < m) (h₂ : k > 0), k * n < k * m
lemma Nat.le_mul_of_pos_right : ∀ {n : Nat} (m : Nat) (h : 0 < n), m ≤ m * n
lemma Nat.le_mul_of_pos_left : ∀ {n : Nat} (m : Nat) (h : 0 < n), m ≤ n * m
lemma Nat.le_mul_self : ∀ (n : Nat), n ≤ n * n
lemma Nat.succ_ne_zero : ∀ (n : Nat), Nat.succ n ≠ 0
lemma Nat.add_one_ne_zero : ∀ (n : Nat), n + 1 ≠ 0
lemma Nat.zero_ne_add_one : ∀ (n : Nat), 0 ≠ n + 1
lemma Nat.succ_ne_self : ∀ (n : Nat), Nat.succ n ≠ n
lemma Nat.one_ne_zero : (1 : Nat) ≠ 0
lemma Nat.zero_ne_one : (0 : Nat) ≠ 1
lemma Nat.succ.inj : ∀ {m n : Nat} (h : Nat.succ m = Nat.succ n), m = n
lemma Nat.succ_inj : ∀ {a b : Nat}, Nat.succ a = Nat.succ b ↔ a = b
lemma Nat.add_right_eq_self : ∀ {a b : Nat}, a + b = a ↔ b = 0
lemma Nat.add_eq_zero_iff : ∀ {n m : Nat}, n + m = 0 ↔ n = 0 ∧ m = 0
lemma Nat.eq_zero_of_add_eq_zero : ∀ {n m : Nat} (h : n + m = 0), n = 0 ∧ m = 0
lemma Nat.eq_zero_of_add_eq_zero_right : ∀ {n m : Nat} (h : n + m = 0), n = 0
lemma Nat.eq_zero_of_add_eq_zero_left : ∀ {n m : Nat} (h : n + m = 0), m = 0
lemma Nat.eq_zero_of_le_zero : ∀ {n : Nat} (h : n ≤ 0), n = 0
lemma Nat.le_zero : ∀ {i : Nat}, i ≤ 0 ↔ i = 0
ext Nat.le_zero_eq : ∀ (a : Nat), (a ≤ 0) = (a = 0)
lemma Nat.exists_eq_succ_of_ne_zero : ∀ {n : Nat} (h : n ≠ 0), ∃ k, n = Nat.succ k
lemma Nat.exists_eq_add_one_of_ne_zero : ∀ {n : Nat} (h : n ≠ 0), ∃ k, n = k + 1
lemma Nat.exists_eq_add_of_le : ∀ {m n : Nat} (h : m ≤ n), ∃ k, n = m + k
lemma Nat.exists_eq_add_of_le' : ∀ {m n : Nat} (h : m ≤ n), ∃ k, n = k + m
lemma Nat.exists_eq_add_of_lt : ∀ {m n : Nat} (h : m < n), ∃ k, n = m + k + 1
lemma Nat.le.dest : ∀ {n m : Nat} (h : n ≤ m), ∃ k, n + k = m
lemma Nat.le.intro : ∀ {n m k : Nat} (h : n + k = m), n ≤ m
lemma Nat.dvd_refl : ∀ (a : Nat), a ∣ a
lemma Nat.dvd_zero : ∀ (a : Nat), a ∣ 0
lemma Nat.one_dvd : ∀ (n : Nat), 1 ∣ n
lemma Nat.dvd_trans : ∀ {a b c : Nat} (h₁ : a ∣ b) (h₂ : b ∣ c), a ∣ c
lemma Nat.dvd_mul_right : ∀ (a b : Nat), a ∣ a * b
lemma Nat.dvd_mul_left : ∀ (a b : Nat), a ∣ b * a
lemma Nat.dvd_add : ∀ {m n k : Nat} (h₁ : k ∣ m) (h₂ : k ∣ n), k ∣ m + n
lemma Nat.dvd_sub : ∀ {m n k : Nat} (h₁ : k ∣ m) (h₂ : k ∣ n), k ∣ m - n
lemma Nat.dvd_mul_left_of_dvd : ∀ {a b : Nat} (h : a ∣ b) (c : Nat), a ∣ c * b
lemma Nat.dvd_mul_right_of_dvd : ∀ {a b : Nat} (h : a ∣ b) (c : Nat), a ∣ b * c
lemma Nat.mul_dvd_mul : ∀ {a b c d : Nat} (h₁ : a ∣ b) (h₂ : c ∣ d), a * c ∣ b * d
lemma Nat.dvd_antisymm : ∀ {m n : Nat} (h₁ : m ∣ n) (h₂ : n ∣ m), m = n
lemma Nat.le_of_dvd : ∀ {m n : Nat} (h : 0 < n) (h₁ : m ∣ n), m ≤ n
lemma Nat.eq_zero_of_zero_dvd : ∀ {a : Nat} (h : 0 ∣ a), a = 0
lemma Nat.dvd_of_mod_eq_zero : ∀ {k n : Nat} (h : n % k = 0), k ∣ n
lemma Nat.mod_eq_zero_of_dvd : ∀ {k n : Nat} (h : k ∣ n), n % k = 0
lemma Nat.dvd_iff_mod_eq_zero : ∀ {k n : Nat}, k ∣ n ↔ n % k = 0
lemma Nat.mod_self : ∀ (n : Nat), n % n = 0
lemma Nat.zero_mod : ∀ (b : Nat), 0 % b = 0
lemma Nat.mod_one : ∀ (x : Nat), x % 1 = 0
lemma Nat.mod_lt : ∀ (x : Nat) {y : Nat} (h : y > 0), x % y < y
lemma Nat.mod_eq_of_lt : ∀ {a b : Nat} (h : a < b), a % b = a
lemma Nat.mod_two_eq_zero_or_one : ∀ (n : Nat), n % 2 = 0 ∨ n % 2 = 1
lemma Nat.div_add_mod : ∀ (m k : Nat), k * (m / k) + m % k = m
lemma Nat.mod_add_div : ∀ (m k : Nat), m % k + k * (m / k) = m
lemma Nat.add_mod : ∀ (a b n : Nat), (a + b) % n = ((a % n) + (b % n)) % n
lemma Nat.mul_mod : ∀ (a b n : Nat), a * b % n = (a % n) * (b % n) % n
lemma Nat.mod_mod : ∀ (a n : Nat), (a % n) % n = a % n
lemma Nat.add_mul_mod_self_left : ∀ (x y z : Nat), (x + y * z) % y = x % y
lemma Nat.mul_mod_right : ∀ (m n : Nat), (m * n) % m = 0
lemma Nat.mul_mod_left : ∀ (m n : Nat), (m * n) % n = 0
lemma Nat.div_self : ∀ {n : Nat} (H : 0 < n), n / n = 1
lemma Nat.div_one : ∀ (n : Nat), n / 1 = n
lemma Nat.zero_div : ∀ (b : Nat), 0 / b = 0
lemma Nat.max_comm : ∀ (a b : Nat), Nat.max a b = Nat.max b a
lemma Nat.min_comm : ∀ (a b : Nat), Nat.min a b = Nat.min b a
"""
