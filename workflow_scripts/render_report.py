"""Render Snakemake's self-contained HTML report of the figures and tables of a run.

Run as: python workflow_scripts/render_report.py --help
"""

from pathlib import Path

from burnqed.jobs.runner import Job, job, option, writes


@job
class RenderReport(Job):
    snakefile: str = option("the workflow's Snakefile", "Snakefile")
    config_json: str = option("configuration that overlays config.yaml, as JSON", "{}")
    targets: list[str] = option("finished targets to show")
    output: Path = writes("the HTML file", sidecar=False)

    def run(self) -> None:
        from burnqed.snakemake.render import render_report

        render_report(self.targets, self.snakefile, self.config_json, self.output)


if __name__ == "__main__":
    RenderReport.start()
