"""A whole search job: many theorems, one trajectory file, progress that survives a kill."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

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
from burnqed.search.plan import NEGATIVES, Searches, SearchPlan, reads_samples
from burnqed.search.reuse import Earlier, ReusingPolicy, ReusingSession
from burnqed.search.scheduler import run_jobs
from burnqed.search.stack import OpenStack, SearchStack
from burnqed.search.statistics import SearchStatistics, log_summary

logger = logging.getLogger(__name__)
NEWEST = 5  # proofs in the status file
CHOICE = {"shards", "max_theorems", "attempts", "negatives"}  # what is searched, not how: the list of jobs says it


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


def run_search(
    stack: SearchStack, searches: Searches, output: Path, extra: dict[str, object] | None = None
) -> list[TheoremResult]:
    """Search for proofs of some theorems and write the trajectory file ``output`` and its times.

    Finished searches of an interrupted run with the same models and settings are taken over from the progress folder.
    The figures of the run are logged and, for the sidecar, put into ``extra``. Policy, value and prover are closed at
    the end, however it comes. What the stack holds of earlier searches is not used by modes with continuations, nor
    where states are sampled again or a value reads what is sampled.

    Returns one result per theorem and attempt, ordered by theorem and attempt. Raises UserError for
    unusable settings or files, Stopped after SIGTERM (finished searches are on disk by then).
    """
    with stack.open(searches) as parts:
        return _run(stack, parts, searches, output, extra)


def _run(
    stack: SearchStack, parts: OpenStack, searches: Searches, output: Path, extra: dict[str, object] | None
) -> list[TheoremResult]:
    """Search with an open stack."""
    settings, theorems = stack.search, searches.theorems
    if parts.generator is None and theorems:
        raise ValueError("a search needs a generator")
    plan = SearchPlan.from_settings(
        settings,
        kind=searches.kind,
        iteration=searches.iteration,
        seed=searches.seed,
        with_head=stack.with_head,
        budget=searches.budget,
        coefficient=getattr(parts.scorer, "coefficient", None) if theorems else 1.0,  # an empty shard loads no value
    )
    if parts.generator is not None:
        plan.check_policy(parts.generator)
    if plan.uses_value and parts.scorer is None and theorems:
        raise ValueError(f"priority '{plan.ranking.priority}' needs a scorer")
    if parts.generator is not None:
        plan.couple(parts.generator, parts.scorer)
    if plan.continuations or plan.resample or (plan.uses_value and reads_samples(parts.scorer)):
        parts.earlier = {}
    whole_key = {
        **stack.key(),
        "search": settings.science(CHOICE),
        "prover": stack.prover.science(),
        "run": [searches.kind, searches.iteration, searches.seed, plan.expansions, stack.with_head],
    }
    jobs = _jobs(searches, settings.attempts, output)
    with graceful_stop(), ProgressFolder(output, whole_key) as progress:
        for partial in output.parent.glob(f".{output.name}.*.partial"):
            partial.unlink()  # left by a job that was killed while it wrote: the lock is ours now
        status = _Status(output, len(jobs))
        try:
            return _search(jobs, plan, parts, stack, output, progress, status, extra)
        finally:
            status.remove()


def _jobs(searches: Searches, attempts: int, output: Path) -> list[_Job]:
    """Return each search that is to be done."""
    by_name = {theorem.name: theorem for theorem in searches.theorems}
    if len(by_name) != len(searches.theorems):
        raise UserError(f"{output}: a theorem is listed twice; names must be unique")
    if (searches.proofs is not None) != (searches.kind == NEGATIVES):
        raise ValueError("proofs are for kind negatives, which needs them")
    if searches.proofs is not None:
        known = searches.proofs.items()
        return [_Job(by_name[name], attempt, NEGATIVES, tuple(proof)) for (name, attempt), proof in known]
    count = attempts if searches.attempts is None else searches.attempts
    return [_Job(theorem, attempt, searches.kind) for theorem in searches.theorems for attempt in range(count)]


def _search(
    jobs: Sequence[_Job],
    plan: SearchPlan,
    parts: OpenStack,
    stack: SearchStack,
    output: Path,
    progress: ProgressFolder,
    status: _Status,
    extra: dict[str, object] | None,
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
    start, busy, pool_start = time.perf_counter(), parts.busy(), 0.0
    if todo:

        def facts() -> dict[str, object]:
            seconds, (policy, value) = time.perf_counter() - start, parts.busy()
            shares = [round(one / max(seconds, 1e-9), 3) for one in (policy - busy[0], value - busy[1])]
            return {"policy_busy": shares[0], "value_busy": shares[1], "workers": stack.prover.workers}

        status.facts = facts

        async def search_one(job: _Job) -> None:
            result = await _one(job, plan, parts, progress)
            results[job.key] = result
            status.add(result)

        concurrency = min(stack.search.concurrency, len(todo))
        pool_start = asyncio.run(_with_pool(parts, todo, search_one, concurrency))
    wall = time.perf_counter() - start - pool_start
    statistics = SearchStatistics()
    ordered = sorted(jobs, key=lambda job: job.key)
    write_trajectories(output, _pieces(ordered, progress, statistics, output), [results[job.key] for job in ordered])
    summary = statistics.summary()
    summary |= {"wall_seconds": round(wall, 3), "pool_start_seconds": round(pool_start, 3), "taken_over": taken_over}
    summary["reused_expansions"] = parts.reused
    for name, before, after in zip(("policy", "value"), busy, parts.busy(), strict=True):
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
    parts: OpenStack,
    todo: Sequence[_Job],
    search_one: Callable[[_Job], Awaitable[None]],
    concurrency: int,
) -> float:
    """Run the searches and close the stack; return the seconds that the pool took to start."""
    begun = time.perf_counter()
    try:
        starting = asyncio.ensure_future(parts.pool.start())
        while not starting.done():
            await asyncio.wait([starting], timeout=0.1)
            if stop_requested():
                starting.cancel()
                raise Stopped
        starting.result()
        started = time.perf_counter()
        await run_jobs(todo, search_one, concurrency, stop_requested)
    finally:
        await parts.close()
    return started - begun


async def _one(job: _Job, plan: SearchPlan, parts: OpenStack, progress: ProgressFolder) -> TheoremResult:
    """Search one theorem and save the record."""
    from burnqed.prover.pool import StatementError

    assert parts.generator is not None
    earlier = parts.earlier.get((job.theorem.name, job.attempt)) if job.proof is None else None
    try:
        if earlier is not None:
            return await _again(job, earlier, plan, parts, progress)
        session = await parts.pool.open(job.theorem)
    except StatementError as error:
        logger.warning(
            "%s could not be started: %s", job.theorem.name, str(error).splitlines()[0] if str(error) else "no message"
        )
        record = failed_start(job.theorem, job.attempt, plan, str(error))
    else:
        what = job.theorem, job.attempt, session, parts.generator, parts.scorer, plan
        search = TheoremSearch(*what) if job.proof is None else PathSearch(*what, job.proof)
        record = await search.run()
        await session.close()
    write_piece(progress / job.piece, record.columns, record.result, record.times)
    return record.result


async def _again(
    job: _Job, earlier: Earlier, plan: SearchPlan, parts: OpenStack, progress: ProgressFolder
) -> TheoremResult:
    """Search one theorem with the answers of an earlier search and save the record."""
    assert parts.generator is not None
    session = ReusingSession(earlier, partial(parts.pool.open, job.theorem))
    policy = ReusingPolicy(earlier, parts.generator)
    record = await TheoremSearch(job.theorem, job.attempt, session, policy, parts.scorer, plan).run()
    await session.close()
    parts.reused += policy.reused
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
