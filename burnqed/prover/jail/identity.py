"""Who a worker is: an ordinary user inside, and outside never root."""

from __future__ import annotations

import os

INSIDE = 1000  # not 0: an exec by a user that is not root leaves every capability behind
# For workers that root starts. The kernel limits no process count of its own root, and files that only root may
# read stay closed to another user. The first lies outside the ranges that systems give to users and containers.
_OUTSIDE = (1_900_000_000, 65534)


def _has(table: str, number: int) -> bool:
    """Return whether our user namespace knows a user or group."""
    with open(f"/proc/self/{table}", encoding="ascii") as stream:
        ranges = [[int(word) for word in line.split()] for line in stream]
    return any(first <= number < first + count for first, _, count in ranges)


def outside() -> int | None:
    """Return the user that a worker started by root becomes; None to stay who we are, as others than root must.

    Root of a container that holds no other user is no root to the kernel, and stays who it is too.
    """
    if os.geteuid() != 0:
        return None
    return next((number for number in _OUTSIDE if _has("uid_map", number) and _has("gid_map", number)), None)


def write_maps(pid: int, other: int | None) -> None:
    """Say who a process in a new user namespace of ours is: ``INSIDE``, and root too where it may become another."""
    user, group = os.geteuid(), os.getegid()
    if other is None:
        _write(f"/proc/{pid}/setgroups", "deny")
    for name, own in (("uid_map", user), ("gid_map", group)):
        _write(f"/proc/{pid}/{name}", f"{INSIDE} {own} 1" if other is None else f"0 {own} 1\n{INSIDE} {other} 1")


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as stream:
        stream.write(text)


def become_inside() -> None:
    """Change from root of a new user namespace to the worker's user, for good."""
    os.setgroups([])
    os.setresgid(INSIDE, INSIDE, INSIDE)
    os.setresuid(INSIDE, INSIDE, INSIDE)
