"""Generate the theorem corpus of the embedded prover.

Run as: python workflow_scripts/build_corpus.py --help
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from burnqed.artifacts import Sidecar, UserError
from burnqed.config import DataSettings, add_flags, settings_from
from burnqed.scripting import run_script, script_parser, start_script


def main(argv: Sequence[str] | None = None) -> None:
    """Generate theorems and proofs from the seed and write them as JSON lines."""
    parser = script_parser(__doc__)
    add_flags(parser, "data", DataSettings)
    parser.add_argument("--output", type=Path, required=True, help="corpus to write (.jsonl)")
    args = parser.parse_args(argv)
    start_script(args)
    settings = settings_from(args, "data", DataSettings)
    if settings.source != "minilean":
        raise UserError(f"data.source: '{settings.source}'; a corpus is generated only with minilean")
    with Sidecar(
        outputs=[args.output],
        settings={"data": settings.model_dump()},
        seed=args.seed,
        price_per_gpu_hour=args.price_per_hour,
    ):
        from burnqed.data.build import build_corpus

        build_corpus(settings, args.seed, args.output)


if __name__ == "__main__":
    sys.exit(run_script(main))
