"""A vLLM server process that a job starts, waits for, and ends with all its children."""

from __future__ import annotations

import atexit
import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from burnqed.config import PolicySettings
from burnqed.files import UserError, digest
from burnqed.jobs.gpus import kept_device, lock_descriptors
from burnqed.jobs.kept import Kept, end_kept, keep, kept_server
from burnqed.policy import vllm_keeper
from burnqed.policy.adapted import NAME, Adapted, read_adapted

READY_SECONDS = 900.0
STOP_SECONDS = 10.0
SMALL_MEMORY = 0.3  # of a GPU, for a model that is not compiled
COMPILED_BYTES = 1_000_000_000  # of weight files; half a billion weights of 16 bits
DRIVER = "BURNQED_DRIVER_PID"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def server_program(settings: PolicySettings) -> list[str]:
    """Return how a server is started: vLLM's own python, else `vllm` on PATH, else this python when it has vLLM.

    Raises UserError when there is none.
    """
    module = ["-m", "vllm.entrypoints.openai.api_server"]
    if settings.server_python:
        if shutil.which(settings.server_python) is None:
            raise UserError(f"policy.server_python: cannot start {settings.server_python} (no such program)")
        return [settings.server_python, *module]
    program = shutil.which("vllm")
    if program is not None:
        return [program, "serve"]
    if importlib.util.find_spec("vllm") is not None:
        return [sys.executable, *module]
    raise UserError(
        "policy.backend: server, but there is no `vllm` on PATH; "
        "give policy.server_url or policy.server_python, or set policy.backend: transformers"
    )


def is_small(model_dir: Path) -> bool:
    """Return whether a model is so small that its server does not compile: its start takes longer than its work."""
    sizes = [path.stat().st_size for path in model_dir.glob("*.safetensors")]
    return 0 < sum(sizes) < COMPILED_BYTES


def server_command(model_dir: Path, settings: PolicySettings, max_length: int, port: int, name: str) -> list[str]:
    """Return the command line of the server. Raises UserError when vLLM is nowhere to be found."""
    if settings.dtype == "float64":
        raise UserError(
            "policy.dtype: float64 is for policy.backend: transformers; a server computes in bfloat16 or float32"
        )
    program = server_program(settings)
    adapted = read_adapted(model_dir)
    base = model_dir if adapted is None else adapted.base
    lora = [] if adapted is None else ["--enable-lora", "--max-loras", "1", "--max-lora-rank", str(adapted.served_rank)]
    return [
        *program,
        *([] if program[-1] == "serve" else ["--model"]),
        str(base),
        *lora,
        *(["--enforce-eager"] if is_small(base) else []),
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
        str(min(settings.server_memory, SMALL_MEMORY) if is_small(base) else settings.server_memory),
        "--disable-log-stats",  # counting them costs some percent of the speed
        "--uvicorn-log-level",
        "warning",
        "--max-num-seqs",
        str(settings.server_sequences),
    ]


def load_adapter(url: str, adapted: Adapted) -> str:
    """Have a vLLM server read an adapter of its model, unless it has it; return the name under which it serves it.

    Raises UserError with the server's reason when it refuses.
    """
    import httpx2

    with httpx2.Client(base_url=url, timeout=READY_SECONDS, trust_env=False) as client:
        try:
            models = client.get("/v1/models").json()["data"]
            names = {str(model["id"]) for model in models}
            if adapted.name in names:
                return adapted.name
            for name in sorted(name for name in names if name.startswith(NAME)):  # of an iteration before
                client.post("/v1/unload_lora_adapter", json={"lora_name": name})
            body = {"lora_name": adapted.name, "lora_path": str(adapted.adapter)}
            answer = client.post("/v1/load_lora_adapter", json=body)
        except (httpx2.HTTPError, ValueError, KeyError, TypeError) as error:
            raise UserError(f"{url}: the server could not be asked for an adapter ({error!r})") from error
    if answer.status_code != 200:
        raise UserError(
            f"{adapted.adapter}: the server does not take this adapter (HTTP {answer.status_code}: {answer.text[:300]}); "
            "set policy.adapter: merge"
        )
    return adapted.name


