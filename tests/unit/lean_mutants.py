"""Honest proofs made into attacks: a statement that is false, and a proof with foreign parts in it."""

from __future__ import annotations

import re
from collections.abc import Callable

from hypothesis import strategies as st
from lean_attacks import AFTERWARDS, DECLARATIONS, INSIDE, SKIPPED

from burnqed.data.corpus.generate import generate
from burnqed.prover.claims import Claim, claim
from burnqed.records.theorems import Theorem

HONEST = [(t.statement, t.header, "\n".join(t.proof)) for t in generate(7, 300)]

# each is false when S is true
FALSE: list[Callable[[str], str]] = [
    lambda s: f"¬ ({s})",
    lambda s: f"({s}) → False",
    lambda s: f"({s}) ∧ 1 = 2",
    lambda s: f"({s}) ↔ 1 = 2",
    lambda s: f"¬ ¬ ¬ ({s})",
    lambda s: f"(1 = 2) ∨ ¬ ({s})",
    lambda _: "False",
    lambda _: "1 = 2",
    lambda _: "∀ (p : Prop), p",
    lambda _: "∀ (n : Nat), n < n",
    lambda _: "∃ (n : Nat), n ≠ n",
]

LINES = """sorry|admit|exact sorry|all_goals sorry|exact sorryAx _|native_decide|decide +kernel|decide +native|exact lcProof
exact?|apply?|exact cheat|exact @cheat|simp [cheat]|exact (cheat : _)|stop|done|skip|trivial|rfl|contradiction|assumption|omega
simp_all|exact absurd rfl (by decide +kernel)|set_option debug.skipKernelTC true in decide +kernel|exfalso|intro h|intros
exact False.elim (by assumption)|cases (sorry : False)|have h : False := by sorry|have h : 1 = 2 := by decide +kernel
refine ?_|refine ⟨?_, ?_⟩|constructor|exact ⟨by simp, by sorry⟩|exact (by exact sorry)|first \\| done \\| sorry|try sorry
set_option debug.byAsSorry true in exact by trivial|set_option maxRecDepth 10 in simp|open Classical in exact choice sorry
exact Classical.choice (by sorry)|exact (Classical.choice ⟨sorry⟩)|exact propext sorry|exact unsafeCast trivial|repeat sorry
let rec f : False := f|exact f|exact (let rec f : False := f; f.elim)|exact nomatch (sorry : False)|exact of_decide_eq_true rfl
exact Nat.lt_irrefl _ sorry|nofun|nomatch h|injection h|simp at *|subst h|exact h|exact this|show True|change True
case _ => sorry|next => sorry|· sorry|rotate_left|swap|clear h|generalize True = p|revert h|exact Lean.ofReduceBool _ _ rfl
macro_rules \\| `(tactic\\| rfl) => `(tactic\\| sorry)|exact (fun h => h) sorry|calc 1 = 2 := sorry|suffices h : True by sorry"""
TACTICS = [line.replace("\\|", "|") for line in re.split(r"(?<!\\)[|\n]", LINES)]
ENDS = [attack.proof for attack in (*AFTERWARDS, *SKIPPED, *INSIDE)] + [
    f"sorry\n\n{attack.proof}" for attack in DECLARATIONS
]  # fmt: skip
COMMANDS = [
    "\naxiom cheat' : False", "\nnamespace A", "\nend", "\n#exit", "\nopen Classical", '\nlocal notation "False" => True',
    "\nvariable (h : False)", "\ninstance : OfNat Nat 2 := ⟨1⟩", "\ntheorem cheat2 : False := sorry", "\n@[simp]",
    "\nattribute [simp] Nat.add_comm", "\nset_option warn.sorry false", "\nsection", "\nmutual", "\ndef x := 1",
    "\n#print axioms cheat", "\nexample : False := sorry", "\nuniverse u", "\nexport Nat (succ)", "\nprivate axiom a : False",
]  # fmt: skip
PIECES = [
    *"()[]{}⟨⟩,;|·«»`'\"@#%$!?_.:=→←↔∀λ", "/-", "-/", "--", "by ", ":= ", " in ", "fun ", "sorry", " <;> ", "\n", "\n\n", "\t", "  ", "\u200b", "\u00a0", "ѕorry", "⁻¹",
    "@[", "let rec ", "open ", "with ", " at * ", "¬ ", "r#\"", "s!\"{", "'\\''", "/--", "/-!", "«sorry»", "sor", "ry", "where ",
]  # fmt: skip


