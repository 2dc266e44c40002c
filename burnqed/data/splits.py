"""The names of splits, as files, folders, keys and people spell them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import PurePath

WORDS = {
    "test": "test", "testing": "test", "tests": "test", "heldout": "test",
    "valid": "valid", "validation": "valid", "val": "valid", "dev": "valid", "development": "valid",
    "train": "train", "training": "train",
}  # fmt: skip
_WORD = re.compile(r"[a-z]+")


@lru_cache(maxsize=1024)
def split_word(text: str) -> str:
    """Return `test`, `valid` or `train` when the text names exactly one of them in words, else ""."""
    found = {WORDS[word] for word in _WORD.findall(text.lower()) if word in WORDS}
    return found.pop() if len(found) == 1 else ""


def split_name(text: object) -> str:
    """Return a split's one spelling: `valid` for `Validation`, `test` for `miniF2F test`, else lower case."""
    return split_word(str(text)) or str(text).strip().lower()


def matches(value: object, wanted: str) -> bool:
    """Return whether an entry's split is the wanted one; an empty wish is met by all."""
    return not wanted or split_name(value) == split_name(wanted)


def split_of_path(path: PurePath) -> str:
    """Return the split that a file's name, else its nearest folder's whole name, says; "" for none."""
    found = split_word(path.name.partition(".")[0])
    if found:
        return found
    return next((WORDS[part.lower()] for part in reversed(path.parts[:-1]) if part.lower() in WORDS), "")


def splits_of_paths(paths: Sequence[PurePath]) -> list[str]:
    """Return each file's split, all "" unless the files are evidently sorted by it.

    They are when two splits occur, or when every file names one: a lone `test` folder beside others
    holds a project's own tests.
    """
    found = [split_of_path(path) for path in paths]
    kinds = set(found) - {""}
    return found if len(kinds) > 1 or (kinds and "" not in found) else [""] * len(found)


def described(counts: Counter[str] | Iterable[str]) -> str:
    """Return `test (244), valid (244)`."""
    counts = counts if isinstance(counts, Counter) else Counter(counts)
    return ", ".join(f"{name or 'without a split'} ({count})" for name, count in sorted(counts.items()))
