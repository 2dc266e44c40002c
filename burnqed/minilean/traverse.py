"""Walks over expressions: subterms, and the variables and constants that occur."""

from __future__ import annotations

from collections.abc import Iterator

from burnqed.minilean.expr import HAS_FVAR, HAS_MVAR, App, Binder, Cert, Closure, Const, Expr, FVar, MVar


def subterms(e: Expr) -> Iterator[Expr]:
    """Every subterm once per occurrence of its (shared) node, outermost first."""
    seen: set[int] = set()
    todo = [e]
    while todo:
        x = todo.pop()
        if id(x) in seen:
            continue
        seen.add(id(x))
        yield x
        if isinstance(x, App):
            todo += (x.arg, x.fn)
        elif isinstance(x, Binder):
            todo += (x.body, x.ty)
        elif isinstance(x, Cert):
            todo += (*x.hyps, x.prop)
        elif isinstance(x, Closure):
            todo += (x.body, *(b[2] for b in x.binders))


def fvars(e: Expr) -> set[int]:
    if not e.fl & (HAS_FVAR | HAS_MVAR):
        return set()
    return {x.id for x in subterms(e) if isinstance(x, FVar)}


def occurs(e: Expr, fvar_id: int) -> bool:
    return bool(e.fl & HAS_FVAR) and any(isinstance(x, FVar) and x.id == fvar_id for x in subterms(e))


def mvars(e: Expr) -> list[int]:
    """Ids of the metavariables of `e` in order of occurrence."""
    if not e.fl & HAS_MVAR:
        return []
    return [x.id for x in subterms(e) if isinstance(x, MVar)]


def consts(e: Expr) -> set[str]:
    return {x.name for x in subterms(e) if isinstance(x, Const)}
