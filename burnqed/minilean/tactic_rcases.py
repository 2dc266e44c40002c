"""Patterns: rcases, obtain, and what intro and rintro do with them."""

from __future__ import annotations

from burnqed.minilean.context import Goal, LocalDecl, TacticError
from burnqed.minilean.cursor import Term
from burnqed.minilean.expr import FVar
from burnqed.minilean.runner import Runner
from burnqed.minilean.tactic_basic import whnf_prop
from burnqed.minilean.tactic_cases import data_cases, named, split_prop
from burnqed.minilean.tactic_core import tactic
from burnqed.minilean.tactic_subst import solve_eq


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
