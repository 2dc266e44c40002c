"""Proofs of others as attempts that our check can read.

Forms: Lean files and folders of them; rows with a whole proof, a proof to a statement, several
attempts with their verdicts, or the steps of a search; and this project's own proofs. Nothing here
is believed: `burnqed check` decides, and what cannot be put under a statement is counted.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path

from burnqed.data.fields import SAMPLE, Fields, Row, find_fields, first_text, get, lean_of
from burnqed.data.lean_files import files_in, reasons, theorem_of
from burnqed.data.published import theorem_of_row
from burnqed.data.rows import kind_of, read_rows, read_text
from burnqed.files import UserError
from burnqed.leantext.declarations import SORRY, Declaration, normalise_statement
from burnqed.leantext.files import Statement, read_file
from burnqed.leantext.outline import blank, commands
from burnqed.records.attempts import Attempt
from burnqed.records.damage import Damage, RowError
from burnqed.records.theorems import Theorem, TheoremIndex
from burnqed.words import counted

PROOF_KEYS = (
    "lean", "full_proof", "full_code", "code", "lean4_proof", "formal_proof", "proof", "lean_proof", "proof_code",
    "lean4_code", "formal_ground_truth", "proofs", "generated_proof", "output", "outputs", "response", "responses",
    "completion", "model_output", "solution", "tactics", "traced_tactics",
)  # fmt: skip
LISTS = ("attempt_results", "attempts", "samples", "candidates", "outputs", "results", "proofs", "generations")
VERDICTS = (
    "success", "complete", "passed", "pass", "verified", "proved", "accepted", "is_valid", "valid", "correct", "is_correct",
    "compiles", "verdict", "status", "result", "compilation_result", "verification", "is_proved", "solved",
)  # fmt: skip
_YES = frozenset("true yes pass passed success successful ok complete proved accepted valid correct verified".split())
_INFORMAL = re.compile(r"informal|nl_|natural|sketch|time|length|source|id$|hash|sha", re.IGNORECASE)
_BY = re.compile(r"by'?(?![\w'])[ \t]*")


@dataclass
class Claims:
    """Attempts read, and what was left out by reason."""

    attempts: list[Attempt] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    entries: int = 0


@dataclass(frozen=True)
class _Told:
    """What is told of a proof: its author's verdict, and where it was read."""

    claimed: bool | None
    source: str


def verdict_of(row: Row) -> bool | None:
    """Return what a row says became of its proof, None when it says nothing."""
    for key in VERDICTS:
        value = row.get(key)
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.strip():
            return value.strip().lower() in _YES
        if isinstance(value, Mapping):
            inner = verdict_of(value)
            if inner is not None:
                return inner
    return None


def tactics_of(value: str) -> str:
    """Return a declaration's value as tactics without the `by`; a term becomes `exact`, nothing stays nothing."""
    text = value.strip("\n").rstrip()
    stripped = text.lstrip()
    if stripped.startswith(":="):
        stripped = stripped[2:].lstrip(" \t")
    found = _BY.match(stripped)
    if found is None:
        return f"exact ({stripped.strip()})" if stripped.strip() else ""
    rest = stripped[found.end() :]
    if not rest.startswith("\n"):
        return rest.rstrip()  # what follows on the line of the `by` begins the block
    return textwrap.dedent(rest.strip("\n")).rstrip()


def _body(text: str) -> str:
    """Return a proof given without its statement as tactics: `by ..`, `:= ..`, or the tactics themselves."""
    stripped = text.strip()
    if stripped.startswith(":=") or _BY.match(stripped):
        return tactics_of(text)
    return textwrap.dedent(text.strip("\n")).rstrip()


def _have(lemma: Declaration) -> str:
    """Return a proved lemma as a step of another proof."""
    return f"have {lemma.name.rpartition('.')[2]} {lemma.signature} := {lemma.value}"


