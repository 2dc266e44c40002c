"""What joint training brings, and by which half: three configurations over the same data, seeds and budgets.

A: fine-tuned adapter, head trained on its embeddings. B: jointly trained adapter, head trained in the same
way on its embeddings. C: jointly trained adapter with its own head. Both adapters also search by
log-probability alone. The control is joint training with weight 0, which has to be the fine-tuning again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from burnqed.config import EvaluationSettings
from burnqed.experiments.ablation import REFERENCE, Evals, Row, ablation_row
from burnqed.files import UserError, read_json, read_jsonl, sha256_file, write_json, write_text
from burnqed.records.evaluations import read_eval
from burnqed.records.heads import read_head_metrics
from burnqed.report.tables import to_csv, to_markdown

MODELS = ("sft", "joint")
ARMS = {"A": "sft", "B": "joint", "C": "joint_own"}
HEADS = {name: f"{arm}/ebm" for name, arm in ARMS.items()}
SEARCHES = {arm: f"{arm}/eval/llm" for arm in MODELS} | {name: f"{arm}/eval/llm_ebm" for name, arm in ARMS.items()}
STEPS = {
    ("A", "B"): "the same head recipe, on the embeddings of joint training",
    ("B", "C"): "on the same backbone, the head that was trained with it",
    ("A", "C"): "all of joint training against all of separate training",
    ("sft", "joint"): "the backbones alone, searched by log-probability",
    ("sft", "A"): "what the separate head adds to the fine-tuned backbone",
    ("joint", "C"): "what its own head adds to the jointly trained backbone",
}
EMBEDDING = ("centroid_l2", "linear_probe", "norm_gap", "sibling_l2", "effective_dimension", "variance_top1")
HEAD = ("rank1", "chance", "sibling_rank1", "sibling_chance", "energy_gap", "temperature")


def same_training(sft: Path, control: Path) -> bool:
    """Return whether two adapter folders hold the same weights, reached by the same loss at every step."""
    losses = [[row["loss"] for row in read_jsonl(folder / "history.jsonl")] for folder in (sft, control)]
    weights = [sha256_file(folder / "adapter_model.safetensors") for folder in (sft, control)]
    return losses[0] == losses[1] and weights[0] == weights[1]


def kept_loss(adapter: Path) -> float | None:
    """Return the loss of held-out tactics at the step that was kept; of joint training without the contrast."""
    best = read_json(adapter / "training.json")["best_step"]
    return next((row.get("val_loss") for row in read_jsonl(adapter / "history.jsonl") if row["step"] == best), None)


def read_run(folder: Path) -> dict[str, Any]:
    """Return the measurements of one seed's run; raise UserError for a missing or damaged file."""
    losses = {arm: kept_loss(folder / arm / "adapter") for arm in MODELS}
    metrics = {name: read_head_metrics(folder / path) for name, path in HEADS.items()}
    evals = {name: read_eval(folder / f"{path}.json") for name, path in SEARCHES.items()}
    names = {name: [row["name"] for row in evaluation["per_theorem"]] for name, evaluation in evals.items()}
    if len({tuple(found) for found in names.values()}) > 1:
        raise UserError(f"{folder}: its searches were not run on the same theorems; delete the older eval files")
    return {
        "seed": int(evals["sft"]["seeds"][0]),
        "control_is_sft": same_training(folder / "sft" / "adapter", folder / "control" / "adapter"),
        "loss_of_tactics": losses,
        "embedding": {
            model: {key: metrics[head].get(key) for key in EMBEDDING} for model, head in (("sft", "A"), ("joint", "B"))
        },
        "head": {name: {key: found.get(key) for key in HEAD} for name, found in metrics.items()},
        "evals": evals,
    }


def compare(runs: Sequence[Mapping[str, Any]], one: str, other: str, confidence: float, samples: int) -> Row:
    """Return the paired comparison of two configurations over all seeds, at the largest budget."""
    ways: Evals = {
        REFERENCE: {run["seed"]: run["evals"][one] for run in runs},
        other: {run["seed"]: run["evals"][other] for run in runs},
    }
    seeds = sorted(ways[REFERENCE])
    budget = ways[REFERENCE][seeds[0]]["results"][-1]["budget"]
    return ablation_row(ways, other, seeds, budget, confidence, samples)


def sentence(one: str, other: str, row: Row, before: float, confidence: float) -> str:
    """Return in words what a comparison shows; it claims an effect only when the interval leaves out zero."""
    d = row.difference
    if d.low > 0:
        verdict = "more theorems are solved"
    elif d.high < 0:
        verdict = "fewer theorems are solved"
    else:
        verdict = "no effect that these theorems and seeds can show"
    return (
        f"**{one} → {other}** ({STEPS[one, other]}): {100 * before:.1f} % → {100 * row.rate.value:.1f} %, "
        f"{100 * d.value:+.1f} points ({100 * confidence:g} % interval {100 * d.low:+.1f} to {100 * d.high:+.1f}; "
        f"{row.gained} gained, {row.lost} lost): {verdict}."
    )


