"""Search for proofs of one shard of the training theorems and record every tactic tried.

Run as: python workflow_scripts/search_shard.py --help
"""

from pathlib import Path
from typing import Literal

from burnqed.config import EncoderSettings, ModelSettings, PolicySettings, ProverSettings, SearchSettings
from burnqed.files import UserError
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
        from burnqed.search.plan import Searches
        from burnqed.search.run import run_search
        from burnqed.search.shards import select_shard
        from burnqed.search.stack import Stack

        if (self.paths is not None) != (self.kind == "negatives"):
            raise UserError("--kind negatives and --paths go together")
        theorems = select_shard(read_theorem_index(self.theorems).theorems, self.search, self.shard)
        proofs = known_proofs(self.paths, theorems) if self.paths is not None else None
        if proofs is not None:
            theorems = [theorem for theorem in theorems if theorem.name in {name for name, _ in proofs}]
        stack = Stack(
            search=self.search,
            policy=self.policy,
            encoder=self.encoder,
            prover=self.prover,
            model=self.model,
            quantization=self.quantization,
            model_dir=self.model_dir,
            ebm=self.ebm,
            device=self.device or "auto",
            threads=self.threads,
        )
        searches = Searches(theorems, self.kind, self.iteration, self.seed, proofs=proofs)
        run_search(stack, searches, self.output, self.extra)


if __name__ == "__main__":
    SearchShard.start()
