"""What a report shows: figures and tables register themselves, and nothing else has to name them.

A figure function takes the run (``report.run.Run``; those of group Data the content of ``data/report.json``) and
returns the drawing and the rows of its CSV; its name is the figure's. A table function takes the summary and returns
rows. ``catalogue`` finds all modules that hold some.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Rows = list[dict[str, Any]]
DATA = "Data"
GROUPS = ("Solve rate", "Search", "Training", "Energy head", "Cost", DATA)  # in the order of the report
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class FigureEntry:
    """A figure of the report; ``group`` is its heading there, ``caption`` what a reader has to know."""

    name: str
    group: str
    caption: str
    draw: Callable[[Any], tuple[Figure, Rows]]


@dataclass(frozen=True)
class TableEntry:
    """A table made from the summary; ``is_main``: part of every report, not only made when asked for."""

    name: str
    title: str
    caption: str
    rows: Callable[[Any], Rows]
    is_main: bool


figures: dict[str, FigureEntry] = {}
tables: dict[str, TableEntry] = {}


def figure(group: str, caption: str) -> Callable[[F], F]:
    """Register the function below as the figure of its name."""
    if group not in GROUPS:
        raise ValueError(f"figure group '{group}': known are {', '.join(GROUPS)}; a new one goes into GROUPS")

    def register(draw: F) -> F:
        figures[draw.__name__] = FigureEntry(draw.__name__, group, caption, draw)
        return draw

    return register


def table(title: str, caption: str, *, name: str = "", main: bool = True) -> Callable[[F], F]:
    """Register the function below as a table, called like the function without ``_rows``."""

    def register(rows: F) -> F:
        own = name or rows.__name__.removesuffix("_rows")
        tables[own] = TableEntry(own, title, caption, rows, main)
        return rows

    return register
