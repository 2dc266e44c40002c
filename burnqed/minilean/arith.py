"""Linear integer arithmetic: a small trusted certificate checker and an untrusted search.

A problem is a list of facts that are to be shown contradictory over the integers. A fact is a
`Constraint` (``sum + const = 0`` or ``sum + const <= 0``) or a `Clause` (one of several lists of
facts holds). The search follows the omega test (Pugh, "The Omega test", 1991) without dark and
grey shadows, as Lean's `omega` does: equalities are eliminated exactly, then Fourier-Motzkin with
integer tightening. It is incomplete. Only `check` has to be right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import gcd
from typing import Any, NamedTuple

Atom = int
Coeffs = tuple[tuple[Atom, int], ...]


class Constraint(NamedTuple):
    """``sum(c * x for x, c in coeffs) + const`` is 0 (rel "eq") or at most 0 (rel "le")."""

    coeffs: Coeffs
    const: int
    rel: str


class Clause(NamedTuple):
    """At least one alternative holds; an alternative is a tuple of facts that hold together."""

    alternatives: tuple[tuple[Fact, ...], ...]


Fact = Constraint | Clause


class Certificate(NamedTuple):
    """Derivation steps, each appending one fact, then None or a case split on a clause.

    A step is ``("comb", ((fact index, multiplier), ...))``, ``("tight", i, j)`` (from ``e <= 0``
    and ``-e <= 0``, ``e = 0``) or ``("def", atom, coeffs, const)`` (a fresh atom that equals the
    linear form). A split is ``(clause index, (certificate of each alternative, ...))``. Without a
    split the last step must yield a contradiction.
    """

    steps: tuple[Any, ...]
    split: tuple[int, tuple[Certificate, ...]] | None = None


# ---- trusted: the checker --------------------------------------------------------------------


class BadCertificate(Exception):
    """A certificate step that does not follow."""


def _normal(terms: dict[Atom, int], const: int, rel: str) -> Constraint | None:
    """Divide by the gcd, tightening ``<=``; None when no integer point satisfies it."""
    coeffs = tuple(sorted((atom, value) for atom, value in terms.items() if value))
    if not coeffs:
        holds = const == 0 if rel == "eq" else const <= 0
        return Constraint((), 0, rel) if holds else None
    divisor = 0
    for _, value in coeffs:
        divisor = gcd(divisor, value)
    if divisor > 1:
        if rel == "eq" and const % divisor:
            return None
        # sum/g <= -const/g, and the left side is an integer: round the bound down.
        const = -((-const) // divisor)
        coeffs = tuple((atom, value // divisor) for atom, value in coeffs)
    return Constraint(coeffs, const, rel)


def _combine(facts: Sequence[Fact], parts: Iterable[tuple[int, int]]) -> Constraint | None:
    terms: dict[Atom, int] = {}
    const = 0
    rel = "eq"
    for index, factor in parts:
        if type(index) is not int or type(factor) is not int or not 0 <= index < len(facts):
            raise BadCertificate("index")
        fact = facts[index]
        if not isinstance(fact, Constraint):
            raise BadCertificate("a clause in a linear combination")
        if fact.rel != "eq":
            if factor < 0:
                raise BadCertificate("an inequality times a negative number")
            rel = "le"
        for atom, value in fact.coeffs:
            terms[atom] = terms.get(atom, 0) + factor * value
        const += factor * fact.const
    return _normal(terms, const, rel)


def _tight(facts: Sequence[Fact], first: int, second: int) -> Constraint:
    for index in (first, second):
        if type(index) is not int or not 0 <= index < len(facts):
            raise BadCertificate("index")
    one, two = facts[first], facts[second]
    if not isinstance(one, Constraint) or not isinstance(two, Constraint):
        raise BadCertificate("a clause in an antisymmetry step")
    negated = tuple((atom, -value) for atom, value in two.coeffs)
    if sorted(one.coeffs) != sorted(negated) or one.const != -two.const:
        raise BadCertificate("antisymmetry of unlike constraints")
    return Constraint(one.coeffs, one.const, "eq")


def _atoms(facts: Iterable[Fact]) -> set[Atom]:
    found: set[Atom] = set()
    for fact in facts:
        if isinstance(fact, Constraint):
            found.update(atom for atom, _ in fact.coeffs)
        else:
            for alternative in fact.alternatives:
                found |= _atoms(alternative)
    return found


def _valid(fact: Fact) -> bool:
    if isinstance(fact, Clause):
        return all(_valid(inner) for alternative in fact.alternatives for inner in alternative)
    return (
        fact.rel in ("eq", "le")
        and type(fact.const) is int
        and all(type(atom) is int and type(value) is int for atom, value in fact.coeffs)
    )


def _refutes(facts: list[Fact], known: set[Atom], certificate: Certificate) -> bool:
    facts, known = list(facts), set(known)
    for step in certificate.steps:
        kind = step[0]
        derived: Constraint | None
        if kind == "comb":
            derived = _combine(facts, step[1])
            if derived is None:
                return True
        elif kind == "tight":
            derived = _tight(facts, step[1], step[2])
        elif kind == "def":
            atom, coeffs, const = step[1:]
            if atom in known or any(other not in known for other, _ in coeffs):
                raise BadCertificate("a definition must name a fresh atom")
            derived = Constraint((*coeffs, (atom, -1)), const, "eq")
            if not _valid(derived):
                raise BadCertificate("definition")
            known.add(atom)
        else:
            raise BadCertificate("unknown step")
        facts.append(derived)
    if certificate.split is None:
        return False
    index, branches = certificate.split
    if type(index) is not int or not 0 <= index < len(facts):
        raise BadCertificate("index")
    clause = facts[index]
    if not isinstance(clause, Clause) or len(clause.alternatives) != len(branches):
        raise BadCertificate("split")
    return all(
        _refutes([*facts, *alternative], known, branch)
        for alternative, branch in zip(clause.alternatives, branches, strict=True)
    )


def check(facts: Sequence[Fact], certificate: Certificate) -> bool:
    """Return whether ``certificate`` shows that no integer assignment satisfies ``facts``.

    Everything is computed again from the facts; nothing in the certificate is believed.
    """
    try:
        if not all(_valid(fact) for fact in facts):
            return False
        return _refutes(list(facts), _atoms(facts), certificate)
    except (BadCertificate, TypeError, ValueError, IndexError, AttributeError, RecursionError):
        return False


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
        derived = _combine(facts, indexed)  # type: ignore[arg-type]
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
    fresh = max(_atoms(facts), default=-1) + 1
    try:
        return search.refute(list(facts), pending, fresh)
    except (_OutOfSteps, RecursionError):
        return None
