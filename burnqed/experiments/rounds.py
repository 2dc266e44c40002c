"""Does expert iteration rise? Rounds over several training and sampling seeds, against controls of equal steps.

The endpoint is fixed before the run: solved at the largest budget, last round minus round 0, and last round minus
each control. A theorem counts with its mean over all training and sampling seeds, and theorems are resampled, so an
interval says what other theorems would have shown. The controls train as many steps as the last round: without any
found proof, and with the found tactics dealt out to other states.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from burnqed.evaluation.statistics import Difference, paired_bootstrap, sampling_noise
from burnqed.files import UserError
from burnqed.records.evaluations import read_eval, solved_within
from burnqed.records.trees import read_checked

BASE = "base"
ARM_NAMES = {
    BASE: "base model",
    "no_proofs": "control: same steps without found proofs",
    "shuffled": "control: found tactics dealt out to other states",
    "dpo": "last round with preferences from Lean's errors",
}


@dataclass(frozen=True)
class ArmResults:
    """One arm, such as round_2 or no_proofs: by training seed and sampling seed, the theorems solved at each budget.

    ``levels`` are the grades of the theorems' difficulty, where the benchmark has them.
    """

    name: str
    solved: Mapping[tuple[int, int], Mapping[int, frozenset[str]]]
    theorems: tuple[str, ...]
    budgets: tuple[int, ...]
    levels: Mapping[str, int]

    def outcomes(self, budget: int) -> list[list[float]]:
        """Return for each theorem its results (0 or 1), one per training and sampling seed."""
        keys = sorted(self.solved)
        return [[float(name in self.solved[key][budget]) for key in keys] for name in self.theorems]

    def means(self, budget: int) -> list[float]:
        """Return for each theorem its mean over the seeds."""
        return [sum(own) / len(own) for own in self.outcomes(budget)]

    @property
    def is_round(self) -> bool:
        """Whether it is a round, not the base model, a control or a variant."""
        return self.name.startswith("round_")


@dataclass(frozen=True)
class ArmRow:
    """An arm at a budget: its mean rate, and its paired difference to round 0 (None for round 0 itself)."""

    arm: str
    budget: int
    rate: Difference
    to_first: Difference | None
    noise: float


@dataclass(frozen=True)
class Claim:
    """The last round against a reference, at the largest budget; ``by_seed``: difference per training seed."""

    reference: str
    difference: Difference
    by_seed: Mapping[int, float]


@dataclass(frozen=True)
class RoundsResult:
    """Everything the study measured."""

    rows: list[ArmRow]
    claims: list[Claim]
    steps: list[Difference]  # each round minus the one before, largest budget
    budget: int
    theorems: int
    training_seeds: list[int]
    sampling_seeds: list[int]
    found: dict[str, float]  # theorems of the pool solved up to and with a round, mean over training seeds
    by_level: dict[int, tuple[int, float, float]]  # theorems, rate of round 0, rate of the last round
    benchmark: str


def read_arms(folder: Path, evals: Sequence[Path]) -> list[ArmResults]:
    """Read eval files below the study's folder: ``[seed_S/]ARM/eval/[seed_K/]llm.json``.

    The base model has no training seed. Raises UserError when the arms were not evaluated on the same theorems.
    """
    found: dict[str, dict[tuple[int, int], dict[int, frozenset[str]]]] = {}
    theorems: tuple[str, ...] | None = None
    levels: dict[str, int] = {}
    budgets: tuple[int, ...] = ()
    for path in evals:
        parts = path.relative_to(folder).parts
        training = int(parts[0].removeprefix("seed_")) if parts[0].startswith("seed_") else -1
        arm = parts[1] if training >= 0 else parts[0]
        evaluation = read_eval(path)
        names = tuple(row["name"] for row in evaluation["per_theorem"])
        theorems = theorems or names
        if names != theorems:
            raise UserError(f"{path}: other theorems than {evals[0]}; delete the older eval files and run again")
        levels |= {row["name"]: int(row["level"]) for row in evaluation["per_theorem"] if row.get("level")}
        budgets = tuple(row["budget"] for row in evaluation["results"])
        solved = {budget: frozenset(solved_within(evaluation, budget)) for budget in budgets}
        found.setdefault(arm, {})[training, int(evaluation["seeds"][0])] = solved
    if theorems is None:
        raise UserError(f"{folder}: no eval files")
    arms = [ArmResults(name, solved, theorems, budgets, levels) for name, solved in found.items()]
    return sorted(arms, key=lambda arm: (arm.name != BASE, not arm.is_round, arm.name))


def compare_rounds(
    arms: Sequence[ArmResults],
    proofs: Mapping[str, Mapping[int, Path]],
    benchmark: str,
    confidence: float = 0.95,
    samples: int = 10000,
) -> RoundsResult:
    """Return the study's result; ``proofs`` are the re-checked proofs by round and training seed."""
    rounds = [arm for arm in arms if arm.is_round]
    if len(rounds) < 2:
        raise UserError("expert_iteration: needs at least two rounds; raise study.rounds")
    first, last = rounds[0], rounds[-1]
    largest = last.budgets[-1]
    zeros = [0.0] * len(first.theorems)

    def difference(one: ArmResults, other: ArmResults, budget: int) -> Difference:
        return paired_bootstrap(one.means(budget), other.means(budget), samples, confidence)

    rows = [
        ArmRow(
            arm.name,
            budget,
            paired_bootstrap(zeros, arm.means(budget), samples, confidence),
            None if arm is first else difference(first, arm, budget),
            sampling_noise(arm.outcomes(budget)),
        )
        for budget in first.budgets
        for arm in arms
    ]
    references = [first, *(arm for arm in arms if arm.name in ("no_proofs", "shuffled"))]
    claims = [Claim(arm.name, difference(arm, last, largest), _by_seed(arm, last, largest)) for arm in references]
    return RoundsResult(
        rows,
        claims,
        [difference(*pair, largest) for pair in pairwise(rounds)],
        largest,
        len(first.theorems),
        sorted({seed for seed, _ in last.solved}),
        sorted({seed for _, seed in last.solved}),
        _found(proofs),
        _by_level(first, last, largest),
        benchmark,
    )


