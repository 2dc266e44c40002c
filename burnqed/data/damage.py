"""What happens to rows of a source that cannot be read: stop the job, or skip and count them."""

from __future__ import annotations

import logging
from typing import Literal

from burnqed.artifacts import UserError

logger = logging.getLogger(__name__)
EXAMPLES = 20


class RowError(UserError):
    """One row of a source cannot be used; the message names file and line (or entry)."""


class Damage:
    """Collects damaged rows. With ``stop`` the first one ends the job.

    ``max_bytes`` is the length above which a row counts as damaged: one endless line must not
    fill the memory.
    """

    def __init__(self, action: Literal["stop", "skip"] = "stop", max_row_mb: float = 8) -> None:
        self.action = action
        self.max_bytes = int(max_row_mb * (1 << 20))
        self.count = 0
        self.examples: list[str] = []

    def report(self, message: str, cause: BaseException | None = None) -> None:
        """Count a damaged row; with ``stop`` raise RowError with the message and the mend."""
        if self.action == "stop":
            raise RowError(f"{message}; mend or remove it, or set data.on_damage: skip") from cause
        self.count += 1
        if len(self.examples) < EXAMPLES:
            self.examples.append(message)
            logger.warning("skipped: %s", message)

    def row(self) -> dict[str, object]:
        """Return the entry of the data report."""
        return {"rows_skipped": self.count, "examples": self.examples}
