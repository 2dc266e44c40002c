"""Model folders that keep base model and LoRA adapter apart, to be put together where they are used.

Such a folder (`policy.adapter: serve`) has the adapter's files, the base's configuration and tokenizer, and a record of
where the base is. A completions server takes the adapter beside the base; a model loaded here has it added to its weights,
with the same bits as the merged model's files.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from burnqed.files import UserError, read_json, remedy

RECORD = "adapted.json"
NAME = "policy-"  # of an adapter at a server, before its digest
PREFIX = "base_model.model."  # of PEFT's names
RANKS = (8, 16, 32, 64, 128, 256, 320, 512)  # that a vLLM server can be started for


@dataclass(frozen=True)
class Adapted:
    """A base model and an adapter of it; ``name`` tells its contents from those of other adapters."""

    base: Path
    adapter: Path
    name: str
    rank: int

    @property
    def served_rank(self) -> int:
        """The rank that a server has to be started for."""
        return next(rank for rank in (*RANKS, self.rank) if rank >= self.rank)


def read_adapted(path: Path) -> Adapted | None:
    """Return what a model folder keeps apart, None for a folder with whole weights. Raises UserError without its base."""
    if not (path / RECORD).is_file():
        return None
    record = read_json(path / RECORD)
    try:
        base, name = path.resolve() / record["base"], f"{NAME}{record['adapter_sha256'][:16]}"
    except (KeyError, TypeError) as error:
        raise UserError(
            f"{path / RECORD}: not a record of a base and an adapter ({error!r}); {remedy(path)}"
        ) from error
    if not (base / "config.json").is_file():
        raise UserError(f"{path}: its base model {record['base']} is not there; keep the run's folders together")
    return Adapted(base.resolve(), path.resolve(), name, int(read_adapter_config(path)["r"]))


def read_adapter_config(path: Path) -> dict[str, Any]:
    """Return an adapter's adapter_config.json; raise UserError when the folder holds no LoRA adapter."""
    if not (path / "adapter_config.json").is_file() or not (path / "adapter_model.safetensors").is_file():
        raise UserError(
            f"{path}: no adapter (adapter_config.json, adapter_model.safetensors); make it first: train_sft.py"
        )
    config = read_json(path / "adapter_config.json")
    if not isinstance(config, dict) or config.get("peft_type") != "LORA":
        raise UserError(f"{path}: not a LoRA adapter; train it with train_sft.py")
    for key in ("use_dora", "modules_to_save", "alora_invocation_tokens"):
        if config.get(key):
            raise UserError(f"{path}: adapter option {key} is not supported; train it with train_sft.py")
    return config


def adapter_tensors(path: Path) -> dict[str, Any]:
    """Return the weights of an adapter folder by PEFT's names; raise UserError when the file is damaged."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        return load_file(path / "adapter_model.safetensors")
    except SafetensorError as error:
        raise UserError(
            f"{path}: adapter_model.safetensors cannot be read ({error}); delete the adapter and train it again"
        ) from error


def lora_deltas(adapter: Path) -> dict[str, tuple[Any, Any, float]]:
    """Return, for each adapted weight's name in the base model, its (A, B, scale)."""
    config = read_adapter_config(adapter)
    rank, alpha = int(config["r"]), float(config["lora_alpha"])
    if config.get("rank_pattern") or config.get("alpha_pattern"):
        raise UserError(f"{adapter}: per-module ranks (rank_pattern) are not supported; train it with train_sft.py")
    scale = alpha / rank**0.5 if config.get("use_rslora") else alpha / rank
    tensors = adapter_tensors(adapter)
    found: dict[str, tuple[Any, Any, float]] = {}
    for name, value in tensors.items():
        if name.endswith(".lora_A.weight"):
            stem = name.removesuffix(".lora_A.weight")
            other = tensors.get(f"{stem}.lora_B.weight")
            if other is None:
                raise UserError(f"{adapter}: {stem} has no lora_B; {remedy(adapter)}")
            found[f"{stem.removeprefix(PREFIX)}.weight"] = (value, other, scale)
    if not found:
        raise UserError(f"{adapter}: no LoRA weights in adapter_model.safetensors; {remedy(adapter)}")
    return found


def stored_type(path: Path) -> str:
    """Return the type of a model's first stored weight, in safetensors' names (F32, BF16, ...)."""
    from safetensors import safe_open

    with safe_open(sorted(path.glob("*.safetensors"))[0], framework="pt") as stream:
        name = next(iter(stream.keys()))
        return str(stream.get_slice(name).get_dtype())


def add_adapter(model: Any, adapter: Path, dtype: str) -> None:
    """Add an adapter to the weights of its base model, which is loaded in the type of its files, and convert them.

    Computed on the CPU in float32 and rounded to the base's type first: the bits are those of the merged model's files.
    """
    import torch

    weights = dict(model.named_parameters())
    with torch.no_grad():
        for name, (a, b, scale) in lora_deltas(adapter).items():
            weight = weights.get(name, weights.get(name.removeprefix("model.")))
            if weight is None:
                raise UserError(f"{adapter}: the base model has no weight {name}; give the adapter's own base")
            weight.copy_((weight.float() + scale * (b.float() @ a.float())).to(weight.dtype))
        for parameter in model.parameters():
            parameter.data = parameter.data.to(getattr(torch, dtype))
