/-! Each tactic that docs/leancore.md lists, with a theorem that it proves. A block begins with the tactic's name. -/
set_option linter.unusedVariables false
variable (p q r : Prop)

-- intro
theorem intro_1 : p → q → p := by intro h _; exact h
theorem intro_2 : p ∧ q → q := by intro ⟨_, h⟩; exact h
-- intros
theorem intros_1 : p → q → p := by intros h k; exact h
-- rintro
theorem rintro_1 : p ∧ (q ∨ r) → (p ∧ q) ∨ r := by
  rintro ⟨h, k | k⟩
  · exact .inl ⟨h, k⟩
  · exact .inr k
-- exact
theorem exact_1 (h : p) : p := by exact h
-- apply
theorem apply_1 (h : p → q → r) (k : p) (j : q) : r := by
  apply h
  · exact k
  · exact j
-- refine
theorem refine_1 (h : p) (k : q) : p ∧ q := by
  refine ⟨?_, k⟩
  exact h
-- assumption
theorem assumption_1 (h : p) : p := by assumption
-- constructor
theorem constructor_1 (h : p) (k : q) : p ∧ q := by
  constructor
  case left => exact h
  case right => exact k
-- left
theorem left_1 (h : p) : p ∨ q := by left; exact h
-- right
theorem right_1 (h : q) : p ∨ q := by right; exact h
-- exists
theorem exists_1 : ∃ n : Nat, n + n = 4 := by exists 2
-- and_intros
theorem and_intros_1 (h : p) (k : q) : p ∧ q ∧ p := by and_intros <;> assumption
-- show
theorem show_1 (n : Nat) : n + 0 = n := by show n = n; rfl
-- have
theorem have_1 (h : p → q) (k : p) : q := by
  have j : q := h k
  exact j
-- let
theorem let_1 : ∃ n : Nat, n = 2 := by
  let m := 1
  exact ⟨m + m, rfl⟩
-- suffices
theorem suffices_1 (h : p) (f : p → q) : q := by
  suffices k : p by exact f k
  exact h
-- specialize
theorem specialize_1 (h : ∀ n : Nat, n = n → p) : p := by specialize h 0 rfl; exact h
-- replace
theorem replace_1 (h : p) (f : p → q) : q := by replace h := f h; exact h
-- revert
theorem revert_1 (h : p) : p := by revert h; exact id
-- generalize
theorem generalize_1 (a b : Nat) : a * b + 0 = a * b := by generalize a * b = c; rfl
-- clear
theorem clear_1 (h : p) (k : q) : p := by clear k; exact h
-- rename
theorem rename_1 (h : p) : p := by rename p => k; exact k
-- rename_i
theorem rename_i_1 : p → p := by intro; rename_i h; exact h
-- change
theorem change_1 (h : id p) : p := by change p at h; exact h
-- cases
theorem cases_1 (h : p ∨ q) : q ∨ p := by
  cases h with
  | inl h => exact .inr h
  | inr h => exact .inl h
-- induction
theorem induction_1 (n : Nat) : 0 + n = n := by
  induction n with
  | zero => rfl
  | succ n ih => rw [← Nat.add_assoc, ih]
theorem induction_2 (n m : Nat) : m + n = n + m := by
  induction n generalizing m with
  | zero => simp
  | succ n ih => rw [Nat.add_succ, ih, Nat.succ_add]
-- fun_induction
def halve : Nat → Nat
  | 0 | 1 => 0
  | n + 2 => halve n + 1
theorem fun_induction_1 (n : Nat) : halve n ≤ n := by
  fun_induction halve n <;> omega
-- rcases
theorem rcases_1 (h : p ∨ q ∧ r) : p ∨ q := by
  rcases h with h | ⟨h, _⟩
  · exact .inl h
  · exact .inr h
-- obtain
theorem obtain_1 (h : ∃ n : Nat, n = 3 ∧ p) : p := by obtain ⟨_, rfl, k⟩ := h; exact k
-- case
theorem case_1 (h : p) (k : q) : p ∧ q := by
  constructor
  case right => exact k
  case left => exact h
