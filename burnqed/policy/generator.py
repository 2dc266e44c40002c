"""Tactic generators: the interface of the policy, and what all back-ends share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from burnqed.leantext.banned import banned_construct
from burnqed.policy.prompts import PromptFormat

LOGPROB_DECIMALS = 6


@dataclass(frozen=True)
class Candidate:
    """A tactic with the sum of its tokens' log-probabilities (temperature 1, stop token included).

    ``energy`` is what a value that reads samples (reader free) says of the state that the tactic leads to.
    """

    tactic: str
    logprob: float
    num_tokens: int
    energy: float | None = None


class TacticGenerator(Protocol):
    """Samples tactics for proof states.

    ``busy_seconds`` is the time spent generating so far, ``tokens`` the number of tokens sampled.
    """

    busy_seconds: float
    tokens: int

    async def generate(
        self, states: Sequence[str], n: int, temperature: float, seeds: Sequence[int]
    ) -> list[list[Candidate]]:
        """Return for each state up to ``n`` different tactics, most probable first.

        ``seeds[i]`` alone determines the random numbers of ``states[i]``. Empty, unfinished and
        banned tactics are dropped. Temperature 0 gives the one greedy tactic.
        """
        ...

    async def close(self) -> None:
        """Give back what the generator holds (threads, connections, server processes)."""
        ...


def collect(form: PromptFormat, answers: Iterable[tuple[str, float, int, float | None]]) -> list[Candidate]:
    """Return the candidates of one state's finished answers (text, logprob, tokens, energy).

    One candidate per tactic text (its most probable answer), sorted by falling log-probability and
    then by text; empty and banned tactics are dropped.
    """
    best: dict[str, Candidate] = {}
    for text, logprob, count, energy in answers:
        tactic = form.extract(text)
        if not tactic or banned_construct(tactic) is not None:
            continue
        found = Candidate(tactic, round(logprob, LOGPROB_DECIMALS), count, energy)
        known = best.get(tactic)
        if known is None or (found.logprob, -found.num_tokens) > (known.logprob, -known.num_tokens):
            best[tactic] = found
    return sorted(best.values(), key=lambda item: (-item.logprob, item.tactic))