def _proof_of(statement: Statement) -> str:
    assert statement.declaration is not None
    return "\n".join([*map(_have, statement.lemmas), tactics_of(statement.declaration.value)])


def _texts(row: Row, fields: Fields) -> Iterator[tuple[str, bool | None]]:
    """Yield the proofs of a row with their verdicts: its own, and those of the attempts that it lists."""
    own = verdict_of(row)
    for key in LISTS:
        items = row.get(key)
        if isinstance(items, list) and items and all(isinstance(item, Mapping) for item in items):
            for item in items:
                claimed = verdict_of(item)
                for text, _ in _texts({k: v for k, v in item.items() if k not in LISTS}, fields):
                    yield text, own if claimed is None else claimed
            return
    others = [key for key in row if "proof" in key.lower() and key not in PROOF_KEYS and not _INFORMAL.search(key)]
    for key in fields.proof or (*PROOF_KEYS, *others):
        value = get(row, key)
        if isinstance(value, str) and value.strip():
            yield value, own
            return
        if isinstance(value, list) and value:
            yield from ((text, own) for text in _listed(key, value))
            return


def _listed(key: str, values: Sequence[object]) -> Iterator[str]:
    """Yield the proofs of a list: the steps of one, or one an item when the items are whole texts."""
    steps = [item.get("tactic") if isinstance(item, Mapping) else item for item in values]
    texts = [item for item in steps if isinstance(item, str)]
    if len(texts) < len(values) or not texts:
        return
    whole = key in ("proofs", "outputs", "responses") or any(_states(text) for text in texts)
    yield from texts if whole else ["\n".join(texts)]


def _states(text: str) -> bool:
    return any(command.is_theorem for command in commands(blank(lean_of(text))))


def _base(row: Row) -> Row:
    """Return a row with what its `example` says beside it, as search records have it."""
    example = row.get("example")
    return {**example, **row} if isinstance(example, Mapping) else row


class _Matcher:
    """Puts proofs under the theorems of a benchmark, or under their own statements when there is none."""

    def __init__(self, benchmark: TheoremIndex | None) -> None:
        self.benchmark = benchmark
        theorems = benchmark.theorems if benchmark is not None else []
        self.by_name = {theorem.name: theorem for theorem in theorems}
        self.by_spelling = {_plain(theorem.name): theorem for theorem in theorems}

    def of(self, name: str, own: Theorem | None, definitions: Sequence[str]) -> tuple[Theorem | None, bool, str]:
        """Return the theorem that a proof is put under, whether its own statement is another, and why there is none."""
        if self.benchmark is None:
            if own is None:
                return None, False, "no_statement"
            return replace(own, header="\n\n".join([own.header, *definitions]).strip()), False, ""
        theorem = self.by_name.get(name) or self.by_spelling.get(_plain(name))
        if theorem is None:
            return None, False, "not_in_benchmark"
        if definitions:
            return None, False, "needs_definitions"
        differs = own is not None and normalise_statement(own.statement) != normalise_statement(theorem.statement)
        return theorem, differs, ""


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()


def _add(claims: Claims, matcher: _Matcher, name: str, statement: Statement, attempt: _Told) -> None:
    """Add the proof of a proved statement."""
    own = theorem_of(statement, name)
    theorem, differs, reason = matcher.of(name, own, statement.definitions)
    if theorem is None:
        claims.dropped[reason] += 1
    else:
        claims.attempts.append(Attempt(theorem, _proof_of(statement), attempt.claimed, attempt.source, differs))


