"""Tables of a run as Markdown, CSV and HTML, written from ``summary.json``."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from burnqed.artifacts import UserError, write_text
from burnqed.report.html_page import html_document, html_table
from burnqed.report.summary import model_name, summary_rows, training_rows

Rows = Sequence[Mapping[str, object]]


def to_csv(rows: Rows) -> str:
    """Return rows as CSV text with a header."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, fieldnames=list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()


def to_markdown(rows: Rows) -> str:
    """Return rows as a Markdown table."""
    if not rows:
        return "(no rows)\n"
    head = "| " + " | ".join(rows[0]) + " |\n|" + " --- |" * len(rows[0]) + "\n"
    return head + "".join("| " + " | ".join(str(value) for value in row.values()) + " |\n" for row in rows)


def comparison_rows(summary: Mapping[str, Any]) -> list[dict[str, object]]:
    """Return one row per budget, model and variant."""
    return [
        {
            "budget": result["budget"],
            "model": model_name(model["label"]),
            "head": "yes" if model["variant"] == "llm_ebm" else "no",
            "solved": result["solved"],
            "total": result["total"],
            "rate": round(result["rate"], 4),
            "ci95_low": round(result["ci95"][0], 4),
            "ci95_high": round(result["ci95"][1], 4),
            "mean_nodes": round(result["mean_nodes"], 2),
        }
        for model in summary["models"]
        for result in model["results"]
    ]


def changes_rows(summary: Mapping[str, Any]) -> list[dict[str, object]]:
    """Return the theorems each model newly solved or newly lost against the one before it."""
    return [
        {"model": model_name(model["label"]), "variant": model["variant"], "theorem": name, "change": change}
        for model in summary["models"]
        for change, names in (("solved", model["newly_solved"]), ("lost", model["newly_lost"]))
        for name in names
    ]


TABLES: dict[str, Callable[[dict[str, Any]], list[dict[str, Any]]]] = {
    "results": summary_rows,
    "comparison": comparison_rows,
    "changes": changes_rows,
    "training": training_rows,
}
TITLES = {
    "results": "Solve rate at the largest budget",
    "comparison": "Solve rate by budget",
    "changes": "Theorems newly solved and newly lost",
    "training": "Training",
}


def save_table(title: str, rows: Rows, markdown: Path) -> None:
    """Write rows as CSV, as an HTML page (what the report shows) and, last, as Markdown, side by side."""
    write_text(markdown.with_suffix(".csv"), to_csv(rows))
    body = f"<h1>{html.escape(title)}</h1>\n{html_table(rows)}"
    write_text(markdown.with_suffix(".html"), html_document(f"burn-qed: {title}", body))
    write_text(markdown, to_markdown(rows))


def write_table(name: str, summary: dict[str, Any], markdown: Path) -> None:
    """Write one table of the run; raise UserError for an unknown name."""
    if name not in TABLES:
        raise UserError(f"table '{name}' is not known; choose one of {', '.join(TABLES)}")
    save_table(TITLES[name], TABLES[name](summary), markdown)
