"""split, injection, injections: taking conditionals and constructor equations apart."""

from __future__ import annotations

from burnqed.minilean.context import Goal, LocalDecl, TacticError
from burnqed.minilean.cursor import Term
from burnqed.minilean.expr import NAT, Closure, Const, Expr, FVar, Lit, app, apps, capp, const, lam, spine
from burnqed.minilean.kernel_reduce import from_offset, offset
from burnqed.minilean.rewrite import kabstract
from burnqed.minilean.runner import Runner
from burnqed.minilean.tactic_basic import assumption, whnf_prop
from burnqed.minilean.tactic_cases import join
from burnqed.minilean.tactic_core import tactic
from burnqed.minilean.tactic_subst import solve_eq
from burnqed.minilean.traverse import subterms

CONSTRUCTORS = frozenset(("Nat.succ", "Nat.zero", "List.nil", "List.cons", "Bool.true", "Bool.false"))


def find_ite(e: Expr, condition: Expr | None = None) -> Expr | None:
    """The outermost `if` without bound variables, on `condition` if given."""
    for x in subterms(e):
        fn, args = spine(x)
        if isinstance(fn, Const) and fn.name == "ite" and len(args) == 4 and not x.lo:
            if condition is None or args[1] == condition:
                return x
    return None


def decide_ite(r: Runner, g: Goal, where: LocalDecl | None, h: LocalDecl, condition: Expr, holds: bool) -> Goal:
    """Replace every `if condition` in the goal or in `where` by the branch that `h` selects."""
    m = r.m
    current = where
    while True:
        old = r.target(g) if current is None else m.inst(current.type)
        ite = find_ite(old, condition)
        if ite is None:
            return g
        alpha, c, a, b = spine(ite)[1]
        value = a if holds else b
        proof = capp("if_pos" if holds else "if_neg", c, h.fvar, alpha, a, b)
        body = kabstract(m, old, ite)
        assert body is not None
        motive = lam("x", alpha, body)
        new_type = m.head_beta(app(motive, value))
        if current is None:
            new = r.new_goal(g.lctx, new_type, g.tag)
            sym = capp("Eq.symm", alpha, ite, value, proof)
            r.close(g, capp("Eq.subst", alpha, motive, value, ite, sym, new.mvar), [new])
        else:
            moved = capp("Eq.subst", alpha, motive, ite, value, proof, current.fvar)
            new = r.replace_local(g, current, new_type, moved)
            current = new.lctx.find(current.name)
            assert current is not None
        g = new


@tactic("split")
def t_split(r: Runner, loc: tuple[str, ...] | None) -> None:
    g = r.main
    if loc is not None and (len(loc) != 1 or loc == ("*",)):
        raise TacticError("`split` failed: a single location is expected")
    where = None if loc in (None, ("⊢",)) else r.find(g, loc[0])
    old = r.m.inst(r.target(g) if where is None else where.type)
    ite = find_ite(old)
    if ite is None:
        raise r.fail(g, "Tactic `split` failed: Could not split an `if` or `match` expression in the goal\n")
    p = spine(ite)[1][1]
    q = capp("Not", p)
    minors: list[Expr] = []
    goals: list[tuple[Goal, LocalDecl, bool]] = []
    for ty, tag in ((p, "isTrue"), (q, "isFalse")):
        d = r.m.fvar("h", ty, True)
        new = r.new_goal(g.lctx.add(d), g.type, join(g.tag, tag))
        minors.append(Closure(((d.id, d.name, ty, "default"),), new.mvar))
        goals.append((new, d, ty is p))
    r.close(g, apps(const("Or.rec"), p, q, r.target(g), *minors, capp("Classical.em", p)), [x for x, _, _ in goals])
    for x, d, holds in goals:
        decide_ite(r, x, where, d, p, holds)


def constructor(r: Runner, e: Expr) -> tuple[str, list[Expr]]:
    """The constructor that `e` is an application of, and its arguments; "" when it is none."""
    e = r.m.inst(e)
    rest, k = offset(e)
    if k:
        return "Nat.succ", [from_offset(rest, k - 1)]
    if isinstance(e, Lit):
        return "Nat.zero", []
    fn, args = spine(r.m.whnf(e))
    known = isinstance(fn, Const) and fn.name in CONSTRUCTORS
    return (fn.name, args) if known and isinstance(fn, Const) else ("", [])


def equations(r: Runner, d: LocalDecl) -> list[tuple[Expr, Expr]] | None:
    """What injectivity says about `d`: propositions with proofs; None when `d` equates no constructors.

    Empty when the constructors differ or have no arguments.
    """
    name, args, _ = whnf_prop(r, d.type)
    if name != "Eq":
        return None
    (one, xs), (two, ys) = constructor(r, args[1]), constructor(r, args[2])
    if not one or not two:
        return None
    if one != two or not xs or one not in ("Nat.succ", "List.cons"):
        return []
    if one == "Nat.succ":
        return [(capp("Eq", NAT, xs[0], ys[0]), apps(const("Nat.succ.inj"), xs[0], ys[0], d.fvar))]
    head, tail = capp("Eq", xs[0], xs[1], ys[1]), capp("Eq", args[0], xs[2], ys[2])
    both = apps(const("List.cons.inj"), xs[0], xs[1], ys[1], xs[2], ys[2], d.fvar)
    return [(head, capp("And.left", head, tail, both)), (tail, capp("And.right", head, tail, both))]


def inject(r: Runner, g: Goal, d: LocalDecl, names: list[str]) -> Goal | None:
    """The goal with the equations of `d` in its place; None when the constructors differ."""
    found = equations(r, d)
    if not found:  # different constructors, or none with arguments
        r.goals = [g]
        left = solve_eq(r, g, d)
        if left:
            raise r.fail(g, "Tactic `injection` failed: equality of constructor applications expected\n")
        return None
    for k, (ty, proof) in enumerate(found):
        name = names[k] if k < len(names) and names[k] != "_" else None
        g = r.assert_(g, name or d.name, name is None, ty, proof)
    return r.clear(g, [d.id])


@tactic("injection")
def t_injection(r: Runner, target: Term, names: list[str]) -> None:
    g = r.main
    rest = r.goals[1:]
    r.goals = [g]
    e = r.elab().term(target, None, g.lctx)
    if isinstance(e, FVar) and e.id in g.lctx.decls:
        d = g.lctx.decls[e.id]
    else:
        g = r.assert_(g, "this", True, r.m.head_beta(r.m.inst(r.m.infer(e))), e)
        d = g.lctx.decls[max(g.lctx.decls)]
    if equations(r, d) is None:
        raise r.fail(g, "Tactic `injection` failed: equality of constructor applications expected\n")
    new = inject(r, g, d, names)
    if new is not None:
        assumption(r, new)
    r.goals = [*r.goals, *rest]


@tactic("injections")
def t_injections(r: Runner) -> None:
    g: Goal | None = r.main
    rest = r.goals[1:]
    assert g is not None
    r.goals = [g]
    for _ in range(50):
        d = next((d for d in g.lctx.decls.values() if equations(r, d) is not None), None)
        if d is None:
            break
        g = inject(r, g, d, [])
        if g is None:
            break
    else:
        raise TacticError("maximum recursion depth has been reached")
    if g is not None:
        assumption(r, g)
    r.goals = [*r.goals, *rest]
