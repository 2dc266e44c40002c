"""The protocol's `frontend.…` commands: whole files."""

from __future__ import annotations

import json
from typing import Any

from burnqed.minilean.context import TacticError
from burnqed.minilean.engine import Engine
from burnqed.minilean.frontend import File, Unit, distil
from burnqed.minilean.repl_base import ReplBase, RequestError, optional, wants, write_text


class FrontendCommands(ReplBase):
    """Check, distil and compare files."""

    def c_frontend_process(self, payload: dict[str, Any]) -> dict[str, Any]:
        text = self.source(payload, "FrontendProcess")
        inherit = optional(payload, "inheritEnv", bool, "FrontendProcess", False)
        target = optional(payload, "invocations", str, "FrontendProcess", None)
        env = self.engine.env.copy()
        inner = Engine(env, self.engine.opens)
        inner.timeout = self.engine.timeout
        sorrys = self.older and optional(payload, "sorrys", bool, "FrontendProcess", False)
        file = File(inner, text, trace=target is not None, sketch=sorrys)
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
            if u.sketch is not None:
                goals = [self.goal(u.sketch, g) for g in u.sketch.goals]
                entry |= {"goalStateId": self.add(u.sketch), "goals": goals, "goalSrcBoundaries": u.sorries}
            if optional(payload, "newConstants", bool, "FrontendProcess", False):
                ok = u.name is not None and u.name in env.local
                entry["newConstants"] = [u.name] if ok else []
            out.append(entry)
        if target is not None:
            record = {"units": [{"invocations": u.invocations} for u in units]}
            try:
                write_text(target, json.dumps(record, ensure_ascii=False))
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
        try:
            states, units = distil(self.engine, text, ignore)
        except TacticError as e:
            raise RequestError("frontend", str(e)) from None
        errors = [m["data"] for u in units for m in u.messages if m["severity"] == "error"]
        if errors:
            raise RequestError("frontend", "\n".join(errors))
        return {"targets": [{"stateId": self.add(s), "goals": [self.goal(s, g) for g in s.goals]} for s in states]}

    def c_frontend_track(self, payload: dict[str, Any]) -> dict[str, Any]:
        sides: list[list[Unit]] = []
        for key in ("src", "dst"):
            text = wants(payload, key, str, "FrontendTrack")
            inner = Engine(self.engine.env.copy(), self.engine.opens)
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


def _header_end(text: str) -> int:
    """The offset after leading `import` lines."""
    end = 0
    for line in text.splitlines(keepends=True):
        if line.strip() and not line.startswith(("import ", "prelude")):
            break
        end += len(line)
    return end
