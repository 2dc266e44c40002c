"""Proofs as sequences of (state, tactic): from minilean's corpus, LeanDojo JSON and ntp-toolkit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from burnqed.artifacts import UserError, read_jsonl
from burnqed.data.lean_text import TextError, proposition_from_state, read_statement
from burnqed.data.pairs import TacticPair
from burnqed.data.sources import read_rows, resolve_source
from burnqed.data.theorems import Theorem, theorem_from


@dataclass(frozen=True)
class ProofTrace:
    """The tactic pairs of one theorem; ``statement`` is empty when the source has none."""

    theorem: str
    statement: str
    pairs: tuple[TacticPair, ...]


@dataclass(frozen=True)
class CorpusEntry:
    """A line of a generated corpus: theorem, its proof, and the split that may see it."""

    theorem: Theorem
    proof: tuple[str, ...]
    split: str


def read_corpus(path: Path, splits: Iterable[str] = ()) -> list[CorpusEntry]:
    """Read the corpus lines of the given splits (all without any); errors name file and line."""
    wanted = set(splits)
    entries = []
    for number, row in enumerate(read_jsonl(path), 1):
        place = f"{path}: entry {number}"
        if not isinstance(row, dict) or not isinstance(row.get("proof"), list) or "split" not in row:
            raise UserError(f"{place}: needs name, statement, proof and split; make the corpus again")
        if not wanted or row["split"] in wanted:
            proof = tuple(str(tactic) for tactic in row["proof"])
            entries.append(CorpusEntry(theorem_from(row, place), proof, str(row["split"])))
    return entries


def minilean_traces(corpus: Path, split: str = "train") -> Iterator[ProofTrace]:
    """Replay the proofs of one split in the embedded prover and yield the states on the way.

    A proof that does not check gives a trace without pairs.
    """
    from burnqed.minilean.corpus import tactic_steps

    for entry in read_corpus(corpus, [split]):
        name, statement = entry.theorem.name, entry.theorem.statement
        steps = tactic_steps(statement, list(entry.proof)) or []
        pairs = tuple(
            TacticPair(state, tactic, name, depth, "minilean", count_goals(state))
            for depth, (state, tactic) in enumerate(steps)
        )
        yield ProofTrace(name, statement, pairs)


def count_goals(state: str) -> int:
    """Return the number of goals of a printed state (0 for `no goals`)."""
    return len(re.findall(r"^⊢ ", state, re.MULTILINE))


def _depths(tactics: list[dict[str, Any]]) -> list[int]:
    """Return each tactic's depth: one more than that of the tactic that made its first goal.

    LeanDojo lists tactics in file order, nested blocks included, so the place in the list is not
    the depth. A goal that no earlier tactic shows is taken to follow the root.
    """
    made: dict[str, int] = {}
    depths: list[int] = []
    for number, item in enumerate(tactics):
        first = _goals(item["state_before"])[:1]
        depth = made.get(_body(first[0]), 0 if number == 0 else 1) if first else 0
        depths.append(depth)
        for goal in _goals(item["state_after"]):
            made.setdefault(_body(goal), depth + 1)
    return depths


def _goals(state: str) -> list[str]:
    return [goal for goal in state.strip().split("\n\n") if "⊢ " in goal]


def _body(goal: str) -> str:
    return re.sub(r"^case [^\n]*\n", "", goal)


def leandojo_traces(path: Path, source: str) -> Iterator[ProofTrace]:
    """Yield the traces of a LeanDojo Benchmark 4 file (with or without `annotated_tactic`)."""
    for place, row in read_rows(path):
        if "nextTactic" in row:
            yield _ntp_trace(row, place, source)
            continue
        tactics = row.get("traced_tactics")
        if not isinstance(tactics, list) or not isinstance(row.get("full_name"), str):
            raise UserError(f"{place}: not a LeanDojo theorem; it needs full_name and traced_tactics")
        for item in tactics:
            if not isinstance(item, dict) or not all(
                isinstance(item.get(k), str) for k in ("tactic", "state_before", "state_after")
            ):
                raise UserError(f"{place}: a traced tactic needs tactic, state_before and state_after")
        statement = str(row.get("theorem_statement") or "")
        try:
            if statement:
                statement = read_statement(statement).proposition
            elif tactics:
                statement = proposition_from_state(tactics[0]["state_before"])
        except TextError:
            statement = ""
        pairs = tuple(
            TacticPair(
                item["state_before"],
                item["tactic"],
                row["full_name"],
                depth,
                source,
                count_goals(item["state_before"]),
            )
            for item, depth in zip(tactics, _depths(tactics), strict=True)
        )
        yield ProofTrace(row["full_name"], statement, pairs)


def _ntp_trace(row: dict[str, Any], place: str, source: str) -> ProofTrace:
    """Return the one pair of an ntp-toolkit row; its depth is the number of tactic lines before it."""
    name, state = row.get("declId"), row.get("state")
    if not isinstance(name, str) or not isinstance(state, str):
        raise UserError(f"{place}: not an ntp-toolkit row; it needs declId, state and nextTactic")
    before = str(row.get("declUpToTactic") or "").split(":= by", 1)
    depth = len([line for line in before[1].splitlines() if line.strip()]) if len(before) == 2 else 0
    try:
        statement = read_statement(str(row.get("decl") or "")).proposition
    except TextError:
        statement = ""
    return ProofTrace(
        name,
        statement,
        (TacticPair(state, str(row["nextTactic"]), name, depth, source, count_goals(state)),),
    )


def traces_of(source: str) -> Iterator[ProofTrace]:
    """Yield the traces of a published file of tactic pairs (local path or hf://...)."""
    path = resolve_source(source)
    yield from leandojo_traces(path, source if source.startswith("hf://") else path.name)
