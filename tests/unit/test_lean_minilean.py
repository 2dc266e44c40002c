"""Client, pool, sandbox and re-check with the embedded prover as the process."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Sequence

import pytest

from burnqed.config import ProverSettings, VerifySettings
from burnqed.data.theorems import Theorem
from burnqed.lean.pool import LeanPool, Outcome, StatementError
from burnqed.lean.verify import Verdict, verify_proofs

PROVER = ProverSettings.model_validate({"kind": "minilean", "workers": 2, "tactic_timeout": 5})
SWAP = Theorem("swap", "∀ (p q : Prop), p ∧ q → q ∧ p")
ADD = Theorem("add", "∀ (n : Nat), 0 + n = n")


def run(body: Callable[[LeanPool], Awaitable[None]]) -> None:
    async def main() -> None:
        async with LeanPool(PROVER) as pool:
            await body(pool)

    asyncio.run(main())


def verify(*items: tuple[Theorem, Sequence[str]]) -> list[Verdict]:
    return asyncio.run(verify_proofs(items, PROVER, VerifySettings.model_validate({"timeout": 20})))


def test_a_proof_step_by_step_and_as_a_whole() -> None:
    proof = ["intro p q h", "cases h", "constructor", "assumption", "assumption"]

    async def body(pool: LeanPool) -> None:
        session = await pool.open(SWAP)
        assert session.root_text == "⊢ ∀ (p q : Prop), p ∧ q → q ∧ p"
        state, texts = 0, []
        for tactic in proof:
            step = await session.apply(state, tactic)
            assert step.outcome in (Outcome.OK, Outcome.PROVED), step.message
            assert step.state is not None
            state = step.state
            texts.append(step.text)
        assert texts[0] == "p q : Prop\nh : p ∧ q\n⊢ q ∧ p"
        assert texts[1] == "case intro\np q : Prop\nleft✝ : p\nright✝ : q\n⊢ q ∧ p"
        assert texts[-1] == ""
        assert step.outcome is Outcome.PROVED

    run(body)
    verdict = verify((SWAP, proof))[0]
    assert (verdict.ok, verdict.reason, verdict.axioms) == (True, "", [])


def test_failures_read_as_failures() -> None:
    async def body(pool: LeanPool) -> None:
        session = await pool.open(ADD)
        for tactic in ("sorry", "admit", "exact sorry", "frobnicate", "exact 3", "intro n\nrfl extra", "", "rfl"):
            step = await session.apply(0, tactic)
            assert (step.outcome, step.state) == (Outcome.ERROR, None), tactic
            assert step.message
        with pytest.raises(StatementError):
            await pool.open(Theorem("bad", "∀ (n : Nat), n ="))
        assert (await session.apply(0, "intro n")).text == "n : Nat\n⊢ 0 + n = n"

    run(body)


def test_a_killed_worker_costs_one_tactic() -> None:
    async def body(pool: LeanPool) -> None:
        session = await pool.open(SWAP)
        first = await session.apply(0, "intro p q h")
        assert first.state is not None
        client = session._worker.client
        assert client is not None
        os.killpg(client.pid, signal.SIGKILL)
        results = [await session.apply(first.state, "exact ⟨h.2, h.1⟩") for _ in range(2)]
        assert results[0].outcome in (Outcome.CRASH, Outcome.PROVED)
        assert results[1].outcome is Outcome.PROVED

    run(body)


@pytest.mark.parametrize(
    ("proof", "kind"),
    [
        (["intro p q h", "exact ⟨h.1, h.2⟩"], "error"),
        (["intro p q h", "constructor"], "error"),
        (["intro p q h", "exact swap p q h"], "error"),
        (["exact foo"], "error"),
        (["intro p q h", "exact ⟨h.2, sorry⟩"], "banned"),
        (["intro p q h\n  exact ⟨h.2, h.1⟩\n\ntheorem more : True := True.intro"], "banned"),
        (["intro p q h", "exact ⟨h.2, h.1⟩ )"], "error"),
        (["intro p q h", "exact ⟨h.2, h.1⟩", "rfl"], "error"),
    ],
)
def test_what_a_re_check_refuses(proof: list[str], kind: str) -> None:
    verdict = verify((SWAP, proof))[0]
    assert verdict.kind == kind, verdict.reason


def test_sorry_and_second_declarations_are_found_without_the_word_list(monkeypatch: pytest.MonkeyPatch) -> None:
    import burnqed.lean.verify as module

    monkeypatch.setattr(module, "banned_construct", lambda text: None)
    smuggled = "intro p q h\n  exact ⟨h.2, h.1⟩\n\ntheorem more : True := True.intro"
    found = verify((SWAP, ["sorry"]), (SWAP, [smuggled]), (SWAP, ["intro p q h", "exact ⟨h.2, h.1⟩"]))
    kinds = [verdict.kind for verdict in found]
    assert kinds[0] == "sorry"
    assert kinds[1] in ("structure", "error"), "minilean reads commands at column 0 only, Lean anywhere"
    assert kinds[2] == "ok"


def test_nothing_is_carried_from_one_proof_to_the_next() -> None:
    proof = ["intro p q h", "exact ⟨h.2, h.1⟩"]
    other = Theorem("other", SWAP.statement)
    found = verify((SWAP, proof), (SWAP, proof), (other, ["exact swap"]))
    assert [verdict.kind for verdict in found] == ["ok", "ok", "error"]
