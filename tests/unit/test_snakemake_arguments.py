"""Mistakes on Snakemake's command line, seen before Snakemake reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnqed.snakemake.arguments import asked_targets, check_command_line, problems, values_of


def test_values_of_an_option_end_at_the_next_one() -> None:
    words = ["all", "--config", "a=1", "b=2", "-n", "x", "--config=c=3", "--", "--config", "d=4"]
    assert values_of(words, "--config", "-C") == ["a=1", "b=2", "c=3"]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, executor in (("runpod", "local"), ("moon", "slurm")):
        (tmp_path / "profiles" / name).mkdir(parents=True)
        (tmp_path / "profiles" / name / "profile.yaml").write_text(f"executor: {executor}\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    return tmp_path


def found(place: Path, *words: str) -> list[str]:
    return list(problems(words, place))


def test_profiles_are_looked_for_where_snakemake_looks(place: Path) -> None:
    assert found(place, "--workflow-profile", "runpod", "-n") == []
    assert found(place, "--workflow-profile", "none") == found(place, "--workflow-profile", "profiles/runpod") == []
    assert found(place, "--workflow-profile=runpot") == [
        "--workflow-profile runpot: no such profile; did you mean runpod?"
    ]
    assert "not linked yet: run `make profiles`" in found(place, "--profile", "runpod")[0]
    (place / "home" / "snakemake").mkdir(parents=True)
    (place / "home" / "snakemake" / "runpod").symlink_to(place / "profiles" / "runpod")
    assert found(place, "--profile", "runpod") == []
    elsewhere = place / "other"
    elsewhere.mkdir()
    assert found(elsewhere, "--workflow-profile", "runpod", "-s", str(place / "Snakefile")) == []
    assert "there are runpod" in found(elsewhere, "--workflow-profile", "zzz")[0]


def test_a_profile_whose_package_is_missing_names_it(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert found(place, "--workflow-profile", "moon") == [
        "profile moon submits to slurm, which needs a package: .venv/bin/pip install -e '.[slurm]'"
    ]


def test_other_programs_and_snakemakes_own_jobs_are_left_alone(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["pytest", "--config", "a"], ["snakemake", "--config", "a", "--mode", "subprocess"], []):
        check_command_line(words)
        assert asked_targets(words) == []
    with pytest.raises(SystemExit):
        check_command_line(["/x/bin/snakemake", "--config", "a"])
    assert capsys.readouterr().err == (
        "snakemake: --config a: write NAME=VALUE (seed=1); a target after settings needs `--` before it: -- a\n"
    )
