"""Merging a LoRA adapter into its base model, in float32, one weight file at a time.

W' = W + (alpha / r) B A (Hu et al., LoRA, 2021, section 4.1), computed in float32 and stored in the
type of the base. Only one weight file is in memory at a time, so a 7B model merges on a small machine.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from burnqed.artifacts import UserError, atomic_dir
from burnqed.policy.loading import check_model_dir, load_model, load_tokenizer
from burnqed.training.adapters import check_base, read_adapter_config

logger = logging.getLogger(__name__)
TOLERANCE = 1e-4  # largest difference of a logit, models stored in float32
TOLERANCE_ROUNDED = 0.1  # the same in units of the logits' spread, models stored in 16 bits
CHECK_TEXTS = (
    "⊢ ∀ (n : Nat), n + 0 = n",
    "p q : Prop\nhp : p\nhq : q\n⊢ p ∧ q",
    "n : Nat\nh : 0 < n\n⊢ n ≠ 0\n\nn : Nat\n⊢ n ≤ n",
)
_PREFIX = "base_model.model."


def lora_deltas(adapter: Path) -> dict[str, tuple[Any, Any, float]]:
    """Return, for each adapted weight's name in the base model, its (A, B, scale)."""
    from safetensors.torch import load_file

    config = read_adapter_config(adapter)
    rank, alpha = int(config["r"]), float(config["lora_alpha"])
    if config.get("rank_pattern") or config.get("alpha_pattern"):
        raise UserError(f"{adapter}: per-module ranks (rank_pattern) are not supported; train it with train_sft.py")
    scale = alpha / rank**0.5 if config.get("use_rslora") else alpha / rank
    tensors = load_file(adapter / "adapter_model.safetensors")
    found: dict[str, tuple[Any, Any, float]] = {}
    for name, value in tensors.items():
        if name.endswith(".lora_A.weight"):
            stem = name.removesuffix(".lora_A.weight")
            other = tensors.get(f"{stem}.lora_B.weight")
            if other is None:
                raise UserError(f"{adapter}: {stem} has no lora_B; the adapter is damaged, delete it and run again")
            found[f"{stem.removeprefix(_PREFIX)}.weight"] = (value, other, scale)
    if not found:
        raise UserError(f"{adapter}: no LoRA weights in adapter_model.safetensors; delete it and run again")
    return found


def merge_adapter(base: Path, adapter: Path, output: Path) -> dict[str, object]:
    """Write the merged model folder and return what the check after reloading measured.

    Tokenizer and configuration files are copied from the base. Raises UserError for a quantised
    base, an adapter of another base, or when the reloaded model's logits differ from base + adapter.
    """
    config = check_model_dir(base)
    if config.get("quantization_config"):
        raise UserError(
            f"{base}: quantised weights; merging rounds them again and ruins the model: give the unquantised base"
        )
    check_base(adapter, base)
    deltas = lora_deltas(adapter)
    with atomic_dir(output) as folder:
        _merge_files(base, folder, deltas, adapter)
        _copy_other_files(base, folder)
        report = check_merge(base, adapter, folder)
    size = sum(file.stat().st_size for file in output.glob("*.safetensors"))
    logger.info("merged model: %.1f MB; %s", size / 1e6, report)
    return {"bytes": size, **report}


def _merge_files(base: Path, folder: Path, deltas: dict[str, tuple[Any, Any, float]], adapter: Path) -> None:
    from safetensors import safe_open
    from safetensors.torch import save_file

    left = dict(deltas)
    files = sorted(base.glob("*.safetensors"))
    if not files:
        raise UserError(f"{base}: no *.safetensors weights; convert the model to safetensors first")
    for file in files:
        tensors = {}
        with safe_open(file, framework="pt") as stream:
            metadata = stream.metadata()
            for name in stream.keys():  # noqa: SIM118 - not a dict
                tensor = stream.get_tensor(name)
                if name in left:
                    a, b, scale = left.pop(name)
                    tensor = (tensor.float() + scale * (b.float() @ a.float())).to(tensor.dtype)
                tensors[name] = tensor.contiguous()
        save_file(tensors, folder / file.name, metadata=metadata or {"format": "pt"})
    if left:
        raise UserError(
            f"{adapter}: the base model {base} has no weight {sorted(left)[0]}; give the adapter's own base"
        )


def _copy_other_files(base: Path, folder: Path) -> None:
    """Copy configuration, tokenizer and weight index; leave out weights, code, histories and hidden files."""
    for file in sorted(base.iterdir()):
        wanted = file.suffix in (".json", ".model", ".txt", ".jinja") and not file.name.startswith(".")
        if file.is_file() and wanted:
            shutil.copyfile(file, folder / file.name)


def check_merge(base: Path, adapter: Path, merged: Path, texts: Sequence[str] = CHECK_TEXTS) -> dict[str, object]:
    """Compare the logits of a merged folder, freshly loaded, with those of base + adapter.

    One model is in memory at a time. Raises UserError when they differ by more than the tolerance.
    """
    from peft import PeftModel

    tokenizer = load_tokenizer(base)
    rows = [tokenizer(text)["input_ids"] for text in texts]
    lm = load_model(base, "float32", "cpu")
    plain = _logits(lm, rows)
    lm = PeftModel.from_pretrained(lm, str(adapter)).eval()
    before = _logits(lm, rows)
    del lm
    after = _logits(load_model(merged, "float32", "cpu"), rows)
    difference = max(float((x - y).abs().max()) for x, y in zip(before, after, strict=True))
    effect = max(float((x - y).abs().max()) for x, y in zip(before, plain, strict=True))
    limit = TOLERANCE
    if _stored_type(base) not in ("F32", "F64"):
        limit = TOLERANCE_ROUNDED * max(float(x.std()) for x in before)
    if not difference <= limit:
        raise UserError(
            f"{merged}: the merged model differs from base + adapter by {difference:.2e} in a logit (allowed: "
            f"{limit:.1e}); "
            f"delete {adapter} and train it again"
        )
    return {"max_logit_difference": difference, "tolerance": limit, "adapter_effect": effect}


def _logits(model: Any, rows: Sequence[list[int]]) -> list[Any]:
    import torch

    with torch.inference_mode():
        return [model(input_ids=torch.tensor([ids]), use_cache=False).logits[0].float() for ids in rows]


def _stored_type(path: Path) -> str:
    """Return the type of a model's first stored weight, in safetensors' names (F32, BF16, ...)."""
    from safetensors import safe_open

    with safe_open(sorted(path.glob("*.safetensors"))[0], framework="pt") as stream:
        name = next(iter(stream.keys()))
        return str(stream.get_slice(name).get_dtype())
