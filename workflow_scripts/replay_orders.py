"""Replay orders of expansion on recorded trees: those of a value, or without one the policy's own.

Run as: python workflow_scripts/replay_orders.py --help
"""

from pathlib import Path

from burnqed.config import EncoderSettings, EvaluationSettings, ModelSettings, PolicySettings, SearchSettings
from burnqed.jobs.runner import Job, job, option, reads, writes


@job
class ReplayOrders(Job):
    search: SearchSettings
    policy: PolicySettings
    encoder: EncoderSettings
    evaluation: EvaluationSettings
    model: ModelSettings
    quantization: str = option("weights of the policy that is read: none or nf4", "none")
    model_dir: Path = reads("the policy")
    value: Path | None = reads("folder of a value; without one the policy's own orders", optional=True)
    arm: str = option("its reader and target", "")
    vectors: Path | None = reads("what its reader has read of the trees already", optional=True)
    orders: list[str] = option("orders to replay with the value", ["energy", "tuned", "permuted"])
    trajectories: list[Path] = reads("recorded trees of the benchmark, one file for each sampling seed")
    proofs: list[Path] = reads("their re-checked proofs")
    sampling_seeds: list[int] = option("the sampling seeds, in the order of the files")
    output: Path = writes("what each order found (.json)")

    def run(self) -> None:
        from burnqed.experiments.value_lab import replay_policy, replay_values
        from burnqed.value.readers import Policy

        nodes, trees = max(self.evaluation.budgets), (self.trajectories, self.proofs, self.sampling_seeds)
        model = Policy(self.model_dir, self.model, self.encoder, self.torch_device, self.quantization)
        if self.value is None:
            replay_policy(*trees, self.search, self.policy, model, nodes, self.output)
        else:
            how = self.arm, self.seed, self.search, model, nodes, self.orders
            replay_values(self.value, *trees, *how, self.output, self.vectors)


if __name__ == "__main__":
    ReplayOrders.start()
