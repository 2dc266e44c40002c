"""Bidirectional elaboration of parsed terms: entry points, coercions, holes and `by`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from burnqed.minilean.context import ANY_SORT, NATURAL, SYNTHETIC, LocalContext, TacticError
from burnqed.minilean.cursor import Term
from burnqed.minilean.expr import (
    INT,
    NAT,
    PROP,
    Const,
    Expr,
    MVar,
    Sort,
    capp,
    const,
    lit,
    sort,
)
from burnqed.minilean.meta import Meta
from burnqed.minilean.printer import show_in

LIST, BOOL = const("List"), const("Bool")
RunTactics = Callable[[MVar, Any], None]


class ElabBase:
    """Elaborates terms into one metavariable context; subclasses add the kinds of terms."""

    def __init__(self, meta: Meta, run: RunTactics | None = None, opens: Sequence[str] = ()) -> None:
        self.m = meta
        self.run = run
        self.opens = tuple(opens)
        self.named: dict[str, MVar] = {}
        self.pending: list[tuple[MVar, Any]] = []
        self.natural: list[MVar] = []
        self.hole_tag = ""

    # entry points

    def term(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        """`t` with type `expected`, its `by` blocks run. Raises `TacticError`."""
        e = self.check(t, expected, lctx) if expected is not None else self.go(t, None, lctx)
        self.run_pending()
        return self.m.inst(e)

    def type(self, t: Term, lctx: LocalContext) -> Expr:
        """`t` as a type: its own type is a sort."""
        e = self.go(t, None, lctx)
        if t[0] not in ("pi", "arrow"):  # these are made of types only, so they are types
            e = self.as_type(e, lctx)
        return self.m.inst(e)

    def as_type(self, e: Expr, lctx: LocalContext) -> Expr:
        ty = self.m.whnf(self.m.infer(e))
        if isinstance(ty, Sort):
            return e
        if isinstance(ty, Const) and ty.name == "Bool":
            return capp("Eq", BOOL, e, const("Bool.true"))
        if isinstance(ty, MVar):
            if self.m.unify(ty, PROP):
                return e
        raise TacticError(f"type expected, got\n  ({self.text(e, lctx)} : {self.text(ty, lctx)})")

    def run_pending(self) -> None:
        while self.pending:
            batch, self.pending = self.pending, []
            for hole, tacs in batch:
                if self.run is None:
                    raise TacticError("tactic blocks are not allowed here")
                self.run(hole, tacs)

    def text(self, e: Expr, lctx: LocalContext) -> str:
        return show_in(self.m, lctx, e)

    # core

    def check(self, t: Term, expected: Expr, lctx: LocalContext) -> Expr:
        e = self.go(t, expected, lctx)
        return self.coerce(e, expected, lctx)

    def coerce(self, e: Expr, expected: Expr, lctx: LocalContext) -> Expr:
        """`e` at type `expected`, inserting a coercion where Lean would."""
        actual = self.m.infer(e)
        if self.m.unify(actual, expected):
            return e
        a, x = self.m.whnf(actual), self.m.whnf(expected)
        if a == NAT and x == INT:
            return capp("Int.ofNat", e)
        if a == BOOL and isinstance(x, Sort) and x.level == 0:
            return capp("Eq", BOOL, e, const("Bool.true"))
        raise TacticError(
            f"Type mismatch\n  {self.text(e, lctx)}\nhas type\n  {self.text(actual, lctx)}\n"
            f"but is expected to have type\n  {self.text(expected, lctx)}"
        )

    def go(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        self.m.budget.tick()
        return getattr(self, "e_" + t[0])(t, expected, lctx)

    def hole(self, lctx: LocalContext, ty: Expr | None, kind: str = NATURAL, tag: str = "") -> MVar:
        if ty is None:
            s = self.m.mvar(lctx, ANY_SORT)
            ty = s
        m = self.m.mvar(lctx, ty, tag, kind)
        if kind == NATURAL:
            self.natural.append(m)
        return m

    def e_paren(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        return self.go(t[1], expected, lctx)

    def e_hole(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        return self.hole(lctx, expected)

    def e_shole(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        name = t[1]
        if name != "_" and name in self.named:
            return self.named[name]
        m = self.hole(lctx, expected, SYNTHETIC, "" if name == "_" else name)
        if name != "_":
            self.named[name] = m
        return m

    def e_sort(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        return sort(t[1])

    def e_sorry(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        ty = expected if expected is not None else self.hole(lctx, PROP)
        return capp("sorryAx", ty)

    def e_num(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        ty = self.m.whnf(expected) if expected is not None else NAT
        if isinstance(ty, MVar):
            self.m.unify(ty, NAT)
            ty = NAT
        if ty == INT:
            return capp("Int.ofNat", lit(t[1]))
        if ty == NAT:
            return lit(t[1])
        assert expected is not None
        shown = self.text(expected, lctx)
        if self.m.is_prop(expected):
            raise TacticError(f"numerals are data in Lean, but the expected type is a proposition\n  {shown} : Prop")
        raise TacticError(
            f"failed to synthesize\n  OfNat {shown} {t[1]}\nnumerals are polymorphic in Lean, but"
            f" the numeral `{t[1]}` cannot be used in a context where the expected type is\n  "
            f"{shown}\ndue to the absence of the instance above"
        )

    def e_asc(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        return self.check(t[1], self.type(t[2], lctx), lctx)

    def e_coe(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        e = self.go(t[1], None, lctx)
        if self.m.whnf(self.m.infer(e)) == NAT:
            if expected is None or self.m.whnf(expected) != NAT:
                return capp("Int.ofNat", e)
        return e

    def e_by(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        m = self.hole(lctx, expected if expected is not None else self.hole(lctx, PROP), SYNTHETIC)
        self.pending.append((m, t[1]))
        return m

    def e_assume(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        ty = self.type(t[1], lctx)
        for d in reversed(lctx.decls.values()):
            if self.m.unify(d.type, ty):
                return d.fvar
        raise TacticError(f"could not find a hypothesis of type {self.text(ty, lctx)}")

    def e_cdot(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        raise TacticError("invalid occurrence of `·` notation")

    def e_fvar(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        return t[1]
