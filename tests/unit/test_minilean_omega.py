"""omega against brute force on small domains: what it proves is true everywhere."""

from __future__ import annotations

import random
from itertools import product

import pytest

from burnqed.minilean.engine import Engine, TacticError
from burnqed.minilean.expr import NAT, PROP, Cert, Expr, FVar, Lit, app, capp, const, pi, spine
from burnqed.minilean.kernel_arith import Certificate
from burnqed.minilean.kernel_omega import check_certificate
from burnqed.minilean.omega import prove

X, Y = FVar(1), FVar(2)
P = FVar(9)


def lit(value: int) -> Expr:
    return Lit(value)


def int_lit(value: int) -> Expr:
    return capp("Int.ofNat", Lit(value)) if value >= 0 else capp("Int.neg", int_lit(-value))


def random_term(rng: random.Random, natural: bool, depth: int) -> Expr:
    kind = "Nat" if natural else "Int"
    if depth == 0 or rng.random() < 0.3:
        if rng.random() < 0.7:
            return rng.choice([X, Y])
        return lit(rng.randint(0, 4)) if natural else int_lit(rng.randint(-4, 4))
    op = rng.choice(["add", "add", "sub", "sub", "mul", "div", "mod", "min", "max", "succ", "neg"])
    one = random_term(rng, natural, depth - 1)
    if op in ("succ", "neg"):
        return capp("Nat.succ", one) if natural else capp("Int.neg", one)
    if op in ("mul", "div", "mod"):
        small = rng.randint(0, 4) if natural else rng.randint(-4, 4)
        factor = lit(small) if natural else int_lit(small)
        return capp(f"{kind}.{op}", one, factor)
    return capp(f"{kind}.{op}", one, random_term(rng, natural, depth - 1))


def random_prop(rng: random.Random, natural: bool, depth: int) -> Expr:
    kind = "Nat" if natural else "Int"
    if depth == 0 or rng.random() < 0.5:
        one, two = (random_term(rng, natural, 2) for _ in range(2))
        relation = rng.choice(["Eq", "Ne", "le", "lt", "ge", "gt", "dvd"])
        if relation in ("Eq", "Ne"):
            return capp(relation, const(kind), one, two)
        if relation == "dvd":
            one = lit(rng.randint(0, 4)) if natural else int_lit(rng.randint(-4, 4))
        return capp(f"{kind}.{relation}", one, two)
    one = random_prop(rng, natural, depth - 1)
    op = rng.choice(["Not", "And", "Or", "Iff", "imp"])
    if op == "Not":
        return capp("Not", one)
    two = random_prop(rng, natural, depth - 1)
    return pi("h", one, two) if op == "imp" else capp(op, one, two)


def value(e: Expr, point: tuple[int, ...], natural: bool) -> int:
    if isinstance(e, Lit):
        return e.value
    if isinstance(e, FVar):
        return point[e.id - 1]
    fn, args = spine(e)
    op = fn.name.split(".")[1]  # type: ignore[attr-defined]
    if op == "ofNat":
        return value(args[0], point, True)
    x = value(args[0], point, natural)
    if op in ("succ", "neg"):
        return x + 1 if op == "succ" else -x
    y = value(args[1], point, natural)
    if op == "sub":
        return max(x - y, 0) if natural else x - y
    if op == "div":
        return (x - x % abs(y)) // y if y else 0
    if op == "mod":
        return x % abs(y) if y else x
    return {"add": x + y, "mul": x * y, "min": min(x, y), "max": max(x, y)}[op]


def truth(p: Expr, point: tuple[int, ...], natural: bool) -> bool:
    if not hasattr(p, "fn"):
        return truth(p.body, point, natural) if truth(p.ty, point, natural) else True  # type: ignore[attr-defined]
    fn, args = spine(p)
    name = fn.name  # type: ignore[attr-defined]
    if name == "Not":
        return not truth(args[0], point, natural)
    if name in ("And", "Or", "Iff"):
        one, two = (truth(a, point, natural) for a in args)
        return (one and two) if name == "And" else (one or two) if name == "Or" else one == two
    x, y = (value(a, point, natural) for a in args[-2:])
    if name.endswith("dvd"):
        return y % x == 0 if x else y == 0
    relation = name.rsplit(".")[-1]
    return {"Eq": x == y, "Ne": x != y, "le": x <= y, "lt": x < y, "ge": x >= y, "gt": x > y}[relation]


def test_never_proves_a_false_goal() -> None:
    rng = random.Random(5)
    proved = valid = 0
    for _ in range(700):
        natural = rng.random() < 0.6
        box = range(9) if natural else range(-6, 7)
        hyps = [random_prop(rng, natural, 1) for _ in range(rng.randint(0, 2))]
        goal = random_prop(rng, natural, 2)
        holds = all(
            truth(goal, point, natural)
            for point in product(box, repeat=2)
            if all(truth(h, point, natural) for h in hyps)
        )
        valid += holds
        found = prove([(FVar(100 + i), h) for i, h in enumerate(hyps)], goal)
        if found is not None:
            assert holds
            proved += 1
    # The box is small, so some statements hold in it and not everywhere.
    assert proved > 0.5 * valid and valid > 150


