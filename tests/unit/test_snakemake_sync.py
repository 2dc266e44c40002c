"""The copy of a run in object storage, against a local S3 server."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from burnqed.files import UserError
from burnqed.snakemake.s3 import check_storage
from burnqed.snakemake.sync import Mirror

pytest.importorskip("moto.server")
boto3 = pytest.importorskip("boto3")
SECRET = "a-secret-that-no-message-may-hold"


@pytest.fixture
def client(s3_endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("AWS_ENDPOINT_URL", s3_endpoint)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    client = boto3.client("s3")
    client.create_bucket(Bucket="runs")
    yield client
    names = [item["Key"] for item in client.list_objects_v2(Bucket="runs").get("Contents", [])]
    for name in names:
        client.delete_object(Bucket="runs", Key=name)
    client.delete_bucket(Bucket="runs")


def make_run(folder: Path) -> None:
    files = ["results/iter_0/model/weights", "results/.progress/adapter/ab/step-20.json", ".snakemake/metadata/x"]
    for number, name in enumerate(files):
        path = folder / name
        path.parent.mkdir(parents=True)
        path.write_text(name)
        os.utime(path, ns=(1, 1_700_000_000_123_456_789 + number))
    (folder / "results" / ".model.12.partial").write_text("half")


def state(folder: Path) -> dict[str, tuple[str, int]]:
    files = (path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(".partial"))
    return {str(path.relative_to(folder)): (path.read_text(), path.stat().st_mtime_ns) for path in files}


def test_a_lost_machine_is_restored_with_its_times(client: Any, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    make_run(first)
    assert Mirror("s3://runs/one", first).push() == 3
    assert Mirror("s3://runs/one", first).push() == 0
    (first / "results" / "iter_0" / "model" / "weights").write_text("newer")
    (first / "results" / ".progress" / "adapter" / "ab" / "step-20.json").unlink()
    assert Mirror("s3://runs/one", first).push() == 1
    expected = state(first)
    shutil.rmtree(first)
    assert Mirror("s3://runs/one", second).restore() == 2
    assert state(second) == expected
    # Nothing of older versions stays behind.
    assert len(client.list_objects_v2(Bucket="runs")["Contents"]) == 3
    # What is here is not replaced.
    (second / "results" / "iter_0" / "model" / "weights").write_text("local")
    assert Mirror("s3://runs/one", second).restore() == 0


def test_a_copy_that_was_cut_leaves_the_one_before(
    client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    make_run(first)
    mirror = Mirror("s3://runs/cut", first)
    mirror.push()
    before = state(first)
    for name in ("a", "b"):
        (first / "results" / "iter_0" / "model" / name).write_text(name)
    uploads = iter([None])
    do = mirror._do

    def fail_later(method: str, *args: Any, **kwargs: Any) -> Any:
        if method == "upload_file" and next(uploads, "out") == "out":
            raise KeyboardInterrupt
        return do(method, *args, **kwargs)

    monkeypatch.setattr(mirror, "_do", fail_later)
    with pytest.raises(KeyboardInterrupt):
        mirror.push()
    Mirror("s3://runs/cut", second).restore()
    assert state(second) == before


def test_a_folder_replaced_meanwhile_is_not_copied_by_half(client: Any, tmp_path: Path) -> None:
    make_run(tmp_path)
    mirror = Mirror("s3://runs/half", tmp_path)
    files, calls = mirror._files, []

    def vanish() -> Iterator[tuple[str, list[int]]]:
        calls.append(1)
        if len(calls) == 2:
            shutil.rmtree(tmp_path / "results" / "iter_0" / "model")
        yield from files()

    mirror._files = vanish  # type: ignore[method-assign]
    mirror.push()
    assert "results/iter_0/model/weights" not in mirror._manifest()


@pytest.mark.parametrize("what", ["bucket", "server"])
def test_a_storage_that_is_gone_is_named_and_loses_nothing(
    client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    make_run(tmp_path)
    before = state(tmp_path)
    if what == "server":
        monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
        monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    mirror = Mirror("s3://gone/run" if what == "bucket" else "s3://runs/run", tmp_path)
    with pytest.raises(UserError, match="NoSuchBucket; make the bucket" if what == "bucket" else "EndpointConnection"):
        mirror.restore()
    assert mirror.try_push() is False
    said = capsys.readouterr().out
    assert "complete on this machine; they are not copied" in said
    assert SECRET not in said
    assert state(tmp_path) == before


def test_a_storage_is_looked_at_before_a_run(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check_storage("s3://runs/one")
    check_storage("s3://runs")
    with pytest.raises(UserError, match=r"^s3://gone/one: NoSuchBucket; make the bucket, or correct its name$"):
        check_storage("s3://gone/one")
    with monkeypatch.context() as server:
        server.setattr("moto.settings.INITIAL_NO_AUTH_ACTION_COUNT", 0.0)
        with pytest.raises(UserError, match=r"^s3://runs/one: InvalidAccessKeyId; check bucket and cred") as refused:
            check_storage("s3://runs/one")
    assert SECRET not in str(refused.value)


def test_a_wrong_address_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="write s3://BUCKET/PREFIX"):
        Mirror("bucket/run", tmp_path, client=object())
