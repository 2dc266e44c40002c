"""Draw the figures and write the table of the data stage.

Run as: python workflow_scripts/plot_data.py --help
"""

from pathlib import Path

from burnqed.jobs.runner import Job, job, reads, writes


@job
class PlotData(Job):
    report: Path = reads("data/report.json of the run")
    figures: Path = writes("folder of the figures (data_*.svg, .png, .csv)", sidecar=False)
    table: Path = writes("table to write (.md; .csv and .html beside it)")

    def run(self) -> None:
        from burnqed.report.catalogue import draw_data

        draw_data(self.report, self.figures, self.table)


if __name__ == "__main__":
    PlotData.start()
