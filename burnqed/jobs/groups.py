"""Process groups: a process that was started with ``start_new_session`` and all its children."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal


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


async def end_group(process: asyncio.subprocess.Process) -> None:
    """Kill the group of asyncio's process and wait for its end.

    asyncio waits for the end of stdout too, and stops reading it when much is unread: the rest is read and dropped.
    """
    signal_group(process.pid, signal.SIGKILL)
    if process.stdout is not None:
        while await process.stdout.read(1 << 20):
            pass
    await process.wait()
