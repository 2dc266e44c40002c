"""A hand-written benchmark: known facts of logic, sets, natural numbers and lists.

Each comes with a reference proof, one tactic a line, each acting on the state with all goals (a
deeper indented line continues the one above). The generated corpus leaves out these statements and
everything of their skeletons.
"""

from __future__ import annotations

from functools import cache

from burnqed.data.corpus.classical_logic import LOGIC, QUANTIFIERS
from burnqed.data.corpus.classical_numbers import LISTS, NUMBERS
from burnqed.data.corpus.draft import CorpusTheorem, Draft, level_of
from burnqed.data.corpus.keys import skeleton

FAMILIES = {"logic": LOGIC, "quantifiers": QUANTIFIERS, "numbers": NUMBERS, "lists": LISTS}


def _parse(text: str, family: str) -> list[Draft]:
    """Read ``name : statement`` lines, each followed by its indented proof."""
    drafts: list[Draft] = []
    for line in text.strip().splitlines():
        if not line.startswith("  "):
            name, _, statement = line.partition(" : ")
            drafts.append(Draft(family, name.rstrip("'"), statement, ()))
            continue
        last = drafts.pop()
        if line.startswith("    "):
            *steps, end = [last.statement, *last.proof]
            statement, *steps = [*steps, f"{end} {line.strip()}"]
        else:
            statement, steps = last.statement, [*last.proof, line.strip()]
        drafts.append(Draft(family, last.tag, statement, tuple(steps)))
    return drafts


@cache
def theorems() -> tuple[CorpusTheorem, ...]:
    """Return the whole set, in order."""
    drafts = [draft for family, text in FAMILIES.items() for draft in _parse(text, family)]
    return tuple(
        CorpusTheorem(
            name=f"classical_{draft.tag}",
            statement=draft.statement,
            header="",
            proof=list(draft.proof),
            family=draft.family,
            level=level_of(draft),
            split="classical",
            skeleton=skeleton(draft.statement),
        )
        for draft in drafts
    )
