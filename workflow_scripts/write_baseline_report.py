"""Write the baseline page of an iteration: data, embedding space, head and search beside the predecessor's values.

Run as: python workflow_scripts/write_baseline_report.py --help
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from burnqed.artifacts import Sidecar, write_text
from burnqed.report.baseline_page import baseline_html, baseline_markdown, baseline_sections
from burnqed.scripting import run_script, script_parser, start_script


def main(argv: Sequence[str] | None = None) -> None:
    """Write the page as Markdown and as one HTML file."""
    parser = script_parser(__doc__)
    parser.add_argument("--iteration", type=int, required=True, help="number of the iteration")
    parser.add_argument("--data", type=Path, required=True, help="report.json of the data")
    parser.add_argument("--ebm", type=Path, required=True, help="energy head of the iteration")
    parser.add_argument("--trajectories", type=Path, required=True, help="trajectories of the iteration's search")
    parser.add_argument("--proofs", type=Path, required=True, help="its re-checked proofs")
    parser.add_argument("--evals", type=Path, nargs="+", required=True, help="eval files to show, in this order")
    parser.add_argument("--output", type=Path, required=True, help="Markdown file")
    parser.add_argument("--page", type=Path, required=True, help="HTML file")
    args = parser.parse_args(argv)
    start_script(args)
    inputs = [args.data, args.ebm, args.trajectories, args.proofs, *args.evals]
    with Sidecar([args.output], inputs=inputs, seed=args.seed):
        sections = baseline_sections(args.data, args.ebm, args.trajectories, args.proofs, args.evals)
        write_text(args.page, baseline_html(args.iteration, sections))
        write_text(args.output, baseline_markdown(args.iteration, sections))


if __name__ == "__main__":
    sys.exit(run_script(main))
