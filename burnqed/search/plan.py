"""What a search is told: its plan, its seeds, and what it expects of policy, value and prover."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from burnqed.config import SearchSettings
from burnqed.files import UserError
from burnqed.records.theorems import Theorem
from burnqed.search.frontier import Ranking
from burnqed.seeds import derive_seed

NEGATIVES = "negatives"  # the kind of run that tries other tactics along known proofs
EVAL = "eval"  # the kind of run that measures a model


def storable(text: str) -> str:
    """Return the text with what UTF-8 cannot hold (lone surrogates) replaced."""
    return text.encode("utf-8", "replace").decode("utf-8")


class Candidate(Protocol):
    """A proposed tactic."""

    @property
    def tactic(self) -> str: ...
    @property
    def logprob(self) -> float: ...


class Generator(Protocol):
    """The policy, as the search uses it."""

    async def generate(
        self, states: Sequence[str], n: int, temperature: float, seeds: Sequence[int]
    ) -> Sequence[Sequence[Candidate]]:
        """Return at most ``n`` different tactics for each state, which the state and its seed decide."""
        ...


class Continuation(Protocol):
    """The rest of a proof, split into tactics; each with the sum of its tokens' log-probabilities."""

    @property
    def steps(self) -> Sequence[tuple[str, float]]: ...


class ProofGenerator(Generator, Protocol):
    """A policy that also writes whole continuations of a proof from a state."""

    async def continue_proofs(
        self, states: Sequence[str], n: int, temperature: float, seeds: Sequence[int]
    ) -> Sequence[Sequence[Continuation]]:
        """Return at most ``n`` continuations for each state, which the state and its seed decide."""
        ...


class Scorer(Protocol):
    """The value, as the search uses it: low energy = provable."""

    async def score(self, states: Sequence[str], goals: Sequence[str]) -> Sequence[float]:
        """Return the energy of each state; ``goals`` are the first states of their theorems."""
        ...


class HistoryScorer(Scorer, Protocol):
    """A value that, while ``reads_history`` holds, also reads the tactics that led to a state."""

    reads_history: bool

    async def score_after(
        self, states: Sequence[str], goals: Sequence[str], histories: Sequence[tuple[str, ...]]
    ) -> Sequence[float]: ...


def reads_samples(scorer: object) -> bool:
    """Return whether a value reads what the policy samples; then energies come with the candidates."""
    return hasattr(scorer, "energies")


