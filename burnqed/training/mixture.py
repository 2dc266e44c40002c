"""What one iteration's fine-tuning sees: tactic pairs, and steps of proofs found so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from burnqed.artifacts import UserError, digest, read_jsonl
from burnqed.config import SFTSettings
from burnqed.data.pairs import TacticPair
from burnqed.training.continuations import choose_continuations

CONTINUATION_STREAM = 1  # of random numbers, besides that which chooses the pairs


@dataclass(frozen=True)
class Mixture:
    """Training texts as (state, tactic) and (state, rest of the proof), with the counts of their sources."""

    texts: list[tuple[str, str]]
    counts: dict[str, int]
    continuations: list[tuple[str, str]] = field(default_factory=list)


def read_positives(
    trajectories: Sequence[Path], proofs: Sequence[Path]
) -> list[tuple[str, str, str, tuple[int, str, str, int]]]:
    """Return the (state, tactic, theorem, search) steps on the paths of re-checked proofs, in file order.

    Raises UserError for a proof that does not say which search found it.
    """
    from burnqed.search.trajectories import read_steps

    checked: set[tuple[int, str, str, int]] = set()
    for path in proofs:
        for number, row in enumerate(read_jsonl(path), 1):
            try:
                checked.add((int(row["iteration"]), str(row["kind"]), str(row["theorem"]), int(row["attempt"])))
            except (KeyError, TypeError, ValueError) as error:
                raise UserError(
                    f"{path}: proof {number}: needs iteration, kind, theorem and attempt ({error!r})"
                ) from error
    columns = ["iteration", "kind", "theorem", "attempt", "on_proof_path", "state", "tactic"]
    found: list[tuple[str, str, str, tuple[int, str, str, int]]] = []
    for path in trajectories:
        table = read_steps(path, columns=columns)
        for row in table.filter(table["on_proof_path"]).to_pylist():
            search = (row["iteration"], row["kind"], row["theorem"], row["attempt"])
            if search in checked:
                found.append((row["state"], row["tactic"], row["theorem"], search))
    return found


def held_out_theorems(
    pairs: Sequence[TacticPair],
    val_pairs: Sequence[TacticPair],
    positives: Sequence[tuple[str, str, str, object]],
    share: float,
    seed: int,
) -> set[str]:
    """Return the theorems whose proof steps are not trained on.

    Those of the validation pairs, and, of the searched theorems that the pairs do not know, a share
    chosen by name and seed: the same theorems in every iteration.
    """
    known = {pair.theorem for pair in pairs}
    held = {pair.theorem for pair in val_pairs}
    for name in {theorem for _, _, theorem, _ in positives} - known - held:
        if int(digest([seed, name])[:8], 16) < share * 2**32:
            held.add(name)
    return held


def mix(
    pairs: Sequence[TacticPair],
    positives: Sequence[tuple[str, str, str, object]],
    held_out: set[str],
    iteration: int,
    settings: SFTSettings,
    seed: int,
) -> Mixture:
    """Return the training texts of an iteration.

    Iteration 0 sees all pairs. A later one sees a random share of them, and each different positive
    step ``positive_upsample`` times, unless it is among the pairs seen or its theorem is held out
    for validation. Besides, each sees rests of proofs, as many as make up ``continuation_share``.
    """
    chosen = list(pairs)
    if iteration > 0:
        count = round(settings.base_pair_share * len(pairs))
        rng = np.random.default_rng([seed, iteration])
        chosen = [pairs[index] for index in sorted(rng.choice(len(pairs), size=count, replace=False).tolist())]
    base = [(pair.state, pair.tactic) for pair in chosen]
    seen = set(base)
    fresh: list[tuple[str, str]] = []
    for state, tactic, theorem, _ in positives:
        if theorem not in held_out and (state, tactic) not in seen:
            seen.add((state, tactic))
            fresh.append((state, tactic))
    texts = base + fresh * settings.positive_upsample
    counts = {"pairs": len(base), "positive_steps": len(positives), "new_positive_steps": len(fresh)}
    share = settings.continuation_share
    wanted = round(share / (1 - share) * len(texts))
    rests = choose_continuations(
        pairs, positives, held_out, wanted, settings.positive_upsample, [seed, iteration, CONTINUATION_STREAM]
    )
    return Mixture(texts, counts | ({"continuations": len(rests)} if share else {}), rests)
