"""A program that tries what a worker must not be able to do; run as `python -I -S -c TEXT FACTS_JSON`.

Each attack returns what it achieved, "" for nothing. An OSError is a refusal. Anything else is told as "broken",
so that an attack that does not work for another reason is not taken for a defence.
"""

import contextlib
import ctypes
import json
import mmap
import os
import resource
import signal
import socket
import sys
import time

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
CLONE_NEWUSER, CLONE_NEWNS = 0x10000000, 0x00020000
NUMBERS = {  # x86-64, arm64
    "clone": (56, 220),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "process_vm_readv": (310, 270),
    "clone3": (435, 435),
    "io_uring_setup": (425, 425),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "memfd_secret": (447, 447),
    "open_tree": (428, 428),
}


def call(name, *arguments):
    """Make a system call; raise OSError when it fails."""
    number = NUMBERS[name][os.uname().machine == "aarch64"]
    result = libc.syscall(ctypes.c_long(number), *(ctypes.c_long(a) if isinstance(a, int) else a for a in arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), name)
    return result


def readable(paths):
    found = []
    for path in paths:
        with contextlib.suppress(OSError), open(path, "rb") as stream:
            found.append(f"{path}: {len(stream.read(100))} bytes")
    return " ".join(found)


def kernel_settings(facts):
    found = []
    for path in facts["settings"]:
        with contextlib.suppress(OSError):
            with open(path) as stream:
                value = stream.read()
            with open(path, "w") as stream:
                stream.write(value)
            found.append(path)
    return " ".join(found)


def proc_files(facts):
    found = []
    for path in ("/proc/sysrq-trigger", "/proc/self/oom_score_adj", "/proc/self/mem", "/proc/self/coredump_filter"):
        with contextlib.suppress(OSError):
            os.close(os.open(path, os.O_WRONLY))
            found.append(path)
    return " ".join(found)


def tcp(facts):
    with socket.create_connection(("127.0.0.1", facts["tcp"]), timeout=5):
        return "connected"


def udp(facts):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        return f"sent {sender.sendto(b'x', ('127.0.0.1', facts['udp']))}"


def socket_families(facts):
    """Make a socket of any family; a number of them need no network at all."""
    found = []
    for family in (*range(1, 46), socket.AF_VSOCK):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):
            with contextlib.suppress(OSError):
                socket.socket(family, kind).close()
                found.append(f"{family}/{kind}")
    return " ".join(found)


def unix_path(facts):
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(facts["unix"])
        return "connected"


def unix_abstract(facts):
    with socket.socket(socket.AF_UNIX) as client:
        client.connect("\0" + facts["abstract"])
        return "connected"


def unix_pair(facts):
    first, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    first.connect("\0" + facts["abstract_datagram"])
    return "connected"


def secrets(facts):
    return readable([*facts["secrets"], "/etc/shadow", "/etc/passwd", "/etc/hostname"])


def secrets_by_detour(facts):
    """The same files by the roots of processes, by descriptors and by links."""
    roots = [f"/proc/{pid}/root" for pid in ("self", "1", "thread-self", facts["parent"])] + ["/tmp/root"]
    with contextlib.suppress(OSError):
        os.symlink("/proc/1/root", "/tmp/root")
    return readable([root + path for root in roots for path in facts["secrets"]] + ["/proc/1/cwd/../etc/passwd"])


def environment(facts):
    found = [name for name in os.environ if name not in facts["environment"]]
    for pid in ("1", "self", facts["parent"]):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/environ", "rb") as stream:
            found += [word.decode() for word in stream.read().split(b"\0") if b"BURNQED_SECRET" in word]
    return " ".join(found)


def foreign_processes(facts):
    found = []
    with contextlib.suppress(OSError):
        os.kill(int(facts["parent"]), 0)
        found.append("signalled the parent")
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/cmdline", "rb") as stream:
            line = stream.read()
            if line and b"hostile" not in line and b"bwrap" not in line:
                found.append(line[:60].decode(errors="replace"))
    return " ".join(found)


def write_outside(facts):
    found = []
    for folder in facts["folders"]:
        path = f"{folder}/burnqed-hostile"
        with contextlib.suppress(OSError):
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
            os.unlink(path)
            found.append(path)
    for path in facts["files"]:
        with contextlib.suppress(OSError):
            os.close(os.open(path, os.O_WRONLY | os.O_APPEND))
            found.append(path)
        with contextlib.suppress(OSError):
            os.utime(path)
            found.append(f"time of {path}")
    return " ".join(found)


def hard_links(facts):
    found = []
    for path in (*facts["files"], *facts["secrets"]):
        with contextlib.suppress(OSError):
            os.link(path, "/tmp/burnqed-link")
            os.unlink("/tmp/burnqed-link")
            found.append(path)
    return " ".join(found)


def devices(facts):
    found = []
    for name in os.listdir("/dev"):
        if name not in ("null", "zero", "full", "random", "urandom", "fd", "stdin", "stdout", "stderr"):
            found.append(name)
    with contextlib.suppress(OSError):
        os.mknod("/tmp/burnqed-disk", 0o60600, os.makedev(254, 0))
        os.unlink("/tmp/burnqed-disk")
        found.append("made a device")
    with contextlib.suppress(OSError):
        os.close(os.open("/dev/ptmx", os.O_RDWR))
        found.append("terminal")
    return " ".join(found)