-- next
theorem next_1 (h : p) (k : q) : p ∧ q := by
  constructor
  next => exact h
  next => exact k
-- match
theorem match_1 (h : p ∨ q) : q ∨ p := by
  match h with
  | .inl h => exact .inr h
  | .inr h => exact .inl h
-- split
theorem split_1 (n : Nat) : (if n = n then 1 else 2) = 1 := by
  split
  · rfl
  · contradiction
theorem split_2 (n : Nat) : (match n with | 0 => 1 | m + 1 => m + 1) ≠ 0 := by split <;> simp
-- by_cases
theorem by_cases_1 : p ∨ ¬p := by
  by_cases h : p
  · exact .inl h
  · exact .inr h
-- nomatch
theorem nomatch_1 (h : False) : p := by nomatch h
-- nofun
theorem nofun_1 : ¬False := by nofun
-- contradiction
theorem contradiction_1 (h : p) (k : ¬p) : q := by contradiction
theorem contradiction_2 (h : 1 = 2) : q := by contradiction
-- exfalso
theorem exfalso_1 (h : p) (k : ¬p) : q := by exfalso; exact k h
-- false_or_by_contra
theorem false_or_by_contra_1 (h : ¬¬p) : p := by false_or_by_contra; rename_i k; exact h k
-- injection
theorem injection_1 (a b : Nat) (h : a.succ = b.succ) : a = b := by injection h
-- injections
theorem injections_1 (a b : Nat) (h : [a] = [b]) : a = b := by injections
-- subst
theorem subst_1 (a b : Nat) (h : a = b) (k : a = 3) : b = 3 := by subst h; exact k
-- subst_vars
theorem subst_vars_1 (a b : Nat) (h : a = b) : b = a := by subst_vars; rfl
-- rw
theorem rw_1 (a b c : Nat) (h : a = b) (k : b = c) : a = c := by rw [h, k]
theorem rw_2 (a b : Nat) (h : a = b) (k : b = 1) : a = 1 := by rw [← h] at k; exact k
theorem rw_3 (h : p ↔ q) (k : q) : p := by rw [h]; exact k
-- rwa
theorem rwa_1 (a b c : Nat) (h : a = b) (k : b = c) : a = c := by rwa [h]
-- rewrite
theorem rewrite_1 (a b : Nat) (h : a = b) : a = b := by rewrite [h]; rfl
-- erw
theorem erw_1 (a b : Nat) (h : a = b) : b = a := by erw [h]
-- conv
theorem conv_1 (f : Nat → Nat → Nat) (a b : Nat) (h : a = b) : f a a = f a b := by
  conv =>
    lhs
    arg 2
    rw [h]
-- calc
theorem calc_1 (a b c : Nat) (h : a = b) (k : b < c) : a < c := by
  calc a = b := h
    _ < c := k
