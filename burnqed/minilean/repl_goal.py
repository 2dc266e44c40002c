"""The protocol's `goal.…` commands."""

from __future__ import annotations

from typing import Any

from burnqed.minilean import fragments
from burnqed.minilean.budget import HeartbeatError
from burnqed.minilean.context import EMPTY, Goal, TacticError
from burnqed.minilean.engine import State
from burnqed.minilean.expr import HAS_MVAR, HAS_SORRY, MVar
from burnqed.minilean.lexer import ParseError
from burnqed.minilean.printer import show_in
from burnqed.minilean.repl_base import ReplBase, RequestError, optional, position, wants
from burnqed.minilean.runner import Runner
from burnqed.minilean.sketch import open_sorries
from burnqed.minilean.tactic_syntax import parse_term


class GoalCommands(ReplBase):
    """Start, step, branch, delete and print proof states."""

    def c_goal_start(self, payload: dict[str, Any]) -> dict[str, Any]:
        expr, copy = payload.get("expr"), payload.get("copyFrom")
        if (expr is None) == (copy is None):
            raise RequestError("command", "Exactly one of {expr, copyFrom} must be supplied")
        if copy is not None:
            name = wants(payload, "copyFrom", str, "GoalStart")
            decl = self.engine.env.get(name)
            if decl is None:
                raise RequestError("index", f"Symbol not found: {name}")
            state = self.engine.start(decl.type)
        else:
            text = wants(payload, "expr", str, "GoalStart")
            try:
                state = self.engine.start(text)
            except ParseError as e:
                raise RequestError("parse", f"<anonymous>:{position(text, e.pos)}: {e.message}") from None
            except TacticError as e:
                raise RequestError("elab", str(e)) from None
        return {"stateId": self.add(state), "root": f"_uniq.{state.root.id}"}

    def c_goal_tactic(self, payload: dict[str, Any]) -> dict[str, Any]:
        state = self.state(payload, "GoalTactic")
        modes = [k for k in ("tactic", "mode", "expr", "have", "let", "draft") if payload.get(k) is not None]
        if len(modes) != 1:
            raise RequestError(
                "command",
                "Exactly one of {tactic, mode, expr, have, let, draft} must be supplied",
            )
        index = optional(payload, "goalId", int, "GoalTactic", None)
        if index is not None and not 0 <= index < len(state.goals):
            raise RequestError("index", f"Invalid goal index {index}")
        resume = optional(payload, "autoResume", bool, "GoalTactic", self.options["automaticMode"])
        kind = modes[0]
        text = wants(payload, kind, str, "GoalTactic")
        if kind == "let" or kind == "mode" and text not in ("tactic", "conv", "calc"):
            raise RequestError("invalid", f"minilean does not support `{text if kind == 'mode' else kind}`")
        if not state.goals:
            return self.failure("no goals")
        try:
            if kind == "mode":
                new = fragments.enter(self.engine, state, text, index or 0, not resume)
            elif kind == "tactic" and state.goals[index or 0].fragment != "tactic":
                new = fragments.step(self.engine, state, text, index or 0, not resume)
            elif kind == "tactic":
                new = self.engine.step(state, text, index, manual=not resume)
            else:
                new = self.term_step(state, kind, text, index or 0, not resume, payload)
        except ParseError as e:
            shift = 1 if e.message == "unknown tactic" else 0
            return {
                "parseError": f"<Pantograph>:{position(text, e.pos, shift)}: {e.message}",
                "hasSorry": False,
                "hasUnsafe": False,
            }
        except (TacticError, HeartbeatError) as e:
            return self.failure(str(e))
        return {
            "nextStateId": self.add(new),
            "goals": [self.goal(new, g) for g in new.goals],
            "messages": [],
            "hasSorry": new.sorry,
            "hasUnsafe": False,
        }

    def term_step(self, state: State, kind: str, text: str, index: int, manual: bool, payload: dict[str, Any]) -> State:
        """`expr` and `draft` fill the goal by a term, `have` opens a goal for a fact and assumes it."""
        meta = state.meta.copy(self.engine.budget())
        goals = list(state.goals)
        goals.insert(0, goals.pop(index))
        dormant: tuple[Goal, ...] = state.dormant
        if manual:
            goals, dormant = goals[:1], (*goals[1:], *dormant)
        runner = Runner(meta, goals, self.engine.opens)
        g = runner.main
        if kind == "expr":
            runner.refine(g, parse_term(text))
        elif kind == "draft":
            elab = runner.elab()
            proof = elab.check(parse_term(text), runner.target(g), g.lctx)
            elab.run_pending()
            open_sorries(runner, g, proof)
        else:
            name = optional(payload, "binderName", str, "GoalTactic", "this")
            ty = runner.elab().type(parse_term(text), g.lctx)
            side = runner.new_goal(g.lctx, ty, "")
            new = runner.assert_(g, name, False, ty, side.mvar)
            i = next(k for k, x in enumerate(runner.goals) if x is new)
            runner.goals.insert(i, side)
        runner.prune()
        return self.engine.finish(state, meta, runner.goals, dormant)

    def c_goal_continue(self, payload: dict[str, Any]) -> dict[str, Any]:
        target = self.state(payload, "GoalContinue", "target")
        branch, names = payload.get("branch"), payload.get("goals")
        if (branch is None) == (names is None):
            raise RequestError("command", "Exactly one of {branch, goals} must be supplied")
        if branch is not None:
            other = self.state(payload, "GoalContinue", "branch")
            want = [g.mvar.id for g in (*other.goals, *other.dormant)]
        else:
            listed = wants(payload, "goals", list, "GoalContinue")
            want = [int(x[6:]) for x in listed if isinstance(x, str) and x.startswith("_uniq.") and x[6:].isdigit()]
        meta = target.meta.copy(self.engine.budget())
        pool = {g.mvar.id: g for g in (*target.goals, *target.dormant)}
        missing = [i for i in want if i not in pool and i not in meta.assign]
        if missing:
            raise RequestError("structure", "Goals are not in the target state")
        picked = [pool[i] for i in want if i in pool and not any(i == g.mvar.id for g in target.goals)]
        goals = [*target.goals, *picked]
        dormant = [g for g in target.dormant if g not in picked]
        new = self.engine.finish(target, meta, goals, dormant)
        return {"nextStateId": self.add(new), "goals": [self.goal(new, g) for g in goals]}

    def c_goal_delete(self, payload: dict[str, Any]) -> dict[str, Any]:
        for i in wants(payload, "stateIds", list, "GoalDelete"):
            if isinstance(i, int):
                self.states.pop(i, None)
        return {}

    def c_goal_print(self, payload: dict[str, Any]) -> dict[str, Any]:
        state = self.state(payload, "GoalPrint")
        root = state.meta.inst(state.root)
        out: dict[str, Any] = {}
        if optional(payload, "rootExpr", bool, "GoalPrint", False):
            if not isinstance(root, MVar):
                out["root"] = {"pp": show_in(state.meta, EMPTY, root)}
        if optional(payload, "parentExprs", bool, "GoalPrint", False):
            out["parentExprs"] = [
                {"pp": show_in(state.meta, state.meta.goals[m.id].lctx, state.meta.inst(m))} for m in state.parents
            ]
        wanted = optional(payload, "goals", bool, "GoalPrint", False)
        out["goals"] = [self.goal(state, g) for g in state.goals] if wanted else []
        out["extraMVars"] = []
        for name in optional(payload, "extraMVars", list, "GoalPrint", []):
            m = int(name[6:]) if isinstance(name, str) and name[6:].isdigit() else -1
            if m not in state.meta.goals:
                raise RequestError("index", f"Invalid metavariable {name}")
            value = state.meta.inst(state.meta.goals[m].mvar)
            out["extraMVars"].append({"pp": show_in(state.meta, state.meta.goals[m].lctx, value)})
        out["rootHasSorry"] = bool(root.fl & HAS_SORRY)
        out["rootHasUnsafe"] = False
        out["rootHasMVar"] = bool(root.fl & HAS_MVAR)
        return out
