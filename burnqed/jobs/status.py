"""The status file of a running job, read by the progress display; never an artefact."""

from __future__ import annotations

import time
from pathlib import Path
from types import TracebackType
from typing import Self

from burnqed.files import write_json
from burnqed.jobs.progress import PROGRESS


class StatusFile:
    """``.progress/status-NAME.json`` beside an artefact while a job makes it.

    Rewritten at most once per second; removed on leaving, also after a failure.
    """

    def __init__(self, artifact: Path) -> None:
        self.path = artifact.parent / PROGRESS / f"status-{artifact.name}.json"
        self._next = 0.0

    def update(self, *, force: bool = False, **values: object) -> None:
        """Write the values when the last write is at least a second old, or when forced."""
        now = time.monotonic()
        if force or now >= self._next:
            write_json(self.path, values)
            self._next = now + 1.0

    def remove(self) -> None:
        """Remove the file."""
        self.path.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.remove()
