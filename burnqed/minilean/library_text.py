"""The constants and lemmas minilean knows, as text; names, order and implicitness follow Lean 4.26.

One per line: `kind name : type`. Kinds: `type`, `ctor`, `rec` (eliminators into Prop), `def`
(computes by the `eqn` lines of its name, or natively), `abbrev` (`:= value`, reducible), `let`
(`:= value`), `lemma`, `class` (a lemma that rests on classical axioms), `ext` (on `propext`).
"""

TEXT = r"""
type Nat : Type
type Int : Type
type Bool : Type
type List : Type → Type
type True : Prop
type False : Prop
type And : Prop → Prop → Prop
type Or : Prop → Prop → Prop
type Iff : Prop → Prop → Prop
type Exists : ∀ {α : Type} (p : α → Prop), Prop
type Eq : ∀ {α : Type} (a b : α), Prop
ctor Nat.zero : Nat
ctor Nat.succ : ∀ (n : Nat), Nat
ctor Int.ofNat : ∀ (n : Nat), Int
ctor Int.negSucc : ∀ (n : Nat), Int
ctor Bool.true : Bool
ctor Bool.false : Bool
ctor List.nil : ∀ {α : Type}, List α
ctor List.cons : ∀ {α : Type} (head : α) (tail : List α), List α
ctor True.intro : True
ctor And.intro : ∀ {a b : Prop} (left : a) (right : b), a ∧ b
ctor Or.inl : ∀ {a b : Prop} (h : a), a ∨ b
ctor Or.inr : ∀ {a b : Prop} (h : b), a ∨ b
ctor Iff.intro : ∀ {a b : Prop} (mp : a → b) (mpr : b → a), a ↔ b
ctor Exists.intro : ∀ {α : Type} {p : α → Prop} (w : α) (h : p w), Exists p
ctor Eq.refl : ∀ {α : Type} (a : α), a = a
rec And.rec : ∀ {a b motive : Prop} (intro : a → b → motive) (t : a ∧ b), motive
rec Iff.rec : ∀ {a b motive : Prop} (intro : (a → b) → (b → a) → motive) (t : a ↔ b), motive
rec Or.rec : ∀ {a b motive : Prop} (inl : a → motive) (inr : b → motive) (t : a ∨ b), motive
rec Exists.rec : ∀ {α : Type} {p : α → Prop} {motive : Prop} (intro : ∀ w, p w → motive) (t : Exists p), motive
rec Nat.rec : ∀ {motive : Nat → Prop} (zero : motive 0) (succ : ∀ n, motive n → motive (n + 1)) (t : Nat), motive t
rec Nat.casesOn : ∀ {motive : Nat → Prop} (t : Nat) (zero : motive 0) (succ : ∀ n, motive (n + 1)), motive t
rec Nat.strongRecOn : ∀ {motive : Nat → Prop} (n : Nat) (ind : ∀ n, (∀ m, m < n → motive m) → motive n), motive n
rec Bool.rec : ∀ {motive : Bool → Prop} (false : motive Bool.false) (true : motive Bool.true) (t : Bool), motive t
rec List.rec : ∀ {α : Type} {motive : List α → Prop} (nil : motive []) (cons : ∀ (head : α) (tail : List α), motive tail → motive (head :: tail)) (t : List α), motive t
rec Eq.subst : ∀ {α : Type} {motive : α → Prop} {a b : α} (h₁ : a = b) (h₂ : motive a), motive b
axiom propext : ∀ {a b : Prop} (h : a ↔ b), a = b
axiom sorryAx : ∀ (p : Prop), p
ext funext : ∀ {α β : Type} {f g : α → β} (h : ∀ x, f x = g x), f = g
class Classical.em : ∀ (p : Prop), p ∨ ¬p
abbrev Not : Prop → Prop := fun a => a → False
abbrev Ne : ∀ {α : Type}, α → α → Prop := @fun α a b => ¬(a = b)
def Nat.add : Nat → Nat → Nat
def Nat.sub : Nat → Nat → Nat
def Nat.mul : Nat → Nat → Nat
def Nat.div : Nat → Nat → Nat
def Nat.mod : Nat → Nat → Nat
def Nat.pow : Nat → Nat → Nat
def Nat.gcd : Nat → Nat → Nat
def Nat.pred : Nat → Nat
def Nat.min : Nat → Nat → Nat
def Nat.max : Nat → Nat → Nat
def Nat.beq : Nat → Nat → Bool
def Nat.ble : Nat → Nat → Bool
eqn Nat.add : ∀ (n : Nat), n + 0 = n
eqn Nat.add : ∀ (n m : Nat), n + Nat.succ m = Nat.succ (n + m)
eqn Nat.pred : Nat.pred 0 = 0
eqn Nat.pred : ∀ (n : Nat), Nat.pred (Nat.succ n) = n
eqn Nat.sub : ∀ (n : Nat), n - 0 = n
eqn Nat.sub : ∀ (n m : Nat), n - Nat.succ m = Nat.pred (n - m)
eqn Nat.mul : ∀ (n : Nat), n * 0 = 0
eqn Nat.mul : ∀ (n m : Nat), n * Nat.succ m = n * m + n
eqn Nat.pow : ∀ (n : Nat), n ^ 0 = 1
eqn Nat.pow : ∀ (n m : Nat), n ^ Nat.succ m = n ^ m * n
type Nat.le : Nat → Nat → Prop
let Nat.lt : Nat → Nat → Prop := fun n m => Nat.le (n + 1) m
abbrev Nat.ge : Nat → Nat → Prop := fun n m => Nat.le m n
abbrev Nat.gt : Nat → Nat → Prop := fun n m => Nat.lt m n
let Nat.dvd : Nat → Nat → Prop := fun a b => ∃ c, b = a * c
def Int.add : Int → Int → Int
def Int.sub : Int → Int → Int
def Int.mul : Int → Int → Int
def Int.div : Int → Int → Int
def Int.mod : Int → Int → Int
def Int.pow : Int → Nat → Int
def Int.neg : Int → Int
def Int.natAbs : Int → Nat
def Int.toNat : Int → Nat
type Int.le : Int → Int → Prop
let Int.lt : Int → Int → Prop := fun n m => Int.le (n + 1) m
abbrev Int.ge : Int → Int → Prop := fun n m => Int.le m n
abbrev Int.gt : Int → Int → Prop := fun n m => Int.lt m n
let Int.dvd : Int → Int → Prop := fun a b => ∃ c, b = a * c
def Bool.not : Bool → Bool
def Bool.and : Bool → Bool → Bool
def Bool.or : Bool → Bool → Bool
eqn Bool.not : Bool.not true = false
eqn Bool.not : Bool.not false = true
eqn Bool.and : ∀ (b : Bool), Bool.and true b = b
eqn Bool.and : ∀ (b : Bool), Bool.and false b = false
eqn Bool.or : ∀ (b : Bool), Bool.or true b = true
eqn Bool.or : ∀ (b : Bool), Bool.or false b = b
def List.append : ∀ {α : Type}, List α → List α → List α
def List.length : ∀ {α : Type}, List α → Nat
def List.reverse : ∀ {α : Type}, List α → List α
def List.map : ∀ {α β : Type}, (α → β) → List α → List β
eqn List.append : ∀ (α : Type) (bs : List α), List.append [] bs = bs
eqn List.append : ∀ (α : Type) (a : α) (as bs : List α), List.append (a :: as) bs = a :: List.append as bs
eqn List.length : ∀ (α : Type), @List.length α [] = 0
eqn List.length : ∀ (α : Type) (a : α) (as : List α), List.length (a :: as) = List.length as + 1
eqn List.reverse : ∀ (α : Type), @List.reverse α [] = []
eqn List.reverse : ∀ (α : Type) (a : α) (as : List α), List.reverse (a :: as) = List.reverse as ++ [a]
eqn List.map : ∀ (α β : Type) (f : α → β), List.map f [] = []
eqn List.map : ∀ (α β : Type) (f : α → β) (a : α) (as : List α), List.map f (a :: as) = f a :: List.map f as
lemma trivial : True
lemma And.left : ∀ {a b : Prop} (self : a ∧ b), a
lemma And.right : ∀ {a b : Prop} (self : a ∧ b), b
lemma Iff.mp : ∀ {a b : Prop} (self : a ↔ b), a → b
lemma Iff.mpr : ∀ {a b : Prop} (self : a ↔ b), b → a
lemma And.elim : ∀ {a b α : Prop} (f : a → b → α) (h : a ∧ b), α
lemma Iff.elim : ∀ {a b α : Prop} (f : (a → b) → (b → a) → α) (h : a ↔ b), α
lemma Or.elim : ∀ {a b c : Prop} (h : a ∨ b) (left : a → c) (right : b → c), c
lemma Exists.elim : ∀ {α : Type} {p : α → Prop} {b : Prop} (h₁ : ∃ x, p x) (h₂ : ∀ a, p a → b), b
lemma False.elim : ∀ {C : Prop} (h : False), C
lemma rfl : ∀ {α : Type} {a : α}, a = a
lemma Eq.symm : ∀ {α : Type} {a b : α} (h : a = b), b = a
lemma Eq.trans : ∀ {α : Type} {a b c : α} (h₁ : a = b) (h₂ : b = c), a = c
lemma Eq.mp : ∀ {α β : Prop} (h : α = β) (a : α), β
lemma Eq.mpr : ∀ {α β : Prop} (h : α = β) (b : β), α
lemma cast : ∀ {α β : Prop} (h : α = β) (a : α), β
lemma congrArg : ∀ {α β : Type} {a₁ a₂ : α} (f : α → β) (h : a₁ = a₂), f a₁ = f a₂
lemma congrFun : ∀ {α β : Type} {f g : α → β} (h : f = g) (a : α), f a = g a
lemma congr : ∀ {α β : Type} {f₁ f₂ : α → β} {a₁ a₂ : α} (h₁ : f₁ = f₂) (h₂ : a₁ = a₂), f₁ a₁ = f₂ a₂
lemma Ne.symm : ∀ {α : Type} {a b : α} (h : a ≠ b), b ≠ a
lemma Ne.intro : ∀ {α : Type} {a b : α} (h : a = b → False), a ≠ b
lemma Ne.elim : ∀ {α : Type} {a b : α} (h : a ≠ b), a = b → False
lemma Ne.irrefl : ∀ {α : Type} {a : α} (h : a ≠ a), False
lemma eq_comm : ∀ {α : Type} {a b : α}, a = b ↔ b = a
lemma ne_comm : ∀ {α : Type} {a b : α}, a ≠ b ↔ b ≠ a
lemma id : ∀ {α : Prop} (a : α), α
lemma absurd : ∀ {a b : Prop} (h₁ : a) (h₂ : ¬a), b
lemma Not.elim : ∀ {a b : Prop} (H1 : ¬a) (H2 : a), b
lemma Not.intro : ∀ {a : Prop} (h : a → False), ¬a
lemma Not.imp : ∀ {a b : Prop} (H2 : ¬b) (H1 : a → b), ¬a
lemma mt : ∀ {a b : Prop} (h₁ : a → b) (h₂ : ¬b), ¬a
lemma not_not_intro : ∀ {p : Prop} (h : p), ¬¬p
lemma not_not_em : ∀ (a : Prop), ¬¬(a ∨ ¬a)
lemma not_false : ¬False
lemma not_not_not : ∀ {a : Prop}, ¬¬¬a ↔ ¬a
lemma imp_false : ∀ {a : Prop}, (a → False) ↔ ¬a
lemma imp_not_comm : ∀ {a b : Prop}, (a → ¬b) ↔ (b → ¬a)
lemma imp_intro : ∀ {α β : Prop} (h : α), β → α
lemma And.symm : ∀ {a b : Prop} (h : a ∧ b), b ∧ a
lemma And.comm : ∀ {a b : Prop}, a ∧ b ↔ b ∧ a
lemma And.swap : ∀ {a b : Prop} (h : a ∧ b), b ∧ a
lemma And.imp : ∀ {a b c d : Prop} (f : a → c) (g : b → d) (h : a ∧ b), c ∧ d
lemma And.imp_left : ∀ {a b c : Prop} (h : a → b), a ∧ c → b ∧ c
lemma And.imp_right : ∀ {a b c : Prop} (h : a → b), c ∧ a → c ∧ b
lemma and_comm : ∀ {a b : Prop}, a ∧ b ↔ b ∧ a
lemma and_assoc : ∀ {a b c : Prop}, (a ∧ b) ∧ c ↔ a ∧ (b ∧ c)
lemma and_left_comm : ∀ {a b c : Prop}, a ∧ (b ∧ c) ↔ b ∧ (a ∧ c)
lemma and_right_comm : ∀ {a b c : Prop}, (a ∧ b) ∧ c ↔ (a ∧ c) ∧ b
lemma and_imp : ∀ {a b c : Prop}, (a ∧ b → c) ↔ (a → b → c)
lemma and_congr : ∀ {a b c d : Prop} (h₁ : a ↔ c) (h₂ : b ↔ d), a ∧ b ↔ c ∧ d
lemma and_congr_left' : ∀ {a b c : Prop} (h : a ↔ b), a ∧ c ↔ b ∧ c
lemma and_congr_right' : ∀ {a b c : Prop} (h : b ↔ c), a ∧ b ↔ a ∧ c
lemma and_or_left : ∀ {a b c : Prop}, a ∧ (b ∨ c) ↔ (a ∧ b) ∨ (a ∧ c)
lemma and_or_right : ∀ {a b c : Prop}, (a ∨ b) ∧ c ↔ (a ∧ c) ∨ (b ∧ c)
lemma or_and_left : ∀ {a b c : Prop}, a ∨ (b ∧ c) ↔ (a ∨ b) ∧ (a ∨ c)
lemma or_and_right : ∀ {a b c : Prop}, (a ∧ b) ∨ c ↔ (a ∨ c) ∧ (b ∨ c)
lemma and_not_self : ∀ {a : Prop}, ¬(a ∧ ¬a)
lemma not_and_self : ∀ {a : Prop}, ¬(¬a ∧ a)
lemma and_iff_left : ∀ {a b : Prop} (hb : b), a ∧ b ↔ a
lemma and_iff_right : ∀ {a b : Prop} (ha : a), a ∧ b ↔ b
lemma and_iff_left_of_imp : ∀ {a b : Prop} (h : a → b), (a ∧ b) ↔ a
lemma and_iff_right_of_imp : ∀ {a b : Prop} (h : b → a), (a ∧ b) ↔ b
lemma Or.symm : ∀ {a b : Prop} (h : a ∨ b), b ∨ a
lemma Or.comm : ∀ {a b : Prop}, a ∨ b ↔ b ∨ a
lemma Or.intro_left : ∀ {a : Prop} (b : Prop) (h : a), a ∨ b
lemma Or.intro_right : ∀ {b : Prop} (a : Prop) (h : b), a ∨ b
lemma Or.imp : ∀ {a c b d : Prop} (f : a → c) (g : b → d) (h : a ∨ b), c ∨ d
lemma Or.imp_left : ∀ {a b c : Prop} (f : a → b), a ∨ c → b ∨ c
lemma Or.imp_right : ∀ {b c a : Prop} (f : b → c), a ∨ b → a ∨ c
lemma Or.resolve_left : ∀ {a b : Prop} (h : a ∨ b) (na : ¬a), b
lemma Or.resolve_right : ∀ {a b : Prop} (h : a ∨ b) (nb : ¬b), a
lemma Or.neg_resolve_left : ∀ {a b : Prop} (h : ¬a ∨ b) (ha : a), b
lemma Or.neg_resolve_right : ∀ {a b : Prop} (h : a ∨ ¬b) (nb : b), a
lemma or_comm : ∀ {a b : Prop}, a ∨ b ↔ b ∨ a
lemma or_assoc : ∀ {a b c : Prop}, (a ∨ b) ∨ c ↔ a ∨ (b ∨ c)
lemma or_left_comm : ∀ {a b c : Prop}, a ∨ (b ∨ c) ↔ b ∨ (a ∨ c)
lemma or_imp : ∀ {a b c : Prop}, (a ∨ b → c) ↔ (a → c) ∧ (b → c)
lemma or_congr : ∀ {a b c d : Prop} (h₁ : a ↔ c) (h₂ : b ↔ d), a ∨ b ↔ c ∨ d
lemma or_iff_left_of_imp : ∀ {a b : Prop} (hb : b → a), (a ∨ b) ↔ a
lemma or_iff_right_of_imp : ∀ {a b : Prop} (ha : a → b), (a ∨ b) ↔ b
lemma not_or : ∀ {p q : Prop}, ¬(p ∨ q) ↔ ¬p ∧ ¬q
lemma not_and : ∀ {a b : Prop}, ¬(a ∧ b) ↔ (a → ¬b)
lemma not_and' : ∀ {a b : Prop}, ¬(a ∧ b) ↔ (b → ¬a)
lemma not_and_of_not_left : ∀ {a : Prop} (b : Prop) (h : ¬a), ¬(a ∧ b)
lemma not_and_of_not_right : ∀ (a : Prop) {b : Prop} (h : ¬b), ¬(a ∧ b)
lemma not_and_of_not_or_not : ∀ {a b : Prop} (h : ¬a ∨ ¬b), ¬(a ∧ b)
lemma not_congr : ∀ {a b : Prop} (h : a ↔ b), ¬a ↔ ¬b
lemma not_of_not_imp : ∀ {a b : Prop} (h : ¬(a → b)), ¬b
lemma imp_congr : ∀ {a b c d : Prop} (h₁ : a ↔ c) (h₂ : b ↔ d), (a → b) ↔ (c → d)
lemma imp_iff_right : ∀ {b a : Prop} (ha : a), (a → b) ↔ b
lemma Iff.refl : ∀ (a : Prop), a ↔ a
lemma Iff.rfl : ∀ {a : Prop}, a ↔ a
lemma Iff.symm : ∀ {a b : Prop} (h : a ↔ b), b ↔ a
lemma Iff.trans : ∀ {a b c : Prop} (h₁ : a ↔ b) (h₂ : b ↔ c), a ↔ c
lemma Iff.comm : ∀ {a b : Prop}, (a ↔ b) ↔ (b ↔ a)
lemma Iff.of_eq : ∀ {a b : Prop} (h : a = b), a ↔ b
lemma iff_of_eq : ∀ {a b : Prop} (h : a = b), a ↔ b
lemma iff_of_true : ∀ {a b : Prop} (ha : a) (hb : b), a ↔ b
lemma iff_of_false : ∀ {a b : Prop} (ha : ¬a) (hb : ¬b), a ↔ b
lemma iff_true_intro : ∀ {a : Prop} (h : a), a ↔ True
lemma iff_false_intro : ∀ {a : Prop} (h : ¬a), a ↔ False
lemma iff_iff_implies_and_implies : ∀ {a b : Prop}, (a ↔ b) ↔ (a → b) ∧ (b → a)
lemma iff_not_self : ∀ {a : Prop}, ¬(a ↔ ¬a)
lemma Exists.imp : ∀ {α : Type} {p q : α → Prop} (h : ∀ a, p a → q a), (∃ a, p a) → ∃ a, q a
lemma not_exists : ∀ {α : Type} {p : α → Prop}, (¬∃ x, p x) ↔ ∀ x, ¬p x
lemma not_exists_of_forall_not : ∀ {α : Type} {p : α → Prop} (h : ∀ x, ¬p x), ¬∃ x, p x
lemma forall_not_of_not_exists : ∀ {α : Type} {p : α → Prop} (h : ¬∃ x, p x), ∀ x, ¬p x
lemma not_forall_of_exists_not : ∀ {α : Type} {p : α → Prop} (h : ∃ x, ¬p x), ¬∀ x, p x
lemma exists_imp : ∀ {α : Type} {p : α → Prop} {b : Prop}, ((∃ x, p x) → b) ↔ ∀ x, p x → b
lemma forall_and : ∀ {α : Type} {p q : α → Prop}, (∀ x, p x ∧ q x) ↔ (∀ x, p x) ∧ (∀ x, q x)
lemma exists_or : ∀ {α : Type} {p q : α → Prop}, (∃ x, p x ∨ q x) ↔ (∃ x, p x) ∨ ∃ x, q x
lemma exists_and_left : ∀ {α : Type} {p : α → Prop} {b : Prop}, (∃ x, b ∧ p x) ↔ b ∧ (∃ x, p x)
lemma exists_and_right : ∀ {α : Type} {p : α → Prop} {b : Prop}, (∃ x, p x ∧ b) ↔ (∃ x, p x) ∧ b
lemma forall_exists_index : ∀ {α : Type} {p : α → Prop} {b : Prop}, ((∃ x, p x) → b) ↔ ∀ x, p x → b
lemma exists_eq : ∀ {α : Type} {a' : α}, ∃ a, a = a'
lemma exists_eq' : ∀ {α : Type} {a' : α}, ∃ a, a' = a
lemma exists_eq_left : ∀ {α : Type} {p : α → Prop} {a' : α}, (∃ a, a = a' ∧ p a) ↔ p a'
lemma forall_eq : ∀ {α : Type} {p : α → Prop} {a' : α}, (∀ a, a = a' → p a) ↔ p a'
lemma forall_eq' : ∀ {α : Type} {p : α → Prop} {a' : α}, (∀ a, a' = a → p a) ↔ p a'
lemma forall_congr' : ∀ {α : Type} {p q : α → Prop} (h : ∀ a, p a ↔ q a), (∀ a, p a) ↔ ∀ a, q a
lemma exists_congr : ∀ {α : Type} {p q : α → Prop} (h : ∀ a, p a ↔ q a), (∃ a, p a) ↔ ∃ a, q a
class Classical.byContradiction : ∀ {p : Prop} (h : ¬p → False), p
class Classical.byCases : ∀ {p q : Prop} (hpq : p → q) (hnpq : ¬p → q), q
class Classical.not_not : ∀ {a : Prop}, ¬¬a ↔ a
class Classical.not_and_iff_not_or_not : ∀ {a b : Prop}, ¬(a ∧ b) ↔ ¬a ∨ ¬b
class Classical.not_imp : ∀ {a b : Prop}, ¬(a → b) ↔ a ∧ ¬b
class Classical.not_forall : ∀ {α : Type} {p : α → Prop}, (¬∀ x, p x) ↔ ∃ x, ¬p x
class Classical.not_forall_not : ∀ {α : Type} {p : α → Prop}, (¬∀ x, ¬p x) ↔ ∃ x, p x
class Classical.not_exists_not : ∀ {α : Type} {p : α → Prop}, (¬∃ x, ¬p x) ↔ ∀ x, p x
class Classical.or_iff_not_imp_left : ∀ {a b : Prop}, a ∨ b ↔ (¬a → b)
class Classical.or_iff_not_imp_right : ∀ {a b : Prop}, a ∨ b ↔ (¬b → a)
class Classical.imp_iff_not_or : ∀ {a b : Prop}, (a → b) ↔ (¬a ∨ b)
ext ne_eq : ∀ {α : Type} (a b : α), (a ≠ b) = ¬(a = b)
ext eq_self : ∀ {α : Type} (a : α), (a = a) = True
ext eq_true : ∀ {p : Prop} (h : p), p = True
ext eq_false : ∀ {p : Prop} (h : ¬p), p = False
ext eq_false' : ∀ {p : Prop} (h : p → False), p = False
lemma of_eq_true : ∀ {p : Prop} (h : p = True), p
lemma not_of_eq_false : ∀ {p : Prop} (h : p = False), ¬p
ext forall_congr : ∀ {α : Type} {p q : α → Prop} (h : ∀ a, p a = q a), (∀ a, p a) = (∀ a, q a)
ext and_self : ∀ (p : Prop), (p ∧ p) = p
ext and_true : ∀ (p : Prop), (p ∧ True) = p
ext true_and : ∀ (p : Prop), (True ∧ p) = p
ext and_false : ∀ (p : Prop), (p ∧ False) = False
ext false_and : ∀ (p : Prop), (False ∧ p) = False
ext or_self : ∀ (p : Prop), (p ∨ p) = p
ext or_true : ∀ (p : Prop), (p ∨ True) = True
ext true_or : ∀ (p : Prop), (True ∨ p) = True
ext or_false : ∀ (p : Prop), (p ∨ False) = p
ext false_or : ∀ (p : Prop), (False ∨ p) = p
ext iff_self : ∀ (p : Prop), (p ↔ p) = True
ext iff_true : ∀ (p : Prop), (p ↔ True) = p
ext true_iff : ∀ (p : Prop), (True ↔ p) = p
ext iff_false : ∀ (p : Prop), (p ↔ False) = ¬p
ext false_iff : ∀ (p : Prop), (False ↔ p) = ¬p
ext not_true_eq_false : (¬True) = False
ext not_false_eq_true : (¬False) = True
ext implies_true : ∀ (α : Prop), (α → True) = True
ext true_implies : ∀ (p : Prop), (True → p) = p
ext false_implies : ∀ (p : Prop), (False → p) = True
lemma imp_self : ∀ {a : Prop}, (a → a) ↔ True
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
lemma Int.lt_trans : ∀ {a b c : Int} (h₁ : a < b) (h₂ : b < c), a < c
lemma Int.not_le : ∀ {a b : Int}, ¬a ≤ b ↔ b < a
lemma Int.not_lt : ∀ {a b : Int}, ¬a < b ↔ b ≤ a
lemma Int.add_le_add : ∀ {a b c d : Int} (h₁ : a ≤ b) (h₂ : c ≤ d), a + c ≤ b + d
"""
