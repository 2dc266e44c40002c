"""Values of each reader learn a planted signal, are the same after loading, and score as the search needs them."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest
import torch
from pydantic import ValidationError
from sklearn.metrics import roc_auc_score
from value_toys import tiny_model

from burnqed.config import EncoderSettings, ModelSettings, SearchSettings, ValueSettings
from burnqed.files import UserError
from burnqed.jobs.progress import ProgressFolder
from burnqed.jobs.stop import Stopped
from burnqed.search.plan import SearchPlan
from burnqed.training.value_fit import _CrossEntropy, train_value
from burnqed.value.loading import load_scorer
from burnqed.value.readers import Policy, Reading
from burnqed.value.values import TrainedValue, ValueScorer, load_value

ENCODER = EncoderSettings(dtype="float64", batch_tokens=1024, max_length=128)
MODEL = ModelSettings(prompt_format="goal_proofstep", max_length=128)
Reader = Literal["pooled", "prompt", "own", "free"]
READERS: tuple[Reader, ...] = ("pooled", "prompt", "own", "free")


def settings(reader: Reader) -> ValueSettings:
    return ValueSettings(
        reader=reader, hidden_sizes=[16], dropout=0.0, learning_rate=0.01, own_rate=0.002, lora_rank=0, epochs=12,
        own_epochs=6, batch=16,
    )  # fmt: skip


def readings(count: int = 160) -> tuple[list[Reading], list[float], list[bool]]:
    """Return readings whose last letter, and whose tactic's, tells the target; theorems alternate in the split."""
    chance = random.Random(0)
    rows, targets = [], []
    for number in range(count):
        good = chance.random() < 0.5
        noise = "".join(chance.choice("pqrs") for _ in range(6))
        rows.append(
            Reading(f"⊢ {noise} {'∧' if good else '∨'}", f"⊢ t{number % 20}", f"⊢ {noise}", "zzz" if good else "aaa")
        )
        targets.append(0.8 if good else 0.0)
    return rows, targets, [number % 20 < 6 for number in range(count)]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_model(tmp_path_factory.mktemp("values") / "model")


def policy(model: Path) -> Policy:
    return Policy(model, MODEL, ENCODER, "cpu", "none")


def trained(reader: Reader, model: Path, seed: int = 0) -> TrainedValue:
    return train_value(*readings(), settings(reader), policy(model), seed)


@pytest.mark.parametrize("reader", READERS)
def test_each_reader_learns_a_planted_signal_and_comes_back_from_its_folder(
    reader: Reader, model: Path, tmp_path: Path
) -> None:
    value = trained(reader, model)
    rows, targets, held = readings()
    assert value.card.report["held_out_loss"] < value.card.report["prior_loss"]
    value.save(tmp_path)
    again = load_value(tmp_path, policy(model))
    energies = again.energies(rows)
    unseen = [number for number, out in enumerate(held) if out]
    assert roc_auc_score([targets[n] > 0 for n in unseen], [-energies[n] for n in unseen]) > 0.9
    assert energies == pytest.approx(value.energies(rows), abs=1e-4)
    assert again.energies(rows[7:9]) == energies[7:9]  # whatever stands beside them
    lengths = again.lengths(rows)
    assert lengths == [0] * len(rows) if reader == "free" else min(lengths) > 5


def test_training_repeats_itself(model: Path) -> None:
    rows = readings()[0]
    assert trained("prompt", model).energies(rows) == trained("prompt", model).energies(rows)
    assert trained("prompt", model).energies(rows) != trained("prompt", model, seed=1).energies(rows)


