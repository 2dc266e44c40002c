"""Texts that make a naive check believe a false statement.

A naive check compiles header, statement and proof as one file that ends in `#print axioms`, and believes
what it says. Each text here deceives it on the real Lean.
"""

from __future__ import annotations

from dataclasses import dataclass

FALSE = "1 = 2"
FORGED = "'cheat' does not depend on any axioms"


@dataclass(frozen=True)
class Attack:
    """A proof of a statement that is false, or false as a reader understands it.

    ``declaration``: the proof is a whole declaration. ``options`` are those of the compiler.
    """

    name: str
    proof: str
    statement: str = FALSE
    header: str = ""
    declaration: bool = False
    options: tuple[str, ...] = ()


def _texts(kind: str, texts: dict[str, str], **values: object) -> list[Attack]:
    return [Attack(f"{kind}: {name}", text, **values) for name, text in texts.items()]  # type: ignore[arg-type]


_PRINT = f'#print "{FORGED}"'

# The theorem is left to `sorry`, which is only a warning; what is printed at the end is another's answer.
AFTERWARDS = _texts("afterwards", {
    "a namespace with a theorem of the name": "sorry\n\nnamespace A\ntheorem cheat : True := trivial",
    "an axiom that prints as propext": "sorry\n\nnamespace A\naxiom propext : 1 = 2\ntheorem cheat : 1 = 2 := propext",
    "an axiom that prints as Quot.sound": "sorry\n\nnamespace A\naxiom Quot.sound : 1 = 2\ntheorem cheat : 1 = 2 := Quot.sound",
    "an axiom that prints as Classical.choice": "sorry\n\nnamespace A\naxiom Classical.choice : 1 = 2\ntheorem cheat : 1 = 2 := Classical.choice",
    "admit": "admit\n\nnamespace A\ntheorem cheat : 1 = 1 := rfl",
    "exact sorry": "exact sorry\n\nnamespace A.B\ntheorem cheat : 1 = 1 := rfl",
    "sorryAx": "exact sorryAx _ true\n\nnamespace A\ntheorem cheat : 2 = 2 := rfl",
    "a section in a namespace": "sorry\n\nnamespace A\nsection\ntheorem cheat : True := trivial",
    "mutual": "sorry\n\nnamespace A\nmutual\ntheorem cheat : True := trivial\nend",
    "a definition": "sorry\n\nnamespace A\ndef cheat : Nat := 1",
    "an instance": "sorry\n\nnamespace A\ninstance cheat : Inhabited Nat := ⟨1⟩",
    "an inductive type": "sorry\n\nnamespace A\ninductive cheat : Prop",
    "a structure": "sorry\n\nnamespace A\nstructure cheat : Prop where\n  x : True",
    "an alias": "sorry\n\nnamespace A\nabbrev cheat := @rfl",
    "a warning hidden": "set_option warn.sorry false in\n  sorry\n\nnamespace A\ntheorem cheat : True := trivial",
    "a text printed, then exit": f"sorry\n\n{_PRINT}\n#exit",
    "a macro for the command": f"sorry\n\nmacro_rules\n  | `(command| #print axioms $_) => `(command| {_PRINT})",
    "a macro with a token of its own": f'sorry\n\nmacro (priority := high) "#print" &"axioms" "cheat" : command => `(command| {_PRINT})',
    "a local macro": f'sorry\n\nlocal macro (priority := high) "#print" &"axioms" "cheat" : command => `(command| {_PRINT})',
    "a syntax with macro_rules": f'sorry\n\nsyntax (priority := high) "#print" &"axioms" "cheat" : command\nmacro_rules\n  | `(command| #print axioms cheat) => `(command| {_PRINT})',
    "an attribute": f"sorry\n\n@[macro Lean.Parser.Command.printAxioms] def forge : Lean.Macro := fun _ => `(command| {_PRINT})",
    "a local attribute": f"sorry\n\ndef forge : Lean.Macro := fun _ => `(command| {_PRINT})\nattribute [macro Lean.Parser.Command.printAxioms] forge",
    "in front of the command": "sorry\n\nnamespace A\ntheorem cheat : True := trivial\nset_option pp.all true in",
    "an opened namespace in front": "sorry\n\nnamespace A\ntheorem cheat : True := trivial\nopen Nat in",
})  # fmt: skip

