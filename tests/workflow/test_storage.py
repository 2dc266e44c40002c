"""Results in S3 through Snakemake's storage plugin: half a run, the machine lost, the rest elsewhere. Scripts are stand-ins."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from tests.workflow.conftest import make_clone, runner

pytest.importorskip("moto.server")
boto3 = pytest.importorskip("boto3")
pytest.importorskip("snakemake_storage_plugin_s3")

SECRET = "a-secret-that-no-log-may-hold"
TARGET = "iter_0_sft"
BUCKET = "plugin"


@pytest.fixture(scope="module")
def client(s3_endpoint: str) -> Any:
    client = boto3.client(
        "s3", endpoint_url=s3_endpoint, aws_access_key_id="key", aws_secret_access_key=SECRET, region_name="us-east-1"
    )
    client.create_bucket(Bucket=BUCKET)
    return client


def on_machine(folder: Path, endpoint: str, bucket: str = BUCKET) -> tuple[str, int]:
    """Run the target in a clone with results in the bucket; return what was said and the status."""
    done = runner(folder)(
        TARGET,
        *("--workflow-profile", "rehearsal", "--config", "results=results/rehearsal"),
        *("--default-storage-provider", "s3", "--default-storage-prefix", f"s3://{bucket}/one"),
        check=False,
        SNAKEMAKE_STORAGE_S3_ENDPOINT_URL=endpoint,
        SNAKEMAKE_STORAGE_S3_ACCESS_KEY="key",
        SNAKEMAKE_STORAGE_S3_SECRET_KEY=SECRET,
        AWS_DEFAULT_REGION="us-east-1",
    )
    return done.stdout, done.returncode


def calls(folder: Path) -> list[str]:
    path = folder / "calls.txt"
    return sorted(path.read_text().split()) if path.exists() else []


def test_a_lost_machine_goes_on_elsewhere(client: Any, s3_endpoint: str, tmp_path: Path) -> None:
    first, second = make_clone(tmp_path / "first"), make_clone(tmp_path / "second")
    (first / "fail").write_text("merge_adapter")
    said, status = on_machine(first, s3_endpoint)
    assert status != 0
    assert "train_sft" in calls(first), said
    kept = [item["Key"] for item in client.list_objects_v2(Bucket=BUCKET)["Contents"]]
    assert any("iter_0/adapter" in key for key in kept)
    assert not any("iter_0/model" in key for key in kept)  # only what is finished is there
    again, status = on_machine(second, s3_endpoint)
    assert status == 0, again
    assert calls(second) == ["merge_adapter"]
    assert SECRET not in said + again
    for folder in (first, second):
        for path in folder.rglob("*"):
            assert not path.is_file() or SECRET.encode() not in path.read_bytes(), path


def test_a_missing_bucket_is_refused_before_anything_runs(client: Any, s3_endpoint: str, tmp_path: Path) -> None:
    folder = make_clone(tmp_path / "clone")
    said, status = on_machine(folder, s3_endpoint, "misspelt")
    assert status != 0
    assert "s3://misspelt/one: NoSuchBucket; make the bucket, or correct its name" in said
    assert "Traceback" not in said and calls(folder) == []
    assert "misspelt" not in [bucket["Name"] for bucket in client.list_buckets()["Buckets"]]


@pytest.mark.skipif(
    importlib.util.find_spec("snakemake_executor_plugin_kubernetes") is None, reason="needs burnqed[kubernetes]"
)
def test_kubernetes_shows_the_published_experiment(client: Any, s3_endpoint: str, tmp_path: Path) -> None:
    folder = make_clone(tmp_path / "clone")
    profile = folder / "profiles" / "kubernetes" / "profile.yaml"
    profile.write_text(profile.read_text().replace("YOUR_BUCKET", BUCKET))
    shown = runner(folder)(
        *("iter_4_eval", "-n", "--workflow-profile", "kubernetes"),
        SNAKEMAKE_STORAGE_S3_ENDPOINT_URL=s3_endpoint,
        SNAKEMAKE_STORAGE_S3_ACCESS_KEY="key",
        SNAKEMAKE_STORAGE_S3_SECRET_KEY=SECRET,
        AWS_DEFAULT_REGION="us-east-1",
    ).stdout
    assert "search_shard" in shown and "gpu_manufacturer=nvidia" in shown
    assert SECRET not in shown
