"""A clone of the workflow whose scripts only make their files: what is tested is Snakemake's side."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.forking import forking

ROOT = Path(__file__).parents[2]
Run = Callable[..., "subprocess.CompletedProcess[str]"]

STAND_IN = """
import pathlib, sys, time
name = pathlib.Path(__file__).stem
args = sys.argv[1:]
def value(option):
    return pathlib.Path(args[args.index(option) + 1])
with open("calls.txt", "a") as calls:
    calls.write(name + "\\n")
print("a line of the log of", name)
pause = pathlib.Path("pause")
while pause.exists() and pause.read_text() == name:
    pathlib.Path("waiting").touch()
    time.sleep(0.05)
    if __import__("os").getppid() == 1:
        sys.exit(143)
if pathlib.Path("fail").exists() and pathlib.Path("fail").read_text() == name:
    sys.exit("the reason of the failure")
options = {"build_tactic_pairs": ["--train", "--val", "--report", "--pool"], "verify_proofs": ["--output", "--lean"],
           "evaluate": ["--output", "--trajectories"], "render_report": ["--output", "--markdown"],
           "write_baseline_report": ["--output", "--page"],
           "plot_data": ["--table"], "train_joint": ["--output", "--head"]}.get(name, ["--output"])
folders = {"train_base_model", "fetch_base_model", "train_sft", "merge_adapter", "train_energy_head",
           "train_joint", "measure_joint_head"}
data = ["data_sizes", "data_depth", "data_lengths", "data_tactics", "data_drops"] if name == "plot_data" else []
for path in [*map(value, options), *(value("--figures") / f"{figure}.svg" for figure in data)]:
    if name in folders:
        path.mkdir(parents=True)
        (path / "model").write_text(name)
    else:
        more = {"plot_figure": [".png", ".csv"], "plot_data": [".png", ".csv", ".html"],
                "write_table": [".csv", ".html"]}.get(name, [])
        for file in [path, *(path.with_suffix(suffix) for suffix in more)]:
            svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
            file.write_text(svg if file.suffix == ".svg" else "a,b\\n1,2\\n" if file.suffix == ".csv" else name)
"""


def make_clone(folder: Path) -> Path:
    """Copy the workflow's files, with stand-ins for all scripts."""
    folder.mkdir()
    for name in ("Snakefile", "config.yaml"):
        shutil.copy(ROOT / name, folder)
    for name in ("rules", "profiles", "envs"):
        shutil.copytree(ROOT / name, folder / name)
    scripts = folder / "workflow_scripts"
    scripts.mkdir()
    rules = "".join(path.read_text() for path in (ROOT / "rules").glob("*.smk"))
    for script in {word.split("/")[-1] for word in rules.split() if "$BURNQED_SCRIPTS" in word}:
        (scripts / script).write_text(STAND_IN)
    return folder


def environment(**more: str) -> dict[str, str]:
    """The environment of a user: no settings of Snakemake's own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SNAKEMAKE", "BURNQED"))}
    return {**kept, "OMP_NUM_THREADS": "1", "BURNQED_WARM": "off", **more}


def runner(folder: Path) -> Run:
    """Return a function that runs snakemake in a clone and returns the process with its output as text."""

    def run(*args: str, check: bool = True, **more: str) -> subprocess.CompletedProcess[str]:
        result = subprocess.run(
            forking().command(["snakemake", *args]),
            cwd=folder,
            env=environment(**more),
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert not check or result.returncode == 0, result.stdout
        return result

    return run


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    return make_clone(tmp_path / "clone")


@pytest.fixture
def snakemake(clone: Path) -> Run:
    return runner(clone)


@pytest.fixture(scope="module")
def looker(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Run snakemake in one clone that the tests of a module only look at."""
    return runner(make_clone(tmp_path_factory.mktemp("look") / "clone"))


def job_counts(output: str) -> dict[str, int]:
    """Read Snakemake's table of jobs; empty when there is nothing to do."""
    lines = output.splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("job ")]
    if not starts:
        return {}
    counts = {}
    for line in lines[starts[0] + 2 :]:
        if not line.strip():
            break
        name, count = line.split()
        counts[name] = int(count)
    return counts
