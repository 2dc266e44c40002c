"""Snakemake's self-contained HTML report of a run, made to fit phones too."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from burnqed.files import UserError, atomic_path

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


def render_report(targets: Sequence[str], snakefile: str, config: str, output: Path) -> None:
    """Write the report of finished targets; ``config`` is JSON that overlays config.yaml.

    Raises UserError when Snakemake cannot render it; its own message is in the log.
    """
    with tempfile.TemporaryDirectory() as folder, atomic_path(output) as partial:
        overlay = Path(folder) / "config.json"
        overlay.write_text(json.dumps(json.loads(config)), encoding="utf-8")
        # Snakemake chooses the format by the suffix.
        page = Path(folder) / "report.html"
        command = [sys.executable, "-m", "snakemake", *targets, "--snakefile", snakefile]
        command += ["--configfile", str(overlay), "--report", str(page), "--nolock", "--workflow-profile", "none"]
        result = subprocess.run(command, stdout=sys.stderr, check=False)
        if result.returncode or not page.exists():
            raise UserError("snakemake could not render the report; its message is above this line")
        partial.write_text(page.read_text(encoding="utf-8") + FOR_PHONES, encoding="utf-8")
