"""Train adapter and energy head of one iteration together (training.mode joint).

Several GPUs: --processes N on one machine (the workflow's resource gpu); or `accelerate launch --multi_gpu
--num_processes N` in place of `python`, with its --num_machines for many (with --device cpu too, then without GPUs).

Run as: python workflow_scripts/train_joint.py --help
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from burnqed import config
from burnqed.artifacts import Sidecar
from burnqed.config import add_flags, settings_from
from burnqed.scripting import run_script, script_parser, start_script, torch_device
from burnqed.training.options import add_training_flags, training_job
from burnqed.training.processes import is_main, ran_in_processes


def main(argv: Sequence[str] | None = None) -> None:
    """Train both in one job; write the adapter folder and the folder of the head's weights and history."""
    blocks: dict[str, type[config.Settings]] = {
        "joint": config.JointSettings,
        "sft": config.SFTSettings,
        "ebm": config.EBMSettings,
        "encoder": config.EncoderSettings,
        "model": config.ModelSettings,
    }
    parser = script_parser(__doc__)
    for name, kind in blocks.items():
        add_flags(parser, name, kind)
    add_training_flags(parser, first_too=False)
    parser.add_argument(
        "--previous", type=Path, help="head of the iteration before, to go on from (default: a new one)"
    )
    parser.add_argument("--head", type=Path, required=True, help="head folder to write")
    args = parser.parse_args(argv)
    start_script(args)
    device = torch_device(args.device)
    if ran_in_processes(args, device):
        return
    given = {name: settings_from(args, name, kind) for name, kind in blocks.items()}
    previous = [args.previous] if args.previous else []
    with Sidecar(
        outputs=[args.output, args.head] if is_main() else [],
        inputs=[args.base, args.adapter, *previous, args.pairs, args.val, *args.trajectories, *args.proofs],
        settings={
            **{name: value.model_dump() for name, value in given.items()},
            "quantization": args.quantization,
            "iteration": args.iteration,
        },
        seed=args.seed,
        price_per_gpu_hour=args.price_per_hour,
    ) as sidecar:
        from burnqed.training.joint_job import train_joint

        result = train_joint(
            training_job(args, given["model"], device),  # type: ignore[arg-type]
            settings=given["joint"],  # type: ignore[arg-type]
            sft=given["sft"],  # type: ignore[arg-type]
            ebm=given["ebm"],  # type: ignore[arg-type]
            encoder=given["encoder"],  # type: ignore[arg-type]
            previous_head=args.previous,
            output=args.output,
            head_output=args.head,
        )
        sidecar.extra["timing"] = result.times


if __name__ == "__main__":
    sys.exit(run_script(main))
