"""Several tactics by one edit: on the real Lean each gets the answer that it gets alone."""

from __future__ import annotations

import asyncio

import pytest
from real_lean import PROVER, needs_lean

from burnqed.prover.lean import LeanLife
from burnqed.prover.lean_batch import Batch, can_copy, can_join
from burnqed.prover.lean_diagnostics import ERROR, Diagnostic
from burnqed.prover.pool import LeanPool, Outcome, StepResult
from burnqed.prover.steps import Step
from burnqed.records.theorems import Theorem

TACTICS = [
    "simp",
    "constructor",
    "intro",
    "intro x",
    "exact h",
    "exact ⟨h.2, h.1⟩",
    "exact ⟨h.2, ?x⟩",
    "refine ⟨?_, ?_⟩",
    "rw [h] at",
    "have h9 : p := by",
    "have h9 : 1 = 1 := rfl",
    "have h9 : 0 = 1 := by omega",
    "apply Nat.lt_of_lt_of_le h",
    "exact (h",
    "exact h)",
    "skip) <;> (skip",
    "omega",
    "exfalso",
    "induction n with | zero => ?_ | succ n ih => ?_",
    "cases h with",
    "intro x\nsimp",
    "first | exact h.1 | constructor",
    "all_goals simp",
    "repeat constructor",
    "case left => exact h.2",
    "rotate_left",
    "sorry",
    "exact by sorry",
    "apply?",
    "show q ∧ p",
    "let y := 1",
    "/-",
    "-- nothing",
    "",
    'exact "',
    "theorem t : True := trivial",
    "rename_i y",
    "refine ⟨1, ?_⟩",
    "decide",
    "contradiction",
    "assumption",
    "rfl",
]
STATES: list[tuple[str, str, list[str]]] = [
    ("", "∀ (p q : Prop), p ∧ q → q ∧ p", []),
    ("", "∀ (p q : Prop), p ∧ q → q ∧ p", ["intro p q h"]),
    ("", "∀ (p q : Prop), p ∧ q → q ∧ p", ["intro p q h", "constructor"]),
    ("", "∀ (p q : Prop), p ∧ q → q ∧ p", ["intro p q h", "refine ⟨?a, ?b⟩"]),
    ("", "∀ (p q : Prop), p ∨ q → q ∨ p", ["intro p q h", "cases h with | inl h => ?_ | inr h => ?_"]),
    ("", "∀ n : Nat, n + 0 = n ∧ 0 + n = n", ["intro n"]),
    ("", "∃ n : Nat, n = 2 ∧ n < 3", []),
    ("", "∃ n : Nat, n = 2 ∧ n < 3", ["constructor"]),
    ("", "∀ {n : Nat}, n = n", []),
    ("", "∀ {n : Nat} (h : n = 1), n = 1", ["skip"]),
    ("", "let m := 2; m = 2", []),
    ("variable (p : Prop)", "p → p", []),
    ("", "False → 0 = 1", ["intro h"]),
]


async def both(header: str, statement: str, path: list[str]) -> tuple[list[StepResult], list[StepResult], int]:
    """Return the answers to TACTICS one by one and together, and the number of requests of the latter."""
    async with LeanPool(PROVER.model_copy(update={"workers": 1, "tactic_timeout": 60.0})) as pool:
        session = await pool.open(Theorem("t", statement, header))
        state = 0
        for tactic in path:
            state = (await session.apply(state, tactic)).state or -1
        alone = [await session.apply(state, tactic) for tactic in TACTICS]
        life = pool._workers[0].life
        assert isinstance(life, LeanLife)
        before = life.requests
        return alone, await session.apply_many(state, TACTICS), life.requests - before


@needs_lean
@pytest.mark.parametrize(("header", "statement", "path"), STATES)
def test_together_they_get_the_answers_they_get_alone(header: str, statement: str, path: list[str]) -> None:
    alone, together, requests = asyncio.run(both(header, statement, path))
    for tactic, one, other in zip(TACTICS, alone, together, strict=True):
        assert (one.outcome, one.text, one.num_goals) == (other.outcome, other.text, other.num_goals), tactic
    assert {Outcome.OK, Outcome.ERROR} <= {each.outcome for each in together}
    shares = "?" not in "".join(each.text for each in together) or path != ["constructor"]
    assert not shares or requests < len(TACTICS)


