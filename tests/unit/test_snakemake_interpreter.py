"""A checkout that is not installed, run by a Python that is called python3 alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from burnqed.snakemake import interpreter


def test_children_find_the_package_and_its_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreter.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setenv("PYTHONPATH", f"/elsewhere{os.pathsep}{interpreter.ROOT}")
    environment = interpreter.child_environment()
    assert environment["PYTHONPATH"].split(os.pathsep) == [
        *map(str, (interpreter.ROOT, interpreter.PLUGINS)),
        "/elsewhere",
    ]
    command = [sys.executable, "-c", f"import burnqed, {interpreter.PLUGIN}"]
    subprocess.run(command, env=environment, cwd=tmp_path, check=True)


def test_an_installed_package_changes_no_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreter, "ROOT", tmp_path)
    assert interpreter.module_path("") == ""


def test_python3_is_also_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert interpreter.python_folder(tmp_path) == str(Path(sys.executable).parent)
    bare = tmp_path / "a folder" / "python3"
    bare.parent.mkdir()
    bare.symlink_to(sys.executable)
    monkeypatch.setattr(sys, "executable", str(bare))
    folder = interpreter.python_folder(tmp_path / "scratch")
    done = subprocess.run([f"{folder}/python", "-c", "print(1 + 1)"], capture_output=True, text=True, check=True)
    assert done.stdout == "2\n"
