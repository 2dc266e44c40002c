"""Tables of a run as Markdown, CSV and HTML, written from ``summary.json``."""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from burnqed.files import write_text
from burnqed.records.summaries import Summary
from burnqed.report.html_page import html_document, render
from burnqed.report.registry import Rows, table
from burnqed.report.summary import model_name, summary_rows, training_rows

Table = Sequence[Mapping[str, object]]


table(
    "Solve rate at the largest budget",
    "Solve rate of each model with 95 % intervals; re-checked proofs only.",
    name="results",
)(summary_rows)
table("Training", "What each training saw and reached.", main=False)(training_rows)


_FORMULA = re.compile(r"[=+\-@\t](?![\d.,]* ?%?\Z)", re.DOTALL)  # a signed number is none


def _no_formula(value: object) -> object:
    """Return a cell that no spreadsheet computes: names of theorems and tactics come from elsewhere."""
    if not isinstance(value, str):
        return value
    text = value.replace("\r", " ")  # written without quotes, it would end the row
    return f"'{text}" if _FORMULA.match(text) else text


def to_csv(rows: Table) -> str:
    """Return rows as CSV text with a header; texts that a spreadsheet would take for formulas are quoted."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, fieldnames=list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _no_formula(value) for name, value in row.items()} for row in rows)
    return stream.getvalue()


def to_markdown(rows: Table) -> str:
    """Return rows as a Markdown table."""
    if not rows:
        return "(no rows)\n"
    head = "| " + " | ".join(rows[0]) + " |\n|" + " --- |" * len(rows[0]) + "\n"
    return head + "".join("| " + " | ".join(map(_cell, row.values())) + " |\n" for row in rows)


def _cell(value: object) -> str:
    """Return a value as one cell of a Markdown table."""
    return " ".join(html.escape(str(value), quote=False).replace("|", "\\|").split())


@table("Solve rate by budget", "Solve rate of each model at every budget; re-checked proofs only.")
def comparison_rows(summary: Summary) -> Rows:
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


@table("Theorems newly solved and newly lost", "Each model against the one before it.", main=False)
def changes_rows(summary: Summary) -> Rows:
    """Return the theorems each model newly solved or newly lost against the one before it."""
    return [
        {"model": model_name(model["label"]), "variant": model["variant"], "theorem": name, "change": change}
        for model in summary["models"]
        for change, names in (("solved", model["newly_solved"]), ("lost", model["newly_lost"]))
        for name in names
    ]


def save_table(title: str, rows: Table, markdown: Path) -> None:
    """Write rows as CSV, as an HTML page (what the report shows) and, last, as Markdown, side by side."""
    write_text(markdown.with_suffix(".csv"), to_csv(rows))
    body = render("<h1>{{ title }}</h1>\n{{ table(rows) }}", title=title, rows=rows)
    write_text(markdown.with_suffix(".html"), html_document(f"burn-qed: {title}", body))
    write_text(markdown, to_markdown(rows))
