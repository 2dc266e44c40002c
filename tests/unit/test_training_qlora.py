"""QLoRA on a CPU: nf4 base weights, with the guard against AVX512-BF16 repacking."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from burnqed.artifacts import UserError
from burnqed.config import ModelSettings, ScratchSettings, SFTSettings
from burnqed.data.pairs import TacticPair, write_pairs
from burnqed.policy.loading import guard_4bit, load_model, quantization_config
from burnqed.training.base import train_base_model
from burnqed.training.merge import merge_adapter
from burnqed.training.sft import train_sft

MODEL = ModelSettings(kind="scratch", prompt_format="bfs_prover", max_length=64)
SFT = SFTSettings(epochs=8, learning_rate=3e-2, lora_rank=4, lora_alpha=8, batch_tokens=256, checkpoint_every=4)


def test_the_guard_switches_the_repacking_off() -> None:
    model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 2))
    model[1].support_avx512bf16_for_cpu = True
    guard_4bit(model)
    assert model[1].support_avx512bf16_for_cpu is False
    assert not hasattr(model[0], "support_avx512bf16_for_cpu")


def test_a_missing_bitsandbytes_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "bitsandbytes", None)
    with pytest.raises(UserError, match="pip install"):
        quantization_config()


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("qlora")
    pairs = [TacticPair(f"h : {name}\n⊢ {name}", f"exact h_{name}", name, 0, "", 1) for name in "pqrstuvw" * 4]
    write_pairs(folder / "train.jsonl", pairs)
    write_pairs(folder / "val.jsonl", pairs[:4])
    scratch = ScratchSettings(
        hidden_size=64, layers=2, heads=2, vocabulary=300, pair_share=1.0, epochs=20, batch_tokens=256
    )
    train_base_model(folder / "train.jsonl", folder / "base", scratch, MODEL, 0, 1, "cpu")
    return folder


def _train(folder: Path, output: Path) -> Any:
    return train_sft(
        base=folder / "base",
        adapter=None,
        pairs_file=folder / "train.jsonl",
        val_file=folder / "val.jsonl",
        trajectories=[],
        proofs=[],
        output=output,
        iteration=0,
        settings=SFT,
        model_settings=MODEL,
        quantization="nf4",
        seed=0,
        threads=1,
        device="cpu",
    )


def test_qlora_learns_with_validations_in_between_and_merges_into_the_unquantised_base(
    base: Path, tmp_path: Path
) -> None:
    pytest.importorskip("bitsandbytes")
    result = _train(base, tmp_path / "adapter")
    losses = [record["val_loss"] for record in result.history if "val_loss" in record]
    assert len(losses) >= 2
    assert losses[-1] < losses[0] - 0.1
    report = merge_adapter(base / "base", tmp_path / "adapter", tmp_path / "model")
    assert float(str(report["max_logit_difference"])) < 1e-4
    assert float(str(report["adapter_effect"])) > 1e-2


def test_gradients_do_not_change_after_an_evaluation(base: Path) -> None:
    pytest.importorskip("bitsandbytes")
    from burnqed.training.adapters import add_adapter

    gradients = []
    for evaluated in (False, True):
        torch.manual_seed(0)
        model = add_adapter(load_model(base / "base", "bfloat16", "cpu", "nf4"), SFT, None, base / "base")
        ids = torch.arange(20)[None]
        if evaluated:
            with torch.no_grad():
                model.eval()(input_ids=ids)
        model.eval().zero_grad()
        model(input_ids=ids, use_cache=False).logits.float().square().mean().backward()
        gradients.append([p.grad for p in model.parameters() if p.grad is not None])
    assert len(gradients[0]) > 0
    for one, other in zip(*gradients, strict=True):
        assert torch.allclose(one, other, rtol=1e-3, atol=1e-7)
