"""The eval file: solve rates of one model variant on one benchmark, and what became of each theorem."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import (
    Any,
    NotRequired,  # pydantic needs it below Python 3.12
)

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from burnqed.files import UserError
from burnqed.records.forms import read_form

SCHEMA_VERSION = 1


class BudgetResult(TypedDict):
    """What was solved within a number of expanded nodes; intervals are (low, high)."""

    budget: int
    solved: int
    total: int
    rate: float
    ci95: NotRequired[list[float]]
    interval: NotRequired[list[float]]  # of another level than 95 %
    mean_nodes: NotRequired[float]


class TheoremRow(TypedDict):
    """What became of a theorem; ``nodes`` are those of its cheapest checked proof, else the most expanded."""

    name: str
    proved: bool
    verified: bool
    nodes: int
    budget_at_proof: NotRequired[int | None]
    depth: NotRequired[int | None]
    attempts: NotRequired[list[dict[str, Any]]]
    proof: NotRequired[list[str]]
    family: NotRequired[str]
    level: NotRequired[int]


class Benchmark(TypedDict, total=False):
    """Which theorems were searched."""

    name: str
    split: str
    sha256: str
    theorems: int


class Evaluation(TypedDict):
    """One eval file."""

    schema_version: NotRequired[int]
    label: str
    variant: str
    model: NotRequired[dict[str, Any]]
    ebm: NotRequired[dict[str, Any] | None]
    benchmark: Benchmark
    settings: dict[str, Any]
    seeds: NotRequired[list[int]]
    confidence: NotRequired[float]
    results: list[BudgetResult]
    cumulative: NotRequired[list[dict[str, int]]]
    pass_at_k: NotRequired[list[dict[str, float]]]
    unverified: NotRequired[int]
    per_theorem: list[TheoremRow]


_FORM = TypeAdapter(Evaluation)


def read_eval(path: Path) -> Evaluation:
    """Read an eval file, also one of an earlier version: keys that came later may be absent.

    Raises UserError naming the file when it is missing, damaged, no eval file, or newer than this code.
    """
    found = read_form(path, _FORM, "an eval file (R/iter_i/eval/*.json)", SCHEMA_VERSION)
    if not found["results"] or not found["per_theorem"]:
        raise UserError(f"{path}: an eval file without results; make it again")
    return found


def solved_within(evaluation: Mapping[str, Any], budget: int | None = None) -> set[str]:
    """Return the names of theorems proved and re-checked, within a budget of expanded nodes when one is given."""
    return {
        row["name"]
        for row in evaluation["per_theorem"]
        if row["proved"] and row["verified"] and (budget is None or row["nodes"] <= budget)
    }
