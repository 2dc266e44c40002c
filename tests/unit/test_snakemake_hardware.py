"""How many jobs a machine's GPUs take at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnqed.jobs.gpus import VISIBLE
from burnqed.snakemake.hardware import JOBS_PER_GPU, SMALL_JOBS, gpu_places

ROOT = Path(__file__).parents[2]
REHEARSAL = str(ROOT / "profiles" / "rehearsal" / "experiment.yaml")


@pytest.fixture(autouse=True)
def _two_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VISIBLE, "0,1")
    monkeypatch.delenv(JOBS_PER_GPU, raising=False)


@pytest.mark.parametrize(
    ("words", "each"),
    [
        (["snakemake", "all"], 1),
        (["snakemake", "--configfile", REHEARSAL, "--config", "seed=1"], SMALL_JOBS),
        (["snakemake", "--configfile", REHEARSAL, "studies/no-such.yaml"], 1),
        (["snakemake", f"--configfile={ROOT / 'studies' / 'pilot.yaml'}"], 1),
        # The trial's searches start servers, which look at the device's free memory as they start.
        (["snakemake", "--configfile", REHEARSAL, str(ROOT / "studies" / "trial_gpu.yaml")], 1),
    ],
)
def test_small_models_share_a_gpu(words: list[str], each: int) -> None:
    assert gpu_places(words) == 2 * each


def test_the_environment_says_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(JOBS_PER_GPU, "2")
    assert gpu_places(["snakemake", "--configfile", REHEARSAL]) == 4
    monkeypatch.setenv(JOBS_PER_GPU, "many")
    assert gpu_places(["snakemake"]) == 2
