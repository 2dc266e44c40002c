"""Many searches in flight over one policy, one value and one prover pool.

Each search is a coroutine that waits for the policy, the prover or the value most of its time. The
back-ends run what waits together as one batch, so with enough searches in flight the batches are
full and no search waits for another one's prover. At most ``concurrency`` searches hold memory.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

from burnqed.jobs.stop import Stopped

T = TypeVar("T")
POLL_SECONDS = 0.1
CLEANUP_SECONDS = 2.0


async def run_jobs(
    jobs: Iterable[T], run_one: Callable[[T], Awaitable[None]], concurrency: int, should_stop: Callable[[], bool]
) -> None:
    """Run a coroutine for every job, ``concurrency`` at a time, in order of start.

    The first exception cancels the rest and is raised. When ``should_stop`` turns true, the jobs in
    flight are cancelled and Stopped is raised within a few seconds.
    """
    waiting = iter(jobs)

    async def serve() -> None:
        for job in waiting:
            await run_one(job)

    if should_stop():
        raise Stopped
    servers = [asyncio.ensure_future(serve()) for _ in range(concurrency)]
    pending = set(servers)
    try:
        while pending:
            done, pending = await asyncio.wait(pending, timeout=POLL_SECONDS, return_when=asyncio.FIRST_EXCEPTION)
            for server in done:
                server.result()
            if pending and should_stop():
                raise Stopped
    finally:
        for server in servers:
            server.cancel()
        await asyncio.wait(servers, timeout=CLEANUP_SECONDS)
