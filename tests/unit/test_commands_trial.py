"""The trial: what it lays over what, its driver's ends, and what it says; the workflow itself is scripted here."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from burnqed.commands.costs import ON_GPU
from burnqed.commands.estimate import merged
from burnqed.commands.trial import (
    Driver,
    Machine,
    machine_of,
    prices,
    trial_settings,
    verdict,
    write_config,
)
from burnqed.config import Config, load_config
from burnqed.experiments.runs import plan_of
from burnqed.jobs.groups import group_lives
from burnqed.snakemake.hardware import HARDWARE

ROOT = Path(__file__).parents[2]
CPU = Machine("cpu", False)


@pytest.fixture(autouse=True)
def _in_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv(HARDWARE, raising=False)


def settings(machine: Machine) -> Config:
    return load_config({**trial_settings(machine, []), "hardware": machine.hardware})


@pytest.mark.parametrize(
    ("profile", "machine"),
    [
        ("rehearsal", CPU),
        ("runpod", Machine("rtx4090", False)),
        ("profiles/lambda", Machine("a100", False)),
        ("slurm", Machine("a100_rtx4090", True)),
    ],
)
def test_a_profile_says_its_machine(profile: str, machine: Machine) -> None:
    assert machine_of(profile) == machine
    assert machine_of(profile, "h200").hardware == "h200"


def test_on_a_gpu_the_stack_is_that_of_the_published_experiment() -> None:
    published = load_config(merged([Path("config.yaml")]))
    small, large = settings(CPU), settings(Machine("rtx4090", False))
    assert (small.policy.backend, large.policy.backend) == ("transformers", published.policy.backend)
    assert (large.policy.dtype, large.encoder.dtype, large.sft.dtype) == ("bfloat16",) * 3
    assert large.machine.quantization == "nf4"  # QLoRA, as the profile says
    assert large.scratch.hidden_size // large.scratch.heads >= 32  # a server takes no smaller heads


def test_a_given_model_needs_the_memory_it_will_need_later(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("model: {kind: pretrained, repository: some/model, revision: main}\nsft: {lora_rank: 8}\n")
    published = load_config({**merged([Path("config.yaml")]), "hardware": "a100"})
    cfg = load_config({**trial_settings(Machine("a100", False), [own]), "hardware": "a100"})
    assert cfg.model.max_length == published.model.max_length and cfg.model.repository == "some/model"
    for name in ("batch_tokens", "micro_batch_tokens", "gradient_checkpointing", "learning_rate"):
        assert getattr(cfg.sft, name) == getattr(published.sft, name)
    assert cfg.sft.lora_rank == 8 and cfg.joint.lora_rank == published.joint.lora_rank
    assert (cfg.encoder, cfg.policy) == (published.encoder, published.policy)
    assert (cfg.sft.steps, cfg.joint.steps, cfg.search.max_theorems) == (4, 4, 80)
    at_home = load_config(trial_settings(CPU, [own]))
    assert (at_home.model.max_length, at_home.policy.backend) == (256, "transformers")


def test_it_leaves_the_results_of_the_run_alone(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    assert trial_settings(CPU, [])["results"] == "results/trial"
    own.write_text("prover: {workers: 3}\n")
    assert trial_settings(CPU, [own])["results"] == "results/trial"
    own.write_text("results: /scratch/run/\n")
    assert trial_settings(CPU, [own])["results"] == "/scratch/run-trial"


@pytest.mark.parametrize("machine", [CPU, Machine("a100", False)])
def test_every_rule_is_touched(machine: Machine) -> None:
    plan = plan_of(settings(machine))
    touched = plan.count(["trial"])
    left = {job.rule for job in plan.jobs} - set(touched)
    assert "extract_pairs" in left  # downloads; only when pairs need it
    apart = [job for job in plan.jobs if job.rule in left - {"extract_pairs"}]
    assert all("/value_lab/" in job.outputs[0] for job in apart)  # a study of its own
    assert sum(touched.values()) < 100
    assert sum(touched[rule] for rule in ON_GPU & set(touched)) <= 40


@pytest.fixture
def driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Driver:
    """A driver whose Snakemake does what the file `does` says."""
    (tmp_path / "snakemake").mkdir()
    script = f"import os, time\nopen({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\nexec(open({str(tmp_path / 'does')!r}).read())\n"
    (tmp_path / "snakemake" / "__main__.py").write_text(script)
    (tmp_path / "snakemake" / "__init__.py").write_text("")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    results = tmp_path / "results"
    results.mkdir()
    return Driver("rehearsal", tmp_path / "trial.yaml", results / "trial.log", time.monotonic() + 300)


def do(folder: Path, what: str) -> None:
    (folder / "does").write_text(what)


def test_the_driver_is_killed_when_it_has_got_somewhere(driver: Driver, tmp_path: Path) -> None:
    do(tmp_path, f"time.sleep(0.3); open({str(tmp_path / 'results' / 'a.piece')!r}, 'w'); time.sleep(600)")
    assert driver.run(["x"], kill_at="*.piece") == "killed"
    assert not group_lives(int((tmp_path / "pid").read_text()))


def test_its_other_ends(driver: Driver, tmp_path: Path) -> None:
    do(tmp_path, "print('hello')")
    assert driver.run(["x"], kill_at="*.piece") == "done"
    assert "hello" in (tmp_path / "results" / "trial.log").read_text()
    do(tmp_path, "import sys; print(sys.argv)")
    assert driver.run(["x"], first=["y", "z"]) == "done"
    assert "'x', '--prioritize', 'y', 'z', '--workflow-profile'" in (tmp_path / "results" / "trial.log").read_text()
    do(tmp_path, "raise SystemExit(1)")
    assert driver.run(["x"]) == "failed"
    do(tmp_path, "time.sleep(600)")
    driver.deadline = time.monotonic() + 0.5
    assert driver.run(["x"]) == "late"
    assert not group_lives(int((tmp_path / "pid").read_text()))


def test_it_says_what_ran_and_what_was_resumed(tmp_path: Path) -> None:
    benchmark = tmp_path / "benchmarks" / "evaluate" / "a.tsv"
    benchmark.parent.mkdir(parents=True)
    benchmark.write_text("s\th:m:s\n7.5\t0:00:07\n")
    sidecar = tmp_path / "iter_0" / "search" / "main" / "000.parquet.meta.json"
    sidecar.parent.mkdir(parents=True)
    sidecar.write_text(json.dumps({"search": {"taken_over": 3, "searches": 40}}))
    text = verdict(tmp_path, settings(CPU), "late", True, 600.0)
    assert "the time was up after 10.0 minutes" in text
    assert "not touched:" in text and "train_joint" in text.split("not touched:")[1]
    assert "evaluate" not in text.split("not touched:")[1].splitlines()[0].split(", ")
    assert "3 of 40 searches were taken over" in text


def test_prices_are_those_of_the_ladder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine("rtx4090", False)
    monkeypatch.setenv(HARDWARE, "rtx4090")
    values = {**trial_settings(machine, []), "results": str(tmp_path)}
    write_config(values, machine)
    sidecar = {
        "settings": {"model": {"kind": "scratch"}},
        "gpu_seconds": 9.0,
        "gpu_model": "rtx4090",
        "wall_seconds": 9.0,
    }
    (tmp_path / "a.meta.json").write_text(json.dumps(sidecar))
    text = prices(tmp_path, machine, [])
    pilot, published = (
        next(line for line in text.splitlines() if line.startswith(name)) for name in ("pilot", "published")
    )
    assert "US$" in pilot and "on rtx4090" in published
    assert "its model was a small one made on the spot" in text
    assert (tmp_path / "trial.yaml").exists()


def test_without_a_gpu_there_is_no_price_but_a_way_to_one(tmp_path: Path) -> None:
    values = {**trial_settings(CPU, []), "results": str(tmp_path)}
    write_config(values, CPU)
    (tmp_path / "a.meta.json").write_text(json.dumps({"settings": {}, "wall_seconds": 1.0}))
    text = prices(tmp_path, CPU, [])
    assert "published experiment need a GPU: `burnqed estimate --hardware rtx4090`" in text
