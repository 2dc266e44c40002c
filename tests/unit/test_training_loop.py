"""The training loop: learning, schedule, bitwise resume, SIGTERM, damaged checkpoints."""

from __future__ import annotations

import json
import logging
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch

from burnqed.files import UserError
from burnqed.jobs import stop
from burnqed.jobs.progress import ProgressFolder
from burnqed.jobs.stop import Stopped
from burnqed.training.checkpoints import TrainResult
from burnqed.training.engine import learning_rate_at
from burnqed.training.loop import LoopSettings, deterministic, train
from burnqed.training.speed import adapter_flops_per_token, peak_flops, steps_path

STEPS = 24
SETTINGS = LoopSettings(learning_rate=3e-2, warmup_ratio=0.1, weight_decay=0.01, checkpoint_every=5)


class Killed(BaseException):
    """Stands for SIGKILL: nothing after it runs that could save anything."""


def _model(dropout: float = 0.3) -> Any:
    deterministic(0, 1)
    return torch.nn.Sequential(
        torch.nn.Linear(6, 16), torch.nn.Dropout(dropout), torch.nn.Tanh(), torch.nn.Linear(16, 4)
    )


def _batches(step: int) -> list[dict[str, Any]]:
    rng = torch.Generator().manual_seed(step)
    inputs = torch.randn(12, 6, generator=rng)
    labels = inputs[:, :4].argmax(-1)
    return [{"input_ids": inputs[part], "labels": labels[part]} for part in (slice(0, 8), slice(8, 12))]


def _loss(model: Any, batch: dict[str, Any]) -> Any:
    return torch.nn.functional.cross_entropy(model(batch["input_ids"]), batch["labels"], reduction="sum")


def _run(
    folder: Path,
    batches: Callable[[int], Sequence[dict[str, Any]]] = _batches,
    dropout: float = 0.3,
    measure: Any = None,
    **changes: Any,
) -> tuple[dict[str, Any], TrainResult]:
    model = _model(dropout)
    progress = ProgressFolder(folder / "artifact", {"a": 1})
    validation = _batches(1000)

    def validate() -> float:
        return sum(float(_loss(model, batch)) for batch in validation) / 12

    settings = SETTINGS if not changes else LoopSettings(**{**SETTINGS.__dict__, **changes})
    try:
        result = train(model, STEPS, batches, _loss, settings, folder / "artifact", progress, validate, measure=measure)
    finally:
        progress.close()
    return {name: value.clone() for name, value in model.state_dict().items()}, result


def _killed_at(step: int) -> Callable[[int], Sequence[dict[str, Any]]]:
    def batches(at: int) -> Sequence[dict[str, Any]]:
        if at == step:
            raise Killed
        return _batches(at)

    return batches


def _same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return all(torch.equal(value, other[name]) for name, value in one.items())


@pytest.fixture
def undisturbed(tmp_path: Path) -> tuple[dict[str, Any], TrainResult]:
    return _run(tmp_path / "undisturbed")


def test_it_learns_and_records(undisturbed: tuple[dict[str, Any], TrainResult]) -> None:
    _, result = undisturbed
    assert [record["step"] for record in result.history] == list(range(1, STEPS + 1))
    first = sum(record["loss"] for record in result.history[:4])
    assert sum(record["loss"] for record in result.history[-4:]) < 0.8 * first
    measured = {record["step"]: record["val_loss"] for record in result.history if "val_loss" in record}
    assert list(measured) == [5, 10, 15, 20, 24]
    assert measured[result.best_step] == min(measured.values())


@pytest.mark.parametrize("step", [3, 12, 20, STEPS - 1])
def test_killed_and_run_again_gives_the_same_bits(
    tmp_path: Path, undisturbed: tuple[dict[str, Any], TrainResult], step: int
) -> None:
    with pytest.raises(Killed):
        _run(tmp_path, _killed_at(step))
    weights, result = _run(tmp_path)
    assert _same(weights, undisturbed[0])
    assert result.history == undisturbed[1].history
    assert result.times["steps_this_run"] == STEPS - step // 5 * 5


