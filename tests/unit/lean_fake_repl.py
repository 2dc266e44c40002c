"""A scripted stand-in for a prover process, for tests of the client and the pool.

Speaks the protocol on a toy logic: a state is a list of words; ``push WORD`` adds a goal, ``pop``
closes the first one. Other tactics misbehave on purpose. Usage: lean_fake_repl.py [OPTIONS]
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any


def option(name: str) -> str | None:
    for argument in sys.argv[1:]:
        if argument.startswith(f"{name}="):
            return argument.split("=", 1)[1]
    return None


def say(answer: object) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def goals(words: list[str]) -> list[dict[str, Any]]:
    return [{"name": f"_uniq.{i}", "target": {"pp": word}, "vars": []} for i, word in enumerate(words)]


def misbehave(tactic: str) -> None:
    if tactic == "crash":
        os._exit(3)
    if tactic == "hang":
        time.sleep(600)
    if tactic == "rubbish":
        print("Lean was here", flush=True)
    if tactic == "list":
        print("[1, 2]", flush=True)
    if tactic == "close":
        os.close(1)
        time.sleep(600)
    if tactic == "close_in":
        os.close(0)
        time.sleep(600)
    if tactic == "freeze":
        os.kill(os.getpid(), signal.SIGSTOP)
    if tactic == "half":
        os.write(1, b'{"nextStateId": 7, "goa')
        os._exit(0)
    if tactic == "flood":
        while True:
            os.write(1, b"x" * 65536)
    if tactic == "binary":
        os.write(1, b"\xff\xfe\x00{}\n")
    if tactic == "child":
        subprocess.Popen(["sleep", "600"])
    if tactic == "noise":
        sys.stderr.write("x" * 1_000_000)
        sys.stderr.flush()
    if tactic == "eat":
        hoard = []
        while True:
            hoard.append(b"x" * (1 << 24))
            time.sleep(0.01)


def check(text: str) -> list[dict[str, Any]]:
    """Accept a file's commands, except where a tactic of the proof says what else to do."""
    data = text.encode()
    for word in ("crash", "hang"):
        if f"  {word}" in text:
            misbehave(word)
    once = option("crash_once")  # FILE: crash at its first line `  once`
    if "  once" in text and once and not Path(once).exists():
        Path(once).write_text("")
        misbehave("crash")
    starts = [match.start() for match in re.finditer(rb"^(theorem|example|#print)", data, re.MULTILINE)]
    units: list[dict[str, Any]] = []
    for start, end in zip(starts, [*starts[1:], len(data)], strict=True):
        units.append({"boundary": [start, end], "messages": []})
        if data[start:].startswith(b"theorem") and b"  wrong" in data[start:end]:
            units[-1]["messages"].append({"severity": "error", "data": "unsolved goals"})
        if data[start:].startswith(b"#print"):
            name = data[start:end].split()[-1].decode()
            units[-1]["messages"].append({"severity": "information", "data": f"'{name}' depends on axioms: [propext]"})
    return units


def track(dst: str) -> dict[str, Any]:
    """Answer ``frontend.track`` in the shapes of Pantograph's tests and notebook; see data rows of those names."""
    place = {"fileName": "<anonymous>", "pos": {"line": 1, "column": 4}, "endPos": {"line": 1, "column": 5}}
    rest = {**place, "keepFullRange": False, "isSilent": False, "caption": ""}
    warning = {**rest, "severity": "warning", "data": "declaration uses `sorry`", "kind": "hasSorry"}
    if "  retyped" in dst:
        name = re.search(r"theorem (\S+)", dst)
        return {"failure": f"Type clash of {name[1] if name else ''}"}
    if "  mistyped" in dst:
        error = {**rest, "severity": "error", "data": "Type mismatch", "kind": "[anonymous]"}
        return {"srcMessages": [warning], "dstMessages": [error]}
    return {"srcMessages": [], "dstMessages": []}


