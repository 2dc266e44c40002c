"""Types, constructors, recursors and functions of the library; the format is that of `core_text.py`."""

BASE = r"""
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
def ite : ∀ {α : Type} (c : Prop) (t e : α), α
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
"""