def typed_input(facts):
    """Put words into a terminal's input; ENOTTY would mean that only the terminal was missing."""
    for request in (0x5412, 0x541C):
        if libc.ioctl(0, ctypes.c_ulong(request), b"x") == 0 or ctypes.get_errno() != 1:
            return f"ioctl {request:#x}: error {ctypes.get_errno()}"
    return ""


def trace(facts):
    if libc.ptrace(0, 0, None, None) < 0:
        raise OSError(ctypes.get_errno(), "ptrace")
    return "traced"


def read_other_memory(facts):
    child = os.fork()
    if child == 0:
        time.sleep(60)
        os._exit(0)
    try:
        place = ctypes.create_string_buffer(b"x" * 64)
        vector = (ctypes.c_ulong * 2)(ctypes.addressof(place), 8)
        return f"read {call('process_vm_readv', child, vector, 1, vector, 1, 0)} bytes"
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def new_namespaces(facts):
    found = []
    for flags in (CLONE_NEWUSER, CLONE_NEWNS):
        if _child_succeeds(lambda flags=flags: libc.unshare(flags) == 0):
            found.append(f"unshare {flags:#x}")
        child = libc.syscall(
            ctypes.c_long(NUMBERS["clone"][os.uname().machine == "aarch64"]),
            *(ctypes.c_ulong(a) for a in (flags | signal.SIGCHLD, 0, 0, 0, 0)),
        )
        if child == 0:
            os._exit(0)
        if child > 0:
            os.waitpid(child, 0)
            found.append(f"clone {flags:#x}")
    return " ".join(found)


def _child_succeeds(test):
    child = os.fork()
    if child == 0:
        with contextlib.suppress(OSError):
            os._exit(0 if test() else 1)
        os._exit(1)
    return os.waitpid(child, 0)[1] == 0


def mounts(facts):
    tries = {
        "mounted": lambda: libc.mount(b"none", b"/tmp", b"tmpfs", ctypes.c_ulong(0), None) == 0,
        "bound": lambda: libc.mount(b"/usr", b"/tmp", None, ctypes.c_ulong(4096), None) == 0,
        "remounted": lambda: libc.mount(b"none", b"/proc", None, ctypes.c_ulong(32 | 4096), None) == 0,
        "unmounted": lambda: libc.umount2(b"/proc", 2) == 0,
        "copied": lambda: call("open_tree", -100, b"/usr", 1) >= 0,
    }
    return " ".join(name for name, attempt in tries.items() if _child_succeeds(lambda a=attempt: _apart(facts) and a()))


def _apart(facts):
    """Keep an attempt from the machine where no sandbox does."""
    private = ctypes.c_ulong(16384 | 1 << 18)
    return not facts["control"] or (
        libc.unshare(CLONE_NEWNS) == 0 and libc.mount(b"none", b"/", None, private, None) == 0
    )


def change_root(facts):
    return "changed the root" if _child_succeeds(lambda: os.chroot("/tmp") is None) else ""


def privileges(facts):
    with open("/proc/self/status") as stream:
        status = dict(line.rstrip("\n").split(":\t", 1) for line in stream)
    found = [
        f"{name} {status[name]}" for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb") if int(status[name], 16)
    ]
    found += [
        f"{name} {status[name]}" for name, want in (("NoNewPrivs", "1"), ("Seccomp", "2")) if status[name] != want
    ]
    found += ["root"] if 0 in os.getresuid() + os.getresgid() + tuple(os.getgroups()) else []
    return " ".join(found)


def become_other(facts):
    return "became another user" if _child_succeeds(lambda: os.setuid(12345) is None) else ""


def kernel_parts(facts):
    """Parts of the kernel that a proof has no use for; EPERM or ENOSYS, not a complaint about our arguments."""
    arguments = {
        "io_uring_setup": (0, None),
        "keyctl": (0, -3, 0),
        "bpf": (0, None, 0),
        "perf_event_open": (None, 0, -1, -1, 0),
        "userfaultfd": (-1,),
        "clone3": (None, 0),
        "memfd_secret": (-1,),
    }
    found = []
    for name, values in arguments.items():
        try:
            call(name, *values)
            found.append(name)
        except OSError as error:
            if error.errno not in (1, 38):
                found.append(f"{name}: {error.errno}")
    return " ".join(found)


def left_descriptors(facts):
    found = []
    for descriptor in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            if int(descriptor) > 2 and int(descriptor) not in facts["own"]:
                found.append(os.readlink(f"/proc/self/fd/{descriptor}"))
    return " ".join(place for place in found if not place.startswith(f"/proc/{os.getpid()}"))


