"""The published forms of tactic data, and what damaged rows do."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from burnqed.data.extraction import Step, chain_depths, read_traces
from burnqed.data.filters import PairFilter, bare_name, filter_traces
from burnqed.data.published import read_published
from burnqed.data.rows import read_rows
from burnqed.data.syntax import KINDS, old_syntax
from burnqed.data.whole_proofs import read_proofs
from burnqed.files import UserError
from burnqed.records.damage import Damage


def table(path: Path, rows: list[dict[str, Any]]) -> Path:
    pq.write_table(pa.Table.from_pylist(rows), path)
    return path


def step(name: str, before: str, tactic: str, after: str, **more: Any) -> dict[str, Any]:
    return {"full_name": name, "state_before": before, "tactic": tactic, "state_after": after, **more}


def test_lean_github_rows_become_traces_by_theorem(tmp_path: Path) -> None:
    where = {"url": "https://github.com/a/b", "commit": "c", "file_path": "F.lean", "start": "(1, 1)", "end": "(2, 1)"}
    rows = [
        step("A.t", "p q : Prop\n⊢ p ∧ q", "constructor", "case left\np q : Prop\n⊢ p\n\ncase right\np q : Prop\n⊢ q"),
        step("A.t", "case left\np q : Prop\n⊢ p", "simp", "no goals"),
        step("A.t", "case left\np q : Prop\n⊢ p", "simp", "no goals"),
        step("A.t", "case right\np q : Prop\n⊢ q", "trivial", "no goals"),
        step("A.u", "⊢ True", "trivial", "no goals"),
    ]
    first, second = read_traces(table(tmp_path / "x.parquet", [{**row, **where} for row in rows]), "lean_github")
    assert [(p.tactic, p.depth) for p in first.pairs] == [("constructor", 0), ("simp", 1), ("trivial", 1)]
    assert (first.theorem, first.statement) == ("A.t", "∀ (p q : Prop), p ∧ q")
    assert (second.theorem, second.pairs[0].source) == ("A.u", "lean_github")


def test_rows_of_a_theorem_may_stand_apart(tmp_path: Path) -> None:
    rows = [
        step("t", "⊢ p ∧ q", "constructor", "case l\n⊢ p\n\ncase r\n⊢ q"),
        step("u", "⊢ a", "intro", "⊢ b"),
        step("t", "case l\n⊢ p", "simp", "no goals"),
        step("u", "⊢ b", "rfl", "no goals"),
        step("t", "case r\n⊢ q", "rfl", "no goals"),
    ]
    first, second = read_traces(table(tmp_path / "x.parquet", rows), "x")
    assert [(p.tactic, p.depth) for p in first.pairs] == [("constructor", 0), ("simp", 1), ("rfl", 1)]
    assert (first.statement, second.statement) == ("p ∧ q", "a")
    assert [(p.tactic, p.depth) for p in second.pairs] == [("intro", 0), ("rfl", 1)]


def test_leandojo_as_a_table_has_marks_and_no_state_after(tmp_path: Path) -> None:
    rows = [
        {"full_name": "t", "state": "⊢ a = b", "tactic": "rw [<a>foo</a>]", "file_path": "F"},
        {"full_name": "t", "state": "⊢ c = b", "tactic": "constructor", "file_path": "F"},
        {"full_name": "t", "state": "case l\n⊢ p", "tactic": "simp", "file_path": "F"},
    ]
    (trace,) = read_traces(table(tmp_path / "x.parquet", rows), "dojo")
    assert [(p.tactic, p.depth) for p in trace.pairs] == [("rw [foo]", 0), ("constructor", 1), ("simp", 2)]


def test_lean_workbook_steps_say_which_were_disproved(tmp_path: Path) -> None:
    keys = ("id", "status", "state_before", "tactic", "state_after", "formal_statement", "natural_language_statement")
    rows = [
        (
            "w1",
            "proved",
            "x : ℝ\n⊢ 0 ≤ x ^ 2",
            "positivity",
            "no goals",
            "theorem w1 (x : ℝ) : 0 ≤ x ^ 2  :=  by sorry",
            "n",
        ),
        ("w2", "disproved", "⊢ ¬1 = 2", "simp", "no goals", "theorem w2 : 1 = 2 := by sorry", "n"),
    ]
    path = table(tmp_path / "wkbk.parquet", [dict(zip(keys, row, strict=True)) for row in rows])
    first, second = read_traces(path, "w")
    assert (first.theorem, first.statement) == ("w1", "∀ (x : ℝ), 0 ≤ x ^ 2")
    assert (second.theorem, second.statement) == ("w2.disproved", "¬1 = 2")
    assert [(t.name, t.statement) for t in read_published(path).theorems] == [
        ("w1", "∀ (x : ℝ), 0 ≤ x ^ 2"),
        ("w2", "1 = 2"),
    ]


def test_lean_workbook_statements_are_named_by_their_declaration(tmp_path: Path) -> None:
    path = tmp_path / "lean_workbook.json"
    statement = "theorem lean_workbook_0 (a : ℝ) (ha : 0 < a) : a ≥ 0  :=  by sorry"
    row = {"natural_language_statement": "n", "answer": "", "tags": [], "formal_statement": statement, "proof": []}
    path.write_text(json.dumps([row | {"split": "lean_workbook"}], ensure_ascii=False))
    (theorem,) = read_published(path).theorems
    assert (theorem.name, theorem.statement) == ("lean_workbook_0", "∀ (a : ℝ) (ha : 0 < a), a ≥ 0")


def test_our_own_pairs_read_back(tmp_path: Path) -> None:
    row = {"state": "⊢ p", "tactic": "simp", "theorem": "t", "depth": 4, "source": "s", "num_goals": 1}
    (tmp_path / "p.jsonl").write_text(json.dumps(row) + "\n")
    (trace,) = read_traces(tmp_path / "p.jsonl", "other")
    assert (trace.pairs[0].depth, trace.pairs[0].source) == (4, "s")


def test_whole_proofs_and_unknown_forms_are_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="kind: proofs"):
        list(read_traces(table(tmp_path / "g.parquet", [{"problem_id": "a", "full_proof": "theorem"}]), "g"))
    (tmp_path / "o.jsonl").write_text('{"id": "x", "depth": 3}\n')
    with pytest.raises(UserError, match="no form of tactic data"):
        list(read_traces(tmp_path / "o.jsonl", "o"))
    with pytest.raises(UserError, match=r"none of the columns .* it has a"):
        list(read_traces(table(tmp_path / "n.parquet", [{"a": 1}]), "n"))


def test_unequal_neighbours_chain_by_goals() -> None:
    steps = [
        Step("⊢ p ∧ q", "constructor", "⊢ p\n\n⊢ q"),
        Step("⊢ p", "have h : r := by simp", "h : r\n⊢ p"),
        Step("⊢ r", "simp", ""),
        Step("h : r\n⊢ p", "exact f h", ""),
        Step("⊢ q", "rfl", ""),
    ]
    assert chain_depths(steps) == [0, 1, 1, 2, 1]


GOOD = {"full_name": "t", "state_before": "⊢ p", "tactic": "simp", "state_after": "no goals"}


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (b'{"full_name": "u", "state_before"', r"x\.jsonl:2: not readable as JSON"),
        (b'{"full_name": "\xff"}', r"x\.jsonl:2: not UTF-8 text"),
        (b'{"full_name": "u", "tactic": "simp"}', r"x\.jsonl:2: no state_before \(or state\)"),
        (b'["list"]', r"x\.jsonl:2: not a JSON object"),
        (b'{"full_name": "' + b"u" * 10_000_000 + b'"}', r"x\.jsonl:2: a line of 9\.5 MB"),
    ],
)
def test_a_damaged_line_stops_or_is_skipped_alone(tmp_path: Path, bad: bytes, message: str) -> None:
    path = tmp_path / "x.jsonl"
    good = json.dumps(GOOD, ensure_ascii=False).encode()
    path.write_bytes(good + b"\n" + bad + b"\n" + good.replace(b'"t"', b'"v"') + b"\n")
    with pytest.raises(UserError, match=message + r".*data\.on_damage: skip"):
        list(read_traces(path, "x", Damage("stop")))
    damage = Damage("skip")
    assert [trace.theorem for trace in read_traces(path, "x", damage)] == ["t", "v"]
    assert damage.count == 1
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("burnqed.data.rows.CHUNK", 1000)
        assert [trace.theorem for trace in read_traces(path, "x", Damage("skip"))] == ["t", "v"]


def test_a_truncated_gzip_keeps_what_came_before(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl.gz"
    lines = b"".join(json.dumps({**GOOD, "full_name": f"{i:x}{i * i:x}"}).encode() + b"\n" for i in range(3000))
    path.write_bytes(gzip.compress(lines)[:-400])
    with pytest.raises(UserError, match=r"x\.jsonl\.gz"):
        list(read_traces(path, "x"))
    damage = Damage("skip")
    assert 2000 < len(list(read_traces(path, "x", damage))) < 3000
    assert damage.count >= 1 and "x.jsonl.gz" in damage.examples[-1]


def test_a_row_without_a_column_of_the_others_is_named(tmp_path: Path) -> None:
    rows = [step("t", "⊢ p", "simp", "no goals"), step("u", "⊢ q", "simp", "no goals"), step("v", "⊢ r", "rfl", "")]
    rows[1]["tactic"] = None
    path = table(tmp_path / "x.parquet", rows)
    with pytest.raises(UserError, match=r"x\.parquet\[1\]: no tactic"):
        list(read_traces(path, "x"))
    damage = Damage("skip")
    assert [trace.theorem for trace in read_traces(path, "x", damage)] == ["t", "v"]
    assert (damage.count, damage.examples[0].split(":")[0]) == (1, f"{path}[1]")


@pytest.mark.parametrize("reader", ["theorems", "proofs"])
def test_damage_is_skipped_alone_by_every_reader(tmp_path: Path, reader: str) -> None:
    path = tmp_path / "x.jsonl"
    good = '{"name": "%s", "statement": "p", "lean": "theorem %s : p := by simp"}'
    long = '{"name": "%s"}' % ("x" * 10_000_000)
    lines = [good % ("a", "a"), '{"name": "b", ', long, good % ("c", "c")]
    path.write_bytes("\n".join(lines).encode() + b'\n{"name": "\xff"}\n')
    damage = Damage("skip")
    if reader == "theorems":
        names = [theorem.name for theorem in read_published(path, damage=damage).theorems]
    else:
        names = [text.key for text in read_proofs(path, damage, Counter())]
    assert names == ["a", "c"]
    assert [example.split(": ")[0] for example in damage.examples] == [f"{path}:{line}" for line in (2, 3, 5)]


def test_a_truncated_parquet_names_the_file(tmp_path: Path) -> None:
    path = table(tmp_path / "x.parquet", [GOOD] * 100)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(UserError, match=r"x\.parquet: not a readable Parquet file"):
        list(read_traces(path, "x"))


@pytest.mark.parametrize("chunk", [3, 50, 1 << 20])
def test_a_broken_entry_of_a_list_is_skipped_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    monkeypatch.setattr("burnqed.data.rows.CHUNK", chunk)
    tactics = [{"tactic": "simp", "state_before": "⊢ p", "state_after": "no goals"}] * 2
    rows = [json.dumps({"full_name": n, "traced_tactics": tactics}, ensure_ascii=False) for n in "abcd"]
    rows[1] = rows[1].replace('"traced_tactics":', '"traced_tactics"', 1)
    path = tmp_path / "x.json"
    path.write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"x\.json:3: not readable as JSON"):
        list(read_rows(path))
    damage = Damage("skip")
    assert [trace.theorem for trace in read_traces(path, "x", damage)] == ["a", "c", "d"]
    assert damage.count == 1


OLD = {
    "lean3": ["begin", "simp,", "exact λ x, x", "rw h", "cases h with a b"],
    "suggestion": ["exact?", "simp? [h]", "library_search"],
    "renamed_tactic": ["slim_check", "simp_arith [h]", "decide!"],
    "sum_in": ["rw [show ∑ i in s, f i = 0 by simp]"],
    "config_option": ["simp (config := { decide := true })"],
}
NEW = [
    "rw [h]", "rw (config := { occs := .all }) [h]", "cases h with\n| inl a => simp", "exact fun x => x", "simp [h?]",
    "exact ⟨λ x => x, h⟩", "simp [∑ x ∈ s, f x]", "cases' h with a b", "decide", "unfold foo", "rewrite [← h]",
    "exact λ x ↦ (x, x)", "have : ∑ x ∈ s, f x = 0 := by simp",
]  # fmt: skip


def test_old_syntax_is_told_from_present_syntax() -> None:
    assert set(OLD) == set(KINDS)
    for kind, tactics in OLD.items():
        pattern = old_syntax([kind])[kind]
        assert all(pattern.search(tactic) for tactic in tactics), kind
        if kind != "config_option":
            assert not [tactic for tactic in NEW if pattern.search(tactic)], kind
    with pytest.raises(UserError, match=r"data\.drop_syntax: 'lean2'"):
        old_syntax(["lean2"])


def filtered(tmp_path: Path, rows: list[dict[str, Any]], rules: PairFilter) -> Any:
    return filter_traces(read_traces(table(tmp_path / "f.parquet", rows), "f"), rules)


def test_trivial_tactics_are_thinned_and_counted(tmp_path: Path) -> None:
    rows = [step(f"t{i}", f"⊢ p{i}", "simp" if i % 2 else "simp [h]", "no goals") for i in range(400)]
    rules = PairFilter(100, frozenset({"simp"}), 0.1, {}, seed=0)
    result = filtered(tmp_path, rows, rules)
    kept = [pair for pair in result.pairs if pair.tactic == "simp"]
    assert 8 <= len(kept) <= 35
    assert result.dropped_pairs == {"trivial": 200 - len(kept)}
    assert filtered(tmp_path, rows, rules).pairs == result.pairs


def test_sources_share_no_pair_and_namesakes_keep_apart(tmp_path: Path) -> None:
    first = [step("t", "⊢ a = b", "foo", "no goals"), step("u", "⊢ c = d", "foo", "no goals")]
    second = [step("t", "⊢ e = f", "bar", "no goals"), step("w", "⊢ c = d", "foo", "no goals")]
    traces = [
        *read_traces(table(tmp_path / "1.parquet", first), "one"),
        *read_traces(table(tmp_path / "2.parquet", second), "two"),
    ]
    result = filter_traces(traces, 100)
    assert [(p.theorem, p.state) for p in result.pairs] == [("t", "⊢ a = b"), ("u", "⊢ c = d"), ("two:t", "⊢ e = f")]
    assert result.renamed == ["two:t"] and result.dropped_pairs == {"duplicate_of_one": 1}
    assert (bare_name("two:t"), bare_name("two:t:2"), bare_name("t")) == ("t", "t", "t")
