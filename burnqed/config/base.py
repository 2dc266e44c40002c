"""What all blocks of settings share."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Settings(BaseModel):
    """A block of settings: immutable, unknown keys refused; a default has the same form as the same value given."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True)
