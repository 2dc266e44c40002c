"""Start a program confined, watch its memory, and see to it that nothing of it stays.

The process that was asked to start the program stays outside the confinement until the program has ended, and
returns its exit status. However that process ends, the program and all it started end too.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import sys

from burnqed.prover.jail import bubblewrap, filesystem, identity, processes, syscalls, system

TYPE_CHECKING = False  # typing takes longer to import than all the rest
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn

    from burnqed.prover.jail.spec import Spec

WATCH_SECONDS = 0.25
NOT_SET_UP, NOT_FOUND, KILLED = 126, 127, 137  # exit statuses, as a shell's
_ALL = (
    system.CLONE_NEWUSER
    | system.CLONE_NEWNS
    | system.CLONE_NEWPID
    | system.CLONE_NEWNET
    | system.CLONE_NEWIPC
    | system.CLONE_NEWUTS
    | system.CLONE_NEWCGROUP
)
_SIGNALS = (signal.SIGCHLD, signal.SIGTERM)


def main(spec: Spec, program: Sequence[str]) -> NoReturn:
    """Start the program as the specification says, and exit as it does."""
    os.umask(0o022)
    os.closerange(3, 1 << 16)  # whatever the caller forgot to close
    try:
        system.die_with_parent(spec["parent"])
        start = {"off": _run_off, "namespaces": _run_namespaces, "bubblewrap": _run_bubblewrap}[spec["mode"]]
        status = start(spec, program)
    except OSError as error:
        status = _tell(error)
    os._exit(status)


def _tell(error: OSError) -> int:
    print(f"sandbox: {error}", file=sys.stderr, flush=True)
    return NOT_FOUND if isinstance(error, FileNotFoundError) else NOT_SET_UP


def _set_limits(limits: dict[str, int]) -> None:
    """Set soft and hard resource limits, never above the present hard ones."""
    for name, value in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}")
        hard = resource.getrlimit(kind)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (value, value))


def _execute(spec: Spec, program: Sequence[str], limits: dict[str, int]) -> NoReturn:
    """Become the program."""
    if spec["cwd"]:
        os.chdir(spec["cwd"])
    _set_limits(limits)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    try:
        os.execvp(program[0], list(program))
    except OSError as error:
        raise OSError(error.errno, f"{program[0]}: {error.strerror}") from error


def _in_child(body: Callable[[], NoReturn]) -> NoReturn:
    """Run a new process's part; nothing of it may return into its parent's."""
    try:
        body()
    except OSError as error:
        os._exit(_tell(error))
    except BaseException as error:
        print(f"sandbox: {error!r}", file=sys.stderr, flush=True)
    os._exit(NOT_SET_UP)


def _block_signals() -> None:
    """Have the signals below wait for ``_wait``. A child that becomes a program lets them in again."""
    signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)


def _close_pipes() -> None:
    """Let go of stdin and stdout, so that they end when the program does."""
    os.close(0)
    os.close(1)


def _wait(child: int, memory: int, first: int) -> int:
    """Wait for a child and return its exit status; kill it when the processes from ``first`` on hold too much."""
    while True:
        received = signal.sigtimedwait(_SIGNALS, WATCH_SECONDS)
        if received is not None and received.si_signo == signal.SIGTERM:
            return KILLED
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code
        if memory and received is None:
            used = processes.held_bytes(first, memory) + processes.scratch_bytes(first)
            if used > memory:
                print(f"sandbox: out of memory: {used >> 20} of {memory >> 20} MiB", file=sys.stderr, flush=True)
                os.kill(child, signal.SIGKILL)


def _run_off(spec: Spec, program: Sequence[str]) -> int:
    """Run the program under limits alone, below a guardian that ends what it leaves behind."""
    _block_signals()
    outer = os.getpid()
    guardian = os.fork()
    if guardian == 0:
        _in_child(lambda: _guard(spec, program, outer))
    _close_pipes()
    return _wait(guardian, 0, guardian)


def _guard(spec: Spec, program: Sequence[str], outer: int) -> NoReturn:
    """Be the parent of all that the program starts, in a session that a kill of the launcher's group spares."""
    os.setsid()
    system.prctl(system.PR_SET_CHILD_SUBREAPER, 1, "subreaper")
    system.die_with_parent(outer, signal.SIGTERM)
    system.prctl(system.PR_SET_NO_NEW_PRIVS, 1, "no_new_privs")  # or it might start what we may not kill
    worker = _fork(lambda: _execute(spec, program, spec["limits"]))
    _close_pipes()
    status = _wait(worker, spec["memory"], os.getpid())  # below it are also those whose parents have ended
    processes.kill_below()
    os._exit(status)


