"""What Lean's server says of a document. A model's text runs in that process, so any of it may be hostile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from burnqed.prover.answers import parse_answer

UNSOLVED, ACCOMPLISHED = 1, 2  # Lean's own tags of diagnostics
ERROR, WARNING = 1, 2

Place = tuple[int, int]  # line and UTF-16 column, from 0


class UnknownShape(Exception):
    """This is no answer of a Lean server."""


@dataclass(frozen=True)
class Diagnostic:
    """One message; ``begin`` and ``end`` are the full text it is about, not only its first line."""

    severity: int
    begin: Place
    end: Place
    text: str
    tags: tuple[int, ...] = ()

    def spans(self, begin: Place, end: Place) -> bool:
        """Whether it is about exactly the text between two places."""
        return (self.begin, self.end) == (begin, end)


def parse_diagnostics(body: bytes, version: int) -> list[Diagnostic]:
    """Return the diagnostics of a document's version, in the order of their places. Raises UnknownShape."""
    if not body:
        raise UnknownShape("no diagnostics for the document")
    try:
        params = parse_answer(body)["params"]
        found = [_parse(each) for each in params["diagnostics"]]
        of = params.get("version")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnknownShape(f"diagnostics of an unknown shape: {body[:200]!r}") from error
    if of != version:
        raise UnknownShape("no diagnostics for the document")
    return sorted(found, key=lambda each: each.begin)


def _parse(row: Any) -> Diagnostic:
    place = row.get("fullRange") or row["range"]
    tags = tuple(row.get("leanTags") or ())
    severity = row.get("severity", ERROR)
    if not isinstance(severity, int):
        raise TypeError
    return Diagnostic(severity, _place(place["start"]), _place(place["end"]), str(row["message"]), tags)


def _place(row: Any) -> Place:
    line, column = row["line"], row["character"]
    if not isinstance(line, int) or not isinstance(column, int):
        raise TypeError
    return line, column
