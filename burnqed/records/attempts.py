"""Proofs that someone claims: a theorem, the tactics of its proof, and what their author says became of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from burnqed.files import UserError, read_jsonl, write_jsonl
from burnqed.records.theorems import Theorem, theorem_from


@dataclass(frozen=True)
class Attempt:
    """One claimed proof.

    ``proof`` is the tactic text, without `by`. ``claimed`` is its author's verdict, None where none is
    given; ``source`` says where it was read; ``differs``: its author proved another statement than
    the theorem's; ``budget`` counts what it took in the author's unit, 0 where that is not told.
    """

    theorem: Theorem
    proof: str
    claimed: bool | None = None
    source: str = ""
    differs: bool = False
    budget: int = 0

    def row(self) -> dict[str, object]:
        """Return the row that `burnqed check` reads."""
        row = {**self.theorem.row(), "proof": self.proof}
        optional = {"claimed": self.claimed, "source": self.source or None, "differs": self.differs or None}
        return row | {key: value for key, value in optional.items() if value is not None}


def attempt_from(row: Mapping[str, Any], place: str) -> Attempt:
    """Return the attempt of a row; ``proof`` may be a text or a list of tactics. Raises UserError naming the place."""
    proof = row.get("proof")
    if isinstance(proof, list) and all(isinstance(item, str) for item in proof):
        proof = "\n".join(proof)
    if not isinstance(proof, str):
        raise UserError(f"{place}: no 'proof'; give the tactics as a text or a list of texts")
    claimed = row.get("claimed")
    named = row if "name" in row else {**row, "name": row.get("theorem")}
    return Attempt(
        theorem_from(named, place),
        proof,
        claimed if isinstance(claimed, bool) else None,
        str(row.get("source") or ""),
        bool(row.get("differs")),
    )


def read_attempts(path: Path) -> Iterator[Attempt]:
    """Yield the attempts of a JSON-lines file; raise UserError naming file and line when one is damaged."""
    for number, row in enumerate(read_jsonl(path), 1):
        if not isinstance(row, dict):
            raise UserError(f"{path}:{number}: not a JSON object")
        yield attempt_from(row, f"{path}:{number}")


def write_attempts(path: Path, attempts: Iterable[Attempt]) -> None:
    """Write one attempt per line, atomically."""
    write_jsonl(path, (attempt.row() for attempt in attempts))
