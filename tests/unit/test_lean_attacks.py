"""Attacks on the real Lean: each deceives a naive check, none the re-check, with the text rules and without."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from dataclasses import replace

import pytest
from lean_attacks import ATTACKS, INSIDE, SKIPPED, Attack
from real_lean import PROVER, needs_lean

from burnqed.config import VerifySettings
from burnqed.leantext.banned import banned_construct
from burnqed.prover.claims import Claim, claim
from burnqed.prover.compiling import compile_text
from burnqed.prover.sandbox import choose_sandbox
from burnqed.prover.toolchain import find_toolchain
from burnqed.prover.verdict import Verdict
from burnqed.prover.verify import verify_claims
from burnqed.records.theorems import Theorem

pytestmark = needs_lean

_SAID = re.compile(
    r"'(?:\w+\.)*(?P<name>cheat\d*)' (?:does not depend on any axioms|depends on axioms: \[(?P<axioms>.*)\])", re.DOTALL
)
ALLOWED = {"propext", "Classical.choice", "Quot.sound"}


def _named(attack: Attack, name: str) -> Attack:
    """The attack on a theorem of another name, so that several can stand in one file."""
    header, proof = (re.sub(r"\bcheat\b", name, text) for text in (attack.header, attack.proof))
    return replace(attack, header=header, proof=proof)


def _text(attack: Attack, name: str) -> str:
    proof = "\n".join(f"  {line}" if line else "" for line in attack.proof.split("\n"))
    text = attack.proof if attack.declaration else f"theorem {name} : {attack.statement} := by\n{proof}"
    return f"{attack.header}\n\n{text}\n\n#print axioms {name}\n"


async def _naive(attacks: list[Attack], places: asyncio.Semaphore) -> list[str]:
    """Return why a naive check refuses a file with attacks, nothing when it believes it."""
    named = [(_named(attack, f"cheat{number}"), f"cheat{number}") for number, attack in enumerate(attacks)]
    async with places:
        text = "".join(_text(attack, name) for attack, name in named)
        done = await compile_text(find_toolchain(PROVER, ""), choose_sandbox(PROVER), text, 120, attacks[0].options)
    if not done.module or done.errors or done.problem:
        return [f"{attacks[0].name}: {done.problem} {done.errors[:1]}"]
    said = {match["name"]: match for message in done.messages if (match := _SAID.fullmatch(message.text.strip()))}
    return [
        f"{attack.name}: {done.messages}"
        for attack, name in named
        if name not in said or not set((said[name]["axioms"] or "propext").split(", ")) <= ALLOWED
    ]


def test_each_attack_deceives_a_naive_check() -> None:
    together = [a for a in ATTACKS if a.name.startswith(("declaration", "kernel skipped"))]
    files = [together, *([attack] for attack in ATTACKS if attack not in together)]

    async def all_of_them() -> list[list[str]]:
        places = asyncio.Semaphore(2)
        return await asyncio.gather(*(_naive(attacks, places) for attacks in files))

    assert len(ATTACKS) >= 120 and len({attack.name for attack in ATTACKS}) == len(ATTACKS)
    assert [said for answer in asyncio.run(all_of_them()) for said in answer] == []


def _claims(attacks: list[Attack]) -> list[Claim]:
    """The claims, each under a name of its own, so that they can be compiled together."""
    found = []
    for number, attack in enumerate(attacks):
        named = _named(attack, f"cheat{number}")
        theorem = Theorem(f"cheat{number}", attack.statement, named.header)
        found.append(claim(theorem, f": {attack.statement}", named.proof))
    return found


def _verdicts(attacks: list[Attack], refusals: list[str | None], *options: str) -> list[Verdict]:
    settings = VerifySettings.model_validate({"timeout": 120, "options": list(options), "proofs_per_process": 200})
    return asyncio.run(verify_claims(_claims(attacks), refusals, PROVER, settings))


def _accepted(attacks: list[Attack], found: list[Verdict]) -> list[str]:
    return [attack.name for attack, verdict in zip(attacks, found, strict=True) if verdict.ok]


@pytest.fixture(scope="module")
def unruled() -> list[Verdict]:
    """The verdicts without the text rules."""
    return _verdicts(ATTACKS, [None] * len(ATTACKS))


def test_none_is_accepted_without_the_text_rules(unruled: list[Verdict]) -> None:
    assert _accepted(ATTACKS, unruled) == []
    kinds = {attack.name.split(":")[0]: Counter[str]() for attack in ATTACKS}
    for attack, verdict in zip(ATTACKS, unruled, strict=True):
        kinds[attack.name.split(":")[0]][verdict.kind] += 1
    # refused for what they are, not by a crash or a time-out
    assert set(kinds["afterwards"]) <= {"sorry", "error", "structure"} and kinds["afterwards"]["sorry"] >= 20
    assert set(kinds["inside"]) == {"sorry"}
    assert set(kinds["kernel skipped"]) == {"kernel"}
    assert set(kinds["header"]) == set(kinds["declaration"]) == {"statement"}


def test_none_is_accepted_with_the_text_rules(unruled: list[Verdict]) -> None:
    claims = _claims(ATTACKS)
    refusals = [banned_construct(c.given or a.proof) for c, a in zip(claims, ATTACKS, strict=True)]
    early = [(attack, f"banned: {reason}") for attack, reason in zip(ATTACKS, refusals, strict=True) if reason]
    kinds = Counter(attack.name.split(":")[0] for attack, _ in early)
    wholly = Counter(attack.name.split(":")[0] for attack in ATTACKS)
    assert all(kinds[kind] == wholly[kind] for kind in ("afterwards", "inside", "kernel skipped"))
    found = _verdicts([attack for attack, _ in early], [reason for _, reason in early])
    assert {verdict.kind for verdict in found} == {"banned"}
    # the others go the same way as without the rules
    assert not any(v.ok for v, reason in zip(unruled, refusals, strict=True) if reason is None)


def test_elaboration_in_one_thread_changes_nothing() -> None:
    attacks = [*INSIDE, *SKIPPED]
    assert _accepted(attacks, _verdicts(attacks, [None] * len(attacks), "-DElab.async=false")) == []


HONEST = [
    ("nothing", "", "1 = 1", "rfl"),
    ("opened names", "open Nat List", "succ 1 = 2", "rfl"),
    ("a namespace left open", "namespace Foo\nopen Nat", "succ 1 = 2", "rfl"),
    ("an option", "set_option maxHeartbeats 400000\nset_option maxRecDepth 1000", "1 = 1", "rfl"),
    ("a section and universes", "noncomputable section\nuniverse u v", "∀ (α : Type u) (a : α), a = a", "intro α a\nrfl"),
    ("a comment", "/-- It says 1 = 1 -/\n-- theorem: def", "1 = 1", "rfl"),
    ("notation that is not used", 'local notation "ℕ" => Nat', "∀ (n : Nat), n = n", "intro n\nrfl"),
    ("notation that is used", 'local notation "ℕ" => Nat', "∀ (n : ℕ), n = n", "intro n\nrfl"),
    ("definitions", "def f (n : Nat) : Nat := n + 1\ndef g (n : Nat) : Nat := f (f n)", "g 0 = 2", "rfl"),
    ("a recursive definition", "def f : Nat → Nat\n  | 0 => 1\n  | n + 1 => 2 * f n", "f 3 = 8", "rfl"),
    ("an inductive type", "inductive T\n  | leaf\n  | node (l r : T)", "∀ (t : T), t = t", "intro t\ncases t <;> rfl"),
    ("a structure", "structure P where\n  x : Nat\n  h : x = 1", "∀ (p : P), p.x = 1", "intro p\nexact p.h"),
    ("a predicate", "inductive Even : Nat → Prop\n  | zero : Even 0\n  | step n : Even n → Even (n + 2)", "Even 2", "exact .step 0 .zero"),
    ("an instance of its own type", "inductive C\n  | r\n  | g\n  deriving DecidableEq", "C.r ≠ C.g", "decide"),
    ("a variable", "variable (n : Nat)", "n = n", "rfl"),
    ("a lemma", "theorem helper (n : Nat) : 0 + n = n := Nat.zero_add n", "0 + 5 = 5", "exact helper 5"),
    ("a macro for proofs", 'macro "easy" : tactic => `(tactic| rfl)', "1 = 1", "easy"),
    ("an attribute", "theorem helper (n : Nat) : 0 + n = n := Nat.zero_add n\nattribute [simp] helper", "0 + 5 = 5", "simp"),
]  # fmt: skip


def test_honest_headers_are_accepted() -> None:
    claims = [claim(Theorem(f"t{i}", s, header), f": {s}", proof) for i, (_, header, s, proof) in enumerate(HONEST)]
    settings = VerifySettings.model_validate({"timeout": 120})
    found = asyncio.run(verify_claims(claims, [None] * len(claims), PROVER, settings))
    refused = {name: v.reason for (name, *_), v in zip(HONEST, found, strict=True) if not v.ok}
    assert refused == {}
    by_header = {name for (name, *_), v in zip(HONEST, found, strict=True) if v.level == "kernel-header"}
    assert by_header == {"notation that is used", "an instance of its own type", "a variable"}


def test_a_proof_does_not_rest_on_another_of_its_file() -> None:
    hard, easy = Theorem("hard", "∀ (p q : Prop), p ∧ q → q ∧ p"), Theorem("easy", "∀ (p q : Prop), p ∧ q → q ∧ p")
    claims = [
        claim(hard, f": {hard.statement}", "intro p q h\nexact ⟨h.2, h.1⟩"),
        claim(easy, f": {easy.statement}", "exact hard"),
    ]
    found = asyncio.run(verify_claims(claims, [None, None], PROVER, VerifySettings()))
    assert [verdict.ok for verdict in found] == [True, False]


def test_a_proof_that_spoils_its_file_costs_only_itself() -> None:
    good = Theorem("good", "1 = 1")
    bad = [
        "rfl\n\nnamespace A",
        "rfl\n\n#exit",
        "rfl\n\nmacro_rules | `(tactic| rfl) => `(tactic| sorry)",
        "rfl /-",
        "exact (",
    ]
    for text in bad:
        pair = [replace(claim(good, ": 1 = 1", text), name="bad"), claim(good, ": 1 = 1", "rfl")]
        found = asyncio.run(verify_claims(pair, [None, None], PROVER, VerifySettings()))
        assert found[1].ok, text
