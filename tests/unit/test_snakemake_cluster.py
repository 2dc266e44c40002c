"""How a site's Slurm is asked about jobs: scripted programs in place of Slurm's."""

from __future__ import annotations

import asyncio
import logging
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from burnqed.files import UserError
from burnqed.snakemake import cluster
from burnqed.snakemake.cluster import (
    ENDING_CHECK,
    FIRST_CHECK,
    LONGEST_CHECK,
    StatusChecks,
    cancel_own_jobs,
    see_every_end,
    status_checks,
)

DISABLED = "echo 'Slurm accounting storage is disabled' >&2; exit 1"


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the whole PATH, but for the shell."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def script(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{text}\n")
    (folder / name).chmod(0o755)


def test_accounting_is_asked_where_it_answers(programs: Path) -> None:
    script(programs, "sacct", "exit 0")
    script(programs, "scontrol", "echo 'MinJobAge               = 2 sec'")
    assert status_checks() == StatusChecks("sacct", FIRST_CHECK)


def test_the_queue_is_asked_where_accounting_is_off(programs: Path) -> None:
    script(programs, "sacct", DISABLED)
    script(programs, "scontrol", "echo 'KillWait = 30 sec'; echo 'MinJobAge               = 300 sec'")
    assert status_checks() == StatusChecks("squeue", FIRST_CHECK)


def test_it_is_asked_before_the_queue_forgets(programs: Path) -> None:
    script(programs, "scontrol", "echo 'MinJobAge               = 30 sec'")  # no sacct at all
    checks = status_checks()
    assert checks.command == "squeue"
    assert 3 * checks.seconds <= 30  # else the executor goes back to sacct


def test_a_site_where_nothing_remembers_is_refused(programs: Path) -> None:
    script(programs, "sacct", DISABLED)
    script(programs, "scontrol", "echo 'MinJobAge               = 2 sec'")
    with pytest.raises(UserError, match="no accounting"):
        status_checks()


def test_without_slurm_a_dry_run_still_works(programs: Path) -> None:
    assert status_checks() == StatusChecks("squeue", FIRST_CHECK)


