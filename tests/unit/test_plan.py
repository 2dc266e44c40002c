"""A run as a value: its paths, runs, jobs and targets, without Snakemake."""

from __future__ import annotations

import pytest

from burnqed.config import Config, load_config
from burnqed.evaluation.run import iteration_of
from burnqed.experiments.runs import plan_of
from burnqed.files import UserError
from burnqed.plan import Job, Part, Paths, Plan, Run, loop_runs


def config(**blocks: object) -> Config:
    return load_config(blocks)


def test_the_whole_experiment_counts_its_jobs() -> None:
    counts = plan_of(config()).count()
    assert counts["search_shard"] == 11  # main and negatives, iteration 0 also noisy
    assert counts["evaluate"] == 10  # base model, iteration 0, and four iterations with and without head
    assert (counts["train_sft"], counts["train_energy_head"], counts["check_gate"]) == (5, 4, 5)
    assert "train_joint" not in counts and "validate_tactics" not in counts


def test_a_second_order_takes_over_what_the_first_tried_where_both_sample_alike() -> None:
    def recorded(run: str, **blocks: object) -> object:
        plan = plan_of(config(iterations=2, **blocks))
        return plan.job("evaluate", {"run": run, "evaluation": "llm_ebm"}).inputs.get("recorded")

    plain = "results/iter_1/eval/llm.parquet"
    assert recorded("iter_1") == plain
    for blocks in (
        {"search": {"temperature": 0.7}},
        {"search": {"candidates": 7}},
        {"search": {"resample": 1}},
        {"search": {"mode": "mixed"}},
        {"evaluation": {"reuse": False}},
    ):
        assert recorded("iter_1", **blocks) is None, blocks
    way = "ablation_value/seed_1/shuffled_energy"
    assert (
        recorded(way)
        == recorded(way, search={"temperature": 0.7})
        == "results/ablation_value/seed_1/logprob/eval/llm.parquet"
    )
    assert recorded("joint_attribution/seed_0/joint_own") == "results/joint_attribution/seed_0/joint/eval/llm.parquet"


def test_every_evaluation_says_which_iteration_it_measures() -> None:
    for run in plan_of(config(iterations=3)).runs.values():
        if "evaluate" in run.rules:
            assert iteration_of(run.label or run.name) >= -1, run.name


def test_paths_are_those_of_the_grammar() -> None:
    paths = Paths("out")
    assert paths.adapter == "out/{run}/adapter"
    assert paths("steps", run="iter_0", kind="main", shard="003") == "out/iter_0/search/main/003.parquet"
    with pytest.raises(AttributeError, match="no file of a run is called 'adaptor'"):
        paths.adaptor  # noqa: B018


def test_iterations_read_what_came_before() -> None:
    plan = plan_of(config(iterations=3))
    first, later = (plan.job("train_sft", {"run": f"iter_{i}"}) for i in (0, 2))
    assert "adapter" not in first.inputs and "gate" not in first.inputs
    assert later.inputs["adapter"] == "results/iter_1/adapter"
    assert later.inputs["trajectories"] == [f"results/iter_{i}/trajectories.parquet" for i in (0, 1)]
    assert later.waits == {"gate"}
    assert plan.job("encode_states", {"run": "iter_0"}).inputs["pairs"] == "results/data/tactic_pairs/train.jsonl"
    gate = plan.job("check_gate", {"run": "iter_1"})
    assert gate.inputs["evals"] == [
        "results/baseline/eval/llm.json",
        "results/iter_0/eval/llm.json",
        "results/iter_1/eval/llm.json",
        "results/iter_1/eval/llm_ebm.json",
    ]
    assert gate.inputs["previous"] == "results/iter_0/gate.json"


def test_heads_start_from_the_one_before_when_asked() -> None:
    assert plan_of(config()).job("train_energy_head", {"run": "iter_2"}).inputs["previous"] == "results/iter_1/ebm"
    fresh = plan_of(config(ebm={"resume": "none"}))
    assert "previous" not in fresh.job("train_energy_head", {"run": "iter_2"}).inputs


def test_joint_iterations_have_one_training() -> None:
    plan = plan_of(config(iterations=3, training={"mode": ["sft", "joint"]}))
    trained = [run for run in plan.values("train_sft", "run") if not run.startswith("expert_iteration")]
    assert trained == ["iter_0", *(f"joint_attribution/seed_{seed}/sft" for seed in (0, 1, 2))]
    assert plan.targets["iter_1_joint"][-1] == "results/iter_1/ebm"
    assert "iter_1_sft" not in plan.targets


def test_experiments_are_runs_made_by_the_same_rules() -> None:
    plan = plan_of(config(iterations=2))
    start = plan.runs["lean_start/iter_0"]
    assert (start.cfg.search.shards, start.cfg.search.max_theorems) == (1, start.cfg.gates.lean_start_theorems)
    search = plan.job("search_shard", {"run": start.name, "kind": "main", "shard": "000"})
    assert search.inputs["model"] == "results/iter_0/model"
    control = plan.runs["ablation_value/seed_1/shuffled_energy"]
    assert (control.cfg.search.priority, control.cfg.seed) == ("energy", 1)
    job = plan.job("evaluate", {"run": control.name, "evaluation": "llm_ebm"})
    assert job.inputs["ebm"] == "results/ablation_value/seed_1/goal_conditioned/ebm"
    assert job.inputs["shuffled"] == "results/ablation_value/seed_1/goal_conditioned_energy/eval/llm_ebm.parquet"
    own = plan.job("measure_joint_head", {"run": "joint_attribution/seed_0/joint_own"})
    assert own.inputs["head"] == "results/joint_attribution/seed_0/joint/joint"
    assert "evaluate" not in plan.runs["joint_attribution/seed_0/control"].rules


