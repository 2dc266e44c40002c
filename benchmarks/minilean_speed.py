"""How fast minilean is on one core: simple tactics, whole proofs of the corpus, start-up, corpus generation.

Run as: python benchmarks/minilean_speed.py [--seconds S] [--profile]

CPU seconds of this process, so that other work on the machine counts little, with the garbage collector as the
REPL sets it (one line tells what proofs take without that). Aims: 2,000 simple tactics/s,
300 proofs/s, 5,000 theorems in a minute, 0.1 s to `ready.`.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable

from burnqed.lean.commands import minilean_command
from burnqed.minilean.corpus import generate
from burnqed.minilean.engine import Engine
from burnqed.minilean.repl import Repl, collect_seldom

SIMPLE = [
    ("∀ (p q : Prop), p ∧ q → q ∧ p", ["intro p q h"]),
    ("∀ (p q : Prop), p ∧ q → q ∧ p", ["intro p q h", "cases h"]),
    ("∀ (p q : Prop), p ∧ q → q ∧ p", ["intro p q h", "constructor"]),
    ("∀ (p q : Prop), p ∧ q → q ∧ p", ["intro p q h", "exact ⟨h.2, h.1⟩"]),
    ("∀ (p q : Prop), p → p ∨ q", ["intro p q h", "left"]),
    ("∀ (a b c : Nat), a = b → b = c → a = c", ["intro a b c h1 h2", "rw [h1]"]),
    ("∀ (a b c : Nat), a ≤ b → b < c → a < c", ["intro a b c h1 h2", "apply Nat.lt_of_le_of_lt h1"]),
    ("∀ (n : Nat), 0 + n = n", ["intro n", "induction n"]),
    ("∀ (p q : Prop), (p → q) → p → q", ["intro p q h hp", "apply h"]),
    ("∀ (p q : Prop), p → q → p", ["intro p q hp hq", "assumption"]),
]


def rate(body: Callable[[], int], seconds: float) -> float:
    """Return units per CPU second of `body`, which returns how many it did."""
    done, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        done += body()
    return done / spent


def simple_tactics(engine: Engine) -> Callable[[], int]:
    states = []
    for statement, tactics in SIMPLE:
        state = engine.start(statement)
        for tactic in tactics[:-1]:
            state = engine.step(state, tactic)
        states.append((state, tactics[-1]))

    def body() -> int:
        for state, tactic in states:
            engine.step(state, tactic)
        return len(states)

    return body


def corpus_proofs(engine: Engine, size: int) -> tuple[Callable[[], int], int]:
    theorems = [t for t in generate(1, size) if t.proof]
    random.Random(0).shuffle(theorems)
    turn = iter(range(10**9))

    def body() -> int:
        for _ in range(20):
            theorem = theorems[next(turn) % len(theorems)]
            state = engine.start(theorem.statement)
            for tactic in theorem.proof:
                state = engine.step(state, tactic)
            assert not state.goals and not state.sorry, theorem.name
        return 20

    return body, len(theorems)


def protocol_tactics() -> Callable[[], int]:
    repl = Repl()
    repl.handle('goal.start {"expr": "∀ (p q : Prop), p ∧ q → q ∧ p"}')
    numbers = iter(range(1, 10**9))

    def body() -> int:
        for _ in range(20):
            repl.handle('goal.tactic {"stateId": 0, "tactic": "intro p q h"}')
        repl.handle('goal.delete {"stateIds": [' + ", ".join(str(next(numbers)) for _ in range(20)) + "]}")
        return 20

    return body


def start_up(times: int) -> tuple[float, float]:
    """Return the best (wall, CPU) milliseconds from nothing to `ready.`."""
    argv, environment, _ = minilean_command()
    walls, cpus = [], []
    for _ in range(times):
        before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        process = subprocess.Popen(argv, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert process.stdout is not None and process.stdin is not None
        assert process.stdout.readline() == b"ready.\n"
        walls.append(time.perf_counter() - begun)
        process.stdin.close()
        process.wait()
        process.stdout.close()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpus.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(walls) * 1000, min(cpus) * 1000


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3.0, help="CPU seconds per measurement")
    parser.add_argument("--size", type=int, default=5000, help="theorems of the generated corpus")
    parser.add_argument("--profile", action="store_true", help="print where the corpus's proofs spend their time")
    args = parser.parse_args()
    begun = time.process_time()
    proofs, count = corpus_proofs(engine := Engine(), args.size)
    made = time.process_time() - begun
    if args.profile:
        with cProfile.Profile() as profile:
            rate(proofs, args.seconds)
        pstats.Stats(profile).sort_stats("tottime").print_stats(25)
        return 0
    print(f"corpus of {args.size:,} theorems        {made:10.1f} s, {count:,} with proofs")
    rate(proofs, 0.5)
    plain = rate(proofs, args.seconds)
    collect_seldom()  # as the process that serves the protocol does
    print(f"simple tactics in process     {rate(simple_tactics(engine), args.seconds):10,.0f} per CPU second")
    print(f"simple tactics by protocol    {rate(protocol_tactics(), args.seconds):10,.0f} per CPU second")
    print(f"proofs of the corpus          {rate(proofs, args.seconds):10,.0f} per CPU second")
    print(f"  with Python's own gc        {plain:10,.0f} per CPU second")
    wall, cpu = start_up(7)
    print(f"start to ready                {wall:10.0f} ms wall, {cpu:.0f} ms CPU ({os.cpu_count()} cores)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
