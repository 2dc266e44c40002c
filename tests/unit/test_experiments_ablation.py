"""The value ablation: the control's energies, the paired comparison, the table and figure."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from burnqed.experiments import ablation
from burnqed.experiments.figures_ablation import draw_ablation
from burnqed.files import UserError, write_json
from burnqed.records.trajectories import SCHEMA, write_trajectories
from burnqed.report.style import save_figure
from burnqed.value.shuffled import ShuffledEnergies

FILL: dict[str, Any] = {"string": "", "int32": 0, "int64": 0, "double": 0.0, "bool": False}


def searched(path: Path, energies: dict[str, dict[str, float | None]]) -> Path:
    """Write trajectories in which each theorem's states have the given energies."""
    rows = [(goal, state, energy) for goal, states in energies.items() for state, energy in states.items()]
    columns = {
        field.name: pa.array([FILL[str(field.type)]] * len(rows), field.type)
        for field in SCHEMA
        if field.name not in ("goal", "next_state", "energy")
    }
    for name, values in zip(("goal", "next_state", "energy"), zip(*rows, strict=True), strict=True):
        columns[name] = pa.array(values, SCHEMA.field(name).type)
    write_trajectories(path, [pa.table(columns).select(SCHEMA.names)], [])
    return path


ENERGIES: dict[str, dict[str, float | None]] = {
    "goal a": {f"state {i}": float(i) for i in range(40)},
    "goal b": {f"state {i}": 100.0 + i for i in range(40)},
    "goal c": {"too deep": None},
}


def scores(scorer: ShuffledEnergies, states: list[str], goal: str) -> list[float]:
    return asyncio.run(scorer.score(states, [goal] * len(states)))


def test_energies_change_places_within_a_theorem(tmp_path: Path) -> None:
    path = searched(tmp_path / "s.parquet", ENERGIES)
    states = list(ENERGIES["goal a"])
    found = {goal: scores(ShuffledEnergies(path, 1), states, goal) for goal in ("goal a", "goal b")}
    assert sorted(found["goal a"]) == sorted(ENERGIES["goal a"].values())  # type: ignore[type-var]
    assert sorted(found["goal b"]) == sorted(ENERGIES["goal b"].values())  # type: ignore[type-var]
    moved = sum(e != ENERGIES["goal a"][s] for s, e in zip(states, found["goal a"], strict=True))
    assert moved > 30
    assert [e - 100 for e in found["goal b"]] != found["goal a"]


def test_permutation_is_a_function_of_seed_state_and_goal(tmp_path: Path) -> None:
    path = searched(tmp_path / "s.parquet", ENERGIES)
    states = [*list(ENERGIES["goal a"]), "new state"]
    together = scores(ShuffledEnergies(path, 1), states, "goal a")
    alone = ShuffledEnergies(path, 1)
    assert together == [scores(alone, [state], "goal a")[0] for state in reversed(states)][::-1]
    assert together != scores(ShuffledEnergies(path, 2), states, "goal a")


def test_new_state_gets_an_energy_of_its_theorem(tmp_path: Path) -> None:
    scorer = ShuffledEnergies(searched(tmp_path / "s.parquet", ENERGIES), 0)
    assert all(100 <= e < 140 for e in scores(scorer, [f"new {i}" for i in range(20)], "goal b"))
    assert len(set(scores(scorer, [f"new {i}" for i in range(20)], "unknown goal"))) > 5


def test_search_without_a_head_holds_no_energies(tmp_path: Path) -> None:
    path = searched(tmp_path / "s.parquet", {"goal": {"state": None}})
    with pytest.raises(UserError, match="holds no energy"):
        ShuffledEnergies(path, 0)


NAMES = [f"t{i}" for i in range(20)]


def evaluation(folder: Path, way: str, seed: int, solved: dict[str, int]) -> Path:
    """Write an eval file in which theorems are solved with so many nodes."""
    path = folder / f"seed_{seed}" / way / "eval" / "llm.json"
    rows = [{"name": n, "proved": n in solved, "verified": n in solved, "nodes": solved.get(n, 8)} for n in NAMES]
    results = [
        {"budget": b, "solved": k, "total": len(NAMES), "rate": k / len(NAMES)}
        for b in (4, 8)
        for k in [sum(v <= b for v in solved.values())]
    ]
    ebm = None if way == "logprob" else {"digest": "other" if way.startswith("state_only") else "first"}
    keys = {"label": "iter_1", "variant": "llm", "benchmark": {}, "settings": {}, "seeds": [seed], "ebm": ebm}
    write_json(path, {**keys, "results": results, "per_theorem": rows})
    return path


