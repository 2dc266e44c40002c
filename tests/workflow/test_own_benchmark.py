"""The page "Bring your own benchmark" works word for word."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from burnqed.records.attempts import read_attempts
from burnqed.records.theorems import read_theorem_index
from tests.workflow.conftest import ROOT, environment

PAGE = ROOT / "docs" / "benchmarks.md"


def test_the_page_works_word_for_word(tmp_path: Path) -> None:
    for name in ("Snakefile", "config.yaml", "rules", "workflow_scripts", "captions", "profiles", "envs", "burnqed"):
        if (ROOT / name).exists():
            (tmp_path / name).symlink_to(ROOT / name)
    blocks = re.findall(r"```sh\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    command = tmp_path / "bin" / "burnqed"  # this checkout's, whatever is installed
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m burnqed "$@"\n')
    command.chmod(0o755)
    path = f"{command.parent}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", "\n".join(blocks)],
        cwd=tmp_path,
        env=environment(PATH=path, PYTHONPATH=str(ROOT), XDG_CACHE_HOME=str(tmp_path / "cache")),
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    out = done.stdout
    assert done.returncode == 0, out
    assert "mine/test.jsonl: 2 theorems, 0 with a proof" in out
    assert "2 problems in both: 2 with the same statement" in out
    assert "'miniF2F test' is not one set; name one of these sources: minif2f_lean4" in out and "refused" in out
    assert "mine/attempts.jsonl: 1 proof of 1 theorem, from 2 entries" in out
    made = tmp_path / "mine" / "results" / "data" / "benchmarks"
    first, best = read_theorem_index(made / "mine.json").theorems
    assert "def double" in first.header and "best_solution" not in first.header
    assert "abbrev best_solution : ℕ :=\n  4" in best.header
    theirs = read_theorem_index(made / "theirs.json")
    assert [(t.name, t.statement) for t in theirs.theorems] == [("t1", "∀ (n : ℕ), n = n")]
    assert "'t2' cannot be read: unclosed" in theirs.source["damage"]["examples"][0]
    (attempt,) = read_attempts(tmp_path / "mine" / "attempts.jsonl")
    assert attempt.proof.startswith("have half {n : ℕ} (h : 0 < n) : n < n + n := by omega\nhave := half h")
    assert attempt.theorem == first and not attempt.differs
    row = json.loads((tmp_path / "mine" / "goedel.jsonl").read_text().splitlines()[0])
    assert row["lean4_code"].endswith("n < double n := by\n  sorry\n")
    assert (tmp_path / "mine" / "project" / "Statements" / "first.lean").exists()
