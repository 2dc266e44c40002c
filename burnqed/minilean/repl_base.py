"""What the protocol's commands share: options, states, answers of errors."""

from __future__ import annotations

from typing import Any

from burnqed.minilean.context import Goal
from burnqed.minilean.engine import Engine, State, library
from burnqed.minilean.environment import FileEnv
from burnqed.minilean.expr import Expr
from burnqed.minilean.frontend import message
from burnqed.minilean.printer import GoalPrinter, shown_target
from burnqed.minilean.traverse import mvars

DEFAULTS: dict[str, Any] = {
    "printJsonPretty": False,
    "printExprPretty": True,
    "printExprAST": False,
    "printDependentMVars": False,
    "noRepeat": False,
    "printAuxDecls": False,
    "printImplementationDetailHyps": False,
    "automaticMode": True,
    "timeout": 0,
}


class RequestError(Exception):
    """An error answer: category and description."""

    def __init__(self, category: str, desc: str) -> None:
        super().__init__(desc)
        self.answer = {"error": category, "desc": desc}


def wants(payload: dict[str, Any], key: str, kind: type, record: str) -> Any:
    """A required key of the payload, or Pantograph's error for a payload that does not fit."""
    value = payload.get(key)
    if isinstance(value, kind) and not (kind is int and isinstance(value, bool)):
        return value
    noun = {str: "String", int: "Natural number", list: "JSON array", bool: "Bool"}[kind]
    raise RequestError("command", f"Unable to parse json: Pantograph.Protocol.{record}.{key}: {noun} expected")


def optional(payload: dict[str, Any], key: str, kind: type, record: str, default: Any) -> Any:
    return default if payload.get(key) is None else wants(payload, key, kind, record)


class ReplBase:
    """States, options and the environment of one process."""

    def __init__(self, older: bool = False) -> None:
        self.older = older
        self.engine = Engine(FileEnv(library()))
        self.states: dict[int, State] = {}
        self.next_id = 0
        self.options = dict(DEFAULTS)

    def add(self, state: State) -> int:
        self.states[self.next_id] = state
        self.next_id += 1
        return self.next_id - 1

    def state(self, payload: dict[str, Any], record: str, key: str = "stateId") -> State:
        i = wants(payload, key, int, record)
        state = self.states.get(i)
        if state is None:
            raise RequestError("index", f"Invalid state index {i}")
        return state

    def goal(self, state: State, goal: Goal) -> dict[str, Any]:
        """A goal as Pantograph prints it: one entry per variable."""
        p = GoalPrinter(state.meta, goal.lctx)
        inst = state.meta.inst
        out: dict[str, Any] = {"name": f"_uniq.{goal.mvar.id}"}
        if goal.tag:
            out["userName"] = goal.tag
        out["fragment"] = goal.fragment
        out["target"] = self.expression(p, shown_target(state.meta, goal))
        out["vars"] = [
            {
                "name": f"_uniq.{d.id}",
                "userName": p.names[d.id],
                "isInaccessible": "✝" in p.names[d.id],
                "type": self.expression(p, inst(d.type)),
            }
            for d in goal.lctx.decls.values()
        ]
        return out

    def expression(self, p: GoalPrinter, e: Expr) -> dict[str, Any]:
        """A term's text and, if asked for, the goals that it names."""
        out: dict[str, Any] = {"pp": p.text(e)}
        if self.options["printDependentMVars"]:
            out["dependentMVars"] = [f"_uniq.{i}" for i in dict.fromkeys(mvars(e))]
        return out

    def failure(self, text: str) -> dict[str, Any]:
        return {
            "messages": [message(text, (0, 0), None, file="<Pantograph>")],
            "hasSorry": False,
            "hasUnsafe": False,
        }


def position(text: str, pos: int, shift: int = 0) -> str:
    line = text.count("\n", 0, pos)
    return f"{line + 1}:{pos - (text.rfind(chr(10), 0, pos) + 1) + shift}"


def write_text(path: str, text: str) -> None:
    from pathlib import Path

    Path(path).write_text(text, encoding="utf-8")
