"""What the worker pool and the sandbox cost: per worker start and per tactic.

Run as: python benchmarks/lean_pool.py [--tactics N] [--starts N]

The same tactics go through a bare pipe (write a line, read a line, nothing parsed) and through the
pool; the difference is the overhead. CPU seconds of this process tell it most cleanly.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import time

from burnqed.config import ProverSettings
from burnqed.data.theorems import Theorem
from burnqed.lean.client import ReplClient
from burnqed.lean.commands import prover_command
from burnqed.lean.pool import LeanPool
from burnqed.lean.sandbox import Sandbox, limits_for, probe

STATEMENT = "∀ (p q r : Prop), p ∧ q → q ∧ p"
TACTIC = "intro p q r h"


def settings(mode: str, recycle: int = 10**9) -> ProverSettings:
    """Settings of one embedded prover in a sandbox mode."""
    values = {"kind": "minilean", "workers": 1, "sandbox": mode, "recycle_requests": recycle}
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
    wall, cpu = time.perf_counter(), time.process_time()
    for number in range(count):
        ask(line)
        states.append(number + 1)
        if len(states) == 64:
            ask(f"goal.delete {json.dumps({'stateIds': states})}\n")
            states.clear()
    result = ((time.perf_counter() - wall) / count * 1e6, (time.process_time() - cpu) / count * 1e6)
    process.stdin.close()
    process.wait()
    process.stdout.close()
    return result


async def pooled(count: int, mode: str) -> tuple[float, float]:
    """Return (wall, own CPU) microseconds per tactic through the pool."""
    async with LeanPool(settings(mode)) as pool:
        session = await pool.open(Theorem("t", STATEMENT))
        wall, cpu = time.perf_counter(), time.process_time()
        for _ in range(count):
            step = await session.apply(0, TACTIC)
            assert step.state is not None, step.message
            session.drop([step.state])
        return (time.perf_counter() - wall) / count * 1e6, (time.process_time() - cpu) / count * 1e6


async def starts(count: int, mode: str) -> float:
    """Return the median milliseconds from nothing to ready."""
    times = []
    for _ in range(count):
        started = time.perf_counter()
        client = await ReplClient.start(settings(mode))
        times.append((time.perf_counter() - started) * 1000)
        await client.kill()
    return statistics.median(times)


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tactics", type=int, default=5000)
    parser.add_argument("--starts", type=int, default=10)
    args = parser.parse_args()
    print(f"{'sandbox':<12} {'start ms':>9} {'bare us':>9} {'pool us':>9} {'bare cpu us':>12} {'pool cpu us':>12}")
    for mode in ("off", "namespaces", "bubblewrap"):
        reason = probe(mode)
        if reason is not None:
            print(f"{mode:<12} not here: {reason}")
            continue
        start = asyncio.run(starts(args.starts, mode))
        bare_wall, bare_cpu = bare(args.tactics, mode)
        pool_wall, pool_cpu = asyncio.run(pooled(args.tactics, mode))
        print(f"{mode:<12} {start:>9.1f} {bare_wall:>9.1f} {pool_wall:>9.1f} {bare_cpu:>12.1f} {pool_cpu:>12.1f}")


if __name__ == "__main__":
    main()
