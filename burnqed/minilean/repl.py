"""Pantograph's JSON-lines protocol over the engine: one request per line, one answer per line."""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable
from typing import Any, TextIO

from burnqed.minilean.engine import Engine, State, library
from burnqed.minilean.expr import HAS_MVAR, HAS_SORRY, MVar, consts
from burnqed.minilean.frontend import File, Unit, distil, message
from burnqed.minilean.kernel import HeartbeatError, InterruptError
from burnqed.minilean.lexer import ParseError
from burnqed.minilean.library import FileEnv
from burnqed.minilean.meta import EMPTY, Goal, Meta, TacticError
from burnqed.minilean.printer import GoalPrinter, show, show_in
from burnqed.minilean.tactic_core import Runner
from burnqed.minilean.tactic_syntax import parse_term

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
# Where Lean 4.26 declares what clients ask for most; of other constants no module is said.
MODULES = {
    name: module
    for module, names in (
        (
            "Init.Prelude",
            "Nat Nat.zero Nat.succ Nat.add Nat.mul Nat.sub Bool List True False And Or Not Eq Eq.refl rfl id",
        ),
        ("Init.Core", "Iff Iff.intro Iff.refl Exists Exists.intro Ne propext"),
        (
            "Init.Data.Nat.Basic",
            "Nat.add_one Nat.zero_add Nat.add_comm Nat.add_assoc Nat.succ_add Nat.mul_comm Nat.mul_assoc Nat.zero_mul",
        ),
    )
    for name in names.split()
}
INTERRUPT = {"error": "io", "desc": "interrupt"}


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


