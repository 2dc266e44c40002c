"""Pantograph's JSON-lines protocol over the engine: one request per line, one answer per line."""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable
from typing import Any, TextIO

from burnqed.minilean import older
from burnqed.minilean.budget import HeartbeatError, InterruptError
from burnqed.minilean.repl_base import DEFAULTS, RequestError, wants
from burnqed.minilean.repl_env import EnvironmentCommands
from burnqed.minilean.repl_frontend import FrontendCommands
from burnqed.minilean.repl_goal import GoalCommands

INTERRUPT = {"error": "io", "desc": "interrupt"}


class Repl(GoalCommands, EnvironmentCommands, FrontendCommands):
    """The commands; every method named `c_…` answers one with a JSON object."""

    # plumbing

    def handle(self, line: str) -> dict[str, Any]:
        """Answer one request line."""
        command = ""
        try:
            command, payload = self.parse(line)
            method: Callable[[Repl, dict[str, Any]], dict[str, Any]] | None = COMMANDS.get(command)
            if method is None or self.older and command in older.LATER:
                raise RequestError("command", f"Unknown command {command}")
            found = method(self, payload)
        except RequestError as e:
            return e.answer
        except InterruptError:
            return older.answer(command, INTERRUPT) if self.older else dict(INTERRUPT)
        except HeartbeatError as e:
            return {"error": "exception", "desc": str(e)}
        except RecursionError:
            return {"error": "exception", "desc": "maximum recursion depth has been reached"}
        except Exception as e:  # hostile input must not end the process; nothing was proved
            return {"error": "internal", "desc": f"{type(e).__name__}: {e}"}
        return older.answer(command, found) if self.older else found

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


COMMANDS: dict[str, Any] = {
    name[2:].replace("_", ".", 1): getattr(Repl, name) for name in dir(Repl) if name.startswith("c_")
}


def collect_seldom() -> None:
    """Have Python look for cycles seldom: terms and walks over them make none, and most of memory is terms."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)


def serve(lines: TextIO, out: TextIO, old: bool = False) -> None:
    """Answer requests until an empty line or the end of input; with `old`, as Pantograph 0.3.4."""
    repl = Repl(old)
    out.write("ready.\n")
    out.flush()
    collect_seldom()
    for line in lines:
        if not line.strip():
            return
        answer = repl.handle(line)
        indent = 2 if repl.options["printJsonPretty"] else None
        out.write(json.dumps(answer, ensure_ascii=False, indent=indent) + "\n")
        out.flush()


def main(old: bool = False) -> None:
    sys.stdin.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    serve(sys.stdin, sys.stdout, old)
