"""Theorems of Lean files: which statements of a file are its problems, and which help them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from burnqed.data.rows import read_text
from burnqed.leantext.files import TERMS, Statement, read_file
from burnqed.records.damage import Damage
from burnqed.records.theorems import Theorem

# Folders that hold other projects, built files or nothing of the set's own.
SKIPPED = frozenset(("lake-packages", "build", "node_modules", "__pycache__", "site-packages", "venv"))
SETTINGS = frozenset(
    ("lakefile.lean", "lake-manifest.json", "package.json", "package-lock.json", "tsconfig.json", "dataset_info.json",
     "dataset_infos.json", "state.json", "config.json")
)  # fmt: skip
SUFFIXES = ("", "sol", "solution", "proof", "statement")
DATA = (".json", ".jsonl", ".ndjson", ".parquet", ".csv", ".tsv", ".json.gz", ".jsonl.gz", ".csv.gz")


@dataclass(frozen=True)
class LeanEntry:
    """A statement of a Lean file: as a theorem, or with the reason why it is none of the set's."""

    place: str
    statement: Statement
    theorem: Theorem | None
    reason: str = ""


def files_in(folder: Path) -> tuple[list[Path], list[Path]]:
    """Return the Lean files and the data files of a folder, in order, hidden and build folders left out."""
    lean: list[Path] = []
    data: list[Path] = []
    for path in sorted(folder.rglob("*")):
        inner = path.relative_to(folder).parts
        if any(part.startswith(".") or part in SKIPPED for part in inner) or path.name in SETTINGS:
            continue
        name = path.name.lower()
        if name.endswith(".lean") and path.is_file():
            lean.append(path)
        elif name.endswith(DATA) and not name.endswith(".meta.json") and path.is_file():
            data.append(path)
    return lean, data


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()


def reasons(statements: Sequence[Statement], stem: str) -> list[str]:
    """Return for each statement of a file why it is no problem of the set, "" when it is one.

    A file named after one of its theorems is about that one. Where the word `problem` occurs, it
    marks the problems. Else all open statements are problems, and so are proved ones, unless they
    are examples, help another statement, or are lemmas beside theorems.
    """
    if any(statement.word == "problem" for statement in statements):
        return ["" if statement.word == "problem" else "auxiliary" for statement in statements]
    file = _plain(stem)
    names = [_plain(statement.name.rpartition(".")[2]) for statement in statements]
    named = [bool(name) and file.startswith(name) and file[len(name) :] in SUFFIXES for name in names]
    theorems = any(statement.word == "theorem" for statement in statements)
    out = []
    for statement, own in zip(statements, named, strict=True):
        helps = statement.used or statement.word == "example" or (statement.word == "lemma" and theorems)
        helps = helps or any(named)
        out.append("auxiliary" if statement.proved and helps and not own else "")
    return out


def theorem_of(statement: Statement, name: str, header: str | None = None) -> Theorem:
    """Return a readable statement as a theorem; a signature is kept where the proposition does not say it all."""
    parts = statement.declaration
    assert parts is not None
    same = not parts.binders and parts.signature.lstrip(": \n\t") == parts.proposition
    return Theorem(
        name,
        parts.proposition,
        statement.header if header is None else header,
        signature="" if same else parts.signature,
        keyword="def" if statement.word in TERMS else "theorem",
    )


def entries_of(path: Path, label: str, damage: Damage, answers: bool) -> Iterator[LeanEntry]:
    """Yield the statements of a Lean file; ``label`` names it in places. Unreadable ones have no theorem and no reason."""
    text = read_text(path, damage)
    statements = read_file(text, answers)
    stem = path.name.partition(".")[0]
    for statement, reason in zip(statements, reasons(statements, stem), strict=True):
        place = f"{label}:{statement.line}"
        if reason or statement.error:
            yield LeanEntry(place, statement, None, reason)
        elif statement.asks_answer:
            yield LeanEntry(place, statement, None, "answer_placeholder")
        else:
            name = statement.name or f"{stem}_{statement.line}"
            yield LeanEntry(place, statement, theorem_of(statement, name))
