"""Cost before a run: job tables, measured rules first, prices by machine type."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnqed.commands.cli import main
from burnqed.commands.estimate import Assumptions, estimate, planned_jobs, read_settings, render
from burnqed.config import load_config
from burnqed.files import UserError

ROOT = Path(__file__).parents[2]
TABLE = """
Job stats:
job             count
------------  -------
evaluate            3
search_shard        2
total               5

Reasons: ...
"""


def test_jobs_come_from_a_dry_run() -> None:
    assert planned_jobs(TABLE) == {"evaluate": 3, "search_shard": 2}
    assert planned_jobs("Nothing to be done (all requested files are present and up to date).") == {}
    with pytest.raises(UserError, match="no table of jobs"):
        planned_jobs("something else")


def test_an_evaluation_costs_what_its_tactics_cost() -> None:
    machine = {"hardware": "h200", "hardware_types": {"h200": {"price_per_hour": 6.0}}}
    cfg = load_config({**machine, "evaluation": {"budgets": [100]}, "search": {"candidates": 8}})
    given = Assumptions(solved=0.0, benchmark=200, lean_tactics_per_s=1000.0)
    (line,) = estimate(cfg, {"evaluate": 2, "plot_figure": 12}, Path("absent"), given)
    # 200 theorems x 100 expansions x 8 tactics at 494.5 a second
    assert line.hours == pytest.approx(2 * 160_000 / 494.5 / 3600)
    text = render([line], cfg, given, parallel=2)
    assert f"{line.hours:.1f}" in text
    assert f"{line.hours * 6:.2f}" in text
    slow = Assumptions(solved=0.0, benchmark=200, lean_tactics_per_s=1.0)  # 16 workers: Lean is slower than the model
    (line,) = estimate(cfg, {"evaluate": 2}, Path("absent"), slow)
    assert line.hours == pytest.approx(2 * 160_000 / 16 / 3600)


def test_what_has_run_here_is_taken_as_measured(tmp_path: Path) -> None:
    for number, seconds in enumerate((100, 300)):
        path = tmp_path / "benchmarks" / "evaluate" / f"{number}.tsv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"s\th:m:s\n{seconds}\t0:01:40\n")
    cfg = load_config({"hardware": "a100", "hardware_types": {"a100": {}}})
    (line,) = estimate(cfg, {"evaluate": 9}, tmp_path, Assumptions())
    assert line.hours == pytest.approx(9 * 200 / 3600)
    assert "2 jobs of this run" in line.source


def test_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    table = tmp_path / "jobs.txt"
    table.write_text(TABLE)
    config = str(ROOT / "config.yaml")
    assert main(["estimate", str(table), "--config", config, "--hardware", "a100", "--results", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "a100 at 2.45 US$" in said
    assert "train_sft" not in said
    assert main(["estimate", "--config", config, "--hardware", "cpu", "--results", str(tmp_path)]) == 1
    assert "no speeds are known for 'cpu'" in capsys.readouterr().err
    assert read_settings([Path(config)], "rtx4090").machine.quantization == "nf4"
