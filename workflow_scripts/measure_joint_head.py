"""Make an iteration's energy head of a jointly trained one: bind it to the merged model's embeddings and measure it.

Run as: python workflow_scripts/measure_joint_head.py --help
"""

import logging
from pathlib import Path

from burnqed.config import EBMSettings
from burnqed.jobs.runner import Job, job, reads, writes

TOLD = ("rank1", "chance", "sibling_rank1", "sibling_chance", "centroid_l2")


@job
class MeasureJointHead(Job):
    ebm: EBMSettings
    head: Path = reads("head folder that train_joint.py wrote")
    embeddings: Path = reads("vectors of the states of the trajectories")
    trajectories: list[Path] = reads("trajectories it learned from")
    proofs: list[Path] = reads("their re-checked proofs")
    output: Path = writes("folder of the head to write")

    def run(self) -> None:
        from burnqed.training.joint_job import measure_joint_head

        device = self.torch_device
        found = (self.head, self.embeddings, self.trajectories, self.proofs, self.output)
        metrics = measure_joint_head(*found, self.ebm, self.seed, device)
        text = "held-out rank-1 %s (chance %s), among siblings %s (chance %s); centroid_l2 %s"
        logging.getLogger("head").info(text, *(metrics[name] for name in TOLD))


if __name__ == "__main__":
    MeasureJointHead.start()
