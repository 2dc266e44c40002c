"""What changed between two versions of a benchmark: which statements differ, which are in one only."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from burnqed.leantext.declarations import normalise_statement, skeleton
from burnqed.records.theorems import Theorem, TheoremIndex
from burnqed.words import counted


@dataclass(frozen=True)
class Pair:
    """One problem in two versions. ``renamed``: its names differ (case and spelling, or the statement alone matched)."""

    first: Theorem
    second: Theorem
    kind: str
    renamed: bool = False


@dataclass
class Versions:
    """Two versions of a benchmark: their common problems by kind of difference, and those of one alone.

    Kinds: ``same`` (up to spacing and bound names), ``brackets`` (all but round brackets and `in` for
    `∈` is the same; brackets can change a meaning), ``numerals`` (the same skeleton), ``header`` (the
    statement is the same and the definitions before it are not), ``statement``.
    """

    first: TheoremIndex
    second: TheoremIndex
    pairs: list[Pair] = field(default_factory=list)
    only_first: list[Theorem] = field(default_factory=list)
    only_second: list[Theorem] = field(default_factory=list)

    def of_kind(self, kind: str) -> list[Pair]:
        """Return the common problems of one kind."""
        return [pair for pair in self.pairs if pair.kind == kind]


_DEFINES = re.compile(r"\b(?:def|abbrev|structure|class|inductive|instance|notation|axiom|variable)\b")


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.rpartition("|")[2]).lower()


def _definitions(theorem: Theorem) -> str:
    return " ".join(theorem.header.split()) if _DEFINES.search(theorem.header) else ""


def kind_of(first: Theorem, second: Theorem) -> str:
    """Return how two statements of one problem differ."""
    if normalise_statement(first.statement) == normalise_statement(second.statement):
        return "same" if _definitions(first) == _definitions(second) else "header"
    if _without_brackets(first) == _without_brackets(second):
        return "brackets"
    return "numerals" if skeleton(first.statement) == skeleton(second.statement) else "statement"


def _without_brackets(theorem: Theorem) -> list[str]:
    words = normalise_statement(theorem.statement).split()
    return ["∈" if word == "in" else word for word in words if word not in "()"]


def _matched(first: TheoremIndex, second: TheoremIndex) -> Iterator[tuple[Theorem, Theorem]]:
    """Yield the common problems: by name, else by the spelling of the name, else by statement."""
    left = {theorem.name: theorem for theorem in first.theorems}
    right = {theorem.name: theorem for theorem in second.theorems}
    keys = (lambda t: t.name, lambda t: _plain(t.name), lambda t: normalise_statement(t.statement))
    for key in keys:
        known = {key(theorem): theorem for theorem in reversed(list(right.values()))}
        for theorem in list(left.values()):
            other = known.get(key(theorem))
            if other is not None and other.name in right:
                del left[theorem.name], right[other.name]
                yield theorem, other


def compare_versions(first: TheoremIndex, second: TheoremIndex) -> Versions:
    """Compare two versions of a benchmark, each problem once."""
    result = Versions(first, second)
    for one, other in _matched(first, second):
        result.pairs.append(Pair(one, other, kind_of(one, other), one.name != other.name))
    matched = {pair.first.name for pair in result.pairs}, {pair.second.name for pair in result.pairs}
    result.only_first = [theorem for theorem in first.theorems if theorem.name not in matched[0]]
    result.only_second = [theorem for theorem in second.theorems if theorem.name not in matched[1]]
    order = {theorem.name: place for place, theorem in enumerate(first.theorems)}
    result.pairs.sort(key=lambda pair: order[pair.first.name])
    return result


def render_versions(versions: Versions, names: tuple[str, str], shown: int = 20) -> str:
    """Return the comparison as text: counts, then the differing statements side by side, at most ``shown``."""
    counts = Counter(pair.kind for pair in versions.pairs)
    lines = [
        f"{name}: {counted(len(index), 'statement')} ({index.source.get('file', '')}"
        f"{', split ' + index.source['split'] if index.source.get('split') else ''}, "
        f"SHA-256 {str(index.source.get('sha256', ''))[:12]})"
        for name, index in zip(names, (versions.first, versions.second), strict=True)
    ]
    lines.append(
        f"{counted(len(versions.pairs), 'problem')} in both: {counts['same']} with the same statement, {counts['statement']} with "
        f"another, {counts['numerals']} with other numerals, {counts['brackets']} with other brackets, "
        f"{counts['header']} with other definitions before them; "
        f"{len(versions.only_first)} only in {names[0]}, {len(versions.only_second)} only in {names[1]}"
    )
    renamed = [f"{pair.first.name} = {pair.second.name}" for pair in versions.pairs if pair.renamed]
    if renamed:
        lines.append(f"{len(renamed)} under another name: {_listed(renamed, shown)}")
    for name, theorems in zip(names, (versions.only_first, versions.only_second), strict=True):
        if theorems:
            lines.append(f"only in {name}: {_listed([theorem.name for theorem in theorems], shown)}")
    different = [pair for pair in versions.pairs if pair.kind != "same"]
    for pair in different[:shown]:
        lines += ["", f"{pair.first.name} ({pair.kind})", f"  - {_line(pair.first)}", f"  + {_line(pair.second)}"]
    if len(different) > shown:
        lines += ["", f"and {len(different) - shown} more; --show {len(different)} lists all"]
    return "\n".join(lines)


def _line(theorem: Theorem) -> str:
    return " ".join(theorem.statement.split())


def _listed(names: list[str], shown: int) -> str:
    more = f", and {len(names) - shown} more" if len(names) > shown else ""
    return ", ".join(names[:shown]) + more
