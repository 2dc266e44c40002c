"""The definitions that stand before the theorems of the corpus that use them."""

HEADER = """
def double : Nat → Nat
  | 0 => 0
  | n + 1 => double n + 2

def sumTo : Nat → Nat
  | 0 => 0
  | n + 1 => sumTo n + (n + 1)

inductive IsEven : Nat → Prop
  | zero : IsEven 0
  | step : ∀ n, IsEven n → IsEven (n + 2)

inductive Tree
  | leaf : Tree
  | node : Tree → Nat → Tree → Tree

def Tree.size : Tree → Nat
  | Tree.leaf => 0
  | Tree.node l _ r => l.size + 1 + r.size

def Tree.total : Tree → Nat
  | Tree.leaf => 0
  | Tree.node l x r => l.total + x + r.total

def Tree.mirror : Tree → Tree
  | Tree.leaf => Tree.leaf
  | Tree.node l x r => Tree.node r.mirror x l.mirror

inductive Colour
  | red : Colour
  | green : Colour
  | blue : Colour

def Colour.next : Colour → Colour
  | Colour.red => Colour.green
  | Colour.green => Colour.blue
  | Colour.blue => Colour.red

def Included (A B : Nat → Prop) : Prop := ∀ x, A x → B x

def Meet (A B : Nat → Prop) : Nat → Prop := fun x => A x ∧ B x

def Join (A B : Nat → Prop) : Nat → Prop := fun x => A x ∨ B x

def Outside (A : Nat → Prop) : Nat → Prop := fun x => ¬A x
""".strip()
