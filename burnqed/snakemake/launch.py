"""`burnqed run`: one driver on a rented machine that may vanish at any moment.

It holds a lock on the working folder (also against other machines with the same network volume), removes
what a killed driver left locked, forwards SIGTERM to Snakemake and all its jobs, and keeps a copy of the
results in object storage when asked.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Sequence
from pathlib import Path
from types import FrameType, TracebackType
from typing import Self

from burnqed.files import UserError
from burnqed.jobs.groups import group_lives, signal_group
from burnqed.snakemake.interpreter import child_environment
from burnqed.snakemake.sync import Mirror

BEAT_SECONDS = 10.0
STALE_BEATS = 4  # a lock on another machine that is silent for so many beats is a dead machine's
STOPPED = 143


class VolumeLock:
    """Held by the one launcher of a working folder.

    On one machine (and on network file systems that support it) an ``flock`` decides. Others are known by the
    heartbeat in the file: a foreign lock counts as dead when its text does not change for 40 s, so no clocks
    are compared. Raises UserError when another launcher is alive.
    """

    def __init__(self, folder: Path, beat: float = BEAT_SECONDS) -> None:
        self.path = folder / ".burnqed-run.lock"
        self.beat = beat
        self._name = f"{socket.gethostname()}-{uuid.uuid4()}"
        self._stop = threading.Event()

    def __enter__(self) -> Self:
        self._file = self.path.open("a+")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise self._refusal(self._read()) from None
        self._wait_for_foreign_owner()
        self._thread = threading.Thread(target=self._beat, daemon=True)
        self._write()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()
        if self._name in self._read():
            self.path.write_text("")
        self._file.close()

    def fileno(self) -> int:
        """Return the descriptor of the lock: a child that inherits it holds the lock while it lives."""
        return self._file.fileno()

    def _read(self) -> str:
        return self.path.read_text(encoding="utf-8").strip()

    def _wait_for_foreign_owner(self) -> None:
        found = self._read()
        if not found or json.loads(found)["host"] == socket.gethostname():
            return  # its process is gone, or the flock would be held
        print(f"another machine worked here ({_shown(found)}); waiting to see whether it still does", flush=True)
        for _ in range(STALE_BEATS * 4):
            time.sleep(self.beat / 4)
            if self._read() != found:
                raise self._refusal(self._read() or found)

    def _refusal(self, text: str) -> UserError:
        return UserError(
            f"{self.path.parent.resolve()}: another `burnqed run` works in this folder ({_shown(text)}). "
            "Wait for it or end it; on one volume only one may run"
        )

    def _write(self) -> None:
        owner = {"host": socket.gethostname(), "pid": os.getpid(), "name": self._name, "time": time.time()}
        self.path.write_text(json.dumps(owner), encoding="utf-8")

    def _beat(self) -> None:
        while not self._stop.wait(self.beat):
            with contextlib.suppress(OSError):  # a full disk must not end the lock
                found = self._read()
                if found and self._name not in found:
                    # Both started in the same instant on a file system without flock: the one that wrote first stops.
                    print(f"{self._refusal(found)}; stopping", flush=True)
                    os.kill(os.getpid(), signal.SIGTERM)
                    return
                self._write()


def _shown(text: str) -> str:
    try:
        owner = json.loads(text)
        return f"pid {owner['pid']} on {owner['host']}"
    except (ValueError, KeyError, TypeError):
        return "owner unknown"


class Launcher:
    """One run of Snakemake in a process group of its own."""

    def __init__(self, arguments: Sequence[str], grace: float) -> None:
        self.arguments = list(arguments)
        self.grace = grace
        self.stopping = threading.Event()

    def run(self, lock: VolumeLock) -> int:
        """Run Snakemake to its end; return its status, or 143 after a signal to this process."""
        self._unlock()
        before = {number: signal.signal(number, self._on_signal) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            process = subprocess.Popen(
                [*_snakemake(), *self.arguments, "--rerun-incomplete"],
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                pass_fds=[lock.fileno()],
                env=child_environment(),
            )
            while True:
                try:
                    status = process.wait(timeout=0.2)
                    break
                except subprocess.TimeoutExpired:
                    if self.stopping.is_set():
                        self._end(process)
                        return STOPPED
            return STOPPED if self.stopping.is_set() else status
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _unlock(self) -> None:
        """Remove the locks of a driver that was killed; the lock on the folder says that none is alive."""
        folder = _directory(self.arguments) / ".snakemake" / "locks"
        if folder.is_dir() and any(folder.iterdir()):
            command = [*_snakemake(), *self.arguments, "--unlock"]
            done = subprocess.run(command, capture_output=True, text=True, env=child_environment())
            if done.returncode:
                raise UserError(f"snakemake --unlock failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
            print("removed the lock of a run that was killed", flush=True)

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self.stopping.set()

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        """End Snakemake and its jobs: they save their progress on SIGTERM; SIGINT ends Snakemake itself."""
        print("stopping: jobs save their progress", flush=True)
        limit = time.monotonic() + self.grace
        signal_group(process.pid, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=min(1.0, self.grace))
        while group_lives(process.pid) and time.monotonic() < limit:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
            time.sleep(0.2)
        if group_lives(process.pid):
            print(f"not ended after {self.grace:.0f} s: SIGKILL", flush=True)
        signal_group(process.pid, signal.SIGKILL)
        process.wait()


def _snakemake() -> list[str]:
    return [sys.executable, "-m", "snakemake"]


def _directory(arguments: Sequence[str]) -> Path:
    """Return Snakemake's working folder: that of --directory or -d, else the present one."""
    for position, word in enumerate(arguments):
        if word in ("--directory", "-d") and position + 1 < len(arguments):
            return Path(arguments[position + 1])
        if word.startswith("--directory="):
            return Path(word.split("=", 1)[1])
    return Path()


def launch(arguments: Sequence[str], sync: str = "", sync_minutes: float = 10.0, grace: float = 30.0) -> int:
    """Run Snakemake with these arguments as the only driver of its folder; return the exit status.

    With ``sync`` (s3://bucket/prefix) results that are missing here are fetched first, and new ones are
    copied there every ``sync_minutes`` and at the end. Raises UserError when another launcher is alive or
    the storage cannot be reached at the start.
    """
    folder = _directory(arguments)
    folder.mkdir(parents=True, exist_ok=True)
    with VolumeLock(folder) as lock:
        launcher = Launcher(arguments, grace)
        if not sync:
            return launcher.run(lock)
        mirror = Mirror(sync, folder)
        mirror.restore()
        stop = threading.Event()
        copier = threading.Thread(target=mirror.keep_copying, args=(stop, sync_minutes * 60), daemon=True)
        copier.start()
        try:
            status = launcher.run(lock)
        finally:
            stop.set()
            copier.join()
        return status if mirror.try_push() else status or 1
