"""Tactics that introduce and apply: intro, exact, apply, refine, constructor, ..."""

from __future__ import annotations

from burnqed.minilean.context import Goal, TacticError
from burnqed.minilean.cursor import Term
from burnqed.minilean.expr import HAS_MVAR, App, Const, Expr, MVar, Pi, const, spine
from burnqed.minilean.runner import Runner
from burnqed.minilean.tactic_block import Tac
from burnqed.minilean.tactic_core import tactic
from burnqed.minilean.traverse import mvars

CTORS = {
    "And": ("And.intro",),
    "Or": ("Or.inl", "Or.inr"),
    "Iff": ("Iff.intro",),
    "Exists": ("Exists.intro",),
    "True": ("True.intro",),
    "Eq": ("Eq.refl",),
    "Nat.le": ("Nat.le.refl", "Nat.le.step"),
    "False": (),
}


@tactic("intro")
def t_intro(r: Runner, pats: list[Term]) -> None:
    if not pats:
        r.intro(r.main, None)
        return
    g = r.main
    plain = 0
    while plain < len(pats) and pats[plain][0] in ("name", "hole", "clear"):
        plain += 1
    r.intro_names(g, [p[1] if p[0] == "name" else None for p in pats[:plain]])
    for p in pats[plain:]:
        intro_pattern(r, r.main, p)


def intro_pattern(r: Runner, g: Goal, p: Term) -> None:
    if p[0] == "name":
        r.intro(g, p[1])
    elif p[0] in ("hole", "clear"):
        r.intro(g, None)
    elif p[0] == "typed":
        g2, d = r.intro(g, p[1][1] if p[1][0] == "name" else None)
        ty = r.elab().type(p[2], g2.lctx)
        if not r.m.unify(ty, d.type):
            raise TacticError("Type mismatch in `intro`")
    else:
        from burnqed.minilean.tactic_rcases import rcases

        g2, d = r.intro(g, None)
        goals = rcases(r, g2, d, p)
        i = next(k for k, x in enumerate(r.goals) if x is g2)
        r.goals[i : i + 1] = goals


@tactic("intros")
def t_intros(r: Runner, *names: str) -> None:
    if names:
        for n in names:
            r.intro(r.main, None if n == "_" else n)
        return
    while isinstance(r.target(r.main), Pi):
        r.intro(r.main, None)


@tactic("rintro")
def t_rintro(r: Runner, pats: list[Term]) -> None:
    from burnqed.minilean.tactic_rcases import rcases

    active = [r.main]
    rest = r.goals[1:]
    for p in pats:
        nxt: list[Goal] = []
        for g in active:
            r.goals = [g]
            if p[0] == "name":
                g2, _ = r.intro(g, p[1])
                nxt.append(g2)
                continue
            g2, d = r.intro(g, None)
            nxt += rcases(r, g2, d, p)
        active = nxt
    r.goals = [*active, *rest]


@tactic("exact")
def t_exact(r: Runner, t: Term) -> None:
    g = r.main
    start = r.m.fresh
    value = r.elab().term(t, r.target(g), g.lctx)
    if value.fl & HAS_MVAR and any(i > start for i in mvars(value)):
        raise r.fail(g, "don't know how to synthesize placeholder\ncontext:")
    r.close(g, value)


@tactic("refine", "refine'")
def t_refine(r: Runner, t: Term) -> None:
    r.refine(r.main, t)


@tactic("apply")
def t_apply(r: Runner, t: Term) -> None:
    g = r.main
    elab = r.elab()
    if t[0] in ("id", "explicit") or t[0] == "app" and t[1][0] in ("id", "explicit"):
        e = elab.term(t, None, g.lctx)
    else:
        try:
            e = elab.term(t, None, g.lctx)
        except TacticError:
            r.refine(g, t, "apply")
            return
    # implicit arguments after the last explicit one stay arguments
    while not isinstance(e, Const) and is_auto(r, e):
        e = e.fn  # type: ignore[attr-defined]
    r.apply(g, e)


def is_auto(r: Runner, e: Expr) -> bool:
    """Whether the last argument is a hole that elaboration added for an implicit binder."""
    if not isinstance(e, App) or not isinstance(e.arg, MVar) or e.arg.id in r.m.assign:
        return False
    t = r.m.head_beta(r.m.inst(r.m.infer(e.fn)))
    return isinstance(t, Pi) and t.info != "default"


@tactic("assumption")
def t_assumption(r: Runner) -> None:
    g = r.main
    if not assumption(r, g):
        raise r.fail(g, "Tactic `assumption` failed\n")


def assumption(r: Runner, g: Goal) -> bool:
    target = r.target(g)
    for d in reversed(g.lctx.decls.values()):
        if r.m.unify(d.type, target):
            r.close(g, d.fvar)
            return True
    return False


def whnf_prop(r: Runner, e: Expr) -> tuple[str, list[Expr], Expr]:
    """Head constant and arguments of a proposition, unfolding definitions as far as needed."""
    e = r.m.head_beta(r.m.inst(e))
    while True:
        fn, args = spine(e)
        if isinstance(fn, Const) and fn.name in CTORS:
            return fn.name, args, e
        nxt = r.m.delta(fn, args)
        if nxt is None:
            return (fn.name if isinstance(fn, Const) else ""), args, e
        e = r.m.head_beta(nxt)


@tactic("constructor")
def t_constructor(r: Runner) -> None:
    g = r.main
    name, _, _ = whnf_prop(r, r.target(g))
    ctors = CTORS.get(name)
    if not ctors:
        raise r.fail(
            g,
            "Tactic `constructor` failed: target is not an inductive datatype\n"
            if ctors is None
            else "Tactic `constructor` failed: no applicable constructors found\n",
        )
    error: TacticError | None = None
    for c in ctors:
        mark = len(r.m.trail)
        try:
            r.apply(g, const(c))
            return
        except TacticError as e:
            r.m.undo(mark)
            error = e
    assert error is not None
    raise error


@tactic("left")
def t_left(r: Runner) -> None:
    side(r, "left", "Or.inl")


@tactic("right")
def t_right(r: Runner) -> None:
    side(r, "right", "Or.inr")


def side(r: Runner, word: str, ctor: str) -> None:
    g = r.main
    name, _, _ = whnf_prop(r, r.target(g))
    if name != "Or":
        raise r.fail(
            g,
            f"Tactic `{word}` failed: target is not an inductive datatype with two constructors\n",
        )
    r.apply(g, const(ctor))


@tactic("and_intros")
def t_and_intros(r: Runner) -> None:
    for g in list(r.goals[:1]):
        _and_intros(r, g)


def _and_intros(r: Runner, g: Goal) -> None:
    fn, _ = spine(r.target(g))
    if isinstance(fn, Const) and fn.name == "And":
        i = next(k for k, x in enumerate(r.goals) if x is g)
        r.apply(g, const("And.intro"))
        for x in r.goals[i : i + 2]:
            _and_intros(r, x)


@tactic("exists")
def t_exists(r: Runner, terms: list[Term]) -> None:
    r.refine(r.main, ("anon", [*terms, ("shole", "_")]))
    r.prune()
    if r.goals:
        r.attempt([Tac("trivial", (), 0, 0)])
