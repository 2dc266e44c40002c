"""`burnqed check`: the lines it reads, the lines it writes, its exit status."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from real_lean import needs_lean

from burnqed.commands import cli
from burnqed.commands.check import MAX_LINE, read_rows

SWAP = "∀ (p q : Prop), p ∧ q → q ∧ p"
ROWS: list[tuple[dict[str, Any], str]] = [
    ({"name": "tactics", "header": "", "statement": SWAP, "proof": "intro p q h\nexact ⟨h.2, h.1⟩"}, "ok"),
    ({"name": "list", "statement": SWAP, "proof": ["intro p q h", "exact ⟨h.2, h.1⟩"]}, "ok"),
    ({"name": "with_by", "statement": SWAP, "proof": "by\n    intro p q h\n    exact ⟨h.2, h.1⟩"}, "ok"),
    ({"name": "on_one_line", "statement": "1 = 1", "proof": "by rfl"}, "ok"),
    ({"name": "Nat.dotted", "header": "open Nat", "statement": "succ 1 = 2", "proof": "rfl"}, "ok"),
    ({"name": "whole", "statement": SWAP, "proof": f"theorem other : {SWAP} := fun p q h => ⟨h.2, h.1⟩"}, "ok"),
    ({"name": "binders", "statement": "theorem x (n : Nat) (h : n = 1) : n + 0 = 1 := by", "proof": "exact h"}, "ok"),
    ({"name": "both", "statement": "theorem x (n : Nat) : n = n", "proof": "-- so\ntheorem y (n : Nat) : n = n := rfl"}, "ok"),
    ({"name": "as_lemma", "statement": "∀ n : Nat, n = n", "proof": "lemma y (n : Nat) : n = n := by\n  rfl"}, "ok"),
    ({"name": "another", "statement": "1 = 2", "proof": "theorem y : 1 = 1 := rfl"}, "statement"),
    ({"name": "wrong", "statement": "1 = 2", "proof": "rfl"}, "error"),
    ({"name": "hole", "statement": "1 = 2", "proof": "sorry"}, "banned"),
    ({"name": "empty", "statement": "1 = 2", "proof": ""}, "banned"),
    ({"name": "native", "statement": "1 = 1", "proof": "native_decide"}, "banned"),
    ({"name": "no_statement", "statement": "1 =", "proof": "rfl"}, "statement"),
    ({"name": "em", "statement": "∀ (p : Prop), p ∨ ¬ p", "proof": "exact Classical.em"}, "ok"),
]  # fmt: skip


def write(path: Path, lines: list[bytes]) -> Path:
    path.write_bytes(b"\n".join(lines) + b"\n")
    return path


def encoded(row: dict[str, Any]) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode()


def run(source: Path, output: Path) -> tuple[int, list[dict[str, Any]]]:
    options = ["--set", "prover.kind=lean", "--set", "prover.imports=[]", "--set", "verify.timeout=120"]
    status = cli.main(["check", str(source), "--output", str(output), *options])
    return status, [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]


@needs_lean
def test_verdicts(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", [encoded(row) for row, _ in ROWS])
    status, rows = run(source, tmp_path / "out.jsonl")
    assert status == 0
    assert [row["name"] for row in rows] == [row["name"] for row, _ in ROWS]
    kinds = ["ok" if row["ok"] else row["reason"].split(":")[0] for row in rows]
    assert dict(zip((row["name"] for row in rows), kinds, strict=True)) == {row["name"]: kind for row, kind in ROWS}
    assert all(set(row) == {"name", "ok", "level", "reason", "axioms"} for row in rows)
    assert {row["level"] for row in rows if row["ok"]} == {"kernel"}
    assert {row["level"] for row in rows if not row["ok"]} == {""}
    assert "Classical.choice" in rows[-1]["axioms"]
    assert not (tmp_path / ".progress").exists()


@needs_lean
def test_damaged_lines_are_rows_of_their_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = encoded(ROWS[0][0])
    source = write(tmp_path / "in.jsonl", [good, b'{"name": "cut", "statement', b"", b"[1]", good])
    status, rows = run(source, tmp_path / "out.jsonl")
    assert status == 1
    assert [row["ok"] for row in rows] == [True, False, False, True]
    assert rows[1]["reason"].startswith("input: line 2: ") and rows[2]["reason"] == "input: line 4: not a JSON object"
    assert "2 accepted, 0 refused, 2 lines could not be read" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"\xff\xfe{}", "can't decode"),
        (b'{"name": "a"}', "no 'proof'"),
        (b'{"name": "a", "proof": "rfl"}', "no 'statement'"),
        (b'{"name": "a", "statement": "p", "proof": 5}', "no 'proof'"),
        (b'{"name": "a", "statement": null, "proof": "rfl"}', "no 'statement'"),
        (b'{"name": 7, "statement": "p", "proof": "rfl"}', "no 'name'"),
        (b'{"name": "a", "statement": "p", "proof": "\\ud800"}', "surrogate"),
        (b"[" * 100_000, "nested"),
        (b'{"name": "a", "statement": "p", "proof": "rfl", "level": ' + b"9" * 5000 + b"}", "integer"),
        (b'{"name": "a", "statement": "theorem x (h : p", "proof": "rfl"}', "unclosed"),
        (b'{"proof": "' + b"x" * MAX_LINE + b'"}', "longer than 16 MiB"),
        (b"NaN", "not finite"),
    ],
)
def test_lines_that_say_no_proof(tmp_path: Path, line: bytes, said: str) -> None:
    good = encoded(ROWS[0][0])
    rows = read_rows(write(tmp_path / "in.jsonl", [good, line, good]))
    assert [row.claim is None for row in rows] == [False, True, False]
    assert rows[1].problem.startswith("input: line 2: ") and said in rows[1].problem


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", str(tmp_path / "no.jsonl"), "--output", str(tmp_path / "out.jsonl")]) == 1
    assert "no.jsonl: No such file" in capsys.readouterr().err


@needs_lean
def test_a_header_with_imports_of_its_own_gets_no_others(tmp_path: Path) -> None:
    row = {"name": "own", "header": "import Init\nopen Nat", "statement": "succ 1 = 2", "proof": "rfl"}
    rows = [row, row | {"name": "default", "header": ""}]
    source = write(tmp_path / "in.jsonl", [encoded(row) for row in rows])
    options = ["--set", "prover.kind=lean", "--set", 'prover.imports=["NoSuchModule"]']
    assert cli.main(["check", str(source), "--output", str(tmp_path / "out.jsonl"), *options]) == 0
    own, default = (json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines())
    assert own["ok"] and not default["ok"] and "NoSuchModule" in default["reason"]
