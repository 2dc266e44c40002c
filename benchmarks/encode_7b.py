"""Speed of encoding proof states with a 7B model, against the obvious way: batches of 64, padded.

Run as: python -m benchmarks.encode_7b
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
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
from burnqed.config import EncoderSettings
from burnqed.value.encoder import Encoder


def obvious(folder: Path, texts: list[str], device: str) -> tuple[float, np.ndarray]:
    """Return seconds and vectors of the obvious way: transformers, 64 texts at a time as they come, masked mean."""
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    model = AutoModel.from_pretrained(folder, dtype=torch.bfloat16, local_files_only=True).to(device).eval()

    @torch.inference_mode()
    def run(part: list[str]) -> np.ndarray:
        found = []
        for at in range(0, len(part), 64):
            batch = tokenizer(part[at : at + 64], padding=True, return_tensors="pt").to(device)
            hidden = model(**batch).last_hidden_state
            mask = batch["attention_mask"][..., None]
            found.append(((hidden * mask).sum(1) / mask.sum(1)).float().cpu().numpy())
        return np.concatenate(found)

    run(texts[:64])
    start = time.perf_counter()
    vectors = run(texts)
    return time.perf_counter() - start, vectors


def main() -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument("--states", type=int, default=4096)
    parser.add_argument(
        "--quantization", choices=["none", "nf4"], default="none", help="weights of the encoder measured"
    )
    parser.add_argument("--batch-tokens", type=int, nargs="+", default=[32768])
    options = parser.parse_args()
    folder = model_folder(options.model, options.small, options.device)
    encoder = Encoder(folder, EncoderSettings(batch_tokens=32768), options.device, options.quantization)
    memory = torch.cuda.memory_allocated() if options.device == "cuda" else 0
    texts = states(encoder._tokenizer, options.states, 1)
    lengths = np.array([len(ids) for ids in encoder._tokens(texts)])
    work = float(lengths.sum()) * 2 * parameters_used(SMALL if options.small else SHAPE)
    ceiling = matmul_ceiling(options.device)
    began = time.perf_counter()
    encoder.encode(texts[: len(texts) // 4])
    warm = time.perf_counter() - began
    runs = []
    for budget in options.batch_tokens:
        encoder.settings = EncoderSettings(batch_tokens=budget)
        encoder.encode(texts[: len(texts) // 4])
        for _ in range(2):
            start = time.perf_counter()
            vectors = encoder.encode(texts)
            runs.append((budget, time.perf_counter() - start))
    encoder._model = None
    some = min(512, len(texts))
    naive_seconds, naive = obvious(folder, texts[:some], options.device)
    error = np.linalg.norm(vectors[:some] - naive, axis=1) / np.linalg.norm(naive, axis=1)
    best = min(seconds for _, seconds in runs)
    rate, naive_rate = len(texts) / best, some / naive_seconds
    result = {
        "benchmark": "encode_7b",
        "device": device_name(options.device),
        "quantization": options.quantization,
        "states": len(texts),
        "tokens_mean": round(float(lengths.mean()), 1),
        "tokens_p95": int(np.percentile(lengths, 95)),
        "states_per_second": round(rate, 1),
        "tokens_per_second": round(float(lengths.sum()) / best),
        "runs": [{"batch_tokens": b, "states_per_second": round(len(texts) / s, 1)} for b, s in runs],
        "encoder_gigabytes": round(memory / 1e9, 2),
        "matmul_ceiling_tflops": round(ceiling / 1e12, 1),
        "share_of_ceiling": round(work / best / ceiling, 3),
        "naive_states_per_second": round(naive_rate, 1),
        "ratio_to_naive": round(rate / naive_rate, 2),
        "first_call_seconds": round(warm, 1),
        "relative_difference_to_naive": {"mean": round(float(error.mean()), 5), "max": round(float(error.max()), 5)},
    }
    report(result, options.output)


if __name__ == "__main__":
    main()
