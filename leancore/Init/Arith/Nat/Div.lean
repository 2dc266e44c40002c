prelude
import Init.Arith.Nat.Sub

/-!
Division, remainder and divisibility on `Nat`.

Both count upwards instead of subtracting the divisor, so they are structurally recursive. On literals the kernel has
big-number arithmetic of its own for them. On other arguments they do not unfold (`irreducible`): each step mentions the
one before twice, so terms would explode.
-/

namespace Nat

def modCore : (n m : Nat) → Nat
  | 0, _ => 0
  | succ n, m => if succ (modCore n m) = m then 0 else succ (modCore n m)

def divCore : (n m : Nat) → Nat
  | 0, _ => 0
  | succ n, m => if succ (modCore n m) = m then succ (divCore n m) else divCore n m

/-- `n % m`; the case of 0 is apart, so that the numeral 0 of `Fin (n + 1)` is 0 by definition. -/
@[extern "lean_nat_mod"] protected def mod : (n : @& Nat) → (m : @& Nat) → Nat
  | 0, _ => 0
  | succ n, m => modCore (succ n) m

/-- `n / m`, rounded down; `n / 0 = 0`. -/
@[extern "lean_nat_div"] protected def div (n : @& Nat) (m : @& Nat) : Nat := divCore n m

instance instMod : Mod Nat := ⟨Nat.mod⟩
instance instDiv : Div Nat := ⟨Nat.div⟩

theorem mod_eq_modCore (n m : Nat) : n % m = modCore n m := by cases n <;> rfl

theorem succ_mod (n m : Nat) : succ n % m = if succ (n % m) = m then 0 else succ (n % m) := by
  rw [mod_eq_modCore n m]; rfl

theorem succ_div (n m : Nat) : succ n / m = if succ (n % m) = m then succ (n / m) else n / m := by
  rw [mod_eq_modCore n m]; rfl

@[simp] theorem zero_mod (b : Nat) : 0 % b = 0 := rfl
@[simp] protected theorem zero_div (b : Nat) : 0 / b = 0 := rfl

attribute [irreducible] modCore Nat.div

theorem div_add_mod (m k : Nat) : k * (m / k) + m % k = m := by
  induction m with
  | zero => rw [zero_mod, Nat.zero_div]; rfl
  | succ m ih =>
    show k * (succ m / k) + succ m % k = succ m
    rw [succ_mod, succ_div]
    split
    next h =>
      have h : m % k + 1 = k := h
      show k * (m / k) + k = m + 1
      have e : k * (m / k) + k = k * (m / k) + (m % k + 1) := by rw [h]
      rw [e, ← Nat.add_assoc, ih]
    next => exact congrArg succ ih

theorem mod_lt (x : Nat) {y : Nat} (h : y > 0) : x % y < y := by
  induction x with
  | zero => exact h
  | succ x ih =>
    show succ x % y < y
    rw [succ_mod]
    split
    next => exact h
    next k => exact (Nat.lt_or_ge _ _).elim id fun h₂ => absurd (Nat.le_antisymm ih h₂) k

/-- Euclid's equation and the bound fix remainder and quotient. -/
theorem mod_div_unique {n m q r : Nat} (hr : r < m) (h : m * q + r = n) : n % m = r ∧ n / m = q := by
  have quot_le : ∀ {a b c d : Nat}, c < m → m * a + c = m * b + d → b ≤ a := by
    intro a b c d hc h
    refine Nat.le_of_not_lt fun lt => ?_
    have below : m * a + c < m * succ a := Nat.add_le_add_left hc (m * a)
    rw [h] at below
    have above : m * succ a ≤ m * b := Nat.mul_le_mul_left m lt
    exact Nat.lt_irrefl _ (Nat.lt_of_lt_of_le below (Nat.le_trans above (le_add_right _ _)))
  have e := div_add_mod n m
  have l := mod_lt n (Nat.lt_of_le_of_lt (zero_le r) hr)
  have hq : n / m = q := Nat.le_antisymm (quot_le hr (h.trans e.symm)) (quot_le l (e.trans h.symm))
  rw [hq] at e
  exact ⟨Nat.add_left_cancel (e.trans h.symm), hq⟩

@[simp] theorem mod_zero (a : Nat) : a % 0 = a := by
  have e := div_add_mod a 0; rwa [Nat.zero_mul, Nat.zero_add] at e

@[simp] protected theorem div_zero (n : Nat) : n / 0 = 0 := by
  induction n with
  | zero => rw [Nat.zero_div]
  | succ n ih =>
    show succ n / 0 = 0
    rw [succ_div]
    split
    next e => exact Nat.noConfusion e
    next => exact ih

instance instDvd : Dvd Nat := ⟨fun a b => ∃ c, b = a * c⟩

@[simp] protected theorem dvd_refl (a : Nat) : a ∣ a := ⟨1, (Nat.mul_one a).symm⟩
@[simp] protected theorem dvd_zero (a : Nat) : a ∣ 0 := ⟨0, rfl⟩
@[simp] protected theorem dvd_mul_right (a b : Nat) : a ∣ a * b := ⟨b, rfl⟩
@[simp] protected theorem dvd_mul_left (a b : Nat) : a ∣ b * a := ⟨b, Nat.mul_comm b a⟩

variable {a b c k n : Nat}

protected theorem dvd_trans (h₁ : a ∣ b) (h₂ : b ∣ c) : a ∣ c := by
  rcases h₁ with ⟨x, rfl⟩; rcases h₂ with ⟨y, rfl⟩; exact ⟨x * y, Nat.mul_assoc _ _ _⟩

protected theorem dvd_add (h₁ : a ∣ b) (h₂ : a ∣ c) : a ∣ b + c := by
  rcases h₁ with ⟨x, rfl⟩; rcases h₂ with ⟨y, rfl⟩; exact ⟨x + y, (Nat.mul_add _ _ _).symm⟩

protected theorem eq_zero_of_zero_dvd (h : 0 ∣ a) : a = 0 := by
  rcases h with ⟨x, rfl⟩; exact Nat.zero_mul x

theorem mod_eq_zero_of_dvd (h : k ∣ n) : n % k = 0 := by
  rcases h with ⟨x, rfl⟩
  cases k with
  | zero => rw [Nat.zero_mul]
  | succ k => exact (mod_div_unique (q := x) (succ_le_succ (zero_le k)) (Nat.add_zero _)).1

theorem dvd_of_mod_eq_zero (h : n % k = 0) : k ∣ n :=
  ⟨n / k, by have e := div_add_mod n k; rw [h] at e; exact e.symm⟩

theorem dvd_iff_mod_eq_zero : k ∣ n ↔ n % k = 0 := ⟨mod_eq_zero_of_dvd, dvd_of_mod_eq_zero⟩

theorem emod_pos_of_not_dvd (h : ¬k ∣ n) : 0 < n % k := Nat.pos_of_ne_zero fun e => h (dvd_of_mod_eq_zero e)

instance decidable_dvd : @DecidableRel Nat Nat (· ∣ ·) :=
  fun _ _ => decidable_of_decidable_of_iff dvd_iff_mod_eq_zero.symm

end Nat
