"""Draw the figures and write the table of the data stage.

Run as: python workflow_scripts/plot_data.py --help
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from burnqed.artifacts import Sidecar
from burnqed.scripting import run_script, script_parser, start_script


def main(argv: Sequence[str] | None = None) -> None:
    """Read the data report and write five figures and a table."""
    parser = script_parser(__doc__)
    parser.add_argument("--report", type=Path, required=True, help="data/report.json of the run")
    parser.add_argument("--figures", type=Path, required=True, help="folder of the figures (data_*.svg, .png, .csv)")
    parser.add_argument("--table", type=Path, required=True, help="table to write (.md; .csv and .html beside it)")
    args = parser.parse_args(argv)
    start_script(args)
    with Sidecar([args.table], inputs=[args.report], seed=args.seed):
        from burnqed.report.figures_data import draw_data

        draw_data(args.report, args.figures, args.table)


if __name__ == "__main__":
    sys.exit(run_script(main))
