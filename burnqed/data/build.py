"""The data stage: corpus, search pool, benchmarks and tactic pairs, each from its settings."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from burnqed.artifacts import UserError, digest, sha256_file, write_json, write_jsonl
from burnqed.config import BenchmarkSettings, DataSettings
from burnqed.data.contamination import act_on, check_contamination
from burnqed.data.extraction import minilean_traces, read_corpus, traces_of
from burnqed.data.filters import filter_traces, limit_pairs, split_pairs
from burnqed.data.lean_text import normalise_statement
from burnqed.data.pairs import write_pairs
from burnqed.data.published import read_published
from burnqed.data.report import data_report
from burnqed.data.sources import resolve_source
from burnqed.data.theorems import Theorem, TheoremIndex, read_theorem_index, write_theorem_index

logger = logging.getLogger(__name__)
MINILEAN = "minilean:"
POOL_SPLITS = ("train", "search")


def build_corpus(settings: DataSettings, seed: int, output: Path) -> None:
    """Generate the embedded prover's corpus; one line per theorem.

    A training theorem that restates a benchmark theorem is left out: the generator has its own
    notion of equal statements, and the contamination check must hold for any seed.
    """
    from burnqed.minilean import classical
    from burnqed.minilean.corpus import generate

    theorems = generate(seed, settings.corpus_size)
    benchmarks = [*classical.theorems(), *(t for t in theorems if t.split == "benchmark")]
    heldout = {normalise_statement(t.statement) for t in benchmarks}
    kept = [t for t in theorems if t.split == "benchmark" or normalise_statement(t.statement) not in heldout]
    if len(kept) < len(theorems):
        logger.info("%d training theorems restate a benchmark theorem; left out", len(theorems) - len(kept))
    write_jsonl(output, (asdict(theorem) for theorem in kept))
    logger.info("%d theorems generated", len(kept))


def _need_corpus(corpus: Path | None, key: str) -> Path:
    if corpus is None:
        raise UserError(f"{key}: needs --corpus, the file that build_corpus.py makes")
    return corpus


def build_search_pool(settings: DataSettings, corpus: Path | None, output: Path) -> TheoremIndex:
    """Write the theorems that training may search on: the corpus' pool, or published files."""
    if settings.source == "minilean":
        path = _need_corpus(corpus, "data.source: minilean")
        theorems = [entry.theorem for entry in read_corpus(path, POOL_SPLITS)]
        source: dict[str, object] = {
            "file": path.name,
            "sha256": sha256_file(path),
            "split": "+".join(POOL_SPLITS),
        }
        index = TheoremIndex(source, theorems)
    else:
        if not settings.theorem_files:
            raise UserError("data.theorem_files: empty; give at least one file of theorems")
        parts = [read_published(resolve_source(item), "", item) for item in settings.theorem_files]
        merged: dict[str, Theorem] = {}
        clashes = 0
        for part in parts:
            for theorem in part.theorems:
                clashes += merged.setdefault(theorem.name, theorem) is not theorem
        if clashes:
            logger.warning(
                "%d theorems have a name that an earlier file of data.theorem_files gives; left out",
                clashes,
            )
        index = TheoremIndex(
            {"files": [part.source for part in parts], "name_clashes": clashes},
            list(merged.values()),
        )
    if not index.theorems:
        raise UserError(f"{output}: no theorem to search on; check data.source and data.theorem_files")
    write_theorem_index(output, index)
    logger.info("%d theorems to search on", len(index))
    return index


