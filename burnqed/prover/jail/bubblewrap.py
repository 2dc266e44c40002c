"""The same confinement, set up by bubblewrap (bwrap(1))."""

from __future__ import annotations

from burnqed.prover.jail.filesystem import DEVICE_LINKS, DEVICES
from burnqed.prover.jail.identity import INSIDE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def options(
    sources: Sequence[str], paths: Sequence[str], links: Mapping[str, str], scratch_mb: int, folder: str
) -> list[str]:
    """Return bubblewrap's options, without those for descriptors: ``sources[i]`` is shown as ``paths[i]``."""
    names = ("user", "pid", "net", "ipc", "uts", "cgroup-try")
    words = [*(f"--unshare-{name}" for name in names), "--uid", str(INSIDE), "--gid", str(INSIDE)]
    words += ["--die-with-parent", "--cap-drop", "ALL", "--size", str(scratch_mb << 20), "--perms", "1777"]
    words += ["--tmpfs", "/tmp"]
    for name, target in links.items():
        words += ["--symlink", target, name]
    for source, path in zip(sources, paths, strict=True):
        words += ["--ro-bind", source, path]
    words += ["--tmpfs", "/dev"]
    for device in DEVICES:
        words += ["--dev-bind", f"/dev/{device}", f"/dev/{device}"]
    for name, target in DEVICE_LINKS.items():
        words += ["--symlink", target, f"/dev/{name}"]
    words += ["--proc", "/proc", "--tmpfs", "/proc/sys"]
    for place in ("/proc/sys", "/proc", "/dev", "/"):
        words += ["--remount-ro", place]
    return [*words, "--chdir", folder]


def first_process(info: str) -> int:
    """Return the pid that bubblewrap tells of the first process inside; raise OSError when it told none."""
    digits = info.partition('"child-pid":')[2].lstrip()
    number = digits[: len(digits) - len(digits.lstrip("0123456789"))]
    if not number:
        raise OSError("bubblewrap set nothing up")
    return int(number)
