"""Tactic pairs from Lean text through the prover: `frontend.process` with `invocations`.

Works for every Lean version that Pantograph is built for. One text is
one request; texts are spread over processes, a text that fails is listed and costs no other one,
and finished pieces are saved, so that a job that was stopped resumes where it was.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from burnqed.config import ProverSettings
from burnqed.data.filters import CHEAT
from burnqed.data.whole_proofs import LeanText
from burnqed.files import UserError, digest, parse_json, write_json, write_jsonl
from burnqed.jobs.progress import ProgressFolder
from burnqed.jobs.stop import Stopped, graceful_stop, stop_requested
from burnqed.leantext.declarations import TextError, parse_declaration
from burnqed.leantext.states import canonical_states
from burnqed.prover import protocol
from burnqed.prover.client import ProverError, ReplClient, StartError
from burnqed.prover.sandbox import choose_sandbox
from burnqed.prover.scratch import read_scratch
from burnqed.prover.starting import strip_imports

logger = logging.getLogger(__name__)
MAX_SIDE = 64 << 20  # bytes of the side file of one text
PIECE = 50  # texts per saved piece
Nested = Literal["keep", "drop"]


def _outermost(steps: Sequence[Mapping[str, str]]) -> list[int]:
    """Return the places of the steps that are not part of another one's text.

    The prover lists a tactic next to the tactics inside it, before or after them: a step belongs to
    another one when its text, and that of all steps between them, is part of the other's, and none
    of them leads to the other's state or follows from it (`simp` before `simp [h]`).
    """
    inside: set[int] = set()
    for place, step in enumerate(steps):
        for direction in (-1, 1):
            other = place + direction
            while (
                0 <= other < len(steps)
                and len(steps[other]["tactic"]) < len(step["tactic"])
                and steps[other]["tactic"] in step["tactic"]
                and not _follows(steps[min(place, other)], steps[max(place, other)])
            ):
                inside.add(other)
                other += direction
    return [place for place in range(len(steps)) if place not in inside]


def _follows(first: Mapping[str, str], second: Mapping[str, str]) -> bool:
    return first["goalAfter"] == second["goalBefore"] != first["goalBefore"]


def main_line(steps: Sequence[Mapping[str, str]]) -> list[Mapping[str, str]]:
    """Return the steps that lead from the first state to the end, without those inside other tactics.

    From each state the first step that acts on it is taken which is no part of another tactic that
    acts on it too (`a` of `a <;> b`); tactics of blocks (`induction .. with`) act on states that no
    step of the line leaves behind.
    """
    left = [steps[place] for place in _outermost(steps)]
    line: list[Mapping[str, str]] = []
    current = left[0]["goalBefore"] if left else ""
    while current:
        place = next((k for k, step in enumerate(left) if step["goalBefore"] == current), None)
        if place is None:
            break
        line.append(left.pop(place))
        current = line[-1]["goalAfter"]
    return line


def theorems_of(
    key: str, text: str, units: Sequence[Mapping[str, Any]], side: Mapping[str, Any], nested: Nested
) -> tuple[list[dict[str, Any]], Counter[str]]:
    """Return the theorems of a processed text in LeanDojo's form, and counts of units left out.

    A command with an error message is left out as `error`, one with `sorry` as `sorry`.
    """
    raw, dropped = text.encode(), Counter[str]()
    theorems: list[dict[str, Any]] = []
    found = side.get("units", [])
    for unit, record in zip(units, found, strict=False):
        steps = [step for step in record.get("invocations", []) if step.get("goalBefore", "").strip()]
        messages = unit.get("messages", [])
        if any(protocol.is_error(message) for message in messages):
            dropped["error"] += 1
            continue
        if not steps:
            continue
        if any(protocol.mentions_sorry(m) for m in messages) or any(CHEAT.search(s["tactic"]) for s in steps):
            dropped["sorry"] += 1
            continue
        begin, end = unit["boundary"]
        source = raw[begin:end].decode(errors="replace")
        try:
            declaration = parse_declaration(source)
            name, statement = declaration.name, declaration.proposition
        except TextError:
            name, statement = "", ""
        for constant in unit.get("newConstants") or ():
            if constant == name or str(constant).endswith(f".{name}"):
                name = str(constant)
        line = main_line(steps)
        if nested == "keep":
            listed = [id(step) for step in line]
            line += [step for step in steps if id(step) not in listed]
        states = canonical_states([state for step in line for state in (step["goalBefore"], step["goalAfter"])])
        theorems.append(
            {
                "full_name": name or f"{key}#{begin}",
                "theorem_statement": statement,
                "file_path": key,
                "traced_tactics": [
                    {"tactic": step["tactic"], "state_before": before, "state_after": after or "no goals"}
                    for step, before, after in zip(line, states[::2], states[1::2], strict=True)
                ],
            }
        )
    return theorems, dropped


class _Worker:
    """One process, replaced when a text killed it or made it old."""

    def __init__(self, prover: ProverSettings, timeout: float, number: int) -> None:
        self.prover, self.timeout = prover, timeout
        self.sandbox = choose_sandbox(prover)
        self.client: ReplClient | None = None
        self.side = f"burnqed-invocations-{os.getpid()}-{number}.json"  # in /tmp, the worker's own where it has one

    async def process(self, text: str) -> tuple[dict[str, Any], Any]:
        """Return the answer to `frontend.process` and the side file; raise ProverError or ValueError."""
        if self.client is None or self.client.dead or self.client.requests >= self.prover.recycle_requests:
            await self.close()
            self.client = await ReplClient.start(self.prover, sandbox=self.sandbox, timeout=self.timeout)
        header = re.search(r"^\s*(?:public\s+|meta\s+)*import\s", text, re.MULTILINE) is not None
        payload = {
            "file": text,
            "readHeader": header,
            "inheritEnv": False,
            "invocations": f"/tmp/{self.side}",
            "newConstants": True,
        }
        answer = await self.client.request("frontend.process", payload, self.timeout * 1.2 + 2)
        if "error" in answer:
            raise ValueError(f"{answer['error']}: {answer.get('desc', '')}")
        return answer, parse_json(read_scratch(self.client.pid, self.side, MAX_SIDE).decode())

    async def close(self) -> None:
        if self.client is not None:
            await self.client.kill()
        self.client = None
        Path("/tmp", self.side).unlink(missing_ok=True)


async def _piece(
    texts: Sequence[LeanText], workers: Sequence[_Worker], header: str, nested: Nested, keep_imports: bool
) -> dict[str, Any]:
    """Process some texts side by side; return their theorems in order, failures and counts."""
    results: list[tuple[list[dict[str, Any]], Counter[str], str]] = [([], Counter(), "")] * len(texts)
    queue = iter(range(len(texts)))

    async def serve(worker: _Worker) -> None:
        for index in queue:
            item = texts[index]
            try:
                text = item.read()
                if not keep_imports:
                    text = strip_imports(text)
                    text = f"{header}\n\n{text}" if header and "open " not in text else text
                answer, side = await worker.process(text)
                theorems, dropped = theorems_of(item.key, text, answer.get("units", []), side, nested)
                results[index] = (theorems, dropped, "")
            except StartError:
                raise
            except (ProverError, UserError, ValueError, OSError, KeyError, TypeError, AttributeError) as error:
                results[index] = ([], Counter(), f"{type(error).__name__}: {error}"[:500])

    tasks = [asyncio.create_task(serve(worker)) for worker in workers]
    try:
        pending = set(tasks)
        while pending:
            done, pending = await asyncio.wait(pending, timeout=0.5, return_when=asyncio.FIRST_EXCEPTION)
            for task in done:
                task.result()
            if pending and stop_requested():
                raise Stopped
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    total: Counter[str] = Counter()
    for _, dropped, _ in results:
        total += dropped
    return {
        "theorems": [theorem for theorems, _, _ in results for theorem in theorems],
        "dropped": dict(total),
        "failures": {item.key: reason for item, (_, _, reason) in zip(texts, results, strict=True) if reason},
    }


def extract(
    texts: Sequence[LeanText],
    prover: ProverSettings,
    output: Path,
    failures: Path,
    *,
    header: str = "",
    nested: Nested = "keep",
    timeout: float = 300,
    key: Mapping[str, object] | None = None,
) -> dict[str, Any]:
    """Write the theorems with their tactics (LeanDojo's form, JSON lines) and the list of failures.

    A project's file keeps its imports; a whole proof's are left out (the workers have imported
    theirs), and ``header`` goes before one that opens nothing. ``timeout`` is in seconds per text.
    ``failures`` is {"texts", "theorems", "left_out": {reason: count}, "failed": {key: reason}}.
    Progress is saved after every 50 texts and picked up by the next call with the same ``key``.
    Raises StartError when the prover cannot be started, Stopped after SIGTERM.
    """
    identity = {
        "texts": digest([[item.key, item.digest()] for item in texts]),
        "prover": prover.which_lean(),
        "header": header,
        "nested": nested,
        **(key or {}),
    }
    progress = ProgressFolder(output, identity)
    pieces = [texts[start : start + PIECE] for start in range(0, len(texts), PIECE)]
    places = max(1, min(prover.workers, os.cpu_count() or 1, len(texts)))
    keep_imports = bool(texts) and texts[0].file is not None
    workers = [_Worker(prover, timeout, number) for number in range(places)]

    async def run() -> Iterator[dict[str, Any]]:
        try:
            done = []
            for number, piece in enumerate(pieces):
                name = f"piece-{number:06d}.json"
                result = progress.load(name)
                if result is None:
                    if stop_requested():
                        raise Stopped
                    result = await _piece(piece, workers, header, nested, keep_imports)
                    progress.save(name, result)
                    logger.info("%d of %d texts", min((number + 1) * PIECE, len(texts)), len(texts))
                done.append(result)
            return iter(done)
        finally:
            for worker in workers:
                await worker.close()

    try:
        with graceful_stop():
            results = list(asyncio.run(run()))
    except BaseException:
        progress.close()
        raise
    left_out: Counter[str] = Counter()
    failed: dict[str, str] = {}
    for result in results:
        left_out.update(result["dropped"])
        failed.update(result["failures"])
    theorems = sum(len(result["theorems"]) for result in results)
    report = {"texts": len(texts), "theorems": theorems, "left_out": dict(sorted(left_out.items())), "failed": failed}
    write_json(failures, report)
    write_jsonl(output, (theorem for result in results for theorem in result["theorems"]))
    progress.finish()
    if failed:
        shown = next(iter(failed.items()))
        logger.warning(
            "%d of %d texts failed, listed in %s; the first: %s: %s", len(failed), len(texts), failures, *shown
        )
    return report
