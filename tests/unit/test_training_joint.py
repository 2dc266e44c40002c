"""Joint training: the loss, its gradients, weight 0, abort lines, resume; small but real runs."""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import torch
from safetensors.torch import load_file
from value_toys import forest, tiny_model

from burnqed.config import (
    EBMSettings,
    EncoderSettings,
    JointSettings,
    ModelSettings,
    SFTSettings,
    joint_sft,
    load_config,
)
from burnqed.files import UserError, sha256_file, write_jsonl
from burnqed.jobs import stop
from burnqed.jobs.stop import Stopped
from burnqed.policy.loading import load_model, load_tokenizer
from burnqed.policy.packed import use_packed_attention
from burnqed.policy.prompts import FORMATS
from burnqed.records.pairs import TacticPair, write_pairs
from burnqed.records.trajectories import SCHEMA, write_trajectories
from burnqed.training.adapters import add_adapter
from burnqed.training.batches import collate, loss_sum, make_examples
from burnqed.training.engine import ALONE
from burnqed.training.joint import ContrastiveStream, JointProver
from burnqed.training.joint_job import measure_joint_head, train_joint
from burnqed.training.joint_watch import reason_to_stop
from burnqed.training.merge import merge_adapter
from burnqed.training.processes import run_processes
from burnqed.training.sft import TrainingJob, recompute_activations, train_sft
from burnqed.value.embeddings import texts_of_trajectories, write_embeddings
from burnqed.value.encoder import Encoder
from burnqed.value.head import GoalConditionedEnergyHead, load_head
from burnqed.value.losses import infonce
from burnqed.value.pooling import state_tokens
from burnqed.value.scorer import EnergyScorer
from tests.forking import TRAINING, forking

