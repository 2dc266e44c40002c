"""Progress folders: finished pieces of an unfinished job.

They lie outside the declared outputs, are keyed by a digest of inputs and settings, and are locked by their owner.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from burnqed.files import UserError, digest, write_json
from burnqed.jobs.locks import Held, OwnerLock

logger = logging.getLogger(__name__)
PROGRESS = ".progress"
KEEP_PROGRESS = "BURNQED_KEEP_PROGRESS"


class ProgressFolder:
    """Finished pieces of an unfinished job: atomic files under a key, with an owner lock.

    The folder is ``<parent of artefact>/.progress/<artefact name>/<key>``. Pieces saved under
    another key (other inputs or settings) are never read, and are removed when this job finishes.

    Raises UserError when another live process holds the lock for longer than ``wait`` seconds.
    """

    def __init__(self, artifact: Path, key: Mapping[str, object], wait: float = 60.0) -> None:
        self.base = artifact.parent / PROGRESS / artifact.name
        self.path = self.base / digest(key)[:16]
        self._lock = OwnerLock(self.base / "owner.lock")
        self._acquire(wait)
        write_json(self.path / "key.json", dict(key))

    def _acquire(self, wait: float) -> None:
        try:
            self._lock.take()
        except Held as owner:
            logger.info("another process works on this artefact (%s); waiting up to %.0f s", owner, wait)
        else:
            return
        try:
            self._lock.take(wait)
        except Held as owner:
            raise UserError(
                f"{self.base}: another process works on this artefact ({owner}); wait for it or end it, then run again"
            ) from None

    def __truediv__(self, name: str) -> Path:
        return self.path / name

    def save(self, name: str, value: object) -> None:
        """Save one finished piece as JSON, atomically."""
        write_json(self.path / name, value)

    def load(self, name: str) -> Any | None:
        """Return a saved piece, or None when it is absent or damaged (then it is made again)."""
        try:
            return json.loads((self.path / name).read_text(encoding="utf-8"))
        except (FileNotFoundError, json.JSONDecodeError, UnicodeDecodeError):
            return None

    def names(self, pattern: str = "*") -> list[str]:
        """Return the names of the saved pieces, sorted."""
        return sorted(p.name for p in self.path.glob(pattern) if p.name != "key.json" and p.name[0] != ".")

    def close(self) -> None:
        """Give the lock up, keeping the pieces."""
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def finish(self) -> None:
        """Remove all pieces; call after the artefact has its final name.

        With BURNQED_KEEP_PROGRESS set they stay: the artefact is only safe when it is stored elsewhere.
        """
        if os.environ.get(KEEP_PROGRESS):
            self.close()
            return
        shutil.rmtree(self.base, ignore_errors=True)
        self.close()
        for parent in (self.base.parent,):
            if parent.exists() and not any(parent.iterdir()):
                parent.rmdir()
