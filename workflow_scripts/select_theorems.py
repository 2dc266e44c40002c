"""Choose the theorems that a round searches: fresh ones, and unsolved ones that came nearest.

Run as: python workflow_scripts/select_theorems.py --help
"""

import logging
from pathlib import Path

from burnqed.config import SearchSettings
from burnqed.jobs.runner import Job, job, reads, writes


@job
class SelectTheorems(Job):
    search: SearchSettings
    theorems: Path = reads("theorem index")
    pairs: Path = reads("tactic pairs; their theorems are not searched")
    trajectories: list[Path] = reads("searches of the rounds before", optional=True)
    proofs: list[Path] = reads("their re-checked proofs", optional=True)
    output: Path = writes("theorem index of the round")

    def run(self) -> None:
        from burnqed.search.rounds import select_theorems

        found = (self.theorems, self.pairs, self.trajectories, self.proofs)
        counts = self.extra["theorems"] = select_theorems(*found, self.search, self.output)
        logging.getLogger("theorems").info("theorems of this round: %s", counts)


if __name__ == "__main__":
    SelectTheorems.start()
