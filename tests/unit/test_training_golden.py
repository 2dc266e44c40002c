"""Losses of tiny trainings, pinned: a change of the engine, a schedule or a seed shows here.

Recorded with torch 2.13 and one thread. The fine-tuning's own are in test_training_batches.py.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import test_training_head as heads
import test_training_loop as loop
import test_value_values as values
import torch
from value_toys import tiny_model

from burnqed.files import read_jsonl
from burnqed.training.head import train_head
from burnqed.training.value_fit import train_value

POLICY = [1.180574, 0.989635, 0.877326, 0.819633, 0.808423]
HEAD = {
    "infonce": [1.598235, 1.661693, 1.354629, 1.627063, 1.199666, 1.686372, 1.104234, 1.668807],
    "margin": [0.728204, 0.856589, 0.47929, 0.780533, 0.365566, 0.835439, 0.331373, 0.822022],
}
VALUES = {
    "pooled": [0.28552, 12, 12, 1.322494, 5.665977, 2.487198],
    "prompt": [0.253561, 12, 12, 1.93965, 4.477337, 3.735711],
    "own": [0.246431, 6, 6, 3.031151, 4.019337, 4.298783],
    "free": [0.230831, 4, 7, 6.667504, 6.380161, 6.521069],
}


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def test_losses_of_a_policy(tmp_path: Path) -> None:
    _, result = loop._run(tmp_path)
    found = [row["val_loss"] for row in result.history if "val_loss" in row]
    assert found == pytest.approx(POLICY, abs=1e-5)


@pytest.mark.parametrize("loss", ["infonce", "margin"])
def test_losses_of_a_head(tmp_path: Path, loss: str) -> None:
    settings = heads.SETTINGS.model_copy(update={"loss": loss, "dropout": 0.2, "evaluate_every": 40})
    train_head(heads.data(tmp_path, signal=1.0), settings, 3, "cpu", tmp_path / "ebm", {})
    rows = list(read_jsonl(tmp_path / "ebm" / "history.jsonl"))
    assert [row["step"] for row in rows] == [0, 40, 80, 120, 150]
    found = [row[name] for row in rows[1:] for name in ("loss", "val_loss")]
    assert found == pytest.approx(HEAD[loss], abs=1e-5)


@pytest.mark.parametrize("reader", values.READERS)
def test_losses_of_a_value(tmp_path: Path, reader: values.Reader) -> None:
    model = tiny_model(tmp_path / "model")
    settings = values.settings(reader).model_copy(update={"dropout": 0.2, "lora_rank": 2, "patience": 3})
    value = train_value(*values.readings(80), settings, values.policy(model), 3)
    report = value.card.report
    found = [report["held_out_loss"], report["best_epoch"], report["epochs"], *value.energies(values.readings(3)[0])]
    assert found == pytest.approx(VALUES[reader], abs=1e-4)
