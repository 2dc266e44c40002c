"""What another model costs a vLLM server: started anew, given the model's weights, or given its adapter beside the base.

A 7B with random weights, a random adapter of it, and both merged. Seconds until each is served, tactics per second with
it (512 states, 8 samples each, 32 tokens each), and how far the answers are from those of a server started for the merged
model: share of equal texts and largest difference of their log-probabilities at temperature 0, where it answers
itself twice as the control. Run with a Python that has vLLM and this package's few dependencies.

Run as: python -m benchmarks.server_models
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.merge_7b import adapter_folder
from benchmarks.model_7b import SHAPE, SMALL, arguments, device_name, model_folder, report
from benchmarks.server_7b import AT_ONCE, LENGTH, MEMORY, NEW, prompts_of, speeds_of
from burnqed.config import PolicySettings
from burnqed.jobs.gpus import SHARE, VISIBLE, take_gpus
from burnqed.jobs.kept import end_kept, kept_server
from burnqed.policy.prompts import FORMATS
from burnqed.policy.server import Answer, CompletionsClient, ServerGenerator
from burnqed.policy.vllm_process import DRIVER
from burnqed.training.merge import keep_apart, merge_adapter

COMPARED = 64


async def measure(folder: Path, states: int, repeats: int, python: str) -> tuple[dict[str, Any], list[Answer]]:
    """Return seconds until a model is served and its speeds, and its answers at temperature 0."""
    device = os.environ[VISIBLE]
    before, start = kept_server(device), time.perf_counter()
    settings = PolicySettings(
        server_python=python, server_memory=MEMORY, max_new_tokens=NEW, server_sequences=AT_ONCE, server_kept=True
    )
    generator = ServerGenerator(folder, settings, FORMATS["goal_proofstep"], LENGTH)
    found: dict[str, Any] = {"seconds_until_served": round(time.perf_counter() - start, 1)}
    after = kept_server(device)
    assert after is not None and generator._process is not None
    found["same_server"] = before is not None and before.pid == after.pid
    found["tactics_per_second"] = await speeds_of(generator, folder, states, repeats, 300)
    client = CompletionsClient(generator._process.url, generator._process.name, 1)
    _, ids = prompts_of(folder, COMPARED, 7)
    answers = await client.complete(ids, 1, temperature=0.0, top_p=1.0, max_tokens=NEW, seed=0, stop=[])
    await client.close()
    await generator.close()
    return found, [one for (one,) in answers]


def difference(one: Sequence[Answer], other: Sequence[Answer]) -> dict[str, float]:
    """Return the share of equal texts, and the largest difference of their tokens' log-probabilities."""
    equal = [(a, b) for a, b in zip(one, other, strict=True) if a.text == b.text]
    largest = max((abs(x - y) for a, b in equal for x, y in zip(a.logprobs, b.logprobs, strict=True)), default=0.0)
    return {"equal_texts": len(equal) / len(one), "largest_difference": round(largest, 6)}


def main() -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument("--states", type=int, default=512)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--python", default=sys.executable, help="the Python that has vLLM")
    options = parser.parse_args()
    run = options.model.with_name(options.model.name + ("-small" if options.small else "") + "-run")
    base = model_folder(run / "base" / "model", options.small, options.device)
    adapter = adapter_folder(run / "iter_0" / "adapter", SMALL if options.small else SHAPE)
    for folder, make in ((run / "merged", merge_adapter), (run / "apart", keep_apart)):
        if not folder.exists():
            make(base, adapter, folder)
    os.environ.update({SHARE: "1", DRIVER: str(os.getpid())})
    take_gpus(1, [os.environ.get(VISIBLE, "0").split(",")[0]])
    result: dict[str, Any] = {"benchmark": "server_models", "device": device_name(options.device)}
    answers: dict[str, list[Answer]] = {}
    order = {"base, first start": base, "merged, other weights": run / "merged", "beside the base, first start": run / "apart",
             "merged, started anew": run / "merged", "merged, the same server": run / "merged"}  # fmt: skip
    try:
        for name, folder in order.items():
            result[name], answers[name] = asyncio.run(measure(folder, options.states, options.repeats, options.python))
            print(name, result[name], flush=True)
    finally:
        end_kept([os.environ[VISIBLE]])
    anew = answers["merged, started anew"]
    for name, given in answers.items():
        result[name]["to_merged_started_anew"] = difference(anew, given)
    medians = {name: sorted(result[name]["tactics_per_second"])[options.repeats // 2] for name in order}
    merged = medians["merged, started anew"]
    result["speed_to_merged"] = {name: round(speed / merged, 3) for name, speed in medians.items()}
    report(result, options.output)


if __name__ == "__main__":
    main()
