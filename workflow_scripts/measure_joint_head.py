"""Make an iteration's energy head of a jointly trained one: bind it to the merged model's embeddings and measure it.

Run as: python workflow_scripts/measure_joint_head.py --help
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from burnqed.artifacts import Sidecar
from burnqed.config import EBMSettings, add_flags, settings_from
from burnqed.scripting import run_script, script_parser, start_script, torch_device

logger = logging.getLogger("measure_joint_head")


def main(argv: Sequence[str] | None = None) -> None:
    """Measure the head as a separately trained one is, and write its folder in the same form."""
    parser = script_parser(__doc__)
    add_flags(parser, "ebm", EBMSettings)
    parser.add_argument("--head", type=Path, required=True, help="head folder that train_joint.py wrote")
    parser.add_argument("--embeddings", type=Path, required=True, help="vectors of all states of the trajectories")
    parser.add_argument("--trajectories", type=Path, nargs="+", required=True, help="trajectories it learned from")
    parser.add_argument("--proofs", type=Path, nargs="+", required=True, help="their re-checked proofs")
    parser.add_argument("--output", type=Path, required=True, help="folder of the head to write")
    args = parser.parse_args(argv)
    start_script(args)
    settings = settings_from(args, "ebm", EBMSettings)
    with Sidecar(
        outputs=[args.output],
        inputs=[args.head, args.embeddings, *args.trajectories, *args.proofs],
        settings={"ebm": settings.model_dump()},
        seed=args.seed,
        price_per_gpu_hour=args.price_per_hour,
    ):
        import torch

        from burnqed.training.joint_job import measure_joint_head

        torch.set_num_threads(args.threads)
        metrics = measure_joint_head(
            args.head,
            args.embeddings,
            args.trajectories,
            args.proofs,
            args.output,
            settings,
            args.seed,
            torch_device(args.device),
        )
        told = [metrics[name] for name in ("rank1", "chance", "sibling_rank1", "sibling_chance", "centroid_l2")]
        logger.info("held-out rank-1 %s (chance %s), among siblings %s (chance %s); centroid_l2 %s", *told)


if __name__ == "__main__":
    sys.exit(run_script(main))