# Programs that the elaborator of the proof itself registers: from then on they answer `#print axioms`. The header
# declares what `import Lean` would bring: the type of such programs, and the function behind `#print "text"`.
_LEAN = """structure Lean.Elab.Command.CommandElab where
  run : Lean.Syntax → Nat → Nat → Nat → Nat
@[extern "_"] opaque Lean.Elab.Command.elabPrint : Lean.Syntax → Nat → Nat → Nat → Nat"""
_FORGE = (
    "f : Lean.Elab.Command.CommandElab := ⟨fun _ a b c => Lean.Elab.Command.elabPrint (.node .none "
    '`Lean.Parser.Command.print (.push (.push .empty (.atom .none "#print")) (.node .none `str (.push .empty '
    f'(.atom .none "\\"{FORGED}\\""))))) a b c⟩'
)
_REGISTER = "@[command_elab Lean.Parser.Command.printAxioms]"
INSIDE = _texts("inside", {
    "let rec": f"exact (let rec {_REGISTER} {_FORGE}; sorry)",
    "where": f"exact sorry\nwhere {_REGISTER} {_FORGE}",
    "let rec in a tactic": f"let rec {_REGISTER} {_FORGE}\nsorry",
    "let rec below a have": f"have h : 1 = 2 := by\n  let rec {_REGISTER} {_FORGE}\n  sorry\nexact h",
    "let rec in a show": f"exact show 1 = 2 from (let rec {_REGISTER} {_FORGE}; sorry)",
    "let rec in an argument": f"exact id (let rec {_REGISTER} {_FORGE}; sorry : 1 = 2)",
    "two attributes": f"exact (let rec @[reducible, command_elab Lean.Parser.Command.printAxioms] {_FORGE}; sorry)",
    "a definition after it": f"sorry\n\n{_REGISTER} def {_FORGE}",
    "an attribute after it": f"sorry\n\ndef {_FORGE}\nattribute [command_elab Lean.Parser.Command.printAxioms] f",
}, options=("-DElab.async=false",), header=_LEAN)  # fmt: skip

# The kernel is told not to look.
_SKIP = "set_option debug.skipKernelTC true in"
SKIPPED = _texts("kernel skipped", {
    "decide": f"{_SKIP} decide +kernel",
    "decide with a field": f"{_SKIP} decide (kernel := true)",
    "in a term": f"exact {_SKIP} by decide +kernel",
    "in a have": f"have h : 1 = 2 := by\n  {_SKIP} decide +kernel\nexact h",
    "in a show": f"show 1 = 2\n{_SKIP} decide +kernel",
    "of False": f"exact False.elim (by {_SKIP} decide +kernel)",
    "of an inequality": f"exact absurd rfl (show ¬ (1 = 1) by {_SKIP} decide +kernel)",
    "in a calc": f"calc\n  1 = 2 := by {_SKIP} decide +kernel",
    "in a suffices": f"suffices h : 3 = 4 by\n  exact absurd h (by decide)\n{_SKIP} decide +kernel",
    "after cases": f"cases (show 1 = 2 ∨ 1 = 2 by {_SKIP} decide +kernel) with\n| inl h => exact h\n| inr h => exact h",
    "by rw": f"rw [show (1 = 2) = True from by {_SKIP} exact propext ⟨fun _ => trivial, fun _ => by decide +kernel⟩]\ntrivial",
    "by simp": f"have h : 1 = 2 := by {_SKIP} decide +kernel\nsimp [h]",
    "a block": f"{_SKIP}\n  first\n  | rfl\n  | decide +kernel",
    "all goals": f"all_goals {_SKIP} decide +kernel",
    "in a function": f"exact (fun (_ : True) => (by {_SKIP} decide +kernel : 1 = 2)) trivial",
    "in an anonymous constructor": f"exact (⟨by {_SKIP} decide +kernel, trivial⟩ : 1 = 2 ∧ True).1",
    "by refine": f"refine ?x\n{_SKIP} decide +kernel",
    "in a lambda case": f"exact match (by {_SKIP} decide +kernel : 1 = 2) with | h => h",
    "of an existence": f"exact Exists.elim (show ∃ n, n < 0 by exact ⟨5, by {_SKIP} decide +kernel⟩) (fun _ h => absurd h (Nat.not_lt_zero _))",
    "with two options": f"set_option maxRecDepth 500 in {_SKIP} decide +kernel",
    "with a comment": "set_option /- a -/ debug.skipKernelTC /- b -/ true in decide +kernel",
    "quoted option": "set_option «debug».skipKernelTC true in decide +kernel",
})  # fmt: skip

