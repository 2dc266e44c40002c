"""Trusted: reads propositions as linear facts, so that a certificate can be checked against them."""

from __future__ import annotations

from collections.abc import Sequence

from burnqed.minilean.expr import App, Const, Expr, Lit, Pi, apps, spine
from burnqed.minilean.kernel_arith import Certificate, Clause, Constraint, Fact, check
from burnqed.minilean.kernel_reduce import from_offset, offset

MAX_POWER_BITS = 4096
# Atoms with their coefficients, and the constant.
Linear = tuple[dict[int, int], int]


def _plus(one: Linear, two: Linear, factor: int = 1) -> Linear:
    terms = dict(one[0])
    for atom, value in two[0].items():
        terms[atom] = terms.get(atom, 0) + factor * value
    return {a: v for a, v in terms.items() if v}, one[1] + factor * two[1]


def _scale(linear: Linear, factor: int) -> Linear:
    return {a: v * factor for a, v in linear[0].items() if factor}, linear[1] * factor


def _fact(linear: Linear, rel: str) -> Constraint:
    return Constraint(tuple(sorted(linear[0].items())), linear[1], rel)


def _le(one: Linear, two: Linear) -> Constraint:
    return _fact(_plus(one, two, -1), "le")


def _lt(one: Linear, two: Linear) -> Constraint:
    terms, const = _plus(one, two, -1)
    return _fact((terms, const + 1), "le")


def _eq(one: Linear, two: Linear) -> Constraint:
    return _fact(_plus(one, two, -1), "eq")


class Reader:
    """Reads closed, well-typed propositions as facts; `side` says what holds of the atoms."""

    def __init__(self) -> None:
        self.count = 0
        self.side: list[Fact] = []
        self._linear: dict[Expr, Linear] = {}
        self._atoms: dict[Expr, Linear] = {}
        self._quotients: dict[tuple[Expr, int], Linear] = {}

    def _fresh(self, natural: bool) -> Linear:
        atom: Linear = ({self.count: 1}, 0)
        self.count += 1
        if natural:
            self.side.append(_le(({}, 0), atom))
        return atom

    def _either(self, *alternatives: tuple[Fact, ...]) -> None:
        self.side.append(Clause(alternatives))

    # terms

    def term(self, e: Expr, natural: bool) -> Linear:
        """The linear form of a term of type Nat (``natural``) or Int."""
        found = self._linear.get(e)
        if found is None:
            found = self._term(e, natural)
            self._linear[e] = found
        return found

    def _term(self, e: Expr, natural: bool) -> Linear:
        if isinstance(e, Lit):
            return {}, e.value
        fn, args = spine(e)
        name = fn.name if isinstance(fn, Const) else ""
        kind, _, op = name.partition(".")
        if natural and name == "Nat.zero" and not args:
            return {}, 0
        if natural and name == "Nat.succ" and len(args) == 1:
            return _plus(self.term(args[0], True), ({}, 1))
        if kind == ("Nat" if natural else "Int") and len(args) == 2:
            found = self._binary(e, op, args, natural)
        else:
            found = self._unary(name, args, natural)
        if found is not None:
            return found
        key = fold(e)
        if key not in self._atoms:
            self._atoms[key] = self._fresh(natural)
        return self._atoms[key]

    def _binary(self, e: Expr, op: str, args: list[Expr], natural: bool) -> Linear | None:
        if op in ("add", "sub", "mul", "min", "max"):
            one, two = self.term(args[0], natural), self.term(args[1], natural)
            if op == "add":
                return _plus(one, two)
            if op == "mul":
                if not two[0]:
                    return _scale(one, two[1])
                return None if one[0] else _scale(two, one[1])
            if op == "sub" and not natural:
                return _plus(one, two, -1)
            new = self._fresh(natural)
            if op == "sub":
                self._either(
                    (_le(two, one), _eq(new, _plus(one, two, -1))),
                    (_lt(one, two), _eq(new, ({}, 0))),
                )
            else:
                low, high = (one, two) if op == "min" else (two, one)
                self._either((_le(one, two), _eq(new, low)), (_lt(two, one), _eq(new, high)))
            return new
        if op in ("div", "mod"):
            two = self.term(args[1], natural)
            if two[0]:
                return None
            if two[1] == 0:
                return ({}, 0) if op == "div" else self.term(args[0], natural)
            quotient = self._quotient(args[0], two[1], natural)
            if op == "div":
                return quotient
            return _plus(self.term(args[0], natural), quotient, -two[1])
        if op == "pow":
            one, two = self.term(args[0], natural), self.term(args[1], True)
            small = not one[0] and not two[0] and two[1] * one[1].bit_length() <= MAX_POWER_BITS
            return ({}, one[1] ** two[1]) if small and two[1] >= 0 else None
        return None

    def _quotient(self, e: Expr, divisor: int, natural: bool) -> Linear:
        """q with ``divisor * q <= e < divisor * q + |divisor|`` (Euclidean, as in Lean 4)."""
        found = self._quotients.get((e, divisor))
        if found is None:
            value = self.term(e, natural)
            found = self._fresh(natural)
            multiple = _scale(found, divisor)
            self.side.append(_le(multiple, value))
            self.side.append(_lt(value, _plus(multiple, ({}, abs(divisor)))))
            self._quotients[e, divisor] = found
        return found

    def _unary(self, name: str, args: list[Expr], natural: bool) -> Linear | None:
        if len(args) != 1:
            return None
        if not natural:
            if name == "Int.ofNat":
                return self.term(args[0], True)
            if name == "Int.negSucc":
                return _plus(({}, -1), self.term(args[0], True), -1)
            return _scale(self.term(args[0], False), -1) if name == "Int.neg" else None
        if name not in ("Int.natAbs", "Int.toNat"):
            return None
        value: Linear = self.term(args[0], False)
        zero: Linear = ({}, 0)
        new = self._fresh(True)
        below = _scale(value, -1) if name == "Int.natAbs" else zero
        self._either((_le(zero, value), _eq(new, value)), (_lt(value, zero), _eq(new, below)))
        return new

    # propositions

    def facts(self, p: Expr, positive: bool) -> tuple[Fact, ...]:
        """Facts that follow from ``p``, or from its negation; () when it is not understood."""
        if isinstance(p, Pi):
            if p.body.lo:
                return ()
            if positive:
                return _clause(self.facts(p.ty, False), self.facts(p.body, True))
            return (*self.facts(p.ty, True), *self.facts(p.body, False))
        fn, args = spine(p)
        if not isinstance(fn, Const):
            return ()
        name, n = fn.name, len(args)
        if name in ("True", "False") and n == 0:
            return () if (name == "True") == positive else (Constraint((), 1, "eq"),)
        if name == "Not" and n == 1:
            return self.facts(args[0], not positive)
        if name in ("And", "Or") and n == 2:
            one, two = self.facts(args[0], positive), self.facts(args[1], positive)
            return (*one, *two) if (name == "And") == positive else _clause(one, two)
        if name == "Iff" and n == 2:
            left, right = args
            return _clause(
                (*self.facts(left, True), *self.facts(right, positive)),
                (*self.facts(left, False), *self.facts(right, not positive)),
            )
        if name in ("Eq", "Ne") and n == 3 and isinstance(args[0], Const):
            if args[0].name not in ("Nat", "Int"):
                return ()
            natural = args[0].name == "Nat"
            x, y = self.term(args[1], natural), self.term(args[2], natural)
            if (name == "Eq") == positive:
                return (_eq(x, y),)
            return _clause((_lt(x, y),), (_lt(y, x),))
        kind, _, relation = name.partition(".")
        if kind not in ("Nat", "Int") or n != 2 or relation not in ("le", "lt", "ge", "gt", "dvd"):
            return ()
        return self._relation(relation, args, kind == "Nat", positive)

    def _relation(self, relation: str, args: list[Expr], natural: bool, positive: bool) -> tuple[Fact, ...]:
        x, y = self.term(args[0], natural), self.term(args[1], natural)
        if relation == "dvd":
            if x[0]:
                return ()
            rest = y
            if x[1]:
                rest = _plus(y, self._quotient(args[1], x[1], natural), -x[1])
            zero: Linear = ({}, 0)
            if positive:
                return (_eq(rest, zero),)
            return _clause((_lt(rest, zero),), (_lt(zero, rest),))
        if relation in ("ge", "gt"):
            x, y = y, x
        strict = relation in ("lt", "gt")
        if not positive:
            x, y, strict = y, x, not strict
        return (_lt(x, y) if strict else _le(x, y),)


