"""Draw one figure of the run as SVG, PNG and CSV.

Run as: python workflow_scripts/plot_figure.py --help
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from burnqed.artifacts import Sidecar
from burnqed.report.figures import FIGURES, plot_figure
from burnqed.scripting import run_script, script_parser, start_script


def main(argv: Sequence[str] | None = None) -> None:
    parser = script_parser(__doc__)
    parser.add_argument("--figure", required=True, choices=list(FIGURES), help="which figure")
    parser.add_argument("--results", type=Path, required=True, help="results folder of the run")
    parser.add_argument("--summary", type=Path, required=True, help="summary.json of the run")
    parser.add_argument(
        "--output", type=Path, required=True, help="SVG file; PNG and CSV of the same stem are written beside it"
    )
    args = parser.parse_args(argv)
    start_script(args)
    with Sidecar([args.output], inputs=[args.summary], seed=args.seed):
        plot_figure(args.figure, args.results, args.summary, args.output)


if __name__ == "__main__":
    sys.exit(run_script(main))
