"""A hand-written benchmark: classical facts of logic and of the natural numbers.

Each comes with a reference proof in core Lean 4, one tactic per line, each on the first goal (a
deeper indented line continues the one above). The proofs are for
tests only, and the generated corpus leaves these statements out.
"""

from __future__ import annotations

from burnqed.minilean.classical_logic import LOGIC, QUANTIFIERS
from burnqed.minilean.classical_numbers import NUMBERS
from burnqed.minilean.corpus_draft import CorpusTheorem, Draft, level_of


def _parse(text: str, family: str) -> list[Draft]:
    drafts: list[Draft] = []
    for line in text.strip().splitlines():
        last = drafts[-1] if drafts else None
        if line.startswith("    "):
            assert last is not None
            *steps, end = [last.statement, *last.proof]
            statement, *steps = [*steps, f"{end} {line.strip()}"]
            drafts[-1] = Draft(last.tag, family, statement, tuple(steps))
        elif line.startswith("  "):
            assert last is not None
            drafts[-1] = Draft(last.tag, family, last.statement, (*last.proof, line.strip()))
        else:
            name, _, statement = line.partition(" : ")
            drafts.append(Draft(name, family, statement, ()))
    return drafts


def theorems() -> list[CorpusTheorem]:
    """The whole set, in order; families are logic, quantifiers and numbers."""
    drafts = [
        *_parse(LOGIC, "logic"),
        *_parse(QUANTIFIERS, "quantifiers"),
        *_parse(NUMBERS, "numbers"),
    ]
    return [
        CorpusTheorem(
            f"classical_{draft.tag.rstrip(chr(39))}",
            draft.statement,
            list(draft.proof),
            draft.family,
            level_of(draft),
            "benchmark",
        )
        for draft in drafts
    ]
