"""Theorem indexes from what the field publishes, recognised by content.

A Lean file, a folder (checkout) of Lean files, JSON in its shapes, JSON lines, Parquet and CSV; the
statement under any key, as a declaration or inside a whole file. Every entry becomes a theorem or
is counted by the reason why not.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path, PurePath
from typing import Any

from burnqed.data.checkout import provenance
from burnqed.data.fields import (
    PROPOSITION_KEYS,
    SAMPLE,
    Fields,
    Row,
    find_fields,
    first_text,
    get,
    is_prose,
    lean_of,
    proposal,
)
from burnqed.data.lean_files import entries_of, files_in, theorem_of
from burnqed.data.rows import kind_of, read_rows
from burnqed.data.splits import described, matches, split_name, split_of_path, splits_of_paths
from burnqed.files import UserError, digest, sha256_file
from burnqed.leantext.declarations import (
    PLACEHOLDER,
    TextError,
    normalise_statement,
    proposition_from_state,
    read_statement,
)
from burnqed.leantext.files import Statement, read_file
from burnqed.leantext.outline import ends_in_comment, strip_comments
from burnqed.records.damage import Damage, RowError
from burnqed.records.theorems import Theorem, TheoremIndex
from burnqed.words import counted

logger = logging.getLogger(__name__)
MAX_DAMAGED_SHARE = 0.1
_NAMED_ALIKE = re.compile(r"\d+|of|[\W_]+")


@dataclass
class _Found:
    """What reading gathers: theorems with the file that states them, and counts of everything else."""

    theorems: list[tuple[Theorem, Path]] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    splits: Counter[str] = field(default_factory=Counter)
    entries: int = 0
    from_state: int = 0
    answered: int = 0
    lean3: int = 0
    fields: Fields = field(default_factory=Fields)
    sample: list[Row] = field(default_factory=list)
    placeholders: list[str] = field(default_factory=list)

    def drop_placeholder(self, name: str) -> None:
        self.dropped["answer_placeholder"] += 1
        self.placeholders.append(name)


@lru_cache(maxsize=64)
def _clean_header(text: str) -> str:
    return strip_comments(text).strip()


def _choose(statements: Sequence[Statement], name: str) -> Statement:
    """Return the statement that a text of one problem is about: by name, else the last open, else the last."""
    if len(statements) == 1:
        return statements[0]
    named = [s for s in statements if name and s.name.rpartition(".")[2] == name.rpartition(".")[2]]
    opened = [s for s in statements if not s.proved and not s.error]
    return [*statements, *(s for s in statements if s.word != "example"), *opened, *named][-1]


def _cut_in_comment(header: object) -> bool:
    """Return whether a header ends within a comment: its set was cut at a word of the documentation."""
    return isinstance(header, str) and "/-" in header and ends_in_comment(header)


def _row_header(row: Row, fields: Fields) -> str:
    texts = [_clean_header(value) for key in fields.header if isinstance(value := get(row, key), str) and value.strip()]
    return "\n\n".join(texts)


def _from_state(row: Row) -> Statement | None:
    tactics = row.get("traced_tactics")
    first = tactics[0] if isinstance(tactics, list) and tactics else None
    state = first.get("state_before") if isinstance(first, Mapping) else None
    try:
        return _bare(proposition_from_state(state)) if isinstance(state, str) else None
    except TextError:
        return None


def _bare(text: str) -> Statement:
    return Statement("theorem", 1, "", read_statement(text))


def _read_text(row: Row, fields: Fields) -> tuple[str, str]:
    """Return the statement's text and the key that holds it; prose under a key of propositions does not count."""
    for key in fields.statement:
        value = first_text(row, (key,))
        if not value:
            continue
        text = lean_of(value)
        if key in PROPOSITION_KEYS or "statement" in fields.given or DECLARES.search(text):
            if DECLARES.search(text) or not is_prose(text):
                return text, key
    return "", ""


DECLARES = re.compile(r"(?:^|\s)(?:theorem|lemma|problem|example|def|abbrev|instance)\b")


def _with_answer(text: str, row: Row, fields: Fields) -> str:
    """Return a text whose definitions given as `sorry` take the answer of the row's own key."""
    answer = first_text(row, fields.answer) if fields.answer else ""
    if not answer or not PLACEHOLDER.search(text):
        return text
    found = PLACEHOLDER.search(text)
    assert found is not None
    return text[: found.end() - len("sorry")] + f"({answer})" + text[found.end() :]


