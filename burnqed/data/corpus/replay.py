"""Checking the corpus with the real Lean: many theorems a file, the state before each tactic traced."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from burnqed.leantext.states import canonical_states

BATCH = 250  # theorems a file: opening one costs Lean 0.1 s, and its memory grows with the length
MAX_ALONE = 500  # failures that are looked at one by one; more are no accident
TRACE = "trace_state"


class Provable(Protocol):
    """What a check needs of a theorem."""

    @property
    def statement(self) -> str: ...
    @property
    def header(self) -> str: ...
    @property
    def proof(self) -> Sequence[str]: ...


class Message(Protocol):
    """A message of Lean; its line counts from 1."""

    @property
    def line(self) -> int: ...
    @property
    def severity(self) -> str: ...
    @property
    def text(self) -> str: ...


Run = Callable[[str], Awaitable[Sequence[Message]]]  # from a file's text to Lean's messages


@dataclass(frozen=True)
class Replayed:
    """What Lean said to a proof: the state before each tactic, or why it does not stand."""

    states: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True)
class _Place:
    """Where a theorem stands in a file: its first line, the line after it, and its traces' lines."""

    first: int
    end: int
    traces: tuple[int, ...]


def batch_file(theorems: Sequence[Provable]) -> tuple[str, list[_Place]]:
    """Write theorems of one header as a file that traces the state before each tactic."""
    header = theorems[0].header if theorems else ""
    lines = [*header.split("\n"), ""] if header else []
    places = []
    for number, theorem in enumerate(theorems):
        first, traces = len(lines) + 1, []
        lines += f"theorem t{number} : {theorem.statement} := by".split("\n")
        for tactic in theorem.proof:
            lines.append(f"  {TRACE}")
            traces.append(len(lines))
            lines += [f"  {line}" for line in tactic.split("\n")]
        lines.append("")
        places.append(_Place(first, len(lines) + 1, tuple(traces)))
    return "\n".join(lines), places


def read_messages(places: Sequence[_Place], messages: Iterable[Message]) -> list[Replayed]:
    """Return what Lean's messages say of each theorem of a file."""
    by_line: dict[int, list[Message]] = defaultdict(list)
    for message in messages:
        by_line[message.line].append(message)
    return [_read(place, by_line) for place in places]


def _read(place: _Place, by_line: dict[int, list[Message]]) -> Replayed:
    for line in range(place.first, place.end):
        for message in by_line.get(line, []):
            if message.severity == "error" or "sorry" in message.text:
                return Replayed(problem=f"line {line - place.first + 1} of the proof: {message.text}")
    states = [next((m.text for m in by_line.get(line, [])), "") for line in place.traces]
    if not all(states):
        return Replayed(problem="not every tactic was reached")
    return Replayed(tuple(canonical_states(states)))


async def replay(theorems: Sequence[Provable], run: Run, workers: int = 1) -> list[Replayed]:
    """Check proofs, ``workers`` files at a time; what fails in a file is tried again on its own.

    An error of syntax can be reported at the next theorem: a file of its own tells whose it is.
    """
    groups: dict[str, list[int]] = defaultdict(list)
    for index, theorem in enumerate(theorems):
        groups[theorem.header].append(index)
    batches = [indices[at : at + BATCH] for indices in groups.values() for at in range(0, len(indices), BATCH)]
    results: dict[int, Replayed] = {}
    gate = asyncio.Semaphore(workers)

    async def check(indices: list[int]) -> None:
        async with gate:
            text, places = batch_file([theorems[i] for i in indices])
            results.update(zip(indices, read_messages(places, await run(text)), strict=True))

    await asyncio.gather(*(check(indices) for indices in batches))
    failed = [i for i, found in sorted(results.items()) if found.problem]
    if len(failed) <= MAX_ALONE:
        await asyncio.gather(*(check([i]) for i in failed))
    return [results[i] for i in range(len(theorems))]