MODEL = ModelSettings(kind="scratch", prompt_format="goal_proofstep", max_length=96)
SFT = SFTSettings(
    epochs=1, learning_rate=1e-2, lora_rank=2, lora_alpha=4, lora_dropout=0.1, batch_tokens=256,
    gradient_checkpointing=False, checkpoint_every=4, dtype="float32",
)  # fmt: skip
EBM = EBMSettings(hidden_sizes=[16, 8], val_fraction=0.3)
ENCODER = EncoderSettings(max_length=64, batch_tokens=512, dtype="float64")
JOINT = JointSettings(
    weight=0.5, lora_rank=4, lora_alpha=8, learning_rate=5e-3, head_learning_rate=5e-3, steps=8, warmup_steps=2,
    groups=3, statistics_states=64, log_every=4, probe_every=4, probe_states=60, probe_groups=16, min_centroid_l2=0.0,
    max_sft_loss=99.0, min_rank1=0.0,
)  # fmt: skip
HIDDEN = 32


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def _pairs(count: int, prefix: str) -> list[TacticPair]:
    return [
        TacticPair(f"n{number} : Nat\n⊢ p{number % 5}", f"exact h{number % 5}", f"{prefix}{number}", 0, "test", 1)
        for number in range(count)
    ]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A base model, the adapter of iteration 0, its trajectories and proofs, and an undisturbed joint training."""
    folder = tmp_path_factory.mktemp("run")
    tiny_model(folder / "base", hidden=HIDDEN)
    write_pairs(folder / "train.jsonl", _pairs(24, "t"))
    write_pairs(folder / "val.jsonl", _pairs(6, "v"))
    searches, proofs = forest(6)
    write_trajectories(folder / "trajectories.parquet", [pa.Table.from_pylist(s.rows, SCHEMA) for s in searches], [])
    rows = [{"theorem": t, "proof": p, "iteration": 0, "kind": "main", "attempt": 0} for t, p in proofs]
    write_jsonl(folder / "proofs.jsonl", rows)
    _sft(folder, folder / "first", 0, SFT.model_copy(update={"steps": 4}))
    _joint(folder, folder / "joint")
    return folder


def _job(folder: Path, iteration: int = 1, adapter: Path | None = None) -> TrainingJob:
    later = iteration > 0
    return TrainingJob(
        base=folder / "base", adapter=adapter or folder / "first" if later else None, pairs_file=folder / "train.jsonl",
        val_file=folder / "val.jsonl", trajectories=[folder / "trajectories.parquet"] if later else [],
        proofs=[folder / "proofs.jsonl"] if later else [], iteration=iteration, model_settings=MODEL,
        quantization="none", seed=0, threads=1, device="cpu",
    )  # fmt: skip


def _sft(folder: Path, output: Path, iteration: int, settings: SFTSettings) -> None:
    train_sft(_job(folder, iteration), settings, output)


def _joint(folder: Path, output: Path, settings: JointSettings = JOINT, **changes: Any) -> None:
    given: dict[str, Any] = {
        "job": _job(folder, adapter=changes.pop("adapter", None)), "settings": settings, "sft": SFT, "ebm": EBM, "encoder": ENCODER,
        "previous_head": None, "output": output / "adapter", "head_output": output / "head",
    }  # fmt: skip
    train_joint(**{**given, **changes})


def _history(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "history.jsonl").read_text().splitlines()]


def _losses(folder: Path) -> list[float]:
    return [row["loss"] for row in _history(folder)]


def test_weight_0_is_fine_tuning_step_for_step(run: Path, tmp_path: Path) -> None:
    _joint(run, tmp_path / "control", JOINT.model_copy(update={"weight": 0.0}))
    _sft(run, tmp_path / "sft", 1, joint_sft(SFT, JOINT))
    control, sft = tmp_path / "control" / "adapter", tmp_path / "sft"
    assert _losses(control) == _losses(sft)
    assert sha256_file(control / "adapter_model.safetensors") == sha256_file(sft / "adapter_model.safetensors")
    assert json.loads((control / "training.json").read_text()) == json.loads((sft / "training.json").read_text())
    # ... and with a weight it is not.
    assert _losses(run / "joint" / "adapter") != _losses(sft)


def test_what_is_recorded(run: Path) -> None:
    history = _history(run / "joint" / "adapter")
    assert [row["step"] for row in history] == list(range(1, 9))
    each = {"loss", "contrastive_loss", "contrastive_share", "grad_norm", "second_grad_norm", "temperature", "lr"}
    assert all(each <= row.keys() for row in history)
    row = history[3]
    weighted = JOINT.weight * row["contrastive_loss"]
    assert row["contrastive_share"] == pytest.approx(weighted / (weighted + row["loss"]), abs=1e-5)
    probes = _history(run / "joint" / "head")
    assert [row["step"] for row in probes] == [0, 4, 8]
    assert {
        "centroid_l2", "linear_probe", "norm_gap", "sibling_l2", "silhouette_by_depth", "effective_dimension",
        "variance_top1", "variance_top10", "dual_label_rate", "rank1", "chance", "rank1_by_depth", "energy_gap",
    } <= probes[-1]["probe"].keys()  # fmt: skip
    record = json.loads((run / "joint" / "adapter" / "training.json").read_text())
    val = {row["step"]: row["val_loss"] + JOINT.weight * row["val_contrastive"] for row in history if "probe" in row}
    assert record["best_val_loss"] == pytest.approx(min(val.values()), abs=1e-5)
    assert not list(run.rglob(".progress"))


def _prover(run: Path, dropout: float = 0.0) -> tuple[JointProver, Any]:
    """A prover with a grown adapter that already does something, and its tokenizer."""
    torch.manual_seed(0)
    settings = joint_sft(SFT, JOINT).model_copy(update={"lora_dropout": dropout})
    lm = load_model(run / "base", "float32", "cpu")
    model = add_adapter(lm, settings, run / "first", run / "base").eval()
    head = GoalConditionedEnergyHead(HIDDEN, [16, 8], 0.0)
    return JointProver(model, head, 256, autocast=False), load_tokenizer(run / "base")


TEXTS = ["⊢ g", "⊢ p", "n : Nat\n⊢ q ∧ p", "h : r\n⊢ q", "⊢ r ∨ s ∨ t", "⊢ a much longer state than all of the others"]
STATES, GOALS = torch.tensor([[1, 2, 3, 4], [5, 3, 2, 2]]), torch.tensor([[0], [0]])
VALID = torch.tensor([[True] * 4, [True, True, True, False]])


def test_vectors_are_the_encoders(run: Path, tmp_path: Path) -> None:
    prover, tokenizer = _prover(run)
    merged = prover.lm.merge_and_unload()
    merged.save_pretrained(tmp_path / "model")
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(run / "base" / name, tmp_path / "model" / name)
    encoder = Encoder(tmp_path / "model", EncoderSettings(max_length=16, dtype="float32"), "cpu", "none")
    tokens = state_tokens(tokenizer, TEXTS, 16)
    assert len(tokens[-1]) == 16
    with torch.no_grad():
        vectors = _prover(run)[0].vectors(tokens).numpy()
    np.testing.assert_allclose(vectors, encoder.encode(TEXTS), rtol=1e-4, atol=1e-5)


def test_packed_and_padded_vectors_agree(run: Path) -> None:
    prover, tokenizer = _prover(run)
    tokens = state_tokens(tokenizer, TEXTS, 64)
    padded = prover.vectors(tokens)
    (padded**2).sum().backward()
    gradients = [p.grad.clone() for p in prover.lm.parameters() if p.requires_grad]
    use_packed_attention(prover.lm.get_base_model())
    prover.lm.zero_grad()
    packed_prover = JointProver(prover.lm, prover.head, 256, autocast=False)
    assert packed_prover.packed
    packed = packed_prover.vectors(tokens)
    (packed**2).sum().backward()
    torch.testing.assert_close(packed, padded, rtol=1e-4, atol=1e-5)
    for got, expected in zip((p.grad for p in prover.lm.parameters() if p.requires_grad), gradients, strict=True):
        torch.testing.assert_close(got, expected, rtol=1e-3, atol=1e-4)


def test_the_loss_of_a_batch_by_hand(run: Path) -> None:
    prover, tokenizer = _prover(run)
    tokens = state_tokens(tokenizer, TEXTS, 64)
    prover.head.eval()
    decoder = prover.lm.get_base_model().model
    with torch.no_grad():
        energies = prover.group_energies(tokens, STATES, GOALS)
        z = [decoder(input_ids=torch.tensor([ids])).last_hidden_state[0].mean(0) for ids in tokens]
        by_hand = [[float(prover.head(z[s], z[g])) for s in row] for row, g in zip(STATES, GOALS, strict=True)]
        foreign = torch.tensor([[0, 0, 0, 5], [0, 0, 1, 0]])  # negatives under goals of their own
        found = prover.group_energies(tokens, STATES, foreign)
        pairs = [zip(*rows, strict=True) for rows in zip(STATES, foreign, strict=True)]
        expected = [[float(prover.head(z[s], z[g])) for s, g in row] for row in pairs]
    torch.testing.assert_close(energies, torch.tensor(by_hand), rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(found, torch.tensor(expected), rtol=1e-4, atol=1e-5)
    total = 0.0
    for row, valid in zip(by_hand, VALID.tolist(), strict=True):
        weights = [math.exp(-energy) for energy, counts in zip(row, valid, strict=True) if counts]
        total -= math.log(weights[0] / sum(weights)) / 2
    stream = ContrastiveStream.__new__(ContrastiveStream)
    stream.ebm = EBM
    assert float(stream.loss(energies, VALID)) == pytest.approx(total, rel=1e-5)


def test_gradients_go_through_positive_goal_and_first_negative_alone(run: Path) -> None:
    prover, tokenizer = _prover(run)
    tokens = state_tokens(tokenizer, TEXTS, 64)
    embedded: dict[int, torch.Tensor] = {}
    plain = prover.vectors

    def vectors(asked: Sequence[Sequence[int]]) -> torch.Tensor:
        found = plain(asked)
        for ids, vector in zip(asked, found, strict=True):
            if vector.requires_grad:
                embedded[tokens.index(tuple(ids))] = vector
        return found

    prover.vectors = vectors  # type: ignore[method-assign]
    prover.group_energies(tokens, STATES, GOALS).sum().backward()
    assert sorted(embedded) == [0, 1, 2, 3, 5]  # goal; positives 1 and 5; first negatives 2 and 3; not 4
    assert all(float(p.grad.abs().sum()) > 0 for p in prover.head.parameters() if p.grad is not None)
    adapter = {name: p for name, p in prover.lm.named_parameters() if p.requires_grad}
    assert adapter and all("lora_" in name for name in adapter)
    assert sum(float(p.grad.abs().sum()) for p in adapter.values()) > 0
    # The second negative alone moves the head and nothing else.
    prover.zero_grad(set_to_none=True)
    prover.group_energies(tokens, STATES[:1], GOALS[:1])[0, 2].backward()
    goal_only = sum(float(p.grad.abs().sum()) for p in adapter.values())
    prover.zero_grad(set_to_none=True)
    with torch.no_grad():
        table = prover.vectors(tokens)
    prover.head(prover.head.prepare(table[3]), prover.head.prepare(table[0])).backward()
    assert goal_only > 0  # through the goal
    assert all(p.grad is None for p in adapter.values())


def test_each_loss_reaches_what_it_should(run: Path) -> None:
    prover, tokenizer = _prover(run)
    examples, _ = make_examples(tokenizer, FORMATS["goal_proofstep"], [("⊢ p", "exact hp")], 96)
    loss_sum(prover.lm, collate(examples, "padded", 0)).backward()
    adapter = [p for p in prover.lm.parameters() if p.requires_grad]
    assert any(float(p.grad.abs().sum()) > 0 for p in adapter if p.grad is not None)
    assert all(p.grad is None for p in prover.head.parameters())


def test_micro_batches_do_not_change_the_gradients(run: Path) -> None:
    gradients = []
    for budget in (100_000, 60):
        prover, tokenizer = _prover(run)
        prover.batch_tokens = budget
        prover.head.eval()  # a training pass turns the head's singular vectors
        stream = ContrastiveStream.__new__(ContrastiveStream)
        stream.processes = ALONE
        stream.prover, stream.tokens = prover, state_tokens(tokenizer, TEXTS, 64)
        drawn = type("Drawn", (), {"states": STATES, "goals": GOALS, "valid": VALID})
        batches = list(stream.micro_batches(drawn))  # type: ignore[arg-type]
        assert len(batches) == (1 if budget > 60 else 2)
        assert sum(len(goals) for _, goals, _ in batches) == 2
        for states, goals, valid in batches:
            energies = prover.group_energies(stream.tokens, states, goals)
            (infonce(energies, valid) * len(goals) / 2).backward()
        gradients.append([p.grad.clone() for p in prover.parameters() if p.grad is not None])
    for one, other in zip(*gradients, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-3, atol=1e-6)


def test_recomputed_activations_do_not_change_the_gradients(run: Path) -> None:
    gradients = []
    for recompute in (False, True):
        prover, tokenizer = _prover(run, dropout=0.2)
        prover.lm.train()
        prover.head.eval()
        if recompute:
            recompute_activations(prover.lm.get_base_model())
        tokens = state_tokens(tokenizer, TEXTS, 64)
        torch.manual_seed(3)
        infonce(prover.group_energies(tokens, STATES, GOALS), VALID).backward()
        gradients.append([p.grad.clone() for p in prover.lm.parameters() if p.grad is not None])
    assert gradients[0] and float(gradients[0][0].abs().sum()) > 0
    for one, other in zip(*gradients, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-7)


def test_a_grown_adapter_computes_the_same(run: Path) -> None:
    models = []
    for settings in (SFT, joint_sft(SFT, JOINT).model_copy(update={"lora_alpha": 4})):
        lm = load_model(run / "base", "float32", "cpu")
        models.append(add_adapter(lm, settings, run / "first", run / "base").eval())
    assert models[1].peft_config["default"].r == 4
    ids = torch.arange(3, 20)[None]
    with torch.no_grad():
        before, after, plain = (
            model(input_ids=ids).logits for model in (*models, load_model(run / "base", "float32", "cpu"))
        )
    torch.testing.assert_close(after, before, rtol=1e-4, atol=1e-5)
    assert not torch.allclose(plain, before, atol=1e-3)
    with pytest.raises(UserError, match=r"r is 2, the settings \(sft\) say 1"):
        narrower = SFT.model_copy(update={"lora_rank": 1, "lora_alpha": 2})
        add_adapter(load_model(run / "base", "float32", "cpu"), narrower, run / "first", run / "base")


class Killed(BaseException):
    """Stands for SIGKILL."""


@pytest.mark.parametrize("step", [2, 6])
def test_killed_and_run_again_gives_the_same_bytes(
    run: Path, tmp_path: Path, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = ContrastiveStream.backward

    def killed(self: ContrastiveStream, at: int) -> dict[str, float]:
        if at == step:
            raise Killed
        return right(self, at)

    monkeypatch.setattr(ContrastiveStream, "backward", killed)
    with pytest.raises(Killed):
        _joint(run, tmp_path)
    monkeypatch.setattr(ContrastiveStream, "backward", right)
    _joint(run, tmp_path)
    _same(run / "joint", tmp_path)


def _same(one: Path, other: Path) -> None:
    for part in ("adapter", "head"):
        for file in sorted((one / part).iterdir()):
            if file.name != "adapter_config.json":  # it names the base by its relative path
                assert file.read_bytes() == (other / part / file.name).read_bytes(), file.name


@pytest.fixture
def sigterm() -> Iterator[None]:
    before = signal.signal(signal.SIGTERM, stop.on_sigterm)
    yield
    signal.signal(signal.SIGTERM, before)
    stop._stop.clear()


def test_sigterm_saves_and_stops(run: Path, tmp_path: Path, sigterm: None, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[int] = []
    right = ContrastiveStream.backward

    def interrupted(self: ContrastiveStream, at: int) -> dict[str, float]:
        steps.append(at)
        if at == 5:
            os.kill(os.getpid(), signal.SIGTERM)
        return right(self, at)

    monkeypatch.setattr(ContrastiveStream, "backward", interrupted)
    with pytest.raises(Stopped):
        _joint(run, tmp_path)
    assert steps == [0, 1, 2, 3, 4, 5]
    stop._stop.clear()
    monkeypatch.setattr(ContrastiveStream, "backward", right)
    _joint(run, tmp_path)
    _same(run / "joint", tmp_path)


def test_an_abort_keeps_the_last_good_checkpoint_and_a_softer_line_goes_on(run: Path, tmp_path: Path) -> None:
    strict = JOINT.model_copy(update={"max_sft_loss": 0.01, "grace_steps": 5})
    with pytest.raises(
        UserError, match=r"stopped at step 6: the loss of the tactics.*lower joint.weight.*last good checkpoint"
    ) as caught:
        _joint(run, tmp_path, strict)
    kept = list(tmp_path.rglob("step-*"))
    assert [folder.name for folder in kept] == ["step-00000004"]
    assert str(kept[0].parent) in str(caught.value)
    assert not (tmp_path / "adapter").exists()
    _joint(run, tmp_path)
    _same(run / "joint", tmp_path)


def test_the_head_of_the_iteration_is_bound_to_the_merged_model(run: Path, tmp_path: Path) -> None:
    merge_adapter(run / "base", run / "joint" / "adapter", tmp_path / "model")
    encoder = Encoder(tmp_path / "model", ENCODER, "cpu", "none")
    files = [run / "trajectories.parquet"], [run / "proofs.jsonl"]
    write_embeddings(tmp_path / "embeddings.parquet", texts_of_trajectories(files[0]), encoder, {})
    metrics = measure_joint_head(
        run / "joint" / "head", tmp_path / "embeddings.parquet", *files, tmp_path / "ebm", EBM, 0, "cpu"
    )
    assert {"rank1", "chance", "centroid_l2", "temperature", "sibling_rank1", "dual_label_rate"} <= metrics.keys()
    assert (metrics["trained"], metrics["steps"]) == ("jointly with the adapter", 8)
    head, spec = load_head(tmp_path / "ebm", encoder.spec)
    assert spec == encoder.spec
    trained = load_file(run / "joint" / "head" / "head.safetensors")
    assert all(torch.equal(value, trained[name]) for name, value in head.state_dict().items())
    energies = EnergyScorer(tmp_path / "ebm", encoder).score_now(["⊢ path t000 1"], ["⊢ root t000"])
    assert math.isfinite(energies[0])
    assert [row["step"] for row in _history(tmp_path / "ebm")] == [4, 8]


def test_a_later_iteration_goes_on_with_the_head(run: Path, tmp_path: Path) -> None:
    _joint(run, tmp_path, JOINT.model_copy(update={"steps": 1, "weight": 0.0}), previous_head=run / "joint" / "head")
    old, new = (load_file(folder / "head" / "head.safetensors") for folder in (run / "joint", tmp_path))
    assert torch.equal(old["whitening"], new["whitening"])
    with pytest.raises(UserError, match="hidden_sizes"):
        other = EBM.model_copy(update={"hidden_sizes": [12, 8]})
        _joint(run, tmp_path / "x", previous_head=run / "joint" / "head", ebm=other)


def test_two_processes_train_as_one(run: Path, tmp_path: Path) -> None:
    sft = SFT.model_copy(update={"lora_dropout": 0.0})
    ebm = EBM.model_copy(update={"dropout": 0.0})
    _sft(run, tmp_path / "plain", 0, sft.model_copy(update={"steps": 1}))
    _joint(run, tmp_path / "one", adapter=tmp_path / "plain", sft=sft, ebm=ebm)
    script = tmp_path / "worker.py"
    script.write_text(
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); "
        "from pathlib import Path; import test_training_joint as t; "
        "t._joint(Path(sys.argv[1]), Path(sys.argv[2]) / 'two', adapter=Path(sys.argv[2]) / 'plain', "
        "sft=t.SFT.model_copy(update={'lora_dropout': 0.0}), ebm=t.EBM.model_copy(update={'dropout': 0.0}))"
    )
    run_processes(2, forking(TRAINING).script(script, str(run), str(tmp_path)))
    one, two = (_history(tmp_path / name / "adapter") for name in ("one", "two"))
    for ours, theirs in zip(one, two, strict=True):
        for key in ("loss", "contrastive_loss", "grad_norm", "second_grad_norm"):
            assert ours[key] == pytest.approx(theirs[key], rel=1e-3), key
    heads = [load_file(tmp_path / name / "head" / "head.safetensors") for name in ("one", "two")]
    # The loss compares energies with each other, so the output's bias has no gradient but rounding, which Adam scales up.
    unseen = max(name for name in heads[0] if name.endswith("bias"))
    for name in heads[0].keys() - {unseen}:
        torch.testing.assert_close(heads[0][name], heads[1][name], rtol=1e-2, atol=2e-3)


def _made_up(steps: int, **last: Any) -> list[dict[str, Any]]:
    good = {"loss": 0.5, "contrastive_loss": 1.0, "grad_norm": 1.0, "second_grad_norm": 1.0, "temperature": 1.0}
    return [{"step": step, **good} for step in range(1, steps)] + [{"step": steps, **good, **last}]


PROBE = {"centroid_l2": 5.0, "rank1": 0.6, "chance": 0.25}
LINES = JointSettings(grace_steps=100, temperature_steps=50, log_every=10)


@pytest.mark.parametrize(
    ("history", "words"),
    [
        (_made_up(20, probe=PROBE | {"centroid_l2": 1.9}), r"centroid_l2 is 1.9.*raise joint.weight"),
        ([row | {"loss": 2.6} for row in _made_up(101)], r"loss of the tactics is 2.6.*lower joint.weight"),
        (_made_up(101, probe=PROBE | {"rank1": 0.2}), r"rank-1.*0.2.*raise joint.head_learning_rate"),
        ([row | {"temperature": 10.0} for row in _made_up(50)], r"upper bound.*lower joint.head_learning_rate"),
        ([row | {"temperature": 0.1} for row in _made_up(60)], r"lower bound"),
        (_made_up(3, contrastive_loss=math.nan), r"contrastive_loss is nan.*lower"),
        (_made_up(3, loss=math.inf), r"loss is inf"),
        (_made_up(3, grad_norm=math.nan), r"grad_norm is nan"),
    ],
)
def test_each_abort_line_fires(history: list[dict[str, Any]], words: str) -> None:
    reason = reason_to_stop(history, LINES, (0.1, 10.0))
    assert reason is not None and re.search(words, reason)
    assert reason_to_stop(history[:-1], LINES, (0.1, 10.0)) is None or len(history) in (60, 101)


def test_no_line_fires_before_its_time() -> None:
    assert reason_to_stop(_made_up(500, probe=PROBE), LINES, (0.1, 10.0)) is None
    assert (
        reason_to_stop([r | {"loss": 9.0} for r in _made_up(100, probe=PROBE | {"rank1": 0})], LINES, (0.1, 10)) is None
    )
    assert reason_to_stop([r | {"temperature": 10.0} for r in _made_up(49)], LINES, (0.1, 10.0)) is None


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"training": {"mode": "joint"}}, "iteration 0 cannot be joint"),
        ({"training": {"mode": ["sft", "joint", "sft"]}}, "sft.lora_rank and sft.lora_alpha"),
        ({"training": {"mode": ["sft", "jiont"]}}, "training.mode"),
    ],
)
def test_wrong_modes_are_named(settings: dict[str, Any], words: str) -> None:
    benchmarks = {"minif2f_test": {"source": "x"}}
    with pytest.raises(UserError, match=words):
        load_config({"benchmarks": benchmarks, **settings})


def test_modes_by_iteration() -> None:
    config = load_config({"training": {"mode": ["sft", "joint"]}})
    assert [config.training.mode_of(i) for i in range(4)] == ["sft", "joint", "joint", "joint"]
    assert load_config({"training": {"mode": "sft"}}).training.mode == ["sft"]
