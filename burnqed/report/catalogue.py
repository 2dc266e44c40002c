"""All figures and tables, found by importing every module of this package called ``figures…`` or ``tables…``."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path

from burnqed import report
from burnqed.files import UserError, read_json
from burnqed.records.summaries import on_benchmark
from burnqed.report import registry
from burnqed.report.figures_data import data_rows
from burnqed.report.run import Run
from burnqed.report.style import save_figure
from burnqed.report.tables import save_table

for _module in pkgutil.iter_modules(report.__path__):
    if _module.name.startswith(("figures", "tables")):
        importlib.import_module(f"{report.__name__}.{_module.name}")

_in_order = sorted(registry.figures.values(), key=lambda entry: registry.GROUPS.index(entry.group))
FIGURES = {entry.name: entry for entry in _in_order if entry.group != registry.DATA}
DATA_FIGURES = {entry.name: entry for entry in _in_order if entry.group == registry.DATA}
TABLES = dict(registry.tables)


# What each further benchmark has of its own: NAME_BENCHMARK.
FIGURE_OF_EACH, TABLE_OF_EACH = "solve_rate", "comparison"


def _split(name: str, kind: str, known: Collection[str], of_each: str) -> tuple[str, str]:
    """Return what is known under a name, and the further benchmark it is of, "" for none. Raises UserError."""
    before, _, benchmark = name.partition(f"{of_each}_")
    if name in known:
        return name, ""
    if before or not benchmark:
        raise UserError(f"{kind} '{name}' is not known; choose one of {', '.join(known)}")
    return of_each, benchmark


def figure_entry(name: str) -> tuple[registry.FigureEntry, str]:
    """Return a figure and the further benchmark it is of, "" for none; raise UserError for an unknown name."""
    base, benchmark = _split(name, "figure", FIGURES, FIGURE_OF_EACH)
    entry = FIGURES[base]
    return replace(entry, name=name, caption=f"On {benchmark}. {entry.caption}") if benchmark else entry, benchmark


def table_entry(name: str) -> tuple[registry.TableEntry, str]:
    """Return a table and the further benchmark it is of, "" for none; raise UserError for an unknown name."""
    base, benchmark = _split(name, "table", TABLES, TABLE_OF_EACH)
    entry = TABLES[base]
    return replace(entry, name=name, title=f"{entry.title} on {benchmark}") if benchmark else entry, benchmark


def figure_names(further: Iterable[str]) -> list[str]:
    """Return the names of all figures of a run with these further benchmarks; UserError when two would be the same."""
    own = {f"{FIGURE_OF_EACH}_{name}": name for name in further}
    for figure in own.keys() & FIGURES.keys():
        raise UserError(f"benchmarks.{own[figure]}: figure '{figure}' is another one already; give it another name")
    return [*FIGURES, *own]


def table_names(further: Iterable[str]) -> dict[str, bool]:
    """Return the tables of a run with these further benchmarks, and whether every report has them."""
    own = {name: entry.is_main for name, entry in TABLES.items()}
    return own | {f"{TABLE_OF_EACH}_{name}": True for name in further}


def plot_figure(name: str, results: Path, summary: Path, svg: Path) -> None:
    """Draw one figure of the run and write SVG, PNG and CSV; raise UserError for an unknown name."""
    entry, benchmark = figure_entry(name)
    figure, rows = entry.draw(Run(results, summary, benchmark))
    save_figure(figure, rows, svg)


def write_table(name: str, summary: Path, markdown: Path) -> None:
    """Write one table of the run; raise UserError for an unknown name."""
    entry, benchmark = table_entry(name)
    save_table(entry.title, entry.rows(on_benchmark(read_json(summary), benchmark)), markdown)


def draw_data(data_report: Path, folder: Path, table: Path) -> None:
    """Write all figures of the data stage (SVG, PNG, CSV) and its table (Markdown, CSV, HTML)."""
    content = read_json(data_report)
    for entry in DATA_FIGURES.values():
        figure, rows = entry.draw(content)
        save_figure(figure, rows, folder / f"{entry.name}.svg")
    save_table("Tactic pairs", data_rows(content), table)