def test_a_damaged_newest_checkpoint_is_skipped_with_a_warning(
    tmp_path: Path, undisturbed: tuple[dict[str, Any], TrainResult], caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(Killed):
        _run(tmp_path, _killed_at(17))
    newest = max((tmp_path / ".progress").rglob("checkpoint.safetensors"), key=lambda file: file.parent.name)
    data = bytearray(newest.read_bytes())
    data[-9] ^= 1
    newest.write_bytes(data)
    with caplog.at_level(logging.WARNING):
        weights, result = _run(tmp_path)
    assert "damaged" in caplog.text
    assert result.times["steps_this_run"] == STEPS - 10
    assert _same(weights, undisturbed[0])


@pytest.fixture
def sigterm() -> Iterator[None]:
    before = signal.signal(signal.SIGTERM, stop.on_sigterm)
    yield
    signal.signal(signal.SIGTERM, before)
    stop._stop.clear()


def test_sigterm_saves_and_stops(
    tmp_path: Path, undisturbed: tuple[dict[str, Any], TrainResult], sigterm: None
) -> None:
    def batches(step: int) -> Sequence[dict[str, Any]]:
        if step == 7:
            os.kill(os.getpid(), signal.SIGTERM)
        return _batches(step)

    with pytest.raises(Stopped):
        _run(tmp_path, batches)
    stop._stop.clear()
    assert not list(tmp_path.rglob("status-*"))
    weights, result = _run(tmp_path)
    assert result.times["steps_this_run"] == STEPS - 8
    assert _same(weights, undisturbed[0])
    assert result.history == undisturbed[1].history


def test_the_best_weights_are_kept_not_the_last(tmp_path: Path) -> None:
    def poisoned(step: int) -> Sequence[dict[str, Any]]:
        batches = _batches(step)
        if step >= 10:
            batches = [{**batch, "labels": (batch["labels"] + 1) % 4} for batch in batches]
        return batches

    weights, result = _run(tmp_path, poisoned)
    assert result.best_step in (10, 15)
    model = _model().eval()
    model.load_state_dict(weights)
    with torch.no_grad():
        value = sum(float(_loss(model, batch)) for batch in _batches(1000)) / 12
    assert value == result.best_val_loss
    assert value < result.history[-1]["val_loss"]


def test_a_loss_that_is_not_finite_is_refused(tmp_path: Path) -> None:
    def broken(step: int) -> Sequence[dict[str, Any]]:
        return [{**batch, "input_ids": batch["input_ids"] * float("nan")} for batch in _batches(step)]

    with pytest.raises(UserError, match="lower the learning rate"):
        _run(tmp_path, broken)


def test_micro_batches_do_not_change_the_update(tmp_path: Path) -> None:
    def whole(step: int) -> Sequence[dict[str, Any]]:
        return [{key: torch.cat([batch[key] for batch in _batches(step)]) for key in ("input_ids", "labels")}]

    parts, _ = _run(tmp_path / "parts", dropout=0.0)
    together, _ = _run(tmp_path / "whole", whole, dropout=0.0)
    assert not _same(parts, _model(0.0).state_dict())
    for name, value in parts.items():
        assert torch.allclose(value, together[name], atol=1e-5), name


def test_the_step_log_tells_loss_rate_and_speed_and_goes_on_after_a_kill(tmp_path: Path) -> None:
    with pytest.raises(Killed):
        _run(tmp_path, _killed_at(17))
    log = steps_path(tmp_path / "artifact")
    with log.open("a") as stream:
        stream.write('{"step": 1')  # cut off by the kill
    _, result = _run(tmp_path)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [{key: line[key] for key in record} for line, record in zip(lines, result.history, strict=True)] == (
        result.history
    )
    for line in lines:
        assert line["tokens"] == 12 * 6
        assert line["tokens_per_second"] > 0
        assert line["memory_gb"] > 0.05
        assert line["mfu"] is None  # the peak of a CPU is not known


def test_share_of_the_peak() -> None:
    assert peak_flops("NVIDIA H100 PCIe") == 756e12
    assert peak_flops("NVIDIA A100-SXM4-80GB") == 312e12
    assert peak_flops("Some other card") is None
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(
        vocab_size=50, hidden_size=32, intermediate_size=64, num_hidden_layers=3, num_attention_heads=4,
        num_key_value_heads=2,
    )  # fmt: skip
    # per layer: q and o 32 x 32, k and v 32 x 16, three of the MLP 32 x 64
    assert adapter_flops_per_token(LlamaForCausalLM(config)) == 4 * 3 * (2 * 32 * 32 + 2 * 32 * 16 + 3 * 32 * 64)


def test_further_losses_are_recorded_and_choose_nothing(
    tmp_path: Path, undisturbed: tuple[dict[str, Any], TrainResult]
) -> None:
    calls: list[float] = []

    def measure() -> dict[str, float]:
        calls.append(float(-len(calls)))
        return {"trajectory_loss": calls[-1]}

    weights, result = _run(tmp_path, measure=measure)
    measured = [record["trajectory_loss"] for record in result.history if "trajectory_loss" in record]
    assert measured == calls == [0.0, -1.0, -2.0, -3.0, -4.0]
    assert _same(weights, undisturbed[0])


def _full_gpu(step: int) -> Sequence[dict[str, Any]]:
    raise torch.OutOfMemoryError("CUDA out of memory")


def _full_machine(step: int) -> Sequence[dict[str, Any]]:
    return [{"input_ids": torch.empty(1 << 50)}]


@pytest.mark.parametrize("full", [_full_gpu, _full_machine])
def test_out_of_memory_names_the_settings(tmp_path: Path, full: Callable[[int], Sequence[dict[str, Any]]]) -> None:
    with pytest.raises(UserError) as caught:
        _run(tmp_path, full)
    for name in ("sft.micro_batch_tokens", "model.max_length", "sft.gradient_checkpointing", "quantization: nf4"):
        assert name in str(caught.value)


def test_schedule() -> None:
    rates = [learning_rate_at(step, 100, LoopSettings(learning_rate=1.0, warmup_ratio=0.1)) for step in range(100)]
    assert rates[0] == pytest.approx(0.1)
    assert max(rates) == rates[9] == rates[10] == 1.0
    assert rates[10:] == sorted(rates[10:], reverse=True)
    assert rates[55] == pytest.approx(0.5)
    assert 0 < rates[99] < 0.01
