"""The state graph of one theorem's search.

A node is a proof state up to the text of its goals: two tactics that lead to the same goals lead to
one node (a transposition). An edge back to a known state, the parent or another ancestor included,
adds no node, so the graph cannot run in circles.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_METAVARIABLE = re.compile(r"\?(m|u|_mvar|_uniq)\.\d+(?:\.\d+)*")


def canonical(text: str) -> str:
    """Return the text that stands for a proof state.

    Trailing blanks go, and the running numbers of unnamed metavariables (``?m.1234``), which
    depend on what the prover did before, are counted from 1 in order of appearance.
    """
    text = "\n".join(line.rstrip() for line in text.strip().splitlines())
    if "?" not in text:
        return text
    seen: dict[str, int] = {}

    def number(match: re.Match[str]) -> str:
        return f"?{match[1]}.{seen.setdefault(match[0], len(seen) + 1)}"

    return _METAVARIABLE.sub(number, text)


@dataclass(slots=True, eq=False)
class Node:
    """A live proof state.

    ``order`` counts nodes as they were found (root 0) and breaks ties; ``parent``, ``tactic`` and
    ``step`` (number of the row in the record, -1 for the root) are those of the edge that found it;
    ``state`` is the prover's handle, None once dropped. ``cumulative_logprob`` and ``path_depth`` are
    those of the best known path from the root. ``pops``: times taken for expansion; ``expanded``: its expansion is
    recorded, or being recorded. ``tried`` holds the recorded tactics with the live states they led to,
    where a continuation or another expansion may try a tactic again.
    """

    text: str
    order: int
    depth: int
    cumulative_logprob: float
    state: int | None
    parent: Node | None = None
    tactic: str = ""
    step: int = -1
    energy: float | None = None
    pops: int = 0
    expanded: bool = False
    tried: dict[str, Node | None] | None = None
    path_depth: int = field(init=False)

    def __post_init__(self) -> None:
        self.path_depth = self.depth


def path_score(cumulative_logprob: float, depth: int, length_alpha: float) -> float:
    """Return cumulative log-probability / depth^alpha, as in BFS-Prover (Xin et al. 2025, arXiv:2502.03438)."""
    return float(cumulative_logprob / max(depth, 1) ** length_alpha)


class StateGraph:
    """All live states found so far, by text; of two paths to a state the one of higher ``path_score`` counts."""

    def __init__(self, root_text: str, root_state: int, length_alpha: float = 0.0) -> None:
        self.length_alpha = length_alpha
        self.root = Node(root_text, 0, 0, 0.0, root_state)
        self._nodes: dict[str, Node] = {root_text: self.root}
        self.depth = 0

    def __len__(self) -> int:
        return len(self._nodes)

    def texts(self) -> list[str]:
        """Return the texts of all states in the order they were found, the root first."""
        return list(self._nodes)

    def get(self, text: str) -> Node | None:
        """Return the node of a state text, if it is known."""
        return self._nodes.get(text)

    def add(self, parent: Node, tactic: str, cumulative_logprob: float, text: str, state: int, step: int) -> Node:
        """Add the state that ``tactic`` led to; its text must not be known yet."""
        if text in self._nodes:
            raise ValueError("the state is already a node")
        node = Node(text, len(self._nodes), parent.depth + 1, cumulative_logprob, state, parent, tactic, step)
        self._nodes[text] = node
        self.depth = max(self.depth, node.depth)
        return node

    def reach_again(self, node: Node, cumulative_logprob: float, depth: int) -> bool:
        """Note another path into a node; return whether it is now better and the node still unexpanded.

        The first edge stays the one that proofs are read along: its steps were all new states.
        """
        known = path_score(node.cumulative_logprob, node.path_depth, self.length_alpha)
        if node.expanded or path_score(cumulative_logprob, depth, self.length_alpha) <= known:
            return False
        node.cumulative_logprob, node.path_depth = cumulative_logprob, depth
        return True


def path_to(node: Node) -> list[Node]:
    """Return the nodes from the root to ``node``, both included."""
    path = [node]
    while path[-1].parent is not None:
        path.append(path[-1].parent)
    return path[::-1]
