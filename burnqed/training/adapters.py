"""Adapter folders: a LoRA adapter in PEFT's format, and a record of what it was trained on."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from burnqed.config import SFTSettings
from burnqed.files import UserError, digest, read_json, sha256_file, write_json
from burnqed.policy.adapted import adapter_tensors, read_adapter_config
from burnqed.policy.loading import check_model_dir

RECORD = "training.json"
_HASHED_BYTES = 1 << 26


def model_identity(path: Path) -> str:
    """Return a digest that tells a model from another: its config and its weight files.

    Weight files above 64 MiB count with their header (names, shapes) and last bytes, as hashing
    15 GB for each job costs minutes.
    """
    check_model_dir(path)
    files = sorted(path.glob("*.safetensors"))
    if not files:
        raise UserError(f"{path}: no *.safetensors weights; convert the model to safetensors first")
    parts: list[tuple[str, int, str]] = [("config.json", 0, sha256_file(path / "config.json"))]
    for file in files:
        size = file.stat().st_size
        parts.append((file.name, size, sha256_file(file) if size <= _HASHED_BYTES else _ends(file)))
    return digest(parts)


def _ends(file: Path) -> str:
    """Return the first and last MiB of a file as a digest."""
    with file.open("rb") as stream:
        head = stream.read(1 << 20)
        stream.seek(-(1 << 20), os.SEEK_END)
        return digest([head.hex(), stream.read().hex()])


def check_unquantised(base: Path) -> None:
    """Raise UserError when a base model's stored weights are quantised: an adapter of it could not be merged."""
    if check_model_dir(base).get("quantization_config"):
        raise UserError(
            f"{base}: quantised weights; merging rounds them again and ruins the model: give the unquantised base "
            "(for QLoRA too: --quantization nf4 quantises it while loading)"
        )


def check_base(adapter: Path, base: Path) -> None:
    """Raise UserError when an adapter was trained on another base model."""
    record = read_json(adapter / RECORD) if (adapter / RECORD).exists() else {}
    expected = record.get("base_identity")
    if expected is not None and expected != model_identity(base):
        raise UserError(
            f"{adapter}: this adapter was trained on another base model than {base}; "
            "train it again, or give its own base"
        )


def add_adapter(model: Any, settings: SFTSettings, previous: Path | None, base: Path) -> Any:
    """Return the model with a trainable LoRA adapter: new, or the previous iteration's.

    A new adapter is drawn from torch's global random state. A previous one of lower rank is grown: it
    computes the same, with room to learn. Raises UserError when the previous adapter has another
    shape than the settings otherwise, or another base.
    """
    from peft import PeftModel

    if previous is None:
        return _new_adapter(model, settings)
    found = read_adapter_config(previous)
    if int(found["r"]) < settings.lora_rank and sorted(found["target_modules"]) == sorted(settings.target_modules):
        check_base(previous, base)
        return _grown(_new_adapter(model, settings), previous, found)
    wanted: dict[str, object] = {
        "r": settings.lora_rank,
        "lora_alpha": settings.lora_alpha,
        "target_modules": sorted(settings.target_modules),
    }
    for key, value in wanted.items():
        have = sorted(found[key]) if key == "target_modules" else found.get(key)
        if have != value:
            raise UserError(
                f"{previous}: {key} is {have}, the settings (sft) say {value}; iterations carry one adapter on, "
                "so keep its shape or start again from iteration 0"
            )
    check_base(previous, base)
    adapter_tensors(previous)
    try:
        return PeftModel.from_pretrained(model, str(previous), is_trainable=True)
    except (RuntimeError, ValueError) as error:  # an adapter from elsewhere does not say what its base is
        raise UserError(
            f"{previous}: its weights are of other shapes than those of {base}; give its own base"
        ) from error


def _new_adapter(model: Any, settings: SFTSettings) -> Any:
    from peft import LoraConfig, get_peft_model

    config = LoraConfig(
        r=settings.lora_rank,
        lora_alpha=settings.lora_alpha,
        lora_dropout=settings.lora_dropout,
        target_modules=list(settings.target_modules),
        bias="none",
        task_type="CAUSAL_LM",
    )
    try:
        return get_peft_model(model, config)
    except ValueError as error:
        raise UserError(f"sft.target_modules: {error}") from error


def _grown(model: Any, previous: Path, found: dict[str, Any]) -> Any:
    """Put a narrower adapter into a new one: its A beside fresh rows, its B beside zero columns, scaled alike."""
    import torch
    from peft.utils import get_peft_model_state_dict, set_peft_model_state_dict

    config = model.peft_config["default"]
    factor = (float(found["lora_alpha"]) / int(found["r"])) / (config.lora_alpha / config.r)
    old = adapter_tensors(previous)
    state = get_peft_model_state_dict(model)
    if state.keys() != old.keys():
        raise UserError(f"{previous}: not an adapter of this model; train it again")
    with torch.no_grad():
        for name, value in state.items():
            before = old[name].to(value.device, value.dtype)
            if ".lora_A." in name:
                value[: len(before)] = before
            else:
                value[:, : before.shape[1]] = before * factor
    set_peft_model_state_dict(model, state)
    return model


def save_adapter(model: Any, folder: Path, base: Path, artifact: Path, record: dict[str, object]) -> None:
    """Write the adapter and its record; the same training writes the same bytes wherever it runs."""
    model.save_pretrained(str(folder), save_embedding_layers=False)
    (folder / "README.md").unlink(missing_ok=True)
    config = read_json(folder / "adapter_config.json")
    config["target_modules"] = sorted(config["target_modules"])
    config["base_model_name_or_path"] = os.path.relpath(base, artifact)
    write_json(folder / "adapter_config.json", dict(sorted(config.items())))
    write_json(folder / RECORD, {"base_identity": model_identity(base), **record})
