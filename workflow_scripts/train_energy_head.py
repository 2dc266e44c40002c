"""Train the energy head contrastively on the states of earlier searches.

Run as: python workflow_scripts/train_energy_head.py --help
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from burnqed.artifacts import Sidecar, input_digest
from burnqed.config import EBMSettings, add_flags, settings_from
from burnqed.scripting import run_script, script_parser, start_script, torch_device

logger = logging.getLogger("train_energy_head")


def main(argv: Sequence[str] | None = None) -> None:
    """Index the groups, train, write the head with its metrics and history."""
    parser = script_parser(__doc__)
    add_flags(parser, "ebm", EBMSettings)
    parser.add_argument("--embeddings", type=Path, required=True, help="vectors of all states of the trajectories")
    parser.add_argument("--trajectories", type=Path, nargs="+", required=True, help="trajectories to learn from")
    parser.add_argument("--proofs", type=Path, nargs="+", required=True, help="their re-checked proofs")
    parser.add_argument(
        "--previous", type=Path, help="head of the iteration before, continued if its encoder is the same"
    )
    parser.add_argument("--output", type=Path, required=True, help="folder of the head to write")
    args = parser.parse_args(argv)
    start_script(args)
    settings = settings_from(args, "ebm", EBMSettings)
    inputs = [args.embeddings, *args.trajectories, *args.proofs, *([args.previous] if args.previous else [])]

    with Sidecar(
        outputs=[args.output],
        inputs=inputs,
        settings={"ebm": settings.model_dump()},
        seed=args.seed,
        price_per_gpu_hour=args.price_per_hour,
    ) as sidecar:
        import torch

        from burnqed.value.train import load_training_data, train_head

        torch.set_num_threads(args.threads)
        device = torch_device(args.device)
        data = load_training_data(args.embeddings, args.trajectories, args.proofs, settings, args.seed, device)
        logger.info("groups: %s", data.groups.counts)
        key = {"inputs": {str(path): input_digest(path) for path in inputs}, "threads": args.threads}
        metrics = train_head(data, settings, args.seed, device, args.output, key, args.previous, in_place=True)
        sidecar.extra["rank1"] = metrics["rank1"]
        told = [metrics[name] for name in ("rank1", "chance", "sibling_rank1", "sibling_chance")]
        logger.info("held-out rank-1 %s (chance %s), among siblings %s (chance %s)", *told)


if __name__ == "__main__":
    sys.exit(run_script(main))
