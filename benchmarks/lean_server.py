"""Tactics per second of the prover kind `lean` on the rehearsal's theorems: one by one, together, and by files.

Run as: python benchmarks/lean_server.py [--theorems N] [--seed S]

At each state of a corpus proof its own tactic and seven others (drawn from the corpus, and probes) are tried through
the pool, one worker: by an edit for each tactic, then again by one edit for all of a state's; then all as
declarations of files, 32 states a file, through `lean --json`. All must agree on every verdict and goal. CPU seconds
are the figure, since a busy machine stretches wall time; `ours alone` is the CPU time of pool and protocol when the
server's recorded answers are there at once. The exit status is 1 when the ways disagree or a target is missed: 300
tactics per CPU second of Lean, 0.3 ms of our own per tactic, and an appended tactic within 10 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from burnqed.config import ProverSettings
from burnqed.data.corpus.draft import CorpusTheorem
from burnqed.data.corpus.generate import generate
from burnqed.prover.jail.processes import descendants, held_bytes
from burnqed.prover.lean import LeanLife
from burnqed.prover.lean_document import NAME, Frame, body_lines, goals_text
from burnqed.prover.lean_server import LeanServer
from burnqed.prover.pool import LeanPool, Outcome, StepResult
from burnqed.prover.toolchain import find_lean
from burnqed.records.theorems import Theorem

PROBES = ("constructor", "simp", "omega")
DRAWN = 4  # tactics of other theorems at each state
NODES_A_FILE = 32
TARGET_RATE, TARGET_OWN_MS, TARGET_MS = 300, 0.3, 10


@dataclass
class Visit:
    """A state, by its theorem and path, with the tactics tried there and what the pool said."""

    theorem: Theorem
    path: list[str]
    tactics: list[str]
    answers: list[StepResult] = field(default_factory=list)


def cpu_seconds(pid: int) -> float:
    """Return the CPU seconds of a process and all below it."""
    total = 0
    for each in (pid, *descendants(pid)):
        fields = Path(f"/proc/{each}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


def settings() -> ProverSettings:
    """Settings of one worker that is never replaced."""
    return ProverSettings(
        kind="lean", imports=[], workers=1, recycle_requests=10**9, max_heartbeats=4000, tactic_timeout=120
    )


async def visit(
    pool: LeanPool, theorem: CorpusTheorem, tactics: Sequence[str], rng: random.Random, together: bool
) -> list[Visit]:
    """Follow a theorem's proof, trying others at each state; return the states."""
    found: list[Visit] = []
    subject = Theorem(theorem.name, theorem.statement, theorem.header)
    session = await pool.open(subject)
    state = session.root
    for depth, tactic in enumerate(theorem.proof):
        tried = [*dict.fromkeys([*PROBES, *rng.sample(tactics, DRAWN), tactic])]
        if together:
            answers = await session.apply_many(state, tried)
        else:
            answers = [await session.apply(state, tactic) for tactic in tried]
        found.append(Visit(subject, list(theorem.proof[:depth]), tried, answers))
        own = answers[tried.index(tactic)]
        if own.outcome is not Outcome.OK or own.state is None:
            break
        session.drop([a.state for a in answers if a.state is not None and a is not own])
        state = own.state
    await session.close()
    return found


async def edits(theorems: Sequence[CorpusTheorem], seed: int, together: bool) -> tuple[list[Visit], float, float]:
    """Try all by edits and print the figures; return the states, the rate and the least time of a tactic (ms)."""
    rng = random.Random(seed)
    tactics = sorted({tactic for theorem in theorems for tactic in theorem.proof})
    pool = LeanPool(settings())
    pool._cores = pool._cores[-1:]  # the worker has a core of its own, as in a pool with one for each
    async with pool:
        await visit(pool, theorems[0], tactics, random.Random(0), together)
        life = pool._workers[0].life
        assert life is not None
        began, own, lean, memory = time.perf_counter(), time.process_time(), cpu_seconds(life.pid), held_bytes(life.pid)
        visits = [v for theorem in theorems for v in await visit(pool, theorem, tactics, rng, together)]
        wall, own = time.perf_counter() - began, time.process_time() - own
        lean = cpu_seconds(life.pid) - lean
        now = held_bytes(life.pid)
    answers = [answer for v in visits for answer in v.answers]
    warm = [answer.elapsed_ms for v in visits for answer in v.answers[1:]]
    count = len(answers)
    print(
        f"{'together' if together else 'one by one'}: {count:,} tactics at {len(visits):,} states: {dict(Counter(a.outcome.value for a in answers))}"
    )
    print(f"  Lean {lean / count * 1000:.2f} ms of CPU each: {count / lean:.0f} per CPU second of Lean")
    print(f"  ours {own / count * 1000:.3f} ms of CPU each; wall {count / wall:.0f} per second, one worker")
    if not together:
        tenths = statistics.quantiles(warm, n=20)
        print(f"  appended tactic, wall: least {min(warm):.1f}, p50 {tenths[9]:.1f}, p90 {tenths[17]:.1f} ms")
    print(f"  memory of the worker: {memory / 1e6:.0f} -> {now / 1e6:.0f} MB")
    return visits, count / lean, min(warm)


