"""The type of machine a profile is for, and how many jobs its GPUs take at once.

A profile cannot say it in its `config`: Snakemake drops that whole block as soon as `--config` is
given on the command line, and `--config seed=1` would silently turn a GPU run into a CPU run.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import yaml

from burnqed.jobs.gpus import visible_gpus
from burnqed.snakemake.arguments import values_of

HARDWARE = "BURNQED_HARDWARE"
JOBS_PER_GPU = "BURNQED_JOBS_PER_GPU"
SMALL_JOBS = 4  # of a small model made on the spot: each leaves most of a GPU idle


def use_hardware(name: str) -> None:
    """Say what `hardware: auto` means (a key of `hardware_types`); a value in the environment comes first."""
    os.environ.setdefault(HARDWARE, name)


def gpu_places(words: Sequence[str] | None = None) -> int:
    """Return how many GPU jobs run at once on this machine, for the profile's `resources`.

    One a GPU; several when the command line's configuration files (Snakemake's, if ``words`` is None) ask for a model
    made on the spot and no server beside it. BURNQED_JOBS_PER_GPU says otherwise, and tells the jobs what was chosen.
    """
    files = values_of(sys.argv if words is None else words, "--configfile", "--configfiles")
    each = os.environ.setdefault(JOBS_PER_GPU, str(SMALL_JOBS if _is_small(files) else 1))
    return max(len(visible_gpus()), 1) * max(int(each) if each.isdigit() else 1, 1)


def _is_small(files: Sequence[str]) -> bool:
    """Return whether configuration files, later ones over earlier ones, ask for a small model that is sampled in the job."""
    found: dict[str, object] = {}
    for file in files:
        try:
            given = yaml.safe_load(Path(file).read_text(encoding="utf-8")) or {}
        except (OSError, ValueError, yaml.YAMLError):
            return False  # Snakemake says what is wrong with it
        for block, key in (("model", "kind"), ("policy", "backend")):
            if isinstance(given, dict) and isinstance(given.get(block), dict) and key in given[block]:
                found[block] = given[block][key]
    return found == {"model": "scratch", "policy": "transformers"}
