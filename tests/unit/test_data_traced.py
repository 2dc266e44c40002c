"""The adapter of repositories that LeanDojo traced: a package with the calls it makes stands in for lean-dojo."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from burnqed.config import DataSettings, ProverSettings, SourceSettings
from burnqed.data import traced
from burnqed.data.build import extract_source
from burnqed.data.extraction import read_traces
from burnqed.files import UserError

# The names and signatures of lean-dojo: TracedRepo.load_from_disk, TracedTheorem, TracedTactic.
PACKAGE = """
import os, pathlib
from types import SimpleNamespace as Some
from lean_dojo.data_extraction import lean
assert os.environ["DISABLE_REMOTE_CACHE"] == "1" and "GITHUB_ACCESS_TOKEN" not in os.environ

class Theorem:
    def __init__(self, name, statement, tactics):
        self.theorem = Some(full_name=name, file_path=pathlib.Path("A.lean"))
        self.statement, self.tactics = statement, tactics
    def has_tactic_proof(self):
        return self.tactics is not None
    def get_theorem_statement(self):
        return self.statement
    def get_traced_tactics(self):
        return [Some(tactic=t, state_before=b, state_after=a) for t, b, a in self.tactics]

class TracedRepo:
    @staticmethod
    def load_from_disk(folder, build_deps=True):
        assert not build_deps and lean.LeanGitRepo.get_dependencies(None) == {}
        if not list(folder.rglob("*.trace.xml")):
            raise RuntimeError("no traced file")
        steps = [("intro h", "p : Prop\\n⊢ p → p", "p : Prop\\nh : p\\n⊢ p"), ("exact h", "p : Prop\\nh : p\\n⊢ p", "no goals"),
                 ("done", "no goals", "no goals")]
        return Some(get_traced_theorems=lambda: [Theorem("A.t", "theorem t (p : Prop) : p → p :=", steps),
                                                 Theorem("A.term", "theorem term : True", None)])
"""


@pytest.fixture
def python(tmp_path: Path) -> str:
    """An interpreter that has the package."""
    package = tmp_path / "packages/lean_dojo/data_extraction"
    package.mkdir(parents=True)
    (package.parent / "__init__.py").write_text(PACKAGE)
    (package / "__init__.py").touch()
    (package / "lean.py").write_text("class LeanGitRepo:\n    def get_dependencies(self, path=None): raise OSError\n")
    script = tmp_path / "python"
    script.write_text(f'#!/bin/sh\nPYTHONPATH="$PYTHONPATH:{tmp_path}/packages" exec "{sys.executable}" "$@"\n')
    script.chmod(0o755)
    return str(script)


def test_a_traced_repository_becomes_theorems_with_tactics(
    tmp_path: Path, python: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = tmp_path / "repository"
    (repository / ".lake/build/ir").mkdir(parents=True)
    monkeypatch.setenv("GITHUB_ACCESS_TOKEN", "secret")
    output = tmp_path / "out.jsonl"
    with pytest.raises(UserError, match=r"repository: not a repository that LeanDojo traced .*no traced file"):
        traced.extract_traced(repository, output, python)
    assert not output.exists()
    (repository / ".lake/build/ir/A.trace.xml").touch()
    monkeypatch.setattr(traced.extract_traced, "__defaults__", (python,))
    sources = {"mine": SourceSettings(file=str(repository), kind="traced")}
    prover = ProverSettings()
    report = extract_source("mine", sources, DataSettings(), prover, output, tmp_path / "failures.json")
    assert (report["theorems"], report["failed"]) == (1, {})
    (trace,) = read_traces(output, "mine")
    assert (trace.theorem, trace.statement) == ("A.t", "∀ (p : Prop), p → p")
    assert [(p.tactic, p.depth) for p in trace.pairs] == [("intro h", 0), ("exact h", 1)]


def test_without_the_package_the_message_names_it(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"pip install 'burnqed\[trace\]'"):
        traced.extract_traced(tmp_path, tmp_path / "out.jsonl")
