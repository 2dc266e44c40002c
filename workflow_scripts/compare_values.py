"""Compare all values and orders with the policy's own order: table, CSV, figure.

Run as: python workflow_scripts/compare_values.py --help
"""

from pathlib import Path

from burnqed.config import EvaluationSettings, ValueLabSettings
from burnqed.jobs.runner import Job, job, reads, writes


@job
class CompareValues(Job):
    value_lab: ValueLabSettings
    evaluation: EvaluationSettings
    replays: list[Path] = reads("what each order found")
    refused: Path = reads("proofs that were refused")
    trajectories: list[Path] = reads("searches of training theorems")
    proofs: list[Path] = reads("their re-checked proofs")
    larger: Path = reads("the larger search that tests the labels")
    output: Path = writes("table to write (.md); its CSV beside it")
    figure: Path = writes("figure to write (.svg); PNG and CSV beside it", sidecar=False)

    def run(self) -> None:
        from burnqed.experiments.figures_value_lab import write_values

        write_values(
            self.replays,
            self.refused,
            self.trajectories,
            self.proofs,
            self.larger,
            self.value_lab,
            self.evaluation,
            self.output,
            self.figure,
        )


if __name__ == "__main__":
    CompareValues.start()