def fold(e: Expr) -> Expr:
    """``e`` with arithmetic on Nat literals done, so that ``f (1 + 1)`` and ``f 2`` are one atom.

    Definitionally equal to ``e``.
    """
    if not isinstance(e, App):
        return e
    fn, args = spine(e)
    args = [fold(arg) for arg in args]
    new = apps(fold(fn), *args)
    if isinstance(fn, Const) and fn.name in ("Nat.add", "Nat.succ"):
        return from_offset(*offset(new))
    if isinstance(fn, Const) and fn.name == "Nat.mul" and len(args) == 2:
        one, two = args
        if isinstance(one, Lit) and isinstance(two, Lit):
            return Lit(one.value * two.value)
    return new


def _clause(one: tuple[Fact, ...], two: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """One side or the other; nothing when a side says nothing."""
    return (Clause((one, two)),) if one and two else ()


def read_facts(hypotheses: Sequence[Expr], goal: Expr) -> tuple[list[Fact], list[int]]:
    """All facts, and for each the number of its hypothesis (-1: goal, -2: holds anyway)."""
    reader = Reader()
    facts: list[Fact] = []
    owners: list[int] = []
    for number, prop in [*enumerate(hypotheses), (-1, goal)]:
        for fact in reader.facts(prop, number >= 0):
            facts.append(fact)
            owners.append(number)
    return [*facts, *reader.side], [*owners, *([-2] * len(reader.side))]


def check_certificate(hypotheses: Sequence[Expr], goal: Expr, data: object) -> bool:
    """Whether ``data`` shows that the propositions ``hypotheses`` imply ``goal``.

    Trusted. The propositions must be well typed and closed but for free variables.
    """
    if not isinstance(data, Certificate) or goal.lo or any(h.lo for h in hypotheses):
        return False
    try:
        facts, _ = read_facts(hypotheses, goal)
    except RecursionError:
        return False
    return check(facts, data)
