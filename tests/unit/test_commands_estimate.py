"""Cost before a run: the plan's own jobs, ranges, measured speeds first, prices by machine type."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from burnqed.commands.cli import main
from burnqed.commands.costs import ADAPTED, ON_GPU
from burnqed.commands.estimate import Estimate, estimate, planned_jobs, price_line, read_settings, render
from burnqed.commands.speeds import CHEAP, DEAR, HELP, Assumptions, read_measured, scenarios
from burnqed.config import Config, load_config
from burnqed.evaluation.statistics import planned_detectable_effect
from burnqed.experiments.runs import plan_of
from burnqed.files import UserError

ROOT = Path(__file__).parents[2]
ABSENT = Path("absent")
TABLE = """
Job stats:
job             count
------------  -------
evaluate            3
search_shard        2
total               5

Reasons: ...
"""


def published(hardware: str = "a100", **blocks: dict[str, Any]) -> Config:
    values = yaml.safe_load((ROOT / "config.yaml").read_text())
    for name, block in blocks.items():
        values[name] = {**values[name], **block}
    return load_config({**values, "hardware": hardware})


def likely(found: Estimate, rule: str) -> float:
    (line,) = (line for line in found.lines if line.rule == rule)
    return line.hours[1] * 3600


def test_jobs_come_from_a_dry_run() -> None:
    assert planned_jobs(TABLE) == {"evaluate": 3, "search_shard": 2}
    assert planned_jobs("Nothing to be done (all requested files are present and up to date).") == {}
    with pytest.raises(UserError, match="no table of jobs"):
        planned_jobs("something else")


@pytest.mark.parametrize(("hardware", "most"), [("a100", 60.0), ("rtx4090", 30.0)])
def test_the_published_experiment_is_affordable(hardware: str, most: float) -> None:
    found = estimate(cfg := published(hardware), ABSENT)
    prices = [hours * cfg.machine.price_per_hour for hours in found.hours]
    assert 5.0 < prices[0] < prices[1] < prices[2] <= most  # even the dear case
    assert not found.unknown
    large = estimate(read_settings([ROOT / "config.yaml", ROOT / "studies/full_scale.yaml"], hardware), ABSENT)
    assert large.hours[1] > 50 * found.hours[1]


def test_the_pilot_takes_a_day_at_most_and_says_what_it_can_show() -> None:
    pilot = ROOT / "studies" / "pilot.yaml"
    cfg = read_settings([ROOT / "config.yaml", pilot], "rtx4090")
    found = estimate(cfg, ABSENT, targets=["iter_1_eval"])
    assert found.hours[2] <= 24
    theorems = cfg.evaluation.max_theorems or Assumptions().benchmark
    detectable = f"{100 * planned_detectable_effect(theorems, discordant=0.2):.1f} points"
    assert f"the {theorems} theorems" in pilot.read_text() and detectable in pilot.read_text()


def test_an_evaluation_costs_what_its_tactics_cost() -> None:
    given = {"solved": 0.0, "benchmark": 200, "tactic_tokens": 32, "starting": 0, "lean_tactics_per_s": 1000}
    cfg = published("h200", evaluation={"budgets": [100]}, policy={"backend": "transformers"})
    # 200 theorems x 100 expansions x 8 tactics at 605.8 a second
    assert likely(estimate(cfg, ABSENT, targets=["baseline"], given=given), "evaluate") == pytest.approx(
        160_000 / 605.8
    )
    slow = {**given, "lean_tactics_per_s": 1, "distinct": 0.5}  # 16 workers: Lean is slower than the model
    found = estimate(cfg, ABSENT, targets=["baseline"], given=slow)
    assert likely(found, "evaluate") == pytest.approx(80_000 / 16)
    text = render(found, cfg, slow, 1)
    assert f"{80_000 / 16 / 3600:.1f}" in text
    assert "--distinct 0.5: share" in text


def test_a_head_that_orders_the_search_costs_its_encoding() -> None:
    given = {"solved": 0.0, "starting": 0, "lean_tactics_per_s": 1e6, "new_states": 0.5}
    with_head, without = (
        likely(
            estimate(published("h200", search={"priority": p}), ABSENT, targets=["iter_1_eval"], given=given),
            "evaluate",
        )
        for p in ("energy", "logprob")
    )
    assert with_head - without == pytest.approx(244 * 64 * 8 * 0.5 / 253.6)


def test_an_adapter_beside_the_base_slows_the_server() -> None:
    given = {"solved": 0.0, "starting": 0, "lean_tactics_per_s": 1e6}
    merged, beside = (
        {line.rule: line.hours[1] for line in estimate(cfg, ABSENT, targets=["iter_0_search"], given=given).lines}
        for cfg in (published("h200", policy={"adapter": how}) for how in ("merge", "serve"))
    )
    assert merged["search_shard"] / beside["search_shard"] == pytest.approx(ADAPTED)


def test_unexpanded_states_are_counted_where_they_are_encoded() -> None:
    labelled, everything = (
        likely(estimate(published(ebm={"unexpanded_negatives": value}), ABSENT), "encode_states")
        for value in (False, True)
    )
    assert everything > 10 * labelled


@pytest.mark.parametrize("target", ["joint_attribution", "ablation_value", "expert_iteration", "lean_start"])
def test_experiments_beside_the_loop_are_counted_from_the_plan(target: str) -> None:
    cfg = published()
    found = estimate(cfg, ABSENT, targets=[target])
    assert {line.rule: line.jobs for line in found.lines} == plan_of(cfg).count([target])
    for line in found.lines:
        assert 0 < line.hours[0] <= line.hours[1] <= line.hours[2], line.rule
    if target == "joint_attribution":
        fewer = published(joint={"steps": cfg.joint.steps // 2})
        assert likely(estimate(fewer, ABSENT, targets=[target]), "train_joint") < 0.6 * likely(found, "train_joint")


def test_what_is_given_has_no_range() -> None:
    assert all(case.solved == 0.4 for case in scenarios({"solved": 0.4}))
    assert set(HELP) == {*vars(Assumptions()), *vars(CHEAP), *vars(DEAR)}


def test_what_has_run_here_is_taken_as_measured(tmp_path: Path) -> None:
    for number, seconds in enumerate((100, 300)):
        path = tmp_path / "benchmarks" / "evaluate" / f"{number}.tsv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"s\th:m:s\n{seconds}\t0:01:40\n")
    found = estimate(published(), tmp_path, jobs={"evaluate": 9})
    assert found.lines[0].hours == pytest.approx((9 * 100 / 3600, 9 * 200 / 3600, 9 * 300 / 3600))
    assert "2 jobs measured" in found.lines[0].source


def write_trial(folder: Path, gpu: str, repository: str) -> None:
    """Write the sidecars of a search and a training, and its step log."""
    search = {
        "search": {
            "expansions": 100, "tactics": 600, "tactic_seconds": 30.0, "wall_seconds": 40.0, "pool_start_seconds": 9.0,
            "policy_busy_share": 0.5, "value_busy_share": 0.0, "outcomes": {"ok": 200},
        },
        "settings": {
            "search": {"candidates": 8, "candidates_with_head": 8},
            "model": {"kind": "pretrained", "repository": repository},
            "prover": {"kind": "lean", "imports": ["Mathlib"]},
        },
        "wall_seconds": 100.0, "gpu_seconds": 100.0, "gpu_model": gpu,
    }  # fmt: skip
    training = {"settings": {"sft": {}}, "wall_seconds": 60.0, "gpu_seconds": 60.0, "gpu_model": gpu}
    folder.mkdir(parents=True)
    (folder / "000.parquet.meta.json").write_text(json.dumps(search))
    (folder / "adapter.meta.json").write_text(json.dumps(training))
    lines = [
        {"step": 1, "tokens_per_second": 5},
        {"step": 2, "tokens_per_second": 900},
        {"step": 3, "tokens_per_second": 1100},
    ]
    (folder / "adapter.steps.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n{cut")


def test_a_trial_replaces_what_was_scaled(tmp_path: Path) -> None:
    cfg = published()
    write_trial(tmp_path / "trial", "a100", cfg.model.repository)
    measured = read_measured(tmp_path / "trial", cfg)
    assert measured.notes == []
    assert measured.range("sampling") == (40.0, 40.0, 40.0)  # 800 sampled in 20 s
    assert measured.range("lean") == (20.0, 20.0, 20.0)
    assert measured.range("training") == (900.0, 1000.0, 1100.0)  # without the line that compiled
    assert measured.range("start_search_shard") == (51.0, 51.0, 51.0)
    given = {"solved": 0.0, "starting": 0}
    found = estimate(cfg, ABSENT, targets=["baseline"], measured=measured, given=given)
    # start, import, sampling, and Lean for the re-check of nothing
    assert likely(found, "evaluate") == pytest.approx(51 + 9 + 244 * 64 * 8 / 40)
    assert found.measured == ["lean", "pool_start", "sampling", "start_search_shard"]
    assert "Measured in trial: lean, pool start" in render(found, cfg, given, 1, "trial")


@pytest.mark.parametrize(
    ("gpu", "repository", "why"), [("a100", "another/model", "its model was"), ("h200", "", "ran on h200")]
)
def test_speeds_of_another_model_or_machine_are_not_taken(tmp_path: Path, gpu: str, repository: str, why: str) -> None:
    cfg = published()
    write_trial(tmp_path / "trial", gpu, repository or cfg.model.repository)
    measured = read_measured(tmp_path / "trial", cfg)
    assert set(measured.values) == {"lean", "pool_start"}
    assert why in measured.notes[0]


def test_the_speed_of_lean_counts_with_the_same_modules_only(tmp_path: Path) -> None:
    cfg = published(prover={"imports": []})
    write_trial(tmp_path / "trial", "a100", cfg.model.repository)
    measured = read_measured(tmp_path / "trial", cfg)
    assert "lean" not in measured.values and "sampling" in measured.values
    assert measured.notes == ["its Lean was kind lean with ['Mathlib']: its speed does not count"]


def test_what_was_taken_over_counts_for_no_speed(tmp_path: Path) -> None:
    cfg = published()
    write_trial(tmp_path / "trial", "a100", cfg.model.repository)
    path = tmp_path / "trial" / "000.parquet.meta.json"
    record = json.loads(path.read_text())
    record["search"]["reused_expansions"] = 75
    path.write_text(json.dumps(record))
    measured = read_measured(tmp_path / "trial", cfg)
    assert "lean" not in measured.values
    assert measured.range("sampling") == (10.0, 10.0, 10.0)  # 25 expansions of 8 in 20 s
    record["search"]["taken_over"] = 3  # a resumed search: its time is not that of its work
    path.write_text(json.dumps(record))
    assert "sampling" not in read_measured(tmp_path / "trial", cfg).values


def test_a_dry_run_ends_with_its_price() -> None:
    cfg = published("rtx4090")
    counts = plan_of(cfg).count()
    found = estimate(cfg, ABSENT, jobs=counts)
    line = price_line(cfg, {**counts, "all": 1})
    assert line.startswith(f"Estimate: {found.hours[1]:.1f} h")
    assert f"{found.hours[1] * 0.6:.2f} US$" in line
    assert price_line(cfg, {"plot_figure": 3}) == ""  # nothing that needs the GPU
    assert price_line(load_config({}), counts) == ""  # a CPU


@pytest.mark.parametrize("target", ["iter_1_eval", "joint_attribution"])
def test_a_dry_run_is_priced_by_its_own_jobs(target: str) -> None:
    cfg = published("a100", data={"max_pairs": 0})
    plan = plan_of(cfg)
    needed = plan.needed([target])
    found = estimate(cfg, ABSENT, targets=[target])
    files = {path for job in needed for path in job.outputs}
    assert price_line(cfg, plan.count([target]), files).startswith(f"Estimate: {found.hours[1]:.1f} h")


def small(**blocks: dict[str, Any]) -> Config:
    return published("a100", model={"kind": "scratch"}, **blocks)


def test_a_small_model_is_not_priced_as_a_large_one(tmp_path: Path) -> None:
    cfg = small()
    line = price_line(cfg, plan_of(cfg).count())
    assert line.startswith("No estimate: model.kind: scratch") and "US$" not in line
    for number, rule in enumerate(sorted(ON_GPU)):  # all of them have run here: their times are known
        path = tmp_path / "benchmarks" / rule / "0.tsv"
        path.parent.mkdir(parents=True)
        path.write_text(f"s\th:m:s\n{36 + number}\t0:00:36\n")
    found = estimate(cfg, tmp_path, targets=["baseline"])
    assert likely(found, "evaluate") == pytest.approx(36 + sorted(ON_GPU).index("evaluate"))


def test_a_small_model_takes_the_speeds_of_one_of_its_size_alone(tmp_path: Path) -> None:
    cfg = small()
    write_trial(tmp_path / "trial", "a100", "")
    path = tmp_path / "trial" / "000.parquet.meta.json"
    record = json.loads(path.read_text())
    record["settings"]["model"] = {"kind": "scratch"}
    path.write_text(json.dumps(record))
    shape = tmp_path / "trial" / "base" / "model" / "config.json"
    shape.parent.mkdir(parents=True)
    shape.write_text(json.dumps({"hidden_size": cfg.scratch.hidden_size, "num_hidden_layers": cfg.scratch.layers}))
    measured = read_measured(tmp_path / "trial", cfg)
    assert measured.range("sampling") == (40.0, 40.0, 40.0)
    found = estimate(cfg, ABSENT, targets=["iter_0_sft"], measured=measured, given={"starting": 1})
    tokens = 30_000 * 280 * cfg.sft.epochs
    assert tokens / 1000 < likely(found, "train_sft") < 1.1 * tokens / 1000 + 15  # a start without weights or compiling
    other = small(scratch={"hidden_size": 2 * cfg.scratch.hidden_size})
    left = read_measured(tmp_path / "trial", other)
    assert set(left.values) == {"lean", "pool_start"}
    assert "its model had 4 layers of width 128, not 4 of 256" in left.notes[0]


def test_a_generated_corpus_has_as_many_theorems_as_it_says(tmp_path: Path) -> None:
    generated = {"source": "corpus", "corpus_size": 500, "max_pairs": 0}
    few, many = (
        likely(estimate(published(data={**generated, **more}), ABSENT, targets=["iter_0_sft"]), "train_sft")
        for more in ({}, {"source": "files"})
    )
    assert many > 50 * few


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no sidecars"):
        read_measured(tmp_path, published())


def test_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    table = tmp_path / "jobs.txt"
    table.write_text(TABLE)
    config = str(ROOT / "config.yaml")
    where = ["--config", config, "--results", str(tmp_path / "none")]
    assert main(["estimate", str(table), *where, "--hardware", "a100"]) == 0
    said = capsys.readouterr().out
    assert "at 2.45 US$ an hour" in said
    assert "train_sft" not in said
    assert main(["estimate", *where, "--hardware", "cpu"]) == 1
    assert "no speeds are known for 'cpu'" in capsys.readouterr().err
    assert main(["estimate", *where, "--hardware", "a100", "--target", "iter_9"]) == 1
    assert "iter_9: no target" in capsys.readouterr().err
    assert read_settings([Path(config)], "rtx4090").machine.quantization == "nf4"
