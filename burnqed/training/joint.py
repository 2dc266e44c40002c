"""Joint training: one backbone learns to write tactics and to keep provable states apart from others.

loss = cross-entropy of the tactics + weight x contrastive loss of the energy head, one optimiser step
for both, after CURL (Laskin, Srinivas and Abbeel, 2020, "CURL: Contrastive Unsupervised
Representations for Reinforcement Learning") and PACT (Han et al., 2021, "Proof Artifact Co-training
for Theorem Proving with Language Models"). Fine-tuning alone can destroy the embeddings that the head
lives on, at a good loss.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from burnqed.config import EBMSettings, JointSettings
from burnqed.policy.packed import decoder_of, is_packed
from burnqed.training.engine import ALONE
from burnqed.training.joint_watch import report, watch
from burnqed.training.processes import Processes
from burnqed.value.contrastive import Groups
from burnqed.value.encoder import token_batches
from burnqed.value.head import TEMPERATURE_BOUNDS, EnergyHead
from burnqed.value.losses import infonce, margin_ranking
from burnqed.value.pooling import pooled
from burnqed.value.probe import Probe
from burnqed.value.sampler import Batch, GroupSampler

Tokens = Sequence[Sequence[int]]
_RANK = 1 << 24  # between the random numbers of the processes of one step
MOVING = 2  # columns of a group whose states get gradient: the positive, and the first (a hard) negative


class JointProver(nn.Module):
    """A language model with an adapter, and an energy head on its mean-pooled hidden states.

    ``batch_tokens`` bounds one forward pass; ``autocast`` computes the backbone in bfloat16.
    """

    def __init__(self, lm: Any, head: EnergyHead, batch_tokens: int, autocast: bool) -> None:
        super().__init__()
        self.lm, self.head = lm, head
        self.batch_tokens, self.autocast = batch_tokens, autocast
        base = lm.get_base_model() if hasattr(lm, "get_base_model") else lm
        self.packed = is_packed(base)
        self._decoder = [decoder_of(base)]  # in a list, so that it is no module twice

    @property
    def device(self) -> torch.device:
        """Where the backbone computes."""
        return next(self.lm.parameters()).device

    def vectors(self, tokens: Tokens) -> Tensor:
        """Return the pooled vectors (texts, hidden) in float32; gradients reach the adapter where enabled."""
        batches = token_batches([len(ids) for ids in tokens], self.batch_tokens, not self.packed)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.autocast):
            parts = [pooled(self._decoder[0], [tokens[i] for i in b], self.device, self.packed) for b in batches]
        order = np.argsort(np.concatenate(batches))
        return torch.cat(parts).float()[torch.from_numpy(order).to(self.device)]

    def group_energies(self, tokens: Tokens, states: Tensor, goals: Tensor) -> Tensor:
        """Return the energies (groups, 1 + K) of ``states`` (groups, 1 + K) under ``goals`` (groups, 1 or 1 + K).

        Both hold places in ``tokens``. Each text is computed once, however many groups share it.
        Gradients reach the adapter through a group's goal (column 0) and the first two columns, the
        others are constants to it; the head learns from all.
        """
        own = goals[:, 0].contiguous()
        foreign = goals[:, MOVING:] != own[:, None]  # of negatives under goals of their own
        moving = torch.unique(torch.cat([own, states[:, :MOVING].flatten()]))
        resting = torch.unique(torch.cat([states[:, MOVING:].flatten(), goals[:, MOVING:][foreign]]))
        table = self.vectors([tokens[i] for i in moving.tolist()])
        of_state = table[torch.searchsorted(moving, states[:, :MOVING].contiguous())]
        of_goal = table[torch.searchsorted(moving, own)][:, None]
        if states.shape[1] > MOVING:
            with torch.no_grad():
                fixed = self.vectors([tokens[i] for i in resting.tolist()])
            others = fixed[torch.searchsorted(resting, states[:, MOVING:].contiguous())]
            of_state = torch.cat([of_state, others], dim=1)
            if foreign.any():
                of_goal = of_goal.repeat(1, states.shape[1], 1)
                of_goal[:, MOVING:][foreign] = fixed[torch.searchsorted(resting, goals[:, MOVING:][foreign])]
        energies: Tensor = self.head(self.head.prepare(of_state), self.head.prepare(of_goal))
        return energies


class ContrastiveStream:
    """The second loss of joint training: contrastive groups, drawn by step, through backbone and head.

    ``tokens`` are the states of ``groups``, one per row of their vector table; ``failed`` are the places in
    ``groups.failed`` that are learnt from. Random numbers of a step
    (dropout) come from its own seed and leave the global random state as it was. With several
    ``processes`` each takes a part of a step's groups, and the main one measures the probe.
    """

    def __init__(
        self,
        prover: JointProver,
        groups: Groups,
        positions: NDArray[np.int64],
        tokens: Tokens,
        probe: Probe,
        settings: JointSettings,
        ebm: EBMSettings,
        seed: int,
        kept_in: str = "",
        processes: Processes = ALONE,
        failed: NDArray[np.int64] | None = None,
    ) -> None:
        self.prover, self.module, self.tokens, self.probe = prover, prover.head, tokens, probe
        self.processes = processes
        processes.copy_from_main([*prover.head.parameters(), *prover.head.buffers()])
        self.settings, self.ebm, self.seed, self.kept_in = settings, ebm, seed, kept_in
        self.learning_rate, self.weight_decay = settings.head_learning_rate, ebm.weight_decay
        # Indices stay on the CPU: they choose texts.
        self.sampler = GroupSampler(
            groups, positions, settings.negatives, settings.hard_share, "cpu", failed, ebm.failed_share
        )
        self.module.train()

    def loss(self, energies: Tensor, valid: Tensor) -> Tensor:
        """Return the mean contrastive loss of some groups."""
        if self.ebm.loss == "margin":
            return margin_ranking(energies, valid, self.ebm.margin)
        return infonce(energies, valid)

    def backward(self, step: int) -> dict[str, float]:
        """Add the weighted gradients of a step's groups; return their mean loss."""
        drawn = self.sampler.draw(self.settings.groups, (self.seed << 32) + step)
        device, total = self.prover.device, 0.0
        devices = [device] if device.type == "cuda" else []
        with torch.random.fork_rng(devices):
            torch.manual_seed((self.seed << 32) + step + self.processes.rank * _RANK)
            for states, goals, valid in self.micro_batches(drawn):
                energies = self.prover.group_energies(self.tokens, states.to(device), goals.to(device))
                loss = self.loss(energies, valid.to(device)) * (len(goals) / self.settings.groups)
                (self.settings.weight * loss).backward()
                total += float(loss.detach())
        (total,) = self.processes.total(total)
        return {"contrastive_loss": round(total, 6), "temperature": round(self.module.temperature, 6)}

    def micro_batches(self, drawn: Batch) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
        """Yield (states, goals, valid) of consecutive groups of this process's share, those of one goal together.

        The texts that get gradient have at most the prover's ``batch_tokens`` in each (one group may have more).
        """
        order = torch.argsort(drawn.goals[:, 0], stable=True).tensor_split(self.processes.count)[self.processes.rank]
        states, goals, valid = drawn.states[order], drawn.goals[order], drawn.valid[order]
        start, seen, room = 0, set[int](), self.prover.batch_tokens
        for place in range(len(goals)):
            fresh = {int(goals[place, 0]), *states[place, :MOVING].tolist()} - seen
            cost = sum(len(self.tokens[row]) for row in fresh)
            if place > start and cost > room:
                yield states[start:place], goals[start:place], valid[start:place]
                start, seen, room = place, set(), self.prover.batch_tokens
                fresh = {int(goals[place, 0]), *states[place, :MOVING].tolist()}
                cost = sum(len(self.tokens[row]) for row in fresh)
            seen |= fresh
            room -= cost
        if len(goals):
            yield states[start:], goals[start:], valid[start:]

    def updated(self) -> None:
        """Keep the temperature between its bounds, and the singular vectors the same in all processes."""
        self.module.bound_temperature()
        self.processes.copy_from_main(list(self.module.buffers()))

    def validation(self) -> tuple[float, dict[str, Any]]:
        """Return the weighted contrastive loss of held-out groups, and what the probe measures."""
        found: tuple[float, dict[str, Any]]
        found = self.processes.from_main(self._measure() if self.processes.is_main else None)
        return found

    @torch.no_grad()
    def _measure(self) -> tuple[float, dict[str, Any]]:
        self.module.eval()
        vectors = self.prover.vectors([self.tokens[row] for row in self.probe.rows])
        batch, table = self.probe.batch, self.module.prepare(vectors)
        states, goals = batch.states.to(table.device), batch.goals.to(table.device)
        energies: Tensor = self.module(table[states], table[goals])
        value = float(self.loss(energies, batch.valid.to(table.device)))
        self.module.train()
        measured = self.probe.health(vectors) | self.probe.ranking(energies)
        return self.settings.weight * value, {"val_contrastive": round(value, 6), "probe": measured}

    def watch(self, history: Sequence[dict[str, Any]]) -> None:
        """Complete the newest record, log every ``log_every`` steps, stop at an abort line."""
        record = history[-1]
        weighted = self.settings.weight * record["contrastive_loss"]
        record["contrastive_share"] = round(weighted / max(record["loss"] + weighted, 1e-12), 6)
        if self.processes.is_main:
            report(history, self.settings)
        watch(history, self.settings, TEMPERATURE_BOUNDS, self.kept_in)


def set_statistics(prover: JointProver, tokens: Tokens, rows: NDArray[np.int64], count: int, seed: int) -> None:
    """Set the head's mean and whitening from the vectors of at most ``count`` of the given rows.

    They stay as they are in training: the head follows the backbone, not the statistics.
    """
    chosen = rows
    if len(rows) > count:
        chosen = np.sort(np.random.default_rng([seed, 3]).choice(rows, size=count, replace=False))
    training = prover.lm.training
    prover.lm.eval()
    with torch.no_grad():
        vectors = prover.vectors([tokens[row] for row in chosen]).double()
        mean = vectors.mean(dim=0)
        centred = vectors - mean
        prover.head.set_statistics(mean, centred.T @ centred / len(chosen), len(chosen))
    prover.lm.train(training)
