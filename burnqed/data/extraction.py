"""Proofs as sequences of (state, tactic): from the generated corpus and from what the field publishes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from burnqed.data.rows import Row, read_rows
from burnqed.files import UserError, digest, read_jsonl
from burnqed.leantext.declarations import TextError, proposition_from_state, read_statement
from burnqed.leantext.states import canonical_states, shows_grouping
from burnqed.records.damage import Damage, RowError
from burnqed.records.pairs import TacticPair
from burnqed.records.theorems import Theorem, theorem_from

NAME_KEYS = ("full_name", "theorem", "theorem_name", "decl_name", "declId", "name", "problem_id", "id")
PEEK = 200  # rows that tell how a source prints its states
STATE_KEYS = ("state_before", "state", "goal_state", "goalBefore")
AFTER_KEYS = ("state_after", "goalAfter")
STATEMENT_KEYS = ("theorem_statement", "formal_statement", "statement", "decl")
PROOF_KEYS = ("full_proof", "formal_proof", "formal_ground_truth", "lean", "proof")
COLUMNS = (
    *NAME_KEYS, *STATE_KEYS, *AFTER_KEYS, *STATEMENT_KEYS, *PROOF_KEYS, "tactic", "nextTactic", "traced_tactics",
    "depth", "source", "status", "url", "file_path", "start", "declUpToTactic",
)  # fmt: skip


@dataclass(frozen=True)
class ProofTrace:
    """The tactic pairs of one theorem; ``statement`` is empty when the source has none."""

    theorem: str
    statement: str
    pairs: tuple[TacticPair, ...]


@dataclass(frozen=True)
class CorpusEntry:
    """A line of a generated corpus: theorem, its proof with the state before each tactic, and its split."""

    theorem: Theorem
    proof: tuple[str, ...]
    states: tuple[str, ...]
    split: str


def read_corpus(path: Path, splits: Iterable[str] = ()) -> list[CorpusEntry]:
    """Read the corpus lines of the given splits (all without any); errors name file and line."""
    wanted = set(splits)
    entries = []
    for number, row in enumerate(read_jsonl(path), 1):
        place = f"{path}: entry {number}"
        lists = [row[key] for key in ("proof", "states") if isinstance(row, dict) and isinstance(row.get(key), list)]
        if len(lists) < 2 or "split" not in row:
            raise UserError(f"{place}: needs name, statement, proof, states and split; make the corpus again")
        if not wanted or row["split"] in wanted:
            proof, states = (tuple(str(text) for text in value) for value in lists)
            entries.append(CorpusEntry(theorem_from(row, place), proof, states, str(row["split"])))
    return entries


def corpus_traces(corpus: Path, split: str = "train", most: int = 0, longest: int = 0) -> Iterator[ProofTrace]:
    """Yield the proofs of one split with the states that Lean showed when the corpus was checked.

    At most ``most`` theorems, by hash of their names, with proofs of at most ``longest`` steps (0: no limit).
    """
    entries = [entry for entry in read_corpus(corpus, [split]) if not longest or len(entry.proof) <= longest]
    by_hash = sorted(entries, key=lambda entry: digest(entry.theorem.name))
    chosen = {entry.theorem.name for entry in by_hash[: most or None]}
    for entry in entries:
        if entry.theorem.name not in chosen:
            continue
        name = entry.theorem.name
        pairs = tuple(
            TacticPair(state, tactic, name, depth, "corpus", count_goals(state))
            for depth, (state, tactic) in enumerate(zip(entry.states, entry.proof, strict=True))
        )
        yield ProofTrace(name, entry.theorem.statement, pairs)


def count_goals(state: str) -> int:
    """Return the number of goals of a printed state (0 for `no goals`)."""
    return len(re.findall(r"^⊢ ", state, re.MULTILINE))


@dataclass(frozen=True)
class Step:
    """One tactic with the states around it; ``after`` is None when the source does not tell."""

    before: str
    tactic: str
    after: str | None = None


def _goals(state: str) -> list[str]:
    return [_body(goal) for goal in state.strip().split("\n\n") if "⊢ " in goal]


def _body(goal: str) -> str:
    return goal.partition("\n")[2] if goal.startswith("case ") else goal


def chain_depths(steps: list[Step]) -> list[int]:
    """Return each tactic's depth: one more than that of the tactic that made its state.

    Sources list tactics in file order, nested blocks included, so the place in the list is not the
    depth. A state that no tactic made as a whole is one that a block focuses: it is as deep as its
    first goal. A goal that nothing before it shows follows the root, or, when the source has no
    states after a tactic, the tactic before it.
    """
    made: dict[str, int] = {}
    states: dict[str, int] = {}
    depths: list[int] = []
    for number, step in enumerate(steps):
        before = _goals(step.before)
        unknown = 0 if number == 0 else depths[-1] + 1 if steps[number - 1].after is None else 1
        depth = states.get(step.before, made.get(before[0], unknown)) if before else 0
        depths.append(depth)
        for goal in before:
            made.setdefault(goal, depth)
        for goal in _goals(step.after or ""):
            made.setdefault(goal, depth + 1)
        if step.after:
            states[step.after] = depth + 1
    return depths


def trace_of(
    name: str, statement: str, steps: list[Step], source: str, depths: list[int] | None = None, regroup: bool = False
) -> ProofTrace:
    """Return a theorem's trace: canonical states, marks of premises removed, true depths.

    ``statement`` may be a declaration, a proposition, or empty: then the first state tells it.
    """
    states = canonical_states([step.before for step in steps], regroup)
    after = canonical_states([step.after or "" for step in steps], regroup)
    steps = [
        Step(state, _unmarked(step.tactic), None if step.after is None else later)
        for step, state, later in zip(steps, states, after, strict=True)
    ]
    depths = depths or chain_depths(steps)
    try:
        if statement:
            statement = read_statement(statement).proposition
        elif steps and depths[0] == 0:
            statement = proposition_from_state(steps[0].before)
    except TextError:
        statement = ""
    pairs = tuple(
        TacticPair(step.before, step.tactic, name, depth, source, count_goals(step.before))
        for step, depth in zip(steps, depths, strict=True)
    )
    return ProofTrace(name, statement, pairs)


def _unmarked(tactic: str) -> str:
    """Return a tactic without the `<a>..</a>` that LeanDojo puts around premises."""
    return re.sub(r"</?a>", "", tactic) if "<a>" in tactic and "</a>" in tactic else tactic


def _text(row: Row, keys: Iterable[str]) -> str | None:
    return next((row[key] for key in keys if isinstance(row.get(key), str)), None)


def _theorem_row(row: Row, place: str, source: str, regroup: bool) -> ProofTrace:
    """Return the trace of a LeanDojo Benchmark 4 theorem (with or without `annotated_tactic`)."""
    tactics, name = row["traced_tactics"], _text(row, NAME_KEYS)
    if not isinstance(tactics, list) or not name:
        raise RowError(f"{place}: not a LeanDojo theorem; it needs full_name and traced_tactics")
    steps = []
    for item in tactics:
        if not isinstance(item, dict) or not all(
            isinstance(item.get(key), str) for key in ("tactic", "state_before", "state_after")
        ):
            raise RowError(f"{place}: a traced tactic needs tactic, state_before and state_after")
        steps.append(Step(item["state_before"], item["tactic"], item["state_after"]))
    return trace_of(name, _text(row, STATEMENT_KEYS) or "", steps, source, regroup=regroup)


def _ntp_row(row: Row, place: str, source: str) -> ProofTrace:
    """Return the one pair of an ntp-toolkit row; its depth is the number of tactic lines before it."""
    name, state, tactic = row.get("declId"), row.get("state"), row["nextTactic"]
    if not isinstance(name, str) or not isinstance(state, str) or not isinstance(tactic, str):
        raise RowError(f"{place}: not an ntp-toolkit row; it needs declId, state and nextTactic")
    before = str(row.get("declUpToTactic") or "").split(":= by", 1)
    depth = len([line for line in before[1].splitlines() if line.strip()]) if len(before) == 2 else 0
    return trace_of(name, str(row.get("decl") or ""), [Step(state, tactic)], source, [depth])


@dataclass(frozen=True)
class _StepRow:
    """A row that is one tactic: LEAN-GitHub, Lean Workbook's steps, LeanDojo as a table, our own pairs."""

    key: tuple[str, ...]
    name: str
    statement: str
    source: str
    step: Step
    depth: int | None