def nat(relation: str, one: Expr, two: Expr) -> Expr:
    return capp(f"Nat.{relation}", one, two)


def add(one: Expr, two: Expr) -> Expr:
    return capp("Nat.add", one, two)


def test_proves_textbook_goals() -> None:
    f_x = app(FVar(3), X)
    goals: list[tuple[list[Expr], Expr]] = [
        ([], capp("Eq", NAT, add(X, Y), add(Y, X))),
        ([], nat("le", lit(0), X)),
        ([nat("lt", X, Y)], nat("le", capp("Nat.succ", X), Y)),
        ([], nat("lt", capp("Nat.mod", X, lit(3)), lit(3))),
        ([capp("Not", nat("le", X, Y))], nat("gt", X, Y)),
        ([nat("le", Y, X)], capp("Eq", NAT, add(capp("Nat.sub", X, Y), Y), X)),
        ([nat("dvd", lit(4), X)], nat("dvd", lit(2), X)),
        ([capp("Eq", NAT, f_x, lit(3))], nat("lt", add(f_x, X), add(X, lit(4)))),
        ([nat("lt", X, lit(0))], P),
        ([capp("Or", nat("lt", X, Y), nat("lt", Y, X))], capp("Ne", NAT, X, Y)),
        ([], capp("Iff", nat("lt", X, Y), nat("le", add(X, lit(1)), Y))),
        (
            [capp("Eq", NAT, X, add(capp("Nat.mul", lit(2), Y), lit(1)))],
            capp("Eq", NAT, capp("Nat.mod", X, lit(2)), lit(1)),
        ),
    ]
    for hyps, goal in goals:
        assert prove([(FVar(100 + i), h) for i, h in enumerate(hyps)], goal) is not None, goal


def test_atoms_are_compared_after_arithmetic_on_literals() -> None:
    def f(e: Expr) -> Expr:
        return app(FVar(3), e)

    steps = [capp("Eq", NAT, f(add(lit(i), lit(1))), add(f(lit(i)), lit(5))) for i in range(3)]
    goal = capp("Eq", NAT, f(lit(3)), add(f(lit(0)), lit(15)))
    assert prove([(FVar(100 + i), h) for i, h in enumerate(steps)], goal) is not None
    assert prove([(FVar(100), steps[0])], capp("Eq", NAT, f(lit(2)), f(lit(2)))) is not None
    assert prove([(FVar(100), steps[0])], capp("Eq", NAT, f(lit(2)), f(lit(1)))) is None


def test_leading_binders_are_introduced() -> None:
    engine = Engine()
    for statement in (
        "∀ (x : Nat), x ≥ 0",
        "∀ (x y : Nat), x < y → x + 1 ≤ y",
        "∀ (x : Nat), x < 3 → ∀ y, y ≤ x → y ≠ 7",
        "∀ (p : Prop) (a : Nat), a < 0 → p",
        "∀ (a b : Int), a - b + b = a",
    ):
        assert engine.step(engine.start(statement), "omega").proof is not None
    for statement in ("∀ (x : Nat), x ≥ 1", "∀ (p : Prop) (a : Nat), 0 < a → p"):
        with pytest.raises(TacticError, match="omega could not prove the goal"):
            engine.step(engine.start(statement), "omega")


def test_leaves_what_it_does_not_understand() -> None:
    square = capp("Nat.mul", X, X)
    assert prove([], nat("le", X, square)) is None
    assert prove([(FVar(100), P)], P) is None
    assert prove([(FVar(100), PROP)], nat("le", lit(1), X)) is None
    dependent = pi("n", NAT, nat("le", lit(1), capp("Nat.succ", X)))
    assert prove([(FVar(100), dependent)], nat("le", lit(1), X)) is None


def test_unused_hypotheses_stay_out_of_the_proof() -> None:
    hyps = [nat("lt", X, Y), nat("lt", lit(7), X), capp("Eq", NAT, Y, Y)]
    found = prove([(FVar(100 + i), h) for i, h in enumerate(hyps)], nat("le", X, Y))
    assert found is not None
    head, args = spine(found)
    assert isinstance(head, Cert) and args == [FVar(100)]


def test_a_certificate_is_worth_nothing_for_another_goal() -> None:
    good = prove([], nat("le", X, add(X, Y)))
    assert isinstance(good, Cert) and isinstance(good.data, Certificate)
    assert check_certificate([], good.prop, good.data)
    assert not check_certificate([], nat("lt", X, add(X, Y)), good.data)
    assert not check_certificate([], nat("le", add(X, Y), X), good.data)
    assert not check_certificate([], const("False"), good.data)
    for data in (None, (), ("comb",), Certificate(()), Certificate((("comb", ()),)), "omega"):
        assert not check_certificate([], good.prop, data)
