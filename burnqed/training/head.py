"""Contrastive training of an energy head on stored vectors: a task of the engine."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from burnqed.config import EBMSettings
from burnqed.files import UserError, atomic_dir, write_json, write_jsonl
from burnqed.jobs.memory import release_free_memory
from burnqed.jobs.progress import ProgressFolder
from burnqed.jobs.stop import stop_requested
from burnqed.training.checkpoints import TrainResult
from burnqed.training.engine import Course, Score, learning_rate_at, run_task
from burnqed.value.contrastive import Groups, build_groups, failed_held_out, held_out
from burnqed.value.embeddings import load_vectors, read_shas, read_spec
from burnqed.value.graph_step import GraphStep
from burnqed.value.head import HEADS, EnergyHead, load_head, save_head
from burnqed.value.health import embedding_health, state_map
from burnqed.value.losses import infonce, margin_ranking
from burnqed.value.metrics import group_metrics, label_metrics, rank1, sibling_metrics, state_metrics
from burnqed.value.sampler import Batch, GroupSampler

logger = logging.getLogger(__name__)

BLOCK = 64  # steps whose groups are drawn in one call
VALIDATION_GROUPS = 1024
CHUNK = 1 << 14  # vectors handled at once
CHECKPOINT_SECONDS = 20.0  # a wide head takes longer to save than to train until the next validation


@dataclass
class TrainingData:
    """Vectors on the device (rows as in ``groups.shas``), groups, and which theorems are held out.

    ``failed_out``: which of ``groups.failed`` are of held-out theorems; None for all.
    """

    vectors: Tensor
    groups: Groups
    out: NDArray[np.bool_]
    spec: dict[str, Any]
    failed_out: NDArray[np.bool_] | None = None

    def positions(self, held: bool) -> NDArray[np.int64]:
        """Return the positives of the held-out or of the other theorems.

        When the run is so small that no theorem can be held out, validation uses the training ones.
        """
        if not self.out.any():
            return np.arange(len(self.groups.positive))
        return np.flatnonzero(self.out[self.groups.theorem] == held)

    def held_out_positions(self, choosing: bool) -> NDArray[np.int64]:
        """Return the positives of the held-out theorems that choose the checkpoint, or of those that are reported.

        What is reported must not have chosen. A single held-out theorem does both (``reports_apart`` says so).
        """
        if not self.reports_apart:
            return self.positions(True)
        own = np.flatnonzero(self.out)[0 if choosing else 1 :: 2]
        return np.flatnonzero(np.isin(self.groups.theorem, own))

    @property
    def reports_apart(self) -> bool:
        """Whether the checkpoint is chosen on other theorems than those reported."""
        return int(self.out.sum()) > 1

    def failed(self, held: bool) -> NDArray[np.int64]:
        """Return the places in ``groups.failed`` of held-out theorems, or of the others."""
        out = np.ones(len(self.groups.failed), bool) if self.failed_out is None else self.failed_out
        return np.flatnonzero(out == held)

    def training_rows(self) -> NDArray[np.int64]:
        """Return the rows of all states of theorems that are trained on."""
        groups, at = self.groups, self.positions(False)
        rows = np.zeros(len(groups.shas), dtype=bool)
        rows[groups.positive[at]] = rows[groups.goal[at]] = True
        for start, count in {(int(groups.off_start[p]), int(groups.off_count[p])) for p in at}:
            rows[groups.off[start : start + count]] = True
        return np.flatnonzero(rows)


def load_training_data(
    embeddings: Path, trajectories: list[Path], proofs: list[Path], settings: EBMSettings, seed: int, device: str
) -> TrainingData:
    """Index the groups of trajectories and load their vectors onto the device.

    Raises UserError when there is no group, or when the embeddings lack one of their states.
    """
    groups = build_groups(trajectories, proofs, settings.unexpanded_negatives, settings.positives)
    place = {sha: row for row, sha in enumerate(read_shas(embeddings))}
    absent = sum(sha not in place for sha in groups.shas)
    if absent:
        raise UserError(
            f"{embeddings}: lacks {absent} of {len(groups.shas)} states of the trajectories; "
            f"it was made from others: delete it and make it again (`snakemake {embeddings}`)"
        )
    rows = np.array([place[sha] for sha in groups.shas], np.int64)
    if (np.diff(rows) <= 0).any():
        raise UserError(f"{embeddings}: not sorted by state_sha; make it again with this version")
    del place
    release_free_memory()
    vectors = load_vectors(embeddings, rows, device)
    release_free_memory()
    how = settings.val_fraction, seed
    return TrainingData(vectors, groups, held_out(groups, *how), read_spec(embeddings), failed_held_out(groups, *how))


def course_of(settings: EBMSettings) -> Course:
    """Return the course of a head's training."""
    return Course(
        settings.learning_rate,
        warmup_ratio=0.0,
        warmup_steps=settings.warmup_steps,
        checkpoint_every=settings.evaluate_every,
        checkpoint_seconds=CHECKPOINT_SECONDS,
        log_every=settings.steps,
        patience=settings.patience,
        validate_first=True,
    )


