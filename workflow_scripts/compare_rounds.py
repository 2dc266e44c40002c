"""Compare the rounds of expert iteration with round 0 and with their controls: table, CSV, figure.

Run as: python workflow_scripts/compare_rounds.py --help
"""

from pathlib import Path

from burnqed.config import EvaluationSettings
from burnqed.jobs.runner import Job, job, reads, writes


@job
class CompareRounds(Job):
    evaluation: EvaluationSettings
    evals: list[Path] = reads("eval files of all arms and seeds")
    proofs: list[Path] = reads("re-checked proofs of all rounds")
    output: Path = writes("table to write (.md) in the study's folder, above seed_S/ARM/; its CSV beside it")
    figure: Path = writes("figure to write (.svg); PNG and CSV beside it", sidecar=False)

    def run(self) -> None:
        from burnqed.experiments.figures_rounds import write_rounds

        write_rounds(self.output.parent, self.evals, self.proofs, self.evaluation, self.output, self.figure)


if __name__ == "__main__":
    CompareRounds.start()
