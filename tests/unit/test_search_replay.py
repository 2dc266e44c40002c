"""Replayed orders against the live search."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
import pytest
from search_toys import ToyValue
from test_search_engine import PLAN, PRIORITIES, search, with_priority

from burnqed.records.trajectories import SCHEMA, write_trajectories
from burnqed.search.frontier import Priority
from burnqed.search.replay import RecordedTree, read_recorded, replay

STARTS = range(3, 30)


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> list[RecordedTree]:
    """Trees explored by log-probability far past their first proofs, as a file holds them."""
    plan = replace(PLAN, kind="eval", batch_expansions=1, expansions=80, past_proof=80, max_depth=6)
    records = [search(start, plan)[0] for start in STARTS]
    records.sort(key=lambda record: record.result.key)
    path = tmp_path_factory.mktemp("trees") / "trees.parquet"
    tables = [pa.table(record.columns, schema=SCHEMA) for record in records]
    write_trajectories(path, tables, [record.result for record in records])
    return read_recorded(path)


@pytest.mark.parametrize("priority", PRIORITIES)
@pytest.mark.parametrize("batch", [1, 3])
def test_a_replayed_order_finds_what_the_live_search_finds(
    trees: list[RecordedTree], priority: Priority, batch: int
) -> None:
    whole = proved = 0
    for tree in trees:
        plan = replace(with_priority(priority), kind="eval", batch_expansions=batch, expansions=16, max_depth=6)
        found = replay(tree, plan, ToyValue())
        live, _ = search(int(tree.theorem.removeprefix("count_")), plan, value=ToyValue())
        if found is not None:
            whole += 1
            proved += found.proved
            assert found == live.result
    assert whole > 20
    assert proved >= 3


def test_a_tree_that_ends_too_early_gives_no_result(trees: list[RecordedTree]) -> None:
    tree = next(tree for tree in trees if len(tree.tactics) > 20)
    short = replace(tree, tactics=dict(list(tree.tactics.items())[:3]))
    plan = replace(PLAN, kind="eval", batch_expansions=1, expansions=30, max_depth=6)
    assert replay(short, plan) is None
    assert replay(short, replace(plan, expansions=3)) is not None


def test_the_states_of_a_tree(trees: list[RecordedTree]) -> None:
    for tree in trees:
        states = tree.states()
        assert tree.root not in states
        assert set(tree.tactics) - {tree.root} <= set(states)
        assert len(states) == len(set(states))
