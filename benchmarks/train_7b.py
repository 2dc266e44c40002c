"""Speed and memory of fine-tuning a 7B model with LoRA and QLoRA, against the obvious way.

The obvious way: transformers and PEFT as documented, 8 padded examples a batch, gradient checkpointing,
the loss over the whole vocabulary at every position.

Run as: python -m benchmarks.train_7b
"""

from __future__ import annotations

import contextlib
import gc
import random
import tempfile
import time
from pathlib import Path
from typing import Any

import torch

from benchmarks.model_7b import (
    SHAPE,
    SMALL,
    arguments,
    device_name,
    matmul_ceiling,
    model_folder,
    parameters_used,
    report,
    states,
)
from burnqed.config import SFTSettings
from burnqed.jobs.progress import ProgressFolder
from burnqed.policy.loading import load_model, load_tokenizer
from burnqed.policy.prompts import FORMATS
from burnqed.training import sft
from burnqed.training.batches import Batcher, Example, collate, loss_sum, make_examples, plan_steps
from burnqed.training.loop import LoopSettings, deterministic, train
from burnqed.training.sft import trainable

TACTICS = ["simp", "exact h12", "nlinarith [sq_nonneg (a + b), sq_nonneg (a - b)]", "rw [Nat.add_comm]", "omega"]
MAX_LENGTH = 2048


def free() -> None:
    """Give memory back and start counting its peak anew."""
    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()


def gigabytes() -> dict[str, float]:
    """Return the peak of the GPU memory since ``free``, of tensors and with the allocator's reserve."""
    if not torch.cuda.is_available():
        return {}
    peaks = {"tensors_gb": torch.cuda.max_memory_allocated(), "reserved_gb": torch.cuda.max_memory_reserved()}
    return {name: round(value / 2**30, 1) for name, value in peaks.items()}


