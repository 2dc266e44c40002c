"""Training the head: it learns what can be learned, nothing else, and resumes bit by bit."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from value_toys import HIDDEN, Steps, VectorEncoder, forest, write_run

from burnqed.config import EBMSettings
from burnqed.files import UserError
from burnqed.jobs.stop import Stopped
from burnqed.training import head as module
from burnqed.training.engine import learning_rate_at
from burnqed.training.head import HeadTrainer, TrainingData, course_of, load_training_data, train_head
from burnqed.value.embeddings import texts_of_trajectories, write_embeddings
from burnqed.value.head import load_head
from burnqed.value.metrics import _interval, _spearman, label_metrics, rank1
from burnqed.value.state_map import read_map

SETTINGS = EBMSettings(
    hidden_sizes=[32, 16],
    dropout=0.0,
    groups=16,
    steps=150,
    learning_rate=5e-3,
    warmup_steps=10,
    evaluate_every=50,
    val_fraction=0.25,
)


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def data(folder: Path, signal: float = 4.0, theorems: int = 40, spec: dict[str, Any] | None = None) -> TrainingData:
    trajectories, proofs = write_run(folder, *forest(theorems))
    toy = VectorEncoder(signal)
    toy.spec |= spec or {}
    embeddings = folder / "embeddings.parquet"
    write_embeddings(embeddings, texts_of_trajectories([trajectories]), toy, {})  # type: ignore[arg-type]
    return load_training_data(embeddings, [trajectories], [proofs], SETTINGS, 0, "cpu")


def test_learns_a_learnable_set(tmp_path: Path) -> None:
    metrics = train_head(data(tmp_path), SETTINGS, 0, "cpu", tmp_path / "ebm", {})
    assert metrics["rank1"] > 0.9
    assert metrics["sibling_rank1"] > 0.9
    assert metrics["sibling_chance"] == 0.25
    assert metrics["energy_gap"] > 0.5
    assert metrics["linear_probe"] > 0.9
    assert metrics["centroid_l2"] > 3.0
    assert set(metrics["rank1_by_depth"]) == {"1", "2", "3"}
    assert {p.name for p in (tmp_path / "ebm").iterdir()} == {
        "head.safetensors", "config.json", "metrics.json", "history.jsonl", "map.parquet",
    }  # fmt: skip
    assert json.loads((tmp_path / "ebm" / "metrics.json").read_text()) == metrics
    assert not (tmp_path / ".progress").exists()


def test_states_themselves_are_measured(tmp_path: Path) -> None:
    metrics = train_head(data(tmp_path), SETTINGS, 0, "cpu", tmp_path / "ebm", {})
    assert set(metrics["calibration"]) == {"1", "2", "3"}
    assert metrics["calibration"]["1"]["states"] == metrics["reported_theorems"]
    assert metrics["calibration"]["1"]["theorems"] == metrics["reported_theorems"] == metrics["held_out_theorems"] // 2
    assert metrics["negative_energy"] > max(row["energy"] for row in metrics["calibration"].values())
    histogram = metrics["energy_histogram"]
    assert sum(histogram["positive"]) == 3 * metrics["reported_theorems"]
    assert sum(histogram["negative"]) == 9 * metrics["reported_theorems"]  # of 18 states, those that were expanded
    assert len(histogram["edges"]) == len(histogram["positive"]) + 1
    found = read_map(tmp_path / "ebm" / "map.parquet")
    assert found.components.shape == (len(found.depth), HIDDEN)
    spread = found.components.std(axis=0)
    assert (spread[:-1] >= spread[1:] - 0.1).all()
    # The signal separates the labels along some component.
    gap = abs(found.components[found.provable].mean(axis=0) - found.components[~found.provable].mean(axis=0))
    assert gap.max() > 3


def test_no_interval_over_too_few_theorems() -> None:
    values = np.array([0.0, 1.0, 0.0, 1.0, 1.0, 1.0])
    assert _interval(values, np.array([3, 3, 3, 3, 3, 3])) is None
    assert _interval(values, np.array([0, 1, 2, 3, 3, 3])) is None
    low, high = _interval(values, np.array([0, 1, 2, 3, 4, 4])) or (0.0, 0.0)
    assert 0.0 <= low < values.mean() < high <= 1.0


def test_rank_correlation_gives_ties_their_mean_rank() -> None:
    assert _spearman(np.array([1.0, 2.0, 9.0]), np.array([3, 2, 1])) == -1
    # scipy.stats.spearmanr([1, 2, 2, 3], [1, 3, 2, 4])
    assert _spearman(np.array([1.0, 2.0, 2.0, 3.0]), np.array([1, 3, 2, 4])) == pytest.approx(0.948683)
    assert _spearman(np.array([1.0, 2.0]), np.array([5, 5])) is None


def test_prepared_vectors_may_take_the_place_of_the_others(tmp_path: Path) -> None:
    for name, in_place in (("a", False), ("b", True)):
        (tmp_path / name).mkdir()
        train_head(data(tmp_path / name), SETTINGS, 0, "cpu", tmp_path / name / "ebm", {}, in_place=in_place)
    for file in ("head.safetensors", "metrics.json", "map.parquet"):
        assert (tmp_path / "a" / "ebm" / file).read_bytes() == (tmp_path / "b" / "ebm" / file).read_bytes()


@pytest.mark.parametrize("loss", ["infonce", "margin"])
def test_shuffled_labels_stay_near_chance(tmp_path: Path, loss: str) -> None:
    settings = SETTINGS.model_copy(update={"loss": loss, "patience": 100})
    training = data(tmp_path, theorems=160)  # the signal is there, on as many states, but says nothing of their labels
    training.vectors = training.vectors[
        torch.randperm(len(training.vectors), generator=torch.Generator().manual_seed(0))
    ]
    metrics = train_head(training, settings, 0, "cpu", tmp_path / "ebm", {})
    # Early stopping takes the best of five looks at about 20 theorems, hence the wide margin.
    assert abs(metrics["sibling_rank1"] - metrics["sibling_chance"]) < 0.15
    assert abs(metrics["linear_probe"] - 0.5) < 0.15


def test_margin_loss_learns_too(tmp_path: Path) -> None:
    settings = SETTINGS.model_copy(update={"loss": "margin", "head": "state_only"})
    metrics = train_head(data(tmp_path), settings, 0, "cpu", tmp_path / "ebm", {})
    assert metrics["sibling_rank1"] > 0.9


def stop_after(monkeypatch: pytest.MonkeyPatch, steps: int) -> None:
    """Ask the training to stop, as SIGTERM does, once that many steps were taken."""
    real = HeadTrainer.step

    def counted(self: HeadTrainer, step: int) -> tuple[dict[str, Any], bool]:
        told, stops = real(self, step)
        return told, stops or step + 1 == steps

    monkeypatch.setattr(HeadTrainer, "step", counted)


def test_a_stopped_training_resumes_bit_by_bit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = SETTINGS.model_copy(update={"dropout": 0.3})
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    train_head(data(tmp_path / "a"), settings, 0, "cpu", tmp_path / "a" / "ebm", {})
    training = data(tmp_path / "b")
    with monkeypatch.context() as patch:
        stop_after(patch, 87)
        with pytest.raises(Stopped):
            train_head(training, settings, 0, "cpu", tmp_path / "b" / "ebm", {})
    assert not (tmp_path / "b" / "ebm").exists()
    torch.manual_seed(999)
    train_head(training, settings, 0, "cpu", tmp_path / "b" / "ebm", {})
    for file in ("head.safetensors", "metrics.json", "history.jsonl", "config.json", "map.parquet"):
        assert (tmp_path / "a" / "ebm" / file).read_bytes() == (tmp_path / "b" / "ebm" / file).read_bytes(), file


def test_a_damaged_checkpoint_is_skipped_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    training = data(tmp_path, theorems=6)
    undisturbed = train_head(training, SETTINGS, 0, "cpu", tmp_path / "whole", {})
    for steps in (60, 90):
        with monkeypatch.context() as patch:
            stop_after(patch, steps)
            with pytest.raises(Stopped):
                train_head(training, SETTINGS, 0, "cpu", tmp_path / "ebm", {})
    newest = max(tmp_path.rglob("checkpoint.safetensors"), key=lambda file: file.parent.name)
    newest.write_bytes(newest.read_bytes()[:500])
    with caplog.at_level("INFO"):
        assert train_head(training, SETTINGS, 0, "cpu", tmp_path / "ebm", {}) == undisturbed
    assert "damaged" in caplog.text and "resuming from step 60" in caplog.text
    assert (tmp_path / "ebm" / "history.jsonl").read_bytes() == (tmp_path / "whole" / "history.jsonl").read_bytes()


def test_previous_head_is_continued_only_with_the_same_encoder(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    training = data(tmp_path / "a")
    train_head(training, SETTINGS, 0, "cpu", tmp_path / "ebm", {})
    old, _ = load_head(tmp_path / "ebm")
    trainer = HeadTrainer(training, SETTINGS, 1, "cpu", tmp_path / "ebm")
    assert trainer.resumed_from_previous
    assert all(torch.equal(v, trainer.head.state_dict()[k]) for k, v in old.state_dict().items())
    never = SETTINGS.model_copy(update={"resume": "none"})
    assert not HeadTrainer(training, never, 1, "cpu", tmp_path / "ebm").resumed_from_previous
    other = data(tmp_path / "b", spec={"model": "another"})
    assert not HeadTrainer(other, SETTINGS, 1, "cpu", tmp_path / "ebm").resumed_from_previous


def test_early_stopping_keeps_the_best_head(tmp_path: Path) -> None:
    settings = SETTINGS.model_copy(update={"steps": 4000, "evaluate_every": 25, "patience": 3})
    metrics = train_head(data(tmp_path), settings, 0, "cpu", tmp_path / "ebm", {})
    assert metrics["steps"] < 4000
    history = [json.loads(line) for line in (tmp_path / "ebm" / "history.jsonl").read_text().splitlines()]
    best = max(history, key=lambda row: (row["val_rank1"], -row["val_loss"]))
    assert best["step"] == metrics["best_step"]


def test_what_is_reported_did_not_choose_the_checkpoint(tmp_path: Path) -> None:
    training = data(tmp_path)
    choosing, reported = (training.held_out_positions(one) for one in (True, False))
    theorems = [set(training.groups.theorem[positions].tolist()) for positions in (choosing, reported)]
    assert theorems[0] and theorems[1]
    assert not theorems[0] & theorems[1]
    assert theorems[0] | theorems[1] == set(np.flatnonzero(training.out).tolist())
    metrics = train_head(training, SETTINGS, 0, "cpu", tmp_path / "ebm", {})
    assert metrics["chosen_on"] == "other held-out theorems"


def test_one_theorem_is_enough(tmp_path: Path) -> None:
    search = (
        Steps("t", "⊢ g")
        .add("⊢ g", "a", "⊢ path", 0, path=True)
        .add("⊢ g", "b", "⊢ x", 0)
        .add("⊢ x", "c", None, 1, outcome="error")
        .add("⊢ path", "c", None, 1, path=True)
    )
    trajectories, proofs = write_run(tmp_path, [search], [("t", ["a", "c"])])
    embeddings = tmp_path / "embeddings.parquet"
    write_embeddings(embeddings, texts_of_trajectories([trajectories]), VectorEncoder(1.0), {})  # type: ignore[arg-type]
    training = load_training_data(embeddings, [trajectories], [proofs], SETTINGS, 0, "cpu")
    settings = SETTINGS.model_copy(update={"steps": 20, "evaluate_every": 10})
    metrics = train_head(training, settings, 0, "cpu", tmp_path / "ebm", {})
    assert metrics["validated_on"] == "training theorems"
    assert metrics["chance"] == 0.5
    assert metrics["linear_probe"] is None


def test_a_head_trained_on_labelled_states_alone_is_the_same(tmp_path: Path) -> None:
    searches, proofs = forest(12)
    for number in range(40):  # searches without a proof, and states that nobody expanded
        name = f"u{number}"
        searches.append(Steps(name, f"⊢ {name}").add(f"⊢ {name}", "a", f"⊢ open {name}", 0))
    searches[0].add("⊢ root t000", "other", "⊢ left open", 0)
    trajectories, proved = write_run(tmp_path, searches, proofs)
    heads, counts = [], []
    for states in ("all", "labelled"):
        embeddings, texts = tmp_path / f"{states}.parquet", texts_of_trajectories([trajectories], states)  # type: ignore[arg-type]
        write_embeddings(embeddings, texts, VectorEncoder(1.0), {})  # type: ignore[arg-type]
        found = load_training_data(embeddings, [trajectories], [proved], SETTINGS, 0, "cpu")
        settings = SETTINGS.model_copy(update={"steps": 20, "evaluate_every": 10})
        train_head(found, settings, 0, "cpu", tmp_path / states, {})
        heads.append((tmp_path / states / "head.safetensors").read_bytes())
        counts.append(len(texts))
    assert heads[0] == heads[1]
    assert counts[0] > counts[1] >= len(found.groups.shas)


def test_embeddings_of_other_states_are_refused(tmp_path: Path) -> None:
    trajectories, proofs = write_run(tmp_path, *forest(3))
    embeddings = tmp_path / "embeddings.parquet"
    texts = texts_of_trajectories([trajectories])[:-2]
    write_embeddings(embeddings, texts, VectorEncoder(1.0), {})  # type: ignore[arg-type]
    with pytest.raises(UserError, match=r"lacks 2 of"):
        load_training_data(embeddings, [trajectories], [proofs], SETTINGS, 0, "cpu")


def test_failed_trees_are_learnt_from_and_counted(tmp_path: Path) -> None:
    searches, proofs = forest(40)
    for number in range(24):  # nothing works there
        name = f"w{number}"
        search = Steps(name, f"⊢ {name}").add(f"⊢ {name}", "a", f"⊢ lost {name}", 0)
        searches.append(search.add(f"⊢ lost {name}", "b", f"⊢ lost {name} deep", 1))
    trajectories, proved = write_run(tmp_path, searches, proofs)
    embeddings = tmp_path / "embeddings.parquet"
    write_embeddings(embeddings, texts_of_trajectories([trajectories], "labelled"), VectorEncoder(4.0), {})  # type: ignore[arg-type]
    found = load_training_data(embeddings, [trajectories], [proved], SETTINGS, 0, "cpu")
    trained, held = found.failed(False), found.failed(True)
    assert len(trained) + len(held) == 14 and len(held) > 1
    trainer = HeadTrainer(found, SETTINGS, 0, "cpu")
    groups = found.groups
    for step in (0, 1, 64):
        batch = trainer._groups(step)
        foreign = batch.goals != batch.goals[:, :1]
        assert (foreign.sum(1) == round(SETTINGS.failed_share * SETTINGS.negatives)).all()
        assert set(batch.states[foreign].tolist()) <= set(groups.failed[trained].tolist())
    assert trainer.validation.goals.shape[1] == 1  # ranks are among a theorem's own states
    metrics = train_head(found, SETTINGS, 0, "cpu", tmp_path / "ebm", {})
    assert metrics["auc"] > 0.9
    assert metrics["auc_states"]["of_failed_trees"] == len(held)
    without = SETTINGS.model_copy(update={"failed_share": 0.0})
    assert HeadTrainer(found, without, 0, "cpu")._groups(0).goals.shape[1] == 1


def test_auc_by_hand(tmp_path: Path) -> None:
    found = data(tmp_path)
    groups, places = found.groups, found.positions(True)

    def score(states: torch.Tensor, goals: torch.Tensor) -> torch.Tensor:
        good = torch.from_numpy(np.isin(states.numpy(), groups.positive[places]))
        return torch.where(good, -1.0, 1.0) if len(states) else torch.zeros(0)

    none = np.zeros(0, np.int64)
    assert label_metrics(score, groups, places, none, "cpu")["auc"] == 1.0
    assert label_metrics(lambda s, g: -score(s, g), groups, places, none, "cpu")["auc"] == 0.0
    assert label_metrics(lambda s, g: torch.zeros(len(s)), groups, places, none, "cpu")["auc"] == 0.5


def test_held_out_theorems_are_never_trained_on(tmp_path: Path) -> None:
    training = data(tmp_path)
    trainer = HeadTrainer(training, SETTINGS, 0, "cpu")
    groups, out = training.groups, training.out
    assert out.any()
    assert not out.all()
    for step in (0, 1, 64, 200):
        assert not out[groups.theorem[trainer._groups(step).positions.numpy()]].any()
    assert out[groups.theorem[trainer.validation.positions.numpy()]].all()


def test_learning_rate_rises_and_falls() -> None:
    course = course_of(EBMSettings(learning_rate=1.0, warmup_steps=10, steps=110))
    rates = [learning_rate_at(step, 110, course) for step in (0, 9, 60, 110)]
    assert rates == pytest.approx([0.1, 1.0, 0.5, 0.0], abs=1e-12)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_learns_on_the_gpu(tmp_path: Path) -> None:
    training = data(tmp_path)
    training.vectors = training.vectors.cuda()
    assert train_head(training, SETTINGS, 0, "cuda", tmp_path / "ebm", {})["rank1"] > 0.9


def test_rank1_by_hand() -> None:
    energies = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 2.0], [1.0, 1.0, 2.0], [1.0, 2.0, 0.0], [3.0, 3.0, 3.0]])
    valid = np.array([[True] * 3] * 3 + [[True, True, False]] + [[True] * 3])
    np.testing.assert_allclose(rank1(energies, valid), [1.0, 0.0, 0.5, 1.0, 1 / 3])
    assert math.isclose(float((1.0 / valid.sum(axis=1)).mean()), (4 / 3 + 1 / 2) / 5)


def test_block_draw_does_not_depend_on_where_training_started(tmp_path: Path) -> None:
    training = data(tmp_path, theorems=10)
    one, two = HeadTrainer(training, SETTINGS, 0, "cpu"), HeadTrainer(training, SETTINGS, 0, "cpu")
    late = two._groups(module.BLOCK + 3)
    for step in range(module.BLOCK + 4):
        batch = one._groups(step)
    assert torch.equal(batch.states, late.states)
