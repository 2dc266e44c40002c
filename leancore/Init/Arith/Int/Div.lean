prelude
import Init.Arith.Int.Order

/-! Euclidean division and divisibility of integers. -/

namespace Int

theorem natCast_ediv (a b : Nat) : ((a / b : Nat) : Int) = (a : Int) / (b : Int) := rfl
theorem natCast_emod (a b : Nat) : ((a % b : Nat) : Int) = (a : Int) % (b : Int) := rfl

@[simp] protected theorem ediv_zero : (a : Int) → a / 0 = 0
  | ofNat m => congrArg ofNat (Nat.div_zero m)
  | negSucc _ => rfl

@[simp] protected theorem ediv_neg (a b : Int) : a / -b = -(a / b) := match a, b with
  | a, ofNat 0 => by show a / 0 = -(a / 0); rw [Int.ediv_zero]; rfl
  | ofNat _, ofNat (_ + 1) => rfl
  | negSucc _, ofNat (_ + 1) => rfl
  | ofNat _, negSucc _ => (Int.neg_neg _).symm
  | negSucc _, negSucc _ => rfl

/-! Euclid's equation. A negative dividend -(m + 1) has quotient -(q + 1) and remainder b - (r + 1), where q
and r are those of m. -/

private theorem euclid_step (m n : Nat) :
    n + 1 + (m + 1) = (n + 1) * (m / (n + 1)) + (n + 1) + (m % (n + 1) + 1) := by
  have e : n + 1 + (m + 1) = n + 1 + ((n + 1) * (m / (n + 1)) + m % (n + 1) + 1) := by rw [Nat.div_add_mod]
  rw [e, Nat.add_assoc ((n + 1) * _), Nat.add_left_comm (n + 1), Nat.add_assoc ((n + 1) * _)]

theorem mul_ediv_add_emod (a b : Int) : b * (a / b) + a % b = a := match a, b with
  | ofNat m, ofNat n => congrArg ofNat (Nat.div_add_mod m n)
  | ofNat m, negSucc n => by
    show -ofNat (n + 1) * -ofNat (m / (n + 1)) + ofNat (m % (n + 1)) = _
    rw [Int.neg_mul, Int.mul_neg, Int.neg_neg]; exact congrArg ofNat (Nat.div_add_mod m (n + 1))
  | negSucc m, ofNat 0 => by
    show (0 : Int) * 0 + subNatNat 0 (m % 0 + 1) = _
    rw [Nat.mod_zero, ← negSucc_eq_subNatNat, Int.mul_zero, Int.zero_add]
  | negSucc m, ofNat (n + 1) => by
    show ofNat (n + 1) * negSucc (m / (n + 1)) + subNatNat (n + 1) (m % (n + 1) + 1) = negSucc m
    simp only [negSucc_eq_subNatNat, ofNat_eq_subNatNat, subNatNat_mul_subNatNat, subNatNat_add_subNatNat]
    apply subNatNat_ext
    simp only [Nat.zero_mul, Nat.mul_zero, Nat.add_zero, Nat.zero_add, euclid_step, Nat.mul_add, Nat.mul_one]
  | negSucc m, negSucc n => by
    show negSucc n * ofNat (m / (n + 1) + 1) + subNatNat (n + 1) (m % (n + 1) + 1) = negSucc m
    simp only [negSucc_eq_subNatNat, ofNat_eq_subNatNat, subNatNat_mul_subNatNat, subNatNat_add_subNatNat]
    apply subNatNat_ext
    simp only [Nat.zero_mul, Nat.mul_zero, Nat.add_zero, Nat.zero_add, euclid_step, Nat.mul_add, Nat.mul_one]

theorem emod_def (a b : Int) : a % b = a - b * (a / b) := by
  have e : a % b = (b * (a / b) + a % b) - b * (a / b) := by
    rw [Int.sub_eq_add_neg, Int.add_comm (b * (a / b)), Int.add_assoc, Int.add_right_neg, Int.add_zero]
  rwa [mul_ediv_add_emod] at e

private theorem mod_lt_natAbs {b : Int} (h : b ≠ 0) (m : Nat) : m % natAbs b < natAbs b :=
  Nat.mod_lt m (Nat.pos_of_ne_zero fun e => h (match b, e with
    | ofNat _, e => congrArg ofNat e
    | negSucc _, e => Nat.noConfusion e))

theorem emod_nonneg : (a : Int) → {b : Int} → b ≠ 0 → 0 ≤ a % b
  | ofNat _, _, _ => natCast_nonneg _
  | negSucc m, b, h => by
    show (0 : Int) ≤ subNatNat (natAbs b) (m % natAbs b + 1)
    rw [zero_eq_subNatNat, subNatNat_le_subNatNat, Nat.zero_add]; exact mod_lt_natAbs h m

