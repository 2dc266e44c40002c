"""A run's scalars for TensorBoard, with a stand-in for its writer: the package is no dependency."""

from __future__ import annotations

import sys
import types
from pathlib import Path

import pytest

from burnqed.commands import cli
from tests.unit.test_report import results  # noqa: F401  (a fixture)

Scalars = dict[str, list[tuple[str, float, int]]]


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Scalars:
    """What was written, by log."""
    found: Scalars = {}

    class Writer:
        def __init__(self, folder: str) -> None:
            self.rows = found.setdefault(folder.rpartition("/out/")[2], [])

        def __enter__(self) -> Writer:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def add_scalar(self, name: str, value: float, step: int) -> None:
            self.rows.append((name, value, step))

    stand_in = types.ModuleType("torch.utils.tensorboard")
    stand_in.SummaryWriter = Writer  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", stand_in)
    return found


def test_logs_and_solve_rates_are_written(
    results: Path,  # noqa: F811
    written: Scalars,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (results / "iter_1/eval/llm.json.meta.json").write_text("{}")
    assert cli.main(["tensorboard", str(results), "--output", str(results / "out")]) == 0
    assert set(written) == {"iter_0/adapter.steps", "iter_1/ebm/history", "evaluation/llm", "evaluation/llm_ebm"}
    assert ("lr", 2e-4, 2) in written["iter_0/adapter.steps"]
    assert not any(name == "mfu" and step == 1 for name, _, step in written["iter_0/adapter.steps"])  # not known there
    rates = [row for row in written["evaluation/llm"] if row[0] == "solved within 16 nodes"]
    assert sorted((step, rate) for _, rate, step in rates) == [(0, 0.2), (1, 0.3), (2, 0.3)]
    assert f"{sum(map(len, written.values()))} values" in capsys.readouterr().out


def test_what_is_missing_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], written: Scalars
) -> None:
    assert cli.main(["tensorboard", str(tmp_path / "none")]) == 1
    assert "no training log and no evaluation yet" in capsys.readouterr().err
    assert cli.main(["tensorboard", str(tmp_path), "--output", str(tmp_path)]) == 1
    assert "is there already" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    assert cli.main(["tensorboard", str(tmp_path)]) == 1
    assert "pip install tensorboard" in capsys.readouterr().err
