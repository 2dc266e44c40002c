"""Numbers with their nouns."""

from __future__ import annotations

import pytest

from burnqed.words import counted


@pytest.mark.parametrize(
    ("number", "words", "text"),
    [
        (0, ["job"], "0 jobs"),
        (1, ["job"], "1 job"),
        (2000, ["job"], "2,000 jobs"),
        (3, ["entry", "entries"], "3 entries"),
    ],
)
def test_a_number_has_its_noun(number: int, words: list[str], text: str) -> None:
    assert counted(number, *words) == text
