"""Merge an adapter into the unquantised base model, in float32, and check the result after reloading.

Run as: python workflow_scripts/merge_adapter.py --help
"""

from pathlib import Path
from typing import Literal

from burnqed.jobs.runner import Job, job, option, reads, writes


@job
class MergeAdapter(Job):
    base: Path = reads("base model folder, not quantised")
    adapter: Path = reads("adapter folder (train_sft.py)")
    output: Path = writes("model folder to write")
    how: Literal["merge", "serve"] = option("serve: keep base and adapter apart (policy.adapter)", "merge")

    def run(self) -> None:
        from burnqed.training.merge import keep_apart, merge_adapter

        self.use_threads()
        make = merge_adapter if self.how == "merge" else keep_apart
        self.extra["merge"] = make(self.base, self.adapter, self.output)


if __name__ == "__main__":
    MergeAdapter.start()