def theorem_of_row(row: Row, place: str, number: int, fields: Fields | None = None) -> tuple[Theorem | None, str]:
    """Return the theorem of a published row, and why there is none.

    The reason is empty, or `answer_placeholder` (the statement rests on an answer given as
    `sorry`), or `no_statement` (nothing to read a statement from). Raises RowError naming the
    place when the text cannot be read.
    """
    fields = fields or Fields()
    text, _ = _read_text(row, fields)
    name = first_text(row, fields.name).strip()
    if not text:
        statement = _from_state(row)
        if statement is None:
            return None, "no_statement"
    else:
        begun = next((value for key in fields.header if _cut_in_comment(value := get(row, key))), "")
        statement = _parse(_with_answer(f"{begun}{text}", row, fields), name, place)
    if not name:
        number_key = next((v for key in fields.name if isinstance(v := get(row, key), int)), None)
        name = statement.name or (f"entry_{number_key}" if number_key is not None else f"unnamed_{number}")
    header = _row_header(row, fields)
    if statement.header:
        # A statement that is a whole file brings its own imports; a header would repeat them.
        whole = "import " in statement.header
        header = statement.header if whole else f"{header}\n\n{statement.header}".strip()
    if statement.asks_answer or ("sorry" in header and PLACEHOLDER.search(header)):
        return None, "answer_placeholder"
    theorem = theorem_of(statement, name, header)
    if not (f"{name}{theorem.statement}{theorem.signature}{header}").isascii():
        _need_unicode(f"{name}{theorem.statement}{theorem.signature}{header}", place, name)
    path, level = row.get("file_path"), row.get("level")
    if isinstance(path, str) or row.get("family") or isinstance(level, int):
        theorem = replace(
            theorem,
            file_path=path if isinstance(path, str) else None,
            family=str(row.get("family") or ""),
            level=level if isinstance(level, int) else 0,
        )
    own = row.get("signature")
    return (replace(theorem, signature=own) if isinstance(own, str) and not theorem.signature else theorem), ""