def written(folder: Path) -> list[Path]:
    """Two seeds: the head solves t0 .. t5 more in each, and loses t19 in one; the control changes nothing."""
    paths = []
    for seed in (0, 1):
        base = dict.fromkeys(NAMES[10:], 2)
        more = {**base, **dict.fromkeys(NAMES[:6], 6)}
        if seed:
            more.pop("t19")
        paths += [
            evaluation(folder, "logprob", seed, base),
            evaluation(folder, "goal_conditioned_hybrid", seed, more),
            evaluation(folder, "shuffled_hybrid", seed, base),
        ]
    return paths


def test_differences_are_paired_by_theorem_and_seed(tmp_path: Path) -> None:
    ways = ablation.read_ways(written(tmp_path))
    assert list(ways) == ["logprob", "goal_conditioned_hybrid", "shuffled_hybrid"]
    rows = {(r.way, r.seeds, r.budget): r for r in ablation.ablation_rows(ways, 0.95, 500)}
    pooled = rows["goal_conditioned_hybrid", (0, 1), 8]
    assert (pooled.solved, pooled.total, pooled.gained, pooled.lost) == (31, 40, 12, 1)
    assert pooled.difference.value == pytest.approx(11 / 40)
    assert 0 < pooled.difference.low < pooled.difference.value < pooled.difference.high
    assert pooled.p == pytest.approx(2 * (1 + 13) / 2**13)
    assert rows["goal_conditioned_hybrid", (1,), 8].lost == 1
    assert rows["goal_conditioned_hybrid", (0, 1), 4].gained == 0  # they take 6 nodes
    control = rows["shuffled_hybrid", (0, 1), 8]
    assert (control.difference.low, control.difference.high, control.p) == (0, 0, 1)


def test_searches_of_one_theorem_are_no_independent_trials(tmp_path: Path) -> None:
    one = ablation.read_ways([p for p in written(tmp_path) if "seed_0" in p.parts])
    again = ablation.read_ways([p for p in written(tmp_path) if "seed_0" in p.parts])
    for way in again:
        again[way][1] = again[way][0]  # the same searches counted twice say no more
    first, twice = (
        ablation.ablation_row(ways, "goal_conditioned_hybrid", seeds, 8, 0.95, 500)
        for ways, seeds in ((one, [0]), (again, [0, 1]))
    )
    assert (twice.difference.low, twice.difference.high) == (first.difference.low, first.difference.high)
    assert twice.solved == 2 * first.solved


def test_a_head_is_compared_with_its_own_control(tmp_path: Path) -> None:
    more = [evaluation(tmp_path, "state_only_hybrid", seed, {"t0": 1}) for seed in (0, 1)]  # another head: no control
    rows = ablation.control_rows(ablation.read_ways([*written(tmp_path), *more]), 0.95, 100)
    assert [(r.way, r.reference, r.budget) for r in rows] == [
        ("goal_conditioned_hybrid", "shuffled_hybrid", 4),
        ("goal_conditioned_hybrid", "shuffled_hybrid", 8),
    ]
    assert (rows[1].gained, rows[1].lost) == (12, 1)


def test_ways_on_other_theorems_are_refused(tmp_path: Path) -> None:
    paths = written(tmp_path)
    with pytest.raises(UserError, match=r"goal_conditioned_hybrid and logprob were not run on the same"):
        ablation.read_ways([p for p in paths if "goal_conditioned_hybrid" not in p.parts or "seed_0" in p.parts])
    with pytest.raises(UserError, match=r"needs the run logprob"):
        ablation.read_ways([p for p in paths if "logprob" not in p.parts])


def test_table_and_figure_show_every_way(tmp_path: Path) -> None:
    ways = ablation.read_ways(written(tmp_path))
    head = tmp_path / "seed_0" / "goal_conditioned" / "ebm"
    write_json(head / "metrics.json", {"rank1": 0.5, "chance": 0.25, "sibling_rank1": None})
    rows = ablation.ablation_rows(ways, 0.95, 100)
    text = ablation.render(rows, ablation.control_rows(ways, 0.95, 100), ablation.head_rows([head]), 0.95)
    assert "| hybrid, goal-conditioned | 31/40 |" in text
    assert "| hybrid, shuffled | 20/40 |" in text
    assert "| goal_conditioned | 0 | 0.500 | 0.250 |" in text
    assert text.index("All seeds, 8") < text.index("All seeds, 4") < text.index("Seed 0, 8")
    save_figure(draw_ablation(rows), ablation.csv_rows(rows), tmp_path / "f.svg")
    drawn = (tmp_path / "f.svg").read_text()
    assert "hybrid, goal-conditioned" in drawn and "logprob" in drawn
    assert len((tmp_path / "f.csv").read_text().splitlines()) == 1 + len(rows)
