"""The progress display: counts, estimate, and what it prints off a terminal."""

from __future__ import annotations

import io
import json
import logging
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console
from snakemake_interface_logger_plugins.common import LogEvent

from burnqed.snakemake import progress
from burnqed.snakemake.driver import DriverLock
from burnqed.snakemake.state import RunState, clock_text


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_estimate_uses_the_durations_of_the_same_rule() -> None:
    clock = Clock()
    state = RunState(clock)
    state.plan({"search": 3, "train": 1, "total": 4})
    assert state.remaining() is None
    state.start(1, "search", {"shard": "000"}, [])
    clock.now = 10
    state.finish(1)
    assert state.remaining() == pytest.approx(30)  # two searches like the first, the training like all
    state.start(2, "train", {}, [])
    clock.now = 110
    state.finish(2)
    assert state.remaining() == pytest.approx(20)
    state.start(3, "search", {"shard": "001"}, [])
    clock.now = 114
    assert state.remaining() == pytest.approx(6 + 10)


def test_estimate_counts_parallel_jobs() -> None:
    clock = Clock()
    state = RunState(clock)
    state.plan({"search": 4, "total": 4})
    state.start(1, "search", {}, [])
    state.start(2, "search", {}, [])
    clock.now = 10
    state.finish(1)
    state.finish(2)
    assert state.remaining() == pytest.approx(10)


def test_running_job_is_extrapolated_from_its_own_progress(tmp_path: Path) -> None:
    clock = Clock()
    state = RunState(clock)
    state.plan({"search": 2, "total": 2})
    state.start(1, "search", {}, [])
    clock.now = 1
    state.finish(1)
    output = tmp_path / "000.parquet"
    state.start(2, "search", {"run": "iter_0", "shard": "000"}, [str(output)])
    (tmp_path / ".progress").mkdir()
    status = tmp_path / ".progress" / "status-000.json"
    status.write_text(json.dumps({"done": 25, "total": 100, "proved": 7}))
    clock.now = 11
    state.refresh()
    assert state.running[2].name == "search iter_0 000"
    assert state.proofs == 7
    assert state.remaining() == pytest.approx(30)
    status.write_text("{ half written")
    state.refresh()
    assert state.proofs == 7
    state.finish(2)
    assert state.proofs == 7


@pytest.mark.parametrize(("seconds", "text"), [(0.2, "0 s"), (59.4, "59 s"), (185, "3:05"), (7384, "2:03:04")])
def test_clock_text(seconds: float, text: str) -> None:
    assert clock_text(seconds) == text


def handler(monkeypatch: pytest.MonkeyPatch, dryrun: bool = False) -> tuple[progress.LogHandler, io.StringIO]:
    settings: Any = SimpleNamespace(
        printshellcmds=False, nocolor=True, quiet=None, debug_dag=False, verbose=False,
        show_failed_logs=False, stdout=False, dryrun=dryrun,
    )  # fmt: skip
    stream = io.StringIO()
    monkeypatch.setattr(progress, "Console", lambda **options: Console(**{**options, "file": stream}))
    return progress.LogHandler(settings, None), stream


def record(message: str = "", level: int = logging.INFO, **extra: Any) -> logging.LogRecord:
    made = logging.makeLogRecord({"msg": message, "levelno": level, "levelname": logging.getLevelName(level)})
    vars(made).update(extra)
    return made


def started(jobid: int, output: str, log: str = "") -> logging.LogRecord:
    return record(
        event=LogEvent.JOB_INFO, jobid=jobid, rule_name="plot_figure", wildcards={"figure": "cost"},
        output=[output] if output else [], log=[log] if log else [],
    )  # fmt: skip


def test_one_line_per_job_off_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    display, stream = handler(monkeypatch)
    for item in [
        record("Building DAG of jobs..."),
        record("Workflow has started!", event=LogEvent.WORKFLOW_STARTED),
        record("Using shell: /bin/bash"),
        record("stats", event=LogEvent.RUN_INFO, stats={"plot_figure": 1, "alias": 1, "total": 2}),
        started(1, "figures/cost.svg"),
        record("finished", event=LogEvent.JOB_FINISHED, job_id=1),
        started(0, ""),
        record("finished", event=LogEvent.JOB_FINISHED, job_id=0),
    ]:
        display.emit(item)
    display.close()
    assert stream.getvalue().splitlines() == ["2 jobs", "1/2 plot_figure cost: 0 s", "Done: 2 jobs in 0 s."]


