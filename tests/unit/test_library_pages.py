"""The programs of the pages on the library run as they stand there."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from burnqed.records.trajectories import SCHEMA, write_trajectories
from tests.unit.real_lean import needs_lean
from tests.unit.test_search_engine import PLAN, search

PAGES = Path(__file__).parents[2] / "docs" / "api"


def run(page: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Run the page's program; return the lines it prints."""
    [program] = re.findall(r"```python\n(.*?)```", (PAGES / page).read_text(encoding="utf-8"), flags=re.DOTALL)
    exec(compile(program, page, "exec", dont_inherit=True), {"__name__": "page"})
    return capsys.readouterr().out.splitlines()


@needs_lean
def test_a_proof_is_tried_and_checked(capsys: pytest.CaptureFixture[str]) -> None:
    said = run("prover.md", capsys)
    assert "⊢ q ∧ p" in said
    assert [line.split()[0] for line in said[-3:]] == ["error", "proved", "accepted"]


@needs_lean
def test_a_policy_of_ones_own_finds_a_proof(capsys: pytest.CaptureFixture[str]) -> None:
    [line] = run("search.md", capsys)
    assert line.startswith("proved ") and line.endswith("'exact h.2', 'exact h.1']")


def test_an_order_of_ones_own_is_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = replace(PLAN, kind="eval", batch_expansions=1, expansions=40, past_proof=40)
    records = sorted((search(start, plan)[0] for start in range(3, 9)), key=lambda record: record.result.key)
    path = tmp_path / "results/rehearsal/iter_1/trajectories.parquet"
    path.parent.mkdir(parents=True)
    tables = [pa.table(record.columns, schema=SCHEMA) for record in records]
    write_trajectories(path, tables, [record.result for record in records])
    monkeypatch.chdir(tmp_path)
    said = run("value.md", capsys)
    assert [line.partition(":")[0] for line in said] == ["logprob", "shorter first", "oracle"]
    solved = [int(line.partition(": ")[2].split()[0]) for line in said]
    assert 0 < solved[0] <= solved[2] and solved[1] <= solved[2]
