"""Setting up machines: the script with stand-ins for every program that needs the network, and the recipes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml
from real_lean import needs_lean

from burnqed.cloud.smoke import main as smoke
from burnqed.config import load_config

ROOT = Path(__file__).parents[2]
CLOUD = ROOT / "burnqed" / "cloud"
SCRIPT = CLOUD / "setup_machine.sh"
NETWORK_STEPS = ["system", "lean", "mathlib", "pantograph", "python", "profiles", "vllm", "config", "model"]

# What each program leaves behind, as far as the script looks at it.
STAND_INS = {
    "curl": """
case "$*" in
  *elan-init.sh*) echo 'mkdir -p $HOME/.elan/bin; printf "#!/bin/sh\\n" > $HOME/.elan/bin/elan; chmod +x $HOME/.elan/bin/elan' ;;
  *lean-toolchain*) while [ "$1" != -o ]; do shift; done; echo "leanprover/lean4:v4.35.0" > "$2" ;;
esac""",
    "lake": 'case "$*" in "build repl") mkdir -p .lake/build/bin; cp /bin/true .lake/build/bin/repl ;; esac',
    "git": 'for last; do :; done; mkdir -p "$last"; echo "leanprover/lean4:$PANTOGRAPH_LEAN" > "$last/lean-toolchain"',
    "apt-get": 'case "$1" in install) cp /bin/true "$(dirname "$0")/bwrap" ;; esac',
    "sudo": 'exec "$@"',
    "make": """
case "$*" in *profiles) mkdir -p $HOME/.config/snakemake/$PROFILE; exit ;; esac
mkdir -p .venv/bin; cp /bin/true .venv/bin/python; cp /bin/true .venv/bin/pip
printf '#!/bin/sh\\nmkdir -p "$1"\\n' > .venv/bin/snakemake; chmod +x .venv/bin/snakemake""",
    "python3": """
case "$*" in
  "-m venv "*) mkdir -p "$3/bin"; printf '#!/bin/sh\\ncp /bin/true "$(dirname "$0")/vllm"\\n' > "$3/bin/pip"; chmod +x "$3/bin/pip" ;;
