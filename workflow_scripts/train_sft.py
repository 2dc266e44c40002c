"""Fine-tune the policy of one iteration with LoRA (QLoRA with --quantization nf4).

Several GPUs: --processes N on one machine (the workflow's resource gpu); or `accelerate launch --multi_gpu
--num_processes N` in place of `python`, with its --num_machines for many (with --device cpu too, then without GPUs).

Run as: python workflow_scripts/train_sft.py --help
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from burnqed.artifacts import Sidecar
from burnqed.config import ModelSettings, SFTSettings, add_flags, settings_from
from burnqed.scripting import run_script, script_parser, start_script, torch_device
from burnqed.training.options import add_training_flags, training_job
from burnqed.training.processes import is_main, ran_in_processes


def main(argv: Sequence[str] | None = None) -> None:
    """Train the adapter of an iteration; write the adapter folder."""
    parser = script_parser(__doc__)
    add_flags(parser, "sft", SFTSettings)
    add_flags(parser, "model", ModelSettings)
    add_training_flags(parser, first_too=True)
    args = parser.parse_args(argv)
    start_script(args)
    device = torch_device(args.device)
    if ran_in_processes(args, device):
        return
    sft = settings_from(args, "sft", SFTSettings)
    model = settings_from(args, "model", ModelSettings)
    previous = [args.adapter] if args.adapter else []
    with Sidecar(
        outputs=[args.output] if is_main() else [],
        inputs=[args.base, *previous, args.pairs, args.val, *args.trajectories, *args.proofs],
        settings={
            "sft": sft.model_dump(),
            "model": model.model_dump(),
            "quantization": args.quantization,
            "iteration": args.iteration,
        },
        seed=args.seed,
        price_per_gpu_hour=args.price_per_hour,
    ) as sidecar:
        from burnqed.training.sft import train_sft

        result = train_sft(training_job(args, model, device), sft, args.output)
        sidecar.extra["timing"] = result.times


if __name__ == "__main__":
    sys.exit(run_script(main))
