"""Write the baseline page of an iteration: data, embedding space, head and search beside the predecessor's values.

Run as: python workflow_scripts/write_baseline_report.py --help
"""

from pathlib import Path

from burnqed.jobs.runner import Job, job, option, reads, writes


@job
class WriteBaselineReport(Job):
    iteration: int = option("number of the iteration")
    data: Path = reads("report.json of the data")
    ebm: Path = reads("energy head of the iteration")
    trajectories: Path = reads("trajectories of the iteration's search")
    proofs: Path = reads("its re-checked proofs")
    evals: list[Path] = reads("eval files to show, in this order")
    output: Path = writes("Markdown file")
    page: Path = writes("HTML file", sidecar=False)

    def run(self) -> None:
        from burnqed.experiments.baseline_page import baseline_html, baseline_markdown, baseline_sections
        from burnqed.files import write_text

        sections = baseline_sections(self.data, self.ebm, self.trajectories, self.proofs, self.evals)
        write_text(self.page, baseline_html(self.iteration, sections))
        write_text(self.output, baseline_markdown(self.iteration, sections))


if __name__ == "__main__":
    WriteBaselineReport.start()
