"""Contrastive groups from trajectories: a provable state against others of its theorem, and of theorems not proved.

The labels are those of ``burnqed.value.labels``: what is provable is found in one place (``records.trees.steps_to_go``),
and a state that was never expanded has none. What counts as what, within a theorem that has a re-checked proof:

* **positive**: a state on a re-checked proof path, one that some tactic closed, or one from which recorded tactics
  lead to such a state (not with ``positives: path``, as the first plan had it), other than the
  theorem itself. The root is left out because the search never ranks it, and because a head that
  sees state and goal equal would learn to favour tactics that change nothing. (Only when there is
  no other positive at all are roots used, and counted.)
* **provable**: a positive; a state from which recorded tactics lead to a provable one; a state all
  of whose goals, up to the names of hypotheses, occur in provable states, of any theorem. Closing
  all goals of a state closes each of them, and a goal does not become unprovable elsewhere: what
  is left unproved there was left by the search, not by logic.
* **negative**: any other state at which tactics were tried. It is soft: it was not proved,
  and nobody showed that it cannot be. A state that was never expanded has no label: about a quarter of
  them are provable at the same budget (``unexpanded_negatives`` takes them all the same, as the first plan did).
  Siblings of the positive (children of the same parent)
  matter most, because they are what the search has to choose between.
* **failed**: a negative of a theorem that no search proved; it stands in groups of other theorems, under its own goal.
"""

from __future__ import annotations

import logging
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from burnqed.files import UserError, read_jsonl
from burnqed.records.trees import steps_to_go
from burnqed.seeds import fraction as fraction_of
from burnqed.value.embeddings import parquet_batches, sort_theorems
from burnqed.value.encoder import text_sha
from burnqed.value.labels import is_held_out

logger = logging.getLogger(__name__)

Indices = NDArray[np.int64]
COLUMNS = [
    *("theorem", "kind", "iteration", "attempt", "step", "depth", "state", "goal"),
    *("tactic", "outcome", "next_state", "on_proof_path"),
]
_HYPOTHESIS = re.compile(r"^([^\s:⊢(][^:⊢()]*?) :(?=\s)", re.MULTILINE)
_NAME = re.compile(r"(?<![\w.'✝])[\w'✝]+")


def goal_keys(state: str) -> frozenset[str]:
    """Return the goals of a state up to names of hypotheses and case tags.

    A goal with an unassigned metavariable is shared with other goals, so it keeps the whole state.
    """
    if "?" in state:
        return frozenset([state])
    return frozenset(_goal_key(goal) for goal in state.split("\n\n"))


def _goal_key(goal: str) -> str:
    goal = re.sub(r"\Acase .*\n", "", goal.strip())
    names: dict[str, str] = {}
    for match in _HYPOTHESIS.finditer(goal):
        for name in match[1].split():
            names.setdefault(name, f"«{len(names)}»")
    if not names:
        return goal
    if all(_NAME.fullmatch(name) for name in names):  # a pattern of its own per state would be compiled for each
        return _NAME.sub(lambda match: names.get(match[0], match[0]), goal)
    longest_first = "|".join(re.escape(n) for n in sorted(names, key=lambda n: (-len(n), n)))
    return re.sub(rf"(?<![\w.'✝])(?:{longest_first})(?![\w'✝])", lambda match: names[match[0]], goal)


@dataclass
class _Theorem:
    """Edges and labels of one theorem's searches; states are text numbers."""

    goal: int
    depth: dict[int, int] = field(default_factory=dict)
    children: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    positive: set[int] = field(default_factory=set)
    expanded: set[int] = field(default_factory=set)
    remaining: dict[int, int] = field(default_factory=dict)  # steps to the end of the shortest proof found, if any

    def note_remaining(self, state: int, steps: int) -> None:
        """Note that a proof from a state takes so many steps."""
        self.remaining[state] = min(steps, self.remaining.get(state, steps))


def _none() -> Indices:
    return np.zeros(0, np.int64)


