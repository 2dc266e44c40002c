"""Train a value on recorded trees, and find its weight in the search.

Run as: python workflow_scripts/train_value.py --help
"""

from pathlib import Path

from burnqed.config import (
    EBMSettings,
    EncoderSettings,
    EvaluationSettings,
    ModelSettings,
    SearchSettings,
    ValueSettings,
)
from burnqed.jobs.runner import Job, job, option, reads, writes


@job
class TrainValue(Job):
    value: ValueSettings
    ebm: EBMSettings
    encoder: EncoderSettings
    search: SearchSettings
    evaluation: EvaluationSettings
    model: ModelSettings
    quantization: str = option("weights of the policy that is read: none or nf4", "none")
    model_dir: Path = reads("the policy")
    trajectories: list[Path] = reads("searches of training theorems")
    proofs: list[Path] = reads("their re-checked proofs")
    vectors: Path | None = reads("what the reader has read of them already", optional=True)
    output: Path = writes("folder of the value")

    def run(self) -> None:
        from burnqed.training.values import make_value
        from burnqed.value.readers import Policy

        policy = Policy(self.model_dir, self.model, self.encoder, self.torch_device, self.quantization)
        nodes = max(self.evaluation.budgets)
        trees = self.trajectories, self.proofs
        how = self.value, self.ebm, self.search, policy, self.seed, nodes
        self.extra["value"] = make_value(*trees, *how, self.output, self.vectors)


if __name__ == "__main__":
    TrainValue.start()
