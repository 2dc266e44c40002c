"""``summary.json``: every evaluation, gate and training of a run beside each other."""

from __future__ import annotations

from pathlib import Path
from typing import (
    Any,
    NotRequired,  # pydantic needs it below Python 3.12
)

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from burnqed.files import UserError
from burnqed.records.evaluations import Benchmark, BudgetResult
from burnqed.records.forms import read_form
from burnqed.records.gates import Gate

SCHEMA_VERSION = 1


class ModelRow(TypedDict):
    """One model and variant: solve rates, and what changed against the model before."""

    label: str
    variant: str
    results: list[BudgetResult]
    budget: int
    solved: int
    total: int
    rate: float
    ci95: list[float]
    newly_solved: list[str]
    newly_lost: list[str]
    first_solved: list[str]
    delta: float | None
    training: dict[str, Any]
    head: dict[str, Any]
    ever_solved: NotRequired[int]


class Measured(TypedDict):
    """The models of a run on one benchmark."""

    benchmark: Benchmark
    models: list[ModelRow]
    ever_solved: NotRequired[int]


class Summary(TypedDict):
    """The summary of a run, the baseline first."""

    schema_version: NotRequired[int]
    benchmark: Benchmark
    models: list[ModelRow]
    ever_solved: NotRequired[int]
    search: list[dict[str, Any]]
    gates: list[Gate]
    other_benchmarks: NotRequired[dict[str, Measured]]


def on_benchmark(summary: Summary, name: str) -> Summary:
    """Return the summary on a further benchmark, as it is for ""; raise UserError when the run has none of the name."""
    if not name:
        return summary
    others = summary.get("other_benchmarks", {})
    if name not in others:
        raise UserError(f"summary: no evaluation on '{name}'; it has {', '.join(others) or 'no further benchmark'}")
    found = others[name]
    # Training, searches and gates belong to the run, not to one of its benchmarks.
    return {**summary, **found, "other_benchmarks": {}}


_FORM = TypeAdapter(Summary)


def read_summary(path: Path) -> Summary:
    """Read ``summary.json``; raise UserError naming the file when it is missing, damaged or another file."""
    found = read_form(path, _FORM, "the summary of a run", SCHEMA_VERSION)
    if not found["models"]:
        raise UserError(f"{path}: a summary without models; make it again")
    return found
