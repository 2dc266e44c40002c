"""Training a value on recorded trees, and finding its weight in the search on those of its held-out theorems."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from burnqed.config import EBMSettings, SearchSettings, ValueSettings
from burnqed.files import UserError, atomic_dir, sha256_file, write_json
from burnqed.jobs.progress import ProgressFolder
from burnqed.records.trees import ProofTree, read_checked, read_trees
from burnqed.search.frontier import Ranking
from burnqed.search.plan import EVAL, SearchPlan
from burnqed.search.replay import RecordedTactic, RecordedTree, Replay, read_recorded, replay_all
from burnqed.training.head import TrainingData, train_head
from burnqed.training.value_fit import train_value
from burnqed.value.contrastive import build_groups, failed_held_out
from burnqed.value.encoder import model_digest, text_sha
from burnqed.value.head import CONFIG, WEIGHTS
from burnqed.value.labels import LabelledState, counts, is_held_out, labelled_states, target_of
from burnqed.value.readers import Frozen, Policy, PooledReader, Reading
from burnqed.value.values import CONFIG as CARD
from burnqed.value.values import Value, card_of, load_value

logger = logging.getLogger(__name__)


class TreeEnergies:
    """A scorer of one recorded tree: the energies of its states, known beforehand."""

    def __init__(self, energies: Mapping[str, float]) -> None:
        self._energies = energies

    async def score(self, states: Sequence[str], goals: Sequence[str]) -> list[float]:
        """Return the energies of states."""
        return [self._energies[state] for state in states]


def tree_readings(tree: RecordedTree) -> list[Reading]:
    """Return all states of a recorded tree but the root, each with the edge, and the path, that found it first."""
    edges: dict[str, tuple[str, str, tuple[str, ...]]] = {}
    paths: dict[str, tuple[str, ...]] = {tree.root: ()}
    for parent, group in tree.tactics.items():
        for tried in group:
            if tried.next_state is not None:
                path = paths.setdefault(tried.next_state, (*paths.get(parent, ()), tried.tactic))
                edges.setdefault(tried.next_state, (parent, tried.tactic, path))
    return [Reading(state, tree.root, *edges[state]) for state in tree.states()]


def tree_energies(value: Value, trees: Sequence[RecordedTree]) -> list[dict[str, float]]:
    """Return the energies of each tree's states; equal readings are computed once."""
    readings = [tree_readings(tree) for tree in trees]
    different = list(dict.fromkeys(reading for own in readings for reading in own))
    found = dict(zip(different, value.energies(different), strict=True))
    return [{reading.state: found[reading] for reading in own} for own in readings]


def _edges(tree: RecordedTree) -> list[Reading]:
    """Return all states of a recorded tree but the root, with every edge that led to them."""
    return [
        Reading(tried.next_state, tree.root, state, tried.tactic)
        for state, group in tree.tactics.items()
        for tried in group
        if tried.next_state is not None
    ]


def sampled_energies(value: Value, trees: Sequence[RecordedTree]) -> list[RecordedTree]:
    """Return the trees as a search with the value meets them: with the reader free each tactic brings its own energy.

    With other readers an energy is the state's, however it was reached, and the trees are what they were.
    """
    if value.card.settings["reader"] != "free":
        return list(trees)
    edges = [reading for tree in trees for reading in _edges(tree)]
    found = dict(zip(edges, value.energies(edges), strict=True))

    def with_energy(tree: RecordedTree, state: str, tried: RecordedTactic) -> RecordedTactic:
        if tried.next_state is None:
            return tried
        return replace(tried, energy=found[Reading(tried.next_state, tree.root, state, tried.tactic)])

    return [
        replace(tree, tactics={s: [with_energy(tree, s, t) for t in group] for s, group in tree.tactics.items()})
        for tree in trees
    ]


def replay_plan(search: SearchSettings, ranking: Ranking, nodes: int) -> SearchPlan:
    """Return the plan of an order, one node at a time, until the first proof."""
    plan = SearchPlan.from_settings(search, kind=EVAL, iteration=0, seed=0, with_head=False, budget=nodes, past_proof=0)
    return replace(plan, ranking=ranking, batch_expansions=1, continuations=0, resample=0)


def solved_share(replays: Sequence[Replay], nodes: int) -> float:
    """Return the mean over 1 .. ``nodes`` expansions of the share of searches solved within so many."""
    return float(np.mean([sum(r.solves(n) for r in replays) / len(replays) for n in range(1, nodes + 1)]))


def tune(
    energies: Sequence[Mapping[str, float]],
    trees: Sequence[RecordedTree],
    search: SearchSettings,
    coefficients: Sequence[float],
    nodes: int,
) -> tuple[float, dict[str, float]]:
    """Return the weight of a value in the priority ``tuned`` that solves most of some trees, and what each solves.

    Compared is the mean over all budgets up to ``nodes``, which uses more of the trees than one budget; of equal weights
    the smallest counts. Weight 0 is the log-probability alone, which is listed but not chosen.
    """
    scorers = [TreeEnergies(own) for own in energies]
    shares = {}
    for coefficient in [0.0, *coefficients]:
        ranking = Ranking("tuned", search.length_alpha, coefficient=coefficient)
        replays = replay_all(trees, replay_plan(search, ranking, nodes), scorers)
        shares[f"{coefficient:g}"] = round(solved_share(replays, nodes), 6)
    return max(sorted(coefficients), key=lambda c: shares[f"{c:g}"]), shares


