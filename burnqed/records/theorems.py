"""Theorem indexes: the named statements a search runs over or a benchmark consists of."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from burnqed.files import UserError, atomic_path, read_json


@dataclass(frozen=True)
class Theorem:
    """A named proposition.

    ``statement`` is the proposition itself (what follows ``goal.start`` or ``theorem n :``),
    ``header`` the imports, opens and definitions it needs, ``family`` and ``level`` the generator's
    labels of a generated theorem (empty and 0 elsewhere). ``signature`` is a published declaration's
    own text between its name and its `:=`, binders and all; empty where the statement is all there
    is. ``keyword`` is `def` where a term is asked for, not a proof.
    """

    name: str
    statement: str
    header: str = ""
    file_path: str | None = None
    family: str = ""
    level: int = 0
    signature: str = ""
    keyword: str = "theorem"

    def row(self) -> dict[str, object]:
        """Return the index row: name, statement and header always, the rest where it says something."""
        row: dict[str, object] = {
            "name": self.name,
            "statement": self.statement,
            "header": self.header,
        }
        if self.file_path is not None:
            row["file_path"] = self.file_path
        if self.family:
            row["family"] = self.family
        if self.level:
            row["level"] = self.level
        if self.signature:
            row["signature"] = self.signature
        if self.keyword != "theorem":
            row["keyword"] = self.keyword
        return row


@dataclass(frozen=True)
class TheoremIndex:
    """Theorems and where they came from (file, split, SHA-256, counts of what was left out)."""

    source: dict[str, Any] = field(default_factory=dict)
    theorems: list[Theorem] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.theorems)


def theorem_from(row: Mapping[str, Any], place: str) -> Theorem:
    """Return the theorem of an index row; ``place`` names file and entry in the error message."""
    for key in ("name", "statement"):
        if not isinstance(row.get(key), str) or not row[key].strip():
            raise UserError(f"{place}: no '{key}'; an index entry needs the texts name and statement")
    path = row.get("file_path")
    try:
        return Theorem(
            name=row["name"],
            statement=row["statement"],
            header=str(row.get("header") or ""),
            file_path=None if path is None else str(path),
            family=str(row.get("family") or ""),
            level=int(row.get("level") or 0),
            signature=str(row.get("signature") or ""),
            keyword="def" if row.get("keyword") == "def" else "theorem",
        )
    except (TypeError, ValueError) as error:
        raise UserError(f"{place}: 'level' is not a whole number ({error})") from error


def read_theorem_index(path: Path) -> TheoremIndex:
    """Read a theorem index file.

    Raises UserError naming the file, and the entry, when it is missing, damaged, empty of the
    expected keys, or gives one name to two theorems.
    """
    value = read_json(path)
    if not isinstance(value, dict) or not isinstance(value.get("theorems"), list):
        raise UserError(f'{path}: not a theorem index; expected {{"source": .., "theorems": [..]}}')
    theorems: list[Theorem] = []
    seen: set[str] = set()
    for number, row in enumerate(value["theorems"]):
        place = f"{path}: theorems[{number}]"
        if not isinstance(row, dict):
            raise UserError(f"{place}: not an object")
        theorem = theorem_from(row, place)
        if theorem.name in seen:
            raise UserError(f"{place}: the name '{theorem.name}' occurs twice; names must be unique")
        seen.add(theorem.name)
        theorems.append(theorem)
    return TheoremIndex(dict(value.get("source") or {}), theorems)


def write_theorem_index(path: Path, index: TheoremIndex) -> None:
    """Write a theorem index file atomically, one theorem a line."""
    with atomic_path(path) as partial, partial.open("w", encoding="utf-8") as stream:
        stream.write(f'{{"source": {json.dumps(index.source, ensure_ascii=False)},\n"theorems": [')
        for number, theorem in enumerate(index.theorems):
            stream.write(",\n" if number else "\n")
            stream.write(json.dumps(theorem.row(), ensure_ascii=False))
        stream.write("\n]}\n")


def by_name(theorems: Iterable[Theorem]) -> dict[str, Theorem]:
    """Return the theorems keyed by name."""
    return {theorem.name: theorem for theorem in theorems}
