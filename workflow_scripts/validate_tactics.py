"""Replay a sample of tactic pairs through the prover and say whether each source is usable.

Run as: python workflow_scripts/validate_tactics.py --help
"""

from pathlib import Path

from burnqed.config import ProverSettings
from burnqed.jobs.runner import Job, job, option, reads, writes


@job
class ValidateTactics(Job):
    prover: ProverSettings
    pairs: list[Path] = reads("tactic pair files (.jsonl)")
    theorems: list[Path] = reads("theorem indexes with the statements")
    sample: int = option("theorems per source", 200)
    output: Path = writes("report to write (.json)")

    def run(self) -> None:
        from burnqed.data.replay import write_validation

        write_validation(self.pairs, self.theorems, self.prover, self.sample, self.seed, self.output)


if __name__ == "__main__":
    ValidateTactics.start()
