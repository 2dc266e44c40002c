"""Re-check every proof that a replayed order found.

Run as: python workflow_scripts/check_orders.py --help
"""

from pathlib import Path

from burnqed.config import ProverSettings, VerifySettings
from burnqed.jobs.runner import Job, job, reads, writes


@job
class CheckOrders(Job):
    prover: ProverSettings
    verify: VerifySettings
    benchmark: Path = reads("theorem index of the benchmark")
    replays: list[Path] = reads("what each order found")
    output: Path = writes("proofs that were refused (.json)")

    def run(self) -> None:
        from burnqed.experiments.value_lab import refused_proofs
        from burnqed.files import write_json

        prover = self.prover.model_copy(update={"workers": max(self.prover.workers, self.threads)})
        refused, checked = refused_proofs(self.replays, self.benchmark, prover, self.verify)
        self.extra["checked"] = checked
        write_json(self.output, refused)


if __name__ == "__main__":
    CheckOrders.start()
