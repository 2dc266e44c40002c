"""Encode the states and goals of a run as mean-pooled hidden states of the policy model.

Run as: python workflow_scripts/encode_states.py --help
"""

from pathlib import Path
from typing import Literal

from burnqed.config import EncoderSettings
from burnqed.jobs.runner import Job, job, option, reads, writes


@job
class EncodeStates(Job):
    encoder: EncoderSettings
    quantization: str = option("weights of the model: none or nf4", "none")
    model_dir: Path = reads("merged policy model")
    pairs: Path | None = reads("tactic pairs whose states are encoded", optional=True)
    states: Literal["labelled", "all"] = option(
        "of trajectories: labelled: what a contrastive group can hold; all: every state and goal", "all"
    )
    trajectories: list[Path] = reads("trajectories whose states and goals are encoded", optional=True)
    output: Path = writes("embeddings file to write")

    def run(self) -> None:
        from burnqed.value.embeddings import encode_texts

        self.extra["encoding"] = encode_texts(
            self.pairs,
            self.trajectories,
            self.model_dir,
            self.encoder,
            self.torch_device,
            self.quantization,
            self.output,
            key={"threads": self.threads},
            states=self.states,
        )


if __name__ == "__main__":
    EncodeStates.start()