def _need_unicode(text: str, place: str, name: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise RowError(f"{place}: the statement of '{name[:80]!a}' has half a character ({error.reason})") from error


def _parse(text: str, name: str, place: str) -> Statement:
    statements = read_file(text)
    try:
        statement = _choose(statements, name) if statements else _bare(text)
    except TextError as error:
        raise RowError(f"{place}: the statement of '{name or 'unnamed'}' cannot be read: {error}") from error
    if statement.error:
        raise RowError(
            f"{place}: the statement of '{name or statement.name or 'unnamed'}' cannot be read: {statement.error}"
        )
    return statement


def _add_rows(found: _Found, path: Path, split: str, damage: Damage, given: Mapping[str, str], alone: bool) -> None:
    rows = iter(read_rows(path, damage))
    before, bad, entries = damage.count, 0, 0
    head = list(islice(rows, SAMPLE))
    fields = find_fields([row for _, row in head], given)
    if not found.sample:
        found.fields, found.sample = fields, [row for _, row in head]
    of_file = split_of_path(PurePath(path.name))
    for number, (place, row) in enumerate(chain(head, rows)):
        entries += 1
        own = next((value for key in fields.split if (value := get(row, key))), "")
        if own and isinstance(own, str):
            found.splits[split_name(own)] += 1
            if not matches(own, split):
                found.dropped["other_split"] += 1
                continue
        elif of_file and alone:
            found.splits[of_file] += 1
        try:
            theorem, reason = theorem_of_row(row, place, number, fields)
        except RowError as error:
            damage.report(str(error), error)
            bad += 1
            continue
        if theorem is None:
            found.dropped[reason] += 1
            continue
        found.from_state += "traced_tactics" in row and not _read_text(row, fields)[0]
        found.theorems.append((theorem, path))
    found.entries += entries + damage.count - before - bad


def _add_lean(found: _Found, path: Path, label: str, split: str, damage: Damage, answers: bool) -> None:
    before, seen = damage.count, 0
    for entry in entries_of(path, label, damage, answers):
        seen += 1
        found.splits[split] += bool(split)
        statement = entry.statement
        if entry.theorem is not None:
            found.theorems.append((entry.theorem, path))
            found.answered += statement.answered
        elif entry.reason == "answer_placeholder":
            found.drop_placeholder(statement.name)
        elif entry.reason:
            found.dropped[entry.reason] += 1
        else:
            found.lean3 += statement.error.startswith("Lean 3")
            damage.report(f"{entry.place}: '{statement.name or statement.word}' cannot be read: {statement.error}")
            before += 1
    found.entries += seen + damage.count - before


def _add_folder(
    found: _Found, folder: Path, split: str, damage: Damage, given: Mapping[str, str], answers: bool
) -> list[Path]:
    """Read a folder's Lean files, or its data files where no Lean file states anything; return the files read."""
    lean, data = files_in(folder)
    if not lean and not data:
        raise UserError(
            f"{folder}: no Lean, JSON, CSV or Parquet file in it; give the folder that holds the statements"
        )
    used = _of_split(lean, folder, split)
    for path, own in used:
        _add_lean(found, path, str(path), own, damage, answers)
    if found.theorems or found.dropped or not data:
        return [path for path, _ in used]
    sets: dict[str, list[Path]] = {}
    for path in data:
        if _has_statements(path, given):
            sets.setdefault(_set_of(path, folder), []).append(path)
    if len(sets) > 1:
        names = ", ".join(str(paths[0].relative_to(folder)) for paths in sets.values())
        raise UserError(f"{folder}: holds several sets ({names}); give one of these files")
    used = _of_split(next(iter(sets.values()), []), folder, split)
    for path, own in used:
        before = found.entries
        _add_rows(found, path, split, damage, given, alone=False)
        if own and not found.splits[own]:
            found.splits[own] += found.entries - before
    return [path for path, _ in used]


def _set_of(path: Path, folder: Path) -> str:
    """Return what a data file's name says beside split and shard, so that the files of one set agree."""
    words = re.sub(r"[^a-z0-9#]+", " ", str(path.relative_to(folder)).lower().partition(".")[0]).split()
    kept = [
        word
        for word in words
        if split_name(word) not in ("test", "valid", "train") and not _NAMED_ALIKE.fullmatch(word)
    ]
    return " ".join(kept)


def _has_statements(path: Path, given: Mapping[str, str]) -> bool:
    damage = Damage("skip")
    try:
        rows = list(islice(read_rows(path, damage), SAMPLE))
        fields = find_fields([row for _, row in rows], given)
        return any(theorem_of_row(row, place, 0, fields)[0] is not None for place, row in rows[:8])
    except UserError:
        return False


def _of_split(paths: Sequence[Path], folder: Path, split: str) -> list[tuple[Path, str]]:
    """Return the files of a split with their own, all of them when names tell no splits apart."""
    splits = splits_of_paths([path.relative_to(folder) for path in paths])
    if split and any(splits) and split_name(split) not in splits:
        raise UserError(f"{folder}: no files of split '{split}'; it has {described(Counter(filter(None, splits)))}")
    return [
        (path, own) for path, own in zip(paths, splits, strict=True) if not own or not split or own == split_name(split)
    ]


def _leave_out(found: _Found, pattern: str) -> None:
    try:
        kept = [item for item in found.theorems if not re.search(pattern, item[0].name)]
    except re.error as error:
        raise UserError(f"exclude: '{pattern}' is no regular expression ({error})") from error
    found.dropped["excluded"] += len(found.theorems) - len(kept)
    found.theorems = kept


Item = tuple[Theorem, Path]
_DEFINES = re.compile(
    r"^\s*(?:\w+ )*?(?:def|abbrev|structure|class|inductive|instance|notation|variable)\b", re.MULTILINE
)


def _same(theorem: Theorem) -> str:
    """Return a text that equal statements of one name share; definitions they rest on count."""
    own = theorem.header if _DEFINES.search(theorem.header) else ""
    return f"{normalise_statement(theorem.statement)}\0{' '.join(own.split())}"


def _grouped(found: _Found) -> dict[str, list[Item]]:
    """Return the different statements under each name; equal ones are counted as duplicates."""
    groups: dict[str, list[Item]] = {}
    for item in found.theorems:
        groups.setdefault(item[0].name, []).append(item)
    for name, items in groups.items():
        if len(items) > 1:
            kept: dict[str, Item] = {}
            for item in items:
                kept.setdefault(_same(item[0]), item)
            groups[name] = list(kept.values())
            found.dropped["duplicate"] += len(items) - len(kept)
    return groups


def _refuse_versions(groups: Mapping[str, Sequence[Item]], folder: Path) -> None:
    """Raise UserError when subfolders state the same names differently: versions of one set, not one set."""
    clashing = [items for items in groups.values() if len({path.parent for _, path in items}) > 1]
    if 5 * len(clashing) <= len(groups):
        return
    counts = Counter(str(path.parent.relative_to(folder)) for items in groups.values() for _, path in items)
    raise UserError(
        f"{folder}: {len(clashing)} names are stated in several ways in different folders ({described(counts)}); "
        "give one of these folders"
    )


def _apart(groups: Mapping[str, Sequence[Item]]) -> tuple[list[Theorem], list[str]]:
    """Return theorems under different names, and the new names among them.

    Namesakes are told apart by their files, or by number where one file has several.
    """
    taken, out, renamed = set(groups), [], []
    for name, items in groups.items():
        stems = [path.name.partition(".")[0] for _, path in items]
        by_file = len(set(stems)) == len(items) > 1
        for number, ((theorem, _), stem) in enumerate(zip(items, stems, strict=True), 1):
            if number == 1 and not by_file:
                out.append(theorem)
                continue
            new = f"{stem}_{name}" if by_file else f"{name}_{number}"
            while new in taken:
                number += 1
                new = f"{name}_{number}"
            taken.add(new)
            renamed.append(new)
            out.append(replace(theorem, name=new))
    return out, renamed


def read_published(
    path: Path,
    split: str = "",
    source: str = "",
    damage: Damage | None = None,
    fields: Mapping[str, str] | None = None,
    answers: bool = True,
    exclude: str = "",
    note: Mapping[str, object] | None = None,
) -> TheoremIndex:
    """Read theorems of any published form: a file, or a folder of files.

    ``split`` keeps one split where rows, containers, files or folders name theirs; ``source`` is
    what the user called it; ``fields`` names keys by role where content does not tell; ``answers``
    fills an answer given as `sorry` from the comment after it; ``exclude`` is a pattern of names to
    leave out; ``note`` is added to what the index says of its source. ``index.source`` says file, SHA-256,
    split, commit, and what was left out and why. Different statements under one name all stay under
    different names. Damaged entries go to ``damage`` (default: skipped, and refused when they are
    more than a tenth). Raises UserError when there is no such split or no theorem.
    """
    if not path.exists():
        raise UserError(f"{path}: no such file or folder; give what you downloaded")
    damage = damage or Damage("skip", max_share=MAX_DAMAGED_SHARE)
    before = damage.count
    found = _Found()
    if path.is_dir():
        used = _add_folder(found, path, split, damage, fields or {}, answers)
    elif kind_of(path) == "lean":
        used = [path]
        _add_lean(found, path, str(path), split_of_path(PurePath(path.name)), damage, answers)
    else:
        used = [path]
        _add_rows(found, path, split, damage, fields or {}, alone=True)
    wanted = split_name(split) if split else ""
    if found.dropped["other_split"] and not found.splits[wanted]:
        raise UserError(f"{path}: no entry of split '{split}'; it has {described(found.splits)}")
    if found.lean3 and found.lean3 == damage.count - before:
        raise UserError(
            f"{path}: {found.lean3} declarations are Lean 3 text; only Lean 4 can be read: use a Lean 4 version"
        )
    names = {theorem.name for theorem, _ in found.theorems}
    solved = sum(name in names for name in found.placeholders)  # given with its answer in another file of the folder
    damaged = damage.count - before
    if exclude:
        _leave_out(found, exclude)
    groups = _grouped(found)
    if path.is_dir():
        _refuse_versions(groups, path)
    theorems, renamed = _apart(groups)
    if not theorems and not damaged:
        counts = {key: value for key, value in sorted(found.dropped.items()) if value}
        hint = f"; {proposal(found.sample)}" if found.dropped["no_statement"] else ""
        raise UserError(
            f"{path}: no theorem in {counted(found.entries, 'entry', 'entries')} ({counts or 'nothing is stated in it'}){hint}"
        )
    damage.settle(found.entries, path)
    if not theorems:
        raise UserError(
            f"{path}: no theorem in {counted(found.entries, 'entry', 'entries')}, {damaged} of them damaged"
        )
    if renamed:
        logger.warning(
            "%s: %d names stand for several statements; renamed: %s", path, len(renamed), ", ".join(renamed[:10])
        )
    if 2 * found.dropped["no_statement"] > found.entries:
        logger.warning("%s: only %d of %d entries state a theorem", path, len(theorems), found.entries)
    kept = {name for name in found.splits if matches(name, split)}
    info: dict[str, Any] = {
        "file": source or path.name,
        "sha256": _digest(path, used),
        "split": wanted if wanted in kept else kept.pop() if len(kept) == 1 else "",
        "rows": found.entries,
        "dropped": {key: value for key, value in sorted(found.dropped.items()) if value},
        "statements_from_state": found.from_state,
        "renamed": renamed,
        **provenance(path),
    }
    more: dict[str, Any] = {
        "splits": dict(sorted(found.splits.items())) if len(found.splits) > 1 else {},
        "files": len(used) if path.is_dir() else 0,
        "fields": found.fields.described() if found.sample else {},
        "answers_given": found.answered,
        "placeholders_answered_elsewhere": solved,
    }
    info |= {key: value for key, value in more.items() if value} | dict(note or {})
    if damaged:
        info["damage"] = {"rows_skipped": damaged, "examples": damage.examples}
    return TheoremIndex(info, theorems)


def _digest(path: Path, used: Sequence[Path]) -> str:
    """Return the SHA-256 of a file, or of the names and contents of those files of a folder that were read."""
    if not path.is_dir():
        return sha256_file(path)
    return digest([(str(item.relative_to(path)), sha256_file(item)) for item in used])
