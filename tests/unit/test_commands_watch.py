"""A run seen from its files: what is done, at work and found, in the terminal and as a page without a server."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from burnqed.commands import cli
from burnqed.commands.live import look, record_run, recorded_config
from burnqed.commands.watch import SHARE, LivePage, write_page
from burnqed.config import Config, load_config
from burnqed.experiments.runs import plan_of
from burnqed.files import UserError, read_json, write_json, write_jsonl
from tests.unit.test_report import eval_json


def config(results: Path, **values: object) -> tuple[Config, dict[str, Any]]:
    given = {"results": str(results), "iterations": 2, "hardware": "cpu", "benchmarks": {"toy": {"source": "t.jsonl"}}}
    given |= {"evaluation": {"benchmark": "toy"}, **values}
    return load_config(given), given


@pytest.fixture
def run(tmp_path: Path) -> tuple[Path, Config]:
    """Base model and iteration 0 done to the evaluation, which is at work."""
    results = tmp_path / "results"
    cfg, given = config(results)
    plan = plan_of(cfg)
    last = plan.paths("eval", run="iter_0", evaluation="llm")
    for job in plan.needed([last]):
        for path in map(Path, job.outputs):
            if not str(path).startswith(str(results / "iter_0" / "eval")):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch()
    write_json(results / "baseline/eval/llm.json", eval_json("baseline", "llm", {"thm_0": 1, "thm_1": 9}))
    (results / "baseline/eval/llm.parquet").touch()
    timing = {"timing": {"split": {"policy": 3.0, "lean": 1.0, "value": 0.0, "engine": 0.0}}}
    cost = {"wall_seconds": 360.0, "cpu_seconds": 2.0, "gpu_seconds": 360.0, "estimated_cost": 0.25}
    write_json(results / "baseline/eval/llm.json.meta.json", {**timing, **cost})
    found = [{"theorem": "<b>first</b>", "proof": ["intro h", "exact h"]}]
    facts = {"policy_busy": 0.75, "value_busy": 0.0, "workers": 2}
    status = {"done": 8, "total": 10, "proved": 2, "newest": found, **facts}
    write_json(results / "iter_0/eval/.progress/status-llm.json", status)
    record_run(cfg, given)
    return results, cfg


def test_a_look_says_what_is_done_at_work_and_found(run: tuple[Path, Config]) -> None:
    live = look(*run)
    stages = {(stage.run, stage.stage): stage for stage in live.stages}
    assert (stages["base", "evaluation"].done, stages["base", "evaluation"].total) == (1, 1)
    assert (stages["iteration 0", "evaluation"].done, stages["iteration 0", "evaluation"].is_running) == (0, True)
    assert stages["iteration 1", "fine-tuning"].done == 0 and stages["iteration 0", "fine-tuning"].done == 1
    assert [job.text for job in live.running] == ["8 of 10, 2 proved (25.0 %, interval 7.1 - 59.1)"]
    assert [(row["model"], row["solved"]) for row in live.solved] == [("base", "2/10")]
    assert live.split == "policy 75 %, prover 25 %, energy head 0 %, search engine, waiting 0 %"
    assert live.machine[-1] == "iter_0/eval/llm: 2 Lean workers; busy: policy 75 %, value 0 %"
    assert live.money.startswith("So far 0.10 job hours and about 0.25 US dollars")
    assert live.proofs[0].tactics == ["intro h", "exact h"] and not live.is_over


def test_the_page_renews_itself_needs_no_server_and_escapes(run: tuple[Path, Config]) -> None:
    results, cfg = run
    write_page(results, cfg)
    page = (results / "live.html").read_text()
    assert 'http-equiv="refresh"' in page and "<script" not in page and "http://" not in page
    assert "&lt;b&gt;first&lt;/b&gt;" in page and "<b>first</b>" not in page
    write_page(results, cfg, "stopped")
    ended = (results / "live.html").read_text()
    assert 'http-equiv="refresh"' not in ended and ", stopped</h1>" in ended


def test_the_driver_keeps_it_current_for_less_than_a_hundredth(
    run: tuple[Path, Config], monkeypatch: pytest.MonkeyPatch
) -> None:
    results, cfg = run
    monkeypatch.setattr("burnqed.commands.watch.EVERY", 0.05)
    page = LivePage(cfg)
    page.start()
    limit = time.monotonic() + 300
    while not (results / "live.html").exists():
        assert time.monotonic() < limit
        time.sleep(0.02)
    page.end("finished")
    assert ", finished</h1>" in (results / "live.html").read_text()
    assert SHARE == 0.01
    (results / "baseline/eval/llm.json").write_text("{")  # half written by another process
    assert page._write("") >= 0  # told nobody, and the next look sees it whole


def test_watch_reads_the_record_of_the_run(run: tuple[Path, Config], capsys: pytest.CaptureFixture[str]) -> None:
    results, _ = run
    assert cli.main(["watch", str(results), "--once"]) == 0
    shown = capsys.readouterr().out
    assert "Solved so far" in shown and "25.0 %" in shown and "first" in shown
    moved = results.rename(results.with_name("elsewhere"))
    assert recorded_config(moved).results == str(moved)
    with pytest.raises(UserError, match="no record of a run"):
        recorded_config(results)
    assert set(read_json(moved / ".run.json")) == {"config", "started"}


def test_rechecked_proofs_link_to_their_search(run: tuple[Path, Config]) -> None:
    from burnqed.records.trajectories import TheoremResult, write_trajectories

    results, cfg = run
    write_jsonl(results / "iter_0/proofs.jsonl", [{"theorem": "a/b", "kind": "main", "proof": ["rfl"]}])
    proved = TheoremResult("a/b", 0, True, ["rfl"], 1, 1, 1, 1, "proved", "", 1)
    write_trajectories(results / "iter_0/trajectories.parquet", [], [proved])
    write_page(results, cfg)
    page = (results / "live.html").read_text()
    assert 'href="trees/iter_0_a_b.html"' in page and (results / "trees/iter_0_a_b.html").is_file()
