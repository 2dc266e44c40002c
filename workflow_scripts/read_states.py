"""Read all states of recorded trees with a frozen reader, once for all values that share it.

Run as: python workflow_scripts/read_states.py --help
"""

from pathlib import Path

from burnqed.config import EncoderSettings, ModelSettings
from burnqed.jobs.runner import Job, job, option, reads, writes


@job
class ReadStates(Job):
    encoder: EncoderSettings
    model: ModelSettings
    quantization: str = option("weights of the policy that is read: none or nf4", "none")
    model_dir: Path = reads("the policy")
    reader: str = option("pooled, prompt or free", "pooled")
    trajectories: list[Path] = reads("recorded trees")
    output: Path = writes("vectors of their states (.parquet)")

    def run(self) -> None:
        from burnqed.training.values import read_states
        from burnqed.value.readers import Policy

        policy = Policy(self.model_dir, self.model, self.encoder, self.torch_device, self.quantization)
        self.extra["states"] = read_states(self.trajectories, self.reader, policy, self.output)


if __name__ == "__main__":
    ReadStates.start()
