"""Command-line options that the scripts of fine-tuning and of joint training share."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from burnqed.config import ModelSettings
from burnqed.scripting import add_quantization_flag
from burnqed.training.processes import add_processes_flag

if TYPE_CHECKING:
    from burnqed.training.sft import TrainingJob


def add_training_flags(parser: argparse.ArgumentParser, first_too: bool) -> None:
    """Add the options of an iteration's training: what it reads, what it writes, and in how many processes.

    ``first_too``: the first iteration too, which has no adapter, trajectories and proofs to read.
    """
    add_quantization_flag(parser, "nf4: 4-bit base weights, for small cards")
    parser.add_argument(
        "--iteration", type=int, required=True, help=f"number of the iteration, from {0 if first_too else 1} on"
    )
    parser.add_argument("--base", type=Path, required=True, help="base model folder, not quantised")
    parser.add_argument(
        "--adapter", type=Path, required=not first_too, help="adapter of the previous iteration, to go on from"
    )
    parser.add_argument("--pairs", type=Path, required=True, help="tactic pairs to train on (.jsonl)")
    parser.add_argument("--val", type=Path, required=True, help="tactic pairs of held-out theorems (.jsonl)")
    earlier: dict[str, Any] = {
        "type": Path,
        "nargs": "*" if first_too else "+",
        "default": [],
        "required": not first_too,
    }
    parser.add_argument("--trajectories", **earlier, help="trajectories of the earlier iterations (.parquet)")
    parser.add_argument("--proofs", **earlier, help="re-checked proofs of the earlier iterations (.jsonl)")
    add_processes_flag(parser)
    parser.add_argument("--output", type=Path, required=True, help="adapter folder to write")


def training_job(args: argparse.Namespace, model: ModelSettings, device: str) -> TrainingJob:
    """Return the job that the options of ``add_training_flags`` describe."""
    from burnqed.training.sft import TrainingJob

    return TrainingJob(
        iteration=args.iteration,
        base=args.base,
        adapter=args.adapter,
        pairs_file=args.pairs,
        val_file=args.val,
        trajectories=args.trajectories,
        proofs=args.proofs,
        model_settings=model,
        quantization=args.quantization,
        seed=args.seed,
        threads=args.threads,
        device=device,
    )
