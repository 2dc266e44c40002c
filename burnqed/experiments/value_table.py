"""The comparison of all values and orders: differences to the policy's own order, at equal nodes, seconds and tokens."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from burnqed.config import EvaluationSettings, ValueLabSettings
from burnqed.evaluation.statistics import Difference, paired_bootstrap
from burnqed.experiments.value_lab import LOGPROB, ORACLE, PERMUTED, REFERENCE, Costs, Discrimination, Replays, Row
from burnqed.files import UserError
from burnqed.records.trees import read_checked, read_trees
from burnqed.report.tables import to_markdown
from burnqed.value.labels import Negatives, labelled_states, provable_negatives

TUNED = "tuned"
ORDER_NAMES = {
    LOGPROB: "log-probability",
    ORACLE: "oracle: shortest proof first",
    "random": "random",
    "energy": "value alone",
    "weighted": "weighted",
    "hybrid": "hybrid",
    TUNED: "logprob - c energy",
    PERMUTED: "the same, energies permuted",
}
Solves = Callable[[Row, "Replays"], bool]


@dataclass(frozen=True)
class OrderRow:
    """One order of one arm: solved shares by budget, and differences to the log-probability."""

    arm: str
    order: str
    solved: Mapping[int, Difference]
    to_logprob: Mapping[int, Difference]
    equal_seconds: Difference
    equal_tokens: Difference
    coefficients: list[float]
    unreached: float  # share of searches that wanted a state the tree does not have, at the endpoint's budget


@dataclass(frozen=True)
class QualityRow:
    """How an arm tells provable states of the benchmark's trees from others, mean over training seeds."""

    arm: str
    auc: float
    rank1: float
    chance: float
    groups: int
    theorems: int
    milliseconds: float


@dataclass(frozen=True)
class LabelTest:
    """States labelled "not proved" that a search of four times the nodes proves."""

    name: str
    provable: int
    searched: int

    @property
    def share(self) -> float:
        """The false-negative rate of the labels."""
        return self.provable / self.searched if self.searched else 0.0


@dataclass(frozen=True)
class LabResult:
    """Everything the laboratory measured; ``curves``: solved share by nodes, of arm and order."""

    rows: list[OrderRow]
    quality: list[QualityRow]
    labels: list[LabelTest]
    curves: Mapping[tuple[str, str], list[float]]
    endpoint: OrderRow
    by_seed: Mapping[int, float]
    nodes: int
    budgets: list[int]
    theorems: int
    pairs: int
    seeds: list[int]
    sampling_seeds: list[int]
    costs: Costs
    refused: int

    @property
    def headroom(self) -> float:
        """What the best of all orders gains over the log-probability at the endpoint's budget."""
        oracle = next(row for row in self.rows if row.order == ORACLE)
        return oracle.to_logprob[self.nodes].value


