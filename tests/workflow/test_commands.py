"""Every command of the workflow is one that its script understands."""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
import sys

import pytest

from burnqed.jobs.runner import Job
from tests.workflow.conftest import ROOT, Run

COMMAND = re.compile(r'exec "\$BURNQED_PYTHON" "\$BURNQED_SCRIPTS"/(\w+)\.py (.*?) >\S+ 2>&1')
BY_HAND = {"migrate_proofs"}  # a helper for users, not a step of a run
SCRIPTS = sorted({path.stem for path in (ROOT / "workflow_scripts").glob("*.py")} - BY_HAND)


def load(script: str) -> type[Job]:
    """Return the job of a script."""
    spec = importlib.util.spec_from_file_location(f"workflow_{script}", ROOT / "workflow_scripts" / f"{script}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    (found,) = (
        value for value in vars(module).values() if isinstance(value, type) and value.__module__ == module.__name__
    )
    assert issubclass(found, Job)
    return found


@pytest.fixture(scope="module")
def commands(looker: Run) -> dict[str, set[str]]:
    """Commands by script: of the rehearsal, and of the published experiment on a 24 GB card."""
    text = looker(
        "all",
        "data",
        "validate_tactics",
        "ablation_value",
        "expert_iteration",
        "value_lab",
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
    for script, options in COMMAND.findall(text.replace("\\\n", " ")):
        found.setdefault(script, set()).add(options)
    return found


def test_every_script_has_a_rule_and_every_rule_a_script(commands: dict[str, set[str]]) -> None:
    assert sorted(commands) == SCRIPTS


@pytest.mark.parametrize("script", SCRIPTS)
def test_script_understands_its_commands(commands: dict[str, set[str]], script: str) -> None:
    kind = load(script)
    machine = json.dumps({"device": "cpu", "prices": {"h100": 2.0}, "settings": {"prover": {"workers": 3}}})
    for options in commands[script]:
        words = [machine if word == "$BURNQED_MACHINE" else word for word in shlex.split(options)]
        job = kind.parse(words)
        if "--machine" in words:
            assert job.device == "cpu"
        if "prover" in kind.types:
            assert job.prover.workers == 3  # type: ignore[attr-defined]
