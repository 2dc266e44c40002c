"""The kernel's calls that Python has no function for."""

from __future__ import annotations

import ctypes
import os
import signal
import struct

CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC = 0x00020000, 0x02000000, 0x04000000, 0x08000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWTIME = 0x10000000, 0x20000000, 0x40000000, 0x80
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
ATTR_RDONLY, ATTR_NOSUID, ATTR_NODEV = 1, 2, 4
PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 22, 24, 36, 38
_AT_FDCWD, _AT_RECURSIVE, _MNT_DETACH, _SECCOMP_MODE_FILTER = -100, 0x8000, 2, 2
_MOUNT_SETATTR = 442  # one number on all architectures
_NUMBERS = {"x86_64": (56, 155), "aarch64": (220, 41)}  # clone, pivot_root

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long
_held = ctypes.PyDLL(None, use_errno=True)  # keeps the interpreter's lock, which a copy of the process must hold
_held.syscall.restype = ctypes.c_long


def _check(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def machine() -> str:
    """Return the processor's name; raise OSError when it is one whose call numbers are not known here."""
    name = os.uname().machine
    if name not in _NUMBERS:
        raise OSError(f"no sandbox on {name}, only on {' and '.join(_NUMBERS)}")
    return name


def clone(flags: int) -> int:
    """Fork into new namespaces; return 0 in the child, its pid in the parent."""
    number = _NUMBERS[machine()][0]
    zero = ctypes.c_ulong(0)
    call = _held.syscall(ctypes.c_long(number), ctypes.c_ulong(flags | signal.SIGCHLD), zero, zero, zero, zero)
    return _check(int(call), "new namespaces")


def mount(source: str, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    """mount(2)."""
    words = [word.encode() if word is not None else None for word in (source, target, kind, data)]
    _check(_libc.mount(words[0], words[1], words[2], ctypes.c_ulong(flags), words[3]), f"mount on {target}")


def set_attributes(path: str, add: int, remove: int = 0, *, recursive: bool = False) -> None:
    """mount_setattr(2): add and remove attributes of a mount."""
    attributes = struct.pack("QQQQ", add, remove, 0, 0)
    call = _libc.syscall(
        ctypes.c_long(_MOUNT_SETATTR),
        ctypes.c_int(_AT_FDCWD),
        path.encode(),
        ctypes.c_uint(_AT_RECURSIVE if recursive else 0),
        attributes,
        ctypes.c_size_t(len(attributes)),
    )
    _check(call, f"mount_setattr on {path} (needs Linux 5.12)")


def change_root(folder: str) -> None:
    """Make a mounted folder the root and let go of the old one."""
    os.chdir(folder)
    _check(_libc.syscall(ctypes.c_long(_NUMBERS[machine()][1]), b".", b"."), "pivot_root")
    _check(_libc.umount2(b".", _MNT_DETACH), "umount of the old root")
    os.chdir("/")


def prctl(option: int, value: int, what: str) -> None:
    """prctl(2) with one number."""
    _check(_libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0), what)


def drop_capabilities() -> None:
    """Make sure that no program started from here on gains a capability or another user's rights."""
    for capability in range(64):
        if _libc.prctl(PR_CAPBSET_DROP, ctypes.c_ulong(capability), 0, 0, 0) != 0:
            break
    prctl(PR_SET_NO_NEW_PRIVS, 1, "no_new_privs")


def set_filter(program: bytes) -> None:
    """Put this process, and all it starts, under a seccomp filter."""
    text = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("HP", len(program) // 8, ctypes.addressof(text))
    _check(_libc.prctl(PR_SET_SECCOMP, ctypes.c_ulong(_SECCOMP_MODE_FILTER), header, 0, 0), "seccomp filter")


def die_with_parent(parent: int, number: int = signal.SIGKILL) -> None:
    """Have the kernel send this process a signal when its parent ends, however it ends."""
    prctl(PR_SET_PDEATHSIG, number, "parent-death signal")
    if os.getppid() != parent:
        os._exit(1)
