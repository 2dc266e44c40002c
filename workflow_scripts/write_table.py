"""Write one table of the run as Markdown and CSV.

Run as: python workflow_scripts/write_table.py --help
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from burnqed.artifacts import Sidecar, read_json
from burnqed.report.tables import TABLES, write_table
from burnqed.scripting import run_script, script_parser, start_script


def main(argv: Sequence[str] | None = None) -> None:
    parser = script_parser(__doc__)
    parser.add_argument("--table", required=True, choices=list(TABLES), help="which table")
    parser.add_argument("--summary", type=Path, required=True, help="summary.json of the run")
    parser.add_argument(
        "--output", type=Path, required=True, help="Markdown file; CSV and HTML of the same stem are written beside it"
    )
    args = parser.parse_args(argv)
    start_script(args)
    with Sidecar([args.output], inputs=[args.summary], seed=args.seed):
        write_table(args.table, read_json(args.summary), args.output)


if __name__ == "__main__":
    sys.exit(run_script(main))
