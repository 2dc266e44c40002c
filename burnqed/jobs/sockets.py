"""Folders for socket files, which only their user can open."""

from __future__ import annotations

import tempfile
from pathlib import Path

LONGEST = 60  # characters of the folder for temporary files; the kernel takes 107 with names and socket


def socket_folder(prefix: str) -> Path:
    """Make a folder for a socket and return it: in /tmp where the folder for temporary files has too long a name."""
    temporary = tempfile.gettempdir()
    return Path(tempfile.mkdtemp(prefix=prefix, dir=temporary if len(temporary) < LONGEST else "/tmp"))
