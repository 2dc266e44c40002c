"""A counting game with known answers that plays the prover, and a policy and a value for it.

A state is a row of numbers, its goals; tactics change the first one, and a goal at 0 is closed.
Everything is answered at random moments, so that a test notices a search that depends on timing.
"""

from __future__ import annotations

import asyncio
import hashlib
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from burnqed.config import ProverSettings, SearchSettings
from burnqed.prover.pool import LeanPool, StatementError
from burnqed.records.theorems import Theorem
from burnqed.search.plan import Generator, Scorer, Searches
from burnqed.search.reuse import Earlier
from burnqed.search.stack import OpenStack, Pool

Goals = tuple[int, ...]
TACTICS = ["sub 1", "sub 2", "sub 3", "half", "add 1", "split", "swap", "noop", "boom", "slow", "nonsense"]


def show(goals: Goals) -> str:
    return "\n\n".join(f"⊢ {goal}" for goal in goals)


def play(goals: Goals, tactic: str) -> Goals | str:
    """Return the new goals, or an outcome other than ok."""
    first, rest = goals[0], goals[1:]
    if tactic.startswith("sub "):
        left = first - int(tactic[4:])
        if left < 0:
            return "error"
        return rest if left == 0 else (left, *rest)
    if tactic == "half":
        return "error" if first % 2 else (first // 2, *rest)
    if tactic == "add 1":
        return (first + 1, *rest)
    if tactic == "split":
        return "error" if first < 2 or len(goals) > 2 else (first // 2, first - first // 2, *rest)
    if tactic == "swap":
        return (*rest, first)
    if tactic == "noop":
        return goals
    return {"boom": "crash", "slow": "timeout"}.get(tactic, "error")


@dataclass(frozen=True)
class ToyResult:
    outcome: str
    state: int | None
    text: str = ""
    num_goals: int = 0
    message: str = ""
    elapsed_ms: float = 1.0


class ToySession:
    def __init__(self, pool: ToyPool, goals: Goals) -> None:
        self.pool, self.root, self.root_text = pool, 0, show(goals)
        self.states: dict[int, Goals] = {0: goals}
        self.made = 0
        self.most_alive = 0
        self.tried: list[tuple[Goals, str]] = []

    async def apply_many(self, state: int, tactics: Sequence[str]) -> list[ToyResult]:
        return [await self.apply(state, tactic) for tactic in tactics]

    async def apply(self, state: int, tactic: str) -> ToyResult:
        goals = self.states[state]
        self.tried.append((goals, tactic))
        await self.pool.pause()
        after = play(goals, tactic)
        if isinstance(after, str):
            return ToyResult(after, None, message=f"{tactic}: {after}")
        self.made += 1
        self.states[self.made] = after
        self.most_alive = max(self.most_alive, len(self.states))
        return ToyResult("ok" if after else "proved", self.made, show(after), len(after))

    def drop(self, states: Iterable[int]) -> None:
        for state in states:
            del self.states[state]

    async def close(self) -> None:
        self.pool.open_sessions -= 1


class ToyPool:
    def __init__(self, settings: ProverSettings | None = None, timing: int = 0, sleep: float = 0.0) -> None:
        self.random, self.sleep = random.Random(timing), sleep
        self.open_sessions = self.most_open = 0
        self.sessions: dict[str, ToySession] = {}
        self.closed = False

    async def start(self) -> None:
        await asyncio.sleep(0)

    async def close(self) -> None:
        self.closed = True

    async def pause(self) -> None:
        if self.sleep:
            await asyncio.sleep(self.random.random() * self.sleep)
        for _ in range(self.random.randrange(4)):
            await asyncio.sleep(0)

    async def open(self, theorem: Theorem) -> ToySession:
        await self.pause()
        if not theorem.statement.isdigit():
            raise StatementError(f"no number: {theorem.statement}")
        self.open_sessions += 1
        self.most_open = max(self.most_open, self.open_sessions)
        self.sessions[theorem.name] = ToySession(self, (int(theorem.statement),))
        return self.sessions[theorem.name]


@dataclass(frozen=True)
class ToyCandidate:
    tactic: str
    logprob: float


def number(*parts: object) -> random.Random:
    return random.Random(hashlib.sha256(repr(parts).encode()).digest())


class ToyPolicy:
    """Proposes tactics as the state and its seed alone determine."""

    def __init__(self, timing: int = 0, tactics: Sequence[str] = TACTICS) -> None:
        self.random, self.tactics = random.Random(timing), tactics
        self.busy_seconds = 0.0
        self.calls: list[tuple[list[str], list[int]]] = []

    def propose(self, state: str, n: int, temperature: float, seed: int) -> list[ToyCandidate]:
        chance = number(state, temperature, seed)
        drawn = {tactic: round(-4 * chance.random(), 1) for tactic in chance.choices(self.tactics, k=n)}
        return sorted((ToyCandidate(*item) for item in drawn.items()), key=lambda c: (-c.logprob, c.tactic))

    async def generate(
        self, states: Sequence[str], n: int, temperature: float, seeds: Sequence[int]
    ) -> list[list[ToyCandidate]]:
        self.calls.append((list(states), list(seeds)))
        for _ in range(self.random.randrange(4)):
            await asyncio.sleep(0)
        return [self.propose(s, n, temperature, seed) for s, seed in zip(states, seeds, strict=True)]

    async def close(self) -> None:
        pass


@dataclass(frozen=True)
class ToyContinuation:
    steps: list[tuple[str, float]]


class ToyWriter(ToyPolicy):
    """Also writes continuations of up to five tactics; a few beginnings are common."""

    async def continue_proofs(
        self, states: Sequence[str], n: int, temperature: float, seeds: Sequence[int]
    ) -> list[list[ToyContinuation]]:
        self.calls.append((list(states), list(seeds)))
        for _ in range(self.random.randrange(4)):
            await asyncio.sleep(0)
        found = []
        for state, seed in zip(states, seeds, strict=True):
            chance = number(state, temperature, seed)
            texts = [chance.choices(self.tactics[:7], k=chance.randrange(1, 6)) for _ in range(n)]
            found.append([ToyContinuation([(t, round(-4 * chance.random(), 1)) for t in text]) for text in texts])
        return found


class ToyValue:
    """The more is left to count, the higher the energy, with some noise; coarse, so that ties occur."""

    def __init__(self) -> None:
        self.busy_seconds = 0.0
        self.calls: list[list[str]] = []

    @staticmethod
    def energy(state: str, goal: str) -> float:
        total = sum(int(word) for word in state.split() if word.isdigit())
        return round(total / 4 + number(state, goal).randrange(3), 6)

    async def score(self, states: Sequence[str], goals: Sequence[str]) -> list[float]:
        self.calls.append(list(states))
        await asyncio.sleep(0)
        return [self.energy(s, g) for s, g in zip(states, goals, strict=True)]


@dataclass(kw_only=True)
class ToyStack:
    """A stack of parts made beforehand; ``owned`` as for `OpenStack`."""

    generator: Generator | None
    scorer: Scorer | None = None
    search: SearchSettings = field(default_factory=SearchSettings)
    prover: ProverSettings = field(default_factory=ProverSettings)
    pool: Pool | None = None  # None: the prover's own
    head: bool | None = None
    name: object = "toy"
    owned: bool = False
    earlier: Mapping[tuple[str, int], Earlier] = field(default_factory=dict)

    @property
    def with_head(self) -> bool:
        return self.scorer is not None if self.head is None else self.head

    def key(self) -> dict[str, object]:
        return {"model": self.name}

    def open(self, searches: Searches) -> OpenStack:
        def make_pool() -> Pool:
            return self.pool or LeanPool(self.prover)

        return OpenStack(self.generator, self.scorer, make_pool, self.owned, self.earlier)
