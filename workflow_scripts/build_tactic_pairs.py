"""Build the tactic pairs, split by theorem, and the data report.

Run as: python workflow_scripts/build_tactic_pairs.py --help
"""

from pathlib import Path

from burnqed.config import DataSettings
from burnqed.jobs.runner import Job, job, option, reads, writes


@job
class BuildTacticPairs(Job):
    data: DataSettings
    sources: str = option("JSON: settings of the named sources in use", "")
    corpus: Path | None = reads("generated corpus (data.source corpus)", optional=True)
    theorems: Path = reads("search pool, checked for contamination")
    benchmarks: list[Path] = reads("held-out theorem indexes", optional=True)
    extracted: list[Path] = reads("files of extract_pairs.py, by source", optional=True)
    train: Path = writes("training pairs to write (.jsonl)")
    val: Path = writes("validation pairs to write (.jsonl)")
    report: Path = writes("data report to write (.json)")
    pool: Path | None = writes("theorems with deep proofs, to write (.json)", optional=True)

    def run(self) -> None:
        from burnqed.data.build import build_tactic_pairs
        from burnqed.data.sources import parse_sources

        build_tactic_pairs(
            self.data,
            self.corpus,
            self.theorems,
            self.benchmarks,
            self.seed,
            self.train,
            self.val,
            self.report,
            pool=self.pool,
            sources=parse_sources(self.sources),
            extracted=self.extracted,
        )


if __name__ == "__main__":
    BuildTacticPairs.start()