def compare_values(
    replays: Sequence[Replays],
    refused: Collection[tuple[str, tuple[str, ...]]],
    lab: ValueLabSettings,
    settings: EvaluationSettings,
    labels: list[LabelTest],
) -> LabResult:
    """Return the comparison; raise UserError when the arms were not replayed on the same theorems."""
    policy = next((r for r in replays if r.arm == REFERENCE), None)
    if policy is None or policy.costs is None:
        raise UserError("value_lab: the policy's own orders are missing")
    costs = policy.costs
    theorems = sorted({row.theorem for row in policy.rows})
    samplings = sorted({row.sampling_seed for row in policy.rows})
    seeds = sorted({r.seed for r in replays if r.arm != REFERENCE})
    by_arm: dict[str, list[Replays]] = {}
    for one in replays:
        by_arm.setdefault(one.arm, []).append(one)
    expected = {(t, s) for t in theorems for s in samplings}

    def means(arm: str, order: str, solves: Solves) -> list[float]:
        """Return for each theorem its mean over training and sampling seeds."""
        total = dict.fromkeys(theorems, 0.0)
        count = 0
        for one in by_arm[arm]:
            own = [row for row in one.rows if row.order == order]
            if {(row.theorem, row.sampling_seed) for row in own} != expected:
                raise UserError(f"value_lab: {arm}, seed {one.seed}: replayed on other theorems; delete and run again")
            count += len(samplings)
            for row in own:
                total[row.theorem] += (row.theorem, row.proof) not in refused and solves(row, one)
        return [total[name] / count for name in theorems]

    def within(nodes: int) -> Solves:
        return lambda row, _: row.solves(nodes)

    seconds = lab.nodes * (costs.policy_seconds + costs.tactics * costs.lean_seconds)
    tokens = lab.nodes * costs.policy_tokens

    def in_seconds(row: Row, one: Replays) -> bool:
        spent = row.nodes * costs.policy_seconds + row.tactics * costs.lean_seconds + row.states * one.seconds_per_state
        return bool(row.proof) and spent <= seconds

    def in_tokens(row: Row, one: Replays) -> bool:
        return bool(row.proof) and row.nodes * costs.policy_tokens + row.tokens <= tokens

    def difference(before: list[float], after: list[float]) -> Difference:
        return paired_bootstrap(before, after, settings.bootstrap_samples, settings.confidence)

    budgets = sorted({*settings.budgets, lab.nodes})
    reference = {n: means(REFERENCE, LOGPROB, within(n)) for n in budgets}
    at_seconds, at_tokens = (means(REFERENCE, LOGPROB, solves) for solves in (in_seconds, in_tokens))
    zeros = [0.0] * len(theorems)
    rows, curves = [], {}
    for arm, own in by_arm.items():
        for order in dict.fromkeys(row.order for row in own[0].rows):
            solved = {n: means(arm, order, within(n)) for n in budgets}
            if order == ORACLE:  # it has no costs: what it would try is not known
                spent = [difference(at_seconds, at_seconds)] * 2
            else:
                spent = [
                    difference(at_seconds, means(arm, order, in_seconds)),
                    difference(at_tokens, means(arm, order, in_tokens)),
                ]
            searched = [row for one in own for row in one.rows if row.order == order]
            short = sum(not row.complete and row.nodes < lab.nodes for row in searched)
            rows.append(
                OrderRow(
                    arm, order,
                    {n: difference(zeros, solved[n]) for n in budgets},
                    {n: difference(reference[n], solved[n]) for n in budgets},
                    spent[0], spent[1],
                    [one.coefficient for one in own] if order in (TUNED, PERMUTED) else [],
                    short / len(searched),
                )
            )  # fmt: skip
            curves[arm, order] = [float(np.mean(means(arm, order, within(n)))) for n in range(1, max(budgets) + 1)]
    endpoint = next(row for row in rows if row.arm == lab.endpoint and row.order == TUNED)
    return LabResult(
        rows,
        [_quality(arm, own) for arm, own in by_arm.items()],
        labels,
        curves,
        endpoint,
        _by_seed(by_arm, lab, theorems, refused),
        lab.nodes,
        budgets,
        len(theorems),
        len(theorems) * len(seeds) * len(samplings),
        seeds,
        samplings,
        costs,
        len(refused),
    )


def _by_seed(
    by_arm: Mapping[str, list[Replays]],
    lab: ValueLabSettings,
    theorems: Sequence[str],
    refused: Collection[tuple[str, tuple[str, ...]]],
) -> dict[int, float]:
    """Return the endpoint's difference for each training seed."""

    def rate(one: Replays, order: str) -> float:
        own = [row for row in one.rows if row.order == order]
        return sum(row.solves(lab.nodes) and (row.theorem, row.proof) not in refused for row in own) / len(own)

    policy = rate(by_arm[REFERENCE][0], LOGPROB)
    return {one.seed: rate(one, TUNED) - policy for one in by_arm[lab.endpoint]}


def _quality(arm: str, own: Sequence[Replays]) -> QualityRow:
    found: list[Discrimination] = [one.discrimination for one in own]
    return QualityRow(
        LOGPROB if arm == REFERENCE else arm,
        float(np.mean([d.auc for d in found])),
        float(np.mean([d.rank1 for d in found])),
        found[0].chance,
        found[0].groups,
        found[0].theorems,
        1000 * float(np.mean([one.seconds_per_state for one in own])),
    )


def label_tests(trajectories: Sequence[Path], proofs: Sequence[Path], larger: Path) -> list[LabelTest]:
    """Return how many states labelled "not proved" a larger search proves, by kind of label."""
    trees, again = read_trees(trajectories), read_trees([larger])
    checked = {proof.theorem for proof in read_checked(proofs)}
    kinds: tuple[Negatives, ...] = ("expanded", "exhausted")
    return [LabelTest(kind, *provable_negatives(labelled_states(trees, checked, kind), again)) for kind in kinds]


def verdict(result: LabResult) -> str:
    """Return in a sentence what the endpoint came to."""
    d = result.endpoint.to_logprob[result.nodes]
    points = (
        f"{100 * d.value:+.1f} points ({100 * d.low:+.1f} to {100 * d.high:+.1f}; detectable {100 * d.detectable:.1f})"
    )
    if d.low > 0:
        word = "solves more than" if d.value >= 0.03 else "solves more than, by less than 3 points,"
    elif d.high < 0.03:
        word = "is refuted: it does not solve 3 points more than"
    else:
        word = "is not shown to solve more than"
    return (
        f"At {result.nodes} nodes the value {result.endpoint.arm} {word} the log-probability: {points}, over "
        f"{result.pairs} pairs of theorem and seeds; the best of all orders gains {100 * result.headroom:.1f}."
    )


