"""Options that the jobs of fine-tuning and of joint training share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from burnqed.config import ModelSettings
from burnqed.jobs.runner import Job, job, option, reads, writes
from burnqed.training.processes import ran_in_processes

if TYPE_CHECKING:
    from burnqed.training.sft import TrainingJob


@job
class TrainingOptions(Job):
    """What a training reads and writes, and in how many processes."""

    quantization: Literal["none", "nf4"] = option("nf4: 4-bit base weights, for small cards", "none")
    iteration: int = option("number of the iteration")
    base: Path = reads("base model folder, not quantised")
    adapter: Path | None = reads("adapter to start from, of an earlier iteration", optional=True)
    pairs: Path = reads("tactic pairs to train on (.jsonl)")
    val: Path = reads("tactic pairs of held-out theorems (.jsonl)")
    trajectories: list[Path] = reads("trajectories of the earlier iterations (.parquet)", optional=True)
    proofs: list[Path] = reads("re-checked proofs of the earlier iterations (.jsonl)", optional=True)
    processes: int = option("processes that train together, one GPU each; 0: as many as --gpus", 0)
    output: Path = writes("adapter folder to write")

    def ran_elsewhere(self) -> bool:
        """Train in several processes when asked to."""
        return ran_in_processes(self.processes, self.gpus, self.torch_device)

    def training_job(self, model: ModelSettings) -> TrainingJob:
        """Return what a training reads, as one value."""
        from burnqed.training.sft import TrainingJob

        return TrainingJob(
            iteration=self.iteration,
            base=self.base,
            adapter=self.adapter,
            pairs_file=self.pairs,
            val_file=self.val,
            trajectories=self.trajectories,
            proofs=self.proofs,
            model_settings=model,
            quantization=self.quantization,
            seed=self.seed,
            threads=self.threads,
            device=self.torch_device,
        )