def _step_row(row: Row, place: str, source: str) -> _StepRow:
    name, state, tactic = _text(row, NAME_KEYS), _text(row, STATE_KEYS), row.get("tactic")
    missing = [
        what
        for what, value in (("a name", name), ("state_before (or state)", state), ("tactic", tactic))
        if not isinstance(value, str)
    ]
    if missing or name is None or state is None:
        raise RowError(f"{place}: no {' and no '.join(missing)}; it has {', '.join(row)}")
    if str(row.get("status") or "").lower() == "disproved":
        name += ".disproved"  # the steps prove the negation: another theorem
    depth = row.get("depth")
    key = (name, *(str(row.get(k) or "") for k in ("url", "file_path", "start")))
    own = row.get("source")
    return _StepRow(
        key,
        name,
        (_text(row, STATEMENT_KEYS) or "") if not name.endswith(".disproved") else "",
        own if isinstance(own, str) and own else source,
        Step(state, str(tactic), _text(row, AFTER_KEYS)),
        depth if isinstance(depth, int) else None,
    )


def _grouped(rows: Iterator[_StepRow], regroup: bool) -> Iterator[ProofTrace]:
    """Yield one trace per theorem, in the order of their first rows, its repeated rows once.

    A theorem's rows may stand apart (shuffled and parallel exports): a part of them would have wrong depths.
    """
    groups: dict[tuple[str, ...], dict[_StepRow, None]] = {}
    for row in rows:
        groups.setdefault(row.key, {})[row] = None
    for key in list(groups):
        unique = list(groups.pop(key))
        first = unique[0]
        known = [row.depth for row in unique if row.depth is not None]
        yield trace_of(
            first.name,
            first.statement,
            [row.step for row in unique],
            first.source,
            known if len(known) == len(unique) else None,
            regroup,
        )


