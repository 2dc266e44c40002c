"""Proofs mutated into attacks: none of them is accepted, with the text rules and without."""

from __future__ import annotations

import asyncio

from hypothesis import Phase, given, settings
from lean_mutants import FALSE, HONEST, mutants, named
from real_lean import PROVER, needs_lean

from burnqed.config import VerifySettings
from burnqed.leantext.banned import banned_construct
from burnqed.prover.claims import Claim, claim
from burnqed.prover.verdict import Verdict
from burnqed.prover.verify import verify_claims
from burnqed.records.theorems import Theorem

pytestmark = needs_lean
SETTINGS = VerifySettings.model_validate({"timeout": 120})


def verdicts(claims: list[Claim], rules: bool) -> list[Verdict]:
    """The verdicts of the whole re-check."""
    reasons = [banned_construct(claim.given or claim.proof) if rules else None for claim in claims]
    refusals = [None if reason is None else f"banned: {reason}" for reason in reasons]
    return asyncio.run(verify_claims(claims, refusals, PROVER, SETTINGS))


def accepted(claims: list[Claim], rules: bool) -> list[str]:
    """The texts of the mutants that were accepted."""
    return [verdict.source for verdict in verdicts(named(claims), rules) if verdict.ok]


def drawn(count: int) -> list[Claim]:
    """Mutants, the same at each call."""
    found: list[Claim] = []

    @settings(max_examples=3 * count, deadline=None, database=None, derandomize=True, phases=[Phase.generate])
    @given(mutants())
    def draw(mutant: Claim) -> None:
        if mutant not in found:
            found.append(mutant)

    draw()
    return found[:count]


def test_no_mutant_is_accepted() -> None:
    claims = drawn(40)
    assert len(claims) == 40
    assert accepted(claims, rules=True) == []
    assert accepted(claims, rules=False) == []


def test_what_is_mutated_is_honest_and_what_is_claimed_is_false() -> None:
    some = HONEST[::30]
    good = [claim(Theorem(f"t{i}", s, header), f": {s}", proof) for i, (s, header, proof) in enumerate(some)]
    assert [verdict.reason for verdict in verdicts(good, rules=True)] == [""] * len(some)
    statement, header, proof = some[0]
    indented = "\n".join(f"    {line}" for line in proof.split("\n"))
    for number, false in enumerate(FALSE):  # by the honest proof, the mutated statement is refuted
        whole = f"have honest : {statement} := by\n{indented}\nintro h\nrevert h honest"
        tactics = (
            "simp"
            if number < 6
            else "intro h\nfirst | exact h | omega | exact absurd h (by decide) | exact h False | simp_all"
        )
        refuted = f"¬ ({false(statement)})"
        text = f"{whole}\ngeneralize ({statement}) = s\nintro h k\nsimp_all" if number < 6 else tactics
        (verdict,) = verdicts([claim(Theorem("t", refuted, header), f": {refuted}", text)], rules=True)
        assert verdict.ok, (false(statement), verdict.reason)
