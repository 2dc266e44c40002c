prelude
import Init.Arith.Nat.MulLemmas

/-! Lemmas on quotient and remainder of natural numbers by any divisor. (By a literal divisor `omega` does it.) -/

namespace Nat

variable {a b c k m n x y z : Nat}

/-! ### Euclid's equation -/

theorem mod_add_div (m k : Nat) : m % k + k * (m / k) = m := by rw [Nat.add_comm, div_add_mod]
theorem div_add_mod' (a b : Nat) : a / b * b + a % b = a := by rw [Nat.mul_comm, div_add_mod]
theorem mod_add_div' (a b : Nat) : a % b + a / b * b = a := by rw [Nat.mul_comm, mod_add_div]
theorem mod_def (m k : Nat) : m % k = m - k * (m / k) := by have := div_add_mod m k; omega
theorem mul_div_le (m n : Nat) : n * (m / n) ≤ m := by have := div_add_mod m n; omega
theorem div_mul_le_self (m n : Nat) : m / n * n ≤ m := by rw [Nat.mul_comm]; exact mul_div_le m n
theorem lt_mul_div_succ (m : Nat) (h : 0 < n) : m < n * (m / n + 1) := by
  have := div_add_mod m n
  have := mod_lt m h
  rw [Nat.mul_add, Nat.mul_one]; omega
theorem mod_le (x y : Nat) : x % y ≤ x := by have := div_add_mod x y; omega

theorem mod_eq_of_lt (h : a < b) : a % b = a := (mod_div_unique (q := 0) h (Nat.zero_add a)).1
theorem div_eq_of_lt (h : a < b) : a / b = 0 := (mod_div_unique (q := 0) h (Nat.zero_add a)).2
protected theorem div_eq_of_lt_le (lo : k * n ≤ m) (hi : m < (k + 1) * n) : m / n = k := by
  rw [Nat.add_mul, Nat.one_mul] at hi
  exact (mod_div_unique (r := m - k * n) (by omega) (by rw [Nat.mul_comm n]; omega)).2

@[simp] theorem mod_one (x : Nat) : x % 1 = 0 := by omega
@[simp] protected theorem div_one (n : Nat) : n / 1 = n := by omega
@[simp] theorem mod_mod (a n : Nat) : a % n % n = a % n := match n with
  | 0 => by rw [mod_zero]
  | n + 1 => mod_eq_of_lt (mod_lt a (succ_pos n))

/-! ### Multiples of the divisor -/

theorem add_mul_mod_self_left (x y z : Nat) : (x + y * z) % y = x % y := match y with
  | 0 => by rw [Nat.zero_mul, Nat.add_zero]
  | y + 1 => (mod_div_unique (q := x / (y + 1) + z) (mod_lt x (succ_pos y))
      (by rw [Nat.mul_add, Nat.add_right_comm, div_add_mod])).1

theorem add_mul_div_left (x z : Nat) (H : 0 < y) : (x + y * z) / y = x / y + z :=
  (mod_div_unique (mod_lt x H) (by rw [Nat.mul_add, Nat.add_right_comm, div_add_mod])).2

@[simp] theorem add_mul_mod_self_right (x y z : Nat) : (x + y * z) % z = x % z := by
  rw [Nat.mul_comm, add_mul_mod_self_left]
theorem add_mul_div_right (x y : Nat) (H : 0 < z) : (x + y * z) / z = x / z + y := by
  rw [Nat.mul_comm, add_mul_div_left x y H]

attribute [simp] add_mul_mod_self_left

@[simp] theorem add_mod_right (x z : Nat) : (x + z) % z = x % z := by
  have := add_mul_mod_self_left x z 1; rwa [Nat.mul_one] at this
@[simp] theorem add_mod_left (x z : Nat) : (x + z) % x = z % x := by rw [Nat.add_comm, add_mod_right]
@[simp] theorem add_div_right (x : Nat) (H : 0 < z) : (x + z) / z = x / z + 1 := by
  have := add_mul_div_left x 1 H; rwa [Nat.mul_one] at this
@[simp] theorem add_div_left (x : Nat) (H : 0 < z) : (z + x) / z = x / z + 1 := by
  rw [Nat.add_comm, add_div_right x H]
