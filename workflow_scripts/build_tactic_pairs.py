"""Build the tactic pairs, split by theorem, and the data report.

Run as: python workflow_scripts/build_tactic_pairs.py --help
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from burnqed.artifacts import Sidecar
from burnqed.config import DataSettings, add_flags, settings_from
from burnqed.scripting import run_script, script_parser, start_script


def main(argv: Sequence[str] | None = None) -> None:
    """Extract, filter, check for contamination, split and write."""
    parser = script_parser(__doc__)
    add_flags(parser, "data", DataSettings)
    parser.add_argument(
        "--prover.kind",
        default="pantograph",
        choices=["pantograph", "minilean"],
        help="prover of the run (default: pantograph)",
    )
    parser.add_argument("--sources", default="", help="JSON: settings of the named sources in use")
    parser.add_argument("--corpus", type=Path, help="generated corpus (data.source minilean)")
    parser.add_argument("--theorems", type=Path, required=True, help="search pool, checked for contamination")
    parser.add_argument("--benchmarks", type=Path, nargs="*", default=[], help="held-out theorem indexes")
    parser.add_argument("--train", type=Path, required=True, help="training pairs to write (.jsonl)")
    parser.add_argument("--val", type=Path, required=True, help="validation pairs to write (.jsonl)")
    parser.add_argument("--report", type=Path, required=True, help="data report to write (.json)")
    parser.add_argument("--pool", type=Path, help="theorems with deep proofs, to write (.json)")
    parser.add_argument("--extracted", type=Path, nargs="*", default=[], help="files of extract_pairs.py, by source")
    args = parser.parse_args(argv)
    start_script(args)
    settings = settings_from(args, "data", DataSettings)
    prover = vars(args)["prover.kind"]
    with Sidecar(
        outputs=[args.train, args.val, args.report, *([args.pool] if args.pool else [])],
        inputs=[*([args.corpus] if args.corpus else []), args.theorems, *args.benchmarks, *args.extracted],
        settings={"data": settings.model_dump(), "prover": {"kind": prover}},
        seed=args.seed,
        price_per_gpu_hour=args.price_per_hour,
    ):
        from burnqed.data.build import build_tactic_pairs
        from burnqed.data.sources import parse_sources

        build_tactic_pairs(
            settings,
            prover,
            args.corpus,
            args.theorems,
            args.benchmarks,
            args.seed,
            args.train,
            args.val,
            args.report,
            pool=args.pool,
            sources=parse_sources(args.sources),
            extracted=args.extracted,
        )


if __name__ == "__main__":
    sys.exit(run_script(main))
