"""Tactics that close a goal: rfl, trivial, contradiction, decide, omega, ..."""

from __future__ import annotations

from burnqed.minilean.context import Goal, TacticError
from burnqed.minilean.expr import HAS_FVAR, HAS_MVAR, Cert, Const, Expr, Pi, app, capp, const, spine
from burnqed.minilean.kernel import Kernel
from burnqed.minilean.kernel_reduce import KernelError, as_literal, offset
from burnqed.minilean.omega import prove
from burnqed.minilean.runner import Runner
from burnqed.minilean.tactic_basic import assumption, t_intros, whnf_prop
from burnqed.minilean.tactic_core import tactic

REFL = {
    "Eq": "Eq.refl",
    "Iff": "Iff.refl",
    "Nat.le": "Nat.le_refl",
    "Int.le": "Int.le_refl",
    "Nat.ge": "Nat.le_refl",
    "Int.ge": "Int.le_refl",
    "Nat.dvd": "Nat.dvd_refl",
}


def try_rfl(r: Runner, g: Goal, reducible: bool = False) -> bool:
    """Close a reflexive relation whose sides are definitionally equal."""
    target = r.target(g)
    fn, args = spine(target)
    if not (isinstance(fn, Const) and fn.name in REFL and len(args) >= 2):
        return False
    if not r.m.eq(args[-2], args[-1], reducible):
        return False
    ty = args[:-2]
    r.close(g, capp(REFL[fn.name], *ty, args[-1]))
    return True


@tactic("rfl", "eq_refl")
def t_rfl(r: Runner) -> None:
    g = r.main
    if try_rfl(r, g):
        return
    target = r.target(g)
    fn, args = spine(target)
    if isinstance(fn, Const) and fn.name in REFL:
        a, b = r.text(args[-2], g.lctx), r.text(args[-1], g.lctx)
        raise r.fail(
            g,
            f"Tactic `rfl` failed: The left-hand side\n  {a}\nis not definitionally equal to the"
            f" right-hand side\n  {b}\n",
        )
    raise r.fail(
        g,
        "Tactic `rfl` failed: Expected the goal to be a binary relation\n\nHint: Reflexivity tactics"
        " can only be used on goals of the form `x ~ x` or `R x x`\n",
    )


@tactic("symm")
def t_symm(r: Runner) -> None:
    g = r.main
    fn, args = spine(r.target(g))
    name = fn.name if isinstance(fn, Const) else ""
    lemma = {"Eq": "Eq.symm", "Iff": "Iff.symm", "Ne": "Ne.symm"}.get(name)
    if lemma is None:
        raise r.fail(g, "Tactic `symm` failed: no symmetry lemma applies\n")
    *ty, a, b = args
    new = r.new_goal(g.lctx, capp(name, *ty, b, a), g.tag)
    r.close(g, capp(lemma, *ty, b, a, new.mvar), [new])


@tactic("trivial")
def t_trivial(r: Runner) -> None:
    g = r.main
    if assumption(r, g) or try_rfl(r, g) or contradiction(r, g):
        return
    if whnf_prop(r, r.target(g))[0] == "True":
        r.close(g, const("True.intro"))
        return
    try:
        t_decide(r)
        return
    except TacticError:
        pass
    if whnf_prop(r, r.target(g))[0] == "And":
        r.apply(g, const("And.intro"))
        t_trivial(r)
        r.prune()
        t_trivial(r)
        return
    raise r.fail(g, "Tactic `trivial` failed\n")


