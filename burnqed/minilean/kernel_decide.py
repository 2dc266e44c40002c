"""Trusted: evaluates decidable propositions without free variables, for `decide` certificates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from burnqed.minilean.expr import (
    NAT,
    BVar,
    Cert,
    Const,
    Expr,
    Lam,
    Pi,
    const,
    instantiate,
    instantiate1,
    lit,
    spine,
)
from burnqed.minilean.kernel_reduce import FALSE, NEG_SUCC, OF_NAT, SUCC, TRUE, as_literal, beta, int_of

if TYPE_CHECKING:
    from burnqed.minilean.kernel import Kernel


def value(kernel: Kernel, e: Expr) -> object:
    """The canonical value of a closed Nat, Int, Bool or List term; None when stuck."""
    kernel.budget.tick()
    v = kernel.whnf(e)
    n = as_literal(v)
    if n is not None:
        return n
    fn, args = spine(v)
    if not isinstance(fn, Const):
        return None
    if fn == SUCC and len(args) == 1:
        m = value(kernel, args[0])
        return m + 1 if isinstance(m, int) else None
    if fn.name in ("Bool.true", "Bool.false"):
        return ("bool", fn.name)
    if fn in (OF_NAT, NEG_SUCC):
        m = value(kernel, args[0])
        if not isinstance(m, int):
            return None
        return ("int", m if fn == OF_NAT else -m - 1)
    if fn.name == "List.nil":
        return ("nil",)
    if fn.name == "List.cons" and len(args) == 3:
        x, rest = value(kernel, args[1]), value(kernel, args[2])
        return None if x is None or rest is None else ("cons", x, rest)
    return None


def decide(kernel: Kernel, p: Expr) -> bool | None:
    """Evaluate a decidable proposition without free variables; None when it is not one."""
    kernel.budget.tick()
    if isinstance(p, Pi):
        return _decide_pi(kernel, p)
    fn, args = spine(p)
    if isinstance(fn, Lam):
        return decide(kernel, beta(fn, args))
    if not isinstance(fn, Const):
        return None
    name, n = fn.name, len(args)
    if name in ("True", "False") and n == 0:
        return name == "True"
    if name == "Not" and n == 1:
        r = decide(kernel, args[0])
        return None if r is None else not r
    if name in ("And", "Or", "Iff") and n == 2:
        r, s = decide(kernel, args[0]), decide(kernel, args[1])
        if r is None or s is None:
            return None
        return (r and s) if name == "And" else (r or s) if name == "Or" else r == s
    if name in ("Eq", "Ne") and n == 3:
        head_, _ = spine(kernel.whnf(args[0]))
        if not isinstance(head_, Const) or head_.name not in ("Nat", "Int", "Bool", "List"):
            return None
        x, y = value(kernel, args[1]), value(kernel, args[2])
        if x is None or y is None:
            return None
        return (x == y) == (name == "Eq")
    if n == 2 and name.split(".")[0] in ("Nat", "Int"):
        return _decide_order(kernel, name, args)
    decl = kernel.env.get(name)
    if decl is not None and decl.reducible and decl.value is not None:
        return decide(kernel, beta(decl.value, args))
    return None


def _decide_order(kernel: Kernel, name: str, args: list[Expr]) -> bool | None:
    kind, _, rel = name.partition(".")
    x: int | None
    y: int | None
    if kind == "Int":
        x, y = int_of(args[0], kernel.whnf), int_of(args[1], kernel.whnf)
    else:
        u, v = value(kernel, args[0]), value(kernel, args[1])
        x = u if isinstance(u, int) else None
        y = v if isinstance(v, int) else None
    if x is None or y is None:
        return None
    if rel == "le":
        return x <= y
    if rel == "lt":
        return x < y
    if rel == "ge":
        return x >= y
    if rel == "gt":
        return x > y
    if rel == "dvd":
        return y % x == 0 if x else y == 0
    return None


def _decide_pi(kernel: Kernel, p: Pi) -> bool | None:
    """Implications, `∀ b : Bool`, and `∀ x, x < n → …` on Nat."""
    if p.ty == const("Bool"):
        rs = [decide(kernel, instantiate1(p.body, v)) for v in (FALSE, TRUE)]
        return None if None in rs else all(rs)
    if p.ty == NAT:
        if not isinstance(p.body, Pi):
            return None
        fn, args = spine(p.body.ty)
        bounded = isinstance(fn, Const) and fn.name == "Nat.lt" and args[0] == BVar(0)
        if not bounded or args[1].lo:
            return None
        bound = value(kernel, args[1])
        if not isinstance(bound, int):
            return None
        for i in range(bound):
            proof = Cert("decide", instantiate1(p.body.ty, lit(i)), (), None)
            r = decide(kernel, instantiate(p.body.body, [lit(i), proof]))
            if r is not True:
                return r
        return True
    if kernel.sort_of(p.ty) != 0:
        return None
    r = decide(kernel, p.ty)
    if r is None:
        return None
    if p.body.lo:
        return None
    s = decide(kernel, p.body)
    return None if s is None else (not r) or s
