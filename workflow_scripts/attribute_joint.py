"""Compare separate and joint training of adapter and head over some seeds: table, CSV and JSON.

Run as: python workflow_scripts/attribute_joint.py --help
"""

from pathlib import Path

from burnqed.config import EvaluationSettings
from burnqed.jobs.runner import Job, job, reads, writes


@job
class AttributeJoint(Job):
    evaluation: EvaluationSettings
    runs: list[Path] = reads("folder of the attribution's run per seed")
    output: Path = writes("table to write (.md); its CSV and attribution.json beside it")

    def run(self) -> None:
        from burnqed.experiments.attribution import write_attribution

        write_attribution(self.runs, self.evaluation, self.output)


if __name__ == "__main__":
    AttributeJoint.start()