def attribution(folders: Sequence[Path], confidence: float, samples: int) -> dict[str, Any]:
    """Return everything the attribution measured, with the sentences; ``folders`` hold one seed's run each."""
    runs = sorted((read_run(folder) for folder in folders), key=lambda run: int(run["seed"]))
    if len({run["seed"] for run in runs}) != len(runs):
        raise UserError("attribution: two runs have the same seed; give each seed once")
    solved = {name: [int(run["evals"][name]["results"][-1]["solved"]) for run in runs] for name in SEARCHES}
    totals = [int(run["evals"]["sft"]["results"][-1]["total"]) for run in runs]
    rates = {name: sum(found) / sum(totals) for name, found in solved.items()}
    steps, sentences = [], []
    for one, other in STEPS:
        row = compare(runs, one, other, confidence, samples)
        steps.append(
            {
                "from": one,
                "to": other,
                "difference": round(row.difference.value, 6),
                "low": round(row.difference.low, 6),
                "high": round(row.difference.high, 6),
                "gained": row.gained,
                "lost": row.lost,
                "mcnemar_p": round(row.p, 6),
            }
        )
        sentences.append(sentence(one, other, row, rates[one], confidence))
    return {
        "seeds": [run["seed"] for run in runs],
        "benchmark": runs[0]["evals"]["sft"]["benchmark"],
        "budget": runs[0]["evals"]["sft"]["results"][-1]["budget"],
        "theorems": totals[0],
        "confidence": confidence,
        "solved": solved,
        "rates": {name: round(rate, 6) for name, rate in rates.items()},
        "steps": steps,
        "sentences": sentences,
        "runs": [{key: value for key, value in run.items() if key != "evals"} for run in runs],
    }


def _spread(values: Sequence[float | None]) -> str:
    """Return mean and range of a measurement over seeds."""
    found = [value for value in values if value is not None]
    if not found:
        return "-"
    mean = f"{fmean(found):.3f}"
    return mean if len(found) == 1 else f"{mean} ({min(found):.3f} - {max(found):.3f})"


def embedding_rows(result: Mapping[str, Any]) -> list[dict[str, object]]:
    """Return one row per backbone: the loss of its tactics and the health of its embeddings."""
    return [
        {
            "backbone": model,
            "loss of the tactics": _spread([run["loss_of_tactics"][model] for run in result["runs"]]),
            **{key: _spread([run["embedding"][model][key] for run in result["runs"]]) for key in EMBEDDING},
        }
        for model in MODELS
    ]


def head_rows(result: Mapping[str, Any]) -> list[dict[str, object]]:
    """Return one row per head, measured on held-out training theorems."""
    return [
        {"configuration": name, **{key: _spread([run["head"][name][key] for run in result["runs"]]) for key in HEAD}}
        for name in HEADS
    ]


def solve_rows(result: Mapping[str, Any]) -> list[dict[str, object]]:
    """Return one row per way of searching: solved theorems by seed and in all."""
    total = result["theorems"] * len(result["seeds"])
    return [
        {
            "configuration": name,
            "backbone": "sft" if name in ("sft", "A") else "joint",
            "head": {"A": "trained on its embeddings", "B": "trained on its embeddings", "C": "its own"}.get(
                name, "none"
            ),
            **{f"seed {seed}": solved for seed, solved in zip(result["seeds"], result["solved"][name], strict=True)},
            "all": f"{sum(result['solved'][name])}/{total}",
            "rate": f"{100 * result['rates'][name]:.1f} %",
        }
        for name in SEARCHES
    ]


def render(result: Mapping[str, Any]) -> str:
    """Return the attribution as Markdown."""
    seeds = ", ".join(map(str, result["seeds"]))
    same = [run["control_is_sft"] for run in result["runs"]]
    if all(same):
        control = "reproduced the fine-tuning with every seed: the same loss at every step, the same bytes at the end"
    else:
        control = (
            f"did NOT reproduce the fine-tuning with {same.count(False)} of {len(same)} seeds; trust nothing below"
        )
    return "\n".join(
        [
            "# What joint training brings\n",
            f"Iteration 1 trained in several ways from one iteration 0, with the same data, steps and seeds ({seeds}). "
            "A: fine-tuned adapter, head trained on its embeddings. B: jointly trained adapter, head trained in the same "
            f"way on its embeddings. C: jointly trained adapter with its own head. {result['theorems']} theorems of "
            f"{result['benchmark']['name']}, {result['budget']} expanded nodes, re-checked proofs only; sft and joint "
            "search by log-probability. Intervals: bootstrap over theorems, the seeds of a theorem together. "
            "Measurements: mean over seeds (range).\n",
            f"The control, joint training with weight 0, {control}.\n",
            "## Solved\n",
            to_markdown(solve_rows(result)),
            *[f"* {text}" for text in result["sentences"]],
            "\n## Embeddings\n",
            to_markdown(embedding_rows(result)),
            "## Heads, on held-out training theorems\n",
            to_markdown(head_rows(result)),
        ]
    )


def write_attribution(runs: Sequence[Path], settings: EvaluationSettings, table: Path) -> None:
    """Write the table (Markdown and CSV) and, as attribution.json beside it, everything measured."""
    result = attribution(runs, settings.confidence, settings.bootstrap_samples)
    write_json(table.with_name("attribution.json"), result)
    write_text(table.with_suffix(".csv"), to_csv(solve_rows(result)))
    text = render(result)
    write_text(table, text)
    print(text)
