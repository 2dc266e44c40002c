"""Theorem indexes from the forms the field publishes.

miniF2F (DeepSeek, Goedel, InternLM, v2), ProofNet, PutnamBench, LeanDojo and our own index differ
in the key of the name, the key and the ending of the statement, and where the imports stand.
"""

from __future__ import annotations

import logging
from collections import Counter
from pathlib import Path
from typing import Any

from burnqed.artifacts import UserError, sha256_file
from burnqed.data.damage import Damage, RowError
from burnqed.data.lean_text import (
    PLACEHOLDER,
    Declaration,
    TextError,
    normalise_statement,
    proposition_from_state,
    read_statement,
    strip_comments,
)
from burnqed.data.rows import read_rows
from burnqed.data.theorems import Theorem, TheoremIndex

logger = logging.getLogger(__name__)
NAME_KEYS = ("name", "full_name", "problem_id", "theorem_name", "declId", "id", "uuid")
STATEMENT_KEYS = ("formal_statement", "statement", "theorem_statement", "lean4_code", "decl")
SPLIT_NAMES = {"validation": "valid", "val": "valid", "dev": "valid"}


def _split(name: object) -> str:
    text = str(name).lower()
    return SPLIT_NAMES.get(text, text)


def _first_text(row: dict[str, Any], keys: tuple[str, ...]) -> str:
    return next((row[key] for key in keys if isinstance(row.get(key), str) and row[key].strip()), "")


def theorem_of_row(row: dict[str, Any], place: str, number: int) -> tuple[Theorem | None, str]:
    """Return the theorem of a published row, and why there is none.

    The reason is empty, or `answer_placeholder` (the statement rests on an answer given as
    `sorry`), or `no_statement` (nothing to read a statement from). Raises RowError naming the
    place when the text cannot be read.
    """
    text = _first_text(row, STATEMENT_KEYS)
    name = _first_text(row, NAME_KEYS)
    if not text:
        tactics = row.get("traced_tactics") or []
        state = tactics[0].get("state_before", "") if tactics and isinstance(tactics[0], dict) else ""
        try:
            parts = Declaration("", "", "", proposition_from_state(state))
        except TextError:
            return None, "no_statement"
    else:
        try:
            parts = read_statement(text)
        except TextError as error:
            raise RowError(f"{place}: the statement of '{name or 'unnamed'}' cannot be read: {error}") from error
    header = strip_comments(str(row.get("header") or "")).strip()
    if parts.preamble:
        # A statement that is a whole file brings its own imports; a header would repeat them.
        header = parts.preamble if "import " in parts.preamble else f"{header}\n\n{parts.preamble}".strip()
    if PLACEHOLDER.search(header):
        return None, "answer_placeholder"
    path = row.get("file_path")
    level = row.get("level")
    theorem = Theorem(
        name=name or parts.name or f"unnamed_{number}",
        statement=parts.proposition,
        header=header,
        file_path=path if isinstance(path, str) else None,
        family=str(row.get("family") or ""),
        level=level if isinstance(level, int) else 0,
    )
    return theorem, ""


def read_published(path: Path, split: str = "", source: str = "", damage: Damage | None = None) -> TheoremIndex:
    """Read theorems of any published form.

    ``split`` keeps the rows of one split when the rows name theirs; ``source`` is what the user
    called the file. ``index.source`` says file, SHA-256, split, and what was left out and why. Two
    different statements under one name both stay: the later gets a numbered name and is reported.
    Damaged rows go to ``damage``. Raises UserError when it stops at one, and when the file has no such
    split or gives no theorem.
    """
    dropped: Counter[str] = Counter()
    splits: Counter[str] = Counter()
    known: dict[str, Theorem] = {}
    renamed: list[str] = []
    from_state = rows = 0
    damage = damage or Damage()
    for number, (place, row) in enumerate(read_rows(path, damage)):
        rows += 1
        if row.get("split"):
            splits[_split(row["split"])] += 1
            if split and _split(row["split"]) != _split(split):
                continue
        try:
            theorem, reason = theorem_of_row(row, place, number)
        except RowError as error:
            damage.report(str(error), error)
            continue
        if theorem is None:
            dropped[reason] += 1
            continue
        from_state += not _first_text(row, STATEMENT_KEYS)
        other = known.get(theorem.name)
        if other is not None:
            if normalise_statement(other.statement) == normalise_statement(theorem.statement):
                dropped["duplicate"] += 1
                continue
            copy = 2
            while f"{theorem.name}_{copy}" in known:
                copy += 1
            renamed.append(f"{theorem.name}_{copy}")
            theorem = Theorem(
                renamed[-1],
                theorem.statement,
                theorem.header,
                theorem.file_path,
                theorem.family,
                theorem.level,
            )
        known[theorem.name] = theorem
    if splits and split and not splits[_split(split)]:
        raise UserError(
            f"{path}: no entry of split '{split}'; it has {', '.join(f'{k} ({v})' for k, v in sorted(splits.items()))}"
        )
    if not known:
        raise UserError(f"{path}: no theorem in {rows} entries ({dict(dropped) or 'empty file'})")
    if renamed:
        logger.warning(
            "%s: %d names stand for several statements; renamed: %s",
            path,
            len(renamed),
            ", ".join(renamed[:10]),
        )
    info: dict[str, Any] = {
        "file": source or path.name,
        "sha256": sha256_file(path),
        "split": _split(split) if splits and split else "",
        "rows": rows,
        "dropped": dict(sorted(dropped.items())),
        "statements_from_state": from_state,
        "renamed": renamed,
    }
    if damage.count:
        info["damage"] = damage.row()
    return TheoremIndex(info, list(known.values()))
