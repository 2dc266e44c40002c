"""Evaluate a model, with or without its energy head, on a held-out benchmark.

Run as: python workflow_scripts/evaluate.py --help
"""

from pathlib import Path
from typing import Literal

from burnqed.config import (
    EncoderSettings,
    EvaluationSettings,
    ModelSettings,
    PolicySettings,
    ProverSettings,
    SearchSettings,
    VerifySettings,
)
from burnqed.jobs.runner import Job, job, option, reads, writes


@job
class Evaluate(Job):
    evaluation: EvaluationSettings
    search: SearchSettings
    policy: PolicySettings
    encoder: EncoderSettings
    prover: ProverSettings
    verify: VerifySettings
    model: ModelSettings
    quantization: str = option("weights of the model: none or nf4", "none")
    model_dir: Path = reads("policy model")
    ebm: Path | None = reads("energy head (variant llm_ebm)", optional=True)
    shuffled: Path | None = reads(
        "trajectories of the same search with this head: use its energies permuted between states (a control)",
        optional=True,
    )
    recorded: Path | None = reads(
        "trajectories of the same model, seed and sampling in another order: take their candidates and answers over",
        optional=True,
    )
    benchmark: Path = reads("theorem index of the benchmark")
    label: str = option("baseline or iter_I")
    variant: Literal["llm", "llm_ebm"] = option("without or with the energy head")
    output: Path = writes("eval file to write (.json)")
    trajectories: Path = writes("trajectories to write (.parquet)")

    def run(self) -> None:
        from burnqed.evaluation.evals import eval_before, eval_table
        from burnqed.evaluation.run import ProverStack, evaluate

        stack = ProverStack(
            search=self.search,
            policy=self.policy,
            encoder=self.encoder,
            prover=self.prover,
            verify=self.verify,
            model=self.model,
            quantization=self.quantization,
            model_dir=self.model_dir,
            ebm=self.ebm,
            device=self.device or "auto",
            threads=self.threads,
            shuffled=self.shuffled,
            recorded=self.recorded,
        )
        result = evaluate(
            stack,
            self.evaluation,
            benchmark=self.benchmark,
            label=self.label,
            variant=self.variant,
            seed=self.seed,
            output=self.output,
            trajectories=self.trajectories,
            extra=self.extra,
        )
        print(f"{self.label}, {self.variant}, on {result['benchmark']['name']}")
        before = eval_before(self.output, self.label, self.variant, result["benchmark"])
        print(eval_table(result, self.extra["timing"], before))


if __name__ == "__main__":
    Evaluate.start()
