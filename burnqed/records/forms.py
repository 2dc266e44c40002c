"""Checking JSON files of a run against their typed form."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from burnqed.files import UserError, read_json, remedy

T = TypeVar("T")


def read_form(path: Path, form: TypeAdapter[T], what: str, version: int) -> T:
    """Return a JSON file that has a form; keys that the form does not know stay.

    Raises UserError naming the file, what is wrong in it and what to do, also for a file of a newer version.
    """
    value = read_json(path)
    found = value.get("schema_version", 0) if isinstance(value, dict) else 0
    if not isinstance(found, int) or found > version:
        raise UserError(
            f"{path}: schema version {found} is newer than this burn-qed reads ({version}); update burn-qed"
        )
    return check_form(value, path, form, what)


def check_form(value: Any, path: Path, form: TypeAdapter[T], what: str) -> T:
    """Return a value that has a form; raise UserError naming the file and the first place where it has not."""
    try:
        form.validate_python(value)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the whole"
        raise UserError(f"{path}: not {what} ({place}: {first['msg']}); {remedy(path)}") from None
    typed: T = value
    return typed
