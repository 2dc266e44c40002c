"""Confine this process, then become the program given: ``jail.py SPEC_JSON PROGRAM ARGUMENTS...``.

Run as a program of its own (standard library only, no site-packages), because a multi-threaded
parent cannot enter namespaces safely between fork and exec. The specification's keys: ``parent``
(pid whose death kills us), ``limits`` (name of an RLIMIT -> value), ``namespaces`` (bool),
``visible`` (paths that stay visible below the masked folders), ``hidden`` (paths that are covered),
``cwd``, ``tmp_mb``.

With namespaces the program sees no network, no other process, a read-only file system, a fresh
``/tmp`` in memory of ``tmp_mb`` MiB, and only harmless devices; it holds no capability and cannot
gain one. Sources: user_namespaces(7), mount_setattr(2), capabilities(7).
"""

# pathlib would add to the start-up time of every worker
# ruff: noqa: PTH103, PTH110, PTH112, PTH114, PTH120, PTH123, PTH211, SIM105

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import struct
import sys

PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 24, 38
CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC = 0x00020000, 0x04000000, 0x08000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
ATTR_RDONLY, ATTR_NOSUID, ATTR_NODEV = 1, 2, 4
AT_FDCWD, AT_RECURSIVE, SYS_MOUNT_SETATTR = -100, 0x8000, 442  # one number on all architectures
MASKED = ("/tmp", "/run", "/var/tmp")  # temporary files and the sockets of services
DEVICES = ("null", "zero", "full", "random", "urandom")
INSIDE_ID = 1000  # not 0: an exec by a user that is not root leaves every capability behind

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def _mount(source: str, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    _check(
        libc.mount(
            source.encode(),
            target.encode(),
            kind.encode() if kind else None,
            ctypes.c_ulong(flags),
            data.encode() if data else None,
        ),
        f"mount on {target}",
    )


def _set_attributes(path: str, add: int, remove: int, recursive: bool) -> None:
    attributes = struct.pack("QQQQ", add, remove, 0, 0)
    _check(
        libc.syscall(
            ctypes.c_long(SYS_MOUNT_SETATTR),
            ctypes.c_int(AT_FDCWD),
            path.encode(),
            ctypes.c_uint(AT_RECURSIVE if recursive else 0),
            attributes,
            ctypes.c_size_t(len(attributes)),
        ),
        f"mount_setattr on {path} (needs Linux 5.12)",
    )


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as stream:
        stream.write(text)


def enter_namespaces() -> None:
    """Enter fresh user, mount, network, process, IPC and host-name namespaces."""
    user, group = os.geteuid(), os.getegid()
    flags = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS
    _check(libc.unshare(flags), "unshare")
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{INSIDE_ID} {user} 1")
    _write("/proc/self/gid_map", f"{INSIDE_ID} {group} 1")


def _bind(descriptor: int, target: str, folder: bool) -> None:
    if folder:
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "a", encoding="ascii"):
            pass
    _mount(f"/proc/self/fd/{descriptor}", target, None, MS_BIND | MS_REC)


def build_file_system(visible: list[str], hidden: list[str], tmp_mb: int) -> None:
    """Make everything read-only, cover what the program must not see, mount a scratch /tmp."""
    _mount("none", "/", None, MS_REC | MS_PRIVATE)
    _set_attributes("/", ATTR_RDONLY | ATTR_NOSUID | ATTR_NODEV, 0, recursive=True)
    masked = [path for path in MASKED if os.path.isdir(path) and not os.path.islink(path)]
    below = [p for p in visible if any(p.startswith(m + "/") for m in masked) and os.path.exists(p)]
    opened = [(path, os.open(path, os.O_PATH), os.path.isdir(path)) for path in below]
    devices = [(name, os.open(f"/dev/{name}", os.O_PATH)) for name in DEVICES]
    for path in hidden:
        if os.path.isdir(path):
            _mount("none", path, "tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV, "size=4k,mode=0755")
        elif os.path.exists(path):
            _mount("/dev/null", path, None, MS_BIND)
    for path in masked:
        _mount("none", path, "tmpfs", MS_NOSUID | MS_NODEV, f"size={tmp_mb}m,mode=0755")
    for path, descriptor, folder in sorted(opened):
        _bind(descriptor, path, folder)
        os.close(descriptor)
    for path in masked:
        if path != "/tmp":
            _set_attributes(path, ATTR_RDONLY, 0, recursive=False)
    _mount("none", "/dev", "tmpfs", MS_NOSUID, "size=64k,mode=0755")
    for name, descriptor in devices:
        _bind(descriptor, f"/dev/{name}", folder=False)
        _set_attributes(f"/dev/{name}", 0, ATTR_NODEV, recursive=False)
        os.close(descriptor)
    for name, target in (("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        os.symlink(f"/proc/self/{target}", f"/dev/{name}")
    _set_attributes("/dev", ATTR_RDONLY, 0, recursive=False)
    try:
        _mount("proc", "/proc", "proc", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC)
    except OSError:
        # A container that masks parts of its /proc forbids a fresh one. The old one is read-only
        # by now, and processes outside our user namespace refuse to be looked into.
        pass


def drop_privileges() -> None:
    """Give up every capability for good."""
    for capability in range(64):
        if libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0:
            break
    _check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")


def set_limits(limits: dict[str, int]) -> None:
    """Set soft and hard resource limits, never above the present hard ones."""
    for name, value in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}")
        hard = resource.getrlimit(kind)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (value, value))


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when its parent ends, however it ends."""
    _check(libc.prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0), "parent-death signal")
    if os.getppid() != parent:
        os._exit(1)


def main() -> None:
    """Confine this process as the specification says and execute the program."""
    spec, program = json.loads(sys.argv[1]), sys.argv[2:]
    try:
        die_with_parent(spec["parent"])
        if spec["namespaces"]:
            enter_namespaces()
            die_with_parent(spec["parent"])  # a change of credentials may have cleared it
            child = os.fork()  # a process namespace begins with the next child
            if child:
                for descriptor in (0, 1):
                    os.close(descriptor)  # so that the pipe ends when the child does
                status = os.waitpid(child, 0)[1]
                code = os.waitstatus_to_exitcode(status)
                os._exit(code if code >= 0 else 128 - code)
            die_with_parent(0)  # from inside, a parent outside the namespace reads as 0
            build_file_system(spec["visible"], spec["hidden"], spec["tmp_mb"])
            drop_privileges()
        if spec["cwd"]:
            os.chdir(spec["cwd"])
        set_limits(spec["limits"])
        os.execvp(program[0], program)
    except OSError as error:
        print(f"sandbox: {error}", file=sys.stderr, flush=True)
        os._exit(126 if not isinstance(error, FileNotFoundError) else 127)


if __name__ == "__main__":
    main()
