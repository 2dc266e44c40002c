"""LoRA and QLoRA by the real script: killed and gone on with, merged; nf4 on a CPU needs a guard."""

from __future__ import annotations

import importlib.util
import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from value_toys import tiny_model

from burnqed.config import ModelSettings, SFTSettings, flags
from burnqed.files import UserError, sha256_file
from burnqed.policy.loading import guard_4bit, load_model, quantization_config
from burnqed.records.pairs import TacticPair, write_pairs
from burnqed.training.merge import merge_adapter
from burnqed.training.sft import TrainingJob, train_sft

ROOT = Path(__file__).parents[2]
MODEL = ModelSettings(kind="scratch", prompt_format="bfs_prover", max_length=64)
SFT = SFTSettings(
    epochs=3, learning_rate=3e-2, lora_rank=4, lora_alpha=8, lora_dropout=0.1, batch_tokens=256, checkpoint_every=4,
    layout="padded",
)  # fmt: skip
# Runs a script with each line of options, in a child that is killed in its sixth step: a step after a checkpoint.
KILLED = """
import os, runpy, shlex, signal, sys
import peft, torch, transformers
from burnqed.training.sft import FineTuning
script, *commands = sys.argv[1:]
batches = FineTuning.batches
def dying(self, step):
    if step == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return batches(self, step)
FineTuning.batches = dying
for command in commands:
    child = os.fork()
    if child == 0:
        sys.argv = [script, *shlex.split(command)]
        runpy.run_path(script, run_name="__main__")
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
"""


def test_the_guard_switches_the_repacking_off() -> None:
    model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 2))
    model[1].support_avx512bf16_for_cpu = True
    guard_4bit(model)
    assert model[1].support_avx512bf16_for_cpu is False
    assert not hasattr(model[0], "support_avx512bf16_for_cpu")


def test_a_missing_bitsandbytes_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bitsandbytes", None)
    with pytest.raises(UserError, match="pip install"):
        quantization_config()


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tactic pairs and a base model, float32 and with widths that bitsandbytes would repack."""
    folder = tmp_path_factory.mktemp("qlora")
    pairs = [TacticPair(f"h : {name}\n⊢ {name}", f"exact h_{name}", name, 0, "", 1) for name in "pqrstuvw" * 4]
    write_pairs(folder / "train.jsonl", pairs)
    write_pairs(folder / "val.jsonl", pairs[:4])
    tiny_model(folder / "base", hidden=64)
    return folder


def _train(data: Path, output: Path, quantization: str, base: str = "base") -> None:
    job = TrainingJob(
        base=data / base, adapter=None, pairs_file=data / "train.jsonl", val_file=data / "val.jsonl", trajectories=[],
        proofs=[], iteration=0, model_settings=MODEL, quantization=quantization, seed=0, threads=1, device="cpu",
    )  # fmt: skip
    train_sft(job, SFT, output)


def _options(data: Path, output: Path, quantization: str) -> str:
    paths = {"base": data / "base", "pairs": data / "train.jsonl", "val": data / "val.jsonl", "output": output}
    given = shlex.join(word for name, path in paths.items() for word in (f"--{name}", str(path)))
    how = f"--quantization {quantization} --iteration 0 --device cpu"
    return f"{given} {how} {' '.join([*flags('sft', SFT), *flags('model', MODEL)])}"


@pytest.fixture(scope="module")
def killed(data: Path) -> dict[str, Path]:
    """The adapter folders of killed trainings by quantisation: none of them there, all with progress."""
    kinds = ["none", "nf4"] if importlib.util.find_spec("bitsandbytes") else ["none"]
    outputs = {kind: data / f"killed_{kind}" for kind in kinds}
    script = str(ROOT / "workflow_scripts" / "train_sft.py")
    options = [_options(data, output, kind) for kind, output in outputs.items()]
    done = subprocess.run(
        [sys.executable, "-c", KILLED, script, *options],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert not any(output.exists() for output in outputs.values())
    return outputs


@pytest.mark.parametrize("quantization", ["none", "nf4"])
def test_killed_training_goes_on_with_the_same_bits_and_merges(
    data: Path, tmp_path: Path, quantization: str, killed: dict[str, Path]
) -> None:
    if quantization == "nf4":
        pytest.importorskip("bitsandbytes")
    undisturbed = data / f"undisturbed_{quantization}"
    _train(data, undisturbed, quantization)
    adapter = killed[quantization]
    log = adapter.with_name(f"{adapter.name}.steps.jsonl")
    before = log.read_text().splitlines()
    _train(data, adapter, quantization)
    assert len(before) == 5
    assert log.read_text().splitlines()[:4] == before[:4], "it began again instead of going on"
    assert sha256_file(adapter) == sha256_file(undisturbed)

    history = [json.loads(line) for line in (adapter / "history.jsonl").read_text().splitlines()]
    losses = [record["val_loss"] for record in history if "val_loss" in record]
    assert len(losses) >= 2
    assert losses[-1] < history[0]["loss"] - 0.3
    report = merge_adapter(data / "base", adapter, tmp_path / "model")
    assert float(str(report["max_logit_difference"])) < 1e-4
    assert float(str(report["adapter_effect"])) > 1e-2


def test_a_4bit_base_is_refused_before_training_and_merging(data: Path, tmp_path: Path) -> None:
    pytest.importorskip("bitsandbytes")
    shutil.copytree(data / "base", data / "base4")
    load_model(data / "base", "bfloat16", "cpu", "nf4").save_pretrained(data / "base4")
    with pytest.raises(UserError, match="give the unquantised base"):
        _train(data, tmp_path / "adapter", "nf4", "base4")
    with pytest.raises(UserError, match="give the unquantised base"):
        merge_adapter(data / "base4", tmp_path / "adapter", tmp_path / "model")


def test_gradients_do_not_change_after_an_evaluation(data: Path) -> None:
    pytest.importorskip("bitsandbytes")
    from burnqed.training.adapters import add_adapter

    gradients = []
    for evaluated in (False, True):
        torch.manual_seed(0)
        settings = SFT.model_copy(update={"lora_dropout": 0.0})
        model = add_adapter(load_model(data / "base", "bfloat16", "cpu", "nf4"), settings, None, data / "base")
        ids = torch.arange(20)[None]
        if evaluated:
            with torch.no_grad():
                model.eval()(input_ids=ids)
        model.train()(input_ids=ids, use_cache=False).logits.float().square().mean().backward()
        gradients.append([p.grad for p in model.parameters() if p.grad is not None])
    assert len(gradients[0]) > 0
    for one, other in zip(*gradients, strict=True):
        assert torch.allclose(one, other, rtol=1e-3, atol=1e-7)
