"""Merge an adapter into the unquantised base model, in float32, and check the result after reloading.

Run as: python workflow_scripts/merge_adapter.py --help
"""

from pathlib import Path

from burnqed.jobs.runner import Job, job, reads, writes


@job
class MergeAdapter(Job):
    base: Path = reads("base model folder, not quantised")
    adapter: Path = reads("adapter folder (train_sft.py)")
    output: Path = writes("model folder to write")

    def run(self) -> None:
        from burnqed.training.merge import merge_adapter

        self.use_threads()
        self.extra["merge"] = merge_adapter(self.base, self.adapter, self.output)


if __name__ == "__main__":
    MergeAdapter.start()
