"""Which theorems a round of expert iteration searches.

Fresh ones, and of those searched before without a proof the ones that came nearest; a theorem leaves for good when a
re-checked proof of it is known. One whose proof is among the tactic pairs is never searched: its proof would teach
nothing new, and would count as found.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from burnqed.config import SearchSettings
from burnqed.records.pairs import read_pairs
from burnqed.records.theorems import Theorem, TheoremIndex, read_theorem_index, write_theorem_index
from burnqed.records.trajectories import TheoremResult, read_results
from burnqed.records.trees import read_checked


@dataclass(frozen=True)
class Round:
    """The theorems of a round, in the index's order, with counts of where they come from."""

    theorems: list[Theorem]
    counts: dict[str, int]


def name_hash(name: str) -> str:
    """Return the hash (hex) that orders theorems: adding one moves no other."""
    return hashlib.sha256(name.encode()).hexdigest()


def choose_round(
    theorems: Sequence[Theorem],
    paired: set[str],
    solved: set[str],
    earlier: Iterable[TheoremResult],
    settings: SearchSettings,
) -> Round:
    """Return the theorems of a round.

    ``paired``: theorems of the tactic pairs; ``solved``: those with a re-checked proof; ``earlier``: the results of
    all rounds before. Of ``search.max_theorems`` places (0: no limit) a share ``search.fresh_share`` goes to fresh
    theorems by hash of their names, the others to unsolved ones, nearest first (``nearness``); what one side does
    not use is the other's.
    """
    best: dict[str, tuple[int, int]] = {}
    for result in earlier:
        best[result.theorem] = max(best.get(result.theorem, (-1, -1)), nearness(result))
    open_ones = [theorem.name for theorem in theorems if theorem.name not in solved]
    usable = [name for name in open_ones if settings.paired_theorems or name not in paired]
    fresh = sorted((name for name in usable if name not in best), key=name_hash)
    again = sorted(
        (name for name in usable if name in best), key=lambda name: (*(-n for n in best[name]), name_hash(name))
    )
    places = settings.max_theorems or len(usable)
    for_fresh = max(round(settings.fresh_share * places), places - len(again))
    chosen = fresh[:for_fresh]
    chosen += again[: places - len(chosen)]
    names = set(chosen)
    return Round(
        [theorem for theorem in theorems if theorem.name in names],
        {
            "theorems": len(theorems),
            "solved": len(theorems) - len(open_ones),
            "paired": len(open_ones) - len(usable),
            "fresh": len(names & set(fresh)),
            "again": len(names & set(again)),
        },
    )


def nearness(result: TheoremResult) -> tuple[int, int]:
    """Return how near an unsolved search came: states expanded, then the depth reached.

    A search that ran out of states after two expansions knew nothing to do; one that used its budget was under way.
    """
    return result.expansions, result.depth


def select_theorems(
    index: Path,
    pairs: Path,
    trajectories: Sequence[Path],
    proofs: Sequence[Path],
    settings: SearchSettings,
    output: Path,
) -> dict[str, int]:
    """Write the theorem index of a round; return its counts. Raises UserError for damaged files."""
    whole = read_theorem_index(index)
    paired = {pair.theorem for pair in read_pairs(pairs)}
    solved = {proof.theorem for proof in read_checked(proofs)}
    earlier = (result for path in trajectories for result in read_results(path))
    chosen = choose_round(whole.theorems, paired, solved, earlier, settings)
    write_theorem_index(output, TheoremIndex({**whole.source, "round": chosen.counts}, chosen.theorems))
    return chosen.counts
