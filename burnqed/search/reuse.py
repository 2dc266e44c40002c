"""A search that takes over what an earlier search of the same model, seeds and sampling has tried at a state.

Candidates are seeded by the state's text, so a second order of expansion asks policy and prover the same questions
wherever it meets a state that the first one expanded: both variants of an evaluation then cost little more than one, and
differ in their order alone, also where a server's answers depend on what else is in its batch. What is new is asked of
the living policy and prover; a state that the prover does not hold is made again along its path.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

from burnqed.records.trajectories import iter_rows
from burnqed.search.plan import Candidate, Generator, Session, StepResult, storable
from burnqed.search.tree import canonical

COLUMNS = ("theorem", "attempt", "state", "goal", "tactic", "outcome", "next_state", "message", "logprob", "seed")


class Answer(NamedTuple):
    """What a tactic did, by the record; ``state`` is the reusing session's number."""

    outcome: str
    state: int | None
    text: str
    message: str
    elapsed_ms: float = 0.0


class Tried(NamedTuple):
    """A recorded tactic: ``logprob`` None for a probe."""

    tactic: str
    logprob: float | None
    outcome: str
    next_state: str | None
    message: str


@dataclass
class Earlier:
    """An earlier search of one theorem: its root, and for each expanded state the seed and what was tried, in order."""

    root: str
    seeds: dict[str, int] = field(default_factory=dict)
    tried: dict[str, dict[str, Tried]] = field(default_factory=dict)


def read_earlier(path: Path) -> dict[tuple[str, int], Earlier]:
    """Return the searches of a trajectory file by theorem and attempt; raise UserError for a damaged file."""
    found: dict[tuple[str, int], Earlier] = {}
    for row in iter_rows(path, COLUMNS):
        search = found.setdefault((row["theorem"], row["attempt"]), Earlier(row["goal"]))
        search.seeds[row["state"]] = row["seed"]
        tried = Tried(row["tactic"], row["logprob"], row["outcome"], row["next_state"], row["message"])
        search.tried.setdefault(row["state"], {})[row["tactic"]] = tried
    return found


class ReusingPolicy:
    """The policy of one search: recorded candidates where state and seed are those of the record.

    ``reused`` counts the states that were not asked for.
    """

    def __init__(self, earlier: Earlier, live: Generator) -> None:
        self.earlier, self.live, self.reused = earlier, live, 0

    async def generate(
        self, states: Sequence[str], n: int, temperature: float, seeds: Sequence[int]
    ) -> list[Sequence[Candidate]]:
        """Return for each state its candidates, most probable first."""
        known = [self.earlier.seeds.get(state) == seed for state, seed in zip(states, seeds, strict=True)]
        new = [i for i, is_known in enumerate(known) if not is_known]
        self.reused += len(states) - len(new)
        asked: Sequence[Sequence[Candidate]] = []
        if new:
            asked = await self.live.generate([states[i] for i in new], n, temperature, [seeds[i] for i in new])
        answers = dict(zip(new, asked, strict=True))
        return [answers[i] if i in answers else self._recorded(state) for i, state in enumerate(states)]

    def _recorded(self, state: str) -> Sequence[Candidate]:
        return [_Sampled(t.tactic, t.logprob) for t in self.earlier.tried[state].values() if t.logprob is not None]


class _Sampled(NamedTuple):
    """A candidate as the policy gave it."""

    tactic: str
    logprob: float


class LiveSession(Session, Protocol):
    """A session of the prover's pool."""

    async def close(self) -> None: ...


@dataclass
class _Place:
    """A state of the session: its text, the way there, and its number at the prover, if that holds it."""

    text: str
    parent: int
    tactic: str
    live: int | None = None


class ReusingSession:
    """One theorem's states: recorded answers first; the prover is opened when something new is tried."""

    root = 0

    def __init__(self, earlier: Earlier, open_live: Callable[[], Awaitable[LiveSession]]) -> None:
        self.earlier, self.root_text = earlier, earlier.root
        self._open_live = open_live
        self._live: LiveSession | None = None
        self._places = [_Place(earlier.root, -1, "")]

    async def apply_many(self, state: int, tactics: Sequence[str]) -> list[StepResult]:
        """Return what each tactic does to a state of this session."""
        recorded = self.earlier.tried.get(self._places[state].text, {})
        new = [tactic for tactic in tactics if tactic not in recorded]
        made = dict(zip(new, await self._try(state, new), strict=True)) if new else {}
        return [made[tactic] if tactic in made else self._answer(state, recorded[tactic]) for tactic in tactics]

    def _answer(self, state: int, tried: Tried) -> StepResult:
        if tried.outcome == "proved" or tried.next_state is None:
            return Answer(tried.outcome, None, "", tried.message)
        return Answer("ok", self._add(tried.next_state, state, tried.tactic), tried.next_state, tried.message)

    def _add(self, text: str, parent: int, tactic: str, live: int | None = None) -> int:
        self._places.append(_Place(text, parent, tactic, live))
        return len(self._places) - 1

    async def _try(self, state: int, tactics: Sequence[str]) -> list[StepResult]:
        held = await self._hold(state)
        if held is None or self._live is None:
            return [Answer("crash", None, "", "the state could not be made again") for _ in tactics]
        found: list[StepResult] = []
        for tactic, step in zip(tactics, await self._live.apply_many(held, tactics), strict=True):
            if step.outcome == "ok" and step.state is not None:
                number = self._add(canonical(storable(step.text)), state, tactic, step.state)
                found.append(Answer("ok", number, step.text, step.message, step.elapsed_ms))
            else:
                found.append(Answer(str(step.outcome), None, step.text, step.message, step.elapsed_ms))
        return found

    async def _hold(self, number: int) -> int | None:
        """Return the prover's number of a state, made again along its path if need be; None when that fails."""
        place = self._places[number]
        if place.live is None and number == self.root:
            self._live = await self._open_live()
            place.live = self._live.root
        elif place.live is None:
            above = await self._hold(place.parent)
            if above is None or self._live is None:
                return None
            (step,) = await self._live.apply_many(above, [place.tactic])
            if step.outcome != "ok" or canonical(storable(step.text)) != place.text:
                return None
            place.live = step.state
        return place.live

    def drop(self, states: Iterable[int]) -> None:
        """Let the prover forget states; the way to them stays known."""
        for number in states:
            place = self._places[number]
            if place.live is not None and self._live is not None:
                self._live.drop([place.live])
                place.live = None

    async def close(self) -> None:
        """Give up the place at the prover, if it was ever opened."""
        if self._live is not None:
            await self._live.close()
