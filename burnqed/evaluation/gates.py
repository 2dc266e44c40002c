"""Red lines that a run must keep: each check says what was measured, the line, and what to look at."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from burnqed.config import GateSettings
from burnqed.evaluation.compare import compare_evals
from burnqed.evaluation.evals import eval_table
from burnqed.files import UserError, read_json, sidecar_path, write_json
from burnqed.records.evaluations import read_eval
from burnqed.records.gates import SCHEMA_VERSION, CheckRow, Gate
from burnqed.records.heads import read_head_metrics

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Check:
    """One red line: what was measured, the line it is held against in words, and what to look at when it is crossed."""

    name: str
    measured: float
    line: str
    ok: bool
    message: str

    def row(self) -> CheckRow:
        """Return the check as the gate file holds it."""
        return {
            "name": self.name,
            "measured": self.measured,
            "line": self.line,
            "ok": self.ok,
            "message": self.message,
        }


def _check(name: str, measured: float, line: str, ok: bool, what: str, look_at: str) -> Check:
    """Return a check; ``what`` says the measurement in words, ``look_at`` follows only when the line is crossed."""
    return Check(name, measured, line, ok, what if ok else f"{what}; {look_at}")


def _rate(evaluation: Mapping[str, Any]) -> float:
    return float(evaluation["results"][-1]["rate"])


def _counts(evaluation: Mapping[str, Any]) -> str:
    last = evaluation["results"][-1]
    return f"{last['solved']}/{last['total']} at budget {last['budget']}"


def _best(evals: Sequence[Mapping[str, Any]], label: str) -> Mapping[str, Any] | None:
    own = [e for e in evals if e["label"] == label]
    return max(own, key=_rate) if own else None


def check_solve_rates(settings: GateSettings, iteration: int, evals: Sequence[Mapping[str, Any]]) -> list[Check]:
    """Check the base model (iteration 0), the gain of iteration 0, or the drop since the last iteration."""
    current = _best(evals, f"iter_{iteration}")
    before = _best(evals, "baseline" if iteration == 0 else f"iter_{iteration - 1}")
    if current is None or before is None:
        have = sorted({str(e["label"]) for e in evals})
        raise UserError(
            f"gate of iteration {iteration}: needs the evals of this and the previous model; --evals has "
            f"{', '.join(have)}"
        )
    change = round(_rate(current) - _rate(before), 6)
    if iteration > 0:
        drop = round(max(0.0, -change), 6)
        return [
            _check(
                "solve_rate_drop",
                drop,
                f"at most {settings.max_drop}",
                drop <= settings.max_drop,
                f"fall of the solve rate, {_counts(before)} -> {_counts(current)}",
                "look at the newly lost theorems (burnqed compare), the validation loss of the adapter, and whether "
                "few new proofs were found",
            )
        ]
    base = _rate(before)
    return [
        _check(
            "baseline_rate",
            base,
            f"at least {settings.min_baseline_rate}",
            base >= settings.min_baseline_rate,
            f"solve rate of the base model, {_counts(before)}",
            "look at the prompt format, the share of tactics that are parse errors in baseline/eval/llm.parquet "
            "(burnqed inspect), and that the benchmark suits the prover's version",
        ),
        _check(
            "gain_of_iteration_0",
            change,
            f"more than {settings.min_gain}",
            change > settings.min_gain,
            f"gain in solve rate over the base model, {_counts(before)} -> {_counts(current)}",
            "look at the loss curve of iter_0/adapter, at the number of training pairs (data/report.json), and that "
            "training and search build the same prompt",
        ),
    ]


def _metric(metrics: Mapping[str, Any], names: Sequence[str], path: Path) -> float:
    for name in names:
        value: Any = metrics
        for part in name.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
        if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
    raise UserError(f"{path}: no metric '{names[0]}'; make the energy head again")


def check_head(settings: GateSettings, folder: Path) -> list[Check]:
    """Check a trained energy head: effect above chance, embedding collapse, temperature.

    The linear probe and the AUC are left out where no theorem could be held out for them.
    """
    path, metrics = folder / "metrics.json", read_head_metrics(folder)
    rank1, chance = _metric(metrics, ("rank1",), path), _metric(metrics, ("chance",), path)
    gap, distance = _metric(metrics, ("energy_gap",), path), _metric(metrics, ("centroid_l2",), path)
    temperature = _metric(metrics, ("temperature",), path)
    low, high = settings.temperature_range
    margin = round(rank1 - chance, 6)
    return [
        _check(
            "head_rank1_margin",
            margin,
            f"more than {settings.min_rank1_margin}",
            margin > settings.min_rank1_margin,
            f"rank-1 accuracy of the head on held-out theorems above chance ({rank1:.3f}, chance {chance:.3f})",
            "the head tells provable states from others hardly better than chance: look at the number of groups and "
            "theorems in ebm/metrics.json, and at the loss in ebm/history.jsonl",
        ),
        *_check_auc(settings, metrics),
        _check(
            "head_energy_gap",
            round(gap, 6),
            f"more than {settings.min_energy_gap}",
            gap > settings.min_energy_gap,
            "mean energy of states off the proof paths above that of states on them, held-out theorems",
            "the energies point the wrong way: look at figure energy_calibration, at the number of theorems in "
            "ebm/metrics.json, and at ebm/history.jsonl for overfitting",
        ),
        _check(
            "embedding_centroids",
            round(distance, 6),
            f"at least {settings.min_centroid_l2}",
            distance >= settings.min_centroid_l2,
            "distance between the mean embeddings of states on and off proof paths",
            "so small a distance means that the embeddings have collapsed: look at the embedding health in "
            "ebm/metrics.json (figure embedding_health) and at the learning rate of the fine-tuning",
        ),
        *_check_probe(settings, metrics),
        _check(
            "head_temperature",
            round(temperature, 6),
            f"between {low} and {high}",
            math.isfinite(temperature) and low < temperature < high,
            "learned temperature of the head",
            "at a bound the energies are saturated or flat: look at ebm/history.jsonl, and lower the head's learning "
            "rate or raise its weight decay",
        ),
    ]


def _check_auc(settings: GateSettings, metrics: Mapping[str, Any]) -> list[Check]:
    auc = metrics.get("auc")
    if auc is None:
        return []
    states = metrics.get("auc_states", {})
    return [
        _check(
            "head_auc",
            auc,
            f"more than {settings.min_auc}",
            auc > settings.min_auc,
            "AUC of the head over all labelled states of held-out theorems, "
            f"{states.get('of_failed_trees', 0)} of them of theorems that no search proved (chance 0.5)",
            "the head does not tell provable states from others: look at counts in ebm/metrics.json, at "
            "ebm.failed_share, and at the loss in ebm/history.jsonl",
        )
    ]


def _check_probe(settings: GateSettings, metrics: Mapping[str, Any]) -> list[Check]:
    probe = metrics.get("linear_probe")
    if probe is None:
        return []
    return [
        _check(
            "embedding_linear_probe",
            probe,
            f"at least {settings.min_linear_probe}",
            probe >= settings.min_linear_probe,
            "balanced accuracy of a linear probe of the embeddings on held-out theorems (chance 0.5)",
            "the embeddings no longer tell provable states from others: look at figures embedding_health and "
            "embedding_map, and at the learning rate of the fine-tuning",
        )
    ]


def check_start(settings: GateSettings, evals: Sequence[Path], ebm: Path) -> Gate:
    """Return the verdict of a small start: one model with and without a head on the same theorems, and the head.

    Raises UserError unless the two evals are of one model, without and with a head, on the same theorems.
    """
    loaded = {str(e["variant"]): e for e in map(read_eval, evals)}
    if len(evals) != 2 or set(loaded) != {"llm", "llm_ebm"}:
        raise UserError("lean_start: needs two eval files of one model, variants llm and llm_ebm")
    pair = compare_evals(
        [path for path in evals if read_eval(path)["variant"] == "llm"]
        + [path for path in evals if read_eval(path)["variant"] == "llm_ebm"]
    ).pairs[-1]
    without = _rate(loaded["llm"])
    change = round(pair.difference.value, 6)
    checks = [
        _check(
            "solve_rate",
            without,
            f"at least {settings.min_baseline_rate}",
            without >= settings.min_baseline_rate,
            f"solve rate without the head, {_counts(loaded['llm'])}",
            "look at the loss curve of iter_0/adapter, at the share of parse errors (burnqed inspect), and that the "
            "benchmark suits the prover's version",
        ),
        _check(
            "effect_of_the_head",
            change,
            f"at least -{settings.max_drop}",
            change >= -settings.max_drop,
            f"change by the head, {_counts(loaded['llm'])} -> {_counts(loaded['llm_ebm'])} (newly solved "
            f"{len(pair.newly_solved)}, newly lost {len(pair.newly_lost)}, p = {pair.p_value:.2g})",
            "the head makes the search worse: look at ebm/metrics.json, and at search.priority",
        ),
        *check_head(settings, ebm),
    ]
    failed = not all(check.ok for check in checks)
    return {
        "schema_version": SCHEMA_VERSION,
        "iteration": "0, lean start",
        "verdict": settings.on_fail if failed else "go",
        "on_fail": settings.on_fail,
        "checks": [check.row() for check in checks],
    }


def check_gates(settings: GateSettings, iteration: int, evals: Sequence[Path], ebm: Path | None) -> Gate:
    """Return ``gate.json``: verdict `go`, `stop` or `warn`, and every check.

    Raises UserError when an eval or metric that a check needs is missing or damaged.
    """
    loaded = [read_eval(path) for path in evals]
    checks = check_solve_rates(settings, iteration, loaded)
    if ebm is not None:
        checks += check_head(settings, ebm)
    failed = not all(check.ok for check in checks)
    return {
        "schema_version": SCHEMA_VERSION,
        "iteration": iteration,
        "verdict": settings.on_fail if failed else "go",
        "on_fail": settings.on_fail,
        "checks": [check.row() for check in checks],
    }


def render_gate(gate: Gate) -> str:
    """Return a gate as text, one line per check."""
    lines = [f"gate of iteration {gate['iteration']}: {str(gate['verdict']).upper()}"]
    for check in gate["checks"]:
        mark = "ok  " if check["ok"] else "FAIL"
        lines.append(f"  {mark} {check['name']} = {check['measured']:g}, line: {check['line']}")
        lines.append(f"       {check['message']}")
    return "\n".join(lines)


def render_rates(iteration: int, evals: Sequence[Path]) -> str:
    """Return the table of each variant of an iteration, with its difference to the model before."""
    loaded = [(path, read_eval(path)) for path in evals]
    earlier = "baseline" if iteration == 0 else f"iter_{iteration - 1}"
    before = {e["variant"]: e for _, e in loaded if e["label"] == earlier}
    parts = []
    for path, evaluation in loaded:
        if evaluation["label"] == f"iter_{iteration}":
            side = sidecar_path(path)
            timing = read_json(side).get("timing", {}) if side.exists() else {}
            reference = before.get(evaluation["variant"], next(iter(before.values()), None))
            parts.append(f"{evaluation['label']} {evaluation['variant']}\n{eval_table(evaluation, timing, reference)}")
    return "\n".join(parts)


def judge(
    settings: GateSettings, iteration: int, evals: Sequence[Path], ebm: Path | None, output: Path, *, start_only: bool
) -> None:
    """Write the gate file of an iteration, or of a small start; log rates and verdict.

    Raises UserError when a red line is crossed and ``gates.on_fail`` is stop.
    """
    if start_only and ebm is None:
        raise UserError("a small start needs --ebm")
    gate = check_start(settings, evals, ebm) if start_only and ebm else check_gates(settings, iteration, evals, ebm)
    write_json(output, gate)
    # A workflow manager removes the outputs of a failed job, so the log has to say it all.
    logger.info("%s", render_rates(iteration, evals))
    text = render_gate(gate)
    if gate["verdict"] == "stop":
        raise UserError(f"{text}\nthe run stops here; fix the cause, or set gates.on_fail: warn and run again")
    (logger.info if gate["verdict"] == "go" else logger.warning)("%s", text)
