"""Which jobs a target needs: nothing is run here."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from burnqed.config import load_config
from burnqed.experiments.runs import plan_of
from tests.workflow.conftest import ROOT, Run, environment, job_counts

STAGES = ["sft", "search", "eval"]
ALIASES = [
    *(f"iter_{i}" for i in range(5)),
    *(f"iter_{i}_{stage}" for i in range(5) for stage in STAGES),
    *(f"iter_{i}_ebm" for i in range(1, 5)),
    *[
        "baseline",
        "lean_start",
        "ablation_value",
        "joint_attribution",
        "baseline_report",
        "compare",
        "figures",
        "report",
        "all",
    ],
]
ABLATION = 3 * (2 + 1 + 6 + 3) + 1  # of each seed two heads, logprob, each head in three orders, three controls; table
ATTRIBUTION = 3 * (3 + 2 + 2 + 2 + 1 + 5) + 1  # 3 seeds: trainings, merges, encodings, heads, own head, searches; table


def dry_run(looker: Run, *args: str) -> dict[str, int]:
    return job_counts(looker(*args, "-n", "--quiet", "rules").stdout)


def commands(looker: Run, script: str, *args: str) -> list[str]:
    """Return the commands of one script, each on one line."""
    text = looker(*args, "-n", "-p").stdout.replace("\\\n", " ")
    return [" ".join(line.split()) for line in text.splitlines() if f"/{script}.py " in line]


def test_published_experiment(looker: Run) -> None:
    counts = dry_run(looker, "all")
    assert counts == {
        "build_benchmark": 1,
        "build_theorem_index": 1,
        "fetch_base_model": 1,
        "build_tactic_pairs": 1,
        "note_evaluation_settings": 1,
        "evaluate": 10,  # base model, iteration 0, and four iterations with and without head
        "train_sft": 5,
        "merge_adapter": 5,
        "select_theorems": 5,
        "search_shard": 11,  # main and negatives, iteration 0 also noisy
        "check_gate": 5,
        "merge_trajectories": 5,
        "verify_proofs": 5,
        "encode_states": 4,
        "train_energy_head": 4,
        "summarize": 1,
        "plot_figure": 17,
        "plot_data": 1,
        "write_table": 2,
        "render_report": 1,
        "all": 1,
        "total": 87,
    }


def test_every_alias_is_listed_and_has_a_dag(looker: Run) -> None:
    listed = looker("--list-target-rules").stdout.split()
    assert set(ALIASES) <= set(listed)
    everything = 87 + 9 + ABLATION + ATTRIBUTION + 1 + len(ALIASES) - 1  # 9: lean_start
    assert dry_run(looker, *ALIASES)["total"] == everything


@pytest.mark.parametrize("mode", ["sft", "joint"])
def test_snakemake_runs_the_jobs_of_the_plan(looker: Run, mode: str) -> None:
    changes = {"iterations": 3, "training": {"mode": ["sft", mode]}}
    plan = plan_of(load_config(yaml.safe_load((ROOT / "config.yaml").read_text()) | changes))
    counts = dry_run(looker, *plan.targets, "--config", "iterations=3", f"training={{mode: [sft, {mode}]}}")
    rules = {job.rule for job in plan.jobs}
    assert {name: count for name, count in counts.items() if name in rules} == plan.count(plan.targets)
    assert counts["total"] == sum(plan.count(plan.targets).values()) + len(plan.targets)


def test_last_evaluation_needs_no_last_search(looker: Run) -> None:
    counts = dry_run(looker, "iter_4_eval")
    assert counts["search_shard"] == 9
    assert counts["evaluate"] == 10


def test_first_iteration_has_no_head(looker: Run) -> None:
    counts = dry_run(looker, "iter_0")
    assert "train_energy_head" not in counts
    assert "encode_states" not in counts
    assert counts["search_shard"] == 3


def test_later_heads_start_from_the_one_before(looker: Run) -> None:
    started = looker("iter_2_ebm", "-n", "-p").stdout
    afresh = looker("iter_2_ebm", "-n", "-p", "--config", "ebm={resume: none}").stdout
    assert "--previous results/iter_1/ebm" in started
    assert "--previous" not in afresh
    assert dry_run(looker, "iter_2_ebm", "--config", "ebm={resume: none}")["train_energy_head"] == 2


def test_value_ablation_differs_in_the_order_of_expansion_alone(looker: Run) -> None:
    counts = dry_run(looker, "ablation_value")
    assert (counts["train_energy_head"], counts["evaluate"], counts["ablate_value"]) == (3 + 6, 8 + 30, 1)
    found = commands(looker, "evaluate", "ablation_value", "--config", "iterations=2")
    searches = [line for line in found if "ablation_value" in line]
    assert len(searches) == 30
    ways = {line.split("--trajectories ")[1].split()[0] for line in searches}
    assert "results/ablation_value/seed_2/shuffled_weighted/eval/llm_ebm.parquet" in ways
    own = re.compile(
        r"--(search\.priority|ebm|shuffled|recorded|output|trajectories|variant|seed|encoder\.\w+) \S+|>.*"
    )
    assert len({" ".join(own.sub("", line).split()) for line in searches}) == 1
    control = next(line for line in searches if "seed_1/shuffled_energy/eval/llm_ebm.json" in line)
    assert "--ebm results/ablation_value/seed_1/goal_conditioned/ebm" in control
    assert "--shuffled results/ablation_value/seed_1/goal_conditioned_energy/eval/llm_ebm.parquet" in control
    assert "--search.priority energy" in control and "--seed 1" in control
    assert "--search.temperature 1.0" in control  # as with a head, also without one


def test_joint_iterations_train_adapter_and_head_in_one_job(looker: Run) -> None:
    mode = ["--config", "training={mode: [sft, joint]}", "iterations=3"]
    counts = dry_run(looker, "all", *mode)
    plain = dry_run(looker, "all", "--config", "iterations=3")
    assert (counts["train_sft"], counts["train_joint"], counts["measure_joint_head"]) == (1, 2, 2)
    assert "train_energy_head" not in counts
    for name in ("merge_adapter", "encode_states", "search_shard", "evaluate", "check_gate", "plot_figure"):
        assert counts[name] == plain[name]
    text = looker("iter_2_joint", "-n", "-p", *mode).stdout
    assert "--previous results/iter_1/ebm" in text
    assert "--head results/iter_2/joint" in text
    listed = looker("--list-target-rules", *mode).stdout.split()
    assert {"iter_0_sft", "iter_1_joint", "iter_2_joint", "iter_1_ebm"} <= set(listed)
    assert "iter_1_sft" not in listed


def test_joint_attribution_shares_everything_but_the_training(looker: Run) -> None:
    counts = dry_run(looker, "joint_attribution")
    assert (counts["train_sft"], counts["train_joint"], counts["evaluate"]) == (1 + 3, 6, 15)
    assert (counts["train_energy_head"], counts["measure_joint_head"]) == (6, 3)
    setting = ["--config", "joint={attribution_seeds: [7]}"]
    found = {
        script: [line for line in commands(looker, script, "joint_attribution", *setting) if "/seed_7/" in line]
        for script in ("train_joint", "train_sft", "evaluate")
    }
    weights = [line.split("--joint.weight ")[1].split()[0] for line in found["train_joint"]]
    assert sorted(weights) == ["0", "0.1"]
    (sft,) = found["train_sft"]
    for option in ("--sft.steps 1000", "--sft.warmup_steps 100", "--sft.lora_rank 64", "--sft.learning_rate 2e-05"):
        assert option in sft
    searches = {line.split("--output ")[1].split()[0]: line for line in found["evaluate"]}
    run = "results/joint_attribution/seed_7"
    assert f"--model-dir {run}/joint/model --ebm {run}/joint_own/ebm" in searches[f"{run}/joint_own/eval/llm_ebm.json"]
    assert f"--model-dir {run}/sft/model --ebm {run}/sft/ebm" in searches[f"{run}/sft/eval/llm_ebm.json"]
    assert "--ebm" not in searches[f"{run}/joint/eval/llm.json"].replace("--ebm.", "")


def test_value_ablation_needs_an_iteration_with_a_head(looker: Run) -> None:
    listed = looker("--list-target-rules", "--config", "iterations=1").stdout.split()
    assert "ablation_value" not in listed and "iter_0" in listed


def test_one_artefact_by_its_path(looker: Run) -> None:
    assert dry_run(looker, "results/data/benchmarks/minif2f_test.json") == {"build_benchmark": 1, "total": 1}


def test_two_thousand_shards_in_time(clone: Path) -> None:
    (clone / "shards.yaml").write_text(yaml.safe_dump({"search": {"shards": 400, "negatives": False}}))
    command = [
        sys.executable,
        "-m",
        "snakemake",
        "iter_4_eval",
        "--configfile",
        "shards.yaml",
        "-n",
        "--quiet",
        "rules",
    ]
    before = os.times()
    done = subprocess.run(command, cwd=clone, env=environment(), text=True, stdout=subprocess.PIPE, check=True)
    assert job_counts(done.stdout)["search_shard"] == 2000
    # CPU time: a busy machine says nothing about the command, which promises 10 s and takes half of that.
    after = os.times()
    assert after.children_user + after.children_system - before.children_user - before.children_system < 30


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("serch={}", ["serch: unknown key", "did you mean 'search'?"]),
        ("search={expansion: 3}", ["search.expansion: unknown key", "did you mean 'expansions'?"]),
        ("iterations=none", ["iterations: ", "got 'none'"]),
        ("hardware=abacus", ["hardware: 'abacus' is not a key of `hardware_types`", "rtx4090"]),
    ],
)
def test_wrong_setting_is_named_with_its_remedy(looker: Run, setting: str, words: list[str]) -> None:
    result = looker("-n", "--config", setting, check=False)
    assert result.returncode != 0
    assert "Traceback" not in result.stdout
    assert "wrong configuration" in result.stdout
    for word in words:
        assert word in result.stdout


def test_lint(looker: Run) -> None:
    assert "good condition" in looker("--lint").stdout


def test_no_forbidden_constructs() -> None:
    root = Path(__file__).parents[2]
    text = "".join(path.read_text() for path in [root / "Snakefile", *(root / "rules").glob("*.smk")])
    for construct in ("checkpoint ", "service(", "run:", "script:"):
        assert f"\n    {construct}" not in text
        assert f"\n{construct}" not in text
    assert not (root / "profiles" / "default").exists()
    assert len((root / "Snakefile").read_text().splitlines()) <= 120
    for profile in (root / "profiles").glob("*/profile.yaml"):
        assert "keep-incomplete" not in profile.read_text()
