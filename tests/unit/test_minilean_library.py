"""The core library is true: closed instances are evaluated, equations agree with their meaning."""

from __future__ import annotations

import itertools
import random

from burnqed.minilean.core_text import TEXT
from burnqed.minilean.engine import library
from burnqed.minilean.expr import (
    INT,
    NAT,
    PROP,
    TYPE,
    Const,
    Expr,
    Pi,
    app,
    capp,
    const,
    instantiate,
    instantiate1,
    lit,
    spine,
)
from burnqed.minilean.kernel import Kernel
from burnqed.minilean.kernel_decide import value
from burnqed.minilean.kernel_reduce import int_expr

LIBRARY = library()
KERNEL = Kernel(LIBRARY)
NATS: list[Expr] = [lit(k) for k in range(4)]
INTS: list[Expr] = [int_expr(k) for k in (-2, -1, 0, 1, 3)]
BOOLS: list[Expr] = [const("Bool.true"), const("Bool.false")]
PROPS: list[Expr] = [const("True"), const("False")]


def lists(depth: int) -> list[Expr]:
    out = [capp("List.nil", NAT)]
    for _ in range(depth):
        out += [capp("List.cons", NAT, lit(k), x) for k in (0, 2) for x in out]
    return list(dict.fromkeys(out))[:6]


def functions(ty: Pi) -> list[Expr] | None:
    """A few functions Nat → Nat and Nat → Prop, all of them decidable on numerals."""
    from burnqed.minilean.expr import bvar, lam

    if ty.ty != NAT:
        return None
    x = bvar(0)
    if ty.body == PROP:
        bodies = [capp("Eq", NAT, x, lit(1)), capp("Nat.lt", x, lit(2)), const("True"), const("False")]
    elif ty.body == NAT:
        bodies = [x, capp("Nat.add", x, lit(1)), lit(0)]
    else:
        return None
    return [lam("x", NAT, b) for b in bodies]


def values(ty: Expr) -> list[Expr] | None:
    if ty == NAT:
        return NATS
    if ty == INT:
        return INTS
    if ty == const("Bool"):
        return BOOLS
    if ty == PROP:
        return PROPS
    if ty == TYPE:
        return [NAT]
    if ty == app(const("List"), NAT):
        return lists(2)
    if isinstance(ty, Pi):
        return functions(ty)
    return None


def truth(p: Expr) -> bool | None:
    """Brute-force truth; quantifiers over Nat are cut at 0..3, so only some answers are exact."""
    if isinstance(p, Pi):
        if KERNEL.sort_of(p.ty) == 0 and not p.body.lo:
            a = truth(p.ty)
            if a is False:
                return True
            b = truth(p.body)
            return None if a is None or b is None else b
        domain = values(p.ty)
        if domain is None:
            return None
        seen = [truth(instantiate1(p.body, v)) for v in domain]
        return None if None in seen else all(seen)
    fn, args = spine(p)
    name = fn.name if isinstance(fn, Const) else ""
    if name in ("And", "Or", "Iff"):
        a, b = truth(args[0]), truth(args[1])
        if a is None or b is None:
            return None
        return {"And": a and b, "Or": a or b, "Iff": a == b}[name]
    if name == "Not":
        a = truth(args[0])
        return None if a is None else not a
    if name == "Exists":
        domain = values(args[0])
        if domain is None:
            return None
        seen = [truth(KERNEL.whnf(app(args[1], v))) for v in domain]
        return True if True in seen else None if None in seen else False
    if name == "Eq" and args[0] == PROP:
        a, b = truth(args[1]), truth(args[2])
        return None if a is None or b is None else a == b
    if name == "Ne" and args[0] == PROP:
        return None
    return KERNEL.decide(p)


def instances(ty: Expr, rng: random.Random, limit: int) -> list[Expr]:
    """Closed instances of a lemma: every data argument from its domain."""
    todo: list[Expr] = [ty]
    done: list[Expr] = []
    while todo:
        t = todo.pop()
        if not isinstance(t, Pi) or KERNEL.sort_of(t.ty) == 0:
            done.append(t)
            continue
        domain = values(t.ty)
        if domain is None:
            return []
        todo += [instantiate1(t.body, v) for v in domain]
        if len(todo) + len(done) > 4 * limit:
            rng.shuffle(todo)
            todo = todo[: 2 * limit]
    return done[:limit]


def test_lemmas_hold_on_small_domains() -> None:
    rng = random.Random(0)
    checked = unknown = 0
    for line in TEXT.splitlines():
        kind, _, rest = line.partition(" ")
        if kind not in ("lemma", "class", "ext"):
            continue
        name = rest.partition(" : ")[0]
        decl = LIBRARY.get(name)
        assert decl is not None
        KERNEL.budget.left = 10**9
        verdicts = [truth(t) for t in instances(decl.type, rng, 40)]
        assert False not in verdicts, name
        if verdicts and verdicts.count(True) >= 1:
            checked += 1
        else:
            unknown += 1
    assert checked > 330, (checked, unknown)


def test_every_type_is_well_formed() -> None:
    KERNEL.budget.left = 10**9
    for name in LIBRARY.names():
        decl = LIBRARY.get(name)
        assert decl is not None
        KERNEL.sort_of(decl.type)
        if decl.value is not None:
            assert KERNEL.eq(KERNEL.infer(decl.value), decl.type), name


def test_equations_agree_with_native_arithmetic() -> None:
    from burnqed.minilean.kernel_reduce import NATIVE_NAT, match

    for name in ("Nat.add", "Nat.sub", "Nat.mul", "Nat.pow"):
        decl = LIBRARY.get(name)
        assert decl is not None and decl.rules
        for a, b in itertools.product(range(4), repeat=2):
            for patterns, nvars, rhs in decl.rules:
                out: list[Expr | None] = [None] * nvars
                args = (lit(a), lit(b))
                if all(match(p, x, KERNEL.whnf, out) for p, x in zip(patterns, args, strict=True)):
                    bound = [x for x in reversed(out) if x is not None]
                    got = value(KERNEL, instantiate(rhs, bound))
                    assert got == NATIVE_NAT[name](a, b)
                    break
            else:
                raise AssertionError((name, a, b))
