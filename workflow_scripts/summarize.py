"""Gather all evaluations, gates and proofs of a run into summary.json.

Run as: python workflow_scripts/summarize.py --help
"""

from pathlib import Path

from burnqed.jobs.runner import Job, job, reads, writes


@job
class Summarize(Job):
    evals: list[Path] = reads("eval JSONs, baseline first, then by iteration")
    gates: list[Path] = reads("gate.json of each iteration", optional=True)
    proofs: list[Path] = reads("proofs.jsonl of each iteration", optional=True)
    output: Path = writes("summary.json")

    def run(self) -> None:
        from burnqed.files import write_json
        from burnqed.report.summary import summarize

        write_json(self.output, summarize(self.evals, self.gates, self.proofs))


if __name__ == "__main__":
    Summarize.start()
