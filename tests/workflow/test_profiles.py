"""Profiles: machines only, and every documented way to name one."""

from __future__ import annotations

import importlib.util
import os
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.workflow.conftest import ROOT, Run, job_counts

LOCAL = ["runpod", "lambda", "workstation"]
REMOTE = ["slurm"]  # kubernetes asks its bucket what exists, also for a dry run


@pytest.mark.parametrize("profile", [*LOCAL, *REMOTE])
def test_profile_shows_the_published_experiment(looker: Run, profile: str) -> None:
    if profile in REMOTE and importlib.util.find_spec(f"snakemake_executor_plugin_{profile}") is None:
        pytest.skip(f"snakemake-executor-plugin-{profile} is not installed")
    result = looker("iter_4_eval", "-n", "--workflow-profile", profile)
    counts = job_counts(result.stdout)
    assert counts["search_shard"] == 144
    assert counts["fetch_base_model"] == 1


def test_rehearsal_is_two_iterations_of_minilean(looker: Run) -> None:
    result = looker("-n", "-p", "--workflow-profile", "rehearsal")
    counts = job_counts(result.stdout)
    assert counts["train_base_model"] == 1
    assert "fetch_base_model" not in counts
    assert counts["evaluate"] == 4  # base model, iteration 0, iteration 1 with and without head
    assert counts["build_benchmark"] == 2
    assert "hf://" not in result.stdout
    assert "--prover.kind minilean" in result.stdout
    assert "results/rehearsal/report.html" in result.stdout


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
    assert job_counts(result.stdout)["search_shard"] == 144


def test_4bit_on_24gb_cards_only(looker: Run) -> None:
    command = ["iter_1_ebm", "-n", "-p", "--workflow-profile"]
    assert "--quantization nf4" in looker(*command, "runpod").stdout
    assert "--quantization nf4" not in looker(*command, "lambda").stdout


def test_gpu_jobs_ask_for_a_gpu(looker: Run) -> None:
    text = looker("iter_1_eval", "-n", "--workflow-profile", "lambda").stdout
    asked: dict[str, bool] = {}
    for block in text.split("\n\n"):
        for line in block.splitlines():
            if line.startswith("rule "):
                rule = line.removeprefix("rule ").rstrip(":")
                asked[rule] = "gpu=1, gpu_model=a100" in block
    assert {rule for rule, gpu in asked.items() if gpu} == {
        "train_sft",
        "search_shard",
        "evaluate",
        "encode_states",
        "train_energy_head",
    }


@pytest.mark.parametrize("path", sorted((ROOT / "profiles").glob("*/profile.yaml")), ids=lambda path: path.parent.name)
def test_profiles_hold_hardware_only(path: Path) -> None:
    profile = yaml.safe_load(path.read_text())
    assert set(profile.get("config", {})) <= {"hardware"}
    assert profile["logger"] == "burnqed"
    assert profile["rerun-incomplete"] is True
    assert profile["rerun-triggers"] == ["mtime", "params", "input"]
