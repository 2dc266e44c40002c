"""Replay a sample of tactic pairs through the prover and say whether each source is usable.

Run as: python workflow_scripts/validate_tactics.py --help
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from burnqed.artifacts import Sidecar, write_json
from burnqed.config import ProverSettings, add_flags, settings_from
from burnqed.scripting import run_script, script_parser, start_script


def main(argv: Sequence[str] | None = None) -> None:
    """Sample theorems by depth, replay them, compare states, classify failures."""
    parser = script_parser(__doc__)
    add_flags(parser, "prover", ProverSettings)
    parser.add_argument("--pairs", type=Path, nargs="+", required=True, help="tactic pair files (.jsonl)")
    parser.add_argument("--theorems", type=Path, nargs="+", required=True, help="theorem indexes with the statements")
    parser.add_argument("--sample", type=int, default=200, help="theorems per source (default: 200)")
    parser.add_argument("--output", type=Path, required=True, help="report to write (.json)")
    args = parser.parse_args(argv)
    start_script(args)
    prover = settings_from(args, "prover", ProverSettings)
    with Sidecar(
        outputs=[args.output],
        inputs=[*args.pairs, *args.theorems],
        settings={"prover": prover.model_dump(), "sample": args.sample},
        seed=args.seed,
        price_per_gpu_hour=args.price_per_hour,
    ):
        from burnqed.data.pairs import read_pairs
        from burnqed.data.replay import validate
        from burnqed.data.theorems import read_theorem_index

        known = {t.name: t for path in args.theorems for t in read_theorem_index(path).theorems}
        pairs = [pair for path in args.pairs for pair in read_pairs(path)]
        report = validate(pairs, known, prover, args.sample, args.seed)
        write_json(args.output, report)
        for source, entry in report["sources"].items():
            logging.getLogger("replay").info(
                "%s: %s (%d theorems: %s)", source, entry["verdict"], entry["theorems"], entry["outcomes"]
            )


if __name__ == "__main__":
    sys.exit(run_script(main))
