"""Train the rehearsal's small base model from scratch on a noisy share of the tactic pairs.

Run as: python workflow_scripts/train_base_model.py --help
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from burnqed.artifacts import Sidecar
from burnqed.config import ModelSettings, ScratchSettings, add_flags, settings_from
from burnqed.scripting import run_script, script_parser, start_script, torch_device


def main(argv: Sequence[str] | None = None) -> None:
    """Train tokenizer and model; write the model folder."""
    parser = script_parser(__doc__)
    add_flags(parser, "scratch", ScratchSettings)
    add_flags(parser, "model", ModelSettings)
    parser.add_argument("--pairs", type=Path, required=True, help="tactic pairs to train on (.jsonl)")
    parser.add_argument("--output", type=Path, required=True, help="model folder to write")
    args = parser.parse_args(argv)
    start_script(args)
    scratch = settings_from(args, "scratch", ScratchSettings)
    model = settings_from(args, "model", ModelSettings)
    with Sidecar(
        outputs=[args.output],
        inputs=[args.pairs],
        settings={"scratch": scratch.model_dump(), "model": model.model_dump()},
        seed=args.seed,
        price_per_gpu_hour=args.price_per_hour,
    ) as sidecar:
        from burnqed.training.base import train_base_model

        result = train_base_model(
            args.pairs, args.output, scratch, model, args.seed, args.threads, torch_device(args.device)
        )
        sidecar.extra["timing"] = result.times


if __name__ == "__main__":
    sys.exit(run_script(main))
