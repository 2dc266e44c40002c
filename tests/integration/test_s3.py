"""The real scripts with results in S3: half a run, the machine lost, the rest elsewhere; and a storage that refuses."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytest.importorskip("moto.server")
boto3 = pytest.importorskip("boto3")
pytest.importorskip("snakemake_storage_plugin_s3")
pytestmark = pytest.mark.slow

SECRET = "a-secret-that-no-file-may-hold"
RESULTS = "results/rehearsal"
RUN = f"one/{RESULTS}"
SMALLER = """
data: {corpus_size: 300}
scratch: {hidden_size: 32, layers: 1, epochs: 1}
sft: {steps: 0, epochs: 1, checkpoint_every: 4}
"""


@pytest.fixture
def client(s3_endpoint: str) -> Any:
    keys = {"aws_access_key_id": "key", "aws_secret_access_key": SECRET, "region_name": "us-east-1"}
    client = boto3.client("s3", endpoint_url=s3_endpoint, **keys)
    client.create_bucket(Bucket="real")
    return client


def stored(client: Any) -> dict[str, str]:
    """Return the run's files in the bucket and what tells their versions apart."""
    found = client.list_objects_v2(Bucket="real", Prefix=f"{RUN}/").get("Contents", [])
    return {item["Key"].removeprefix(f"{RUN}/"): f"{item['LastModified']} {item['ETag']}" for item in found}


def start(folder: Path, client: Any) -> subprocess.Popen[bytes]:
    folder.mkdir(exist_ok=True)
    (folder / "smaller.yaml").write_text(SMALLER)
    configs = [*(ROOT / name for name in ("profiles/rehearsal/experiment.yaml", "tests/integration/tiny.yaml"))]
    command = [sys.executable, "-m", "snakemake", f"{RESULTS}/iter_0/adapter", "--snakefile", str(ROOT / "Snakefile")]
    command += ["--workflow-profile", str(ROOT / "profiles" / "rehearsal"), "--directory", str(folder)]
    command += ["--configfile", *map(str, configs), str(folder / "smaller.yaml")]
    command += ["--default-storage-provider", "s3", "--default-storage-prefix", "s3://real/one"]
    variables = {
        "PYTHONPATH": str(ROOT),
        "SNAKEMAKE_STORAGE_S3_ENDPOINT_URL": client.meta.endpoint_url,
        "SNAKEMAKE_STORAGE_S3_ACCESS_KEY": "key",
        "SNAKEMAKE_STORAGE_S3_SECRET_KEY": SECRET,
    }
    with (folder / "driver.log").open("ab") as log:
        return subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **variables},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def wait_for(run: subprocess.Popen[bytes], folder: Path, pattern: str) -> None:
    """Wait until a file of a job exists in a machine's copy of the bucket."""
    while not any((folder / ".snakemake" / "storage").glob(f"s3/real/{RUN}/{pattern}")):
        assert run.poll() is None, (folder / "driver.log").read_text()
        time.sleep(0.05)


def at_work(folder: Path) -> bool:
    """Return whether a process has its place in a folder."""
    for place in Path("/proc").glob("[0-9]*/cwd"):
        with contextlib.suppress(OSError):
            if place.readlink().is_relative_to(folder):
                return True
    return False


def test_a_lost_machine_and_a_storage_that_refuses(
    client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    run = start(first, client)
    wait_for(run, first, "iter_0/.progress/adapter/*")
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    limit = time.monotonic() + 300
    while at_work(first):  # jobs end themselves when their driver is gone
        assert time.monotonic() < limit, "the lost machine's jobs go on"
        time.sleep(0.05)
    said = [(first / "driver.log").read_text()]
    shutil.rmtree(first)
    before = stored(client)
    assert "base/model/model.safetensors" in before
    assert not any(name.startswith("iter_0/adapter") for name in before)

    # Elsewhere it goes on behind the base model; then the storage refuses while the adapter is made.
    run = start(second, client)
    wait_for(run, second, "iter_0/.progress/adapter/*")
    with monkeypatch.context() as server:
        server.setattr("moto.settings.INITIAL_NO_AUTH_ACTION_COUNT", 0.0)
        assert run.wait() != 0
    said.append((second / "driver.log").read_text())
    assert "train_base_model" not in said[-1]
    assert re.search(
        r"Failed to store output in storage s3://real/one/\S+: ClientError: .*InvalidAccessKeyId", said[-1]
    )
    assert "What is stored stays there, and progress stays here." in said[-1] and "Traceback" not in said[-1]
    assert stored(client) == before

    # The same command makes the adapter again from its progress, and ends.
    assert start(second, client).wait() == 0, (second / "driver.log").read_text()
    after = stored(client)
    assert {name: after[name] for name in before} == before
    assert "iter_0/adapter/adapter_model.safetensors" in after
    log = client.get_object(Bucket="real", Key=f"{RUN}/logs/train_sft/iter_0.log")["Body"].read().decode()
    assert re.search(r"from step \d+", log), log

    said.append((second / "driver.log").read_text())
    assert not any(SECRET in text for text in said)
    for path in second.rglob("*"):
        assert not path.is_file() or SECRET.encode() not in path.read_bytes(), path
