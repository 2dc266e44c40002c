"""Train adapter and energy head of one iteration together (training.mode joint).

Several GPUs: --processes N on one machine (the workflow's resource gpu); or `accelerate launch --multi_gpu
--num_processes N` in place of `python`, with its --num_machines for many (with --device cpu too, then without GPUs).

Run as: python workflow_scripts/train_joint.py --help
"""

from pathlib import Path

from burnqed.config import EBMSettings, EncoderSettings, JointSettings, ModelSettings, SFTSettings
from burnqed.jobs.runner import job, reads, writes
from burnqed.training.options import TrainingOptions


@job
class TrainJoint(TrainingOptions):
    joint: JointSettings
    sft: SFTSettings
    ebm: EBMSettings
    encoder: EncoderSettings
    model: ModelSettings
    previous: Path | None = reads("head of the iteration before, to start from; none: a new one", optional=True)
    head: Path = writes("head folder to write")

    def run(self) -> None:
        from burnqed.training.joint_job import train_joint

        result = train_joint(
            self.training_job(self.model),
            settings=self.joint,
            sft=self.sft,
            ebm=self.ebm,
            encoder=self.encoder,
            previous_head=self.previous,
            output=self.output,
            head_output=self.head,
        )
        self.extra["timing"] = result.times


if __name__ == "__main__":
    TrainJoint.start()
