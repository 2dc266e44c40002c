"""Train the rehearsal's small base model from scratch on a noisy share of the tactic pairs.

Run as: python workflow_scripts/train_base_model.py --help
"""

from pathlib import Path

from burnqed.config import ModelSettings, ScratchSettings
from burnqed.jobs.runner import Job, job, reads, writes


@job
class TrainBaseModel(Job):
    scratch: ScratchSettings
    model: ModelSettings
    pairs: Path = reads("tactic pairs to train on (.jsonl)")
    corpus: Path | None = reads("generated corpus, whose states and tactics it reads instead", optional=True)
    output: Path = writes("model folder to write")

    def run(self) -> None:
        from burnqed.data.extraction import corpus_traces
        from burnqed.records.pairs import read_pairs
        from burnqed.training.base import train_base_model

        source = self.corpus or self.pairs
        pairs = [p for t in corpus_traces(source) for p in t.pairs] if self.corpus else read_pairs(source)
        device = self.torch_device
        how = (self.scratch, self.model, self.seed, self.threads, device)
        self.extra["timing"] = train_base_model(pairs, source, self.output, *how).times


if __name__ == "__main__":
    TrainBaseModel.start()
