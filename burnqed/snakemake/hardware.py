"""The type of machine a profile is for.

A profile cannot say it in its `config`: Snakemake drops that whole block as soon as `--config` is
given on the command line, and `--config seed=1` would silently turn a GPU run into a CPU run.
"""

from __future__ import annotations

import os

HARDWARE = "BURNQED_HARDWARE"


def use_hardware(name: str) -> None:
    """Say what `hardware: auto` means (a key of `hardware_types`); a value in the environment comes first."""
    os.environ.setdefault(HARDWARE, name)
