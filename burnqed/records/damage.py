"""What happens to rows of a source that cannot be read: stop the job, or skip and count them."""

from __future__ import annotations

import logging
from typing import Literal

from burnqed.files import UserError

logger = logging.getLogger(__name__)
EXAMPLES = 20


class RowError(UserError):
    """One row of a source cannot be used; the message names file and line (or entry)."""


class Damage:
    """Collects damaged rows. With ``stop`` the first one ends the job, with ``skip`` none does.

    ``max_bytes`` is the length above which a row counts as damaged: one endless line must not
    fill the memory. ``max_share`` is the share of damaged rows above which ``settle`` refuses a file.
    """

    def __init__(self, action: Literal["stop", "skip"] = "stop", max_row_mb: float = 8, max_share: float = 1.0) -> None:
        self.action = action
        self.max_share = max_share
        self.max_bytes = int(max_row_mb * (1 << 20))
        self.count = 0
        self.cut_short = ""
        self.examples: list[str] = []

    def report(self, message: str, cause: BaseException | None = None, cut_short: bool = False) -> None:
        """Count a damaged row; with ``stop`` raise RowError with the message and the remedy.

        ``cut_short``: nobody knows how many rows are lost with it.
        """
        if self.action == "stop":
            raise RowError(f"{message}; fix or remove it, or set data.on_damage: skip") from cause
        self.count += 1
        self.cut_short = self.cut_short or (message if cut_short else "")
        if len(self.examples) < EXAMPLES:
            self.examples.append(message)
            logger.warning("skipped: %s", message)

    def settle(self, entries: int, path: object) -> None:
        """Raise UserError when more than ``max_share`` of a file's entries are damaged, or it is cut short.

        With a ``max_share`` of 1 everything passes.
        """
        if self.cut_short and self.max_share < 1:
            raise UserError(f"{self.cut_short}; fetch it again")
        if self.count and self.count > self.max_share * max(entries, 1):
            raise UserError(
                f"{self.examples[0]}; {self.count} of {entries} entries of {path} are damaged, more than "
                f"max_damaged_share ({self.max_share:g}): fix the file, or raise that share in the benchmark's settings"
            )

    def row(self) -> dict[str, object]:
        """Return the entry of the data report."""
        return {"rows_skipped": self.count, "examples": self.examples}
