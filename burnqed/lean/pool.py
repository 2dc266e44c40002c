"""Workers that serve many theorems' tactics, and survive what the tactics do to them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from burnqed.config import ProverSettings
from burnqed.data.theorems import Theorem
from burnqed.lean import protocol
from burnqed.lean.client import ProverError, ReplClient, StartError, WorkerCrash, WorkerTimeout
from burnqed.lean.memory import private_bytes
from burnqed.lean.protocol import Outcome
from burnqed.lean.sandbox import choose_sandbox
from burnqed.lean.starting import Header, StatementError, set_scope, start_theorem

logger = logging.getLogger(__name__)

DELETE_BATCH = 64  # states per goal.delete
START_ATTEMPTS = 4
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


class _Node:
    """A state as the path that leads to it; ``remote`` is its id in one life of the worker."""

    __slots__ = ("alive", "life", "parent", "remote", "tactic")

    def __init__(self, parent: _Node | None, tactic: str) -> None:
        self.parent, self.tactic = parent, tactic
        self.remote, self.life = -1, -1
        self.alive = True


class _Worker:
    """A place for one process; the process in it is replaced when it dies or grows old."""

    def __init__(self, pool: LeanPool, number: int) -> None:
        self.pool, self.number = pool, number
        self.lock = asyncio.Lock()  # first come, first served: fair to the sessions
        self.client: ReplClient | None = None
        self.life = 0  # counts the processes: state ids are valid within one life only
        self.sessions = 0
        self.header: Header | None = Header()  # whose scope the process has; None: unknown
        self.garbage: list[int] = []
        self.newest = -1  # the highest state id of this life
        self.born = 0.0
        self.next: asyncio.Task[ReplClient] | None = None

    def current(self) -> ReplClient | None:
        """Return the process when it is alive and young, as it nearly always is."""
        client = self.client
        if client is None or self.next is not None or client.dead:
            return None
        return client if client.requests < self.pool.settings.recycle_requests else None

    async def ensure(self) -> ReplClient:
        """Return a live process, starting or replacing it when needed; call with the lock held."""
        client, settings = self.client, self.pool.settings
        if client is not None and not client.dead:
            old = (
                client.requests >= settings.recycle_requests or time.monotonic() - self.born >= settings.recycle_seconds
            )
            if not old and self.next is None:
                return client
            if self.next is None:  # importing takes a minute: work goes on with the old one
                self.next = asyncio.create_task(self.pool.start_client())
            if not self.next.done():
                return client
        task, self.next = self.next, None
        if client is not None:
            await client.kill()
            self.client = None
        fresh: ReplClient | None = None
        if task is not None:
            with contextlib.suppress(StartError):
                fresh = await task
            if fresh is not None and fresh.dead:
                fresh = None
        if fresh is None:
            fresh = await self.pool.start_client()
        self.client = fresh
        self.life += 1
        self.header = Header()
        self.garbage.clear()
        self.newest = -1
        self.born = time.monotonic()
        return fresh

    def recycle_soon(self) -> None:
        """Have the process replaced in the background."""
        if self.next is None and self.client is not None and not self.client.dead:
            self.next = asyncio.create_task(self.pool.start_client())

    async def collect(self, client: ReplClient, least: int = DELETE_BATCH) -> None:
        """Delete dropped states when there are enough of them; call with the lock held."""
        if len(self.garbage) >= least:
            states, self.garbage = self.garbage, []
            await client.request("goal.delete", {"stateIds": states}, self.pool.wall_limit)

    def forget(self, node: _Node) -> None:
        """Queue a state's deletion if the present process holds it."""
        if node.life == self.life and node.remote >= 0:
            self.garbage.append(node.remote)
        node.remote = node.life = -1

    async def close(self) -> None:
        if self.next is not None:
            self.next.cancel()
            with contextlib.suppress(asyncio.CancelledError, StartError):
                await (await self.next).kill()
        if self.client is not None:
            await self.client.kill()
            self.client = None