# The header makes the statement mean something else.
HEADERS = [
    Attack(f"header: {name}", proof, statement, header)
    for name, header, statement, proof in (
        ("notation for False", 'local notation "False" => True', "False", "exact True.intro"),
        ("notation, not local", 'notation "False" => True', "False", "exact True.intro"),
        ("notation below a section", 'section\nlocal notation "False" => True', "False", "exact True.intro"),
        ("infix for equality", 'local infix:50 (priority := high) " = " => fun (_ _ : Nat) => True', FALSE, "exact True.intro"),
        ("prefix for negation", 'local prefix:max (priority := high) "¬" => id', "¬ True", "exact True.intro"),
        ("a macro for False", 'macro (priority := high) "False" : term => `(True)', "False", "exact True.intro"),
        ("macro_rules for equality", "macro_rules | `($_ = $_) => `(True)", FALSE, "exact True.intro"),
        ("a numeral by an instance", "instance : OfNat Nat 2 := ⟨1⟩", FALSE, "rfl"),
        ("a numeral by a local instance", "local instance : OfNat Nat 2 := ⟨1⟩", FALSE, "rfl"),
        ("a numeral by a scoped instance", "namespace A\nscoped instance : OfNat Nat 2 := ⟨1⟩", FALSE, "rfl"),
        ("a numeral by an attribute", "def two : OfNat Nat 2 := ⟨1⟩\nattribute [instance] two", FALSE, "rfl"),
        ("addition by an instance", "local instance : Add Nat := ⟨fun a _ => a⟩", "1 + 1 = 1", "rfl"),
        ("order by an instance", "instance : LT Nat := ⟨fun _ _ => True⟩", "2 < 1", "exact True.intro"),
        ("order by a private instance", "private instance : LE Nat := ⟨fun _ _ => True⟩", "2 ≤ 1", "exact True.intro"),
        ("a hypothesis by a variable", "variable (h : False)\ninclude h", FALSE, "exact h.elim"),
        ("an implicit hypothesis", "variable {h : 1 = 2}\ninclude h", FALSE, "exact h"),
        ("an instance as hypothesis", "class No : Prop where\n  no : False\nvariable [h : No]\ninclude h", FALSE, "exact h.no.elim"),
        ("a definition in a namespace", "namespace A\ndef False := True", "False", "exact True.intro"),
        ("an abbreviation in a namespace", "namespace A\nabbrev Eq (_ _ : Nat) := True", "Eq 1 2", "exact True.intro"),
        ("an inductive in a namespace", "namespace A\ninductive False : Prop\n  | intro", "False", "exact .intro"),
        ("a structure in a namespace", "namespace A\nstructure False : Prop", "False", "exact ⟨⟩"),
        ("an inductive that shadows", "namespace A\ninductive Nat\n  | zero\ndef two : Nat := .zero\ndef one : Nat := .zero", "one = two", "rfl"),
        ("a private notation", 'namespace A\nscoped notation "False" => True', "False", "exact True.intro"),
        ("notation3-like", 'local notation:max (priority := high) "¬" a:max => (a ∨ True)', "¬ True", "exact Or.inr True.intro"),
        ("an export", "namespace A\ndef Not (_ : Prop) := True\nend A\nnamespace B\nexport A (Not)", "Not True", "exact True.intro"),
        ("a namespace opened again", "def A.False := True\nopen A in\nabbrev A.B.False := A.False\nnamespace A.B", "False", "exact True.intro"),
        ("a coercion", "instance : Coe Nat Bool := ⟨fun _ => true⟩\nnamespace A\ndef Eq (_ _ : Bool) := True", "Eq (1 : Nat) (2 : Nat)", "exact True.intro"),
        ("two notations", 'local notation "two" => 1\nlocal notation "False" => True', "two = 1 → False", "exact fun _ => True.intro"),
        ("a notation that a definition uses", 'local notation "False" => True\ndef P : Prop := False', "P", "exact True.intro"),
        ("a header that fails without it", 'local notation "False" => True\nexample : False := True.intro', "False", "exact True.intro"),
        ("one line", 'def one := 1 local notation "False" => True', "one = 1 → False", "exact fun _ => True.intro"),
        ("in a comment's shade", '/- local notation -/ local notation "False" => True -- only a comment', "False", "exact True.intro"),
        ("a binder", 'local macro (priority := high) "∀" x:ident "," t:term : term => `(∃ $x:ident, $t)', "∀ n, n = 0", "exact ⟨0, rfl⟩"),
        ("a default", "@[default_instance 2000] instance : OfNat Bool 2 := ⟨true⟩\n@[default_instance 2000] instance : OfNat Bool 1 := ⟨true⟩", FALSE, "rfl"),
    )
]  # fmt: skip

