"""Write one table of the run as Markdown and CSV.

Run as: python workflow_scripts/write_table.py --help
"""

from pathlib import Path

from burnqed.jobs.runner import Job, job, option, reads, writes


@job
class WriteTable(Job):
    table: str = option("which table; comparison_BENCHMARK is that of a further benchmark")
    summary: Path = reads("summary.json of the run")
    output: Path = writes("Markdown file; CSV and HTML of the same stem are written beside it")

    def run(self) -> None:
        from burnqed.report.catalogue import write_table

        write_table(self.table, self.summary, self.output)


if __name__ == "__main__":
    WriteTable.start()
