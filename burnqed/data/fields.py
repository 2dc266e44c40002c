"""Which keys of a row hold its statement, name and header: as published sets call them, or found by content."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from burnqed.files import UserError
from burnqed.leantext.answers import whole_proof
from burnqed.leantext.declarations import SORRY
from burnqed.leantext.outline import DEFINITIONS, blank, commands

Row = Mapping[str, Any]
NAME_KEYS = (
    "name", "full_name", "problem_id", "theorem_name", "theorem_names", "thm_name", "problem_name", "declId", "id", "uuid",
    "index", "idx",
)  # fmt: skip
STATEMENT_KEYS = (
    "formal_statement", "statement", "theorem_statement", "formal_stmt", "lean4_formalization", "lean4_statement",
    "lean_statement", "formal_theorem", "fl_theorem", "lean4_code", "formal", "refined_statement", "autoformalization",
    "lean_code", "lean4", "lean", "code", "theorem", "decl", "formalization", "formal_problem",
)  # fmt: skip
# Where a text that is no declaration may be a bare proposition.
PROPOSITION_KEYS = ("formal_statement", "statement", "theorem_statement", "formal_stmt", "proposition", "type")
PROOF_KEYS = re.compile(
    r"proof|solution|output|response|answer|generation|generated|attempt|ground_truth|completion", re.IGNORECASE
)
HEADER_KEYS = (
    "header",
    "lean4_src_header",
    "src_header",
    "lean_header",
    "lean4_header",
    "preamble",
    "imports",
    "context",
)
SPLIT_KEYS = ("split", "subset", "partition")
ROLES = ("name", "statement", "header", "split", "answer", "proof")
SAMPLE = 64
NESTED = 3  # levels of objects in which keys are looked for
_LATEX = re.compile(r"\$|\\(?:frac|text|mathbb|mathbf|cdot|le|geq|leq|ge|in|sum|prod|sqrt|begin|ldots|left)\b")
_ENGLISH = frozenset(
    "a an and are be each every find for if integer integers is let number numbers of positive prove real show suppose such "
    "that the then there two we what which with".split()
)


@dataclass(frozen=True)
class Fields:
    """The keys of a set's rows by role, each in order of preference; dots reach into nested objects.

    ``given`` holds what the settings say, which is then the only key looked at for that role.
    """

    statement: tuple[str, ...] = STATEMENT_KEYS
    name: tuple[str, ...] = NAME_KEYS
    header: tuple[str, ...] = ("header",)
    split: tuple[str, ...] = ("split",)
    answer: tuple[str, ...] = ()
    proof: tuple[str, ...] = ()
    given: frozenset[str] = field(default_factory=frozenset)

    def described(self) -> dict[str, str]:
        """Return the first key of statement, name and header, for the record."""
        return {"statement": self.statement[0], "name": self.name[0], "header": self.header[0]}


def get(row: Row, key: str) -> Any:
    """Return a row's value under a key, or under a dotted path into nested objects; None when absent."""
    if key in row:
        return row[key]
    if "." not in key:
        return None
    value: Any = row
    for part in key.split("."):
        if not isinstance(value, Mapping) or part not in value:
            return None
        value = value[part]
    return value


def first_text(row: Row, keys: Sequence[str]) -> str:
    """Return the first non-blank text under the keys, "" when there is none."""
    for key in keys:
        value = get(row, key)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
            return value[0] if len(value) == 1 else "\n".join(value)
    return ""


def lean_of(text: str) -> str:
    """Return the Lean text of a value: what a fence holds, when there is one, else the text."""
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    return whole_proof(text) if "```lean" in text else text


def is_prose(text: str) -> bool:
    """Return whether a text without declaration is words about mathematics, not a proposition."""
    if _LATEX.search(text):
        return True
    words = [word.lower() for word in re.findall(r"(?<![\w.])[A-Za-z]+(?=[ ,.;:])", text)]
    return len(_ENGLISH & set(words)) >= 3