esac""",
}


def run_setup(
    folder: Path, *options: str, pantograph: str = "", pantograph_lean: str = "v4.35.0", profile: str = "runpod"
) -> subprocess.CompletedProcess[str]:
    programs = folder / "programs"
    programs.mkdir(exist_ok=True)
    for name, body in STAND_INS.items():
        (programs / name).write_text(f'#!/bin/sh\necho "{name} $*" >> "{folder}/calls"\n{body}\n')
        (programs / name).chmod(0o755)
    (folder / "clone").mkdir(exist_ok=True)
    (folder / "clone" / "Snakefile").touch()
    for name in ("runpod", "slurm"):
        (folder / "clone" / "profiles" / name).mkdir(parents=True, exist_ok=True)
        (folder / "clone" / "profiles" / name / "profile.yaml").touch()
    return subprocess.run(
        ["bash", str(SCRIPT), *options],
        cwd=folder / "clone",
        env={
            "PATH": f"{programs}:{os.environ['PATH']}",
            "HOME": str(folder),
            "PANTOGRAPH_TAG": pantograph,
            "PANTOGRAPH_LEAN": pantograph_lean,
            "PROFILE": profile,
        },
        capture_output=True,
        text=True,
    )


def only(*steps: str) -> list[str]:
    return [word for step in steps for word in ("--only", step)]


@pytest.mark.parametrize("pantograph", ["", "v0.3.15"])
def test_setup_runs_each_step_once(tmp_path: Path, pantograph: str) -> None:
    first = run_setup(tmp_path, *only(*NETWORK_STEPS), pantograph=pantograph)
    assert first.returncode == 0, first.stdout + first.stderr
    overlay = yaml.safe_load((tmp_path / "clone" / "machine.yaml").read_text())
    cfg = load_config(overlay)
    if pantograph:
        assert cfg.prover.kind == "pantograph" and Path(cfg.prover.command[0]).is_file()
    else:
        assert (cfg.prover.kind, cfg.prover.command) == ("lean", [])
    assert Path(cfg.prover.project, "lean-toolchain").read_text() == "leanprover/lean4:v4.35.0\n"
    calls = (tmp_path / "calls").read_text()
    assert calls.count("lake") == (3 if pantograph else 2)
    assert "make setup TORCH=default\n" in calls  # the machine may get its GPU later
    (tmp_path / "calls").unlink()
    second = run_setup(tmp_path, *only(*NETWORK_STEPS), pantograph=pantograph)
    assert second.returncode == 0
    assert second.stdout.count("\ndone") == len(NETWORK_STEPS) - 1  # the overlay is written again
    assert (tmp_path / "calls").read_text() == "python3 -c import ensurepip\n"  # it looks, and does nothing


def test_setup_refuses_versions_that_do_not_match(tmp_path: Path) -> None:
    result = run_setup(tmp_path, *only("lean", "mathlib", "pantograph"), pantograph="v1", pantograph_lean="v4.33.0")
    assert result.returncode != 0
    assert "wants leanprover/lean4:v4.33.0, Mathlib v4.35.0 leanprover/lean4:v4.35.0" in result.stderr
    assert "choose tags of the same Lean version" in result.stderr


def test_setup_links_profiles_and_installs_what_the_named_one_needs(tmp_path: Path) -> None:
    (tmp_path / "clone" / ".venv" / "bin").mkdir(parents=True)
    pip = tmp_path / "clone" / ".venv" / "bin" / "pip"
    pip.write_text(f'#!/bin/sh\necho "pip $*" >> "{tmp_path}/calls"\n')
    pip.chmod(0o755)
    assert run_setup(tmp_path, *only("profiles"), profile="slurm").returncode == 0
    assert (tmp_path / "calls").read_text() == "pip install --quiet -e .[slurm]\nmake -s profiles\n"
    assert "done" in run_setup(tmp_path, *only("profiles"), profile="slurm").stdout
    wrong = run_setup(tmp_path, *only("profiles"), profile="moon")
    assert wrong.returncode != 0 and "PROFILE=moon: no such profile" in wrong.stderr


def test_setup_steps_can_be_skipped_and_listed(tmp_path: Path) -> None:
    listed = run_setup(tmp_path, "--list").stdout
    for step in (*NETWORK_STEPS, "doctor", "smoke"):
        assert any(line.startswith(f"{step} ") for line in listed.splitlines()), step
    dry = run_setup(tmp_path, "--dry-run", "--skip", "model")
    assert dry.returncode == 0
    assert "== model: skipped" in dry.stdout
    assert not (tmp_path / "calls").exists()
    wrong = run_setup(tmp_path, "--skip", "modules")
    assert wrong.returncode == 2
    assert "--skip modules: no such step" in wrong.stderr


def test_scripts_are_clean() -> None:
    if shutil.which("shellcheck") is None:
        pytest.skip("shellcheck is not installed")
    subprocess.run(["shellcheck", str(SCRIPT)], check=True)


@needs_lean
def test_smoke_test_proves_two_theorems_and_refuses_a_wrong_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert smoke(["--set", "prover.kind=lean", "--set", "prover.imports=[]"]) == 0
    said = capsys.readouterr().out
    assert said.count("accepted") == 2
    assert "smoke_false      refused" in said


@pytest.mark.parametrize(("name", "extras"), [("cpu", []), ("gpu", ["qlora"])])
def test_conda_environments_hold_what_the_package_needs(name: str, extras: list[str]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = {*project["dependencies"], *(word for extra in extras for word in project["optional-dependencies"][extra])}
    environment = yaml.safe_load((ROOT / "envs" / f"{name}.yaml").read_text())
    [pip] = [entry["pip"] for entry in environment["dependencies"] if isinstance(entry, dict)]
    assert sorted(pip) == sorted(wanted)
    assert "pip" in environment["dependencies"] and "conda-forge" in environment["channels"]


def test_image_takes_what_exists_and_leaves_what_it_makes_itself() -> None:
    text = (ROOT / "envs" / "Dockerfile").read_text()
    assert "make setup TORCH=default " in text  # no GPU is seen while an image is built
    extras = re.findall(r"\.\[([\w,]+)\]", text)[0].split(",")
    assert set(extras) <= set(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"])
    # A copied .venv would pass for a finished one; results may be many times the image.
    assert {".venv", "results", ".snakemake"} <= set((ROOT / ".dockerignore").read_text().split())


def repeated_keys(node: yaml.Node | None, path: str) -> list[str]:
    """Return the paths of keys that stand twice in a mapping of a YAML file."""
    if isinstance(node, yaml.SequenceNode):
        return [twice for item in node.value for twice in repeated_keys(item, path)]
    if not isinstance(node, yaml.MappingNode):
        return []
    names = [key.value for key, _ in node.value]
    here = [f"{path}{name}" for name in set(names) if names.count(name) > 1]
    return here + [twice for key, value in node.value for twice in repeated_keys(value, f"{path}{key.value}.")]


@pytest.mark.parametrize(
    "path", ["config.yaml", *(str(path.relative_to(ROOT)) for path in sorted(ROOT.glob("profiles/*/*.yaml")))]
)
def test_no_key_stands_twice(path: str) -> None:
    """YAML takes the last one without a word."""
    assert repeated_keys(yaml.compose((ROOT / path).read_text()), "") == []


@pytest.mark.parametrize("name", ["skypilot.yaml", "dstack.yaml"])
def test_recipes_start_the_launcher_with_existing_things(name: str) -> None:
    recipe = yaml.safe_load((CLOUD / name).read_text())
    text = "\n".join([recipe.get("setup", ""), recipe.get("run", ""), *recipe.get("commands", [])])
    assert "burnqed run" in text
    for word in text.split():
        if word.endswith(".sh"):
            assert (ROOT / word).is_file()
    profile = recipe.get("envs", {}).get("PROFILE", "runpod")
    assert (ROOT / "profiles" / profile).is_dir()


def test_recipes_pass_the_services_own_checks() -> None:
    """Needs `pip install dstack skypilot`, which are no dependency of the project."""
    configurations = pytest.importorskip("dstack._internal.core.models.configurations")
    task = configurations.parse_run_configuration(yaml.safe_load((CLOUD / "dstack.yaml").read_text()))
    assert task.type == "task"
    sky = pytest.importorskip("sky")
    assert sky.Task.from_yaml(str(CLOUD / "skypilot.yaml")).name == "burn-qed"
