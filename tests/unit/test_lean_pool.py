"""Client and pool against a scripted process that crashes, hangs, prints rubbish and dies."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from open_files import open_files

from burnqed.config import ProverSettings
from burnqed.files import UserError
from burnqed.prover import client as client_module
from burnqed.prover.client import ReplClient, StartError, WorkerCrash, WorkerTimeout
from burnqed.prover.pool import LeanPool, Outcome, ProofSession, StatementError
from burnqed.prover.sandbox import probe
from burnqed.records.theorems import Theorem

FAKE = Path(__file__).with_name("lean_fake_repl.py")


def settings(*options: str, **values: Any) -> ProverSettings:
    """Settings for the scripted process; it answers at once, or never, but a busy machine may take its time."""
    base: dict[str, Any] = {"workers": 1, "tactic_timeout": 100, "ready_timeout": 300, "sandbox": "off"}
    return ProverSettings(kind="pantograph", command=[sys.executable, str(FAKE), *options], **{**base, **values})


def run(body: Callable[[LeanPool], Awaitable[None]], prover: ProverSettings, env: dict[str, str] | None = None) -> None:
    """Run a test body with a started pool, then check that no process and no open file is left."""

    async def main() -> None:
        pool = LeanPool(prover, env)
        await pool.start()
        try:
            await body(pool)
        finally:
            await pool.close()

    before, known = open_files(), children()
    asyncio.run(main())
    assert children() <= known
    assert open_files() - before == Counter()


def children() -> set[int]:
    """Pids of this process's children, dead or alive."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[1]) == os.getpid():
                found.add(int(entry.name))
    return found


async def stat(session: ProofSession) -> dict[str, Any]:
    client = session._worker.life.client
    assert client is not None
    return await client.request("stat", {}, 300)


GOAL = Theorem("t", "a")


def test_steps_branch_and_prove() -> None:
    async def body(pool: LeanPool) -> None:
        session = await pool.open(GOAL)
        assert (session.root, session.root_text, session.root_goals) == (0, "⊢ a", 1)
        left = await session.apply(0, "push b")
        assert (left.outcome, left.text, left.num_goals) == (Outcome.OK, "⊢ b\n\n⊢ a", 2)
        right = await session.apply(0, "push c")
        assert right.text == "⊢ c\n\n⊢ a"
        assert left.state is not None
        again = await session.apply(left.state, "pop")
        assert again.text == "⊢ a"
        done = await session.apply(0, "pop")
        assert (done.outcome, done.num_goals, done.text) == (Outcome.PROVED, 0, "")
        assert len({0, left.state, right.state, again.state, done.state}) == 5
        failed = await session.apply(0, "fail")
        assert (failed.outcome, failed.state, failed.message) == (Outcome.ERROR, None, "it failed")
        sorry = await session.apply(0, "sorry")
        assert (sorry.outcome, sorry.state) == (Outcome.ERROR, None)
        limit = await session.apply(0, "interrupt")
        assert limit.outcome is Outcome.TIMEOUT

    run(body, settings())


@pytest.mark.parametrize(
    ("tactic", "outcome"),
    [
        ("crash", Outcome.CRASH),
        ("rubbish", Outcome.CRASH),
        ("list", Outcome.CRASH),
        ("binary", Outcome.CRASH),
        ("half", Outcome.CRASH),
        ("flood", Outcome.CRASH),
        ("close", Outcome.CRASH),
        ("close_in", Outcome.CRASH),
        ("freeze", Outcome.TIMEOUT),
        ("hang", Outcome.TIMEOUT),
        ("shape 5", Outcome.CRASH),
        ("shape [5]", Outcome.CRASH),
        ('shape [{"target": {"pp": "p"}, "vars": null}]', Outcome.CRASH),
        ('shape [{"target": {"pp": "p"}, "vars": ["x"]}]', Outcome.CRASH),
    ],
)
def test_misbehaviour_costs_one_tactic(tactic: str, outcome: Outcome) -> None:
    async def body(pool: LeanPool) -> None:
        session = await pool.open(GOAL)
        other = await pool.open(Theorem("u", "z"))
        deep = await session.apply((await session.apply(0, "push b")).state or -1, "push c")
        aside = await other.apply(0, "push y")
        assert (await session.apply(0, tactic)).outcome is outcome
        assert deep.state is not None
        assert aside.state is not None
        after = await session.apply(deep.state, "push d")
        assert (after.outcome, after.text) == (Outcome.OK, "⊢ d\n\n⊢ c\n\n⊢ b\n\n⊢ a")
        client = session._worker.life.client
        assert client is not None
        # options, the theorem's start (2), the two steps to the state, the tactic: no more is paid
        assert (pool.starts, client.requests) == (2, 6)
        assert (await other.apply(aside.state, "pop")).text == "⊢ z"

    run(body, settings(tactic_timeout=1 if outcome is Outcome.TIMEOUT else 100))


