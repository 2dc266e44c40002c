"""The probe of joint training: a sample of groups that measures what the whole would, and silhouettes."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from value_toys import forest, write_run

from burnqed.value.contrastive import Groups, build_groups
from burnqed.value.health import embedding_health
from burnqed.value.probe import choose_theorems, make_probe, silhouette, silhouette_by_depth, subset


@pytest.fixture(scope="module")
def groups(tmp_path_factory: pytest.TempPathFactory) -> Groups:
    trajectories, proofs = write_run(tmp_path_factory.mktemp("run"), *forest(8))
    return build_groups([trajectories], [proofs], unexpanded_negatives=True)


def test_a_subset_holds_the_same_groups(groups: Groups) -> None:
    keep = np.array([name in ("t001", "t004", "t007") for name in groups.theorems])
    part, rows = subset(groups, keep)
    assert part.theorems == ["t001", "t004", "t007"]
    assert [part.shas[i] for i in range(len(part.shas))] == [groups.shas[row] for row in rows]
    whole = [p for p in range(len(groups.positive)) if keep[groups.theorem[p]]]
    assert len(whole) == len(part.positive) == 3 * 3
    for one, p in enumerate(whole):

        def named(source: Groups, index: int) -> tuple[object, ...]:
            start = source.off_start[index]
            near = source.near_start[index]
            siblings = source.sibling[source.sibling_start[index] :][: source.sibling_count[index]]
            return (
                source.shas[source.positive[index]],
                source.shas[source.goal[index]],
                source.theorems[source.theorem[index]],
                int(source.depth[index]),
                [source.shas[row] for row in siblings],
                [source.shas[row] for row in source.off[start : start + source.off_count[index]]],
                [source.shas[row] for row in source.off[near : near + source.near_count[index]]],
            )

        assert named(part, one) == named(groups, p)


def test_a_probe_of_everything_measures_what_the_whole_does(groups: Groups) -> None:
    out = np.array([number % 4 == 0 for number in range(8)])
    probe = make_probe(groups, out, 10**6, 16, 3, 0.6, 0, "cpu")
    vectors = torch.randn(len(groups.shas), 6, generator=torch.Generator().manual_seed(0))
    expected = embedding_health(vectors, groups, out)
    found = probe.health(vectors[torch.from_numpy(probe.rows)])
    assert all(found[key] == value for key, value in expected.items() if key != "variance_spectrum")
    assert {probe.groups.theorems[t] for t in probe.groups.theorem[probe.batch.positions]} <= {"t000", "t004"}
    first = torch.zeros(16, 4)
    first[:, 1:] = 1.0
    assert probe.ranking(first)["rank1"] == 1.0
    assert probe.ranking(first)["energy_gap"] == 1.0
    assert set(probe.ranking(first)["rank1_by_depth"]) <= {"1", "2", "3"}


def test_theorems_are_chosen_from_both_sides_within_the_number_of_states(groups: Groups) -> None:
    out = np.array([number in (2, 5) for number in range(8)])
    sizes = [int(groups.off_count[groups.theorem == t][0]) + 4 for t in range(8)]
    keep = choose_theorems(groups, out, 5 * sizes[0], seed=0)
    assert keep[out].all()
    assert keep.sum() == 5
    assert (choose_theorems(groups, out, 5 * sizes[0], seed=0) == keep).all()
    few = choose_theorems(groups, out, 1, seed=0)
    assert (few[out].sum(), few[~out].sum()) == (1, 1)


def test_silhouette_by_hand() -> None:
    x, y = torch.tensor([[0.0], [2.0]]), torch.tensor([[10.0], [11.0]])
    # a and b of each point: 2, 10.5; 2, 8.5; 1, 9; 1, 10
    expected = ((10.5 - 2) / 10.5 + (8.5 - 2) / 8.5 + (9 - 1) / 9 + (10 - 1) / 10) / 4
    assert silhouette(x, y) == pytest.approx(expected, abs=1e-6)
    assert silhouette(x, y[:1]) is None


def test_silhouettes_tell_depths_apart(groups: Groups) -> None:
    generator = torch.Generator().manual_seed(0)
    vectors = torch.randn(len(groups.shas), 4, generator=generator)
    shifted = torch.from_numpy(groups.positive[groups.depth == 2])
    vectors[shifted] += 50.0
    found = silhouette_by_depth(vectors, groups)
    assert set(found) == {"1", "2", "3"}
    assert found["2"] is not None and found["2"] > 0.8
    assert found["1"] is not None and abs(found["1"]) < 0.3
