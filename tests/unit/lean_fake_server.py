"""A scripted stand-in for `lean`, for tests of what the kind `lean` does when a server misbehaves.

Answers ``--print-prefix`` and ``--short-version`` as a toolchain does, and speaks enough of the language
server's protocol: the tactic ``done`` ends a proof, ``step`` leaves a goal, other words misbehave.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import Any


def raw(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def say(message: object) -> None:
    body = json.dumps(message).encode()
    raw(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))


def read() -> dict[str, Any] | None:
    length = 0
    while line := sys.stdin.buffer.readline().strip():
        length = int(line.split(b":")[1])
    if not length:
        return None
    found = json.loads(sys.stdin.buffer.read(length))
    assert isinstance(found, dict)
    return found


def diagnostics(lines: list[str]) -> list[dict[str, Any]]:
    """Return what Lean would publish for the tactic on the last line but one."""
    by = next((i for i, line in enumerate(lines) if line.endswith(":= by")), -1)
    if by < 0:
        return []
    last = len(lines) - 1
    word = lines[last - 1].strip()
    begin = {"line": by, "character": 0 if word == "done" else len(lines[by]) - 2}
    span = {"start": begin, "end": {"line": 0 if word == "forge" else last, "character": 3}}
    if word in ("done", "forge"):
        return [{"range": span, "fullRange": span, "severity": 3, "leanTags": [2], "message": "Goals accomplished!"}]
    if word == "fail":
        return [{"range": span, "severity": 1, "message": "no"}]
    if word == "shapeless":
        return [{"severity": 1}]
    return [{"range": span, "fullRange": span, "severity": 1, "leanTags": [1], "message": "unsolved goals\n⊢ a"}]


def misbehave(word: str, request: int, version: int) -> bool:
    """Do what a word asks for; return whether the request is dealt with."""
    if word == "crash":
        os._exit(3)
    elif word == "hang":
        time.sleep(600)
    elif word == "rubbish":
        raw(b"Lean was here\n" * 100)
    elif word == "half":
        raw(b'Content-Length: 500\r\n\r\n{"jsonrpc":')
        os._exit(0)
    elif word == "huge":
        raw(b"Content-Length: 999999999999\r\n\r\n")
    elif word == "flood":
        while True:
            say({"jsonrpc": "2.0", "method": "$/lean/fileProgress", "params": {}})
    elif word == "requests":
        while True:
            say({"id": 7, "jsonrpc": "2.0", "method": "workspace/inlayHint/refresh"})
    elif word == "binary":
        raw(b"Content-Length: 4\r\n\r\n\xff\xfe\x00{")
    elif word == "list":
        say([1, 2])
    elif word == "deep":
        raw(b"Content-Length: 200000\r\n\r\n" + b"[" * 200_000)
    elif word == "refuse":
        say({"id": request, "jsonrpc": "2.0", "error": {"code": -32603, "message": "no"}})
    elif word == "stale":
        say(
            {"jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": {"version": 1, "diagnostics": []}}
        )
        say({"id": request, "jsonrpc": "2.0", "result": {}})
    elif word == "silent":
        say({"id": request, "jsonrpc": "2.0", "result": {}})
    elif word == "early":  # the answer to a question that was not asked yet
        say({"id": request + 1, "jsonrpc": "2.0", "result": {}})
        return False
    elif word == "close":
        os.close(1)
        time.sleep(600)
    elif word == "child":
        subprocess.Popen(["sleep", "600"])
        return False
    elif word == "noise":
        sys.stderr.write("x" * 1_000_000)
        return False
    elif word == "eat":
        hoard = []
        while True:
            hoard.append(b"x" * (1 << 24))
            time.sleep(0.01)
    else:
        return False
    return True


def serve() -> None:
    lines: list[str] = []
    version = 1
    while (message := read()) is not None:
        params = message.get("params") or {}
        if message.get("method") == "textDocument/didOpen":
            lines = params["textDocument"]["text"].split("\n")[:-1]
        elif message.get("method") == "textDocument/didChange":
            version, change = params["textDocument"]["version"], params["contentChanges"][0]
            start, end = change["range"]["start"]["line"], change["range"]["end"]["line"]
            lines[start:end] = change["text"].split("\n")[:-1]
        elif message.get("method") == "textDocument/waitForDiagnostics":
            word = lines[-2].strip() if len(lines) > 4 else ""
            if misbehave(word, message["id"], version):
                continue
            found = {"version": version, "diagnostics": diagnostics(lines)}
            say({"jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": found})
            say({"id": message["id"], "jsonrpc": "2.0", "result": {}})


def main() -> None:
    if sys.argv[2] == "--print-prefix":
        print(sys.argv[1])
    elif sys.argv[2] == "--short-version":
        print(os.environ.get("FAKE_LEAN_VERSION", "4.35.0"))
    else:
        serve()


if __name__ == "__main__":
    main()
