"""HTML documents of the report that need no other file; all text from outside is escaped."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; color: #111;
  background: #fff; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.table { overflow-x: auto; } table { border-collapse: collapse; font-size: 0.85rem; }
th, td { border-bottom: 1px solid #ccc; padding: 0.25rem 0.6rem; text-align: left; vertical-align: top;
  overflow-wrap: normal; }
th { background: #f2f2f2; } pre { overflow-x: auto; background: #f6f6f6; padding: 0.6rem; font-size: 0.8rem; }
summary { cursor: pointer; } li { margin: 0.3rem 0; }
"""


def html_table(rows: Sequence[Mapping[str, object]]) -> str:
    """Return rows as an HTML table that scrolls sideways on a narrow screen."""
    if not rows:
        return "<p>No rows.</p>\n"
    head = "".join(f"<th>{html.escape(str(key))}</th>" for key in rows[0])
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(str(value))}</td>" for value in row.values()) + "</tr>\n" for row in rows
    )
    return f'<div class="table"><table><thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody></table></div>\n'


def html_document(title: str, body: str) -> str:
    """Return a whole document; ``body`` is HTML already."""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>{STYLE}</style></head>\n<body>\n{body}</body></html>\n"
    )
