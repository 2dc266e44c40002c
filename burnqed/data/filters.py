"""Filters and the split of tactic pairs; every dropped pair or theorem is counted."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain

from burnqed.data.extraction import ProofTrace
from burnqed.leantext.declarations import normalise_statement
from burnqed.records.pairs import TacticPair
from burnqed.seeds import fraction

CHEAT = re.compile(r"\b(?:sorry|admit|sorryAx|cheat)\b")


@dataclass
class Filtered:
    """Kept pairs, theorems seen, and what was dropped: by pair and by whole theorem."""

    pairs: list[TacticPair] = field(default_factory=list)
    statements: dict[str, str] = field(default_factory=dict)
    theorems_seen: int = 0
    pairs_seen: int = 0
    by_source: Counter[str] = field(default_factory=Counter)
    dropped_theorems: Counter[str] = field(default_factory=Counter)
    dropped_pairs: Counter[str] = field(default_factory=Counter)
    renamed: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class PairFilter:
    """Which pairs are dropped.

    Of the pairs whose tactic is in ``trivial``, the share ``trivial_share`` stays, chosen by hash of
    theorem, state and ``seed``. ``syntax`` names patterns of tactics that are dropped.
    """

    max_state_chars: int
    trivial: frozenset[str] = frozenset()
    trivial_share: float = 1.0
    syntax: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    seed: int = 0

    def reason(self, pair: TacticPair) -> str:
        """Return why a pair is dropped, empty when it is kept (duplicates are not seen here)."""
        tactic = pair.tactic.strip()
        if not tactic:
            return "empty_tactic"
        if not pair.num_goals:
            return "no_goal"
        if len(pair.state) > self.max_state_chars:
            return "long_state"
        for name, pattern in self.syntax.items():
            if pattern.search(tactic):
                return f"syntax_{name}"
        return ""

    def drops_trivial(self, pair: TacticPair) -> bool:
        """Return whether the pair is a trivial one beyond the share that stays."""
        if self.trivial_share >= 1 or pair.tactic.strip() not in self.trivial:
            return False
        key = f"{pair.theorem}/{pair.state}"
        return fraction_of(key, f"trivial/{self.seed}") >= self.trivial_share


class _Names:
    """Keeps apart theorems that share a name and differ in statement: the later gets its source as prefix."""

    def __init__(self) -> None:
        self.known: dict[str, tuple[str, str]] = {}

    def of(self, trace: ProofTrace, source: str) -> str:
        name = trace.theorem
        for candidate in chain((name, f"{source}:{name}"), (f"{source}:{name}:{copy}" for copy in range(2, 100))):
            first_source, statement = self.known.setdefault(candidate, (source, trace.statement))
            if first_source == source and statement == trace.statement:
                return candidate
            if not (statement and trace.statement):
                return candidate
            if normalise_statement(statement) == normalise_statement(trace.statement):
                return candidate
        return name


def bare_name(theorem: str) -> str:
    """Return a theorem's name without the source that keeps it apart, so that namesakes share a split."""
    parts = theorem.split(":")
    return theorem if len(parts) == 1 else parts[-2] if parts[-1].isdigit() else parts[-1]


def filter_traces(traces: Iterable[ProofTrace], rules: PairFilter | int) -> Filtered:
    """Drop unusable proofs and pairs, count each by its reason.

    A theorem goes as a whole when its proof has no tactics or uses sorry, admit or the like. A pair
    goes for a reason of ``rules`` (an integer is the longest state in characters, nothing else), or
    when the same (state, tactic) came before: in this source (`duplicate`), or in one read earlier
    (`duplicate_of_SOURCE`). Names that another statement has already are prefixed with the source.
    """
    rules = PairFilter(rules) if isinstance(rules, int) else rules
    result, names = Filtered(), _Names()
    seen: dict[bytes, str] = {}
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
        name = names.of(trace, trace.pairs[0].source)
        if name != trace.theorem:
            result.renamed.append(name)
        if trace.statement:
            result.statements.setdefault(name, trace.statement)
        kept: list[TacticPair] = []
        for pair in trace.pairs:
            reason = rules.reason(pair)
            if not reason:
                key = hashlib.blake2b(f"{pair.state}\0{pair.tactic.strip()}".encode(), digest_size=12).digest()
                first = seen.get(key)
                if first is None:
                    seen[key] = pair.source
                    reason = "trivial" if rules.drops_trivial(pair) else ""
                else:
                    reason = "duplicate" if first == pair.source else f"duplicate_of_{first}"
            if reason:
                result.dropped_pairs[reason] += 1
                if kept and reason not in ("empty_tactic", "no_goal"):  # those are no part of the proof
                    kept[-1] = replace(kept[-1], dropped_after=kept[-1].dropped_after + 1)
            else:
                result.by_source[pair.source] += 1
                kept.append(pair if name == pair.theorem else replace(pair, theorem=name))
        result.pairs += kept
    return result


def fraction_of(name: str, salt: str) -> float:
    """Return a number in [0, 1) that depends on the name and salt alone."""
    return fraction(f"{salt}/{name}", 12)


def split_pairs(pairs: list[TacticPair], val_fraction: float, seed: int) -> tuple[list[TacticPair], list[TacticPair]]:
    """Return (train, val): all pairs of a theorem stay together, by hash of its name and the seed."""
    train: list[TacticPair] = []
    val: list[TacticPair] = []
    for pair in pairs:
        (val if fraction_of(bare_name(pair.theorem), f"val/{seed}") < val_fraction else train).append(pair)
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
