"""Published results of other provers in our eval form: known answers, refusals, one table with ours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from burnqed.commands.foreign import import_results, read_benchmark
from burnqed.evaluation.compare import compare_evals, mode_of, render_comparison
from burnqed.evaluation.evals import eval_table
from burnqed.files import UserError, write_json, write_jsonl
from burnqed.records.evaluations import read_eval
from burnqed.records.theorems import Theorem, TheoremIndex

ARGS: dict[str, Any] = {"max_iters": 100, "num_samples": 32, "timeout": 600, "temperatures": [0.0], "shard": 0}
BENCHMARK = TheoremIndex(
    {"name": "minif2f_test", "split": "test", "sha256": "abc"}, [Theorem(f"t{i}", f"{i} = {i}") for i in range(4)]
)


def record(name: str, statement: str, iteration: int | None) -> dict[str, Any]:
    """One theorem of a search record; ``iteration`` counts from 0, None for a failure."""
    if iteration is None:
        attempt: dict[str, Any] = {"theorem": name, "success": False, "failure_reason": "DojoCrashError"}
    else:
        attempt = {"theorem": name, "success": True, "failure_reason": "", "iteration": iteration, "proof": "rfl"}
    example = {"full_name": name, "statement": f"theorem {name} : {statement}", "split": "test"}
    return {"attempt_results": [attempt], "success": iteration is not None, "example": example}


@pytest.fixture
def shards(tmp_path: Path) -> Path:
    folder = tmp_path / "shards"
    first: list[dict[str, Any]] = [record("t0", "0 = 0", 0), record("t1", "1 = 1", 9)]
    write_json(folder / "r_0.json", {"results": first, "args": ARGS})
    rest: list[dict[str, Any]] = [record("t2", "2 = 2", 50), record("t3", "3 = 3", None)]
    second: dict[str, Any] = {**ARGS, "shard": 1}
    write_json(folder / "r_1.json", {"results": rest, "args": second})
    return folder


def test_a_search_record_counts_nodes_from_one_and_keeps_mode_and_budget(shards: Path, tmp_path: Path) -> None:
    value = import_results(shards, "theirs", benchmark=BENCHMARK, budgets=[9, 10])
    assert [(r["budget"], r["solved"], r["total"]) for r in value["results"]] == [(9, 1, 4), (10, 2, 4), (100, 3, 4)]
    assert (value["benchmark"]["sha256"], value["differing"]) == ("abc", [])
    assert "1 x 32 candidates x 100 nodes, at most 600 s" in mode_of(value)
    assert "not re-checked here" in mode_of(value)
    assert value["per_theorem"][3]["message"] == "DojoCrashError"
    write_json(tmp_path / "e.json", value)
    assert read_eval(tmp_path / "e.json") == value


def ours(solved: list[str], sha256: str = "abc") -> dict[str, Any]:
    rows = [
        {"name": t.name, "proved": t.name in solved, "verified": t.name in solved, "nodes": 10}
        for t in BENCHMARK.theorems
    ]
    return {
        "label": "iter_4",
        "variant": "llm",
        "ebm": None,
        "benchmark": {"name": "minif2f_test", "split": "test", "sha256": sha256},
        "settings": {"search": {"candidates": 8}},
        "results": [{"budget": 10, "solved": len(solved), "total": 4, "rate": len(solved) / 4}],
        "per_theorem": rows,
    }


def test_ours_and_theirs_stand_in_one_table_with_their_own_modes(shards: Path, tmp_path: Path) -> None:
    write_json(tmp_path / "theirs.json", import_results(shards, "theirs", benchmark=BENCHMARK, budgets=[10]))
    write_json(tmp_path / "ours.json", ours(["t0", "t2"]))
    comparison = compare_evals([tmp_path / "theirs.json", tmp_path / "ours.json"], samples=100)
    text = render_comparison(comparison)
    assert comparison.budgets == [10]
    assert (comparison.pairs[0].newly_solved, comparison.pairs[0].newly_lost) == (["t2"], ["t1"])
    assert "theirs published is another prover's result" in text
    assert "1 x 8 candidates x 10 nodes; solved: re-checked in a fresh process" in text


def test_another_statement_makes_it_another_benchmark(shards: Path, tmp_path: Path) -> None:
    changed = TheoremIndex(BENCHMARK.source, [*BENCHMARK.theorems[:3], Theorem("t3", "3 < 4")])
    value = import_results(shards, "theirs", benchmark=changed, budgets=[10])
    assert value["differing"] == ["t3"]
    write_json(tmp_path / "theirs.json", value)
    write_json(tmp_path / "ours.json", ours(["t0"]))
    with pytest.raises(UserError, match="benchmark sha256"):
        compare_evals([tmp_path / "theirs.json", tmp_path / "ours.json"])


def test_whole_proofs_are_never_put_at_a_node_budget_in_silence(tmp_path: Path) -> None:
    lean = "import Mathlib\ntheorem {} : {} := by\n  {}"
    rows = [
        {"name": "t0", "split": "test", "lean": lean.format("t0", "0 = 0", "rfl")},
        {"name": "t1", "split": "test", "lean": lean.format("t1", "1 = 1", "native_decide")},
    ]
    write_jsonl(tmp_path / "p.jsonl", rows)
    with pytest.raises(UserError, match="give --mode, --unit and one --budgets"):
        import_results(tmp_path / "p.jsonl", "theirs", benchmark=BENCHMARK)
    made = {"mode": "whole proofs", "unit": "samples", "budgets": [10]}
    with pytest.raises(UserError, match="give --benchmark"):
        import_results(tmp_path / "p.jsonl", "theirs", **made)  # type: ignore[arg-type]
    value = import_results(tmp_path / "p.jsonl", "theirs", benchmark=BENCHMARK, **made)  # type: ignore[arg-type]
    assert (value["results"][0]["solved"], value["results"][0]["total"], value["doubtful"]) == (2, 4, ["t1"])
    write_json(tmp_path / "theirs.json", value)
    write_json(tmp_path / "ours.json", ours(["t0"]))
    # The number of the budget is the same, what it counts is not.
    with pytest.raises(UserError, match=r"no budget in common: .*10 samples; .*10 expanded nodes"):
        compare_evals([tmp_path / "theirs.json", tmp_path / "ours.json"])
    text = render_comparison(compare_evals([tmp_path / "theirs.json", tmp_path / "ours.json"], force=True, samples=50))
    assert "NOT COMPARABLE: budgets are not the same" in text
    assert "1 theorem with a published proof that rests on constructs our re-check refuses: t1" in text


def test_two_results_on_one_published_file_are_on_one_benchmark(shards: Path, tmp_path: Path) -> None:
    rows = [{"name": t.name, "split": "test", "statement": t.statement} for t in BENCHMARK.theorems]
    write_jsonl(tmp_path / "minif2f.jsonl", rows)
    write_jsonl(tmp_path / "p.jsonl", [{"name": "t3", "lean": "theorem t3 : 3 = 3 := by\n  rfl"}])
    index = read_benchmark(tmp_path / "minif2f.jsonl", "test")
    made: dict[str, Any] = {"mode": "whole proofs", "unit": "samples", "budgets": [10]}
    searched = import_results(shards, "searched", benchmark=index)
    sampled = import_results(tmp_path / "p.jsonl", "sampled", benchmark=index, **made)
    assert searched["benchmark"] == sampled["benchmark"] and searched["benchmark"]["name"] == "minif2f"
    assert eval_table(sampled, {}).splitlines()[1].split()[-3:] == ["-", "-", "-"]  # no nodes, no times


def test_what_cannot_be_read_is_named(shards: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nowhere: no such file"):
        import_results(tmp_path / "nowhere", "theirs")
    with pytest.raises(UserError, match="no budget 200 in it"):
        import_results(shards, "theirs", budgets=[200])
    with pytest.raises(UserError, match="no theorem of split 'valid'"):
        import_results(shards, "theirs", split="valid")
    write_json(shards / "r_2.json", {"results": [], "args": {**ARGS, "max_iters": 7}})
    with pytest.raises(UserError, match=r"r_2\.json: made with other settings"):
        import_results(shards, "theirs")
    (shards / "r_2.json").write_text("[1]")
    with pytest.raises(UserError, match=r"r_2\.json: not a search record"):
        import_results(shards, "theirs")
    write_json(shards / "r_2.json", {"results": [record("t0", "0 = 0", 1)], "args": ARGS})
    with pytest.raises(UserError, match="'t0' occurs twice"):
        import_results(shards, "theirs")
