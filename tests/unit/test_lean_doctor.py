"""The doctor looks at what the configuration needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnqed.artifacts import UserError
from burnqed.config import ProverSettings, VerifySettings
from burnqed.evaluation import doctor

PROFILES = Path(__file__).parents[2] / "profiles"


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
    monkeypatch.setattr(doctor, "check_replay", lambda prover, verify: good)
    doctor.run_doctor(tmp_path, None, [])
    assert asked == [("gpu", False), ("memory", doctor.MIN_MEMORY), ("disk", doctor.MIN_DISK)]
    asked.clear()
    doctor.run_doctor(tmp_path, None, ["model.kind=pretrained"])
    assert asked == [
        ("gpu", True),
        ("memory", doctor.MIN_MEMORY_PRETRAINED),
        ("disk", doctor.MIN_DISK_PRETRAINED),
    ]
    asked.clear()
    monkeypatch.chdir(PROFILES.parent)
    doctor.run_doctor(tmp_path, None, [], "slurm")
    assert asked[:2] == [("gpu", False), ("memory", doctor.MIN_MEMORY)], "its jobs run elsewhere"


def test_profiles_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROFILES.parent)
    names = sorted(path.parent.name for path in PROFILES.glob("*/profile.yaml"))
    found = {name: doctor.read_profile(name) for name in names}
    assert found["rehearsal"] == (Path("profiles/rehearsal/experiment.yaml"), "local")
    assert found["slurm"] == (Path("config.yaml"), "slurm")
    assert {executor for _, executor in found.values()} == {"local", *doctor.EXECUTORS}
    with pytest.raises(UserError, match=r"no profile 'no-such'.*known: .*rehearsal"):
        doctor.read_profile("no-such")


def test_clusters_workers_and_replay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    missing = doctor.check_executor("slurm")
    assert missing.status == "fail" and "no sbatch on PATH" in missing.mend
    many = doctor.check_workers(settings(workers=16, memory_limit_mb=8192), 64e9)
    assert many.status == "note" and "together they may use 137 GB" in many.mend
    assert doctor.check_workers(settings(workers=2), 64e9).status == "ok"
    verify = VerifySettings()
    assert doctor.check_replay(settings(), verify).status == "note"
    assert doctor.check_replay(settings(), VerifySettings.model_validate({"leanchecker": "required"})).status == "fail"
    assert doctor.check_replay(ProverSettings.model_validate({"kind": "minilean"}), verify).status == "ok"
