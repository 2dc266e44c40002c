"""Replayed orders against the live search."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from search_toys import ToyValue
from test_search_engine import PLAN, PRIORITIES, search, with_priority
from value_toys import tiny_model

from burnqed.config import EncoderSettings, ModelSettings, ValueSettings
from burnqed.records.trajectories import SCHEMA, write_trajectories
from burnqed.search.frontier import Priority, Ranking
from burnqed.search.replay import RecordedTree, read_recorded, replay, replay_all
from burnqed.training.value_fit import train_value
from burnqed.training.values import TreeEnergies, tree_energies, tree_readings
from burnqed.value.readers import Policy
from burnqed.value.values import ValueScorer

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


def test_with_a_trained_value_the_live_search_solves_what_the_replay_does(
    trees: list[RecordedTree], tmp_path: Path
) -> None:
    model = tiny_model(tmp_path / "model")
    readings = [reading for tree in trees for reading in tree_readings(tree)]
    targets = [float(len(reading.state) < 5) for reading in readings]  # few digits, few goals
    settings = ValueSettings(reader="prompt", hidden_sizes=[8], learning_rate=0.01, epochs=2)
    encoder, form = EncoderSettings(dtype="float64", max_length=64), ModelSettings(prompt_format="goal_proofstep")
    held = [number % 4 == 0 for number in range(len(readings))]
    value = train_value(readings, targets, held, settings, Policy(model, form, encoder, "cpu", "none"), 0)
    value.card = replace(value.card, coefficient=3.0)
    plan = replace(PLAN, kind="eval", batch_expansions=1, expansions=16, max_depth=6)
    plan = replace(plan, ranking=Ranking("tuned", 0.5, coefficient=value.card.coefficient))
    energies = tree_energies(value, trees)
    found = replay_all(trees, plan, [TreeEnergies(own) for own in energies])
    others = replay_all(trees, replace(plan, ranking=Ranking()), [None] * len(trees))
    assert sum(one != other for one, other in zip(found, others, strict=True)) > 5  # the value does decide
    whole = 0
    for tree, own in zip(trees, found, strict=True):
        if own.complete:
            live, _ = search(int(tree.theorem.removeprefix("count_")), plan, value=ValueScorer(value))
            assert (own.proof, own.nodes, own.tactics) == (
                tuple(live.result.proof), live.result.nodes, live.result.tactics,
            )  # fmt: skip
            whole += 1
    assert whole > 20


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
