"""Rewriting: rw, rewrite, rwa."""

from __future__ import annotations

from typing import Any, NamedTuple

from burnqed.minilean.context import SYNTHETIC, Goal, LocalDecl, TacticError
from burnqed.minilean.cursor import Term
from burnqed.minilean.expr import PROP, Const, Expr, MVar, Pi, app, capp, const, instantiate, lam, spine
from burnqed.minilean.rewrite import kabstract
from burnqed.minilean.runner import Runner
from burnqed.minilean.tactic_basic import assumption
from burnqed.minilean.tactic_close import try_rfl
from burnqed.minilean.tactic_core import tactic
from burnqed.minilean.traverse import mvars

EQUATIONS = {
    "Nat.add": ("Nat.add_zero", "Nat.add_succ"),
    "Nat.mul": ("Nat.mul_zero", "Nat.mul_succ"),
    "List.append": ("List.nil_append", "List.cons_append"),
    "List.length": ("List.length_nil", "List.length_cons"),
    "List.reverse": ("List.reverse_nil", "List.reverse_cons"),
    "List.map": ("List.map_nil", "List.map_cons"),
    "Nat.sub": ("Nat.sub_zero", "Nat.sub_succ"),
    "Nat.pow": ("Nat.pow_zero", "Nat.pow_succ"),
}


def rule(r: Runner, g: Goal, t: Term) -> tuple[Expr, Expr, list[MVar]]:
    """A rewrite rule's proof, its proposition, and its argument holes."""
    elab = r.elab()
    start = r.m.fresh
    e = elab.term(t, None, g.lctx)
    ty = r.m.head_beta(r.m.inst(r.m.infer(e)))
    while True:
        if isinstance(ty, Pi):
            xs: list[Expr] = []
            while isinstance(ty, Pi):
                xs.append(r.m.mvar(g.lctx, instantiate(ty.ty, xs), ty.name.rstrip("✝")))
                e, ty = app(e, xs[-1]), ty.body
            ty = r.m.head_beta(instantiate(ty, xs))
            continue
        fn, args = spine(ty)
        if isinstance(fn, Const) and fn.name in ("Eq", "Iff"):
            break
        nxt = r.m.delta(fn, args)
        if (
            nxt is None
            or not isinstance(r.m.head_beta(nxt), Pi)
            or (isinstance(fn, Const) and fn.name in ("Not", "Ne"))
        ):
            break
        ty = r.m.head_beta(nxt)
    holes = [r.m.goals[i].mvar for i in sorted(dict.fromkeys(mvars(r.m.inst(e)))) if i > start]
    return e, ty, holes


def as_equation(r: Runner, g: Goal, proof: Expr, ty: Expr) -> tuple[Expr, Expr, Expr, Expr]:
    """(type, lhs, rhs, proof of lhs = rhs) of a rule."""
    fn, args = spine(ty)
    name = fn.name if isinstance(fn, Const) else ""
    if name == "Eq":
        return args[0], args[1], args[2], proof
    if name == "Iff":
        return PROP, args[0], args[1], capp("propext", args[0], args[1], proof)
    if name == "Not":
        return PROP, args[0], const("False"), capp("eq_false", args[0], proof)
    if name == "Ne":
        p = capp("Eq", *args)
        return PROP, p, const("False"), capp("eq_false", p, proof)
    if r.m.is_prop(ty):
        raise TacticError(
            "Invalid rewrite argument: Expected an equality or iff proof or definition name, but"
            f" `{r.text(proof, g.lctx)}` is a proof of\n  {r.text(ty, g.lctx)}"
        )
    raise TacticError(
        "Invalid rewrite argument: Expected an equality or iff proof or definition name, but"
        f" `{r.text(proof, g.lctx)}` is a value of type\n  {r.text(ty, g.lctx)}"
    )


class Rewriting(NamedTuple):
    """`motive source` becomes `motive target`; `proof` shows that the two are equal, given the goals `side`."""

    alpha: Expr
    source: Expr
    target: Expr
    proof: Expr
    motive: Expr
    side: list[Goal]


