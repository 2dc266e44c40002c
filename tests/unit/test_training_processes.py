"""Data-parallel training: two processes do what one does; stopping and going on; failures."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import training_worker

from burnqed.files import UserError
from burnqed.jobs.stop import Stopped
from burnqed.training.batches import Example
from burnqed.training.processes import Processes, check_gpus, run_processes
from tests.forking import ROOT, TRAINING, forking

WORKER = Path(training_worker.__file__)


def _train(folder: Path, count: int = 2, stop_at: int = 0, dropout: float = 0.0) -> Any:
    folder.mkdir(exist_ok=True)
    if count == 1:
        training_worker.run(folder, stop_at, dropout)
    else:
        run_processes(count, forking(TRAINING).script(WORKER, str(folder), str(stop_at), str(dropout)))
    return torch.load(folder / "result.pt")


@pytest.fixture(autouse=True)
def package_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def _launched(folder: Path) -> Any:
    """Train in two processes of `accelerate launch`."""
    folder.mkdir()
    launch = forking(TRAINING).command(["accelerate.commands.launch", "--no_python"])
    how = ["--multi_gpu", "--num_processes=2", "--num_machines=1", "--main_process_port=0", "--mixed_precision=no"]
    done = subprocess.run(
        [*launch, *how, "--dynamo_backend=no", *forking(TRAINING).script(WORKER, str(folder), "0", "0.0")],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return torch.load(folder / "result.pt")


@pytest.mark.parametrize("launch", [_train, _launched], ids=["processes", "accelerate"])
def test_two_processes_train_as_one_with_the_same_tokens(tmp_path: Path, launch: Callable[[Path], Any]) -> None:
    one, two = _train(tmp_path / "one", 1), launch(tmp_path / "two")
    assert (one["processes"], two["processes"]) == (1, 2)
    for name, value in one["model"].items():
        torch.testing.assert_close(value, two["model"][name], rtol=0, atol=1e-5)
    assert [record.keys() for record in one["history"]] == [record.keys() for record in two["history"]]
    for ours, theirs in zip(one["history"], two["history"], strict=True):
        assert ours == pytest.approx(theirs, abs=2e-5)


def test_two_processes_stop_together_and_go_on_with_the_same_bits(tmp_path: Path) -> None:
    undisturbed = _train(tmp_path / "undisturbed", dropout=0.3)
    with pytest.raises(Stopped):
        _train(tmp_path / "stopped", stop_at=7, dropout=0.3)
    assert not (tmp_path / "stopped" / "result.pt").exists()
    resumed = _train(tmp_path / "stopped", dropout=0.3)
    assert resumed["history"] == undisturbed["history"]
    for name, value in undisturbed["model"].items():
        assert torch.equal(value, resumed["model"][name]), name


def test_a_process_that_fails_ends_the_others(tmp_path: Path) -> None:
    script = "import os, sys, time\nif os.environ['RANK'] == '1': sys.exit(3)\ntime.sleep(600)"
    with pytest.raises(UserError, match="training process 1 of 2 failed with status 3"):
        run_processes(2, [sys.executable, "-c", script])


def test_shares_hold_every_example_once_and_about_the_same_tokens() -> None:
    examples = [Example(tuple(range(length)), 1) for length in (90, 5, 40, 41, 7, 60, 3, 22, 80, 11)]
    shares = [Processes(rank, 3).share(examples) for rank in range(3)]
    assert sorted((e.tokens for share in shares for e in share), key=len) == sorted(
        (e.tokens for e in examples), key=len
    )
    sizes = [sum(len(e.tokens) for e in share) for share in shares]
    assert max(sizes) - min(sizes) <= 22
    assert Processes().share(examples) == examples


def test_more_processes_than_gpus_are_refused() -> None:
    with pytest.raises(UserError, match=r"torch sees \d+ GPU"):
        check_gpus(1000, "cuda")
    check_gpus(1000, "cpu")
