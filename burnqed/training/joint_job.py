"""The job of joint training: data, model, head and probe in; adapter folder and head folder out."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from burnqed.config import EBMSettings, EncoderSettings, JointSettings, SFTSettings, joint_sft
from burnqed.files import UserError, atomic_dir, read_jsonl, sha256_file, write_json, write_jsonl
from burnqed.jobs.progress import ProgressFolder
from burnqed.policy.loading import load_tokenizer
from burnqed.training.checkpoints import TrainResult
from burnqed.training.head import HeadTrainer, load_training_data
from burnqed.training.joint import ContrastiveStream, JointProver, set_statistics
from burnqed.training.processes import join_processes, leave_processes
from burnqed.training.sft import FineTuning, TrainingJob, prepare, run, write_adapter
from burnqed.value.contrastive import Groups, build_groups, failed_held_out, held_out
from burnqed.value.embeddings import texts_of_trajectories
from burnqed.value.head import HEADS, EnergyHead, load_head, save_head
from burnqed.value.pooling import state_tokens
from burnqed.value.probe import make_probe

logger = logging.getLogger(__name__)
HISTORY = "history.jsonl"


def train_joint(
    job: TrainingJob,
    settings: JointSettings,
    sft: SFTSettings,
    ebm: EBMSettings,
    encoder: EncoderSettings,
    previous_head: Path | None,
    output: Path,
    head_output: Path,
) -> TrainResult:
    """Train adapter and head of an iteration together and write both folders.

    The adapter's folder is one of fine-tuning. The head's has weights, configuration and the history of
    losses and probes; ``measure_joint_head`` makes the iteration's head of it, once the merged model
    has encoded the states. Kept is the step with the lowest validation loss, that of the tactics plus
    weight x contrastive loss of held-out theorems. Raises UserError for unusable inputs, and when a
    training crosses one of its lines.
    """
    if job.iteration == 0:
        raise UserError("iteration 0 cannot be joint: there are no searches yet to take states off the proofs from")
    processes = join_processes(job.device)
    tuning = prepare(job, joint_sft(sft, settings), processes)
    given = {"joint": settings.science(), "ebm": ebm.science()}
    given["encoder.max_length"] = {"tokens": encoder.max_length}
    head_digest = sha256_file(previous_head) if previous_head else ""
    progress = None
    if processes.is_main:
        progress = ProgressFolder(output, {**tuning.key, **given, "previous_head": head_digest})
    kept_in = str(progress.path) if progress is not None else "the main process's folder"
    try:
        # What the head draws at random leaves the fine-tuning's random numbers as they are without it.
        with torch.random.fork_rng([job.device] if job.device == "cuda" else []):
            torch.manual_seed(job.seed)
            stream = contrastive_stream(
                tuning, job.trajectories, job.proofs, previous_head, settings, ebm, encoder,
                load_tokenizer(job.base), job.seed, job.device, kept_in,
            )  # fmt: skip
            tuning.model.eval()
            _, start = stream.validation()
        logger.info("before training: %s", start)
        result = run(tuning, output, progress, stream)
        if progress is not None:
            write_adapter(tuning, result, job.base, output)
            with atomic_dir(head_output) as folder:
                spec = {"model": "not merged yet", "hidden_size": stream.module.hidden_size}
                save_head(folder, stream.module.eval(), spec)
                write_jsonl(folder / HISTORY, [{"step": 0, **start}, *head_history(result.history, settings)])
            progress.finish()
        leave_processes()
    finally:
        if progress is not None:
            progress.close()
    return result


def measure_joint_head(
    head_folder: Path,
    embeddings: Path,
    trajectories: list[Path],
    proofs: list[Path],
    output: Path,
    ebm: EBMSettings,
    seed: int,
    device: str,
) -> dict[str, Any]:
    """Write an iteration's head folder from a jointly trained head; return its metrics.

    The head is measured on the merged model's embeddings, in the same way and on the same held-out
    groups as a separately trained one, and from now on belongs to their encoder.
    """
    head, _ = load_head(head_folder)
    data = load_training_data(embeddings, trajectories, proofs, ebm, seed, device)
    trainer = HeadTrainer(data, ebm, seed, device, in_place=True, head=head)
    score, _ = trainer.validate(0)
    history = list(read_jsonl(head_folder / HISTORY))[1:]
    last = int(history[-1]["step"]) if history else 0
    metrics = trainer.metrics(TrainResult(steps=last, best_step=last, best=score))
    metrics["trained"] = "jointly with the adapter"
    with atomic_dir(output) as folder:
        save_head(folder, trainer.head, data.spec)
        write_json(folder / "metrics.json", metrics)
        write_jsonl(folder / HISTORY, history)
    return metrics


def contrastive_stream(
    tuning: FineTuning,
    trajectories: Sequence[Path],
    proofs: Sequence[Path],
    previous_head: Path | None,
    settings: JointSettings,
    ebm: EBMSettings,
    encoder: EncoderSettings,
    tokenizer: Any,
    seed: int,
    device: str,
    kept_in: str,
) -> ContrastiveStream:
    """Return the contrastive half of joint training on the states of earlier searches."""
    groups = build_groups(trajectories, proofs, ebm.unexpanded_negatives, ebm.positives)
    out = held_out(groups, ebm.val_fraction, seed)
    tokens = tokens_of(groups, trajectories, tokenizer, encoder.max_length)
    training = np.flatnonzero(~out[groups.theorem])
    head = new_head(int(tuning.model.config.hidden_size), ebm, previous_head).to(device)
    prover = JointProver(tuning.model, head, tuning.batcher.tokens, tuning.loop.autocast)
    if previous_head is None:
        rows = np.unique(np.concatenate([groups.positive[training], groups.off[_off(groups, training)]]))
        set_statistics(prover, tokens, rows, settings.statistics_states, seed)
    probe = make_probe(
        groups, out, settings.probe_states, settings.probe_groups, settings.negatives, settings.hard_share, seed, "cpu"
    )
    logger.info(
        "contrastive groups: %s; probe of %d states, %d theorems held out",
        groups.counts,
        len(probe.rows),
        int(out.sum()),
    )
    failed = np.flatnonzero(~failed_held_out(groups, ebm.val_fraction, seed))
    return ContrastiveStream(
        prover, groups, training, tokens, probe, settings, ebm, seed, kept_in, tuning.processes, failed
    )


def _off(groups: Groups, at: np.ndarray[Any, np.dtype[np.int64]]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return the places in ``groups.off`` of the theorems of some positives."""
    ranges = {(int(groups.off_start[p]), int(groups.off_count[p])) for p in at}
    return np.concatenate([np.arange(start, start + count) for start, count in sorted(ranges)])