class LeanPool:
    """``settings.workers`` prover processes behind sessions, one per theorem.

    A crash, a hang or a recycled process costs a session at most the tactic in flight: its states
    are made again by replaying their paths when they are next used. Use it as an async context
    manager, or call ``start`` and ``close``.
    """

    def __init__(self, settings: ProverSettings, env: Mapping[str, str] | None = None) -> None:
        self.settings, self._environment = settings, dict(env or {})
        self.wall_limit = settings.tactic_timeout * 1.5 + 1  # for work that ignores interruption
        self._workers: list[_Worker] = []
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
            self.starts += 1
            first = await ReplClient.start(self.settings, extra_environment=self._environment, sandbox=self._sandbox)
        except StartError:
            # A wrong command fails each time; only a machine short of something recovers.
            first = await self.start_client(START_ATTEMPTS - 1)
        self._workers[0].client, self._workers[0].born = first, time.monotonic()
        self._watch = asyncio.create_task(self._watch_memory())
        if self.settings.kind == "pantograph":
            for worker in self._workers[1:]:
                task: asyncio.Task[object] = asyncio.create_task(self._warm(worker))
                self._background.add(task)
                task.add_done_callback(self._background.discard)

    async def _warm(self, worker: _Worker) -> None:
        with contextlib.suppress(StartError):  # its first session tries again, and reports
            async with worker.lock:
                await worker.ensure()

    async def start_client(self, attempts: int = START_ATTEMPTS) -> ReplClient:
        """Start a process, trying again with growing pauses; raises StartError at the end."""
        for attempt in range(attempts):
            try:
                self.starts += 1
                return await ReplClient.start(self.settings, extra_environment=self._environment, sandbox=self._sandbox)
            except StartError as error:
                if attempt == attempts - 1 or self._closed:
                    raise
                logger.warning("a worker did not start, trying again: %s", error)
                await asyncio.sleep(0.1 * 4**attempt)
        raise AssertionError("unreachable")

    async def _watch_memory(self) -> None:
        limit = self.settings.memory_limit_mb << 20
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            for worker in self._workers:
                client = worker.client
                if client is None or client.dead:
                    continue
                used = private_bytes(client.pid)
                if used > limit:
                    logger.warning(
                        "worker %d uses %d MiB, more than prover.memory_limit_mb; killed", worker.number, used >> 20
                    )
                    client.kill_group()
                elif used > 0.8 * limit:
                    worker.recycle_soon()

    async def close(self) -> None:
        """End all workers and wait until they are gone."""
        self._closed = True
        tasks = [task for task in (self._watch, *self._background) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(worker.close() for worker in self._workers))

    async def open(self, theorem: Theorem) -> ProofSession:
        """Start a proof of a theorem on the worker with the fewest sessions.

        Raises StatementError when the prover refuses the statement, StartError when no worker
        can be started.
        """
        header = Header.of(theorem)
        worker = min(self._workers, key=lambda w: (w.sessions, w.header != header, w.client is None, w.number))
        worker.sessions += 1
        session = ProofSession(self, worker, theorem)
        try:
            await session._start()
        except BaseException:
            await session.close()
            raise
        return session


