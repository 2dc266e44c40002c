"""Encode the states and goals of a run as mean-pooled hidden states of the policy model.

Run as: python workflow_scripts/encode_states.py --help
"""

from pathlib import Path

from burnqed.config import EncoderSettings
from burnqed.jobs.runner import Job, job, option, reads, writes


@job
class EncodeStates(Job):
    encoder: EncoderSettings
    quantization: str = option("weights of the model: none or nf4", "none")
    model_dir: Path = reads("merged policy model")
    pairs: Path | None = reads("tactic pairs whose states are encoded", optional=True)
    trajectories: list[Path] = reads("trajectories whose states and goals are encoded", optional=True)
    output: Path = writes("embeddings file to write")

    def run(self) -> None:
        from burnqed.value.embeddings import encode_texts

        self.extra["texts"] = encode_texts(
            self.pairs,
            self.trajectories,
            self.model_dir,
            self.encoder,
            self.torch_device,
            self.quantization,
            self.output,
            key={"threads": self.threads},
        )


if __name__ == "__main__":
    EncodeStates.start()
