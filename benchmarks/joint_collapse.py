"""Collapse of the embeddings, made by a high learning rate: fine-tuning alone against joint training at the same rate.

Trains iteration 1 of a finished rehearsal with several learning rates and weights of the contrastive loss (weight 0 is
fine-tuning) and shows the probe before, on the way and after, and at which probe the abort line would have ended it.

Run as: python -m benchmarks.joint_collapse --results results/rehearsal --jobs 2 [--markdown FILE]
"""

from __future__ import annotations

import argparse
import itertools
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import fmean
from typing import Any

import yaml

from burnqed.config import Config, load_config
from burnqed.files import read_jsonl
from burnqed.report.tables import to_markdown

ROOT = Path(__file__).parents[1]
SHOWN = ("centroid_l2", "linear_probe", "sibling_l2", "effective_dimension")


def rehearsal() -> Config:
    """Return the rehearsal's settings."""
    values = yaml.safe_load((ROOT / "config.yaml").read_text())
    for name, block in yaml.safe_load((ROOT / "profiles/rehearsal/experiment.yaml").read_text()).items():
        values[name] = {**values[name], **block} if isinstance(block, dict) else block
    return load_config(values)


def train(results: Path, rate: float, weight: float, seed: int) -> list[dict[str, Any]]:
    """Return the probes of one training, with the loss of held-out tactics at each."""
    from burnqed.training.joint_job import train_joint
    from burnqed.training.sft import TrainingJob

    config, here = rehearsal(), results / "iter_0"
    changes = {"learning_rate": rate, "weight": weight, "min_centroid_l2": 0.0, "max_sft_loss": 99.0, "min_rank1": 0.0}
    with tempfile.TemporaryDirectory() as folder:
        job = TrainingJob(
            iteration=1,
            base=results / "base/model",
            adapter=here / "adapter",
            pairs_file=results / "data/tactic_pairs/train.jsonl",
            val_file=results / "data/tactic_pairs/val.jsonl",
            trajectories=[here / "trajectories.parquet"],
            proofs=[here / "proofs.jsonl"],
            model_settings=config.model,
            quantization="none",
            seed=seed,
            threads=1,
            device="cpu",
        )
        train_joint(
            job,
            settings=config.joint.model_copy(update=changes),
            sft=config.sft,
            ebm=config.ebm,
            encoder=config.encoder,
            previous_head=None,
            output=Path(folder) / "adapter",
            head_output=Path(folder) / "joint",
        )
        losses = {row["step"]: row.get("val_loss") for row in read_jsonl(Path(folder) / "adapter/history.jsonl")}
        probes = list(read_jsonl(Path(folder) / "joint/history.jsonl"))
    return [{"step": row["step"], "tactics": losses.get(row["step"]), **row["probe"]} for row in probes]


def row_of(rate: float, weight: float, runs: list[list[dict[str, Any]]], line: float) -> dict[str, object]:
    """Return a table row: means over the seeds, the probes one after another."""
    steps = [probe["step"] for probe in runs[0]]
    stopped = [next((str(p["step"]) for p in run if p["centroid_l2"] < line), "-") for run in runs]

    def along(key: str) -> str:
        return " → ".join(f"{fmean(run[at][key] for run in runs):.2f}" for at in range(len(steps)))

    lowest = [min(probe["centroid_l2"] for probe in run) for run in runs]
    return {
        "learning rate": rate,
        "weight": weight,
        **{key: along(key) for key in SHOWN},
        "lowest centroid_l2, by seed": ", ".join(f"{value:.2f}" for value in lowest),
        f"line {line:g} crossed at": ", ".join(stopped),
        "loss of the tactics": f"{fmean(run[-1]['tactics'] for run in runs):.2f}",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, default=Path("results/rehearsal"), help="finished rehearsal")
    parser.add_argument("--rates", type=float, nargs="+", default=[0.0015, 0.01, 0.015, 0.02, 0.03])
    parser.add_argument("--weights", type=float, nargs="+", default=[0, 0.1, 1])
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--jobs", type=int, default=1, help="trainings at once, one thread each")
    parser.add_argument("--markdown", type=Path, help="write the table here too")
    args = parser.parse_args()
    ways = list(itertools.product(args.rates, args.weights))
    tasks = [(rate, weight, seed) for rate, weight in ways for seed in args.seeds]
    with ProcessPoolExecutor(args.jobs) as pool:
        found = list(pool.map(train, itertools.repeat(args.results), *zip(*tasks, strict=True)))
    line = rehearsal().joint.min_centroid_l2
    count = len(args.seeds)
    rows = [row_of(*way, found[at * count : (at + 1) * count], line) for at, way in enumerate(ways)]
    table = to_markdown(rows)
    print(table)
    if args.markdown:
        args.markdown.write_text(table, encoding="utf-8")


if __name__ == "__main__":
    main()
