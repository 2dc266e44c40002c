"""Replaying pairs through the real Lean: exact sources, drifted prints, renamed lemmas."""

from __future__ import annotations

from dataclasses import replace

import pytest
from real_lean import needs_lean

from burnqed.config import ProverSettings, VerifySettings
from burnqed.data.corpus.checking import check_corpus
from burnqed.data.corpus.generate import generate
from burnqed.data.replay import cause_of, sample, validate, verdict
from burnqed.records.pairs import TacticPair
from burnqed.records.theorems import Theorem

PROVER = ProverSettings(kind="lean", imports=[], workers=1, ready_timeout=300, tactic_timeout=300)


def corpus(count: int) -> tuple[list[TacticPair], dict[str, Theorem]]:
    chosen = [theorem for theorem in generate(1, 80) if not theorem.header][:count]
    pairs, known = [], {}
    for theorem, states in check_corpus(chosen, PROVER, VerifySettings()).kept:
        known[theorem.name] = Theorem(theorem.name, theorem.statement)
        steps = enumerate(zip(states, theorem.proof, strict=True))
        pairs += [TacticPair(state, tactic, theorem.name, depth, "good", 1) for depth, (state, tactic) in steps]
    return pairs, known


@needs_lean
def test_a_sound_source_is_usable_and_a_broken_one_is_not() -> None:
    pairs, known = corpus(12)
    broken = [replace(pair, source="renamed", tactic="exact no_such_lemma") for pair in pairs]
    drifted = [replace(pair, source="drifted", state=pair.state.replace(" ", "  ")) for pair in pairs]
    report = validate([*pairs, *broken, *drifted], known, PROVER, 6, 0)["sources"]
    assert (report["good"]["verdict"], report["good"]["outcomes"]) == ("as_is", {"exact": 6})
    assert report["good"]["steps"] == report["good"]["steps_that_work"]
    assert (report["renamed"]["verdict"], report["renamed"]["outcomes"]) == ("not_usable", {"renamed_lemma": 6})
    assert "no_such_lemma" in report["renamed"]["examples"]["renamed_lemma"][0]["detail"]
    assert (report["drifted"]["verdict"], report["drifted"]["outcomes"]) == (
        "after_re_extraction",
        {"printer_drift": 6},
    )


@needs_lean
def test_binders_are_introduced_and_focused_goals_are_found() -> None:
    known = {"t": Theorem("t", "∀ (p q : Prop) (hp : p) (hq : q), p ∧ q")}
    context = "p q : Prop\nhp : p\nhq : q\n"
    steps = [(f"{context}⊢ p ∧ q", "constructor"), (f"case right\n{context}⊢ q", "exact hq")]
    steps.append((f"case left\n{context}⊢ p", "exact hp"))
    pairs = [TacticPair(state, tactic, "t", min(d, 1), "s", 1) for d, (state, tactic) in enumerate(steps)]
    entry = validate(pairs, known, PROVER, 5, 0)["sources"]["s"]
    assert entry["outcomes"] == {"exact": 1}
    strange = [*pairs[:1], replace(pairs[1], state="case right\nx : Nat\n⊢ x = 1")]
    assert validate(strange, known, PROVER, 5, 0)["sources"]["s"]["outcomes"] == {"state_mismatch": 1}


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("unknown identifier 'Nat.foo'", "renamed_lemma"),
        ("Unknown constant `Nat.foo`", "renamed_lemma"),
        ("<Pantograph>:1:1: unknown tactic", "missing_import"),
        ("(deterministic) timeout at `whnf`, maximum number of heartbeats", "timeout"),
        ("Tactic `apply` failed: could not unify", "tactic_change"),
        ("tactic 'rewrite' failed, did not find instance of the pattern", "tactic_change"),
    ],
)
def test_failures_have_causes(message: str, kind: str) -> None:
    assert cause_of(message) == kind


def test_samples_are_spread_over_depths() -> None:
    known = {f"t{i}": Theorem(f"t{i}", "p") for i in range(100)}
    pairs = [TacticPair("⊢ p", "simp", f"t{i}", 9 if i < 5 else 0, "s", 1) for i in range(100)]
    chosen = sample(pairs, known, 8, 0)
    assert sum(group[0].depth == 9 for group in chosen) == 4
    assert chosen == sample(pairs[::-1], known, 8, 0)
    assert verdict({"exact": 9, "timeout": 1}) == "as_is" and verdict({}) == "not_usable"