def rewriting(r: Runner, g: Goal, back: bool, t: Term, old: Expr) -> Rewriting:
    """How the rule `t` rewrites `old`. Raises `TacticError`."""
    m = r.m
    if t[0] == "id" and t[1] in EQUATIONS and g.lctx.find(t[1]) is None:
        error: TacticError | None = None
        for lemma in EQUATIONS[t[1]]:
            mark = len(m.trail)
            try:
                return rewriting(r, g, back, ("id", lemma), old)
            except TacticError as e:
                m.undo(mark)
                error = e
        assert error is not None
        raise error
    proof, ty, holes = rule(r, g, t)
    alpha, a, b, eq = as_equation(r, g, proof, ty)
    if back:
        a, b, eq = b, a, capp("Eq.symm", alpha, a, b, eq)
    a = m.inst(a)
    if isinstance(spine(a)[0], MVar):
        raise r.fail(
            g,
            "Tactic `rewrite` failed: The pattern is a metavariable\n  "
            f"{r.text(a, g.lctx)}\nfrom equation\n  {r.text(ty, g.lctx)}\n",
        )
    body = kabstract(m, old, a)
    if body is None:
        raise r.fail(
            g,
            "Tactic `rewrite` failed: Did not find an occurrence of the pattern\n  "
            f"{r.text(a, g.lctx)}\nin the target expression\n  {r.text(old, g.lctx)}\n",
        )
    a, b, eq, alpha = m.inst(a), m.inst(b), m.inst(eq), m.inst(alpha)
    side = []
    for x in holes:
        if x.id not in m.assign:
            h = m.goals[x.id]
            m.goals[x.id] = Goal(x, h.lctx, h.type, h.tag, SYNTHETIC)
            side.append(m.goals[x.id])
    props = [x for x in side if m.is_prop(m.inst(x.type))]
    return Rewriting(alpha, a, b, eq, lam("_a", alpha, body), [*props, *(x for x in side if x not in props)])


def rewrite(r: Runner, back: bool, t: Term, where: str | LocalDecl) -> None:
    """One rewrite of the main goal or of a hypothesis."""
    g = r.main
    m = r.m
    d = None if where == "⊢" else where if isinstance(where, LocalDecl) else r.find(g, where)
    old = r.target(g) if d is None else m.inst(d.type)
    alpha, a, b, eq, motive, side = rewriting(r, g, back, t, old)
    new_type = m.head_beta(app(motive, b))
    if d is None:
        new = r.new_goal(g.lctx, new_type, g.tag)
        sym = capp("Eq.symm", alpha, a, b, eq)
        r.close(g, capp("Eq.subst", alpha, motive, b, a, sym, new.mvar), [new])
    else:
        value = capp("Eq.subst", alpha, motive, a, b, eq, d.fvar)
        r.replace_local(g, d, new_type, value)
    r.goals[1:1] = side


def rewrite_all(r: Runner, rules: list[Any], loc: tuple[str, ...] | None) -> None:
    for back, t, _ in rules:
        if loc == ("*",):
            rewrite_everywhere(r, back, t)
            continue
        for where in loc or ("⊢",):
            rewrite(r, back, t, where)


def rewrite_everywhere(r: Runner, back: bool, t: Term) -> None:
    """`rw [t] at *`: the goal first, then the hypotheses from the last to the first, as Lean does."""
    done = False
    hypotheses = list(reversed(r.main.lctx.decls))
    for key in (0, *hypotheses):  # 0 is the goal
        saved = r.save()
        d = r.main.lctx.decls.get(key)
        try:
            if d is not None or key == 0:
                rewrite(r, back, t, "⊢" if d is None else d)
                done = True
        except TacticError:
            r.restore(saved)
    if not done:
        raise r.fail(r.main, "Tactic `rewrite` failed: Did not find an occurrence of the pattern in the current goal\n")


@tactic("rewrite")
def t_rewrite(r: Runner, rules: list[Any], loc: tuple[str, ...] | None) -> None:
    rewrite_all(r, rules, loc)


@tactic("rw")
def t_rw(r: Runner, rules: list[Any], loc: tuple[str, ...] | None) -> None:
    rewrite_all(r, rules, loc)
    r.prune()
    if r.goals:
        try_rfl(r, r.main, reducible=True)


@tactic("rwa")
def t_rwa(r: Runner, rules: list[Any], loc: tuple[str, ...] | None) -> None:
    t_rw(r, rules, loc)
    r.prune()
    if r.goals and not assumption(r, r.main):
        raise r.fail(r.main, "Tactic `assumption` failed\n")
