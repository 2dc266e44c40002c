"""`burnqed run`: one driver per folder, signals for all its jobs, and the same command after a kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from burnqed.files import UserError
from burnqed.snakemake.launch import VolumeLock
from tests.workflow.conftest import ROOT, environment

SNAKEFILE = """
rule all:
    input: "out.txt"
rule slow:
    output: "out.txt"
    shell: "exec {python} job.py {{output}}"
"""
# The job saves what it has on SIGTERM and ends with a status other than 0, as all of the project's do.
JOB = """
import os, pathlib, signal, sys, time
def save(*_):
    pathlib.Path("saved").write_text("progress")
    sys.exit(143)
signal.signal(signal.SIGTERM, save)
pathlib.Path("job.pid").write_text(str(os.getpid()))
while pathlib.Path("pause").exists():
    time.sleep(0.02)
pathlib.Path(sys.argv[1]).write_text("done")
"""

SELF = (os.getpid(), signal.SIGTERM)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "Snakefile").write_text(SNAKEFILE.format(python=sys.executable))
    (tmp_path / "job.py").write_text(JOB)
    (tmp_path / "pause").touch()
    return tmp_path


def start(folder: Path, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "burnqed", "run", *options, "--", "all", "--cores", "1"]
    return subprocess.Popen(
        command,
        cwd=folder,
        env=environment(PYTHONPATH=str(ROOT)),
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def wait_for_job(folder: Path) -> int:
    limit = time.monotonic() + 300
    while not (folder / "job.pid").exists() or not (folder / "job.pid").read_text():
        assert time.monotonic() < limit
        time.sleep(0.05)
    pid = int((folder / "job.pid").read_text())
    (folder / "job.pid").unlink()
    return pid


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_sigterm_reaches_the_jobs_and_the_same_command_goes_on(folder: Path) -> None:
    run = start(folder)
    job = wait_for_job(folder)
    run.send_signal(signal.SIGTERM)
    output, _ = run.communicate(timeout=300)
    assert run.returncode == 143, output
    assert (folder / "saved").read_text() == "progress"
    assert not alive(job)
    (folder / "pause").unlink()
    again = start(folder)
    output, _ = again.communicate(timeout=300)
    assert again.returncode == 0, output
    assert (folder / "out.txt").read_text() == "done"


def test_after_sigkill_of_everything_the_same_command_goes_on(folder: Path) -> None:
    run = start(folder)
    job = wait_for_job(folder)
    run.kill()
    run.wait()
    # Snakemake itself lives on and keeps the lock: no second driver.
    second = start(folder)
    output, _ = second.communicate(timeout=300)
    assert second.returncode == 1
    assert f"another `burnqed run` works in this folder (pid {run.pid} on " in output
    os.killpg(os.getpgid(job), signal.SIGKILL)
    (folder / "pause").unlink()
    again = start(folder)
    output, _ = again.communicate(timeout=300)
    assert again.returncode == 0, output
    assert "removed the lock of a run that was killed" in output
    assert (folder / "out.txt").read_text() == "done"


def test_a_job_that_does_not_end_is_killed(folder: Path) -> None:
    (folder / "job.py").write_text(JOB.replace("sys.exit(143)", "return"))
    run = start(folder, "--grace", "1")
    job = wait_for_job(folder)
    run.send_signal(signal.SIGTERM)
    output, _ = run.communicate(timeout=300)
    assert run.returncode == 143
    assert "not ended after 1 s: SIGKILL" in output
    assert not alive(job)


def foreign(folder: Path, name: str) -> None:
    (folder / ".burnqed-run.lock").write_text(json.dumps({"host": "other-pod", "pid": 7, "name": name}))


def test_a_dead_machine_is_told_from_a_live_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    foreign(tmp_path, "dead")
    with VolumeLock(tmp_path, beat=0.05):
        assert "another machine worked here (pid 7 on other-pod)" in capsys.readouterr().out
        assert json.loads((tmp_path / ".burnqed-run.lock").read_text())["pid"] == os.getpid()
        with pytest.raises(UserError, match=rf"another `burnqed run` works in this folder \(pid {os.getpid()} on "):
            VolumeLock(tmp_path).__enter__()
    assert (tmp_path / ".burnqed-run.lock").read_text() == ""


def test_a_live_machine_elsewhere_keeps_the_volume(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    foreign(tmp_path, "first beat")
    monkeypatch.setattr(time, "sleep", lambda _: foreign(tmp_path, "next beat"))
    with pytest.raises(UserError, match="pid 7 on other-pod"):
        VolumeLock(tmp_path, beat=0.05).__enter__()


def test_of_two_that_started_at_once_the_first_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without flock both find the lock free; the beat tells them."""
    stopped = threading.Event()
    monkeypatch.setattr(os, "kill", lambda pid, number: stopped.set() if (pid, number) == SELF else None)
    with VolumeLock(tmp_path, beat=0.05):
        foreign(tmp_path, "second")
        assert stopped.wait(300)
    assert "another `burnqed run` works in this folder (pid 7 on other-pod)" in capsys.readouterr().out
    assert json.loads((tmp_path / ".burnqed-run.lock").read_text())["name"] == "second"
