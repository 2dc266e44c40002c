"""Merge the shards of a search into one trajectory file.

Run as: python workflow_scripts/merge_trajectories.py --help
"""

from pathlib import Path

from burnqed.jobs.runner import Job, job, reads, writes


@job
class MergeTrajectories(Job):
    shards: list[Path] = reads("trajectory files, each theorem in one only")
    output: Path = writes("merged trajectory file")

    def run(self) -> None:
        from burnqed.records.trajectories import merge_trajectories

        results = merge_trajectories(self.shards, self.output)
        self.extra |= {"searches": len(results), "proved": sum(result.proved for result in results)}


if __name__ == "__main__":
    MergeTrajectories.start()
