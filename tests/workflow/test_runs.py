"""What a run does again and what not; kill, lock and failure. The scripts are stand-ins."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.workflow.conftest import Run, environment, job_counts, make_clone, runner

RESULTS = "results/rehearsal"
REHEARSAL = ["--workflow-profile", "rehearsal"]


def calls(clone: Path) -> list[str]:
    """Return the scripts that ran since the last question, sorted."""
    path = clone / "calls.txt"
    names = sorted(path.read_text().split()) if path.exists() else []
    path.write_text("")
    return names


def wait_for(condition: Path, seconds: float = 300) -> None:
    limit = time.monotonic() + seconds
    while not condition.exists():
        assert time.monotonic() < limit, f"{condition} did not appear"
        time.sleep(0.05)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run; a test may remake files in it, and leaves it finished."""
    folder = make_clone(tmp_path_factory.mktemp("finished") / "clone")
    runner(folder)(*REHEARSAL)
    assert calls(folder)
    return folder


def planned(folder: Path, *args: str) -> dict[str, int]:
    return job_counts(runner(folder)(*REHEARSAL, "-n", "--quiet", "rules", *args).stdout)


def test_second_run_does_nothing(finished: Path) -> None:
    result = runner(finished)(*REHEARSAL)
    assert "Nothing to do" in result.stdout
    assert calls(finished) == []


@pytest.mark.parametrize("target", [f"{RESULTS}/figures/cost.svg", "figures", "all"])
def test_deleted_figure_is_remade_alone(finished: Path, target: str) -> None:
    (finished / RESULTS / "figures" / "cost.svg").unlink()
    report = (finished / RESULTS / "report.html").stat().st_mtime_ns
    runner(finished)(target, *REHEARSAL)
    assert calls(finished) == ["plot_figure"]
    assert (finished / RESULTS / "report.html").stat().st_mtime_ns == report
    assert planned(finished) == {}


def test_deleted_data_figure_is_remade_alone(finished: Path) -> None:
    (finished / RESULTS / "figures" / "data_depth.svg").unlink()
    runner(finished)(f"{RESULTS}/figures/data_depth.svg", *REHEARSAL)
    assert calls(finished) == ["plot_data"]
    assert planned(finished) == {}


def test_price_is_no_setting_of_the_experiment(finished: Path) -> None:
    assert planned(finished, "--config", "hardware_types={cpu: {price_per_hour: 9}}") == {}


LAST = {"summarize": 1, "plot_figure": 17, "write_table": 2, "render_report": 1, "all": 1}
EVALUATION = {"note_evaluation_settings": 1, "evaluate": 4, "check_gate": 2, **LAST}


@pytest.mark.parametrize(
    ("setting", "jobs"),
    [
        ("evaluation={attempts: 2}", EVALUATION),
        ("gates={max_drop: 0.5}", {"check_gate": 2, **LAST}),
        # The head exists from iteration 1 on: its settings leave models, and all of iteration 0, alone.
        (
            "ebm={groups: 7}",
            {
                "train_energy_head": 1,
                "search_shard": 2,
                "merge_trajectories": 1,
                "verify_proofs": 1,
                "evaluate": 1,
                "check_gate": 1,
                **LAST,
            },
        ),
        # Search: everything but the data, the base model, and the model that searches first.
        (
            "search={max_depth: 7}",
            {
                "search_shard": 6,
                "select_theorems": 1,
                "merge_trajectories": 2,
                "verify_proofs": 2,
                "train_sft": 1,
                "merge_adapter": 1,
                "encode_states": 1,
                "train_energy_head": 1,
                "evaluate": 4,
                "check_gate": 2,
                **LAST,
            },
        ),
    ],
)
def test_changed_setting_reruns_what_uses_it(finished: Path, setting: str, jobs: dict[str, int]) -> None:
    assert planned(finished, "--config", setting) == {**jobs, "total": sum(jobs.values())}


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
    assert driver.wait(timeout=300) == 0, (clone / "driver.log").read_text()


def test_jobs_are_told_to_follow_their_driver(snakemake: Run, clone: Path) -> None:
    script = clone / "workflow_scripts" / "build_corpus.py"
    source = script.read_text()
    script.write_text("import os, sys\nprint(os.environ['BURNQED_WATCH_PARENT'], sys.executable)\n" + source)
    snakemake(f"{RESULTS}/data/corpus.jsonl", *REHEARSAL)
    log = (clone / RESULTS / "logs" / "build_corpus.log").read_text()
    first = log.splitlines()[0].split()
    assert first[0] == "1"
    assert Path(first[1]).samefile(sys.executable)


def test_jobs_are_forked_from_a_process_with_imports(snakemake: Run, clone: Path) -> None:
    """The workflow starts it, each job finds the imports done, and it is gone when the run is over."""
    for script in (clone / "workflow_scripts").iterdir():
        known = "import os, sys; print('forked', 'BURNQED_WARM_JOB' in os.environ, os.getppid(), "
        known += "sys.modules.get('bitsandbytes', 'not hidden'))\n"
        script.write_text(known + script.read_text())
    snakemake(f"{RESULTS}/data/report.json", *REHEARSAL, BURNQED_WARM="")
    logs = clone / RESULTS / "logs"
    said = {path.read_text().split("\n")[0] for path in logs.rglob("build_*.log") if "forked True" in path.read_text()}
    parents = {line.split()[2] for line in said}
    assert len(parents) == 1
    assert {line.split()[3] for line in said} == {"None"}  # nothing is quantised: PEFT need not import it
    limit = time.monotonic() + 300
    while Path("/proc", *parents).exists():
        assert time.monotonic() < limit
        time.sleep(0.1)
    assert "torch" in (logs / "warm.log").read_text()
