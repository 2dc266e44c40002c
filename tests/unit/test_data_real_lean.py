"""Published text and real Lean: what was read elaborates, and others' proofs are judged by our check."""

from __future__ import annotations

import json
from pathlib import Path

from burnqed.commands.check import check_file
from burnqed.config import ProverSettings, VerifySettings
from burnqed.data.claims import read_claims
from burnqed.data.exporting import whole_file
from burnqed.data.published import read_published
from burnqed.records.attempts import Attempt, write_attempts
from burnqed.records.theorems import Theorem
from tests.unit.embedded_lean import needs_embedded_lean, run_lean
from tests.unit.real_lean import needs_lean

STATED = """open Nat

def double (n : Nat) : Nat := n + n
notation "D" n => double n

namespace Foo
def trip (n : Nat) : Nat := n + n + n
section
variable (k : Nat)
theorem inside (h : 0 < k) : k < D k := by sorry
end
/-- one -/
theorem first (n : Nat) (h : 0 < n) :
    n < double n := by sorry
theorem second {n : Nat} : trip n = 3 * n := by sorry
end Foo

abbrev answer_of : Nat := sorry
-- 4
theorem answered : answer_of = 2 + 2 := sorry
theorem third : let x := 3
    x = 3 := sorry
theorem fourth.{u} (α : Type u) (a b : α) (h : a = b) : b = a := by sorry
theorem fifth (n : Nat) : (match n with
  | 0 => 1
  | k + 1 => k + 2) = n + 1 := by sorry
theorem sixth : ∀ n : Nat, n + 0 = n := by sorry
def term (n : Nat) : Fin (n + 1) := sorry
"""
PROOFS = (
    STATED.replace("k < D k := by sorry", "k < D k := by\n  unfold double\n  omega")
    .replace("namespace Foo", "theorem half {n : Nat} (h : 0 < n) : n < n + n := by omega\nnamespace Foo")
    .replace("n < double n := by sorry", "n < double n := by\n  have := half h\n  exact this")
    .replace("3 * n := by sorry", "3 * n := by\n  unfold trip\n  omega")
    .replace("abbrev answer_of : Nat := sorry\n-- 4", "abbrev answer_of : Nat := 4")
    .replace("2 + 2 := sorry", "2 + 2 := rfl")
    .replace("x = 3 := sorry", "x = 3 := rfl")
    .replace("b = a := by sorry", "b = a := h.symm")
    .replace("n + 1 := by sorry", "n + 1 := by cases n <;> rfl")
    .replace("n + 0 = n := by sorry", "n + 0 = n := by\n  intro n\n  exact Nat.lt_irrefl n")
)


@needs_embedded_lean
def test_what_is_read_elaborates_in_every_form(tmp_path: Path) -> None:
    (tmp_path / "Test.lean").write_text(STATED)
    index = read_published(tmp_path / "Test.lean")
    assert len(index) == 9
    rows = [{"id": t.name, "lean4": whole_file(t)} for t in index.theorems]
    (tmp_path / "rows.json").write_text(json.dumps(rows))
    again = read_published(tmp_path / "rows.json")
    assert [(t.name, t.statement) for t in again.theorems] == [(t.name, t.statement) for t in index.theorems]
    for text in dict.fromkeys(whole_file(theorem) for theorem in [*index.theorems, *again.theorems]):
        found = run_lean(text, tmp_path)
        assert [message.text for message in found if message.severity == "error"] == [], text
        assert any("sorry" in message.text for message in found)


@needs_lean
def test_proofs_of_others_are_judged(tmp_path: Path) -> None:
    (tmp_path / "Test.lean").write_text(STATED)
    (tmp_path / "proofs.lean").write_text(PROOFS)
    claims = read_claims(tmp_path / "proofs.lean", benchmark=read_published(tmp_path / "Test.lean"))
    term = Theorem("term", "∀ (n : Nat), Fin (n + 1)", "", signature="(n : Nat) : Fin (n + 1)", keyword="def")
    attempts = [*claims.attempts, Attempt(term, "exact ⟨n, Nat.lt_succ_self n⟩")]
    write_attempts(tmp_path / "a.jsonl", attempts)
    prover = ProverSettings(kind="lean", imports=[])
    counts = check_file(tmp_path / "a.jsonl", tmp_path / "v.jsonl", prover, VerifySettings())
    verdicts = {row["name"]: row for row in map(json.loads, (tmp_path / "v.jsonl").read_text().splitlines())}
    refused = {name: row["reason"] for name, row in verdicts.items() if not row["ok"]}
    assert set(refused) == {"sixth"} and "Type mismatch" in refused["sixth"], refused
    assert counts == (len(attempts) - 1, 1, 0)
