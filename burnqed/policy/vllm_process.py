"""A vLLM server process that a job starts, waits for, and ends with all its children."""

from __future__ import annotations

import atexit
import importlib.util
import logging
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from burnqed.config import PolicySettings
from burnqed.files import UserError, digest, file_digest
from burnqed.jobs.gpus import kept_device, lock_descriptors
from burnqed.jobs.kept import Kept, end_kept, keep, kept_server
from burnqed.jobs.sockets import socket_folder
from burnqed.policy import vllm_keeper
from burnqed.policy.adapted import NAME, Adapted, read_adapted
from burnqed.policy.connection import UNIX, connect

logger = logging.getLogger(__name__)
READY_SECONDS = 900.0
STOP_SECONDS = 10.0
SMALL_MEMORY = 0.3  # of a GPU, for a model that is not compiled
COMPILED_BYTES = 1_000_000_000  # of weight files; half a billion weights of 16 bits
DRIVER = "BURNQED_DRIVER_PID"
SOCKET, LOG = "socket", "log"
# What a server is but for its weights: its shape, how it writes tokens as text, its defaults for requests.
DESCRIBED_BY = ("config.json", "generation_config.json", "tokenizer.json", "tokenizer_config.json", "tokenizer.model")
# Adapters and other weights may be read while it runs: who can open its socket may read all that its user can.
ENVIRONMENT = {"VLLM_ALLOW_RUNTIME_LORA_UPDATING": "True", "VLLM_SERVER_DEV_MODE": "1"}
# Its engine forks from the process that has imported vLLM, where its command line would import all of it again.
DEFAULTS = {"VLLM_WORKER_MULTIPROC_METHOD": "fork"}
ASK_SECONDS = 5.0


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


def server_command(model_dir: Path, settings: PolicySettings, max_length: int, name: str) -> list[str]:
    """Return the command line of the server, but for where it listens. Raises UserError when vLLM is nowhere to be found."""
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

    try:
        with connect(url, READY_SECONDS) as client:
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


def load_weights(url: str, model_dir: Path) -> str:
    """Have a vLLM server read the weights of another model of the same shape; return why it could not, else nothing.

    A server that could not has weights of both or neither: it has to be ended.
    """
    import httpx2

    body = {"method": "reload_weights", "kwargs": {"weights_path": str(model_dir.resolve())}}
    try:
        with connect(url, READY_SECONDS) as client:
            for path, content in (("/collective_rpc", body), ("/reset_prefix_cache", None)):
                answer = client.post(path, json=content)
                if answer.status_code != 200:
                    return f"{path}: HTTP {answer.status_code}: {answer.text[:300]}"
            if answer.json() != {"success": True}:
                return f"{path}: {answer.text[:300]}"
    except (httpx2.HTTPError, ValueError) as error:
        return repr(error)
    return ""


def _kind(command: Sequence[str], base: Path) -> str:
    """Return what tells a server from one that was started otherwise, or for a model that differs in more than weights."""
    described = {name: file_digest(base / name) for name in DESCRIBED_BY if (base / name).is_file()}
    return digest([[word for word in command if word != str(base)], described])


def _key(kind: str, base: Path) -> str:
    """Return what tells a server from one of its kind for another model, or for one made again in the same folder."""
    weights = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in sorted(base.glob("*.safetensors"))]
    return digest([kind, str(base.resolve()), weights])


def _answers(url: str) -> bool:
    """Return whether a server is ready."""
    import httpx2

    try:
        with connect(url, ASK_SECONDS) as client:
            return bool(client.get("/health").status_code == 200)
    except httpx2.TransportError:
        return False


class VLLMProcess:
    """A running server that only this user reaches; ready for requests once constructed.

    It is this job's own, or (``policy.server_kept``) one that jobs on the same GPU leave to each other: one of another model
    of the same shape is given this one's weights. Raises UserError with the end of its log when it dies or is not ready
    in time.
    """

    name = "burnqed-policy"

    def __init__(
        self, model_dir: Path, settings: PolicySettings, max_length: int, ready_seconds: float = READY_SECONDS
    ) -> None:
        adapted = read_adapted(model_dir)
        base = model_dir if adapted is None else adapted.base
        self._process: subprocess.Popen[bytes] | None = None
        self._kept: Kept | None = None
        self._device = kept_device() if settings.server_kept and DRIVER in os.environ else ""
        command = server_command(model_dir, settings, max_length, self.name)
        kind = _kind(command, base)
        key = _key(kind, base)
        if not self._take_kept(kind, key, base, with_adapters=adapted is not None):
            self._start(command)
        try:
            self._wait(ready_seconds)
            if adapted is not None:
                self.name = load_adapter(self.url, adapted)
        except BaseException:
            self._end()
            raise
        if self._device and self._process is not None:
            self._kept = Kept(self._process.pid, str(self._folder), key, kind, small=is_small(base))
            keep(self._kept, self._device)
            atexit.unregister(self._end)

    @property
    def url(self) -> str:
        """Where the server is reached."""
        return f"{UNIX}{self._folder / SOCKET}"

    def _take_kept(self, kind: str, key: str, base: Path, with_adapters: bool) -> bool:
        """Use the server that is kept on the device if it is this one, or can be made of it; return whether it is."""
        found = kept_server(self._device) if self._device else None
        if found is None or found.kind != kind:
            return False
        self._folder = Path(found.folder)
        if not _answers(self.url):
            return False
        if found.key != key:
            if with_adapters:  # they belong to the weights that are there
                return False
            keep(replace(found, key=""), self._device)  # of no model, should this job end meanwhile
            problem = load_weights(self.url, base)
            if problem:
                logger.warning("the vLLM server did not take other weights (%s); it is started anew", problem)
                return False
            found = replace(found, key=key)
            keep(found, self._device)
        self._kept = found
        return True

    def _start(self, command: list[str]) -> None:
        """Start a server: with this job's life, or with the driver's where the next job on the device may use it."""
        if self._device:
            end_kept([self._device])
        self._folder = socket_folder("burnqed-vllm-")
        command = [*command, "--uds", str(self._folder / SOCKET)]
        how: dict[str, Any] = {"pass_fds": lock_descriptors(), "preexec_fn": vllm_keeper.end_with_parent}
        if self._device:
            keeper = [sys.executable, "-I", "-S", str(vllm_keeper.__file__), os.environ[DRIVER], str(self._folder)]
            command = [*keeper, *command]
            how = {}
        with (self._folder / LOG).open("wb") as log:
            try:
                self._process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                    env={**DEFAULTS, **os.environ, **ENVIRONMENT},
                    **how,
                )
            except OSError as error:
                shutil.rmtree(self._folder, ignore_errors=True)
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
            text = (self._folder / LOG).read_text(encoding="utf-8", errors="replace")
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
        shutil.rmtree(self._folder, ignore_errors=True)
