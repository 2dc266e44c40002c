"""Commands in processes forked from one that has their imports: what they do is the same, and most of their time is saved.

The parent is the warm process of runs (`burnqed/jobs/warm.py`), with other imports. A command is a child of it with the
words, folder, environment and open files of the one who asked; where the parent cannot fork, the command runs by itself.
"""

from __future__ import annotations

import functools
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from burnqed.jobs import warm_client

ROOT = Path(__file__).parents[1]
# What Snakemake and `burnqed` need, but for burnqed.snakemake.progress: it reads the command line when it is imported.
COMMANDS = (
    "snakemake.cli",
    "snakemake.workflow",
    "snakemake.dag",
    "burnqed.commands.cli",
    "burnqed.commands.live",
    "burnqed.experiments.runs",
    "burnqed.report.catalogue",
)
# What processes of a training need; torch imports its compiler in the first step, and accelerate's launcher is a command.
TRAINING = ("burnqed.training.loop", "torch._dynamo", "accelerate.commands.launch", "peft")
SERVER = """
import sys
from pathlib import Path
from burnqed.jobs.warm import Warm
Warm(Path(sys.argv[1]), sys.argv[2:]).serve()
"""
AS_MODULE = """
import os, runpy, sys
os.environ.pop("BURNQED_WARM_JOB", None)
sys.argv.pop(0)
sys.path[0] = os.getcwd()
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""
# Threads cannot be forked: neither those of BLAS nor the one in which pyarrow's allocator cleans up.
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "JE_ARROW_MALLOC_CONF": "background_thread:false",
}


class Forking:
    """The parent process: its imports, the heaviest last, and the checkout whose package is imported."""

    def __init__(self, modules: Sequence[str] = COMMANDS, root: Path = ROOT) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="forking-"))  # its name is short enough for a socket
        self._as_module = self._folder / "as_module.py"
        self._as_module.write_text(AS_MODULE)
        socket = str(self._folder / "socket")
        self._client = [sys.executable, "-I", "-S", str(warm_client.__file__), socket]
        self._parent = subprocess.Popen(
            [sys.executable, "-c", SERVER, socket, *modules],
            cwd=root,
            env={**os.environ, **ONE_THREAD, "PYTHONPATH": str(root)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._parent.stderr is not None
        for line in self._parent.stderr:
            if line.startswith(f"{modules[-1]}: "):
                break

    def command(self, words: Sequence[str]) -> list[str]:
        """Return the command that does what `python -m WORDS` does."""
        return self.script(self._as_module, *words)

    def script(self, path: Path, *words: str) -> list[str]:
        """Return the command that does what `python PATH WORDS` does."""
        return [*self._client, str(path), *words]

    def programs(self) -> Path:
        """Return a folder with programs of these names, for the PATH of a shell."""
        folder = self._folder / "bin"
        folder.mkdir(exist_ok=True)
        for name in ("snakemake", "burnqed"):
            (folder / name).write_text(f'#!/bin/sh\nexec {shlex.join(self.command([name]))} "$@"\n')
            (folder / name).chmod(0o755)
        return folder

    def close(self) -> None:
        """End the parent process."""
        self._parent.kill()
        self._parent.communicate()
        shutil.rmtree(self._folder)


@functools.cache
def forking(modules: Sequence[str] = COMMANDS) -> Forking:
    """Return the parent process with these imports, started when it is first needed; it ends with this process."""
    return Forking(modules)
