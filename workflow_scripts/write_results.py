"""Write the page of results in words and tables: Markdown, and one self-contained HTML file.

Run as: python workflow_scripts/write_results.py --help
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from burnqed.artifacts import Sidecar, write_text
from burnqed.report.page import results_html, results_markdown
from burnqed.report.summary import read_summary
from burnqed.scripting import run_script, script_parser, start_script


def main(argv: Sequence[str] | None = None) -> None:
    """Write both pages from the summary; the HTML one also from sidecars and configuration."""
    parser = script_parser(__doc__)
    parser.add_argument("--results", type=Path, required=True, help="results folder of the run")
    parser.add_argument("--summary", type=Path, required=True, help="summary.json of the run")
    parser.add_argument(
        "--config-json",
        default=os.environ.get("BURNQED_CONFIG", "{}"),
        help="configuration to show, as JSON (default: $BURNQED_CONFIG, set by the workflow)",
    )
    parser.add_argument("--output", type=Path, required=True, help="Markdown file")
    parser.add_argument("--page", type=Path, required=True, help="HTML file")
    args = parser.parse_args(argv)
    start_script(args)
    with Sidecar([args.output], inputs=[args.summary], seed=args.seed):
        summary = read_summary(args.summary)
        write_text(args.page, results_html(summary, args.results, json.loads(args.config_json)))
        write_text(args.output, results_markdown(summary))


if __name__ == "__main__":
    sys.exit(run_script(main))
