"""Linear integer arithmetic: a small trusted certificate checker and an untrusted search.

A problem is a list of facts that are to be shown contradictory over the integers. A fact is a
`Constraint` (``sum + const = 0`` or ``sum + const <= 0``) or a `Clause` (one of several lists of
facts holds). The search follows the omega test (Pugh, "The Omega test", 1991) without dark and
grey shadows, as Lean's `omega` does: equalities are eliminated exactly, then Fourier-Motzkin with
integer tightening. It is incomplete. Only `check` has to be right.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import gcd
from typing import Any

from burnqed.minilean.kernel_arith import Atom, Certificate, Clause, Coeffs, Constraint, Fact, atoms_of, combine

# ---- untrusted: the search -------------------------------------------------------------------


class _Node:
    """A constraint with the reason it holds, so that only used steps enter the certificate."""

    __slots__ = ("fact", "reason")

    def __init__(self, fact: Constraint | None, reason: tuple[Any, ...]) -> None:
        self.fact = fact
        self.reason = reason


class _OutOfSteps(Exception):
    pass


class _Search:
    def __init__(self, step_limit: int, check: Callable[[], None] | None = None) -> None:
        self.steps_left = step_limit
        self.check = check
        self.defined: dict[Atom, _Node] = {}

    def comb(self, parts: Sequence[tuple[_Node, int]]) -> _Node:
        self.steps_left -= 1
        if self.steps_left < 0:
            raise _OutOfSteps
        if self.check is not None:
            self.check()
        facts = [node.fact for node, _ in parts]
        indexed = [(index, factor) for index, (_, factor) in enumerate(parts)]
        derived = combine(facts, indexed)  # type: ignore[arg-type]
        return _Node(derived, ("comb", tuple(parts)))

    def linear(self, nodes: list[_Node], fresh: int) -> _Node | None:
        """Return a contradictory node, or None."""
        self.defined.clear()
        work = [self.comb([(node, 1)]) for node in nodes]
        while True:
            equalities: list[_Node] = []
            bounds: dict[Coeffs, _Node] = {}
            for node in work:
                if node.fact is None:
                    return node
                if not node.fact.coeffs:
                    continue
                if node.fact.rel == "eq":
                    equalities.append(node)
                    continue
                old = bounds.get(node.fact.coeffs)
                if old is None or old.fact is None or old.fact.const < node.fact.const:
                    bounds[node.fact.coeffs] = node
            for coeffs, node in list(bounds.items()):
                opposite = bounds.get(tuple((atom, -value) for atom, value in coeffs))
                if opposite is None or node.fact is None or opposite.fact is None:
                    continue
                if node.fact.const + opposite.fact.const > 0:
                    return self.comb([(node, 1), (opposite, 1)])
                if node.fact.const + opposite.fact.const == 0:
                    equalities.append(_Node(Constraint(coeffs, node.fact.const, "eq"), ("tight", node, opposite)))
                    del bounds[coeffs], bounds[opposite.fact.coeffs]
            if equalities:
                work, fresh = self.substitute(equalities, list(bounds.values()), fresh)
            elif bounds:
                work = self.eliminate(list(bounds.values()))
            else:
                return None

    def substitute(self, equalities: list[_Node], others: list[_Node], fresh: int) -> tuple[list[_Node], int]:
        """Remove one atom by the equality with the smallest coefficient."""

        def smallest(node: _Node) -> int:
            assert node.fact is not None
            return min(abs(value) for _, value in node.fact.coeffs)

        pivot = min(equalities, key=smallest)
        assert pivot.fact is not None
        atom, value = min(pivot.fact.coeffs, key=lambda item: (abs(item[1]), item[0]))
        rest = [node for node in equalities if node is not pivot] + others
        if abs(value) > 1:
            # A fresh t = x + sum (c_i div v) x_i + (const div v) leaves remainders below |v|.
            coeffs = tuple((other, 1 if other == atom else c // value) for other, c in pivot.fact.coeffs)
            coeffs = tuple((other, c) for other, c in coeffs if c)
            const = pivot.fact.const // value
            used = tuple(self.defined[other] for other, _ in coeffs if other in self.defined)
            definition = _Node(
                Constraint((*coeffs, (fresh, -1)), const, "eq"),
                ("def", fresh, coeffs, const, used),
            )
            self.defined[fresh] = definition
            rest, fresh = [*rest, pivot], fresh + 1
            pivot, value = self.comb([(definition, 1)]), 1
            assert pivot.fact is not None
            value = dict(pivot.fact.coeffs)[atom]
        replaced: list[_Node] = []
        for node in rest:
            assert node.fact is not None
            factor = dict(node.fact.coeffs).get(atom, 0)
            replaced.append(self.comb([(node, 1), (pivot, -factor * value)]) if factor else node)
        return replaced, fresh

    def eliminate(self, bounds: list[_Node]) -> list[_Node]:
        """One Fourier-Motzkin step, on the atom with an exact and then the cheapest elimination."""
        lower: dict[Atom, list[tuple[_Node, int]]] = {}
        upper: dict[Atom, list[tuple[_Node, int]]] = {}
        for node in bounds:
            assert node.fact is not None
            for atom, value in node.fact.coeffs:
                (upper if value > 0 else lower).setdefault(atom, []).append((node, abs(value)))

        def cost(atom: Atom) -> tuple[bool, int, Atom]:
            low, high = lower.get(atom, []), upper.get(atom, [])
            exact = all(v == 1 for _, v in low) or all(v == 1 for _, v in high)
            return (not exact, len(low) * len(high) - len(low) - len(high), atom)

        atom = min(lower.keys() | upper.keys(), key=cost)
        low, high = lower.get(atom, []), upper.get(atom, [])
        used = {id(node) for node, _ in low} | {id(node) for node, _ in high}
        work = [node for node in bounds if id(node) not in used]
        for one, a in low:
            for two, b in high:
                work.append(self.comb([(one, b // gcd(a, b)), (two, a // gcd(a, b))]))
        return work

    def refute(self, facts: list[Fact], pending: list[int], fresh: int) -> Certificate | None:
        nodes = [_Node(fact, ("given", index)) for index, fact in enumerate(facts) if isinstance(fact, Constraint)]
        goal = self.linear(nodes, fresh)
        if goal is not None:
            return Certificate(_emit(goal, len(facts)))
        if not pending:
            return None
        index, *others = pending
        clause = facts[index]
        assert isinstance(clause, Clause)
        branches: list[Certificate] = []
        for alternative in clause.alternatives:
            extended = [*facts, *alternative]
            inner = [number for number in range(len(facts), len(extended)) if isinstance(extended[number], Clause)]
            found = self.refute(extended, others + inner, fresh)
            if found is None:
                return None
            branches.append(found)
        return Certificate((), (index, tuple(branches)))


def _emit(goal: _Node, count: int) -> tuple[Any, ...]:
    """Write the steps that lead to ``goal``; the facts 0..count-1 are given."""
    steps: list[Any] = []
    index: dict[int, int] = {}
    stack: list[tuple[_Node, bool]] = [(goal, False)]
    while stack:
        node, ready = stack.pop()
        if id(node) in index:
            continue
        reason = node.reason
        if reason[0] == "given":
            index[id(node)] = reason[1]
            continue
        parents: list[_Node] = []
        if reason[0] == "comb":
            parents = [parent for parent, _ in reason[1]]
        elif reason[0] == "tight":
            parents = [reason[1], reason[2]]
        else:
            parents = list(reason[4])
        if not ready:
            stack.append((node, True))
            stack.extend((parent, False) for parent in reversed(parents))
            continue
        if reason[0] == "comb":
            step: Any = ("comb", tuple((index[id(p)], factor) for p, factor in reason[1]))
        elif reason[0] == "tight":
            step = ("tight", index[id(reason[1])], index[id(reason[2])])
        else:
            step = reason[:4]
        index[id(node)] = count + len(steps)
        steps.append(step)
    return tuple(steps)


def refute(
    facts: Sequence[Fact], step_limit: int = 4000, check: Callable[[], None] | None = None
) -> Certificate | None:
    """Search for a certificate that ``facts`` are contradictory over the integers.

    Returns None when none is found within ``step_limit`` linear combinations. Deterministic.
    `check` is called before each of them; what it raises, such as the end of a time limit, is passed on.
    """
    search = _Search(step_limit, check)
    pending = [index for index, fact in enumerate(facts) if isinstance(fact, Clause)]
    fresh = max(atoms_of(facts), default=-1) + 1
    try:
        return search.refute(list(facts), pending, fresh)
    except (_OutOfSteps, RecursionError):
        return None
