"""Summary, tables and figures from a small hand-made set of finished results."""

import csv
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from burnqed.config import load_config
from burnqed.experiments.runs import plan_of
from burnqed.files import UserError, read_json, write_json, write_jsonl
from burnqed.report.baselines import MINIF2F_TEST, baselines_for
from burnqed.report.catalogue import FIGURES, TABLES, figure_names, plot_figure, write_table
from burnqed.report.document import write_report
from burnqed.report.figures_training import ledger
from burnqed.report.run import Run
from burnqed.report.summary import print_summary, refusals, summarize, training_rows
from burnqed.report.verdict import verdict
from burnqed.value.state_map import StateMap

NAMES = [f"thm_{i}" for i in range(10)]
BUDGETS = [4, 16]
WITHOUT_DATA = ("candidate_diversity", "energy_histogram")  # read trajectories, tested with real ones


def eval_json(label: str, variant: str, nodes: dict[str, int], unverified: str = "") -> dict[str, Any]:
    """An eval in which theorem `name` was proved after `nodes[name]` expansions."""
    rows = [
        {
            "name": name,
            "proved": name in nodes,
            "verified": name in nodes and name != unverified,
            "budget_at_proof": None,
            "nodes": nodes.get(name, 16),
            "attempts": [{"attempt": 0}],
        }
        for name in NAMES
    ]
    results = []
    for budget in BUDGETS:
        solved = sum(r["verified"] and r["nodes"] <= budget for r in rows)
        results.append(
            {
                "budget": budget,
                "solved": solved,
                "total": 10,
                "rate": solved / 10,
                "ci95": [0.0, 0.9],
                "mean_nodes": 3.0,
            }
        )
    return {
        "label": label,
        "variant": variant,
        "ebm": {"digest": "h"} if variant == "llm_ebm" else None,
        "benchmark": {"name": "toy", "split": "test", "sha256": "0"},
        "settings": {},
        "results": results,
        "per_theorem": rows,
    }


@pytest.fixture
def results(tmp_path: Path) -> Path:
    write_json(tmp_path / "baseline/eval/llm.json", eval_json("baseline", "llm", {"thm_0": 1, "thm_1": 9}))
    write_json(
        tmp_path / "iter_0/eval/llm.json",
        eval_json("iter_0", "llm", {"thm_0": 1, "thm_2": 2, "thm_3": 3, "thm_9": 1}, unverified="thm_9"),
    )
    write_json(tmp_path / "iter_1/eval/llm.json", eval_json("iter_1", "llm", {"thm_0": 1, "thm_2": 2, "thm_4": 16}))
    write_json(
        tmp_path / "iter_1/eval/llm_ebm.json",
        eval_json("iter_1", "llm_ebm", {"thm_0": 1, "thm_2": 1, "thm_3": 2, "thm_4": 3}),
    )
    write_jsonl(
        tmp_path / "iter_0/adapter/history.jsonl", [{"step": 1, "loss": 2.0}, {"step": 2, "loss": 1.0, "val_loss": 1.5}]
    )
    step = {"step": 1, "loss": 2.0, "lr": 1e-4, "tokens_per_second": 900.0, "memory_gb": 1.5, "mfu": None}
    write_jsonl(tmp_path / "iter_0/adapter.steps.jsonl", [step, {**step, "step": 2, "lr": 2e-4, "mfu": 0.25}])
    write_json(tmp_path / "iter_0/adapter/training.json", {"examples": {"total": 12}})
    metrics: dict[str, Any] = {"rank1": 0.75, "chance": 0.25, "val_loss": 0.5, "centroid_l2": 1.5, "linear_probe": None}
    depth = {"rank1": 0.8, "ci95": [0.7, 0.9], "chance": 0.25, "groups": 8}
    metrics |= {"rank1_ci95": [0.6, 0.9], "groups": 9, "rank1_by_depth": {"1": depth, "2": depth}}
    metrics |= {"sibling_rank1": 0.5, "sibling_rank1_ci95": [0.3, 0.7], "sibling_chance": 0.25, "sibling_groups": 4}
    steps = {"energy": -0.5, "ci95": [-0.6, -0.4], "states": 7, "theorems": 6}
    few = {"energy": -0.5, "ci95": None, "states": 2, "theorems": 1}
    metrics |= {"calibration": {"1": steps, "3": few}, "calibration_spearman": 0.3, "negative_energy": 0.1}
    metrics |= {"variance_spectrum": [0.5, 0.3, 0.2, 0.0], "effective_dimension": 2.6}
    write_json(tmp_path / "iter_1/ebm/metrics.json", metrics)
    write_jsonl(tmp_path / "iter_1/ebm/history.jsonl", [{"step": 1, "loss": None, "val_loss": 2.0, "val_rank1": 0.3}])
    job: dict[str, Any] = {"wall_seconds": 3.0, "cpu_seconds": 2.0, "gpu_seconds": 3.0, "estimated_cost": 0.5}
    job |= {"settings": {"a": 1}, "code_version": "0.1.0"}
    for output in ("proofs.jsonl", "proofs.lean"):  # one job, two outputs
        write_json(
            tmp_path / f"iter_0/{output}.meta.json", {**job, "verification": {"refused": {"error": 2, "sorry": 1}}}
        )
    for i in range(2):
        write_jsonl(
            tmp_path / f"iter_{i}/proofs.jsonl", [{"theorem": "a", "kind": "main"}, {"theorem": "a", "kind": "noisy"}]
        )
        write_json(tmp_path / f"iter_{i}/gate.json", {"iteration": i, "verdict": "go", "checks": []})
    evals = [
        tmp_path / p
        for p in ("baseline/eval/llm.json", "iter_0/eval/llm.json", "iter_1/eval/llm.json", "iter_1/eval/llm_ebm.json")
    ]
    gates, proofs = ([tmp_path / f"iter_{i}" / name for i in range(2)] for name in ("gate.json", "proofs.jsonl"))
    write_json(tmp_path / "summary.json", summarize(evals, gates, proofs))
    return tmp_path


