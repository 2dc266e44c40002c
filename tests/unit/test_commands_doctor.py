"""The doctor looks at what the configuration needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnqed.commands import doctor
from burnqed.config import ProverSettings, VerifySettings
from burnqed.files import UserError

PROFILES = Path(__file__).parents[2] / "profiles"


def settings(**values: object) -> ProverSettings:
    return ProverSettings.model_validate({"kind": "pantograph", **values})


def test_which_lean_is_found_and_which_kind_fits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A toolchain is a folder with bin/lean, which tells its version and place; a script can say that too."""
    tools = tmp_path / "toolchain"
    (tools / "bin").mkdir(parents=True)
    lean = tools / "bin" / "lean"
    lean.write_text(f'#!/bin/sh\n[ "$1" = --print-prefix ] && echo {tools} || echo "$SAID"\n')
    lean.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    monkeypatch.setenv("SAID", "4.35.0")
    missing = doctor.check_lean(settings(command=["repl", "Init"]))
    assert missing.status == "fail" and "'repl' is not an executable file" in missing.text
    monkeypatch.setenv("PATH", f"{tools}/bin:/bin:/usr/bin")
    advised = doctor.check_lean(settings())
    assert advised.status == "fail" and advised.remedy.startswith("set prover.kind: lean, which works here")
    found = doctor.check_lean(settings(kind="lean"))
    assert (found.status, found.text) == ("ok", f"4.35.0: {lean}")
    lean.with_name("older").mkdir()
    old = tools / "bin" / "older" / "lean"
    (tools / "bin" / "older" / "bin").mkdir()
    old = old.parent / "bin" / "lean"
    old.write_text(f'#!/bin/sh\n[ "$1" = --print-prefix ] && echo {old.parent.parent} || echo 4.9.0\n')
    old.chmod(0o755)
    refused = doctor.check_lean(settings(kind="lean", command=[str(old)]))
    assert refused.status == "fail" and "is Lean 4.9.0; 4.20 or newer is needed" in refused.text
    wrong = doctor.check_lean(settings(kind="lean", command=["/bin/echo"]))
    assert wrong.status == "fail" and "names no toolchain" in wrong.text


def test_limits_come_from_the_configuration(tmp_path: Path) -> None:
    assert doctor.check_disk(tmp_path, 0).status == "ok"
    assert doctor.check_disk(tmp_path, 1e18).status == "fail"
    assert doctor.check_memory(1).status == "ok"
    found = doctor.check_memory(1e18)
    assert found.status == "fail" and "this configuration needs" in found.remedy


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
    monkeypatch.setattr(doctor, "check_recheck", lambda prover, verify: good)
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


def test_clusters_workers_and_recheck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    missing = doctor.check_executor("slurm")
    assert missing.status == "fail" and "no sbatch on PATH" in missing.remedy
    many = doctor.check_workers(settings(workers=16, memory_limit_mb=8192), 64e9)
    assert many.status == "note" and "together they may use 137 GB" in many.remedy
    assert doctor.check_workers(settings(workers=2), 64e9).status == "ok"
    verify = VerifySettings()
    assert doctor.check_recheck(settings(sandbox="off"), verify).status == "fail"


def test_a_completions_server_is_asked_for_where_one_is_configured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the trial's small model, too: its searches start servers on a machine that has a GPU."""
    good = doctor.Finding("x", "ok", "")
    for name in ("packages", "sandbox", "prover", "recheck", "lean"):
        monkeypatch.setattr(doctor, f"check_{name}", lambda *_: good)
    asked: list[bool] = []
    monkeypatch.setattr(doctor, "check_gpu", lambda needed: asked.append(needed) or good)
    monkeypatch.setenv("PATH", str(tmp_path))
    file = tmp_path / "trial.yaml"
    file.write_text(
        "model: {kind: scratch}\npolicy: {backend: server}\nhardware: h100\nhardware_types: {h100: {device: cuda}}\n"
    )
    assert doctor.run_doctor(tmp_path, file, []) == 1
    assert "jobs cannot start a completions server" in capsys.readouterr().out
    assert asked == [True]
