"""A vLLM server process that a job starts, waits for, and ends with all its children."""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from burnqed.config import PolicySettings
from burnqed.files import UserError
from burnqed.jobs.gpus import lock_descriptors
from burnqed.jobs.groups import signal_group

READY_SECONDS = 900.0
STOP_SECONDS = 10.0
_PR_SET_PDEATHSIG = 1


def _end_with_parent() -> None:
    """Ask the kernel to end this process when the one that started it dies (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def server_command(model_dir: Path, settings: PolicySettings, max_length: int, port: int, name: str) -> list[str]:
    """Return the command line of the server: vLLM's own python, or `vllm` on PATH."""
    if settings.dtype == "float64":
        raise UserError(
            "policy.dtype: float64 is for policy.backend: transformers; a server computes in bfloat16 or float32"
        )
    if settings.server_python:
        start = [settings.server_python, "-m", "vllm.entrypoints.openai.api_server", "--model", str(model_dir)]
    else:
        program = shutil.which("vllm")
        if program is None:
            raise UserError(
                "policy.backend: server, but there is no `vllm` on PATH; "
                "give policy.server_url or policy.server_python, or set policy.backend: transformers"
            )
        start = [program, "serve", str(model_dir)]
    return [
        *start,
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--served-model-name",
        name,
        "--dtype",
        settings.dtype,
        "--max-model-len",
        str(max_length),
        "--gpu-memory-utilization",
        str(settings.server_memory),
        "--disable-log-stats",  # counting them costs some percent of the speed
        "--uvicorn-log-level",
        "warning",
        "--max-num-seqs",
        str(settings.server_sequences),
    ]


class VLLMProcess:
    """A running server on a free loopback port; ready for requests once constructed.

    Raises UserError with the end of its log when it dies or is not ready in time.
    """

    name = "burnqed-policy"

    def __init__(
        self, model_dir: Path, settings: PolicySettings, max_length: int, ready_seconds: float = READY_SECONDS
    ) -> None:
        port = _free_port()
        self.url = f"http://127.0.0.1:{port}"
        command = server_command(model_dir, settings, max_length, port, self.name)
        self._log = tempfile.NamedTemporaryFile(prefix="burnqed-vllm-", suffix=".log", delete=False)  # noqa: SIM115
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                pass_fds=lock_descriptors(),
                preexec_fn=_end_with_parent,
            )
        except OSError as error:
            raise UserError(f"policy.server_python: cannot start {command[0]} ({error.strerror})") from error
        atexit.register(self.stop)
        try:
            self._wait(ready_seconds)
        except BaseException:
            self.stop()
            raise

    def _wait(self, seconds: float) -> None:
        import httpx2

        limit = time.monotonic() + seconds
        while time.monotonic() < limit:
            self.check()
            with contextlib.suppress(httpx2.TransportError):
                if httpx2.get(f"{self.url}/health", timeout=5.0, trust_env=False).status_code == 200:
                    return
            time.sleep(0.5)
        raise UserError(f"the vLLM server was not ready after {seconds:.0f} s; its log ends:\n{self._tail()}")

    def check(self) -> None:
        """Raise UserError when the server has died."""
        status = self._process.poll()
        if status is not None:
            raise UserError(f"the vLLM server ended with status {status}; its log ends:\n{self._tail()}")

    def _tail(self, lines: int = 15) -> str:
        text = Path(self._log.name).read_text(encoding="utf-8", errors="replace")
        return "\n".join("  " + line for line in text.splitlines()[-lines:])

    def stop(self) -> None:
        """End the server and all its children; harmless when called again."""
        atexit.unregister(self.stop)
        for number in (signal.SIGTERM, signal.SIGKILL):
            signal_group(self._process.pid, number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(STOP_SECONDS)
        self._log.close()
        Path(self._log.name).unlink(missing_ok=True)
