"""Requests of many tasks in batches: who goes together, whose error it is, how it ends."""

from __future__ import annotations

import asyncio
import threading
from collections import deque

import pytest

from burnqed.jobs.merging import Merger


def test_what_waits_together_goes_together_and_each_gets_its_own_answer() -> None:
    batches: list[list[int]] = []
    gate = threading.Event()

    def work(batch: list[int]) -> list[int]:
        batches.append(batch)
        gate.wait()
        return [10 * request for request in batch]

    async def run() -> list[int]:
        merger: Merger[int, int] = Merger("test", work)
        first = [asyncio.create_task(merger.ask(n)) for n in (1, 2)]
        while not batches:
            await asyncio.sleep(0)
        later = [asyncio.create_task(merger.ask(n)) for n in (3, 4, 5)]
        await asyncio.sleep(0)
        gate.set()
        answers = await asyncio.gather(*first, *later)
        await merger.finish()
        return list(answers)

    assert asyncio.run(run()) == [10, 20, 30, 40, 50]
    assert batches == [[1, 2], [3, 4, 5]]


def test_an_error_is_that_of_its_batch_alone() -> None:
    def work(batch: list[int]) -> list[int]:
        if 2 in batch:
            raise ValueError("two")
        return batch

    def one(waiting: deque[int]) -> list[int]:
        return [waiting.popleft()]

    async def run() -> list[object]:
        merger: Merger[int, int] = Merger("test", work, one)
        found = await asyncio.gather(*(merger.ask(n) for n in (1, 2, 3)), return_exceptions=True)
        await merger.finish()
        return list(found)

    first, error, last = asyncio.run(run())
    assert (first, last) == (1, 3)
    assert isinstance(error, ValueError)


def test_what_waits_at_the_end_is_cancelled() -> None:
    started, go = threading.Event(), threading.Event()

    def work(batch: list[int]) -> list[int]:
        started.set()
        go.wait()
        return batch

    async def run() -> None:
        merger: Merger[int, int] = Merger("test", work)
        first = asyncio.create_task(merger.ask(1))
        while not started.is_set():
            await asyncio.sleep(0)
        second = asyncio.create_task(merger.ask(2))
        await asyncio.sleep(0)
        go.set()
        await merger.cancel()
        for task in (first, second):
            with pytest.raises(asyncio.CancelledError):
                await asyncio.wait_for(task, 300)

    asyncio.run(run())


def test_a_batch_on_hold_takes_what_comes_meanwhile() -> None:
    batches: list[list[int]] = []
    held = True

    def work(batch: list[int]) -> list[int]:
        batches.append(batch)
        return batch

    async def body() -> None:
        nonlocal held
        merger: Merger[int, int] = Merger("test", work)
        merger.hold = lambda: held
        asked = []
        for number in range(3):
            asked.append(asyncio.ensure_future(merger.ask(number)))
            await asyncio.sleep(0.01)
        assert batches == []
        held = False
        assert await asyncio.gather(*asked) == [0, 1, 2]
        assert batches == [[0, 1, 2]]
        await merger.finish()

    asyncio.run(body())
