"""Bidirectional elaboration of parsed terms: implicit arguments, numerals, coercions, `by`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from burnqed.minilean.expr import (
    HAS_MVAR,
    INT,
    NAT,
    PROP,
    App,
    Const,
    Expr,
    MVar,
    Pi,
    Sort,
    app,
    apps,
    capp,
    const,
    instantiate1,
    lit,
    pi,
    sort,
    spine,
)
from burnqed.minilean.meta import (
    ANY_SORT,
    NATURAL,
    SYNTHETIC,
    LocalContext,
    LocalDecl,
    Meta,
    TacticError,
)
from burnqed.minilean.printer import show_in
from burnqed.minilean.syntax import Term

ARITH = {"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "mod"}
ORDER = {"<": "lt", "≤": "le", ">": "gt", "≥": "ge", "∣": "dvd"}
LIST, BOOL = const("List"), const("Bool")
BINREL = frozenset(("=", "≠", *ORDER))

RunTactics = Callable[[MVar, Any], None]


class Elab:
    """Elaborates terms into one metavariable context. `holes` collects `?_` in order."""

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
        from burnqed.minilean.expr import abstract

        body = self.m.inst(body)
        for d, info in reversed(decls):
            ty = self.m.inst(d.type)
            if isinstance(ty, MVar):
                raise TacticError("Failed to infer type of binder `" + d.name + "`")
            body = pi(d.name, ty, abstract(body, [d.id]), info)
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

    def e_fvar(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        return t[1]

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

    def e_ite(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        raise TacticError("`if` is outside minilean's fragment")

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
        from burnqed.minilean.rewrite import motive_of

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

    # anonymous constructors, lists

    def e_anon(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        if expected is None:
            raise TacticError("Invalid `⟨...⟩` notation: The expected type of this term could not be determined")
        x = self.m.whnf(expected)
        fn, args = spine(x)
        name = fn.name if isinstance(fn, Const) else ""
        items = list(t[1])
        if name == "True" and not items:
            return const("True.intro")
        ctor = {"And": "And.intro", "Iff": "Iff.intro", "Exists": "Exists.intro"}.get(name)
        if ctor is None:
            raise TacticError(
                "Invalid `⟨...⟩` notation: The expected type\n  "
                f"{self.text(expected, lctx)}\nis not an inductive type with one constructor"
            )
        if len(items) < 2:
            raise TacticError(
                f"Insufficient number of fields for `⟨...⟩` constructor: Constructor `{ctor}` has 2"
                f" explicit fields, but {'only ' if items else ''}{len(items)} was provided"
            )
        if len(items) > 2:
            items = [items[0], ("anon", items[1:])]
        if name == "Exists":
            w = self.check(items[0], args[0], lctx)
            want = self.m.head_beta(app(args[1], w))
            return apps(const(ctor), *args, w, self.check(items[1], want, lctx))
        a, b = args
        if name == "Iff":
            a, b = pi("a✝", args[0], args[1]), pi("a✝", args[1], args[0])
        return apps(const(ctor), *args, self.check(items[0], a, lctx), self.check(items[1], b, lctx))

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

    # names and applications

    def e_id(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        return self.application(t, [], expected, lctx)

    def e_proj(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        return self.application(t, [], expected, lctx)

    def e_dot(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        return self.application(t, [], expected, lctx)

    def e_explicit(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        return self.application(t, [], expected, lctx)

    def e_app(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        f, args = t[1], list(t[2])
        while f[0] == "app":
            f, args = f[1], list(f[2]) + args
        return self.application(f, args, expected, lctx)

    def application(self, f: Term, args: list[Term], expected: Expr | None, lctx: LocalContext) -> Expr:
        while f[0] == "paren" and f[1][0] in ("id", "app", "proj", "explicit", "paren"):
            f = f[1]
        if f[0] == "app":
            return self.application(f[1], list(f[2]) + args, expected, lctx)
        explicit = False
        if f[0] == "explicit":
            explicit, f = True, ("id", f[1])
        if f[0] == "id":
            head, extra = self.resolve(f[1], lctx)
        elif f[0] == "proj":
            head, extra = self.go(f[1], None, lctx), [f[2]]
        elif f[0] == "dot":
            head, extra = self.dotted(f[1], expected, lctx), []
        elif f[0] == "lam" and args and expected is not None and (f[1][0][1] is None or f[1][0][0] == "⟨⟩"):
            head_arg = self.go(args[0], None, lctx)
            ty = pi("x", self.m.infer(head_arg), expected)
            fn = self.check(f, ty, lctx) if len(args) == 1 else self.go(f, None, lctx)
            return self.apply(fn, [("fvar", head_arg), *args[1:]], expected, lctx, False)
        else:
            head, extra = self.go(f, None, lctx), []
        for i, field in enumerate(extra):
            last = i == len(extra) - 1
            head = self.project(head, field, args if last else [], expected if last else None, lctx)
        if extra:
            return head
        return self.apply(head, args, expected, lctx, explicit)

    def resolve(self, name: str, lctx: LocalContext) -> tuple[Expr, list[str]]:
        """A local variable or constant, and the field names that follow it."""
        parts = name.split(".")
        d = lctx.find(parts[0])
        if d is not None:
            return d.fvar, parts[1:]
        for k in range(len(parts), 0, -1):
            prefix = ".".join(parts[:k])
            for full in (prefix, *(f"{o}.{prefix}" for o in self.opens)):
                if self.m.env.get(full) is not None:
                    return const(full), parts[k:]
            alias = ALIASES.get(prefix)
            if alias is not None:
                return const(alias), parts[k:]
        raise TacticError(f"Unknown identifier `{name}`" if "." not in name else f"Unknown constant `{name}`")

    def dotted(self, name: str, expected: Expr | None, lctx: LocalContext) -> Expr:
        x = expected
        while x is not None:
            while isinstance(x, Pi):
                x = x.body
            fn = spine(self.m.head_beta(x))[0]
            if isinstance(fn, Const) and self.m.env.get(f"{fn.name}.{name}") is not None:
                return const(f"{fn.name}.{name}")
            f, args = spine(x)
            x = self.m.delta(f, args)
        raise TacticError(f"Invalid dotted identifier notation: The expected type of `.{name}` could not be determined")

    def project(self, obj: Expr, field: str, args: list[Term], expected: Expr | None, lctx: LocalContext) -> Expr:
        """`obj.field args`: a structure projection or the function `T.field`."""
        obj, ty = self.saturate(obj, lctx)
        original = ty
        while True:
            fn, targs = spine(ty)
            name = fn.name if isinstance(fn, Const) else ""
            if field.isdigit():
                fields = STRUCTURES.get(name)
                if fields is not None and 1 <= int(field) <= len(fields):
                    return self.apply(
                        const(f"{name}.{fields[int(field) - 1]}"), [("fvar", obj), *args], expected, lctx, False
                    )
            elif name:
                for space in (name, *DOT_SPACES.get(name, ())):
                    full = f"{space}.{field}"
                    decl = self.m.env.get(full)
                    if decl is not None:
                        return self.method(full, decl.type, name, obj, args, expected, lctx)
            elif isinstance(ty, Pi) and self.m.env.get(f"Function.{field}") is not None:
                return self.apply(const(f"Function.{field}"), [("fvar", obj), *args], expected, lctx, False)
            nxt = self.m.delta(fn, targs)
            if nxt is None:
                shown = self.text(obj, lctx)
                raise TacticError(
                    f"Invalid field `{field}`: The environment does not contain"
                    f" `{name or 'Function'}.{field}`, so it is not possible to project the field"
                    f" `{field}` from an expression\n  {shown}\nof type\n  "
                    f"{self.text(original, lctx)}"
                )
            ty = self.m.head_beta(nxt)

    def method(
        self,
        full: str,
        t: Expr,
        space: str,
        obj: Expr,
        args: list[Term],
        expected: Expr | None,
        lctx: LocalContext,
    ) -> Expr:
        """Put `obj` at the first explicit argument whose type's head is `space`."""
        k = 0
        while isinstance(t, Pi):
            if t.info == "default":
                f, _ = spine(t.ty)
                if isinstance(f, Const) and f.name == space:
                    break
                k += 1
            t = t.body
        else:
            k = 0
        if k > len(args):
            raise TacticError(f"`{full}` needs its earlier arguments")
        new = [*args[:k], ("fvar", obj), *args[k:]]
        return self.apply(const(full), new, expected, lctx, False)

    def saturate(self, e: Expr, lctx: LocalContext) -> tuple[Expr, Expr]:
        """Fill leading implicit arguments of `e` with holes; its type is head-normalised."""
        ty = self.m.head_beta(self.m.inst(self.m.infer(e)))
        while isinstance(ty, Pi) and ty.info != "default":
            h = self.hole(lctx, ty.ty)
            e, ty = app(e, h), self.m.head_beta(instantiate1(ty.body, h))
        return e, ty

    def apply(self, fn: Expr, args: list[Term], expected: Expr | None, lctx: LocalContext, explicit: bool) -> Expr:
        """Elaborate `fn args`, using the expected type before the arguments as Lean does."""
        ty = self.m.infer(fn)
        named = {a[1]: a[2] for a in args if a[0] == "named"}
        queue = [a for a in args if a[0] != "named"]
        todo: list[tuple[Term, MVar]] = []
        e = fn
        i = 0
        while True:
            if not isinstance(ty, Pi):
                if not queue[i:] and not named:
                    break
                ty = self.m.whnf(ty)
                if not isinstance(ty, Pi):
                    if todo:  # the function's type may come from its arguments
                        self.arguments(todo, lctx)
                        todo = []
                        ty = self.m.whnf(self.m.inst(ty))
                    if not isinstance(ty, Pi):
                        raise TacticError(
                            f"Function expected at\n  {self.text(e, lctx)}\nbut this term has type"
                            f"\n  {self.text(ty, lctx)}"
                        )
            if ty.name in named:
                m: Expr = self.m.mvar(lctx, ty.ty)
                todo.append((named.pop(ty.name), m))  # type: ignore[arg-type]
            elif ty.info == "default" or explicit:
                if i >= len(queue):
                    break
                if queue[i][0] == "fvar":
                    m = queue[i][1]
                    actual = self.m.infer(m)
                    if not self.m.unify(ty.ty, actual):
                        self.mismatch(m, actual, ty.ty, e, lctx)
                else:
                    m = self.m.mvar(lctx, ty.ty)
                    todo.append((queue[i], m))
                i += 1
            elif ty.info == "strict" and i >= len(queue):
                break
            else:
                if i >= len(queue) and expected is not None and not named:
                    x = self.m.whnf(expected)
                    if isinstance(x, Pi) and x.info != "default":
                        break
                m = self.hole(lctx, ty.ty)
            e = app(e, m)
            ty = self.m.head_beta(instantiate1(ty.body, m))
        if named:
            raise TacticError(f"Invalid argument name `{next(iter(named))}`")
        if expected is not None and todo and not isinstance(self.m.head_beta(ty), MVar):
            self.m.unify(ty, expected)
        self.arguments(todo, lctx)
        return e

    def mismatch(self, m: Expr, actual: Expr, want: Expr, fn: Expr, lctx: LocalContext) -> None:
        raise TacticError(
            f"Application type mismatch: The argument\n  {self.text(m, lctx)}\nhas type\n  "
            f"{self.text(actual, lctx)}\nbut is expected to have type\n  {self.text(want, lctx)}\n"
            f"in the application\n  {self.text(app(fn, m), lctx)}"
        )

    def arguments(self, todo: list[tuple[Term, MVar]], lctx: LocalContext) -> None:
        """Elaborate arguments in order, those that need a known type last."""
        late: list[tuple[Term, MVar]] = []
        for rounds in (todo, late):
            for t, m in rounds:
                want = self.m.goals[m.id].type
                if rounds is todo and t[0] in ("lam", "anon", "by", "dot", "num", "paren"):
                    x = self.m.head_beta(self.m.inst(want))
                    if (
                        spine(x)[0].fl & HAS_MVAR
                        or t[0] == "by"
                        or (t[0] == "lam" and isinstance(x, Pi) and x.ty.fl & HAS_MVAR)
                    ):
                        late.append((t, m))
                        continue
                if t[0] == "shole" and t[1] == "_":
                    self.m.goals[m.id].kind = SYNTHETIC
                    continue
                e = self.check(t, want, lctx)
                if not self.m.unify(m, e):
                    actual = self.m.infer(e)
                    self.mismatch(e, actual, self.m.inst(m), m, lctx)


STRUCTURES = {"And": ("left", "right"), "Iff": ("mp", "mpr")}
DOT_SPACES = {"Nat.lt": ("LT.lt",), "Nat.le": ("LE.le",), "Nat.dvd": ("Dvd.dvd",)}
ALIASES = {
    "true": "Bool.true",
    "false": "Bool.false",
    "not": "Bool.not",
    "and": "Bool.and",
    "or": "Bool.or",
    "xor": "Bool.xor",
    "max": "Nat.max",
    "min": "Nat.min",
}


def elim(name: str, args: Sequence[Expr], goal: Expr, major: Expr, minors: list[Expr]) -> Expr:
    """The elimination of `major : name args` into the proposition `goal`."""
    if name in ("And", "Iff", "Exists"):
        return apps(const(f"{name}.rec"), *args, goal, *minors, major)
    if name == "Or":
        return apps(const("Or.rec"), *args, goal, *minors, major)
    if name == "False":
        return capp("False.elim", goal, major)
    raise TacticError(f"cannot eliminate `{name}`")