def test_summary_counts_only_rechecked_theorems_and_names_the_changes(results: Path) -> None:
    summary = read_json(results / "summary.json")
    base, first, second, with_head = summary["models"]
    assert [m["solved"] for m in summary["models"]] == [2, 3, 3, 4]
    assert base["delta"] is None
    assert (first["newly_solved"], first["newly_lost"], first["delta"]) == (["thm_2", "thm_3"], ["thm_1"], 0.1)
    assert (second["newly_solved"], second["newly_lost"]) == (["thm_4"], ["thm_3"])
    assert with_head["newly_solved"] == ["thm_4"] and with_head["newly_lost"] == []
    assert with_head["first_solved"] == []  # thm_4 was first solved by iteration 1 without the head
    assert summary["ever_solved"] == 5
    assert first["training"] == {"examples": 12, "steps": 2, "loss": 1.0, "best_val_loss": 1.5}
    assert [m["ever_solved"] for m in summary["models"]] == [2, 4, 5, 5]
    assert (second["head"], with_head["head"]["rank1"], with_head["head"]["chance"]) == ({}, 0.75, 0.25)
    assert summary["search"][0] == {
        "iteration": "iter_0",
        "proofs": 2,
        "theorems": 1,
        "by_kind": {"main": 1, "noisy": 1},
        "refused": {"error": 2, "sorry": 1},
    }
    assert [refusals(row) for row in summary["search"]] == ["3 (error 2, sorry 1)", "0"]
    assert training_rows(summary)[0]["refused by the re-check"] == "3 (error 2, sorry 1)"


def test_summary_refuses_different_benchmarks(results: Path) -> None:
    other = read_json(results / "iter_0/eval/llm.json")
    other["benchmark"]["sha256"] = "1"
    write_json(results / "other.json", other)
    with pytest.raises(UserError, match="different benchmarks"):
        summarize([results / "baseline/eval/llm.json", results / "other.json"], [], [])


