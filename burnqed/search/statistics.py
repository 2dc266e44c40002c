"""What a search job did, in figures: diversity, outcomes, effort, and where the time went."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from burnqed.records.trajectories import TheoremResult

# First match counts. Wordings of Lean 4.2x and newer.
ERROR_KINDS = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        ("parse", r"^parse:|unexpected (?:token|numeral|identifier|end of input|syntax)|unknown tactic|unterminated"),
        ("unknown name", r"unknown (?:identifier|constant|id|free variable)|invalid field|unknown namespace"),
        ("type mismatch", r"type mismatch|function expected|type expected|has type.*but is expected"),
        ("synthesis", r"failed to synthesi[sz]e|don't know how to synthesi[sz]e|typeclass instance problem"),
        ("anonymous constructor", r"invalid `?⟨|anonymous constructor|rcases|pattern does not fit"),
        ("unsolved goals", r"unsolved goals"),
        ("no progress", r"no progress"),
        ("rewrite", r"`?(?:rewrite|rw)`?'? failed|did not find|motive is not type correct|invalid rewrite argument"),
        ("arithmetic", r"omega|linarith|norm_num|positivity|\bring\b|\bdecide\b|interval_cases"),
        ("unification", r"unify|`apply` failed|'apply' failed"),
        ("tactic does not apply", r"tactic [`'][^`']*[`'] failed|tactic failed|no additional binders|not an inductive"),
    )
)


def error_kind(message: str) -> str:
    """Return a coarse kind for the prover's message of a failed tactic."""
    return next((kind for kind, pattern in ERROR_KINDS if pattern.search(message)), "other")


class SearchStatistics:
    """Sums over the searches of a job; add them one by one."""

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()
        self.candidates: Counter[int] = Counter()  # sampled tactics per expansion -> expansions
        self.stops: Counter[str] = Counter()
        self.nodes_to_proof: list[int] = []
        self.proof_lengths: list[int] = []
        self.tactic_seconds = 0.0  # of the prover's workers
        self.waited = Counter({"policy": 0.0, "lean": 0.0, "value": 0.0, "engine": 0.0})

    def add(self, table: pa.Table, result: TheoremResult, times: Mapping[str, Any]) -> None:
        """Add one search."""
        self.stops[result.stop_reason] += 1
        if result.proved:
            self.nodes_to_proof.append(result.nodes)
            self.proof_lengths.append(len(result.proof))
        outcomes = table.column("outcome").to_pylist()
        self.outcomes.update(outcomes)
        messages = table.column("message").to_pylist()
        self.errors.update(error_kind(m) for o, m in zip(outcomes, messages, strict=True) if o == "error")
        expansions, logprobs = (table.column(name).to_pylist() for name in ("expansion", "logprob"))
        sampled = Counter(e for e, p in zip(expansions, logprobs, strict=True) if p is not None)
        self.candidates.update(sampled[number] for number in range(1, result.expansions + 1))
        parts = {name: times[f"{name}_seconds"] for name in ("policy", "lean", "value")}
        parts["engine"] = max(0.0, times["seconds"] - sum(parts.values()))
        for name, seconds in parts.items():
            self.waited[name] += seconds
        self.tactic_seconds += sum(times["elapsed_ms"]) / 1000

    def summary(self) -> dict[str, Any]:
        """Return the figures: counts, quantiles, and shares of the searches' own time (0 to 1)."""
        expansions = sum(self.candidates.values())
        tactics = sum(self.outcomes.values())
        total = sum(self.waited.values()) or 1.0
        searches = sum(self.stops.values())
        return {
            "searches": searches,
            "proved": self.stops["proved"],
            "stop_reasons": _ordered(self.stops),
            "expansions": expansions,
            "tactics": tactics,
            "tactic_seconds": round(self.tactic_seconds, 3),
            "unique_candidates_per_expansion": {
                "min": min(self.candidates, default=0),
                "mean": round(sum(k * n for k, n in self.candidates.items()) / max(expansions, 1), 3),
                "max": max(self.candidates, default=0),
            },
            "outcomes": _ordered(self.outcomes),
            "error_kinds": _ordered(self.errors),
            "nodes_to_proof": _quantiles(self.nodes_to_proof),
            "proof_length": _quantiles(self.proof_lengths),
            "time_split": {name: round(seconds / total, 4) for name, seconds in self.waited.items()},
        }


def _ordered(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _quantiles(values: Sequence[int]) -> dict[str, float]:
    """Return mean, median, 90th percentile (nearest rank) and maximum; empty without values."""
    if not values:
        return {}
    ranked = sorted(values)
    rank = {p: ranked[min(len(ranked) - 1, int(p * len(ranked)))] for p in (0.5, 0.9)}
    return {"mean": round(sum(ranked) / len(ranked), 3), "median": rank[0.5], "p90": rank[0.9], "max": ranked[-1]}


def log_summary(logger: logging.Logger, summary: Mapping[str, Any]) -> None:
    """Print the figures to the log, a line per topic."""
    unique = summary["unique_candidates_per_expansion"]
    logger.info(
        "proved %d of %d; %d expansions, %d tactics; unique candidates per expansion min %d, mean %.2f, max %d",
        summary["proved"],
        summary["searches"],
        summary["expansions"],
        summary["tactics"],
        unique["min"],
        unique["mean"],
        unique["max"],
    )
    for topic in ("stop_reasons", "outcomes", "error_kinds", "nodes_to_proof", "proof_length"):
        if summary[topic]:
            logger.info("%s: %s", topic.replace("_", " "), ", ".join(f"{k} {v}" for k, v in summary[topic].items()))
    split = summary["time_split"]
    logger.info("time split: %s", ", ".join(f"{name} {share:.0%}" for name, share in split.items()))
