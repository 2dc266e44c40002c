"""The whole loop, small: from nothing to a report; killed and resumed; changed; and asked again."""

import filecmp
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from burnqed.config import ProverSettings
from burnqed.prover.toolchain import find_lean
from tests.forking import ROOT, forking

CONFIGS = ["profiles/rehearsal/experiment.yaml", "tests/integration/tiny.yaml"]
pytestmark = pytest.mark.slow


def words(results: Path, *extra: str, targets: Sequence[str] = ("all",)) -> list[str]:
    base = ["snakemake", *targets, "--workflow-profile", "rehearsal", "--directory", str(results.parent)]
    configs = [str(ROOT / name) for name in CONFIGS]
    return [*base, "--configfile", *configs, "--config", f"results={results}", *extra]


def run(*command: str) -> str:
    """Run a command that succeeds; return what it says."""
    out = subprocess.PIPE
    done = subprocess.run(
        forking().command(command), cwd=ROOT, text=True, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT
    )
    assert done.returncode == 0, done.stdout[-6000:]
    return done.stdout


def planned(results: Path, *extra: str) -> set[str]:
    """Return the rules a dry run would run."""
    shown = run(*words(results, *extra), "-n")
    return set(re.findall(r"^(?:local)?rule (\w+):", shown, flags=re.MULTILINE)) - {"all"}


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    results = tmp_path_factory.mktemp("run") / "results"
    run(*words(results))
    return results


def test_everything_is_made_and_the_table_is_shown(finished: Path) -> None:
    assert "iteration 1" in run(*words(finished))
    summary = json.loads((finished / "summary.json").read_text())
    assert [(m["label"], m["variant"]) for m in summary["models"]] == [
        ("baseline", "llm"),
        ("iter_0", "llm"),
        ("iter_1", "llm"),
        ("iter_1", "llm_ebm"),
    ]
    for figure in ("solve_rate", "head_ablation", "energy_histogram", "cost"):
        for suffix in ("svg", "png", "csv"):
            assert (finished / "figures" / f"{figure}.{suffix}").stat().st_size > 0
    report = (finished / "report.html").read_text()
    assert "solve_rate" in report and not re.search(r'(?:src|href)="https?://[^"]*\.(?:js|css)"', report)
    assert not list(finished.rglob(".progress")), "unfinished progress is left behind"


def test_every_proof_passes_an_independent_recheck(finished: Path, tmp_path: Path) -> None:
    sources = (finished / "iter_0" / "proofs.lean").read_text()
    names = [json.loads(line)["theorem"] for line in (finished / "iter_0" / "proofs.jsonl").open()]
    assert names, "iteration 0 proved nothing"
    path = tmp_path / "Proofs.lean"
    path.write_text(f"{sources}\n" + "".join(f"#print axioms {name}\n" for name in dict.fromkeys(names)))
    lean = find_lean(ProverSettings(kind="lean", imports=[]))
    done = subprocess.run([*lean.lean, "--json", str(path)], env=dict(lean.environment), capture_output=True, text=True)
    messages = [json.loads(line) for line in done.stdout.splitlines()]
    assert [m for m in messages if m["severity"] == "error" or "sorry" in m["data"]] == []
    said = [m["data"] for m in messages if "axioms" in m["data"]]
    assert len(said) == len(set(names))
    used = {axiom for text in said if "depends" in text for axiom in re.findall(r"[\w.]+", text.partition("[")[2])}
    assert used <= {"propext", "Classical.choice", "Quot.sound"}


def test_a_second_run_plans_nothing(finished: Path) -> None:
    assert planned(finished) == set()


def test_a_deleted_figure_is_remade_alone(finished: Path) -> None:
    figure = finished / "figures" / "nodes_to_proof.svg"
    content = figure.read_bytes()
    figure.unlink()
    assert planned(finished) == {"plot_figure"}
    run(*words(finished))
    assert figure.read_bytes() == content


def test_a_changed_search_setting_spares_the_training_before_it(finished: Path) -> None:
    rules = planned(finished, "search={max_depth: 11}")
    assert {"search_shard", "merge_trajectories", "verify_proofs", "evaluate"} <= rules
    assert not {"build_corpus", "build_tactic_pairs", "train_base_model"} & rules
    first = planned(finished, "search={max_depth: 11}", "iterations=1")
    assert not {"train_sft", "merge_adapter"} & first


def test_a_joint_iteration_goes_the_same_way(finished: Path, tmp_path: Path) -> None:
    results = tmp_path / "results"
    shutil.copytree(finished, results)
    shutil.rmtree(results / "iter_1")
    run(*words(results, "training={mode: [sft, joint]}", targets=["iter_1_eval"]))
    here = results / "iter_1"
    metrics = json.loads((here / "ebm" / "metrics.json").read_text())
    assert metrics["trained"] == "jointly with the adapter"
    assert [check["name"] for check in json.loads((here / "gate.json").read_text())["checks"]][-1] == "head_temperature"
    found = json.loads((here / "eval" / "llm_ebm.json").read_text())
    assert found["label"] == "iter_1" and found["ebm"] is not None
    assert (results / "logs" / "train_joint" / "iter_1.log").exists()
    before, after = (folder / "iter_0" / "adapter" / "adapter_model.safetensors" for folder in (finished, results))
    assert before.stat().st_mtime == after.stat().st_mtime


def wait_for(driver: subprocess.Popen[str], folder: Path, ending: str) -> None:
    """Wait until a job has saved something of its unfinished work."""
    limit = time.monotonic() + 900
    while not any(name.endswith(ending) for _, _, names in os.walk(folder) for name in names):
        assert driver.poll() is None, f"the workflow ended before there was a {ending} in {folder}"
        assert time.monotonic() < limit, f"no {ending} in {folder}"
        time.sleep(0.02)


def test_killed_in_training_and_in_search_it_ends_in_the_same_results(finished: Path, tmp_path: Path) -> None:
    results = tmp_path / "results"
    for place in ("data", "base", "baseline", "iter_0"):  # what the kills do not touch need not be made twice
        shutil.copytree(finished / place, results / place)
    command = words(results, targets=["iter_1_search", "iter_1_eval"])  # what is compared; the rest follows from it
    for folder, saved in ((".progress/adapter", "checkpoint.safetensors"), ("search/main/.progress", ".piece")):
        driver = subprocess.Popen(
            [sys.executable, "-m", *command],
            cwd=ROOT,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_for(driver, results / "iter_1" / folder, saved)
        os.kill(driver.pid, signal.SIGKILL)
        driver.wait()
    run(*command)
    names = [
        "iter_1/adapter/adapter_model.safetensors",
        "iter_1/proofs.jsonl",
        "iter_1/eval/llm.json",
        "iter_1/eval/llm_ebm.json",
    ]
    match, mismatch, errors = filecmp.cmpfiles(finished, results, names, shallow=False)
    assert (mismatch, errors) == ([], []), match
