"""Speed and memory of joint training of a 7B model and its energy head, against fine-tuning alone and the obvious way.

Every token that is computed counts: those of the tactics' examples, and those of the contrastive states, each state
once a step. The obvious way computes each contrastive state in a forward pass of its own, the examples in padded
batches with transformers' attention, activations recomputed.

Run as: python -m benchmarks.joint_7b
"""

from __future__ import annotations

import json
import random
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from benchmarks.head_training import training_data
from benchmarks.model_7b import arguments, device_name, model_folder, report, states
from benchmarks.train_7b import MAX_LENGTH, TACTICS, free, gigabytes
from burnqed.config import EBMSettings, JointSettings, SFTSettings, joint_sft
from burnqed.jobs.progress import ProgressFolder
from burnqed.policy.loading import load_model, load_tokenizer
from burnqed.policy.prompts import FORMATS
from burnqed.training.adapters import add_adapter
from burnqed.training.batches import Batcher, Example, loss_sum, make_examples, plan_steps
from burnqed.training.joint import ContrastiveStream, JointProver, Tokens
from burnqed.training.loop import LoopSettings, deterministic, train
from burnqed.training.sft import recompute_activations, trainable
from burnqed.value.head import GoalConditionedEnergyHead
from burnqed.value.pooling import pooled, state_tokens
from burnqed.value.probe import make_probe


class Counted(JointProver):
    """Counts the tokens of the states it computes."""

    tokens = 0

    def vectors(self, tokens: Tokens) -> Tensor:
        """Return the pooled vectors."""
        self.tokens += sum(len(ids) for ids in tokens)
        return super().vectors(tokens)


class OneByOne(Counted):
    """The obvious way: a forward pass per text."""

    def vectors(self, tokens: Tokens) -> Tensor:
        """Return the pooled vectors."""
        self.tokens += sum(len(ids) for ids in tokens)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.autocast):
            return torch.cat([pooled(self._decoder[0], [ids], self.device, False).float() for ids in tokens])


