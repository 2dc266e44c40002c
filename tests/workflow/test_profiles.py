"""Profiles: machines only, and every documented way to name one."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml
from yte import process_yaml

from burnqed.commands.estimate import estimate, read_settings
from tests.workflow.conftest import ROOT, Run, job_counts

RESULTS = "results/rehearsal"
LOCAL = ["runpod", "lambda", "workstation"]
REMOTE = ["slurm"]  # kubernetes asks its bucket what exists, also for a dry run


@pytest.mark.parametrize("profile", [*LOCAL, *REMOTE])
def test_profile_shows_the_published_experiment(looker: Run, profile: str) -> None:
    if profile in REMOTE and importlib.util.find_spec(f"snakemake_executor_plugin_{profile}") is None:
        pytest.skip(f"snakemake-executor-plugin-{profile} is not installed")
    result = looker("iter_4_eval", "-n", "--workflow-profile", profile)
    counts = job_counts(result.stdout)
    assert counts["search_shard"] == 9
    assert counts["fetch_base_model"] == 1
    said = re.search(r"^Estimate: \S+ h \(.* (\S+) US\$ \(.* --hardware (\w+)`", result.stdout, re.MULTILINE)
    assert said is not None  # the last line of a dry run is its price
    cfg = read_settings([ROOT / "config.yaml"], said[2])
    found = estimate(cfg, Path("absent"), targets=["iter_4_eval"])
    assert said[1] == f"{found.hours[1] * cfg.machine.price_per_hour:,.2f}"


def test_a_small_model_on_a_gpu_is_not_priced_as_a_large_one(looker: Run) -> None:
    overlays = [str(ROOT / name) for name in ("profiles/rehearsal/experiment.yaml", "studies/trial.yaml")]
    result = looker("iter_0_eval", "-n", "--workflow-profile", "lambda", "--configfile", *overlays)
    assert "No estimate: model.kind: scratch" in result.stdout
    assert "US$" not in result.stdout


def test_rehearsal_is_two_iterations_of_real_lean(looker: Run) -> None:
    result = looker("-n", "-p", "--workflow-profile", "rehearsal")
    counts = job_counts(result.stdout)
    assert counts["train_base_model"] == 1
    assert "fetch_base_model" not in counts
    assert counts["evaluate"] == 4  # base model, iteration 0, iteration 1 with and without head
    assert counts["build_benchmark"] == 2
    assert "hf://" not in result.stdout
    assert "--prover.kind lean" in result.stdout
    assert "results/rehearsal/report.html" in result.stdout
    assert "Estimate:" not in result.stdout  # a laptop costs nothing


def test_documented_command_after_make_profiles(snakemake: Run, clone: Path, tmp_path: Path) -> None:
    home = tmp_path / "config"
    before = snakemake("--profile", "runpod", "iter_4_eval", "-n", check=False, XDG_CONFIG_HOME=str(home))
    assert before.returncode != 0
    for _ in range(2):  # linking twice is harmless
        subprocess.run(
            ["make", "-s", "-C", str(clone), "-f", str(ROOT / "Makefile"), "profiles"],
            env={**os.environ, "XDG_CONFIG_HOME": str(home)},
            check=True,
        )
    result = snakemake("--profile", "runpod", "iter_4_eval", "-n", XDG_CONFIG_HOME=str(home))
    assert job_counts(result.stdout)["search_shard"] == 9


def jobs_of(text: str) -> dict[str, str]:
    """Return what a dry run shows of one job of each rule."""
    found = {}
    for block in text.split("\n\n"):
        for line in block.splitlines():
            if line.startswith("rule "):
                found[line.removeprefix("rule ").rstrip(":")] = block
    return found


def number(block: str, name: str) -> int:
    match = re.search(rf"\b{name}=(\d+)", block)
    assert match is not None, f"{name}: {block}"
    return int(match[1])


@pytest.mark.parametrize(
    ("profile", "training", "search"),
    [
        ("workstation", "nf4", "nf4"),
        ("runpod", "nf4", "nf4"),
        ("lambda", "none", "none"),
        ("slurm", "none", "nf4"),  # trained on 80 GB, searched on 24 GB: encoded alike on both
    ],
)
def test_4bit_on_24gb_cards_only(looker: Run, profile: str, training: str, search: str) -> None:
    # Snakemake drops the profile's own `config` block as soon as --config is given.
    jobs = jobs_of(looker("iter_1_eval", "-n", "-p", "--workflow-profile", profile, "--config", "seed=1").stdout)
    assert f"--quantization {training} " in jobs["train_sft"]
    for rule in ("encode_states", "search_shard", "evaluate"):
        assert f"--quantization {search} " in jobs[rule], rule


TRAINING = {"train_sft", "encode_states", "train_energy_head"}
SEARCH = {"search_shard", "evaluate"}
OFFSHOOTS = {"lean_start_encode": True, "lean_start_head": True, "ablation_head": True}  # True: as training
OFFSHOOTS |= {"lean_start_search": False, "lean_start_evaluate": False, "ablation_search": False}


@pytest.mark.parametrize(
    ("profile", "training", "search"),
    [
        ("workstation", "rtx4090", "rtx4090"),
        ("runpod", "rtx4090", "rtx4090"),
        ("lambda", "a100", "a100"),
        ("slurm", "a100", "rtx4090"),
    ],
)
def test_every_rule_asks_for_its_resources(looker: Run, profile: str, training: str, search: str) -> None:
    targets = ["iter_1_eval", "lean_start", "ablation_value"]
    jobs = jobs_of(looker(*targets, "-n", "--workflow-profile", profile, "--config", "iterations=2").stdout)
    models = dict.fromkeys(TRAINING, training) | dict.fromkeys(SEARCH, search)
    models |= {rule: training if as_training else search for rule, as_training in OFFSHOOTS.items()}
    for rule, block in ((rule, block) for rule, block in jobs.items() if rule not in targets):
        model = models.get(rule, "")
        assert f"gpu={1 if model else 0}" in block, rule
        assert re.search(rf"gpu_model={model}(,|$)", block, flags=re.MULTILINE), (rule, block)
        assert number(block, "mem_mb") >= 500
        assert number(block, "runtime") >= 5
        if profile == "slurm":
            assert f"slurm_partition={model or 'cpu'}" in block
    assert set(jobs) > TRAINING | SEARCH


@pytest.mark.parametrize(("profile", "needed"), [("slurm", "slurm_partition"), ("kubernetes", "gpu_manufacturer")])
def test_clusters_know_every_rule_that_needs_a_gpu(profile: str, needed: str) -> None:
    # By itself a rule names no partition and no maker, and as GPU model the machine type.
    texts = [path.read_text() for path in (ROOT / "rules").glob("*.smk")]
    blocks = [block for text in texts for block in re.split(r"^ *rule ", text, flags=re.MULTILINE)[1:]]
    rules = {block.split(":")[0] for block in blocks if "gpu=GPU," in block}
    assert rules > TRAINING | SEARCH
    entries = yaml.safe_load((ROOT / "profiles" / profile / "profile.yaml").read_text())["set-resources"]
    for rule in rules:
        entry = entries.get(rule, {})
        assert entry.get("gpu") == 1, rule
        assert {"gpu_model", needed} <= set(entry), rule


@pytest.mark.parametrize("profile", [*LOCAL, *REMOTE, "kubernetes"])
def test_memory_and_time_grow_with_the_attempt(profile: str) -> None:
    # Snakemake evaluates these texts as Python; a plain number would replace the rule's own growing one.
    entries = yaml.safe_load((ROOT / "profiles" / profile / "profile.yaml").read_text())["set-resources"]
    assert set(entries) > TRAINING | SEARCH
    for rule, entry in entries.items():
        for name in ("mem_mb", "runtime"):
            first, second = (eval(str(entry[name]), {"attempt": attempt}) for attempt in (1, 2))
            assert second == 2 * first > 0, f"{rule}: {name}"


def test_resources_of_the_rules_grow_with_the_attempt(clone: Path, snakemake: Run) -> None:
    (clone / "fail").write_text("build_corpus")
    profile = yaml.safe_load((clone / "profiles" / "rehearsal" / "profile.yaml").read_text())
    del profile["logger"]
    (clone / "profiles" / "rehearsal" / "profile.yaml").write_text(yaml.safe_dump(profile))
    result = snakemake(f"{RESULTS}/data/corpus.jsonl", "--workflow-profile", "rehearsal", "--retries", "1", check=False)
    blocks = [block for block in result.stdout.split("\n\n") if "rule build_corpus:" in block]
    tried = [(number(block, "mem_mb"), number(block, "runtime")) for block in blocks]
    assert tried == [(4000, 30), (8000, 60)]


def test_gpus_of_the_machine_are_counted(looker: Run) -> None:
    text = looker("iter_0_sft", "-n", "--workflow-profile", "workstation", CUDA_VISIBLE_DEVICES="2,3,5").stdout
    assert "gpu=1" in jobs_of(text)["train_sft"]
    profile = "\n".join((ROOT / "profiles" / "workstation" / "profile.yaml").read_text().splitlines())
    os.environ["CUDA_VISIBLE_DEVICES"] = "2,3,5"
    try:
        assert process_yaml(profile)["resources"] == {"gpu": 3}
    finally:
        del os.environ["CUDA_VISIBLE_DEVICES"]


@pytest.mark.parametrize("path", sorted((ROOT / "profiles").glob("*/profile.yaml")), ids=lambda path: path.parent.name)
def test_profiles_hold_hardware_only(path: Path) -> None:
    profile = yaml.safe_load(path.read_text())
    assert "config" not in profile  # --config on the command line would replace all of it
    assert profile["logger"] == "burnqed"
    assert profile["rerun-incomplete"] is True
    assert profile["rerun-triggers"] == ["mtime", "params", "input"]
