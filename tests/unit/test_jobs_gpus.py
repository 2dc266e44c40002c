"""Devices of a shared machine: each job its own, given back with its process."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from burnqed.files import UserError, read_json
from burnqed.jobs.gpus import SHARE, VISIBLE, lock_descriptors, release_gpus, take_gpus, visible_gpus
from burnqed.jobs.runner import Job, job, writes

ROOT = Path(__file__).parents[2]
JOB = """
import os, sys, time
from pathlib import Path
from burnqed.jobs.gpus import take_gpus
take_gpus(1, sys.argv[2].split(","), folder=Path(sys.argv[1]))
print(os.environ["CUDA_VISIBLE_DEVICES"], flush=True)
time.sleep(600)
"""


@job
class Sleeps(Job):
    output: Path = writes("nothing")

    def run(self) -> None:
        time.sleep(0.02)


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VISIBLE, "-1")


def start(folder: Path, devices: str) -> tuple[subprocess.Popen[str], str]:
    """Start another job; return it and the device it has."""
    command = [sys.executable, "-c", JOB, str(folder), devices]
    job = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert job.stdout is not None
    return job, job.stdout.readline().strip()


def test_devices_are_those_cuda_would_see(monkeypatch: pytest.MonkeyPatch) -> None:
    assert visible_gpus() == []
    monkeypatch.setenv(VISIBLE, "2, 3,GPU-ab/1")
    assert visible_gpus() == ["2", "3", "GPU-ab/1"]
    monkeypatch.setenv(VISIBLE, "")
    assert visible_gpus() == []


def test_each_job_has_its_own_device_until_it_ends(tmp_path: Path) -> None:
    first, one = start(tmp_path, "4,7")
    second, other = start(tmp_path, "4,7")
    try:
        assert {one, other} == {"4", "7"}
        with pytest.raises(UserError, match=rf"no free GPU among 4, 7 for 0 s .*pid {first.pid}"):
            take_gpus(1, ["4", "7"], folder=tmp_path, wait=0)
        second.kill()  # however it ends
        second.wait()
        assert take_gpus(1, ["4", "7"], folder=tmp_path, wait=60) == [other]
        assert os.environ[VISIBLE] == other
    finally:
        release_gpus()
        for job in (first, second):
            job.kill()
            job.communicate()


def test_jobs_of_small_models_share_a_device(tmp_path: Path) -> None:
    """An idle device comes first; a job that needs two gets two different ones."""
    try:
        taken = [take_gpus(1, ["0", "1"], each=2, folder=tmp_path, wait=0) for _ in range(4)]
        assert taken == [["0"], ["1"], ["0"], ["1"]]
        with pytest.raises(UserError, match="no free GPU"):
            take_gpus(1, ["0", "1"], each=2, folder=tmp_path, wait=0)
        release_gpus()
        assert take_gpus(2, ["0", "1"], each=2, folder=tmp_path, wait=0) == ["0", "1"]
    finally:
        release_gpus()


def test_a_server_that_outlives_its_job_keeps_the_device(tmp_path: Path) -> None:
    take_gpus(1, ["0"], folder=tmp_path)
    server = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], pass_fds=lock_descriptors())
    release_gpus()
    try:
        with pytest.raises(UserError, match="no free GPU"):
            take_gpus(1, ["0"], folder=tmp_path, wait=0)
    finally:
        server.kill()
        server.wait()
    take_gpus(1, ["0"], folder=tmp_path, wait=60)
    release_gpus()


def test_too_few_devices_are_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="needs 2 GPUs and sees 1 \\(3\\)"):
        take_gpus(2, ["3"], folder=tmp_path)


def test_a_job_takes_its_gpu_and_its_price(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("burnqed.jobs.gpus.LOCKS", tmp_path)
    monkeypatch.setattr("burnqed.jobs.gpus.take_gpus.__kwdefaults__", {"folder": tmp_path, "wait": 1.0})
    monkeypatch.setenv(VISIBLE, "5,6")
    monkeypatch.setenv(SHARE, "1")
    machine = '{"device": "cuda", "prices": {"a100": 3600.0, "rtx4090": 360.0}}'
    try:
        Sleeps.main(
            ["--machine", machine, "--gpus", "1", "--gpu-model", "rtx4090", "--output", str(tmp_path / "artefact")]
        )
        assert os.environ[VISIBLE] == "5"
        record = read_json(tmp_path / "artefact.meta.json")
        # torch sees no GPU here, as in a job whose server uses it: the job's own count is what it costs.
        assert record["gpu_seconds"] == record["wall_seconds"] > 0
        assert record["estimated_cost"] == pytest.approx(record["wall_seconds"] / 10, abs=1e-3)
    finally:
        release_gpus()
        Sleeps.parse(["--output", "x"]).begin()


def test_a_job_without_gpu_pays_for_none_that_it_sees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A warm process has torch in it before any job says whether it needs a GPU."""
    seen = SimpleNamespace(is_available=lambda: True, device_count=lambda: 2, is_initialized=lambda: False)
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(cuda=seen))
    Sleeps.main(["--gpu-model", "", "--output", str(tmp_path / "artefact")])
    record = read_json(tmp_path / "artefact.meta.json")
    assert (record["gpu_seconds"], record["peak_gpu_bytes"]) == (0, 0) and record["wall_seconds"] > 0


def test_a_job_without_gpu_takes_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SHARE, "1")
    Sleeps.parse(["--device", "cpu", "--gpus", "1", "--output", "x"]).begin()
    assert lock_descriptors() == ()


def test_a_lock_leads_nowhere_else(tmp_path: Path) -> None:
    folder, target = tmp_path / "locks", tmp_path / "precious"
    target.write_text("data")
    folder.mkdir(mode=0o777)
    for make in (lambda link: link.symlink_to(target), lambda link: link.hardlink_to(target), os.mkfifo):
        lock = folder / "0.lock"
        make(lock)
        with pytest.raises(UserError, match="the lock of GPU 0 cannot be used"):
            take_gpus(1, ["0"], folder=folder, wait=0)
        lock.unlink()
        assert target.read_text() == "data"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert take_gpus(1, ["0"], folder=folder, wait=0) == ["0"]
    release_gpus()


def test_the_folder_of_locks_is_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o755)
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UserError, match="link: no folder to lock GPUs in"):
        take_gpus(1, ["0"], folder=tmp_path / "link", wait=0)
    assert list((tmp_path / "elsewhere").iterdir()) == []
    other = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: other)
    with pytest.raises(UserError, match="elsewhere: belongs to another user"):
        take_gpus(1, ["0"], folder=tmp_path / "elsewhere", wait=0)
    assert (tmp_path / "elsewhere").stat().st_mode & 0o777 == 0o755
