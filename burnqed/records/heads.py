"""``metrics.json`` of an energy head: what it is worth on held-out theorems, and the embeddings it works on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from typing_extensions import TypedDict  # pydantic needs it below Python 3.12

from burnqed.records.forms import read_form

SCHEMA_VERSION = 0  # these files carry no version yet


class _Always(TypedDict):
    rank1: float
    chance: float


class HeadMetrics(_Always, total=False):
    """What a head has been measured on; a measure is None where there were too few theorems for it.

    Intervals are (low, high), 95 % over theorems; ``rank1_by_depth`` and ``calibration`` are keyed by a number as text.
    """

    rank1_ci95: list[float] | None
    groups: int
    rank1_by_depth: dict[str, dict[str, Any]]
    sibling_rank1: float | None
    sibling_rank1_ci95: list[float] | None
    sibling_chance: float | None
    sibling_groups: int
    auc: float | None
    auc_states: dict[str, int]
    energy_gap: float | None
    temperature: float
    val_loss: float
    best_step: int
    steps: int
    validated_on: str
    held_out_theorems: int
    calibration: dict[str, dict[str, Any]]
    calibration_spearman: float | None
    negative_energy: float | None
    centroid_l2: float | None
    linear_probe: float | None
    norm_gap: float | None
    norm_mean: float | None
    sibling_l2: float | None
    effective_dimension: float | None
    variance_top1: float | None
    variance_top10: float | None
    variance_spectrum: list[float]
    dual_label_rate: float
    counts: dict[str, Any]
    resumed_from_previous: bool
    trained: str


_FORM = TypeAdapter(HeadMetrics)


def read_head_metrics(folder: Path) -> HeadMetrics:
    """Read the metrics of a head's folder; raise UserError naming the file when it is missing, damaged or another."""
    return read_form(folder / "metrics.json", _FORM, "the metrics of an energy head", SCHEMA_VERSION)
