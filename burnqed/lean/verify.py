"""Independent re-check of whole proofs, each as a file of its own.

Tactic mode has accepted proofs that Lean rejects as a file, and has reported ``sorry`` only at the
step that used it, so a proof counts only after this. We write the file ourselves: the original
statement, the proof below it, then an ``example`` which demands the statement of the finished
theorem again, then ``#print axioms``. The prover must find exactly these commands, at exactly the
byte offsets where we put them; so no text of a proof can end its theorem and begin another command.
Then, where the prover and the toolchain have them, ``frontend.track`` compares the statements and
``leanchecker`` replays the compiled proofs through the kernel (``replay.py``).
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from burnqed.config import ProverSettings, VerifySettings
from burnqed.data.theorems import Theorem
from burnqed.lean import protocol
from burnqed.lean.banned import banned_construct
from burnqed.lean.client import ReplClient, StartError, WorkerCrash, WorkerTimeout
from burnqed.lean.leanfile import CheckFile, Item, check_file, proof_source, track_files
from burnqed.lean.replay import Replayer, find_replayer
from burnqed.lean.sandbox import choose_sandbox
from burnqed.lean.starting import lean_name

OnVerdict = Callable[[int, "Verdict"], None]


@dataclass(frozen=True)
class Verdict:
    """Whether a proof stands, why not (``kind: detail``), its Lean text, the axioms it uses.

    Kinds of refusal: banned, structure, error, sorry, statement, axioms, track, kernel, timeout,
    crash, answer. ``checks`` names what an accepted proof has passed besides ``frontend.process``.
    """

    ok: bool
    reason: str
    source: str
    axioms: list[str] = field(default_factory=list)
    checks: list[str] = field(default_factory=list)

    @property
    def kind(self) -> str:
        """The kind of refusal, or ``ok``."""
        return "ok" if self.ok else self.reason.split(":", 1)[0]


def refused_text(tactics: Sequence[str]) -> str | None:
    """Return why the text of a proof is refused without asking the prover, or None."""
    if not tactics:
        return "banned: empty proof"
    for tactic in tactics:
        reason = banned_construct(tactic)
        if reason is not None:
            return f"banned: {reason}"
    return None


def parse_axioms(message: str, name: str) -> list[str] | None:
    """Return the axioms in the answer to ``#print axioms NAME``, or None when it is no such answer."""
    text = " ".join(message.split())
    if text == f"'{name}' does not depend on any axioms":
        return []
    found = re.fullmatch(rf"'{re.escape(name)}' depends on axioms: \[([^\[\]]*)\]", text)
    if found is None:
        return None
    return [part.strip() for part in found[1].split(",") if part.strip()]


def _placed(boundaries: list[list[int]], file: CheckFile) -> bool:
    """Return whether the last three commands are ours, each where we put it, and all before are header."""
    if len(boundaries) < 3 or any(end > file.starts[0] for _, end in boundaries[:-3]):
        return False
    first, second, third = boundaries[-3:]
    return (
        first == [file.starts[0], file.starts[1]]
        and second == [file.starts[1], file.starts[2]]
        and third[0] == file.starts[2]
        and third[0] < third[1] <= file.end
    )


def judge(file: CheckFile, name: str, answer: dict[str, Any], allowed: Sequence[str], source: str) -> Verdict:
    """Return the verdict on a proof from the prover's answer to ``frontend.process``."""

    def refuse(reason: str) -> Verdict:
        return Verdict(False, reason, source)

    if "error" in answer:
        if answer.get("desc") == "interrupt":
            return refuse("timeout: the prover's own limit")
        return refuse(f"answer: {answer['error']}: {answer.get('desc', '')}")
    units = answer.get("units")
    if not isinstance(units, list) or not all(isinstance(unit, dict) for unit in units):
        return refuse("answer: no units")
    boundaries = [unit.get("boundary") for unit in units]
    if not all(isinstance(b, list) and len(b) == 2 and all(isinstance(x, int) for x in b) for b in boundaries):
        return refuse("answer: units without boundaries")
    placed = _placed(boundaries, file)
    messages = [(index - len(units), m) for index, unit in enumerate(units) for m in unit.get("messages", [])]
    if any(protocol.mentions_sorry(m) for _, m in messages):
        return refuse("sorry: the proof rests on sorry")
    for index, message in messages:
        if protocol.is_error(message) and not (placed and index == -2):
            return refuse(f"error: {protocol.message_text(message)}")
    if not placed:
        return refuse(f"structure: commands at bytes {boundaries}, not at {list(file.starts)}")
    for _, message in messages:
        if protocol.is_error(message):
            return refuse(f"statement: the theorem is not what was asked: {protocol.message_text(message)}")
    said = [protocol.message_text(m) for index, m in messages if index == -1]
    axioms = parse_axioms(said[0], name) if len(said) == 1 else None
    if axioms is None:
        return refuse(f"axioms: not an answer to #print axioms: {said}")
    foreign = [axiom for axiom in axioms if axiom not in allowed]
    if foreign:
        return Verdict(False, f"axioms: {', '.join(foreign)}", source, axioms)
    return Verdict(True, "", source, axioms)