def build_benchmark(name: str, settings: BenchmarkSettings, corpus: Path | None, output: Path) -> TheoremIndex:
    """Write one held-out theorem set; ``source`` says exactly which it is.

    Raises UserError when the source file's SHA-256 is not the one that the settings expect.
    """
    if settings.source.startswith(MINILEAN):
        which = settings.source.removeprefix(MINILEAN)
        if which == "classical":
            index = _classical()
        elif which == "benchmark":
            path = _need_corpus(corpus, f"benchmarks.{name}.source: {settings.source}")
            index = _generated([entry.theorem for entry in read_corpus(path, ["benchmark"])])
        else:
            raise UserError(
                f"benchmarks.{name}.source: '{settings.source}'; write minilean:benchmark or minilean:classical"
            )
        split = "benchmark"
    else:
        index = read_published(resolve_source(settings.source), settings.split, settings.source)
        split = str(index.source["split"]) or settings.split
    found = str(index.source.get("sha256", ""))
    if settings.sha256 and settings.sha256 != found:
        raise UserError(
            f"benchmarks.{name}.sha256: {settings.source} has {found}, not {settings.sha256}; the published file "
            "changed or another was fetched: pin its revision, or set the new digest and do not compare with "
            "old results"
        )
    if not index.theorems:
        raise UserError(f"benchmarks.{name}: {settings.source} gives no theorem")
    index = TheoremIndex({**index.source, "name": name, "source": settings.source, "split": split}, index.theorems)
    write_theorem_index(output, index)
    logger.info("benchmark %s: %d theorems", name, len(index))
    return index


def _generated(theorems: list[Theorem]) -> TheoremIndex:
    """Return an index whose SHA-256 is that of its own theorems: there is no published file."""
    return TheoremIndex({"sha256": digest([theorem.row() for theorem in theorems])}, theorems)


def _classical() -> TheoremIndex:
    """Return the hand-written classical theorems that come with the embedded prover."""
    from burnqed.minilean.classical import theorems

    return _generated([Theorem(name=t.name, statement=t.statement, family=t.family, level=t.level) for t in theorems()])


def build_tactic_pairs(
    settings: DataSettings,
    prover: str,
    corpus: Path | None,
    theorems: Path,
    benchmarks: Sequence[Path],
    seed: int,
    train: Path,
    val: Path,
    report: Path,
) -> Mapping[str, object]:
    """Write training and validation pairs and the data report, and return the report.

    Held-out theorems are looked for among those of the pairs and of the search pool; finding one
    ends the job before anything is written, unless data.contamination is `warn`.
    """
    if settings.source == "minilean":
        if prover != "minilean":
            raise UserError(
                f"data.source: minilean needs prover.kind: minilean, not '{prover}'; real Lean proves other "
                "theorems than the corpus holds"
            )
        path = _need_corpus(corpus, "data.source: minilean")
        traces = minilean_traces(path)
        sources: list[dict[str, object]] = [{"file": path.name, "sha256": sha256_file(path)}]
    else:
        if not settings.pair_files:
            raise UserError("data.pair_files: empty; give at least one file of tactic pairs")
        files = {item: resolve_source(item) for item in settings.pair_files}
        traces = (trace for item in files for trace in traces_of(item))
        sources = [{"file": item, "sha256": sha256_file(file)} for item, file in files.items()]
    filtered = filter_traces(traces, settings.max_state_chars)
    kept = limit_pairs(filtered.pairs, settings.max_pairs, seed)
    if len(kept) < len(filtered.pairs):
        filtered.dropped_pairs["over_max_pairs"] = len(filtered.pairs) - len(kept)
    pool = read_theorem_index(theorems)
    training = {theorem.name: theorem.statement for theorem in pool.theorems}
    for pair in kept:
        training.setdefault(pair.theorem, filtered.statements.get(pair.theorem, ""))
    heldout = {path.stem: read_theorem_index(path) for path in benchmarks}
    contamination = check_contamination(training, heldout)
    act_on(contamination, settings.contamination, "data")
    first, second = split_pairs(kept, settings.val_fraction, seed)
    if not first or not second:
        raise UserError(
            f"data: {len(first)} training and {len(second)} validation pairs are left of {filtered.pairs_seen} "
            f"(dropped pairs {dict(filtered.dropped_pairs)}, theorems {dict(filtered.dropped_theorems)}); "
            "give more theorems, or raise data.max_state_chars or data.val_fraction"
        )
    content = data_report(filtered, first, second, contamination, sources, len(pool))
    write_pairs(train, first)
    write_pairs(val, second)
    write_json(report, content)
    logger.info(
        "%d training and %d validation pairs of %d theorems",
        len(first),
        len(second),
        filtered.theorems_seen,
    )
    return content