def labelled_readings(trees: Mapping[str, ProofTree], labels: Sequence[LabelledState]) -> list[Reading]:
    """Return what is read of each labelled state: with the edge that found it first."""
    edges: dict[tuple[str, str], tuple[str, str]] = {}
    for name, tree in trees.items():
        for state, moves in tree.moves.items():
            for tactic, move in moves.items():
                if move.child is not None:
                    edges.setdefault((name, move.child), (state, tactic))
    return [Reading(row.state, row.root, *edges[row.theorem, row.state], row.history) for row in labels]


def read_states(trajectories: Sequence[Path], name: str, policy: Policy, output: Path) -> int:
    """Write what a frozen reader reads of all states of recorded trees, for all values; return how many there are."""
    reader, seen = policy.reader(name, keep=True), _edges if name == "free" else tree_readings
    readings = [reading for path in trajectories for tree in read_recorded(path) for reading in seen(tree)]
    reader.vectors(readings)
    reader.write(output)
    return len(set(readings))


def make_value(
    trajectories: Sequence[Path],
    proofs: Sequence[Path],
    settings: ValueSettings,
    ebm: EBMSettings,
    search: SearchSettings,
    policy: Policy,
    seed: int,
    nodes: int,
    output: Path,
    vectors: Path | None = None,
) -> dict[str, Any]:
    """Train a value, find its weight in the search, write its folder; return what its card reports.

    ``nodes``: the largest budget that the weight is chosen for. Theorems are split by ``value.val_fraction`` and the
    seed: the held-out ones choose the checkpoint and the weight. ``vectors``: what ``read_states`` has read of these
    trees. Raises UserError when there is nothing to learn from.
    """
    trees = read_trees(trajectories)
    checked = {proof.theorem for proof in read_checked(proofs)}
    labels = labelled_states(trees, checked, settings.negatives)
    held = [is_held_out(row.theorem, settings.val_fraction, seed) for row in labels]
    if not any(row.to_go for row in labels) or not any(held) or all(held):
        raise UserError(f"{trajectories[0]}: too few searches to train a value on; search more theorems")
    begun = time.perf_counter()
    reader = None if settings.reader == "own" else policy.reader(settings.reader, keep=True, stored=vectors)
    key = {
        "value": settings.science(),
        "encoder": policy.encoder.science(),
        "model": [model_digest(policy.model_dir), policy.model.science(), policy.quantization],
        "inputs": [sha256_file(path) for path in (*trajectories, *proofs)],
        "run": [seed, torch.get_num_threads(), policy.device],
    }
    with ProgressFolder(output, key) as progress:
        with atomic_dir(output) as folder:
            if settings.target == "contrastive":
                assert reader is not None
                _contrastive(trees, trajectories, proofs, settings, ebm, policy, reader, seed, folder)
            else:
                targets = [target_of(row, settings.target, settings.discount) for row in labels]
                readings = labelled_readings(trees, labels)
                train_value(readings, targets, held, settings, policy, seed, reader, output, progress).save(folder)
            value = load_value(folder, policy, reader)  # as a search will load it
            seconds = time.perf_counter() - begun
            recorded = (tree for path in trajectories for tree in read_recorded(path))
            unseen = [tree for tree in recorded if is_held_out(tree.theorem, settings.val_fraction, seed)]
            energies = tree_energies(value, unseen)
            best, shares = tune(energies, sampled_energies(value, unseen), search, settings.coefficients, nodes)
            report = {
                **value.card.report,
                "labels": counts(labels),
                "held_out_theorems": len({tree.theorem for tree in unseen}),
                "solved_by_coefficient": shares,
                "seconds": round(seconds, 3),
            }
            value.card = replace(value.card, coefficient=best, report=report)
            value.save(folder)
        progress.finish()
    logger.info("weight %g, held-out theorems solved: %s", best, shares)
    return report


def _contrastive(
    trees: Mapping[str, ProofTree],
    trajectories: Sequence[Path],
    proofs: Sequence[Path],
    settings: ValueSettings,
    ebm: EBMSettings,
    policy: Policy,
    reader: Frozen,
    seed: int,
    folder: Path,
) -> None:
    """Train the energy head of block ``ebm`` as it is, on the same theorems, and write it with its card."""
    encoder = reader.reader.encoder if isinstance(reader.reader, PooledReader) else None
    if encoder is None:
        raise UserError("value.target: 'contrastive' reads mean-pooled states; set value.reader to pooled")
    groups = build_groups(trajectories, proofs, ebm.unexpanded_negatives, ebm.positives)
    texts = {text_sha(text): text for tree in trees.values() for text in [tree.root, *tree.depth]}
    readings = [Reading(texts[sha], texts[sha]) for sha in groups.shas]
    vectors = torch.from_numpy(reader.vectors(readings)[:, : encoder.hidden_size].astype(np.float16)).to(policy.device)
    out = np.array([is_held_out(name, settings.val_fraction, seed) for name in groups.theorems])
    data = TrainingData(vectors, groups, out, encoder.spec, failed_held_out(groups, settings.val_fraction, seed))
    metrics = train_head(data, ebm, seed, policy.device, folder / "head", {})
    for file in (WEIGHTS, CONFIG):
        (folder / "head" / file).rename(folder / file)
    report = {"held_out_rank1": metrics["rank1"], "best_step": metrics["best_step"], "counts": metrics["counts"]}
    card = replace(card_of(settings, policy, encoder.hidden_size), report=report)
    write_json(folder / CARD, asdict(card))