@[simp] theorem mul_mod_right (m n : Nat) : m * n % m = 0 := mod_eq_zero_of_dvd (Nat.dvd_mul_right m n)
@[simp] theorem mul_mod_left (m n : Nat) : m * n % n = 0 := mod_eq_zero_of_dvd (Nat.dvd_mul_left n m)
@[simp] theorem mod_self (n : Nat) : n % n = 0 := mod_eq_zero_of_dvd (Nat.dvd_refl n)
@[simp] theorem mul_div_right (n : Nat) (H : 0 < m) : m * n / m = n := by
  have := add_mul_div_left 0 n H; rwa [Nat.zero_add, Nat.zero_div, Nat.zero_add] at this
@[simp] theorem mul_div_left (m : Nat) (H : 0 < n) : m * n / n = m := by rw [Nat.mul_comm, mul_div_right m H]
protected theorem mul_div_cancel (m : Nat) (H : 0 < n) : m * n / n = m := mul_div_left m H
protected theorem mul_div_cancel_left (m : Nat) (H : 0 < n) : n * m / n = m := mul_div_right m H
protected theorem div_self (H : 0 < n) : n / n = 1 := by
  have := mul_div_right 1 H; rwa [Nat.mul_one] at this

theorem mod_eq_sub_mod (h : a ≥ b) : a % b = (a - b) % b := by
  have := add_mod_right (a - b) b; rwa [Nat.sub_add_cancel h] at this
theorem div_eq_sub_div (h₁ : 0 < b) (h₂ : b ≤ a) : a / b = (a - b) / b + 1 := by
  have := add_div_right (a - b) h₁; rwa [Nat.sub_add_cancel h₂] at this

theorem mod_eq (x y : Nat) : x % y = if 0 < y ∧ y ≤ x then (x - y) % y else x := by
  split
  next h => exact mod_eq_sub_mod h.2
  next h =>
    cases y with
    | zero => exact mod_zero x
    | succ y => exact mod_eq_of_lt (Nat.not_le.1 fun k => h ⟨succ_pos y, k⟩)

theorem div_eq (x y : Nat) : x / y = if 0 < y ∧ y ≤ x then (x - y) / y + 1 else 0 := by
  split
  next h => exact div_eq_sub_div h.1 h.2
  next h =>
    cases y with
    | zero => exact Nat.div_zero x
    | succ y => exact div_eq_of_lt (Nat.not_le.1 fun k => h ⟨succ_pos y, k⟩)

/-! ### Sums and products -/

theorem add_mod (a b n : Nat) : (a + b) % n = (a % n + b % n) % n := by
  have e : a + b = a % n + b % n + n * (a / n + b / n) := by
    have := div_add_mod a n
    have := div_add_mod b n
    rw [Nat.mul_add]; omega
  rw [e, add_mul_mod_self_left]

theorem mul_mod (a b n : Nat) : a * b % n = a % n * (b % n) % n := by
  have e : a * b = a % n * (b % n) + n * (a % n * (b / n) + a / n * b) := by
    have expand : a * b = (n * (a / n) + a % n) * b := by rw [div_add_mod]
    have expand_b : a % n * b = a % n * (n * (b / n) + b % n) := by rw [div_add_mod]
    rw [expand, Nat.add_mul, expand_b, Nat.mul_add, Nat.mul_add, Nat.mul_left_comm (a % n), Nat.mul_assoc]
    omega
  rw [e, add_mul_mod_self_left]

@[simp] theorem mod_add_mod (m n k : Nat) : (m % n + k) % n = (m + k) % n := by
  rw [add_mod, mod_mod, ← add_mod]
@[simp] theorem add_mod_mod (m n k : Nat) : (m + n % k) % k = (m + n) % k := by
  rw [add_mod, mod_mod, ← add_mod]
theorem mod_mul_mod (a b n : Nat) : a % n * b % n = a * b % n := by rw [mul_mod, mod_mod, ← mul_mod]
theorem mul_mod_mod (a b n : Nat) : a * (b % n) % n = a * b % n := by rw [mul_mod, mod_mod, ← mul_mod]