@dataclass(frozen=True)
class Groups:
    """Index arrays of all groups; nothing is materialised. Values are rows of the vector table.

    For positive p: its state ``positive[p]``, theorem's goal ``goal[p]``, ``depth[p]``, number of
    its theorem ``theorem[p]``, steps to the end of the shortest proof found from it ``remaining[p]``; its siblings ``sibling[sibling_start[p]:][:sibling_count[p]]``; all
    off-path states of its theorem ``off[off_start[p]:][:off_count[p]]``, sorted by ``off_depth``, of which
    ``near_start``/``near_count`` are those at most one step deeper or shallower. ``failed`` are states of theorems that no search proved, with their
    goals and theorems (number in ``failed_theorems``).
    """

    shas: list[str]
    theorems: list[str]
    positive: Indices
    goal: Indices
    theorem: Indices
    depth: Indices
    remaining: Indices
    sibling: Indices
    sibling_start: Indices
    sibling_count: Indices
    off: Indices
    off_depth: Indices
    off_start: Indices
    off_count: Indices
    near_start: Indices
    near_count: Indices
    counts: dict[str, Any]
    failed: Indices = field(default_factory=_none)
    failed_goal: Indices = field(default_factory=_none)
    failed_theorem: Indices = field(default_factory=_none)
    failed_theorems: list[str] = field(default_factory=list)


def verified_proofs(paths: Iterable[Path]) -> set[tuple[str, tuple[str, ...]]]:
    """Return (theorem, tactics) of every re-checked proof."""
    found = set()
    for path in paths:
        for number, row in enumerate(read_jsonl(path), 1):
            try:
                found.add((str(row["theorem"]), tuple(str(t) for t in row["proof"])))
            except (KeyError, TypeError) as error:
                raise UserError(f"{path}: proof {number}: needs theorem and proof ({error!r})") from error
    return found


class _Reader:
    """Collects the searches of theorems with a re-checked proof, and of some that failed, from trajectory files."""

    def __init__(self, verified: set[tuple[str, tuple[str, ...]]], unproved: set[str]) -> None:
        self.verified, self.unproved = verified, unproved
        self.names = {theorem for theorem, _ in verified} | unproved
        self.numbers: dict[str, int] = {}
        self.theorems: dict[str, _Theorem] = {}
        self.failed: dict[str, _Theorem] = {}
        self.on_path: set[int] = set()
        self.off_path: set[int] = set()
        self.unverified_paths = 0

    def number(self, text: str) -> int:
        return self.numbers.setdefault(text, len(self.numbers))

    def read(self, path: Path) -> None:
        """Read a trajectory file; the rows of a search stand together, in order of their steps."""
        current: tuple[object, ...] | None = None
        rows: list[dict[str, Any]] = []
        for batch in parquet_batches(path, COLUMNS):
            for row in batch.to_pylist():
                if row["theorem"] not in self.names:
                    continue
                search = (row["theorem"], row["kind"], row["iteration"], row["attempt"])
                if search != current:
                    self._search(rows)
                    current, rows = search, []
                rows.append(row)
        self._search(rows)

    def _search(self, rows: list[dict[str, Any]]) -> None:
        if not rows:
            return
        name, goal = rows[0]["theorem"], self.number(rows[0]["goal"])
        theorem = (self.failed if name in self.unproved else self.theorems).setdefault(name, _Theorem(goal))
        path_rows = sorted((r for r in rows if r["on_proof_path"]), key=lambda r: int(r["step"]))
        accepted = (name, tuple(r["tactic"] for r in path_rows)) in self.verified
        self.unverified_paths += bool(path_rows) and not accepted
        path: set[int] = set()
        for left, row in zip(range(len(path_rows), 0, -1), path_rows if accepted else [], strict=False):
            path.add(self.number(row["state"]))
            theorem.note_remaining(self.number(row["state"]), left)
        theorem.positive |= path
        seen = set(path)
        for row in rows:
            state = self.number(row["state"])
            theorem.depth[state] = min(row["depth"], theorem.depth.get(state, row["depth"]))
            theorem.expanded.add(state)
            seen.add(state)
            if row["outcome"] == "proved":
                theorem.positive.add(state)
                theorem.note_remaining(state, 1)
            elif row["next_state"] and row["outcome"] in ("ok", "duplicate"):
                child = self.number(row["next_state"])
                theorem.children[state].add(child)
                theorem.depth[child] = min(row["depth"] + 1, theorem.depth.get(child, row["depth"] + 1))
                seen.add(child)
        if name not in self.unproved:
            self.on_path |= path
            self.off_path |= seen - path


