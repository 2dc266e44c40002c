"""Which theorems a search job gets. By hash of the name, so that adding a theorem moves no other."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from burnqed.artifacts import UserError
from burnqed.config import SearchSettings
from burnqed.data.theorems import Theorem


def _hash(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


def shard_of(name: str, shards: int) -> int:
    """Return the shard (0 .. shards - 1) of a theorem."""
    return int(_hash(name)[:8], 16) % shards


def select_shard(theorems: Sequence[Theorem], settings: SearchSettings, shard: int) -> list[Theorem]:
    """Return the theorems of a shard, of the first ``max_theorems`` by hash, in the index's order.

    Raises UserError when the shard's number is outside ``settings.shards``.
    """
    if not 0 <= shard < settings.shards:
        raise UserError(f"--shard {shard}: search.shards is {settings.shards}; give 0 to {settings.shards - 1}")
    chosen = {theorem.name for theorem in theorems}
    if settings.max_theorems:
        chosen = set(sorted(chosen, key=_hash)[: settings.max_theorems])
    return [t for t in theorems if t.name in chosen and shard_of(t.name, settings.shards) == shard]