# Nothing at all is proved of what was asked: the declaration says something else.
DECLARATIONS = [
    Attack(f"declaration: {name}", text, statement, declaration=True)
    for name, statement, text in (
        ("another statement", FALSE, "theorem cheat : 1 = 1 := rfl"),
        ("True", FALSE, "theorem cheat : True := trivial"),
        ("the negation", FALSE, "theorem cheat : ¬ 1 = 2 := by decide"),
        ("unequal", FALSE, "theorem cheat : 1 ≠ 2 := by decide"),
        ("a hypothesis", FALSE, "theorem cheat (h : 1 = 2) : 1 = 2 := h"),
        ("an implicit hypothesis", FALSE, "theorem cheat {h : 1 = 2} : 1 = 2 := h"),
        ("a strict implicit hypothesis", FALSE, "theorem cheat ⦃h : 1 = 2⦄ : 1 = 2 := h"),
        ("an instance hypothesis", FALSE, "theorem cheat [h : Inhabited (PLift (1 = 2))] : 1 = 2 := h.default.down"),
        ("a hypothesis with a default", FALSE, "theorem cheat (h : 1 = 2 := by assumption) : 1 = 2 := h"),
        ("False as hypothesis", FALSE, "theorem cheat (h : False) : 1 = 2 := h.elim"),
        ("a type as hypothesis", FALSE, "theorem cheat (h : Empty) : 1 = 2 := nomatch h"),
        ("an implication", FALSE, "theorem cheat : False → 1 = 2 := fun h => h.elim"),
        ("weakened", FALSE, "theorem cheat : 1 = 2 ∨ True := Or.inr trivial"),
        ("an inequality", FALSE, "theorem cheat : 1 ≤ 2 := by decide"),
        ("another number", FALSE, "theorem cheat : 1 + 1 = 2 := rfl"),
        ("another type", FALSE, "theorem cheat : true = true := rfl"),
        ("by definition another", FALSE, "theorem cheat : (fun _ => True) (1 = 2) := trivial"),
        ("a let", FALSE, "theorem cheat : let one := 2; one = 2 := rfl"),
        ("an auxiliary variable", FALSE, "theorem cheat (one : Nat) : one = one := rfl"),
        ("any type", FALSE, "theorem cheat {α : Type} (a : α) : a = a := rfl"),
        ("an existence", FALSE, "theorem cheat : ∃ n, n = 2 := ⟨2, rfl⟩"),
        ("bound before", FALSE, "theorem cheat : ∀ (n : Nat), n = 2 → n = 2 := fun _ h => h"),
        ("a pair", FALSE, "theorem cheat : 1 = 1 ∧ 2 = 2 := ⟨rfl, rfl⟩"),
        ("booleans", FALSE, "theorem cheat : (1 == 1) = true := rfl"),
        ("a lambda", FALSE, "theorem cheat : (fun (x : Nat) => x) = id := rfl"),
        ("a match", FALSE, "theorem cheat : (match 1 with | 1 => True | _ => False) := trivial"),
        ("an if", FALSE, "theorem cheat : (if True then 2 else 1) = 2 := if_pos trivial"),
        ("universes", FALSE, "theorem cheat.{u} {α : Sort u} (a : α) : a = a := rfl"),
        ("quantifiers swapped", "∃ (n : Nat), ∀ (m : Nat), m ≤ n", "theorem cheat : ∀ (m : Nat), ∃ n, m ≤ n := fun m => ⟨m, Nat.le_refl m⟩"),
        ("a stronger hypothesis", "∀ (n : Nat), n = 0", "theorem cheat : ∀ (n : Nat), n = 0 → n = 0 := fun _ h => h"),
        ("a smaller type", "∀ (n : Nat), n = 0", "theorem cheat : ∀ (n : Fin 1), n = n := fun _ => rfl"),
        ("the converse", "∀ (p q : Prop), (p → q) → q → p", "theorem cheat : ∀ (p q : Prop), (p → q) → p → q := fun _ _ h => h"),
        ("a disjunction", "∀ (p q : Prop), p ∨ q → p", "theorem cheat : ∀ (p q : Prop), p ∧ q → p := fun _ _ h => h.1"),
        ("an empty range", "∀ (n : Nat), n < 5 → n = 0", "theorem cheat : ∀ (n : Nat), n < 0 → n = 0 := fun _ h => absurd h (Nat.not_lt_zero _)"),
        ("a coerced number", "∀ (n : Nat), n - 1 + 1 = n", "theorem cheat : ∀ (n : Nat), n + 1 - 1 = n := fun _ => rfl"),
        ("characters", FALSE, "theorem cheat : 'a' = 'a' := rfl"),
        ("texts", FALSE, 'theorem cheat : "1 = 2" = "1 = 2" := rfl'),
        ("a list", FALSE, "theorem cheat : [1] ++ [2] = [1, 2] := rfl"),
        ("the order turned", FALSE, "theorem cheat : ¬ 2 = 1 := by decide"),
        ("a projection", FALSE, "theorem cheat : (1, 2).2 = 2 := rfl"),
        ("an equivalence", FALSE, "theorem cheat : 1 = 2 ↔ False := ⟨by decide, False.elim⟩"),
        ("an equality of propositions", FALSE, "theorem cheat : (1 = 2) = (1 = 2) := rfl"),
        ("a doubled hypothesis", "∀ (p : Prop), p", "theorem cheat : ∀ (p : Prop), p → p := fun _ h => h"),
        ("an unused variable", "∀ (p : Prop), p", "theorem cheat (p : Prop) (h : p) : p := h"),
        ("a goal in a comment", FALSE, "theorem cheat : /- 1 = 2 -/ 1 = 1 := rfl"),
    )
]  # fmt: skip

ATTACKS = [*AFTERWARDS, *INSIDE, *SKIPPED, *HEADERS, *DECLARATIONS]
