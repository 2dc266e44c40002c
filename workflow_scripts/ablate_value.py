"""Compare the ways of ordering a search with and without the energy head: table and figure.

Run as: python workflow_scripts/ablate_value.py --help
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from burnqed.artifacts import Sidecar, write_text
from burnqed.config import EvaluationSettings, add_flags, settings_from
from burnqed.scripting import run_script, script_parser, start_script


def main(argv: Sequence[str] | None = None) -> None:
    """Write the table (Markdown and CSV) and the figure (SVG, PNG and CSV)."""
    parser = script_parser(__doc__)
    add_flags(parser, "evaluation", EvaluationSettings)
    parser.add_argument("--evals", type=Path, nargs="+", required=True, help="eval files of all ways and seeds")
    parser.add_argument("--heads", type=Path, nargs="+", required=True, help="folders of the heads they used")
    parser.add_argument(
        "--output", type=Path, required=True, help="table to write (.md); the CSV of the same stem is written beside it"
    )
    parser.add_argument("--figure", type=Path, required=True, help="figure to write (.svg); PNG and CSV beside it")
    args = parser.parse_args(argv)
    start_script(args)
    settings = settings_from(args, "evaluation", EvaluationSettings)
    with Sidecar([args.output], inputs=[*args.evals, *args.heads], seed=args.seed):
        from burnqed.evaluation import ablation
        from burnqed.report.figures_ablation import draw_ablation
        from burnqed.report.style import save_figure
        from burnqed.report.tables import to_csv

        ways = ablation.read_ways(args.evals)
        rows = ablation.ablation_rows(ways, settings.confidence, settings.bootstrap_samples)
        controls = ablation.control_rows(ways, settings.confidence, settings.bootstrap_samples)
        save_figure(draw_ablation(rows), ablation.csv_rows(rows), args.figure)
        write_text(args.output.with_suffix(".csv"), to_csv(ablation.csv_rows([*rows, *controls])))
        text = ablation.render(rows, controls, ablation.head_rows(args.heads), settings.confidence)
        write_text(args.output, text)
        print(text)


if __name__ == "__main__":
    sys.exit(run_script(main))
