"""The data stage: corpus, search pool, benchmarks and tactic pairs, each from its settings."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from burnqed.config import BenchmarkSettings, DataSettings, ProverSettings, SourceSettings, VerifySettings
from burnqed.data.contamination import act_on, check_contamination
from burnqed.data.extraction import ProofTrace, corpus_traces, read_corpus, read_traces
from burnqed.data.filters import Filtered, PairFilter, filter_traces, limit_pairs, split_pairs
from burnqed.data.published import read_published
from burnqed.data.report import data_report
from burnqed.data.sources import Resolved, Sources, resolve, split_asked
from burnqed.data.syntax import old_syntax
from burnqed.files import UserError, digest, sha256_file, write_json, write_jsonl
from burnqed.leantext.declarations import normalise_statement
from burnqed.records.damage import Damage
from burnqed.records.pairs import TacticPair, write_pairs
from burnqed.records.theorems import Theorem, TheoremIndex, read_theorem_index, write_theorem_index

logger = logging.getLogger(__name__)
CORPUS = "corpus:"
POOL_SPLITS = ("train", "search")


def build_corpus(
    settings: DataSettings, prover: ProverSettings, verify: VerifySettings, seed: int, output: Path
) -> dict[str, object]:
    """Generate theorems and check their proofs with Lean; one line per theorem that holds, with its states.

    A training theorem that restates a benchmark theorem is left out: the generator has its own
    notion of equal statements, and the contamination check must hold for any seed. Returns what the
    sidecar tells: Lean's version, counts, and examples of proofs that this Lean refuses.
    """
    from burnqed.data.corpus import classical
    from burnqed.data.corpus.checking import check_corpus
    from burnqed.data.corpus.generate import generate

    theorems = generate(seed, settings.corpus_size)
    benchmarks = [*classical.theorems(), *(t for t in theorems if t.split == "benchmark")]
    heldout = {normalise_statement(t.statement) for t in benchmarks}
    fresh = [t for t in theorems if t.split == "benchmark" or normalise_statement(t.statement) not in heldout]
    checked = check_corpus(fresh, prover, verify)
    write_jsonl(output, ({**asdict(theorem), "states": list(states)} for theorem, states in checked.kept))
    logger.info("%d theorems generated, %d proofs checked by Lean %s", len(theorems), len(checked.kept), checked.lean)
    return {"restated": len(theorems) - len(fresh), **checked.row()}


def _need_corpus(corpus: Path | None, key: str) -> Path:
    if corpus is None:
        raise UserError(f"{key}: needs --corpus, the file that build_corpus.py makes")
    return corpus


def build_search_pool(
    settings: DataSettings, corpus: Path | None, output: Path, sources: Sources | None = None
) -> TheoremIndex:
    """Write the theorems that training may search on: the corpus' pool, or published files."""
    if settings.source == "corpus":
        path = _need_corpus(corpus, "data.source: corpus")
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
        damage = Damage(settings.on_damage, settings.max_row_mb)
        parts = []
        for item in settings.theorem_files:
            resolved = resolve(item, sources)
            parts.append(read_source(resolved, split_asked(item, sources), damage))
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


def read_source(resolved: Resolved, split: str, damage: Damage) -> TheoremIndex:
    """Read the theorems of a source, with what its settings say of it on record."""
    settings = resolved.settings
    index = read_published(
        resolved.path, split, resolved.label, damage, settings.fields, exclude=settings.exclude, note=resolved.row()
    )
    total = int(index.source.get("rows", 0)) - int(index.source.get("dropped", {}).get("excluded", 0))
    if settings.theorems and not index.source["split"] and total < settings.theorems:
        logger.warning("%s: %d entries, not the %d it is known to hold", resolved.label, total, settings.theorems)
    return index


def build_benchmark(
    name: str, settings: BenchmarkSettings, corpus: Path | None, output: Path, sources: Sources | None = None
) -> TheoremIndex:
    """Write one held-out theorem set; ``source`` says exactly which it is.

    Unreadable entries are counted and named, and refused above the settings' share. Raises UserError
    when the source's SHA-256 is not the one that the settings expect.
    """
    if settings.source.startswith(CORPUS):
        which = settings.source.removeprefix(CORPUS)
        if which == "classical":
            index = _classical()
        elif which == "benchmark":
            path = _need_corpus(corpus, f"benchmarks.{name}.source: {settings.source}")
            index = _generated([entry.theorem for entry in read_corpus(path, ["benchmark"])])
        else:
            raise UserError(
                f"benchmarks.{name}.source: '{settings.source}'; write corpus:benchmark or corpus:classical"
            )
        split = "benchmark"
    else:
        resolved = resolve(settings.source, sources)
        asked = split_asked(settings.source, sources) or settings.split
        damage = Damage("skip", max_share=settings.max_damaged_share)
        index = read_source(resolved, asked, damage)
        split = str(index.source["split"]) or "all"
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
    """Return the hand-written classical theorems."""
    from burnqed.data.corpus.classical import theorems

    return _generated([Theorem(name=t.name, statement=t.statement, family=t.family, level=t.level) for t in theorems()])


