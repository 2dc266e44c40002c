"""Numbers with their nouns, for what people read."""

from __future__ import annotations


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return the number and what it counts: `1 job`, `2,000 jobs`; ``plural`` where an s at the end is not enough."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
