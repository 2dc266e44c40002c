"""Merge the shards of a search into one trajectory file.

Run as: python workflow_scripts/merge_trajectories.py --help
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from burnqed.artifacts import Sidecar
from burnqed.scripting import run_script, script_parser, start_script


def main(argv: Sequence[str] | None = None) -> None:
    parser = script_parser(__doc__)
    parser.add_argument(
        "--shards", type=Path, nargs="+", required=True, help="trajectory files, each theorem in one only"
    )
    parser.add_argument("--output", type=Path, required=True, help="merged trajectory file")
    args = parser.parse_args(argv)
    start_script(args)
    from burnqed.search.trajectories import merge_trajectories

    with Sidecar([args.output], inputs=args.shards, seed=args.seed, price_per_gpu_hour=args.price_per_hour) as sidecar:
        results = merge_trajectories(args.shards, args.output)
        sidecar.extra["searches"] = len(results)
        sidecar.extra["proved"] = sum(result.proved for result in results)


if __name__ == "__main__":
    sys.exit(run_script(main))
