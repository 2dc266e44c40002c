"""A search as one HTML page without outside parts: the tree as SVG, and every tactic tried at each state.

All text of the search was written by a model or by the prover, so all of it is escaped.
"""

from __future__ import annotations

from collections import Counter
from html import escape
from pathlib import Path
from typing import Any

from burnqed.commands.inspect import read_search, short, short_state
from burnqed.words import counted

WIDTH, HEIGHT, GAP_X, GAP_Y = 230, 54, 40, 12  # of a box, and between boxes
STYLE = """
body { font: 14px/1.4 system-ui, sans-serif; margin: 1.5em auto; padding: 0 1em; max-width: 110em; color: #222;
background: #fff; } h1 { font-size: 1.6em; } h1, p, pre { overflow-wrap: anywhere; }
svg text { font: 11px ui-monospace, monospace; } svg text.scores { fill: #555; } svg a { cursor: pointer; }
.tree, .table { overflow: auto; } .tree { border: 1px solid #ccc; max-height: 80vh; }
.key { display: inline-block; border: 1px solid; border-radius: 3px; padding: 0 .5em; margin: 0 .3em .3em 0; }
pre { background: #f6f6f6; padding: .6em; white-space: pre-wrap; margin: .3em 0; }
table { border-collapse: collapse; } td, th { font-variant-numeric: tabular-nums; border: 1px solid #ddd; padding: .2em .5em; text-align: left;
vertical-align: top; white-space: nowrap; } td.code { font-family: ui-monospace, monospace; white-space: pre-wrap; min-width: 12em; }
section { border-top: 1px solid #ddd; margin-top: 1em; } section:target { background: #fffbe6; }
tr.path { background: #e6f4e6; } tr.error, tr.timeout, tr.crash { color: #666; }
"""
COLOURS = {  # fill and border of a state's box, by what became of it, and what they say
    "proof": ("#e6f4e6", "#2a7d2a", "on the proof"),
    "closed": ("#bfe3bf", "#2a7d2a", "closes the goal"),
    "live": ("#eaf1fb", "#3b6fb5", "expanded"),
    "waiting": ("#ffffff", "#999999", "not expanded"),
    "dead": ("#fbeaea", "#b54a4a", "expanded, nothing new came of it"),
}


def render_html(path: Path, theorem: str, attempt: int = 0, kind: str | None = None) -> str:
    """Return the page of one search. Raises UserError for an unknown theorem, attempt or kind."""
    result, rows = read_search(path, theorem, attempt, kind)
    children: dict[int, list[dict[str, Any]]] = {}
    for row in rows:
        children.setdefault(row["parent_step"], []).append(row)
    root = {"step": -1, "outcome": "ok", "tactic": "", "on_proof_path": result.proved, "message": ""}
    root |= {"next_state": rows[0]["goal"] if rows else "", "logprob": None, "energy": None, "cumulative_logprob": 0.0}
    states = [root, *(row for row in rows if row["outcome"] == "ok")]
    told = (
        f"{result.stop_reason}: {counted(result.expansions, 'state')} expanded, {counted(result.tactics, 'tactic')} tried, "
        f"depth {result.depth}"
    )
    parts = [
        "<!DOCTYPE html>",
        f'<html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{escape(theorem)}</title><style>{STYLE}</style></head>',
        f"<body><h1>{escape(theorem)}</h1>",
        f"<p>iteration {result.iteration}, kind {escape(result.kind)}, attempt {attempt}. {escape(told)}</p>",
    ]
    if result.message:
        parts.append(f"<pre>{escape(result.message)}</pre>")
    if result.proof:
        parts.append(f"<h2>Proof</h2><pre>{escape(chr(10).join(result.proof))}</pre>")
    if rows:
        parts += [
            "<h2>Tree</h2>",
            f"<p>{_legend()}</p>",
            "<p>In a box: the tactic, the goal it leads to, &times; the number of tactics that led to no new state from "
            "there; when it was expanded, and its scores. A click shows what was tried there.</p>",
            f'<div class="tree">{_svg(root, children)}</div>',
            "<h2>States</h2>",
            *(_section(row, children.get(row["step"], [])) for row in states),
        ]
    return "\n".join([*parts, "</body></html>", ""])


def _legend() -> str:
    return " ".join(
        f'<span class="key" style="background: {fill}; border-color: {border}">{said}</span>'
        for fill, border, said in COLOURS.values()
    )


def fate(row: dict[str, Any], own: list[dict[str, Any]]) -> tuple[str, str]:
    """Return what became of the state that a tactic led to: a key of ``COLOURS`` and a sentence."""
    if row["outcome"] == "proved":
        return ("closed", "closes the goal")
    if not own:
        return ("waiting", "not expanded: the search ended before its turn, or it was at the depth limit")
    counts = Counter(child["outcome"] for child in own)
    summary = ", ".join(f"{number} {outcome}" for outcome, number in counts.most_common())
    told = f"expansion {_expansions(own)}: {counted(len(own), 'tactic')}: {summary}"
    if row["on_proof_path"]:
        return ("proof", told)
    if counts["ok"] + counts["proved"]:
        return ("live", told)
    return ("dead", f"died: no tactic led to a new state; {told}")


def _expansions(own: list[dict[str, Any]]) -> str:
    """Return the numbers of the expansions that tried tactics at a state."""
    return ", ".join(str(number) for number in sorted({child["expansion"] for child in own}))


def _scores(row: dict[str, Any]) -> str:
    parts = [f"{name} {row[name]:.3f}" for name in ("logprob", "energy") if row[name] is not None]
    return ", ".join(parts) or "probe tactic"


