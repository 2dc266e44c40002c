"""Finding and abstracting instances of a pattern, for `rw`, `simp`, `▸` and `cases`."""

from __future__ import annotations

from burnqed.minilean.expr import HAS_MVAR, App, Cert, Const, Expr, Lam, Lit, MVar, Pi, app, bvar, lam, pi, spine
from burnqed.minilean.meta import Meta


def kabstract(m: Meta, e: Expr, pattern: Expr, first: bool = False) -> Expr | None:
    """`e` with the instances of `pattern` (or only the `first`) replaced by `BVar(0)`; None when there is none.

    Metavariables of `pattern` are assigned by the first instance, in Lean's traversal order; later
    instances must be equal to it. Instances are found by head symbol and arity, then unified with
    reducible definitions only.
    """
    fn, args = spine(pattern)
    n = len(args)
    found = False
    simple = not pattern.fl & HAS_MVAR

    def is_instance(x: Expr) -> bool:
        nonlocal found, pattern, simple
        f, xs = spine(x)
        if len(xs) != n or x.lo or first and found:
            return False
        if isinstance(fn, Const):
            if not (isinstance(f, Const) and f.name == fn.name):
                return False
        elif isinstance(fn, Lit):
            if not (isinstance(x, Lit) and x.value == fn.value):
                return False
        elif type(f) is not type(fn):
            return False
        if simple:
            hit = x == pattern or bool(n) and m.eq(x, pattern, reducible=True)
        else:
            hit = m.eq(pattern, x, reducible=True)
            if hit:
                pattern = m.inst(pattern)
                simple = not pattern.fl & HAS_MVAR
        found = found or hit
        return hit

    def go(x: Expr, off: int) -> Expr:
        # children first, as Lean's kabstract visits them
        if isinstance(x, App):
            if x.lo == 0 and is_instance_early(x):
                return bvar(off)
            f = go(x.fn, off)
            a = go(x.arg, off)
            return app(f, a)
        if isinstance(x, Lam):
            return lam(x.name, go(x.ty, off), go(x.body, off + 1), x.info)
        if isinstance(x, Pi):
            return pi(x.name, go(x.ty, off), go(x.body, off + 1), x.info)
        if isinstance(x, Cert):
            return x
        if x.lo == 0 and is_instance(x):
            return bvar(off)
        return x

    def is_instance_early(x: Expr) -> bool:
        return is_instance(x)

    r = go(e, 0)
    return r if found else None


def motive_of(m: Meta, e: Expr, pattern: Expr) -> Expr | None:
    """`fun x => e[x]` with the instances of `pattern` abstracted; None when there is none."""
    e = m.inst(e)
    pattern = m.inst(pattern)
    if isinstance(spine(pattern)[0], MVar):
        return None
    body = kabstract(m, e, pattern)
    if body is None:
        return None
    return lam("x", m.inst(m.infer(m.inst(pattern))), body)
