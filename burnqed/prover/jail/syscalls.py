"""The system calls that a confined worker may not make, as a seccomp filter in classic BPF.

It is the second wall: what it refuses is useless inside the namespaces already, or is a way to hold memory that
no one counts, or a part of the kernel in which holes are often found. Sources: seccomp(2), the call numbers in
the kernel's ``asm/unistd_64.h`` (x86-64) and ``asm-generic/unistd.h`` (arm64).
"""

from __future__ import annotations

import errno
import struct

from burnqed.prover.jail import system

_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # column below, AUDIT_ARCH

# name: number on x86-64, on arm64
_REFUSED = {
    # sockets of any family: network, Unix, vsock, netlink; buffers of socket pairs
    "socket": (41, 198),
    "socketpair": (53, 199),
    "connect": (42, 203),
    "bind": (49, 200),
    # memory that belongs to no process
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    # other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    # namespaces and mounts
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "open_by_handle_at": (304, 265),
    "quotactl": (179, 60),
    # the kernel itself
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "fanotify_init": (300, 262),
    "syslog": (103, 116),
    "acct": (163, 89),
    "swapon": (167, 224),
    "reboot": (169, 142),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
}
# As if the kernel did not know them: callers then use what the filter can look into.
_UNKNOWN = {"clone3": (435, 435), "io_uring_setup": (425, 425)}
_CLONE, _IOCTL = (56, 220), (16, 29)
_NAMESPACES = (
    system.CLONE_NEWNS
    | system.CLONE_NEWCGROUP
    | system.CLONE_NEWUTS
    | system.CLONE_NEWIPC
    | system.CLONE_NEWUSER
    | system.CLONE_NEWPID
    | system.CLONE_NEWNET
)
_TYPED_INPUT = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX: put words into the terminal's input

_LOAD, _EQUAL, _LEAST, _ANY, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCH, _ARG0, _ARG1 = 0, 4, 16, 24  # places in struct seccomp_data; low halves of the arguments
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000


def _step(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("HBBI", code, yes, no, value)


def _refuse_if(test: int, value: int, error: int) -> bytes:
    return _step(test, value, 0, 1) + _step(_RETURN, _ERRNO | error)


def _argument(number: int, place: int, tests: bytes) -> bytes:
    """Look at one argument of one call; all others pass on to what follows."""
    body = _step(_LOAD, place) + tests + _step(_RETURN, _ALLOW)
    return _step(_EQUAL, number, 0, len(body) // 8) + body


def program(machine: str) -> bytes:
    """Return the filter for a processor, as an array of ``struct sock_filter``."""
    column, architecture = _ARCHITECTURES[machine]
    text = _step(_LOAD, _ARCH) + _step(_EQUAL, architecture, 1, 0) + _step(_RETURN, _KILL) + _step(_LOAD, _NUMBER)
    if machine == "x86_64":
        text += _refuse_if(_LEAST, 0x40000000, errno.ENOSYS)  # the same calls once more, by x32 numbers
    for numbers in _REFUSED.values():
        text += _refuse_if(_EQUAL, numbers[column], errno.EPERM)
    for numbers in _UNKNOWN.values():
        text += _refuse_if(_EQUAL, numbers[column], errno.ENOSYS)
    text += _argument(_CLONE[column], _ARG0, _refuse_if(_ANY, _NAMESPACES, errno.EPERM))
    typed = b"".join(_refuse_if(_EQUAL, value, errno.EPERM) for value in _TYPED_INPUT)
    return text + _argument(_IOCTL[column], _ARG1, typed) + _step(_RETURN, _ALLOW)
