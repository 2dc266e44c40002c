"""``gate.json``: the red lines of an iteration, what was measured, and the verdict."""

from __future__ import annotations

from pathlib import Path
from typing import NotRequired  # pydantic needs it below Python 3.12

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from burnqed.records.forms import read_form

SCHEMA_VERSION = 1


class CheckRow(TypedDict):
    """One red line: the measurement, the line in words, and what to look at when it is crossed."""

    name: str
    measured: float
    line: str
    ok: bool
    message: str


class Gate(TypedDict):
    """One gate file; the verdict is go, stop or warn."""

    schema_version: NotRequired[int]
    iteration: int | str
    verdict: str
    on_fail: NotRequired[str]
    checks: list[CheckRow]


_FORM = TypeAdapter(Gate)


def read_gate(path: Path) -> Gate:
    """Read a gate file; raise UserError naming it when it is missing, damaged or another file."""
    return read_form(path, _FORM, "a gate file", SCHEMA_VERSION)
