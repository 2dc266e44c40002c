"""Elaboration of operators: arithmetic with numerals and coercions, relations, lists, `▸`."""

from __future__ import annotations

from burnqed.minilean.context import ANY_SORT, LocalContext, TacticError
from burnqed.minilean.cursor import Term
from burnqed.minilean.elab_base import BOOL, LIST, ElabBase
from burnqed.minilean.expr import (
    INT,
    NAT,
    PROP,
    App,
    Const,
    Expr,
    MVar,
    app,
    capp,
    sort,
    spine,
)
from burnqed.minilean.rewrite import motive_of

ARITH = {"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "mod"}
ORDER = {"<": "lt", "≤": "le", ">": "gt", "≥": "ge", "∣": "dvd"}
BINREL = frozenset(("=", "≠", *ORDER))


class Operators(ElabBase):
    """Infix and prefix operators."""

    # operators

    def e_not(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        return capp("Not", self.check(t[1], PROP, lctx))

    def e_bnot(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        return capp("Bool.not", self.check(t[1], BOOL, lctx))

    def e_neg(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        return self.arith(t, expected, lctx)

    def e_bin(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        _, op, a, b = t
        logic = {"∧": "And", "∨": "Or", "↔": "Iff"}.get(op)
        if logic is not None:
            return capp(logic, self.check(a, PROP, lctx), self.check(b, PROP, lctx))
        if op in ("&&", "||"):
            name = "Bool.and" if op == "&&" else "Bool.or"
            return capp(name, self.check(a, BOOL, lctx), self.check(b, BOOL, lctx))
        if op in ARITH or op == "^":
            return self.arith(t, expected, lctx)
        if op in BINREL:
            return self.relation(op, a, b, lctx)
        if op == "::":
            x = self.m.whnf(expected) if expected is not None else None
            elem = x.arg if isinstance(x, App) and x.fn == LIST else None
            h = self.check(a, elem, lctx) if elem is not None else self.go(a, None, lctx)
            ty = self.m.infer(h)
            return capp("List.cons", ty, h, self.check(b, app(LIST, ty), lctx))
        if op == "++":
            x = self.go(a, expected, lctx)
            lt = self.m.whnf(self.m.infer(x))
            if not (isinstance(lt, App) and lt.fn == LIST):
                raise TacticError("`++` is supported on lists only")
            return capp("List.append", lt.arg, x, self.check(b, lt, lctx))
        if op in ("==", "!="):
            x, y = self.check(a, NAT, lctx), self.check(b, NAT, lctx)
            e = capp("Nat.beq", x, y)
            return e if op == "==" else capp("Bool.not", e)
        raise TacticError(f"`{op}` is outside minilean's fragment")

    def leaves(self, t: Term, lctx: LocalContext, out: dict[int, Expr]) -> set[str]:
        """Elaborate the non-numeral leaves of an arithmetic tree; the number types among them."""
        kind = t[0]
        if kind == "paren":
            return self.leaves(t[1], lctx, out)
        if kind == "bin" and t[1] in ARITH:
            return self.leaves(t[2], lctx, out) | self.leaves(t[3], lctx, out)
        if kind == "bin" and t[1] == "^":
            return self.leaves(t[2], lctx, out)
        if kind == "neg":
            return self.leaves(t[1], lctx, out)
        if kind == "num":
            return {"num"}
        if kind in ("hole", "shole", "cdot"):
            return {"hole"}
        if kind == "asc" and t[1][0] == "num" or kind == "coe":
            e = self.go(t, INT if kind == "coe" else None, lctx)
        else:
            e = self.go(t, None, lctx)
        out[id(t)] = e
        ty = self.m.whnf(self.m.infer(e))
        if ty == INT:
            return {"Int"}
        if ty == NAT:
            return {"Nat"}
        return {"mvar"} if isinstance(ty, MVar) else {"other"}

    def arith(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        out: dict[int, Expr] = {}
        kinds = self.leaves(t, lctx, out)
        x = self.m.whnf(expected) if expected is not None else None
        if "other" in kinds:
            raise TacticError("failed to synthesize an arithmetic instance")
        target = INT if "Int" in kinds or x == INT else NAT
        return self.build(t, target, out, lctx)

    def build(self, t: Term, ty: Expr, out: dict[int, Expr], lctx: LocalContext) -> Expr:
        kind = t[0]
        assert isinstance(ty, Const)
        if kind == "paren":
            return self.build(t[1], ty, out, lctx)
        if kind == "bin" and t[1] in ARITH:
            name = f"{ty.name}.{ARITH[t[1]]}"
            return capp(name, self.build(t[2], ty, out, lctx), self.build(t[3], ty, out, lctx))
        if kind == "bin" and t[1] == "^":
            base = self.build(t[2], ty, out, lctx)
            return capp(f"{ty.name}.pow", base, self.check(t[3], NAT, lctx))
        if kind == "neg":
            if ty != INT:
                raise TacticError("failed to synthesize\n  Neg Nat")
            return capp("Int.neg", self.build(t[1], ty, out, lctx))
        e = out.get(id(t))
        if e is None:
            return self.check(t, ty, lctx)
        return self.coerce(e, ty, lctx)

    def is_arith(self, t: Term) -> bool:
        while t[0] == "paren":
            t = t[1]
        return t[0] in ("num", "neg") or t[0] == "bin" and (t[1] in ARITH or t[1] == "^")

    def relation(self, op: str, a: Term, b: Term, lctx: LocalContext) -> Expr:
        out: dict[int, Expr] = {}
        kinds: set[str] = set()
        if op not in ("=", "≠") or self.is_arith(a) or self.is_arith(b):
            ka = self.leaves(a, lctx, out)
            kb = self.leaves(b, lctx, out)
            kinds = ka | kb
            if "other" in kinds:
                raise TacticError("failed to synthesize an arithmetic or order instance")
            ty: Expr = INT if "Int" in kinds else NAT
            x, y = self.build(a, ty, out, lctx), self.build(b, ty, out, lctx)
        else:
            if a[0] in ("hole", "shole", "anon", "list", "lam", "dot"):
                y = self.go(b, None, lctx)
                x = self.check(a, self.m.infer(y), lctx)
            else:
                x = self.go(a, None, lctx)
                ty = self.m.whnf(self.m.infer(x))
                if ty == NAT:  # the other side may force a coercion
                    y = self.go(b, None if b[0] not in ("hole", "shole") else NAT, lctx)
                    if self.m.whnf(self.m.infer(y)) == INT:
                        x = self.coerce(x, INT, lctx)
                    else:
                        y = self.coerce(y, NAT, lctx)
                else:
                    y = self.check(b, self.m.infer(x), lctx)
            ty = self.m.inst(self.m.infer(x))
        if op in ("=", "≠"):
            if not self.m.unify(self.m.infer(ty), sort(1)):
                raise TacticError("equality outside `Type` is outside minilean's fragment")
            return capp("Eq" if op == "=" else "Ne", ty, x, y)
        assert isinstance(ty, Const)
        return capp(f"{ty.name}.{ORDER[op]}", x, y)

    def e_subst(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        """`h ▸ e`: rewrite the type of `e`, or the expected type, with `h`."""
        h = self.go(t[1], None, lctx)
        ty = self.m.inst(self.m.whnf(self.m.infer(h)))
        eq = spine(ty)
        if not (isinstance(eq[0], Const) and eq[0].name == "Eq"):
            raise TacticError("invalid `▸` notation, argument\n  must have an equality type")
        alpha, a, b = eq[1]
        if expected is not None:
            want = self.m.inst(expected)
            for back in (False, True):
                src, dst = (b, a) if not back else (a, b)
                motive = motive_of(self.m, want, src)
                if motive is None:
                    continue
                new = self.m.head_beta(app(motive, dst))
                mark, goals = len(self.m.trail), dict(self.m.goals)
                try:
                    e = self.check(t[2], new, lctx)
                except TacticError:
                    self.m.undo(mark)
                    self.m.goals = goals
                    continue
                proof = h if not back else capp("Eq.symm", alpha, a, b, h)
                return capp("Eq.subst", alpha, motive, dst, src, proof, e)
        e = self.go(t[2], None, lctx)
        have = self.m.inst(self.m.infer(e))
        motive = motive_of(self.m, have, a)
        if motive is None:
            raise TacticError("invalid `▸` notation, failed to compute motive for the substitution")
        r = capp("Eq.subst", alpha, motive, a, b, h, e)
        return r if expected is None else self.coerce(r, expected, lctx)

    def e_list(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        x = self.m.whnf(expected) if expected is not None else None
        elem: Expr = x.arg if isinstance(x, App) and x.fn == LIST else self.hole(lctx, ANY_SORT)
        items = []
        for i in t[1]:
            items.append(self.check(i, elem, lctx))
        e = capp("List.nil", elem)
        for i in reversed(items):
            e = capp("List.cons", elem, i, e)
        return e
