prelude
import Init.Quote
/-! Lists: functions, and lemmas by induction. Definitions and statements agree with Lean's own library. -/
set_option linter.all false
universe u v w

instance Array.instGetElemNatLtSize {α : Type u} : GetElem (Array α) Nat α fun xs i => i < xs.size where
  getElem xs i h := xs.getInternal i h

namespace List
variable {α : Type u} {β : Type v} {γ : Type w}

instance : Append (List α) := ⟨List.append⟩
instance [BEq α] : BEq (List α) := ⟨List.beq⟩
def reverseAux : List α → List α → List α
  | [], r => r
  | a :: l, r => reverseAux l (a :: r)
def reverse (as : List α) : List α := reverseAux as []
@[specialize] def foldr (f : α → β → β) (init : β) : (l : List α) → β
  | [] => init
  | a :: as => f a (foldr f init as)
def filter (p : α → Bool) : (l : List α) → List α
  | [] => []
  | a :: as =>
    match p a with
    | true => a :: filter p as
    | false => filter p as
@[specialize] def filterMap (f : α → Option β) : List α → List β
  | [] => []
  | a :: as =>
    match f a with
    | none => filterMap f as
    | some b => b :: filterMap f as
inductive Mem (a : α) : List α → Prop
  | head (as : List α) : Mem a (a :: as)
  | tail (b : α) {as : List α} : Mem a as → Mem a (b :: as)
instance : Membership α (List α) := ⟨fun l a => Mem a l⟩
def elem [BEq α] (a : α) : (l : List α) → Bool
  | [] => false
  | b :: bs =>
    match a == b with
    | true => true
    | false => elem a bs
abbrev contains [BEq α] (as : List α) (a : α) : Bool := elem a as
def isEmpty : List α → Bool
  | [] => true
  | _ :: _ => false
def head : (as : List α) → as ≠ [] → α
  | a :: _, _ => a
def head? : List α → Option α
  | [] => none
  | a :: _ => some a
def headD (as : List α) (fallback : α) : α :=
  match as with
  | [] => fallback
  | a :: _ => a
def tail : List α → List α
  | [] => []
  | _ :: as => as
def getLast : (as : List α) → as ≠ [] → α
  | [], h => absurd rfl h
  | [a], _ => a
  | _ :: b :: as, _ => getLast (b :: as) fun h => List.noConfusion rfl (heq_of_eq h)
def getLast? : List α → Option α
  | [] => none
  | a :: as => some (getLast (a :: as) fun h => List.noConfusion rfl (heq_of_eq h))
def dropLast : List α → List α
  | [] => []
  | [_] => []
  | a :: b :: as => a :: dropLast (b :: as)
def take : (n : Nat) → (xs : List α) → List α
  | 0, _ => []
  | _ + 1, [] => []
  | n + 1, a :: as => a :: take n as
def drop : (n : Nat) → (xs : List α) → List α
  | 0, as => as
  | _ + 1, [] => []
  | n + 1, _ :: as => drop n as
def takeWhile (p : α → Bool) : (xs : List α) → List α
  | [] => []
  | a :: as =>
    match p a with
    | true => a :: takeWhile p as
    | false => []
def dropWhile (p : α → Bool) : List α → List α
  | [] => []
  | a :: as =>
    match p a with
    | true => dropWhile p as
    | false => a :: as
def replicate : (n : Nat) → (a : α) → List α
  | 0, _ => []
  | n + 1, a => a :: replicate n a
@[specialize] def zipWith (f : α → β → γ) : (xs : List α) → (ys : List β) → List γ
  | x :: xs, y :: ys => f x y :: zipWith f xs ys
  | _, _ => []
def zip : List α → List β → List (Prod α β) := zipWith Prod.mk
def range.loop : Nat → List Nat → List Nat
  | 0, acc => acc
  | n + 1, acc => loop n (n :: acc)
def range (n : Nat) : List Nat := range.loop n []
def any : (l : List α) → (p : α → Bool) → Bool
  | [], _ => false
  | a :: as, p => p a || any as p
def all : List α → (α → Bool) → Bool
  | [], _ => true
  | a :: as, p => p a && all as p
def erase [BEq α] : List α → α → List α
  | [], _ => []
  | a :: as, b =>
    match a == b with
    | true => as
    | false => a :: erase as b
