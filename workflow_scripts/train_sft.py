"""Fine-tune the policy of one iteration with LoRA (QLoRA with --quantization nf4).

Several GPUs: --processes N on one machine (the workflow's resource gpu); or `accelerate launch --multi_gpu
--num_processes N` in place of `python`, with its --num_machines for many (with --device cpu too, then without GPUs).

Run as: python workflow_scripts/train_sft.py --help
"""

from burnqed.config import ModelSettings, SFTSettings
from burnqed.jobs.runner import job
from burnqed.training.options import TrainingOptions


@job
class TrainSFT(TrainingOptions):
    sft: SFTSettings
    model: ModelSettings

    def run(self) -> None:
        from burnqed.training.sft import train_sft

        self.extra["timing"] = train_sft(self.training_job(self.model), self.sft, self.output).times


if __name__ == "__main__":
    TrainSFT.start()
