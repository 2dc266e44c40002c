"""Groups drawn on the device from index arrays, a pure function of seed and block number."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from burnqed.value.contrastive import Groups

COLUMNS = (
    *("positive", "goal", "sibling", "sibling_start", "sibling_count"),
    *("off", "off_start", "off_count", "near_start", "near_count"),
)
NEAR_SHARE = 0.5  # of the other negatives: those at most one step from the positive's depth


@dataclass(frozen=True)
class Batch:
    """Groups: ``states`` (groups, 1 + K) rows of the vector table, positive first; ``goals`` rows too, (groups, 1), or
    (groups, 1 + K) where some negatives have goals of their own; ``valid`` (groups, 1 + K) False at a repeated
    negative; ``positions`` (groups,) which positive; ``hard`` (groups, K) True at siblings."""

    states: Tensor
    goals: Tensor
    valid: Tensor
    positions: Tensor
    hard: Tensor

    def part(self, start: int, count: int) -> Batch:
        """Return some consecutive groups."""
        end = start + count
        return Batch(*(t[start:end] for t in (self.states, self.goals, self.valid, self.positions, self.hard)))


class GroupSampler:
    """Draws groups whose positive is one of ``positions``.

    A positive's weight is the inverse root of the number of positives of its depth: deep states
    are seen more often than they occur, without repeating the few deepest without end. The first
    ``hard_share`` of the negatives are siblings, all different, while there are any; the others are
    off-path states of the theorem, half of them near the positive's depth, so that depth alone does
    not give the positive away. A negative drawn twice in a group is marked invalid. The last
    ``failed_share`` of the negatives, but never all, are from ``failed``, places in ``groups.failed``.
    """

    def __init__(
        self,
        groups: Groups,
        positions: NDArray[np.int64],
        negatives: int,
        hard_share: float,
        device: str,
        failed: NDArray[np.int64] | None = None,
        failed_share: float = 0.0,
    ) -> None:
        if not len(positions):
            raise ValueError("no positive to draw from")
        self.negatives, self.device = negatives, device
        self.hard = round(hard_share * negatives)
        counts = np.bincount(groups.depth[positions])
        weights = 1.0 / np.sqrt(counts[groups.depth[positions]])
        self._cumulative = torch.from_numpy(np.cumsum(weights) / weights.sum()).to(device)
        self._positions = torch.from_numpy(positions).to(device)
        self._columns = {name: torch.from_numpy(getattr(groups, name)).to(device) for name in COLUMNS}
        self.failed = 0
        if failed is not None and len(failed):
            self.failed = min(round(failed_share * negatives), negatives - 1)
            self._failed = torch.from_numpy(groups.failed[failed]).to(device)
            self._failed_goal = torch.from_numpy(groups.failed_goal[failed]).to(device)
        if not len(groups.sibling):
            self._columns["sibling"] = torch.zeros(1, dtype=torch.int64, device=device)

    def draw(self, count: int, seed: int) -> Batch:
        """Return ``count`` groups; the same seed gives the same groups on the same kind of device."""
        generator = torch.Generator(self.device).manual_seed(seed % (1 << 63))

        def uniform(*shape: int) -> Tensor:
            return torch.rand(*shape, generator=generator, device=self.device, dtype=torch.float64)

        def scaled(share: Tensor, size: Tensor) -> Tensor:
            return torch.minimum((share * size).long(), (size - 1).clamp_min(0))

        column = self._columns
        drawn = torch.searchsorted(self._cumulative, uniform(count)).clamp_max(len(self._positions) - 1)
        at = self._positions[drawn]
        slots = torch.arange(self.negatives, device=self.device)[None, :]

        siblings = column["sibling_count"][at][:, None]
        hard = slots < siblings.clamp_max(self.hard)
        turn = (scaled(uniform(count, 1), siblings) + slots) % siblings.clamp_min(1)
        sibling_at = (column["sibling_start"][at][:, None] + turn).clamp_max(len(column["sibling"]) - 1)

        near = (uniform(count, self.negatives) < NEAR_SHARE) & (column["near_count"][at] > 0)[:, None]
        start = torch.where(near, column["near_start"][at][:, None], column["off_start"][at][:, None])
        size = torch.where(near, column["near_count"][at][:, None], column["off_count"][at][:, None])
        other_at = start + scaled(uniform(count, self.negatives), size)

        negatives = torch.where(
            hard, column["sibling"][sibling_at], column["off"][other_at.clamp_max(len(column["off"]) - 1)]
        )
        goals = column["goal"][at][:, None]
        if self.failed:
            drawn = scaled(uniform(count, self.failed), torch.tensor(len(self._failed), device=self.device))
            negatives[:, -self.failed :], hard[:, -self.failed :] = self._failed[drawn], False
            goals = goals.repeat(1, 1 + self.negatives)
            goals[:, -self.failed :] = self._failed_goal[drawn]
        same = negatives[:, :, None] == negatives[:, None, :]
        repeated = torch.tril(same, diagonal=-1).any(dim=2)
        positive = column["positive"][at][:, None]
        return Batch(
            states=torch.cat([positive, negatives], dim=1),
            goals=goals,
            valid=torch.cat([torch.ones_like(positive, dtype=torch.bool), ~repeated], dim=1),
            positions=at,
            hard=hard,
        )