def fine_tune(
    folder: Path,
    examples: list[Example],
    settings: SFTSettings,
    quantization: str,
    device: str,
    steps: int,
    warm: int,
    strict: bool = True,
) -> dict[str, Any]:
    """Return speed and memory of the project's own fine-tuning; the first steps compile and do not count."""
    free()
    deterministic(0, torch.get_num_threads(), strict=strict)
    layout = "packed" if device == "cuda" else "padded"
    lm = load_model(folder, settings.dtype, device, quantization)
    model = trainable(lm, settings, None, folder, layout, device)
    plan = plan_steps(examples, 100, settings.batch_tokens, 0)[:steps]
    batcher = Batcher(layout, settings.micro_batch_tokens or settings.batch_tokens, 0)
    starts: list[float] = []

    def micro_batches(step: int) -> list[dict[str, Any]]:
        starts.append(time.perf_counter())
        return batcher([examples[index] for index in plan[step]])

    loop = LoopSettings(learning_rate=2e-4, autocast=settings.dtype == "bfloat16", checkpoint_every=10**9)
    with tempfile.TemporaryDirectory() as scratch:
        artifact = Path(scratch) / "adapter"
        progress = ProgressFolder(artifact, {})
        result = train(model, len(plan), micro_batches, loss_sum, loop, artifact, progress)
        progress.close()
    seconds = starts[-1] - starts[warm]  # the last step's end is not recorded, so it does not count
    tokens = sum(len(examples[index].tokens) for step in plan[warm:-1] for index in step)
    return {
        "tokens_per_second": round(tokens / seconds),
        "seconds_before_counting": round(starts[warm] - starts[0], 1),
        "loss": [record["loss"] for record in result.history][:: max(1, len(plan) // 4)],
        **gigabytes(),
    }


class Killed(BaseException):
    """Stands for SIGKILL: nothing after it runs that could save anything."""


def resumes_bitwise(
    folder: Path, examples: list[Example], settings: SFTSettings, device: str, micro_tokens: int
) -> dict[str, Any]:
    """Return whether a training killed in its fifth step and run again ends with the bits of an undisturbed one."""
    free()
    deterministic(0, torch.get_num_threads(), strict=True)
    layout = "packed" if device == "cuda" else "padded"
    model = trainable(load_model(folder, settings.dtype, device), settings, None, folder, layout, device)
    parameters = {name: p for name, p in model.named_parameters() if p.requires_grad}
    start = {name: p.detach().clone() for name, p in parameters.items()}
    plan = plan_steps(examples, 100, settings.batch_tokens, 0)[:6]
    batcher = Batcher(layout, micro_tokens, 0)
    loop = LoopSettings(learning_rate=2e-4, autocast=settings.dtype == "bfloat16", checkpoint_every=3)

    def run(artifact: Path, kill_at: int | None) -> tuple[dict[str, Any], list[Any]]:
        def micro_batches(step: int) -> list[dict[str, Any]]:
            if step == kill_at:
                raise Killed
            return batcher([examples[index] for index in plan[step]])

        with torch.no_grad():
            for name, parameter in parameters.items():
                parameter.copy_(start[name])
                parameter.grad = None
        torch.manual_seed(0)
        progress = ProgressFolder(artifact, {})
        try:
            result = train(model, len(plan), micro_batches, loss_sum, loop, artifact, progress)
        finally:
            progress.close()
        return {name: p.detach().clone() for name, p in parameters.items()}, result.history

    with tempfile.TemporaryDirectory() as scratch:
        undisturbed, history = run(Path(scratch) / "undisturbed", None)
        again, _ = run(Path(scratch) / "again", None)
        with contextlib.suppress(Killed):
            run(Path(scratch) / "killed", 4)
        resumed, resumed_history = run(Path(scratch) / "killed", None)

    def equal(one: dict[str, Any], other: dict[str, Any]) -> bool:
        return all(torch.equal(value, other[name]) for name, value in one.items())

    return {
        "run_twice_equal": equal(undisturbed, again),
        "resumed_equal": equal(undisturbed, resumed),
        "losses_equal": history == resumed_history,
        "changed_by_training": not equal(undisturbed, start),
    }


def obvious(folder: Path, examples: list[Example], device: str, steps: int, warm: int) -> dict[str, Any]:
    """Return speed and memory of the obvious way."""
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM

    free()
    torch.use_deterministic_algorithms(False)
    base = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.bfloat16, local_files_only=True).to(device)
    settings = SFTSettings()
    model = get_peft_model(
        base,
        LoraConfig(
            r=settings.lora_rank,
            lora_alpha=settings.lora_alpha,
            lora_dropout=settings.lora_dropout,
            target_modules=list(settings.target_modules),
            task_type="CAUSAL_LM",
        ),
    )
    model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    model.train()
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=2e-4)
    start, tokens = 0.0, 0
    for step in range(warm + steps):
        if step == warm:
            synchronize(device)
            start = time.perf_counter()
        group = examples[8 * step : 8 * step + 8]
        width = max(len(item.tokens) for item in group)
        ids = torch.zeros(8, width, dtype=torch.long)
        mask, labels = torch.zeros_like(ids), torch.full_like(ids, -100)
        for row, item in enumerate(group):
            length = len(item.tokens)
            ids[row, :length], mask[row, :length] = torch.tensor(item.tokens), 1
            labels[row, item.start : length] = ids[row, item.start : length]
        with torch.autocast(device, torch.bfloat16):
            loss = model(
                input_ids=ids.to(device), attention_mask=mask.to(device), labels=labels.to(device), use_cache=False
            ).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        loss.item()
        tokens += int(mask.sum()) if step >= warm else 0
    synchronize(device)
    return {"tokens_per_second": round(tokens / (time.perf_counter() - start)), **gigabytes()}


def synchronize(device: str) -> None:
    """Wait for the GPU."""
    if device == "cuda":
        torch.cuda.synchronize()


