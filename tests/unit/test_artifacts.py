"""Atomic writes, sidecars, progress folders and what a killed writer leaves behind."""

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import TextIO

import pytest

from burnqed.files import (
    UserError,
    atomic_dir,
    atomic_path,
    digest,
    read_json,
    read_jsonl,
    sha256_file,
    sidecar_path,
    sweep_partials,
    write_json,
    write_jsonl,
)
from burnqed.jobs.progress import ProgressFolder
from burnqed.jobs.sidecar import Sidecar


def test_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "a.json"
    write_json(target, {"x": 1})
    with pytest.raises(RuntimeError), atomic_path(target) as partial:
        partial.write_text("half")
        raise RuntimeError
    assert read_json(target) == {"x": 1}
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def test_atomic_dir_replaces_the_whole_folder(tmp_path: Path) -> None:
    target = tmp_path / "model"
    for content in ("old", "new"):
        with atomic_dir(target) as partial:
            (partial / content).write_text(content)
    assert [p.name for p in target.iterdir()] == ["new"]
    with pytest.raises(RuntimeError), atomic_dir(target) as partial:
        raise RuntimeError
    assert [p.name for p in target.iterdir()] == ["new"]


def test_reading_names_file_line_and_remedy(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    write_jsonl(rows, [{"a": "∀"}, {"a": 2}])
    assert list(read_jsonl(rows)) == [{"a": "∀"}, {"a": 2}]
    rows.write_text('{"a": 1}\n{"a": \n')
    with pytest.raises(UserError, match=r"rows\.jsonl:2"):
        list(read_jsonl(rows))
    with pytest.raises(UserError, match="no such file"):
        read_json(tmp_path / "missing.json")
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(UserError, match="is it the file you meant"):
        read_json(tmp_path / "bad.json")
    with pytest.raises(UserError, match="Is a directory; give a file"):
        read_json(tmp_path)


def test_to_delete_a_file_is_advised_only_when_its_digest_differs(tmp_path: Path) -> None:
    made = tmp_path / "made.json"
    with Sidecar(outputs=[made]):
        made.write_text("not JSON, but as it was made")
    with pytest.raises(UserError, match="as it was made, so leave it"):
        read_json(made)
    made.write_text("{")
    with pytest.raises(UserError, match="changed since it was made: delete it and run again"):
        read_json(made)


def test_what_a_killed_writer_left_is_swept_and_a_living_ones_stays(tmp_path: Path) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    dead = [tmp_path / f"iter_0/.model.{ended.pid}.partial", tmp_path / f".a.json.{ended.pid}.partial"]
    kept = [tmp_path / f"iter_0/.model.{os.getpid()}.partial", tmp_path / "iter_0" / "model.partial"]
    for folder in (dead[0], *kept):
        (folder / "weights").mkdir(parents=True)
    dead[1].write_text("half")
    assert sorted(sweep_partials(tmp_path)) == sorted(dead)
    assert not any(path.exists() for path in dead) and all((path / "weights").is_dir() for path in kept)
    assert sweep_partials(tmp_path / "absent") == []


def test_digest_ignores_key_order_but_not_values() -> None:
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    assert digest({"a": 1}) != digest({"a": 2})


def test_folder_digest_ignores_sidecars(tmp_path: Path) -> None:
    (tmp_path / "w").write_text("1")
    before = sha256_file(tmp_path)
    (tmp_path / "w.meta.json").write_text("{}")
    assert sha256_file(tmp_path) == before
    (tmp_path / "w").write_text("2")
    assert sha256_file(tmp_path) != before


def test_sidecar_is_written_only_on_success(tmp_path: Path) -> None:
    source, output = tmp_path / "in.txt", tmp_path / "out.json"
    source.write_text("x")
    with pytest.raises(RuntimeError), Sidecar([output], inputs=[source]):
        raise RuntimeError
    assert not sidecar_path(output).exists()
    with Sidecar([output], inputs=[source], settings={"k": 1}, seed=7) as sidecar:
        sidecar.extra["solved"] = 3
        write_json(output, {})
    record = read_json(sidecar_path(output))
    assert record["inputs"] == {str(source): sha256_file(source)}
    assert (record["settings"], record["seed"], record["solved"]) == ({"k": 1}, 7, 3)
    assert record["wall_seconds"] >= 0 and record["peak_memory_bytes"] > 0


def test_progress_is_kept_per_key_and_removed_at_the_end(tmp_path: Path) -> None:
    artifact = tmp_path / "out.parquet"
    first = ProgressFolder(artifact, {"lr": 1})
    first.save("piece-0.json", [1, 2])
    first.close()
    again = ProgressFolder(artifact, {"lr": 1})
    assert again.load("piece-0.json") == [1, 2]
    assert again.names() == ["piece-0.json"]
    again.close()
    other = ProgressFolder(artifact, {"lr": 2})
    assert other.load("piece-0.json") is None
    (other / "piece-1.json").write_text("[1,")
    assert other.load("piece-1.json") is None
    other.finish()
    assert list(tmp_path.iterdir()) == []


def test_progress_outlives_an_artefact_that_must_still_be_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BURNQED_KEEP_PROGRESS", "1")
    first = ProgressFolder(tmp_path / "out.json", {"lr": 1})
    first.save("piece-0.json", 7)
    first.finish()
    again = ProgressFolder(tmp_path / "out.json", {"lr": 1}, wait=0.0)
    assert again.load("piece-0.json") == 7
    again.close()


def test_a_second_owner_is_refused_until_the_first_is_killed(tmp_path: Path) -> None:
    artifact = tmp_path / "out.json"
    code = textwrap.dedent(f"""
        import time
        from pathlib import Path
        from burnqed.jobs.progress import ProgressFolder
        folder = ProgressFolder(Path({str(artifact)!r}), {{}})
        print("locked", flush=True)
        time.sleep(600)
    """)
    owner = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        assert owner.stdout is not None and owner.stdout.readline() == "locked\n"
        with pytest.raises(UserError, match=f"pid {owner.pid}"):
            ProgressFolder(artifact, {}, wait=0.3)
    finally:
        owner.kill()
        owner.wait()
    ProgressFolder(artifact, {}, wait=60.0).close()


def test_the_lock_of_an_owner_that_finished_meanwhile_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between opening and locking, the owner before may remove its folder: then two could hold "the" lock."""
    base = tmp_path / ".progress" / "out.json"
    lock, calls = fcntl.flock, []

    def flock(file: TextIO, operation: int) -> None:
        if not calls:
            shutil.rmtree(base)
        calls.append(operation)
        lock(file, operation)

    monkeypatch.setattr(fcntl, "flock", flock)
    first = ProgressFolder(tmp_path / "out.json", {})
    assert (base / "owner.lock").read_text().startswith(f"pid {os.getpid()} on ")
    with pytest.raises(UserError, match="another process works"):
        ProgressFolder(tmp_path / "out.json", {}, wait=0.0)
    first.close()


SCRIPT = """
import sys, time
from burnqed.files import UserError
from burnqed.jobs.runner import Job, job, option
from burnqed.jobs.stop import Stopped, graceful_stop, stop_requested

@job
class Waits(Job):
    mode: str = option("what to do")

    def run(self):
        if self.mode == "user-error":
            raise UserError("search.shards: give a number above 0")
        if self.mode == "crash":
            raise ZeroDivisionError
        if self.mode == "graceful":
            with graceful_stop():
                print("ready", flush=True)  # from here on SIGTERM is only noted
                while not stop_requested():
                    time.sleep(0.01)
                print("saved", flush=True)
                raise Stopped
        print("ready", flush=True)
        time.sleep(600)

Waits.start()
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    return path


def test_user_errors_are_one_message_and_crashes_a_traceback(script: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    wrong = subprocess.run(
        [sys.executable, script, "--mode", "user-error", "--log", log], capture_output=True, text=True
    )
    assert wrong.returncode == 1
    assert "search.shards: give a number above 0" in wrong.stderr and "Traceback" not in wrong.stderr
    assert "search.shards" in log.read_text()
    crash = subprocess.run([sys.executable, script, "--mode", "crash"], capture_output=True, text=True)
    assert crash.returncode == 1 and "ZeroDivisionError" in crash.stderr


@pytest.mark.parametrize(("mode", "last_line"), [("sleep", "ready"), ("graceful", "saved")])
def test_sigterm_never_exits_zero(script: Path, mode: str, last_line: str) -> None:
    process = subprocess.Popen(
        [sys.executable, script, "--mode", mode], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGTERM)
    rest, _ = process.communicate(timeout=300)
    assert process.returncode == 143
    assert (rest or "ready\n").endswith(last_line + "\n")


def test_a_job_ends_when_its_driver_is_killed(script: Path, tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    driver_code = textwrap.dedent(f"""
        import subprocess, sys
        job = subprocess.Popen([sys.executable, {str(script)!r}, "--mode", "sleep"])
        open({str(pid_file)!r}, "w").write(str(job.pid))
        job.wait()
    """)
    driver = subprocess.Popen(
        [sys.executable, "-c", driver_code],
        env={**os.environ, "BURNQED_WATCH_PARENT": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert driver.stdout is not None and driver.stdout.readline() == "ready\n"
    job = int(pid_file.read_text())
    driver.kill()
    driver.wait()
    limit = time.monotonic() + 300
    while time.monotonic() < limit:
        try:
            state = Path(f"/proc/{job}/stat").read_text().split()[2]
        except FileNotFoundError:
            return
        if state == "Z":
            return
        time.sleep(0.1)
    os.kill(job, signal.SIGKILL)
    pytest.fail("the job went on after its driver was killed")


def test_json_keeps_unicode(tmp_path: Path) -> None:
    write_json(tmp_path / "x.json", {"goal": "⊢ p ∧ q"})
    assert "⊢ p ∧ q" in (tmp_path / "x.json").read_text()
    assert json.loads((tmp_path / "x.json").read_text()) == {"goal": "⊢ p ∧ q"}
