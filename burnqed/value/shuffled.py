"""A control for the energy head: its own energies, permuted between the states of each theorem.

Whatever a search gains with permuted energies does not come from what the head knows of states.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from burnqed.files import UserError
from burnqed.records.trajectories import read_steps
from burnqed.seeds import derive_seed

COLUMNS = ["goal", "next_state", "energy"]


class ShuffledEnergies:
    """Scores states with the permuted energies of an earlier search with the head.

    ``trajectories`` is what that search recorded. The energies of the states of a theorem change places by a
    permutation drawn from the seed and the theorem's goal; a state that the earlier search did not reach gets the
    energy of one of those, drawn by its text. So within a theorem the energies have the distribution of the head's,
    and nothing to do with the state. Pure function of the file, the seed, and the state under its goal.

    Raises UserError when the file holds no energy.
    """

    def __init__(self, trajectories: Path, seed: int) -> None:
        self.seed = seed
        self.busy_seconds = 0.0
        steps = read_steps(trajectories, columns=COLUMNS).to_pydict()
        found: dict[str, dict[str, float]] = {}
        for goal, state, energy in zip(*(steps[name] for name in COLUMNS), strict=True):
            if energy is not None:
                found.setdefault(goal, {})[state] = energy
        if not found:
            raise UserError(f"{trajectories}: holds no energy; give the trajectories of a search with the head")
        self._energies: dict[str, dict[str, float]] = {}
        self._pools: dict[str, list[float]] = {}
        for goal, energies in found.items():
            states = sorted(energies)
            self._pools[goal] = [energies[state] for state in states]
            order = np.random.default_rng(derive_seed(seed, "shuffle", goal)).permutation(len(states))
            self._energies[goal] = {state: self._pools[goal][at] for state, at in zip(states, order, strict=True)}
        self._all = [energy for goal in sorted(self._pools) for energy in self._pools[goal]]

    async def score(self, states: Sequence[str], goals: Sequence[str]) -> list[float]:
        """Return one energy per (state, goal) pair."""
        return [self._energy(state, goal) for state, goal in zip(states, goals, strict=True)]

    def _energy(self, state: str, goal: str) -> float:
        known = self._energies.get(goal, {}).get(state)
        if known is not None:
            return known
        pool = self._pools.get(goal, self._all)
        return pool[derive_seed(self.seed, "draw", goal, state) % len(pool)]

    async def close(self) -> None:
        """Nothing is held."""
