"""Which value is worth its cost? Every order of expansion on the same recorded trees, for values of several kinds.

The endpoint is fixed before the run: solved within ``value_lab.nodes`` expansions, the endpoint arm's priority ``tuned``
against the policy's log-probability. The benchmark's trees are explored once and far past their first proofs, with
candidates that depend on the state alone, so an order's search is replayed by the search itself without policy and
prover. A theorem counts with its mean over training and sampling seeds, and theorems are resampled.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

from burnqed.config import (
    PolicySettings,
    ProverSettings,
    SearchSettings,
    VerifySettings,
    arm_parts,
)
from burnqed.config.search import Priority
from burnqed.files import UserError, read_json, write_json
from burnqed.prover.verify import verify_proofs
from burnqed.records.theorems import by_name, read_theorem_index
from burnqed.records.trajectories import read_times
from burnqed.records.trees import read_checked, read_trees
from burnqed.search.frontier import Ranking
from burnqed.search.replay import RecordedTree, Replay, read_recorded, replay_all
from burnqed.seeds import derive_seed, fraction
from burnqed.training.values import TreeEnergies, replay_plan, sampled_energies, tree_energies, tree_readings
from burnqed.value.labels import labelled_states
from burnqed.value.readers import Policy
from burnqed.value.values import Value, load_value

REFERENCE = "policy"  # the arm of the orders that need no value
LOGPROB, ORACLE, RANDOM = "logprob", "oracle", "random"
PERMUTED = "permuted"
TIMED = 256  # states on which the policy's cost is measured


@dataclass(frozen=True)
class Row:
    """What one order did on one tree; ``tokens`` are those that the value read."""

    order: str
    sampling_seed: int
    theorem: str
    proof: tuple[str, ...]
    nodes: int
    tactics: int
    states: int
    tokens: int
    complete: bool

    def solves(self, nodes: int) -> bool:
        """Return whether the order has a proof within so many expansions."""
        return bool(self.proof) and self.nodes <= nodes


@dataclass(frozen=True)
class Discrimination:
    """How well something tells provable states of the benchmark's trees from others, on true labels.

    ``auc``: over all labelled states; ``rank1``: share of sibling groups (children of one state, some provable and some
    not) whose first is provable, ``chance`` that of a random order; by theorem for intervals.
    """

    auc: float
    rank1: float
    chance: float
    states: int
    provable: int
    groups: int
    theorems: int


@dataclass(frozen=True)
class Costs:
    """What a search pays: seconds of policy and prover, tokens of the policy, per expansion or tactic."""

    policy_seconds: float
    policy_tokens: float
    lean_seconds: float
    tactics: float  # per expansion


@dataclass(frozen=True)
class Replays:
    """All orders of one arm and training seed (the policy's own orders: seed -1): one file of ``replays/``."""

    arm: str
    seed: int
    coefficient: float
    seconds_per_state: float
    discrimination: Discrimination
    rows: list[Row]
    costs: Costs | None = None


def trees_of(trajectories: Sequence[Path], seeds: Sequence[int]) -> list[tuple[int, RecordedTree]]:
    """Return the recorded trees of the benchmark with the sampling seed of each."""
    return [(seed, tree) for seed, path in zip(seeds, trajectories, strict=True) for tree in read_recorded(path)]


def permuted(energies: Mapping[str, float], seed: int) -> dict[str, float]:
    """Return a tree's energies, dealt out anew among its states: what they gain is not knowledge of states."""
    states = sorted(energies)
    order = np.random.default_rng(seed).permutation(len(states))
    return {state: energies[states[at]] for state, at in zip(states, order, strict=True)}


def _rows(
    order: str,
    trees: Sequence[tuple[int, RecordedTree]],
    replays: Sequence[Replay],
    lengths: Sequence[Mapping[str, int]] | None = None,
) -> Iterable[Row]:
    for number, ((seed, tree), found) in enumerate(zip(trees, replays, strict=True)):
        read = sum(lengths[number][state] for state in found.scored) if lengths else 0
        yield Row(
            order, seed, tree.theorem, found.proof, found.nodes, found.tactics, len(found.scored), read, found.complete
        )


def replay_values(
    folder: Path,
    trajectories: Sequence[Path],
    proofs: Sequence[Path],
    sampling_seeds: Sequence[int],
    arm: str,
    seed: int,
    search: SearchSettings,
    policy: Policy,
    nodes: int,
    orders: Sequence[str],
    output: Path,
    vectors: Path | None = None,
) -> None:
    """Score all states of the benchmark's trees with a value and replay each order with it.

    ``arm`` and ``seed`` name the value; ``vectors``: what was read of these trees already (``read_states``).
    """
    trees = trees_of(trajectories, sampling_seeds)
    plain = [tree for _, tree in trees]
    labelled = true_labels(trajectories, proofs, sampling_seeds, trees)
    name = arm_parts(arm)[0]
    value = load_value(folder, policy, None if name == "own" else policy.reader(name, keep=True, stored=vectors))
    energies, sampled = tree_energies(value, plain), sampled_energies(value, plain)
    lengths = _lengths(value, plain)
    rows: list[Row] = []
    for order in orders:
        used, over = energies, sampled
        if order == PERMUTED:
            dealt = (derive_seed(seed, sampling, tree.theorem) for sampling, tree in trees)
            used, over = [permuted(own, number) for own, number in zip(energies, dealt, strict=True)], plain
        ranking = Ranking(
            cast(Priority, "tuned" if order == PERMUTED else order),
            search.length_alpha,
            search.logprob_weight,
            search.energy_weight,
            value.card.coefficient,
        )
        replays = replay_all(over, replay_plan(search, ranking, nodes), [TreeEnergies(own) for own in used])
        rows += _rows(order, trees, replays, lengths)
    seconds = seconds_per_state(value, plain)
    found = Replays(arm, seed, value.card.coefficient, seconds, discrimination(labelled, energies), rows)
    write_json(output, asdict(found))


def seconds_per_state(value: Value, trees: Sequence[RecordedTree]) -> float:
    """Measure the processor's seconds for one state, on some states that are read anew.

    The reader free reads while the policy samples: of it only the layers above count.
    """
    readings = sorted({r for tree in trees for r in tree_readings(tree)}, key=lambda r: fraction(r.state))[:TIMED]
    if not readings:
        return 0.0
    value.energies(readings)  # the layers above a frozen reader then find its vectors in memory
    frozen = getattr(value, "reader", None)
    begun = time.process_time()
    if frozen is not None and value.card.settings["reader"] != "free":
        frozen.reader.read(list(dict.fromkeys(part for r in readings for part in frozen.reader.parts(r))))
    value.energies(readings)
    return (time.process_time() - begun) / len(readings)


def _lengths(value: Value, trees: Sequence[RecordedTree]) -> list[dict[str, int]]:
    readings = [tree_readings(tree) for tree in trees]
    different = list({r.state: r for own in readings for r in own}.values())
    found = dict(zip((r.state for r in different), value.lengths(different), strict=True))
    return [{reading.state: found[reading.state] for reading in own} for own in readings]


def replay_policy(
    trajectories: Sequence[Path],
    proofs: Sequence[Path],
    seeds: Sequence[int],
    search: SearchSettings,
    sampling: PolicySettings,
    policy: Policy,
    nodes: int,
    output: Path,
) -> None:
    """Replay the orders that need no value, and measure what an expansion costs."""
    trees = trees_of(trajectories, seeds)
    plain = [tree for _, tree in trees]
    rows: list[Row] = []
    plan = replay_plan(search, Ranking("logprob", search.length_alpha), nodes)
    rows += _rows(LOGPROB, trees, replay_all(plain, plan, [None] * len(plain)))
    chances = [TreeEnergies({s: fraction(f"{seed}\x1f{s}") for s in tree.states()}) for seed, tree in trees]
    rows += _rows(RANDOM, trees, replay_all(plain, replay_plan(search, Ranking("energy"), nodes), chances))
    rows += _rows(ORACLE, trees, [_best(tree) for tree in plain])
    labelled = true_labels(trajectories, proofs, seeds, trees)
    logprobs = [_path_scores(tree, search.length_alpha) for tree in plain]
    costs = measure_costs(trajectories, plain, search, sampling, policy)
    write_json(output, asdict(Replays(REFERENCE, -1, 0.0, 0.0, discrimination(labelled, logprobs), rows, costs)))


def _best(tree: RecordedTree) -> Replay:
    """Return the replay of the best order: the states of a shortest proof and nothing else."""
    needed = tree.shortest_proof()
    return Replay(tree.theorem, () if needed is None else (ORACLE,), needed or 0, 0, (), True)


def _path_scores(tree: RecordedTree, length_alpha: float) -> dict[str, float]:
    """Return minus the priority by log-probability of each state, along the path that found it first."""
    found: dict[str, tuple[float, int]] = {tree.root: (0.0, 0)}
    for state, group in tree.tactics.items():
        total, depth = found[state]
        for tried in group:
            if tried.next_state is not None:
                found.setdefault(tried.next_state, (total + tried.logprob, depth + 1))
    return {state: -total / max(depth, 1) ** length_alpha for state, (total, depth) in found.items()}


def measure_costs(
    trajectories: Sequence[Path],
    trees: Sequence[RecordedTree],
    search: SearchSettings,
    sampling: PolicySettings,
    policy: Policy,
) -> Costs:
    """Measure an expansion on states of the trees: the policy's by sampling again, the prover's as recorded."""
    from burnqed.policy.backends import load_generator
    from burnqed.policy.prompts import FORMATS, prompt_tokens
    from burnqed.policy.transformers_backend import TransformersGenerator

    generator = load_generator(policy.model_dir, sampling, policy.model, policy.device, policy.quantization)
    if not isinstance(generator, TransformersGenerator):
        raise UserError("policy.backend: value_lab measures the policy in its own process; set it to transformers")
    states = sorted({state for tree in trees for state in tree.tactics}, key=fraction)[:TIMED]
    begun = time.process_time()
    generator.run(states, search.candidates, search.temperature, list(range(len(states))))
    seconds = (time.process_time() - begun) / len(states)
    prompts = prompt_tokens(generator.tokenizer, FORMATS[policy.model.prompt_format], states)
    tokens = (generator.tokens + sum(map(len, prompts))) / len(states)
    # The median: on a shared machine some tactics wait long for a processor.
    elapsed = [ms for path in trajectories for row in read_times(path) for ms in row["elapsed_ms"]]
    lean = statistics.median(elapsed) / 1000 if elapsed else 0.0
    expansions = sum(len(tree.tactics) for tree in trees)
    return Costs(seconds, tokens, lean, len(elapsed) / max(expansions, 1))


@dataclass(frozen=True)
class LabelledTree:
    """The true labels of a recorded tree's expanded states, and its groups of siblings."""

    theorem: str
    provable: Mapping[str, bool]
    siblings: list[list[str]]


def true_labels(
    trajectories: Sequence[Path],
    proofs: Sequence[Path],
    seeds: Sequence[int],
    trees: Sequence[tuple[int, RecordedTree]],
) -> list[LabelledTree]:
    """Return the labels of recorded trees, in their order; a tree with a proof that was refused has none."""
    found: dict[tuple[int, str], LabelledTree] = {}
    for seed, path, proved in zip(seeds, trajectories, proofs, strict=True):
        own = read_trees([path])
        checked = {proof.theorem for proof in read_checked([proved])}
        labels: dict[str, dict[str, bool]] = {}
        for row in labelled_states(own, checked):
            labels.setdefault(row.theorem, {})[row.state] = row.to_go is not None
        for name, whole in own.items():
            mine = labels.get(name, {})
            groups = []
            for moves in whole.moves.values():
                children = list(
                    dict.fromkeys(m.child for m in moves.values() if m.child is not None and m.child in mine)
                )
                if len({mine[child] for child in children}) == 2:
                    groups.append(children)
            found[seed, name] = LabelledTree(name, mine, groups)
    return [found.get((seed, tree.theorem), LabelledTree(tree.theorem, {}, [])) for seed, tree in trees]


def discrimination(trees: Sequence[LabelledTree], energies: Sequence[Mapping[str, float]]) -> Discrimination:
    """Return how well energies tell provable states from others."""
    from sklearn.metrics import roc_auc_score

    truth = [known for tree in trees for known in tree.provable.values()]
    scores = [-own[state] for tree, own in zip(trees, energies, strict=True) for state in tree.provable]
    first, expected, theorems = [], [], set()
    for tree, own in zip(trees, energies, strict=True):
        for group in tree.siblings:
            lowest = min(own[state] for state in group)
            best = [tree.provable[state] for state in group if own[state] == lowest]
            first.append(sum(best) / len(best))
            expected.append(sum(tree.provable[state] for state in group) / len(group))
            theorems.add(tree.theorem)
    return Discrimination(
        auc=float(roc_auc_score(truth, scores)) if len(set(truth)) == 2 else 0.5,
        rank1=float(np.mean(first)) if first else 0.0,
        chance=float(np.mean(expected)) if expected else 0.0,
        states=len(truth),
        provable=sum(truth),
        groups=len(first),
        theorems=len(theorems),
    )


def refused_proofs(
    replays: Sequence[Path], benchmark: Path, prover: ProverSettings, verify: VerifySettings
) -> tuple[list[tuple[str, list[str]]], int]:
    """Re-check every different proof that an order found; return the refused ones, and how many were checked.

    The oracle's proofs have no text: it counts what the trees hold.
    """
    known = by_name(read_theorem_index(benchmark).theorems)
    found = {
        (row.theorem, row.proof)
        for path in replays
        for row in read_replays(path).rows
        if row.proof and row.order != ORACLE
    }
    items = [(known[name], list(proof)) for name, proof in sorted(found)]
    verdicts = asyncio.run(verify_proofs(items, prover, verify))
    refused = [(t.name, proof) for (t, proof), judged in zip(items, verdicts, strict=True) if not judged.ok]
    return refused, len(items)


def read_replays(path: Path) -> Replays:
    """Read a file of replays; raise UserError when it is none."""
    try:
        return _replays(read_json(path))
    except (KeyError, TypeError) as error:
        raise UserError(f"{path}: not a file of replays ({error!r}); delete it and run again") from error


def _replays(content: dict[str, Any]) -> Replays:
    rows = [Row(**{**row, "proof": tuple(row["proof"])}) for row in content["rows"]]
    costs = Costs(**content["costs"]) if content["costs"] else None
    quality = Discrimination(**content["discrimination"])
    return Replays(**{**content, "rows": rows, "costs": costs, "discrimination": quality})
