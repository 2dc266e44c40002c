"""Generate the theorem corpus and check its proofs with Lean.

Run as: python workflow_scripts/build_corpus.py --help
"""

from pathlib import Path

from burnqed.config import DataSettings, ProverSettings, VerifySettings
from burnqed.files import UserError
from burnqed.jobs.runner import Job, job, writes


@job
class BuildCorpus(Job):
    data: DataSettings
    prover: ProverSettings
    verify: VerifySettings
    output: Path = writes("corpus to write (.jsonl)")

    def run(self) -> None:
        from burnqed.data.build import build_corpus

        if self.data.source != "corpus":
            raise UserError(f"data.source: '{self.data.source}'; theorems are generated only with corpus")
        self.extra["corpus"] = build_corpus(self.data, self.prover, self.verify, self.seed, self.output)


if __name__ == "__main__":
    BuildCorpus.start()
