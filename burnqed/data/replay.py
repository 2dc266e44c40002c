"""Whether tactic pairs still hold in the prover in use: replay a sample, compare states, name the failures."""

from __future__ import annotations

import asyncio
import logging
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from burnqed.config import ProverSettings
from burnqed.data.filters import fraction_of
from burnqed.files import write_json
from burnqed.leantext.states import StateError, canonical_state, parse_state
from burnqed.prover.pool import LeanPool, Outcome, ProofSession, StatementError
from burnqed.records.pairs import TacticPair, read_pairs
from burnqed.records.theorems import Theorem, read_theorem_index

logger = logging.getLogger(__name__)
AS_IS, RE_EXTRACT = 0.9, 0.5  # shares of theorems from which a source counts as usable
EXAMPLES = 5

# Causes of a failed step, judged by the prover's words; the first that matches. Both the older and the
# newer wording of Lean are covered (`unknown identifier 'x'`, ``Unknown identifier `x` ``).
CAUSES = (
    ("timeout", r"time limit|maximum number of heartbeats|deterministic timeout"),
    ("missing_import", r"unknown (?:module|package|namespace)|unknown tactic|object file .* does not exist"),
    (
        "renamed_lemma",
        r"unknown (?:identifier|constant|id)\b|invalid field|does not contain|unknown attribute|environment does not",
    ),
)


def cause_of(message: str) -> str:
    """Return the kind of a failure: timeout, missing_import, renamed_lemma, else tactic_change."""
    text = message.lower()
    return next((kind for kind, pattern in CAUSES if re.search(pattern, text)), "tactic_change")


@dataclass(frozen=True)
class Replay:
    """How one theorem's replay ended.

    ``outcome``: exact (all steps work on the recorded states), printer_drift (all work; some states
    print differently), state_mismatch (a recorded state is not reached), or a cause of failure.
    ``steps`` of them worked, of ``total``.
    """

    theorem: str
    source: str
    depth: int
    outcome: str
    steps: int
    total: int
    detail: str = ""


def _loose(state: str) -> str:
    """Return a state without what only the printer decides: spacing, brackets, inaccessible marks, universes."""
    text = re.sub(r"^case .*$", "", state, flags=re.MULTILINE).replace(" in ", " ∈ ")
    text = re.sub(r"\b(Type|Sort) (?:u_\d+|\?u\.\d+|u|v|w|\*|_)", r"\1", text)
    return re.sub(r"[\s()✝¹²³⁴-⁹⁰]", "", text)


def _intro(state: str) -> str:
    """Return the `intro` that names a state's hypotheses, empty without any."""
    try:
        goals = parse_state(state)
    except StateError:
        return ""
    names = [name for h in goals[0].hypotheses for name in h.names] if goals else []
    return "intro " + " ".join("_" if "✝" in name else name for name in names) if names else ""


class _Session:
    """A proof session with the states that were reached, found again by their text."""

    def __init__(self, session: ProofSession) -> None:
        self.session = session
        self.reached: dict[str, int] = {canonical_state(session.root_text): session.root}
        self.drifted = 0

    async def apply(self, state: int, tactic: str) -> tuple[Outcome, str]:
        result = await self.session.apply(state, tactic)
        if result.outcome is Outcome.OK and result.state is not None:
            self.reached.setdefault(canonical_state(result.text), result.state)
        return result.outcome, result.message

    async def find(self, state: str) -> int | None:
        """Return a reached state whose goals begin with those of ``state``, rotating goals if needed."""
        if state in self.reached:
            return self.reached[state]
        for text, number in list(self.reached.items()):
            if text.startswith(state + "\n\n"):
                return number
        for text, number in list(self.reached.items()):
            goals = text.split("\n\n")
            if state in goals[1:]:
                return await self._rotate(number, goals.index(state))
        wanted = _loose(state)
        for exactly in (True, False):
            for text, number in reversed(self.reached.items()):
                shown = _loose(text)
                if shown == wanted or (not exactly and shown.startswith(wanted)):
                    self.drifted += 1
                    return number
        return None

    async def _rotate(self, number: int, times: int) -> int | None:
        for _ in range(times):
            turned = await self.session.apply(number, "rotate_left")
            if turned.state is None:
                return None
            number = turned.state
        return number


async def replay_theorem(pool: LeanPool, theorem: Theorem, pairs: Sequence[TacticPair]) -> Replay:
    """Replay a theorem's pairs, in their order, each on the recorded state; see ``Replay``."""
    depth = max(pair.depth for pair in pairs)

    def ended(outcome: str, steps: int, detail: str = "") -> Replay:
        return Replay(theorem.name, pairs[0].source, depth, outcome, steps, len(pairs), detail[:300])

    try:
        session = await pool.open(theorem)
    except StatementError as error:
        return ended(cause_of(str(error)), 0, str(error))
    try:
        states = _Session(session)
        first = canonical_state(pairs[0].state)
        if first not in states.reached and (intro := _intro(first)):
            await states.apply(session.root, intro)
        failure: tuple[str, str] | None = None
        proved, worked = False, 0
        for pair in pairs:
            state = canonical_state(pair.state)
            number = await states.find(state)
            if number is None:
                failure = failure or ("state_mismatch", f"not reached: {state}")
                continue
            outcome, message = await states.apply(number, pair.tactic)
            if outcome in (Outcome.OK, Outcome.PROVED):
                worked, proved = worked + 1, proved or outcome is Outcome.PROVED
            else:
                cause = {Outcome.TIMEOUT: "timeout", Outcome.CRASH: "crash"}.get(outcome, cause_of(message))
                failure = failure or (cause, f"{pair.tactic}: {message}")
        if failure is not None:
            return ended(failure[0], worked, failure[1])
        return ended("printer_drift" if states.drifted else "exact", worked, "" if proved else "no step ends the proof")
    finally:
        await session.close()