class StepResult(Protocol):
    """The prover's answer to one tactic; ``outcome`` is ok, proved, error, timeout or crash."""

    @property
    def outcome(self) -> str: ...
    @property
    def state(self) -> int | None: ...
    @property
    def text(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def elapsed_ms(self) -> float: ...


class Session(Protocol):
    """One theorem opened in the prover."""

    @property
    def root(self) -> int: ...
    @property
    def root_text(self) -> str: ...
    async def apply_many(self, state: int, tactics: Sequence[str]) -> Sequence[StepResult]:
        """Try tactics at a state, each for itself; return their results in order."""
        ...

    def drop(self, states: Iterable[int]) -> None:
        """Give up states that are not needed any more."""
        ...


@dataclass(frozen=True)
class Searches:
    """What is searched for: each theorem ``attempts`` times (None: as the settings say), up to ``budget`` expansions.

    Kind negatives needs ``proofs``, the tactics of known proofs by theorem and attempt: it goes along each of them, and
    nothing else is searched.
    """

    theorems: Sequence[Theorem]
    kind: str
    iteration: int
    seed: int
    budget: int | None = None
    attempts: int | None = None
    proofs: Mapping[tuple[str, int], Sequence[str]] | None = None


@dataclass(frozen=True)
class SearchPlan:
    """What all searches of a run have in common; ``candidates`` are sampled per expansion."""

    kind: str
    iteration: int
    seed: int
    expansions: int
    candidates: int
    temperature: float
    ranking: Ranking
    max_depth: int = 50
    max_tactics: int = 20_000
    max_seconds: float = 1800.0
    batch_expansions: int = 4
    probe_tactics: tuple[str, ...] = ()
    continuations: int = 0  # of `candidates`, how many are whole continuations
    resample: int = 0  # times a state may be sampled again when no new one is left
    past_proof: int = 0  # expansions after the one that found the first proof

    def candidate_seed(self, theorem: str, attempt: int, state: str, visit: int) -> int:
        """Return the seed of a state's candidates at its visit (1-based).

        Iterations that gather data draw anew; evaluations do not, so that two models get the same random numbers.
        """
        stream = () if self.kind == EVAL else (self.iteration,)
        return derive_seed(self.seed, self.kind, *stream, theorem, attempt, state, visit)

    @property
    def uses_value(self) -> bool:
        """Whether the order of expansion asks for energies."""
        return self.ranking.priority != "logprob"

    def couple(self, generator: object, scorer: object) -> None:
        """Let the policy value what it samples where the value reads that (reader free), which costs no forward pass.

        Raises UserError when the policy hands out no hidden states, or the search tries tactics that were not sampled.
        """
        if not self.uses_value or not reads_samples(scorer):
            return
        if not hasattr(generator, "value_samples"):
            raise UserError(
                "policy.backend: a server hands out no hidden states, which the value's reader 'free' reads while the "
                "policy samples; set policy.backend to transformers, or take a value of another reader"
            )
        if self.continuations or self.probe_tactics:
            name = "mode" if self.continuations else "probe_tactics"
            raise UserError(
                f"search.{name}: the value's reader 'free' knows single sampled tactics alone; set search.mode to "
                "'tactic' and search.probe_tactics to [], or take a value of another reader"
            )
        generator.value_samples(scorer)

    def check_policy(self, generator: object) -> None:
        """Raise UserError when the plan asks for continuations and the policy writes none."""
        if self.continuations and not hasattr(generator, "continue_proofs"):
            raise UserError(
                "search.mode: 'continuation' and 'mixed' need a policy that writes whole proofs, which this "
                "policy.backend does not do; set search.mode to 'tactic'"
            )

    @classmethod
    def from_settings(
        cls,
        settings: SearchSettings,
        *,
        kind: str,
        iteration: int,
        seed: int,
        with_head: bool,
        budget: int | None = None,
        past_proof: int | None = None,
        coefficient: float | None = None,
    ) -> SearchPlan:
        """Return the plan for the settings.

        Without a head the priority is the log-probability, whatever the settings say. At temperature 0
        a state is never sampled again: the answers would be the same. ``past_proof`` overrides the settings',
        which only searches for data follow. ``coefficient`` is that of the value, which priority ``tuned`` needs;
        raises UserError without it.
        """
        ranks = with_head and kind != NEGATIVES  # a walk along a known proof has no order
        if ranks and settings.priority == "tuned" and coefficient is None:
            raise UserError(
                "search.priority: 'tuned' needs a value whose weight was found with it (value.json); "
                "train one (target value_lab), or choose another priority"
            )
        temperature = settings.temperature_with_head if with_head else settings.temperature
        if kind in ("noisy", NEGATIVES):
            temperature = settings.noisy_temperature
        candidates = settings.candidates_with_head if with_head else settings.candidates
        probes = settings.probe_tactics
        if kind == NEGATIVES:
            probes = [*probes, *settings.negative_probes]
        past = 0 if kind in (EVAL, NEGATIVES) else settings.past_proof
        shares = {"tactic": 0, "continuation": candidates, "mixed": (candidates + 1) // 2}
        return cls(
            kind=kind,
            iteration=iteration,
            seed=seed,
            expansions=settings.expansions if budget is None else budget,
            candidates=candidates,
            temperature=temperature,
            ranking=Ranking(
                settings.priority if ranks else "logprob",
                settings.length_alpha,
                settings.logprob_weight,
                settings.energy_weight,
                1.0 if coefficient is None else coefficient,
            ),
            max_depth=settings.max_depth,
            max_tactics=settings.max_tactics,
            max_seconds=settings.max_seconds,
            batch_expansions=settings.batch_expansions,
            probe_tactics=tuple(probes),
            continuations=0 if kind == NEGATIVES else shares[settings.mode],
            resample=settings.resample if temperature > 0 and kind != NEGATIVES else 0,
            past_proof=past_proof if past_proof is not None else past,
        )