def new_head(hidden_size: int, ebm: EBMSettings, previous: Path | None) -> EnergyHead:
    """Return a fresh head, or the previous iteration's, which fits the model that training starts from."""
    head = HEADS[ebm.head](hidden_size, ebm.hidden_sizes, ebm.dropout)
    if previous is None:
        return head
    old, _ = load_head(previous)
    different = [key for key, value in head.sizes().items() if key != "dropout" and old.sizes()[key] != value]
    if different:
        raise UserError(
            f"{previous}: another {', '.join(different)} than the settings (ebm) say; keep them, or set ebm.resume: none"
        )
    head.load_state_dict(old.state_dict())
    return head


def tokens_of(groups: Groups, trajectories: Sequence[Path], tokenizer: Any, max_length: int) -> list[tuple[int, ...]]:
    """Return the tokens of the groups' states, one per row of their vector table."""
    wanted = set(groups.shas)
    texts = {text.sha: text.text for text in texts_of_trajectories(trajectories) if text.sha in wanted}
    return state_tokens(tokenizer, [texts[sha] for sha in groups.shas], max_length)


def head_history(history: Sequence[dict[str, Any]], settings: JointSettings) -> list[dict[str, Any]]:
    """Return one record per probe, in the form of a head's history, with the probe's measurements."""
    rows, since = [], 0
    for place, record in enumerate(history):
        if "probe" in record:
            losses = [r["contrastive_loss"] for r in history[since : place + 1]]
            since = place + 1
            rows.append(
                {
                    "step": record["step"],
                    "loss": round(sum(losses) / len(losses), 6),
                    "val_loss": record["val_contrastive"],
                    "val_rank1": record["probe"]["rank1"],
                    "temperature": record["temperature"],
                    "learning_rate": record["lr"] / settings.learning_rate * settings.head_learning_rate,
                    "probe": record["probe"],
                }
            )
    return rows
