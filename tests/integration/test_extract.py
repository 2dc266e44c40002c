"""A Lean project in, tactic pairs out, by the workflow's own rules: `snakemake data` with a scripted prover."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from burnqed.records.pairs import read_pairs
from tests.forking import ROOT, forking

FAKE = ROOT / "tests" / "unit" / "extract_fake_repl.py"
pytestmark = pytest.mark.slow


def theorem(number: int) -> str:
    return f"theorem t{number} (p q : Prop) (hp : p) (hq : q) : p ∧ q ∧ {number} = {number} := by\n" + (
        "  constructor\n  · exact hp\n  · constructor\n    · exact hq\n    · rfl\n\n"
    )


def test_a_project_becomes_training_pairs(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    for file in range(8):
        (project / f"F{file}.lean").write_text("".join(theorem(10 * file + k) for k in range(10)))
    (project / "Broken.lean").write_bytes(b"theorem b : \xff")
    (project / "Wrong.lean").write_text("theorem wrong (p q : Prop) (h : p) : q := by\n  exact h\n" + theorem(90))
    (tmp_path / "theorems.jsonl").write_text('{"name": "s", "statement": "∀ (p : Prop), p → p"}\n')
    results = tmp_path / "results"
    overlay = {
        "results": str(results),
        "data": {
            "source": "files",
            "pair_files": ["mine"],
            "theorem_files": [str(tmp_path / "theorems.jsonl")],
            "trivial_share": 1.0,
        },
        "sources": {"mine": {"file": str(project), "kind": "project"}},
        "benchmarks": {"minif2f_test": None, "classical": {"source": "corpus:classical"}},
        "evaluation": {"benchmark": "classical"},
        "prover": {
            "kind": "pantograph",
            "command": [sys.executable, str(FAKE)],
            "lean_path": str(FAKE.parent),
            "sandbox": "off",
            "workers": 2,
        },
    }
    (tmp_path / "overlay.yaml").write_text(yaml.safe_dump(overlay))
    command = ["snakemake", "data", "--cores", "2", "--directory", str(tmp_path)]
    command += ["--configfile", str(tmp_path / "overlay.yaml")]
    cold = {**os.environ, "BURNQED_WARM": "off"}  # none of these jobs needs what the warm process imports
    done = subprocess.run(
        forking().command(command), cwd=ROOT, env=cold, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    failures = json.loads((results / "data/extracted/mine.failures.json").read_text())
    assert (failures["texts"], failures["theorems"], failures["left_out"]) == (10, 81, {"error": 1})
    assert list(failures["failed"]) == ["Broken.lean"]
    pairs = [
        *read_pairs(results / "data/tactic_pairs/train.jsonl"),
        *read_pairs(results / "data/tactic_pairs/val.jsonl"),
    ]
    assert {pair.theorem for pair in pairs} == {f"t{n}" for n in [*range(80), 90]}
    assert {pair.source for pair in pairs} == {"mine"}
    report = json.loads((results / "data/report.json").read_text())
    assert report["sources"][0]["kind"] == "project" and report["pairs_by_source"] == {"mine": len(pairs)}
    for name in ("figures/data_sizes.svg", "tables/data.html", "data/pool.json"):
        assert (results / name).stat().st_size > 0
