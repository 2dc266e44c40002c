"""What all blocks of settings share: they are immutable, and each of their fields has a role."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict

Role = Literal["science", "machine", "presentation", "plan"]
# For a field's `json_schema_extra`. Where and how fast a job runs, not what it finds: it changes with the machine, and a
# result made on another machine stays good.
MACHINE: dict[str, Any] = {"role": "machine"}
# How finished results are shown and judged, and when a run is stopped: what was computed stays good.
PRESENTATION: dict[str, Any] = {"role": "presentation"}
# Which jobs there are, not what one of them finds: no job is told.
PLAN: dict[str, Any] = {"role": "plan"}


# The kind of a validation error whose value no message may repeat.
SECRET = "secret"


def value_shown(error: Mapping[str, Any]) -> str:
    """Return how the message of a validation error ends: with the value, unless that is a secret."""
    return "" if error["type"] == SECRET else f"; got {error['input']!r}"


class Settings(BaseModel):
    """A block of settings: immutable, unknown keys refused; a default has the same form as the same value given.

    A field without a role of its own is science: it decides what is found, so it is part of every key.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True)

    @classmethod
    def __pydantic_init_subclass__(cls, **_: Any) -> None:
        for name, info in cls.model_fields.items():
            extra = info.json_schema_extra
            if extra is None:
                info.json_schema_extra = {"role": "science"}
            elif not isinstance(extra, dict) or extra.get("role") not in get_args(Role):
                raise TypeError(f"{cls.__name__}.{name}: its role is one of {', '.join(get_args(Role))}")
        cls.model_rebuild(force=True)

    @classmethod
    def keys_of(cls, role: Role) -> frozenset[str]:
        """Return the names of the fields with a role."""
        roles = {name: info.json_schema_extra for name, info in cls.model_fields.items()}
        return frozenset(name for name, extra in roles.items() if isinstance(extra, dict) and extra["role"] == role)

    def science(self, exclude: frozenset[str] | set[str] = frozenset()) -> dict[str, Any]:
        """Return the settings that decide what is found, as plain values: what keys and records are made of."""
        return self.model_dump(include=set(self.keys_of("science") - exclude))
