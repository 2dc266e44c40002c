"""Whether a held-out theorem is also among the training theorems."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field

from burnqed.artifacts import UserError
from burnqed.data.lean_text import normalise_statement, symbols_of
from burnqed.data.theorems import TheoremIndex

logger = logging.getLogger(__name__)


@dataclass
class Contamination:
    """Held-out theorems that training sees: (benchmark, held-out name, training name, by what)."""

    checked_training: int = 0
    checked_heldout: int = 0
    without_statement: int = 0
    hits: list[dict[str, str]] = field(default_factory=list)

    def row(self) -> dict[str, object]:
        """Return the entry of the data report."""
        return {
            "training_theorems": self.checked_training,
            "heldout_theorems": self.checked_heldout,
            "training_theorems_without_statement": self.without_statement,
            "hits": self.hits,
        }


def check_contamination(training: Mapping[str, str], benchmarks: Mapping[str, TheoremIndex]) -> Contamination:
    """Compare training theorems (name to statement) with benchmarks, by statement and by name.

    Statements are compared after ``normalise_statement``. An equal name with another statement is
    a hit too: published sets restate one problem in several ways. A training theorem whose
    statement is empty is compared by name alone.
    """
    result = Contamination(len(training), sum(len(b) for b in benchmarks.values()))
    by_statement: dict[str, str] = {}
    possible = {symbols_of(theorem.statement) for index in benchmarks.values() for theorem in index.theorems}
    for name, statement in training.items():
        if statement:
            if symbols_of(statement) not in possible:
                continue
            by_statement.setdefault(normalise_statement(statement), name)
        else:
            result.without_statement += 1
    for label, index in benchmarks.items():
        for theorem in index.theorems:
            same = by_statement.get(normalise_statement(theorem.statement))
            if same is not None:
                result.hits.append(
                    {
                        "benchmark": label,
                        "theorem": theorem.name,
                        "training_theorem": same,
                        "by": "statement",
                    }
                )
            elif theorem.name in training:
                result.hits.append(
                    {
                        "benchmark": label,
                        "theorem": theorem.name,
                        "training_theorem": theorem.name,
                        "by": "name",
                    }
                )
    return result


def act_on(result: Contamination, action: str, what: str) -> None:
    """Log, or with action `fail` raise UserError, when held-out theorems are among the training ones."""
    if not result.hits:
        return
    shown = ", ".join(
        f"{h['theorem']} = {h['training_theorem']} (same {h['by']}, {h['benchmark']})" for h in result.hits[:5]
    )
    more = f", and {len(result.hits) - 5} more" if len(result.hits) > 5 else ""
    message = (
        f"{what}: {len(result.hits)} of {result.checked_heldout} held-out theorems are also training "
        f"theorems: {shown}{more}; remove them from the training source, or set data.contamination: "
        "warn (the solve rate then measures memory)"
    )
    if action == "fail":
        raise UserError(message)
    logger.warning("%s", message)