def _svg(root: dict[str, Any], children: dict[int, list[dict[str, Any]]]) -> str:
    """Return the tree: depth to the right, the children of a state below one another."""
    shown = {
        step: sorted((r for r in rows if r["outcome"] in ("ok", "proved")), key=lambda r: not r["on_proof_path"])
        for step, rows in children.items()
    }
    place: dict[int, tuple[int, float]] = {}
    order: list[dict[str, Any]] = []
    pending = [(root, 0)]
    while pending:  # an explicit stack: a search may be deeper than Python's recursion limit
        row, depth = pending.pop()
        order.append(row)
        place[row["step"]] = depth, 0.0
        pending.extend((child, depth + 1) for child in reversed(shown.get(row["step"], [])))
    lines = 0
    for row in reversed(order):  # children come before their parent
        below = [place[child["step"]][1] for child in shown.get(row["step"], [])]
        y = sum(below) / len(below) if below else float(lines)
        lines += not below
        place[row["step"]] = place[row["step"]][0], y
    deepest = max(depth for depth, _ in place.values())
    width, height = (deepest + 1) * (WIDTH + GAP_X), lines * (HEIGHT + GAP_Y) + GAP_Y

    def corner(step: int) -> tuple[float, float]:
        depth, y = place[step]
        # the layout above goes from the last leaf to the first
        return depth * (WIDTH + GAP_X) + GAP_X / 2, (lines - 1 - y) * (HEIGHT + GAP_Y) + GAP_Y

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">']
    for row in order:
        x, y = corner(row["step"])
        for child in shown.get(row["step"], []):
            to_x, to_y = corner(child["step"])
            colour, stroke = ("#2a7d2a", 3) if child["on_proof_path"] else ("#999", 1)
            middle = (x + WIDTH + to_x) / 2
            out.append(
                f'<path d="M{x + WIDTH:.0f} {y + HEIGHT / 2:.0f} C{middle:.0f} {y + HEIGHT / 2:.0f} '
                f'{middle:.0f} {to_y + HEIGHT / 2:.0f} {to_x:.0f} {to_y + HEIGHT / 2:.0f}" fill="none" '
                f'stroke="{colour}" stroke-width="{stroke}"/>'
            )
    for row in order:
        out.append(_box(row, children.get(row["step"], []), *corner(row["step"])))
    return "\n".join([*out, "</svg>"])


def _box(row: dict[str, Any], own: list[dict[str, Any]], x: float, y: float) -> str:
    """Return a state's box: the tactic that led to it, and its goal or the scores."""
    key, told = fate(row, own)
    fill, border, _ = COLOURS[key]
    failed = sum(child["outcome"] not in ("ok", "proved") for child in own)
    marks = f" ×{failed}" if failed else ""
    state = "no goals" if row["outcome"] == "proved" else short_state(row["next_state"] or "", 32 - len(marks)) + marks
    tactic = short(row["tactic"], 32) if row["step"] >= 0 else "(theorem)"
    numbers = [
        f"{sign} {row[name]:.2f}" for name, sign in (("logprob", "logp"), ("energy", "E")) if row[name] is not None
    ]
    scores = "   ".join([*([f"#{_expansions(own)}"] if own else []), *numbers])
    title = "\n".join(text for text in (row["tactic"], _scores(row), told, row["next_state"] or "") if text)
    target = row["parent_step"] if row["outcome"] == "proved" else row["step"]
    return (
        f'<a href="#s{target}"><title>{escape(title)}</title>'
        f'<rect x="{x:.0f}" y="{y:.0f}" width="{WIDTH}" height="{HEIGHT}" rx="4" fill="{fill}" stroke="{border}"/>'
        f'<text x="{x + 6:.0f}" y="{y + 16:.0f}" font-weight="bold">{escape(tactic)}</text>'
        f'<text x="{x + 6:.0f}" y="{y + 31:.0f}">{escape(state)}</text>'
        f'<text class="scores" x="{x + 6:.0f}" y="{y + 46:.0f}">{escape(short(scores, 32))}</text></a>'
    )


def _section(row: dict[str, Any], own: list[dict[str, Any]]) -> str:
    """Return a state in full, with every tactic tried at it."""
    _, told = fate(row, own)
    head = f"State {row['step']}" if row["step"] >= 0 else "Theorem"
    parts = [f'<section id="s{row["step"]}"><h3>{head}</h3>']
    if row["step"] >= 0:
        parts.append(
            f'<p>from <a href="#s{row["parent_step"]}">{row["parent_step"] if row["parent_step"] >= 0 else "theorem"}'
            f"</a> by <code>{escape(row['tactic'])}</code> ({_scores(row)}, cumulative "
            f"{row['cumulative_logprob']:.3f})</p>"
        )
    parts += [f"<pre>{escape(row['next_state'] or '')}</pre>", f"<p>{escape(told)}</p>"]
    if own:
        parts.append('<div class="table"><table><tr><th>tactic<th>outcome<th>log-probability<th>energy<th>message</tr>')
        parts += [_line(child) for child in own]
        parts.append("</table></div>")
    return "\n".join([*parts, "</section>"])


def _line(row: dict[str, Any]) -> str:
    numbers = ["" if row[name] is None else f"{row[name]:.3f}" for name in ("logprob", "energy")]
    outcome = escape(row["outcome"])
    shown = f'<a href="#s{row["step"]}">{outcome}</a>' if row["outcome"] == "ok" else outcome
    kind = "path" if row["on_proof_path"] else outcome
    return (
        f'<tr class="{kind}"><td class="code">{escape(row["tactic"])}<td>{shown}<td>{numbers[0]}<td>{numbers[1]}'
        f'<td class="code">{escape(row["message"])}</tr>'
    )
