"""Tactics that introduce, apply and close: intro, exact, apply, constructor, have, ..."""

from __future__ import annotations

from burnqed.minilean.expr import (
    HAS_MVAR,
    Cert,
    Closure,
    Const,
    Expr,
    Pi,
    app,
    apps,
    capp,
    const,
    mvars,
    pi,
    spine,
)
from burnqed.minilean.kernel import Kernel, KernelError, as_literal
from burnqed.minilean.meta import Goal, LocalDecl, TacticError
from burnqed.minilean.syntax import Term
from burnqed.minilean.tactic_core import Runner, tactic

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
REFL = {
    "Eq": "Eq.refl",
    "Iff": "Iff.refl",
    "Nat.le": "Nat.le_refl",
    "Int.le": "Int.le_refl",
    "Nat.ge": "Nat.le_refl",
    "Int.ge": "Int.le_refl",
    "Nat.dvd": "Nat.dvd_refl",
}


@tactic("intro")
def t_intro(r: Runner, pats: list[Term]) -> None:
    if not pats:
        r.intro(r.main, None)
        return
    for p in pats:
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
        from burnqed.minilean.tactic_cases import rcases

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
    from burnqed.minilean.tactic_cases import rcases

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
    from burnqed.minilean.expr import App, MVar

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
        from burnqed.minilean.tactic_syntax import Tac

        r.attempt([Tac("trivial", (), 0, 0)])


@tactic("exfalso")
def t_exfalso(r: Runner) -> None:
    g = r.main
    new = r.new_goal(g.lctx, const("False"), g.tag)
    r.close(g, capp("False.elim", r.target(g), new.mvar), [new])


@tactic("sorry", "admit")
def t_sorry(r: Runner) -> None:
    g = r.main
    r.close(g, capp("sorryAx", r.target(g)))


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
    from burnqed.minilean.kernel import offset

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
    from burnqed.minilean.expr import HAS_FVAR

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
    from burnqed.minilean.omega import prove

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


@tactic("have")
def t_have(r: Runner, pat: Term, ty_t: Term | None, value: Term) -> None:
    from burnqed.minilean.tactic_cases import rcases

    g = r.main
    elab = r.elab()
    start = r.m.fresh
    if ty_t is not None:
        ty = elab.type(ty_t, g.lctx)
        proof = elab.term(value, ty, g.lctx)
        ty = r.m.inst(ty)
    else:
        proof = elab.term(value, None, g.lctx)
        ty = r.m.head_beta(r.m.inst(r.m.infer(proof)))
    holes = sorted(i for i in dict.fromkeys(mvars(r.m.inst(proof))) if i > start)
    if any(r.m.goals[i].kind == "natural" for i in holes):
        raise r.fail(g, "don't know how to synthesize placeholder\ncontext:")
    others = r.tag_holes(g, holes, "refine") if holes else []
    name = pat[1] if pat[0] == "name" else "x"
    new = r.assert_(g, name, pat[0] != "name", ty, proof)
    i = next(k for k, x in enumerate(r.goals) if x is new)
    if pat[0] not in ("name", "hole"):
        goals = rcases(r, new, new.lctx.decls[max(new.lctx.decls)], pat)
        r.goals[i : i + 1] = goals
        r.goals[i + len(goals) : i + len(goals)] = others
    else:
        r.goals[i + 1 : i + 1] = others


@tactic("suffices")
def t_suffices(r: Runner, name: str, ty_t: Term, value: Term) -> None:
    g = r.main
    ty = r.elab().type(ty_t, g.lctx)
    d = r.m.fvar(name, ty)
    body = r.elab().term(value, r.target(g), g.lctx.add(d))
    new = r.new_goal(g.lctx, ty, g.tag)
    r.close(g, app(Closure(((d.id, name, ty, "default"),), body), new.mvar), [new])


@tactic("show")
def t_show(r: Runner, t: Term) -> None:
    g = r.main
    ty = r.elab().type(t, g.lctx)
    if not r.m.unify(ty, r.target(g)):
        raise r.fail(
            g,
            "'show' tactic failed, pattern\n  "
            f"{r.text(ty, g.lctx)}\nis not definitionally equal to target\n  "
            f"{r.text(r.target(g), g.lctx)}",
        )
    new = r.new_goal(g.lctx, r.m.inst(ty), g.tag)
    r.close(g, new.mvar, [new])


@tactic("change")
def t_change(r: Runner, t: Term, loc: tuple[str, ...] | None) -> None:
    if loc is None or loc == ("⊢",):
        t_show(r, t)
        return
    for name in loc:
        g = r.main
        d = r.find(g, name)
        ty = r.elab().type(t, g.lctx)
        if not r.m.unify(ty, d.type):
            raise r.fail(g, "Tactic `change` failed: type is not definitionally equal\n")
        retype(r, g, d, r.m.inst(ty))


