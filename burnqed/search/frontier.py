"""The order in which states are expanded.

Equal priorities are served in the order in which the states were found, so the order depends on
nothing but the priorities themselves.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass

from burnqed.config.search import Priority
from burnqed.search.tree import Node, path_score


@dataclass(frozen=True)
class Ranking:
    """How the priority of a node is computed; the larger is expanded first.

    ``logprob``: ``path_score``; alpha 0 is the plain sum, 1 the mean per step. ``energy``: minus the energy.
    ``weighted``: logprob_weight * logprob - energy_weight * energy. ``tuned``: logprob - coefficient * energy, with
    the coefficient that came with the value. ``hybrid``: both orders, taken in turn.
    """

    priority: Priority = "logprob"
    length_alpha: float = 0.5
    logprob_weight: float = 0.5
    energy_weight: float = 1.0
    coefficient: float = 1.0

    def logprob(self, node: Node) -> float:
        return path_score(node.cumulative_logprob, node.path_depth, self.length_alpha)

    def energy(self, node: Node) -> float:
        if node.energy is None:
            raise ValueError(f"priority '{self.priority}' needs the energy of every state")
        return -node.energy

    def weighted(self, node: Node) -> float:
        return self.logprob_weight * self.logprob(node) + self.energy_weight * self.energy(node)

    def tuned(self, node: Node) -> float:
        return self.logprob(node) + self.coefficient * self.energy(node)

    def orders(self) -> list[Callable[[Node], float]]:
        """Return the priority function of each queue."""
        if self.priority == "hybrid":
            return [self.logprob, self.energy]
        return [getattr(self, self.priority)]


class Frontier:
    """States waiting for expansion: one queue, or two over the same states popped in turn.

    A state that was popped before waits behind all that were popped less often.
    """

    def __init__(self, ranking: Ranking) -> None:
        self._orders = ranking.orders()
        self._queues: list[list[tuple[int, float, int, Node]]] = [[] for _ in self._orders]
        self._turn = 0

    def push(self, node: Node) -> None:
        """Queue a node, or queue it again after its priority has risen or after it was expanded.

        The root, which has no energy, comes first among the states popped as often.
        """
        for order, queue in zip(self._orders, self._queues, strict=True):
            heapq.heappush(queue, (node.pops, -order(node) if node.order else -math.inf, node.order, node))

    def pop(self, count: int) -> list[Node]:
        """Take up to ``count`` best nodes out, best first, and count that they were popped.

        All were popped equally often before: what an expansion of theirs finds comes before any that was
        popped more often. Popping a, then b of them gives the same nodes as popping a + b.
        """
        taken: list[Node] = []
        while len(taken) < count:
            queue = self._queues[self._turn]
            while queue and queue[0][0] != queue[0][3].pops:  # popped from the other queue, or at a better priority
                heapq.heappop(queue)
            if not queue:  # the other queue, if any, holds the same nodes: none
                break
            if taken and queue[0][0] >= taken[0].pops:
                break
            node = heapq.heappop(queue)[3]
            node.pops += 1
            taken.append(node)
            self._turn = (self._turn + 1) % len(self._queues)
        return taken
