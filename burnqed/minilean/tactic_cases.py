"""Case analysis and induction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from burnqed.minilean.context import Goal, LocalContext, LocalDecl, TacticError
from burnqed.minilean.cursor import Term
from burnqed.minilean.elab_binders import elim
from burnqed.minilean.expr import (
    NAT,
    Closure,
    Const,
    Expr,
    FVar,
    app,
    apps,
    capp,
    const,
    instantiate1,
    lam,
    lit,
    pi,
    spine,
)
from burnqed.minilean.expr import abstract as abstract_fvars
from burnqed.minilean.printer import state_text
from burnqed.minilean.rewrite import kabstract
from burnqed.minilean.runner import Runner
from burnqed.minilean.tactic_basic import whnf_prop
from burnqed.minilean.tactic_core import tactic
from burnqed.minilean.tactic_subst import solve_eq
from burnqed.minilean.traverse import occurs


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
                raise TacticError("unsolved goals\n" + state_text(r.m, left))
    missing = [c for _, c, _ in goals if c not in done]
    if missing:
        raise TacticError(f"Alternative `{missing[0]}` has not been provided")
    r.prune()


def generalize(r: Runner, g: Goal, e: Expr, name: str, eq_name: str | None) -> tuple[Goal, LocalDecl]:
    """Replace `e` in the goal by a new variable; with `eq_name`, keep `e = variable` under that name."""
    m = r.m
    ty = m.inst(m.infer(e))
    body = kabstract(m, r.target(g), m.inst(e))
    x = m.fvar(name.rstrip("✝"), ty, name.endswith("✝"))
    decls, args = [x], [e]
    if eq_name is not None:
        decls.append(m.fvar(eq_name, capp("Eq", ty, e, x.fvar)))
        args.append(capp("Eq.refl", ty, e))
    target = r.target(g) if body is None else m.head_beta(instantiate1(body, x.fvar))
    new = r.new_goal(g.lctx.add(*decls), target, g.tag)
    binders = tuple((d.id, d.name, d.type, "default") for d in decls)
    r.close(g, apps(Closure(binders, new.mvar), *args), [new])
    return new, x


@tactic("generalize")
def t_generalize(r: Runner, eq_name: str | None, value: Term, name: str) -> None:
    g = r.main
    e = r.elab().term(value, None, g.lctx)
    if r.m.is_prop(r.m.infer(e)):
        raise TacticError("minilean generalizes data only")
    generalize(r, g, e, name, eq_name)


@tactic("cases")
def t_cases(r: Runner, eq: str | None, target: Term, alts: list[Any] | None) -> None:
    g = r.main
    e = r.elab().term(target, None, g.lctx)
    ty = r.m.inst(r.m.infer(e))
    if not r.m.is_prop(ty):
        if eq is not None or not (isinstance(e, FVar) and e.id in g.lctx.decls):
            g, d = generalize(r, g, e, "x✝", eq)
        else:
            d = g.lctx.decls[e.id]
        goals = data_cases(r, g, d, False)
    elif eq is not None:
        raise TacticError("`cases h : e` needs data in minilean, not a proof")
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