def read_traces(path: Path, source: str, damage: Damage | None = None) -> Iterator[ProofTrace]:
    """Yield the traces of a file in any published form of tactic data.

    Forms: LeanDojo Benchmark 4 (theorems with `traced_tactics`, or a table of tactics), tables with
    `state_before`, `tactic` and `state_after` (LEAN-GitHub, Lean Workbook), ntp-toolkit, and this
    project's own pairs. Rows that cannot be used go to ``damage``. Raises UserError when the file
    holds whole proofs or none of these forms.
    """
    damage = damage or Damage()
    stream = read_rows(path, damage, COLUMNS)
    head = list(islice(stream, PEEK))
    if not head:
        return
    first = head[0]
    _refuse_other_forms(*first)
    states = [state for _, row in head for state in _states(row)]
    regroup = not any(shows_grouping(state) for state in states)
    rows = chain(head, stream)

    def steps() -> Iterator[_StepRow]:
        for place, row in rows:
            try:
                yield _step_row(row, place, source)
            except RowError as error:
                damage.report(str(error), error)

    if "traced_tactics" not in first[1] and "nextTactic" not in first[1]:
        yield from _grouped(steps(), regroup)
        return
    for place, row in rows:
        try:
            if "nextTactic" in row:
                yield _ntp_row(row, place, source)
            elif "traced_tactics" in row:
                yield _theorem_row(row, place, source, regroup)
            else:
                raise RowError(f"{place}: not a LeanDojo theorem; it needs full_name and traced_tactics")
        except RowError as error:
            damage.report(str(error), error)


def _states(row: Row) -> Iterator[str]:
    tactics = row.get("traced_tactics")
    for item in tactics if isinstance(tactics, list) else [row]:
        state = _text(item, STATE_KEYS) if isinstance(item, dict) else None
        if state is not None:
            yield state


def _refuse_other_forms(place: str, row: Row) -> None:
    if "traced_tactics" in row or "nextTactic" in row or "tactic" in row:
        return
    if any(key in row for key in PROOF_KEYS):
        raise UserError(
            f"{place}: whole proofs, not tactic pairs; declare the set in `sources` with kind: proofs, and the "
            "prover will turn them into pairs"
        )
    raise UserError(
        f"{place}: neither traced_tactics, nor nextTactic, nor tactic: no form of tactic data this program "
        f"knows; it has {', '.join(row)}"
    )
