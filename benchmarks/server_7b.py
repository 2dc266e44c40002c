"""Tactics per second through the ``server`` back-end, against vLLM's own offline class on the same prompts.

512 states, 8 samples each, 32 tokens each, at most 1,024 sequences at once in both; random weights, which
vLLM makes itself. Run with a Python that has vLLM and this package's few dependencies; each engine has the
GPU to itself.

Run as: python -m benchmarks.server_7b
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.model_7b import SHAPE, SMALL, arguments, make_tokenizer, report, states
from burnqed.config import PolicySettings
from burnqed.policy.loading import load_tokenizer
from burnqed.policy.prompts import FORMATS, prompt_tokens

if TYPE_CHECKING:
    from burnqed.policy.server import ServerGenerator

EACH, NEW, AT_ONCE, LENGTH = 8, 32, 1024, 1024
MEMORY = 0.85  # of the GPU
AROUND = (80, 220)  # tokens of a state; its frame adds 66


def config_folder(folder: Path, small: bool) -> Path:
    """Write configuration and tokenizer of the model, without weights."""
    shape = SMALL if small else SHAPE
    folder.mkdir(parents=True, exist_ok=True)
    make_tokenizer(folder, shape["vocab_size"])
    tokens = {"bos_token_id": 0, "eos_token_id": 1, "pad_token_id": 2, "tie_word_embeddings": False}
    config = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "dtype": "bfloat16", **shape, **tokens}
    (folder / "config.json").write_text(json.dumps(config))
    return folder


def prompts_of(folder: Path, count: int, seed: int) -> tuple[list[str], list[list[int]]]:
    """Return states and the token ids of their prompts."""
    tokenizer = load_tokenizer(folder)
    texts = states(tokenizer, count, seed, AROUND)
    return texts, prompt_tokens(tokenizer, FORMATS["goal_proofstep"], texts, LENGTH - NEW)


def offline(folder: Path, count: int, repeats: int) -> dict[str, Any]:
    """Return the speed of vLLM's offline class, bare, and with the server's seeds and stop strings."""
    from vllm import LLM, SamplingParams

    engine = {"max_model_len": LENGTH, "max_num_seqs": AT_ONCE, "gpu_memory_utilization": MEMORY}
    llm = LLM(model=str(folder), load_format="dummy", dtype="bfloat16", seed=0, **engine)
    found: dict[str, Any] = {}
    stops = list(FORMATS["goal_proofstep"].stops)
    for name, same in (("warm-up", False), ("offline", False), ("offline_same_requests", True)):
        speeds = []
        for again in range(repeats if name != "warm-up" else 1):
            _, ids = prompts_of(folder, 64 if name == "warm-up" else count, 100 + again + 10 * same)
            params = [
                SamplingParams(
                    n=EACH,
                    temperature=1.0,
                    max_tokens=NEW,
                    logprobs=0,
                    seed=at if same else None,
                    stop=stops if same else None,
                )
                for at in range(len(ids))
            ]
            start = time.perf_counter()
            outputs = llm.generate([{"prompt_token_ids": row} for row in ids], params, use_tqdm=False)
            seconds = time.perf_counter() - start
            tokens = sum(len(choice.token_ids) for output in outputs for choice in output.outputs)
            speeds.append(round(tokens / NEW / seconds, 1))
        found[name] = speeds
    return found


async def speeds_of(generator: ServerGenerator, folder: Path, count: int, repeats: int, seed: int) -> list[float]:
    """Return the speeds of a generator on prompts of its model, each time others, after a warm-up."""
    speeds = []
    for again in range(-1, repeats):
        texts, _ = prompts_of(folder, 64 if again < 0 else count, seed + again)
        before, start = generator.tokens, time.perf_counter()
        await generator.generate(texts, EACH, 1.0, list(range(len(texts))))
        seconds = time.perf_counter() - start
        speeds.append(round((generator.tokens - before) / NEW / seconds, 1))
    return speeds[1:]


def served(folder: Path, count: int, repeats: int) -> list[float]:
    """Return the speed of the project's server back-end, which starts vLLM's server itself."""
    from burnqed.policy.server import ServerGenerator

    with tempfile.TemporaryDirectory() as scratch:
        python = Path(scratch) / "python"  # vLLM makes the weights, as it does offline
        python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@" --load-format dummy\n')
        python.chmod(0o755)
        settings = PolicySettings(
            server_python=str(python), server_memory=MEMORY, max_new_tokens=NEW, server_sequences=AT_ONCE
        )
        generator = ServerGenerator(folder, settings, FORMATS["goal_proofstep"], LENGTH)

    async def run() -> list[float]:
        speeds = await speeds_of(generator, folder, count, repeats, 200)
        await generator.close()
        return speeds

    return asyncio.run(run())


def main() -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument("--states", type=int, default=512)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--offline-only", action="store_true", help="print the offline speeds as JSON")
    options = parser.parse_args()
    folder = config_folder(Path("/tmp/model-server"), options.small)
    if options.offline_only:
        print("OFFLINE " + json.dumps(offline(folder, options.states, options.repeats)), flush=True)
        return
    command = [sys.executable, "-m", "benchmarks.server_7b", "--offline-only"]
    command += ["--states", str(options.states), "--repeats", str(options.repeats)]
    output = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    line = next(line for line in output.splitlines() if line.startswith("OFFLINE "))
    result: dict[str, Any] = {"benchmark": "server_7b", "tactics_per_second": json.loads(line.split(" ", 1)[1])}
    result["tactics_per_second"]["server"] = served(folder, options.states, options.repeats)
    medians = {name: sorted(speeds)[len(speeds) // 2] for name, speeds in result["tactics_per_second"].items()}
    result["server_to_offline"] = round(medians["server"] / medians["offline"], 3)
    result["server_to_offline_same_requests"] = round(medians["server"] / medians["offline_same_requests"], 3)
    report(result, options.output)


if __name__ == "__main__":
    main()
