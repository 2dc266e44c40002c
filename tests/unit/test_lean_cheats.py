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
    # programs and native code
    Cheat("native_decide", WRONG, ["native_decide"]),
    Cheat("ofReduceBool", WRONG, ["exact Lean.ofReduceBool _ _ rfl"]),
    Cheat("run_tac", WRONG, ["run_tac do pure ()"]),
    Cheat("unsafe cast", WRONG, ["exact unsafeCast trivial"]),
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
    # other statements
    Cheat("changed statement by show", WRONG, ["show 1 = 1", "rfl"]),
    Cheat("changed statement by change", WRONG, ["change 2 = 2", "rfl"]),
    Cheat("changed by ascription", WRONG, ["exact (rfl : 1 = 1)"]),
    Cheat("changed by suffices", WRONG, ["suffices h : 1 = 1 from h", "rfl"]),
    Cheat("statement closed early", Theorem("cheat", "1 = 2"), ["trivial ) := by", "rfl"]),
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
    # characters
    Cheat("look-alike operator", WRONG, ["show 1 \uff1d 1", "rfl"]),
    Cheat("look-alike letters", WRONG, ["exact s\u043errу"]),
    Cheat("cyrillic name", WRONG, ["have \u0430 : True := trivial", "exact \u0430"]),
    Cheat("zero width space", WRONG, ["so\u200brry"]),
    Cheat("bidirectional override", WRONG, ["rfl \u202e sorry"]),
    Cheat("line separator", WRONG, ["rfl\u2028axiom a : False"]),
    Cheat("carriage return", WRONG, ["rfl\raxiom a : False"]),
    Cheat("null byte", WRONG, ["rfl\x00"]),
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
    assert found["sorry"] == ("banned" if words else "sorry")
