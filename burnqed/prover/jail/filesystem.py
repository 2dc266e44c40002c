"""The file system of a worker: an empty root, into which what it needs is mounted, read-only."""

from __future__ import annotations

import os

from burnqed.prover.jail import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DEVICES = ("null", "zero", "full", "random", "urandom")
DEVICE_LINKS = {
    "fd": "/proc/self/fd",
    "stdin": "/proc/self/fd/0",
    "stdout": "/proc/self/fd/1",
    "stderr": "/proc/self/fd/2",
}
BASE = "/tmp"  # where the new root is put together; every system has it
_CLOSED = system.MS_NOSUID | system.MS_NODEV


def _open(paths: Sequence[str]) -> list[int]:
    """Return descriptors of paths, which go on naming them when something is mounted above."""
    return [os.open(path, os.O_PATH | os.O_CLOEXEC) for path in paths]


def _bind(descriptor: int, target: str) -> None:
    source = f"/proc/self/fd/{descriptor}"
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    elif not os.path.exists(target):  # opening what is there already could fail: a running program is busy
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "a", encoding="ascii"):
            pass
    system.mount(source, target, None, system.MS_BIND | system.MS_REC)
    os.close(descriptor)


def _begin() -> None:
    """Keep all mounts from now on to this namespace, and put an empty file system at ``BASE``."""
    system.mount("none", "/", None, system.MS_REC | system.MS_PRIVATE)
    system.mount("none", BASE, "tmpfs", _CLOSED, "size=1m,nr_inodes=4096,mode=0755")


def stage(paths: Sequence[str]) -> list[str]:
    """Mount paths side by side where every user can reach them; return where."""
    opened = _open(paths)
    _begin()
    places = [f"{BASE}/{number}" for number in range(len(paths))]
    for descriptor, place in zip(opened, places, strict=True):
        _bind(descriptor, place)
    return places


def build_root(paths: Sequence[str], links: Mapping[str, str], scratch_mb: int) -> None:
    """Make a new root and enter it: ``paths`` read-only, ``links``, a scratch ``/tmp``, ``/proc`` and five devices."""
    opened = _open([*paths, *(f"/dev/{name}" for name in DEVICES), "/proc/self"])
    own = opened.pop()
    devices, opened = opened[len(paths) :], opened[: len(paths)]
    _begin()
    for name in ("tmp", "dev", "proc"):
        os.mkdir(f"{BASE}/{name}")
    system.mount("none", f"{BASE}/tmp", "tmpfs", _CLOSED, f"size={scratch_mb}m,nr_inodes=65536,mode=1777")
    for name, target in links.items():
        os.symlink(target, BASE + name)
    for path, descriptor in zip(paths, opened, strict=True):
        _bind(descriptor, BASE + path)
    _mount_proc(own)
    system.set_attributes(BASE, system.ATTR_RDONLY | system.ATTR_NOSUID | system.ATTR_NODEV, recursive=True)
    system.set_attributes(f"{BASE}/tmp", 0, system.ATTR_RDONLY)
    _make_devices(devices)
    system.change_root(BASE)


def _make_devices(descriptors: Sequence[int]) -> None:
    system.mount("none", f"{BASE}/dev", "tmpfs", system.MS_NOSUID, "size=64k,nr_inodes=64,mode=0755")
    for name, descriptor in zip(DEVICES, descriptors, strict=True):
        _bind(descriptor, f"{BASE}/dev/{name}")
    for name, target in DEVICE_LINKS.items():
        os.symlink(target, f"{BASE}/dev/{name}")
    system.set_attributes(f"{BASE}/dev", system.ATTR_RDONLY)


def _mount_proc(own: int) -> None:
    """Mount a ``/proc`` that shows the worker's processes and nothing of the kernel."""
    try:
        flags = system.MS_RDONLY | _CLOSED | system.MS_NOEXEC
        system.mount("proc", f"{BASE}/proc", "proc", flags, "subset=pid")
        os.close(own)
    except OSError:
        # A container that masks parts of its /proc forbids a fresh one. Lean looks for its own program there.
        _bind(own, f"{BASE}/proc/self")