def csv_rows(result: LabResult) -> list[dict[str, object]]:
    """Return one row per arm, order and budget."""
    return [
        {
            "arm": row.arm,
            "order": row.order,
            "nodes": nodes,
            **_numbers("solved", row.solved[nodes]),
            **_numbers("to_logprob", row.to_logprob[nodes]),
            "detectable": round(row.to_logprob[nodes].detectable, 6),
            **(_numbers("equal_seconds", row.equal_seconds) if nodes == result.nodes else _nothing("equal_seconds")),
            **(_numbers("equal_tokens", row.equal_tokens) if nodes == result.nodes else _nothing("equal_tokens")),
            "unreached": round(row.unreached, 6),
        }
        for row in result.rows
        for nodes in result.budgets
    ]


def _numbers(name: str, d: Difference) -> dict[str, object]:
    values = (round(v, 6) for v in (d.value, d.low, d.high))
    return dict(zip((name, f"{name}_low", f"{name}_high"), values, strict=True))


def _nothing(name: str) -> dict[str, object]:
    return dict.fromkeys((name, f"{name}_low", f"{name}_high"), "")


def render(result: LabResult, confidence: float) -> str:
    """Return the laboratory's results as Markdown."""
    nodes = result.nodes
    rows: list[dict[str, object]] = [
        {
            "value": row.arm,
            "order": ORDER_NAMES[row.order],
            **{f"@{n}": f"{100 * row.solved[n].value:.1f}" for n in result.budgets},
            f"to log-probability @{nodes}": "" if row.order == LOGPROB else points(row.to_logprob[nodes]),
            "detectable": "" if row.order == LOGPROB else f"{100 * row.to_logprob[nodes].detectable:.1f}",
            "at equal seconds": "" if row.order in (LOGPROB, ORACLE) else points(row.equal_seconds),
            "at equal tokens": "" if row.order in (LOGPROB, ORACLE) else points(row.equal_tokens),
            "c": ", ".join(f"{c:g}" for c in row.coefficients),
        }
        for row in sorted(result.rows, key=lambda row: row.arm != REFERENCE)
    ]
    quality: list[dict[str, object]] = [
        {
            "": row.arm,
            "AUC": f"{row.auc:.3f}",
            "first among siblings": f"{row.rank1:.3f}",
            "chance": f"{row.chance:.3f}",
            "groups": row.groups,
            "theorems": row.theorems,
            "ms a state": f"{row.milliseconds:.2f}",
        }
        for row in result.quality
    ]
    labels: list[dict[str, object]] = [
        {"label": t.name, "provable": t.provable, "of": t.searched, "share": f"{100 * t.share:.1f} %"}
        for t in result.labels
    ]
    seeds = ", ".join(f"seed {seed} {100 * value:+.1f}" for seed, value in result.by_seed.items())
    short = max(row.unreached for row in result.rows)
    costs = result.costs
    return "\n".join(
        [
            "# Which value is worth its cost?\n",
            f"**{verdict(result)}**\n",
            f"{result.theorems} held-out theorems, training seeds {_list(result.seeds)}, sampling seeds "
            f"{_list(result.sampling_seeds)}; re-checked proofs only ({result.refused} refused). Solved in %, differences in "
            f"points with {100 * confidence:g} % bootstrap intervals over theorems; detectable: the true difference that "
            f"is found with a probability of 80 %. By training seed: {seeds}. At most {100 * short:.1f} % of the searches "
            f"of an order wanted a state that its tree does not have within {nodes} nodes; they count as unsolved.\n",
            to_markdown(rows),
            f"An expansion costs {1000 * costs.policy_seconds:.1f} ms of the policy ({costs.policy_tokens:.0f} tokens) and "
            f"{1000 * costs.tactics * costs.lean_seconds:.1f} ms of Lean ({costs.tactics:.1f} tactics); equal seconds and "
            f"tokens are those of {nodes} expansions without a value.\n",
            "On the true labels of the benchmark's expanded states:\n",
            to_markdown(quality),
            "States labelled as not proved that a search of four times the nodes proves:\n",
            to_markdown(labels),
        ]
    )


def points(d: Difference) -> str:
    """Return a difference in points with its interval."""
    return f"{100 * d.value:+.1f} ({100 * d.low:+.1f} to {100 * d.high:+.1f})"


def _list(values: Sequence[int]) -> str:
    return ", ".join(map(str, values))