def losses_agree(folder: Path, examples: list[Example], device: str) -> dict[str, float]:
    """Return the loss per token of the same examples, padded by transformers' attention and packed by ours."""
    from burnqed.policy.packed import use_packed_attention

    free()
    model = load_model(folder, "bfloat16", device)
    found = []
    for layout in ("padded", "packed"):
        if layout == "packed":
            use_packed_attention(model)
        with torch.no_grad():
            batch = {k: v.to(device) for k, v in collate(examples[:16], layout, 0).items()}  # type: ignore[arg-type]
            found.append(float(loss_sum(model, batch)) / int((batch["labels"] >= 0).sum()))
    return {"padded": round(found[0], 5), "packed": round(found[1], 5)}


def main() -> None:
    parser = arguments(__doc__ or "")
    parts = ["losses", "resume", "lora", "free", "naive", "qlora", "memory"]
    parser.add_argument("--parts", nargs="+", default=parts, choices=parts)
    parser.add_argument("--micro-tokens", type=int, default=16384, help="tokens per forward pass")
    parser.add_argument("--plain-layers", action="store_true", help="do not compile the layers")
    options = parser.parse_args()
    if options.plain_layers:
        sft.compile_layers = lambda model: None
    folder = model_folder(options.model, options.small, options.device)
    tokenizer, form = load_tokenizer(folder), FORMATS["deepseek"]
    count, steps, warm = (40, 3, 1) if options.small else (3000, 16, 4)
    rng = random.Random(0)
    pairs = [(text, rng.choice(TACTICS)) for text in states(tokenizer, count, 2)]
    examples, _ = make_examples(tokenizer, form, pairs, MAX_LENGTH)
    lengths = sorted(len(item.tokens) for item in examples)
    result: dict[str, Any] = {
        "benchmark": "train_7b",
        "device": device_name(options.device),
        "matmul_ceiling_tflops": round(matmul_ceiling(options.device) / 1e12, 1),
        "tokens_mean": round(sum(lengths) / len(lengths), 1),
        "tokens_p95": lengths[int(0.95 * len(lengths))],
    }
    used = parameters_used(SMALL if options.small else SHAPE)
    fast = SFTSettings(gradient_checkpointing=False, micro_batch_tokens=options.micro_tokens)

    def rated(run: dict[str, Any]) -> dict[str, Any]:
        return {**run, "share_of_ceiling": round(run["tokens_per_second"] * 4e-12 * used / ceiling, 3)}

    ceiling = result["matmul_ceiling_tflops"]
    if "losses" in options.parts:
        result["loss_per_token"] = losses_agree(folder, examples, options.device)
    if "lora" in options.parts:
        result["lora_bf16"] = rated(fine_tune(folder, examples, fast, "none", options.device, steps, warm))
    if "resume" in options.parts:
        result["resume"] = resumes_bitwise(folder, examples, fast, options.device, options.micro_tokens)
        print(result["resume"], flush=True)
    if "free" in options.parts:
        loose = fine_tune(folder, examples, fast, "none", options.device, steps, warm, strict=False)
        result["lora_not_deterministic"] = rated(loose)
    if "naive" in options.parts:
        result["naive"] = rated(obvious(folder, examples, options.device, 2 if options.small else 10, 2))
        if "lora" in options.parts:
            ratio = result["lora_bf16"]["tokens_per_second"] / result["naive"]["tokens_per_second"]
            result["ratio_to_naive"] = round(ratio, 2)
    if "qlora" in options.parts:
        result["qlora_nf4"] = rated(fine_tune(folder, examples, fast, "nf4", options.device, steps, warm))
    if "memory" in options.parts:
        tight = SFTSettings(gradient_checkpointing=True, micro_batch_tokens=MAX_LENGTH)
        long = Example(tuple(rng.randrange(3, 1000) for _ in range(MAX_LENGTH)), MAX_LENGTH // 2)
        run = fine_tune(folder, [long] * 64, tight, "nf4", options.device, 4, 1)
        result["qlora_length_2048_checkpointing"] = run
    report(result, options.output)


if __name__ == "__main__":
    main()
