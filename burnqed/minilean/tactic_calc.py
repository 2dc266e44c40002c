"""The tactic `calc`, and its steps one at a time."""

from __future__ import annotations

from burnqed.minilean.calculation import Relation, compose, relation
from burnqed.minilean.context import Goal, TacticError
from burnqed.minilean.cursor import Term
from burnqed.minilean.expr import capp
from burnqed.minilean.runner import Runner
from burnqed.minilean.tactic_cases import join
from burnqed.minilean.tactic_core import tactic


@tactic("calc")
def t_calc(r: Runner, t: Term) -> None:
    r.refine(r.main, t, "calc")


def calc_step(r: Runner, g: Goal, t: Term) -> None:
    """One relation of a calculation: a goal to show it, and what is then left of `g`, if anything.

    `_` on the left stands for the left side of `g`, the right side of the step before.
    """
    m = r.m
    target = relation(m, r.target(g))
    if target is None:
        raise r.fail(g, "'calc' tactic failed, relation expected\n")
    if t[0] == "bin" and t[2] == ("hole",):
        t = (*t[:2], ("fvar", target.left), t[3])
    e = r.elab().type(t, g.lctx)
    this = relation(m, e)
    if this is None:
        raise TacticError(f"invalid 'calc' step, relation expected\n  {r.text(e, g.lctx)}")
    if not m.unify(this.left, target.left):
        raise TacticError(
            f"invalid 'calc' step, left-hand side is\n  {r.text(this.left, g.lctx)}\nbut"
            f" previous right-hand side is\n  {r.text(target.left, g.lctx)}"
        )
    step = r.new_goal(g.lctx, m.inst(e), join(g.tag, "calc"))
    if m.unify(e, r.target(g)):
        r.close(g, step.mvar, [step])
        return
    rest = Relation(target.name, target.prefix, m.inst(this.right), target.right)
    left = r.new_goal(g.lctx, capp(rest.name, *rest.prefix, rest.left, rest.right), g.tag)
    left.fragment = "calc"
    shown, proof = compose(m, this, step.mvar, rest, left.mvar)
    if not m.unify(shown, r.target(g)):
        raise TacticError(
            f"'calc' tactic failed, has type\n  {r.text(shown, g.lctx)}\n"
            f"but it is expected to have type\n  {r.text(r.target(g), g.lctx)}"
        )
    r.close(g, proof, [step, left])
