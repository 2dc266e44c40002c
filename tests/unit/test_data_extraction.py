"""Pairs through Pantograph's repl: a project with broken files, whole-proof sets; a scripted process answers."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from burnqed.config import DataSettings, ProverSettings, SourceSettings
from burnqed.data import invocations
from burnqed.data.build import extract_source
from burnqed.data.extraction import read_traces
from burnqed.data.invocations import extract, main_line, theorems_of
from burnqed.data.whole_proofs import LeanText, proofs_of_row, read_proofs
from burnqed.files import UserError
from burnqed.jobs.stop import Stopped
from burnqed.records.damage import Damage

RECORDED = Path(__file__).resolve().parents[3] / "shared" / "data"
FAKE = Path(__file__).with_name("extract_fake_repl.py")
PROVER = ProverSettings(
    kind="pantograph",
    command=[sys.executable, str(FAKE)],
    lean_path=str(FAKE.parent),
    sandbox="off",
    workers=2,
    ready_timeout=60,
)


BROKEN = """theorem good (p : Prop) (h : p) : p := by
  exact h

theorem wrong (p q : Prop) (h : p) : q := by
  exact h

theorem cheated (p : Prop) : p := by
  sorry

theorem nested (p q : Prop) (hp : p) (hq : q) : p ∧ q := by
  constructor
  · exact hp
  · exact hq
