"""Known cheats against the re-check: each is refused, with the list of banned words and without it."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

import pytest

import burnqed.lean.verify as verify_module
from burnqed.config import ProverSettings, VerifySettings
from burnqed.data.theorems import Theorem
from burnqed.lean.verify import Item, verify_proofs

PROVER = ProverSettings.model_validate({"kind": "minilean", "workers": 2, "tactic_timeout": 5})
WRONG = Theorem("cheat", "1 = 2")
ANY = Theorem("cheat", "∀ (p : Prop), p")
SWAP = Theorem("swap", "∀ (p q : Prop), p ∧ q → q ∧ p")
GOOD = ["intro p q h", "exact ⟨h.2, h.1⟩"]


class Cheat(NamedTuple):
    """A proof text that must not count."""

    name: str
    theorem: Theorem
    proof: list[str]


CHEATS = [
    # placeholders
    Cheat("sorry", WRONG, ["sorry"]),
    Cheat("sorry inside a term", SWAP, ["intro p q h", "exact ⟨h.2, sorry⟩"]),
    Cheat("sorry under by", SWAP, ["exact fun p q h => ⟨h.2, by sorry⟩"]),
    Cheat("sorry in a have that is used", WRONG, ["have h : False := by sorry", "exact h.elim"]),
    Cheat("sorry in a have that is not used", SWAP, ["have z : 1 = 2 := sorry", *GOOD]),
    Cheat("sorry that first recovers from", WRONG, ["first | rfl | sorry"]),
    Cheat("sorry on all goals", SWAP, ["intro p q h", "constructor <;> sorry"]),
    Cheat("sorryAx by name", WRONG, ["exact sorryAx (1 = 2)"]),
    Cheat("sorryAx with arguments", WRONG, ["exact @sorryAx _"]),
    Cheat("admit", WRONG, ["admit"]),
    Cheat("sorry as a quoted name", WRONG, ["exact «sorry»"]),
    Cheat("stop", SWAP, ["intro p q h", "stop", "exact h"]),
    Cheat("sorry before a bracket", SWAP, ["exact fun p q h => ⟨h.2,(sorry)⟩"]),
    Cheat("sorry glued to a lambda", WRONG, ["exact sorryλ x => x"]),
    Cheat("sorry glued to a postfix", WRONG, ["exact sorryᵀ"]),
    Cheat("sorry by show from", WRONG, ["show 1 = 2 from sorry"]),
    Cheat("sorry for a type", SWAP, ["have z : (sorry : Prop) := sorry", *GOOD]),
    Cheat("sorry in a rewrite", WRONG, ["rw [(sorry : (1 : Nat) = 2)]"]),
    Cheat("sorry in simp", WRONG, ["simp [(sorry : (1 : Nat) = 2)]"]),
    Cheat("sorry in an anonymous constructor", SWAP, ["exact fun p q h => ⟨h.2, ‹p›⟩", "all_goals sorry"]),
    Cheat("sorry behind exfalso", WRONG, ["exfalso", "exact absurd sorry sorry"]),
    Cheat("sorry in a discarded branch", WRONG, ["first | (have : 1 = 2 := sorry; exact this) | rfl"]),
    Cheat("sorry in obtain", WRONG, ["obtain ⟨h, _⟩ : (1 = 2) ∧ True := sorry", "exact h"]),
    Cheat("sorry in specialize", ANY, ["intro p", "have h : ∀ (q : Prop), q := sorry", "specialize h p", "exact h"]),
    # further declarations
    Cheat("second theorem", SWAP, [GOOD[0], GOOD[1] + "\n\ntheorem more : True := True.intro"]),
    Cheat("theorem end, new theorem of that name", WRONG, ["trivial\n\ntheorem cheat : 1 = 1 := rfl"]),
    Cheat("axiom", WRONG, ["exact a\n\naxiom a : 1 = 2"]),
    Cheat("axiom before use", WRONG, ["skip\naxiom a : False\ntheorem cheat : 1 = 2 := a.elim"]),
    Cheat("redefined Nat.add", WRONG, ["rfl\ndef Nat.add (a b : Nat) : Nat := 0"]),
    Cheat("redefined equality", WRONG, ["trivial\ndef Eq (a b : Nat) : Prop := True"]),
    Cheat("instance", WRONG, ["rfl\ninstance : Add Nat := ⟨fun _ _ => 0⟩"]),
    Cheat("macro", WRONG, ['rfl\nmacro "rfl" : tactic => `(tactic| sorry)']),
    Cheat("notation", WRONG, ['rfl\nnotation "1" => 2']),
    Cheat("local notation", WRONG, ['rfl\nlocal notation "2" => 1']),
    Cheat("syntax", WRONG, ['rfl\nsyntax "1" : term']),
    Cheat("namespace", WRONG, ["rfl\nnamespace X\ntheorem cheat : 1 = 1 := rfl\nend X"]),
    Cheat("option", WRONG, ["set_option debug.skipKernelTC true in rfl"]),
    Cheat("attribute", WRONG, ["rfl\nattribute [simp] Nat.add_comm"]),
    Cheat("command inside a proof", WRONG, ["rfl\n#eval 1"]),
    Cheat("print axioms forged", WRONG, ["rfl\n#print axioms True.intro"]),
    Cheat("import", WRONG, ["rfl\nimport Evil"]),
    Cheat("universe and variable", WRONG, ["assumption\nvariable (h : 1 = 2)"]),
    Cheat("theorem in the middle", WRONG, ["rfl\n\ntheorem x : True := trivial\n\ntheorem cheat : 1 = 1 := by", "rfl"]),
    Cheat("example after the theorem", SWAP, [GOOD[0], GOOD[1] + "\n\nexample : True := trivial"]),
    Cheat("forged check after the theorem", WRONG, ["trivial\n\nexample : 1 = 1 := @cheat\n\n#print axioms cheat"]),
    Cheat("opaque", WRONG, ["exact o\n\nopaque o : 1 = 2"]),
    Cheat("private theorem", WRONG, ["rfl\n\nprivate theorem cheat : 1 = 1 := rfl"]),
    Cheat("protected theorem", WRONG, ["rfl\n\nprotected theorem Nat.cheat : 1 = 1 := rfl"]),
    Cheat("local instance", WRONG, ["rfl\nlocal instance : Add Nat := ⟨fun _ _ => 0⟩"]),
    Cheat("attribute in", WRONG, ["attribute [local simp] Nat.succ_ne_zero in simp"]),
    Cheat("reducible", WRONG, ["rfl\n@[reducible] def Nat.lt (a b : Nat) := True"]),
    Cheat("open in with a program", WRONG, ["open Lean in run_cmd pure ()"]),
    Cheat("open of the theorem's own name", WRONG, ["open cheat in exact cheat"]),
    Cheat("section and end", WRONG, ["rfl\nsection\nvariable (h : 1 = 2)\ntheorem cheat : 1 = 2 := h\nend"]),
    Cheat("deriving", WRONG, ["rfl\ninductive T | a deriving DecidableEq"]),
    Cheat("macro rules", WRONG, ["rfl\nmacro_rules | `(tactic| rfl) => `(tactic| sorry)"]),
    Cheat("elab", WRONG, ['rfl\nelab "done" : tactic => pure ()']),
    Cheat("initialize", WRONG, ["rfl\ninitialize pure ()"]),
    Cheat("mutual", WRONG, ["rfl\nmutual\ntheorem a : 1 = 2 := b\ntheorem b : 1 = 2 := a\nend"]),
    Cheat("where", WRONG, ["exact aux\nwhere aux : 1 = 2 := aux"]),
    Cheat("let rec", WRONG, ["let rec aux : 1 = 2 := aux", "exact aux"]),
    Cheat("termination by hand", WRONG, ["exact cheat\ntermination_by 0\ndecreasing_by trivial"]),
    Cheat("alias", WRONG, ["rfl\nalias cheat := rfl"]),
    Cheat("doc comment that ends the proof", WRONG, ["rfl\n/-- x -/\ntheorem y : True := trivial"]),
    # programs and native code
    Cheat("native_decide", WRONG, ["native_decide"]),
    Cheat("ofReduceBool", WRONG, ["exact Lean.ofReduceBool _ _ rfl"]),
    Cheat("run_tac", WRONG, ["run_tac do pure ()"]),
    Cheat("unsafe cast", WRONG, ["exact unsafeCast trivial"]),
    Cheat("decide by native code", WRONG, ["decide +native"]),
    Cheat("decide by configuration", WRONG, ["decide (config := { native := true })"]),
    Cheat("decide by the kernel", WRONG, ["decide +kernel"]),
    Cheat("decide := true", WRONG, ["simp (config := { decide := true })"]),
    Cheat("bv_decide", WRONG, ["bv_decide"]),
    Cheat("reduceBool", WRONG, ["exact Lean.of_decide_reduceBool_eq_true rfl"]),
    Cheat("trust in the compiler", WRONG, ["exact Lean.trustCompiler.elim"]),
    Cheat("implemented_by", WRONG, ["@[implemented_by id] trivial"]),
    Cheat("csimp", WRONG, ["rfl\n@[csimp] theorem x : @Nat.add = @Nat.mul := rfl"]),
    Cheat("extern", WRONG, ['rfl\n@[extern "c"] def f : Nat := 0']),
    Cheat("lcProof", WRONG, ["exact lcProof"]),
    Cheat("by_elab", WRONG, ["exact by_elab return .const `rfl []"]),
    Cheat("eval%", WRONG, ["exact eval% rfl"]),
    Cheat("dbg_trace", WRONG, ['exact dbg_trace "x"; rfl']),
    Cheat("panic", WRONG, ['exact panic! "x"']),
    Cheat("include_str", WRONG, ['exact include_str "/etc/passwd"']),
    Cheat("polyrith", WRONG, ["polyrith"]),
    Cheat("suggestion", WRONG, ["exact?"]),
    Cheat("unknown suggestion", WRONG, ["skip; frobnicate?"]),
    # self-reference and names
    Cheat("itself", WRONG, ["exact cheat"]),
    Cheat("itself by recursion", ANY, ["intro p", "exact cheat p"]),
    Cheat("itself by this", WRONG, ["exact this"]),
    Cheat("its own hole", WRONG, ["refine ?x", "exact ?x"]),
    Cheat("a hole left", WRONG, ["exact _"]),
    Cheat("shadowed connective", WRONG, ["have Eq : ∀ (a b : Nat), True := fun _ _ => trivial", "exact Eq 1 2"]),
    Cheat("shadowed False", WRONG, ["have False : True := trivial", "exact False.elim False"]),
    Cheat("shadowed constructor", ANY, ["intro p", "have «And.intro» : True := trivial", "exact And.intro"]),
    Cheat("shadowed hypothesis", ANY, ["intro p", "have p : p := p", "exact p"]),
    Cheat("the proposition as its proof", ANY, ["intro p", "exact p"]),
    Cheat("variable captured", ANY, ["intro p", "revert p", "intro h", "exact h"]),
    Cheat("itself as a field", WRONG, ["exact cheat.symm.symm"]),
    Cheat("itself at the root", WRONG, ["exact _root_.cheat"]),
    Cheat("itself quoted", WRONG, ["exact «cheat»"]),
    Cheat("itself explicitly", WRONG, ["exact @cheat"]),
    Cheat("itself by simp", WRONG, ["simp [cheat]"]),
    Cheat("itself by rw", WRONG, ["rw [cheat]"]),
    Cheat("itself by apply", WRONG, ["apply cheat"]),
    Cheat("itself under a binder", WRONG, ["have h : 1 = 2 := by exact cheat", "exact h"]),
    Cheat("a have that proves itself", WRONG, ["have h : 1 = 2 := h", "exact h"]),
    Cheat("a hole shared by two goals", SWAP, ["intro p q h", "exact ⟨?x, ?x⟩", "exact h.1"]),
    Cheat("a hole filled with its own goal", WRONG, ["refine (?x : 1 = 2)", "case x => exact ?x"]),
    Cheat(
        "induction hypothesis for the goal",
        Theorem("cheat", "∀ (n : Nat), n = 0"),
        ["intro n", "induction n with", "| zero => rfl", "| succ n ih => exact ih"],
    ),
    Cheat(
        "strong induction on the same number",
        Theorem("cheat", "∀ (n : Nat), n < 0"),
        ["intro n", "induction n using Nat.strongRecOn with\n| ind n ih => exact ih n (Nat.le_refl n)"],
    ),
    Cheat("shadowed number type", WRONG, ["have Nat : True := trivial", "exact (rfl : (1 : Nat) = 2)"]),
    Cheat("shadowed rfl", WRONG, ["have rfl : True := trivial", "exact rfl"]),
    Cheat("shadowed instance", WRONG, ["have inst : Decidable (1 = 2) := isTrue rfl", "decide"]),
    Cheat("renamed to another", ANY, ["intro p", "rename_i q", "exact q"]),
    # other statements
    Cheat("changed statement by show", WRONG, ["show 1 = 1", "rfl"]),
    Cheat("changed statement by change", WRONG, ["change 2 = 2", "rfl"]),
    Cheat("changed by ascription", WRONG, ["exact (rfl : 1 = 1)"]),
    Cheat("changed by suffices", WRONG, ["suffices h : 1 = 1 from h", "rfl"]),
    Cheat("statement closed early", Theorem("cheat", "1 = 2"), ["trivial ) := by", "rfl"]),
    Cheat("goal cleared", WRONG, ["clear this", "rfl"]),
    Cheat("goal generalised away", WRONG, ["suffices h : True by trivial", "trivial"]),
    Cheat("equality turned", Theorem("cheat", "∀ (a b : Nat), a ≤ b → b ≤ a"), ["intro a b h", "exact h"]),
    Cheat("implication turned", Theorem("cheat", "∀ (p q : Prop), (p → q) → (q → p)"), ["intro p q h", "exact h"]),
    Cheat(
        "quantifiers swapped",
        Theorem("cheat", "(∀ (x : Nat), ∃ (y : Nat), x < y) → ∃ (y : Nat), ∀ (x : Nat), x < y"),
        ["intro h", "exact ⟨0, fun x => (h x).2⟩"],
    ),
    Cheat("witness escapes", Theorem("cheat", "∀ (P : Nat → Prop), (∃ x, P x) → P 0"), ["intro P ⟨x, h⟩", "exact h"]),
    Cheat("case split without cases", ANY, ["intro p", "by_cases h : p", "exact h", "exact absurd h h"]),
    Cheat("cast", WRONG, ["exact cast rfl (rfl : 1 = 1)"]),
    Cheat("transport along nothing", WRONG, ["exact (rfl : 1 = 2) ▸ rfl"]),
    Cheat("inferred instead of given", WRONG, ["exact inferInstance"]),
    Cheat("statement in the proof's comment", WRONG, ["exact (rfl : 1 = 1) -- : 1 = 2"]),
    # numerals and universes
    Cheat("numeral tricks", WRONG, ["exact (rfl : (0x1 : Nat) = 2)"]),
    Cheat("huge numeral", Theorem("cheat", "10 ^ 20 = 10 ^ 21"), ["decide"]),
    Cheat("wrapped numeral", Theorem("cheat", "2 ^ 64 = 0"), ["rfl"]),
    Cheat("subtraction below zero", Theorem("cheat", "(2 : Nat) - 3 + 1 = 0"), ["omega"]),
    Cheat("division by zero", Theorem("cheat", "(1 : Nat) / 0 = 1"), ["simp"]),
    Cheat("integer against natural", Theorem("cheat", "∀ (n : Nat), (n : Int) - 1 ≥ 0"), ["intro n", "omega"]),
    Cheat("type as a proposition", Theorem("cheat", "∀ (p : Prop), p"), ["intro p", "exact (Type : p)"]),
    Cheat("type in type", ANY, ["exact @id (Type : Type) False.elim"]),
    Cheat("Prop is not a proof", ANY, ["exact fun p => Prop"]),
    Cheat("existential projected", Theorem("cheat", "∃ n, n < 0"), ["exact ⟨0, Nat.lt_irrefl⟩"]),
    Cheat("propext misused", WRONG, ["exact @Eq.mpr _ _ (propext ⟨fun _ => trivial, fun _ => rfl⟩) trivial"]),
    Cheat("choice of nothing", ANY, ["intro p", "exact Classical.choice p"]),
    Cheat("numeral of another type", WRONG, ["exact (rfl : (1 : Int) = 1)"]),
    Cheat("numeral overflow", Theorem("cheat", "2 ^ 32 * 2 ^ 32 = 0"), ["decide"]),
    Cheat("negative natural", Theorem("cheat", "(0 : Nat) - 1 < 0"), ["omega"]),
    Cheat("remainder of zero", Theorem("cheat", "(5 : Nat) % 0 = 0"), ["rfl"]),
    Cheat("integer division", Theorem("cheat", "(-1 : Int) / 2 = 0"), ["decide"]),
    Cheat("divides zero", Theorem("cheat", "∀ (n : Nat), 0 ∣ n"), ["intro n", "exact ⟨0, by simp⟩"]),
    Cheat("real arithmetic", Theorem("cheat", "∀ (n : Nat), n / 2 * 2 = n"), ["intro n", "omega"]),
    Cheat("multiplication as linear", Theorem("cheat", "∀ (a b : Nat), a * b = a + b"), ["intro a b", "omega"]),
    Cheat("power as number", Theorem("cheat", "∀ (n : Nat), 2 ^ n = 2 * n"), ["intro n", "omega"]),
    Cheat("huge exponent", Theorem("cheat", "2 ^ 1000000 = 0"), ["rfl"]),
    Cheat("scientific numeral", WRONG, ["exact (rfl : (1e0 : Nat) = 2)"]),
    Cheat("numeral with underscores", WRONG, ["exact (rfl : 1_0 = 2)"]),
    Cheat("universe of propositions", ANY, ["intro p", "exact (Prop : Type)"]),
    Cheat("Girard's type", ANY, ["exact fun (p : Type 1) => p"]),
    Cheat(
        "empty list",
        Theorem("cheat", "∀ (l : List Nat), l = []"),
        ["intro l", "cases l with", "| nil => rfl", "| cons a t => rfl"],
    ),
    Cheat("choice from an empty type", WRONG, ["exact (Classical.choice (α := 1 = 2) inferInstance)"]),
    # characters
    Cheat("look-alike operator", WRONG, ["show 1 \uff1d 1", "rfl"]),
    Cheat("look-alike letters", WRONG, ["exact s\u043errу"]),
    Cheat("cyrillic name", WRONG, ["have \u0430 : True := trivial", "exact \u0430"]),
    Cheat("zero width space", WRONG, ["so\u200brry"]),
    Cheat("bidirectional override", WRONG, ["rfl \u202e sorry"]),
    Cheat("line separator", WRONG, ["rfl\u2028axiom a : False"]),
    Cheat("carriage return", WRONG, ["rfl\raxiom a : False"]),
    Cheat("null byte", WRONG, ["rfl\x00"]),
    Cheat("soft hyphen", WRONG, ["sor\u00adry"]),
    Cheat("variation selector", WRONG, ["sorry\ufe0f"]),
    Cheat("tag characters", WRONG, ["rfl\U000e0073"]),
    Cheat("hangul filler", WRONG, ["have \u3164 : True := trivial", "exact \u3164"]),
    Cheat("no-break space", WRONG, ["exact\u00a0sorry"]),
    Cheat("full-width letters", WRONG, ["\uff53\uff4f\uff52\uff52\uff59"]),
    Cheat("combining accent", WRONG, ["so\u0301rry"]),
    Cheat("look-alike digit", WRONG, ["show \uff11 = \uff11", "rfl"]),
    Cheat("mathematical letters", WRONG, ["exact \U0001d42b\U0001d41f\U0001d425"]),
    Cheat("greek question mark as separator", WRONG, ["skip\u037e rfl"]),
    Cheat("surrogate", WRONG, ["rfl \ud800"]),
    Cheat("vertical tab", WRONG, ["rfl\x0baxiom a : False"]),
    Cheat("form feed", WRONG, ["rfl\x0caxiom a : False"]),
    Cheat("next line", WRONG, ["rfl\x85axiom a : False"]),
    # comments and layout
    Cheat("comment swallows the file", WRONG, ["rfl /-"]),
    Cheat("comment closed from inside", WRONG, ["rfl -/ sorry /-"]),
    Cheat("only a comment", WRONG, ["-- done"]),
    Cheat("nothing", WRONG, []),
    Cheat("blank", WRONG, ["  \n"]),
    Cheat("unfinished bullet", SWAP, ["intro p q h", "constructor", "· exact h.2"]),
    Cheat("unclosed bracket", SWAP, ["intro p q h", "exact ⟨h.2, h.1"]),
    Cheat("left over goal hidden by any_goals", SWAP, ["intro p q h", "constructor", "any_goals exact h.2", "skip"]),
    Cheat("fail caught", WRONG, ["first | fail | skip"]),
    Cheat("try that gives up", WRONG, ["try rfl", "try omega"]),
    Cheat("comment over two tactics", WRONG, ["rfl -- -/\n/-", "-/ skip -- /-"]),
    Cheat("comment in a comment", WRONG, ["/- /- -/ rfl -/ -- x"]),
    Cheat("line comment hides an end", WRONG, ["rfl -- -/\n/- x"]),
    Cheat("string with a comment", WRONG, ['exact ("/-" : String)', "rfl -/"]),
    Cheat("sorry after a line comment", WRONG, ["-- x\nsorry"]),
    Cheat("by at the end", WRONG, ["exact by"]),
    Cheat("dedented line", WRONG, ["skip\n:= rfl"]),
    Cheat("column 0 command", WRONG, ["skip\ntheorem"]),
    Cheat("bullet that proves nothing", SWAP, ["intro p q h", "constructor", "· skip", "· exact h.1"]),
    Cheat("goals rotated away", SWAP, ["intro p q h", "constructor", "exact h.2", "rotate_left", "skip"]),
    Cheat("repeat that does nothing", WRONG, ["repeat skip"]),
    Cheat("iterate zero times", WRONG, ["iterate 0 exact foo"]),
    Cheat("all goals of none", WRONG, ["all_goals skip", "done"]),
    Cheat("empty block", SWAP, ["intro p q h", "exact ⟨h.2, by⟩"]),
    Cheat("semicolon after nothing", WRONG, ["; rfl"]),
]


def kinds(monkeypatch: pytest.MonkeyPatch, words: bool) -> dict[str, str]:
    """The verdict on each cheat; without `words` the list of banned words is off."""
    if not words:
        monkeypatch.setattr(verify_module, "banned_construct", lambda text: None)
    items: list[Item] = [(cheat.theorem, cheat.proof) for cheat in CHEATS]
    found = asyncio.run(verify_proofs([*items, (SWAP, GOOD)], PROVER, VerifySettings.model_validate({"timeout": 20})))
    assert found[-1].ok, found[-1].reason  # the same call accepts an honest proof
    return {cheat.name: verdict.kind for cheat, verdict in zip(CHEATS, found, strict=False)}


@pytest.mark.parametrize("words", [True, False])
def test_cheats_are_refused(monkeypatch: pytest.MonkeyPatch, words: bool) -> None:
    assert len({cheat.name for cheat in CHEATS}) == len(CHEATS)
    found = kinds(monkeypatch, words)
    assert [name for name, kind in found.items() if kind == "ok"] == []
    refused = {"banned", "structure", "error", "sorry", "statement", "axioms", "answer"}
    assert set(found.values()) <= refused, "none by a time-out or a crash"
    assert found["its own hole"] == "error"
    if words:  # what real Lean would run or declare is refused before any prover reads it
        early = list(found)[: list(found).index("itself")]
        missed = {name for name in early if found[name] != "banned"}
        assert missed == {
            "open of the theorem's own name", "where", "let rec", "decide by the kernel", "decide := true",
        }  # fmt: skip
    assert found["sorry"] == ("banned" if words else "sorry")