def _clone(flags: int, body: Callable[[bool, int], NoReturn]) -> int:
    """Start a process in namespaces of its own.

    Its part gets whether it is root there and has to become the worker's user, and a pipe that ends with us.
    """
    other = identity.outside()
    reading, writing = os.pipe()
    child = system.clone(flags)
    if child == 0:
        os.close(writing)
        _in_child(lambda: _when_mapped(reading, other is not None, body))
    os.close(reading)
    try:
        identity.write_maps(child, other)
    except OSError:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise
    os.write(writing, b"x")
    return child


def _when_mapped(parent: int, root: bool, body: Callable[[bool, int], NoReturn]) -> NoReturn:
    if not os.read(parent, 1):
        os._exit(NOT_SET_UP)
    body(root, parent)


def _settle(root: bool, parent: int) -> None:
    """Be the worker's user, without a capability to come, and end with the launcher."""
    system.drop_capabilities()
    if root:
        identity.become_inside()
    system.prctl(system.PR_SET_PDEATHSIG, signal.SIGKILL, "parent-death signal")  # a change of user clears it
    if select.select([parent], [], [], 0)[0]:
        os._exit(NOT_SET_UP)


def _run_namespaces(spec: Spec, program: Sequence[str]) -> int:
    calls = syscalls.program(system.machine())

    def inside(root: bool, parent: int) -> NoReturn:
        filesystem.build_root(spec["paths"], spec["links"], spec["scratch_mb"])
        _settle(root, parent)
        system.set_filter(calls)
        _execute(spec, program, spec["limits"])

    _block_signals()
    child = _clone(_ALL, inside)
    _close_pipes()
    return _wait(child, spec["memory"], child)


def _run_bubblewrap(spec: Spec, program: Sequence[str]) -> int:
    """Have bubblewrap do it, as a user that is not root; the limit of processes is set on what it has made."""
    told, telling = os.pipe()  # bubblewrap says the pid inside
    held, holding = os.pipe()  # and waits there for a byte
    calls, feeding = os.pipe()
    os.write(feeding, syscalls.program(system.machine()))
    os.close(feeding)
    limits = {name: value for name, value in spec["limits"].items() if name != "NPROC"}

    def become(sources: Sequence[str]) -> NoReturn:
        words = [
            spec["bwrap"],
            *bubblewrap.options(sources, spec["paths"], spec["links"], spec["scratch_mb"], spec["cwd"]),
        ]
        for option, descriptor in (("--info-fd", telling), ("--block-fd", held), ("--seccomp", calls)):
            os.set_inheritable(descriptor, True)
            words += [option, str(descriptor)]
        _execute({**spec, "cwd": ""}, [*words, "--", *program], limits)

    def staged(root: bool, parent: int) -> NoReturn:
        sources = filesystem.stage(spec["paths"])
        _settle(root, parent)
        become(sources)

    _block_signals()
    system.prctl(system.PR_SET_CHILD_SUBREAPER, 1, "subreaper")
    if identity.outside() is None:
        child = _fork(lambda: become(spec["paths"]))
    else:
        child = _clone(system.CLONE_NEWUSER | system.CLONE_NEWNS, staged)
    for descriptor in (telling, held, calls):
        os.close(descriptor)
    _close_pipes()
    first = bubblewrap.first_process(os.read(told, 4096).decode())
    if "NPROC" in spec["limits"]:
        resource.prlimit(first, resource.RLIMIT_NPROC, (spec["limits"]["NPROC"],) * 2)
    os.write(holding, b"x")
    status = _wait(child, spec["memory"], first)
    processes.kill_below()  # bubblewrap's outer process may end before the inner one
    return status


def _fork(body: Callable[[], NoReturn]) -> int:
    outer = os.getpid()
    child = os.fork()
    if child == 0:
        system.die_with_parent(outer)
        _in_child(body)
    return child
