"""How a site's Slurm is asked about jobs: scripted programs in place of Slurm's."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnqed.files import UserError
from burnqed.snakemake.cluster import FIRST_CHECK, StatusChecks, cancel_own_jobs, status_checks

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


def test_a_driver_cancels_its_own_jobs(programs: Path) -> None:
    results = programs / "results"
    results.mkdir()
    script(programs, "scancel", f'echo "$@" >> {programs}/cancelled')
    cancel_own_jobs(results)
    assert not (programs / "cancelled").exists()  # no note: nothing was submitted
    (results / ".driver.jobs").write_text("1234-abcd\n")
    cancel_own_jobs(results)
    assert (programs / "cancelled").read_text() == "--name 1234-abcd\n"