@pytest.mark.parametrize("mode", [mode for mode in ("bubblewrap", "namespaces") if probe(mode) is None])
def test_a_confined_worker_that_hangs_leaves_nothing_behind(mode: str) -> None:
    mark = f"mark={os.getpid()}-{mode}"  # among the arguments of the program inside

    def inside() -> list[int]:
        found = []
        for entry in Path("/proc").iterdir():
            with contextlib.suppress(OSError):
                if entry.name.isdigit() and mark.encode() in (entry / "cmdline").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
        return found

    async def body(pool: LeanPool) -> None:
        session = await pool.open(GOAL)
        assert inside()
        before = set(inside())
        assert (await session.apply(0, "child")).outcome is Outcome.PROVED
        assert (await session.apply(0, "hang")).outcome is Outcome.TIMEOUT
        assert (await session.apply(0, "pop")).outcome is Outcome.PROVED
        assert not before & set(inside())

    run(body, settings(mark, sandbox=mode, tactic_timeout=1))
    deadline = time.monotonic() + 300
    while inside() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert inside() == []


def test_a_worker_killed_between_two_tactics_costs_nothing_but_a_replay() -> None:
    async def body(pool: LeanPool) -> None:
        session = await pool.open(GOAL)
        state = (await session.apply(0, "push b")).state or -1
        outcomes = []
        for _ in range(3):
            client = session._worker.life.client
            assert client is not None
            os.killpg(client.pid, signal.SIGKILL)
            await asyncio.sleep(0.05)
            outcomes.append((await session.apply(state, "push c")).outcome)
        assert outcomes == [Outcome.OK] * 3
        assert pool.starts == 4

    run(body, settings())


def test_when_no_worker_starts_any_more_the_error_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counter = tmp_path / "deaths"
    counter.write_text("0")
    monkeypatch.setattr(LeanPool.start_life, "__defaults__", (2,))

    async def body(pool: LeanPool) -> None:
        session = await pool.open(GOAL)
        counter.write_text("99")
        assert (await session.apply(0, "crash")).outcome is Outcome.CRASH
        with pytest.raises(StartError, match="LEAN_PATH"):
            await session.apply(0, "pop")
        counter.write_text("0")
        assert (await session.apply(0, "pop")).outcome is Outcome.PROVED

    run(body, settings(f"die_first={counter}"))


def test_an_answer_nobody_asked_for_is_never_taken_for_the_next_one() -> None:
    async def body(pool: LeanPool) -> None:
        session = await pool.open(GOAL)
        await session.apply(0, "extra")
        result = await session.apply(0, "push b")
        assert result.outcome in (Outcome.OK, Outcome.CRASH)
        assert result.outcome is Outcome.CRASH or result.text == "⊢ b\n\n⊢ a"
        assert (await session.apply(0, "push b")).text == "⊢ b\n\n⊢ a"

    run(body, settings())


def test_a_worker_that_babbles_on_is_not_listened_to() -> None:
    async def body(pool: LeanPool) -> None:
        session = await pool.open(GOAL)
        left = await session.apply(0, "push b")
        assert left.state is not None
        client = session._worker.life.client
        assert client is not None
        assert (await session.apply(left.state, "babble")).text == "⊢ a"
        await asyncio.wait_for(client._pipes.exited, 300)  # its stdout is closed, so it ends
        assert len(client._pipes.buffer) < 1 << 20
        assert (await session.apply(0, "push b")).text == "⊢ b\n\n⊢ a"

    run(body, settings())


def test_a_sorry_of_an_earlier_step_is_found_at_the_end() -> None:
    async def body(pool: LeanPool) -> None:
        session = await pool.open(GOAL)
        cheat = await session.apply(0, "cheat")
        assert cheat.outcome is Outcome.OK
        assert (await session.apply(cheat.state or -1, "pop")).outcome is Outcome.ERROR
        assert (await session.apply(0, "pop")).outcome is Outcome.PROVED

    run(body, settings())