def _by_seed(reference: ArmResults, arm: ArmResults, budget: int) -> dict[int, float]:
    """Return the difference of mean rates for each training seed."""

    def rate(of: ArmResults, seed: int) -> float:
        own = [len(solved[budget]) for (training, _), solved in of.solved.items() if training == seed]
        return sum(own) / len(own) / len(of.theorems)

    return {seed: rate(arm, seed) - rate(reference, seed) for seed in sorted({s for s, _ in arm.solved})}


def _found(proofs: Mapping[str, Mapping[int, Path]]) -> dict[str, float]:
    """Return the mean number of different theorems proved in all rounds up to each."""
    known: dict[int, set[str]] = {}
    counts = {}
    for name in sorted(proofs):
        for seed, path in proofs[name].items():
            known.setdefault(seed, set()).update(proof.theorem for proof in read_checked([path]))
        counts[name] = sum(map(len, known.values())) / len(known)
    return counts


def _by_level(first: ArmResults, last: ArmResults, budget: int) -> dict[int, tuple[int, float, float]]:
    before, after = (dict(zip(arm.theorems, arm.means(budget), strict=True)) for arm in (first, last))
    found = {}
    for level in sorted(set(first.levels.values())):
        names = [name for name in first.theorems if first.levels.get(name) == level]
        rates = [sum(means[name] for name in names) / len(names) for means in (before, after)]
        found[level] = len(names), rates[0], rates[1]
    return found


def arm_name(name: str) -> str:
    """Return what a reader calls an arm."""
    return ARM_NAMES.get(name, name.replace("_", " "))


