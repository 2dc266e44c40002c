"""What one iteration's fine-tuning sees: tactic pairs, and steps of proofs found so far."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from burnqed.config import SFTSettings
from burnqed.files import digest
from burnqed.records.pairs import TacticPair
from burnqed.records.trees import CheckedProof, ProofTree, iter_path_steps, read_checked, read_trees
from burnqed.training.continuations import choose_continuations

CONTINUATION_STREAM = 1  # of random numbers, besides that which chooses the pairs
SHUFFLE_STREAM = 2


@dataclass(frozen=True)
class FoundStep:
    """A tactic that searches found at a provable state; ``search`` tells the proofs of a theorem apart."""

    state: str
    tactic: str
    theorem: str
    search: tuple[int, str, int] = (0, "", 0)  # iteration, kind, attempt
    logprob: float | None = None


@dataclass(frozen=True)
class Preference:
    """A tactic that leads to a proof and one that Lean refused, at the same state."""

    state: str
    chosen: str
    rejected: str
    theorem: str


@dataclass(frozen=True)
class Found:
    """Steps of re-checked proofs: whole ``paths`` (steps of a proof in order), and single ``steps`` to learn."""

    paths: list[FoundStep] = field(default_factory=list)
    steps: list[FoundStep] = field(default_factory=list)
    preferences: list[Preference] = field(default_factory=list)


@dataclass(frozen=True)
class Mixture:
    """Training texts as (state, tactic) and (state, rest of the proof), with the counts of their sources."""

    texts: list[tuple[str, str]]
    counts: dict[str, int]
    continuations: list[tuple[str, str]] = field(default_factory=list)


def read_found(trajectories: Sequence[Path], proofs: Sequence[Path], settings: SFTSettings) -> Found:
    """Return what searches found, of theorems with a re-checked proof.

    ``paths`` are those of the shortest proofs, at most ``proofs_per_theorem`` a theorem. ``steps`` are their steps,
    or with ``found_states: provable`` the best tactic of every provable state of those theorems' search trees: the
    one on the shortest known way to the end, the likeliest of several. Of these only the paths were re-checked as
    whole proofs; the others Lean accepted tactic by tactic. Raises UserError for damaged files.
    """
    checked = _shortest(read_checked(proofs), settings.proofs_per_theorem)
    paths = [
        FoundStep(step.state, step.tactic, step.theorem, step.search, step.logprob)
        for step in iter_path_steps(trajectories, {(p.theorem, p.iteration, p.kind, p.attempt) for p in checked})
    ]
    trees: dict[str, ProofTree] = {}
    if settings.found_states == "provable" or settings.dpo_weight:
        trees = read_trees(trajectories, {proof.theorem for proof in checked})
    steps = paths
    if settings.found_states == "provable":
        steps = [step for name, tree in trees.items() for step in _best_steps(name, tree)]
    preferences: list[Preference] = []
    if settings.dpo_weight:
        most = settings.dpo_pairs_per_state
        preferences = [pair for name, tree in trees.items() for pair in _preferences(name, tree, most)]
    return Found(paths, steps, preferences)


def _shortest(proofs: Iterable[CheckedProof], most: int) -> list[CheckedProof]:
    """Return the ``most`` shortest different proofs of each theorem (0: all), in file order."""
    by_theorem: dict[str, dict[tuple[str, ...], tuple[int, CheckedProof]]] = defaultdict(dict)
    for place, proof in enumerate(proofs):
        by_theorem[proof.theorem].setdefault(proof.tactics, (place, proof))
    chosen = [
        sorted(own.values(), key=lambda item: (len(item[1].tactics), item[0]))[: most or None]
        for own in by_theorem.values()
    ]
    return [proof for _, proof in sorted((item for own in chosen for item in own), key=lambda item: item[0])]


def _best_steps(theorem: str, tree: ProofTree) -> list[FoundStep]:
    steps = []
    for state in sorted(tree.to_go, key=lambda s: (tree.depth[s], s)):
        tactic, move = tree.best_moves(state)[0]
        steps.append(FoundStep(state, tactic, theorem, logprob=move.logprob))
    return steps


def _preferences(theorem: str, tree: ProofTree, most: int) -> list[Preference]:
    """Return the best tactic of each provable state against some of those that Lean refused there."""
    pairs = []
    for state in sorted(tree.to_go, key=lambda s: (tree.depth[s], s)):
        chosen = tree.best_moves(state)[0][0]
        refused = sorted(tree.failed.get(state, ()), key=lambda tactic: digest([state, tactic]))
        pairs += [Preference(state, chosen, rejected, theorem) for rejected in refused[:most]]
    return pairs


def held_out_theorems(
    pairs: Sequence[TacticPair],
    val_pairs: Sequence[TacticPair],
    found: Sequence[FoundStep],
    share: float,
    seed: int,
) -> set[str]:
    """Return the theorems whose proof steps are not trained on.

    Those of the validation pairs, and, of the searched theorems that the pairs do not know, a share
    chosen by name and seed: the same theorems in every iteration.
    """
    known = {pair.theorem for pair in pairs}
    held = {pair.theorem for pair in val_pairs}
    for name in {step.theorem for step in found} - known - held:
        if int(digest([seed, name])[:8], 16) < share * 2**32:
            held.add(name)
    return held


def _by_perplexity(steps: Sequence[FoundStep], low: float, high: float) -> list[FoundStep]:
    """Return the steps whose surprise (minus log-probability) lies between two quantiles of all.

    After BFS-Prover-V2 (Xin et al. 2025, arXiv:2509.06493, section 3.2), which leaves out both tails: what the
    policy knows already, and what is likely noise. Steps without a log-probability stay.
    """
    known = [-step.logprob for step in steps if step.logprob is not None]
    if not known or (low, high) == (0.0, 1.0):
        return list(steps)
    least, most = np.quantile(known, [low, high])
    return [step for step in steps if step.logprob is None or least <= -step.logprob <= most]


def shuffled_tactics(steps: Sequence[tuple[str, str]], seed: int) -> list[tuple[str, str]]:
    """Return the steps with their tactics dealt out anew: a control that has every state and every tactic."""
    order = np.random.default_rng([seed, SHUFFLE_STREAM]).permutation(len(steps))
    return [(state, steps[place][1]) for (state, _), place in zip(steps, order.tolist(), strict=True)]


def mix(
    pairs: Sequence[TacticPair],
    found: Found,
    held_out: set[str],
    iteration: int,
    settings: SFTSettings,
    seed: int,
) -> Mixture:
    """Return the training texts of an iteration.

    Iteration 0 sees all pairs. A later one sees a random share of them, and each different step that searches
    found ``positive_upsample`` times, unless it is among the pairs or its theorem is held out
    for validation. Besides, each sees rests of proofs, as many as make up ``continuation_share``.
    The controls of ``settings.control`` see no found steps, or the same ones with their tactics shuffled.
    """
    chosen = list(pairs)
    if iteration > 0 and settings.base_pair_share < 1:
        count = round(settings.base_pair_share * len(pairs))
        rng = np.random.default_rng([seed, iteration])
        chosen = [pairs[index] for index in sorted(rng.choice(len(pairs), size=count, replace=False).tolist())]
    base = [(pair.state, pair.tactic) for pair in chosen]
    usable = [step for step in found.steps if step.theorem not in held_out]
    known = {(pair.state, pair.tactic) for pair in pairs}
    low, high = settings.perplexity_quantiles
    kept = _by_perplexity(usable, low, high)
    fresh = [step for step in dict.fromkeys((s.state, s.tactic) for s in kept) if step not in known]
    paths = [step for step in found.paths if step.theorem not in held_out]
    if settings.control == "no_proofs":
        fresh, paths = [], []
    elif settings.control == "shuffled":
        fresh, paths = shuffled_tactics(fresh, seed), []
    texts = base + fresh * settings.positive_upsample
    counts = {"pairs": len(base), "found_steps": len(found.steps), "new_found_steps": len(fresh)}
    share = settings.continuation_share
    wanted = round(share / (1 - share) * len(texts))
    rests = choose_continuations(
        pairs,
        ((step.state, step.tactic, step.theorem, (step.theorem, step.search)) for step in paths),
        held_out,
        wanted,
        settings.positive_upsample,
        [seed, iteration, CONTINUATION_STREAM],
    )
    return Mixture(texts, counts | ({"continuations": len(rests)} if share else {}), rests)
