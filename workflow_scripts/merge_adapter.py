"""Merge an adapter into the unquantised base model, in float32, and check the result after reloading.

Run as: python workflow_scripts/merge_adapter.py --help
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from burnqed.artifacts import Sidecar
from burnqed.scripting import run_script, script_parser, start_script


def main(argv: Sequence[str] | None = None) -> None:
    """Write the merged model folder."""
    parser = script_parser(__doc__)
    parser.add_argument("--base", type=Path, required=True, help="base model folder, not quantised")
    parser.add_argument("--adapter", type=Path, required=True, help="adapter folder (train_sft.py)")
    parser.add_argument("--output", type=Path, required=True, help="model folder to write")
    args = parser.parse_args(argv)
    start_script(args)
    with Sidecar(
        outputs=[args.output],
        inputs=[args.base, args.adapter],
        seed=args.seed,
        price_per_gpu_hour=args.price_per_hour,
    ) as sidecar:
        import torch

        from burnqed.training.merge import merge_adapter

        torch.set_num_threads(args.threads)
        sidecar.extra["merge"] = merge_adapter(args.base, args.adapter, args.output)


if __name__ == "__main__":
    sys.exit(run_script(main))
