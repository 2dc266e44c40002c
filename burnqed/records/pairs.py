"""Tactic pairs: a proof state and the tactic a proof applied to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from burnqed.files import UserError, read_jsonl, write_jsonl


@dataclass(frozen=True)
class TacticPair:
    """One (state, tactic) example.

    ``state`` is Lean's grouped print of all goals; ``depth`` the number of tactics before it in
    its proof; ``num_goals`` the number of goals of the state; ``source`` where the proof is from;
    ``dropped_after`` the number of its proof's tactics that a filter dropped between it and the next pair,
    or the proof's end (written only where it is not 0).
    """

    state: str
    tactic: str
    theorem: str
    depth: int
    source: str
    num_goals: int
    dropped_after: int = 0


def read_pairs(path: Path) -> list[TacticPair]:
    """Read a tactic pair file (JSON lines); raise UserError naming file and entry when damaged."""
    pairs: list[TacticPair] = []
    for number, row in enumerate(read_jsonl(path), 1):
        try:
            pairs.append(
                TacticPair(
                    state=str(row["state"]),
                    tactic=str(row["tactic"]),
                    theorem=str(row["theorem"]),
                    depth=int(row["depth"]),
                    source=str(row.get("source", "")),
                    num_goals=int(row.get("num_goals", 1)),
                    dropped_after=int(row.get("dropped_after", 0)),
                )
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise UserError(f"{path}: pair {number}: needs state, tactic, theorem and depth ({error!r})") from error
    return pairs


def write_pairs(path: Path, pairs: Iterable[TacticPair]) -> None:
    """Write a tactic pair file atomically."""
    rows = (vars(pair) for pair in pairs)
    write_jsonl(path, ({k: v for k, v in row.items() if v or k != "dropped_after"} for row in rows))
