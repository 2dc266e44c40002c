"""Merging a LoRA adapter into its base model, in float32, one weight at a time.

W' = W + (alpha / r) B A (Hu et al., LoRA, 2021, section 4.1), computed in float32 and stored in the
type of the base. The base's files are copied and the adapted weights overwritten in place; the check
afterwards reads weights as each layer needs them. So a 7B model merges in a few GB of memory.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from burnqed.files import UserError, atomic_dir, sha256_file, write_json
from burnqed.policy.adapted import PREFIX, RECORD, adapter_tensors, lora_deltas, stored_type
from burnqed.policy.loading import load_tokenizer, quiet_libraries
from burnqed.training.adapters import check_base, check_unquantised, model_identity

logger = logging.getLogger(__name__)
TOLERANCE = 1e-4  # largest difference of a logit, models stored in float32
TOLERANCE_ROUNDED = 0.1  # root mean square of the differences over the logits' spread, models stored in 16 bits
CHECK_TEXTS = (
    "⊢ ∀ (n : Nat), n + 0 = n",
    "p q : Prop\nhp : p\nhq : q\n⊢ p ∧ q",
    "n : Nat\nh : 0 < n\n⊢ n ≠ 0\n\nn : Nat\n⊢ n ≤ n",
)


def merge_adapter(base: Path, adapter: Path, output: Path) -> dict[str, object]:
    """Write the merged model folder and return what the check after reloading measured.

    Tokenizer and configuration files are copied from the base. Raises UserError for a quantised
    base, an adapter of another base, or when the reloaded model's logits differ from base + adapter.
    """
    check_unquantised(base)
    check_base(adapter, base)
    deltas = lora_deltas(adapter)
    with atomic_dir(output) as folder:
        _merge_files(base, folder, deltas, adapter)
        _copy_other_files(base, folder)
        report = check_merge(base, adapter, folder)
    size = sum(file.stat().st_size for file in output.glob("*.safetensors"))
    logger.info("merged model: %.1f MB; %s", size / 1e6, report)
    return {"bytes": size, **report}


def keep_apart(base: Path, adapter: Path, output: Path) -> dict[str, object]:
    """Write a model folder that is put together where it is used: the adapter, and where its base model is.

    It holds the adapter's files and the base's configuration and tokenizer. Raises UserError for a quantised base and for
    an adapter of another base.
    """
    check_unquantised(base)
    check_base(adapter, base)
    deltas = lora_deltas(adapter)
    with atomic_dir(output) as folder:
        _copy_other_files(base, folder)
        (folder / "model.safetensors.index.json").unlink(missing_ok=True)  # of weights that are elsewhere
        for name in ("adapter_config.json", "adapter_model.safetensors"):
            shutil.copyfile(adapter / name, folder / name)
        record = {
            "base": os.path.relpath(base.resolve(), output.resolve()),
            "base_identity": model_identity(base),
            "adapter_sha256": sha256_file(adapter / "adapter_model.safetensors"),
        }
        write_json(folder / RECORD, record)
    size = sum(file.stat().st_size for file in output.glob("*.safetensors"))
    return {"bytes": size, "adapted_weights": len(deltas)}


def _merge_files(base: Path, folder: Path, deltas: dict[str, tuple[Any, Any, float]], adapter: Path) -> None:
    from safetensors import SafetensorError, safe_open

    left = dict(deltas)
    files = sorted(base.glob("*.safetensors"))
    if not files:
        raise UserError(f"{base}: no *.safetensors weights; convert the model to safetensors first")
    for file in files:
        try:
            with safe_open(file, framework="pt"):
                places = _places(file)
        except SafetensorError as error:
            raise UserError(f"{file}: cannot be read ({error}); get the base model again") from error
        shutil.copyfile(file, folder / file.name)
        with (folder / file.name).open("r+b") as target:
            for name in sorted(left.keys() & places.keys()):
                a, b, scale = left.pop(name)
                with safe_open(file, framework="pt") as source:  # one handle would keep all it has read mapped
                    tensor = source.get_tensor(name).clone()
                if tuple(tensor.shape) != (b.shape[0], a.shape[1]):
                    raise UserError(
                        f"{adapter}: {name} is {(b.shape[0], a.shape[1])}, in {base} {tuple(tensor.shape)}; "
                        "give the adapter's own base"
                    )
                merged = (tensor.float() + scale * (b.float() @ a.float())).to(tensor.dtype)
                target.seek(places[name])
                target.write(_bytes(merged))
    if left:
        raise UserError(
            f"{adapter}: the base model {base} has no weight {sorted(left)[0]}; give the adapter's own base"
        )


def _places(file: Path) -> dict[str, int]:
    """Return where each tensor of a safetensors file begins, in bytes from the start of the file.

    The format: 8 bytes with the length of a JSON header, the header, then the tensors
    (https://github.com/huggingface/safetensors#format).
    """
    with file.open("rb") as stream:
        length = int.from_bytes(stream.read(8), "little")
        header = json.loads(stream.read(length))
    return {name: 8 + length + entry["data_offsets"][0] for name, entry in header.items() if name != "__metadata__"}


def _bytes(tensor: Any) -> bytes:
    import torch

    return bytes(tensor.contiguous().view(torch.uint8).numpy().data)


def _copy_other_files(base: Path, folder: Path) -> None:
    """Copy configuration, tokenizer and weight index; leave out weights, code, histories and hidden files."""
    for file in sorted(base.iterdir()):
        wanted = file.suffix in (".json", ".model", ".txt", ".jinja") and not file.name.startswith(".")
        if file.is_file() and wanted:
            shutil.copyfile(file, folder / file.name)


def check_merge(base: Path, adapter: Path, merged: Path, texts: Sequence[str] = CHECK_TEXTS) -> dict[str, object]:
    """Compare the logits of a merged folder, freshly loaded, with those of base + adapter.

    Raises UserError when they differ by more than the tolerance. Weights are in memory one at a time.
    """
    from peft import PeftModel

    quiet_libraries()
    tokenizer = load_tokenizer(base)
    rows = [tokenizer(text)["input_ids"] for text in texts]
    plain = _logits(_streamed(_empty_model(base), base), rows)
    adapted = PeftModel.from_pretrained(_empty_model(base), str(adapter), low_cpu_mem_usage=True).get_base_model()
    before = _logits(_streamed(adapted, base, adapter), rows)
    after = _logits(_streamed(_empty_model(merged), merged), rows)
    difference = max(float((x - y).abs().max()) for x, y in zip(before, after, strict=True))
    effect = max(float((x - y).abs().max()) for x, y in zip(before, plain, strict=True))
    spread = max(float(x.std()) for x in before)
    rounding = max(float((x - y).square().mean().sqrt()) for x, y in zip(before, after, strict=True)) / spread
    stored_exactly = stored_type(base) in ("F32", "F64")
    if not (difference <= TOLERANCE if stored_exactly else rounding <= TOLERANCE_ROUNDED):
        raise UserError(
            f"{merged}: the merged model differs from base + adapter by {difference:.2e} in a logit and {rounding:.1%} of "
            f"the logits' spread (allowed: {TOLERANCE if stored_exactly else TOLERANCE_ROUNDED}); "
            f"delete {adapter} and train it again"
        )
    return {"max_logit_difference": difference, "share_of_spread": rounding, "adapter_effect": effect}


class _Weights(Mapping[str, Any]):
    """The weights of a model folder in float32, by the names of a model with or without an adapter.

    Each is read when it is asked for.
    """

    def __init__(self, folder: Path, adapter: Path | None) -> None:
        from safetensors import safe_open

        saved = adapter_tensors(adapter) if adapter else {}
        # PEFT keeps lora_A.weight of a file as lora_A.default.weight in the model.
        self._own = {
            name.removeprefix(PREFIX).removesuffix(".weight") + ".default.weight": value.float()
            for name, value in saved.items()
        }
        self._files: dict[str, Path] = {}
        for file in sorted(folder.glob("*.safetensors")):
            with safe_open(file, framework="pt") as stream:
                self._files |= dict.fromkeys(stream.keys(), file)

    def __getitem__(self, name: str) -> Any:
        from safetensors import safe_open

        if name in self._own:
            return self._own[name]
        name = name.replace(".base_layer.", ".")
        if name not in self._files and name == "lm_head.weight":  # the same as the embedding
            name = next(key for key in self._files if key.endswith("embed_tokens.weight"))
        with safe_open(self._files[name], framework="pt") as stream:
            return stream.get_tensor(name).float()

    def __iter__(self) -> Iterator[str]:
        return iter([*self._own, *self._files])

    def __len__(self) -> int:
        return len(self._own) + len(self._files)


def _empty_model(folder: Path) -> Any:
    """Return the causal language model of a folder without its weights."""
    import torch
    from accelerate import init_empty_weights
    from transformers import AutoConfig, AutoModelForCausalLM

    try:
        config = AutoConfig.from_pretrained(str(folder), local_files_only=True, trust_remote_code=False)
        with init_empty_weights(include_buffers=False):
            return AutoModelForCausalLM.from_config(
                config, dtype=torch.float32, trust_remote_code=False, attn_implementation="sdpa"
            ).eval()
    except Exception as error:
        raise UserError(f"{folder}: the model cannot be read ({error}); delete the folder and make it again") from error


def _streamed(lm: Any, folder: Path, adapter: Path | None = None) -> Any:
    """Make an empty model read each weight from its folder when it is needed, and forget it afterwards."""
    import torch
    from accelerate import cpu_offload

    return cpu_offload(lm.eval(), torch.device("cpu"), state_dict=_Weights(folder, adapter))


def _logits(model: Any, rows: Sequence[list[int]]) -> list[Any]:
    import torch

    with torch.inference_mode():
        return [model(input_ids=torch.tensor([ids]), use_cache=False).logits[0].float() for ids in rows]
