"""A process that has imported what jobs need, and forks each job of one machine: importing takes seconds of every job.

The driver starts it, `warm_client` is what the workflow calls `python`. A job gets the client's words, folder, environment
and open files, and a process group of its own; signals to the client reach it, and so does the client's end. It forks
only while it has a single thread and has not started the GPU's driver: what a fork would break, no job inherits.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import importlib.util
import json
import os
import runpy
import select
import shutil
import signal
import socket
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from burnqed.jobs.gpus import visible_gpus

IS_WARM = "BURNQED_WARM_JOB"  # set in jobs that were forked
NVML_CHECK = "PYTORCH_NVML_BASED_CUDA_CHECK"  # torch looks for GPUs without starting the driver
GPU_DEVICES = ("/dev/nvidia", "/dev/dxg")  # of Linux, of its subsystem under Windows
# Of pyarrow's allocator, which ends it before a fork and starts it again (jemalloc's handlers of pthread_atfork).
FORKED_WITH = ("jemalloc_bg_thd",)
KILL_SECONDS = 60.0  # between SIGTERM and the end of a job whose client is gone
# Heaviest last but for what few jobs need; a job that comes earlier imports the rest itself.
MODULES = (
    "burnqed.jobs.runner",
    "numpy",
    "threadpoolctl",
    "torch",
    "transformers.activations",
    "transformers.modeling_utils",
    "transformers.models.auto.modeling_auto",
    "transformers.models.auto.tokenization_auto",
    "transformers.models.llama.modeling_llama",
    "safetensors.torch",
    "httpx2",
    "matplotlib.pyplot",
    "scipy.stats",
    "peft",
)


def further_threads() -> list[str]:
    """Return the names of this process's threads but the first and those that a fork does no harm; libraries' included."""
    found = []
    for task in Path("/proc/self/task").iterdir():
        if task.name != str(os.getpid()):
            with contextlib.suppress(OSError):  # it may end meanwhile
                found.append((task / "comm").read_text(errors="replace").strip())
    return [name for name in found if name not in FORKED_WITH]


def open_devices(prefixes: Sequence[str] = GPU_DEVICES) -> list[str]:
    """Return the GPU devices that this process has open: a driver that was started does not survive a fork.

    That its library is loaded says nothing: cuBLAS loads it as soon as torch is imported, and calls none of it.
    """
    found = []
    for file in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            found.append(str(file.readlink()))
    return [path for path in found if path.startswith(tuple(prefixes))]


def hindrances() -> list[str]:
    """Return what a fork would break or not bring along."""
    return [*open_devices(), *(f"a thread {name}" for name in further_threads())]


@dataclass(frozen=True)
class Request:
    """What a client asks for: script and arguments, folder, environment; and its standard streams (descriptors)."""

    words: list[str]
    cwd: str
    environment: dict[str, str]
    files: list[int]


def _asks_the_gpu() -> bool:
    """Return whether importing PEFT starts the GPU's driver here: it imports bitsandbytes, which asks what GPU it is."""
    return bool(visible_gpus()) and importlib.util.find_spec("bitsandbytes") is not None


def _receive(connection: socket.socket) -> Request:
    """Return a client's request. Raises OSError or ValueError when it is cut short."""
    size, files, _, _ = socket.recv_fds(connection, 8, 3)
    wanted = int.from_bytes(size, "big")
    text = b""
    while len(text) < wanted:
        part = connection.recv(wanted - len(text))
        if not part:
            raise ConnectionError("the client has gone")
        text += part
    return Request(**json.loads(text), files=files)


def _follow(connection: socket.socket) -> None:
    """Pass on the client's signals; when the client is gone this job ends as by SIGTERM, or at once after one."""
    told = False
    while True:
        try:
            number = connection.recv(1)
        except OSError:
            number = b""
        if not number:
            if not told:
                os.kill(os.getpid(), signal.SIGTERM)
                time.sleep(KILL_SECONDS)
            os.killpg(0, signal.SIGKILL)
        told = told or number[0] == signal.SIGTERM
        os.kill(os.getpid(), number[0])


def _run(words: Sequence[str]) -> int:
    """Run a script as the interpreter would; return its status."""
    sys.argv = list(words)
    sys.path[0] = str(Path(words[0]).resolve().parent)
    try:
        runpy.run_path(words[0], run_name="__main__")
        status: object = None
    except SystemExit as end:
        status = end.code
    except BaseException:
        traceback.print_exc()
        status = 1
    if status is not None and not isinstance(status, int):
        print(status, file=sys.stderr)
        status = 1
    threading._shutdown()  # type: ignore[attr-defined]  # the end of an interpreter: threads, then what is registered
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    return int(status or 0)


