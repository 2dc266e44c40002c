"""What a run does again and what not; kill, lock and failure. The scripts are stand-ins."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.workflow.conftest import Run, environment

RESULTS = "results/rehearsal"
REHEARSAL = ["--workflow-profile", "rehearsal"]


def calls(clone: Path) -> list[str]:
    """Return the scripts that ran since the last question, sorted."""
    path = clone / "calls.txt"
    names = sorted(path.read_text().split()) if path.exists() else []
    path.write_text("")
    return names


def wait_for(condition: Path, seconds: float = 30) -> None:
    limit = time.monotonic() + seconds
    while not condition.exists():
        assert time.monotonic() < limit, f"{condition} did not appear"
        time.sleep(0.05)


@pytest.fixture
def finished(snakemake: Run, clone: Path) -> Path:
    snakemake(*REHEARSAL)
    calls(clone)
    return clone


def test_reruns(snakemake: Run, finished: Path) -> None:
    report = finished / RESULTS / "report.html"
    page = report.read_bytes()
    assert b"solve_rate.svg" in page
    assert b'src="http' not in page

    # Nothing to do.
    result = snakemake(*REHEARSAL)
    assert "Nothing to do" in result.stdout
    assert calls(finished) == []

    # One figure by its path.
    figure = f"{RESULTS}/figures/cost.svg"
    (finished / figure).unlink()
    snakemake(figure, *REHEARSAL)
    assert calls(finished) == ["plot_figure"]

    # A search setting: search and what follows, but no training before the first search.
    result = snakemake(*REHEARSAL, "-n", "--config", "search={max_depth: 7}")
    planned = result.stdout
    assert "rule search_shard" in planned
    for line in ("iter_0/adapter", "iter_0/model", "base/model", "tactic_pairs/train.jsonl"):
        assert f"output: {RESULTS}/{line}" not in planned
    assert f"output: {RESULTS}/iter_0/search/main/000.parquet" in planned
    assert f"output: {RESULTS}/iter_1/adapter" in planned  # trained on the new search's proofs

    # A setting of the evaluation: evaluation and what shows it, no training and no search.
    snakemake(*REHEARSAL, "--config", "evaluation={bootstrap_samples: 200}")
    again = calls(finished)
    assert again.count("evaluate") == 4
    assert not {"train_sft", "search_shard", "train_energy_head"} & set(again)

    # The price of a machine is no setting of the experiment.
    result = snakemake(
        *REHEARSAL, "--config", "evaluation={bootstrap_samples: 200}", "hardware_types={cpu: {price_per_hour: 9}}"
    )
    assert calls(finished) == []


def test_failure_shows_the_end_of_the_log_and_keeps_the_rest(snakemake: Run, clone: Path) -> None:
    (clone / "fail").write_text("merge_adapter")
    result = snakemake(*REHEARSAL, check=False)
    assert result.returncode != 0
    assert "Failed: merge_adapter iter_0" in result.stdout
    assert f"{RESULTS}/logs/merge_adapter/iter_0.log" in result.stdout
    assert "the reason of the failure" in result.stdout
    assert "--adapter" not in result.stdout
    assert "Traceback" not in result.stdout
    (clone / "fail").unlink()
    before = calls(clone)
    snakemake(*REHEARSAL)
    after = calls(clone)
    assert before.count("train_sft") == 1
    assert after.count("train_sft") == 1  # that of iteration 1; the first is not repeated
    assert (clone / RESULTS / "report.html").exists()


def start(clone: Path, pause: str) -> subprocess.Popen[str]:
    """Start a run and return when its job `pause` is at work."""
    (clone / "pause").write_text(pause)
    command = [sys.executable, "-m", "snakemake", *REHEARSAL]
    with (clone / "driver.log").open("w") as log:
        driver = subprocess.Popen(command, cwd=clone, env=environment(), stdout=log, stderr=log, text=True)
    wait_for(clone / "waiting")
    return driver


def test_killed_driver_goes_on_with_the_same_command(snakemake: Run, clone: Path) -> None:
    driver = start(clone, "train_sft")
    driver.send_signal(signal.SIGKILL)
    driver.wait()
    (clone / "pause").unlink()
    result = snakemake(*REHEARSAL)
    assert "Done" in result.stdout
    assert calls(clone).count("train_base_model") == 1
    assert (clone / RESULTS / "report.html").exists()


def test_two_drivers_are_refused(snakemake: Run, clone: Path) -> None:
    driver = start(clone, "train_sft")
    try:
        second = snakemake(*REHEARSAL, check=False)
        assert second.returncode != 0
        assert f"another run works on this folder (pid {driver.pid} on " in second.stdout
        assert "Traceback" not in second.stdout
        assert snakemake(*REHEARSAL, "-n").returncode == 0  # looking is allowed
    finally:
        (clone / "pause").unlink()
    assert driver.wait(timeout=60) == 0, (clone / "driver.log").read_text()


def test_jobs_are_told_to_follow_their_driver(snakemake: Run, clone: Path) -> None:
    script = clone / "workflow_scripts" / "build_corpus.py"
    source = script.read_text()
    script.write_text("import os, sys\nprint(os.environ['BURNQED_WATCH_PARENT'], sys.executable)\n" + source)
    snakemake(f"{RESULTS}/data/corpus.jsonl", *REHEARSAL)
    log = (clone / RESULTS / "logs" / "build_corpus.log").read_text()
    first = log.splitlines()[0].split()
    assert first[0] == "1"
    assert Path(first[1]).samefile(sys.executable)
