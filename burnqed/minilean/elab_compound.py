"""Elaboration of `let`, `suffices`, `match`, functions by cases, `calc` and `if`."""

from __future__ import annotations

from burnqed.minilean.calculation import compose, relation
from burnqed.minilean.context import SYNTHETIC, LocalContext, LocalDecl, TacticError
from burnqed.minilean.cursor import Term
from burnqed.minilean.decidable import is_decidable
from burnqed.minilean.elab_base import ElabBase
from burnqed.minilean.expr import Expr, Pi, app, capp, instantiate1
from burnqed.minilean.tactic_block import Tac


class LetDecl(LocalDecl):
    """A local definition: its name stands for a value instead of a variable."""

    __slots__ = ()


class Compounds(ElabBase):
    """Terms of several parts."""

    def e_let(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        """The body with the value in place of the name; only in proofs, where nobody sees the difference."""
        _, name, ty_t, val_t, body_t = t
        ty = self.type(ty_t, lctx) if ty_t is not None else None
        value = self.check(val_t, ty, lctx) if ty is not None else self.go(val_t, None, lctx)
        d = self.m.fvar(name, ty if ty is not None else self.m.infer(value))
        local = LetDecl(d.fvar, name, d.type)
        local.fvar = value  # type: ignore[assignment]
        inner = lctx.add(local)
        body = self.check(body_t, expected, inner) if expected is not None else self.go(body_t, None, inner)
        if not self.m.is_prop(self.m.infer(body)):
            raise TacticError("`let` outside of proofs is outside minilean's fragment")
        return body

    def e_suffices(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        _, name, ty_t, value_t, rest = t
        ty = self.type(ty_t, lctx)
        d = self.m.fvar(name, ty)
        inner = lctx.add(d)
        value = self.check(value_t, expected, inner) if expected is not None else self.go(value_t, None, inner)
        return app(self.m.abstract_lam([d], value), self.check(rest, ty, lctx))

    def e_match(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        _, targets, alternatives = t
        if expected is None:
            raise TacticError("minilean needs the expected type of a `match`")
        rows = [(row, [Tac("exact", (right,), 0, 0)], number) for row, right, number in alternatives]
        return self.postponed(Tac("match", (targets, rows), 0, 0), expected, lctx)

    def e_cases(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        """`fun | p => e | q => f`."""
        rows = [(row, [Tac("exact", (right,), 0, 0)], number) for row, right, number in t[1]]
        decls: list[LocalDecl] = []
        x = expected
        for _ in rows[0][0]:
            x = self.m.whnf(x) if x is not None else None
            if not isinstance(x, Pi):
                raise TacticError("minilean needs the expected type of a function by cases")
            d = self.m.fvar("x", x.ty, True)
            decls.append(d)
            lctx, x = lctx.add(d), instantiate1(x.body, d.fvar)
        assert x is not None
        targets = [("fvar", d.fvar) for d in decls]
        return self.m.abstract_lam(decls, self.postponed(Tac("match", (targets, rows), 0, 0), x, lctx))

    def postponed(self, tac: Tac, expected: Expr, lctx: LocalContext) -> Expr:
        """A hole that `tac` fills once the rest of the term is elaborated."""
        hole = self.hole(lctx, expected, SYNTHETIC)
        self.pending.append((hole, [tac]))
        return hole

    def e_calc(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        m = self.m
        done: tuple[Expr, Expr] | None = None
        for step, proof_t in t[1]:
            previous = relation(m, done[0]) if done is not None else None
            if previous is not None and step[0] == "bin" and step[2] == ("hole",):
                step = (*step[:2], ("fvar", previous.right), step[3])
            e = self.go(step, None, lctx)
            if proof_t is None and relation(m, e) is None:  # `calc a`, then `_ = b := …`
                ty = m.infer(e)
                done = capp("Eq", ty, e, e), capp("Eq.refl", ty, e)
                continue
            e = self.as_type(e, lctx)
            this = relation(m, e)
            if this is None:
                raise TacticError(f"invalid 'calc' step, relation expected\n  {self.text(e, lctx)}")
            if previous is not None and not m.unify(this.left, previous.right):
                raise TacticError(
                    f"invalid 'calc' step, left-hand side is\n  {self.text(this.left, lctx)} :"
                    f" {self.text(m.infer(this.left), lctx)}\nbut previous right-hand side is\n  "
                    f"{self.text(previous.right, lctx)} : {self.text(m.infer(previous.right), lctx)}"
                )
            if proof_t is None:
                raise TacticError("the first step of `calc` is a relation without a proof")
            proof = self.check(proof_t, e, lctx)
            this = relation(m, e)
            assert this is not None
            if done is None or previous is None:
                done = m.inst(e), proof
            else:
                done = compose(m, previous, done[1], this, proof)
        assert done is not None
        return done[1]

    def e_ite(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        condition = self.as_type(self.go(t[1], None, lctx), lctx)
        if not is_decidable(self.m, condition):
            raise TacticError(f"failed to synthesize\n  Decidable {self.text(condition, lctx)}")
        if expected is not None:
            then, other = self.check(t[2], expected, lctx), self.check(t[3], expected, lctx)
            ty = expected
        else:
            then = self.go(t[2], None, lctx)
            ty = self.m.infer(then)
            other = self.check(t[3], ty, lctx)
        return capp("ite", self.m.inst(ty), condition, then, other)
