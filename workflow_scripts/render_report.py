"""Write the report of a run: one HTML file that needs no other, and one Markdown file.

Run as: python workflow_scripts/render_report.py --help
"""

import json
from pathlib import Path

from burnqed.jobs.runner import Job, job, option, reads, writes


@job
class RenderReport(Job):
    results: Path = option("results folder of the run")
    config_json: str = option("configuration of the run, as JSON", "{}")
    summary: Path = reads("summary.json of the run")
    data_report: Path | None = reads("data/report.json of the run", optional=True)
    figures: list[Path] = reads("data of the finished figures (CSV, with the SVG files beside them)", optional=True)
    output: Path = writes("the HTML file", sidecar=False)
    markdown: Path = writes("the Markdown file", sidecar=False)

    def run(self) -> None:
        from burnqed.config import load_config
        from burnqed.experiments.runs import plan_of
        from burnqed.report.document import write_report
        from burnqed.report.run import Run

        cfg = load_config(json.loads(self.config_json))
        run = Run(self.results, self.summary)
        write_report(run, self.figures, cfg, plan_of(cfg).rule_graph(), self.output, self.markdown, self.data_report)


if __name__ == "__main__":
    RenderReport.start()
