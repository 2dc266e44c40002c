"""Workers that serve many theorems' tactics, and survive what the tactics do to them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from burnqed.config import ProverSettings
from burnqed.prover.jail.processes import held_bytes, run_in_long_turns
from burnqed.prover.kinds import KINDS
from burnqed.prover.process import ImportsRefused, ProverError, StartError, WorkerCrash, WorkerTimeout
from burnqed.prover.sandbox import choose_sandbox
from burnqed.prover.steps import Life, Node, Outcome, Proof, StatementError, Step
from burnqed.records.theorems import Theorem

logger = logging.getLogger(__name__)

START_ATTEMPTS = 4
ENOUGH_TURNS = 4
WATCH_SECONDS = 1.0

__all__ = ["LeanPool", "Outcome", "ProofSession", "StatementError", "StepResult"]


class StepResult(NamedTuple):
    """What one tactic did to one state.

    ``state`` is the session's id of the new state (None unless OK or PROVED), ``text`` Lean's
    print of it (empty when proved), ``message`` the prover's words, ``elapsed_ms`` the time of
    the request itself, without waiting for the worker and without replays.
    """

    outcome: Outcome
    state: int | None
    text: str
    num_goals: int
    message: str
    elapsed_ms: float


class _Worker:
    """A place for one process; the process in it is replaced when it dies or grows old."""

    def __init__(self, pool: LeanPool, number: int) -> None:
        self.pool, self.number = pool, number
        self.lock = asyncio.Lock()  # first come, first served: fair to the sessions
        self.life: Life | None = None
        self.imports = pool.imports  # what its process has imported
        self.sessions = 0
        self.turns = 0  # of its sessions, that wait or are at work
        self.header = ""  # of the session it took last
        self.born = 0.0
        self.next: asyncio.Task[Life] | None = None

    def current(self, imports: tuple[str, ...]) -> Life | None:
        """Return the process when it fits, is alive and young, as it nearly always is."""
        life = self.life
        if life is None or self.next is not None or life.dead or imports != self.imports:
            return None
        return life if life.requests < self.pool.settings.recycle_requests else None

    async def ensure(self, imports: tuple[str, ...]) -> Life:
        """Return a live process, starting or replacing it when needed; call with the lock held."""
        if imports != self.imports:
            await self.discard()
            self.imports = imports
        life, settings = self.life, self.pool.settings
        if life is not None and not life.dead:
            old = life.requests >= settings.recycle_requests or time.monotonic() - self.born >= settings.recycle_seconds
            if not old and self.next is None:
                return life
            if self.next is None:  # importing takes a minute: work goes on with the old one
                self.recycle_soon()
            if self.next is not None and not self.next.done():
                return life
        task, self.next = self.next, None
        if life is not None:
            await life.kill()
            self.life = None
        fresh: Life | None = None
        if task is not None:
            with contextlib.suppress(StartError):
                fresh = await task
            if fresh is not None and fresh.dead:
                fresh = None
        self.life = fresh or await self.pool.start_life(imports)
        self.pool.settle(self.life.pid, self.number)
        self.born = time.monotonic()
        return self.life

    def recycle_soon(self) -> None:
        """Have the process replaced in the background."""
        if self.next is None and self.life is not None and not self.life.dead:
            self.next = asyncio.create_task(self.pool.start_life(self.imports))

    def forget(self, node: Node) -> None:
        """Give up a state if the present process holds it."""
        if self.life is not None:
            self.life.forget(node)

    async def discard(self) -> None:
        """End the process, and the one that was to replace it."""
        task, self.next = self.next, None
        if task is not None:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, StartError):
                await (await task).kill()
        if self.life is not None:
            await self.life.kill()
            self.life = None


class LeanPool:
    """``settings.workers`` prover processes behind sessions, one per theorem.

    A crash, a hang or a recycled process costs a session at most the tactic in flight: its states
    are made again by replaying their paths when they are next used. Use it as an async context
    manager, or call ``start`` and ``close``.
    """

    def __init__(self, settings: ProverSettings, env: Mapping[str, str] | None = None) -> None:
        self.settings, self._environment = settings, dict(env or {})
        self.kind = KINDS[settings.kind]
        self.imports = self.kind.imports(settings)
        self._workers: list[_Worker] = []
        self._cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        self._watch: asyncio.Task[None] | None = None
        self._background: set[asyncio.Task[object]] = set()
        self._closed = False
        self.starts = 0

    async def __aenter__(self) -> LeanPool:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def start(self) -> None:
        """Start the first worker and wait for it; the others start in the background.

        Raises UserError when the prover cannot be started, with the likely cause.
        """
        self._sandbox = choose_sandbox(self.settings)
        self._workers = [_Worker(self, number) for number in range(self.settings.workers)]
        try:
            first = await self._start(self.imports)
        except ImportsRefused:
            raise
        except StartError:
            # A wrong command fails each time; only a machine short of something recovers.
            first = await self.start_life(self.imports, START_ATTEMPTS - 1)
        self._workers[0].life, self._workers[0].born = first, time.monotonic()
        self.settle(first.pid, 0)
        self._watch = asyncio.create_task(self._watch_memory())
        if self.kind.warm:
            for worker in self._workers[1:]:
                task: asyncio.Task[object] = asyncio.create_task(self._warm(worker))
                self._background.add(task)
                task.add_done_callback(self._background.discard)

    async def _warm(self, worker: _Worker) -> None:
        with contextlib.suppress(StartError):  # its first session tries again, and reports
            async with worker.lock:
                await worker.ensure(self.imports)

    async def _start(self, imports: tuple[str, ...]) -> Life:
        self.starts += 1
        return await self.kind.start(self.settings, self._sandbox, self._environment, imports)

    def busy(self) -> bool:
        """Return whether every worker has turns of sessions before it for a while."""
        return all(worker.turns > ENOUGH_TURNS for worker in self._workers)

    def settle(self, pid: int, number: int) -> None:
        """Tell the system how to run a worker: in long turns, on a core of its own when there are as many.

        A server's threads hand each tactic's news to one another; where none interrupts the others, much news goes
        out as one piece. With fewer workers than cores, another job's would be pinned to the same ones.
        """
        if self.kind.pinned:
            cores = {self._cores[number]} if len(self._cores) == self.settings.workers else None
            run_in_long_turns(pid, cores)

    async def start_life(self, imports: tuple[str, ...], attempts: int = START_ATTEMPTS) -> Life:
        """Start a process, trying again with growing pauses; raises StartError at the end."""
        for attempt in range(attempts):
            try:
                return await self._start(imports)
            except StartError as error:
                if attempt == attempts - 1 or self._closed or isinstance(error, ImportsRefused):
                    raise
                logger.warning("a worker did not start, trying again: %s", error)
                await asyncio.sleep(0.1 * 4**attempt)
        raise AssertionError("unreachable")

    async def _watch_memory(self) -> None:
        limit = self.settings.memory_limit_mb << 20
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            for worker in self._workers:
                life = worker.life
                if life is None or life.dead:
                    continue
                used = held_bytes(life.pid, 0.8 * limit)
                if used > limit:
                    logger.warning(
                        "worker %d uses %d MiB, more than prover.memory_limit_mb; killed", worker.number, used >> 20
                    )
                    life.kill_group()
                elif used > 0.8 * limit:
                    worker.recycle_soon()

    async def close(self) -> None:
        """End all workers and wait until they are gone."""
        self._closed = True
        tasks = [task for task in (self._watch, *self._background) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(worker.discard() for worker in self._workers))

    async def open(self, theorem: Theorem) -> ProofSession:
        """Start a proof of a theorem on the worker with the fewest sessions.

        Raises StatementError when the prover refuses the statement, StartError when no worker
        can be started.
        """
        imports = self.kind.imports(self.settings, theorem)
        worker = min(
            self._workers,
            key=lambda w: (
                w.sessions and w.imports != imports,
                w.sessions,
                w.imports != imports,
                w.header != theorem.header,
                w.life is None,
                w.number,
            ),
        )
        worker.sessions += 1
        worker.header = theorem.header
        session = ProofSession(self, worker, Proof(theorem, Node(None, "")), imports)
        try:
            await session._start()
        except BaseException:
            await session.close()
            raise
        return session


class ProofSession:
    """One theorem's proof states on one worker. ``root`` is the id of its first state."""

    root = 0

    def __init__(self, pool: LeanPool, worker: _Worker, proof: Proof, imports: tuple[str, ...]) -> None:
        self._pool, self._worker, self._proof, self._imports = pool, worker, proof, imports
        self._nodes: dict[int, Node] = {0: proof.root}
        self._next = 1
        self._open = True
        self.root_text = ""
        self.root_goals = 0

    async def _start(self) -> None:
        name, worker = self._proof.theorem.name, self._worker
        async with worker.lock:
            for attempt in (1, 2):
                try:
                    life = await worker.ensure(self._imports)
                    self.root_text, self.root_goals = await life.open(self._proof)
                    self._proof.root.text = self.root_text
                    return
                except ImportsRefused as error:
                    if self._imports == self._pool.imports:
                        raise
                    raise StatementError(f"{name}: header refused: {error}") from error
                except ProverError as error:
                    if attempt == 2:
                        raise StatementError(f"{name}: the prover did not survive the statement: {error}") from error

    async def apply(self, state: int, tactic: str) -> StepResult:
        """Apply a tactic to a state of this session.

        Raises KeyError for a state that was dropped or never was, StartError when the worker died
        and no other could be started.
        """
        return (await self.apply_many(state, (tactic,)))[0]

    async def apply_many(self, state: int, tactics: Sequence[str]) -> list[StepResult]:
        """Apply several tactics to one state, in one turn at the worker. Raises as ``apply`` does."""
        node, worker = self._nodes[state], self._worker
        worker.turns += 1
        try:
            return await self._turn(worker, node, tactics)
        finally:
            worker.turns -= 1

    async def _turn(self, worker: _Worker, node: Node, tactics: Sequence[str]) -> list[StepResult]:
        async with worker.lock:
            together: list[Step | None] = [None] * len(tactics)
            if len(tactics) > 1:
                life = worker.current(self._imports) or await worker.ensure(self._imports)
                with contextlib.suppress(ProverError):  # whose fault it was, shows when each is tried alone
                    together = await life.together(self._proof, node, tactics)
            found = []
            for tactic, step in zip(tactics, together, strict=True):
                life = worker.current(self._imports) or await worker.ensure(self._imports)
                found.append(await self._try(life, node, tactic, step))
            return found

    async def _try(self, life: Life, node: Node, tactic: str, step: Step | None) -> StepResult:
        started = time.perf_counter()
        try:
            step = step or await life.apply(self._proof, node, tactic)
        except WorkerTimeout as error:
            return StepResult(Outcome.TIMEOUT, None, "", 0, str(error), _since(started))
        except WorkerCrash as error:
            return StepResult(Outcome.CRASH, None, "", 0, str(error), _since(started))
        elapsed = round(step.elapsed_ms, 3)
        if not self._open or step.outcome not in (Outcome.OK, Outcome.PROVED):
            life.release(step)
            return StepResult(step.outcome, None, "", 0, step.message, elapsed)
        return StepResult(
            step.outcome, self._keep(life, node, tactic, step), step.text, step.num_goals, step.message, elapsed
        )

    def _keep(self, life: Life, node: Node, tactic: str, step: Step) -> int:
        child = Node(node, tactic, step.text)
        child.elapsed_ms = step.elapsed_ms
        life.adopt(child, step)
        number, self._next = self._next, self._next + 1
        self._nodes[number] = child
        return number

    def drop(self, states: Iterable[int]) -> None:
        """Give up states that will not be used again; unknown ones are ignored."""
        for state in states:
            node = self._nodes.pop(state, None)
            if node is not None:
                node.alive = False
                self._worker.forget(node)

    async def close(self) -> None:
        """Give up all states and the place on the worker."""
        if self._open:
            self._open = False
            self.drop(list(self._nodes))
            self._worker.sessions -= 1


def _since(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 3)
