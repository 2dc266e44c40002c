"""Build the index of one held-out benchmark.

Run as: python workflow_scripts/build_benchmark.py --help
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from burnqed.artifacts import Sidecar
from burnqed.config import BenchmarkSettings, add_flags, settings_from
from burnqed.scripting import run_script, script_parser, start_script


def main(argv: Sequence[str] | None = None) -> None:
    """Read the benchmark's source and write its theorem index."""
    parser = script_parser(__doc__)
    add_flags(parser, "benchmark", BenchmarkSettings)
    parser.add_argument("--name", required=True, help="name of the benchmark, a key of `benchmarks`")
    parser.add_argument("--sources", default="", help="JSON: settings of the named sources in use")
    parser.add_argument("--corpus", type=Path, help="generated corpus (source minilean:benchmark)")
    parser.add_argument("--output", type=Path, required=True, help="theorem index to write (.json)")
    args = parser.parse_args(argv)
    start_script(args)
    settings = settings_from(args, "benchmark", BenchmarkSettings)
    with Sidecar(
        outputs=[args.output],
        inputs=[args.corpus] if args.corpus else [],
        settings={"benchmark": settings.model_dump(), "name": args.name},
        seed=args.seed,
        price_per_gpu_hour=args.price_per_hour,
    ):
        from burnqed.data.build import build_benchmark
        from burnqed.data.sources import parse_sources

        build_benchmark(args.name, settings, args.corpus, args.output, parse_sources(args.sources))


if __name__ == "__main__":
    sys.exit(run_script(main))
