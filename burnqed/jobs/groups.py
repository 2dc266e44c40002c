"""Process groups: a process that was started with ``start_new_session`` and all its children."""

from __future__ import annotations

import contextlib
import os


def signal_group(group: int, number: int) -> None:
    """Send a signal to all processes of a group; nothing happens when it is gone."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def group_lives(group: int) -> bool:
    """Return whether a process of the group still exists."""
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True
