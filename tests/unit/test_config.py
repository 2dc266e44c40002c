"""config.yaml, the settings classes and the schema say the same."""

from __future__ import annotations

import argparse
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import BaseModel, Field

from burnqed.config import (
    MACHINE_KEYS,
    Config,
    EvaluationSettings,
    HardwareSettings,
    JointSettings,
    ProverSettings,
    SearchSettings,
    Settings,
    add_flags,
    flags,
    load_config,
    settings_from,
)
from burnqed.config.reference import schema
from burnqed.files import UserError, digest

ROOT = Path(__file__).parents[2]
BLOCKS = {
    name: info.annotation
    for name, info in Config.model_fields.items()
    if isinstance(info.annotation, type) and issubclass(info.annotation, BaseModel)
}


def published() -> dict[str, Any]:
    values = yaml.safe_load((ROOT / "config.yaml").read_text())
    assert isinstance(values, dict)
    return values


def test_config_yaml_holds_every_key_with_its_default() -> None:
    values, defaults = published(), Config().model_dump()
    assert list(values) == list(Config.model_fields)
    for name, kind in BLOCKS.items():
        assert list(values[name]) == list(kind.model_fields), name
    for entry in values["hardware_types"].values():
        assert list(entry) == list(HardwareSettings.model_fields)
    loaded = load_config(values).model_dump()
    # Machines are the one thing that the published file names and the classes do not.
    del loaded["hardware_types"], defaults["hardware_types"]
    assert loaded == defaults


def test_config_yaml_explains_every_key() -> None:
    for number, line in enumerate((ROOT / "config.yaml").read_text().splitlines(), 1):
        is_key = line.strip() and not line.strip().startswith(("#", "-")) and not line.startswith("  rtx4090")
        if is_key and not any(line.strip().startswith(f"{name}:") for name in ("minif2f_test", "hardware_types")):
            explained = "#" in line or line.startswith("    s") or line.startswith("  cpu")
            assert explained, f"config.yaml:{number}: {line}"


def test_every_setting_has_a_description() -> None:
    for kind in [Config, *BLOCKS.values()]:
        for name, info in kind.model_fields.items():
            assert info.description or name in BLOCKS, f"{kind.__name__}.{name}"


def test_the_schema_is_printed_for_editors() -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "burnqed.config"], capture_output=True, text=True, check=True
    ).stdout
    assert json.loads(printed) == schema()


def test_rehearsal_overlay_is_valid() -> None:
    overlay = yaml.safe_load((ROOT / "profiles" / "rehearsal" / "experiment.yaml").read_text())
    merged = published()
    for name, value in overlay.items():
        merged[name] = {**merged[name], **value} if isinstance(value, dict) else value
    cfg = load_config(merged)
    assert (cfg.prover.kind, cfg.data.source) == ("lean", "corpus")
    assert set(cfg.benchmarks) == {"benchmark", "classical"}
    assert cfg.machine.device == "cpu"


@pytest.mark.parametrize("name", BLOCKS)
def test_flags_carry_every_setting(name: str) -> None:
    kind = BLOCKS[name]
    assert issubclass(kind, Settings)
    settings = getattr(Config(), name)
    parser = argparse.ArgumentParser()
    add_flags(parser, name, kind)
    args = parser.parse_args(shlex.split(" ".join(flags(name, settings))))
    # To the letter (1 is not 1.0): keys of unfinished work and of finished files are digests of it.
    assert digest(settings_from(args, name, kind).model_dump()) == digest(settings.model_dump())


