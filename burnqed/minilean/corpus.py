"""The rehearsal's theorem corpus: named theorems with tactic proofs, generated from a seed.

Statements and proofs are text in Lean 4 core syntax; nothing here is trusted. Every proof is meant
to be replayed through the prover (`tactic_steps`), which drops what does not check.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from burnqed.minilean import (
    classical,
    corpus_dvd,
    corpus_induction,
    corpus_linear,
    corpus_list,
    corpus_prop,
    corpus_quant,
    corpus_rewrite,
)
from burnqed.minilean.corpus_draft import CorpusTheorem, Draft, canonical_key, level_of

if TYPE_CHECKING:
    from burnqed.minilean.engine import Engine

SPLITS = ("train", "search", "benchmark")
BENCHMARK_MIN = 120
BENCHMARK_SHARE, SEARCH_SHARE = 0.12, 0.33
# Family generators with their share of the corpus.
FAMILIES: list[tuple[Callable[[random.Random], Draft | None], float]] = [
    (corpus_prop.propositional, 0.34),
    (corpus_quant.lifted, 0.15),
    (corpus_quant.relation, 0.01),
    (corpus_quant.monotone, 0.05),
    (corpus_quant.swap, 0.02),
    (corpus_rewrite.rewriting, 0.13),
    (corpus_linear.linear, 0.07),
    (corpus_induction.induction, 0.07),
    (corpus_linear.witness, 0.05),
    (corpus_linear.closed_fact, 0.02),
    (corpus_dvd.divides, 0.04),
    (corpus_list.appending, 0.03),
    (corpus_list.length, 0.02),
]
# Draws per wanted theorem before a family counts as used up.
ATTEMPTS = 60


def _drafts(
    rng: random.Random,
    generator: Callable[[random.Random], Draft | None],
    count: int,
    keys: set[str],
) -> list[tuple[str, Draft]]:
    found: list[tuple[str, Draft]] = []
    for _ in range(count * ATTEMPTS):
        if len(found) >= count:
            break
        draft = generator(rng)
        if draft is None:
            continue
        key = canonical_key(draft.statement)
        if key not in keys:
            keys.add(key)
            found.append((key, draft))
    return found


def _split(rng: random.Random, drafts: list[Draft], size: int) -> list[str]:
    """Assign splits: the benchmark at random within families, the search pool with harder ones."""
    benchmark = max(round(size * BENCHMARK_SHARE), min(BENCHMARK_MIN, size // 4))
    order = list(range(len(drafts)))
    rng.shuffle(order)
    splits = ["train"] * len(drafts)
    # Spread over families: take every theorem's place in its own family's shuffled order.
    places: Counter[str] = Counter()
    rank = {}
    totals = Counter(draft.family for draft in drafts)
    for index in order:
        family = drafts[index].family
        rank[index] = (places[family] + rng.random()) / totals[family]
        places[family] += 1
    for index in sorted(order, key=lambda i: rank[i])[:benchmark]:
        splits[index] = "benchmark"
    rest = [index for index in order if splits[index] == "train"]
    wanted = round(size * SEARCH_SHARE)
    harder = sorted(rest, key=lambda i: level_of(drafts[i]) + rng.gauss(0, 1.5), reverse=True)
    for index in harder[:wanted]:
        splits[index] = "search"
    return splits


def generate(seed: int, size: int) -> list[CorpusTheorem]:
    """Return about ``size`` theorems that differ up to renaming and order of hypotheses.

    None of them is in the classical benchmark. Deterministic in ``seed`` and
    ``size``. Names are unique and say family and number.
    """
    keys = {canonical_key(theorem.statement) for theorem in classical.theorems()}
    drafts: list[Draft] = []
    for number, (generator, share) in enumerate(FAMILIES):
        rng = random.Random(f"{seed}/{number}")
        drafts += [draft for _, draft in _drafts(rng, generator, round(size * share), keys)]
    rng = random.Random(f"{seed}/split")
    splits = _split(rng, drafts, size)
    rng.shuffle(order := list(range(len(drafts))))
    theorems = []
    for number, index in enumerate(order):
        draft = drafts[index]
        theorems.append(
            CorpusTheorem(
                name=f"{draft.family}_{number:04d}_{draft.tag}",
                statement=draft.statement,
                proof=list(draft.proof),
                family=draft.family,
                level=level_of(draft),
                split=splits[index],
            )
        )
    return theorems


def tactic_steps(statement: str, proof: list[str]) -> list[tuple[str, str]] | None:
    """Replay a script in this process; return each tactic with the state it acted on.

    The states are Lean's grouped print of all goals. None when a step fails or when the script
    does not end in a proof that the kernel accepts without `sorry`.
    """
    from burnqed.minilean.engine import HeartbeatError, ParseError, TacticError

    engine = _engine()
    steps: list[tuple[str, str]] = []
    try:
        state = engine.start(statement)
        for tactic in proof:
            steps.append((state.text(), tactic))
            state = engine.step(state, tactic)
    except (HeartbeatError, ParseError, TacticError):
        return None
    return steps if state.proof is not None and not state.sorry else None


def replayed(theorems: list[CorpusTheorem]) -> list[CorpusTheorem]:
    """The theorems whose proof the prover accepts; all of them, unless a generator has a bug."""
    return [theorem for theorem in theorems if tactic_steps(theorem.statement, theorem.proof) is not None]


@cache
def _engine() -> Engine:
    from burnqed.minilean.engine import Engine

    return Engine()


def table(theorems: list[CorpusTheorem]) -> str:
    """Counts by family and level, and by split, as text."""
    families = sorted({theorem.family for theorem in theorems})
    cells = Counter((t.family, t.level) for t in theorems)
    splits = Counter((t.family, t.split) for t in theorems)
    lines = [
        f"{'family':12}"
        + "".join(f"{f'level {i}':>9}" for i in range(1, 6))
        + "".join(f"{split:>11}" for split in SPLITS)
    ]
    for family in families:
        lines.append(
            f"{family:12}"
            + "".join(f"{cells[family, level]:9}" for level in range(1, 6))
            + "".join(f"{splits[family, split]:11}" for split in SPLITS)
        )
    lines.append(
        f"{'all':12}"
        + "".join(f"{sum(t.level == level for t in theorems):9}" for level in range(1, 6))
        + "".join(f"{sum(t.split == split for t in theorems):11}" for split in SPLITS)
    )
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> None:
    """Write a corpus as JSON lines and print its table."""
    parser = argparse.ArgumentParser(description="Generate a theorem corpus for the embedded prover.")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--size", type=int, default=2000)
    parser.add_argument("--out", type=Path, help="JSON lines; without it only the table is printed")
    parser.add_argument("--check", action="store_true", help="replay every proof; drop and count failures")
    options = parser.parse_args(arguments)
    theorems = generate(options.seed, options.size)
    if options.check:
        count = len(theorems)
        theorems = replayed(theorems)
        print(f"{len(theorems)} of {count} proofs replayed, {count - len(theorems)} dropped")
    if options.out is not None:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        partial = options.out.with_name(f".{options.out.name}.partial")
        with partial.open("w", encoding="utf-8") as stream:
            for theorem in theorems:
                stream.write(json.dumps(asdict(theorem), ensure_ascii=False) + "\n")
        partial.replace(options.out)
    print(table(theorems))


if __name__ == "__main__":
    main()