def _published_traces(
    settings: DataSettings,
    sources: Sources,
    extracted: Mapping[str, Path],
    damage: Damage,
    rows: list[dict[str, object]],
) -> Iterator[ProofTrace]:
    """Yield the traces of ``data.pair_files``, and describe each file in ``rows`` before it is read."""
    for item in settings.pair_files:
        if item in extracted:
            rows.append({"file": item, "sha256": sha256_file(extracted[item]), "extracted": True})
            if item in sources:
                rows[-1] |= {key: value for key, value in sources[item].model_dump().items() if value}
            yield from read_traces(extracted[item], item, damage)
            continue
        resolved = resolve(item, sources)
        if resolved.settings.kind != "file":
            raise UserError(
                f"data.pair_files: '{item}' is of kind {resolved.settings.kind}: make its pairs first with "
                "extract_pairs.py and give them with --extracted"
            )
        rows.append({**resolved.row(), "sha256": sha256_file(resolved.path)})
        named = item in sources or item.startswith("hf://")
        yield from read_traces(resolved.path, item if named else resolved.path.name, damage)


def _pool(filtered: Filtered, train: Sequence[TacticPair], least: int, output: Path | None) -> dict[str, object]:
    """Write the theorems whose training proof is at least ``least`` tactics deep; return their counts."""
    deepest: dict[str, int] = {}
    for pair in train:
        deepest[pair.theorem] = max(deepest.get(pair.theorem, 0), pair.depth + 1)
    deep = {name: depth for name, depth in deepest.items() if depth >= least}
    known = [name for name in deep if filtered.statements.get(name)]
    if output is not None:
        rows = [
            {"name": name, "statement": filtered.statements[name], "header": "", "depth": deep[name]} for name in known
        ]
        write_json(output, {"source": {"min_depth": least}, "theorems": rows})
    return {"min_depth": least, "theorems": len(known), "without_statement": len(deep) - len(known)}


def build_tactic_pairs(
    settings: DataSettings,
    corpus: Path | None,
    theorems: Path,
    benchmarks: Sequence[Path],
    seed: int,
    train: Path,
    val: Path,
    report: Path,
    *,
    pool: Path | None = None,
    sources: Sources | None = None,
    extracted: Sequence[Path] = (),
) -> Mapping[str, object]:
    """Write training and validation pairs, the pool of deep theorems and the report; return the report.

    ``extracted`` are files that ``extract_pairs.py`` made, each named after its source. Held-out
    theorems are looked for among those of the pairs and of the search pool; finding one ends the
    job before anything is written, unless data.contamination is `warn`.
    """
    damage = Damage(settings.on_damage, settings.max_row_mb)
    used: list[dict[str, object]] = []
    # The generated corpus is graded on purpose: its easy steps are no surplus.
    trivial_share = 1.0 if settings.source == "corpus" else settings.trivial_share
    rules = PairFilter(
        settings.max_state_chars,
        frozenset(settings.trivial_tactics),
        trivial_share,
        old_syntax(settings.drop_syntax),
        seed,
    )
    if settings.source == "corpus":
        path = _need_corpus(corpus, "data.source: corpus")
        traces = corpus_traces(path, most=settings.pair_theorems, longest=settings.pair_steps)
        used.append({"file": path.name, "sha256": sha256_file(path)})
    else:
        if not settings.pair_files:
            raise UserError("data.pair_files: empty; give at least one set of tactic pairs")
        traces = _published_traces(settings, sources or {}, {p.stem: p for p in extracted}, damage, used)
    filtered = filter_traces(traces, rules)
    kept = limit_pairs(filtered.pairs, settings.max_pairs, seed)
    if len(kept) < len(filtered.pairs):
        filtered.dropped_pairs["over_max_pairs"] = len(filtered.pairs) - len(kept)
    index = read_theorem_index(theorems)
    training = {theorem.name: theorem.statement for theorem in index.theorems}
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
    deep = _pool(filtered, first, settings.pool_depth, pool)
    content = data_report(filtered, first, second, contamination, used, len(index), damage, deep, heldout)
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


def extract_source(
    source: str, sources: Sources, data: DataSettings, prover: ProverSettings, output: Path, failures: Path
) -> dict[str, Any]:
    """Turn a source of kind proofs, project or traced into theorems with tactics, through the prover.

    A folder that is no declared source counts as a Lean project. Returns the content of ``failures``.
    """
    from burnqed.data.invocations import extract
    from burnqed.data.traced import extract_traced
    from burnqed.data.whole_proofs import project_files, read_proofs
    from burnqed.prover.kinds import KINDS

    if source not in sources and Path(source).is_dir():
        sources = {**sources, source: SourceSettings(file=source, kind="project")}
    resolved = resolve(source, sources)
    damage, dropped = Damage(data.on_damage, data.max_row_mb), Counter[str]()
    if resolved.settings.kind == "traced":
        extract_traced(resolved.path, output)
        report: dict[str, Any] = {"texts": 1, "theorems": sum(1 for _ in output.open()), "failed": {}}
        write_json(failures, report)
        return report
    if not KINDS[prover.kind].invocations:
        fit = " or ".join(kind.name for kind in KINDS.values() if kind.invocations)
        raise UserError(
            f"sources.{source}: kind {resolved.settings.kind} becomes pairs through a prover that tells the "
            f"states between tactics: set prover.kind: {fit} for this job, or give a source of kind file"
        )
    if resolved.settings.kind == "project":
        texts = project_files(resolved.path)
        if not prover.project:
            prover = prover.model_copy(update={"project": str(resolved.path)})
    else:
        texts = list(read_proofs(resolved.path, damage, dropped))
    report = extract(
        texts,
        prover,
        output,
        failures,
        header=resolved.settings.header,
        nested=data.nested_tactics,
        timeout=data.extract_timeout,
    )
    report = {**report, "rows_without_proof": dict(sorted(dropped.items())), "damage": damage.row()}
    write_json(failures, report)
    logger.info("%s: %d theorems of %d texts", source, report["theorems"], report["texts"])
    return report
