"""The baseline page: what it counts, and that it stands without what a run lacks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from test_evaluation_evals import evaluation, result
from value_toys import forest

from burnqed.experiments.baseline_page import baseline_html, baseline_markdown, baseline_sections, branching
from burnqed.files import UserError, write_json, write_jsonl
from burnqed.records.trajectories import SCHEMA, read_steps, times_path, write_times, write_trajectories

QUANTILES = {"p50": 2, "p95": 7}
METRICS: dict[str, Any] = {
    "centroid_l2": 1.234, "linear_probe": None, "norm_gap": 0.1, "norm_mean": 8.0, "sibling_l2": None,
    "effective_dimension": 5.9, "variance_top1": 0.3, "variance_top10": 0.9, "dual_label_rate": 0.1, "rank1": 0.7,
    "chance": 0.25, "rank1_by_depth": {"1": {"rank1": 0.5}}, "sibling_rank1": None, "energy_gap": 0.5,
    "hard_negative_share": 0.6, "temperature": 1.0, "counts": {"positives": 3, "negatives": 4},
}  # fmt: skip


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Any]:
    searches, proofs = forest(2)
    results = [result("t000", 4), result("t001", 8)]
    tables = [pa.Table.from_pylist(search.rows, SCHEMA) for search in searches]
    trajectories = tmp_path / "trajectories.parquet"
    write_trajectories(trajectories, tables, results)
    parts = {"policy_seconds": 6.0, "lean_seconds": 3.0, "value_seconds": 1.0, "seconds": 10.0}
    write_times(trajectories, [{"theorem": "t000", "kind": "main", "attempt": 0, **parts}])
    twice = [*proofs, (proofs[0][0], ["another"])]
    write_jsonl(tmp_path / "proofs.jsonl", [{"theorem": name, "proof": proof} for name, proof in twice])
    part = {"pairs": 10, "theorems": 5, "state_chars": QUANTILES, "proof_length": QUANTILES}
    write_json(tmp_path / "report.json", {"train": part, "val": part})
    write_json(tmp_path / "ebm" / "metrics.json", METRICS)
    for label in ("baseline", "iter_1"):
        write_json(tmp_path / f"{label}.json", evaluation({"a": 3, "b": None}, label=label))
    return {
        "data": tmp_path / "report.json", "ebm": tmp_path / "ebm", "trajectories": trajectories,
        "proofs": tmp_path / "proofs.jsonl", "evals": [tmp_path / "baseline.json", tmp_path / "iter_1.json"],
    }  # fmt: skip


def _values(files: dict[str, Any]) -> dict[object, object]:
    return {row["measure"]: row["this run"] for _, rows in baseline_sections(**files) for row in rows}


def test_what_the_page_counts(files: dict[str, Any]) -> None:
    found = _values(files)
    assert found["different re-checked proofs per proved theorem"] == "1.50"
    assert found["theorems searched that never started"] == "0 of 2 (0.0 %)"
    assert found["nodes to the first proof: median, 90th percentile, most"] == "8, 8, 8"
    assert found["solved, base, 30 nodes"] == "1 of 2 (50.0 %)"
    assert found["time in generation, prover, value"] == "60 %, 30 %, 10 %"
    assert found["centroid_l2"] == "1.23"
    assert found["linear probe, balanced accuracy"] == "-"
    # Two searches of three bad and one good tactic at three depths, a dead end after each bad one, and a close.
    assert found["tactics the prover accepts"] == "44 of 44 (100.0 %)"
    assert str(found["first words on proof paths"]).startswith("good 75 %, close 25 %")


def test_branching_is_new_states_per_expansion(files: dict[str, Any]) -> None:
    steps = read_steps(files["trajectories"])
    at_root = [row for row in steps.to_pylist() if row["depth"] == 0]
    expansions = {(row["theorem"], row["expansion"]) for row in at_root}
    assert branching(steps)[0] == len(at_root) / len(expansions)


def test_both_forms_show_the_predecessor_beside_the_run(files: dict[str, Any]) -> None:
    sections = baseline_sections(**files)
    markdown, page = baseline_markdown(1, sections), baseline_html(1, sections)
    assert "| centroid_l2 | 1.23 | 6.40; 1.33 after the collapse |" in markdown
    assert "<td>6.40; 1.33 after the collapse</td>" in page
    assert "landmarks, not a paired comparison" in markdown and "landmarks, not a paired comparison" in page


def test_a_run_without_times_or_heads_of_this_version(files: dict[str, Any]) -> None:
    times_path(files["trajectories"]).unlink()
    assert "time in generation, prover, value" not in _values(files)
    (files["ebm"] / "metrics.json").unlink()
    with pytest.raises(UserError, match=r"metrics\.json"):
        _values(files)
