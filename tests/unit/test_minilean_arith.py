"""The arithmetic checker against brute force; mutated certificates are refused."""

from __future__ import annotations

import random
from itertools import product

from burnqed.minilean.arith import refute
from burnqed.minilean.budget import Budget
from burnqed.minilean.environment import Library
from burnqed.minilean.expr import INT, NAT, PROP, Expr, Pi, const, instantiate1, lit
from burnqed.minilean.kernel import Kernel
from burnqed.minilean.kernel_arith import Certificate, Clause, Constraint, Fact, check
from burnqed.minilean.kernel_reduce import int_expr

BOX = range(-4, 5)


def holds(fact: Fact, point: tuple[int, ...]) -> bool:
    if isinstance(fact, Clause):
        return any(all(holds(inner, point) for inner in alt) for alt in fact.alternatives)
    value = sum(c * point[atom] for atom, c in fact.coeffs) + fact.const
    return value == 0 if fact.rel == "eq" else value <= 0


def random_constraint(rng: random.Random, atoms: int) -> Constraint:
    coeffs = tuple((a, rng.randint(-4, 4)) for a in range(atoms))
    coeffs = tuple((a, c) for a, c in coeffs if c)
    return Constraint(coeffs, rng.randint(-6, 6), rng.choice(["eq", "le", "le"]))


def random_facts(rng: random.Random) -> list[Fact]:
    facts: list[Fact] = [random_constraint(rng, 3) for _ in range(rng.randint(1, 5))]
    for _ in range(rng.randint(0, 2)):
        facts.append(
            Clause(tuple(tuple(random_constraint(rng, 3) for _ in range(rng.randint(1, 2))) for _ in range(2)))
        )
    return facts


def box_facts() -> list[Fact]:
    bounds: list[Fact] = []
    for atom in range(3):
        bounds.append(Constraint(((atom, 1),), -BOX[-1], "le"))
        bounds.append(Constraint(((atom, -1),), BOX[0], "le"))
    return bounds


def test_never_refutes_a_satisfiable_system() -> None:
    rng = random.Random(1)
    refuted = satisfiable = 0
    for _ in range(1200):
        facts = random_facts(rng)
        found = any(all(holds(f, p) for f in facts) for p in product(BOX, repeat=3))
        certificate = refute(facts, 400)
        satisfiable += found
        if certificate is not None:
            assert not found
            assert check(facts, certificate)
            refuted += 1
    assert refuted > 100 and satisfiable > 300


def test_refutes_most_boxed_unsatisfiable_systems() -> None:
    rng = random.Random(2)
    unsatisfiable = refuted = 0
    for _ in range(300):
        facts = [*box_facts(), *(random_constraint(rng, 3) for _ in range(4))]
        if not any(all(holds(f, p) for f in facts) for p in product(BOX, repeat=3)):
            unsatisfiable += 1
            refuted += refute(facts, 4000) is not None
    assert unsatisfiable > 50
    assert refuted > 0.75 * unsatisfiable


def test_equalities_without_unit_coefficients() -> None:
    parity: list[Fact] = [Constraint(((0, 4), (1, 6)), 3, "eq")]
    assert refute(parity) is not None
    # 7x + 12y = 17 and 12x + 7y = 40 has the rational solution only.
    pair: list[Fact] = [
        Constraint(((0, 7), (1, 12)), -17, "eq"),
        Constraint(((0, 12), (1, 7)), -40, "eq"),
    ]
    found = refute(pair)
    assert found is not None and check(pair, found)
    solvable: list[Fact] = [Constraint(((0, 7), (1, 12)), -17, "eq")]
    assert refute(solvable) is None


def mutate(rng: random.Random, value: object) -> object:
    """Change one integer somewhere inside nested tuples."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        return value + rng.choice([-2, -1, 1, 2])
    assert isinstance(value, tuple)
    if not value:
        return value
    at = rng.randrange(len(value))
    items = [mutate(rng, v) if i == at else v for i, v in enumerate(value)]
    return Certificate(*items) if isinstance(value, Certificate) else tuple(items)  # type: ignore[arg-type]


def test_a_certificate_never_refutes_satisfiable_facts_however_mutated() -> None:
    rng = random.Random(3)
    certificates = []
    systems = [random_facts(rng) for _ in range(250)]
    for facts in systems:
        certificate = refute(facts, 400)
        if certificate is not None:
            certificates.append(certificate)
    satisfiable = [s for s in systems if any(all(holds(f, p) for f in s) for p in product(BOX, repeat=3))][:40]
    assert len(certificates) > 20 and len(satisfiable) > 20
    for certificate in certificates:
        for facts in satisfiable:
            assert not check(facts, certificate)
            assert not check(facts, mutate(rng, certificate))  # type: ignore[arg-type]


def test_wrong_certificates_are_refused() -> None:
    facts: list[Fact] = [Constraint(((0, 1),), 0, "le"), Constraint(((0, -1),), 1, "le")]
    good = Certificate((("comb", ((0, 1), (1, 1))),))
    assert check(facts, good)
    for bad in (
        Certificate(()),
        Certificate((("comb", ((0, 1), (1, -1))),)),  # negative multiplier of <=
        Certificate((("comb", ((0, 1), (2, 1))),)),  # no such fact
        Certificate((("comb", ((0, 1.0), (1, 1.0))),)),  # not integers
        Certificate((("tight", 0, 1), ("comb", ((2, 1),)))),  # e <= 0 and -e + 1 <= 0
        Certificate((("def", 0, (), 5), ("comb", ((2, 1), (0, 1))))),  # atom not fresh
        Certificate((("axiom", 0),)),
        Certificate((), (0, ())),  # split on a constraint
    ):
        assert not check(facts, bad)
    free: list[Fact] = [Constraint(((0, 1),), 0, "le")]
    assert not check(free, good)
    assert not check([Clause(())], Certificate((), (0, (good,))))
    assert check([Clause(())], Certificate((), (0, ())))  # an empty disjunction is false


SMALL: dict[Expr, list[Expr]] = {
    NAT: [lit(value) for value in range(4)],
    INT: [int_expr(value) for value in (-3, -1, 0, 2)],
    PROP: [const("True"), const("False")],
    const("Bool"): [const("Bool.true"), const("Bool.false")],
}


def holds_on_small_values(kernel: Kernel, statement: Expr) -> bool | None:
    """Evaluate for all small values of the variables; None when something cannot be evaluated."""
    if not isinstance(statement, Pi):
        return kernel.decide(statement)
    if statement.ty in SMALL:
        for value in SMALL[statement.ty]:
            found = holds_on_small_values(kernel, instantiate1(statement.body, value))
            if not found:
                return found
        return True
    premise = None if statement.body.lo else kernel.decide(statement.ty)
    if not premise:
        return None if premise is None else True
    return holds_on_small_values(kernel, statement.body)


def test_the_library_lemmas_hold_on_small_values() -> None:
    library = Library()
    evaluated = 0
    for name in library.names():
        decl = library.get(name)
        assert decl is not None
        if decl.kind == "theorem":
            found = holds_on_small_values(Kernel(library, Budget(10**9)), decl.type)
            assert found is not False, name
            evaluated += found is True
    assert evaluated > 300
