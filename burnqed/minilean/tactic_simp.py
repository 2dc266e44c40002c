"""simp, simp at, simp_all, simpa, dsimp."""

from __future__ import annotations

from typing import Any

from burnqed.minilean.context import Goal, LocalDecl, TacticError
from burnqed.minilean.cursor import Term
from burnqed.minilean.expr import (
    HAS_MVAR,
    App,
    Const,
    FVar,
    capp,
    const,
)
from burnqed.minilean.meta import Meta
from burnqed.minilean.runner import Runner
from burnqed.minilean.simp import FALSE, TRUE, Simp
from burnqed.minilean.simp_rules import (
    Rule,
    default_rules,
)
from burnqed.minilean.tactic_basic import assumption
from burnqed.minilean.tactic_close import try_rfl
from burnqed.minilean.tactic_context import retype
from burnqed.minilean.tactic_core import tactic
from burnqed.minilean.tactic_rw import EQUATIONS


def make(r: Runner, g: Goal, only: bool, args: list[Any]) -> Simp:
    """A simplifier for `g` with the rules of `simp [args]`."""
    m = r.m
    rules = default_rules(m, not only)
    unfold: list[str] = []
    dropped: set[str] = set()
    extra: list[Rule] = []
    for mode, t in args:
        if mode == "*":
            extra += [hyp_rule(m, d) for d in props(m, g)]
        elif mode == "-":
            dropped.add(t)
        else:
            extra += term_rules(r, g, t, mode == "←", unfold)
    for rule in extra:
        rules.add(m, rule)
    if dropped:
        for key, found in rules.by_key.items():
            rules.by_key[key] = [x for x in found if x.name not in dropped]
    s = Simp(m, g.lctx, rules, unfold)
    s.named = frozenset() if only else frozenset(("and_imp",))
    return s


def props(m: Meta, g: Goal) -> list[LocalDecl]:
    return [d for d in g.lctx.decls.values() if m.is_prop(m.inst(d.type))]


def hyp_rule(m: Meta, d: LocalDecl) -> Rule:
    return Rule(d.name, d.fvar, m.head_beta(m.inst(d.type)), False, d.id)


def term_rules(r: Runner, g: Goal, t: Term, back: bool, unfold: list[str]) -> list[Rule]:
    if t[0] == "id" and g.lctx.find(t[1]) is None:
        if t[1] in EQUATIONS:
            out = []
            for name in EQUATIONS[t[1]]:
                decl = r.m.env.get(name)
                assert decl is not None
                out.append(Rule(t[1], const(name), decl.type, back))
            return out
        decl = r.m.env.get(t[1])
        if decl is not None and decl.value is not None:
            unfold.append(t[1])
            return []
        if decl is not None and not r.m.is_prop(decl.type):
            raise TacticError(f"Invalid simp theorem `{t[1]}`: Expected a theorem or definition")
    elab = r.elab()
    e = elab.term(t, None, g.lctx)
    ty = r.m.head_beta(r.m.inst(r.m.infer(e)))
    while isinstance(e, App) and isinstance(r.m.inst(e.arg), type(g.mvar)):
        e = e.fn  # implicit arguments elaboration left open become the rule's own
        ty = r.m.head_beta(r.m.inst(r.m.infer(e)))
    if e.fl & HAS_MVAR:
        raise TacticError("don't know how to synthesize placeholder")
    if not r.m.is_prop(ty):
        raise TacticError("Invalid simp argument: Expected a proof")
    name = e.name if isinstance(e, Const) else ""
    origin = e.id if isinstance(e, FVar) else 0
    return [Rule(name, e, ty, back, origin)]


def no_progress(r: Runner, word: str = "simp") -> TacticError:
    return TacticError(f"`{word}` made no progress")


def simp_target(r: Runner, g: Goal, s: Simp, word: str = "simp") -> bool:
    """Simplify the goal; True when something changed."""
    target = r.m.inst(r.target(g))
    new, proof = s.run(target)
    if proof is None and new == target:
        return False
    if new == TRUE:
        r.close(g, const("True.intro") if proof is None else capp("of_eq_true", target, proof))
        return True
    goal = r.new_goal(g.lctx, new, g.tag)
    value = goal.mvar if proof is None else capp("Eq.mpr", target, new, proof, goal.mvar)
    r.close(g, value, [goal])
    return True