def batch_file(visits: Sequence[Visit]) -> tuple[str, list[tuple[int, int]]]:
    """Return a file that tries every tactic of some states as a declaration, and the lines of each."""
    lines: list[str] = []
    places = []
    header = None
    for each in visits:
        frame = Frame.of(each.theorem, ())
        if each.theorem.header != header:
            header = each.theorem.header
            lines += header.split("\n")
        for tactic in each.tactics:
            first = len(lines)
            lines += [*frame.lines[frame.first :], *body_lines([*each.path, tactic])]
            lines[first] = lines[first].replace(NAME, f"c{len(places)}", 1)
            places.append((first, len(lines)))
    return "\n".join(lines) + "\n", places


def file_verdict(messages: Sequence[dict[str, object]]) -> tuple[str, str]:
    """Return (outcome, goals) from the messages within one declaration."""
    errors = [str(m["data"]) for m in messages if m["severity"] == "error"]
    if not errors:
        return ("error", "") if any("sorry" in str(m["data"]) for m in messages) else ("proved", "")
    if len(errors) == 1 and errors[0].startswith("unsolved goals\n"):
        return "ok", goals_text(errors[0])[0]
    return "error", ""


def batch(visits: Sequence[Visit]) -> int:
    """Try all by files and print the figures; return the number of answers that differ from those by edits."""
    lean = find_lean(settings())
    environment = {**os.environ, **dict(lean.environment)}
    before, began, count, different = os.times(), time.perf_counter(), 0, 0
    by_header = sorted(visits, key=lambda each: each.theorem.header)
    for start in range(0, len(visits), NODES_A_FILE):
        group = by_header[start : start + NODES_A_FILE]
        text, places = batch_file(group)
        with tempfile.NamedTemporaryFile("w", suffix=".lean", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            command = [
                *lean.lean,
                "--json",
                "-DmaxHeartbeats=4000",
                "-DmaxErrors=1000000",
                "-DElab.async=false",
                file.name,
            ]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        messages = [json.loads(line) for line in done.stdout.splitlines()]
        answers = [answer for each in group for answer in each.answers]
        for answer, (first, end) in zip(answers, places, strict=True):
            found = file_verdict([m for m in messages if first < m["pos"]["line"] <= end])
            wanted = ("error" if answer.outcome is Outcome.TIMEOUT else answer.outcome.value, answer.text)
            count += 1
            if found != wanted:
                different += 1
                if different <= 10:
                    print(f"  DIFFERENT: edits {wanted}, file {found}: {answer.message[:100]!r}")
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    print(f"files: {count:,} tactics, {NODES_A_FILE} states a file: Lean {used / count * 1000:.2f} ms of CPU each, "
          f"wall {count / (time.perf_counter() - began):.0f} per second; {different} answers differ")  # fmt: skip
    return different


class Echo:
    """Stands for the server's standard input: gives a recorded answer back, under the present numbers."""

    def __init__(self, server: LeanServer, recorded: bytes) -> None:
        self.server, self.loop = server, asyncio.get_running_loop()
        self.bodies: list[str] = []
        self.request, self.version = server.requests, server.version
        while recorded:
            head, _, rest = recorded.partition(b"\r\n\r\n")
            length = int(head.split(b":")[1])
            self.bodies.append(rest[:length].decode())
            recorded = rest[length:]

    def write(self, data: bytes) -> None:
        answer = b""
        for body in self.bodies:
            text = body.replace(f'"version":{self.version}', f'"version":{self.server.version}')
            raw = text.replace(f'{{"id":{self.request},', f'{{"id":{self.server.requests},').encode()
            answer += b"Content-Length: %d\r\n\r\n%b" % (len(raw), raw)
        self.loop.call_soon(self.server._pipes.received, answer)


async def alone(rounds: int = 2000) -> float:
    """Return our own CPU milliseconds per tactic when the server's real answer is there at once."""
    async with LeanPool(settings()) as pool:
        session = await pool.open(Theorem("t", "∀ (p q : Prop), p ∧ q → q ∧ p"))
        state = (await session.apply(0, "intro p q h")).state
        assert state is not None
        life = pool._workers[0].life
        assert isinstance(life, LeanLife)
        pipes, recorded = life.server._pipes, bytearray()
        take = pipes.received

        def record(data: bytes) -> None:
            recorded.extend(data)
            take(data)

        pipes.received = record  # type: ignore[method-assign]
        await session.apply(state, "constructor")
        del pipes.received
        life.server._stdin = Echo(life.server, bytes(recorded))
        least = float("inf")
        for _ in range(10):
            began = time.process_time()
            for _ in range(rounds // 10):
                assert (await session.apply(state, "constructor")).outcome is Outcome.OK
            least = min(least, (time.process_time() - began) / (rounds // 10) * 1000)
        return least


def main() -> int:
    """Measure and judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--theorems", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    theorems = generate(args.seed, max(600, args.theorems))
    theorems = theorems[:: max(1, len(theorems) // args.theorems)][: args.theorems]
    singly, slow, least = asyncio.run(edits(theorems, args.seed, together=False))
    visits, rate, _ = asyncio.run(edits(theorems, args.seed, together=True))
    apart = sum(
        (a.outcome, a.text) != (b.outcome, b.text)
        for one, other in zip(singly, visits, strict=True)
        for a, b in zip(one.answers, other.answers, strict=True)
    )
    print(f"together: {rate / slow:.2f} times the tactics per CPU second of one by one; {apart} answers differ")
    own = asyncio.run(alone())
    print(f"ours alone: {own:.3f} ms of CPU per tactic")
    different = batch(visits)
    return int(different + apart > 0 or rate < TARGET_RATE or least > TARGET_MS or own > TARGET_OWN_MS)


if __name__ == "__main__":
    sys.exit(main())
