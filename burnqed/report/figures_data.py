"""Figures and the table of the data stage, drawn from ``data/report.json`` alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from burnqed.report.registry import DATA, Rows, figure
from burnqed.report.style import COLOURS, empty_note, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Report = Mapping[str, Any]


def _bars(
    counts: Mapping[str, int], what: str, count: str, title: str, horizontal: bool = False
) -> tuple[Figure, Rows]:
    figure, axes = new_figure(6.4, 0.26 * max(2, len(counts)) + 1.2 if horizontal else 4.0)
    rows: Rows = [{what: name, count: number} for name, number in counts.items()]
    if not counts:
        empty_note(axes, f"no {what}")
        return figure, rows
    names, numbers = list(counts), list(counts.values())
    if horizontal:
        axes.barh(names[::-1], numbers[::-1], color=COLOURS[0])
        axes.set_xlabel(count)
        axes.grid(axis="y", visible=False)
    else:
        axes.bar(names, numbers, color=COLOURS[0])
        axes.set_xlabel(what)
        axes.set_ylabel(count)
        axes.tick_params(axis="x", labelrotation=90 if len(names) > 16 else 0)
        axes.grid(axis="x", visible=False)
    axes.set_title(title)
    return figure, rows


@figure(DATA, "Tactic pairs by source, and by split.")
def data_sizes(report: Report) -> tuple[Figure, Rows]:
    """Draw the kept pairs by source, and by split."""
    counts = {f"source {name}": number for name, number in report["pairs_by_source"].items()}
    counts |= {"training": report["train"]["pairs"], "validation": report["val"]["pairs"]}
    return _bars(counts, "part", "tactic pairs", "Tactic pairs by source and split", horizontal=True)


@figure(DATA, "How deep in their proofs the pairs stand: the tactics before the pair's own.")
def data_depth(report: Report) -> tuple[Figure, Rows]:
    """Draw how deep in their proofs the pairs stand."""
    exact = {int(key): number for key, number in report["histograms"]["depth"].items()}
    counts = {str(key): exact.get(key, 0) for key in range(min(31, max(exact, default=-1) + 1))}
    if rest := sum(number for key, number in exact.items() if key > 30):
        counts["> 30"] = rest
    return _bars(counts, "depth", "tactic pairs", "Depth: tactics before the pair's own")


@figure(DATA, "Lengths of states and tactics in characters, by powers of two.")
def data_lengths(report: Report) -> tuple[Figure, Rows]:
    """Draw the lengths of states and tactics, by powers of two."""
    figure, axes = new_figure()
    rows: Rows = []
    for colour, (key, name) in zip(COLOURS, (("state_chars", "state"), ("tactic_chars", "tactic")), strict=False):
        bins = {int(start): number for start, number in report["histograms"][key].items()}
        axes.plot(list(bins), list(bins.values()), marker="o", color=colour, label=name)
        rows += [{"text": name, "characters_from": start, "tactic_pairs": number} for start, number in bins.items()]
    axes.set_xscale("log", base=2)
    axes.set_xlabel("characters (from this power of two to the next)")
    axes.set_ylabel("tactic pairs")
    axes.set_title("Lengths of states and tactics")
    axes.legend()
    return figure, rows


@figure(DATA, "The most frequent first words of tactics.")
def data_tactics(report: Report) -> tuple[Figure, Rows]:
    """Draw the most frequent first words of tactics."""
    return _bars(report["tactic_heads"], "tactic", "tactic pairs", "Most frequent tactics", horizontal=True)


@figure(DATA, "What each filter dropped.")
def data_drops(report: Report) -> tuple[Figure, Rows]:
    """Draw what each filter dropped."""
    counts = {f"theorem: {name}": number for name, number in report["dropped_theorems"].items()}
    counts |= {f"pair: {name}": number for name, number in report["dropped_pairs"].items()}
    if skipped := report["damage"]["rows_skipped"]:
        counts["row: damaged"] = skipped
    return _bars(counts, "filter", "dropped", "Dropped by each filter", horizontal=True)


def data_rows(report: Report) -> Rows:
    """Return the table: one row per quantity, for training and validation pairs."""
    rows: Rows = []
    for key in ("pairs", "theorems"):
        rows.append({"quantity": key, "training": report["train"][key], "validation": report["val"][key]})
    for key in ("depth", "proof_length", "goals", "state_chars", "tactic_chars"):
        for quantile in ("p50", "p95", "p100"):
            train, val = (report[part][key].get(quantile, "") for part in ("train", "val"))
            rows.append({"quantity": f"{key} {quantile}", "training": train, "validation": val})
    rows.append({"quantity": "search theorems", "training": report["search_theorems"], "validation": ""})
    rows.append({"quantity": "pool of deep theorems", "training": report["pool"].get("theorems", ""), "validation": ""})
    hits = len(report["contamination"]["hits"])
    rows.append({"quantity": "contaminated held-out theorems", "training": hits, "validation": ""})
    return rows
