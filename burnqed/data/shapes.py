"""The shapes in which one JSON object holds many entries, each brought to rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from burnqed.data.splits import WORDS, split_word

Row = dict[str, Any]
Entry = tuple[str, Any]
DEPTH = 4
CONTAINERS = ("theorems", "data", "rows", "problems", "entries", "examples", "items", "statements", "results")


def rows_of_object(value: Mapping[str, Any], place: str = "", split: str = "", depth: int = 0) -> Iterator[Entry]:
    """Yield (key, entry) of an object.

    Known shapes: a list under a key (`theorems`, `data`, or the names of splits), the rows of the
    Hub's viewer, columns, an object by name, Lean text by name, and a single entry. An entry from a
    list or object under a split's name is given that split. What no shape fits is one entry.
    """
    lists = {key: item for key, item in value.items() if isinstance(item, list)}
    known = next((key for key in CONTAINERS if key in lists), "")
    if known:
        yield from _listed(lists[known], f"{place}{known}", split)
    elif lists and len(lists) == len(value) and _are_columns(lists):
        for number, cells in enumerate(zip(*lists.values(), strict=True)):
            yield f"{place}[{number}]", _with(dict(zip(lists, cells, strict=True)), split=split)
    elif _is_frame(value):
        names = list(next(iter(value.values())))
        for number in names:
            yield f"{place}[{number}]", _with({key: column.get(number) for key, column in value.items()}, split=split)
    elif lists and all(_is_entries(item) for item in lists.values()) and _all_containers(value, lists):
        for key, item in lists.items():
            yield from _listed(item, f"{place}{key}", split_word(key) or split or (key if len(lists) > 1 else ""))
    elif value and all(isinstance(item, dict) for item in value.values()) and depth < DEPTH:
        for key, item in value.items():
            if key.lower() in WORDS:
                yield from rows_of_object(item, f"{place}{key}.", split_word(key), depth + 1)
            else:
                yield f"{place}{key}", _with(item, name=key, split=split)
    elif value and all(isinstance(item, str) for item in value.values()) and _look_like_lean(value):
        for key, item in value.items():
            yield f"{place}{key}", _with({"formal_statement": item}, name=key, split=split)
    else:
        yield place.rstrip("."), _with(value, split=split)


def _with(row: Mapping[str, Any], name: str = "", split: str = "") -> Row:
    out = dict(row)
    if name:
        out.setdefault("name", name)
    if split:
        out.setdefault("split", split)
    return out


def _listed(items: list[Any], place: str, split: str) -> Iterator[Entry]:
    for number, item in enumerate(items):
        if isinstance(item, dict) and isinstance(item.get("row"), dict) and "row_idx" in item:
            item = item["row"]
        yield f"{place}[{number}]", _with(item, split=split) if isinstance(item, dict) else item


def _is_entries(item: list[Any]) -> bool:
    return bool(item) and isinstance(item[0], dict)


def _all_containers(value: Mapping[str, Any], lists: Mapping[str, Any]) -> bool:
    """Return whether everything beside the lists is small talk (names, versions), not an entry's own text."""
    rest = [item for key, item in value.items() if key not in lists]
    return not any(isinstance(item, str) and len(item) > 200 for item in rest)


def _are_columns(lists: Mapping[str, list[Any]]) -> bool:
    lengths = {len(item) for item in lists.values()}
    scalars = all(
        item is None or isinstance(item, str | int | float) for column in lists.values() for item in column[:5]
    )
    return len(lengths) == 1 and lengths != {0} and len(lists) > 1 and scalars


def _is_frame(value: Mapping[str, Any]) -> bool:
    """Return whether this is a data frame written column by column, each an object by row number."""
    columns = list(value.values())
    return (
        len(columns) > 1
        and all(isinstance(column, dict) and column for column in columns)
        and all(key.isdigit() for key in list(columns[0])[:20])
        and all(column.keys() == columns[0].keys() for column in columns[1:])
    )


def _look_like_lean(value: Mapping[str, str]) -> bool:
    texts = list(value.values())[:20]
    stated = sum(any(word in text for word in ("theorem ", "lemma ", "example ")) for text in texts)
    return 2 * stated > len(texts)