class ProofSession:
    """One theorem's proof states on one worker. ``root`` is the id of its first state."""

    root = 0

    def __init__(self, pool: LeanPool, worker: _Worker, theorem: Theorem) -> None:
        self._pool, self._worker, self._theorem = pool, worker, theorem
        self._header = Header.of(theorem)
        self._root = _Node(None, "")
        self._nodes: dict[int, _Node] = {0: self._root}
        self._next = 1
        self._open = True
        self.root_text = ""
        self.root_goals = 0

    async def _start(self) -> None:
        worker = self._worker
        async with worker.lock:
            for attempt in (1, 2):
                client = await worker.ensure()
                try:
                    goals = await self._start_root(client)
                except ProverError as error:
                    if attempt == 2:
                        raise StatementError(
                            f"{self._theorem.name}: the prover did not survive the statement: {error}"
                        ) from error
                else:
                    self.root_text, self.root_goals = protocol.render_goals(goals), len(goals)
                    return

    async def _start_root(self, client: ReplClient) -> list[dict[str, object]]:
        worker, limit = self._worker, self._pool.wall_limit
        if worker.header != self._header:
            await self._enter_scope(client)
        state, goals = await start_theorem(client, self._theorem, limit)
        self._root.remote, self._root.life = state, worker.life
        return goals

    async def _enter_scope(self, client: ReplClient) -> None:
        worker = self._worker
        worker.header = None
        await set_scope(client, self._header, self._pool.wall_limit)
        worker.header = self._header

    async def _locate(self, client: ReplClient, node: _Node) -> int:
        """Return a state's id in the present process, replaying its path where it is unknown.

        Raises WorkerCrash when a step does not repeat (the process itself may be as good as before).
        """
        worker = self._worker
        path: list[_Node] = []
        current = node
        while current.life != worker.life or current.remote < 0:
            path.append(current)
            if current.parent is None:
                break
            current = current.parent
        for missing in reversed(path):
            if worker.header != self._header:
                await self._enter_scope(client)
            if missing.parent is None:
                try:
                    await self._start_root(client)
                except StatementError as error:
                    raise WorkerCrash(f"the theorem started once but not again: {error}") from error
                continue
            payload = {"stateId": missing.parent.remote, "tactic": missing.tactic}
            answer = protocol.classify(await client.request("goal.tactic", payload, self._pool.wall_limit))
            if answer.outcome not in (Outcome.OK, Outcome.PROVED) or answer.state is None:
                raise WorkerCrash(f"replay of {missing.tactic!r} gave {answer.outcome}: {answer.message[:200]}")
            missing.remote, missing.life = answer.state, worker.life
        for passed in path:
            if not passed.alive:
                worker.forget(passed)
        return node.remote

    async def apply(self, state: int, tactic: str) -> StepResult:
        """Apply a tactic to a state of this session.

        Raises KeyError for a state that was dropped or never was, StartError when the worker died
        and no other could be started.
        """
        node, worker, pool = self._nodes[state], self._worker, self._pool
        async with worker.lock:
            client = worker.current() or await worker.ensure()
            started = time.perf_counter()
            try:
                if len(worker.garbage) >= DELETE_BATCH:
                    await worker.collect(client)
                remote = node.remote if node.life == worker.life else await self._locate(client, node)
                if worker.header != self._header:
                    await self._enter_scope(client)
                started = time.perf_counter()
                response = await client.request("goal.tactic", {"stateId": remote, "tactic": tactic}, pool.wall_limit)
                elapsed = _since(started)
                answer = protocol.classify(response)
                if answer.outcome is Outcome.PROVED and answer.state is not None:
                    answer = await self._confirm(client, answer)
                if answer.outcome is Outcome.CRASH or (answer.state is not None and answer.state <= worker.newest):
                    await client.kill()
                    raise WorkerCrash(answer.message or f"state {answer.state} is older than this request")
            except WorkerTimeout as error:
                return StepResult(Outcome.TIMEOUT, None, "", 0, str(error), _since(started))
            except (WorkerCrash, StatementError) as error:
                return StepResult(Outcome.CRASH, None, "", 0, str(error), _since(started))
            if answer.state is None:
                return StepResult(answer.outcome, None, "", 0, answer.message, elapsed)
            worker.newest = answer.state
            if not self._open or answer.outcome not in (Outcome.OK, Outcome.PROVED):
                worker.garbage.append(answer.state)
                return StepResult(answer.outcome, None, "", 0, answer.message, elapsed)
            child = _Node(node, tactic)
            child.remote, child.life = answer.state, worker.life
        number, self._next = self._next, self._next + 1
        self._nodes[number] = child
        text = protocol.render_goals(answer.goals)
        return StepResult(answer.outcome, number, text, len(answer.goals), answer.message, elapsed)

    async def _confirm(self, client: ReplClient, answer: protocol.Answer) -> protocol.Answer:
        """Look at the whole proof once more: a step reports only the sorry that it used itself.

        It also shows a process that gives more answers than it was asked for.
        """
        whole = await client.request("goal.print", {"stateId": answer.state, "rootExpr": True}, self._pool.wall_limit)
        flags = [whole.get(name) for name in ("rootHasSorry", "rootHasUnsafe", "rootHasMVar")]
        if flags == [False, False, False]:
            return answer
        if "error" in whole or None in flags:
            await client.kill()
            raise WorkerCrash(f"a finished proof that cannot be shown: {str(whole)[:200]}")
        return protocol.Answer(
            Outcome.ERROR, answer.state, (), "the finished proof rests on sorry, unsafe code or a hole"
        )

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
