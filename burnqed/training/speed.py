"""What each training step cost: tokens per second, memory, share of the GPU's peak; as JSON lines."""

from __future__ import annotations

import json
import resource
import time
from pathlib import Path
from typing import Any

# Dense bfloat16 products with float32 sums, operations per second, from NVIDIA's data sheets and whitepapers.
PEAKS = {
    "B200": 2250e12,
    "H200": 989e12,
    "H100 PCIe": 756e12,
    "H100": 989e12,
    "A100": 312e12,
    "L40S": 362e12,
    "L4": 121e12,
    "RTX 6000 Ada": 364e12,
    "RTX 5090": 209.5e12,
    "RTX 4090": 165.2e12,
    "RTX 3090": 71e12,
    "A6000": 154.8e12,
    "A40": 149.7e12,
    "A10": 125e12,
}


def peak_flops(device_name: str) -> float | None:
    """Return a GPU's peak rate (bfloat16, operations per second), None when it is not known."""
    return next((rate for name, rate in PEAKS.items() if name in device_name), None)


def steps_path(artifact: Path) -> Path:
    """Return the path of a training's step log, beside its artefact."""
    return artifact.with_name(artifact.name + ".steps.jsonl")


def adapter_flops_per_token(model: Any) -> float:
    """Return the operations per token of training an adapter on a causal language model.

    4 per weight of its layers: 2 forward, 2 for the gradient of the input; frozen weights need none of
    their own. Attention, the adapter, and the output layer (few positions count) are left out, and what
    gradient checkpointing computes twice counts once.
    """
    import torch

    from burnqed.policy.packed import decoder_of

    layers = decoder_of(model).layers.modules()
    return 4.0 * sum(part.in_features * part.out_features for part in layers if isinstance(part, torch.nn.Linear))


class StepLog:
    """``X.steps.jsonl`` beside the artefact X: one line per logged step, with times, so never an artefact.

    Lines have step, loss, lr, further losses where measured, tokens, tokens_per_second, memory_gb (peak so far
    of this process's GPU, or of the process), and mfu where the GPU's peak is known. Continuing from a
    step drops the lines after it. ``artifact`` None writes nothing.
    """

    def __init__(self, artifact: Path | None, first_step: int, device: Any, flops_per_token: float, count: int) -> None:
        import torch

        self._on_gpu = device.type == "cuda"
        peak = peak_flops(torch.cuda.get_device_name(device)) if self._on_gpu else None
        self._mfu_per_speed = flops_per_token / (peak * count) if peak and flops_per_token else None
        self._tokens, self._since = 0, time.perf_counter()
        self._until = self._since
        self._stream = None
        if artifact is not None:
            path = steps_path(artifact)
            kept = [line for line in _lines(path) if _step_of(line) <= first_step] if first_step else []
            path.parent.mkdir(parents=True, exist_ok=True)
            self._stream = path.open("w", encoding="utf-8")
            self._stream.writelines(kept)

    def count(self, tokens: float) -> None:
        """Count the tokens of a step that has just ended."""
        self._tokens += round(tokens)
        self._until = time.perf_counter()

    def write(self, record: dict[str, float | int]) -> None:
        """Write one line: the record, and the speed of the steps since the line before, without evaluations."""
        speed = self._tokens / max(1e-9, self._until - self._since)
        line: dict[str, float | int | None] = {**record, "tokens": self._tokens, "tokens_per_second": round(speed, 1)}
        line["memory_gb"] = round(self._memory() / 2**30, 3)
        line["mfu"] = round(speed * self._mfu_per_speed, 4) if self._mfu_per_speed else None
        if self._stream is not None:
            self._stream.write(json.dumps(line) + "\n")
            self._stream.flush()
        self._tokens, self._since = 0, time.perf_counter()

    def close(self) -> None:
        """Close the file."""
        if self._stream is not None:
            self._stream.close()

    def _memory(self) -> int:
        """Return the peak of this process's memory, in bytes: the GPU's, else its own."""
        if self._on_gpu:
            import torch

            return int(torch.cuda.max_memory_allocated())
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines(keepends=True) if path.exists() else []


def _step_of(line: str) -> float:
    """Return a line's step; a line cut off by a kill counts as later than any."""
    try:
        return int(json.loads(line)["step"]) if line.endswith("\n") else float("inf")
    except (ValueError, KeyError, TypeError):
        return float("inf")
