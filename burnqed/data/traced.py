"""A repository that LeanDojo traced, as theorems with tactics: runs LeanDojo's own package.

Run as its own process, since importing that package changes logging and reads the environment:
``python -m burnqed.data.traced FOLDER --output FILE``. Nothing is downloaded: the package asks
GitHub for dependencies and a remote cache that a repository traced already does not need.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from burnqed.files import UserError, atomic_path
from burnqed.words import counted

MISSING = 3


def extract_traced(folder: Path, output: Path, python: str = sys.executable) -> None:
    """Write the theorems of a traced repository in LeanDojo's form, in another process.

    ``python`` is the interpreter that has lean-dojo. Raises UserError when the package is missing or
    the folder is no traced repository.
    """
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    done = subprocess.run(
        [python, "-m", "burnqed.data.traced", str(folder), "--output", str(output)],
        capture_output=True,
        text=True,
        env=environment,
    )
    if done.returncode == MISSING:
        raise UserError("kind traced needs the package lean-dojo: `pip install 'burnqed[trace]'`")
    if done.returncode:
        raise UserError(
            f"{folder}: not a repository that LeanDojo traced (a git repository with .lake/build/ir/*.trace.xml), or "
            f"its package failed: {(done.stderr.strip().splitlines() or ['no message'])[-1][:500]}"
        )


def main(argv: Sequence[str] | None = None) -> int:
    """Load the repository and write one JSON line per theorem with a tactic proof."""
    parser = argparse.ArgumentParser(description="Extract tactics from a repository that LeanDojo traced.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--output", type=Path, required=True)
    args = parser.parse_args(argv)
    # Read when the package is imported: no remote cache, no token (it would call GitHub), no ray.
    os.environ["DISABLE_REMOTE_CACHE"] = "1"
    os.environ["NUM_PROCS"] = "2"
    os.environ.pop("GITHUB_ACCESS_TOKEN", None)
    try:
        lean_dojo = importlib.import_module("lean_dojo")
        repositories = importlib.import_module("lean_dojo.data_extraction.lean")
    except ImportError:
        return MISSING
    repositories.LeanGitRepo.get_dependencies = lambda self, path=None: {}
    repository = lean_dojo.TracedRepo.load_from_disk(args.folder.resolve(), build_deps=False)
    count = 0
    with atomic_path(args.output) as partial, partial.open("w", encoding="utf-8") as stream:
        for theorem in repository.get_traced_theorems():
            if not theorem.has_tactic_proof():
                continue
            row = {
                "full_name": theorem.theorem.full_name,
                "file_path": str(theorem.theorem.file_path),
                "theorem_statement": theorem.get_theorem_statement(),
                "traced_tactics": [
                    {"tactic": t.tactic, "state_before": t.state_before, "state_after": t.state_after}
                    for t in theorem.get_traced_tactics()
                    if t.state_before != "no goals"
                ],
            }
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
            count += 1
    print(counted(count, "theorem"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
