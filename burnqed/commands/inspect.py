"""A search as a text tree: what was tried at each state, and why branches died."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from burnqed.files import UserError
from burnqed.records.trajectories import TheoremResult, read_results, read_steps

COLUMNS = (
    "theorem", "kind", "attempt", "step", "parent_step", "depth", "state", "goal", "tactic", "outcome", "next_state",
    "message", "logprob", "cumulative_logprob", "energy", "on_proof_path", "expansion",
)  # fmt: skip


def short(text: str, width: int) -> str:
    """Return a text on one line of at most ``width`` characters, its indentation kept, the end cut."""
    indent = text[: len(text) - len(text.lstrip(" "))]
    flat = indent + " ".join(text.split())
    return flat if len(flat) <= width else flat[: max(1, width - 1)] + "…"


def short_state(state: str, width: int) -> str:
    """Return a state on one line: number of goals when several, and the first target."""
    goals = [block for block in state.split("\n\n") if "⊢" in block]
    if not goals:
        return short(state, width)
    target = "⊢" + goals[0].split("⊢", 1)[1]
    return short(f"({len(goals)} goals) {target}" if len(goals) > 1 else target, width)


def render_list(path: Path) -> str:
    """Return one line per theorem and attempt: how its search ended."""
    results = read_results(path)
    width = max((len(r.theorem) for r in results), default=7)
    lines = [f"{'theorem':<{width}} kind      attempt  {'ended':<13} {'nodes':>6} {'tactics':>8} {'depth':>6}"]
    for r in results:
        lines.append(
            f"{r.theorem:<{width}} {r.kind:<9} {r.attempt:>7}  {r.stop_reason:<13} {r.nodes:>6} {r.tactics:>8} "
            f"{r.depth:>6}"
        )
    lines.append(f"{sum(r.proved for r in results)} of {len(results)} proved")
    return "\n".join(lines)


def _result(path: Path, theorem: str, attempt: int, kind: str | None) -> TheoremResult:
    """Return a search's result; without a kind that of the main search, or of the only one there is."""
    results = read_results(path)
    found = [r for r in results if r.theorem == theorem and r.attempt == attempt and kind in (None, r.kind)]
    if found:
        return min(found, key=lambda r: (r.kind != "main", r.kind))
    if kind is not None and any(r.theorem == theorem and r.attempt == attempt for r in results):
        kinds = sorted({r.kind for r in results if r.theorem == theorem and r.attempt == attempt})
        raise UserError(f"{path}: '{theorem}' has no search of kind '{kind}', but {' and '.join(kinds)}")
    names = sorted({r.theorem for r in results})
    if theorem in names:
        raise UserError(f"{path}: '{theorem}' has no attempt {attempt}")
    import difflib

    close = difflib.get_close_matches(theorem, names, 3)
    hint = f"did you mean {' or '.join(close)}?" if close else "--list shows the names"
    raise UserError(f"{path}: no theorem '{theorem}'; {hint}")


def _scores(row: dict[str, Any]) -> str:
    parts = [] if row["logprob"] is None else [f"logprob {row['logprob']:.2f}"]
    if row["energy"] is not None:
        parts.append(f"energy {row['energy']:.2f}")
    return f"  [{', '.join(parts)}]" if parts else "  [probe]"


def read_search(
    path: Path, theorem: str, attempt: int, kind: str | None = None
) -> tuple[TheoremResult, list[dict[str, Any]]]:
    """Return the result and the rows, in order, of one search; raise UserError for an unknown one."""
    result = _result(path, theorem, attempt, kind)
    import pyarrow.compute as pc

    table = read_steps(path, COLUMNS)
    for name, value in (("theorem", theorem), ("kind", result.kind), ("attempt", attempt)):
        table = table.filter(pc.equal(table.column(name), value))
    rows: list[dict[str, Any]] = table.to_pylist()
    return result, sorted(rows, key=lambda row: int(row["step"]))


def render_tree(
    path: Path,
    theorem: str,
    attempt: int = 0,
    width: int = 100,
    count_failures: bool = True,
    kind: str | None = None,
) -> str:
    """Return the search tree of one theorem.

    Each kept tactic is followed by the state it leads to; `*` marks the proof. Failed tactics are
    counted by kind with an example, or shown one by one. Raises UserError for an unknown name.
    """
    result, rows = read_search(path, theorem, attempt, kind)
    children: dict[int, list[dict[str, Any]]] = {}
    for row in rows:
        children.setdefault(row["parent_step"], []).append(row)
    lines = [
        f"{theorem}, {result.kind}, attempt {attempt}: {result.stop_reason}, {result.expansions} nodes expanded, "
        f"{result.tactics} tactics, depth {result.depth}"
    ]
    if result.message:
        lines.append(short(result.message, width))
    if rows:
        lines.append(short_state(children[-1][0]["state"] if -1 in children else rows[0]["state"], width))
    # An explicit stack: a search may be deeper than Python's recursion limit.
    pending: list[tuple[dict[str, Any], str]] = []
    out: list[str] = []

    def open_state(step: int, indent: str) -> None:
        own = children.get(step, [])
        kept = [r for r in own if r["outcome"] in ("ok", "proved")] if count_failures else own
        failed = [r for r in own if r not in kept]
        for kind, number in Counter(r["outcome"] for r in failed).most_common():
            example = next(r for r in failed if r["outcome"] == kind)
            why = f": {example['message']}" if example["message"] else ""
            out.append(
                short(
                    f"{indent}  x {number} {kind}, e.g. {' '.join(example['tactic'].split())}{why}",
                    width,
                )
            )
        pending.extend((row, indent) for row in reversed(kept))

    open_state(-1, "")
    while pending:
        row, indent = pending.pop()
        mark = "*" if row["on_proof_path"] else "-"
        line = f"{indent}  {mark} {' '.join(row['tactic'].split())}"
        scores = _scores(row)
        if row["outcome"] == "ok":
            out.append(short(line, width - len(scores)) + scores)
            following = children.get(row["step"])
            numbers = ", ".join(str(number) for number in sorted({child["expansion"] for child in following or ()}))
            order = f" (expanded {numbers})" if following else " (not expanded)"
            out.append(
                f"{indent}      " + short_state(row["next_state"] or "", width - len(indent) - 6 - len(order)) + order
            )
            open_state(row["step"], indent + "    ")
        elif row["outcome"] == "proved":
            out.append(short(line, width - len(scores) - 9) + scores + "  proved")
        else:
            why = f": {row['message']}" if row["message"] else ""
            out.append(short(f"{indent}  x {' '.join(row['tactic'].split())} [{row['outcome']}{why}]", width))
    return "\n".join(lines + out)
