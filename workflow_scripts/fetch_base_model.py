"""Fetch the pinned snapshot of the pretrained base model, or link a local model folder.

Run as: python workflow_scripts/fetch_base_model.py --help
"""

from pathlib import Path

from burnqed.config import ModelSettings
from burnqed.files import UserError
from burnqed.jobs.runner import Job, job, writes


@job
class FetchBaseModel(Job):
    model: ModelSettings
    output: Path = writes("model folder to write")

    def run(self) -> None:
        from burnqed.training.fetch import fetch_model

        if self.model.kind != "pretrained":
            raise UserError(f"model.kind: '{self.model.kind}' is trained here, not fetched; use train_base_model.py")
        self.extra["snapshot"] = fetch_model(self.model.repository, self.model.revision, self.output)


if __name__ == "__main__":
    FetchBaseModel.start()
