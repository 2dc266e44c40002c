"""The reference of all settings as Markdown, made from their classes: key, type, default, role and reason."""

from __future__ import annotations

import json
import types
from collections.abc import Iterator, Mapping
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from burnqed.config.base import Settings
from burnqed.config.experiment import Config
from burnqed.config.sources import GITHUB, published_sources

HEAD = """# Settings

Every key of `config.yaml`, made from the classes that check it (`python -m burnqed.config --markdown > docs/settings.md`). The
defaults are the published experiment; [config.yaml](../config.yaml) is the same with its comments, and
[config.schema.json](config.schema.json) lets an editor check a file of yours.

What a change does follows from the role: **science** decides what is found, so a change makes results stale; **machine** (where
and how fast), **presentation** (how results are shown, when a run stops) and **plan** (which jobs there are) leave finished work
alone.
"""


SOURCES = """The keys that `data.theorem_files`, `data.pair_files` and `benchmarks.*.source` know without a word in `sources`
(`burnqed/config/sources.py`). Not known: not stated by the publisher, or not looked up.
"""


def schema() -> dict[str, Any]:
    """Return the JSON schema of config.yaml and of overlays, which drop a benchmark by setting it to null."""
    found = Config.model_json_schema()
    benchmarks = found["properties"]["benchmarks"]
    benchmarks["additionalProperties"] = {"anyOf": [benchmarks["additionalProperties"], {"type": "null"}]}
    return found


def type_text(kind: Any) -> str:
    """Return a type in words: `number`, `a | b`, `list of text`."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        return " \\| ".join(f"`{value}`" for value in inner)
    if origin in (Union, types.UnionType):
        return " or ".join(type_text(one) for one in inner if one is not type(None))
    if origin in (list, tuple):
        return f"list of {type_text(inner[0])}"
    if origin is dict:
        return "mapping"
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return "block"
    return {int: "whole number", float: "number", str: "text", bool: "true or false"}.get(kind, "value")


def _limits(info: FieldInfo) -> str:
    words = {"ge": "≥", "gt": ">", "le": "≤", "lt": "<"}
    found = [f"{sign} {value:g}" for rule in info.metadata for name, sign in words.items()
             if isinstance(value := getattr(rule, name, None), int | float)]  # fmt: skip
    return f", {' and '.join(found)}" if found else ""


def _default(name: str, info: FieldInfo) -> str:
    if name == "sources":
        return "the [published ones](#published-sources)"
    if info.is_required():
        return "required"
    value = info.get_default(call_default_factory=True)
    if isinstance(value, (Mapping, BaseModel)):
        return "see config.yaml"
    return f"`{json.dumps(value, ensure_ascii=False)}`"


def _rows(kind: type[Settings]) -> Iterator[str]:
    yield "| key | type | default | role | what it is |"
    yield "|---|---|---|---|---|"
    for name, info in kind.model_fields.items():
        if isinstance(info.annotation, type) and issubclass(info.annotation, BaseModel):
            continue  # a block, with a section of its own
        extra = info.json_schema_extra
        role = extra["role"] if isinstance(extra, dict) else ""
        what = " ".join((info.description or "").replace("|", "\\|").split())
        yield f"| `{name}` | {type_text(info.annotation)}{_limits(info)} | {_default(name, info)} | {role} | {what} |"


def _blocks() -> Iterator[tuple[str, type[Settings]]]:
    for name, info in Config.model_fields.items():
        kind: Any = info.annotation
        if get_origin(kind) is dict:
            name, kind = f"{name}.NAME", get_args(kind)[1]
        if isinstance(kind, type) and issubclass(kind, Settings):
            yield name, kind


def reference() -> str:
    """Return docs/settings.md."""
    blocks = dict(_blocks())
    plain = [HEAD, "## Top level\n", *_rows(Config)]
    for name, kind in blocks.items():
        first = (kind.__doc__ or "").strip().splitlines()[0]
        plain += [f"\n## {name}\n", f"{first}\n", *_rows(kind)]
    plain += ["\n## Published sources\n", SOURCES, *_source_rows()]
    return "\n".join(plain) + "\n"


def _source_rows() -> Iterator[str]:
    yield "| name | repository and commit | file | kind | Lean | statements | licence |"
    yield "|---|---|---|---|---|---|---|"
    for name, source in published_sources().items():
        place = f"{source.repository.removeprefix(GITHUB)}@{source.revision[:7]}"
        facts = (source.lean, source.theorems or "", source.licence)
        known = " | ".join(str(fact) or "not known" for fact in facts)
        yield f"| `{name}` | {place} | `{source.file}` | {source.kind} | {known} |"
