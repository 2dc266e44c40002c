"""Time and peak memory of merging an adapter into a 7B and checking the result, on the CPU.

The obvious way: PEFT's ``merge_and_unload`` on the model in float32, written with ``save_pretrained``.

Run as: python -m benchmarks.merge_7b
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.model_7b import SHAPE, SMALL, arguments, model_folder, report
from burnqed.config import SFTSettings

RANK = 16


def adapter_folder(folder: Path, shape: dict[str, int]) -> Path:
    """Write a random adapter of all seven projections in PEFT's format."""
    import torch
    from safetensors.torch import save_file

    hidden, inner = shape["hidden_size"], shape["intermediate_size"]
    sizes = {"gate_proj": (inner, hidden), "up_proj": (inner, hidden), "down_proj": (hidden, inner)}
    names = SFTSettings().target_modules
    tensors = {}
    torch.manual_seed(1)
    for layer in range(shape["num_hidden_layers"]):
        for name in names:
            out, into = sizes.get(name, (hidden, hidden))
            block = "mlp" if name in sizes else "self_attn"
            stem = f"base_model.model.model.layers.{layer}.{block}.{name}"
            tensors[f"{stem}.lora_A.weight"] = torch.randn(RANK, into) / into**0.5
            tensors[f"{stem}.lora_B.weight"] = torch.randn(out, RANK) * 0.01
    folder.mkdir(parents=True, exist_ok=True)
    save_file(tensors, folder / "adapter_model.safetensors")
    config = {"peft_type": "LORA", "task_type": "CAUSAL_LM", "r": RANK, "lora_alpha": 2 * RANK, "target_modules": names}
    (folder / "adapter_config.json").write_text(json.dumps(config))
    return folder


def measured(how: str, base: Path, adapter: Path, output: Path) -> dict[str, Any]:
    """Merge in a process of its own; return its seconds, its peak memory, and what the check found."""
    command = [sys.executable, "-m", "benchmarks.merge_7b", "--how", how]
    command += ["--model", str(base), "--adapter", str(adapter), "--merged", str(output)]
    line = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()[-1]
    found: dict[str, Any] = json.loads(line)
    return found


def merge(how: str, base: Path, adapter: Path, output: Path) -> dict[str, Any]:
    """Merge in one of two ways in this process."""
    start = time.perf_counter()
    checked: dict[str, object] = {}
    if how == "ours":
        from burnqed.training.merge import merge_adapter

        checked = merge_adapter(base, adapter, output)
    else:
        import torch
        from peft import PeftModel
        from transformers import AutoModelForCausalLM

        model = AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32, local_files_only=True)
        PeftModel.from_pretrained(model, str(adapter)).merge_and_unload().bfloat16().save_pretrained(output)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return {"seconds": round(time.perf_counter() - start, 1), "peak_gb": round(peak, 2), **checked}


def main() -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument("--how", choices=["ours", "peft"], help="one way alone, in this process")
    parser.add_argument("--adapter", type=Path, default=Path("/tmp/adapter-7b"))
    parser.add_argument("--merged", type=Path, default=Path("/tmp/merged-7b"))
    options = parser.parse_args()
    if options.how:
        print(json.dumps(merge(options.how, options.model, options.adapter, options.merged)), flush=True)
        return
    base = model_folder(options.model, options.small, options.device)
    adapter = adapter_folder(options.adapter, SMALL if options.small else SHAPE)
    result: dict[str, Any] = {"benchmark": "merge_7b"}
    for how in ("ours", "peft"):
        result[how] = measured(how, base, adapter, options.merged / how)
        print(how, result[how], flush=True)
    report(result, options.output)


if __name__ == "__main__":
    main()
