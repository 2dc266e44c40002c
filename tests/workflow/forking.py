"""Commands in processes forked from one that has their imports: what they do is the same, and most of their time is saved.

The parent imports what all of them need, with nothing of a command line, a folder or an environment; each child then
is what `python -m MODULE WORDS` is.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

PARENT = """
import json, os, runpy, sys
import snakemake.cli, snakemake.workflow, snakemake.dag
import burnqed.commands.cli, burnqed.commands.live, burnqed.experiments.runs, burnqed.report.catalogue
assert "burnqed.snakemake.progress" not in sys.modules  # it reads the command line when it is imported
for line in sys.stdin:
    asked = json.loads(line)
    child = os.fork()
    if child == 0:
        for number, (path, flags) in enumerate([(os.devnull, os.O_RDONLY), (asked["output"], os.O_WRONLY)]):
            opened = os.open(path, flags)
            os.dup2(opened, number)
        os.dup2(1, 2)
        sys.stdin = open(0, closefd=False)
        os.chdir(asked["folder"])
        os.environ.clear()
        os.environ.update(asked["environment"])
        sys.argv, sys.path[0] = asked["words"], asked["folder"]
        runpy.run_module(asked["words"][0], run_name="__main__", alter_sys=True)
        sys.exit()
    _, status, used = os.wait4(child, 0)
    print(os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, flush=True)
"""


class Forking:
    """The parent process; `run` starts a command in a child and waits for its end."""

    def __init__(self, root: Path) -> None:
        pipe = subprocess.PIPE
        self.cpu_seconds = 0.0  # of the last command, without the imports that its parent has
        self._parent = subprocess.Popen([sys.executable, "-c", PARENT], cwd=root, stdin=pipe, stdout=pipe, text=True)

    def run(self, words: Sequence[str], folder: Path, environment: Mapping[str, str]) -> tuple[int, str]:
        """Return status and output of `python -m WORDS` in a folder and an environment."""
        assert self._parent.stdin is not None and self._parent.stdout is not None
        with tempfile.NamedTemporaryFile() as output:
            asked = {
                "words": list(words),
                "folder": str(folder),
                "environment": dict(environment),
                "output": output.name,
            }
            print(json.dumps(asked), file=self._parent.stdin, flush=True)
            status, used = self._parent.stdout.readline().split()
            self.cpu_seconds = float(used)
            return int(status), Path(output.name).read_text(encoding="utf-8")

    def close(self) -> None:
        """End the parent process."""
        self._parent.communicate()


# Here and not in conftest.py, which pytest loads under a name of its own, so that tests that import it see another one.
_started: list[Forking] = []


def forking() -> Forking:
    """Return the parent process of commands that only look, started when it is first needed."""
    if not _started:
        _started.append(Forking(Path(__file__).parents[2]))
    return _started[0]


def end_forking() -> None:
    """End the parent process, if it was started."""
    while _started:
        _started.pop().close()
