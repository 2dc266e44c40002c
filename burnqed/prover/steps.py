"""What every prover kind shares: states as paths, the answer to one tactic, one life of a process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol

from burnqed.records.theorems import Theorem


class Outcome(StrEnum):
    """What one tactic did."""

    OK = "ok"
    PROVED = "proved"
    ERROR = "error"
    TIMEOUT = "timeout"
    CRASH = "crash"


class StatementError(Exception):
    """The prover refuses to start this theorem; the message is the prover's."""


class Step(NamedTuple):
    """A kind's answer to one tactic.

    ``text`` is Lean's print of the new state (empty when proved), ``place`` the kind's own handle of
    it (-1 without), ``elapsed_ms`` the time of the request itself.
    """

    outcome: Outcome
    text: str = ""
    num_goals: int = 0
    message: str = ""
    elapsed_ms: float = 0.0
    place: int = -1


class Node:
    """A state as the path that leads to it; ``place`` is its handle in the life that knows it."""

    __slots__ = ("alive", "elapsed_ms", "life", "parent", "place", "tactic", "text")

    def __init__(self, parent: Node | None, tactic: str, text: str = "") -> None:
        self.parent, self.tactic = parent, tactic
        self.text = text  # Lean's print, in canonical form
        self.place = -1
        self.life: Life | None = None
        self.alive = True
        self.elapsed_ms = 0.0  # what its tactic took

    def path(self) -> list[Node]:
        """Return the nodes from the first tactic's to this one; empty for a first state."""
        found: list[Node] = []
        current = self
        while current.parent is not None:
            found.append(current)
            current = current.parent
        return found[::-1]


@dataclass
class Proof:
    """A theorem being proved, and its first state."""

    theorem: Theorem
    root: Node


class Life(Protocol):
    """One process from start to death, as the pool sees it; one request at a time."""

    @property
    def requests(self) -> int: ...
    @property
    def pid(self) -> int: ...
    @property
    def dead(self) -> bool: ...
    async def open(self, proof: Proof) -> tuple[str, int]:
        """Start a proof; return the text of its first state and the number of goals.

        Raises StatementError, WorkerCrash or WorkerTimeout.
        """
        ...

    async def apply(self, proof: Proof, node: Node, tactic: str) -> Step:
        """Apply a tactic to a state, whether or not this process has seen the state before.

        Raises WorkerCrash or WorkerTimeout; the process may then be dead.
        """
        ...

    async def together(self, proof: Proof, node: Node, tactics: Sequence[str]) -> list[Step | None]:
        """Apply several tactics to a state at once; None for those that have to be applied alone.

        The answers are those that ``apply`` gives. Raises as it does.
        """
        ...

    def adopt(self, node: Node, step: Step) -> None:
        """Keep the state that a step made, as the node given."""
        ...

    def release(self, step: Step) -> None:
        """Give up the state that a step made."""
        ...

    def forget(self, node: Node) -> None:
        """Give up a state that was kept."""
        ...

    def kill_group(self) -> None: ...
    async def kill(self) -> None: ...
