"""Turn one source (whole proofs, a Lean project, a traced repository) into theorems with tactics.

Run as: python workflow_scripts/extract_pairs.py --help
"""

from pathlib import Path

from burnqed.config import DataSettings, ProverSettings
from burnqed.jobs.runner import Job, job, option, writes


@job
class ExtractPairs(Job):
    data: DataSettings
    prover: ProverSettings
    sources: str = option("JSON: settings of the named sources", "")
    source: str = option("name of the source, or a Lean project's folder")
    output: Path = writes("theorems with tactics to write (.jsonl)")
    failures: Path = writes("texts that failed, to write (.json)")

    def run(self) -> None:
        from burnqed.data.build import extract_source
        from burnqed.data.sources import parse_sources

        sources = parse_sources(self.sources)
        report = extract_source(self.source, sources, self.data, self.prover, self.output, self.failures)
        self.extra["extraction"] = {key: report[key] for key in report if key != "failed"}


if __name__ == "__main__":
    ExtractPairs.start()
