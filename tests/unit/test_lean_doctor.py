"""The doctor looks at what the configuration needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnqed.config import ProverSettings
from burnqed.evaluation import doctor


def settings(**values: object) -> ProverSettings:
    return ProverSettings.model_validate({"kind": "pantograph", **values})


def test_lean_is_needed_only_by_a_configuration_that_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert doctor.check_lean(ProverSettings.model_validate({"kind": "minilean"})).status == "note"
    missing = doctor.check_lean(settings(command=["repl", "Init"]))
    assert missing.status == "fail"
    assert "prover.command: repl is not an executable" in missing.mend and "no lake on PATH" in missing.mend
    repl = tmp_path / "repl"
    repl.write_text("#!/bin/sh\n")
    repl.chmod(0o755)
    assert doctor.check_lean(settings(command=["repl"], lean_path="/x")).status == "ok"
    assert doctor.check_lean(settings(command=["./repl"], project=str(tmp_path), lean_path="/x")).status == "ok"
    assert "prover.command is empty" in doctor.check_lean(settings(command=[], lean_path="/x")).mend


def test_limits_come_from_the_configuration(tmp_path: Path) -> None:
    assert doctor.check_disk(tmp_path, 0).status == "ok"
    assert doctor.check_disk(tmp_path, 1e18).status == "fail"
    assert doctor.check_memory(1).status == "ok"
    found = doctor.check_memory(1e18)
    assert found.status == "fail" and "this configuration needs" in found.mend


def test_a_pretrained_model_asks_for_a_gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, object]] = []
    good = doctor.Finding("x", "ok", "")

    def note(name: str, value: object) -> doctor.Finding:
        asked.append((name, value))
        return good

    monkeypatch.setattr(doctor, "check_gpu", lambda needed: note("gpu", needed))
    monkeypatch.setattr(doctor, "check_memory", lambda least: note("memory", least))
    monkeypatch.setattr(doctor, "check_disk", lambda results, least: note("disk", least))
    monkeypatch.setattr(doctor, "check_prover", lambda prover: good)
    monkeypatch.setattr(doctor, "check_packages", lambda: good)
    doctor.run_doctor(tmp_path, None, [])
    assert asked == [("gpu", False), ("memory", doctor.MIN_MEMORY), ("disk", doctor.MIN_DISK)]
    asked.clear()
    doctor.run_doctor(tmp_path, None, ["model.kind=pretrained"])
    assert asked == [
        ("gpu", True),
        ("memory", doctor.MIN_MEMORY_PRETRAINED),
        ("disk", doctor.MIN_DISK_PRETRAINED),
    ]
