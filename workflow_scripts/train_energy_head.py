"""Train the energy head contrastively on the states of earlier searches.

Run as: python workflow_scripts/train_energy_head.py --help
"""

import logging
from pathlib import Path

from burnqed.config import EBMSettings
from burnqed.jobs.runner import Job, job, reads, writes

TOLD = ("rank1", "chance", "sibling_rank1", "sibling_chance")


@job
class TrainEnergyHead(Job):
    ebm: EBMSettings
    embeddings: Path = reads("vectors of the states of the trajectories")
    trajectories: list[Path] = reads("trajectories to learn from")
    proofs: list[Path] = reads("their re-checked proofs")
    previous: Path | None = reads("head of the iteration before, continued if its encoder is the same", optional=True)
    output: Path = writes("folder of the head to write")

    def run(self) -> None:
        from burnqed.files import input_digest
        from burnqed.training.head import load_training_data, train_head

        device, log = self.torch_device, logging.getLogger("head")
        found = (self.embeddings, self.trajectories, self.proofs)
        data = load_training_data(*found, self.ebm, self.seed, device)
        log.info("groups: %s", data.groups.counts)
        key = {"inputs": {str(path): input_digest(path) for path in self.inputs}, "threads": self.threads}
        metrics = train_head(data, self.ebm, self.seed, device, self.output, key, self.previous, in_place=True)
        self.extra["rank1"] = metrics["rank1"]
        text = "held-out rank-1 %s (chance %s), among siblings %s (chance %s)"
        log.info(text, *(metrics[name] for name in TOLD))


if __name__ == "__main__":
    TrainEnergyHead.start()
