"""What the worker pool and the sandbox cost: per worker start and per tactic.

Run as: python benchmarks/lean_pool.py [--tactics N] [--starts N]

The same tactics of a scripted process (kind `pantograph`) go through a bare pipe (write a line, read
a line, nothing parsed) and through the pool; the difference is the overhead. CPU seconds of this
process tell it most cleanly. Tactics are timed in groups of 200 and the fastest group counts, as in
`timeit`: what a busy machine adds is no cost of the pool. The exit status is 1 when pool and
protocol cost more than 150 microseconds of CPU per tactic above the bare pipe.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

from burnqed.config import ProverSettings
from burnqed.prover.client import ReplClient
from burnqed.prover.commands import prover_command
from burnqed.prover.pool import LeanPool
from burnqed.prover.sandbox import Sandbox, limits_for, probe
from burnqed.records.theorems import Theorem

PROCESS = Path(__file__).resolve().parents[1] / "tests" / "unit" / "lean_fake_repl.py"
STATEMENT = "goal"
TACTIC = "push a"
GROUP = 200
LIMIT_US = 150


class Stopwatch:
    """The least wall and own CPU microseconds per tactic of any group of tactics."""

    def __init__(self) -> None:
        self.wall = self.cpu = float("inf")
        self.count = 0
        self.start = (time.perf_counter(), time.process_time())

    def tick(self) -> None:
        """Count one tactic."""
        self.count += 1
        if self.count % GROUP == 0:
            now = (time.perf_counter(), time.process_time())
            self.wall = min(self.wall, (now[0] - self.start[0]) / GROUP * 1e6)
            self.cpu = min(self.cpu, (now[1] - self.start[1]) / GROUP * 1e6)
            self.start = (time.perf_counter(), time.process_time())


def settings(mode: str, recycle: int = 10**9) -> ProverSettings:
    """Settings of one scripted process, which answers at once, in a sandbox mode."""
    command = [sys.executable, str(PROCESS)]
    values = {"kind": "pantograph", "command": command, "workers": 1, "sandbox": mode, "recycle_requests": recycle}
    return ProverSettings.model_validate(values)


def bare(count: int, mode: str) -> tuple[float, float]:
    """Return (wall, own CPU) microseconds per tactic over a plain pipe."""
    prover = settings(mode)
    argv, environment, folder = prover_command(prover)
    argv = Sandbox(mode, limits_for(prover)).wrap(argv, environment, folder)
    process = subprocess.Popen(
        argv, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert process.stdin is not None
    assert process.stdout is not None

    def ask(line: str) -> bytes:
        process.stdin.write(line.encode())  # type: ignore[union-attr]
        process.stdin.flush()  # type: ignore[union-attr]
        return process.stdout.readline()  # type: ignore[union-attr]

    process.stdout.readline()
    ask(f"goal.start {json.dumps({'expr': STATEMENT})}\n")
    line = f"goal.tactic {json.dumps({'stateId': 0, 'tactic': TACTIC})}\n"
    states: list[int] = []
    watch = Stopwatch()
    for number in range(count):
        ask(line)
        states.append(number + 1)
        if len(states) == 64:
            ask(f"goal.delete {json.dumps({'stateIds': states})}\n")
            states.clear()
        watch.tick()
    process.stdin.close()
    process.wait()
    process.stdout.close()
    return watch.wall, watch.cpu


async def pooled(count: int, mode: str) -> tuple[float, float]:
    """Return (wall, own CPU) microseconds per tactic through the pool."""
    async with LeanPool(settings(mode)) as pool:
        session = await pool.open(Theorem("t", STATEMENT))
        watch = Stopwatch()
        for _ in range(count):
            step = await session.apply(0, TACTIC)
            assert step.state is not None, step.message
            session.drop([step.state])
            watch.tick()
        return watch.wall, watch.cpu


def children_cpu() -> float:
    """Return the CPU seconds of all processes that this one has waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


async def starts(count: int, mode: str) -> tuple[float, float]:
    """Return the least wall and CPU milliseconds from nothing to ready (and to a clean end)."""
    wall = cpu = float("inf")
    for _ in range(count):
        started, before = time.perf_counter(), children_cpu()
        client = await ReplClient.start(settings(mode))
        wall = min(wall, (time.perf_counter() - started) * 1000)
        client._stdin.write(b"\n")  # a killed process's children are not in the count
        await asyncio.wait_for(asyncio.shield(client._pipes.closed), 60)
        await client.kill()
        cpu = min(cpu, (children_cpu() - before) * 1000)
    return wall, cpu


async def alone(count: int) -> float:
    """Return CPU microseconds per tactic of pool and protocol when the answer is there at once.

    The real answer of a prover is given back by this process itself: no pipe, no other process, so
    that what a busy machine adds to those is not in the figure. Encoding that answer is, too.
    """
    async with LeanPool(settings("off")) as pool:
        session = await pool.open(Theorem("t", STATEMENT))
        client = session._worker.life.client
        assert client is not None
        answer = await client.request("goal.tactic", {"stateId": 0, "tactic": TACTIC}, 10)
        loop, real = asyncio.get_running_loop(), client._stdin

        class Echo:
            """Stands for the process's standard input."""

            def write(self, data: bytes) -> None:
                answer["nextStateId"] += 1
                reply = answer if data.startswith(b"goal.tactic") else {}
                line = (json.dumps(reply, ensure_ascii=False) + "\n").encode()
                loop.call_soon(client._pipes.received, line)

        client._stdin = Echo()
        watch = Stopwatch()
        for _ in range(count):
            step = await session.apply(0, TACTIC)
            assert step.state is not None, step.message
            session.drop([step.state])
            watch.tick()
        client._stdin = real
        return watch.cpu


def main() -> int:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tactics", type=int, default=5000)
    parser.add_argument("--starts", type=int, default=10)
    args = parser.parse_args()
    print(f"pool and protocol without a process: {asyncio.run(alone(args.tactics)):.0f} us of CPU per tactic")
    print(
        f"{'sandbox':<12} {'start ms':>9} {'start cpu':>10} {'bare us':>9} {'pool us':>9} {'bare cpu us':>12} {'pool cpu us':>12}"
    )
    worst = 0.0
    for mode in ("off", "namespaces", "bubblewrap"):
        reason = probe(mode)
        if reason is not None:
            print(f"{mode:<12} not here: {reason}")
            continue
        start, start_cpu = asyncio.run(starts(args.starts, mode))
        bare_wall, bare_cpu = bare(args.tactics, mode)
        pool_wall, pool_cpu = asyncio.run(pooled(args.tactics, mode))
        print(
            f"{mode:<12} {start:>9.1f} {start_cpu:>10.1f} {bare_wall:>9.1f} {pool_wall:>9.1f} {bare_cpu:>12.1f} {pool_cpu:>12.1f}"
        )
        worst = max(worst, pool_cpu - bare_cpu)
    print(f"pool and protocol: {worst:.0f} us of CPU per tactic above the bare pipe (limit {LIMIT_US})")
    return int(worst > LIMIT_US)


if __name__ == "__main__":
    sys.exit(main())