"""


def test_a_project_loses_only_what_is_broken(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / ".lake/packages/x").mkdir(parents=True)
    (project / ".lake/packages/x/Skip.lean").write_text("theorem skipped : True := by\n  trivial\n")
    (project / "A.lean").write_text(BROKEN)
    (project / "B.lean").write_bytes(b"theorem b : \xff")
    (project / "C.lean").write_text("theorem c : True := by\n  trivial\n")
    settings = DataSettings(nested_tactics="keep")
    out, failures = tmp_path / "out.jsonl", tmp_path / "failures.json"
    report = extract_source(str(project), {}, settings, PROVER, out, failures)
    assert list(report["failed"]) == ["B.lean"] and "B.lean: cannot be read" in report["failed"]["B.lean"]
    assert report["left_out"] == {"error": 1, "sorry": 1}
    assert json.loads(failures.read_text())["failed"] == report["failed"]
    traces = {trace.theorem: trace for trace in read_traces(out, "p")}
    assert set(traces) == {"good", "nested", "c"}
    assert traces["nested"].statement == "∀ (p q : Prop) (hp : p) (hq : q), p ∧ q"
    assert [(pair.state, pair.tactic, pair.depth) for pair in traces["nested"].pairs] == [
        ("⊢ nested.0", "constructor", 0),
        ("⊢ nested.1", "exact hp", 1),
        ("⊢ nested.2", "exact hq", 2),
    ]


def test_a_stopped_extraction_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invocations, "PIECE", 2)
    texts = [LeanText(f"t{i}", f"theorem t{i} : True := by\n  trivial\n") for i in range(5)]
    paths = tmp_path / "out.jsonl", tmp_path / "failures.json"
    saved = tmp_path / ".progress/out.jsonl"
    monkeypatch.setattr(invocations, "stop_requested", lambda: len(list(saved.rglob("piece-*.json"))) == 2)
    with pytest.raises(Stopped):
        extract(texts, PROVER, *paths)
    assert not paths[0].exists()
    processed: list[int] = []
    whole = invocations._piece

    async def counting(piece: Any, *rest: Any) -> dict[str, Any]:
        processed.append(len(piece))
        return await whole(piece, *rest)

    monkeypatch.setattr(invocations, "_piece", counting)
    monkeypatch.setattr(invocations, "stop_requested", lambda: False)
    assert extract(texts, PROVER, *paths)["theorems"] == 5
    assert processed == [1]


def test_only_pantograph_tells_states_between_tactics(tmp_path: Path) -> None:
    (tmp_path / "A.lean").write_text(BROKEN)
    prover = ProverSettings(kind="lean", imports=[])
    with pytest.raises(
        UserError, match=r"kind project becomes pairs through a prover that tells.*prover\.kind: pantograph"
    ):
        extract_source(str(tmp_path), {}, DataSettings(), prover, tmp_path / "o", tmp_path / "f")


@pytest.mark.skipif(not RECORDED.is_dir(), reason="recorded data is not here")
@pytest.mark.parametrize("version", ["v0.3.4", "v0.3.x_late"])
def test_recorded_pantograph_invocations_become_pairs(tmp_path: Path, version: str) -> None:
    lines = (RECORDED / f"pantograph/integration_exchanges_{version}.jsonl").read_text().splitlines()
    exchange = next(row for row in map(json.loads, lines) if "invocations" in row["payload"])
    (side,) = exchange["side_file"].values()
    theorems, dropped = theorems_of("F", exchange["payload"]["file"], exchange["response"]["units"], side, "keep")
    assert not dropped
    (tmp_path / "x.jsonl").write_text("".join(json.dumps(t) + "\n" for t in theorems))
    (trace,) = read_traces(tmp_path / "x.jsonl", "x")
    assert [(p.state, p.tactic, p.depth) for p in trace.pairs] == [
        ("⊢ ∀ (p q : Prop), p → p ∨ q", "intro p q h", 0),
        ("p q : Prop\nh : p\n⊢ p ∨ q", "exact Or.inl h", 1),
    ]


def test_the_main_line_skips_what_is_inside_other_tactics() -> None:
    def step(before: str, tactic: str, after: str) -> dict[str, str]:
        return {"goalBefore": before, "tactic": tactic, "goalAfter": after}

    steps = [
        step("⊢ a", "intro", "⊢ b"),
        step("case x\n⊢ c", "omega", ""),
        step("⊢ b", "split", "⊢ d"),
        step("⊢ b", "split <;> simp", "⊢ e"),
        step("⊢ d", "simp", "⊢ e"),
        step("⊢ e", "rfl", ""),
    ]
    assert [s["tactic"] for s in main_line(steps)] == ["intro", "split <;> simp", "rfl"]
    assert main_line([]) == []


NUMINA = {"uuid": "u", "formal_statement": "import Mathlib\n\ntheorem t : 1 = 1 := by sorry", "formal_proof": None}


@pytest.mark.parametrize(
    ("row", "texts", "reason"),
    [
        ({**NUMINA, "ground_truth_type": "complete", "formal_ground_truth": "theorem t : 1 = 1 := by rfl"}, 1, ""),
        (
            {**NUMINA, "ground_truth_type": "with_sorry", "formal_ground_truth": "theorem t : 1 = 1 := by sorry"},
            0,
            "with_sorry",
        ),
        ({**NUMINA, "ground_truth_type": "statement", "formal_ground_truth": "theorem t"}, 0, "statement_only"),
        ({**NUMINA, "ground_truth_type": None, "formal_ground_truth": None}, 0, "no_proof"),
        ({**NUMINA, "ground_truth_type": "statement", "formal_proof": "theorem t : 1 = 1 := by rfl"}, 1, ""),
        ({"problem_id": "lean_workbook_1", "full_proof": "import Mathlib\ntheorem t : 1 = 1 := by rfl"}, 1, ""),
        ({"problem_id": "lean_workbook_2", "full_proof": "theorem t : 1 = 1 := by\n  sorry"}, 0, "sorry"),
        ({"formal_statement": "theorem w : 1 = 1  :=  by sorry", "proof": []}, 0, "no_proof"),
        ({"name": "t", "lean": "theorem t : 1 = 1 := by rfl -- no sorry"}, 1, ""),
    ],
)
def test_whole_proofs_of_each_form(row: dict[str, Any], texts: int, reason: str) -> None:
    found, why = proofs_of_row(row)
    assert (len(found), why) == (texts, reason)
    assert all("theorem t" in text and "rfl" in text for text in found)


def test_lean_workbook_proofs_are_put_under_their_statement() -> None:
    statement = "theorem w (p : Prop) (h : p) : p  :=  by sorry"
    found, _ = proofs_of_row({"formal_statement": statement, "proof": ["by\n  exact h", "exact h", "exact h"]})
    assert found == ["theorem w (p : Prop) (h : p) : p := by\n  exact h"]


def test_goedel_rows_go_through_the_prover(tmp_path: Path) -> None:
    proof = "import Mathlib\nimport Aesop\n\ntheorem lean_workbook_1 (p : Prop) (h : p) : p := by\n  exact h\n"
    rows = [{"problem_id": "lean_workbook_1", "full_proof": proof}, {"problem_id": "b", "full_proof": "sorry"}]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "g.parquet")
    sources = {"goedel": SourceSettings(file=str(tmp_path / "g.parquet"), kind="proofs")}
    paths = tmp_path / "goedel.jsonl", tmp_path / "failures.json"
    report = extract_source("goedel", sources, DataSettings(), PROVER, *paths)
    assert (report["theorems"], report["rows_without_proof"]) == (1, {"sorry": 1})
    (trace,) = read_traces(paths[0], "goedel")
    assert (trace.theorem, trace.pairs[0].state) == ("lean_workbook_1", "⊢ lean_workbook_1.0")


@pytest.mark.skipif(not RECORDED.is_dir(), reason="recorded data is not here")
@pytest.mark.parametrize(
    ("file", "count"),
    [
        ("proofs/bfs_prover_v2_minif2f.jsonl", 228),
        ("proofs/deepseek_prover_v2_minif2f_solutions.jsonl", 438),
        ("minif2f/minif2f_deepseek_prover_v1.5_valid_few_shot.jsonl", 67),
    ],
)
def test_recorded_proofs_load_whole(file: str, count: int) -> None:
    dropped: Counter[str] = Counter()
    texts = list(read_proofs(RECORDED / file, Damage(), dropped))
    assert len(texts) + dropped.total() == count
    assert dropped.total() <= count // 50
    assert len({text.key for text in texts}) == len(texts)