@lru_cache(maxsize=4096)
def content_of(text: str) -> str:
    """Return what a text holds: statement, proved, header, definitions, or "" (something else)."""
    plain = blank(lean_of(text))
    found = commands(plain)
    if not found or plain[: found[0].start].strip():
        return ""
    if any(command.is_theorem for command in found):
        open_end = plain.rstrip().endswith((":=", "by")) or ":=" not in plain
        return "statement" if open_end or SORRY.search(plain) else "proved"
    return "definitions" if any(command.word in DEFINITIONS for command in found) else "header"


def keys_of(rows: Iterable[Row]) -> list[str]:
    """Return the keys of rows in order of appearance, those of nested objects dotted."""
    found: dict[str, None] = {}

    def add(row: Row, before: str, depth: int) -> None:
        for key, value in row.items():
            found[f"{before}{key}"] = None
            if isinstance(value, Mapping) and depth < NESTED:
                add(value, f"{before}{key}.", depth + 1)

    for row in rows:
        add(row, "", 0)
    return list(found)


def find_fields(rows: Sequence[Row], given: Mapping[str, str]) -> Fields:
    """Return the keys by role of a set from its first rows and the settings; content decides what names do not.

    Raises UserError for a role that there is not, or a given key that no row has.
    """
    keys = keys_of(rows)
    for role, key in given.items():
        if role not in ROLES:
            raise UserError(f"fields.{role}: no such role; use {', '.join(ROLES)}")
        if rows and all(get(row, key) is None for row in rows):
            raise UserError(f"fields.{role}: no entry has the key '{key}'; the keys are {', '.join(keys[:40])}")
    kinds = {
        key: Counter(content_of(v) for row in rows if isinstance(v := get(row, key), str) and v.strip()) for key in keys
    }
    statements = _statement_keys(kinds)
    headers = [key for key in keys if kinds[key]["header"] and key not in HEADER_KEYS and key not in statements]
    extras = [
        key
        for key in keys
        if kinds[key]["definitions"] and key not in (*statements, *HEADER_KEYS) and not PROOF_KEYS.search(key)
    ]
    splits = [key for key in (*SPLIT_KEYS, *(k for k in keys if k.lower() in SPLIT_KEYS)) if key in keys]
    roles: dict[str, tuple[str, ...]] = {
        "statement": tuple(statements) or STATEMENT_KEYS,
        "header": tuple([k for k in HEADER_KEYS if k in keys][:1] or headers[:1]) + tuple(extras) or ("header",),
        "split": tuple(dict.fromkeys(splits)) or ("split",),
        "name": tuple(
            [k for k in NAME_KEYS if k in keys] + [k for k in keys if k.lower() in NAME_KEYS and k not in NAME_KEYS]
        )
        or NAME_KEYS,
    }
    return Fields(**{**roles, **{role: (key,) for role, key in given.items()}}, given=frozenset(given))


def _statement_keys(kinds: Mapping[str, Counter[str]]) -> list[str]:
    """Return the keys that may hold the statement, best first: open statements, bare propositions, proved ones."""

    def of_kind(kind: str) -> list[str]:
        found = [key for key in kinds if kinds[key][kind]]
        known = [key for key in STATEMENT_KEYS if key in found]
        return [*known, *sorted((key for key in found if key not in known), key=lambda k: bool(PROOF_KEYS.search(k)))]

    bare = [key for key in PROPOSITION_KEYS if key in kinds]
    return list(dict.fromkeys([*of_kind("statement"), *bare, *of_kind("proved")]))


def proposal(rows: Sequence[Row]) -> str:
    """Return the end of the message for a set without statements: the keys seen, and the setting that names them."""
    keys = keys_of(rows)
    if not keys:
        return "its entries have no keys"
    texts = [key for key in keys if any(isinstance(get(row, key), str) for row in rows)]
    guess = next((key for key in texts if re.search(r"lean|formal|theorem|statement", key, re.IGNORECASE)), "KEY")
    name = next((key for key in NAME_KEYS if key in keys), "KEY")
    return (
        f"the keys are {', '.join(keys[:40])}; say which holds the Lean statement with "
        f"`fields: {{statement: {guess}, name: {name}}}` in the source's settings"
    )
