"""A server that jobs on one GPU leave to each other; a stand-in on loopback takes vLLM's place."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import policy_fake_server
import pytest

from burnqed.config import PolicySettings
from burnqed.files import UserError, write_json
from burnqed.jobs import runner
from burnqed.jobs.gpus import SHARE, VISIBLE, kept_device, release_gpus, take_gpus
from burnqed.jobs.kept import end_kept, kept_server
from burnqed.jobs.runner import Job, job, writes
from burnqed.policy import vllm_process
from burnqed.policy.connection import UNIX, connect
from burnqed.policy.vllm_process import COMPILED_BYTES, DRIVER, VLLMProcess, server_command


@job
class Trains(Job):
    output: Path = writes("nothing")

    def run(self) -> None:
        self.output.write_text(str(kept_server(os.environ[VISIBLE])))


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A device of this test's own, held as a job of a driver holds it."""
    name = f"test-{uuid.uuid4()}"
    monkeypatch.setenv(SHARE, "1")
    monkeypatch.setenv(VISIBLE, name)
    monkeypatch.setenv(DRIVER, str(os.getpid()))
    take_gpus(1, [name])
    yield name
    release_gpus()
    end_kept([name])


@pytest.fixture
def model(tmp_path: Path) -> Path:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(b"weights")
    write_json(folder / "config.json", {})
    return folder


@pytest.fixture
def other(model: Path, tmp_path: Path) -> Path:
    """Another model of the same shape."""
    return Path(shutil.copytree(model, tmp_path / "other"))


def settings(folder: Path, **more: Any) -> PolicySettings:
    python = folder / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} {policy_fake_server.__file__} "$@"\n')
    python.chmod(0o755)
    return PolicySettings(backend="server", server_python=str(python), **more)


def started(model: Path, folder: Path, **more: Any) -> VLLMProcess:
    """A job's server, after the job has left it."""
    server = VLLMProcess(model, settings(folder, **more), 64)
    server.check()
    server.stop()
    return server


def weights(server: VLLMProcess) -> str:
    """The folder that a server says its weights are from."""
    with connect(server.url, 60) as client:
        return str(client.get("/health").json()["weights"])


def wait_until_gone(url: str) -> None:
    limit = time.monotonic() + 300
    while any(url.removeprefix(UNIX) in line for line in Path("/proc/net/unix").read_text().splitlines()):
        assert time.monotonic() < limit, "the server still listens"
        time.sleep(0.05)


def test_the_next_job_on_the_device_uses_the_same_server(device: str, model: Path, tmp_path: Path) -> None:
    first = started(model, tmp_path)
    kept = kept_server(device)
    assert kept is not None and first.url == f"{UNIX}{kept.folder}/socket"
    assert Path(kept.folder).stat().st_mode & 0o077 == 0, "others could send it requests"
    assert started(model, tmp_path).url == first.url
    assert kept_server(device) == kept
    second = started(model, tmp_path, server_sequences=7)
    assert second.url != first.url and not kept.lives
    wait_until_gone(first.url)
    write_json(model / "config.json", {"hidden_size": 8})
    third = started(model, tmp_path, server_sequences=7)
    assert third.url != second.url
    end_kept([device])
    wait_until_gone(third.url)
    assert kept_server(device) is None and not third._folder.exists()


def test_a_model_of_the_same_shape_takes_only_its_weights(
    device: str, model: Path, other: Path, tmp_path: Path
) -> None:
    first = started(model, tmp_path)
    second = started(other, tmp_path)
    assert second.url == first.url and weights(second) == str(other)
    kept = kept_server(device)
    assert started(other, tmp_path).url == first.url and kept_server(device) == kept
    third = started(model, tmp_path)
    assert third.url == first.url and weights(third) == str(model)
    (model / "model.safetensors").write_bytes(b"others!")  # made again: the same folder is another model
    os.utime(model / "model.safetensors", ns=(1, 1))
    before = kept_server(device)
    assert started(model, tmp_path).url == first.url and kept_server(device) != before


def test_a_server_that_cannot_take_them_is_started_anew(
    device: str, model: Path, other: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first = started(model, tmp_path)
    (other / "damaged").touch()
    second = started(other, tmp_path)
    assert second.url != first.url and weights(second) == str(other)
    assert "did not take other weights (/collective_rpc: HTTP 500" in caplog.text
    wait_until_gone(first.url)


def test_a_server_whose_job_ended_while_it_took_weights_is_of_no_model(
    device: str, model: Path, other: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = started(model, tmp_path)

    def ends(*_: object) -> str:
        raise SystemExit

    monkeypatch.setattr(vllm_process, "load_weights", ends)
    with pytest.raises(SystemExit):
        started(other, tmp_path)
    monkeypatch.undo()
    for name, value in ((SHARE, "1"), (VISIBLE, device), (DRIVER, str(os.getpid()))):
        monkeypatch.setenv(name, value)
    again = started(model, tmp_path)
    kept = kept_server(device)
    assert again.url == first.url and weights(again) == str(model.resolve()) and kept is not None and kept.key


@pytest.mark.parametrize("size", [COMPILED_BYTES, COMPILED_BYTES - 1])
def test_a_job_that_asks_no_server_ends_it_first_unless_it_is_small(
    size: int, device: str, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.truncate(model / "model.safetensors", size)
    server = started(model, tmp_path)
    kept = kept_server(device)
    assert kept is not None
    release_gpus()
    monkeypatch.setattr(runner.gpus, "visible_gpus", lambda: [device])
    Trains.main(["--output", str(tmp_path / "made"), "--gpus", "1"])
    if size < COMPILED_BYTES:
        assert (tmp_path / "made").read_text() == str(kept)
        assert started(model, tmp_path).url == server.url
    else:
        assert (tmp_path / "made").read_text() == "None"
        wait_until_gone(server.url)


@pytest.mark.parametrize(("size", "share"), [(COMPILED_BYTES, "0.6"), (COMPILED_BYTES - 1, "0.3")])
def test_a_small_model_leaves_most_of_the_memory(size: int, share: str, model: Path, tmp_path: Path) -> None:
    os.truncate(model / "model.safetensors", size)
    command = server_command(model, settings(tmp_path), 64, "name")
    assert command[command.index("--gpu-memory-utilization") + 1] == share


def test_it_ends_with_the_driver(device: str, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    driver = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    monkeypatch.setenv(DRIVER, str(driver.pid))
    server = started(model, tmp_path)
    driver.kill()
    driver.wait()
    wait_until_gone(server.url)
    assert server._process is not None
    assert server._process.wait(300) == 0
    assert kept_server(device) is None and not server._folder.exists()


@pytest.mark.parametrize("how", ["off", "shared", "no driver"])
def test_elsewhere_a_server_is_its_jobs_own(
    how: str, device: str, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where several jobs share a device, and on clusters, nothing is left behind."""
    if how == "shared":
        monkeypatch.setenv(SHARE, "4")
        assert kept_device() == ""
    if how == "no driver":
        monkeypatch.delenv(DRIVER)
    server = started(model, tmp_path, server_kept=how != "off")
    assert kept_server(device) is None
    wait_until_gone(server.url)


def test_its_socket_has_a_short_path(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel takes 107 characters; a cluster's folder for temporary files may have more."""
    folder = tmp_path / ("long" * 25)
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    started(model, tmp_path)
    assert not list(folder.iterdir())


def test_a_server_that_dies_at_the_start_is_not_kept(device: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"(?s)ended with status 1.*this model cannot be served"):
        VLLMProcess(tmp_path / "broken-model", settings(tmp_path), 64)
    assert kept_server(device) is None
