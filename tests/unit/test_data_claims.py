"""Proofs of others as attempts, export to the forms of others, and two versions of a benchmark side by side."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from burnqed.commands import cli
from burnqed.data.claims import read_claims, tactics_of, verdict_of
from burnqed.data.exporting import leandojo_rows, whole_file
from burnqed.data.published import read_published
from burnqed.data.versions import compare_versions, render_versions
from burnqed.files import UserError, write_json, write_jsonl
from burnqed.prover.leanfile import proof_source
from burnqed.records.attempts import read_attempts, write_attempts
from burnqed.records.theorems import Theorem, TheoremIndex, write_theorem_index

RECORDED = Path(__file__).resolve().parents[3] / "shared" / "data"
recorded = pytest.mark.skipif(not RECORDED.is_dir(), reason="recorded published data is not here")

PROVED = """import Mathlib
open Nat

def twice (n : ℕ) : ℕ := n + n

theorem helper {n : ℕ} (h : 0 < n) : n ≠ 0 := by
  omega

theorem t1 (n : ℕ) (h : 0 < n) :
    n ≠ 0 := by
  have := helper h
  exact this

theorem t2 : twice 1 = 2 := rfl
"""
BENCHMARK = TheoremIndex(
    {}, [Theorem("t1", "∀ (n : ℕ) (h : 0 < n), n ≠ 0", "import Mathlib", signature="(n : ℕ) (h : 0 < n) : n ≠ 0")]
)


def test_a_lean_file_of_proofs(tmp_path: Path) -> None:
    path = tmp_path / "proofs.lean"
    path.write_text(PROVED + "theorem t3 : 1 = 2 := by sorry\n")
    claims = read_claims(path)
    first, second = claims.attempts
    assert (first.theorem.name, second.theorem.name) == ("t1", "t2")
    assert first.proof == "have helper {n : ℕ} (h : 0 < n) : n ≠ 0 := by\n  omega\nhave := helper h\nexact this"
    assert (second.proof, "def twice" in second.theorem.header) == ("exact (rfl)", True)
    assert "twice" not in first.theorem.header
    assert (claims.entries, dict(claims.dropped)) == (4, {"auxiliary": 1, "sorry": 1})
    assert proof_source(first.theorem, [first.proof]).startswith(
        "theorem t1 (n : ℕ) (h : 0 < n) :\n    n ≠ 0 := by\n  have h"
    )


@pytest.mark.parametrize(
    ("value", "tactics"),
    [
        ("by\n    simp\n    ring\n", "simp\nring"),
        ("by simp [a,\n    b]\n", "simp [a,\n    b]"),
        (":= by\n  cases h with\n  | a => rfl\n", "cases h with\n| a => rfl"),
        ("fun h => h.1", "exact (fun h => h.1)"),
        ("by'\n\n  norm_num\n  rfl", "norm_num\nrfl"),
        ("byContradiction h", "exact (byContradiction h)"),
        ("", ""),
    ],
)
def test_values_become_tactics(value: str, tactics: str) -> None:
    assert tactics_of(value) == tactics


def test_verdicts_in_their_spellings() -> None:
    rows: list[dict[str, Any]] = [
        {"success": True}, {"complete": False}, {"verdict": "Accepted"}, {"status": "timeout"}, {"result": {"pass": True}},
        {"compilation_result": {"complete": False, "errors": []}}, {"name": "x"},
    ]  # fmt: skip
    assert [verdict_of(row) for row in rows] == [True, False, True, False, True, False, None]


STATEMENT = {
    "name": "t1",
    "header": "import Mathlib\n",
    "formal_statement": "theorem t1 (n : ℕ) (h : 0 < n) : n ≠ 0 := by sorry",
}
WHOLE = "import Mathlib\ntheorem t1 (n : ℕ) (h : 0 < n) : n ≠ 0 := by\n  omega"
FORMS: dict[str, list[dict[str, Any]]] = {
    "whole file": [{"name": "t1", "code": WHOLE}],
    "raw answer": [{"name": "t1", "model_output": f"<think>no</think>Here:\n```lean4\n{WHOLE}\n```\nDone."}],
    "statement and proof": [STATEMENT | {"formal_proof": "  omega"}],
    "statement and by": [STATEMENT | {"proof": ":= by\n  omega"}],
    "attempts": [
        STATEMENT | {"attempts": [{"code": WHOLE.replace("omega", "simp"), "pass": False}, {"code": WHOLE, "pass": True}]}
    ],
    "steps": [{"full_name": "t1", "statement": "theorem t1 (n : ℕ) (h : 0 < n) : n ≠ 0"} | {"proof": ["skip", "omega"]}],
    "search": [
        {
            "attempt_results": [{"success": True, "proof": ["omega"], "iteration": 3}],
            "example": {"full_name": "t1", "statement": "theorem t1 (n : ℕ) (h : 0 < n) : n ≠ 0"},
        }
    ],
    "traced": [
        {
            "full_name": "t1",
            "traced_tactics": [
                {"tactic": "omega", "state_before": "n : ℕ\nh : 0 < n\n⊢ n ≠ 0", "state_after": "no goals"}
            ],
        }
    ],
    "ours": [
        {"theorem": "t1", "statement": "∀ (n : ℕ) (h : 0 < n), n ≠ 0", "header": "", "proof": ["intro n h", "omega"],
         "source": "theorem t1 : ∀ (n : ℕ) (h : 0 < n), n ≠ 0 := by\n  intro n h\n  omega", "iteration": 1, "axioms": []}
    ],
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_proofs(tmp_path: Path, form: str) -> None:
    write_jsonl(tmp_path / "x.jsonl", FORMS[form])
    claims = read_claims(tmp_path / "x.jsonl")
    (attempt,) = claims.attempts
    assert attempt.theorem.name == "t1"
    assert attempt.theorem.statement == "∀ (n : ℕ) (h : 0 < n), n ≠ 0"
    assert attempt.proof.endswith("omega") and "by" not in attempt.proof
    assert claims.dropped.get("rejected_by_its_author", 0) == (form == "attempts")
    (under,) = read_claims(tmp_path / "x.jsonl", benchmark=BENCHMARK).attempts
    assert (under.theorem, under.differs) == (BENCHMARK.theorems[0], False)
    write_attempts(tmp_path / "y.jsonl", [attempt])
    assert list(read_attempts(tmp_path / "y.jsonl")) == [attempt]


def test_what_cannot_be_put_under_a_benchmark_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "p.lean"
    path.write_text(PROVED.replace("0 < n) :\n", "1 < n) :\n"))
    claims = read_claims(path, benchmark=TheoremIndex({}, [*BENCHMARK.theorems, Theorem("t2", "1 = 1")]))
    assert [(a.theorem.name, a.differs) for a in claims.attempts] == [("t1", True), ("t2", True)]
    with pytest.raises(UserError, match=r"no proof in 3 entries \(\{'auxiliary': 1, 'not_in_benchmark': 2\}\)"):
        read_claims(path, benchmark=TheoremIndex({}, [Theorem("other", "1 = 1")]))
    text = "def k : ℕ := 1\ntheorem t1 (n : ℕ) (h : 0 < n) : n ≠ 0 := by\n  have := k\n  omega"
    path.write_text(text)
    with pytest.raises(UserError, match="'needs_definitions': 1"):
        read_claims(path, benchmark=BENCHMARK)


@recorded
@pytest.mark.parametrize(
    ("file", "count"),
    [
        ("proofs/deepseek_prover_v2_minif2f_solutions.jsonl", 438),
        ("proofs/bfs_prover_v2_minif2f.jsonl", 228),
        ("minif2f/minif2f_deepseek_prover_v1.5_valid_few_shot.jsonl", 67),
        ("search_traces/internlm2_math_plus-7b_minif2f_test", 106),
        ("leandojo/leandojo_random_test_100.json", 100),
        ("lean_errors/targets_100.jsonl", 100),
    ],
)
def test_recorded_proofs_are_all_read(file: str, count: int) -> None:
    claims = read_claims(RECORDED / file)
    assert len(claims.attempts) == count
    assert claims.entries == count + sum(claims.dropped.values())
    for attempt in claims.attempts:
        assert attempt.proof.strip() and not re.match(r"by'?\s", attempt.proof)


def test_commands_import_export_and_compare(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.lean").write_text(PROVED)
    write_theorem_index(tmp_path / "bench.json", BENCHMARK)
    words = ["import", str(tmp_path / "mine.lean"), "--benchmark", str(tmp_path / "bench.json")]
    assert cli.main([*words, "--proofs", str(tmp_path / "a.jsonl")]) == 0
    assert "a.jsonl: 1 proof of 1 theorem, from 3 entries" in capsys.readouterr().out
    assert cli.main(words) == 1
    assert "give --proofs FILE" in capsys.readouterr().err
    for form, source in (("goedel", "bench.json"), ("deepseek", "a.jsonl")):
        assert (
            cli.main(["export", str(tmp_path / source), "--form", form, "--output", str(tmp_path / f"{form}.jsonl")])
            == 0
        )
        (theorem,) = read_published(tmp_path / f"{form}.jsonl").theorems
        assert (theorem.statement, theorem.header) == (BENCHMARK.theorems[0].statement, "import Mathlib")
    (attempt,) = read_claims(tmp_path / "deepseek.jsonl").attempts
    assert attempt.proof.endswith("exact this")
    (tmp_path / "v2.lean").write_text(
        "import Mathlib\ntheorem T1 (m : ℕ) (h : 2 < m) : m ≠ 0 := sorry\ntheorem n : 1 = 1 := sorry"
    )
    assert cli.main(["compare-benchmarks", str(tmp_path / "bench.json"), str(tmp_path / "v2.lean")]) == 0
    out = capsys.readouterr().out
    assert "1 problem in both: 0 with the same statement, 0 with another, 1 with other numerals" in out
    assert "1 under another name: t1 = T1" in out and "+ ∀ (m : ℕ) (h : 2 < m), m ≠ 0" in out
    assert cli.main(["compare-benchmarks", "miniF2F", str(tmp_path / "v2.lean")]) == 1
    assert "name one of these sources: minif2f_lean4" in capsys.readouterr().err


def test_a_lake_project_reads_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    theorems = [
        *BENCHMARK.theorems,
        Theorem("T1", "1 = 1", "import Mathlib"),
        Theorem("a b", "2 = 2", "import Mathlib"),
    ]
    write_theorem_index(tmp_path / "bench.json", TheoremIndex({"lean": "v4.27.0"}, theorems))
    assert cli.main(["export", str(tmp_path / "bench.json"), "--form", "lake", "--output", str(tmp_path / "lake")]) == 0
    assert (tmp_path / "lake" / "lean-toolchain").read_text() == "leanprover/lean4:v4.27.0\n"
    project = tomllib.loads((tmp_path / "lake" / "lakefile.toml").read_text())
    assert project["require"][0] | {"name": "mathlib", "rev": "v4.27.0"} == project["require"][0]
    assert len(set((tmp_path / "lake" / "Statements.lean").read_text().splitlines())) == 3
    back = read_published(tmp_path / "lake")
    assert {t.statement for t in back.theorems} == {t.statement for t in theorems}
    assert capsys.readouterr().out.endswith("3 theorems, 0 with a proof\n")


def test_searches_become_traced_tactics(tmp_path: Path) -> None:
    import pyarrow as pa

    from burnqed.records.trajectories import SCHEMA, TheoremResult, write_trajectories

    fields = {
        "iteration": 0, "kind": "main", "theorem": "t", "attempt": 0, "parent_step": -1, "depth": 0, "goal": "g",
        "message": "", "logprob": -0.5, "cumulative_logprob": -0.5, "energy": None, "remaining_steps": 1, "expansion": 1,
        "seed": 1, "elapsed_ms": 1,
    }  # fmt: skip
    told = [("intro h", "ok", "⊢ p → p", "h : p\n⊢ p", True), ("omega", "error", "⊢ p → p", None, False)]
    told.append(("exact h", "proved", "h : p\n⊢ p", None, True))
    rows = [
        fields | {"step": i, "tactic": t, "outcome": o, "state": s, "next_state": n, "on_proof_path": p, "depth": i}
        for i, (t, o, s, n, p) in enumerate(told)
    ]
    table = pa.Table.from_pylist([{name: row.get(name) for name in SCHEMA.names} for row in rows], schema=SCHEMA)
    known: dict[str, Any] = dict.fromkeys(TheoremResult.__dataclass_fields__, 0)
    known |= {"theorem": "t", "kind": "main", "proved": True, "proof": ["intro h", "exact h"]}
    result = TheoremResult(**known)
    write_trajectories(tmp_path / "t.parquet", [table], [result])
    (row,) = leandojo_rows(tmp_path / "t.parquet", {"t": Theorem("t", "p → p", file_path="A.lean")})
    assert (row["full_name"], row["file_path"]) == ("t", "A.lean")
    write_json(tmp_path / "dojo.json", [row])
    (attempt,) = read_claims(tmp_path / "dojo.json").attempts
    assert (attempt.proof, attempt.theorem.statement) == ("intro h\nexact h", "p → p")


def test_versions_are_matched_by_name_spelling_and_statement() -> None:
    def index(**statements: str) -> TheoremIndex:
        return TheoremIndex({}, [Theorem(name, text) for name, text in statements.items()])

    first = index(a="∀ x : ℕ, x = x", imo_p3="(1 + 1) = 2", notequiv="3 = 3", gone="9 = 9", d="5 = 5")
    second = index(a="∀ y : ℕ, y = y", imo_p6="(1 + 1) = 2", notEquiv="3 ≠ 3", new="8 < 8", d="(5) = 5")
    versions = compare_versions(first, second)
    assert [(p.first.name, p.second.name, p.kind) for p in versions.pairs] == [
        ("a", "a", "same"), ("imo_p3", "imo_p6", "same"), ("notequiv", "notEquiv", "statement"), ("d", "d", "brackets"),
    ]  # fmt: skip
    assert [t.name for t in (*versions.only_first, *versions.only_second)] == ["gone", "new"]
    text = render_versions(versions, ("one", "two"), shown=1)
    assert "and 1 more; --show 2 lists all" in text


def test_whole_files_hold_header_and_proof() -> None:
    text = whole_file(BENCHMARK.theorems[0], "omega")
    assert text == "import Mathlib\n\ntheorem t1 (n : ℕ) (h : 0 < n) : n ≠ 0 := by\n  omega\n"
