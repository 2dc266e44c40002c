"""Search for proofs of one shard of the training theorems and record every tactic tried.

Run as: python workflow_scripts/search_shard.py --help
"""

from pathlib import Path
from typing import Any, Literal

from burnqed.config import EncoderSettings, ModelSettings, PolicySettings, ProverSettings, SearchSettings
from burnqed.files import UserError, input_digest
from burnqed.jobs.runner import Job, job, option, reads, writes


@job
class SearchShard(Job):
    search: SearchSettings
    policy: PolicySettings
    encoder: EncoderSettings
    prover: ProverSettings
    model: ModelSettings
    quantization: str = option("weights of the encoder and in-process policy: none or nf4", "none")
    model_dir: Path = reads("the policy, which is also the encoder")
    ebm: Path | None = reads("energy head; without it the search follows the log-probability", optional=True)
    theorems: Path = reads("theorem index")
    iteration: int = option("iteration, for seeds and record")
    kind: Literal["main", "noisy", "negatives"] = option(
        "noisy: sample at search.noisy_temperature; negatives: try other tactics along known proofs", "main"
    )
    paths: Path | None = reads("kind negatives: trajectory file with the known proofs", optional=True)
    shard: int = option("number of the shard, 0 .. search.shards - 1")
    output: Path = writes("trajectory file of the shard")

    def run(self) -> None:
        from burnqed.records.theorems import read_theorem_index
        from burnqed.search.negatives import known_proofs
        from burnqed.search.run import run_search
        from burnqed.search.shards import select_shard

        if (self.paths is not None) != (self.kind == "negatives"):
            raise UserError("--kind negatives and --paths go together")
        theorems = select_shard(read_theorem_index(self.theorems).theorems, self.search, self.shard)
        proofs = known_proofs(self.paths, theorems) if self.paths is not None else None
        if proofs is not None:
            theorems = [theorem for theorem in theorems if theorem.name in {name for name, _ in proofs}]
        # An empty shard needs no model.
        generator, scorer = self.backends() if theorems else (None, None)
        run_search(
            theorems,
            generator=generator,
            scorer=scorer,
            prover=self.prover,
            settings=self.search,
            kind=self.kind,
            iteration=self.iteration,
            seed=self.seed,
            output=self.output,
            key={
                "model": input_digest(self.model_dir),
                "ebm": input_digest(self.ebm) if self.ebm else None,
                "policy": self.policy.science(),
                "encoder": self.encoder.science(),
                "model_settings": self.model.science(),
                "quantization": self.quantization,
            },
            extra=self.extra,
            close_backends=True,
            proofs=proofs,
            with_head=self.ebm is not None,
        )

    def backends(self) -> tuple[Any, Any]:
        """Return policy and value; a policy on a server with no value beside it needs no torch here.

        A walk along known proofs, and a search by log-probability, ask no value: then no encoder is loaded.
        """
        from burnqed.policy.backends import load_generator
        from burnqed.value.loading import load_scorer

        head = self.ebm if self.kind != "negatives" and self.search.priority != "logprob" else None
        in_process = self.policy.backend == "transformers" or head is not None
        device, scorer = self.torch_device if in_process else "cpu", None
        if head is not None:
            scorer = load_scorer(head, self.model_dir, self.encoder, device, self.quantization)
        return load_generator(self.model_dir, self.policy, self.model, device, self.quantization), scorer


if __name__ == "__main__":
    SearchShard.start()
