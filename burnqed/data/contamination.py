"""Whether held-out theorems are among the training theorems: by statement, by name, and by skeleton."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Literal

from burnqed.files import UserError
from burnqed.leantext.declarations import normalise_statement, skeleton, symbols_of
from burnqed.records.theorems import TheoremIndex

logger = logging.getLogger(__name__)
By = Literal["statement", "name", "skeleton"]
KINDS: tuple[By, ...] = ("statement", "name", "skeleton")
EXAMPLES = 200


@dataclass(frozen=True)
class Hit:
    """A held-out theorem that training sees: as the same statement, under the same name, or as its skeleton."""

    benchmark: str
    theorem: str
    training_theorem: str
    by: By


@dataclass
class Contamination:
    """What training shares with held-out sets; ``sizes`` are those of the sets by name."""

    checked_training: int = 0
    without_statement: int = 0
    sizes: dict[str, int] = field(default_factory=dict)
    hits: list[Hit] = field(default_factory=list)
    likenesses: list[Hit] = field(default_factory=list)

    @property
    def checked_heldout(self) -> int:
        """Theorems of all held-out sets."""
        return sum(self.sizes.values())

    def row(self) -> dict[str, object]:
        """Return the entry of the data report: counts and shares by set, every hit, some likenesses."""
        counts = Counter((hit.benchmark, hit.by) for hit in [*self.hits, *self.likenesses])
        return {
            "training_theorems": self.checked_training,
            "heldout_theorems": self.checked_heldout,
            "training_theorems_without_statement": self.without_statement,
            "benchmarks": {
                name: {
                    "theorems": size,
                    **{by: counts[name, by] for by in KINDS},
                    **{f"{by}_share": round(counts[name, by] / size, 6) if size else 0.0 for by in KINDS},
                }
                for name, size in self.sizes.items()
            },
            "hits": [asdict(hit) for hit in self.hits],
            "skeleton_hits": [asdict(hit) for hit in self.likenesses[:EXAMPLES]],
        }


def _loose(statement: str) -> str:
    """Return what statements of one skeleton share for certain, cheaply."""
    return symbols_of(statement).replace(":", "")


class _Training:
    """Training theorems by statement and by skeleton, those alone that could match a held-out one."""

    def __init__(self, training: Mapping[str, str], benchmarks: Mapping[str, TheoremIndex]) -> None:
        heldout = [theorem.statement for index in benchmarks.values() for theorem in index.theorems]
        possible = {_loose(statement) for statement in heldout}
        self.names = training
        self.statements: dict[str, str] = {}
        self.skeletons: dict[str, str] = {}
        for name, statement in training.items():
            if statement and _loose(statement) in possible:
                self.statements.setdefault(normalise_statement(statement), name)
                self.skeletons.setdefault(skeleton(statement), name)

    def hit(self, benchmark: str, name: str, statement: str) -> Hit | None:
        """Return the closest hit of a held-out theorem, None when there is none."""
        if (same := self.statements.get(normalise_statement(statement))) is not None:
            return Hit(benchmark, name, same, "statement")
        if name in self.names:
            return Hit(benchmark, name, name, "name")
        if (like := self.skeletons.get(skeleton(statement))) is not None:
            return Hit(benchmark, name, like, "skeleton")
        return None


def check_contamination(training: Mapping[str, str], benchmarks: Mapping[str, TheoremIndex]) -> Contamination:
    """Compare training theorems (name to statement) with benchmarks, by statement, name and skeleton.

    Statements are compared after ``normalise_statement``. An equal name with another statement is
    a hit too: published sets restate one problem in several ways. An equal ``skeleton`` is a
    likeness, counted apart. A training theorem whose statement is empty is compared by name alone.
    """
    result = Contamination(
        len(training),
        sum(not statement for statement in training.values()),
        {label: len(index) for label, index in benchmarks.items()},
    )
    known = _Training(training, benchmarks)
    for label, index in benchmarks.items():
        for theorem in index.theorems:
            hit = known.hit(label, theorem.name, theorem.statement)
            if hit is not None:
                (result.likenesses if hit.by == "skeleton" else result.hits).append(hit)
    return result


def act_on(result: Contamination, action: str, what: str) -> None:
    """Log, or with action `fail` raise UserError, when held-out theorems are among the training ones."""
    if result.likenesses:
        logger.info(
            "%s: %d held-out theorems share their skeleton with a training theorem", what, len(result.likenesses)
        )
    if not result.hits:
        return
    shown = ", ".join(f"{h.theorem} = {h.training_theorem} (same {h.by}, {h.benchmark})" for h in result.hits[:5])
    more = f", and {len(result.hits) - 5} more" if len(result.hits) > 5 else ""
    message = (
        f"{what}: {len(result.hits)} of {result.checked_heldout} held-out theorems are also training "
        f"theorems: {shown}{more}; remove them from the training source, or set data.contamination: "
        "warn (the solve rate then measures memory)"
    )
    if action == "fail":
        raise UserError(message)
    logger.warning("%s", message)
