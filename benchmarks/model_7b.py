"""What the GPU benchmarks share: a 7B model with random weights, and made-up proof states.

The shape is DeepSeek-Prover-V2-7B's (a Llama). States have 203 tokens on average and 554 at the 95th
percentile, the lengths of tactic states in practice (log-normal). ``--small`` shrinks the model so
that every benchmark can be tried on a CPU.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from pathlib import Path
from typing import Any

SHAPE = {
    "vocab_size": 102400,
    "hidden_size": 4096,
    "intermediate_size": 11008,
    "num_hidden_layers": 30,
    "num_attention_heads": 32,
    "num_key_value_heads": 32,
    "max_position_embeddings": 4096,
}
SMALL = SHAPE | {
    "vocab_size": 2048,
    "hidden_size": 128,
    "intermediate_size": 256,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 4,
}
MEDIAN_TOKENS, SPREAD, LONGEST = 146.0, 0.81, 1000
TYPES = ["ℕ", "ℤ", "ℝ", "Prop", "List ℕ", "Finset ℕ", "Set α", "α → β", "ℕ → ℝ"]
TERMS = ["{a} + {b} = {b} + {a}", "{a} ≤ {b}", "0 < {a} - {b}", "{a} ∣ {b} ^ 2", "{a} ∧ ¬{b} ↔ {c}"]


def _line(rng: random.Random) -> str:
    names = [f"{rng.choice('abcdfghkmnpqrstuvwxyz')}{rng.randrange(1000)}" for _ in range(4)]
    if rng.random() < 0.3:
        return f"{names[0]} {names[1]} : {rng.choice(TYPES)}"
    return f"h{names[3]} : " + rng.choice(TERMS).format(a=names[0], b=names[1], c=names[2])


def states(tokenizer: Any, count: int, seed: int, tokens: tuple[int, int] | None = None) -> list[str]:
    """Return different made-up states; ``tokens`` bounds their lengths (about), else they vary widely."""
    rng = random.Random(seed)
    lines = [_line(rng) for _ in range(2000)]
    sizes = [len(ids) for ids in tokenizer([line + "\n" for line in lines])["input_ids"]]
    found = []
    for _ in range(count):
        wide = min(LONGEST, math.exp(rng.gauss(math.log(MEDIAN_TOKENS), SPREAD)))
        wanted = rng.uniform(*tokens) if tokens else wide
        text, total = [f"x{rng.randrange(10**9)} : ℕ"], 12.0
        while total < wanted:
            pick = rng.randrange(len(lines))
            text.append(lines[pick])
            total += sizes[pick]
        found.append("\n".join([*text[:-1], "⊢ " + text[-1].split(" : ", 1)[-1]]))
    return found


def make_tokenizer(folder: Path, vocabulary: int) -> None:
    """Write a byte-level tokenizer of 2,000 merges, filled up with words to the vocabulary's size."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    rng = random.Random(0)
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(
        (_line(rng) for _ in range(20000)),
        trainers.BpeTrainer(
            vocab_size=1500,
            special_tokens=["<s>", "</s>", "<pad>"],
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        ),
    )
    blob = json.loads(tokenizer.to_str())
    words = blob["model"]["vocab"]
    for number in range(len(words), vocabulary):
        words[f"Ġw{number}"] = number
    (folder / "tokenizer.json").write_text(json.dumps(blob))
    names = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>"}
    (folder / "tokenizer_config.json").write_text(
        json.dumps({"tokenizer_class": "PreTrainedTokenizerFast", **names, "model_max_length": 4096})
    )


def model_folder(folder: Path, small: bool, device: str) -> Path:
    """Return a folder with the model in bfloat16 and its tokenizer; make it when it is not there."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    if (folder / "tokenizer.json").exists():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    shape = SMALL if small else SHAPE
    torch.manual_seed(0)
    with torch.device(device):
        model = LlamaForCausalLM(LlamaConfig(**shape, bos_token_id=0, eos_token_id=1, pad_token_id=2)).bfloat16()
    model.save_pretrained(folder)
    make_tokenizer(folder, shape["vocab_size"])
    return folder


def arguments(description: str) -> argparse.ArgumentParser:
    """Return the options all GPU benchmarks have."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--model", type=Path, default=Path("/tmp/model-7b"), help="model folder, made when absent")
    parser.add_argument("--small", action="store_true", help="a small model: tries the benchmark, measures nothing")
    parser.add_argument("--device", default="cuda", help="cuda or cpu")
    parser.add_argument("--output", type=Path, help="write the result as JSON here too")
    return parser


def parameters_used(shape: dict[str, int]) -> int:
    """Return the weights a token is multiplied with, without the output layer."""
    hidden, inner = shape["hidden_size"], shape["intermediate_size"]
    heads = shape["num_key_value_heads"] / shape["num_attention_heads"]
    return round(shape["num_hidden_layers"] * (hidden * hidden * (2 + 2 * heads) + 3 * hidden * inner))


def matmul_ceiling(device: str) -> float:
    """Return the measured rate (FLOP/s) of a large bfloat16 product of random matrices."""
    import time

    import torch

    if device != "cuda":
        return float("nan")
    a, b = (torch.randn(8192, 8192, device=device, dtype=torch.bfloat16) for _ in range(2))
    for _ in range(3):
        a @ b
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(20):
        a @ b
    torch.cuda.synchronize()
    return 20 * 2 * 8192**3 / (time.perf_counter() - start)


def device_name(device: str) -> str:
    """Return the GPU's name, or cpu."""
    import torch

    return str(torch.cuda.get_device_name()) if device == "cuda" else "cpu"


def report(result: dict[str, Any], output: Path | None) -> None:
    """Print a result, and write it where asked."""
    text = json.dumps(result, indent=2)
    print(text, flush=True)
    if output is not None:
        output.write_text(text + "\n")
