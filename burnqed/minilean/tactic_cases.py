"""Case analysis: cases, rcases patterns, induction, subst."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from burnqed.minilean.elab import elim
from burnqed.minilean.expr import (
    NAT,
    App,
    Closure,
    Const,
    Expr,
    FVar,
    app,
    apps,
    capp,
    const,
    lam,
    lit,
    occurs,
    pi,
    spine,
)
from burnqed.minilean.expr import abstract as abstract_fvars
from burnqed.minilean.meta import Goal, LocalDecl, TacticError
from burnqed.minilean.syntax import Term
from burnqed.minilean.tactic_basic import clash, whnf_prop
from burnqed.minilean.tactic_core import Runner, tactic


def join(tag: str, part: str) -> str:
    return f"{tag}.{part}" if tag else part


def split_prop(r: Runner, g: Goal, major: Expr, name: str, args: list[Expr]) -> list[tuple[Goal, str, list[LocalDecl]]]:
    """Eliminate a proof `major : name args`; per constructor the goal and the new hypotheses."""
    m = r.m
    target = r.target(g)
    if isinstance(major, FVar) and occurs(target, major.id):
        raise TacticError("the goal depends on the proof")
    specs: list[tuple[str, list[tuple[str, Expr]]]]
    if name == "And":
        specs = [("intro", [("left", args[0]), ("right", args[1])])]
    elif name == "Iff":
        a, b = args
        specs = [("intro", [("mp", pi("a✝", a, b)), ("mpr", pi("a✝", b, a))])]
    elif name == "Or":
        specs = [("inl", [("h", args[0])]), ("inr", [("h", args[1])])]
    elif name == "Exists":
        specs = [("intro", [("w", args[0]), ("h", args[1])])]
    elif name == "False":
        specs = []
    elif name == "True":
        specs = [("intro", [])]
    else:
        raise TacticError(f"cases on `{name}` is outside minilean's fragment")
    base = g.lctx
    if isinstance(major, FVar):
        deps = r.dependents(g, [major.id], True)
        if len(deps) == 1:
            base = g.lctx.without([major.id])
    out = []
    minors: list[Expr] = []
    for ctor, fields in specs:
        decls: list[LocalDecl] = []
        for field, ty in fields:
            if name == "Exists" and field == "h":
                ty = m.head_beta(app(ty, decls[0].fvar))
            decls.append(m.fvar(field, ty, True))
        new = r.new_goal(base.add(*decls), g.type, join(g.tag, ctor))
        binders = tuple((d.id, d.name, d.type, "default") for d in decls)
        minors.append(Closure(binders, new.mvar) if binders else new.mvar)
        out.append((new, ctor, decls))
    value = minors[0] if name == "True" else elim(name, args, target, major, minors)
    r.close(g, value, [x for x, _, _ in out])
    return out


def named(r: Runner, g: Goal, decls: Sequence[LocalDecl], names: Sequence[str | None]) -> Goal:
    """Give the hypotheses `decls` of `g` user names (None keeps them inaccessible)."""
    from burnqed.minilean.meta import LocalContext

    pick = {d.id: n for d, n in zip(decls, names, strict=False) if n not in (None, "_")}
    if not pick:
        return g
    new = {}
    for k, d in g.lctx.decls.items():
        name = pick.get(k)
        new[k] = d if name is None else LocalDecl(d.fvar, name, d.type)
    goal = r.new_goal(LocalContext(new), g.type, g.tag)
    r.close(g, goal.mvar, [goal])
    return goal


def solve_eq(r: Runner, g: Goal, d: LocalDecl) -> list[Goal]:
    """Case analysis on an equation: substitution, injectivity or a clash of constructors."""
    m = r.m
    _, args, _ = whnf_prop(r, d.type)
    alpha, a, b = args
    a, b = m.inst(a), m.inst(b)
    for x, y in ((b, a), (a, b)):
        if isinstance(x, FVar) and x.id in g.lctx.decls and not occurs(y, x.id):
            return [substitute(r, g, d, x, y, x is b)]
    if m.unify(a, b):
        return [r.clear(g, [d.id])]
    if alpha == NAT:
        false = clash(r, d.fvar, a, b)
        if false is not None:
            r.close(g, capp("False.elim", r.target(g), false))
            return []
        wa, wb = m.whnf(a), m.whnf(b)
        if isinstance(wa, App) and isinstance(wb, App) and wa.fn == wb.fn == const("Nat.succ"):
            inj = apps(const("Nat.succ.inj"), wa.arg, wb.arg, d.fvar)
            ty = capp("Eq", NAT, wa.arg, wb.arg)
            new = r.assert_(g, d.name, True, ty, inj)
            h = new.lctx.decls[max(new.lctx.decls)]
            new = r.clear(new, [d.id])
            return solve_eq(r, new, h)
    fa, xs = spine(m.whnf(a))
    fb, ys = spine(m.whnf(b))
    if isinstance(fa, Const) and isinstance(fb, Const):
        if {fa.name, fb.name} == {"List.nil", "List.cons"}:
            proof: Expr = d.fvar
            cons = xs if fa.name == "List.cons" else ys
            if fa.name == "List.nil":
                proof = capp("Eq.symm", alpha, a, b, proof)
            false = app(capp("List.cons_ne_nil", *cons), proof)
            r.close(g, capp("False.elim", r.target(g), false))
            return []
        if {fa.name, fb.name} == {"Bool.true", "Bool.false"}:
            from burnqed.minilean.expr import Cert

            p = capp("Not", capp("Eq", alpha, a, b))
            false = app(Cert("decide", p, (), None), d.fvar)
            r.close(g, capp("False.elim", r.target(g), false))
            return []
    raise r.fail(
        g,
        f"Dependent elimination failed: Failed to solve equation\n  {r.text(a, g.lctx)} = {r.text(b, g.lctx)}",
    )


def substitute(r: Runner, g: Goal, h: LocalDecl, x: FVar, value: Expr, right: bool) -> Goal:
    """Replace the variable `x` by `value` everywhere, by `h : value = x` (or `x = value`)."""
    m = r.m
    order = list(g.lctx.decls)
    deps = [d for d in r.dependents(g, [x.id], False) if d.id != h.id]
    if any(occurs(m.inst(d.type), h.id) for d in deps) or occurs(r.target(g), h.id):
        raise TacticError("the goal depends on the equation's proof")
    late = [k for k in _free(value) if order.index(k) > order.index(x.id)]
    body = m.abstract_pi(deps, r.target(g))
    xd = g.lctx.decls[x.id]
    motive = lam(xd.name, m.inst(xd.type), abstract_fvars(body, [x.id]))
    drop = [x.id, h.id, *(d.id for d in deps)]
    if late and any(k in drop for k in late):
        raise TacticError("motive is not type correct")
    new = r.new_goal(g.lctx.without(drop), m.head_beta(app(motive, value)), g.tag)
    alpha = m.inst(xd.type)
    proof: Expr = h.fvar
    if not right:
        proof = capp("Eq.symm", alpha, x, value, proof)
    e = capp("Eq.subst", alpha, motive, value, x, proof, new.mvar)
    for d in deps:
        e = app(e, d.fvar)
    m.set(g.mvar.id, e)
    out = r.reintro(new, deps)
    i = next(k for k, y in enumerate(r.goals) if y is g)
    r.goals[i] = out
    return out


def _free(e: Expr) -> set[int]:
    from burnqed.minilean.expr import fvars

    return fvars(e)


@tactic("subst")
def t_subst(r: Runner, *names: str) -> None:
    for n in names:
        g = r.main
        d = r.find(g, n)
        name, args, _ = whnf_prop(r, d.type)
        if name != "Eq":
            # a variable may be named: find an equation for it
            for o in g.lctx.decls.values():
                k, xs, _ = whnf_prop(r, o.type)
                if k == "Eq" and any(isinstance(y, FVar) and y.id == d.id for y in xs[1:]):
                    d, args = o, xs
                    break
            else:
                raise r.fail(g, "Tactic `subst` failed: did not find an equation\n")
        a, b = r.m.inst(args[1]), r.m.inst(args[2])
        for x, y, right in ((b, a, True), (a, b, False)):
            if isinstance(x, FVar) and x.id in g.lctx.decls and not occurs(y, x.id):
                substitute(r, g, d, x, y, right)
                break
        else:
            raise r.fail(
                g,
                "Tactic `subst` failed: invalid equality proof, it is not of the form (x = t) or (t"
                f" = x)\n  {r.text(args[1], g.lctx)} = {r.text(args[2], g.lctx)}\n",
            )


def rcases(r: Runner, g: Goal, d: LocalDecl, pat: Term) -> list[Goal]:
    """Destruct hypothesis `d` along an rcases pattern; the goals that result."""
    saved, r.goals = r.goals, [g]
    try:
        return _rcases(r, g, d, pat)
    finally:
        r.goals = saved


def _rcases(r: Runner, g: Goal, d: LocalDecl, pat: Term) -> list[Goal]:
    kind = pat[0]
    if kind == "name":
        if pat[1] == "rfl":
            if whnf_prop(r, d.type)[0] != "Eq":
                raise TacticError("rcases: `rfl` needs an equation")
            r.goals = [g]
            return solve_eq(r, g, d)
        r.goals = [g]
        return [named(r, g, [d], [pat[1]])]
    if kind == "hole":
        return [g]
    if kind == "clear":
        r.goals = [g]
        return [r.clear(g, [d.id])]
    if kind == "typed":
        return _rcases(r, g, d, pat[1])
    name, args, _ = whnf_prop(r, d.type)
    r.goals = [g]
    if kind == "alts":
        if name != "Or":
            if name in ("And", "Exists", "Iff"):
                return _rcases(r, g, d, pat[1][0])
            return data_alts(r, g, d, pat[1])
        (g1, _, d1), (g2, _, d2) = split_prop(r, g, d.fvar, name, args)
        rest = pat[1][1:]
        second = rest[0] if len(rest) == 1 else ("alts", rest)
        return [*_rcases(r, g1, d1[0], pat[1][0]), *_rcases(r, g2, d2[0], second)]
    items = list(pat[1])
    if name == "False":
        split_prop(r, g, d.fvar, name, args)
        return []
    if name == "True" or not items:
        if name in ("Or", "And", "Exists"):
            pass
        elif name == "True":
            return [x for x, _, _ in split_prop(r, g, d.fvar, name, args)]
    if len(items) == 1 and name not in ("And", "Exists", "Iff"):
        return _rcases(r, g, d, items[0])
    if name not in ("And", "Exists", "Iff"):
        raise TacticError(f"rcases: the pattern does not fit\n  {r.text(d.type, g.lctx)}")
    ((new, _, fields),) = split_prop(r, g, d.fvar, name, args)
    new.tag = g.tag
    first = items[0] if items else ("hole",)
    rest_pat: Term = ("hole",) if len(items) < 2 else items[1] if len(items) == 2 else ("tuple", items[1:])
    out: list[Goal] = []
    for mid in _rcases(r, new, fields[0], first):
        second_decl = mid.lctx.decls.get(fields[1].id)
        if second_decl is None:  # its type changed by a substitution: it is the last hypothesis
            second_decl = mid.lctx.decls[max(mid.lctx.decls)]
        out += _rcases(r, mid, second_decl, rest_pat)
    return out


def data_alts(r: Runner, g: Goal, d: LocalDecl, alts: list[Term]) -> list[Goal]:
    goals = data_cases(r, g, d, False)
    out: list[Goal] = []
    for (x, _, fields), p in zip(goals, [*alts, *[("hole",)] * len(goals)], strict=False):
        pats = p[1] if p[0] == "tuple" else [p]
        r.goals = [x]
        cur = [x]
        for f, q in zip(fields, pats, strict=False):
            cur = [y for c in cur for y in _rcases(r, c, c.lctx.decls[f.id], q)]
        out += cur
    return out


@tactic("obtain")
def t_obtain(r: Runner, pat: Term, ty_t: Term | None, value: Term) -> None:
    g = r.main
    elab = r.elab()
    ty = elab.type(ty_t, g.lctx) if ty_t is not None else None
    e = elab.term(value, ty, g.lctx)
    if isinstance(e, FVar) and e.id in g.lctx.decls:
        goals = rcases(r, g, g.lctx.decls[e.id], pat)
    else:
        ty = r.m.head_beta(r.m.inst(r.m.infer(e)))
        saved = r.goals
        new = r.assert_(g, "x", True, ty, e)
        g = new
        goals = rcases(r, new, new.lctx.decls[max(new.lctx.decls)], pat)
        del saved
    i = next(k for k, x in enumerate(r.goals) if x is g)
    r.goals[i : i + 1] = goals


def data_cases(
    r: Runner,
    g: Goal,
    d: LocalDecl,
    induct: bool,
    general: Sequence[LocalDecl] = (),
    using: str | None = None,
) -> list[tuple[Goal, str, list[LocalDecl]]]:
    """Case analysis or induction on a variable of type Nat, Bool or List."""
    m = r.m
    fn, targs = spine(m.whnf(m.inst(d.type)))
    ty = fn.name if isinstance(fn, Const) else ""
    deps = r.dependents(g, [d.id, *(x.id for x in general)], True)
    deps = [x for x in deps if x.id != d.id]
    body = m.abstract_pi(deps, r.target(g))
    motive = lam(d.name, m.inst(d.type), abstract_fvars(body, [d.id]))
    base = g.lctx.without([d.id, *(x.id for x in deps)])

    def at(e: Expr) -> Expr:
        return m.head_beta(app(motive, e))

    specs: list[tuple[str, list[LocalDecl], Expr]] = []
    if using is not None:
        if using not in ("Nat.strongRecOn", "Nat.strong_induction_on") or ty != "Nat":
            raise TacticError(f"unknown eliminator `{using}`")
        n = m.fvar("n", NAT, True)
        k = m.fvar("m", NAT)
        ih_ty = pi("m", NAT, abstract_fvars(pi("a✝", capp("Nat.lt", k.fvar, n.fvar), at(k.fvar)), [k.id]))
        specs = [("ind", [n, m.fvar("a", ih_ty, True)], n.fvar)]
    elif ty == "Nat":
        n = m.fvar("n", NAT, True)
        fields = [n, m.fvar("a", at(n.fvar), True)] if induct else [n]
        specs = [("zero", [], lit(0)), ("succ", fields, capp("Nat.add", n.fvar, lit(1)))]
    elif ty == "Bool":
        specs = [("false", [], const("Bool.false")), ("true", [], const("Bool.true"))]
    elif ty == "List":
        a = m.fvar("head", targs[0], True)
        t = m.fvar("tail", m.inst(d.type), True)
        fields = [a, t, m.fvar("tail_ih", at(t.fvar), True)] if induct else [a, t]
        specs = [("nil", [], capp("List.nil", targs[0])), ("cons", fields, capp("List.cons", targs[0], a.fvar, t.fvar))]
    else:
        raise r.fail(
            g,
            f"Tactic `{'induction' if induct else 'cases'}` failed: major premise type"
            f" is not an inductive type\n  {r.text(d.type, g.lctx)}\n",
        )
    out = []
    minors: list[Expr] = []
    for ctor, fields, value in specs:
        new = r.new_goal(base.add(*fields), at(value), join(g.tag, ctor))
        every = fields
        if ty == "List" and not induct:  # the recursor passes a hypothesis nobody asked for
            every = [*fields, m.fvar("x", at(fields[1].fvar), True)] if fields else []
        binders = tuple((x.id, x.name, x.type, "default") for x in every)
        goal = r.reintro(new, deps)
        minors.append(Closure(binders, new.mvar) if binders else new.mvar)
        out.append((goal, ctor, list(fields)))
    if using is not None:
        e: Expr = capp("Nat.strongRecOn", motive, d.fvar, *minors)
    elif ty == "Nat" and not induct:
        e = capp("Nat.casesOn", motive, d.fvar, *minors)
    elif ty == "List":
        e = capp("List.rec", targs[0], motive, *minors, d.fvar)
    else:
        e = capp(f"{ty}.rec", motive, *minors, d.fvar)
    for x in deps:
        e = app(e, x.fvar)
    r.close(g, e, [x for x, _, _ in out])
    return out


def run_alternatives(r: Runner, goals: list[tuple[Goal, str, list[LocalDecl]]], alts: list[Any], g: Goal) -> None:
    """`with | ctor names => block`: each block closes its goal."""
    done: set[str] = set()
    pre: list[Any] = []
    valid = [c for _, c, _ in goals]
    for ctors, names, block in alts:
        if ctors is None:
            pre = block
            continue
        hits = [x for x in goals if x[1] not in done and ("_" in ctors or x[1] in ctors)]
        for c in ctors:
            if c != "_" and c not in valid:
                want = ", ".join(f"`{v}`" for v in valid)
                raise TacticError(f"Invalid alternative name `{c}`: Expected {want}")
        for x, c, fields in hits:
            done.add(c)
            if len(names) > len(fields):
                raise TacticError(
                    f"Too many variable names provided at alternative `{c}`: {len(names)} provided,"
                    f" but {len(fields)} expected"
                )
            x = named(r, x, fields, list(names))
            left = r.focus(x, [*pre, *block])
            if left:
                from burnqed.minilean.printer import state_text

                raise TacticError("unsolved goals\n" + state_text(r.m, left))
    missing = [c for _, c, _ in goals if c not in done]
    if missing:
        raise TacticError(f"Alternative `{missing[0]}` has not been provided")
    r.prune()


@tactic("cases")
def t_cases(r: Runner, eq: str | None, target: Term, alts: list[Any] | None) -> None:
    g = r.main
    if eq is not None:
        raise TacticError("`cases h : e` is outside minilean's fragment")
    e = r.elab().term(target, None, g.lctx)
    ty = r.m.inst(r.m.infer(e))
    if not r.m.is_prop(ty):
        if not isinstance(e, FVar):
            raise TacticError("minilean takes cases on variables and proofs only")
        goals = data_cases(r, g, g.lctx.decls[e.id], False)
    else:
        name, args, _ = whnf_prop(r, ty)
        if name == "Eq":
            if not isinstance(e, FVar):
                g = r.assert_(g, "x", True, ty, e)
                d = g.lctx.decls[max(g.lctx.decls)]
            else:
                d = g.lctx.decls[e.id]
            i = next(k for k, x in enumerate(r.goals) if x is g)
            saved = list(r.goals)
            r.goals = [g]
            out = solve_eq(r, g, d)
            for x in out:
                x.tag = join(g.tag, "refl")
            saved[i : i + 1] = out
            r.goals = saved
            if alts is not None:
                run_alternatives(r, [(x, "refl", []) for x in out], alts, g)
            return
        goals = split_prop(r, g, e, name, args)
    if alts is not None:
        run_alternatives(r, goals, alts, g)


@tactic("induction")
def t_induction(r: Runner, target: Term, using: str | None, general: list[str], alts: list[Any] | None) -> None:
    g = r.main
    e = r.elab().term(target, None, g.lctx)
    if not isinstance(e, FVar):
        raise TacticError("minilean takes induction on variables only")
    d = g.lctx.decls[e.id]
    if r.m.is_prop(d.type):
        name, args, _ = whnf_prop(r, d.type)
        goals = split_prop(r, g, e, name, args)
    else:
        extra = [r.find(g, n) for n in general]
        goals = data_cases(r, g, d, True, extra, using)
    if alts is not None:
        run_alternatives(r, goals, alts, g)
