"""A hundred thousand tactics through one pool of real Lean: memory must stay flat, and killed workers must cost one tactic.

Run as: python benchmarks/lean_endurance.py [--requests N] [--kill-every N]

Sessions over the corpus's theorems try the theorem's own tactics and those of others, drop what they do not need,
and close. Workers are never recycled here unless asked, so that a leak shows. Memory is the anonymous resident
memory of the workers and of this process, sampled twenty times; the exit status is 1 when the last quarter's
mean exceeds the second quarter's by more than 10 %, when a theorem is lost, or when a process is left behind.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import random
import signal
import sys
import time
from collections import Counter
from pathlib import Path

from burnqed.config import ProverSettings
from burnqed.data.corpus.generate import generate
from burnqed.prover.jail.processes import held_bytes
from burnqed.prover.pool import LeanPool, Outcome, ProofSession
from burnqed.records.theorems import Theorem


def own_bytes() -> int:
    """Return this process's own anonymous resident memory."""
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) << 10
    return 0


def children() -> list[int]:
    """Return this process's children, zombies included."""
    text = Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="utf-8")
    return [int(word) for word in text.split()]


async def play(
    session: ProofSession, proof: list[str], tactics: list[str], rng: random.Random, count: Counter[str]
) -> None:
    """Follow the theorem's own proof, with random ``tactics`` aside; a crash is tried once more."""
    state, kept = 0, []
    for tactic in proof:
        for _ in range(6):
            step = await session.apply(state, rng.choice(tactics))
            count[f"random {step.outcome.value}"] += 1
            if step.state is not None:
                kept.append(step.state)
        step = await session.apply(state, tactic)
        if step.outcome in (Outcome.CRASH, Outcome.TIMEOUT):
            count["own tactics tried again"] += 1
            step = await session.apply(state, tactic)
        if step.state is None:
            break
        state = step.state
        if len(kept) > 10:
            session.drop(kept[:8])
            del kept[:8]
    count["theorems proved" if step.outcome is Outcome.PROVED else "theorems lost"] += 1


async def endure(requests: int, kill_every: int, workers: int, recycle: int) -> int:
    rng = random.Random(0)
    theorems = generate(0, 600)
    tactics = sorted({tactic for theorem in theorems for tactic in theorem.proof})
    prover = ProverSettings(
        kind="lean", imports=[], workers=workers, recycle_requests=recycle, ready_timeout=60, max_heartbeats=2000
    )
    count: Counter[str] = Counter()
    samples: list[tuple[int, int]] = []
    started, last_kill = time.perf_counter(), 0
    async with LeanPool(prover) as pool:
        while (done := sum(n for name, n in count.items() if name.startswith("random "))) < requests:
            if kill_every and done - last_kill >= kill_every:
                last_kill = done
                os.killpg(rng.choice(children()), signal.SIGKILL)
                count["workers killed"] += 1
            chosen = [rng.choice(theorems) for _ in range(2 * workers)]
            sessions = await asyncio.gather(*(pool.open(Theorem(t.name, t.statement, t.header)) for t in chosen))
            games = zip(sessions, chosen, strict=True)
            await asyncio.gather(*(play(s, t.proof, tactics, random.Random(rng.random()), count) for s, t in games))
            for session in sessions:
                await session.close()
            if done >= requests * len(samples) / 20:
                gc.collect()
                samples.append((sum(held_bytes(pid) for pid in children()), own_bytes()))
                print(
                    f"{done:>9,} requests: workers {samples[-1][0] / 1e6:7.1f} MB, own {samples[-1][1] / 1e6:7.1f} MB"
                )
    seconds = time.perf_counter() - started
    for name, number in sorted(count.items()):
        print(f"{name:<26} {number:>9,}")
    print(f"{seconds:.0f} s, {done / seconds:,.0f} random tactics/s; children left: {len(children())}")
    n = len(samples)
    failed = bool(children()) or count["theorems lost"] > 0
    for kind, who in enumerate(("workers", "own")):
        early = [s[kind] for s in samples[n // 4 : n // 2]]
        late = [s[kind] for s in samples[3 * n // 4 :]]
        growth = (sum(late) / len(late)) / (sum(early) / len(early)) - 1
        failed = failed or growth > 0.10
        print(f"growth of {who} from the second to the last quarter: {growth:+.1%}")
    return int(failed)


def main() -> int:
    """Run and judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--kill-every", type=int, default=0, help="kill a worker after so many requests; 0 = never")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--recycle", type=int, default=10**9, help="requests after which a worker is replaced")
    args = parser.parse_args()
    return asyncio.run(endure(args.requests, args.kill_every, args.workers, args.recycle))


if __name__ == "__main__":
    sys.exit(main())
