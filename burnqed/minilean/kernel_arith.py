"""Trusted: certificates of linear integer arithmetic, and their checker."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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


def combine(facts: Sequence[Fact], parts: Iterable[tuple[int, int]]) -> Constraint | None:
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


def atoms_of(facts: Iterable[Fact]) -> set[Atom]:
    found: set[Atom] = set()
    for fact in facts:
        if isinstance(fact, Constraint):
            found.update(atom for atom, _ in fact.coeffs)
        else:
            for alternative in fact.alternatives:
                found |= atoms_of(alternative)
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
            derived = combine(facts, step[1])
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
        return _refutes(list(facts), atoms_of(facts), certificate)
    except (BadCertificate, TypeError, ValueError, IndexError, AttributeError, RecursionError):
        return False
