"""What every family shares: the draft of a theorem, its text, and its grade."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from burnqed.data.corpus.terms import Term, heads, show

LEVELS = (2, 4, 6, 9)  # most steps of levels 1 to 4
Groups = list[tuple[list[str], str]]


@dataclass(frozen=True)
class Draft:
    """A statement with tactics, each acting on the state with all goals.

    ``hardness`` is added to the number of tactics when the theorem is graded.
    """

    family: str
    tag: str
    statement: str
    proof: tuple[str, ...]
    hardness: int = 0


Family = Callable[[random.Random], Draft | None]


@dataclass(frozen=True)
class CorpusTheorem:
    """A named theorem of the corpus; ``header`` is the Lean text that must stand before it."""

    name: str
    statement: str
    header: str
    proof: list[str]
    family: str
    level: int
    split: str
    skeleton: str


def level_of(draft: Draft) -> int:
    """Return the difficulty, 1 to 5, from the number of steps and the family's estimate."""
    steps = len(draft.proof) + draft.hardness
    return next((level for level, most in enumerate(LEVELS, 1) if steps <= most), 5)


def grouped(names: Iterable[str], kinds: Mapping[str, str]) -> Groups:
    """Return the variables among ``names`` as binder groups; ``kinds`` maps each to its type."""
    wanted = set(names)
    groups: dict[str, list[str]] = {}
    for name, kind in kinds.items():
        if name in wanted:
            groups.setdefault(kind, []).append(name)
    return [(group, kind) for kind, group in groups.items()]


def statement_of(groups: Groups, hypotheses: Sequence[Term | str], goal: Term | str) -> str:
    """Write ``∀ (p q : Prop), h → .. → goal``; texts are printed already, with their parentheses."""
    binders = " ".join(f"({' '.join(names)} : {kind})" for names, kind in groups if names)
    parts = [show(h, 26) if isinstance(h, Term) else h for h in hypotheses]
    body = " → ".join([*parts, show(goal, 25) if isinstance(goal, Term) else goal])
    return f"∀ {binders}, {body}" if binders else body


def labels(count: int, first: int = 1) -> list[str]:
    """Return the names of hypotheses, ``h1``, ``h2``, ..."""
    return [f"h{number}" for number in range(first, first + count)]


def intro(groups: Groups, hypotheses: int) -> str:
    """Return the ``intro`` of all variables, then of the hypotheses h1, h2, ..."""
    names = [name for group, _ in groups for name in group]
    return " ".join(["intro", *names, *labels(hypotheses)])


def used(names: Iterable[str], terms: Iterable[Term]) -> list[str]:
    """Return the names that occur in the terms, in the given order."""
    found: set[str] = set()
    for value in terms:
        found |= heads(value)
    return [name for name in names if name in found]
