"""Run the embedded Lean on a text; skips where its build cannot run, and only there."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from burnqed.prover.embedded import embedded_lean


def _glibc() -> tuple[int, ...]:
    name, version = platform.libc_ver()
    return tuple(map(int, version.split("."))) if name == "glibc" else ()


needs_embedded_lean = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64" or _glibc() < (2, 35),
    reason="the embedded Lean needs Linux x86-64 with glibc 2.35 or newer",
)


@dataclass(frozen=True)
class Message:
    """A message of Lean; lines count from 1."""

    line: int
    severity: str
    text: str


def run_lean(text: str, folder: Path) -> list[Message]:
    """Return the messages of Lean on a file with this text."""
    lean, path = embedded_lean(), folder / "Test.lean"
    path.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [*lean.argv, "--json", str(path)], env={**os.environ, **lean.environment}, capture_output=True, text=True
    )
    assert done.stderr == "", done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return [Message(m["pos"]["line"], m["severity"], m["data"]) for m in found]
