"""Check every proof a search found again, as a whole, in fresh processes.

Run as: python workflow_scripts/verify_proofs.py --help
"""

from pathlib import Path

from burnqed.config import ProverSettings, VerifySettings
from burnqed.jobs.runner import Job, job, option, reads, writes


@job
class VerifyProofs(Job):
    verify: VerifySettings
    prover: ProverSettings
    theorems: Path = reads("theorem index that was searched")
    trajectories: Path = reads("trajectories.parquet of the iteration")
    iteration: int = option("iteration the proofs belong to")
    output: Path = writes("proofs.jsonl to write")
    lean: Path = writes("proofs.lean to write")

    def run(self) -> None:
        from burnqed.prover.recheck import recheck
        from burnqed.prover.toolchain import find_toolchain

        how = (self.iteration, self.prover, self.verify, self.output, self.lean)
        found = recheck(self.trajectories, self.theorems, *how)
        self.extra["verification"] = {**found, "lean": find_toolchain(self.prover, self.verify.toolchain).version}


if __name__ == "__main__":
    VerifyProofs.start()
