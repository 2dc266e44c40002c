"""A second order over what the first has tried: the same record, fewer questions."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from search_toys import ToyPolicy, ToyPool, ToySession, ToyStack, ToyValue

from burnqed.config import SearchSettings
from burnqed.records.theorems import Theorem
from burnqed.records.trajectories import TheoremResult
from burnqed.search.plan import Searches
from burnqed.search.reuse import Earlier, ReusingSession, Tried, read_earlier
from burnqed.search.run import run_search

THEOREMS = [Theorem(f"count_{n}", str(n)) for n in range(3, 40)] + [Theorem("no_number", "x = x")]
SETTINGS = SearchSettings(expansions=12, candidates=4, candidates_with_head=4, concurrency=8)


class Counted:
    """Counts what policy and prover were asked."""

    def __init__(self) -> None:
        self.policy, self.pool = ToyPolicy(), ToyPool()

    @property
    def states(self) -> int:
        return sum(len(states) for states, _ in self.policy.calls)

    @property
    def tactics(self) -> int:
        return sum(len(session.tried) for session in self.pool.sessions.values())


def run(
    output: Path,
    priority: str,
    asked: Counted,
    earlier: dict[tuple[str, int], Earlier] | None = None,
    **changes: object,
) -> list[TheoremResult]:
    search = {name: changes.pop(name) for name in list(changes) if name in SearchSettings.model_fields}
    stack = ToyStack(
        generator=asked.policy,
        scorer=None if priority == "none" else ToyValue(),
        search=SETTINGS.model_copy(update={"priority": priority if priority != "none" else "hybrid", **search}),
        pool=asked.pool,
        name=["toy", priority, earlier is not None],
        earlier=earlier or {},
    )
    extra: Any = changes.pop("extra", None)
    what: dict[str, Any] = {"kind": "eval", "iteration": 1, "seed": 3, "attempts": 2, **changes}
    return run_search(stack, Searches(THEOREMS, **what), output, extra)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a search by log-probability."""
    path = tmp_path_factory.mktemp("plain") / "plain.parquet"
    run(path, "none", Counted())
    return path


@pytest.mark.parametrize("priority", ["energy", "weighted", "hybrid", "none"])
def test_the_record_is_that_of_a_search_of_its_own(plain: Path, tmp_path: Path, priority: str) -> None:
    earlier = read_earlier(plain)
    alone, reusing = Counted(), Counted()
    wanted = run(tmp_path / "alone.parquet", priority, alone)
    found = run(tmp_path / "reusing.parquet", priority, reusing, earlier)
    assert found == wanted
    assert pq.read_table(tmp_path / "reusing.parquet").equals(pq.read_table(tmp_path / "alone.parquet"))
    assert alone.states > 0
    if priority == "none":  # the same order once more asks nothing at all
        assert (reusing.states, reusing.tactics) == (0, 0)
    else:
        assert reusing.states < 0.7 * alone.states
        assert reusing.tactics < 0.9 * alone.tactics  # some tactics make states again


def test_what_was_reused_is_counted(plain: Path, tmp_path: Path) -> None:
    extra: dict[str, object] = {}
    run(tmp_path / "again.parquet", "none", Counted(), read_earlier(plain), extra=extra)
    summary = extra["search"]
    assert isinstance(summary, dict)
    assert summary["reused_expansions"] == summary["expansions"] > 50


def test_other_random_numbers_take_no_candidates_over(plain: Path, tmp_path: Path) -> None:
    alone, reusing = Counted(), Counted()
    wanted = run(tmp_path / "alone.parquet", "energy", alone, seed=4)
    found = run(tmp_path / "reusing.parquet", "energy", reusing, read_earlier(plain), seed=4)
    assert found == wanted
    assert reusing.states == alone.states


def test_sampling_again_takes_nothing_over(tmp_path: Path) -> None:
    run(tmp_path / "plain.parquet", "none", Counted(), resample=2)
    alone, reusing = Counted(), Counted()
    wanted = run(tmp_path / "alone.parquet", "energy", alone, resample=2)
    earlier = read_earlier(tmp_path / "plain.parquet")
    assert run(tmp_path / "reusing.parquet", "energy", reusing, earlier, resample=2) == wanted
    assert reusing.tactics == alone.tactics


def test_a_state_that_cannot_be_made_again_costs_its_tactics_only() -> None:
    pool = ToyPool()
    earlier = Earlier("⊢ 9", {"⊢ 9": 1}, {"⊢ 9": {"sub 1": Tried("sub 1", -1.0, "ok", "⊢ elsewhere", "")}})

    async def play() -> None:
        async def open_live() -> ToySession:
            return await pool.open(Theorem("t", "9"))

        session = ReusingSession(earlier, open_live)
        (first,) = await session.apply_many(0, ["sub 1"])
        assert (first.text, pool.sessions) == ("⊢ elsewhere", {})
        assert first.state is not None
        (second,) = await session.apply_many(first.state, ["sub 2"])
        assert (second.outcome, second.state) == ("crash", None)
        (third,) = await session.apply_many(0, ["sub 2"])  # the search goes on elsewhere
        assert (third.outcome, third.text) == ("ok", "⊢ 7")
        await session.close()

    asyncio.run(play())
    assert pool.open_sessions == 0
    assert json.dumps(sorted(pool.sessions)) == '["t"]'
