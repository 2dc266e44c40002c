"""Elaboration of binders: quantifiers, functions, patterns, `have`."""

from __future__ import annotations

from collections.abc import Sequence

from burnqed.minilean.context import ANY_SORT, LocalContext, LocalDecl, TacticError
from burnqed.minilean.cursor import Term
from burnqed.minilean.elab_base import ElabBase
from burnqed.minilean.expr import (
    PROP,
    App,
    Const,
    Expr,
    MVar,
    Pi,
    abstract,
    app,
    apps,
    capp,
    const,
    instantiate1,
    pi,
    spine,
)


class Binders(ElabBase):
    """Quantifiers, functions and local facts."""

    # binders

    def binder(self, b: Term, ty: Expr, lctx: LocalContext) -> tuple[LocalDecl, LocalContext]:
        name = b[0]
        hygienic = name == "_" or name.endswith("✝")
        d = self.m.fvar("x" if name == "_" else name.rstrip("✝"), ty, hygienic)
        return d, lctx.add(d)

    def e_pi(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        decls: list[tuple[LocalDecl, str]] = []
        for b in t[1]:
            ty = self.type(b[1], lctx) if b[1] is not None else self.hole(lctx, ANY_SORT)
            d, lctx = self.binder(b, ty, lctx)
            decls.append((d, b[2]))
        body = self.type(t[2], lctx)
        return self.close_pi(decls, body, lctx)

    def close_pi(self, decls: list[tuple[LocalDecl, str]], body: Expr, lctx: LocalContext) -> Expr:
        ids = [d.id for d, _ in decls]
        body = abstract(self.m.inst(body), ids)
        for i in range(len(decls) - 1, -1, -1):
            d, info = decls[i]
            ty = self.m.inst(d.type)
            if isinstance(ty, MVar):
                raise TacticError("Failed to infer type of binder `" + d.name + "`")
            body = pi(d.name, abstract(ty, ids[:i]), body, info)
        return body

    def e_arrow(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        a = self.type(t[1], lctx)
        return pi("a✝", a, self.type(t[2], lctx))

    def e_ex(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        decls: list[LocalDecl] = []
        for b in t[1]:
            ty = self.type(b[1], lctx) if b[1] is not None else self.hole(lctx, ANY_SORT)
            d, lctx = self.binder(b, ty, lctx)
            decls.append(d)
        body = self.m.inst(self.check(t[2], PROP, lctx))
        for d in reversed(decls):
            ty = self.m.inst(d.type)
            if isinstance(ty, MVar):
                raise TacticError(f"Failed to infer type of binder `{d.name}`")
            body = capp("Exists", ty, self.m.abstract_lam([d], body))
        return body

    def e_lam(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        b, rest = t[1][0], t[1][1:]
        dom = cod = None
        x = self.m.whnf(expected) if expected is not None else None
        while isinstance(x, Pi) and x.info in ("implicit", "strict") and b[2] == "default":
            d = self.m.fvar(x.name, x.ty, True)
            inner = self.e_lam(t, instantiate1(x.body, d.fvar), lctx.add(d))
            return self.m.abstract_lam([d], inner)
        if isinstance(x, Pi):
            dom, cod = x.ty, x.body
        elif x is not None and not isinstance(x, MVar):
            assert expected is not None
            if not (isinstance(x, App) and isinstance(spine(x)[0], MVar)):
                shown = self.text(expected, lctx)
                raise TacticError("Type mismatch\n  fun\nis a function but is expected to have type\n  " + shown)
        if b[0] == "⟨⟩":
            return self.lam_pattern(t, expected, dom, cod, lctx)
        if b[1] is not None:
            ty = self.type(b[1], lctx)
            if dom is not None and not self.m.unify(ty, dom):
                raise TacticError(
                    f"Type mismatch: binder has type\n  {self.text(ty, lctx)}\nbut is expected to"
                    f" have type\n  {self.text(dom, lctx)}"
                )
        else:
            ty = dom if dom is not None else self.hole(lctx, ANY_SORT)
        d, inner_ctx = self.binder(b, ty, lctx)
        want = instantiate1(cod, d.fvar) if cod is not None else None
        nxt = ("lam", rest, t[2]) if rest else t[2]
        body = self.check(nxt, want, inner_ctx) if want is not None else self.go(nxt, None, inner_ctx)
        if b[2] == "implicit":
            raise TacticError("implicit `fun` binders are outside minilean's fragment")
        return self.m.abstract_lam([d], body)

    def lam_pattern(
        self, t: Term, expected: Expr | None, dom: Expr | None, cod: Expr | None, lctx: LocalContext
    ) -> Expr:
        """`fun ⟨x, y⟩ => e` on a conjunction, existential or equivalence."""
        if dom is None or cod is None:
            raise TacticError("cannot infer the type of the pattern")
        d = self.m.fvar("x", dom, True)
        inner = lctx.add(d)
        goal = instantiate1(cod, d.fvar)
        rest = ("lam", t[1][1:], t[2]) if t[1][1:] else t[2]
        e = self.destruct(t[1][0][1], d.fvar, dom, goal, rest, inner)
        return self.m.abstract_lam([d], e)

    def destruct(self, pat: Term, value: Expr, ty: Expr, goal: Expr, rest: Term, lctx: LocalContext) -> Expr:
        """Eliminate `value : ty` along `pat` (an anonymous constructor) into `goal`."""
        if pat[0] in ("id", "hole"):
            name = pat[1] if pat[0] == "id" else "_"
            d, inner = self.binder((name,), ty, lctx)
            return app(self.m.abstract_lam([d], self.check(rest, goal, inner)), value)
        if pat[0] == "paren":
            return self.destruct(pat[1], value, ty, goal, rest, lctx)
        if pat[0] != "anon":
            raise TacticError("unsupported pattern")
        fn, args = spine(self.m.whnf(ty))
        name = fn.name if isinstance(fn, Const) else ""
        items = list(pat[1])
        if name == "And":
            parts = [args[0], args[1]]
        elif name == "Exists":
            parts = [args[0]]
        elif name == "Iff":
            parts = [pi("a✝", args[0], args[1]), pi("a✝", args[1], args[0])]
        else:
            raise TacticError(f"cannot destruct\n  {self.text(ty, lctx)}")
        if len(items) > 2:
            items = [items[0], ("anon", items[1:])]
        if len(items) != 2:
            raise TacticError("unexpected number of pattern variables")
        x = self.m.fvar("x", parts[0], True)
        second = self.m.head_beta(app(args[1], x.fvar)) if name == "Exists" else parts[1]
        y = self.m.fvar("y", second, True)
        ctx = lctx.add(x, y)
        rest_term: Term = ("app", ("lam", [("⟨⟩", items[1], "default")], rest), [("fvar", y.fvar)])
        body = self.destruct(items[0], x.fvar, parts[0], goal, rest_term, ctx)
        minor = self.m.abstract_lam([x, y], body)
        return elim(name, args, goal, value, [minor])

    def e_have(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        _, name, ty_t, val_t, body_t = t
        if ty_t is not None:
            ty = self.type(ty_t, lctx)
            val = self.check(val_t, ty, lctx)
        else:
            val = self.go(val_t, None, lctx)
            ty = self.m.infer(val)
        d, inner = self.binder((name,), ty, lctx)
        body = self.check(body_t, expected, inner) if expected else self.go(body_t, None, inner)
        return app(self.m.abstract_lam([d], body), val)


def elim(name: str, args: Sequence[Expr], goal: Expr, major: Expr, minors: list[Expr]) -> Expr:
    """The elimination of `major : name args` into the proposition `goal`."""
    if name in ("And", "Iff", "Exists"):
        return apps(const(f"{name}.rec"), *args, goal, *minors, major)
    if name == "Or":
        return apps(const("Or.rec"), *args, goal, *minors, major)
    if name == "False":
        return capp("False.elim", goal, major)
    raise TacticError(f"cannot eliminate `{name}`")