def test_final_table_shows_rates_with_intervals(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    print_summary(results / "summary.json")
    shown = capsys.readouterr().out
    for text in ("base", "iteration 1", "40.0 %", "0.0 - 90.0 %", "2 proofs of 1 training theorem"):
        assert text in shown


@pytest.mark.parametrize("name", list(TABLES))
def test_tables_are_markdown_and_csv(results: Path, name: str) -> None:
    target = results / "tables" / f"{name}.md"
    write_table(name, results / "summary.json", target)
    rows = list(csv.DictReader(target.with_suffix(".csv").open()))
    assert len(rows) == {"results": 4, "comparison": 8, "changes": 6, "training": 2}[name]
    assert target.read_text().count("\n") == len(rows) + 2
    page = target.with_suffix(".html").read_text()
    assert page.count("<tr>") == len(rows) + 1 and "src=" not in page and "<link" not in page


@pytest.mark.parametrize("name", [name for name in FIGURES if name not in WITHOUT_DATA])
def test_figures_are_made_alone_and_are_the_same_twice(results: Path, name: str) -> None:
    svg = results / "figures" / f"{name}.svg"
    plot_figure(name, results, results / "summary.json", svg)
    first = {path.suffix: path.read_bytes() for path in svg.parent.iterdir()}
    assert set(first) == {".svg", ".png", ".csv"}
    plot_figure(name, results, results / "summary.json", svg)
    assert {path.suffix: path.read_bytes() for path in svg.parent.iterdir()} == first


def test_ablation_is_paired(results: Path) -> None:
    svg = results / "figures" / "head_ablation.svg"
    plot_figure("head_ablation", results, results / "summary.json", svg)
    rows = list(csv.DictReader(svg.with_suffix(".csv").open()))
    assert [(r["budget"], r["only_without"], r["only_with"]) for r in rows] == [("4", "0", "2"), ("16", "0", "1")]
    assert float(rows[1]["difference"]) == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("figure", "damaged"),
    [
        ("solve_rate", "summary.json"),
        ("solve_rate_by_nodes", "iter_0/eval/llm.json"),
        ("head_ablation", "iter_1/eval/llm_ebm.json"),
        ("newly_solved", "summary.json"),
        ("nodes_to_proof", "baseline/eval/llm.json"),
        ("time_split", "iter_0/eval/llm.json.meta.json"),
        ("candidate_diversity", "baseline/eval/llm.parquet"),
        ("training_curves", "iter_0/adapter/history.jsonl"),
        ("training_speed", "iter_0/adapter.steps.jsonl"),
        ("head_curves", "iter_1/ebm/history.jsonl"),
        ("energy_histogram", "iter_0/proofs.jsonl"),
        ("energy_histogram", "iter_0/trajectories.parquet"),
        ("embedding_health", "iter_1/ebm/metrics.json"),
        ("head_rank1", "iter_1/ebm/metrics.json"),
        ("cost", "iter_0/proofs.jsonl.meta.json"),
    ],
)
def test_a_damaged_or_missing_input_is_named(results: Path, figure: str, damaged: str) -> None:
    path = results / damaged
    path.write_text('{"a": [')
    with pytest.raises(UserError, match=damaged):
        plot_figure(figure, results, results / "summary.json", results / "f.svg")
    assert not (results / "f.svg").exists()
    optional = ("history.jsonl", ".meta.json", ".steps.jsonl")  # a run without them is a run that did not make them
    if not damaged.endswith(optional):
        path.unlink()
        with pytest.raises(UserError, match=damaged):
            plot_figure(figure, results, results / "summary.json", results / "f.svg")


def test_training_shows_its_speed_and_the_loss_on_proof_steps(results: Path) -> None:
    svg = results / "figures" / "training_speed.svg"
    plot_figure("training_speed", results, results / "summary.json", svg)
    rows = [(r["curve"], r["step"], r["value"]) for r in csv.DictReader(svg.with_suffix(".csv").open())]
    assert [row for row in rows if row[0] in ("lr", "mfu")] == [
        ("lr", "1", "0.0001"), ("lr", "2", "0.0002"), ("mfu", "2", "0.25")
    ]  # fmt: skip
    assert sum(curve in ("tokens_per_second", "memory_gb") for curve, _, _ in rows) == 4
    history = [{"step": 1, "loss": 2.0, "val_loss": 1.5, "trajectory_loss": 0.5}]
    write_jsonl(results / "iter_1/adapter/history.jsonl", history)
    plot_figure("training_curves", results, results / "summary.json", svg)
    assert "iteration 1,trajectory_loss,1,0.5" in svg.with_suffix(".csv").read_text()


def test_rank1_among_siblings_stands_beside_its_chance(results: Path) -> None:
    svg = results / "figures" / "head_rank1.svg"
    plot_figure("head_rank1", results, results / "summary.json", svg)
    rows = {row["group"]: row for row in csv.DictReader(svg.with_suffix(".csv").open())}
    assert list(rows) == ["depth 1", "depth 2", "all negatives", "siblings"]
    assert (rows["siblings"]["rank1"], rows["siblings"]["chance"], rows["siblings"]["low"]) == ("0.5", "0.25", "0.3")


@pytest.mark.parametrize(("figure", "column"), [("energy_calibration", "energy"), ("variance_spectrum", "share")])
def test_figures_of_the_head_show_its_metrics(results: Path, figure: str, column: str) -> None:
    svg = results / "figures" / f"{figure}.svg"
    plot_figure(figure, results, results / "summary.json", svg)
    found = [row[column] for row in csv.DictReader(svg.with_suffix(".csv").open())]
    assert found == {"energy": ["-0.5", "-0.5", "0.1"], "share": ["0.5", "0.3", "0.2"]}[column]