class HeadTrainer:
    """Trains one head.

    With ``in_place`` the prepared vectors take the place of ``data.vectors``, which the caller must not use again:
    a million of them are 8 GB, and there shall not be two such tables. With ``head`` there is no new head: that one,
    trained elsewhere on the same groups, is taken as it is, for ``validate`` and ``metrics``.
    """

    def __init__(
        self,
        data: TrainingData,
        settings: EBMSettings,
        seed: int,
        device: str,
        previous: Path | None = None,
        in_place: bool = False,
        head: EnergyHead | None = None,
    ) -> None:
        self.data, self.settings, self.seed, self.device = data, settings, seed, device
        torch.manual_seed(seed)
        self.head = self._new_head() if head is None else head
        self.resumed_from_previous = self._start_from(previous)
        self.head.to(device)
        self.health = embedding_health(data.vectors, data.groups, data.out)
        self.map = state_map(data.vectors, data.groups)
        self.z = self._prepared(data.vectors if in_place else torch.empty_like(data.vectors))
        decayed = [p for p in self.head.parameters() if p.ndim > 1]
        plain = [p for p in self.head.parameters() if p.ndim <= 1]
        on_gpu = torch.device(device).type == "cuda"
        self.optimizer = torch.optim.AdamW(
            [
                {"params": decayed, "peak": settings.learning_rate, "weight_decay": settings.weight_decay},
                {"params": plain, "peak": settings.learning_rate, "weight_decay": 0.0},
            ],
            lr=torch.tensor(settings.learning_rate, device=device) if on_gpu else settings.learning_rate,
            fused=True,
            capturable=on_gpu,
        )
        self._graph = GraphStep(self.head, self.z, self._loss, self.optimizer, settings.steps) if on_gpu else None
        self.sampler = GroupSampler(
            data.groups, data.positions(False), settings.negatives, settings.hard_share, device, data.failed(False),
            settings.failed_share,
        )  # fmt: skip
        self.validation, self.report = (
            GroupSampler(
                data.groups, data.held_out_positions(choosing), settings.negatives, settings.hard_share, device
            ).draw(VALIDATION_GROUPS, seed + 1)
            for choosing in (True, False)
        )
        self.course = course_of(settings)
        self.parameters: dict[str, Any] = dict(self.head.named_parameters())
        self._losses = torch.zeros(settings.evaluate_every, device=device)  # of the steps since the last validation
        self.buffers: dict[str, Any] = {**dict(self.head.named_buffers()), "losses": self._losses}
        self._block: tuple[int, Batch] | None = None

    def _new_head(self) -> EnergyHead:
        settings, data = self.settings, self.data
        width, device = data.vectors.shape[1], data.vectors.device
        head = HEADS[settings.head](width, settings.hidden_sizes, settings.dropout).to(device)
        total = torch.zeros(width, dtype=torch.float64, device=device)
        covariance = torch.zeros(width, width, dtype=torch.float64, device=device)
        rows = torch.from_numpy(data.training_rows()).to(device)
        for part in rows.split(CHUNK):
            total += data.vectors[part].double().sum(dim=0)
        mean = total / len(rows)
        for part in rows.split(CHUNK):
            centred = data.vectors[part].double().sub_(mean)
            if device.type == "cuda":
                centred = centred.float()
            covariance += centred.T @ centred
        head.set_statistics(mean, covariance / len(rows), len(rows))
        return head

    @torch.no_grad()
    def _prepared(self, prepared: Tensor) -> Tensor:
        """Return z of all vectors, float16, in the given table; made once, as the statistics are not trained."""
        for start, part in enumerate(self.data.vectors.split(CHUNK)):
            prepared[start * CHUNK : start * CHUNK + len(part)] = self.head.prepare(part.float()).half()
        return prepared

    def _start_from(self, previous: Path | None) -> bool:
        """Start from the previous head when asked to, and its encoder and shape are the same."""
        if previous is None or self.settings.resume == "none":
            return False
        head, spec = load_head(previous)
        same = [(k, head.sizes()[k], v) for k, v in self.head.sizes().items() if k != "dropout"]
        differ = [k for k in spec.keys() | self.data.spec.keys() if spec.get(k) != self.data.spec.get(k)]
        differ += [k for k, old, new in same if old != new]
        if differ:
            logger.info("%s: not continued, differs in %s", previous, ", ".join(sorted(differ)))
            return False
        self.head.load_state_dict(head.state_dict())
        return True

    def score(self, states: Tensor, goals: Tensor) -> Tensor:
        """Return the energies of rows of the vector table; shapes as ``EnergyHead.forward``."""
        energies: Tensor = self.head(self.z[states].float(), self.z[goals].float())
        return energies

    def _groups(self, step: int) -> Batch:
        number, offset = divmod(step, BLOCK)
        if self._block is None or self._block[0] != number:
            drawn = self.sampler.draw(BLOCK * self.settings.groups, (self.seed << 32) + 2 + number)
            self._block = number, drawn
        return self._block[1].part(offset * self.settings.groups, self.settings.groups)

    def _loss(self, energies: Tensor, valid: Tensor) -> Tensor:
        if self.settings.loss == "margin":
            return margin_ranking(energies, valid, self.settings.margin)
        return infonce(energies, valid)

    def begin(self, done: int) -> None:
        """Nothing is to be done: parameters and moments are changed in place, also those of a CUDA graph."""

    def step(self, step: int) -> tuple[dict[str, Any], bool]:
        """Take one optimiser step; its loss stays on the device until the next validation."""
        self.head.train()
        batch = self._groups(step)
        loss = self._graph(batch) if self._graph else self._plain_step(batch)
        self._losses[step % len(self._losses)] = loss
        return {}, stop_requested()

    def _plain_step(self, batch: Batch) -> Tensor:
        loss = self._loss(self.score(batch.states, batch.goals), batch.valid)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        self.head.bound_temperature()
        return loss.detach()

    @torch.no_grad()
    def validate(self, done: int) -> tuple[Score, dict[str, Any]]:
        """Measure the held-out groups: a higher rank-1 accuracy is better, then a lower loss."""
        self.head.eval()
        energies = self._energies(self.validation)
        valid = self.validation.valid
        score = float(rank1(energies.double().cpu().numpy(), valid.cpu().numpy()).mean())
        loss = float(self._loss(energies, valid))
        steps = (done - 1) % len(self._losses) + 1
        return (-score, loss), {
            "loss": round(float(self._losses[:steps].mean()), 6) if done else None,
            "val_loss": round(loss, 6),
            "val_rank1": round(score, 6),
            "temperature": round(self.head.temperature, 6),
            "learning_rate": learning_rate_at(done, self.settings.steps, self.course),
        }

    def recorded(self, history: list[dict[str, Any]]) -> None:
        """Nothing follows."""

    @torch.no_grad()
    def _energies(self, batch: Batch) -> Tensor:
        """Return the energies (groups, 1 + K) of held-out groups."""
        parts = [
            self.score(batch.states[i : i + 256], batch.goals[i : i + 256]) for i in range(0, len(batch.goals), 256)
        ]
        return torch.cat(parts)

    @torch.no_grad()
    def metrics(self, result: TrainResult) -> dict[str, Any]:
        """Return ``metrics.json`` of the head, which a training has left."""
        self.head.eval()
        data = self.data
        energies = self._energies(self.report).double().cpu().numpy()
        reported = data.held_out_positions(choosing=False)
        counts = data.groups.counts
        return {
            **group_metrics(energies, self.report, data.groups, self.settings.margin),
            **sibling_metrics(self.score, data.groups, reported, self.device),
            **label_metrics(self.score, data.groups, reported, data.failed(True), self.device),
            "temperature": round(self.head.temperature, 6),
            "val_loss": round(result.best_val_loss or 0.0, 6),
            "best_step": result.best_step,
            "steps": result.steps,
            "validated_on": "held-out theorems" if data.out.any() else "training theorems",
            "held_out_theorems": int(data.out.sum()),
            "reported_theorems": len(np.unique(data.groups.theorem[reported])),
            "chosen_on": "other held-out theorems" if data.reports_apart else "the theorems reported",
            **state_metrics(self.score, data.groups, reported, self.device),
            **self.health,
            "dual_label_rate": round(counts["dual_labelled"] / max(counts["states"], 1), 6),
            "counts": counts,
            "resumed_from_previous": self.resumed_from_previous,
        }


def train_head(
    data: TrainingData,
    settings: EBMSettings,
    seed: int,
    device: str,
    output: Path,
    key: Mapping[str, object],
    previous: Path | None = None,
    in_place: bool = False,
) -> dict[str, Any]:
    """Train a head and write its folder atomically; return its metrics.

    ``key`` says what the training depends on besides settings, seed and device; an interrupted call
    with equal ones resumes from its last checkpoint, bit by bit on the same device and threads.
    ``in_place`` as for ``HeadTrainer``.
    """
    trainer = HeadTrainer(data, settings, seed, device, previous, in_place)
    own = {**key, "settings": settings.science(), "seed": seed, "device": device, "spec": data.spec}
    with ProgressFolder(output, own) as progress:
        result = run_task(trainer, settings.steps, trainer.course, output, progress)
        metrics = trainer.metrics(result)
        with atomic_dir(output) as partial:
            save_head(partial, trainer.head, data.spec)
            write_json(partial / "metrics.json", metrics)
            trainer.map.write(partial / "map.parquet")
            write_jsonl(partial / "history.jsonl", result.history)
        progress.finish()
    return metrics