def measure(
    folder: Path,
    examples: list[Example],
    state_ids: Tokens,
    way: str,
    settings: SFTSettings,
    joint: JointSettings,
    quantization: str,
    device: str,
    steps: int,
    warm: int,
) -> dict[str, Any]:
    """Return speed and memory of one way: sft, joint or obvious; the first steps compile and do not count."""
    free()
    obvious = way == "obvious"
    deterministic(0, torch.get_num_threads(), strict=device == "cuda" and not obvious)
    layout = "packed" if device == "cuda" and not obvious else "padded"
    lm = load_model(folder, settings.dtype, device, quantization)
    if obvious:
        model = add_adapter(lm, settings, None, folder)
        recompute_activations(lm)
    else:
        model = trainable(lm, settings, None, folder, layout, device)
    plan = plan_steps(examples, 1, settings.batch_tokens, 0, steps)
    batcher = Batcher(layout, settings.micro_batch_tokens or settings.batch_tokens, 0)
    autocast = settings.dtype == "bfloat16"
    second = None
    if way != "sft":
        ebm = EBMSettings()
        width = int(lm.config.hidden_size)
        head = GoalConditionedEnergyHead(width, ebm.hidden_sizes, ebm.dropout).to(device)
        kind = OneByOne if obvious else Counted
        prover = kind(model, head, settings.micro_batch_tokens or settings.batch_tokens, autocast)
        groups = training_data(8, "cpu").groups
        out = np.zeros(len(groups.theorems), dtype=bool)
        probe = make_probe(groups, out, 60, 8, joint.negatives, joint.hard_share, 0, "cpu")
        positions = np.arange(len(groups.positive))
        second = ContrastiveStream(prover, groups, positions, state_ids, probe, joint, ebm, 0)
    starts: list[tuple[float, int]] = []

    def micro_batches(step: int) -> list[dict[str, Any]]:
        starts.append((time.perf_counter(), second.prover.tokens if second else 0))  # type: ignore[attr-defined]
        return batcher([examples[index] for index in plan[step]])

    loop = LoopSettings(settings.learning_rate, warmup_steps=2, autocast=autocast, checkpoint_every=10**9)
    with tempfile.TemporaryDirectory() as scratch:
        artifact = Path(scratch) / "adapter"
        progress = ProgressFolder(artifact, {})
        result = train(model, len(plan), micro_batches, loss_sum, loop, artifact, progress, second=second)
        progress.close()
    seconds = starts[-1][0] - starts[warm][0]  # the last step's end is not recorded, so it does not count
    of_tactics = sum(len(examples[index].tokens) for step in plan[warm:-1] for index in step)
    of_states = starts[-1][1] - starts[warm][1]
    counted = len(plan) - 1 - warm
    return {
        "tokens_per_second": round((of_tactics + of_states) / seconds),
        "seconds_per_step": round(seconds / counted, 3),
        "tactic_tokens_per_step": round(of_tactics / counted),
        "state_tokens_per_step": round(of_states / counted),
        "seconds_before_counting": round(starts[warm][0] - starts[0][0], 1),
        "losses": [record["loss"] for record in result.history][:: max(1, len(plan) // 4)],
        "contrastive": [record.get("contrastive_loss") for record in result.history][:: max(1, len(plan) // 4)],
        **gigabytes(),
    }


def main() -> None:
    parser = arguments(__doc__ or "")
    parts = ["sft", "joint", "obvious", "qlora_sft", "qlora_joint"]
    parser.add_argument("--parts", nargs="+", default=parts, choices=parts)
    parser.add_argument("--micro-tokens", type=int, default=16384, help="tokens per forward pass, LoRA in bfloat16")
    parser.add_argument("--qlora-micro-tokens", type=int, default=8192, help="tokens per forward pass, QLoRA")
    options = parser.parse_args()
    folder = model_folder(options.model, options.small, options.device)
    print("model ready", flush=True)
    tokenizer, form = load_tokenizer(folder), FORMATS["deepseek"]
    count, steps, warm = (40, 3, 1) if options.small else (2000, 12, 4)
    rng = random.Random(0)
    pairs = [(text, rng.choice(TACTICS)) for text in states(tokenizer, count, 2)]
    examples, _ = make_examples(tokenizer, form, pairs, MAX_LENGTH)
    needed = len(training_data(8, "cpu").groups.shas)
    texts = states(tokenizer, min(needed, 100 if options.small else 4000), 3)
    state_ids = state_tokens(tokenizer, [texts[i % len(texts)] for i in range(needed)], 1024)
    joint = JointSettings(min_centroid_l2=0.0, max_sft_loss=100.0)
    lora = joint_sft(SFTSettings(gradient_checkpointing=False, micro_batch_tokens=options.micro_tokens), joint)
    tight = joint_sft(SFTSettings(gradient_checkpointing=True, micro_batch_tokens=options.qlora_micro_tokens), joint)
    if options.small:
        joint = joint.model_copy(update={"groups": 4})
        lora, tight = (s.model_copy(update={"batch_tokens": 2048, "micro_batch_tokens": 1024}) for s in (lora, tight))
    lengths = [len(item.tokens) for item in examples]
    result: dict[str, Any] = {
        "benchmark": "joint_7b",
        "device": device_name(options.device),
        "example_tokens_mean": round(sum(lengths) / len(lengths), 1),
        "state_tokens_mean": round(sum(map(len, state_ids)) / len(state_ids), 1),
        "groups": joint.groups,
        "negatives": joint.negatives,
        "lora_rank": lora.lora_rank,
    }
    runs = {
        "sft": ("sft", lora, "none", steps, warm),
        "joint": ("joint", lora, "none", steps, warm),
        "obvious": ("obvious", lora.model_copy(update={"micro_batch_tokens": 4096}), "none", 3, 1),
        "qlora_sft": ("sft", tight, "nf4", steps - 4, warm),
        "qlora_joint": ("joint", tight, "nf4", steps - 4, warm),
    }
    for name in options.parts:
        way, settings, quantization, number, skipped = runs[name]
        if options.small:
            number, skipped = 3, 1
        result[name] = measure(
            folder, examples, state_ids, way, settings, joint, quantization, options.device, number, skipped
        )
        print(name, result[name], flush=True)
        if options.output is not None:
            options.output.write_text(json.dumps(result))
    for name, one, other in (
        ("joint_to_sft", "joint", "sft"),
        ("joint_to_obvious", "joint", "obvious"),
        ("qlora_joint_to_sft", "qlora_joint", "qlora_sft"),
    ):
        if one in result and other in result:
            rates = [result[key]["tokens_per_second"] for key in (one, other)]
            result[name] = round(rates[0] / rates[1], 3)
    report(result, options.output)


if __name__ == "__main__":
    main()
