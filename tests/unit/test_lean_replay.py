"""Replay of accepted proofs through the kernel, with a toolchain that answers as the real one does."""

from __future__ import annotations

import asyncio
import dataclasses
import sys
from pathlib import Path
from typing import Any

import pytest

from burnqed.artifacts import UserError
from burnqed.config import ProverSettings, VerifySettings
from burnqed.data.theorems import Theorem
from burnqed.lean import replay
from burnqed.lean.sandbox import probe
from burnqed.lean.verify import Verdict, verify_proofs

FAKE = Path(__file__).with_name("lean_fake_repl.py")
# The compiler copies the text to the place of the .olean, without those lines that its elaborator refuses.
LEAN = """#!/bin/sh
if [ "$1" = --print-prefix ]; then echo "{prefix}"; exit; fi
if grep -q "  slow" "$3"; then sleep 60; fi
if grep -q "  uncompiled" "$3"; then echo "$3:2:2: error: unsolved goals"; exit 1; fi
cp "$3" "$2"
"""
# What it says on a refusal: as printed by the tool of Lean 4.28.
CHECKER = """#!/bin/sh
for folder in $(echo "$LEAN_PATH" | tr : ' '); do if [ -f "$folder/$1.olean" ]; then file="$folder/$1.olean"; fi; done
if [ -z "$file" ]; then echo "uncaught exception: Could not find any oleans for: $1" >&2; exit 1; fi
if grep -q "  hacked" "$file"; then
  echo "leanchecker found a problem in $1" >&2
  echo "uncaught exception: while replaying declaration 't':" >&2
  echo "(kernel) declaration type mismatch, 't' has type" >&2
  exit 1
fi
{extra}
"""


@pytest.fixture
def toolchain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A toolchain on PATH whose compiler and checker are scripts."""
    tools = tmp_path / "toolchain" / "bin"
    tools.mkdir(parents=True)
    write(tools / "lean", LEAN.format(prefix=tools.parent))
    write(tools / "leanchecker", CHECKER.format(extra=""))
    monkeypatch.setenv("PATH", f"{tools}:/usr/bin:/bin")
    monkeypatch.setattr(replay, "_found", {})
    return tools


def write(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)


def prover(**values: Any) -> ProverSettings:
    base = {"command": [sys.executable, str(FAKE)], "workers": 1, "sandbox": "off", "ready_timeout": 60}
    return ProverSettings.model_validate({**base, **values})


def verdicts(proofs: list[str], settings: ProverSettings, **values: Any) -> tuple[list[Verdict], list[int]]:
    """The verdicts, and the order in which they were told."""
    items = [(Theorem(f"t{number}", "p"), [proof]) for number, proof in enumerate(proofs)]
    told: list[int] = []
    verify = VerifySettings.model_validate({"timeout": 5, **values})
    found = asyncio.run(verify_proofs(items, settings, verify, lambda index, _: told.append(index)))
    return found, told


MODES = ["off", *(mode for mode in ("bubblewrap", "namespaces") if probe(mode) is None)]


@pytest.mark.parametrize("mode", MODES)
def test_the_kernel_has_the_last_word(toolchain: Path, mode: str) -> None:
    proofs = ["good", "hacked", "wrong", "fine", "uncompiled", "better"]
    found, told = verdicts(proofs, prover(sandbox=mode))
    assert [v.kind for v in found] == ["ok", "kernel", "error", "ok", "kernel", "ok"]
    assert found[1].reason == (
        "kernel: leanchecker found a problem in BurnQedReplay uncaught exception: while replaying declaration 't': "
        "(kernel) declaration type mismatch, 't' has type"
    )
    assert "does not compile" in found[4].reason and "unsolved goals" in found[4].reason
    assert found[0].checks == ["frontend.track", "leanchecker"]
    assert sorted(told) == list(range(len(proofs))), "each told once"
    assert told[0] == 2, "an accepted proof is told after its replay"


def test_groups_and_time(toolchain: Path) -> None:
    found, told = verdicts(["a", "b", "c"], prover(), proofs_per_process=2)
    assert [v.checks[-1] for v in found] == ["leanchecker"] * 3
    assert told == [0, 1, 2]
    replayer = asyncio.run(replay.find_replayer(prover(), "required"))
    assert replayer is not None
    hasty = dataclasses.replace(replayer, start_limit=0.1)
    (refusal,) = asyncio.run(hasty.refusals([(Theorem("t", "p"), ["slow"])], 0.1))
    assert refusal is not None and "leanchecker did not run (exit status -1): not done within 0.3 s" in refusal


def test_it_can_be_off_missing_or_required(toolchain: Path) -> None:
    def first(**values: Any) -> Verdict:
        return verdicts(["hacked"], prover(), **values)[0][0]

    assert first(leanchecker="off").checks == ["frontend.track"]
    assert first(leanchecker="off", track=False).checks == []
    write(toolchain / "leanchecker", "#!/bin/sh\necho 'error while loading shared libraries'; exit 127\n")
    assert first().ok, "one that refuses a trivial theorem is not asked"
    with pytest.raises(UserError, match=r"verify.leanchecker: required, but .* trivial theorem: error while loading"):
        first(leanchecker="required")
    (toolchain / "leanchecker").unlink()
    assert first().ok
    with pytest.raises(UserError, match="has no leanchecker"):
        first(leanchecker="required")
    mini = ProverSettings.model_validate({"kind": "minilean"})
    assert asyncio.run(replay.find_replayer(mini, "required")) is None


def test_the_toolchain_of_the_project_is_asked(
    toolchain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "lake").mkdir()
    script = f'#!/bin/sh\ncase "$3" in LEAN_SYSROOT) echo {toolchain.parent};; *) echo .lake/lib;; esac\n'
    write(tmp_path / "lake" / "lake", script)
    monkeypatch.setenv("PATH", f"{tmp_path / 'lake'}:/usr/bin:/bin")
    found = asyncio.run(replay.find_replayer(prover(project=str(tmp_path / "project")), "auto"))
    assert found is not None
    assert found.lean == str(toolchain / "lean")
    assert found.environment["LEAN_PATH"] == str(tmp_path / "project" / ".lake" / "lib")
