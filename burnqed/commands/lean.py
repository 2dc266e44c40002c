"""`burnqed lean`: the Lean that a search would use, as `lean` would run, with its library path set."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from burnqed.config import ProverSettings
from burnqed.prover.toolchain import find_lean


def lean_command(words: Sequence[str]) -> int:
    """Become Lean with these arguments. Raises UserError with the remedy when there is no Lean."""
    parser = argparse.ArgumentParser(prog="burnqed lean", add_help=False, allow_abbrev=False)
    parser.add_argument("--config", type=Path)
    parser.add_argument("--set", action="append", default=[])
    ours, arguments = parser.parse_known_args(words)
    found = find_lean(_prover(ours.config, ours.set))
    paths = {name: value for name, value in found.environment if name in ("LEAN_PATH", "LEAN_SYSROOT")}
    os.execve(found.lean[0], [*found.lean, *arguments], {**os.environ, **paths})


def _prover(file: Path | None, changes: list[str]) -> ProverSettings:
    if file is None and not changes:
        return ProverSettings(kind="lean", command=[])
    from burnqed.evaluation.stack import load_blocks  # takes longer than Lean's own start

    prover = load_blocks({}, file, changes)[0]["prover"]
    assert isinstance(prover, ProverSettings)
    # The command of another kind is its repl: Lean is then the project's, or the one on PATH.
    return prover if prover.kind == "lean" else prover.model_copy(update={"kind": "lean", "command": []})
