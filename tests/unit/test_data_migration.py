"""Moving proofs to another toolchain: survival per step, renames of whole names only."""

from __future__ import annotations

from pathlib import Path

import pytest
from real_lean import needs_lean

from burnqed.config import ProverSettings
from burnqed.data.migration import migrate, read_renames, rename
from burnqed.data.whole_proofs import LeanText
from burnqed.files import UserError

PROVER = ProverSettings(kind="lean", imports=[], workers=2)


def test_renames_touch_whole_names_only() -> None:
    table = {"Nat.old": "Nat.new", "old": "fresh"}
    assert rename("exact Nat.old h; simp [old, Nat.old.x, my.old, old', older]", table) == (
        "exact Nat.new h; simp [fresh, Nat.new.x, my.old, old', older]"
    )


def test_a_table_of_renames_is_read(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("# 2024\nNat.a,Nat.b\n")
    assert read_renames(path) == {"Nat.a": "Nat.b"}
    path.write_text("Nat.a\n")
    with pytest.raises(UserError, match=r"r\.csv: entry 1"):
        read_renames(path)


@needs_lean
def test_survival_is_reported_per_step(tmp_path: Path) -> None:
    texts = [
        LeanText("sound", "import Mathlib\ntheorem a (p : Prop) (h : p) : p := by\n  exact h\n"),
        LeanText("renamed", "theorem b (n : Nat) : n + 0 = n := by\n  exact Nat.old_add_zero n\n"),
        LeanText("false", "theorem c (p q : Prop) (h : p) : q := by\n  exact h\n"),
    ]
    tables = [("useless", {"Nat.nothing": "Nat.x"}), ("names", {"Nat.old_add_zero": "Nat.add_zero"})]
    report = migrate(texts, tables, PROVER, 120, tmp_path / "report.json", tmp_path / "out")
    assert [(step["step"], step["texts_changed"], step["compile"]) for step in report["steps"]] == [
        ("as published", 0, 1),
        ("useless", 0, 1),
        ("names", 1, 2),
    ]
    assert list(report["left"]) == ["false"] and report["causes"] == {"tactic_change": 1}
    assert "Nat.add_zero" in (tmp_path / "out/renamed.lean").read_text()
    assert not (tmp_path / "out/false.lean").exists()
