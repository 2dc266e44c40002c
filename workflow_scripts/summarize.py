"""Gather all evaluations, gates and proofs of a run into summary.json.

Run as: python workflow_scripts/summarize.py --help
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from burnqed.artifacts import Sidecar, write_json
from burnqed.report.summary import summarize
from burnqed.scripting import run_script, script_parser, start_script


def main(argv: Sequence[str] | None = None) -> None:
    parser = script_parser(__doc__)
    parser.add_argument(
        "--evals", type=Path, nargs="+", required=True, help="eval JSONs, baseline first, then by iteration"
    )
    parser.add_argument("--gates", type=Path, nargs="*", default=[], help="gate.json of each iteration")
    parser.add_argument("--proofs", type=Path, nargs="*", default=[], help="proofs.jsonl of each iteration")
    parser.add_argument("--output", type=Path, required=True, help="summary.json")
    args = parser.parse_args(argv)
    start_script(args)
    with Sidecar([args.output], inputs=[*args.evals, *args.gates, *args.proofs], seed=args.seed):
        write_json(args.output, summarize(args.evals, args.gates, args.proofs))


if __name__ == "__main__":
    sys.exit(run_script(main))
