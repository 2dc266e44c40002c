"""One prover process and its JSON lines."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from burnqed.artifacts import UserError
from burnqed.config import ProverSettings
from burnqed.lean import commands, protocol
from burnqed.lean.sandbox import Sandbox, choose_sandbox

MAX_LINE = 1 << 28  # bytes; no real answer comes near, and a worker must not fill our memory
STDERR_TAIL = 8192
READ_BYTES = 1 << 16  # what a pipe holds

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

_versions: dict[tuple[str, ...], tuple[int, int, int]] = {}


class ProverError(Exception):
    """A prover process cannot be used any more."""


class WorkerCrash(ProverError):
    """The process died, closed its pipes, or answered with something that is no answer."""


class WorkerTimeout(ProverError):
    """The process did not answer within the wall-clock limit and was killed."""


class StartError(UserError):
    """A prover process did not start; the message names the likely cause."""


class _Pipes(asyncio.SubprocessProtocol):
    """Splits stdout into lines for the one request in flight; keeps the end of stderr.

    Stdout is a pipe of our own that is read when the loop finds something in it: asyncio's transport of a
    subprocess would hand each answer on in a further round of the loop.
    """

    def __init__(self) -> None:
        loop = self.loop = asyncio.get_running_loop()
        self.stdout = -1
        self.buffer = bytearray()
        self.ready: asyncio.Future[bytes] = loop.create_future()  # the first line, before any request
        self.waiter: asyncio.Future[bytes] | None = self.ready
        self.stderr = b""
        self.failure: str | None = None
        self.exited: asyncio.Future[None] = loop.create_future()  # the process is reaped
        self.closed: asyncio.Future[None] = loop.create_future()  # and all pipes are closed
        self.pid = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.pid = transport.get_pid()  # type: ignore[attr-defined]

    def read_from(self, stdout: int) -> None:
        """Take over the reading end of the process's stdout."""
        if self.closed.done():
            os.close(stdout)
            return
        self.stdout = stdout
        self.loop.add_reader(stdout, self.readable)

    def readable(self) -> None:
        if self.failure is not None:  # it will be killed; until then it must not fill our memory
            self.close_stdout()
            return
        try:
            data = os.read(self.stdout, READ_BYTES)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        if data:
            self.received(data)
        else:
            self.close_stdout()
            self.fail("it closed its stdout")

    def close_stdout(self) -> None:
        if self.stdout >= 0:
            self.loop.remove_reader(self.stdout)
            os.close(self.stdout)
            self.stdout = -1

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self.stderr = (self.stderr + data)[-STDERR_TAIL:]  # the only pipe that asyncio reads

    def received(self, data: bytes) -> None:
        """Take what stdout gave: a line is the answer to the request in flight."""
        if self.waiter is None or self.waiter.done():
            self.fail("output that nobody asked for")
            return
        searched = len(self.buffer)
        self.buffer += data
        end = self.buffer.find(b"\n", searched)
        if end < 0:
            if len(self.buffer) > MAX_LINE:
                self.fail(f"a line of more than {MAX_LINE} bytes")
            return
        line = bytes(self.buffer[:end])
        del self.buffer[: end + 1]
        self.waiter.set_result(line)
        if self.buffer:  # answers come one per request, so what is left cannot be one
            self.failure = self.failure or "output that nobody asked for"

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 0:
            self.fail("it closed its stdin")

    def process_exited(self) -> None:
        # Its children, if it left any, are still in its group; without a group this is an error.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        self.fail("it ended")
        if not self.exited.done():
            self.exited.set_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        self.close_stdout()
        if not self.closed.done():
            self.closed.set_result(None)

    def fail(self, reason: str) -> None:
        self.failure = self.failure or reason
        if self.waiter is not None and not self.waiter.done():
            self.waiter.set_exception(WorkerCrash(reason))