def _provable(theorems: Iterable[_Theorem], keys: Sequence[frozenset[str]]) -> set[int]:
    """Return the provable states (module docstring) as the least fixed point of the three rules."""
    theorems = list(theorems)
    provable = {state for theorem in theorems for state in theorem.positive}
    proved_goals = {key for state in provable for key in keys[state]}
    parents: dict[int, set[int]] = defaultdict(set)
    for theorem in theorems:
        for state, children in theorem.children.items():
            for child in children:
                parents[child].add(state)
    states = {state for theorem in theorems for state in theorem.depth}
    grown = True
    while grown:
        fresh = {s for s in states - provable if keys[s] <= proved_goals}
        waiting = [*provable, *fresh]
        provable |= fresh
        while waiting:
            for parent in parents[waiting.pop()] - provable:
                provable.add(parent)
                fresh.add(parent)
                waiting.append(parent)
        proved_goals.update(key for state in fresh for key in keys[state])
        grown = bool(fresh)
    return provable


def build_groups(
    trajectories: Sequence[Path],
    proofs: Sequence[Path],
    unexpanded_negatives: bool = False,
    positives: Literal["provable", "path"] = "provable",
) -> Groups:
    """Read trajectories and re-checked proofs and index their groups; see ``EBMSettings`` for what is taken.

    Raises UserError when there is no group: no re-checked proof, or no state beside the proofs.
    """
    verified = verified_proofs(proofs)
    reader = _Reader(verified, sort_theorems(trajectories)[1] - {theorem for theorem, _ in verified})
    for path in trajectories:
        reader.read(path)
    texts = list(reader.numbers)
    keys = [goal_keys(text) for text in texts]
    if positives == "provable":
        for theorem in reader.theorems.values():
            theorem.remaining = steps_to_go(theorem.remaining, theorem.children)
            theorem.positive = set(theorem.remaining)
    provable = _provable([*reader.theorems.values(), *reader.failed.values()], keys)
    builder = _Builder(reader, provable, unexpanded_negatives)
    roots = not any(theorem.positive - {theorem.goal} for theorem in reader.theorems.values())
    for name in sorted(reader.theorems):
        builder.add(name, reader.theorems[name], roots)
    if not builder.positive:
        raise UserError(
            f"{', '.join(map(str, trajectories))}: no contrastive group for the energy head "
            f"({len(reader.verified)} re-checked proofs of {len(reader.theorems)} theorems in the trajectories, "
            "none with a state off its proof path); search more theorems or raise search.candidates"
        )
    for name in sorted(reader.failed):
        builder.add_failed(name, reader.failed[name])
    return builder.groups(texts, len(reader.on_path & reader.off_path), roots)