def contradiction(r: Runner, g: Goal) -> bool:
    """Close `g` from contradictory hypotheses, as `contradiction` does."""
    m = r.m
    target = r.target(g)
    decls = list(g.lctx.decls.values())
    for d in decls:
        t = m.head_beta(m.inst(d.type))
        fn, args = spine(t)
        name = fn.name if isinstance(fn, Const) else ""
        false: Expr | None = None
        if name == "False":
            false = d.fvar
        elif name == "Ne" and m.unify(args[1], args[2]):
            false = app(d.fvar, capp("Eq.refl", args[0], args[1]))
        elif name == "Eq" and args[0] == const("Nat"):
            false = clash(r, d.fvar, args[1], args[2])
        elif name == "Not" or isinstance(t, Pi):
            inner = args[0] if name == "Not" else t.ty if isinstance(t, Pi) and t.body == const("False") else None
            if inner is not None:
                for other in decls:
                    if m.unify(other.type, inner):
                        false = app(d.fvar, other.fvar)
                        break
        if false is not None:
            r.close(g, capp("False.elim", target, false))
            return True
    return False


def clash(r: Runner, proof: Expr, a: Expr, b: Expr) -> Expr | None:
    """A proof of False from `proof : a = b` when the constructors of Nat differ."""
    m = r.m
    a, b = m.whnf(m.inst(a)), m.whnf(m.inst(b))
    va, vb = as_literal(a), as_literal(b)
    if va is not None and vb is not None:
        if va == vb:
            return None
        p = capp("Eq", const("Nat"), a, b)
        return app(Cert("decide", capp("Not", p), (), None), proof)
    if va == 0 and offset(b)[1] > 0:
        n = r.m.whnf(b)
        pred = n.arg if hasattr(n, "arg") else None
        if pred is not None:
            sym = capp("Eq.symm", const("Nat"), a, b, proof)
            return app(capp("Nat.succ_ne_zero", pred), sym)
    if vb == 0 and offset(a)[1] > 0 and hasattr(a, "arg"):
        return app(capp("Nat.succ_ne_zero", a.arg), proof)
    return None


@tactic("contradiction")
def t_contradiction(r: Runner) -> None:
    g = r.main
    if not contradiction(r, g):
        raise r.fail(g, "Tactic `contradiction` failed\n")


@tactic("decide")
def t_decide(r: Runner) -> None:
    g = r.main
    target = r.m.inst(r.target(g))
    shown = r.text(target, g.lctx)
    if target.fl & (HAS_MVAR | HAS_FVAR):
        raise TacticError(
            "Tactic `decide` failed: expected type must not contain free variables\n  "
            f"{shown}\n\nHint: Use the `+revert` option to automatically revert free variables"
        )
    kernel = Kernel(r.m.env, r.m.budget)
    try:
        verdict = kernel.decide(target)
    except KernelError:
        verdict = None
    if verdict is None:
        raise TacticError(f"failed to synthesize\n  Decidable ({shown})")
    if not verdict:
        raise TacticError(f"Tactic `decide` proved that the proposition\n  {shown}\nis false")
    r.close(g, Cert("decide", target, (), None))


@tactic("omega")
def t_omega(r: Runner) -> None:
    g = r.main
    hyps = []
    for d in g.lctx.decls.values():
        ty = r.m.inst(d.type)
        if r.m.is_prop(ty):
            hyps.append((d.fvar, ty))
    proof = prove(hyps, r.m.inst(r.target(g)), r.m.budget.check)
    if proof is None:
        raise TacticError("omega could not prove the goal:\na possible counterexample may satisfy the constraints")
    r.close(g, proof)


@tactic("infer_instance")
def t_infer_instance(r: Runner) -> None:
    raise TacticError("type class instance expected")


@tactic("nofun")
def t_nofun(r: Runner) -> None:
    t_intros(r)
    t_contradiction(r)


@tactic("exfalso")
def t_exfalso(r: Runner) -> None:
    g = r.main
    new = r.new_goal(g.lctx, const("False"), g.tag)
    r.close(g, capp("False.elim", r.target(g), new.mvar), [new])


@tactic("sorry", "admit")
def t_sorry(r: Runner) -> None:
    g = r.main
    r.close(g, capp("sorryAx", r.target(g)))
