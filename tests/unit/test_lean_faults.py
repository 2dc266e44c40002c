"""The kind `lean` when its server dies, hangs, eats, or says what no server says."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from open_files import open_files
from real_lean import PROVER, needs_lean

from burnqed.config import ProverSettings
from burnqed.files import UserError
from burnqed.prover import lean_server
from burnqed.prover.jail.processes import descendants
from burnqed.prover.lean import LeanLife
from burnqed.prover.pool import LeanPool, Outcome, ProofSession
from burnqed.records.theorems import Theorem

FAKE = Path(__file__).with_name("lean_fake_server.py")
GOAL = Theorem("t", "a")
SWAP = Theorem("swap", "∀ (p q : Prop), p ∧ q → q ∧ p")
PROOF = "exact fun p q h => ⟨h.2, h.1⟩"


@pytest.fixture
def fake(tmp_path: Path) -> ProverSettings:
    """Settings for the scripted server, unconfined; it answers at once, or never, but a busy machine may take its time."""
    program = tmp_path / "bin" / "lean"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -S {FAKE} {tmp_path} "$@"\n')
    program.chmod(0o755)
    return PROVER.model_copy(
        update={
            "command": [str(program)],
            "sandbox": "off",
            "workers": 1,
            "tactic_timeout": 100.0,
            "lean_path": "/none",
        }
    )


def run(prover: ProverSettings, body: Callable[[LeanPool], Awaitable[None]]) -> None:
    """Run a test body with a started pool; afterwards no process and no open file is left."""

    async def main() -> None:
        async with LeanPool(prover) as pool:
            await body(pool)

    before, known = open_files(), set(descendants(os.getpid()))
    asyncio.run(main())
    assert set(descendants(os.getpid())) <= known
    assert open_files() - before == Counter()


MISBEHAVIOUR = {
    "crash": Outcome.CRASH,
    "hang": Outcome.TIMEOUT,
    "rubbish": Outcome.CRASH,
    "half": Outcome.CRASH,
    "huge": Outcome.CRASH,
    "flood": Outcome.CRASH,
    "requests": Outcome.CRASH,
    "binary": Outcome.CRASH,
    "list": Outcome.CRASH,
    "deep": Outcome.CRASH,
    "refuse": Outcome.CRASH,
    "stale": Outcome.CRASH,
    "silent": Outcome.CRASH,
    "shapeless": Outcome.CRASH,
    "close": Outcome.CRASH,
    "forge": Outcome.ERROR,
    "fail": Outcome.ERROR,
    "early": Outcome.OK,
    "child": Outcome.OK,
    "noise": Outcome.OK,
}


def test_a_worker_that_dies_of_several_tactics_answers_each_alone(fake: ProverSettings) -> None:
    async def body(pool: LeanPool) -> None:
        session = await pool.open(GOAL)
        for last, outcome in (("crash", Outcome.CRASH), ("hang", Outcome.TIMEOUT), ("half", Outcome.CRASH)):
            found = await session.apply_many(0, ["step", "fail", "done", last])
            assert [r.outcome for r in found] == [Outcome.OK, Outcome.ERROR, Outcome.PROVED, outcome]

    run(fake.model_copy(update={"tactic_timeout": 2.0}), body)


def test_after_a_slow_tactic_quick_ones_go_together_again(fake: ProverSettings) -> None:
    async def body(pool: LeanPool) -> None:
        session = await pool.open(GOAL)
        life = pool._workers[0].life
        assert isinstance(life, LeanLife)

        async def requests() -> int:
            before = life.requests
            await session.apply_many(0, ["step"] * 4)
            return life.requests - before

        assert await requests() == 5  # one together, whose answer says nothing here, and four alone
        life._pace = 60.0
        assert await requests() == 4
        for _ in range(60):
            await session.apply(0, "step")
        assert await requests() == 5

    run(fake, body)


def test_a_pool_says_when_each_worker_has_turns_enough_before_it(fake: ProverSettings) -> None:
    async def body(pool: LeanPool) -> None:
        session = await pool.open(GOAL)
        assert not pool.busy()
        asked = [asyncio.ensure_future(session.apply(0, "step")) for _ in range(20)]
        await asyncio.sleep(0)
        assert pool.busy()
        await asyncio.gather(*asked)
        assert not pool.busy()

    run(fake, body)


@pytest.mark.parametrize(("tactic", "outcome"), MISBEHAVIOUR.items())
def test_misbehaviour_costs_one_tactic(
    tactic: str, outcome: Outcome, fake: ProverSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lean_server, "MAX_UNASKED", 300)

    async def body(pool: LeanPool) -> None:
        session, other = await pool.open(GOAL), await pool.open(Theorem("u", "b"))
        kept = await session.apply(0, "step")
        assert kept.state is not None
        result = await session.apply(kept.state, tactic)
        assert result.outcome is outcome, result
        again = await session.apply_many(kept.state, ["step", "done", "fail"])
        assert [r.outcome for r in again] == [Outcome.OK, Outcome.PROVED, Outcome.ERROR]
        assert (await other.apply(0, "done")).outcome is Outcome.PROVED

    run(fake.model_copy(update={"tactic_timeout": 2.0}) if outcome is Outcome.TIMEOUT else fake, body)


def test_an_old_lean_and_one_that_is_none_are_refused(fake: ProverSettings, monkeypatch: pytest.MonkeyPatch) -> None:
    async def body(pool: LeanPool) -> None:
        raise AssertionError("it must not start")

    monkeypatch.setenv("FAKE_LEAN_VERSION", "4.9.0")
    with pytest.raises(UserError, match=r"is Lean 4\.9\.0; 4\.20 or newer is needed: take another toolchain"):
        run(fake, body)
    with pytest.raises(UserError, match=r"prover.command: '/no/lean' is not an executable file"):
        run(fake.model_copy(update={"command": ["/no/lean"]}), body)
    with pytest.raises(UserError, match="names no toolchain"):
        run(fake.model_copy(update={"command": ["/bin/true"]}), body)


def lean_processes(session: ProofSession) -> list[int]:
    life = session._worker.life
    assert life is not None
    return [life.pid, *descendants(life.pid)]


def real(**values: Any) -> ProverSettings:
    return PROVER.model_copy(update={"workers": 1, "tactic_timeout": 120.0, **values})


@needs_lean
def test_a_worker_killed_in_each_phase_costs_one_tactic() -> None:
    known = set(descendants(os.getpid()))

    async def body(pool: LeanPool) -> None:
        session = await pool.open(SWAP)
        first = await session.apply(0, "intro p q h")
        assert first.state is not None
        for number in range(len(lean_processes(session))):  # between two tactics, each of its processes
            os.kill(lean_processes(session)[number], signal.SIGKILL)
            await asyncio.sleep(0.2)
            results = await session.apply_many(first.state, ["exact ⟨h.2, h.1⟩"] * 2)
            assert [r.outcome for r in results][1] is Outcome.PROVED
        waiting = asyncio.create_task(session.apply(first.state, "sleep 100000"))
        await asyncio.sleep(0.3)
        os.kill(lean_processes(session)[-1], signal.SIGKILL)
        assert (await waiting).outcome is Outcome.CRASH
        assert (await session.apply(first.state, "exact ⟨h.2, h.1⟩")).outcome is Outcome.PROVED
        os.kill(lean_processes(session)[-1], signal.SIGKILL)
        opening = asyncio.create_task(pool.open(Theorem("u", "1 = 1")))  # while it starts again
        await asyncio.sleep(0.05)
        for pid in set(descendants(os.getpid())) - known:
            os.kill(pid, signal.SIGKILL)
        assert (await (await opening).apply(0, "rfl")).outcome is Outcome.PROVED

    run(real(), body)


@needs_lean
def test_a_tactic_that_does_not_end_is_cancelled_or_its_worker_replaced() -> None:
    async def body(pool: LeanPool) -> None:
        session = await pool.open(SWAP)
        assert (await session.apply(0, "sleep 100000")).outcome is Outcome.TIMEOUT
        assert (await session.apply(0, PROOF)).outcome is Outcome.PROVED and pool.starts == 1
        busy = await session.apply(0, "repeat skip")
        assert busy.outcome is Outcome.TIMEOUT and "no answer within" in busy.message
        assert (await session.apply(0, PROOF)).outcome is Outcome.PROVED

    run(real(tactic_timeout=3.0, max_heartbeats=0), body)


@needs_lean
def test_heartbeats_end_a_tactic_before_the_clock() -> None:
    async def body(pool: LeanPool) -> None:
        session = await pool.open(SWAP)
        results = [await session.apply(0, "repeat skip") for _ in range(2)]
        assert [r.outcome for r in results] == [Outcome.TIMEOUT] * 2
        assert "maximum number of heartbeats" in results[0].message == results[1].message
        assert (await session.apply(0, PROOF)).outcome is Outcome.PROVED and pool.starts == 1

    run(real(max_heartbeats=100), body)


@needs_lean
def test_a_long_path_runs_again_on_a_clock_of_its_own() -> None:
    """Four tactics within the clock each, not together; another theorem's document comes between."""

    async def body(pool: LeanPool) -> None:
        session, other = await pool.open(SWAP), await pool.open(Theorem("u", "1 = 1"))
        state = 0
        for _ in range(4):
            state = (await session.apply(state, "sleep 1400")).state or -1
        assert (await other.apply(0, "rfl")).outcome is Outcome.PROVED
        assert (await session.apply(state, PROOF)).outcome is Outcome.PROVED and pool.starts == 1

    run(real(tactic_timeout=5.0), body)