def test_long_lines_noise_and_left_children() -> None:
    async def body(pool: LeanPool) -> None:
        session = await pool.open(GOAL)
        assert len((await session.apply(0, "long")).text) == 3_000_002
        assert (await session.apply(0, "noise")).outcome is Outcome.PROVED
        assert (await session.apply(0, "child")).outcome is Outcome.PROVED
        worker = session._worker.life.client
        assert worker is not None
        group = os.getpgid(worker.pid)
        await pool.close()
        for _ in range(10_000):
            try:
                os.killpg(group, 0)
            except ProcessLookupError:
                return
            await asyncio.sleep(0.02)
        pytest.fail("the worker's child outlived it")

    run(body, settings())


def test_dropped_states_are_deleted_in_batches_and_memory_stays_flat() -> None:
    async def body(pool: LeanPool) -> None:
        session = await pool.open(GOAL)
        for _ in range(1000):
            result = await session.apply(0, "push b")
            assert result.state is not None
            session.drop([result.state])
        assert (await stat(session))["nGoals"] <= 70
        with pytest.raises(KeyError):
            await session.apply(result.state or -1, "pop")
        await session.close()
        second = await pool.open(GOAL)
        await second.apply(0, "push b")
        assert (await stat(second))["nGoals"] <= 70

    run(body, settings(recycle_requests=100_000))


def test_dropping_a_parent_keeps_its_children_replayable() -> None:
    async def body(pool: LeanPool) -> None:
        session = await pool.open(GOAL)
        parent = await session.apply(0, "push b")
        assert parent.state is not None
        child = await session.apply(parent.state, "push c")
        assert child.state is not None
        session.drop([parent.state, 0])
        assert (await session.apply(child.state, "crash")).outcome is Outcome.CRASH
        assert (await session.apply(child.state, "pop")).text == "⊢ b\n\n⊢ a"

    run(body, settings())


def test_old_workers_are_replaced_without_losing_states() -> None:
    async def body(pool: LeanPool) -> None:
        session = await pool.open(GOAL)
        pids = set()
        result = await session.apply(0, "push b")
        assert result.state is not None
        for _ in range(60):
            step = await session.apply(result.state, "push c")
            assert (step.outcome, step.num_goals) == (Outcome.OK, 3)
            assert step.state is not None
            session.drop([step.state])
            pids.add((await stat(session))["pid"])
            await asyncio.sleep(0.01)
        assert len(pids) >= 2
        assert pool.starts >= 2

    run(body, settings(recycle_requests=30))


def test_requests_of_sessions_on_one_worker_take_turns() -> None:
    async def body(pool: LeanPool) -> None:
        first, second = await pool.open(GOAL), await pool.open(Theorem("u", "z"))
        order: list[str] = []

        async def go(name: str, session: ProofSession) -> None:
            for _ in range(5):
                assert (await session.apply(0, "wait 0.002")).outcome is Outcome.OK
                order.append(name)

        await asyncio.gather(go("a", first), go("b", second))
        assert "".join(order) in ("ababababab", "bababababa")

    run(body, settings())


def test_sessions_are_spread_over_workers() -> None:
    async def body(pool: LeanPool) -> None:
        sessions = [await pool.open(GOAL) for _ in range(4)]
        assert sorted(session._worker.number for session in sessions) == [0, 0, 1, 1]

    run(body, settings(workers=2))


def test_refused_and_deadly_statements_are_statement_errors() -> None:
    async def body(pool: LeanPool) -> None:
        with pytest.raises(StatementError, match="t: unexpected token"):
            await pool.open(Theorem("t", "bad"))
        with pytest.raises(StatementError, match="did not survive"):
            await pool.open(Theorem("t", "deadly"))
        assert (await (await pool.open(GOAL)).apply(0, "pop")).outcome is Outcome.PROVED

    run(body, settings())


@pytest.mark.parametrize("version", ["0.3.15", "0.3.4"])
def test_theorems_with_headers_share_a_worker(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "_versions", {})

    async def body(pool: LeanPool) -> None:
        one = await pool.open(Theorem("A.t", "a", header="import Mathlib\nopen A"))
        two = await pool.open(Theorem("u", "b", header="import Mathlib\n\nopen B C"))
        plain = await pool.open(GOAL)
        assert (one.root_text, two.root_text) == ("⊢ a", "⊢ b")
        for _ in range(2):
            assert (await one.apply(0, "scope")).text == "⊢ open A"
            assert (await two.apply(0, "scope")).text == "⊢ open B C"
            assert (await plain.apply(0, "scope")).text == "⊢ "
        assert (await two.apply(0, "crash")).outcome is Outcome.CRASH
        assert (await one.apply(0, "scope")).text == "⊢ open A"
        with pytest.raises(StatementError, match="unknown namespace"):
            await pool.open(Theorem("v", "c", header="open Nowhere"))
        assert (await two.apply(0, "scope")).text == "⊢ open B C"

    run(body, settings(), {"FAKE_VERSION": version})


