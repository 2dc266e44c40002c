"""The corpus itself: drafts of all families, told apart by their keys, named, graded and split."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from dataclasses import dataclass

from burnqed.data.corpus import classical
from burnqed.data.corpus.draft import CorpusTheorem, Draft, Family, level_of
from burnqed.data.corpus.families import (
    arithmetic,
    cases,
    defined,
    divisibility,
    functions,
    inductions,
    lists,
    mazes,
    propositional,
    quantifiers,
    rewriting,
)
from burnqed.data.corpus.header import HEADER
from burnqed.data.corpus.keys import skeleton, statement_key

SPLITS = ("train", "search", "benchmark")
BENCHMARK_MIN = 120
BENCHMARK_SHARE, SEARCH_SHARE = 0.12, 0.55
# Generators with their share of the corpus, in thousandths.
FAMILIES: dict[Family, int] = {
    propositional.sequent: 130,
    propositional.equivalences: 25,
    propositional.splits: 40,
    propositional.excluded_middle: 40,
    mazes.rules: 110,
    mazes.words: 70,
    mazes.walks: 30,
    mazes.jumps: 25,
    functions.table: 25,
    quantifiers.lifted: 80,
    quantifiers.relation: 20,
    quantifiers.exchange: 6,
    quantifiers.unique: 14,
    functions.monotone: 25,
    functions.injective: 20,
    functions.inverse: 20,
    functions.surjective: 8,
    rewriting.rewriting: 70,
    arithmetic.linear: 25,
    arithmetic.system: 8,
    arithmetic.order_chain: 22,
    arithmetic.extremum: 6,
    arithmetic.bounded: 6,
    arithmetic.closed: 10,
    arithmetic.witness: 30,
    divisibility.combination: 15,
    divisibility.chain: 6,
    divisibility.literal: 8,
    divisibility.parity: 8,
    cases.boolean: 15,
    cases.boolean_consequence: 12,
    cases.iterate: 3,
    cases.option: 4,
    cases.zero_or_successor: 4,
    inductions.induction: 45,
    lists.appending: 25,
    lists.length: 8,
    lists.recursion: 20,
    lists.membership: 10,
    defined.sets: 30,
    defined.trees: 5,
    defined.colours: 4,
    defined.numbers: 5,
}
WITH_HEADER = frozenset({"sets", "tree", "colour", "defined", "even"})
ATTEMPTS = 40  # draws per wanted theorem before a family counts as used up
PER_SKELETON = 24  # theorems of one generator that differ in numerals and the like only
BENCHMARK_PER_SKELETON = 3
LARGE_SKELETON = 0.1  # a skeleton with a larger share of its family stays on the training side


@dataclass(frozen=True)
class _Entry:
    draft: Draft
    skeleton: str


def _drafts(rng: random.Random, family: Family, count: int, keys: set[str], barred: set[str]) -> list[_Entry]:
    """Draw ``count`` theorems that differ from all others; fewer when the family has no more."""
    found: list[_Entry] = []
    per_skeleton: Counter[str] = Counter()
    for _ in range(count * ATTEMPTS):
        if len(found) >= count:
            break
        draft = family(rng)
        if draft is None:
            continue
        key = statement_key(draft.statement)
        if key in keys:
            continue
        entry = _Entry(draft, skeleton(draft.statement))
        if entry.skeleton not in barred and per_skeleton[entry.skeleton] < PER_SKELETON:
            keys.add(key)
            per_skeleton[entry.skeleton] += 1
            found.append(entry)
    return found


def _by_family(entries: list[_Entry]) -> dict[str, list[list[int]]]:
    """Group the positions by skeleton, and the skeletons by the family of their first theorem."""
    groups: dict[str, list[int]] = defaultdict(list)
    for position, entry in enumerate(entries):
        groups[entry.skeleton].append(position)
    families: dict[str, list[list[int]]] = defaultdict(list)
    for _, positions in sorted(groups.items()):
        families[entries[positions[0]].draft.family].append(positions)
    return families


def _benchmark(rng: random.Random, entries: list[_Entry], size: int) -> tuple[set[int], set[int]]:
    """Choose whole skeletons for the benchmark, over all families in proportion, rare ones first.

    Returns the positions of its theorems, and those of theorems that share a skeleton with it and
    are left out. Each family keeps a skeleton on the training side.
    """
    wanted = max(round(size * BENCHMARK_SHARE), min(BENCHMARK_MIN, size // 4))
    chosen: set[int] = set()
    left_out: set[int] = set()
    for _, groups in sorted(_by_family(entries).items()):
        total = sum(map(len, groups))
        quota = round(wanted * total / len(entries))
        rng.shuffle(groups)
        groups.sort(key=lambda positions: len(positions) > max(BENCHMARK_PER_SKELETON, LARGE_SKELETON * total))
        for positions in groups[:-1]:
            count = min(quota, BENCHMARK_PER_SKELETON, len(positions))
            if count <= 0:
                break
            rng.shuffle(positions)
            chosen.update(positions[:count])
            left_out.update(positions[count:])
            quota -= count
    return chosen, left_out


def _search(rng: random.Random, entries: list[_Entry], rest: list[int], size: int) -> set[int]:
    """Choose the search pool: the harder theorems, with some chance."""
    harder = sorted(rest, key=lambda i: level_of(entries[i].draft) + rng.gauss(0, 1.5), reverse=True)
    return set(harder[: round(size * SEARCH_SHARE)])


def generate(seed: int, size: int) -> list[CorpusTheorem]:
    """Return about ``size`` theorems that differ in more than names and order of hypotheses.

    No theorem outside the benchmark shares a skeleton with one in it or in the classical set, and
    none restates a classical theorem. Deterministic in ``seed`` and ``size``. Names are unique and
    say family and number.
    """
    known = classical.theorems()
    keys = {statement_key(theorem.statement) for theorem in known}
    barred = {theorem.skeleton for theorem in known}
    entries: list[_Entry] = []
    whole = sum(FAMILIES.values())
    for number, (family, share) in enumerate(FAMILIES.items()):
        rng = random.Random(f"{seed}/{number}")
        entries += _drafts(rng, family, max(1, round(size * share / whole)), keys, barred)
    rng = random.Random(f"{seed}/split")
    benchmark, left_out = _benchmark(rng, entries, size)
    rest = [i for i in range(len(entries)) if i not in benchmark and i not in left_out]
    search = _search(rng, entries, rest, size)
    order = [*rest, *sorted(benchmark)]
    rng.shuffle(order)
    return [
        _named(entries[i], number, "benchmark" if i in benchmark else "search" if i in search else "train")
        for number, i in enumerate(order)
    ]


def _named(entry: _Entry, number: int, split: str) -> CorpusTheorem:
    draft = entry.draft
    return CorpusTheorem(
        name=f"{draft.family}_{number:04d}_{draft.tag}",
        statement=draft.statement,
        header=HEADER if draft.family in WITH_HEADER else "",
        proof=list(draft.proof),
        family=draft.family,
        level=level_of(draft),
        split=split,
        skeleton=entry.skeleton,
    )
