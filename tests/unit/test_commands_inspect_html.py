"""The page of a search: all tactics, no outside parts, no text of a model taken for markup."""

from __future__ import annotations

import re
import xml.dom.minidom
from pathlib import Path

import pytest
from search_toys import ToyPolicy
from test_search_run import run

from burnqed.commands import cli
from burnqed.commands.inspect_html import fate, render_html
from burnqed.files import UserError
from burnqed.records.theorems import Theorem
from burnqed.records.trajectories import merge_trajectories, read_results, read_steps

HOSTILE = '<script>alert("x")</script>'


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inspect")
    theorems = [Theorem(f"count_{n}", str(n)) for n in (5, 9, 40)]
    policy = ToyPolicy(tactics=["sub 1", "sub 2", "half", "split", "noop", "boom", HOSTILE, f"add 1\n{HOSTILE}"])
    for kind in ("main", "noisy"):
        run(folder / f"{kind}.parquet", theorems, generator=policy, kind=kind, candidates_with_head=6)
    merge_trajectories([folder / "main.parquet", folder / "noisy.parquet"], folder / "all.parquet")
    return folder / "all.parquet"


def test_every_tactic_of_one_search_is_there_and_harmless(searched: Path) -> None:
    for result in read_results(searched):
        page = render_html(searched, result.theorem, kind=result.kind)
        assert "<script" not in page
        assert not re.search(r"(?:src|href)=\"(?!#s)", page)
        table = read_steps(searched)
        rows = [r for r in table.to_pylist() if (r["theorem"], r["kind"]) == (result.theorem, result.kind)]
        assert len(re.findall(r'<td class="code">[^<]*<td>', page)) == len(rows) == result.tactics
        svg = re.search(r"<svg.*?</svg>", page, re.DOTALL)
        assert svg
        drawn = xml.dom.minidom.parseString(svg[0])
        kept = [r for r in rows if r["outcome"] in ("ok", "proved")]
        boxes = [(box.getAttribute("x"), box.getAttribute("y")) for box in drawn.getElementsByTagName("rect")]
        assert len(boxes) == len(set(boxes)) == 1 + len(kept)
        assert len(drawn.getElementsByTagName("path")) == len(kept)
        targets = set(re.findall(r'href="#(s-?\d+)"', page))
        assert targets <= set(re.findall(r'<section id="(s-?\d+)"', page))
        assert page.count('<tr class="path">') == len(result.proof)


def test_a_branch_says_why_it_died() -> None:
    row = {"outcome": "ok", "on_proof_path": False}
    failed = [{"outcome": "error", "expansion": 3}, {"outcome": "error", "expansion": 3}]
    assert fate(row, failed)[0] == "dead"
    assert "2 error" in fate(row, failed)[1]
    assert fate(row, [])[0] == "waiting"
    assert fate(row, [*failed, {"outcome": "ok", "expansion": 3}])[0] == "live"


def test_the_command_writes_the_page(searched: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    assert cli.main(["inspect", str(searched), "--theorem", "count_9", "--html", str(page)]) == 0
    assert "kind main" in page.read_text()
    assert cli.main(["inspect", str(searched), "--theorem", "count_9", "--kind", "noisy"]) == 0
    assert "count_9, noisy" in capsys.readouterr().out
    with pytest.raises(UserError, match="no search of kind 'negatives', but main and noisy"):
        render_html(searched, "count_9", kind="negatives")
