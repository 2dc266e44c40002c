"""Render Snakemake's self-contained HTML report of the figures and tables of a run.

Run as: python workflow_scripts/render_report.py --help
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from burnqed.artifacts import UserError, atomic_path
from burnqed.scripting import run_script, script_parser, start_script


def main(argv: Sequence[str] | None = None) -> None:
    parser = script_parser(__doc__)
    snakefile = os.environ.get("BURNQED_SNAKEFILE", "Snakefile")
    parser.add_argument("--snakefile", default=snakefile, help="default: $BURNQED_SNAKEFILE, set by the workflow")
    parser.add_argument(
        "--config-json",
        default=os.environ.get("BURNQED_CONFIG", "{}"),
        help="configuration that overlays config.yaml, as JSON (default: $BURNQED_CONFIG, set by the workflow)",
    )
    parser.add_argument("--targets", nargs="+", required=True, help="finished targets to show")
    parser.add_argument("--output", type=Path, required=True, help="the HTML file")
    args = parser.parse_args(argv)
    start_script(args)
    with tempfile.TemporaryDirectory() as folder, atomic_path(args.output) as partial:
        config = Path(folder) / "config.json"
        config.write_text(json.dumps(json.loads(args.config_json)), encoding="utf-8")
        # Snakemake chooses the format by the suffix.
        page = Path(folder) / "report.html"
        command = [sys.executable, "-m", "snakemake", *args.targets, "--snakefile", args.snakefile]
        command += ["--configfile", str(config), "--report", str(page), "--nolock", "--workflow-profile", "none"]
        result = subprocess.run(command, stdout=sys.stderr, check=False)
        if result.returncode or not page.exists():
            raise UserError("snakemake could not render the report; its message is above this line")
        partial.write_bytes(page.read_bytes())


if __name__ == "__main__":
    sys.exit(run_script(main))
