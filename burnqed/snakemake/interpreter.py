"""The interpreter of a run: jobs call it `python`, and find this package and its plugin without being installed."""

from __future__ import annotations

import importlib.util
import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from burnqed.files import atomic_path
from burnqed.jobs import warm, warm_client
from burnqed.jobs.sockets import socket_folder

ROOT = Path(__file__).resolve().parents[2]
PLUGIN = "snakemake_logger_plugin_burnqed"
PYTHON = "BURNQED_PYTHON"  # what rules start their scripts with
WARM = "BURNQED_WARM"  # off: each job imports for itself
FEWEST = 4  # jobs for which a warm process is worth its own imports
PLUGINS = Path(__file__).resolve().parent / "plugins"


def module_path(before: str = "") -> str:
    """Return PYTHONPATH with which a checkout's package is found, and its plugin where it is not installed."""
    own = [str(ROOT)] if (ROOT / "Snakefile").is_file() else []
    if importlib.util.find_spec(PLUGIN) is None:
        own.append(str(PLUGINS))
    return os.pathsep.join(dict.fromkeys([*own, *filter(None, before.split(os.pathsep))]))


def child_environment() -> dict[str, str]:
    """Return the environment of a Snakemake that this process starts."""
    return {**os.environ, "PYTHONPATH": module_path(os.environ.get("PYTHONPATH", ""))}


def python_folder(scratch: Path = Path(".snakemake") / "burnqed") -> str:
    """Return the folder of this interpreter's `python`; one with a starter of that name where it is only `python3`."""
    own = Path(sys.executable).parent
    if (own / "python").exists():
        return str(own)
    starter = scratch.absolute() / "python"
    _write_starter(starter, [sys.executable])
    return str(starter.parent)


def _write_starter(path: Path, words: list[str]) -> None:
    with atomic_path(path) as partial:
        partial.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n', encoding="utf-8")
        partial.chmod(0o755)


def start_warm(jobs: int, log: Path, unused: Sequence[str] = ()) -> None:
    """Start the process that forks this driver's jobs, unless they are few or BURNQED_WARM is off.

    ``unused``: installed packages that none of the jobs needs.
    """
    if jobs < FEWEST or os.environ.get(WARM) == "off" or not sys.platform.startswith("linux"):
        return
    folder = socket_folder("burnqed-warm-")
    log.parent.mkdir(parents=True, exist_ok=True)
    # One thread: a process with more cannot be forked; jobs set their own numbers.
    one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    with log.open("w", encoding="utf-8") as stream:
        subprocess.Popen(
            [sys.executable, "-m", warm.__name__, str(folder / "socket"), *unused],
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=stream,
            env={**os.environ, **one, "OMP_WAIT_POLICY": "PASSIVE", "TOKENIZERS_PARALLELISM": "false"},
        )
    starter = folder / "python"
    _write_starter(starter, [sys.executable, "-I", "-S", "-B", str(warm_client.__file__), str(folder / "socket")])
    os.environ[PYTHON] = str(starter)
