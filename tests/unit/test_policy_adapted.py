"""A model folder that keeps base and adapter apart is the merged model, put together later."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import policy_fake_server
import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from burnqed.config import PolicySettings, load_config
from burnqed.files import UserError, input_digest, write_json
from burnqed.plan import Plan
from burnqed.policy.adapted import RECORD, read_adapted
from burnqed.policy.loading import load_model
from burnqed.policy.prompts import FORMATS
from burnqed.policy.server import ServerGenerator
from burnqed.policy.vllm_process import server_command
from burnqed.training.merge import keep_apart, merge_adapter
from burnqed.value.encoder import model_digest

MODULES = ["q_proj", "v_proj", "down_proj"]


@pytest.fixture(scope="module", params=["float32", "bfloat16"])
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A base model in a stored type, an adapter of it, and the model both ways."""
    from peft import LoraConfig, get_peft_model

    folder = tmp_path_factory.mktemp("run")
    torch.manual_seed(0)
    shape = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 2}
    model = LlamaForCausalLM(LlamaConfig(vocab_size=64, **shape)).to(getattr(torch, request.param))  # type: ignore[arg-type]
    model.save_pretrained(folder / "base" / "model")
    words = Tokenizer(models.WordLevel({"<unk>": 0, "<s>": 1} | {chr(97 + i): 2 + i for i in range(26)}, "<unk>"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    PreTrainedTokenizerFast(tokenizer_object=words, eos_token="<s>", unk_token="<unk>").save_pretrained(
        folder / "base" / "model"
    )
    adapted = get_peft_model(model, LoraConfig(r=4, lora_alpha=8, target_modules=MODULES))  # type: ignore[arg-type]
    for name, weight in adapted.named_parameters():
        if "lora_" in name:
            torch.nn.init.normal_(weight, std=0.2)
    adapted.save_pretrained(str(folder / "iter_0" / "adapter"))
    merge_adapter(folder / "base" / "model", folder / "iter_0" / "adapter", folder / "merged")
    keep_apart(folder / "base" / "model", folder / "iter_0" / "adapter", folder / "iter_0" / "model")
    return folder


@pytest.mark.parametrize("dtype", ["float64", "float32", "bfloat16"])
@pytest.mark.parametrize("head", [True, False])
def test_it_has_the_merged_models_bits(run: Path, dtype: str, head: bool) -> None:
    merged = load_model(run / "merged", dtype, "cpu", head=head).state_dict()
    apart = load_model(run / "iter_0" / "model", dtype, "cpu", head=head).state_dict()
    plain = load_model(run / "base" / "model", dtype, "cpu", head=head).state_dict()
    assert merged.keys() == apart.keys()
    assert all(value.equal(apart[name]) and value.dtype == apart[name].dtype for name, value in merged.items())
    assert sum(not value.equal(plain[name]) for name, value in apart.items()) == 2 * len(MODULES)


def test_it_takes_the_room_of_the_adapter_and_is_known_by_it(run: Path, tmp_path: Path) -> None:
    names = {path.name for path in (run / "iter_0" / "model").iterdir()}
    assert {"config.json", "tokenizer.json", RECORD, "adapter_model.safetensors"} <= names
    assert "model.safetensors" not in names
    shutil.copytree(run, tmp_path / "moved")  # the base is found beside it, wherever the run is
    moved = tmp_path / "moved" / "iter_0" / "model"
    assert read_adapted(moved).base == (tmp_path / "moved" / "base" / "model").resolve()  # type: ignore[union-attr]
    assert model_digest(moved) == model_digest(run / "iter_0" / "model")
    record = json.loads((moved / RECORD).read_text())
    write_json(moved / RECORD, record | {"base_identity": "another"})
    assert model_digest(moved) != model_digest(run / "iter_0" / "model")
    assert input_digest(moved) != input_digest(run / "iter_0" / "model")
    shutil.rmtree(tmp_path / "moved" / "base")
    with pytest.raises(UserError, match=r"its base model .* is not there"):
        read_adapted(moved)
    write_json(moved / RECORD, [])
    with pytest.raises(UserError, match="not a record of a base and an adapter"):
        read_adapted(moved)


def test_a_4_bit_model_needs_the_merged_one(run: Path) -> None:
    with pytest.raises(UserError, match=r"set policy\.adapter: merge"):
        load_model(run / "iter_0" / "model", "bfloat16", "cpu", "nf4")


def settings(folder: Path) -> PolicySettings:
    python = folder / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} {policy_fake_server.__file__} "$@"\n')
    python.chmod(0o755)
    return PolicySettings(backend="server", server_python=str(python))


def test_a_server_is_started_for_the_base_with_room_for_the_adapter(run: Path, tmp_path: Path) -> None:
    command = server_command(run / "iter_0" / "model", settings(tmp_path), 64, "x")
    words: dict[str, Any] = dict(zip(command, [*command[1:], ""], strict=True))
    assert words["--model"] == str((run / "base" / "model").resolve())
    assert "--enable-lora" in words and words["--max-lora-rank"] == "8"
    assert "--enable-lora" not in server_command(run / "merged", settings(tmp_path), 64, "x")


def test_requests_ask_for_the_adapter(run: Path, tmp_path: Path) -> None:
    """Against a stand-in on loopback with vLLM's routes, which refuses models that were not loaded."""

    async def work() -> int:
        generator = ServerGenerator(run / "iter_0" / "model", settings(tmp_path), FORMATS["goal_proofstep"], 64)
        try:
            return len(await generator.generate(["a b"], 2, 1.0, [0]))
        finally:
            await generator.close()

    assert asyncio.run(work()) == 1


def test_what_the_server_says_of_an_adapter_is_told(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("burnqed.policy.adapted.RANKS", (2,))
    monkeypatch.setattr("burnqed.policy.adapted.Adapted.served_rank", 2)
    with pytest.raises(UserError, match=r"does not take this adapter .*greater than max_lora_rank 2"):
        ServerGenerator(run / "iter_0" / "model", settings(tmp_path), FORMATS["goal_proofstep"], 64)


def test_a_machine_that_encodes_in_4_bits_is_told_so_before_the_run() -> None:
    machine = {"hardware": "small", "hardware_types": {"small": {"device": "cuda", "quantization": "nf4"}}}
    with pytest.raises(UserError, match=r"policy\.adapter: a 4-bit encoder \(hardware_types\.small\)"):
        load_config({**machine, "policy": {"adapter": "serve"}})


def test_jobs_read_the_base_too() -> None:
    """So that a job on another machine has it, and a new base model makes old."""
    plans = {how: Plan(load_config({"iterations": 1, "policy": {"adapter": how}})) for how in ("merge", "serve")}
    base = plans["merge"].paths("model", run="base")
    for how, plan in plans.items():
        reads = [job for job in plan.jobs if "model" in job.inputs and job.inputs["model"] != base]
        assert reads and all((job.inputs.get("base") == base) == (how == "serve") for job in reads)
    assert plans["merge"].count() == plans["serve"].count()
