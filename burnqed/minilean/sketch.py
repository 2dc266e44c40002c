"""Proofs with holes: every `sorry` of an elaborated proof becomes a goal of its own."""

from __future__ import annotations

from burnqed.minilean.context import EMPTY, Goal, LocalContext, LocalDecl
from burnqed.minilean.expr import HAS_SORRY, App, Closure, Const, Expr, FVar, Lam, MVar, Pi, apps, instantiate1, spine
from burnqed.minilean.runner import Runner


class Sketch:
    """Walks a proof whose variables are open, in the order in which Pantograph collects holes."""

    def __init__(self, r: Runner) -> None:
        self.r = r
        self.goals: list[Goal] = []

    def open(self, e: Expr, path: dict[int, LocalDecl], names: LocalContext) -> Expr:
        """`e` with a new goal for each `sorry`.

        `path` are the variables around it, also those that a tactic has cleared; `names` is the context
        of the tactic that made this part, which knows what its variables are called.
        """
        m = self.r.m
        if isinstance(e, MVar):
            value = m.assign.get(e.id)
            return e if value is None else self.open(value, path, m.goals[e.id].lctx)
        if isinstance(e, Closure):
            inner = dict(path)
            for i, name, ty, _ in e.binders:
                inner[i] = LocalDecl(FVar(i), name, ty)
            return Closure(e.binders, self.open(e.body, inner, names))
        if isinstance(e, Lam):
            d = m.fvar(e.name, e.ty)
            body = self.open(instantiate1(e.body, d.fvar), {**path, d.id: d}, names)
            return Closure(((d.id, d.name, e.ty, e.info),), body)
        if not isinstance(e, App):
            return e
        fn, args = spine(e)
        if isinstance(fn, Const) and fn.name == "sorryAx" and args:
            return apps(self.hole(args[0], path, names).mvar, *args[1:])
        head = fn
        while isinstance(head, MVar) and head.id in m.assign:
            head = m.assign[head.id]
        if isinstance(head, (Closure, Lam)):  # a local fact: its proof comes before what uses it
            new = [self.open(a, path, names) for a in args]
            return apps(self.open(fn, path, names), *new)
        opened = self.open(fn, path, names)
        return apps(opened, *(a if isinstance(a, Pi) else self.open(a, path, names) for a in args))

    def hole(self, ty: Expr, path: dict[int, LocalDecl], names: LocalContext) -> Goal:
        lctx = LocalContext({i: names.decls.get(i, d) for i, d in path.items()})
        goal = self.r.new_goal(lctx, self.r.m.head_beta(self.r.m.inst(ty)), "")
        self.goals.append(goal)
        return goal


def open_root(r: Runner, root: MVar) -> list[Goal]:
    """Reopen a finished proof: the goals in place of its `sorry`s."""
    sketch = Sketch(r)
    value = sketch.open(root, {}, EMPTY)
    forget_sorries(r)
    r.m.set(root.id, value)
    return sketch.goals


def forget_sorries(r: Runner) -> None:
    """Drop what this step assigned by `sorry`: the opened proof does not refer to it."""
    for i in r.m.trail:
        if i in r.m.assign and r.m.assign[i].fl & HAS_SORRY:
            del r.m.assign[i]


def open_sorries(r: Runner, g: Goal, proof: Expr) -> None:
    """Close `g` by `proof`, with goals in place of its `sorry`s."""
    sketch = Sketch(r)
    value = sketch.open(proof, dict(g.lctx.decls), g.lctx)
    forget_sorries(r)
    r.close(g, value, sketch.goals)
