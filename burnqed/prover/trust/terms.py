"""Lean's names, universe levels and terms as plain data, each distinct one stored once.

Names of bound variables, binder brackets and metadata are left out: they have no meaning to the
kernel. So two terms are the same up to those exactly when their numbers in one store are equal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

Name = tuple[str | int, ...]  # () is the anonymous name
Node = tuple[Any, ...]  # kind first, then numbers of earlier nodes, names, literals

# kinds of levels: ("zero",) ("succ", l) ("max", l, m) ("imax", l, m) ("param", name)
# kinds of terms: ("bvar", n) ("sort", l) ("const", name, levels) ("app", f, a) ("lam", type, body)
#   ("pi", type, body) ("let", type, value, body) ("nat", n) ("str", text) ("proj", name, index, term)

_PLAIN = re.compile(r"[A-Za-z_α-κμ-ϻ][\w'!?₀-₉]*")


def show(name: Name) -> str:
    """Return a name as Lean prints it at top level; unusual parts are in «»."""
    if not name:
        return "[anonymous]"
    return ".".join(str(part) if isinstance(part, int) or _PLAIN.fullmatch(part) else f"«{part}»" for part in name)


@dataclass
class Terms:
    """A store of levels and terms; each is named by its number, children have smaller ones."""

    nodes: list[Node] = field(default_factory=list)
    numbers: dict[Node, int] = field(default_factory=dict)
    loose: list[int] = field(default_factory=list)  # bound variables that reach out of a term

    def add(self, node: Node) -> int:
        """Return the number of a node, the old one if it is known."""
        number = self.numbers.get(node)
        if number is None:
            number = self.numbers[node] = len(self.nodes)
            self.nodes.append(node)
            self.loose.append(self._loose(node))
        return number

    def _loose(self, node: Node) -> int:
        kind = node[0]
        loose = self.loose
        if kind == "app":
            return max(loose[node[1]], loose[node[2]])
        if kind == "bvar":
            return int(node[1]) + 1
        if kind in ("lam", "pi"):
            return max(loose[node[1]], loose[node[2]] - 1)
        if kind == "let":
            return max(loose[node[1]], loose[node[2]], loose[node[3]] - 1)
        if kind == "proj":
            return loose[node[3]]
        return 0

    def below(self, roots: Iterable[int]) -> Iterator[Node]:
        """Return each node that occurs in the given ones, once."""
        todo, seen = list(roots), set()
        while todo:
            number = todo.pop()
            if number in seen:
                continue
            seen.add(number)
            node = self.nodes[number]
            yield node
            todo.extend(children(node))

    def constants(self, roots: Iterable[int]) -> set[Name]:
        """Return the names of all constants in terms, those of projected structures too."""
        return {node[1] for node in self.below(roots) if node[0] in ("const", "proj")}


def children(node: Node) -> tuple[int, ...]:
    """Return the numbers of the nodes directly below one."""
    kind = node[0]
    if kind in ("app", "lam", "pi", "let", "max", "imax", "succ", "sort"):
        return node[1:]
    if kind == "proj":
        return (node[3],)
    if kind == "const":
        return node[2]
    return ()


@dataclass(frozen=True)
class Constant:
    """A declared constant. ``value`` is None for axioms and for parts of inductive types.

    ``kind``: axiom, def, theorem, opaque, quot, inductive, constructor, recursor. ``extra`` holds
    what a definition (hint) or an inductive type (parameters, types of its block, constructors) needs
    to be declared again.
    """

    name: Name
    kind: str
    levels: tuple[Name, ...]
    type: int
    value: int | None = None
    safe: bool = True
    extra: tuple[Any, ...] = ()
