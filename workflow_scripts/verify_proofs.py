"""Check every proof a search found again, as a whole, in fresh processes.

Run as: python workflow_scripts/verify_proofs.py --help
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from burnqed.artifacts import Sidecar
from burnqed.config import ProverSettings, VerifySettings, add_flags, settings_from
from burnqed.scripting import run_script, script_parser, start_script


def main(argv: Sequence[str] | None = None) -> None:
    """Read trajectories, re-check their proofs, write the ones that stand."""
    parser = script_parser(__doc__)
    add_flags(parser, "verify", VerifySettings)
    add_flags(parser, "prover", ProverSettings)
    parser.add_argument("--theorems", type=Path, required=True, help="theorem index that was searched")
    parser.add_argument("--trajectories", type=Path, required=True, help="trajectories.parquet of the iteration")
    parser.add_argument("--iteration", type=int, required=True, help="iteration the proofs belong to")
    parser.add_argument("--output", type=Path, required=True, help="proofs.jsonl to write")
    parser.add_argument("--lean", type=Path, required=True, help="proofs.lean to write")
    args = parser.parse_args(argv)
    start_script(args)
    verify = settings_from(args, "verify", VerifySettings)
    prover = settings_from(args, "prover", ProverSettings)

    from burnqed.lean.recheck import recheck

    settings = {"verify": verify.model_dump(), "prover": prover.model_dump()}
    with Sidecar(
        outputs=[args.output, args.lean],
        inputs=[args.theorems, args.trajectories],
        settings=settings,
        seed=args.seed,
        price_per_gpu_hour=args.price_per_hour,
    ) as sidecar:
        sidecar.extra["verification"] = recheck(
            args.trajectories, args.theorems, args.iteration, prover, verify, args.output, args.lean
        )


if __name__ == "__main__":
    sys.exit(run_script(main))
