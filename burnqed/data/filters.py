"""Filters and the split of tactic pairs; every dropped pair or theorem is counted."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from burnqed.data.extraction import ProofTrace
from burnqed.data.pairs import TacticPair

CHEAT = re.compile(r"\b(?:sorry|admit|sorryAx|cheat)\b")


@dataclass
class Filtered:
    """Kept pairs, theorems seen, and what was dropped: by pair and by whole theorem."""

    pairs: list[TacticPair] = field(default_factory=list)
    statements: dict[str, str] = field(default_factory=dict)
    theorems_seen: int = 0
    pairs_seen: int = 0
    dropped_theorems: Counter[str] = field(default_factory=Counter)
    dropped_pairs: Counter[str] = field(default_factory=Counter)


def filter_traces(traces: Iterable[ProofTrace], max_state_chars: int) -> Filtered:
    """Drop unusable proofs and pairs.

    A theorem goes as a whole when its proof has no tactics or uses sorry or admit. A pair goes
    when its tactic is empty, its state has no goal or is longer than ``max_state_chars``
    characters, or the same (state, tactic) came before.
    """
    result = Filtered()
    seen: set[bytes] = set()
    for trace in traces:
        result.theorems_seen += 1
        result.pairs_seen += len(trace.pairs)
        if not trace.pairs:
            result.dropped_theorems["no_tactics"] += 1
            continue
        if any(CHEAT.search(pair.tactic) for pair in trace.pairs):
            result.dropped_theorems["sorry"] += 1
            result.dropped_pairs["sorry"] += len(trace.pairs)
            continue
        if trace.statement:
            result.statements.setdefault(trace.theorem, trace.statement)
        for pair in trace.pairs:
            if not pair.tactic.strip():
                result.dropped_pairs["empty_tactic"] += 1
            elif not pair.num_goals:
                result.dropped_pairs["no_goal"] += 1
            elif len(pair.state) > max_state_chars:
                result.dropped_pairs["long_state"] += 1
            else:
                key = hashlib.blake2b(f"{pair.state}\0{pair.tactic.strip()}".encode(), digest_size=12).digest()
                if key in seen:
                    result.dropped_pairs["duplicate"] += 1
                else:
                    seen.add(key)
                    result.pairs.append(pair)
    return result


def fraction_of(name: str, salt: str) -> float:
    """Return a number in [0, 1) that depends on the name and salt alone."""
    return int(hashlib.sha256(f"{salt}/{name}".encode()).hexdigest()[:12], 16) / 16**12


def split_pairs(pairs: list[TacticPair], val_fraction: float, seed: int) -> tuple[list[TacticPair], list[TacticPair]]:
    """Return (train, val): all pairs of a theorem stay together, by hash of its name and the seed."""
    train: list[TacticPair] = []
    val: list[TacticPair] = []
    for pair in pairs:
        (val if fraction_of(pair.theorem, f"val/{seed}") < val_fraction else train).append(pair)
    return train, val


def limit_pairs(pairs: list[TacticPair], most: int, seed: int) -> list[TacticPair]:
    """Keep whole theorems, chosen by hash, until ``most`` pairs are reached (0 = all)."""
    if not most or len(pairs) <= most:
        return pairs
    sizes = Counter(pair.theorem for pair in pairs)
    kept: set[str] = set()
    total = 0
    for name in sorted(sizes, key=lambda n: fraction_of(n, f"limit/{seed}")):
        if total + sizes[name] <= most:
            kept.add(name)
            total += sizes[name]
    return [pair for pair in pairs if pair.theorem in kept]
