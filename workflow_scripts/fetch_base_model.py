"""Fetch the pinned snapshot of the pretrained base model, or link a local model folder.

Run as: python workflow_scripts/fetch_base_model.py --help
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from burnqed.artifacts import Sidecar, UserError
from burnqed.config import ModelSettings, add_flags, settings_from
from burnqed.scripting import run_script, script_parser, start_script


def main(argv: Sequence[str] | None = None) -> None:
    """Write a model folder of links to the snapshot's files."""
    parser = script_parser(__doc__)
    add_flags(parser, "model", ModelSettings)
    parser.add_argument("--output", type=Path, required=True, help="model folder to write")
    args = parser.parse_args(argv)
    start_script(args)
    model = settings_from(args, "model", ModelSettings)
    if model.kind != "pretrained":
        raise UserError(f"model.kind: '{model.kind}' is trained here, not fetched; use train_base_model.py")
    with Sidecar(
        outputs=[args.output],
        settings={"model": model.model_dump()},
        seed=args.seed,
        price_per_gpu_hour=args.price_per_hour,
    ) as sidecar:
        from burnqed.training.fetch import fetch_model

        sidecar.extra["snapshot"] = fetch_model(model.repository, model.revision, args.output)


if __name__ == "__main__":
    sys.exit(run_script(main))
