"""Fine-tuning a 7B with LoRA on several GPUs, against one of them: tokens per second, same machine and run.

Each number of processes trains twice: with steps of 16,384 tokens in all (the default, so each GPU has fewer)
and with 16,384 tokens per GPU. Random weights, made-up proof states.

Run as: python -m benchmarks.train_processes --processes 2
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import torch

from benchmarks.model_7b import SHAPE, SMALL, arguments, device_name, make_tokenizer, report, states
from benchmarks.train_7b import MAX_LENGTH, TACTICS
from burnqed.config import SFTSettings
from burnqed.jobs.progress import ProgressFolder
from burnqed.policy.loading import load_tokenizer
from burnqed.policy.prompts import FORMATS
from burnqed.training.batches import Batcher, loss_sum, make_examples, plan_steps
from burnqed.training.loop import LoopSettings, deterministic, train
from burnqed.training.processes import join_processes, leave_processes, run_processes
from burnqed.training.sft import trainable

TOKENS = 16384


def model_in_memory(small: bool, device: str) -> Any:
    """Return a Llama with random bfloat16 weights, the same in every process, on this process's device."""
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.bfloat16)
    try:
        with torch.device(device):
            return LlamaForCausalLM(LlamaConfig(**(SMALL if small else SHAPE))).eval()
    finally:
        torch.set_default_dtype(before)


def worker(small: bool, device: str, output: Path) -> None:
    """Train with both sizes of step; the main process adds a line of results to ``output``."""
    processes = join_processes(device)
    deterministic(0, 1, strict=device == "cuda")
    layout = "packed" if device == "cuda" else "padded"
    settings = SFTSettings(gradient_checkpointing=False)
    lm = model_in_memory(small, device)
    model = trainable(lm, settings, None, Path(), layout, device)
    shape = SMALL if small else SHAPE
    result: dict[str, Any] = {"processes": processes.count}
    with tempfile.TemporaryDirectory() as scratch:
        make_tokenizer(Path(scratch), shape["vocab_size"])
        (Path(scratch) / "config.json").write_text('{"model_type": "llama"}')
        tokenizer = load_tokenizer(Path(scratch))
        rng = random.Random(0)
        pairs = [(text, rng.choice(TACTICS)) for text in states(tokenizer, 60 if small else 2000, 2)]
        examples, _ = make_examples(tokenizer, FORMATS["deepseek"], pairs, MAX_LENGTH)
        batcher = Batcher(layout, TOKENS, 0)
        budget = 2048 if small else TOKENS
        cases = {"step_of_16384": (budget, 16, 5), "16384_per_gpu": (budget * processes.count, 9, 3)}
        for name, (tokens, steps, warm) in cases.items():
            plan = plan_steps(examples, 100, tokens, 0)[:steps]
            starts: list[float] = []

            def micro_batches(
                step: int, plan: list[list[int]] = plan, starts: list[float] = starts
            ) -> list[dict[str, Any]]:
                starts.append(time.perf_counter())
                return batcher(processes.share([examples[index] for index in plan[step]]))

            artifact = Path(scratch) / name
            progress = ProgressFolder(artifact, {}) if processes.is_main else None
            loop = LoopSettings(learning_rate=2e-4, autocast=True, checkpoint_every=10**9)
            found = train(model, steps, micro_batches, loss_sum, loop, artifact, progress, processes=processes)
            counted = sum(len(examples[index].tokens) for step in plan[warm:-1] for index in step)
            result[name] = {
                "tokens_per_second": round(counted / (starts[-1] - starts[warm])),
                "seconds_before_counting": round(starts[warm] - starts[0], 1),
                "loss": [record["loss"] for record in found.history[:3]],
            }
            if progress is not None:
                progress.close()
    if processes.is_main:
        with output.open("a") as stream:
            stream.write(json.dumps(result) + "\n")
    leave_processes()


def main() -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument("--processes", type=int, default=2, help="compared with one")
    parser.add_argument("--worker", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        worker(options.small, options.device, options.worker)
        return
    with tempfile.TemporaryDirectory() as scratch:
        lines = Path(scratch) / "lines.jsonl"
        command = [
            sys.executable,
            "-m",
            "benchmarks.train_processes",
            "--device",
            options.device,
            "--worker",
            str(lines),
        ]
        for count in (1, options.processes):
            run_processes(count, command + (["--small"] if options.small else []))
            print(lines.read_text().splitlines()[-1], flush=True)
        one, many = (json.loads(line) for line in lines.read_text().splitlines())
    result: dict[str, Any] = {
        "benchmark": "train_processes",
        "device": device_name(options.device),
        "runs": [one, many],
    }
    for name in ("step_of_16384", "16384_per_gpu"):
        result[f"ratio_{name}"] = round(many[name]["tokens_per_second"] / one[name]["tokens_per_second"], 3)
    report(result, options.output)


if __name__ == "__main__":
    main()