def verdict(result: RoundsResult) -> str:
    """Return in a sentence whether the iteration rose, by how much, and against which control."""
    parts = []
    for claim in result.claims:
        d = claim.difference
        word = "more than" if d.low > 0 else "fewer than" if d.high < 0 else "not measurably more than"
        parts.append(
            f"{100 * d.value:+.1f} points ({100 * d.low:+.1f} to {100 * d.high:+.1f}; detectable "
            f"{100 * d.detectable:.1f}), {word} {arm_name(claim.reference)}"
        )
    rose = all(claim.difference.low > 0 for claim in result.claims)
    head = "Expert iteration rises" if rose else "Expert iteration is not shown to rise"
    return f"{head}: the last round solves {'; '.join(parts)}."


def csv_rows(result: RoundsResult) -> list[dict[str, object]]:
    """Return one row per arm and budget."""
    return [
        {
            "arm": row.arm,
            "budget": row.budget,
            **_numbers("rate", row.rate),
            **(_numbers("to_round_0", row.to_first) if row.to_first else dict.fromkeys(_keys("to_round_0"), "")),
            "sampling_noise": round(row.noise, 6),
        }
        for row in result.rows
    ]


def _keys(name: str) -> list[str]:
    return [name, f"{name}_low", f"{name}_high", f"{name}_detectable"]


def _numbers(name: str, d: Difference) -> dict[str, object]:
    return dict(zip(_keys(name), (round(v, 6) for v in (d.value, d.low, d.high, d.detectable)), strict=True))


def render(result: RoundsResult, confidence: float) -> str:
    """Return the study as Markdown."""
    from burnqed.report.tables import to_markdown

    rows = [
        {
            "": arm_name(row.arm),
            "solved": _percent(row.rate),
            "to round 0, points": _points(row.to_first) if row.to_first else "",
            "detectable": f"{100 * row.to_first.detectable:.1f}" if row.to_first else "",
            "sampling noise": f"±{100 * row.noise:.1f}",
            "of the pool proved so far": f"{result.found[row.arm]:.0f}" if row.arm in result.found else "",
        }
        for row in result.rows
        if row.budget == result.budget
    ]
    claims = [
        {
            "last round against": arm_name(claim.reference),
            "points": _points(claim.difference),
            **{f"seed {seed}": f"{100 * value:+.1f}" for seed, value in claim.by_seed.items()},
        }
        for claim in result.claims
    ]
    steps = ", ".join(_points(step) for step in result.steps)
    levels: list[dict[str, object]] = [
        {"level": level, "theorems": count, "round 0": f"{100 * one:.1f} %", "last round": f"{100 * two:.1f} %"}
        for level, (count, one, two) in result.by_level.items()
    ]
    return "\n".join(
        [
            "# Does expert iteration rise?\n",
            f"**{verdict(result)}**\n",
            f"{result.theorems} held-out theorems of {result.benchmark}, {result.budget} expanded nodes, re-checked proofs "
            f"only; training seeds {_list(result.training_seeds)}, sampling seeds {_list(result.sampling_seeds)}. A theorem "
            f"counts with its mean over all seeds. {100 * confidence:g} % bootstrap intervals over theorems; detectable: the "
            "true difference that is found with a probability of 80 %; sampling noise: standard error of the rate from "
            "sampling alone.\n",
            to_markdown(rows),
            to_markdown(claims),
            f"Each round minus the one before, points: {steps}.\n",
            *(["By grade of difficulty:\n", to_markdown(levels)] if levels else []),
        ]
    )


def _percent(d: Difference) -> str:
    return f"{100 * d.value:.1f} % ({100 * d.low:.1f} - {100 * d.high:.1f})"


def _points(d: Difference) -> str:
    return f"{100 * d.value:+.1f} ({100 * d.low:+.1f} to {100 * d.high:+.1f})"


def _list(values: Sequence[int]) -> str:
    return ", ".join(map(str, values))
