"""Build the index of one held-out benchmark.

Run as: python workflow_scripts/build_benchmark.py --help
"""

from pathlib import Path

from burnqed.config import BenchmarkSettings
from burnqed.jobs.runner import Job, job, option, reads, writes


@job
class BuildBenchmark(Job):
    benchmark: BenchmarkSettings
    name: str = option("name of the benchmark, a key of `benchmarks`")
    sources: str = option("JSON: settings of the named sources in use", "")
    corpus: Path | None = reads("generated corpus (source corpus:benchmark)", optional=True)
    output: Path = writes("theorem index to write (.json)")

    def run(self) -> None:
        from burnqed.data.build import build_benchmark
        from burnqed.data.sources import parse_sources

        build_benchmark(self.name, self.benchmark, self.corpus, self.output, parse_sources(self.sources))


if __name__ == "__main__":
    BuildBenchmark.start()