def test_calibration_over_too_few_theorems_has_no_interval(results: Path) -> None:
    svg = results / "figures" / "energy_calibration.svg"
    plot_figure("energy_calibration", results, results / "summary.json", svg)
    rows = [(row["low"], row["high"], row["theorems"]) for row in csv.DictReader(svg.with_suffix(".csv").open())]
    assert rows == [("-0.6", "-0.4", "6"), ("", "", "1"), ("", "", "")]
    assert "no bar: too few theorems" in svg.read_text()


def test_map_shows_states_by_pca_and_tsne(results: Path) -> None:
    rng = np.random.default_rng(0)
    provable = np.arange(40) < 20
    components = rng.normal(size=(40, 8)).astype(np.float32)
    components[:, 0] += 8 * provable
    path = results / "iter_1" / "ebm" / "map.parquet"
    StateMap(components, provable, np.arange(40) % 4).write(path)
    svg = results / "figures" / "embedding_map.svg"
    plot_figure("embedding_map", results, results / "summary.json", svg)
    rows = list(csv.DictReader(svg.with_suffix(".csv").open()))
    assert len(rows) == 40
    label = np.array([row["provable"] == "True" for row in rows])
    shown = np.array([[float(row["tsne_1"]), float(row["tsne_2"])] for row in rows])
    apart = np.linalg.norm(shown[label].mean(axis=0) - shown[~label].mean(axis=0))
    assert apart > 2 * shown[label].std(axis=0).mean()
    path.write_bytes(b"PAR1")
    with pytest.raises(UserError, match=r"map\.parquet"):
        plot_figure("embedding_map", results, results / "summary.json", svg)


def test_the_ledger_counts_a_job_with_two_outputs_once(results: Path) -> None:
    assert ledger(results) == [
        {
            "stage": "iter_0 proofs",
            "jobs": 1.0,
            "wall_seconds": 3.0,
            "cpu_seconds": 2.0,
            "gpu_seconds": 3.0,
            "estimated_cost": 0.5,
        }
    ]


def test_a_first_iteration_alone_has_all_figures(results: Path) -> None:
    evals = [results / "baseline/eval/llm.json", results / "iter_0/eval/llm.json"]
    write_json(results / "summary.json", summarize(evals, [], []))
    shutil.rmtree(results / "iter_1")
    for name in FIGURES:
        if name not in WITHOUT_DATA:
            plot_figure(name, results, results / "summary.json", results / f"{name}.svg")
            assert (results / f"{name}.png").stat().st_size > 1000


def test_published_lines_stand_on_minif2f_test_only_and_say_their_mode(results: Path) -> None:
    summary = read_json(results / "summary.json")
    assert baselines_for(summary["benchmark"]) == []
    assert baselines_for({"name": "minif2f_valid", "split": "valid"}) == []
    summary["benchmark"] = {"name": "minif2f_test", "split": "test"}
    write_json(results / "summary.json", summary)
    plot_figure("solve_rate", results, results / "summary.json", results / "f.svg")
    drawn = (results / "f.svg").read_text()
    rows = [row for row in csv.DictReader((results / "f.csv").open()) if row["source"]]
    assert len(rows) == len(MINIF2F_TEST)
    assert [("secondary" in row["source"]) for row in rows] == [baseline.secondary for baseline in MINIF2F_TEST]
    for baseline in MINIF2F_TEST:
        assert baseline.source.startswith("arXiv:")
        assert f"{'step-level' if baseline.step_level else 'WHOLE-PROOF'}, {baseline.budget}" in drawn


