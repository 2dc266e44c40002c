"""One prover process: its pipes, its deadline, its end. What the bytes mean is the subclass's matter."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
from abc import abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Self

from burnqed.files import UserError
from burnqed.jobs.groups import signal_group
from burnqed.prover.sandbox import Sandbox

STDERR_TAIL = 8192
READ_BYTES = 1 << 16  # what a pipe holds


class ProverError(Exception):
    """A prover process cannot be used any more."""


class WorkerCrash(ProverError):
    """The process died, closed its pipes, or answered with something that is no answer."""


class WorkerTimeout(ProverError):
    """The process did not answer within the wall-clock limit and was killed."""


class StartError(UserError):
    """A prover process did not start; the message names the likely cause."""


class ImportsRefused(StartError):
    """A process runs, but the modules it is to import cannot be: starting it again would not help."""


class Pipes(asyncio.SubprocessProtocol):
    """Hands stdout's bytes to ``received`` and keeps the end of stderr.

    Stdout is a pipe of our own that is read when the loop finds something in it: asyncio's transport of a
    subprocess would hand each answer on in a further round of the loop.
    """

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.stdout = -1
        self.buffer = bytearray()
        self.waiter: asyncio.Future[Any] | None = None  # of the one request in flight
        self.stderr = b""
        self.failure: str | None = None
        self.exited: asyncio.Future[None] = self.loop.create_future()  # the process is reaped
        self.closed: asyncio.Future[None] = self.loop.create_future()  # and all pipes are closed
        self.pid = 0

    @abstractmethod
    def received(self, data: bytes) -> None:
        """Take what stdout gave."""

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

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 0:
            self.fail("it closed its stdin")

    def process_exited(self) -> None:
        signal_group(self.pid, signal.SIGKILL)  # its children, if it left any, are still in its group
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


class Process:
    """A process with one request in flight at most.

    Any failure (time-out, death, rubbish) kills it and its whole group; it is then dead, and its
    holder starts another one.
    """

    pipes_type: ClassVar[type[Pipes]]
    answers_in_turn: ClassVar[bool] = True  # so that an answer that comes too late is taken for the next one's

    def __init__(self, transport: asyncio.SubprocessTransport, pipes: Pipes) -> None:
        self._transport, self._pipes = transport, pipes
        self._stdin: Any = transport.get_pipe_transport(0)
        self.pid = transport.get_pid()
        self.requests = 0
        # One timer for all requests: it looks at the present one's deadline, and sleeps on when that is later.
        self._timer: asyncio.TimerHandle | None = None
        self._deadline = self._limit = 0.0

    @classmethod
    async def spawn(
        cls, argv: list[str], environment: Mapping[str, str], folder: Path | None, sandbox: Sandbox
    ) -> Self:
        """Start the command in the sandbox, with its own process group. Raises OSError."""
        loop = asyncio.get_running_loop()
        command = sandbox.wrap(argv, environment, folder)
        reading, writing = os.pipe()
        try:
            transport, pipes = await loop.subprocess_exec(
                cls.pipes_type,
                *command,
                env=dict(environment),
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
        return cls(transport, pipes)

    @property
    def dead(self) -> bool:
        """Whether the process can take no more requests."""
        return self._pipes.failure is not None

    @property
    def last_words(self) -> str:
        """The end of what it wrote to stderr."""
        return self._pipes.stderr.decode(errors="replace").strip()

    async def _wait(self, waiter: asyncio.Future[Any], timeout: float) -> Any:
        """Return the waiter's result within ``timeout`` seconds. Raises WorkerTimeout or WorkerCrash."""
        pipes = self._pipes
        pipes.waiter = waiter
        self._limit = timeout
        self._deadline = pipes.loop.time() + timeout
        if self._timer is None or self._timer.when() > self._deadline:
            self._set_timer()
        try:
            return await waiter
        except asyncio.CancelledError:
            if self.answers_in_turn:
                pipes.fail("its request was cancelled")
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
        if self.answers_in_turn:
            pipes.failure = pipes.failure or "killed after a time-out"

    def kill_group(self) -> None:
        """Send SIGKILL to the process group (and with namespaces to all inside)."""
        if self._transport.get_returncode() is None:
            signal_group(self.pid, signal.SIGKILL)

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
