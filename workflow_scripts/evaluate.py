"""Evaluate a model, with or without its energy head, on a held-out benchmark.

Run as: python workflow_scripts/evaluate.py --help
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from burnqed import config
from burnqed.artifacts import Sidecar
from burnqed.config import add_flags, settings_from
from burnqed.scripting import add_quantization_flag, run_script, script_parser, start_script, torch_device

logger = logging.getLogger("evaluate")


def main(argv: Sequence[str] | None = None) -> None:
    """Search at the largest budget, re-check the proofs, write eval file and trajectories."""
    blocks: dict[str, type[config.Settings]] = {
        "evaluation": config.EvaluationSettings,
        "search": config.SearchSettings,
        "policy": config.PolicySettings,
        "encoder": config.EncoderSettings,
        "prover": config.ProverSettings,
        "verify": config.VerifySettings,
        "model": config.ModelSettings,
    }
    parser = script_parser(__doc__)
    for name, kind in blocks.items():
        add_flags(parser, name, kind)
    add_quantization_flag(parser, "weights of the model")
    parser.add_argument("--model-dir", type=Path, required=True, help="policy model")
    parser.add_argument("--ebm", type=Path, help="energy head (variant llm_ebm)")
    parser.add_argument(
        "--shuffled",
        type=Path,
        help="trajectories of the same search with this head: use its energies permuted between states (a control)",
    )
    parser.add_argument("--benchmark", type=Path, required=True, help="theorem index of the benchmark")
    parser.add_argument("--label", required=True, help="baseline or iter_I")
    parser.add_argument(
        "--variant",
        choices=["llm", "llm_ebm"],
        required=True,
        help="without or with the energy head",
    )
    parser.add_argument("--output", type=Path, required=True, help="eval file to write (.json)")
    parser.add_argument("--trajectories", type=Path, required=True, help="trajectories to write (.parquet)")
    args = parser.parse_args(argv)
    start_script(args)
    given = {name: settings_from(args, name, kind) for name, kind in blocks.items()}
    with Sidecar(
        outputs=[args.output, args.trajectories],
        inputs=[args.model_dir, args.benchmark, *(path for path in (args.ebm, args.shuffled) if path)],
        settings={
            **{name: value.model_dump() for name, value in given.items()},
            "quantization": args.quantization,
        },
        seed=args.seed,
        price_per_gpu_hour=args.price_per_hour,
    ) as sidecar:
        import torch

        from burnqed.evaluation.evals import eval_before, eval_table
        from burnqed.evaluation.run import ProverStack, evaluate

        torch.set_num_threads(args.threads)
        evaluation = given.pop("evaluation")
        stack = ProverStack(
            **given,  # type: ignore[arg-type]
            quantization=args.quantization,
            model_dir=args.model_dir,
            ebm=args.ebm,
            device=torch_device(args.device),
            shuffled=args.shuffled,
        )
        result = evaluate(
            stack,
            evaluation,  # type: ignore[arg-type]
            benchmark=args.benchmark,
            label=args.label,
            variant=args.variant,
            seed=args.seed,
            output=args.output,
            trajectories=args.trajectories,
            extra=sidecar.extra,
        )
        timing = sidecar.extra["timing"]
        assert isinstance(timing, dict)
        print(f"{args.label}, {args.variant}, on {result['benchmark']['name']}")
        before = eval_before(args.output, args.label, args.variant, result["benchmark"])
        print(eval_table(result, timing, before))


if __name__ == "__main__":
    sys.exit(run_script(main))