_CAUSES = (  # pattern in the lower-cased stderr, cause and mend; the first that matches
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
    """Return cause and mend for a process that died while starting, judged by its stderr."""
    text = stderr.lower()
    return next((mend for pattern, mend in _CAUSES if re.search(pattern, text, re.MULTILINE)), _USUAL_CAUSE)


class ReplClient:
    """One process speaking the protocol; one request at a time.

    Any failure (time-out, death, rubbish) kills the process and its whole group; the client is
    then dead, and its holder starts another one.
    """

    def __init__(self, transport: asyncio.SubprocessTransport, pipes: _Pipes, version: tuple[int, int, int]) -> None:
        self._transport, self._pipes = transport, pipes
        self._stdin: Any = transport.get_pipe_transport(0)
        self.pid = transport.get_pid()
        self.version = version
        self.requests = 0
        # One timer for all requests: it looks at the present one's deadline, and sleeps on when that is later.
        self._timer: asyncio.TimerHandle | None = None
        self._deadline = self._limit = 0.0

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
        version = await check_version(commands.version_command(argv, settings.kind), environment, folder)
        loop = asyncio.get_running_loop()
        command = sandbox.wrap(argv, environment, folder)
        reading, writing = os.pipe()
        try:
            transport, pipes = await loop.subprocess_exec(
                _Pipes,
                *command,
                env=environment,
                cwd=folder,
                start_new_session=True,
                stdin=subprocess.PIPE,
                stdout=writing,
                stderr=subprocess.PIPE,
            )
        except BaseException:
            os.close(reading)
            raise
        finally:
            os.close(writing)
        os.set_blocking(reading, False)
        pipes.read_from(reading)
        self = cls(transport, pipes, version)
        try:
            ready = await self._line(settings.ready_timeout, pipes.ready)
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
            stderr = pipes.stderr.decode(errors="replace").strip()
            detail = f"; its last words: {stderr[-600:]}" if stderr else " without a word on stderr"
            raise StartError(
                f"prover.command: {' '.join(argv)}: did not start ({error}){detail}. "
                f"Likely cause: {likely_cause(stderr)}"
            ) from error
        except BaseException:
            await self.kill()
            raise
        return self

    @property
    def dead(self) -> bool:
        """Whether the process can take no more requests."""
        return self._pipes.failure is not None

    async def _line(self, timeout: float, waiter: asyncio.Future[bytes] | None = None) -> bytes:
        pipes = self._pipes
        loop = pipes.loop
        if waiter is None:
            if pipes.failure is not None:
                raise WorkerCrash(pipes.failure)
            waiter = pipes.waiter = loop.create_future()
        self._limit = timeout
        self._deadline = loop.time() + timeout
        if self._timer is None or self._timer.when() > self._deadline:
            self._set_timer()
        try:
            return await waiter
        except asyncio.CancelledError:
            pipes.fail("its request was cancelled")  # the answer would be taken for the next one's
            raise
        finally:
            pipes.waiter = None

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._pipes.loop.call_at(self._deadline, self._expire)

    def _expire(self) -> None:
        self._timer = None
        pipes = self._pipes
        if pipes.waiter is None or pipes.waiter.done():
            return
        if pipes.loop.time() < self._deadline:
            self._set_timer()
            return
        pipes.waiter.set_exception(WorkerTimeout(f"no answer within {self._limit:g} s"))
        pipes.failure = pipes.failure or "killed after a time-out"

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
                answer = json.loads(line.decode("utf-8", errors="surrogatepass"))
            except (ValueError, RecursionError) as error:
                raise WorkerCrash(f"not a JSON answer: {line[:200]!r}") from error
            if not isinstance(answer, dict):
                raise WorkerCrash(f"not a JSON object: {line[:200]!r}")
            return answer
        except BaseException:
            await self.kill()
            raise

    def kill_group(self) -> None:
        """Send SIGKILL to the process group (and with namespaces to all inside)."""
        if self._transport.get_returncode() is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)

    async def kill(self) -> None:
        """Kill the process group and wait until the process is reaped and the pipes are closed."""
        self._pipes.failure = self._pipes.failure or "it was killed"
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self.kill_group()
        # Closing the transport of a process that is not reaped yet would reap it behind asyncio's back.
        for future in (self._pipes.exited, self._pipes.closed):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(future), 5)
            self._transport.close()

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
        os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
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