def test_a_further_benchmark_has_its_section_table_and_figure(results: Path, tmp_path: Path) -> None:
    found = [("baseline", {"thm_1": 1}), ("iter_0", {"thm_1": 1, "thm_5": 2})]
    for label, nodes in found:
        value = eval_json(label, "llm", nodes)
        value["benchmark"] = {"name": "other", "split": "valid", "sha256": "9"}
        write_json(results / label / "eval" / "other" / "llm.json", value)
    main = [results / label / "eval" / "llm.json" for label, _ in found]
    further = [results / label / "eval" / "other" / "llm.json" for label, _ in found]
    summary = summarize([*main, *further], [], [])
    assert [m["solved"] for m in summary["models"]] == [2, 3]
    other = summary["other_benchmarks"]["other"]
    assert ([m["solved"] for m in other["models"]], other["benchmark"]["split"]) == ([1, 2], "valid")
    write_json(tmp_path / "summary.json", summary)
    plot_figure("solve_rate_other", results, tmp_path / "summary.json", tmp_path / "f.svg")
    rates = {row["rate"] for row in csv.DictReader((tmp_path / "f.csv").read_text().splitlines()) if row.get("rate")}
    assert {"0.1", "0.2"} & rates
    write_table("comparison_other", tmp_path / "summary.json", tmp_path / "t.md")
    rows = list(csv.DictReader((tmp_path / "t.csv").open()))
    assert [(row["model"], row["budget"], row["solved"]) for row in rows] == [
        ("base", "4", "1"), ("base", "16", "1"), ("iteration 0", "4", "2"), ("iteration 0", "16", "2")
    ]  # fmt: skip
    for page in rendered(results, [], benchmark="other"):
        own = page.partition("On other")[2]
        assert "the solve rate on other went from 10.0 % (1 of 10) to 20.0 % (2 of 10)" in own
        assert "solves 2 of 10 theorems of other, split valid (20.0 %" in own
        assert own.index("By budget") < own.index("Published results") if "Published" in own else "By budget" in own
    with pytest.raises(UserError, match="no evaluation on 'third'; it has other"):
        write_table("comparison_third", tmp_path / "summary.json", tmp_path / "t.md")
    (results / "baseline" / "eval" / "other" / "llm.json").write_text(
        (results / "baseline" / "eval" / "other" / "llm.json").read_text().replace('"9"', '"8"')
    )
    with pytest.raises(UserError, match="different benchmarks"):
        summarize([*main, *further], [], [])
    with pytest.raises(UserError, match=r"benchmarks\.by_nodes: figure 'solve_rate_by_nodes' is another one"):
        figure_names(["by_nodes"])


def rendered(results: Path, names: list[str], benchmark: str = "") -> tuple[str, str]:
    """Return the report of the results with some figures drawn, as HTML and as Markdown."""
    further = {name: {"source": "x.jsonl"} for name in [benchmark] if name}
    values = {"results": str(results), "iterations": 2, "benchmarks": {"toy": {"source": "t.jsonl"}, **further}}
    cfg = load_config({**values, "evaluation": {"benchmark": "toy", "benchmarks": list(further)}})
    figures = [results / "figures" / f"{name}.svg" for name in names]
    for name, svg in zip(names, figures, strict=True):
        plot_figure(name, results, results / "summary.json", svg)
    graph = plan_of(cfg).rule_graph(["report"])
    page, markdown = results / "report.html", results / "report.md"
    write_report(Run(results, results / "summary.json"), figures, cfg, graph, page, markdown)
    return page.read_text(), markdown.read_text()


def test_the_report_opens_on_the_verdict_and_ends_with_the_rules(results: Path) -> None:
    summary = read_json(results / "summary.json")
    summary["models"][1]["newly_solved"] = ["<script>alert(1)</script>"]
    write_json(results / "summary.json", summary)
    names = ["solve_rate", "cost", "nodes_to_proof", "embedding_health"]
    page, markdown = rendered(results, names)
    verdict = (
        "No measurable change: the solve rate on toy went from 20.0 % (2 of 10) to 30.0 % (3 of 10) in 2 iterations"
    )
    order = [
        f"<h1>{verdict}",
        'alt="solve_rate"',
        "iteration 1 + head",
        "Cost, and where",
        "<h2>Solve rate</h2>",
        "<h2>Search",
    ]
    order += ["Single values", "Environment", "all settings", "Rules and their jobs"]
    places = [page.index(text) for text in order]
    assert places == sorted(places)
    assert "Iteration 1 with the energy head: +10.0 points, 95 % interval" in page
    assert "1 jobs took 3.0 s" not in page and "1 job took 0.1 minutes of job time" in page
    assert "<script>" not in page and 'src="http' not in page and page.count("data:image/svg+xml") == 2
    # A figure of one value is a row of a table, and the cost has one stage only.
    assert 'alt="embedding_health"' not in page and "<td>embedding health</td>" in page and "<td>cost</td>" in page
    assert markdown.startswith(f"# {verdict}")
    assert "![solve_rate](figures/solve_rate.svg)" in markdown and "embedding_health.svg" not in markdown
    for rule in ("summarize", "train_sft", "render_report"):
        assert f">{rule}</text>" in page


def test_a_clear_change_is_called_one(results: Path) -> None:
    write_json(results / "iter_1/eval/llm.json", eval_json("iter_1", "llm", dict.fromkeys(NAMES, 1)))
    said = verdict(Run(results, results / "summary.json"))
    assert (
        said.headline
        == "Training raised the solve rate on toy from 20.0 % (2 of 10) to 100.0 % (10 of 10) in 2 iterations."
    )
    assert "+80.0 points" in said.details[0] and "8 theorems won, 0 lost, p = 0.0078" in said.details[0]