def main() -> None:
    if "--version" in sys.argv:
        print(os.environ.get("FAKE_VERSION", "0.3.15"))
        return
    counter = option("die_first")  # FILE: dies at start as many times as the number in it
    if counter and int(Path(counter).read_text()) > 0:
        Path(counter).write_text(str(int(Path(counter).read_text()) - 1))
        print("uncaught exception: unknown module prefix 'Mathlib'", file=sys.stderr)
        sys.exit(1)
    if option("never_ready"):
        time.sleep(600)
    print("ready.", flush=True)
    states: dict[int, list[str]] = {}
    hidden_sorry: set[int] = set()  # states below a `cheat`, which reports nothing at its own step
    fresh, limit, scope = 0, 0, ""
    for line in sys.stdin:
        if not line.strip():
            return
        command, _, text = line.partition(" ")
        payload = json.loads(text)
        if command == "goal.start":
            if payload["expr"] == "bad":
                say({"error": "parse", "desc": "unexpected token"})
                continue
            if payload["expr"] == "deadly":
                os._exit(9)
            states[fresh] = [payload["expr"]]
            say({"stateId": fresh, "root": "_uniq.1"})
            fresh += 1
        elif command == "goal.print":
            held = payload["stateId"] in hidden_sorry
            say(
                {
                    "goals": goals(states[payload["stateId"]]),
                    "rootHasSorry": held,
                    "rootHasUnsafe": False,
                    "rootHasMVar": False,
                }
            )
        elif command == "goal.delete":
            for state in payload["stateIds"]:
                states.pop(state, None)
            say({})
        elif command == "stat":
            say({"nGoals": len(states), "pid": os.getpid(), "timeout": limit})
        elif command == "options.set":
            limit = payload["timeout"]
            say({})
        elif command == "frontend.process" and payload.get("inheritEnv"):
            scope = payload["file"].strip()
            bad = [{"severity": "error", "data": "unknown namespace"}] if "Nowhere" in scope else []
            say({"units": [{"boundary": [0, len(scope)], "messages": bad}] if scope else []})
        elif command in ("frontend.distil", "frontend.process") and ":= sorry" in payload["file"]:
            found = re.search(r"theorem \w+ : (.*) := sorry", payload["file"])
            states[fresh] = [found[1] if found else ""]
            if command == "frontend.distil":
                say({"targets": [{"stateId": fresh, "goals": goals(states[fresh])}]})
            else:
                assert payload["sorrys"]
                say(
                    {
                        "units": [
                            {"boundary": [0, 1], "messages": [], "goalStateId": fresh, "goals": goals(states[fresh])}
                        ]
                    }
                )
            fresh += 1
        elif command == "frontend.track":
            assert payload["src"].endswith(":= sorry\n")
            say(track(payload["dst"]))
        elif command == "frontend.process":
            say({"units": check(payload["file"])})
        elif command == "goal.tactic":
            tactic, before = payload["tactic"], states.get(payload["stateId"])
            flags = {"messages": [], "hasSorry": tactic == "sorry", "hasUnsafe": False}
            misbehave(tactic)
            if tactic in ("rubbish", "list", "binary"):
                continue
            if before is None:
                say({"error": "index", "desc": f"Invalid state index {payload['stateId']}"})
            elif tactic == "interrupt":
                say({"error": "io", "desc": "interrupt"})
            elif tactic.startswith("shape "):
                say({**flags, "nextStateId": fresh, "goals": json.loads(tactic[6:])})
            elif tactic == "fail":
                say({**flags, "messages": ["it failed"]})
            elif tactic == "long":
                states[fresh] = ["y" * 3_000_000]
                say({"nextStateId": fresh, "goals": goals(states[fresh]), **flags})
                fresh += 1
            else:
                verb, _, word = tactic.partition(" ")
                after = [word, *before] if verb == "push" else before[1:]
                if tactic == "scope":  # makes a goal of the namespaces in which the tactic was read
                    after = [scope]
                if verb == "wait":
                    time.sleep(float(word))
                    after = before
                states[fresh] = after
                if tactic == "cheat" or payload["stateId"] in hidden_sorry:
                    hidden_sorry.add(fresh)
                    states[fresh] = before if tactic == "cheat" else after
                say({"nextStateId": fresh, "goals": goals(states[fresh]), **flags})
                fresh += 1
                if tactic == "extra":
                    say({"nextStateId": 0, "goals": [], "messages": [], "hasSorry": False, "hasUnsafe": False})
                while tactic == "babble":
                    os.write(1, b"x" * 65536)
        else:
            say({"error": "command", "desc": f"Unknown command {command}"})


if __name__ == "__main__":
    main()
