"""Devices of a shared machine: each job its own, given back with its process."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from burnqed.artifacts import Sidecar, UserError, read_json
from burnqed.gpus import SHARE, VISIBLE, lock_descriptors, release_gpus, take_gpus, visible_gpus
from burnqed.scripting import PRICES, script_parser, start_script

ROOT = Path(__file__).parents[2]
JOB = """
import os, sys, time
from pathlib import Path
from burnqed.gpus import take_gpus
take_gpus(1, sys.argv[2].split(","), folder=Path(sys.argv[1]))
print(os.environ["CUDA_VISIBLE_DEVICES"], flush=True)
time.sleep(60)
"""


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
        assert take_gpus(1, ["4", "7"], folder=tmp_path, wait=5) == [other]
        assert os.environ[VISIBLE] == other
    finally:
        release_gpus()
        for job in (first, second):
            job.kill()
            job.communicate()


def test_a_server_that_outlives_its_job_keeps_the_device(tmp_path: Path) -> None:
    take_gpus(1, ["0"], folder=tmp_path)
    server = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], pass_fds=lock_descriptors())
    release_gpus()
    try:
        with pytest.raises(UserError, match="no free GPU"):
            take_gpus(1, ["0"], folder=tmp_path, wait=0)
    finally:
        server.kill()
        server.wait()
    take_gpus(1, ["0"], folder=tmp_path, wait=5)
    release_gpus()


def test_too_few_devices_are_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="needs 2 GPUs and sees 1 \\(3\\)"):
        take_gpus(2, ["3"], folder=tmp_path)


def test_a_job_takes_its_gpu_and_its_price(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("burnqed.gpus.LOCKS", tmp_path)
    monkeypatch.setattr("burnqed.gpus.take_gpus.__kwdefaults__", {"folder": tmp_path, "wait": 1.0})
    monkeypatch.setenv(VISIBLE, "5,6")
    monkeypatch.setenv(SHARE, "1")
    monkeypatch.setenv(PRICES, '{"a100": 3600.0, "rtx4090": 360.0}')
    args = script_parser("").parse_args(["--device", "cuda", "--gpus", "1", "--gpu-model", "rtx4090"])
    try:
        start_script(args)
        assert os.environ[VISIBLE] == "5"
        output = tmp_path / "artefact"
        with Sidecar([output], price_per_gpu_hour=args.price_per_hour):
            time.sleep(0.02)
        record = read_json(tmp_path / "artefact.meta.json")
        # torch sees no GPU here, as in a job whose server uses it: the job's own count is what it costs.
        assert record["gpu_seconds"] == record["wall_seconds"] > 0
        assert record["estimated_cost"] == pytest.approx(record["wall_seconds"] / 10, abs=1e-3)
    finally:
        release_gpus()
        start_script(script_parser("").parse_args([]))


def test_a_job_without_gpu_takes_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SHARE, "1")
    start_script(script_parser("").parse_args(["--device", "cpu", "--gpus", "1"]))
    assert lock_descriptors() == ()