def _add_row(
    claims: Claims, row: Row, place: str, number: int, fields: Fields, matcher: _Matcher, rejected: bool
) -> None:
    row = _base(row)
    name = first_text(row, fields.name).strip() or first_text(row, ("theorem",)).strip()
    found = False
    for text, claimed in _texts(row, fields):
        found = True
        if claimed is False and not rejected:
            claims.dropped["rejected_by_its_author"] += 1
            continue
        lean = lean_of(text)
        attempt = _Told(claimed, place)
        if _states(lean):
            statements = read_file(lean)
            proved = [s for s in statements if s.proved]
            named = [s for s in proved if s.name == name] or proved
            if not named:
                claims.dropped["sorry" if SORRY.search(blank(lean)) else "no_proof"] += 1
            else:
                _add(claims, matcher, name or named[-1].name, _under(named[-1], row, fields), attempt)
            continue
        proof = _body(lean)
        if not proof or SORRY.search(blank(proof)):
            claims.dropped["sorry" if proof else "no_proof"] += 1
            continue
        own = _own_theorem(row, place, number, fields, name)
        theorem, differs, reason = matcher.of(name or (own.name if own else ""), own, ())
        if theorem is None:
            claims.dropped[reason] += 1
        else:
            claims.attempts.append(Attempt(theorem, proof, attempt.claimed, attempt.source, differs))
    if not found:
        claims.dropped["no_proof"] += 1


def _under(statement: Statement, row: Row, fields: Fields) -> Statement:
    """Return a statement with the row's own header when its text brings no imports."""
    header = next((value for key in fields.header if isinstance(value := get(row, key), str)), "")
    if not header.strip() or "import " in statement.header:
        return statement
    return replace(statement, header=f"{header.strip()}\n\n{statement.header}".strip())


def _own_theorem(row: Row, place: str, number: int, fields: Fields, name: str) -> Theorem | None:
    try:
        theorem, _ = theorem_of_row(row, place, number, fields)
    except RowError:
        return None
    return replace(theorem, name=name) if theorem is not None and name else theorem


def _add_file(claims: Claims, path: Path, label: str, matcher: _Matcher, damage: Damage) -> None:
    statements = read_file(read_text(path, damage))
    stem = path.name.partition(".")[0]
    for statement, reason in zip(statements, reasons(statements, stem), strict=True):
        claims.entries += 1
        if statement.error:
            damage.report(f"{label}:{statement.line}: '{statement.name}' cannot be read: {statement.error}")
        elif reason or not statement.proved:
            claims.dropped[reason or "sorry"] += 1
        else:
            own = statement.name or f"{stem}_{statement.line}"
            name = stem if len(statements) == 1 and matcher.benchmark and own not in matcher.by_name else own
            _add(claims, matcher, name, statement, _Told(None, f"{label}:{statement.line}"))


def read_claims(
    path: Path,
    damage: Damage | None = None,
    benchmark: TheoremIndex | None = None,
    fields: Mapping[str, str] | None = None,
    rejected: bool = False,
) -> Claims:
    """Read the proofs of a file or folder.

    With a ``benchmark`` they are put under its statements, matched by name, and ``differs`` marks
    those whose author proved another one. ``rejected`` keeps what its author says failed. Damaged
    entries go to ``damage`` (default: skipped). Raises UserError when there is no proof.
    """
    if not path.exists():
        raise UserError(f"{path}: no such file or folder")
    damage = damage or Damage("skip")
    claims, matcher = Claims(), _Matcher(benchmark)
    lean, data = files_in(path) if path.is_dir() else ([path], []) if kind_of(path) == "lean" else ([], [path])
    for file in lean:
        _add_file(claims, file, str(file), matcher, damage)
    for file in data:
        rows = iter(read_rows(file, damage))
        head = list(islice(rows, SAMPLE))
        known = find_fields([row for _, row in head], fields or {})
        for number, (place, row) in enumerate(chain(head, rows)):
            claims.entries += 1
            _add_row(claims, row, place, number, known, matcher, rejected)
    if not claims.attempts:
        counts = dict(sorted(claims.dropped.items())) or "nothing is proved in it"
        raise UserError(f"{path}: no proof in {counted(claims.entries, 'entry', 'entries')} ({counts})")
    return claims