@pytest.mark.parametrize("reader", ["prompt", "own"])
def test_a_stopped_training_resumes_bit_by_bit(
    reader: Reader, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    how = settings(reader).model_copy(update={"dropout": 0.3, "lora_rank": 2})
    whole = train_value(*readings(), how, policy(model), 0)
    real = _CrossEntropy.step

    def stopping(self: _CrossEntropy, step: int) -> tuple[dict[str, Any], bool]:
        told, _ = real(self, step)
        return told, step in (9, 17)

    monkeypatch.setattr(_CrossEntropy, "step", stopping)
    output = tmp_path / "value"
    for _ in range(2):
        with ProgressFolder(output, {}) as progress, pytest.raises(Stopped):
            train_value(*readings(), how, policy(model), 0, artifact=output, progress=progress)
    with ProgressFolder(output, {}) as progress:
        resumed = train_value(*readings(), how, policy(model), 0, artifact=output, progress=progress)
    assert resumed.card == whole.card
    assert all(torch.equal(weight, resumed.weights()[name]) for name, weight in whole.weights().items())


def test_low_rank_copies_keep_little_more_than_their_adapter(model: Path, tmp_path: Path) -> None:
    narrow = settings("own").model_copy(update={"lora_rank": 4, "own_epochs": 1})
    value = train_value(*readings(48), narrow, policy(model), 0)
    assert all("lora_" in name or name.startswith("head.") for name in value.weights())
    value.save(tmp_path)
    rows = readings()[0]
    assert load_value(tmp_path, policy(model)).energies(rows) == pytest.approx(value.energies(rows), abs=1e-4)


def test_an_own_copy_may_read_the_proofs_history(model: Path, tmp_path: Path) -> None:
    """Only the last tactic tells the target: without the history nothing can be learnt."""
    rows, _, held = readings()
    chance = random.Random(1)
    drawn = [chance.random() < 0.5 for _ in rows]
    rows = [
        replace(row, state=f"⊢ {number % 9}", history=("intro x", "zzz" if good else "aaa"))
        for number, (row, good) in enumerate(zip(rows, drawn, strict=True))
    ]
    targets = [0.9 if good else 0.1 for good in drawn]
    losses = {}
    for history in (True, False):
        how = settings("own").model_copy(update={"history": history, "own_epochs": 8})
        value = train_value(rows, targets, held, how, policy(model), 0)
        losses[history] = value.card.report["held_out_loss"] - value.card.report["prior_loss"]
        if history:
            value.save(tmp_path)
    assert losses[True] < -0.1 < losses[False]
    scorer = load_scorer(tmp_path, model, ENCODER, "cpu", "none")
    assert isinstance(scorer, ValueScorer) and scorer.reads_history

    async def ask() -> list[float]:
        found = await scorer.score_after([r.state for r in rows], [r.root for r in rows], [r.history for r in rows])
        await scorer.close()
        return found

    assert asyncio.run(ask()) == load_value(tmp_path, policy(model)).energies(rows)
    assert Reading("⊢ p", "⊢ r", history=("intro x", "simp\n  at h")).after_history() == (
        "-- intro x\n-- simp\n--   at h\n⊢ p"
    )
    with pytest.raises(ValidationError, match=r"value\.history: reader prompt"):
        ValueSettings(reader="prompt", history=True)


def test_a_search_gets_the_energies_and_the_weight(model: Path, tmp_path: Path) -> None:
    value = trained("prompt", model)
    value.save(tmp_path)
    scorer = load_scorer(tmp_path, model, ENCODER, "cpu", "none")
    assert isinstance(scorer, ValueScorer) and scorer.coefficient == value.card.coefficient
    rows = readings()[0][:9]

    async def ask() -> list[list[float]]:
        calls = [scorer.score([row.state], [row.root]) for row in rows]
        found = await asyncio.gather(*calls)
        await scorer.close()
        return found

    expected = load_value(tmp_path, policy(model)).energies(rows)
    assert [energy for (energy,) in asyncio.run(ask())] == expected
    tuned = SearchSettings(priority="tuned")
    plan = SearchPlan.from_settings(tuned, kind="eval", iteration=0, seed=0, with_head=True, coefficient=3.0)
    assert (plan.ranking.priority, plan.ranking.coefficient) == ("tuned", 3.0)
    with pytest.raises(UserError, match="needs a value whose weight"):
        SearchPlan.from_settings(tuned, kind="eval", iteration=0, seed=0, with_head=True)


def test_what_does_not_belong_together_is_refused(model: Path, tmp_path: Path) -> None:
    trained("free", model).save(tmp_path)
    other = tiny_model(tmp_path / "other", seed=5)
    with pytest.raises(UserError, match="trained for another policy"):
        load_value(tmp_path, policy(other))
    with pytest.raises(UserError, match="trained for another policy"):
        load_scorer(tmp_path, other, ENCODER, "cpu", "none")
    (tmp_path / "value.safetensors").write_bytes(b"x" * 20)
    with pytest.raises(UserError, match="not the weights"):
        load_value(tmp_path, policy(model))
    with pytest.raises(UserError, match="not the weights"):
        load_scorer(tmp_path, model, ENCODER, "cpu", "none")
    rows, targets, _ = readings(20)
    with pytest.raises(ValueError, match="both are needed"):
        train_value(rows, targets, [False] * 20, settings("pooled"), policy(model), 0)


def test_what_was_read_before_is_not_read_again(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows, file = readings(12)[0], tmp_path / "vectors.parquet"
    for name in ("pooled", "prompt", "free"):
        first = policy(model).reader(name, keep=True)
        expected = first.vectors(rows)
        first.write(file)
        again = policy(model).reader(name, stored=file)
        monkeypatch.setattr(again.reader, "read", lambda parts: pytest.fail(f"reads {parts}"))
        assert (again.vectors(rows) == expected).all()
    with pytest.raises(UserError, match="another policy or other settings"):
        policy(model).reader("prompt", stored=file)
    file.write_bytes(b"x" * 20)
    with pytest.raises(UserError, match="not a file of vectors"):
        policy(model).reader("free", stored=file)
