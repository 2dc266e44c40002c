"""What a run found, in a few sentences: what training changed, what the head changed, what it cost."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from burnqed.evaluation.statistics import mcnemar, paired_bootstrap
from burnqed.records.evaluations import Evaluation, solved_within
from burnqed.report.figures_training import PART_NAMES, PARTS, ledger
from burnqed.report.run import Run
from burnqed.report.summary import model_name
from burnqed.words import counted

STAGES = {  # what a stage's last word means to a reader
    "data": "data",
    "base": "base model",
    "adapter": "fine-tuning",
    "model": "merging",
    "embeddings": "encoding",
    "ebm": "head training",
    "search": "search",
    "theorems": "search",
    "trajectories": "search",
    "proofs": "re-check",
    "eval": "evaluation",
    "baseline": "evaluation",
    "gate": "gates",
}
SHOWN_STAGES = 4


@dataclass
class Verdict:
    """The first sentence of a report, and those that follow it."""

    headline: str
    details: list[str] = field(default_factory=list)


def _share(evaluation: Evaluation) -> str:
    last = evaluation["results"][-1]
    return f"{100 * last['rate']:.1f} % ({last['solved']} of {last['total']})"


@dataclass(frozen=True)
class Change:
    """A paired difference in words; ``is_clear``: its interval leaves out zero."""

    points: str
    counts: str
    is_clear: bool


def _change(before: Evaluation, after: Evaluation) -> Change:
    """Return the paired difference of two evaluations of the same theorems."""
    names = [row["name"] for row in before["per_theorem"]]
    first, second = solved_within(before), solved_within(after)
    found = paired_bootstrap([float(name in first) for name in names], [float(name in second) for name in names])
    p = mcnemar(len(second - first), len(first - second))
    points = f"{100 * found.value:+.1f} points, 95 % interval {100 * found.low:+.1f} to {100 * found.high:+.1f}"
    counts = f"{counted(len(second - first), 'theorem')} won, {len(first - second)} lost, p = {p:.2g}"
    return Change(points, counts, found.low > 0 or found.high < 0)


def verdict(run: Run) -> Verdict:
    """Return what the run found on its benchmark; raise UserError when an eval file is missing or damaged."""
    found = {(model["label"], model["variant"]): evaluation for model, evaluation in run.evaluations()}
    labels = run.labels()
    base = found[labels[0], "llm"]
    where, nodes = f"on {run.benchmark['name']}", base["results"][-1]["budget"]
    if len(labels) == 1:
        return Verdict(f"The base model solves {_share(base)} {where} within {nodes} nodes; nothing is trained yet.")
    last = found[labels[-1], "llm"]
    change = _change(base, last)
    rounds = counted(len(labels) - 1, "iteration")
    rates = f"from {_share(base)} to {_share(last)}"
    if change.is_clear:
        verb = "raised" if last["results"][-1]["rate"] > base["results"][-1]["rate"] else "lowered"
        headline = f"Training {verb} the solve rate {where} {rates} in {rounds}."
    else:
        headline = f"No measurable change: the solve rate {where} went {rates} in {rounds}."
    within = f"{change.points} ({change.counts}), within {nodes} expanded nodes a theorem; every proof was re-checked."
    said = Verdict(headline, [within])
    if len(labels) > 2:
        later = _change(found[labels[1], "llm"], last)
        said.details.append(
            f"From {model_name(labels[1])} to {model_name(labels[-1])}: {later.points} ({later.counts})"
            f"{'' if later.is_clear else ': no measurable change'}."
        )
    head = found.get((labels[-1], "llm_ebm"))
    if head is not None:
        effect = _change(last, head)
        said.details.append(
            f"{model_name(labels[-1]).capitalize()} with the energy head: {effect.points} ({effect.counts})"
            f"{'' if effect.is_clear else ': no measurable effect'}."
        )
    return said


def scale(model: dict[str, object]) -> str:
    """Return what kind of run this is, so that a rehearsal is not read as a result."""
    if model.get("kind") == "scratch":
        return (
            "This is a rehearsal: a small model trained from scratch on generated theorems. It shows that the loop works; "
            "it is no result about large models or Mathlib."
        )
    return f"The base model is {model.get('repository') or 'a local model'}."


def cost_sentence(run: Run) -> str:
    """Return what the run took and where the time went, "" without sidecars."""
    rows = [row for row in ledger(run.results) if row["stage"] != "report"]
    total = sum(row["wall_seconds"] for row in rows)
    if not total:
        return ""
    hours, dollars = sum(row["gpu_seconds"] for row in rows) / 3600, sum(row["estimated_cost"] for row in rows)
    stages: Counter[str] = Counter()
    for row in rows:
        stages[STAGES.get(str(row["stage"]).split()[-1], "other")] += row["wall_seconds"]
    shares = ", ".join(f"{name} {100 * seconds / total:.0f} %" for name, seconds in stages.most_common(SHOWN_STAGES))
    spent = f", {hours:.1f} GPU hours and about {dollars:.2f} US dollars" if hours else ", no GPU"
    jobs = sum(int(row["jobs"]) for row in rows)
    return f"{counted(jobs, 'job')} took {_duration(total)} of job time{spent}: {shares}."


def _duration(seconds: float) -> str:
    minutes = seconds / 60
    return f"{minutes / 60:.1f} hours" if minutes >= 120 else f"{minutes:.1f} minutes"


def time_sentence(run: Run) -> str:
    """Return where the time of the last evaluation's searches went, "" when it was not recorded."""
    split = run.sidecar(run.eval_path(run.models[-1])).get("timing", {}).get("split", {})
    total = sum(split.get(part, 0.0) for part in PARTS)
    if not total:
        return ""
    shares = ", ".join(f"{PART_NAMES[part]} {100 * split.get(part, 0.0) / total:.0f} %" for part in PARTS)
    return f"Time of the last evaluation's searches: {shares}."
