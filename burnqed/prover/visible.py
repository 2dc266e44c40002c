"""What a confined worker sees of the file system: the loader's libraries, its program, and what that reads."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import burnqed
from burnqed.files import UserError

# Programs and libraries that every user of a machine may read; nothing of /etc, /var, /run, /opt or the homes.
_SYSTEM = tuple(f"{root}/{name}" for root in ("", "/usr") for name in ("bin", "lib", "lib32", "lib64", "libx32"))
_STORES = ("/etc/ld.so.cache", "/nix/store", "/gnu/store")
_SEARCH = ("PYTHONPATH", "LEAN_PATH", "LEAN_SYSROOT", "LD_LIBRARY_PATH")
_PACKAGE = Path(burnqed.__file__).resolve().parent
_BROAD = frozenset(
    "/ /boot /dev /etc /home /media /mnt /opt /proc /root /run /srv /sys /tmp /usr /var /var/tmp".split()
)


@functools.cache
def system_paths() -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the system's folders that a worker sees, and the links among them (name to target)."""
    links = {place: _relative(Path(place)) for place in _SYSTEM if Path(place).is_symlink()}
    return tuple(place for place in (*_SYSTEM, *_STORES) if place not in links and Path(place).exists()), links


def _relative(link: Path) -> str:
    """Return where a link leads, seen from its folder: that is the same while the root is elsewhere."""
    return os.path.relpath(link.parent / link.readlink(), link.parent)


def _python_paths(program: str) -> list[str]:
    """Return what this Python needs to start, when it is the program."""
    if os.path.realpath(program) != os.path.realpath(sys.executable):
        return []
    libraries = [f"{sys.base_prefix}/{name}" for name in ("lib", "lib64")]
    return [*libraries, f"{sys.prefix}/pyvenv.cfg"]


def _with_links(path: str) -> list[str]:
    """Return a path and all it leads to, link by link."""
    found = [os.path.normpath(path)]
    while Path(found[-1]).is_symlink():
        here = Path(found[-1])
        found.append(str(here.parent.resolve() / here.readlink()))
    return [*found, os.path.realpath(path)]


def _whole(paths: Iterable[str]) -> list[str]:
    """Return the existing ones, without those inside another one, and what links among them lead to."""
    real = {os.path.normpath(place) for path in paths if Path(path).exists() for place in _with_links(path)}
    folders = {path for path in real if Path(path).is_dir()}
    return sorted(path for path in real if not any(str(parent) in folders for parent in Path(path).parents))


def _search_paths(environment: Mapping[str, str]) -> list[str]:
    """Return the folders in which a program looks for modules and libraries; of our own, our package alone."""
    parts = [part for name in _SEARCH for part in environment.get(name, "").split(os.pathsep)]
    return [str(_PACKAGE) if part == str(_PACKAGE.parent) else part for part in parts if Path(part).is_absolute()]


def _above(path: Path) -> list[Path]:
    """Return a path and the folders above it, as named and as they are when a folder is a link (/bin to usr/bin)."""
    resolved = path.parent.resolve() / path.name
    return [path, *path.parents, resolved, *resolved.parents]


def _check_narrow(path: str) -> None:
    home = os.path.realpath(Path.home())
    if path in _BROAD or (home != "/" and (home + "/").startswith(path + "/")):
        raise UserError(
            f"sandbox: a worker would see all of {path}, and with it files that are no business of a proof; "
            "move the Lean project, or what LEAN_PATH names, to a folder of its own"
        )


def visible_paths(
    argv: Sequence[str], environment: Mapping[str, str], folder: Path | None, read_only: Sequence[Path] = ()
) -> list[str]:
    """Return the paths that a worker sees besides the system's, none inside another.

    They are the absolute ones among its words and in its search paths, its working folder, and ``read_only``.
    Raises UserError when one of them is as broad as a home folder.
    """
    paths = [argument for argument in argv if Path(argument).is_absolute()]
    paths += [str(path.absolute()) for path in (*read_only, *([folder] if folder else []))]
    found = _whole([*paths, *_search_paths(environment), *_python_paths(argv[0])])
    for path in found:
        _check_narrow(path)
    system = set(system_paths()[0])
    return [path for path in found if not any(str(place) in system for place in _above(Path(path)))]
