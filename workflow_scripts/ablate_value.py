"""Compare the ways of ordering a search with and without the energy head: table and figure.

Run as: python workflow_scripts/ablate_value.py --help
"""

from pathlib import Path

from burnqed.config import EvaluationSettings
from burnqed.jobs.runner import Job, job, reads, writes


@job
class AblateValue(Job):
    evaluation: EvaluationSettings
    evals: list[Path] = reads("eval files of all ways and seeds")
    heads: list[Path] = reads("folders of the heads they used")
    output: Path = writes("table to write (.md); the CSV of the same stem is written beside it")
    figure: Path = writes("figure to write (.svg); PNG and CSV beside it", sidecar=False)

    def run(self) -> None:
        from burnqed.experiments.figures_ablation import write_ablation

        write_ablation(self.evals, self.heads, self.evaluation, self.output, self.figure)


if __name__ == "__main__":
    AblateValue.start()
