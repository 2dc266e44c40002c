"""What the launcher is asked for; for type checks alone, the launcher itself never imports it."""

from __future__ import annotations

from typing import TypedDict


class Spec(TypedDict):
    """What ``Sandbox.wrap`` asks for.

    ``memory`` is in bytes, 0 for no limit; ``paths`` and ``links`` (name to target) are what the worker sees;
    ``cwd`` is empty to stay where we are; ``bwrap`` is bubblewrap's program.
    """

    mode: str
    parent: int
    limits: dict[str, int]
    memory: int
    paths: list[str]
    links: dict[str, str]
    cwd: str
    bwrap: str
    scratch_mb: int