@needs_lean
def test_a_worker_that_eats_memory_is_killed() -> None:
    async def body(pool: LeanPool) -> None:
        session = await pool.open(SWAP)
        eaten = await session.apply(0, "repeat skip")
        assert eaten.outcome is Outcome.CRASH, eaten
        assert (await session.apply(0, PROOF)).outcome is Outcome.PROVED

    run(real(max_heartbeats=0, memory_limit_mb=300, tactic_timeout=200.0), body)


STRANGE = {
    "exact " + "(" * 3000 + "fun p q h => ⟨h.2, h.1⟩" + ")" * 3000: Outcome.ERROR,
    PROOF + " -- " + "x" * 50_000: Outcome.PROVED,
    PROOF + " -- \ud800 \udfff": Outcome.PROVED,
    PROOF.replace(" ", "\r\n"): Outcome.PROVED,
    PROOF.replace(" ", "\r"): Outcome.ERROR,
    "\t" + PROOF: Outcome.PROVED,
    "-- \U0001f600 \u2028\n" + PROOF: Outcome.PROVED,
    "intro «p\U0001f600» q h": Outcome.OK,
    "intro p\0 q h": Outcome.ERROR,
    "intro p q h; exact ⟨h.2, h.1⟩ /- " + "/-" * 2000: Outcome.ERROR,
    "simp [" + ", ".join(f"no{i}" for i in range(300)) + "]": Outcome.ERROR,
}


@needs_lean
def test_strange_text_is_answered() -> None:
    async def body(pool: LeanPool) -> None:
        session = await pool.open(SWAP)
        results = await session.apply_many(0, list(STRANGE))
        assert [r.outcome for r in results] == list(STRANGE.values())
        deepest = await session.apply(0, "exact " + "(" * 40_000 + "fun p q h => ⟨h.2, h.1⟩" + ")" * 40_000)
        assert deepest.outcome in (Outcome.ERROR, Outcome.CRASH, Outcome.TIMEOUT)
        assert (await session.apply(0, PROOF)).outcome is Outcome.PROVED

    run(real(tactic_timeout=30.0), body)
