"""Build the index of theorems that training searches on.

Run as: python workflow_scripts/build_theorem_index.py --help
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from burnqed.artifacts import Sidecar
from burnqed.config import DataSettings, add_flags, settings_from
from burnqed.scripting import run_script, script_parser, start_script


def main(argv: Sequence[str] | None = None) -> None:
    """Read the corpus or the published files and write one theorem index."""
    parser = script_parser(__doc__)
    add_flags(parser, "data", DataSettings)
    parser.add_argument("--sources", default="", help="JSON: settings of the named sources in use")
    parser.add_argument("--corpus", type=Path, help="generated corpus (data.source minilean)")
    parser.add_argument("--output", type=Path, required=True, help="theorem index to write (.json)")
    args = parser.parse_args(argv)
    start_script(args)
    settings = settings_from(args, "data", DataSettings)
    with Sidecar(
        outputs=[args.output],
        inputs=[args.corpus] if args.corpus else [],
        settings={"data": settings.model_dump()},
        seed=args.seed,
        price_per_gpu_hour=args.price_per_hour,
    ):
        from burnqed.data.build import build_search_pool
        from burnqed.data.sources import parse_sources

        build_search_pool(settings, args.corpus, args.output, parse_sources(args.sources))


if __name__ == "__main__":
    sys.exit(run_script(main))
