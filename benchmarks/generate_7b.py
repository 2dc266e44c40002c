"""Speed of sampling tactics with a 7B model in this process, against transformers' ``generate``.

32 states, 8 samples each, 32 new tokens each (the end-of-sequence token is not allowed to come early).
Also compares the log-probabilities with a full recomputation of prompt and sample.

Run as: python -m benchmarks.generate_7b
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks.model_7b import arguments, device_name, model_folder, report, states
from burnqed.policy.graph_sampling import GraphSampler
from burnqed.policy.loading import load_model, load_tokenizer
from burnqed.policy.prompts import FORMATS, prompt_tokens

STATES, EACH, NEW = 32, 8, 32
AROUND = (80, 220)  # tokens of a state; its frame adds 66


def synchronize(device: str) -> None:
    """Wait for the GPU."""
    if device == "cuda":
        torch.cuda.synchronize()


def timed(device: str, run: Any, repeats: int) -> tuple[list[float], Any]:
    """Return the seconds of each repeat after one that does not count, and the last result."""
    seconds, found = [], run()
    for _ in range(repeats):
        synchronize(device)
        start = time.perf_counter()
        found = run()
        synchronize(device)
        seconds.append(time.perf_counter() - start)
    return seconds, found


@torch.inference_mode()
def recomputed_difference(model: Any, prompts: list[list[int]], found: list[list[Any]]) -> dict[str, float]:
    """Return how far log-probabilities are from those of prompt and sample read at once, without a cache."""
    per_token, per_sample = [], []
    for prompt, samples in zip(prompts, found, strict=True):
        for item in samples[:2]:
            ids = torch.tensor([prompt + item.tokens], device=model.device)
            hidden = model.model(input_ids=ids, use_cache=False).last_hidden_state[0, len(prompt) - 1 : -1]
            logits = model.lm_head(hidden)
            logits = logits if logits.dtype == torch.float64 else logits.float()
            expected = torch.log_softmax(logits, -1).gather(-1, ids[0, len(prompt) :, None])[:, 0].tolist()
            difference = np.array(item.logprobs) - np.array(expected)
            per_token += np.abs(difference).tolist()
            per_sample.append(abs(float(difference.sum())))
    return {
        "tokens": len(per_token),
        "per_token_mean": round(float(np.mean(per_token)), 7),
        "per_token_max": round(float(np.max(per_token)), 7),
        "per_sample_mean": round(float(np.mean(per_sample)), 7),
    }


def small_in_float32(device: str) -> dict[str, float]:
    """Return the same difference for a small model in float32."""
    folder = model_folder(Path("/tmp/model-small"), True, device)
    model = load_model(folder, "float32", device)
    tokenizer = load_tokenizer(folder)
    prompts = prompt_tokens(tokenizer, FORMATS["deepseek"], states(tokenizer, 8, 5), 1000)
    found = GraphSampler(model, NEW, 1024, graphs=False).sample(
        prompts, 4, 1.0, list(range(8)), eos=-1, max_new_tokens=NEW
    )
    return recomputed_difference(model, prompts, found)


def kernels(run: Any, count: int = 25) -> str:
    """Return where the GPU's time goes in one call."""
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CUDA]) as found:
        run()
        torch.cuda.synchronize()
    return str(found.key_averages().table(sort_by="cuda_time_total", row_limit=count, max_name_column_width=60))


def main() -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument("--profile", action="store_true", help="also print the kernels that take the GPU's time")
    options = parser.parse_args()
    device = options.device
    folder = model_folder(options.model, options.small, device)
    tokenizer = load_tokenizer(folder)
    texts = states(tokenizer, STATES, 3, AROUND) + states(tokenizer, 3 * STATES, 4)
    prompts = prompt_tokens(tokenizer, FORMATS["deepseek"], texts, 1000)
    part = prompts[:STATES]
    lengths = np.array([len(ids) for ids in part])
    model = load_model(folder, "bfloat16" if device == "cuda" else "float32", device)
    sampler = GraphSampler(model, NEW, 1000)
    seeds = list(range(len(prompts)))

    def run() -> Any:
        return sampler.sample(part, EACH, 1.0, seeds[:STATES], eos=-1, max_new_tokens=NEW)

    began = time.perf_counter()
    run()
    first = time.perf_counter() - began
    seconds, found = timed(device, run, 5)
    print("tactics per second", [round(STATES * EACH / s, 1) for s in seconds], flush=True)
    if options.profile:
        print(kernels(run), flush=True)
    phases = {}
    with torch.inference_mode():
        shape = sampler._run_for(STATES, EACH, 1.0, 1.0)
        from burnqed.policy.packed import attention

        with attention(model, "burnqed_shared_prompt"):
            phases["prompts"], _ = timed(device, lambda: sampler._compute_prompts(shape, part, seeds[:STATES]), 3)

    def all_states() -> Any:
        return [
            sampler.sample(prompts[at : at + STATES], EACH, 1.0, seeds[at : at + STATES], eos=-1, max_new_tokens=NEW)
            for at in range(STATES, len(prompts), STATES)
        ]

    many_seconds, _ = timed(device, all_states, 2)
    differences = {"bf16_7b": recomputed_difference(model, part, found)}
    sampler._prompts, sampler._own, sampler._runs = [], [], {}  # their memory, for the obvious way
    if device == "cuda":
        torch.cuda.empty_cache()
    width = int(lengths.max())
    ids = torch.full((STATES, width), tokenizer.pad_token_id, device=device)
    mask = torch.zeros_like(ids)
    for row, prompt in enumerate(part):
        ids[row, width - len(prompt) :] = torch.tensor(prompt)
        mask[row, width - len(prompt) :] = 1

    def obvious() -> Any:
        with torch.inference_mode():
            return model.generate(
                input_ids=ids,
                attention_mask=mask,
                do_sample=True,
                top_k=0,
                num_return_sequences=EACH,
                min_new_tokens=NEW,
                max_new_tokens=NEW,
                return_dict_in_generate=True,
                output_logits=True,
            ).sequences

    naive_seconds, _ = timed(device, obvious, 2)
    differences["float32_small"] = small_in_float32(device)
    tactics = STATES * EACH
    best = float(np.median(seconds))
    result = {
        "benchmark": "generate_7b",
        "device": device_name(device),
        "prompt_tokens": {"mean": round(float(lengths.mean()), 1), "longest": width},
        "tactics_per_second": round(tactics / best, 1),
        "runs": [round(tactics / s, 1) for s in seconds],
        "of_96_states_of_very_different_lengths": [round(3 * tactics / s, 1) for s in many_seconds],
        "seconds_for_prompts": [round(s, 4) for s in phases["prompts"]],
        "seconds_per_token_after": round((best - float(np.median(phases["prompts"]))) / (NEW - 1), 5),
        "first_call_seconds": round(first, 1),
        "naive_tactics_per_second": round(tactics / float(np.median(naive_seconds)), 1),
        "ratio_to_naive": round(float(np.median(naive_seconds)) / best, 2),
        "logprob_difference_to_full_recompute": differences,
    }
    report(result, options.output)


if __name__ == "__main__":
    main()
