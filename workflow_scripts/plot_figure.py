"""Draw one figure of the run as SVG, PNG and CSV.

Run as: python workflow_scripts/plot_figure.py --help
"""

from pathlib import Path

from burnqed.jobs.runner import Job, job, option, reads, writes


@job
class PlotFigure(Job):
    figure: str = option("which figure; solve_rate_BENCHMARK is that of a further benchmark")
    results: Path = option("results folder of the run")
    summary: Path = reads("summary.json of the run")
    output: Path = writes("SVG file; PNG and CSV of the same stem are written beside it")

    def run(self) -> None:
        from burnqed.report.catalogue import plot_figure

        plot_figure(self.figure, self.results, self.summary, self.output)


if __name__ == "__main__":
    PlotFigure.start()
