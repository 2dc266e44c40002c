"""What all recorded searches of a theorem found out together: a tree of states, merged by their text.

A state is *provable* when a recorded tactic closed it, or led to a provable state. A tactic acts on all goals of a
state, so nothing else has to be proved besides. A state that was never expanded has no fate: nothing is known of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from burnqed.files import UserError, read_jsonl
from burnqed.records.trajectories import iter_rows, read_steps

COLUMNS = ("theorem", "depth", "state", "goal", "tactic", "outcome", "next_state", "logprob")
KEY = ("theorem", "iteration", "kind", "attempt")
FAILED = "error"


@dataclass(frozen=True)
class Move:
    """A tactic that Lean accepted: the state it led to (None: it closed the goals) and the policy's log-probability."""

    child: str | None
    logprob: float | None


State = TypeVar("State", str, int)  # a text, or its number


def steps_to_go(known: Mapping[State, int], children: Mapping[State, Iterable[State]]) -> dict[State, int]:
    """Return the provable states with the fewest tactics to the end of a proof: the one source of what is provable.

    ``known`` are some with their steps, closed ones (1) or those on a proof's path; ``children`` are the states that
    the accepted tactics of each state led to.
    """
    parents: dict[State, set[State]] = defaultdict(set)
    for state, reached in children.items():
        for child in reached:
            parents[child].add(state)
    found: dict[State, int] = {}
    waiting: dict[int, set[State]] = defaultdict(set)
    for state, steps in known.items():
        waiting[steps].add(state)
    while waiting:
        steps = min(waiting)
        for state in sorted(waiting.pop(steps)):
            if state not in found:
                found[state] = steps
                for parent in parents[state]:
                    if parent not in found:
                        waiting[steps + 1].add(parent)
    return found


@dataclass
class ProofTree:
    """The searches of one theorem; states are texts.

    ``moves[state][tactic]`` are the accepted tactics, ``failed[state]`` those that Lean refused, ``depth`` the
    fewest tactics from the root, ``to_go[state]`` the fewest tactics from a provable state to the end of a proof.
    """

    root: str
    moves: dict[str, dict[str, Move]] = field(default_factory=dict)
    failed: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    depth: dict[str, int] = field(default_factory=dict)
    to_go: dict[str, int] = field(default_factory=dict)

    def add(self, row: Mapping[str, Any]) -> None:
        """Add a row of a trajectory file."""
        state, tactic, depth = row["state"], row["tactic"], row["depth"]
        moves = self.moves.setdefault(state, {})
        self.depth[state] = min(depth, self.depth.get(state, depth))
        if row["outcome"] == "proved":
            moves[tactic] = Move(None, row["logprob"])
        elif row["outcome"] in ("ok", "duplicate") and row["next_state"] is not None:
            child = row["next_state"]
            moves[tactic] = Move(child, row["logprob"])
            self.depth[child] = min(depth + 1, self.depth.get(child, depth + 1))
        elif row["outcome"] == FAILED:
            self.failed[state].add(tactic)

    def settle(self) -> None:
        """Find the provable states and their distances; call after the last row."""
        closed = [state for state, moves in self.moves.items() if any(m.child is None for m in moves.values())]
        children = {s: [m.child for m in moves.values() if m.child is not None] for s, moves in self.moves.items()}
        self.to_go = steps_to_go(dict.fromkeys(closed, 1), children)

    @property
    def expanded(self) -> list[str]:
        """The states at which tactics were tried, in order of discovery."""
        return list(self.moves)

    def exhausted(self) -> set[str]:
        """Return the unprovable states from which every state reached was expanded: nothing is left to try there.

        They are unproved for the tactics that were sampled, which is a fact of that search, not of logic.
        """
        parents: dict[str, set[str]] = defaultdict(set)
        states = set(self.moves)
        for state, moves in self.moves.items():
            for move in moves.values():
                if move.child is not None:
                    parents[move.child].add(state)
                    states.add(move.child)
        open_states = {state for state in states if state not in self.moves or state in self.to_go}
        front = list(open_states)
        while front:
            for parent in parents[front.pop()]:
                if parent not in open_states:
                    open_states.add(parent)
                    front.append(parent)
        return states - open_states

    def best_moves(self, state: str) -> list[tuple[str, Move]]:
        """Return the tactics of a provable state that lead the shortest known way, likeliest first."""
        left = self.to_go.get(state)
        found = [
            (tactic, move)
            for tactic, move in self.moves.get(state, {}).items()
            if left is not None and (1 if move.child is None else self.to_go.get(move.child, left) + 1) == left
        ]
        return sorted(found, key=lambda item: (-(item[1].logprob if item[1].logprob is not None else -1e9), item[0]))


@dataclass(frozen=True)
class CheckedProof:
    """A re-checked proof of a search: theorem, tactics, and the search that found it."""

    theorem: str
    tactics: tuple[str, ...]
    iteration: int
    kind: str
    attempt: int


def read_checked(paths: Iterable[Path]) -> list[CheckedProof]:
    """Read re-checked proofs in file order; raise UserError naming file and proof when one is damaged."""
    found = []
    for path in paths:
        for number, row in enumerate(read_jsonl(path), 1):
            try:
                tactics = tuple(str(tactic) for tactic in row["proof"])
                search = int(row["iteration"]), str(row["kind"]), int(row["attempt"])
                found.append(CheckedProof(str(row["theorem"]), tactics, *search))
            except (KeyError, TypeError, ValueError) as error:
                raise UserError(
                    f"{path}: proof {number}: needs theorem, proof, iteration, kind and attempt ({error!r})"
                ) from error
    return found


@dataclass(frozen=True)
class PathStep:
    """A step on the path of a proof that a search (iteration, kind, attempt) found."""

    state: str
    tactic: str
    theorem: str
    search: tuple[int, str, int]
    logprob: float | None


def iter_path_steps(trajectories: Sequence[Path], searches: set[tuple[str, int, str, int]]) -> Iterator[PathStep]:
    """Yield the steps on the proof paths of some searches (theorem, iteration, kind, attempt), in file order."""
    for path in trajectories:
        table = read_steps(path, columns=[*KEY, "on_proof_path", "state", "tactic", "logprob"])
        for row in table.filter(table["on_proof_path"]).to_pylist():
            if tuple(row[name] for name in KEY) in searches:
                search = row["iteration"], row["kind"], row["attempt"]
                yield PathStep(row["state"], row["tactic"], row["theorem"], search, row["logprob"])


def read_trees(trajectories: Sequence[Path], theorems: set[str] | None = None) -> dict[str, ProofTree]:
    """Read the trees of some theorems (None: all), by name. Raises UserError for a damaged file."""
    trees: dict[str, ProofTree] = {}
    shared: dict[str, str] = {}  # one string per text: a state stands in many rows
    for path in trajectories:
        for row in _rows(path, theorems):
            for name in ("state", "next_state", "tactic"):
                if row[name] is not None:
                    row[name] = shared.setdefault(row[name], row[name])
            trees.setdefault(row["theorem"], ProofTree(row["goal"])).add(row)
    for tree in trees.values():
        tree.settle()
    return dict(sorted(trees.items()))


def _rows(path: Path, theorems: set[str] | None) -> Iterator[dict[str, Any]]:
    for row in iter_rows(path, COLUMNS):
        if theorems is None or row["theorem"] in theorems:
            yield row