theorem pow_mod (a b n : Nat) : a ^ b % n = (a % n) ^ b % n := by
  induction b with
  | zero => rfl
  | succ b ih => rw [Nat.pow_succ, Nat.pow_succ, mul_mod, ih, mod_mul_mod]

/-! ### Order -/

theorem le_div_iff_mul_le (k0 : 0 < k) : x ≤ y / k ↔ x * k ≤ y := by
  refine ⟨fun h => Nat.le_trans (Nat.mul_le_mul_right k h) (div_mul_le_self y k), fun h => ?_⟩
  refine Nat.not_lt.1 fun lt => Nat.not_lt.2 (Nat.le_trans (Nat.mul_le_mul_right k lt) h) ?_
  rw [Nat.mul_comm]; exact lt_mul_div_succ y k0

theorem div_lt_iff_lt_mul (Hk : 0 < k) : x / k < y ↔ x < y * k := by
  rw [← Nat.not_le, le_div_iff_mul_le Hk, Nat.not_le]

theorem div_le_div_right (h : m ≤ n) : m / k ≤ n / k := match k with
  | 0 => by rw [Nat.div_zero, Nat.div_zero]
  | k + 1 => (le_div_iff_mul_le (succ_pos k)).2 (Nat.le_trans (div_mul_le_self m (k + 1)) h)

theorem div_le_self (n k : Nat) : n / k ≤ n := match k with
  | 0 => by rw [Nat.div_zero]; exact zero_le n
  | k + 1 => Nat.le_trans (le_mul_of_pos_right _ (succ_pos k)) (div_mul_le_self n (k + 1))

theorem div_lt_self (hn : 0 < n) (hk : 1 < k) : n / k < n := by
  rw [div_lt_iff_lt_mul (by omega)]
  have := Nat.mul_lt_mul_of_pos_left hk hn
  rwa [Nat.mul_one] at this

theorem div_le_of_le_mul (h : m ≤ k * n) : m / k ≤ n := match k, h with
  | 0, _ => by rw [Nat.div_zero]; exact zero_le n
  | k + 1, h => le_of_lt_succ ((div_lt_iff_lt_mul (succ_pos k)).2 (by
      show m < (n + 1) * (k + 1)
      rw [Nat.add_mul, Nat.mul_comm n]; omega))

theorem div_pos (hba : b ≤ a) (hb : 0 < b) : 0 < a / b :=
  (le_div_iff_mul_le hb).2 (by rwa [Nat.one_mul])
theorem div_eq_zero_iff : a / b = 0 ↔ b = 0 ∨ a < b := by
  refine ⟨fun h => ?_, fun h => h.elim (fun e => by rw [e, Nat.div_zero]) div_eq_of_lt⟩
  cases b with
  | zero => exact .inl rfl
  | succ b =>
    refine .inr (Nat.not_le.1 fun k => ?_)
    have := div_pos k (succ_pos b)
    omega

theorem div_div_eq_div_mul (m n k : Nat) : m / n / k = m / (n * k) := by
  cases n with
  | zero => rw [Nat.zero_mul, Nat.div_zero, Nat.zero_div]
  | succ n =>
    cases k with
    | zero => rw [Nat.mul_zero, Nat.div_zero, Nat.div_zero]
    | succ k =>
      have hn := succ_pos n
      have hk := succ_pos k
      have same (x : Nat) : x ≤ m / (n + 1) / (k + 1) ↔ x ≤ m / ((n + 1) * (k + 1)) := by
        rw [le_div_iff_mul_le hk, le_div_iff_mul_le hn, le_div_iff_mul_le (Nat.mul_pos hn hk), Nat.mul_assoc,
          Nat.mul_comm (k + 1)]
      exact Nat.le_antisymm ((same _).1 (Nat.le_refl _)) ((same _).2 (Nat.le_refl _))

/-! ### Two -/

theorem mod_two_eq_zero_or_one (n : Nat) : n % 2 = 0 ∨ n % 2 = 1 := by omega
theorem mod_two_not_eq_zero : ¬n % 2 = 0 ↔ n % 2 = 1 := by omega
theorem mod_two_not_eq_one : ¬n % 2 = 1 ↔ n % 2 = 0 := by omega

end Nat
