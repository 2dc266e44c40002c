"""Training examples that ask for the whole rest of a proof, made from tactics of known proofs.

A model that has seen both forms serves all expansion modes of the search (``burnqed.policy.continuation``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise

import numpy as np

from burnqed.records.pairs import TacticPair

_HAS_INNER = re.compile(r"\n|<;>|;|·|=>|\bby\b")  # a tactic that may hold others


def rests_of_pairs(pairs: Sequence[TacticPair]) -> list[tuple[str, str, str]]:
    """Return (state, rest of the proof, theorem) of tactic pairs in the order of their proofs.

    The rest ends where the state's goals are closed: after as many subtrees of the proof as the state
    has goals. A proof with a hole (a pair that a filter has dropped, or that the source lacks) gives the
    rests behind the hole.
    A rest that tells a tactic twice, inside another one and by itself, as sources with nested tactics
    do, is left out.
    """
    found: list[tuple[str, str, str]] = []
    for theorem, group in groupby(pairs, key=lambda pair: pair.theorem):
        steps = list(group)
        for first in range(len(steps)):
            tactics = _rest(steps[first:])
            if tactics and not _nested(tactics):
                found.append((steps[first].state, "\n".join(tactics), theorem))
    return found


def _rest(steps: Sequence[TacticPair]) -> list[str]:
    """Return the tactics that close the goals of the first pair's state, empty when one is missing."""
    start, opened = steps[0], 1
    taken = [start.tactic]
    for before, step in pairwise(steps):
        if step.depth <= start.depth:
            opened += 1
            if opened > start.num_goals:
                break
        elif step.depth > before.depth + 1:
            return []
        taken.append(step.tactic)
    return [] if any(step.dropped_after for step in steps[: len(taken)]) else taken


def _nested(tactics: Sequence[str]) -> bool:
    return any(
        _HAS_INNER.search(outer) and any(inner in outer for inner in tactics[place + 1 :])
        for place, outer in enumerate(tactics)
    )


def rests_of_proofs(steps: Iterable[tuple[str, str, str, object]]) -> Iterator[tuple[str, str, str]]:
    """Yield (state, rest, theorem) of found proofs: steps (state, tactic, theorem, proof) in order."""
    for _, group in groupby(steps, key=lambda step: step[3]):
        path = list(group)
        for place, (state, _, theorem, _) in enumerate(path):
            yield state, "\n".join(tactic for _, tactic, _, _ in path[place:]), theorem


def choose_continuations(
    pairs: Sequence[TacticPair],
    proofs: Iterable[tuple[str, str, str, object]],
    held_out: set[str],
    count: int,
    upsample: int,
    seeds: Sequence[int],
) -> list[tuple[str, str]]:
    """Return ``count`` (state, rest of the proof) examples at random, or all when there are fewer.

    ``proofs`` are the steps of proofs found by searches; each of their rests counts ``upsample`` times,
    unless a pair's proof has it too or its theorem is held out for validation.
    """
    if not count:
        return []
    base = list(dict.fromkeys((state, rest) for state, rest, _ in rests_of_pairs(pairs)))
    known = set(base)
    found = dict.fromkeys((s, r) for s, r, name in rests_of_proofs(proofs) if name not in held_out)
    population = base + [item for item in found if item not in known] * upsample
    if count >= len(population):
        return population
    chosen = np.random.default_rng(list(seeds)).choice(len(population), size=count, replace=False)
    return [population[index] for index in sorted(chosen.tolist())]