def test_error_shows_the_last_lines_of_the_log(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    log = tmp_path / "job.log"
    log.write_text("\n".join(f"line {number}" for number in range(100)))
    display, stream = handler(monkeypatch)
    display.emit(record(event=LogEvent.WORKFLOW_STARTED))
    display.emit(record(event=LogEvent.RUN_INFO, stats={"plot_figure": 1, "total": 1}))
    display.emit(started(1, "figures/cost.svg", str(log)))
    display.emit(
        record(
            level=logging.ERROR,
            event=LogEvent.JOB_ERROR,
            jobid=1,
            rule_name="plot_figure",
            output=["figures/cost.svg"],
            log=[str(log)],
            shellcmd="python x",
        )
    )
    display.emit(record("disk is full [bold]", level=logging.ERROR))
    display.close()
    text = stream.getvalue()
    assert "Failed: plot_figure cost" in text
    assert str(log) in text
    assert "line 99" in text
    assert "line 74" not in text
    assert "disk is full [bold]" in text
    assert "The same command resumes from here" in text


def test_files_in_object_storage_are_looked_for_in_their_local_copies() -> None:
    shown = "s3://runs/one/results/logs/evaluate/iter_0.log (send to storage)"
    assert progress.local_path(shown) == ".snakemake/storage/s3/runs/one/results/logs/evaluate/iter_0.log"
    assert progress.local_path("results/logs/evaluate/iter_0.log") == "results/logs/evaluate/iter_0.log"


def test_what_is_no_run_is_shown_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    display, stream = handler(monkeypatch)
    display.emit(record("Unlocked working directory."))
    display.close()
    assert stream.getvalue() == "Unlocked working directory.\n"
    display, stream = handler(monkeypatch, dryrun=True)
    display.emit(record("Job stats: 7 [jobs]"))
    assert stream.getvalue() == "Job stats: 7 [jobs]\n"


def test_driver_lock_is_held_by_one(tmp_path: Path) -> None:
    from burnqed.files import UserError

    lock = DriverLock(tmp_path / "results")
    with pytest.raises(UserError, match="another run works on this folder"):
        DriverLock(tmp_path / "results")
    lock.release()
    DriverLock(tmp_path / "results").release()


def test_a_failed_storage_is_told_in_two_lines() -> None:
    long = """  | Traceback (most recent call last):
      | botocore.exceptions.EndpointConnectionError: Could not connect to the endpoint URL: "http://127.0.0.1:9/runs/a"
      | snakemake_interface_common.exceptions.WorkflowError: Failed to check existence of s3://runs/one/a.json
      | EndpointConnectionError: Could not connect to the endpoint URL: "http://127.0.0.1:9/runs/one/a.json"
      +------------------------------------"""
    said = progress.storage_failure(long).splitlines()
    assert said[0] == (
        "Failed to check existence of s3://runs/one/a.json: "
        'EndpointConnectionError: Could not connect to the endpoint URL: "http://127.0.0.1:9/runs/one/a.json"'
    )
    assert len(said) == 2
    short = """WorkflowError:
Failed to store output in storage s3://runs/one/iter_0/adapter
ClientError: An error occurred (AccessDenied) when calling the PutObject operation: no"""
    assert progress.storage_failure(short).startswith(
        "Failed to store output in storage s3://runs/one/iter_0/adapter: "
    )
    assert "(AccessDenied)" in progress.storage_failure(short)
    assert progress.storage_failure("ConnectionError: Failed to reach the prover") == ""


def test_sigterm_while_snakemake_holds_its_own_lock_does_not_hang() -> None:
    """In a process of its own: what is tested is the handler of a signal."""
    code = """
import os, signal, threading, time
from snakemake.scheduling.job_scheduler import JobScheduler
from burnqed.snakemake.driver import end_on_sigterm
scheduler = object.__new__(JobScheduler)
scheduler._lock, scheduler._open_jobs, scheduler._user_kill = threading.Lock(), threading.Semaphore(0), None
signal.signal(signal.SIGTERM, scheduler.exit_gracefully)
also = threading.Event()
end_on_sigterm(also.set)
signal.signal(signal.SIGALRM, signal.SIG_DFL)
signal.alarm(300)
with scheduler._lock:
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(0.1)
assert scheduler._open_jobs.acquire(timeout=300)
assert scheduler._user_kill == "graceful"
assert also.wait(300)
"""
    done = subprocess.run([sys.executable, "-c", code])
    assert done.returncode == 0


def test_a_full_disk_makes_no_tracebacks_of_lost_log_lines() -> None:
    """In a process of its own: what is tested changes a class of Python's."""
    code = """
import logging
from burnqed.snakemake.progress import keep_quiet_when_full
keep_quiet_when_full()
keep_quiet_when_full()
logging.getLogger().addHandler(logging.FileHandler("/dev/full"))
logging.error("lost")
logging.error("a bug: %d", "no number")
import os
os._exit(0)  # not by way of closing the file
"""
    done = subprocess.run([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)
    assert done.returncode == 0
    assert "No space left" not in done.stderr
    assert done.stderr.count("--- Logging error ---") == 1 and "no number" in done.stderr