_SKIP = "set_option debug.skipKernelTC true in"
# what closes any goal for a naive check
CLOSERS = [
    "sorry", "admit", "exact sorry", "exact (sorry : _)", "all_goals sorry", "exact sorryAx _ true", "exact @sorryAx _ false",
    f"exact False.elim (by {_SKIP} decide +kernel)", f"exact absurd rfl (show ¬ (1 = 1) by {_SKIP} decide +kernel)",
    f"have h : (0 : Nat) = 1 := by {_SKIP} decide +kernel\nexact absurd h (by decide)", "exact False.elim (by native_decide)",
    f"exfalso\n{_SKIP} decide +kernel", f"cases (show False by {_SKIP} decide (kernel := true))", "exfalso; exact sorry",
    f"simp [show False by {_SKIP} decide +kernel]", f"exact (show False by {_SKIP} decide +kernel).elim",
    "exact (let rec f : 1 = 1 := rfl; sorry)", "exact False.elim (let rec f : False := sorry; f)", "refine ?x; exact sorry",
    "set_option warn.sorry false in sorry", "exact Classical.choice ⟨sorry⟩", "exact (fun h => h) sorry", "exact nomatch (sorry : False)",
]  # fmt: skip
AFTER = [
    "", "", "", "\n\nnamespace A\ntheorem cheat : True := trivial", "\n\nnamespace A\naxiom propext : False", "\n\n#exit", "\n\nsection",
    '\n\nmacro_rules | `(command| #print axioms $_) => `(command| #print "x")', "\n\nset_option debug.skipKernelTC true",
    "\n\ntheorem cheat' : False := by exact sorry", "\n\nattribute [simp] Nat.add_comm", "\n\nopen Classical", "\n\nvariable (h : False)",
]  # fmt: skip


def _indented(text: str, columns: int) -> str:
    return "\n".join(" " * columns + line if line else "" for line in text.split("\n"))


@st.composite
def proofs(draw: st.DrawFn, statement: str, honest: str) -> str:
    """The honest proof with foreign lines in it, or put before something that closes any goal."""
    lines = honest.split("\n")
    form = draw(st.integers(0, 3))
    if form == 0:
        for _ in range(draw(st.integers(1, 3))):
            place = draw(st.integers(0, len(lines)))
            lines[place : place + draw(st.integers(0, 1))] = [draw(st.sampled_from(TACTICS))]
        if draw(st.booleans()):
            lines = [*lines[: draw(st.integers(0, len(lines)))], draw(st.sampled_from(ENDS))]
    elif form == 1:
        lines = [draw(st.sampled_from(ENDS))]
    else:
        have = [f"have honest : {statement} := by\n{_indented(honest, 2)}"] if form == 2 else []
        lines = [*have, draw(st.sampled_from(CLOSERS)) + draw(st.sampled_from(AFTER))]
    if draw(st.integers(0, 5)) == 0:
        lines.insert(draw(st.integers(0, len(lines))), draw(st.sampled_from(COMMANDS)))
    text = "\n".join(lines)
    for _ in range(draw(st.sampled_from([0, 0, 0, 0, 1, 2]))):
        place = draw(st.integers(0, len(text)))
        text = text[:place] + draw(st.sampled_from(PIECES)) + text[place:]
    return text


@st.composite
def mutants(draw: st.DrawFn) -> Claim:
    """A claim that must be refused, named `cheat`."""
    statement, header, proof = draw(st.sampled_from(HONEST))
    false = draw(st.sampled_from(FALSE))(statement)
    if draw(st.integers(0, 5)) == 0:  # the honest declaration, for another statement
        text = f"theorem cheat : {statement} := by\n{_indented(proof, 2)}"
    else:
        text = draw(proofs(statement, proof))
    return claim(Theorem("cheat", false, header), f": {false}", text)


def named(claims: list[Claim]) -> list[Claim]:
    """The claims under names of their own, so that they can be compiled together."""
    found = []
    for number, old in enumerate(claims):
        name = f"cheat{number}"
        proof, given = (re.sub(r"\bcheat\b", name, text) for text in (old.proof, old.given))
        found.append(Claim(name, old.header, old.signature, proof, given))
    return found