-- simp
theorem simp_1 (a b : Nat) (h : a = b) : a + 0 = b := by simp [h]
theorem simp_2 : (p ∧ True) ∨ False ↔ p := by simp
theorem simp_3 (h : p ∧ True) : p := by simp at h; exact h
theorem simp_4 (a b : Nat) (h : a = b) : (fun x => x) a = b := by simp only [h]
theorem simp_5 (xs ys : List Nat) : (xs ++ ys).reverse.length = ys.length + xs.length := by simp
theorem simp_6 (h : p → q) : p → q := by simp +contextual [h]
theorem simp_7 (a b : Nat) : a + b + 1 ≤ b + a + 2 := by simp +arith
theorem simp_8 : 2 * 3 + 1 = 7 ∧ 3 < 10 ∧ 7 % 3 = 1 := by simp
-- simp?
theorem simp?_1 (a : Nat) : a + 0 = a := by simp?
-- simp_all
theorem simp_all_1 (h : p) (k : p → q) : q := by simp_all
-- simpa
theorem simpa_1 (a b : Nat) (h : a + 0 = b) : a = b := by simpa using h
-- dsimp
theorem dsimp_1 (a b : Nat) (h : (fun x => x) a = b) : a = b := by dsimp at h; exact h
-- unfold
def twice (n : Nat) : Nat := n + n
theorem unfold_1 (n : Nat) : twice n = n + n := by unfold twice; rfl
-- delta
theorem delta_1 : twice 2 = 4 := by delta twice; rfl
-- congr
theorem congr_1 (f : Nat → Nat) (a b : Nat) (h : a = b) : f a = f b := by congr
-- ext
theorem ext_1 (f g : Nat → Nat) (h : ∀ x, f x = g x) : f = g := by ext x; exact h x
-- funext
theorem funext_1 (f g : Nat → Nat) (h : ∀ x, f x = g x) : f = g := by funext x; exact h x
-- rfl
theorem rfl_1 (n : Nat) : n + 1 = Nat.succ n := by rfl
theorem rfl_2 : 12345 * 54321 = 670592745 := by rfl
-- symm
theorem symm_1 (a b : Nat) (h : a = b) : b = a := by symm; exact h
-- decide
theorem decide_1 : ¬ (3 * 5 = 14) ∧ 7 ∈ [3, 7] := by decide
theorem decide_2 : ∀ a < 10, a * a < 100 := by decide
theorem decide_3 : 2 ^ 100 % 7 = 2 := by decide +kernel
-- omega
theorem omega_1 (a b : Nat) (h : a < b) (k : b % 2 = 1) : a + 1 ≤ 2 * (b / 2) + 1 := by omega
theorem omega_2 (a b : Int) (h : 2 * a + 3 * b = 1) (k : a ≥ 5) : b < -2 := by omega
-- ac_rfl
theorem ac_rfl_1 (a b c : Nat) : a * b + c = c + b * a := by ac_rfl
-- trivial
theorem trivial_1 : True := by trivial
-- exact?
theorem exact?_1 (h : p ∧ q) : p := by exact?
-- apply?
theorem apply?_1 (h : p) : p := by apply?
-- rw?
theorem rw?_1 (a b : Nat) (h : a = b) : b = a := by rw?
-- solve_by_elim
theorem solve_by_elim_1 (h : p → q) (k : p) : q := by solve_by_elim
-- infer_instance
theorem infer_instance_1 : Nonempty Nat := by infer_instance
-- show_term
theorem show_term_1 (h : p) : p := by show_term exact h
-- first
theorem first_1 (h : p) : p := by first | contradiction | assumption
-- try
theorem try_1 (h : p) : p := by try contradiction
                                exact h
-- repeat
theorem repeat_1 (h : p) : p ∧ p ∧ p := by repeat first | assumption | constructor
-- iterate
theorem iterate_1 : p → q → p := by iterate 2 intro _
                                    assumption
-- all_goals
theorem all_goals_1 (h : p) : p ∧ p := by constructor; all_goals exact h
-- any_goals
theorem any_goals_1 (h : p) (k : q) : p ∧ q := by
  constructor
  any_goals assumption
-- focus
theorem focus_1 (h : p) (k : q) : p ∧ q := by
  constructor
  focus exact h
  exact k
-- rotate_left
theorem rotate_left_1 (h : p) (k : q) : p ∧ q := by
  constructor
  rotate_left
  exact k
  exact h
-- guard_hyp
theorem guard_hyp_1 (h : p) : p := by guard_hyp h : p; exact h
-- fail_if_success
theorem fail_if_success_1 (h : p) : p := by
  fail_if_success contradiction
  exact h
-- set_option
theorem set_option_1 (h : p) : p := by set_option pp.all true in exact h
-- open
theorem open_1 : p ∨ ¬p := by open Classical in exact em p
-- classical
theorem classical_1 (h : ¬¬p) : p := by classical exact Decidable.byContradiction h
-- extract_lets
theorem extract_lets_1 : let x := 3; x = x := by extract_lets x; rfl
-- trace_state
theorem trace_state_1 (h : p) : p := by trace_state; exact h