def test_a_driver_cancels_its_own_jobs(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_cancelled", threading.Event())
    results = programs / "results"
    results.mkdir()
    script(programs, "scancel", f'echo "$@" >> {programs}/cancelled')
    cancel_own_jobs(results)
    assert not (programs / "cancelled").exists()  # no note: nothing was submitted
    (results / ".driver.jobs").write_text("1234-abcd\n")
    cancel_own_jobs(results)
    assert (programs / "cancelled").read_text() == "--name 1234-abcd\n"


class Limiter:
    """Limits nothing."""

    async def __aenter__(self) -> None: ...

    async def __aexit__(self, *error: object) -> None: ...


class Asker:
    """Snakemake's own Slurm executor, without a cluster: what it says of each job when it has asked once."""

    def __init__(self, command: str) -> None:
        plugin = pytest.importorskip("snakemake_executor_plugin_slurm")
        self.executor: Any = plugin.Executor.__new__(plugin.Executor)
        settings = SimpleNamespace(
            init_seconds_before_status_checks=15,
            status_attempts=2,
            status_command=command,
            requeue=True,
            keep_successful_logs=True,
        )
        values = {
            "workflow": SimpleNamespace(executor_settings=settings),
            "run_uuid": "1234-abcd",
            "logger": logging.getLogger("test"),
            "status_rate_limiter": Limiter(),
            "_preemption_warning": False,
            "_status_query_calls": 0,
            "_status_query_failures": 0,
            "_status_query_total_seconds": 0.0,
            "_status_query_min_seconds": None,
            "_status_query_max_seconds": 0.0,
            "_status_query_cycle_rows": [],
            "_next_seconds_between_status_checks": 170,
            "report_job_success": lambda job: self.said.update({job.external_jobid: "done"}),
            "report_job_error": lambda job, **_: self.said.update({job.external_jobid: "failed"}),
        }
        for name, value in values.items():
            setattr(self.executor, name, value)
        self.said: dict[str, str] = {}

    def ask(self, *ids: str) -> dict[str, str]:
        """Return done, failed or waits of each job; one that is missing would be waited for for ever."""

        async def check() -> None:
            jobs = [SimpleNamespace(external_jobid=name, aux={}) for name in ids]
            async for job in self.executor.check_active_jobs(jobs):
                self.said[job.external_jobid] = "waits"

        self.said = {}
        asyncio.run(check())
        return self.said


@pytest.fixture(scope="module")
def module() -> Any:
    """Snakemake's Slurm plugin, loaded while PATH is whole."""
    return pytest.importorskip("snakemake_executor_plugin_slurm")


@pytest.fixture
def plugin(module: Any, programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The plugin as it was, after the test, too; and what it needs beside Slurm's programs."""
    monkeypatch.setattr(module, "query_job_status", module.query_job_status)
    script(programs, "which", 'command -v "$1"')


def test_a_cancelled_job_has_ended(programs: Path, plugin: None) -> None:
    script(programs, "sacct", "echo '7|CANCELLED by 1000'; echo '8|RUNNING'; echo '9|COMPLETED'")
    asker = Asker("sacct")
    see_every_end(asker.executor)
    assert asker.ask("7", "8", "9", "10") == {"7": "failed", "8": "waits", "9": "done", "10": "waits"}


@pytest.mark.parametrize("program", ["sacct", "squeue"])
def test_no_job_is_lost_while_slurm_does_not_answer(programs: Path, plugin: None, program: str) -> None:
    script(programs, "scontrol", "echo 'MinJobAge               = 300 sec'")
    script(programs, program, "exit 1")
    asker = Asker(program)
    see_every_end(asker.executor)
    assert asker.ask("7", "8") == {"7": "waits", "8": "waits"}
    script(programs, program, "echo '7|COMPLETED'; echo '8|FAILED'")
    assert asker.ask("7", "8") == {"7": "done", "8": "failed"}


def test_a_job_that_the_queue_has_forgotten_is_judged_by_its_files(programs: Path, plugin: None) -> None:
    script(programs, "scontrol", "echo 'MinJobAge               = 45 sec'")
    script(programs, "squeue", "echo '8|PENDING'; echo '9_[1-2]|PENDING'")
    asker = Asker("squeue")
    see_every_end(asker.executor)
    assert asker.ask("7", "8", "9_1") == {"7": "done", "8": "waits", "9_1": "waits"}  # done: Snakemake looks for them


def test_it_is_asked_once_a_minute_at_least(programs: Path, plugin: None) -> None:
    script(programs, "sacct", "echo '7|RUNNING'")
    asker = Asker("sacct")
    see_every_end(asker.executor)
    asker.ask("7")
    assert asker.executor.next_seconds_between_status_checks == LONGEST_CHECK


def seconds_slept(executor: Any, monkeypatch: pytest.MonkeyPatch, shut_down_after: int = 1000) -> int:
    """Return how long the executor waits for its next look, without waiting; it is shut down meanwhile."""
    slept = 0

    async def sleep(seconds: float) -> None:
        nonlocal slept
        slept += round(seconds)
        executor.wait = slept < shut_down_after

    with monkeypatch.context() as patch:
        patch.setattr(asyncio, "sleep", sleep)
        asyncio.run(executor.sleep())
    return slept


def test_a_driver_that_ends_does_not_wait_for_its_next_look(
    programs: Path, plugin: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "_cancelled", threading.Event())
    executor = Asker("sacct").executor
    see_every_end(executor)
    executor.wait, executor.next_seconds_between_status_checks = True, 45
    assert seconds_slept(executor, monkeypatch) == 45
    assert seconds_slept(executor, monkeypatch, shut_down_after=2) == 2  # the last job has ended
    executor.wait = True
    cancel_own_jobs(programs)  # by SIGTERM
    assert seconds_slept(executor, monkeypatch) == ENDING_CHECK


def test_other_executors_stay_as_they_are() -> None:
    executor = SimpleNamespace(check_active_jobs="its own")
    see_every_end(executor)
    assert executor.check_active_jobs == "its own"