def insert [BEq α] (a : α) (l : List α) : List α := if l.elem a then l else a :: l
def count [BEq α] (a : α) : List α → Nat
  | [] => 0
  | b :: bs => if b == a then count a bs + 1 else count a bs
def sum [Add α] [Zero α] (l : List α) : α := foldr (· + ·) Zero.zero l
instance instGetElem?NatLtLength : GetElem? (List α) Nat α fun as i => i < as.length where
  getElem as i h := as.get ⟨i, h⟩
  getElem? as i := if h : i < as.length then some (as.get ⟨i, h⟩) else none
inductive Pairwise (R : α → α → Prop) : List α → Prop
  | nil : Pairwise R []
  | cons {a : α} {l : List α} : (∀ a', a' ∈ l → R a a') → Pairwise R l → Pairwise R (a :: l)
def Nodup : List α → Prop := Pairwise (· ≠ ·)
inductive Sublist {α : Type u} : List α → List α → Prop
  | slnil : Sublist [] []
  | cons (a : α) {l₁ l₂ : List α} : Sublist l₁ l₂ → Sublist l₁ (a :: l₂)
  | cons₂ (a : α) {l₁ l₂ : List α} : Sublist l₁ l₂ → Sublist (a :: l₁) (a :: l₂)
inductive Perm {α : Type u} : List α → List α → Prop
  | nil : Perm [] []
  | cons (x : α) {l₁ l₂ : List α} : Perm l₁ l₂ → Perm (x :: l₁) (x :: l₂)
  | swap (x y : α) (l : List α) : Perm (y :: x :: l) (x :: y :: l)
  | trans {l₁ l₂ l₃ : List α} : Perm l₁ l₂ → Perm l₂ l₃ → Perm l₁ l₃
def IsPrefix (l₁ l₂ : List α) : Prop := ∃ t, l₁ ++ t = l₂
def IsSuffix (l₁ l₂ : List α) : Prop := ∃ t, t ++ l₁ = l₂

/-! `::`. -/

@[simp] theorem cons_ne_nil (a : α) (l : List α) : a :: l ≠ [] := fun h => List.noConfusion rfl (heq_of_eq h)
theorem nil_ne_cons (a : α) (l : List α) : [] ≠ a :: l := fun h => List.noConfusion rfl (heq_of_eq h)
theorem cons_inj_right (a : α) {l l' : List α} : a :: l = a :: l' ↔ l = l' :=
  ⟨fun h => (List.cons.inj h).2, fun h => h ▸ rfl⟩
theorem cons_eq_cons {a b : α} {l l' : List α} : a :: l = b :: l' ↔ a = b ∧ l = l' :=
  ⟨fun h => List.cons.inj h, fun h => h.1 ▸ h.2 ▸ rfl⟩
theorem exists_cons_of_ne_nil {l : List α} (h : l ≠ []) : ∃ b L, l = b :: L := by
  cases l with
  | nil => exact absurd rfl h
  | cons b L => exact ⟨b, L, rfl⟩
theorem ne_nil_of_length_pos {l : List α} (h : 0 < l.length) : l ≠ [] := fun e => by cases e; exact Nat.not_lt_zero 0 h

/-! `length`. -/

@[simp] theorem length_nil : length ([] : List α) = 0 := rfl
@[simp] theorem length_cons {a : α} {as : List α} : length (a :: as) = length as + 1 := rfl
theorem length_singleton {a : α} : length [a] = 1 := rfl
@[simp] theorem length_eq_zero_iff {l : List α} : length l = 0 ↔ l = [] := by
  cases l with
  | nil => exact ⟨fun _ => rfl, fun _ => rfl⟩
  | cons a l => exact ⟨fun h => Nat.noConfusion h, fun h => absurd h (cons_ne_nil a l)⟩
theorem length_pos_iff {l : List α} : 0 < length l ↔ l ≠ [] := by
  cases l with
  | nil => exact ⟨fun h => absurd h (Nat.not_lt_zero 0), fun h => absurd rfl h⟩
  | cons a l => exact ⟨fun _ => cons_ne_nil a l, fun _ => Nat.zero_lt_succ _⟩

/-! `++`. -/

@[simp] theorem append_eq {as bs : List α} : List.append as bs = as ++ bs := rfl
@[simp] theorem nil_append (as : List α) : [] ++ as = as := rfl
@[simp] theorem cons_append {a : α} {as bs : List α} : a :: as ++ bs = a :: (as ++ bs) := rfl
@[simp] theorem append_nil (as : List α) : as ++ [] = as := by
  induction as with
  | nil => rfl
  | cons a as ih => exact congrArg (cons a) ih
@[simp] theorem append_assoc (as bs cs : List α) : as ++ bs ++ cs = as ++ (bs ++ cs) := by
  induction as with
  | nil => rfl
  | cons a as ih => exact congrArg (cons a) ih
theorem singleton_append {x : α} {l : List α} : [x] ++ l = x :: l := rfl
theorem append_cons (as : List α) (b : α) (bs : List α) : as ++ b :: bs = as ++ [b] ++ bs := by simp
@[simp] theorem length_append {as bs : List α} : (as ++ bs).length = as.length + bs.length := by
  induction as with
  | nil => exact (Nat.zero_add _).symm
  | cons a as ih => rw [cons_append, length_cons, ih, length_cons, Nat.add_one, Nat.add_one, Nat.succ_add]
@[simp] theorem append_eq_nil_iff {p q : List α} : p ++ q = [] ↔ p = [] ∧ q = [] := by
  cases p with
  | nil => exact ⟨fun h => ⟨rfl, h⟩, fun h => h.2⟩
  | cons a p => exact ⟨fun h => absurd h (cons_ne_nil _ _), fun h => absurd h.1 (cons_ne_nil _ _)⟩
theorem append_right_inj {t₁ t₂ : List α} (s : List α) : s ++ t₁ = s ++ t₂ ↔ t₁ = t₂ := by
  constructor
  · intro h
    induction s with
    | nil => exact h
    | cons a s ih => exact ih (List.cons.inj h).2
  · intro h; rw [h]
theorem append_cancel_left {as bs cs : List α} (h : as ++ bs = as ++ cs) : bs = cs := (append_right_inj as).1 h
instance : Trans (α := List α) Eq Eq Eq := inferInstance

/-! `map`. -/

@[simp] theorem map_nil {f : α → β} : map f [] = [] := rfl
@[simp] theorem map_cons {f : α → β} {a : α} {l : List α} : map f (a :: l) = f a :: map f l := rfl
@[simp] theorem length_map {as : List α} (f : α → β) : (as.map f).length = as.length := by
  induction as with
  | nil => rfl
  | cons a as ih => rw [map_cons, length_cons, ih, length_cons]
@[simp] theorem map_append {f : α → β} {l₁ l₂ : List α} : map f (l₁ ++ l₂) = map f l₁ ++ map f l₂ := by
  induction l₁ with
  | nil => rfl
  | cons a l₁ ih => exact congrArg (cons (f a)) ih
@[simp] theorem map_map {g : β → γ} {f : α → β} {l : List α} : map g (map f l) = map (g ∘ f) l := by
  induction l with
  | nil => rfl
  | cons a l ih => exact congrArg (cons (g (f a))) ih
@[simp] theorem map_id (l : List α) : map id l = l := by
  induction l with
  | nil => rfl
  | cons a l ih => exact congrArg (cons a) ih
@[simp] theorem map_id' (l : List α) : map (fun a => a) l = l := map_id l
@[simp] theorem map_id_fun : map (id : α → α) = id := funext map_id
@[simp] theorem map_eq_nil_iff {f : α → β} {l : List α} : map f l = [] ↔ l = [] := by
  cases l with
  | nil => exact ⟨fun _ => rfl, fun _ => rfl⟩
  | cons a l => exact ⟨fun h => absurd h (cons_ne_nil _ _), fun h => absurd h (cons_ne_nil _ _)⟩
theorem map_congr_left {f g : α → β} {l : List α} (h : ∀ a, a ∈ l → f a = g a) : map f l = map g l := by
  induction l with
  | nil => rfl
  | cons a l ih => rw [map_cons, map_cons, h a (.head l), ih fun b k => h b (.tail a k)]

/-! `reverse`. -/

theorem reverseAux_eq {as bs : List α} : reverseAux as bs = reverse as ++ bs := by
  have main : ∀ as bs cs : List α, reverseAux as bs ++ cs = reverseAux as (bs ++ cs) := by
    intro as
    induction as with
    | nil => intro _ _; rfl
    | cons a as ih => intro bs cs; exact ih (a :: bs) cs
  exact (main as [] bs).symm
@[simp] theorem reverse_nil : reverse ([] : List α) = [] := rfl
@[simp] theorem reverse_cons {a : α} {as : List α} : reverse (a :: as) = reverse as ++ [a] :=
  reverseAux_eq (as := as) (bs := [a])
@[simp] theorem reverse_append {as bs : List α} : (as ++ bs).reverse = bs.reverse ++ as.reverse := by
  induction as with
  | nil => rw [nil_append, reverse_nil, append_nil]
  | cons a as ih => rw [cons_append, reverse_cons, ih, reverse_cons, append_assoc]
@[simp] theorem reverse_reverse (as : List α) : as.reverse.reverse = as := by
  induction as with
  | nil => rfl
  | cons a as ih => rw [reverse_cons, reverse_append, ih]; rfl
theorem reverse_singleton {a : α} : reverse [a] = [a] := rfl
theorem reverse_concat {l : List α} {a : α} : (l ++ [a]).reverse = a :: l.reverse := by rw [reverse_append]; rfl
@[simp] theorem length_reverse {as : List α} : (as.reverse).length = as.length := by
  induction as with
  | nil => rfl
  | cons a as ih => rw [reverse_cons, length_append, ih]; rfl
theorem map_reverse {f : α → β} {l : List α} : map f l.reverse = (map f l).reverse := by
  induction l with
  | nil => rfl
  | cons a l ih => rw [reverse_cons, map_append, ih, map_cons, map_cons, reverse_cons]; rfl
@[simp] theorem reverse_eq_nil_iff {xs : List α} : xs.reverse = [] ↔ xs = [] := by
  cases xs with
  | nil => exact ⟨fun _ => rfl, fun _ => rfl⟩
  | cons a xs => rw [reverse_cons, append_eq_nil_iff]; exact ⟨fun h => absurd h.2 (cons_ne_nil _ _),
    fun h => absurd h (cons_ne_nil _ _)⟩
theorem reverse_inj {xs ys : List α} : xs.reverse = ys.reverse ↔ xs = ys :=
  ⟨fun h => by rw [← reverse_reverse xs, h, reverse_reverse], fun h => h ▸ rfl⟩

/-! `∈`. -/

@[simp] theorem not_mem_nil {a : α} : ¬a ∈ ([] : List α) := fun h => nomatch h
@[simp] theorem mem_cons {a b : α} {l : List α} : a ∈ b :: l ↔ a = b ∨ a ∈ l := by
  constructor
  · intro h
    cases h with
    | head => exact .inl rfl
    | tail _ k => exact .inr k
  · intro h
    cases h with
    | inl e => exact e ▸ .head l
    | inr k => exact .tail b k
theorem mem_cons_self {a : α} {l : List α} : a ∈ a :: l := .head l
theorem mem_cons_of_mem (y : α) {a : α} {l : List α} (h : a ∈ l) : a ∈ y :: l := .tail y h
theorem mem_singleton_self (a : α) : a ∈ [a] := .head []
theorem mem_singleton {a b : α} : a ∈ [b] ↔ a = b := by simp
theorem eq_of_mem_singleton {a b : α} (h : a ∈ [b]) : a = b := mem_singleton.1 h
theorem ne_nil_of_mem {a : α} {l : List α} (h : a ∈ l) : l ≠ [] := fun e => by cases e; exact not_mem_nil h
theorem eq_or_mem_of_mem_cons {a b : α} {l : List α} (h : a ∈ b :: l) : a = b ∨ a ∈ l := mem_cons.1 h
@[simp] theorem mem_append {a : α} {s t : List α} : a ∈ s ++ t ↔ a ∈ s ∨ a ∈ t := by
  induction s with
  | nil => simp
  | cons b s ih => rw [cons_append, mem_cons, ih, mem_cons, or_assoc]
theorem mem_append_left {a : α} {as : List α} (bs : List α) (h : a ∈ as) : a ∈ as ++ bs := mem_append.2 (.inl h)
theorem mem_append_right {b : α} (as : List α) {bs : List α} (h : b ∈ bs) : b ∈ as ++ bs := mem_append.2 (.inr h)
@[simp] theorem mem_map {b : β} {f : α → β} {l : List α} : b ∈ l.map f ↔ ∃ a, a ∈ l ∧ f a = b := by
  induction l with
  | nil => simp
  | cons c l ih =>
    rw [map_cons, mem_cons, ih]
    constructor
    · intro h
      cases h with
      | inl e => exact ⟨c, .head l, e.symm⟩
      | inr h => exact h.imp fun a k => ⟨.tail c k.1, k.2⟩
    · intro ⟨a, k, e⟩
      cases mem_cons.1 k with
      | inl i => exact .inl (by rw [← e, i])
      | inr i => exact .inr ⟨a, i, e⟩
theorem mem_map_of_mem {a : α} {l : List α} {f : α → β} (h : a ∈ l) : f a ∈ map f l := mem_map.2 ⟨a, h, rfl⟩
theorem exists_of_mem_map {b : β} {f : α → β} {l : List α} (h : b ∈ map f l) : ∃ a, a ∈ l ∧ f a = b := mem_map.1 h
@[simp] theorem mem_reverse {x : α} {as : List α} : x ∈ reverse as ↔ x ∈ as := by
  induction as with
  | nil => exact Iff.rfl
  | cons a as ih => rw [reverse_cons, mem_append, ih, mem_singleton, mem_cons, or_comm]
theorem forall_mem_cons {p : α → Prop} {a : α} {l : List α} : (∀ x, x ∈ a :: l → p x) ↔ p a ∧ ∀ x, x ∈ l → p x := by
  simp
theorem append_of_mem {a : α} {l : List α} (h : a ∈ l) : ∃ s t : List α, l = s ++ a :: t := by
  induction h with
  | head as => exact ⟨[], as, rfl⟩
  | tail b _ ih =>
    obtain ⟨s, t, e⟩ := ih
    exact ⟨b :: s, t, by rw [e]; rfl⟩
theorem elem_eq_mem_aux [BEq α] [LawfulBEq α] {a : α} {as : List α} : elem a as = true ↔ a ∈ as := by
  induction as with
  | nil => exact ⟨fun h => Bool.noConfusion h, fun h => absurd h not_mem_nil⟩
  | cons b as ih =>
    rw [elem, mem_cons]
    cases h : a == b with
    | true => exact ⟨fun _ => .inl (eq_of_beq h), fun _ => rfl⟩
    | false => exact ih.trans ⟨.inr, fun k => k.resolve_left (beq_eq_false_iff_ne.1 h)⟩
theorem elem_iff [BEq α] [LawfulBEq α] {a : α} {as : List α} : elem a as = true ↔ a ∈ as := elem_eq_mem_aux
theorem contains_iff [BEq α] [LawfulBEq α] {a : α} {as : List α} : as.contains a = true ↔ a ∈ as := elem_iff
@[simp] theorem elem_nil [BEq α] {a : α} : elem a ([] : List α) = false := rfl
instance [DecidableEq α] (a : α) (as : List α) : Decidable (a ∈ as) := decidable_of_decidable_of_iff elem_iff
@[simp] theorem elem_eq_mem [DecidableEq α] (a : α) (as : List α) : elem a as = decide (a ∈ as) := by
  cases h : elem a as with
  | true => exact (decide_eq_true (elem_iff.1 h)).symm
  | false => exact (decide_eq_false fun k => by rw [elem_iff.2 k] at h; exact Bool.noConfusion h).symm
instance decidableBEx (p : α → Prop) [DecidablePred p] : (l : List α) → Decidable (∃ x, x ∈ l ∧ p x)
  | [] => isFalse fun ⟨_, h, _⟩ => not_mem_nil h
  | x :: xs =>
    if h : p x then isTrue ⟨x, .head xs, h⟩
    else match decidableBEx p xs with
      | isTrue k => isTrue (k.imp fun y k => ⟨.tail x k.1, k.2⟩)
      | isFalse n => isFalse fun ⟨y, k, hy⟩ => (mem_cons.1 k).elim (fun e => h (e ▸ hy)) fun k => n ⟨y, k, hy⟩
instance decidableBAll (p : α → Prop) [DecidablePred p] : (l : List α) → Decidable (∀ x, x ∈ l → p x)
  | [] => isTrue fun _ h => absurd h not_mem_nil
  | x :: xs =>
    if h : p x then
      match decidableBAll p xs with
      | isTrue k => isTrue fun y m => (mem_cons.1 m).elim (fun e => e ▸ h) (k y)
      | isFalse n => isFalse fun f => n fun y m => f y (.tail x m)
    else isFalse fun f => h (f x (.head xs))

/-! `filter`, `filterMap`. -/

@[simp] theorem filter_nil {p : α → Bool} : filter p [] = [] := rfl
@[simp] theorem filter_cons_of_pos {p : α → Bool} {a : α} {l : List α} (h : p a = true) :
    filter p (a :: l) = a :: filter p l := by
  rw [filter, h]
@[simp] theorem filter_cons_of_neg {p : α → Bool} {a : α} {l : List α} (h : ¬p a = true) :
    filter p (a :: l) = filter p l := by
  rw [filter, Bool.eq_false_of_ne_true h]
theorem filter_cons {p : α → Bool} {a : α} {l : List α} :
    filter p (a :: l) = if p a = true then a :: filter p l else filter p l := by
  cases h : p a with
  | true => rw [filter_cons_of_pos h, if_pos rfl]
  | false => rw [filter_cons_of_neg (by rw [h]; exact Bool.noConfusion), if_neg Bool.noConfusion]
@[simp] theorem filter_append {p : α → Bool} (l₁ l₂ : List α) : filter p (l₁ ++ l₂) = filter p l₁ ++ filter p l₂ := by
  induction l₁ with
  | nil => rfl
  | cons a l₁ ih => rw [cons_append, filter_cons, filter_cons, ih]; split <;> rfl
@[simp] theorem mem_filter {a : α} {p : α → Bool} {as : List α} : a ∈ filter p as ↔ a ∈ as ∧ p a = true := by
  induction as with
  | nil => simp
  | cons b as ih =>
    rw [filter_cons]
    split
    · rw [mem_cons, ih, mem_cons]
      constructor
      · intro h
        cases h with
        | inl e => cases e; exact ⟨.inl rfl, by assumption⟩
        | inr k => exact ⟨.inr k.1, k.2⟩
      · intro ⟨h, k⟩
        exact h.imp_right fun m => ⟨m, k⟩
    · rw [ih, mem_cons]
      constructor
      · exact fun h => ⟨.inr h.1, h.2⟩
      · intro ⟨h, k⟩
        cases h with
        | inl e => cases e; contradiction
        | inr m => exact ⟨m, k⟩
theorem length_filter_le (p : α → Bool) (l : List α) : (filter p l).length ≤ l.length := by
  induction l with
  | nil => exact .refl
  | cons a l ih =>
    rw [filter_cons]
    split
    · exact Nat.succ_le_succ ih
    · exact Nat.le_succ_of_le ih
@[simp] theorem filter_filter {p q : α → Bool} {l : List α} : filter p (filter q l) = filter (fun a => p a && q a) l :=
  by
  induction l with
  | nil => rfl
  | cons a l ih => cases hp : p a <;> cases hq : q a <;> simp [filter_cons, hp, hq, ih]
@[simp] theorem filterMap_nil {f : α → Option β} : filterMap f [] = [] := rfl

/-! Folds. -/

@[simp] theorem foldl_nil {f : α → β → α} {b : α} : foldl f b [] = b := rfl
@[simp] theorem foldl_cons {l : List β} {f : α → β → α} {b : α} {a : β} : foldl f b (a :: l) = foldl f (f b a) l := rfl
@[simp] theorem foldr_nil {f : α → β → β} {b : β} : foldr f b [] = b := rfl
@[simp] theorem foldr_cons {a : α} {f : α → β → β} {b : β} {l : List α} : foldr f b (a :: l) = f a (foldr f b l) := rfl
@[simp] theorem foldl_append {f : β → α → β} {b : β} {l l' : List α} : (l ++ l').foldl f b = l'.foldl f (l.foldl f b) :=
  by
  induction l generalizing b with
  | nil => rfl
  | cons a l ih => exact ih
@[simp] theorem foldr_append {f : α → β → β} {b : β} {l l' : List α} : (l ++ l').foldr f b = l.foldr f (l'.foldr f b) :=
  by
  induction l with
  | nil => rfl
  | cons a l ih => exact congrArg (f a) ih
@[simp] theorem foldr_cons_nil {l : List α} : l.foldr cons [] = l := by
  induction l with
  | nil => rfl
  | cons a l ih => exact congrArg (cons a) ih
theorem foldl_map {f : α → β} {g : γ → β → γ} {l : List α} {init : γ} :
    (l.map f).foldl g init = l.foldl (fun x y => g x (f y)) init := by
  induction l generalizing init with
  | nil => rfl
  | cons a l ih => exact ih
theorem foldr_map {f : α → β} {g : β → γ → γ} {l : List α} {init : γ} :
    (l.map f).foldr g init = l.foldr (fun x y => g (f x) y) init := by
  induction l with
  | nil => rfl
  | cons a l ih => exact congrArg (g (f a)) ih
@[simp] theorem foldl_reverse {l : List α} {f : β → α → β} {b : β} :
    l.reverse.foldl f b = l.foldr (fun x y => f y x) b := by
  induction l with
  | nil => rfl
  | cons a l ih => rw [reverse_cons, foldl_append, ih]; rfl
@[simp] theorem foldr_reverse {l : List α} {f : α → β → β} {b : β} :
    l.reverse.foldr f b = l.foldl (fun x y => f y x) b := by
  rw [← reverse_reverse l, reverse_reverse l, ← foldl_reverse, reverse_reverse]

/-! The rest. -/

@[simp] theorem take_zero {l : List α} : take 0 l = [] := rfl
@[simp] theorem take_nil {i : Nat} : take i ([] : List α) = [] := by cases i <;> rfl
@[simp] theorem take_succ_cons {a : α} {as : List α} {i : Nat} : take (i + 1) (a :: as) = a :: take i as := rfl
@[simp] theorem drop_zero {l : List α} : drop 0 l = l := rfl
@[simp] theorem drop_nil {i : Nat} : drop i ([] : List α) = [] := by cases i <;> rfl
@[simp] theorem drop_succ_cons {a : α} {l : List α} {i : Nat} : drop (i + 1) (a :: l) = drop i l := rfl
@[simp] theorem take_append_drop (i : Nat) (l : List α) : take i l ++ drop i l = l := by
  induction l generalizing i with
  | nil => rw [take_nil, drop_nil]; rfl
  | cons a l ih =>
    cases i with
    | zero => rfl
    | succ i => exact congrArg (cons a) (ih i)
@[simp] theorem take_length {l : List α} : take l.length l = l := by
  induction l with
  | nil => rfl
  | cons a l ih => exact congrArg (cons a) ih
@[simp] theorem drop_length {l : List α} : drop l.length l = [] := by
  induction l with
  | nil => rfl
  | cons a l ih => exact ih
@[simp] theorem replicate_zero {a : α} : replicate 0 a = [] := rfl
theorem replicate_succ {a : α} {n : Nat} : replicate (n + 1) a = a :: replicate n a := rfl
@[simp] theorem length_replicate {n : Nat} {a : α} : (replicate n a).length = n := by
  induction n with
  | zero => rfl
  | succ n ih => exact congrArg Nat.succ ih
@[simp] theorem map_replicate {n : Nat} {a : α} {f : α → β} : (replicate n a).map f = replicate n (f a) := by
  induction n with
  | zero => rfl
  | succ n ih => exact congrArg (cons (f a)) ih
theorem eq_of_mem_replicate {a b : α} {n : Nat} (h : b ∈ replicate n a) : b = a := by
  induction n with
  | zero => exact absurd h not_mem_nil
  | succ n ih => exact (mem_cons.1 h).elim id ih
@[simp] theorem zip_nil_left {l : List β} : zip ([] : List α) l = [] := rfl
@[simp] theorem zip_nil_right {l : List α} : zip l ([] : List β) = [] := by cases l <;> rfl
@[simp] theorem zip_cons_cons {a : α} {b : β} {as : List α} {bs : List β} :
    zip (a :: as) (b :: bs) = (a, b) :: zip as bs := rfl
@[simp] theorem zipWith_nil_left {f : α → β → γ} {l : List β} : zipWith f [] l = [] := rfl
@[simp] theorem zipWith_nil_right {f : α → β → γ} {l : List α} : zipWith f l [] = [] := by cases l <;> rfl
@[simp] theorem zipWith_cons_cons {f : α → β → γ} {a : α} {as : List α} {b : β} {bs : List β} :
    zipWith f (a :: as) (b :: bs) = f a b :: zipWith f as bs := rfl
@[simp] theorem any_nil {p : α → Bool} : [].any p = false := rfl
@[simp] theorem any_cons {p : α → Bool} {a : α} {l : List α} : (a :: l).any p = (p a || l.any p) := rfl
@[simp] theorem all_nil {p : α → Bool} : [].all p = true := rfl
@[simp] theorem all_cons {p : α → Bool} {a : α} {l : List α} : (a :: l).all p = (p a && l.all p) := rfl
theorem any_eq_true {p : α → Bool} {l : List α} : l.any p = true ↔ ∃ x, x ∈ l ∧ p x = true := by
  induction l with
  | nil => simp
  | cons a l ih => simp [ih]
theorem all_eq_true {p : α → Bool} {l : List α} : l.all p = true ↔ ∀ x, x ∈ l → p x = true := by
  induction l with
  | nil => simp
  | cons a l ih => simp [ih]
@[simp] theorem head?_nil : ([] : List α).head? = none := rfl
@[simp] theorem head?_cons {a : α} {l : List α} : (a :: l).head? = some a := rfl
@[simp] theorem head_cons {a : α} {l : List α} {h : a :: l ≠ []} : head (a :: l) h = a := rfl
@[simp] theorem headD_nil {d : α} : headD [] d = d := rfl
@[simp] theorem headD_cons {a d : α} {l : List α} : headD (a :: l) d = a := rfl
@[simp] theorem tail_nil : ([] : List α).tail = [] := rfl
@[simp] theorem tail_cons {a : α} {as : List α} : (a :: as).tail = as := rfl
@[simp] theorem isEmpty_nil : ([] : List α).isEmpty = true := rfl
@[simp] theorem isEmpty_cons {a : α} {l : List α} : (a :: l).isEmpty = false := rfl
theorem isEmpty_iff {l : List α} : l.isEmpty = true ↔ l = [] := by cases l <;> simp
@[simp] theorem flatten_nil : ([] : List (List α)).flatten = [] := rfl
@[simp] theorem flatten_cons {l : List α} {L : List (List α)} : (l :: L).flatten = l ++ L.flatten := rfl
@[simp] theorem flatMap_nil {f : α → List β} : [].flatMap f = [] := rfl
@[simp] theorem flatMap_cons {a : α} {as : List α} {f : α → List β} : (a :: as).flatMap f = f a ++ as.flatMap f := rfl
@[simp] theorem sum_nil [Add α] [Zero α] : ([] : List α).sum = Zero.zero := rfl
@[simp] theorem sum_cons [Add α] [Zero α] {a : α} {l : List α} : (a :: l).sum = a + l.sum := rfl
@[simp] theorem count_nil [BEq α] {a : α} : count a [] = 0 := rfl
@[simp] theorem concat_eq_append {as : List α} {a : α} : as.concat a = as ++ [a] := by
  induction as with
  | nil => rfl
  | cons b as ih => exact congrArg (cons b) ih
@[simp] theorem nodup_nil : Nodup ([] : List α) := .nil
@[simp] theorem nodup_cons {a : α} {l : List α} : Nodup (a :: l) ↔ ¬a ∈ l ∧ Nodup l :=
  ⟨fun h => by cases h with | cons h k => exact ⟨fun m => h a m rfl, k⟩, fun h => .cons (fun b m e => h.1 (e ▸ m)) h.2⟩
theorem pairwise_cons {R : α → α → Prop} {a : α} {l : List α} :
    Pairwise R (a :: l) ↔ (∀ a', a' ∈ l → R a a') ∧ Pairwise R l :=
  ⟨fun h => by cases h with | cons h k => exact ⟨h, k⟩, fun h => .cons h.1 h.2⟩
namespace Perm
theorem refl (l : List α) : Perm l l := by
  induction l with
  | nil => exact .nil
  | cons a l ih => exact .cons a ih
theorem symm {l₁ l₂ : List α} (h : Perm l₁ l₂) : Perm l₂ l₁ := by
  induction h with
  | nil => exact .nil
  | cons a _ ih => exact .cons a ih
  | swap x y l => exact .swap y x l
  | trans _ _ ih₁ ih₂ => exact .trans ih₂ ih₁
theorem length_eq {l₁ l₂ : List α} (h : Perm l₁ l₂) : l₁.length = l₂.length := by
  induction h with
  | nil => rfl
  | cons _ _ ih => exact congrArg Nat.succ ih
  | swap => rfl
  | trans _ _ ih₁ ih₂ => exact ih₁.trans ih₂
end Perm
end List

/-! Indices. -/

section
variable {α : Type u}
@[simp] theorem List.get_eq_getElem {l : List α} {i : Fin l.length} : l.get i = l[i.1]'i.2 := rfl
@[simp] theorem List.getElem_cons_zero {a : α} {as : List α} {h : 0 < (a :: as).length} : (a :: as)[0]'h = a := rfl
@[simp] theorem List.getElem_cons_succ {a : α} {as : List α} {i : Nat} {h : i + 1 < (a :: as).length} :
    (a :: as)[i + 1]'h = as[i]'(Nat.le_of_succ_le_succ h) := rfl
end