class _Builder:
    def __init__(self, reader: _Reader, provable: set[int], unexpanded_negatives: bool) -> None:
        self.reader, self.provable, self.unexpanded_negatives = reader, provable, unexpanded_negatives
        self.names: list[str] = []
        self.positive: list[int] = []
        self.columns: dict[str, list[int]] = defaultdict(list)
        self.sibling: list[int] = []
        self.off: list[int] = []
        self.off_depth: list[int] = []
        self.without_negative = 0
        self.failed: list[int] = []
        self.failed_goal: list[int] = []
        self.failed_theorem: list[int] = []
        self.failed_names: list[str] = []

    def add_failed(self, name: str, theorem: _Theorem) -> None:
        """Add the states of a theorem that no search proved."""
        states = sorted(theorem.expanded - self.provable - {theorem.goal})
        self.failed += states
        self.failed_goal += [theorem.goal] * len(states)
        self.failed_theorem += [len(self.failed_names)] * len(states)
        self.failed_names.append(name)

    def add(self, name: str, theorem: _Theorem, roots: bool) -> None:
        """Add the groups of one theorem."""
        usable = set(theorem.depth) if self.unexpanded_negatives else theorem.expanded
        negatives = usable - self.provable
        off = sorted(negatives, key=lambda s: (theorem.depth[s], s))
        positives = sorted(theorem.positive if roots else theorem.positive - {theorem.goal})
        if not off or not positives:
            self.without_negative += len(positives)
            return
        depths = np.array([theorem.depth[s] for s in off])
        start = len(self.off)
        self.off += off
        self.off_depth += depths.tolist()
        parents: dict[int, list[int]] = defaultdict(list)
        for state, children in theorem.children.items():
            for child in children:
                parents[child].append(state)
        for state in positives:
            depth = theorem.depth[state]
            siblings = {c for parent in parents[state] for c in theorem.children[parent]} & negatives
            near = np.searchsorted(depths, [depth - 1, depth + 2])
            values = {
                "goal": theorem.goal, "theorem": len(self.names), "depth": depth,
                "remaining": theorem.remaining[state],
                "sibling_start": len(self.sibling), "sibling_count": len(siblings),
                "off_start": start, "off_count": len(off),
                "near_start": start + int(near[0]), "near_count": int(near[1] - near[0]),
            }  # fmt: skip
            self.positive.append(state)
            for column, value in values.items():
                self.columns[column].append(value)
            self.sibling += sorted(siblings)
        self.names.append(name)

    def groups(self, texts: Sequence[str], dual: int, roots: bool) -> Groups:
        """Return the index arrays, text numbers replaced by rows of the vector table."""
        own = {*self.positive, *self.columns["goal"], *self.off, *self.failed, *self.failed_goal}
        used = sorted(own, key=lambda n: text_sha(texts[n]))
        row = np.full(len(texts), -1, np.int64)
        row[used] = np.arange(len(used))
        columns = {name: np.array(values, np.int64) for name, values in self.columns.items()}
        columns["goal"] = row[columns["goal"]]
        seen = len({s for theorem in self.reader.theorems.values() for s in theorem.depth})
        return Groups(
            shas=[text_sha(texts[n]) for n in used],
            theorems=self.names,
            positive=row[np.array(self.positive, np.int64)],
            sibling=row[np.array(self.sibling, np.int64)],
            off=row[np.array(self.off, np.int64)],
            off_depth=np.array(self.off_depth, np.int64),
            failed=row[np.array(self.failed, np.int64)],
            failed_goal=row[np.array(self.failed_goal, np.int64)],
            failed_theorem=np.array(self.failed_theorem, np.int64),
            failed_theorems=self.failed_names,
            counts={
                "verified_proofs": len(self.reader.verified),
                "unverified_paths": self.reader.unverified_paths,
                "theorems": len(self.names),
                "positives": len(self.positive),
                "negatives": len(set(self.off)),
                "failed_theorems": len(self.failed_names),
                "failed_negatives": len(self.failed),
                "positives_without_negative": self.without_negative,
                "positives_with_siblings": int((columns["sibling_count"] > 0).sum()),
                "roots_used": roots,
                "states": seen,
                "dual_labelled": dual,
                "provable_off_path": len(self.provable - self.reader.on_path),
            },
            **columns,
        )


def held_out(groups: Groups, fraction: float, seed: int) -> NDArray[np.bool_]:
    """Return which theorems are held out for validation, by hash of name and seed.

    With two theorems or more at least one is held out and one is not; a single one is not.
    """
    places = np.array([fraction_of(f"{seed}\x1f{name}") for name in groups.theorems])
    out = places < fraction
    if len(places) > 1:
        out[places.argmin()] = True
        out[places.argmax()] = False
    else:
        out[:] = False
    result: NDArray[np.bool_] = out
    return result


def failed_held_out(groups: Groups, fraction: float, seed: int) -> NDArray[np.bool_]:
    """Return which of the ``failed`` states belong to theorems that are held out, by the same hash."""
    out = np.array([is_held_out(name, fraction, seed) for name in groups.failed_theorems], np.bool_)
    found: NDArray[np.bool_] = out[groups.failed_theorem]
    return found
