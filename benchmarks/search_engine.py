"""Measure the search engine on a simulated policy and simulated Lean.

Compares, in one run and on the same theorems, (a) one theorem at a time, (b) all theorems in flight
but each policy request run on its own, (c) all in flight with merged requests, which is what the
engine does with its back-ends. Reports the share of time the policy is busy, theorems per second,
and the engine's own cost per tactic and memory per open theorem (measured without any latency).

Run as: python benchmarks/search_engine.py --help
"""

import argparse
import asyncio
import json
import math
import random
import resource
import statistics
import sys
import time
import tracemalloc
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from burnqed.records.theorems import Theorem
from burnqed.search.engine import TheoremSearch
from burnqed.search.frontier import Ranking
from burnqed.search.plan import SearchPlan
from burnqed.search.scheduler import run_jobs


@dataclass(frozen=True)
class Tactic:
    tactic: str
    logprob: float


@dataclass(frozen=True)
class Result:
    outcome: str
    state: int | None
    text: str
    message: str = ""
    elapsed_ms: float = 0.0


class Policy:
    """A policy whose calls take ``base`` + ``per_state`` seconds, up to ``max_batch`` states at once."""

    def __init__(self, base: float, per_state: float, max_batch: int, merge: bool) -> None:
        self.base, self.per_state, self.max_batch, self.merge = base, per_state, max_batch, merge
        self.busy_seconds = 0.0
        self.calls = self.states = 0
        self.waiting: deque[tuple[Sequence[str], int, Sequence[int], asyncio.Future[list[list[Tactic]]]]] = deque()
        self.worker: asyncio.Task[None] | None = None

    async def generate(
        self, states: Sequence[str], n: int, temperature: float, seeds: Sequence[int]
    ) -> list[list[Tactic]]:
        if not self.base:
            return [propose(seed, n) for seed in seeds]
        answer: asyncio.Future[list[list[Tactic]]] = asyncio.get_running_loop().create_future()
        self.waiting.append((states, n, seeds, answer))
        if self.worker is None or self.worker.done():
            self.worker = asyncio.create_task(self.work())
        return await answer

    async def work(self) -> None:
        await asyncio.sleep(0)
        while self.waiting:
            batch = [self.waiting.popleft()]
            size = len(batch[0][0])
            while self.merge and self.waiting and size + len(self.waiting[0][0]) <= self.max_batch:
                batch.append(self.waiting.popleft())
                size += len(batch[-1][0])
            start = time.perf_counter()
            await asyncio.sleep(self.base + self.per_state * size)
            self.busy_seconds += time.perf_counter() - start
            self.calls += 1
            self.states += size
            for _, n, seeds, answer in batch:
                answer.set_result([propose(seed, n) for seed in seeds])


def propose(seed: int, n: int) -> list[Tactic]:
    chance = random.Random(seed)
    return [Tactic(f"exact h{number}_{seed % 9973}", -chance.random() * 8) for number in range(n)]


def latency(chance: random.Random, scale: float) -> float:
    """Seconds of one tactic: log-normal, median 20 ms, 95th percentile 289 ms, at most 500 ms."""
    sigma = math.log(289 / 20) / 1.645
    return min(0.5, 0.020 * math.exp(sigma * chance.gauss(0, 1))) * scale


class Lean:
    """Workers that serve one tactic at a time; 30 % of the tactics pass, as in published runs."""

    def __init__(self, workers: int, scale: float) -> None:
        self.slots = asyncio.Semaphore(workers)
        self.scale = scale


class Session:
    root = 0

    def __init__(self, lean: Lean, theorem: Theorem) -> None:
        self.lean, self.name = lean, theorem.name
        self.root_text = f"x y : ℕ\nh : x < y\n⊢ {theorem.statement} < y + {len(theorem.name)}"
        self.made = 0

    async def apply_many(self, state: int, tactics: Sequence[str]) -> list[Result]:
        return [await self.apply(state, tactic) for tactic in tactics]

    async def apply(self, state: int, tactic: str) -> Result:
        chance = random.Random(f"{self.name} {state} {tactic}")
        if self.lean.scale:
            async with self.lean.slots:
                await asyncio.sleep(latency(chance, self.lean.scale))
        if chance.random() > 0.3:
            return Result("error", None, "", "unknown identifier 'h7'")
        self.made += 1
        return Result("ok", self.made, f"{self.root_text}\n{chance.random()}")

    def drop(self, states: Iterable[int]) -> None:
        pass


