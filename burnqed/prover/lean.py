"""The prover kind ``lean``: proof states are paths, and the process holds one document of one of them."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from burnqed.config import ProverSettings
from burnqed.files import UserError
from burnqed.prover.commands import Command
from burnqed.prover.lean_batch import MIN_TACTICS, Batch, can_copy, can_join
from burnqed.prover.lean_diagnostics import ERROR, Diagnostic
from burnqed.prover.lean_document import (
    Frame,
    body_lines,
    errors_within,
    judge,
    normalised,
    opening,
    opening_lines,
)
from burnqed.prover.lean_server import DOCUMENT, LeanServer
from burnqed.prover.process import ImportsRefused, ProverError, StartError, WorkerCrash, WorkerTimeout
from burnqed.prover.sandbox import Sandbox
from burnqed.prover.steps import Node, Outcome, Proof, Step
from burnqed.prover.toolchain import find_lean

MIN_VERSION = (4, 20)  # its server tells complete proofs and unsolved goals by tags
# One tactic at a time, an ear for edits meanwhile, answers at once, and no advice on style.
OPTIONS = (
    "-DElab.async=false",
    "-j2",
    "-Dserver.reportDelayMs=0",
    "-Dlinter.all=false",
    "-DshowPartialSyntaxErrors=true",
)
CANCEL_SECONDS = 1.0  # for the server to give up a tactic; then it is killed


def lean_command(settings: ProverSettings) -> Command:
    """Return (argv, environment, working folder) of one worker.

    Raises UserError when there is no Lean, it is too old, or there is no such project.
    """
    lean = find_lean(settings)
    numbers = tuple(int(part) for part in re.findall(r"\d+", lean.version)[:2])
    if numbers < MIN_VERSION:
        wanted = ".".join(map(str, MIN_VERSION))
        raise UserError(
            f"prover.kind: lean: {lean.lean[0]} is Lean {lean.version or '?'}; {wanted} or newer is needed: "
            "take another toolchain, or prover.kind: pantograph"
        )
    options = [f"-DmaxHeartbeats={settings.max_heartbeats}", *OPTIONS, *settings.command[1:]]
    folder = Path(settings.project).resolve() if settings.project else None
    return [*lean.lean, "--worker", *options, DOCUMENT], dict(lean.environment), folder


_CAUSES = (  # pattern in Lean's words, cause and remedy; the first that matches
    (r"^sandbox:", "the sandbox could not be set up; try another prover.sandbox"),
    (
        r"unknown module prefix|unknown package|object file .* does not exist|no such file or directory.*olean",
        "a module is not on LEAN_PATH: give prover.project (built with `lake build`) or prover.lean_path",
    ),
    (
        r"incompatible header|invalid header|failed to read file|\.olean",
        "the .olean files were made by another Lean version: build the project with this toolchain, "
        "or give the project's own with prover.project",
    ),
    (
        r"memory|bad_alloc|failed to create thread|cannot allocate|resource temporarily",
        "it ran out of memory: raise prover.memory_limit_mb",
    ),
)


def start_message(argv: list[str], problem: str, words: str) -> str:
    """Return the one message for a worker of kind lean that did not start, with the likely cause."""
    text = " ".join(words.split())[-600:]
    cause = next((remedy for pattern, remedy in _CAUSES if re.search(pattern, words.lower(), re.MULTILINE)), "")
    remedy = cause or "try it by hand: `lean FILE` with the theorem's imports"
    return f"prover.kind: lean: {argv[0]}: did not start ({problem}): {text or 'no word on stderr'}. Remedy: {remedy}"


class LeanLife:
    """One worker of Lean's language server; any state can be asked for at any time."""

    def __init__(self, server: LeanServer, settings: ProverSettings, imports: Sequence[str]) -> None:
        self.server, self.settings = server, settings
        self._head = list(opening_lines(imports))  # never edited: a server whose imports change ends
        self._frames: tuple[Proof | None, Frame | None] = (None, None)
        self._prefix: tuple[Node | None, list[str]] = (None, [])
        self._pace = 0.0  # seconds a tactic of late: slow ones gain little together, and would share one clock

    @classmethod
    async def start(
        cls, settings: ProverSettings, sandbox: Sandbox, environment: Mapping[str, str], imports: Sequence[str]
    ) -> LeanLife:
        """Start a process that has imported the modules of the import lines given; raises StartError."""
        argv, complete, folder = lean_command(settings)
        server = await LeanServer.spawn(argv, {**complete, **environment}, folder, sandbox)
        life = cls(server, settings, imports)
        try:
            server.open("".join(f"{line}\n" for line in life._head))
            found = await server.diagnostics(settings.ready_timeout)
        except WorkerTimeout as error:
            await server.kill()
            raise StartError(
                f"prover: {argv[0]}: not ready after {settings.ready_timeout:g} s; importing "
                f"{', '.join(imports) or 'Init'} may need more (raise prover.ready_timeout), or memory is short"
            ) from error
        except WorkerCrash as error:
            await server.kill()
            raise StartError(start_message(argv, str(error), server.last_words)) from error
        except BaseException:
            await server.kill()
            raise
        errors = [normalised(each.text) for each in found if each.severity == ERROR]
        if errors:
            await server.kill()
            raise ImportsRefused(start_message(argv, "its imports fail", "\n".join(errors)))
        return life

    @property
    def pid(self) -> int:
        return self.server.pid

    @property
    def dead(self) -> bool:
        return self.server.dead

    @property
    def requests(self) -> int:
        return self.server.requests

    def _frame(self, proof: Proof) -> Frame:
        held, frame = self._frames
        if held is not proof or frame is None:
            frame = Frame.of(proof.theorem, self.settings.imports)
            self._frames = (proof, frame)
            self._prefix = (None, [])
        return frame

    def _before(self, proof: Proof, node: Node) -> list[str]:
        """Return the lines of the document up to a state."""
        frame = self._frame(proof)  # another proof's prefix goes with its frame
        if self._prefix[0] is not node:
            self._prefix = (node, [*frame.lines, *body_lines([passed.tactic for passed in node.path()])])
        return self._prefix[1]

    def _lines(self, proof: Proof, node: Node, tactic: str) -> list[str]:
        """Return the lines of the document that tries a tactic on a state."""
        return [*self._before(proof, node), *body_lines([tactic])]

    async def open(self, proof: Proof) -> tuple[str, int]:
        lines = self._lines(proof, proof.root, "skip")
        found = await self._check(lines, self.settings.tactic_timeout)
        return opening(self._frame(proof), len(lines) - 1, found)

    async def _check(self, lines: list[str], limit: float) -> list[Diagnostic]:
        """Return the diagnostics of a document. Raises WorkerTimeout or WorkerCrash; then the process may be dead."""
        try:
            self.server.edit(lines)
            return await self.server.diagnostics(limit)
        except WorkerTimeout:
            await self._cancel()
            raise
        except WorkerCrash:
            await self.server.kill()
            raise

    async def _cancel(self) -> None:
        """Take the text away from a server that is still at work on it; kill it when that does not help."""
        try:
            self.server.edit(self._head)
            await self.server.diagnostics(CANCEL_SECONDS)
        except ProverError:
            await self.server.kill()

    async def apply(self, proof: Proof, node: Node, tactic: str) -> Step:
        warm = await self._reach(proof, node)
        lines, prefix, frame = self._lines(proof, node, tactic), self._before(proof, node), self._frame(proof)
        started = time.perf_counter()
        found = await self._check(lines, self.settings.tactic_timeout)
        elapsed = time.perf_counter() - started
        self._note_pace(elapsed)
        step = judge(frame, len(lines) - 1, tactic, found)
        if not warm and step.outcome is Outcome.ERROR and errors_within(found, len(frame.lines), len(prefix)):
            await self._repeat(proof, node)
        return step._replace(elapsed_ms=elapsed * 1000)

    async def together(self, proof: Proof, node: Node, tactics: Sequence[str]) -> list[Step | None]:
        answers: list[Step | None] = [None] * len(tactics)
        if not can_copy(node.text):
            return answers
        alone, limit = "\n\n" not in node.text, self.settings.tactic_timeout
        asked = [at for at, tactic in enumerate(tactics) if can_join(tactic, alone)]
        while len(asked) >= MIN_TACTICS and len(asked) * self._pace < limit / 4:
            await self._reach(proof, node)
            batch = Batch.of(self._before(proof, node), node.text, [tactics[at] for at in asked])
            started = time.perf_counter()
            try:
                found = await self._check(batch.lines, limit)
            except WorkerTimeout:
                self._pace = limit
                break
            each = (time.perf_counter() - started) / len(asked)
            self._note_pace(each)
            steps, done = batch.judge(found)
            for at, step in zip(asked, steps, strict=True):
                answers[at] = step and step._replace(elapsed_ms=each * 1000)
            asked = asked[done:]
        return answers

    def _note_pace(self, seconds: float) -> None:
        self._pace = 0.9 * self._pace + 0.1 * seconds

    async def _reach(self, proof: Proof, node: Node) -> bool:
        """Run a path that took long on a clock of its own; return whether the document is known to stand at the state."""
        prefix = self._before(proof, node)
        warm = self.server.lines[: len(prefix)] == prefix
        if not warm and self._seconds(node) > self.settings.tactic_timeout / 4:
            await self._repeat(proof, node)
            return True
        return warm

    def _seconds(self, node: Node) -> float:
        return sum(passed.elapsed_ms for passed in node.path()) / 1000

    async def _repeat(self, proof: Proof, node: Node) -> None:
        """Run the path to a state, on a clock of its own. Raises WorkerCrash when it does not lead there any more."""
        lines = self._lines(proof, node, "skip")
        found = await self._check(lines, 2 * self._seconds(node) + self.settings.tactic_timeout)
        step = judge(self._frame(proof), len(lines) - 1, "skip", found)
        if step.outcome not in (Outcome.OK, Outcome.PROVED):
            raise WorkerCrash(f"the replay of its path gave {step.outcome}: {step.message[:200]}")

    def adopt(self, node: Node, step: Step) -> None:
        node.life = self

    def release(self, step: Step) -> None:
        """States are texts: there is nothing to give up."""

    def forget(self, node: Node) -> None:
        node.life = None

    def kill_group(self) -> None:
        self.server.kill_group()

    async def kill(self) -> None:
        await self.server.kill()