def test_flags_carry_changed_settings() -> None:
    settings = SearchSettings(probe_tactics=["simp [a, b]", "omega"], temperature=0.25, mode="mixed")
    parser = argparse.ArgumentParser()
    add_flags(parser, "search", SearchSettings)
    args = parser.parse_args(shlex.split(" ".join(flags("search", settings))))
    assert settings_from(args, "search", SearchSettings) == settings


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"serch": {}}, "serch: unknown key; did you mean 'search'?"),
        ({"search": {"expansion": 1}}, "search.expansion: unknown key; did you mean 'expansions'?"),
        ({"search": {"expansions": 0}}, "search.expansions: "),
        ({"search": {"expansions": "many"}}, "got 'many'"),
        ({"policy": {"backend": "magic"}}, "policy.backend: "),
        ({"evaluation": {"benchmark": "other"}}, "'other' is not a key of `benchmarks`"),
        ({"evaluation": {"budgets": [300, 100]}}, "evaluation.budgets"),
        ({"hardware": "abacus"}, "'abacus' is not a key of `hardware_types`"),
    ],
)
def test_wrong_values_are_refused_by_name(change: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError) as caught:
        load_config(change)
    assert message in str(caught.value)


def test_settings_of_the_machine_are_no_options_of_the_workflow() -> None:
    cfg = load_config(
        {
            "hardware": "small",
            "prover": {"workers": 3},
            "hardware_types": {
                "small": {"settings": {"sft": {"micro_batch_tokens": 2048}, "prover": {"workers": 5, "sandbox": "off"}}}
            },
        }
    )
    machine = cfg.machine_settings()
    assert machine["sft"] == {"micro_batch_tokens": 2048}
    # What the experiment changes itself stays.
    assert machine["prover"]["workers"] == 3
    assert machine["prover"]["sandbox"] == "off"
    for block, keys in MACHINE_KEYS.items():
        assert set(machine[block]) == keys <= set(BLOCKS[block].model_fields)
    assert "--prover.workers" not in " ".join(flags("prover", cfg.prover))
    assert "--prover.tactic_timeout" in " ".join(flags("prover", cfg.prover))
    parser = argparse.ArgumentParser()
    add_flags(parser, "prover", BLOCKS["prover"])
    assert settings_from(parser.parse_args([]), "prover", BLOCKS["prover"], machine["prover"]) == cfg.prover.model_copy(
        update={"sandbox": "off"}
    )
    given = parser.parse_args(["--prover.workers", "7"])  # an option comes first
    assert settings_from(given, "prover", ProverSettings).workers == 7


def test_a_machine_does_not_change_the_experiment() -> None:
    with pytest.raises(UserError, match=r"search\.expansions belongs to the experiment"):
        load_config({"hardware_types": {"cpu": {"settings": {"search": {"expansions": 3}}}}})


def test_null_drops_a_benchmark() -> None:
    cfg = load_config(
        {"benchmarks": {"minif2f_test": None, "mine": {"source": "mine.json"}}, "evaluation": {"benchmark": "mine"}}
    )
    assert list(cfg.benchmarks) == ["mine"]


def test_every_setting_has_a_role_in_the_schema() -> None:
    schema = Config.model_json_schema()
    for name, block in {"Config": schema, **schema["$defs"]}.items():
        for key, field in block["properties"].items():
            assert field.get("role") in ("science", "machine", "presentation", "plan"), f"{name}.{key}"


def test_keys_are_made_of_science_alone() -> None:
    plain, other = ProverSettings(), ProverSettings(workers=3, sandbox="off", project="/elsewhere")
    assert plain.science() == other.science()
    assert plain.which_lean() != other.which_lean()
    assert plain.science() != ProverSettings(tactic_timeout=1).science()
    assert "confidence" not in EvaluationSettings().science()
    assert "min_rank1" in JointSettings.keys_of("presentation")


def test_an_unknown_role_is_refused() -> None:
    with pytest.raises(TypeError, match=r"Wrong\.key: its role is one of science"):

        class Wrong(Settings):
            key: int = Field(1, json_schema_extra={"role": "fast"})


def test_the_guide_names_every_setting_of_the_machine() -> None:
    text = (ROOT / "docs" / "operations.md").read_text().partition("## What makes results stale")[2].partition("##")[0]
    named = {f"{block}.{key}" for block, keys in MACHINE_KEYS.items() for key in keys}
    assert set(re.findall(r"`(\w+\.\w+)`", text)) == named