def test_a_worker_that_dies_at_start_is_tried_again(tmp_path: Path) -> None:
    counter = tmp_path / "deaths"
    counter.write_text("2")

    async def body(pool: LeanPool) -> None:
        session = await pool.open(GOAL)
        assert (await session.apply(0, "pop")).outcome is Outcome.PROVED
        counter.write_text("1")
        assert (await session.apply(0, "crash")).outcome is Outcome.CRASH
        assert (await session.apply(0, "pop")).outcome is Outcome.PROVED

    run(body, settings(f"die_first={counter}"))


def test_a_worker_that_eats_memory_is_killed() -> None:
    async def body(pool: LeanPool) -> None:
        session = await pool.open(GOAL)
        assert (await session.apply(0, "eat")).outcome is Outcome.CRASH
        assert (await session.apply(0, "pop")).outcome is Outcome.PROVED

    run(body, settings(memory_limit_mb=200))


def test_start_errors_name_the_likely_cause(tmp_path: Path) -> None:
    counter = tmp_path / "deaths"
    counter.write_text("9")
    cases = [
        (settings(f"die_first={counter}"), "LEAN_PATH"),
        (settings("never_ready=1", ready_timeout=0.3), "prover.ready_timeout"),
        (settings().model_copy(update={"command": ["/nowhere/repl"]}), "not an executable"),
    ]

    async def start(prover: ProverSettings) -> None:
        await ReplClient.start(prover)

    known = children()
    for prover, words in cases:
        with pytest.raises(UserError, match=words):
            asyncio.run(start(prover))
    assert children() <= known


def test_old_versions_are_refused_and_the_version_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def version(text: str) -> tuple[int, int, int]:
        return await client_module.check_version([sys.executable, str(FAKE), "--version"], {"FAKE_VERSION": text}, None)

    monkeypatch.setattr(client_module, "_versions", {})
    with pytest.raises(StartError, match=r"0\.3\.1 or newer"):
        asyncio.run(version("0.3.0"))
    assert asyncio.run(version("0.3.4")) == (0, 3, 4)
    assert asyncio.run(version("0.2.0")) == (0, 3, 4), "asked again"


def test_a_dead_client_refuses_requests() -> None:
    async def main() -> None:
        client = await ReplClient.start(settings())
        assert (await client.request("stat", {}, 300))["timeout"] == 100_000
        await client.kill()
        with pytest.raises(WorkerCrash):
            await client.request("stat", {}, 300)
        await client.close()

    asyncio.run(main())


def test_the_one_timer_keeps_each_requests_own_limit() -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        client = await ReplClient.start(settings())
        waiting = {"stateId": (await client.request("goal.start", {"expr": "a"}, 500))["stateId"], "tactic": "wait 0.2"}
        assert client._timer is not None and client._timer.when() <= loop.time() + 500

        async def ask(limit: float) -> asyncio.Task[dict[str, Any]]:
            task = asyncio.create_task(client.request("goal.tactic", waiting, limit))
            await asyncio.sleep(0)
            return task

        task = await ask(400)  # sooner than what the timer was set for
        assert client._timer.when() <= loop.time() + 400
        assert "nextStateId" in await task
        task = await ask(600)  # later than what it was set for: when it rings it is set again
        assert client._timer.when() <= loop.time() + 400
        client._timer.cancel()
        client._expire()
        assert client._timer.when() > loop.time() + 400
        assert "nextStateId" in await task
        client._expire()  # it rings between two requests
        assert client._timer is None and not client.dead
        with pytest.raises(WorkerTimeout):
            await (await ask(0.05))
        assert client.dead and client._timer is None

    known = children()
    asyncio.run(main())
    assert children() <= known


def test_a_cancelled_request_does_not_poison_the_next() -> None:
    async def body(pool: LeanPool) -> None:
        session = await pool.open(GOAL)
        task = asyncio.create_task(session.apply(0, "wait 0.1"))
        await asyncio.sleep(0.03)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await session.apply(0, "push b")).text == "⊢ b\n\n⊢ a"

    run(body, settings())