@needs_lean
def test_a_tactic_that_meets_the_limit_leaves_the_others_their_answers() -> None:
    async def body() -> tuple[list[StepResult], list[StepResult]]:
        async with LeanPool(PROVER.model_copy(update={"workers": 1, "max_heartbeats": 200})) as pool:
            session = await pool.open(Theorem("t", "∀ n : Nat, n < 400 → n * 0 = 0"))
            tactics = ["intro n h", "skip", "decide", "intro n", "exact h", "intro", "decide +kernel"]
            alone = [await session.apply(0, tactic) for tactic in tactics]
            return alone, await session.apply_many(0, tactics)

    alone, together = asyncio.run(body())
    assert [(r.outcome, r.text) for r in together] == [(r.outcome, r.text) for r in alone]
    assert together[0].outcome is Outcome.OK and together[5].outcome is Outcome.OK


def test_which_states_can_be_copied() -> None:
    assert can_copy("⊢ p") and can_copy("case left\n⊢ p\n\ncase right\n⊢ q")
    assert not can_copy("") and not can_copy("⊢ ?w = 1")


@pytest.mark.parametrize(
    ("tactic", "alone", "further"),
    [
        ("exact h", True, True),
        ("simp [foo] at h", True, True),
        ("intro x; simp", True, False),
        ("intro x\nsimp", True, False),
        ("all_goals simp", True, False),
        ("first | rfl | simp", True, False),
        ("show p", True, False),
        ("case left => simp", False, False),
        ("next => simp", False, False),
        ("exact ?x", False, False),
        ("exact ?_", True, True),
        ("exact (h", False, False),
        ("simp) <;> (simp", False, False),
        ('exact "', False, False),
        ("/- simp", False, False),
        ("-- simp", False, False),
        ("simp -- at (", True, True),
        ("exact burnqed_copy1", False, False),
    ],
)
def test_which_tactics_can_be_tried_together(tactic: str, alone: bool, further: bool) -> None:
    assert can_join(tactic, alone=True) is alone
    assert can_join(tactic, alone=False) is further


def error(batch: Batch, line: int, text: str) -> Diagnostic:
    return Diagnostic(ERROR, (line, 5), (line, 8), text)


def test_without_the_copys_own_print_nothing_is_believed() -> None:
    batch = Batch.of(["theorem t : p := by"], "⊢ p", ["a", "b", "c"])
    said = [error(batch, begin, "no") for begin, _ in batch.blocks]
    shown = error(batch, 2, "burnqed_show\ncase burnqed_copy0\n⊢ p")
    no = Step(Outcome.ERROR, message="no")
    assert batch.judge([shown, *said]) == ([no, no, no], 3)
    assert batch.judge(said) == ([None] * 3, 3)
    assert batch.judge([error(batch, 2, "burnqed_show\ncase burnqed_copy0\n⊢ q"), *said]) == ([None] * 3, 3)
    assert batch.judge([shown, *said, error(batch, 0, "elsewhere")]) == ([None] * 3, 3)


def test_a_tactic_without_a_message_is_asked_alone_and_those_after_a_parse_error_again() -> None:
    batch = Batch.of(["theorem t : p := by"], "⊢ p", ["a", "b", "c"])
    shown = error(batch, 2, "burnqed_show\ncase burnqed_copy0\n⊢ p")
    second = batch.blocks[1][0]
    no = Step(Outcome.ERROR, message="no")
    assert batch.judge([shown, error(batch, second, "no")]) == ([None, no, None], 3)
    parse = Step(Outcome.ERROR, message="unexpected token ')'; expected term")
    assert batch.judge([shown, error(batch, second, parse.message)]) == ([None, parse, None], 2)
    limit = error(
        batch, second, "(deterministic) timeout at `whnf`, maximum number of heartbeats (2000) has been reached"
    )
    assert batch.judge([shown, limit]) == ([None, None, None], 2)
