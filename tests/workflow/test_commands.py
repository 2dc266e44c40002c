"""Every command of the workflow is one that its script understands."""

from __future__ import annotations

import importlib.util
import re
import shlex
from types import ModuleType

import pytest

from tests.workflow.conftest import ROOT, Run

COMMAND = re.compile(r'exec python "\$BURNQED_SCRIPTS"/(\w+)\.py (.*) > \S+ 2>&1')
BY_HAND = {"migrate_proofs"}  # a helper for users, not a step of a run
SCRIPTS = sorted({path.stem for path in (ROOT / "workflow_scripts").glob("*.py")} - BY_HAND)


class Understood(Exception):
    """The options were parsed and the work would start."""


def load(script: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"workflow_{script}", ROOT / "workflow_scripts" / f"{script}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def commands(looker: Run) -> dict[str, set[str]]:
    """Commands by script: of the rehearsal, and of the published experiment on a 24 GB card."""
    text = looker(
        "all",
        "data",
        "validate_tactics",
        "ablation_value",
        "joint_attribution",
        "baseline_report",
        *["-n", "-p", "--workflow-profile", "rehearsal"],
    ).stdout
    project = ["sources={mine: {file: project, kind: project}}", "data={pair_files: [mine]}"]
    text += looker("data", "-n", "-p", "--workflow-profile", "runpod", "--config", *project).stdout
    text += looker("iter_2", "-n", "-p", "--workflow-profile", "runpod", "--config", "search={shards: 1}").stdout
    joint = "training={mode: [sft, joint]}"
    text += looker("iter_2_joint", "-n", "-p", "--workflow-profile", "runpod", "--config", joint).stdout
    found: dict[str, set[str]] = {}
    for script, options in COMMAND.findall(text):
        found.setdefault(script, set()).add(options)
    return found


def test_every_script_has_a_rule_and_every_rule_a_script(commands: dict[str, set[str]]) -> None:
    assert sorted(commands) == SCRIPTS


@pytest.mark.parametrize("script", SCRIPTS)
def test_script_understands_its_commands(
    commands: dict[str, set[str]], monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    module = load(script)

    def begin(args: object) -> None:
        raise Understood

    monkeypatch.setattr(module, "start_script", begin)
    for options in commands[script]:
        options = options.replace("$BURNQED_MACHINE", "--device cpu --price-per-hour 0.5")
        with pytest.raises(Understood):
            module.main(shlex.split(options))
