"""Eval files: budgets as prefixes, attempts, schema; comparison and gates over them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from burnqed.config import GateSettings
from burnqed.evaluation.compare import compare_evals, in_run_order, render_comparison
from burnqed.evaluation.evals import Checked, EvalParts, build_eval, build_timing, eval_before, eval_table
from burnqed.evaluation.gates import check_gates, check_start, render_gate, render_rates
from burnqed.files import UserError, write_json
from burnqed.records.evaluations import read_eval
from burnqed.records.theorems import Theorem, TheoremIndex
from burnqed.records.trajectories import TheoremResult


def result(
    name: str, nodes: int, proved: bool = True, attempt: int = 0, expansions: int | None = None
) -> TheoremResult:
    return TheoremResult(
        theorem=name,
        attempt=attempt,
        proved=proved,
        proof=["intro h", "exact h"] if proved else [],
        expansions=nodes if expansions is None else expansions,
        tactics=8 * nodes,
        nodes=nodes,
        depth=2,
        stop_reason="proved" if proved else "expansions",
        message="",
        seed=7,
    )


def parts(label: str = "iter_0", variant: str = "llm", **changes: Any) -> EvalParts:
    values: dict[str, Any] = {
        "label": label,
        "variant": variant,
        "model": {"digest": "m"},
        "ebm": None,
        "benchmark": {"name": "b", "split": "test", "sha256": "s"},
        "settings": {"verify": {"axioms": ["propext"]}, "search": {"candidates": 8}},
        "seeds": [0],
        "budgets": [10, 30],
    }
    return EvalParts(**{**values, **changes})


def evaluation(solved_at: dict[str, int | None], **changes: Any) -> dict[str, Any]:
    index = TheoremIndex({}, [Theorem(name, "p") for name in solved_at])
    checked = [Checked(result(n, k or 30, k is not None), k is not None) for n, k in solved_at.items()]
    return build_eval(parts(**changes), index, checked)


def test_smaller_budgets_are_prefixes_of_one_search() -> None:
    value = evaluation({"a": 3, "b": 10, "c": 11, "d": None})
    assert [(r["budget"], r["solved"], r["mean_nodes"]) for r in value["results"]] == [
        (10, 2, (3 + 10 + 10 + 10) / 4),
        (30, 3, (3 + 10 + 11 + 30) / 4),
    ]
    assert value["cumulative"] == [{"budget": 10, "solved": 2, "new": 2}, {"budget": 30, "solved": 3, "new": 1}]
    assert [row["budget_at_proof"] for row in value["per_theorem"]] == [10, 10, 30, None]
    assert "seconds" not in json.dumps(value)


def test_a_proof_that_fails_the_re_check_is_not_solved() -> None:
    index = TheoremIndex({}, [Theorem("a", "p"), Theorem("b", "p")])
    value = build_eval(parts(), index, [Checked(result("a", 3), True), Checked(result("b", 3), False, "uses sorryAx")])
    assert value["results"][-1]["solved"] == 1
    assert value["unverified"] == 1
    row = value["per_theorem"][1]
    assert (row["proved"], row["verified"], row["proof"], row["budget_at_proof"]) == (True, False, [], None)
    assert row["attempts"][0]["message"] == "uses sorryAx"


def test_attempts_give_pass_at_k_and_the_cheapest_proof() -> None:
    index = TheoremIndex({}, [Theorem("a", "p"), Theorem("b", "p")])
    checked = [
        Checked(result("a", n, p, i), p) for i, (n, p) in enumerate([(30, False), (20, True), (5, True), (30, False)])
    ]
    checked += [Checked(result("b", 30, False, i), False) for i in range(4)]
    value = build_eval(parts(), index, checked)
    assert value["per_theorem"][0]["nodes"] == 5
    assert [r["solved"] for r in value["results"]] == [1, 1]
    rates = {(r["budget"], r["k"]): r["rate"] for r in value["pass_at_k"]}
    assert rates[10, 1] == pytest.approx(1 / 4 / 2)
    assert rates[30, 1] == pytest.approx(2 / 4 / 2)
    assert rates[30, 2] == pytest.approx((1 - 1 / 6) / 2, abs=1e-6)
    assert rates[30, 4] == pytest.approx(0.5)


def test_a_theorem_without_a_result_is_an_error() -> None:
    with pytest.raises(ValueError, match="no search result for 1 theorem, first b"):
        build_eval(parts(), TheoremIndex({}, [Theorem("a", "p"), Theorem("b", "p")]), [Checked(result("a", 3), True)])


def test_timing_charges_prefixes_by_nodes() -> None:
    checked = [Checked(result("a", 20), True), Checked(result("b", 30, False), False)]
    times = [
        {
            "theorem": "a",
            "attempt": 0,
            "seconds": 4.0,
            "policy_seconds": 2.0,
            "lean_seconds": 1.0,
            "value_seconds": 0.5,
        },
        {
            "theorem": "b",
            "attempt": 0,
            "seconds": 6.0,
            "policy_seconds": 3.0,
            "lean_seconds": 1.0,
            "value_seconds": 0.5,
        },
    ]
    timing = build_timing([10, 30], checked, times)
    assert [(r["mean_seconds"], r["measured"]) for r in timing["results"]] == [(2.0, False), (5.0, True)]
    assert timing["split"] == {"policy": 5.0, "lean": 2.0, "value": 1.0, "engine": 2.0}
    assert timing["per_theorem"] == {"a": 4.0, "b": 6.0}
    table = eval_table(evaluation({"a": 20, "b": None}), timing)
    assert "1/2" in table
    assert "~2.00" in table


def save(path: Path, value: dict[str, Any]) -> Path:
    write_json(path, value)
    return path


def test_the_log_tells_the_difference_to_the_model_before(tmp_path: Path) -> None:
    before, now = evaluation({"a": 3, "b": None}), evaluation({"a": 3, "b": 4})
    outputs = {label: tmp_path / label / "eval/llm_ebm.json" for label in ("iter_0", "iter_1", "iter_2")}
    save(tmp_path / "iter_0/eval/llm.json", before)
    found = eval_before(outputs["iter_1"], "iter_1", "llm_ebm", now["benchmark"])
    assert found == before  # iteration 0 has no head
    last = [line.split() for line in eval_table(now, {}, found).splitlines()]
    assert last[0][-2:] == ["vs", before["label"]] and last[-1][-1] == "+50.0"
    save(outputs["iter_1"], now)
    assert eval_before(outputs["iter_2"], "iter_2", "llm_ebm", now["benchmark"]) == now
    assert eval_before(outputs["iter_1"], "iter_1", "llm", {**now["benchmark"], "sha256": "another"}) is None
    assert eval_before(outputs["iter_0"], "iter_0", "llm", now["benchmark"]) is None  # no base model evaluated
    save(tmp_path / "baseline/eval/llm.json", before)
    assert eval_before(outputs["iter_0"], "iter_0", "llm", now["benchmark"]) == before
    assert eval_before(Path("x.json"), "baseline", "llm", now["benchmark"]) is None


def test_eval_files_are_checked_on_reading(tmp_path: Path) -> None:
    value = evaluation({"a": 3})
    assert read_eval(save(tmp_path / "e.json", value)) == value
    for broken, message in [
        ({k: v for k, v in value.items() if k != "benchmark"}, "benchmark: Field required"),
        ({**value, "schema_version": 99}, "schema version 99 is newer"),
        ({**value, "results": [{"budget": 1}]}, r"results\.0\.solved: Field required"),
        ({**value, "per_theorem": [{"name": "a"}]}, r"per_theorem\.0\.proved: Field required"),
    ]:
        with pytest.raises(UserError, match=message):
            read_eval(save(tmp_path / "bad.json", broken))
    old = {k: v for k, v in value.items() if k not in ("schema_version", "confidence", "cumulative")}
    old["results"] = [{k: v for k, v in r.items() if k != "ci95"} for r in old["results"]]
    loaded = [save(tmp_path / "old.json", old), save(tmp_path / "new.json", {**value, "label": "iter_1"})]
    assert "iter_0 llm" in render_comparison(compare_evals(loaded, samples=100))


def test_lost_and_gained_theorems_are_named(tmp_path: Path) -> None:
    before = save(tmp_path / "0.json", evaluation({"a": 3, "b": 20, "c": None, "d": None}, label="baseline"))
    after = save(tmp_path / "1.json", evaluation({"a": 4, "b": None, "c": 2, "d": 30}))
    comparison = compare_evals([before, after], samples=500)
    last = comparison.pairs[-1]
    assert (last.newly_solved, last.newly_lost, last.budget) == (["c", "d"], ["b"], 30)
    assert last.difference.value == pytest.approx(0.25)
    assert last.difference.low < 0 < last.difference.high
    assert last.p_value == 1.0
    text = render_comparison(comparison)
    assert "newly lost: b" in text
    assert "newly solved: c, d" in text
    assert "WARNING" not in text


def test_different_benchmarks_are_refused_unless_forced(tmp_path: Path) -> None:
    first = save(tmp_path / "0.json", evaluation({"a": 3, "b": None}, label="baseline"))
    other = save(
        tmp_path / "1.json", evaluation({"a": 3, "z": 3}, benchmark={"name": "b", "split": "valid", "sha256": "t"})
    )
    with pytest.raises(UserError, match=r"(?s)benchmark split.*benchmark sha256.*theorems: .* 1 in common"):
        compare_evals([first, other])
    comparison = compare_evals([first, other], force=True, samples=100)
    assert comparison.pairs[-1].total == 1
    assert "WARNING: NOT COMPARABLE" in render_comparison(comparison)


def test_differing_budgets_and_settings_are_warned_about(tmp_path: Path) -> None:
    first = save(tmp_path / "0.json", evaluation({"a": 3}))
    changed = {"verify": {"axioms": []}, "search": {"candidates": 32}}
    second = save(tmp_path / "1.json", evaluation({"a": 3}, label="iter_1", budgets=[30, 100], settings=changed))
    comparison = compare_evals([first, second], samples=100)
    assert comparison.budgets == [30]
    text = "\n".join(comparison.warnings)
    assert "budgets differ; compared at [30]" in text
    assert "solved does not mean the same" in text
    assert "search.candidates: 8 / 32" in text
    third = save(tmp_path / "2.json", evaluation({"a": 3}, label="iter_2", budgets=[7]))
    with pytest.raises(UserError, match="no budget in common"):
        compare_evals([first, third])
    with pytest.raises(UserError, match="at least two"):
        compare_evals([first])


def rate(path: Path, label: str, solved: int, variant: str = "llm") -> Path:
    return save(
        path / f"{label}_{variant}.json",
        evaluation({f"t{i}": 1 if i < solved else None for i in range(20)}, label=label, variant=variant),
    )


METRICS = {
    "rank1": 0.6, "chance": 0.2, "energy_gap": 0.4, "centroid_l2": 1.2, "linear_probe": 0.7, "temperature": 1.1
}  # fmt: skip


def head(path: Path, **changes: float) -> Path:
    write_json(path / "ebm" / "metrics.json", {**METRICS, **changes})
    return path / "ebm"


def test_a_sound_run_passes(tmp_path: Path) -> None:
    evals = [rate(tmp_path, "baseline", 2), rate(tmp_path, "iter_0", 6)]
    gate = check_gates(GateSettings(), 0, evals, None)
    assert (gate["verdict"], [c["ok"] for c in gate["checks"]]) == ("go", [True, True])
    evals += [rate(tmp_path, "iter_1", 4), rate(tmp_path, "iter_1", 7, "llm_ebm")]
    assert check_gates(GateSettings(), 1, evals, head(tmp_path))["verdict"] == "go"


@pytest.mark.parametrize(
    ("baseline", "first", "failed"),
    [(0, 6, "baseline_rate"), (6, 6, "gain_of_iteration_0"), (6, 3, "gain_of_iteration_0")],
)
def test_red_lines_of_iteration_0(tmp_path: Path, baseline: int, first: int, failed: str) -> None:
    gate = check_gates(GateSettings(), 0, [rate(tmp_path, "baseline", baseline), rate(tmp_path, "iter_0", first)], None)
    assert gate["verdict"] == "stop"
    assert [c["name"] for c in gate["checks"] if not c["ok"]] == [failed]
    assert [("look at" in c["message"]) for c in gate["checks"]] == [not c["ok"] for c in gate["checks"]]
    assert all(c["message"] in render_gate(gate) for c in gate["checks"])
    assert f"FAIL {failed}" in render_gate(gate)


@pytest.mark.parametrize(
    ("changes", "failed"),
    [
        ({"rank1": 0.2}, "head_rank1_margin"),
        ({"auc": 0.5}, "head_auc"),
        ({"energy_gap": 0.0}, "head_energy_gap"),
        ({"centroid_l2": 0.1}, "embedding_centroids"),
        ({"linear_probe": 0.45}, "embedding_linear_probe"),
        ({"temperature": 10.0}, "head_temperature"),
    ],
)
def test_red_lines_of_the_head(tmp_path: Path, changes: dict[str, float], failed: str) -> None:
    evals = [rate(tmp_path, "baseline", 2), rate(tmp_path, "iter_0", 6), rate(tmp_path, "iter_1", 6)]
    gate = check_gates(GateSettings(on_fail="warn"), 1, evals, head(tmp_path, **changes))
    assert gate["verdict"] == "warn"
    assert [c["name"] for c in gate["checks"] if not c["ok"]] == [failed]
    assert [("look at" in c["message"]) for c in gate["checks"]] == [not c["ok"] for c in gate["checks"]]


def test_a_small_start_is_judged_by_its_own_model_without_and_with_the_head(tmp_path: Path) -> None:
    without, better = rate(tmp_path, "iter_0", 6), rate(tmp_path, "iter_0", 8, "llm_ebm")
    gate = check_start(GateSettings(), [better, without], head(tmp_path))
    assert gate["verdict"] == "go"
    assert {c["name"]: c["measured"] for c in gate["checks"]}["effect_of_the_head"] == pytest.approx(0.1)
    worse = rate(tmp_path, "iter_0", 2, "llm_ebm")
    gate = check_start(GateSettings(), [without, worse], head(tmp_path))
    assert [c["name"] for c in gate["checks"] if not c["ok"]] == ["effect_of_the_head"]
    assert "newly solved 0, newly lost 4" in render_gate(gate)
    with pytest.raises(UserError, match="needs two eval files"):
        check_start(GateSettings(), [without, without], head(tmp_path))


def test_the_table_is_cumulative_and_shows_the_difference_to_the_model_before(tmp_path: Path) -> None:
    evals = [rate(tmp_path, "baseline", 2), rate(tmp_path, "iter_0", 6), rate(tmp_path, "iter_1", 4)]
    shown = render_rates(1, evals)
    assert "vs iter_0" in shown
    assert "+4   20.0%" in shown
    assert shown.splitlines()[-1].endswith("-10.0")


def test_a_falling_solve_rate_and_missing_files(tmp_path: Path) -> None:
    evals = [rate(tmp_path, "baseline", 2), rate(tmp_path, "iter_0", 6), rate(tmp_path, "iter_1", 4)]
    gate = check_gates(GateSettings(), 1, evals, None)
    assert gate["checks"][0]["measured"] == pytest.approx(0.1)
    assert gate["verdict"] == "stop"
    assert check_gates(GateSettings(max_drop=0.1), 1, evals, None)["verdict"] == "go"
    with pytest.raises(UserError, match=r"metrics\.json"):
        check_gates(GateSettings(), 1, evals, tmp_path / "nowhere")
    with pytest.raises(UserError, match="needs the evals of this and the previous model"):
        check_gates(GateSettings(), 2, evals, None)
    write_json(tmp_path / "ebm" / "metrics.json", {"rank1": 1.0})
    with pytest.raises(UserError, match=r"chance: Field required"):
        check_gates(GateSettings(), 1, evals, tmp_path / "ebm")


def test_a_shell_pattern_gives_the_order_of_the_run() -> None:
    expanded = [
        Path(f"r/{name}")
        for name in (
            "baseline/llm.json",
            "baseline/llm.json.meta.json",
            "iter_1/a.json",
            "iter_10/a.json",
            "iter_2/a.json",
        )
    ]
    assert [p.parent.name for p in in_run_order(expanded)] == ["baseline", "iter_1", "iter_2", "iter_10"]
    own = [Path("iter_2/a.json"), Path("iter_1/a.json")]
    assert in_run_order(own) == own