def uncounted_memory(facts):
    """Memory that belongs to no process, or to files outside the scratch folder."""
    found = []
    with contextlib.suppress(OSError):
        os.close(os.memfd_create("x"))
        found.append("memfd")
    for name in ("shmget", "msgget"):
        with contextlib.suppress(OSError):
            identity = call(name, 0, 1 << 20, 0o600) if name == "shmget" else call(name, 0, 0o600)
            ctypes.CDLL(None)[{"shmget": "shmctl", "msgget": "msgctl"}[name]](ctypes.c_int(identity), 0, None)
            found.append(name)
    with contextlib.suppress(OSError):
        os.close(os.open("/dev/shm/burnqed-x", os.O_CREAT | os.O_RDWR))
        os.unlink("/dev/shm/burnqed-x")
        found.append("/dev/shm")
    with contextlib.suppress(OSError):
        socket.socketpair()
        found.append("socket buffers")
    return " ".join(found)


def many_processes(facts):
    """Fork until refused, at most 300 times."""
    started = []
    try:
        with contextlib.suppress(OSError):
            while len(started) < 300:
                started.append(os.fork() or _sleep_on())
    finally:
        for pid in started:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    return f"{len(started)} processes" if len(started) > facts["tasks"] else ""


def _sleep_on():
    time.sleep(60)
    os._exit(0)


def large_file(facts):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    written = 0
    try:
        with open(facts["scratch"] + "/burnqed-large", "wb") as stream, contextlib.suppress(OSError):
            while written < 16 << 20:
                written += stream.write(bytes(1 << 20))
                stream.flush()
    finally:
        os.unlink(facts["scratch"] + "/burnqed-large")
    return f"{written >> 20} MiB" if written > facts["file_bytes"] + (1 << 20) else ""


def many_files(facts):
    opened = []
    try:
        with contextlib.suppress(OSError):
            while len(opened) < 2000:
                opened.append(os.open("/dev/null", os.O_RDONLY))
    finally:
        for descriptor in opened:
            os.close(descriptor)
    return f"{len(opened)} files" if len(opened) > facts["open_files"] else ""


def raise_limits(facts):
    found = []
    for name in ("AS", "CPU", "FSIZE", "NOFILE", "NPROC", "CORE"):
        kind = getattr(resource, f"RLIMIT_{name}")
        soft, hard = resource.getrlimit(kind)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(kind, (soft + 1, hard + 1))
            found.append(name)
    return " ".join(found)


def core_dumps(facts):
    """A size of 0 would still feed a program that the host's core_pattern names."""
    limits = resource.getrlimit(resource.RLIMIT_CORE)
    return "" if limits == (1, 1) else f"core files of {limits}"


ATTACKS = [
    foreign_processes,  # first: its own few pids cannot be the number it looks for
    kernel_settings,
    proc_files,
    tcp,
    udp,
    socket_families,
    unix_path,
    unix_abstract,
    unix_pair,
    secrets,
    secrets_by_detour,
    environment,
    write_outside,
    hard_links,
    devices,
    typed_input,
    trace,
    read_other_memory,
    new_namespaces,
    mounts,
    change_root,
    privileges,
    become_other,
    kernel_parts,
    left_descriptors,
    uncounted_memory,
    many_processes,
    large_file,
    many_files,
    raise_limits,
    core_dumps,
]


def tell(attack, facts):
    """Try an attack in a process of its own, so that none changes what the next one meets."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            text = attack(facts | {"own": [reading, writing]})
        except OSError:
            text = ""
        except BaseException as error:
            text = f"broken: {error!r}"
        os.write(writing, text.encode(errors="replace")[:4000])
        os._exit(0)
    os.close(writing)
    with open(reading, "rb") as stream:
        text = stream.read().decode(errors="replace")
    status = os.waitpid(child, 0)[1]
    return text if status == 0 else f"broken: status {status}"


# What follows fills memory, a piece at a time, and waits to be stopped.


def fill_private(size):
    return bytearray(b"x" * size)


def fill_shared(size):
    place = mmap.mmap(-1, size, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
    place.write(b"x" * size)
    return place


def fill_scratch(size):
    with open(f"{told['scratch']}/burnqed-{time.monotonic_ns()}", "wb") as stream:
        stream.write(b"x" * size)


def fill_children(size):
    if os.fork() == 0:
        kept = fill_private(size)
        time.sleep(told["nap"])
        os._exit(len(kept) == 0)


def fill_left_children(size):
    """The same, by processes whose parents are gone."""
    middle = os.fork()
    if middle == 0:
        os.setsid()
        fill_children(size)
        os._exit(0)
    os.waitpid(middle, 0)


def fill_inodes(size):
    for _ in range(size >> 10):
        try:
            os.close(os.open(f"{told['scratch']}/burnqed-{time.monotonic_ns()}", os.O_CREAT | os.O_WRONLY))
        except OSError:  # no file more may be made: those that are there still hold memory
            return


def fill(kind, total):
    kept = [globals()[f"fill_{kind}"](4 << 20) for _ in range(total >> 22)]
    print("filled", flush=True)
    time.sleep(told["nap"])
    del kept


if __name__ == "__main__":
    told = json.loads(sys.argv[1])
    if "fill" in told:
        fill(told["fill"], told["total"])
        sys.exit()
    print(json.dumps({attack.__name__: tell(attack, told) for attack in ATTACKS}))