def _server_key(command: Sequence[str], base: Path) -> str:
    """Return what tells a server from one that was started otherwise, or for another model in the same folder."""
    weights = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in sorted(base.glob("*.safetensors"))]
    return digest([list(command), str(base.resolve()), weights])


def _answers(url: str) -> bool:
    """Return whether a server is ready."""
    import httpx2

    try:
        return bool(httpx2.get(f"{url}/health", timeout=5.0, trust_env=False).status_code == 200)
    except httpx2.TransportError:
        return False


class VLLMProcess:
    """A running server on a loopback port; ready for requests once constructed.

    It is this job's own, or (``policy.server_kept``) one that jobs on the same GPU leave to each other. Raises UserError
    with the end of its log when it dies or is not ready in time.
    """

    name = "burnqed-policy"

    def __init__(
        self, model_dir: Path, settings: PolicySettings, max_length: int, ready_seconds: float = READY_SECONDS
    ) -> None:
        adapted = read_adapted(model_dir)
        base = model_dir if adapted is None else adapted.base
        self._process: subprocess.Popen[bytes] | None = None
        self._kept: Kept | None = None
        device = kept_device() if settings.server_kept and DRIVER in os.environ else ""
        key = _server_key(server_command(model_dir, settings, max_length, 0, self.name), base)
        found = kept_server(device) if device else None
        if found is not None and found.key == key and _answers(found.url):
            self._kept, self.url, self._log = found, found.url, Path(found.log)
        else:
            self._start(model_dir, settings, max_length, device)
        try:
            self._wait(ready_seconds)
            if adapted is not None:
                self.name = load_adapter(self.url, adapted)
        except BaseException:
            self._end()
            raise
        if device and self._process is not None:
            self._kept = Kept(self._process.pid, self.url, str(self._log), key, small=is_small(base))
            keep(self._kept, device)
            atexit.unregister(self._end)

    def _start(self, model_dir: Path, settings: PolicySettings, max_length: int, device: str) -> None:
        """Start a server: with this job's life, or with the driver's where the next job on the device may use it."""
        port = _free_port()
        self.url = f"http://127.0.0.1:{port}"
        command = server_command(model_dir, settings, max_length, port, self.name)
        how: dict[str, Any] = {"pass_fds": lock_descriptors(), "preexec_fn": vllm_keeper.end_with_parent}
        if device:
            end_kept([device])
            command = [sys.executable, "-I", "-S", str(vllm_keeper.__file__), os.environ[DRIVER], *command]
            how = {}
        with tempfile.NamedTemporaryFile(prefix="burnqed-vllm-", suffix=".log", delete=False) as log:
            self._log = Path(log.name)
            try:
                self._process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                    env={**os.environ, "VLLM_ALLOW_RUNTIME_LORA_UPDATING": "True"},  # on loopback, for our own adapters
                    **how,
                )
            except OSError as error:
                raise UserError(f"policy.server_python: cannot start {command[0]} ({error.strerror})") from error
        atexit.register(self._end)

    def _wait(self, seconds: float) -> None:
        limit = time.monotonic() + seconds
        while time.monotonic() < limit:
            self.check()
            if _answers(self.url):
                return
            time.sleep(0.5)
        raise UserError(f"the vLLM server was not ready after {seconds:.0f} s; its log ends:\n{self._tail()}")

    def check(self) -> None:
        """Raise UserError when the server has died."""
        status = self._process.poll() if self._process is not None else None
        if status is not None:
            raise UserError(f"the vLLM server ended with status {status}; its log ends:\n{self._tail()}")
        if self._process is None and self._kept is not None and not self._kept.lives:
            raise UserError(f"the vLLM server that was kept has ended; its log ends:\n{self._tail()}")

    def _tail(self, lines: int = 15) -> str:
        try:
            text = self._log.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return "  (it is gone)"
        return "\n".join("  " + line for line in text.splitlines()[-lines:])

    def stop(self) -> None:
        """End the server and all its children, unless the next job may use it; harmless when called again."""
        if self._kept is None:
            self._end()

    def _end(self) -> None:
        atexit.unregister(self._end)
        if self._process is None:
            return
        # A keeper ends its server in a group of its own: it is given the time for that.
        vllm_keeper.end(self._process, STOP_SECONDS + vllm_keeper.STOP_SECONDS)
        self._log.unlink(missing_ok=True)