def simp_hyp(r: Runner, g: Goal, d: LocalDecl, s: Simp) -> tuple[bool, Goal | None]:
    """Simplify a hypothesis: (changed, the goal that remains)."""
    old = r.m.head_beta(r.m.inst(d.type))
    s.skip = d.id
    new, proof = s.run(old)
    s.skip = 0
    if proof is None and new == old:
        return False, g
    value = d.fvar if proof is None else capp("Eq.mp", old, new, proof, d.fvar)
    if new == FALSE:
        r.close(g, capp("False.elim", r.target(g), value))
        return True, None
    if new == TRUE:
        return True, r.clear(g, [d.id])
    return True, r.replace_local(g, d, new, value)


@tactic("simp")
def t_simp(r: Runner, only: bool, args: list[Any], loc: tuple[str, ...] | None) -> None:
    g: Goal | None = r.main
    assert g is not None
    if loc is None or loc == ("⊢",):
        if not simp_target(r, g, make(r, g, only, args)):
            raise no_progress(r)
        return
    names = [d.name for d in props(r.m, g) if not d.hygienic] + ["⊢"] if loc == ("*",) else loc
    changed = False
    for n in names:
        if g is None or g.mvar.id in r.m.assign:
            break
        if n == "⊢":
            hit = simp_target(r, g, make(r, g, only, args))
            changed = changed or hit
            break
        d = r.find(g, n)
        hit, g = simp_hyp(r, g, d, make(r, g, only, args))
        if not hit and loc != ("*",):
            raise no_progress(r)
        changed = changed or hit
    if not changed:
        raise no_progress(r)


@tactic("simp_all")
def t_simp_all(r: Runner, only: bool, args: list[Any]) -> None:
    g = r.main
    rest = r.goals[1:]
    r.goals = [g]
    changed = False
    for _ in range(6):
        moved = False
        for d in props(r.m, g):
            if d.id not in g.lctx.decls:
                continue
            s = make(r, g, only, [*args, ("*", None)])
            hit, left = simp_hyp(r, g, d, s)
            if left is None:
                r.goals = rest
                return
            moved, g = moved or hit, left
        s = make(r, g, only, [*args, ("*", None)])
        if simp_target(r, g, s):
            moved = True
            r.prune()
            if not r.goals:
                r.goals = rest
                return
            g = r.goals[0]
        if not moved:
            break
        changed = True
    if not changed:
        raise no_progress(r, "simp_all")
    r.goals = [g, *rest]


@tactic("simpa")
def t_simpa(r: Runner, only: bool, args: list[Any], using: Term | None) -> None:
    g = r.main
    rest = r.goals[1:]
    r.goals = [g]
    simp_target(r, g, make(r, g, only, args))
    r.prune()
    if using is None:
        if r.goals and not assumption(r, r.goals[0]):
            raise r.fail(r.goals[0], "Tactic `assumption` failed\n")
    elif r.goals:
        g = r.goals[0]
        want = r.target(g)
        e = r.elab().term(using, None, g.lctx)
        ty = r.m.head_beta(r.m.inst(r.m.infer(e)))
        new, proof = make(r, g, only, args).run(ty)
        if proof is not None:
            e = capp("Eq.mp", ty, new, proof, e)
        if new == FALSE:
            r.close(g, capp("False.elim", want, e))
        elif r.m.unify(new, want):
            r.close(g, e)
        else:
            raise TacticError(
                f"Type mismatch: After simplification, term\n  {r.text(e, g.lctx)}\n has type\n  "
                f"{r.text(new, g.lctx)}\nbut is expected to have type\n  {r.text(want, g.lctx)}"
            )
    r.prune()
    r.goals = [*r.goals, *rest]


@tactic("dsimp")
def t_dsimp(r: Runner, only: bool, args: list[Any], loc: tuple[str, ...] | None) -> None:
    """Definitional steps only: the rules are kept when `rfl` proves them."""
    for where in loc or ("⊢",):
        g = r.main
        s = make(r, g, True, args)
        d = None if where == "⊢" else r.find(g, where)
        old = r.target(g) if d is None else r.m.inst(d.type)
        new, _ = s.run(r.m.inst(old))
        if new == old or not r.m.eq(old, new):
            raise no_progress(r, "dsimp")
        if d is not None:
            retype(r, g, d, new)
            continue
        goal = r.new_goal(g.lctx, new, g.tag)
        r.close(g, goal.mvar, [goal])
        try_rfl(r, goal, reducible=True)
