"""One prover process and its JSON lines."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from burnqed.config import ProverSettings
from burnqed.jobs.groups import end_group
from burnqed.prover import commands, protocol
from burnqed.prover.answers import MAX_BYTES, parse_answer
from burnqed.prover.process import Pipes, Process, ProverError, StartError, WorkerCrash, WorkerTimeout
from burnqed.prover.sandbox import Sandbox, choose_sandbox

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

_versions: dict[tuple[str, ...], tuple[int, int, int]] = {}

__all__ = ["ProverError", "ReplClient", "StartError", "WorkerCrash", "WorkerTimeout", "check_version"]


class _Lines(Pipes):
    """Splits stdout into lines: each is the answer to the one request in flight."""

    def __init__(self) -> None:
        super().__init__()
        self.ready: asyncio.Future[bytes] = self.loop.create_future()  # the first line, before any request
        self.waiter = self.ready

    def received(self, data: bytes) -> None:
        if self.waiter is None or self.waiter.done():
            self.fail("output that nobody asked for")
            return
        searched = len(self.buffer)
        self.buffer += data
        end = self.buffer.find(b"\n", searched)
        if end < 0:
            if len(self.buffer) > MAX_BYTES:
                self.fail(f"a line of more than {MAX_BYTES} bytes")
            return
        line = bytes(self.buffer[:end])
        del self.buffer[: end + 1]
        self.waiter.set_result(line)
        if self.buffer:  # answers come one per request, so what is left cannot be one
            self.failure = self.failure or "output that nobody asked for"


_CAUSES = (  # pattern in the lower-cased stderr, cause and remedy; the first that matches
    (r"^sandbox:", "the sandbox could not be set up; try another prover.sandbox"),
    (
        r"unknown module prefix|unknown package|object file .* does not exist",
        "the modules are not on LEAN_PATH: give prover.project (built with `lake build`) or prover.lean_path",
    ),
    (
        r"incompatible header|invalid header|failed to read file|\.olean",
        "the repl and the .olean files come from different Lean versions: build the repl with the project's toolchain",
    ),
    (
        r"memory|bad_alloc|failed to create thread|cannot allocate|resource temporarily",
        "it ran out of memory: raise prover.memory_limit_mb",
    ),
    (r"no such file|not found", "a file it needs is missing: check prover.command and prover.project"),
)
_USUAL_CAUSE = (
    "the repl was built with another Lean version than the .olean files on LEAN_PATH, or LEAN_PATH is missing"
)


def likely_cause(stderr: str) -> str:
    """Return cause and remedy for a process that died while starting, judged by its stderr."""
    text = stderr.lower()
    return next((remedy for pattern, remedy in _CAUSES if re.search(pattern, text, re.MULTILINE)), _USUAL_CAUSE)


class ReplClient(Process):
    """A process that speaks the protocol."""

    pipes_type = _Lines
    _pipes: _Lines
    version = (0, 0, 0)

    @classmethod
    async def start(
        cls,
        settings: ProverSettings,
        *,
        extra_environment: Mapping[str, str] | None = None,
        sandbox: Sandbox | None = None,
        timeout: float | None = None,
    ) -> ReplClient:
        """Start a process and wait until it says ``ready.``.

        ``timeout`` (seconds) becomes the protocol's own limit per command, default
        ``settings.tactic_timeout``. Raises StartError naming the likely cause.
        """
        argv, environment, folder = commands.prover_command(settings)
        environment.update(extra_environment or {})
        sandbox = sandbox or choose_sandbox(settings)
        version = await check_version(commands.version_command(argv), environment, folder)
        self = await cls.spawn(argv, environment, folder, sandbox)
        self.version = version
        try:
            ready = await self._wait(self._pipes.ready, settings.ready_timeout)
            if ready.strip() != b"ready.":
                raise WorkerCrash(f"it said {ready[:200]!r} instead of 'ready.'")
            limit = settings.tactic_timeout if timeout is None else timeout
            await self.request(
                "options.set", {"automaticMode": True, "timeout": int(limit * 1000)}, settings.ready_timeout
            )
        except WorkerTimeout as error:
            await self.kill()
            raise StartError(
                f"prover.command: {' '.join(argv)}: not ready after {settings.ready_timeout:g} s; "
                "importing may need more (raise prover.ready_timeout), or memory is short"
            ) from error
        except WorkerCrash as error:
            await self.kill()
            detail = f"; its last words: {self.last_words[-600:]}" if self.last_words else " without a word on stderr"
            raise StartError(
                f"prover.command: {' '.join(argv)}: did not start ({error}){detail}. "
                f"Likely cause: {likely_cause(self.last_words)}"
            ) from error
        except BaseException:
            await self.kill()
            raise
        return self

    async def _line(self, timeout: float) -> bytes:
        if self._pipes.failure is not None:
            raise WorkerCrash(self._pipes.failure)
        return bytes(await self._wait(self._pipes.loop.create_future(), timeout))

    async def request(self, command: str, payload: Mapping[str, object], timeout: float) -> dict[str, Any]:
        """Send one command, return its answer (which may be an ``error`` object).

        Raises WorkerTimeout or WorkerCrash; in both cases the process is gone.
        """
        self.requests += 1
        # A lone surrogate in the model's text has no UTF-8 form: send a replacement character.
        data = f"{command} {_encode(payload)}\n".encode("utf-8", errors="replace")
        try:
            if self._pipes.failure is not None:
                raise WorkerCrash(self._pipes.failure)
            self._stdin.write(data)
            line = await self._line(timeout)
            try:
                return parse_answer(line)
            except ValueError as error:
                raise WorkerCrash(f"not a JSON answer ({error}): {line[:200]!r}") from error
        except BaseException:
            await self.kill()
            raise

    async def close(self) -> None:
        """Ask the process to end (an empty line), and kill it when it does not within a second."""
        if not self.dead:
            self._stdin.write(b"\n")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(self._pipes.closed), 1)
        await self.kill()


async def check_version(
    command: list[str], environment: Mapping[str, str], folder: Path | None
) -> tuple[int, int, int]:
    """Return the version a prover reports, asked once per command.

    Raises StartError when it is older than 0.3.1 (older clients and servers misread each other
    silently) or when there is none.
    """
    key = tuple(command)
    if key in _versions:
        return _versions[key]
    shown = " ".join(command)
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            env=dict(environment),
            cwd=folder,
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    except OSError as error:
        raise StartError(f"prover.command: {shown}: {error.strerror}; is it built for this machine?") from error
    try:
        output, errors = await asyncio.wait_for(process.communicate(), 60)
    except TimeoutError as error:
        await end_group(process)
        raise StartError(f"prover.command: `{shown}` did not answer within 60 s; is this Pantograph's repl?") from error
    version = protocol.parse_version(output.decode(errors="replace"))
    if version is None:
        raise StartError(
            f"prover.command: `{shown}` printed no version (exit status {process.returncode}); "
            f"is this Pantograph's repl? {errors.decode(errors='replace').strip()[-300:]}"
        )
    if version < protocol.MIN_VERSION:
        raise StartError(
            f"prover.command: `{shown}` reports {'.'.join(map(str, version))}; Pantograph 0.3.1 or newer is needed"
        )
    _versions[key] = version
    return version