def judge_track(answer: dict[str, Any]) -> str | None:
    """Return why an answer to ``frontend.track`` refuses a proof, or None when it accepts it."""
    if "error" in answer:
        if answer.get("desc") == "interrupt":
            return "timeout: the prover's own limit"
        return f"answer: {answer['error']}: {answer.get('desc', '')}"
    if answer.get("failure") is not None:
        return f"track: {answer['failure']}"
    for key in ("srcMessages", "dstMessages"):
        messages = answer.get(key, [])
        errors = [m for m in messages if protocol.is_error(m)]
        if errors:
            return f"track: {protocol.join_messages(errors)}"
        if key == "dstMessages" and any(protocol.mentions_sorry(m) for m in messages):
            return "sorry: the proof rests on sorry"
    return None


class _Checker:
    """One place for fresh processes, each used for a limited number of proofs."""

    def __init__(self, prover: ProverSettings, settings: VerifySettings) -> None:
        self.prover, self.settings = prover, settings
        self.sandbox = choose_sandbox(prover)
        self.client: ReplClient | None = None
        self.used = 0

    async def _fresh(self) -> ReplClient:
        if self.client is not None and (self.client.dead or self.used >= self.settings.proofs_per_process):
            await self.client.kill()
            self.client = None
        if self.client is None:
            for attempt in (1, 2, 3):
                try:
                    self.client = await ReplClient.start(
                        self.prover, sandbox=self.sandbox, timeout=self.settings.timeout
                    )
                    break
                except StartError:
                    if attempt == 3:
                        raise
                    await asyncio.sleep(0.2 * attempt)
            self.used = 0
        assert self.client is not None
        return self.client

    async def check(self, theorem: Theorem, tactics: Sequence[str]) -> Verdict:
        """Check one proof; a crash is tried once more, alone in a fresh process."""
        source = proof_source(theorem, tactics)
        refusal = refused_text(tactics)
        if refusal is not None:
            return Verdict(False, refusal, source)
        for attempt in (1, 2):
            client = await self._fresh()
            alone, self.used = self.used == 0, self.used + 1
            try:
                return await self._ask(client, theorem, tactics, source)
            except WorkerTimeout as error:
                return Verdict(False, f"timeout: {error}", source)
            except WorkerCrash as error:
                if alone or attempt == 2:
                    return Verdict(False, f"crash: {error}", source)
        raise AssertionError("unreachable")

    async def _ask(self, client: ReplClient, theorem: Theorem, tactics: Sequence[str], source: str) -> Verdict:
        limit = self.settings.timeout * 1.2 + 2
        file = check_file(theorem, tactics)
        payload = {"file": file.text, "readHeader": False, "inheritEnv": False}
        answer = await client.request("frontend.process", payload, limit)
        verdict = judge(file, lean_name(theorem), answer, self.settings.axioms, source)
        if not (verdict.ok and self.settings.track and client.version >= protocol.DISTIL_VERSION):
            return verdict
        src, dst = track_files(theorem, tactics)
        answer = await client.request("frontend.track", {"src": src, "dst": dst}, limit)
        refusal = judge_track(answer)
        if refusal is not None:
            return replace(verdict, ok=False, reason=refusal)
        return replace(verdict, checks=["frontend.track"])

    async def close(self) -> None:
        if self.client is not None:
            await self.client.kill()


async def verify_proofs(
    items: Sequence[Item], prover: ProverSettings, settings: VerifySettings, on_verdict: OnVerdict | None = None
) -> list[Verdict]:
    """Re-check proofs in fresh processes; return their verdicts in the order of ``items``.

    No environment is carried from one proof to the next. At most ``prover.workers`` processes, and
    no more than the machine has cores, run at once. ``on_verdict(index, verdict)`` is called as
    each proof is done, for an accepted one after its replay. Raises StartError when the prover
    cannot be started, UserError when a required ``leanchecker`` is not there.
    """
    replayer = await find_replayer(prover, settings.leanchecker)
    verdicts: list[Verdict | None] = [None] * len(items)
    queue = iter(range(len(items)))
    places = max(1, min(prover.workers, os.cpu_count() or 1, len(items)))

    def settle(index: int, verdict: Verdict) -> None:
        verdicts[index] = verdict
        if on_verdict is not None:
            on_verdict(index, verdict)

    async def serve() -> None:
        checker = _Checker(prover, settings)
        held: list[tuple[int, Verdict]] = []
        try:
            for index in queue:
                verdict = await checker.check(*items[index])
                if replayer is None or not verdict.ok:
                    settle(index, verdict)
                    continue
                held.append((index, verdict))
                if len(held) >= settings.proofs_per_process:
                    await _replay(replayer, items, held, settings.timeout, settle)
            if replayer is not None and held:
                await _replay(replayer, items, held, settings.timeout, settle)
        finally:
            await checker.close()

    tasks = [asyncio.create_task(serve()) for _ in range(places)]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return [verdict for verdict in verdicts if verdict is not None]


async def _replay(
    replayer: Replayer, items: Sequence[Item], held: list[tuple[int, Verdict]], limit: float, settle: OnVerdict
) -> None:
    """Replay accepted proofs through the kernel and settle their verdicts; ``held`` is empty then."""
    reasons = await replayer.refusals([items[index] for index, _ in held], limit)
    for (index, verdict), reason in zip(held, reasons, strict=True):
        if reason is None:
            settle(index, replace(verdict, checks=[*verdict.checks, "leanchecker"]))
        else:
            settle(index, replace(verdict, ok=False, reason=reason))
    held.clear()
