"""Build the index of theorems that training searches on.

Run as: python workflow_scripts/build_theorem_index.py --help
"""

from pathlib import Path

from burnqed.config import DataSettings
from burnqed.jobs.runner import Job, job, option, reads, writes


@job
class BuildTheoremIndex(Job):
    data: DataSettings
    sources: str = option("JSON: settings of the named sources in use", "")
    corpus: Path | None = reads("generated corpus (data.source corpus)", optional=True)
    output: Path = writes("theorem index to write (.json)")

    def run(self) -> None:
        from burnqed.data.build import build_search_pool
        from burnqed.data.sources import parse_sources

        build_search_pool(self.data, self.corpus, self.output, parse_sources(self.sources))


if __name__ == "__main__":
    BuildTheoremIndex.start()