def sample(pairs: Sequence[TacticPair], known: Mapping[str, Theorem], count: int, seed: int) -> list[list[TacticPair]]:
    """Return up to ``count`` theorems' pairs of each source, spread evenly over depths (1, 2-3, 4-7, ..)."""
    theorems: dict[tuple[str, str], list[TacticPair]] = {}
    for pair in pairs:
        if pair.theorem in known:
            theorems.setdefault((pair.source, pair.theorem), []).append(pair)
    strata: dict[str, dict[int, list[list[TacticPair]]]] = {}
    for (source, _), group in theorems.items():
        bucket = (max(pair.depth for pair in group) + 1).bit_length()
        strata.setdefault(source, {}).setdefault(bucket, []).append(group)
    chosen: list[list[TacticPair]] = []
    for _, buckets in sorted(strata.items()):
        for groups in buckets.values():
            groups.sort(key=lambda group: fraction_of(group[0].theorem, f"replay/{seed}"))
        left = count
        while left and any(buckets.values()):
            for bucket in sorted(buckets):
                if left and buckets[bucket]:
                    chosen.append(buckets[bucket].pop(0))
                    left -= 1
    return chosen


def verdict(outcomes: Mapping[str, int]) -> str:
    """Return whether a source is usable: as_is, after_re_extraction, or not.

    States that print differently, or that only re-extraction would show, do not speak against the
    proofs themselves; failing tactics do.
    """
    total = sum(outcomes.values())
    exact = outcomes.get("exact", 0)
    if total and exact >= AS_IS * total:
        return "as_is"
    alive = exact + outcomes.get("printer_drift", 0) + outcomes.get("state_mismatch", 0)
    return "after_re_extraction" if total and alive >= RE_EXTRACT * total else "not_usable"


def summarise(replays: Sequence[Replay]) -> dict[str, Any]:
    """Return per source: theorems, outcomes, outcomes by depth, verdict, examples of failures."""
    content: dict[str, Any] = {}
    for source in sorted({replay.source for replay in replays}):
        own = [replay for replay in replays if replay.source == source]
        outcomes = Counter(replay.outcome for replay in own)
        depths: dict[str, Counter[str]] = {}
        for replay in own:
            depths.setdefault(str(replay.depth), Counter())[replay.outcome] += 1
        examples: dict[str, list[dict[str, object]]] = {}
        for replay in own:
            shown = examples.setdefault(replay.outcome, [])
            if replay.detail and len(shown) < EXAMPLES:
                shown.append({"theorem": replay.theorem, "detail": replay.detail})
        content[source] = {
            "theorems": len(own),
            "steps": sum(replay.total for replay in own),
            "steps_that_work": sum(replay.steps for replay in own),
            "outcomes": dict(sorted(outcomes.items())),
            "by_depth": {depth: dict(sorted(depths[depth].items())) for depth in sorted(depths, key=int)},
            "verdict": verdict(outcomes),
            "examples": {kind: shown for kind, shown in sorted(examples.items()) if shown},
        }
    return content


async def _replay_all(
    groups: Sequence[Sequence[TacticPair]], known: Mapping[str, Theorem], prover: ProverSettings
) -> list[Replay]:
    results: list[Replay | None] = [None] * len(groups)
    queue = iter(range(len(groups)))
    async with LeanPool(prover) as pool:

        async def serve() -> None:
            for index in queue:
                group = groups[index]
                results[index] = await replay_theorem(pool, known[group[0].theorem], group)

        await asyncio.gather(*(serve() for _ in range(2 * prover.workers)))
    return [result for result in results if result is not None]


def validate(
    pairs: Sequence[TacticPair], known: Mapping[str, Theorem], prover: ProverSettings, count: int, seed: int
) -> dict[str, Any]:
    """Replay a sample of the pairs; return what ``summarise`` tells. Raises StartError without a prover."""
    groups = sample(pairs, known, count, seed)
    without = len({pair.theorem for pair in pairs} - set(known))
    replays = asyncio.run(_replay_all(groups, known, prover)) if groups else []
    return {"sources": summarise(replays), "theorems_without_statement": without}


def write_validation(
    pair_files: Sequence[Path],
    theorem_files: Sequence[Path],
    prover: ProverSettings,
    sample: int,
    seed: int,
    output: Path,
) -> None:
    """Replay a sample of the pairs of some files, write the report, and log each source's verdict."""
    known = {theorem.name: theorem for path in theorem_files for theorem in read_theorem_index(path).theorems}
    pairs = [pair for path in pair_files for pair in read_pairs(path)]
    report = validate(pairs, known, prover, sample, seed)
    write_json(output, report)
    for source, entry in report["sources"].items():
        counts = (entry["verdict"], entry["theorems"], entry["outcomes"])
        logger.info("%s: %s (%d theorems: %s)", source, *counts)
