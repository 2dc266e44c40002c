"""Equality of applications from equality of their arguments."""

from __future__ import annotations

from collections.abc import Sequence

from burnqed.minilean.expr import TYPE, Expr, Pi, abstract, apps, capp, instantiate1, lam, spine
from burnqed.minilean.meta import Meta


def explicit_arguments(m: Meta, e: Expr) -> list[int]:
    """Positions of the explicit arguments of `e` that no later argument's type depends on."""
    fn, args = spine(e)
    t = m.whnf(m.infer(fn))
    out: list[int] = []
    for k, a in enumerate(args):
        t = t if isinstance(t, Pi) else m.whnf(t)
        if not isinstance(t, Pi):
            break
        if t.info == "default" and not t.body.lo and t.ty != TYPE:
            out.append(k)
        t = instantiate1(t.body, a)
    return out


def congruence(m: Meta, e: Expr, changes: Sequence[tuple[int, Expr, Expr]]) -> tuple[Expr, Expr] | None:
    """`e` with arguments replaced, and the proof that it equals `e`; None without changes.

    A change is (position, new argument, proof that the old one equals it).
    """
    fn, args = spine(e)
    ty = m.inst(m.infer(e))
    current = list(args)
    done: tuple[Expr, Expr] | None = None
    for k, new, proof in changes:
        alpha = m.inst(m.infer(args[k]))
        x = m.fvar("x", alpha).fvar
        f = lam("x", alpha, abstract(apps(fn, *current[:k], x, *current[k + 1 :]), [x.id]))
        before = apps(fn, *current)
        step = capp("congrArg", alpha, ty, args[k], new, f, proof)
        current[k] = new
        after = apps(fn, *current)
        done = (after, step if done is None else capp("Eq.trans", ty, e, before, after, done[1], step))
    return done