PLAN = SearchPlan("main", 0, 0, expansions=20, candidates=8, temperature=1.0, ranking=Ranking(), batch_expansions=2)


async def search_all(
    theorems: int, concurrency: int, policy: Policy, lean: Lean, plan: SearchPlan = PLAN
) -> tuple[float, int]:
    """Return wall seconds and tactics tried."""
    tactics = 0

    async def one(number: int) -> None:
        nonlocal tactics
        theorem = Theorem(f"theorem_{number}", "x")
        record = await TheoremSearch(theorem, 0, Session(lean, theorem), policy, None, plan).run()
        tactics += record.result.tactics

    start = time.perf_counter()
    await run_jobs(range(theorems), one, concurrency, lambda: False)
    return time.perf_counter() - start, tactics


def latency_run(name: str, theorems: int, concurrency: int, merge: bool, args: argparse.Namespace) -> dict[str, object]:
    policy = Policy(args.policy_base, args.policy_per_state, args.max_batch, merge)
    plan = replace(PLAN, expansions=args.expansions)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    wall, tactics = asyncio.run(search_all(theorems, concurrency, policy, Lean(args.workers, args.scale), plan))
    return {
        "run": name,
        "theorems": theorems,
        "theorems_per_second": round(theorems / wall, 2),
        "policy_busy": round(policy.busy_seconds / wall, 3),
        "states_per_call": round(policy.states / policy.calls, 1),
        "tactics": tactics,
        "tactics_per_second": round(tactics / wall, 1),
        "peak_memory_growth_mb": round((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024, 1),
    }


def overhead_run(theorems: int) -> dict[str, object]:
    """Measure the engine's own CPU time: policy and prover answer at once, and their cost is subtracted."""
    costs = []
    for _ in range(3):
        start = time.process_time()
        _, tactics = asyncio.run(search_all(theorems, 64, Policy(0, 0, 1, True), Lean(1, 0.0)))
        middle = time.process_time()
        for seed in range(tactics // PLAN.candidates):
            propose(seed, PLAN.candidates)
        for number in range(tactics):
            random.Random(f"theorem_1 {number} exact h1_{number}").random()
        costs.append((middle - start - (time.process_time() - middle)) / tactics * 1e6)
    return {
        "run": "overhead",
        "theorems": theorems,
        "tactics": tactics,
        "microseconds_per_tactic": round(statistics.median(costs), 1),
    }


def memory_run(theorems: int, concurrency: int) -> dict[str, object]:
    tracemalloc.start()
    asyncio.run(search_all(theorems, concurrency, Policy(0, 0, 1, True), Lean(1, 0.0)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return {
        "run": "memory",
        "theorems": theorems,
        "concurrency": concurrency,
        "kilobytes_per_open_theorem": round(peak / concurrency / 1024, 1),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--theorems", type=int, default=400, help="theorems of the merged run (default: 400)")
    parser.add_argument("--concurrency", type=int, default=64, help="theorems in flight (default: 64)")
    parser.add_argument("--expansions", type=int, default=20, help="states expanded per theorem (default: 20)")
    parser.add_argument("--workers", type=int, default=64, help="Lean workers (default: 64)")
    parser.add_argument(
        "--scale", type=float, default=0.2, help="factor on Lean's latencies, to keep the run short (default: 0.2)"
    )
    parser.add_argument("--policy-base", type=float, default=0.02, help="seconds of one policy call (default: 0.02)")
    parser.add_argument(
        "--policy-per-state", type=float, default=0.0015, help="seconds per state of it (default: 0.0015)"
    )
    parser.add_argument("--max-batch", type=int, default=32, help="states per policy call at most (default: 32)")
    parser.add_argument(
        "--overhead-theorems", type=int, default=150, help="theorems of the overhead run (default: 150)"
    )
    parser.add_argument("--output", type=Path, help="also write the figures as JSON")
    args = parser.parse_args()
    rows = [
        latency_run("one at a time", max(4, args.theorems // 50), 1, True, args),
        latency_run("in flight, not merged", max(16, args.theorems // 8), args.concurrency, False, args),
        latency_run("in flight, merged", args.theorems, args.concurrency, True, args),
        overhead_run(args.overhead_theorems),
        memory_run(200, 10),
        memory_run(200, 50),
    ]
    for row in rows:
        print(", ".join(f"{key} {value}" for key, value in row.items()))
    if args.output:
        args.output.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
