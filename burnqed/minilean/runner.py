"""The steps tactics share: introduce, apply, refine, change the context."""

from __future__ import annotations

from collections.abc import Sequence

from burnqed.minilean.context import NATURAL, SYNTHETIC, Goal, LocalContext, LocalDecl, TacticError
from burnqed.minilean.cursor import Term
from burnqed.minilean.expr import HAS_MVAR, Closure, Const, Expr, MVar, Pi, app, instantiate, instantiate1
from burnqed.minilean.tactic_core import RunnerBase
from burnqed.minilean.traverse import mvars, occurs


class Runner(RunnerBase):
    """Runs tactics; the methods are what they are made of."""

    # shared steps

    def intro(self, g: Goal, name: str | None) -> tuple[Goal, LocalDecl]:
        """One `intro`; None picks the binder's name, inaccessible."""
        t = self.target(g)
        if not isinstance(t, Pi):
            t = self.m.whnf(t)
            if not isinstance(t, Pi):
                raise self.fail(
                    g,
                    "Tactic `introN` failed: There are no additional binders or `let` bindings in"
                    " the goal to introduce\n",
                )
        hygienic = name is None
        d = self.m.fvar(name or t.name.rstrip("✝"), t.ty, hygienic)
        new = self.new_goal(g.lctx.add(d), instantiate1(t.body, d.fvar), g.tag)
        self.m.set(g.mvar.id, Closure(((d.id, d.name, t.ty, "default"),), new.mvar))
        i = next(k for k, x in enumerate(self.goals) if x is g)
        self.goals[i] = new
        return new, d

    def intro_names(self, g: Goal, names: Sequence[str | None]) -> Goal:
        """One `intro` per name, as far as the goal is a `∀` or `→` as it stands: one instantiation, not one each."""
        t = self.target(g)
        decls: list[LocalDecl] = []
        xs: list[Expr] = []
        while len(xs) < len(names) and isinstance(t, Pi):
            if xs:
                self.m.fresh += 1  # the number of the goal between: variables are numbered as one by one
            name = names[len(xs)]
            d = self.m.fvar(name or t.name.rstrip("✝"), instantiate(t.ty, xs), name is None)
            decls.append(d)
            xs.append(d.fvar)
            t = t.body
        if decls:
            new = self.new_goal(g.lctx.add(*decls), instantiate(t, xs), g.tag)
            self.close(g, Closure(tuple((d.id, d.name, d.type, "default") for d in decls), new.mvar), [new])
            g = new
        for name in names[len(decls) :]:
            g, _ = self.intro(g, name)
        return g

    def apply(self, g: Goal, e: Expr, name: str = "apply") -> None:
        """Backward chaining with `e`: new goals for the arguments that stay unknown."""
        m = self.m
        target = self.target(g)
        full = m.head_beta(m.inst(m.infer(e)))
        want = _arity(target)
        have = _arity(m.whnf(full)) if not isinstance(full, Pi) else _arity(full)
        first = max(have - want, 0)
        tried: Expr | None = None
        limit = have + 6
        i = first
        while i <= limit:
            mark = len(m.trail)
            new: list[tuple[MVar, Pi]] = []
            cur, ty = e, full
            xs: list[Expr] = []  # arguments that `ty` is still to be instantiated with
            while len(new) < i:
                if not isinstance(ty, Pi):
                    ty, xs = m.whnf(m.head_beta(instantiate(ty, xs))), []
                    if not isinstance(ty, Pi):
                        break
                x = m.mvar(g.lctx, instantiate(ty.ty, xs), ty.name.rstrip("✝"), NATURAL)
                new.append((x, ty))
                cur = app(cur, x)
                xs.append(x)
                ty = ty.body
            if len(new) < i:
                break
            ty = m.head_beta(instantiate(ty, xs))
            if tried is None:
                tried = ty
            if m.unify(ty, target):
                self.finish_apply(g, cur, new)
                return
            m.undo(mark)
            i += 1
        shown = self.text(e, g.lctx)
        at = "@" + shown if isinstance(e, Const) else shown
        concl = self.text(tried if tried is not None else full, g.lctx)
        note = ""
        if isinstance(full, Pi):
            note = f"\n\nNote: The full type of `{at}` is\n  {self.text(full, g.lctx)}"
        raise self.fail(
            g,
            f"Tactic `{name}` failed: could not unify the conclusion of `{at}`\n  {concl}\nwith the"
            f" goal\n  {self.text(target, g.lctx)}{note}\n",
        )

    def finish_apply(self, g: Goal, proof: Expr, new: list[tuple[MVar, Pi]]) -> None:
        m = self.m
        left: list[tuple[MVar, Pi]] = [(x, b) for x, b in new if x.id not in m.assign]
        used_by_types = set()
        for x, _ in left:
            used_by_types.update(mvars(m.inst(m.goals[x.id].type)))
        first = [x for x, _ in left if x.id not in used_by_types]
        later = [x for x, _ in left if x.id in used_by_types]
        goals = []
        known = {x.id for x, _ in new}
        extra = [i for i in mvars(m.inst(proof)) if i not in known and m.goals[i].kind == NATURAL]
        for x in [*first, *later, *(m.goals[i].mvar for i in dict.fromkeys(extra))]:
            old = m.goals[x.id]
            if len(new) == 1:
                tag = g.tag
            else:
                tag = f"{g.tag}.{old.tag}" if g.tag and old.tag else old.tag or g.tag
            goal = Goal(x, old.lctx, old.type, tag, SYNTHETIC)
            m.goals[x.id] = goal
            goals.append(goal)
        self.close(g, proof, goals)

    def refine(self, g: Goal, t: Term, prefix: str = "refine") -> None:
        """Elaborate `t` at the goal's type; `?_` become goals, other holes must be solved."""
        elab = self.elab()
        start = self.m.fresh
        value = elab.term(t, self.target(g), g.lctx)
        if value.fl & HAS_MVAR:
            order = list(dict.fromkeys(mvars(value)))
            for i in order:
                if self.m.goals[i].kind == NATURAL and i > start:
                    raise self.fail(g, "don't know how to synthesize placeholder\ncontext:")
            holes = sorted(i for i in order if i > start)
            goals = self.tag_holes(g, holes, prefix)
        else:
            goals = []
        self.close(g, value, goals)

    def tag_holes(self, g: Goal, holes: Sequence[int], prefix: str, more: int = 0) -> list[Goal]:
        """Goals for holes, tagged by number unless there is only one; `more` goals will follow them."""
        goals = []
        for k, i in enumerate(holes, 1):
            old = self.m.goals[i]
            if old.tag:
                tag = old.tag
            elif len(holes) + more == 1:
                tag = g.tag
            else:
                tag = f"{g.tag}.{prefix}_{k}" if g.tag else f"{prefix}_{k}"
            goal = Goal(old.mvar, old.lctx, old.type, tag, SYNTHETIC)
            self.m.goals[i] = goal
            goals.append(goal)
        return goals

    def find(self, g: Goal, name: str) -> LocalDecl:
        d = g.lctx.find(name)
        if d is None:
            raise TacticError(f"Unknown identifier `{name}`")
        return d

    def assert_(self, g: Goal, name: str, hygienic: bool, type: Expr, proof: Expr) -> Goal:
        """Add `name : type := proof` to the goal's context."""
        d = self.m.fvar(name, type, hygienic)
        new = self.new_goal(g.lctx.add(d), g.type, g.tag)
        body = Closure(((d.id, name, type, "default"),), new.mvar)
        self.close(g, app(body, proof), [new])
        return new

    def replace_local(self, g: Goal, d: LocalDecl, type: Expr, proof: Expr) -> Goal:
        """Give `d` a new type, proved by `proof`, at its place in the context."""
        x = self.m.fvar(d.name, type, d.hygienic)
        decls: dict[int, LocalDecl] = {}
        uses = any(occurs(self.m.inst(o.type), d.id) for o in g.lctx.decls.values())
        uses = uses or occurs(self.target(g), d.id)
        for k, o in g.lctx.decls.items():
            if k == d.id:
                if uses:
                    decls[k] = o
                decls[x.id] = x
            else:
                decls[k] = o
        new = self.new_goal(LocalContext(decls), g.type, g.tag)
        self.close(g, app(Closure(((x.id, x.name, type, "default"),), new.mvar), proof), [new])
        return new

    def clear(self, g: Goal, ids: Sequence[int]) -> Goal:
        """Remove hypotheses nothing depends on; others stay."""
        drop: list[int] = []
        target = self.target(g)
        for i in ids:
            rest = [o for k, o in g.lctx.decls.items() if k not in drop and k != i]
            if occurs(target, i) or any(occurs(self.m.inst(o.type), i) for o in rest):
                continue
            drop.append(i)
        if not drop:
            return g
        new = self.new_goal(g.lctx.without(drop), g.type, g.tag)
        self.close(g, new.mvar, [new])
        return new

    def revert(self, g: Goal, ids: Sequence[int]) -> tuple[Goal, list[LocalDecl]]:
        """Move hypotheses and all that depend on them back into the goal."""
        deps = self.dependents(g, ids, True)
        if not deps:
            return g, []
        t = self.m.abstract_pi(deps, self.target(g))
        new = self.new_goal(g.lctx.without([d.id for d in deps]), t, g.tag)
        value: Expr = new.mvar
        for d in deps:
            value = app(value, d.fvar)
        self.close(g, value, [new])
        return new, deps

    def dependents(self, g: Goal, ids: Sequence[int], include: bool) -> list[LocalDecl]:
        """The declarations `ids` (if `include`) and those whose types depend on them, in order."""
        found = set(ids)
        out = []
        for k, d in g.lctx.decls.items():
            if k in found:
                if include:
                    out.append(d)
            elif any(occurs(self.m.inst(d.type), i) for i in found):
                found.add(k)
                out.append(d)
        return out

    def reintro(self, g: Goal, decls: Sequence[LocalDecl]) -> Goal:
        """Introduce one variable per declaration, under its old name."""
        for d in decls:
            t = self.target(g)
            if not isinstance(t, Pi):
                t = self.m.whnf(t)
                assert isinstance(t, Pi)
            x = self.m.fvar(d.name, t.ty, d.hygienic)
            new = self.new_goal(g.lctx.add(x), instantiate1(t.body, x.fvar), g.tag)
            self.m.set(g.mvar.id, Closure(((x.id, x.name, t.ty, "default"),), new.mvar))
            g = new
        return g


def _arity(t: Expr) -> int:
    n = 0
    while isinstance(t, Pi):
        t, n = t.body, n + 1
    return n
