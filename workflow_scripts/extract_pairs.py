"""Turn one source (whole proofs, a Lean project, a traced repository) into theorems with tactics.

Run as: python workflow_scripts/extract_pairs.py --help
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from burnqed.artifacts import Sidecar
from burnqed.config import DataSettings, ProverSettings, add_flags, settings_from
from burnqed.scripting import run_script, script_parser, start_script


def main(argv: Sequence[str] | None = None) -> None:
    """Resolve the source, send its texts through the prover, write theorems and failures."""
    parser = script_parser(__doc__)
    add_flags(parser, "data", DataSettings)
    add_flags(parser, "prover", ProverSettings)
    parser.add_argument("--sources", default="", help="JSON: settings of the named sources")
    parser.add_argument("--source", required=True, help="name of the source, or a Lean project's folder")
    parser.add_argument("--output", type=Path, required=True, help="theorems with tactics to write (.jsonl)")
    parser.add_argument("--failures", type=Path, required=True, help="texts that failed, to write (.json)")
    args = parser.parse_args(argv)
    start_script(args)
    data, prover = settings_from(args, "data", DataSettings), settings_from(args, "prover", ProverSettings)
    with Sidecar(
        outputs=[args.output, args.failures],
        settings={"data": data.model_dump(), "prover": prover.model_dump(), "sources": args.sources},
        seed=args.seed,
        price_per_gpu_hour=args.price_per_hour,
    ) as sidecar:
        from burnqed.data.build import extract_source
        from burnqed.data.sources import parse_sources

        report = extract_source(args.source, parse_sources(args.sources), data, prover, args.output, args.failures)
        sidecar.extra["extraction"] = {key: report[key] for key in report if key != "failed"}


if __name__ == "__main__":
    sys.exit(run_script(main))
