"""The real Lean of this machine, for tests; they are skipped where there is none."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from burnqed.config import ProverSettings, VerifySettings
from burnqed.files import UserError
from burnqed.prover.leanfile import Item
from burnqed.prover.toolchain import find_toolchain
from burnqed.prover.verdict import Verdict
from burnqed.prover.verify import verify_proofs

PROVER = ProverSettings.model_validate({"kind": "lean", "imports": [], "workers": 2, "tactic_timeout": 120})


def found() -> bool:
    """Return whether there is a Lean."""
    try:
        find_toolchain(PROVER, "")
    except UserError:
        return False
    return True


needs_lean = pytest.mark.skipif(not found(), reason="no Lean here")


def verdicts(items: Sequence[Item], prover: ProverSettings = PROVER, **values: Any) -> list[Verdict]:
    """Return the verdicts of the whole re-check."""
    return asyncio.run(verify_proofs(items, prover, VerifySettings.model_validate({"timeout": 120, **values})))
