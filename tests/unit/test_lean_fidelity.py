"""The kind `lean` says of 356 tactics what `lean --json` said of them (tests/record_lean_answers.py)."""

from __future__ import annotations

import asyncio
import json
import re
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from real_lean import PROVER, needs_lean

from burnqed.prover.pool import LeanPool
from burnqed.prover.toolchain import find_lean
from burnqed.records.theorems import Theorem

RECORDED = json.loads((Path(__file__).parents[1] / "data" / "lean_answers.json").read_text(encoding="utf-8"))
Row = dict[str, Any]


def numbered(text: str) -> str:
    """Return goals with their metavariables numbered by their first place."""
    seen: dict[str, str] = {}
    return re.sub(r"\?([mu])\.\d+", lambda m: seen.setdefault(m[0], f"?{m[1]}.{len(seen) + 1}"), text.strip())


async def differences(rows: list[Row]) -> list[str]:
    """Return what the kind says otherwise than Lean did."""
    found: list[str] = []
    async with LeanPool(PROVER.model_copy(update={"tactic_timeout": 60.0})) as pool:
        for (header, statement, path), group in groupby(rows, lambda r: (r["header"], r["statement"], r["path"])):
            cases = list(group)
            session = await pool.open(Theorem("recorded", statement, header))
            state = 0
            for tactic in path:
                state = (await session.apply(state, tactic)).state or -1
            for row, result in zip(cases, await session.apply_many(state, [r["tactic"] for r in cases]), strict=True):
                if (result.outcome, result.text) != (row["verdict"], numbered(row["goals"])):
                    found.append(f"{row}: {result}")
    return found


@needs_lean
def test_verdicts_and_goals_are_those_of_lean_itself() -> None:
    if find_lean(PROVER).version != RECORDED["lean"]:
        pytest.skip(f"recorded with Lean {RECORDED['lean']}")
    rows = RECORDED["cases"]
    assert len(rows) >= 300 and {row["verdict"] for row in rows} == {"ok", "proved", "error"}
    assert asyncio.run(differences(rows)) == []
