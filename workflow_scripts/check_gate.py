"""Hold the results of an iteration against the red lines.

Run as: python workflow_scripts/check_gate.py --help
"""

from pathlib import Path

from burnqed.config import GateSettings
from burnqed.jobs.runner import Job, job, option, reads, writes


@job
class CheckGate(Job):
    gates: GateSettings
    iteration: int = option("iteration to judge")
    start_only: bool = option("judge a small start: two evals, without and with --ebm", False)
    evals: list[Path] = reads("eval files up to this iteration")
    ebm: Path | None = reads("energy head of this iteration", optional=True)
    output: Path = writes("gate file to write (.json)")

    def run(self) -> None:
        from burnqed.evaluation.gates import judge

        judge(self.gates, self.iteration, self.evals, self.ebm, self.output, start_only=self.start_only)


if __name__ == "__main__":
    CheckGate.start()