class Warm:
    """The server of one driver: listens on a socket that only its user can reach, until its parent is gone."""

    def __init__(self, path: Path, modules: Sequence[str] = MODULES) -> None:
        self._parent = os.getppid()
        self._waiting: Iterator[str] = iter(modules)
        self._loading, self._last = True, "the interpreter"
        self._clients: dict[int, socket.socket] = {}
        self._path = path
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen(64)
        self._woken, wake = os.pipe()
        os.set_blocking(self._woken, False)
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        # A group's signals are meant for its jobs, which get theirs from their clients; this process ends after them.
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)

    def serve(self) -> None:
        """Fork jobs until the driver and all jobs are gone."""
        open_for_more = True
        while open_for_more or self._clients:
            watched = [self._woken, *([self._listener.fileno()] if open_for_more else [])]
            ready = select.select(watched, [], [], 0 if self._loading else 0.2)[0]
            if open_for_more and self._listener.fileno() in ready:
                self._accept()
            elif self._loading:
                self._load()
            with contextlib.suppress(BlockingIOError):
                os.read(self._woken, 4096)
            self._reap()
            if open_for_more and (os.getppid() != self._parent or not self._fit()):
                open_for_more = False
                self._path.unlink(missing_ok=True)
                self._listener.close()
        while os.getppid() == self._parent:  # its starter is in the folder
            time.sleep(0.5)
        shutil.rmtree(self._path.parent, ignore_errors=True)

    def _fit(self) -> bool:
        """Return whether a fork is safe; jobs start by themselves where it is not."""
        found = hindrances()
        if found:  # a thread gives itself its name
            time.sleep(0.1)
            found = hindrances()
        if found:
            print(f"{self._last} left {', '.join(found)}: jobs start by themselves", file=sys.stderr, flush=True)
        return not found

    def _load(self) -> None:
        began = time.monotonic()
        name = next(self._waiting, None)
        if name is None:
            self._loading = False
            gc.collect()
            gc.freeze()  # collections in jobs would copy all pages of these objects
        elif name != "peft" or not _asks_the_gpu():
            with contextlib.suppress(Exception):
                importlib.import_module(name)
            self._last = name
            print(f"{name}: {time.monotonic() - began:.2f} s", file=sys.stderr, flush=True)

    def _accept(self) -> None:
        connection, _ = self._listener.accept()
        try:
            request = _receive(connection)
        except (OSError, ValueError):
            connection.close()
            return
        child = os.fork()
        if child == 0:
            self._become_job(connection, request)
        for file in request.files:
            os.close(file)
        self._clients[child] = connection
        with contextlib.suppress(OSError):
            connection.sendall(b"+")

    def _become_job(self, connection: socket.socket, request: Request) -> None:
        """Be the job, in the child; does not return."""
        status = 1
        try:
            signal.set_wakeup_fd(-1)
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
                signal.signal(number, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            os.setpgid(0, 0)
            self._listener.close()
            for other in self._clients.values():
                other.close()
            for place, file in enumerate(request.files):
                os.dup2(file, place)
                os.close(file)
            os.chdir(request.cwd)
            os.environ.clear()
            os.environ.update(request.environment, **{IS_WARM: "1"})
            threading.Thread(target=_follow, args=(connection,), daemon=True).start()
            status = _run(request.words)
        finally:
            os._exit(status)

    def _reap(self) -> None:
        while self._clients:
            child, status = os.waitpid(-1, os.WNOHANG)
            if child == 0:
                return
            connection = self._clients.pop(child)
            code = os.waitstatus_to_exitcode(status)
            with contextlib.suppress(OSError):  # the client was killed
                connection.sendall(bytes([code if code >= 0 else 128 - code]))
            connection.close()


def main(path: Path, unused: Sequence[str]) -> None:
    """Serve on a socket; ``unused`` packages count as not installed, for those that import what they find."""
    os.environ[NVML_CHECK] = "1"
    # Python 3.12 counts all threads, and does not know which come again in a fork.
    warnings.filterwarnings("ignore", r".*multi-threaded, use of fork\(\)", DeprecationWarning)
    sys.modules.update(dict.fromkeys(unused))  # type: ignore[arg-type]  # None: the import system looks no further
    Warm(path).serve()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
