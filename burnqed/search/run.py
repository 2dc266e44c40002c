"""A whole search job: many theorems, one trajectory file, progress that survives a kill."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa

from burnqed.config import ProverSettings, SearchSettings
from burnqed.files import UserError, digest
from burnqed.jobs.progress import ProgressFolder
from burnqed.jobs.status import StatusFile
from burnqed.jobs.stop import Stopped, graceful_stop, stop_requested
from burnqed.records.theorems import Theorem
from burnqed.records.trajectories import (
    TheoremResult,
    read_piece,
    write_piece,
    write_times,
    write_trajectories,
)
from burnqed.search.engine import TheoremSearch, failed_start
from burnqed.search.negatives import PathSearch
from burnqed.search.plan import NEGATIVES, Generator, Scorer, SearchPlan, Session
from burnqed.search.reuse import Earlier, ReusingPolicy, ReusingSession
from burnqed.search.scheduler import run_jobs
from burnqed.search.statistics import SearchStatistics, log_summary

logger = logging.getLogger(__name__)
CLOSE_SECONDS = 2.0
NEWEST = 5  # proofs in the status file
CHOICE = {"shards", "max_theorems", "attempts", "negatives"}  # what is searched, not how: the list of jobs says it


class OpenSession(Session, Protocol):
    """A session that is closed at the end."""

    async def close(self) -> None: ...


class Pool(Protocol):
    """The prover, as a search job uses it."""

    async def start(self) -> None: ...
    async def close(self) -> None: ...
    async def open(self, theorem: Theorem) -> OpenSession: ...


@dataclass(frozen=True)
class _Job:
    theorem: Theorem
    attempt: int
    kind: str
    proof: tuple[str, ...] | None = None  # kind negatives: the path to go along

    @property
    def key(self) -> tuple[str, str, int]:
        return self.theorem.name, self.kind, self.attempt

    @property
    def piece(self) -> str:
        parts: list[object] = [self.theorem.row(), self.kind, self.attempt]
        return digest(parts if self.proof is None else [*parts, self.proof])[:24] + ".piece"


class _Status:
    """What displays show of a search: counts, its newest proofs, and what ``facts`` says of policy, value and prover."""

    def __init__(self, output: Path, total: int) -> None:
        self.file = StatusFile(output)
        self.total, self.done, self.proved = total, 0, 0
        self.newest: deque[dict[str, object]] = deque(maxlen=NEWEST)
        self.facts: Callable[[], dict[str, object]] = dict

    def add(self, result: TheoremResult) -> None:
        self.done += 1
        self.proved += result.proved
        if result.proved:
            self.newest.append({"theorem": result.theorem, "proof": list(result.proof)})
        self.write()

    def write(self, force: bool = False) -> None:
        counts = {"done": self.done, "total": self.total, "proved": self.proved}
        self.file.update(force=force, **counts, newest=list(self.newest), **self.facts())

    def remove(self) -> None:
        self.file.remove()


def lean_pool(prover: ProverSettings) -> Pool:
    """Return the worker pool of the settings, not started."""
    from burnqed.prover.pool import LeanPool

    return LeanPool(prover)


def run_search(
    theorems: Sequence[Theorem],
    *,
    generator: Generator | None,
    scorer: Scorer | None,
    prover: ProverSettings,
    settings: SearchSettings,
    kind: str,
    iteration: int,
    seed: int,
    output: Path,
    key: Mapping[str, object],
    budget: int | None = None,
    attempts: int | None = None,
    extra: dict[str, object] | None = None,
    make_pool: Callable[[ProverSettings], Pool] = lean_pool,
    close_backends: bool = False,
    proofs: Mapping[tuple[str, int], Sequence[str]] | None = None,
    with_head: bool | None = None,
    earlier: Mapping[tuple[str, int], Earlier] | None = None,
) -> list[TheoremResult]:
    """Search for proofs of some theorems and write the trajectory file ``output`` and its times.

    ``key`` holds digests of whatever made the generator and the scorer; finished searches of an
    interrupted run with the same key and settings are taken over from the progress folder.
    ``budget`` and ``attempts`` replace ``settings.expansions`` and ``settings.attempts``. The
    figures of the run are logged and, for the sidecar, put into ``extra``. With ``close_backends``
    generator and scorer are closed at the end, however it comes, in the event loop they ran in.
    Without theorems no generator is needed. Kind negatives needs ``proofs``, the tactics of known
    proofs by theorem and attempt: it goes along each of them, and nothing else is searched. ``with_head`` says whether
    it samples as with a head (default: when there is a scorer); a search that never asks for energies needs none.
    ``earlier`` holds searches of the same model, seed and sampling by theorem and attempt, whose answers are taken over
    (modes with continuations and sampling again do not).

    Returns one result per theorem and attempt, ordered by theorem and attempt. Raises UserError for
    unusable settings, Stopped after SIGTERM (finished searches are on disk by then).
    """
    with_head = scorer is not None if with_head is None else with_head
    if generator is None and theorems:
        raise ValueError("a search needs a generator")
    plan = SearchPlan.from_settings(
        settings,
        kind=kind,
        iteration=iteration,
        seed=seed,
        with_head=with_head,
        budget=budget,
        coefficient=getattr(scorer, "coefficient", None) if theorems else 1.0,  # an empty shard loads no value
    )
    if generator is not None:
        plan.check_policy(generator)
    if plan.uses_value and scorer is None and theorems:
        raise ValueError(f"priority '{plan.ranking.priority}' needs a scorer")
    names = {theorem.name for theorem in theorems}
    if len(names) != len(theorems):
        raise UserError(f"{output}: a theorem is listed twice; names must be unique")
    count = settings.attempts if attempts is None else attempts
    if (proofs is not None) != (kind == NEGATIVES):
        raise ValueError("proofs are for kind negatives, which needs them")
    jobs = [_Job(theorem, attempt, kind) for theorem in theorems for attempt in range(count)]
    if proofs is not None:
        by_name = {theorem.name: theorem for theorem in theorems}
        jobs = [_Job(by_name[name], attempt, kind, tuple(proof)) for (name, attempt), proof in proofs.items()]
    whole_key = {
        **key,
        "search": settings.science(CHOICE),
        "prover": prover.science(),
        "run": [kind, iteration, seed, plan.expansions, with_head],
    }
    reusable = earlier if not plan.continuations and not plan.resample else None
    backends = _Backends(generator, scorer, close_backends, reusable or {})
    try:
        with graceful_stop():
            progress = ProgressFolder(output, whole_key)
            for partial in output.parent.glob(f".{output.name}.*.partial"):
                partial.unlink()  # left by a job that was killed while it wrote: the lock is ours now
            status = _Status(output, len(jobs))
            try:
                return _search(
                    jobs, plan, backends, prover, settings.concurrency, output, progress, status, extra, make_pool
                )
            finally:
                status.remove()
                progress.close()
    finally:
        if not backends.closed:
            asyncio.run(backends.close())


class _Backends:
    """Policy and value of a run, what earlier searches answered, and whether they are still to be closed."""

    def __init__(
        self,
        generator: Generator | None,
        scorer: Scorer | None,
        owned: bool,
        earlier: Mapping[tuple[str, int], Earlier],
    ) -> None:
        self.generator, self.scorer, self.earlier = generator, scorer, earlier
        self.closed = not owned
        self.reused = 0  # expansions whose candidates were taken over

    def busy(self) -> tuple[float, float]:
        """Return the seconds that policy and value have been at work so far."""
        return float(getattr(self.generator, "busy_seconds", 0.0)), float(getattr(self.scorer, "busy_seconds", 0.0))

    async def close(self) -> None:
        if not self.closed:
            self.closed = True
            for backend in (self.generator, self.scorer):
                close = getattr(backend, "close", None)
                if close is not None:
                    await close()


def _search(
    jobs: Sequence[_Job],
    plan: SearchPlan,
    backends: _Backends,
    prover: ProverSettings,
    concurrency: int,
    output: Path,
    progress: ProgressFolder,
    status: _Status,
    extra: dict[str, object] | None,
    make_pool: Callable[[ProverSettings], Pool],
) -> list[TheoremResult]:
    results: dict[tuple[str, str, int], TheoremResult] = {}
    todo: list[_Job] = []
    for job in jobs:
        piece = read_piece(progress / job.piece)
        if piece is None:
            todo.append(job)
        else:
            results[job.key] = piece[1]
            status.add(piece[1])
    taken_over = len(results)
    if taken_over:
        logger.info("%d of %d searches were finished before", taken_over, len(jobs))
    status.write(force=True)
    start, busy, pool_start = time.perf_counter(), backends.busy(), 0.0
    if todo:
        pool = make_pool(prover)

        def facts() -> dict[str, object]:
            seconds, (policy, value) = time.perf_counter() - start, backends.busy()
            shares = [round(one / max(seconds, 1e-9), 3) for one in (policy - busy[0], value - busy[1])]
            return {"policy_busy": shares[0], "value_busy": shares[1], "workers": prover.workers}

        status.facts = facts

        async def search_one(job: _Job) -> None:
            result = await _one(job, plan, backends, pool, progress)
            results[job.key] = result
            status.add(result)

        pool_start = asyncio.run(_with_pool(pool, backends, todo, search_one, min(concurrency, len(todo))))
    wall = time.perf_counter() - start - pool_start
    statistics = SearchStatistics()
    ordered = sorted(jobs, key=lambda job: job.key)
    write_trajectories(output, _pieces(ordered, progress, statistics, output), [results[job.key] for job in ordered])
    summary = statistics.summary()
    summary |= {"wall_seconds": round(wall, 3), "pool_start_seconds": round(pool_start, 3), "taken_over": taken_over}
    summary["reused_expansions"] = backends.reused
    for name, before, after in zip(("policy", "value"), busy, backends.busy(), strict=True):
        summary[f"{name}_busy_share"] = round((after - before) / max(wall, 1e-9), 4)
    log_summary(logger, summary)
    if extra is not None:
        extra["search"] = summary
    if stop_requested():  # the pieces are still there: the next run ends at once
        raise Stopped
    status.remove()
    progress.finish()
    return [results[job.key] for job in ordered]


async def _with_pool(
    pool: Pool,
    backends: _Backends,
    todo: Sequence[_Job],
    search_one: Callable[[_Job], Awaitable[None]],
    concurrency: int,
) -> float:
    """Run the searches and close pool and back-ends; return the seconds that the pool took to start."""
    begun = time.perf_counter()
    try:
        starting = asyncio.ensure_future(pool.start())
        while not starting.done():
            await asyncio.wait([starting], timeout=0.1)
            if stop_requested():
                starting.cancel()
                raise Stopped
        starting.result()
        started = time.perf_counter()
        await run_jobs(todo, search_one, concurrency, stop_requested)
    finally:
        limit = CLOSE_SECONDS if stop_requested() else None
        for closing in (pool.close(), backends.close()):
            task = asyncio.ensure_future(closing)
            await asyncio.wait([task], timeout=limit)
            if task.done() and task.exception() is not None:
                logger.warning("not closed cleanly: %r", task.exception())
    return started - begun


async def _one(job: _Job, plan: SearchPlan, backends: _Backends, pool: Pool, progress: ProgressFolder) -> TheoremResult:
    """Search one theorem and save the record."""
    from burnqed.prover.pool import StatementError

    assert backends.generator is not None
    earlier = backends.earlier.get((job.theorem.name, job.attempt)) if job.proof is None else None
    try:
        if earlier is not None:
            return await _again(job, earlier, plan, backends, pool, progress)
        session = await pool.open(job.theorem)
    except StatementError as error:
        logger.warning(
            "%s could not be started: %s", job.theorem.name, str(error).splitlines()[0] if str(error) else "no message"
        )
        record = failed_start(job.theorem, job.attempt, plan, str(error))
    else:
        parts = job.theorem, job.attempt, session, backends.generator, backends.scorer, plan
        search = TheoremSearch(*parts) if job.proof is None else PathSearch(*parts, job.proof)
        record = await search.run()
        await session.close()
    write_piece(progress / job.piece, record.columns, record.result, record.times)
    return record.result


async def _again(
    job: _Job, earlier: Earlier, plan: SearchPlan, backends: _Backends, pool: Pool, progress: ProgressFolder
) -> TheoremResult:
    """Search one theorem with the answers of an earlier search and save the record."""
    assert backends.generator is not None
    session = ReusingSession(earlier, partial(pool.open, job.theorem))
    policy = ReusingPolicy(earlier, backends.generator)
    record = await TheoremSearch(job.theorem, job.attempt, session, policy, backends.scorer, plan).run()
    await session.close()
    backends.reused += policy.reused
    write_piece(progress / job.piece, record.columns, record.result, record.times)
    return record.result


def _pieces(
    jobs: Sequence[_Job], progress: ProgressFolder, statistics: SearchStatistics, output: Path
) -> Iterator[pa.Table]:
    """Yield the rows of the finished searches, gathering figures on the way; then write the times.

    The times are written here so that the trajectory file itself appears last.
    """
    times: list[dict[str, Any]] = []
    for job in jobs:
        piece = read_piece(progress / job.piece)
        if piece is None:
            raise UserError(f"{progress / job.piece}: not readable any more; run the same command again")
        if stop_requested():
            raise Stopped
        statistics.add(*piece)
        times.append(piece[2])
        yield piece[0]
    write_times(output, times)
