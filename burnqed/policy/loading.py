"""Loading of tokenizers and causal language models from a model folder, with clear errors."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from burnqed.files import UserError
from burnqed.policy.adapted import add_adapter, read_adapted, stored_type

TYPES = {"F64": "float64", "F32": "float32", "BF16": "bfloat16", "F16": "float16"}  # of safetensors, by torch's names


def quiet_libraries(unused_weights: bool = False) -> None:
    """Keep progress bars, and a warning that PEFT provokes in transformers, out of the logs.

    With ``unused_weights`` also that of a model loaded without its output layer.
    """
    import warnings

    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()
    if unused_weights:
        transformers_logging.set_verbosity_error()
    warnings.filterwarnings("ignore", message="`is_gradient_checkpointing` is deprecated", category=FutureWarning)


def check_model_dir(path: Path) -> dict[str, Any]:
    """Return a model folder's config.json; raise UserError when the folder is not a model."""
    if not path.is_dir():
        raise UserError(f"{path}: no such model folder; make it first, or correct the path")
    config = path / "config.json"
    if not config.is_file():
        raise UserError(
            f"{path}: no config.json, so not a model folder (an adapter has to be merged first: merge_adapter.py)"
        )
    try:
        values = json.loads(config.read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{config}: not readable as JSON ({error}); delete the folder and make it again") from error
    if not isinstance(values, dict):
        raise UserError(f"{config}: not a JSON object; delete the folder and make it again")
    return values


def load_tokenizer(path: Path) -> Any:
    """Return the tokenizer of a model folder; it has an end-of-sequence and a padding token."""
    from transformers import AutoTokenizer

    check_model_dir(path)
    if not any((path / name).exists() for name in ("tokenizer.json", "tokenizer.model")):
        raise UserError(f"{path}: no tokenizer (tokenizer.json); copy the tokenizer files of the base model there")
    try:
        tokenizer = AutoTokenizer.from_pretrained(str(path), local_files_only=True, trust_remote_code=False)
    except Exception as error:
        raise UserError(
            f"{path}: the tokenizer cannot be read ({error}); delete the folder and make it again"
        ) from error
    if tokenizer.eos_token_id is None:
        raise UserError(f"{path}: the tokenizer has no end-of-sequence token; set eos_token in tokenizer_config.json")
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer


def quantization_config() -> Any:
    """Return the nf4 set-up: 4-bit NormalFloat, double quantisation, bf16 compute (QLoRA)."""
    import torch

    try:
        import bitsandbytes  # noqa: F401
    except ImportError as error:
        raise UserError(
            "quantization nf4 needs bitsandbytes: pip install 'burnqed[qlora]', or set quantization: none"
        ) from error
    from transformers import BitsAndBytesConfig

    return BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_use_double_quant=True,
        bnb_4bit_compute_dtype=torch.bfloat16,
    )


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether an exception of torch says that the memory of the GPU, or of the machine, is used up."""
    import torch

    if isinstance(error, (torch.OutOfMemoryError, MemoryError)):
        return True
    return "can't allocate memory" in str(error) or "out of memory" in str(error).lower()


@contextmanager
def memory_named(what: str) -> Iterator[None]:
    """Turn running out of memory into a UserError that says in what, and which settings to change."""
    try:
        yield
    except (RuntimeError, MemoryError) as error:
        if not is_out_of_memory(error):
            raise
        raise UserError(f"out of memory in {what}") from error


def load_model(path: Path, dtype: str, device: str, quantization: str = "none", head: bool = True) -> Any:
    """Return the causal language model of a folder, in evaluation mode, on a device.

    ``head=False`` leaves out its output layer. Raises UserError for a folder that holds no readable
    model, for nf4 without bitsandbytes, and when the device has too little memory.
    """
    import torch
    from transformers import AutoModel, AutoModelForCausalLM

    check_model_dir(path)
    adapted = read_adapted(path)
    if adapted is not None and quantization == "nf4":
        raise UserError(f"{path}: a 4-bit model takes no adapter into its weights; set policy.adapter: merge")
    quiet_libraries(unused_weights=not head)
    options: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False, "attn_implementation": "sdpa"}
    if quantization == "nf4":
        options |= {"quantization_config": quantization_config(), "dtype": torch.bfloat16, "device_map": {"": device}}
    elif adapted is not None:
        options["dtype"] = getattr(torch, TYPES[stored_type(adapted.base)])
    else:
        options["dtype"] = getattr(torch, dtype)
    smaller = "set quantization: nf4 for this machine in hardware_types, or take one with more memory"
    with memory_named(f"loading {path}: {smaller}"):
        try:
            place = path if adapted is None else adapted.base
            model = (AutoModelForCausalLM if head else AutoModel).from_pretrained(str(place), **options)
        except Exception as error:
            if is_out_of_memory(error):
                raise
            raise UserError(
                f"{path}: the model cannot be read ({error}); delete the folder and make it again"
            ) from error
        if adapted is not None:
            add_adapter(model, adapted.adapter, dtype)
        if quantization != "nf4":
            model.to(device)
    guard_4bit(model)
    return model.eval()


def guard_4bit(model: Any) -> None:
    """Keep bitsandbytes from repacking 4-bit weights for AVX512-BF16 CPUs.

    After the first evaluation on such a CPU the repacked weights give wrong gradients without any
    message (bitsandbytes 0.50; see also bitsandbytes-foundation/bitsandbytes#2078).
    """
    for module in model.modules():
        if hasattr(module, "support_avx512bf16_for_cpu"):
            module.support_avx512bf16_for_cpu = False
