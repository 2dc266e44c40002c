"""Ending process groups."""

from __future__ import annotations

import asyncio
import sys

from burnqed.jobs.groups import end_group, group_lives

BABBLE = "import sys\nwhile True: sys.stdout.write('x' * 65536)"


async def _babbler() -> tuple[int, int | None]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", BABBLE, stdout=asyncio.subprocess.PIPE, start_new_session=True
    )
    assert process.stdout is not None
    await process.stdout.read(1)
    await asyncio.sleep(0.5)  # now asyncio has stopped reading: its buffer is full
    await asyncio.wait_for(end_group(process), 300)
    return process.pid, process.returncode


def test_a_process_with_unread_output_ends() -> None:
    pid, status = asyncio.run(_babbler())
    assert status == -9
    assert not group_lives(pid)
