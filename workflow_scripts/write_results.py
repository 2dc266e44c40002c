"""Write the page of results in words and tables: Markdown, and one self-contained HTML file.

Run as: python workflow_scripts/write_results.py --help
"""

import json
from pathlib import Path

from burnqed.jobs.runner import Job, job, option, reads, writes


@job
class WriteResults(Job):
    results: Path = option("results folder of the run")
    summary: Path = reads("summary.json of the run")
    config_json: str = option("configuration to show, as JSON", "{}")
    output: Path = writes("Markdown file")
    page: Path = writes("HTML file", sidecar=False)

    def run(self) -> None:
        from burnqed.files import write_text
        from burnqed.records.summaries import read_summary
        from burnqed.report.page import results_html, results_markdown

        summary = read_summary(self.summary)
        write_text(self.page, results_html(summary, self.results, json.loads(self.config_json)))
        write_text(self.output, results_markdown(summary))


if __name__ == "__main__":
    WriteResults.start()