theorem emod_lt_of_pos (a : Int) {b : Int} (h : 0 < b) : a % b < b := match a, b, h with
  | ofNat m, ofNat n, h => ofNat_lt.2 (mod_lt_natAbs (Int.ne_of_gt h) m)
  | negSucc m, ofNat n, _ => by
    show subNatNat n (m % n + 1) < ofNat n
    rw [ofNat_eq_subNatNat, subNatNat_lt_subNatNat]
    exact Nat.add_le_add_left (Nat.succ_le_succ (Nat.zero_le _)) n
  | _, negSucc _, h => nomatch h

theorem mul_ediv_self_le {x k : Int} (h : k ≠ 0) : k * (x / k) ≤ x := by
  have e := Int.add_le_add (Int.le_refl (k * (x / k))) (emod_nonneg x h)
  rwa [Int.add_zero, mul_ediv_add_emod] at e

theorem lt_mul_ediv_self_add {x k : Int} (h : 0 < k) : x < k * (x / k) + k := by
  have e : k * (x / k) + (x % k + 1) ≤ k * (x / k) + k :=
    Int.add_le_add (Int.le_refl (k * (x / k))) (emod_lt_of_pos x h)
  rwa [← Int.add_assoc, mul_ediv_add_emod] at e

theorem le_ediv_of_mul_le {k c y : Int} (p : 0 < k) (h : k * c ≤ y) : c ≤ y / k := by
  refine Int.not_lt.1 fun (lt : y / k + 1 ≤ c) => ?_
  have k0 : 0 ≤ k := Int.le_trans (natCast_nonneg 1) p
  have le := Int.le_trans (Int.mul_le_mul_of_nonneg_left lt k0) h
  rw [Int.mul_add, Int.mul_one] at le
  exact Int.not_lt.2 le (lt_mul_ediv_self_add p)

/-! Divisibility is decided by the remainder. -/

theorem natAbs_mul (a b : Int) : natAbs (a * b) = natAbs a * natAbs b := match a, b with
  | ofNat _, ofNat _ => rfl
  | ofNat _, negSucc _ => natAbs_negOfNat _
  | negSucc _, ofNat _ => natAbs_negOfNat _
  | negSucc _, negSucc _ => rfl
where
  natAbs_negOfNat : (n : Nat) → natAbs (negOfNat n) = n
    | 0 => rfl
    | _ + 1 => rfl

theorem emod_eq_zero_of_natAbs_dvd : {a b : Int} → natAbs a ∣ natAbs b → b % a = 0
  | _, ofNat _, h => congrArg ofNat (Nat.mod_eq_zero_of_dvd h)
  | a, negSucc m, ⟨k, h⟩ => by
    show subNatNat (natAbs a) (m % natAbs a + 1) = 0
    have h : m + 1 = natAbs a * k := h
    generalize natAbs a = d at h ⊢
    cases d with
    | zero => rw [Nat.zero_mul] at h; exact Nat.noConfusion h
    | succ d =>
      cases k with
      | zero => exact Nat.noConfusion h
      | succ k =>
        have e : (d + 1) * k + d = m := (Nat.succ.inj h).symm
        rw [(Nat.mod_div_unique (Nat.lt_succ_of_le (Nat.le_refl d)) e).1]
        exact subNatNat_eq_ofNat rfl

theorem emod_eq_zero_of_dvd {a b : Int} (h : a ∣ b) : b % a = 0 := by
  rcases h with ⟨c, rfl⟩
  exact emod_eq_zero_of_natAbs_dvd ⟨natAbs c, natAbs_mul a c⟩

theorem dvd_of_emod_eq_zero {a b : Int} (h : b % a = 0) : a ∣ b :=
  ⟨b / a, by have e := mul_ediv_add_emod b a; rw [h, Int.add_zero] at e; exact e.symm⟩

theorem dvd_iff_emod_eq_zero {a b : Int} : a ∣ b ↔ b % a = 0 := ⟨emod_eq_zero_of_dvd, dvd_of_emod_eq_zero⟩

theorem emod_pos_of_not_dvd {a b : Int} (h : ¬a ∣ b) : a = 0 ∨ 0 < b % a :=
  if e : a = 0 then .inl e
  else .inr (Int.not_le.1 fun k => h (dvd_of_emod_eq_zero (Int.le_antisymm k (emod_nonneg b e))))

instance decidable_dvd : @DecidableRel Int Int (· ∣ ·) :=
  fun _ _ => decidable_of_decidable_of_iff dvd_iff_emod_eq_zero.symm

end Int
