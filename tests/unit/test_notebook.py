"""The notebook runs from top to bottom on a small run's records, and its figure shows what they say.

Its cells are plain Python, so they run here without a Jupyter kernel, which the project does not depend on.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import matplotlib
import pyarrow as pa
import pytest

from burnqed.evaluation.statistics import wilson_interval
from burnqed.files import write_json, write_jsonl
from burnqed.records.trajectories import SCHEMA, write_trajectories
from tests.unit.test_report import eval_json
from tests.unit.test_search_engine import PLAN, search

nbformat = pytest.importorskip("nbformat")
matplotlib.use("Agg")

NOTEBOOK = Path(__file__).parents[2] / "docs" / "notebooks" / "records.ipynb"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A base model and an iteration: evaluations, searches of a counting game, and their proofs."""
    write_json(tmp_path / "baseline/eval/llm.json", eval_json("baseline", "llm", {"thm_0": 1, "thm_1": 9}))
    solved = {"thm_0": 1, "thm_2": 2, "thm_3": 3, "thm_4": 16, "thm_9": 1}
    write_json(tmp_path / "iter_0/eval/llm.json", eval_json("iter_0", "llm", solved, unverified="thm_9"))
    plan = replace(PLAN, expansions=30)
    records = sorted((search(start, plan)[0] for start in range(3, 9)), key=lambda record: record.result.key)
    results = [record.result for record in records]
    tables = [pa.table(record.columns, schema=SCHEMA) for record in records]
    write_trajectories(tmp_path / "iter_0/trajectories.parquet", tables, results)
    rows = [
        {"theorem": one.theorem, "statement": "", "header": "", "proof": one.proof} for one in results if one.proved
    ]
    assert rows
    write_jsonl(tmp_path / "iter_0/proofs.jsonl", rows)
    return tmp_path


def test_the_notebook_runs_and_shows_the_solve_rates(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RESULTS", str(run))
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    names: dict[str, Any] = {"__name__": "notebook"}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            exec(compile(cell.source, cell.id, "exec", dont_inherit=True), names)
    axes = names["axes"]
    curves = {line.get_label(): dict(zip(*line.get_data(), strict=True)) for line in axes.lines}
    assert [curves["baseline"][budget] for budget in (1, 8, 9, 16)] == [10, 10, 20, 20]
    assert [curves["iter_0"][budget] for budget in (1, 2, 3, 16)] == [10, 20, 30, 40]  # the unverified one is none
    band = axes.collections[1].get_paths()[0].get_extents()
    low, high = wilson_interval(1, 10)[0], wilson_interval(4, 10)[1]
    assert band.ymin == pytest.approx(100 * low) and band.ymax == pytest.approx(100 * high)
    said = capsys.readouterr().out
    assert "baseline to iter_0: +20.0 points" in said
    assert "newly solved 3, no longer solved 1" in said
    assert "iter_0: " in said and "6 theorems, " in said and "to go)" in said


def test_the_notebook_is_stored_without_output() -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code and not any(cell.outputs or cell.execution_count for cell in code)