def test_every_file_has_one_job_and_every_input_somebody_that_makes_it() -> None:
    plan = plan_of(config(iterations=3, training={"mode": ["sft", "sft", "joint"]}))
    made = [path for job in plan.jobs for path in job.outputs]
    assert len(made) == len(set(made))
    assert {path for job in plan.jobs for path in job.files} <= set(made)
    assert {path for files in plan.targets.values() for path in files} <= set(made)


def test_jobs_come_after_those_they_need() -> None:
    plan = plan_of(config(iterations=2))
    seen: set[str] = set()
    for job in plan.needed(["all"]):
        assert set(job.files) <= seen
        seen |= set(job.outputs)


def test_a_control_arm_with_seeds_and_benchmarks_is_data() -> None:
    cfg = config(iterations=2, benchmarks={"minif2f_test": {"source": "a"}, "proofnet": {"source": "b"}})
    arm = Run(
        "iter_1/control_no_proofs",
        cfg,
        frozenset({"train_sft", "merge_adapter", "evaluate"}),
        iteration=1,
        adapter="iter_0",
        benchmarks=("minif2f_test", "proofnet"),
        sampling_seeds=(0, 1),
    )
    compared = Job("compare_arms", ("results/arms.md",), {"evals": ["results/iter_1/control_no_proofs/eval/llm.json"]})
    plan = Plan(cfg, parts=[Part([arm], [compared], {"arms": ["results/arms.md"]})])
    assert [one.name for one in arm.evaluations] == ["llm", "seed_1/llm", "proofnet/llm", "proofnet/seed_1/llm"]
    job = plan.job("evaluate", {"run": arm.name, "evaluation": "proofnet/seed_1/llm"})
    assert job.outputs[0] == "results/iter_1/control_no_proofs/eval/proofnet/seed_1/llm.json"
    assert job.inputs["benchmark"] == "results/data/benchmarks/proofnet.json"
    counts = plan.count(["arms"])
    assert (counts["train_sft"], counts["evaluate"]) == (2, 1)
    assert "trajectories" not in plan.job("train_sft", {"run": arm.name}).inputs


def test_gates_look_at_the_first_benchmark_alone() -> None:
    runs = list(loop_runs(config(iterations=1)))
    assert runs[1].judged == ("results/baseline/eval/llm.json", "results/iter_0/eval/llm.json")


def test_what_the_configuration_lacks_is_named() -> None:
    plan = plan_of(config(iterations=1))
    with pytest.raises(UserError, match=r"results/iter_7/gate\.json: no target or file"):
        plan.needed(["results/iter_7/gate.json"])
    assert plan.unknown_target("iter_0_eval") == plan.unknown_target("results/iter_0//adapter") == ""
    assert plan.unknown_target("compare_all", ["compare_all"]) == ""
    assert "iterations are 0 to 0" in plan.unknown_target("iter_1_eval")
    assert "iterations are 0 to 0" in plan.unknown_target("results/iter_3/model")
    assert "did you mean iter_0_eval" in plan.unknown_target("iter_0_evl")
    assert "did you mean results/figures/head_rank1.svg" in plan.unknown_target("results/figures/head_rank.svg")
    with pytest.raises(UserError, match="search_shard: this configuration has no such job"):
        plan.job("search_shard", {"run": "iter_0", "kind": "main", "shard": "999"})
    assert "ablation_value" not in plan.targets
    assert plan.pattern("train_joint") == "(?!)"


def test_further_benchmarks_are_evaluated_beside_the_first() -> None:
    further = {
        "second": {"source": "x.jsonl"},
        "third": {"source": "y.jsonl"},
        "minif2f_test": {"source": "minif2f_v1"},
    }
    cfg = config(iterations=1, benchmarks=further, evaluation={"benchmarks": ["second", "minif2f_test", "third"]})
    plan = plan_of(cfg)
    assert plan.targets["baseline"] == [f"results/baseline/eval/{name}llm.json" for name in ("", "second/", "third/")]
    assert plan.count()["evaluate"] == 6
    assert plan.job("check_gate", {"run": "iter_0"}).inputs["evals"] == [
        f"results/{run}/eval/llm.json" for run in ("baseline", "iter_0")
    ]
    assert len(plan.job("summarize", {}).inputs["evals"]) == 6
    made = {path for name in ("compare", "figures") for path in plan.targets[name]}
    for name in ("second", "third"):
        assert {f"results/figures/solve_rate_{name}.svg", f"results/tables/comparison_{name}.md"} <= made
    alone = plan_of(config(iterations=1, benchmarks=further))
    first = {job.outputs: job.inputs for job in plan.jobs if "benchmark" not in job.inputs}
    assert all(first[job.outputs] == job.inputs for job in alone.jobs if job.rule in ("train_sft", "search_shard"))
    with pytest.raises(UserError, match=r"evaluation\.benchmarks: 'other' is not a key of `benchmarks`"):
        config(evaluation={"benchmarks": ["other"]})
