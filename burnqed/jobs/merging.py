"""Requests of many tasks, answered in batches by one thread."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

Q = TypeVar("Q")
A = TypeVar("A")
HOLD_SECONDS = 0.002


def all_of(waiting: deque[Q]) -> list[Q]:
    """Take every request that waits."""
    batch = list(waiting)
    waiting.clear()
    return batch


class Merger(Generic[Q, A]):
    """Answers requests together: those that arrive while a batch is worked on go into the next one.

    ``work`` gets the requests of a batch, in a thread of its own, and returns one answer for each; when it raises, all
    of them get the error. ``take`` takes a batch out of those that wait, oldest first, at least one. ``hold``, when it
    is set, says whether a batch may wait for more requests.
    """

    def __init__(
        self, name: str, work: Callable[[list[Q]], Sequence[A]], take: Callable[[deque[Q]], list[Q]] = all_of
    ) -> None:
        self._work, self._take = work, take
        self._waiting: deque[Q] = deque()
        self._answers: dict[int, asyncio.Future[A]] = {}  # by identity of the request
        self._worker: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self.hold: Callable[[], bool] | None = None

    async def ask(self, request: Q) -> A:
        """Return the answer to a request."""
        answer: asyncio.Future[A] = asyncio.get_running_loop().create_future()
        self._answers[id(request)] = answer
        self._waiting.append(request)
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._serve())
        return await answer

    async def _serve(self) -> None:
        await asyncio.sleep(0)  # let callers that are ready now join the first batch
        loop = asyncio.get_running_loop()
        while self._waiting:
            while self.hold is not None and self.hold():
                await asyncio.sleep(HOLD_SECONDS)
            batch = self._take(self._waiting)
            futures = [self._answers.pop(id(request)) for request in batch]
            try:
                found = await loop.run_in_executor(self._thread, self._work, batch)
            except asyncio.CancelledError:
                for future in futures:
                    future.cancel()
                raise
            except Exception as error:
                for future in futures:
                    if not future.done():
                        future.set_exception(error)
                continue
            for future, answer in zip(futures, found, strict=True):
                if not future.done():
                    future.set_result(answer)

    async def finish(self) -> None:
        """Answer what waits, then end the thread."""
        if self._worker is not None:
            await self._worker
        self._thread.shutdown()

    async def cancel(self) -> None:
        """Cancel what waits, and end the thread once it has given up its batch."""
        if self._worker is not None and not self._worker.done():
            self._worker.cancel()
            await asyncio.gather(self._worker, return_exceptions=True)
        for answer in self._answers.values():
            answer.cancel()
        self._answers.clear()
        self._waiting.clear()
        self._thread.shutdown()
