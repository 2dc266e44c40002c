"""Chains of relations: what `calc` steps compose to, as Lean core's `Trans` instances do."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from burnqed.minilean.context import TacticError
from burnqed.minilean.expr import Const, Expr, abstract, capp, lam, spine
from burnqed.minilean.meta import Meta

RELATIONS = frozenset(
    ("Eq", "Ne", "Iff", *(f"{t}.{r}" for t in ("Nat", "Int") for r in ("le", "lt", "ge", "gt", "dvd")))
)
# (first relation, second) -> (relation of the outer sides, lemma)
TRANSITIVE = {("Iff", "Iff"): ("Iff", "Iff.trans")}
for _t in ("Nat", "Int"):
    _le, _lt = f"{_t}.le", f"{_t}.lt"
    TRANSITIVE |= {
        (_le, _le): (_le, f"{_t}.le_trans"),
        (_lt, _lt): (_lt, f"{_t}.lt_trans"),
        (_lt, _le): (_lt, f"{_t}.lt_of_lt_of_le"),
        (_le, _lt): (_lt, f"{_t}.lt_of_le_of_lt"),
    }


class Relation(NamedTuple):
    """`name prefix left right`, a proposition that a `calc` step may show."""

    name: str
    prefix: list[Expr]
    left: Expr
    right: Expr


def relation(m: Meta, e: Expr) -> Relation | None:
    """The relation that `e` states; None when it states none."""
    fn, args = spine(m.head_beta(m.inst(e)))
    if isinstance(fn, Const) and fn.name in RELATIONS and len(args) >= 2:
        return Relation(fn.name, args[:-2], args[-2], args[-1])
    return None


def compose(m: Meta, one: Relation, first: Expr, two: Relation, second: Expr) -> tuple[Expr, Expr]:
    """The proposition that follows from `first : a R b` and `second : b S c`, and its proof.

    Raises `TacticError` where Lean finds no `Trans` instance.
    """
    a, b, c = one.left, one.right, two.right
    if one.name == "Eq" and two.name == "Eq":
        return capp("Eq", *one.prefix, a, c), capp("Eq.trans", *one.prefix, a, b, c, first, second)
    if one.name == "Eq":
        alpha = one.prefix[0]
        motive = _hole(m, alpha, lambda x: capp(two.name, *two.prefix, x, c))
        proof = capp("Eq.subst", alpha, motive, b, a, capp("Eq.symm", alpha, a, b, first), second)
        return capp(two.name, *two.prefix, a, c), proof
    if two.name == "Eq":
        alpha = two.prefix[0]
        motive = _hole(m, alpha, lambda x: capp(one.name, *one.prefix, a, x))
        return capp(one.name, *one.prefix, a, c), capp("Eq.subst", alpha, motive, b, c, second, first)
    found = TRANSITIVE.get((one.name, two.name))
    if found is None:
        raise TacticError(
            "Invalid `calc` step: Failed to synthesize a `Trans` instance for the relations"
            f" `{one.name}` and `{two.name}`"
        )
    name, lemma = found
    return capp(name, a, c), capp(lemma, a, b, c, first, second)


def _hole(m: Meta, alpha: Expr, make: Callable[[Expr], Expr]) -> Expr:
    x = m.fvar("x", alpha).fvar
    return lam("x", alpha, abstract(make(x), [x.id]))
