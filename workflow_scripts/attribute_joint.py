"""Compare separate and joint training of adapter and head over some seeds: table, CSV and JSON.

Run as: python workflow_scripts/attribute_joint.py --help
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from burnqed.artifacts import Sidecar, write_json, write_text
from burnqed.config import EvaluationSettings, add_flags, settings_from
from burnqed.scripting import run_script, script_parser, start_script


def main(argv: Sequence[str] | None = None) -> None:
    """Write the table (Markdown and CSV) and everything measured (JSON)."""
    parser = script_parser(__doc__)
    add_flags(parser, "evaluation", EvaluationSettings)
    parser.add_argument("--runs", type=Path, nargs="+", required=True, help="folder of the attribution's run per seed")
    parser.add_argument(
        "--output", type=Path, required=True, help="table to write (.md); its CSV and attribution.json beside it"
    )
    args = parser.parse_args(argv)
    start_script(args)
    settings = settings_from(args, "evaluation", EvaluationSettings)
    result_file = args.output.with_name("attribution.json")
    with Sidecar([args.output], inputs=args.runs, seed=args.seed):
        from burnqed.evaluation.attribution import attribution, render, solve_rows
        from burnqed.report.tables import to_csv

        result = attribution(args.runs, settings.confidence, settings.bootstrap_samples)
        write_json(result_file, result)
        write_text(args.output.with_suffix(".csv"), to_csv(solve_rows(result)))
        text = render(result)
        write_text(args.output, text)
        print(text)


if __name__ == "__main__":
    sys.exit(run_script(main))