def retype(r: Runner, g: Goal, d: LocalDecl, ty: Expr) -> Goal:
    """Show `d` with the definitionally equal type `ty`."""
    return r.replace_local(g, d, ty, d.fvar)


@tactic("specialize")
def t_specialize(r: Runner, t: Term) -> None:
    g = r.main
    f = t[1] if t[0] == "app" else t
    name = f[1] if f[0] in ("id", "explicit") else ""
    d = g.lctx.find(name)
    if d is None:
        raise TacticError(
            "'specialize' requires a term of the form `h x_1 .. x_n` where `h` appears in the local context"
        )
    value = r.elab().term(t, None, g.lctx)
    ty = r.m.head_beta(r.m.inst(r.m.infer(value)))
    if value.fl & HAS_MVAR:
        raise r.fail(g, "don't know how to synthesize placeholder\ncontext:")
    new = r.assert_(g, d.name, False, ty, value)
    r.clear(new, [d.id])


@tactic("revert")
def t_revert(r: Runner, *names: str) -> None:
    g = r.main
    r.revert(g, [r.find(g, n).id for n in names])


@tactic("clear")
def t_clear(r: Runner, *names: str) -> None:
    for n in names:
        g = r.main
        d = r.find(g, n)
        if r.clear(g, [d.id]) is g:
            raise r.fail(g, f"Tactic `clear` failed: variable `{n}` is used\n")


@tactic("rename")
def t_rename(r: Runner, t: Term, name: str) -> None:
    from burnqed.minilean.meta import LocalContext

    g = r.main
    ty = r.elab().type(t, g.lctx)
    for d in reversed(g.lctx.decls.values()):
        if r.m.unify(d.type, ty):
            decls = {k: LocalDecl(o.fvar, name, o.type) if o is d else o for k, o in g.lctx.decls.items()}
            new = r.new_goal(LocalContext(decls), g.type, g.tag)
            r.close(g, new.mvar, [new])
            return
    raise TacticError("Failed to find a hypothesis with that type")


@tactic("by_cases")
def t_by_cases(r: Runner, name: str, t: Term) -> None:
    g = r.main
    p = r.elab().term(t, None, g.lctx)
    p = r.elab().as_type(p, g.lctx)
    q = capp("Not", p)
    goals = []
    minors: list[Expr] = []
    for ty, tag in ((p, "pos"), (q, "neg")):
        d = r.m.fvar(name.rstrip("✝"), ty, name.endswith("✝"))
        new = r.new_goal(g.lctx.add(d), g.type, f"{g.tag}.{tag}" if g.tag else tag)
        minors.append(Closure(((d.id, d.name, ty, "default"),), new.mvar))
        goals.append(new)
    r.close(g, apps(const("Or.rec"), p, q, r.target(g), *minors, capp("Classical.em", p)), goals)


@tactic("infer_instance")
def t_infer_instance(r: Runner) -> None:
    raise TacticError("type class instance expected")


@tactic("nofun")
def t_nofun(r: Runner) -> None:
    t_intros(r)
    t_contradiction(r)


@tactic("unfold")
def t_unfold(r: Runner, names: list[str], loc: tuple[str, ...] | None) -> None:
    for name in names:
        for where in loc or ("⊢",):
            g = r.main
            d = None if where == "⊢" else r.find(g, where)
            old = r.target(g) if d is None else r.m.inst(d.type)
            new = unfold_all(r, old, name)
            if new is None:
                raise r.fail(g, f"Tactic `unfold` failed to unfold `{name}`\n")
            if d is None:
                goal = r.new_goal(g.lctx, new, g.tag)
                r.close(g, goal.mvar, [goal])
            else:
                retype(r, g, d, new)


def unfold_all(r: Runner, e: Expr, name: str) -> Expr | None:
    """`e` with the applications of `name` unfolded; None when there is none."""
    from burnqed.minilean.expr import App, Lam, lam

    decl = r.m.env.get(name)
    if decl is None:
        raise TacticError(f"Unknown constant `{name}`")
    hit = False

    def go(x: Expr) -> Expr:
        nonlocal hit
        if isinstance(x, (App, Const)):
            fn, args = spine(x)
            new = [go(a) for a in args]
            if isinstance(fn, Const) and fn.name == name:
                y = r.m.delta(fn, new)
                if y is not None:
                    hit = True
                    return r.m.head_beta(y)
            return apps(go(fn) if not isinstance(fn, Const) else fn, *new)
        if isinstance(x, Pi):
            return pi(x.name, go(x.ty), go(x.body), x.info)
        if isinstance(x, Lam):
            return lam(x.name, go(x.ty), go(x.body), x.info)
        return x

    out = go(e)
    return out if hit else None