class Repl:
    """The commands; every method named `c_…` answers one with a JSON object."""

    def __init__(self) -> None:
        self.engine = Engine(FileEnv(library()))
        self.states: dict[int, State] = {}
        self.next_id = 0
        self.options = dict(DEFAULTS)

    # plumbing

    def handle(self, line: str) -> dict[str, Any]:
        """Answer one request line."""
        try:
            command, payload = self.parse(line)
            method: Callable[[dict[str, Any]], dict[str, Any]] | None = COMMANDS.get(command)
            if method is None:
                raise RequestError("command", f"Unknown command {command}")
            return method(self, payload)  # type: ignore[call-arg, arg-type]
        except RequestError as e:
            return e.answer
        except InterruptError:
            return dict(INTERRUPT)
        except HeartbeatError as e:
            return {"error": "exception", "desc": str(e)}
        except RecursionError:
            return {"error": "exception", "desc": "maximum recursion depth has been reached"}
        except Exception as e:  # hostile input must not end the process; nothing was proved
            return {"error": "internal", "desc": f"{type(e).__name__}: {e}"}

    def parse(self, line: str) -> tuple[str, dict[str, Any]]:
        text = line.strip()
        if text.startswith("{"):
            try:
                request = json.loads(text)
            except (ValueError, RecursionError) as e:
                raise RequestError("command", f"Unable to parse json: {e}") from None
            command, payload = request.get("cmd"), request.get("payload", {})
            if not isinstance(command, str):
                raise RequestError("command", "Unable to parse json: cmd: String expected")
        else:
            command, _, rest = text.partition(" ")
            try:
                payload = json.loads(rest) if rest.strip() else {}
            except (ValueError, RecursionError) as e:
                raise RequestError("command", f"Unable to parse json: {e}") from None
        if not isinstance(payload, dict):
            raise RequestError("command", "Unable to parse json: object expected")
        return command, payload

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
        out["fragment"] = "tactic"
        out["target"] = {"pp": p.text(inst(goal.type))}
        out["vars"] = [
            {
                "name": f"_uniq.{d.id}",
                "userName": p.names[d.id],
                "isInaccessible": "✝" in p.names[d.id],
                "type": {"pp": p.text(inst(d.type))},
            }
            for d in goal.lctx.decls.values()
        ]
        return out

    def failure(self, text: str) -> dict[str, Any]:
        return {
            "messages": [message(text, (0, 0), None, file="<Pantograph>")],
            "hasSorry": False,
            "hasUnsafe": False,
        }

    # commands

    def c_reset(self, payload: dict[str, Any]) -> dict[str, Any]:
        n = len(self.states)
        self.states.clear()
        self.next_id = 0
        return {"nGoals": n}

    def c_stat(self, payload: dict[str, Any]) -> dict[str, Any]:
        return {"nGoals": len(self.states)}

    def c_options_set(self, payload: dict[str, Any]) -> dict[str, Any]:
        for key, default in DEFAULTS.items():
            if payload.get(key) is not None:
                self.options[key] = wants(payload, key, type(default), "OptionsSet")
        ms = self.options["timeout"]
        self.engine.timeout = ms / 1000 if ms else None
        return {}

    def c_options_print(self, payload: dict[str, Any]) -> dict[str, Any]:
        return dict(self.options)

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
                raise RequestError("parse", f"<anonymous>:{_at(text, e.pos)}: {e.message}") from None
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
        if kind in ("mode", "let", "draft"):
            raise RequestError("invalid", f"minilean does not support `{kind}`")
        if not state.goals:
            return self.failure("no goals")
        try:
            if kind == "tactic":
                new = self.engine.step(state, text, index, manual=not resume)
            else:
                new = self.term_step(state, kind, text, index or 0, not resume, payload)
        except ParseError as e:
            shift = 1 if e.message == "unknown tactic" else 0
            return {
                "parseError": f"<Pantograph>:{_at(text, e.pos, shift)}: {e.message}",
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
        """`expr` fills the goal by a term; `have` opens a goal for a fact and assumes it."""
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

    def c_expr_echo(self, payload: dict[str, Any]) -> dict[str, Any]:
        from burnqed.minilean.elab import Elab

        text = wants(payload, "expr", str, "ExprEcho")
        meta = Meta(self.engine.env, self.engine.budget())
        elab = Elab(meta, opens=self.engine.opens)
        try:
            ty = payload.get("type")
            want = None if ty is None else elab.type(parse_term(ty), EMPTY)
            e = elab.term(parse_term(text), want, EMPTY)
            t = meta.inst(meta.infer(e))
        except ParseError as e2:
            raise RequestError("parse", f"<anonymous>:{_at(text, e2.pos)}: {e2.message}") from None
        except TacticError as e2:
            raise RequestError("elab", str(e2)) from None
        return {"expr": {"pp": show_in(meta, EMPTY, e)}, "type": {"pp": show_in(meta, EMPTY, t)}}

    def c_env_add(self, payload: dict[str, Any]) -> dict[str, Any]:
        """A definition or, with `isTheorem`, a fact; the kernel checks it."""
        from burnqed.minilean.definitions import define

        name, text = wants(payload, "name", str, "EnvAdd"), wants(payload, "value", str, "EnvAdd")
        type_text = optional(payload, "type", str, "EnvAdd", None)
        fact = optional(payload, "isTheorem", bool, "EnvAdd", False)
        if optional(payload, "levels", list, "EnvAdd", []):
            raise RequestError("invalid", "minilean has no universe parameters")
        try:
            type_term = parse_term(type_text) if type_text is not None else None
            env, opens = self.engine.env, self.engine.opens
            define(env, name, type_term, parse_term(text), self.engine.budget(), opens, fact)
        except ParseError as e:
            raise RequestError("parse", e.message) from None
        except TacticError as e:
            raise RequestError("elab", str(e)) from None
        return {}

    def c_env_inspect(self, payload: dict[str, Any]) -> dict[str, Any]:
        if self.options["printExprAST"]:
            raise RequestError("invalid", "minilean prints no s-expressions; set printExprAST to false")
        name = wants(payload, "name", str, "EnvInspect")
        decl = self.engine.env.get(name)
        if decl is None:
            raise RequestError("index", f"Symbol not found {name}")
        out: dict[str, Any] = {"type": {"pp": show(self.engine.env, decl.type)}, "isUnsafe": False}
        module = MODULES.get(name)
        if module is not None:
            out["module"] = module
        if payload.get("value") and decl.value is not None:
            out["value"] = {"pp": show(self.engine.env, decl.value)}
        if payload.get("dependency"):
            out["typeDependency"] = sorted(consts(decl.type))
        return out

    def c_env_catalog(self, payload: dict[str, Any]) -> dict[str, Any]:
        names = self.engine.env.names()
        target = payload.get("filename")
        if target is None:
            return {"symbols": [f"t{n}" for n in names]}
        try:
            _write(wants(payload, "filename", str, "EnvCatalog"), "\n".join(names) + "\n")
        except OSError as e:
            raise RequestError("io", str(e)) from None
        return {"nSymbols": len(names)}

    def c_env_describe(self, payload: dict[str, Any]) -> dict[str, Any]:
        return {"imports": ["Init"], "modules": ["Init"]}

    def c_frontend_process(self, payload: dict[str, Any]) -> dict[str, Any]:
        text = self.source(payload, "FrontendProcess")
        inherit = optional(payload, "inheritEnv", bool, "FrontendProcess", False)
        target = optional(payload, "invocations", str, "FrontendProcess", None)
        env = FileEnv(self.engine.env.base, self.engine.env.local)
        inner = Engine(env, self.engine.opens)
        inner.timeout = self.engine.timeout
        file = File(inner, text, trace=target is not None)
        begin = 0
        if optional(payload, "readHeader", bool, "FrontendProcess", False):
            begin = _header_end(file.masked)
        units = file.process(begin)
        if inherit:
            self.engine = Engine(env, file.opens)
            self.engine.timeout = inner.timeout
        out = []
        for u in units:
            entry: dict[str, Any] = {"boundary": [u.begin, u.end], "messages": u.messages}
            if target is not None:
                entry["nInvocations"] = len(u.invocations)
            if optional(payload, "newConstants", bool, "FrontendProcess", False):
                ok = u.name is not None and u.name in env.local
                entry["newConstants"] = [u.name] if ok else []
            out.append(entry)
        if target is not None:
            record = {"units": [{"invocations": u.invocations} for u in units]}
            try:
                _write(target, json.dumps(record, ensure_ascii=False))
            except OSError as e:
                raise RequestError("io", str(e)) from None
        return {"units": out}

    def source(self, payload: dict[str, Any], record: str) -> str:
        name, text = payload.get("fileName"), payload.get("file")
        if (name is None) == (text is None):
            raise RequestError("command", "Exactly one of {fileName, file} must be supplied")
        if text is not None:
            return wants(payload, "file", str, record)
        try:
            from pathlib import Path

            return Path(wants(payload, "fileName", str, record)).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as e:
            raise RequestError("io", str(e)) from None

    def c_frontend_distil(self, payload: dict[str, Any]) -> dict[str, Any]:
        text = wants(payload, "file", str, "FrontendDistil")
        ignore = optional(payload, "ignoreValues", bool, "FrontendDistil", True)
        states, units = distil(self.engine, text, ignore)
        errors = [m["data"] for u in units for m in u.messages if m["severity"] == "error"]
        if errors:
            raise RequestError("frontend", "\n".join(errors))
        return {"targets": [{"stateId": self.add(s), "goals": [self.goal(s, g) for g in s.goals]} for s in states]}

    def c_frontend_track(self, payload: dict[str, Any]) -> dict[str, Any]:
        sides: list[list[Unit]] = []
        for key in ("src", "dst"):
            text = wants(payload, key, str, "FrontendTrack")
            inner = Engine(FileEnv(self.engine.env.base, self.engine.env.local), self.engine.opens)
            inner.timeout = self.engine.timeout
            sides.append(File(inner, text).process())
        src, dst = sides
        out: dict[str, Any] = {
            "srcMessages": [m for u in src for m in u.messages],
            "dstMessages": [m for u in dst for m in u.messages],
        }
        if any(m["severity"] == "error" for m in (*out["srcMessages"], *out["dstMessages"])):
            return out
        have = {u.name: u for u in dst}
        for u in src:
            if u.name is None:
                continue
            other = have.get(u.name)
            if other is None:
                out["failure"] = f"Missing {u.name}"
            elif other.statement != u.statement:
                out["failure"] = f"Type clash of {u.name}"
            elif other.sorry:
                out["failure"] = f"{u.name} uses sorry"
            else:
                continue
            break
        return out


def _write(path: str, text: str) -> None:
    from pathlib import Path

    Path(path).write_text(text, encoding="utf-8")


def _header_end(text: str) -> int:
    """The offset after leading `import` lines."""
    end = 0
    for line in text.splitlines(keepends=True):
        if line.strip() and not line.startswith(("import ", "prelude")):
            break
        end += len(line)
    return end


def _at(text: str, pos: int, shift: int = 0) -> str:
    line = text.count("\n", 0, pos)
    return f"{line + 1}:{pos - (text.rfind(chr(10), 0, pos) + 1) + shift}"


COMMANDS: dict[str, Any] = {
    name[2:].replace("_", ".", 1): getattr(Repl, name) for name in dir(Repl) if name.startswith("c_")
}


def serve(lines: TextIO, out: TextIO) -> None:
    """Answer requests until an empty line or the end of input."""
    repl = Repl()
    out.write("ready.\n")
    out.flush()
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)  # terms have no cycles; scanning them often is waste
    for line in lines:
        if not line.strip():
            return
        answer = repl.handle(line)
        indent = 2 if repl.options["printJsonPretty"] else None
        out.write(json.dumps(answer, ensure_ascii=False, indent=indent) + "\n")
        out.flush()


def main() -> None:
    sys.stdin.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    serve(sys.stdin, sys.stdout)
