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

# On a phone Snakemake's menu hides the page: it lies over it there, is closed at first and after a choice, and its button
# opens it.
FOR_PHONES = """
<style>@media (max-width: 700px) {
  #app nav.h-screen { position: fixed; z-index: 40; }
  #app div.items-center.h-screen { align-items: flex-start; }
  #app .grow.items-start { flex-direction: column; max-width: 100vw; padding-top: 2.5rem; }
  #app .prose, #rulegraph { max-width: 100%; overflow: auto; }
}</style>
<script>
if (window.innerWidth < 700) {
  const waiting = setInterval(() => {
    const close = document.querySelector("#app nav h1 a");
    if (close) { clearInterval(waiting); close.click(); }
  }, 50);
  document.addEventListener("click", event => {
    if (event.target.closest('a[iconname="eye"]')) {
      setTimeout(() => document.querySelector("#app nav h1 a")?.click(), 100);
    }
  });
}
</script>
"""


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
        partial.write_text(page.read_text(encoding="utf-8") + FOR_PHONES, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(run_script(main))
