"""Which theorems a search job gets. By hash of the name, so that adding a theorem moves no other."""

from __future__ import annotations

from collections.abc import Sequence

from burnqed.config import SearchSettings
from burnqed.files import UserError
from burnqed.records.theorems import Theorem
from burnqed.search.rounds import name_hash


def shard_of(name: str, shards: int) -> int:
    """Return the shard (0 .. shards - 1) of a theorem."""
    return int(name_hash(name)[:8], 16) % shards


def select_shard(theorems: Sequence[Theorem], settings: SearchSettings, shard: int) -> list[Theorem]:
    """Return the theorems of a shard, in the index's order.

    Raises UserError when the shard's number is outside ``settings.shards``.
    """
    if not 0 <= shard < settings.shards:
        raise UserError(f"--shard {shard}: search.shards is {settings.shards}; give 0 to {settings.shards - 1}")
    return [theorem for theorem in theorems if shard_of(theorem.name, settings.shards) == shard]
