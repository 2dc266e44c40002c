"""Every command of README and of the guides to machines runs as it stands there, in a clean clone, or says what it needs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.forking import Forking
from tests.workflow.conftest import ROOT, environment, job_counts

GUIDES = ["README.md", "docs/cloud.md", "docs/operations.md", "docs/troubleshooting.md"]
NEEDS = re.compile(r"#.*\bneeds (an? (account|cluster|GPU|run)|the network|make setup)$")
PUBLISHED = ("snakemake --profile runpod iter_4_eval -n", "snakemake iter_4_eval --workflow-profile runpod -n")
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]


def commands() -> list[str]:
    found = []
    for guide in GUIDES:
        for block in re.findall(r"```sh\n(.*?)```", (ROOT / guide).read_text(), flags=re.DOTALL):
            lines = [line for line in block.splitlines() if line and not NEEDS.search(line)]
            found += [re.sub(r"\s+# .*", "", line) for line in lines]
    return list(dict.fromkeys(found))


@pytest.fixture(scope="module")
def clean_clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    folder = tmp_path_factory.mktemp("git")
    subprocess.run(["git", "clone", "--quiet", "--depth", "1", f"file://{ROOT}", str(folder / "burn-qed")], check=True)
    (folder / "home").mkdir()
    subprocess.run(
        ["make", "-s", "profiles"], cwd=folder / "burn-qed", env=environment(HOME=str(folder / "home")), check=True
    )
    return folder / "burn-qed"


@pytest.fixture(scope="module")
def programs(clean_clone: Path) -> Iterator[Path]:
    """The folder of the clone's commands."""
    parent = Forking(root=clean_clone)
    yield parent.programs()
    parent.close()


@pytest.mark.parametrize("line", commands())
def test_documented_command_runs(clean_clone: Path, programs: Path, line: str) -> None:
    path = f"{programs}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    # A home of its own, but the compiled core library of this machine: test_prover_embedded.py compiles from nothing.
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    home = {"HOME": str(clean_clone.parent / "home"), "XDG_CONFIG_HOME": "", "XDG_CACHE_HOME": cache}
    result = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        cwd=clean_clone,
        env=environment(PATH=path, PYTHONPATH=str(clean_clone), **home),
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert result.returncode == 0, result.stdout
    if line in PUBLISHED:
        assert job_counts(result.stdout)["search_shard"] == 9


def test_the_published_experiment_is_documented_in_both_ways() -> None:
    assert set(PUBLISHED) <= set(commands())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_link_to_what_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([\w./-]+)(?:#[\w-]+)?\)", text):
        assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_readme_leads_to_every_page() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for page in (ROOT / "docs").rglob("*.md"):
        assert f"({page.relative_to(ROOT)})" in text, f"README.md does not link {page.relative_to(ROOT)}"
