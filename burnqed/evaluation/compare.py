"""Comparison of eval files: rates per budget, paired differences, and which theorems changed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from burnqed.evaluation.evals import interval_of
from burnqed.evaluation.statistics import Difference, mcnemar, paired_bootstrap
from burnqed.files import UserError
from burnqed.records.evaluations import read_eval, solved_within
from burnqed.words import counted

SETTINGS_SHOWN = 8


@dataclass(frozen=True)
class Entry:
    """One eval file: its display name and contents."""

    name: str
    path: Path
    evaluation: Mapping[str, Any]


@dataclass(frozen=True)
class Paired:
    """A model against its reference on the common theorems at one budget."""

    name: str
    reference: str
    budget: int
    total: int
    difference: Difference
    newly_solved: list[str]
    newly_lost: list[str]
    p_value: float
    reference_budget: int


@dataclass
class Comparison:
    """All eval files side by side, paired differences, and what makes them hard to compare."""

    entries: list[Entry]
    budgets: list[int]
    pairs: list[Paired] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def unit_of(evaluation: Mapping[str, Any]) -> str:
    """Return what the budgets of an evaluation count."""
    return str(evaluation["settings"].get("unit") or "expanded nodes")


def mode_of(evaluation: Mapping[str, Any]) -> str:
    """Return in words how an evaluation searched, and what solved means in it."""
    settings = evaluation["settings"]
    if "mode" in settings:
        return f"{settings['mode']}; solved: {settings.get('recheck', 'as published')}"
    search = settings.get("search", {})
    head = evaluation.get("ebm") is not None
    candidates = search.get("candidates_with_head" if head else "candidates", "?")
    attempts = settings.get("evaluation", {}).get("attempts", 1)
    budget = evaluation["results"][-1]["budget"]
    kind = "best-first search over tactics" + (" with the energy head" if head else "")
    return f"{kind}, {attempts} x {candidates} candidates x {budget} nodes; solved: re-checked in a fresh process"


def _names(paths: Sequence[Path], evals: Sequence[Mapping[str, Any]]) -> list[str]:
    plain = [f"{e['label']} {e['variant']}" for e in evals]
    if len(set(plain)) == len(plain):
        return plain
    return [f"{name} ({path})" for name, path in zip(plain, paths, strict=True)]


def _flat(value: object, prefix: str = "") -> dict[str, object]:
    if isinstance(value, Mapping):
        out: dict[str, object] = {}
        for key, item in value.items():
            out.update(_flat(item, f"{prefix}.{key}" if prefix else str(key)))
        return out
    return {prefix: value}


def _benchmark_differences(first: Entry, other: Entry) -> list[str]:
    out = []
    for key in ("name", "split", "sha256"):
        one, two = first.evaluation["benchmark"].get(key), other.evaluation["benchmark"].get(key)
        if one is not None and two is not None and one != two:
            out.append(f"benchmark {key}: {first.name} has '{one}', {other.name} has '{two}'")
    return out


def _settings_differences(first: Entry, other: Entry) -> list[str]:
    """Say which settings differ; those of re-checking come first, for they say what solved means."""
    published = [entry for entry in (first, other) if "mode" in entry.evaluation["settings"]]
    if published:
        return [f"{e.name} is another prover's result, {mode_of(e.evaluation)}" for e in published]
    one, two = _flat(first.evaluation["settings"]), _flat(other.evaluation["settings"])
    if first.evaluation.get("ebm") is None or other.evaluation.get("ebm") is None:
        # Without a head nothing is encoded; what the settings say of it had no effect.
        one, two = ({k: v for k, v in side.items() if not k.startswith("encoder.")} for side in (one, two))
    changed = sorted(
        (key for key in one.keys() | two.keys() if one.get(key) != two.get(key) and key != "evaluation.budgets"),
        key=lambda k: (not k.startswith(("verify", "prover")), k),
    )
    out = []
    recheck = [key for key in changed if key.startswith(("verify", "prover"))]
    if recheck:
        out.append(
            f"solved does not mean the same in {first.name} and {other.name}: "
            + "; ".join(f"{k}: {one.get(k)} / {two.get(k)}" for k in recheck[:SETTINGS_SHOWN])
        )
    rest = [key for key in changed if key not in recheck]
    if rest:
        more = f"; and {len(rest) - SETTINGS_SHOWN} more" if len(rest) > SETTINGS_SHOWN else ""
        out.append(
            f"settings differ between {first.name} and {other.name}: "
            + "; ".join(f"{k}: {one.get(k)} / {two.get(k)}" for k in rest[:SETTINGS_SHOWN])
            + more
        )
    return out


def in_run_order(paths: Sequence[Path]) -> list[Path]:
    """Return the eval files among paths that a shell may have expanded from ``results/*/eval/*.json``.

    Sidecars are left out, and an alphabetical list is put in the order of its numbers (iter_10
    after iter_9); any other order is the user's own and stays.
    """
    own = [path for path in paths if not path.name.endswith(".meta.json")]
    if own != sorted(own):
        return own
    return sorted(
        own, key=lambda path: [(int(p), "") if p.isdigit() else (-1, p) for p in re.split(r"(\d+)", str(path))]
    )


def compare_evals(
    paths: Sequence[Path],
    against: str = "previous",
    force: bool = False,
    confidence: float = 0.95,
    samples: int = 10000,
    seed: int = 0,
) -> Comparison:
    """Compare eval files in the order given, each against the previous one or the first.

    Raises UserError when benchmarks differ (name, split, SHA-256, or the theorems themselves) or no
    budget is common; with ``force`` differing benchmarks are compared on their common names with
    a warning. Differing budgets and settings are warned about.
    """
    if len(paths) < 2:
        raise UserError(
            f"one eval file ({paths[0]}); give at least two, for example results/*/eval/*.json"
            if paths
            else "no eval file (sidecars do not count); give at least two, for example results/*/eval/*.json"
        )
    evals = [read_eval(path) for path in paths]
    entries = [Entry(*item) for item in zip(_names(paths, evals), paths, evals, strict=True)]
    first = entries[0]
    problems = [line for other in entries[1:] for line in _benchmark_differences(first, other)]
    names = [{row["name"] for row in e.evaluation["per_theorem"]} for e in entries]
    for entry, own in zip(entries[1:], names[1:], strict=True):
        if own != names[0]:
            problems.append(
                f"theorems: {first.name} has {len(names[0])}, {entry.name} has {len(own)}, "
                f"{len(own & names[0])} in common"
            )
    if problems and not force:
        raise UserError(
            "compare: these evaluations are not of the same benchmark:\n  "
            + "\n  ".join(problems)
            + "\nsolve rates on different sets say nothing about each other; --force compares the common theorems"
        )
    warnings = [f"NOT COMPARABLE: {line}" for line in problems]
    budgets_of = [{row["budget"] for row in e.evaluation["results"]} for e in entries]
    budgets = sorted(set.intersection(*budgets_of))
    units = [unit_of(e.evaluation) for e in entries]
    if len(set(units)) > 1:
        budgets = []
    if not budgets:
        shown = "; ".join(
            f"{e.name}: {', '.join(map(str, sorted(b)))} {unit}"
            for e, b, unit in zip(entries, budgets_of, units, strict=True)
        )
        if not force:
            raise UserError(
                f"compare: no budget in common: {shown}; --force puts each at its own largest budget, which is no "
                "comparison at equal effort"
            )
        warnings.append(f"NOT COMPARABLE: budgets are not the same; each is at its own largest: {shown}")
    elif any(b != budgets_of[0] for b in budgets_of):
        warnings.append(f"budgets differ; compared at {budgets} only")
    for other in entries[1:]:
        warnings += [line for line in _settings_differences(first, other) if line not in warnings]
    for entry in entries:
        warnings += _published_warnings(entry)
    comparison = Comparison(entries, budgets, [], warnings)
    for number, entry in enumerate(entries[1:], 1):
        reference = entries[number - 1] if against == "previous" else first
        places = [(b, b) for b in budgets] or [(_largest(reference), _largest(entry))]
        for before, after in places:
            comparison.pairs.append(_paired(entry, reference, before, after, confidence, samples, seed))
    return comparison


def _largest(entry: Entry) -> int:
    return int(entry.evaluation["results"][-1]["budget"])


def _published_warnings(entry: Entry) -> list[str]:
    out = []
    for key, text in (
        ("differing", "with another statement there than in the benchmark"),
        ("doubtful", "with a published proof that rests on constructs our re-check refuses"),
    ):
        names = entry.evaluation.get(key) or []
        if names:
            more = f", and {len(names) - SETTINGS_SHOWN} more" if len(names) > SETTINGS_SHOWN else ""
            out.append(
                f"{entry.name}: {counted(len(names), 'theorem')} {text}: {', '.join(names[:SETTINGS_SHOWN])}{more}"
            )
    return out


def _paired(
    entry: Entry, reference: Entry, reference_budget: int, budget: int, confidence: float, samples: int, seed: int
) -> Paired:
    common = [row["name"] for row in reference.evaluation["per_theorem"]]
    own = {row["name"] for row in entry.evaluation["per_theorem"]}
    common = [name for name in common if name in own]
    if not common:
        raise UserError(f"compare: {reference.path} and {entry.path} have no theorem in common")
    before, after = (
        solved_within(reference.evaluation, reference_budget),
        solved_within(entry.evaluation, budget),
    )
    gained = sorted(name for name in common if name in after and name not in before)
    lost = sorted(name for name in common if name in before and name not in after)
    difference = paired_bootstrap(
        [float(n in before) for n in common],
        [float(n in after) for n in common],
        samples,
        confidence,
        seed,
    )
    return Paired(
        entry.name,
        reference.name,
        budget,
        len(common),
        difference,
        gained,
        lost,
        mcnemar(len(gained), len(lost)),
        reference_budget,
    )


def _unit(entry: Entry) -> str:
    return unit_of(entry.evaluation)


def _budgets(pair: Paired) -> str:
    return str(pair.budget) if pair.budget == pair.reference_budget else f"{pair.budget}/{pair.reference_budget}"


def render_comparison(comparison: Comparison, most_names: int = 20) -> str:
    """Return the comparison as text: warnings first, then rates, differences, and names."""
    lines = [f"WARNING: {warning}" for warning in comparison.warnings]
    if lines:
        lines.append("")
    width = max(len(entry.name) for entry in comparison.entries)
    benchmark = comparison.entries[0].evaluation["benchmark"]
    lines.append(
        f"benchmark {benchmark.get('name', '?')}, split {benchmark.get('split') or '-'}, sha256 "
        f"{str(benchmark.get('sha256', '?'))[:12]}"
    )
    lines.append(f"{'model':<{width}} {'budget':>7} {'solved':>9} {'rate':>7}  interval")
    for entry in comparison.entries:
        for row in entry.evaluation["results"]:
            if row["budget"] in comparison.budgets or not comparison.budgets:
                low, high = interval_of(row)
                lines.append(
                    f"{entry.name:<{width}} {row['budget']:>7} {row['solved']:>4}/{row['total']:<4} "
                    f"{100 * row['rate']:>6.1f}%  {100 * low:.1f}-{100 * high:.1f} %"
                )
    modes = {entry.name: mode_of(entry.evaluation) for entry in comparison.entries}
    lines += ["", "how each was made (budget: " + ", ".join(dict.fromkeys(map(_unit, comparison.entries))) + ")"]
    if len(set(modes.values())) == 1:
        lines.append(next(iter(modes.values())))
    else:
        lines += [f"{name:<{width}}  {mode}" for name, mode in modes.items()]
    lines += [
        "",
        "differences on the same theorems (percentage points; p: McNemar, exact, two-sided)",
    ]
    for pair in comparison.pairs:
        d = pair.difference
        lines.append(
            f"{pair.name:<{width}} vs {pair.reference:<{width}} {_budgets(pair):>7}  {100 * d.value:+.1f} "
            f"[{100 * d.low:+.1f}, {100 * d.high:+.1f}]  "
            f"newly solved {len(pair.newly_solved)}, newly lost {len(pair.newly_lost)}, p = {pair.p_value:.3g}"
        )
    last = comparison.budgets[-1] if comparison.budgets else None
    for pair in comparison.pairs:
        if last is None or pair.budget == last:
            for title, names in (
                ("newly solved", pair.newly_solved),
                ("newly lost", pair.newly_lost),
            ):
                if names:
                    more = f", and {len(names) - most_names} more" if len(names) > most_names else ""
                    lines.append(
                        f"\n{pair.name} vs {pair.reference}, budget {_budgets(pair)}, {title}: "
                        + ", ".join(names[:most_names])
                        + more
                    )
    return "\n".join(lines)
