"""Find which proofs no longer compile with the prover in use, and apply tables of renames.

Run as: python workflow_scripts/migrate_proofs.py --help
"""

import logging
from collections import Counter
from pathlib import Path

from burnqed.config import ProverSettings
from burnqed.jobs.runner import Job, job, option, reads, writes


@job
class MigrateProofs(Job):
    prover: ProverSettings
    proofs: Path = reads("Lean project folder, or a file of whole proofs")
    renames: list[Path] = reads("CSV tables old,new; applied in this order", optional=True)
    timeout: float = option("seconds per text", 300.0)
    folder: Path | None = writes("write every text that compiles here", optional=True, sidecar=False)
    output: Path = writes("report to write (.json)")

    def run(self) -> None:
        from burnqed.data.migration import migrate, read_renames
        from burnqed.data.whole_proofs import project_files, read_proofs
        from burnqed.records.damage import Damage

        tables = [(path.name, read_renames(path)) for path in self.renames]
        is_project = self.proofs.is_dir()
        texts = project_files(self.proofs) if is_project else list(read_proofs(self.proofs, Damage("skip"), Counter()))
        for step in migrate(texts, tables, self.prover, self.timeout, self.output, self.folder)["steps"]:
            logging.getLogger("migration").info("%s", step)


if __name__ == "__main__":
    MigrateProofs.start()
