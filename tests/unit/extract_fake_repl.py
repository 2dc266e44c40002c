"""A scripted stand-in for Pantograph's repl that answers ``frontend.process`` with invocations.

Each declaration is one unit and each line of its proof one tactic; the state before line i of
theorem n reads ``⊢ n.i``. A declaration with ``wrong`` in its name has an error, one with ``sorry``
a warning. Usage: extract_fake_repl.py
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any


def steps(name: str, proof: bytes) -> list[dict[str, str]]:
    """The tactics of a proof's lines, each with the states around it."""
    lines = [line.strip().removeprefix("· ") for line in proof.decode().splitlines() if line.strip()]
    states = [*(f"⊢ {name}.{number}" for number in range(len(lines))), ""]
    return [
        {"goalBefore": states[number], "tactic": line, "goalAfter": states[number + 1]}
        for number, line in enumerate(lines)
    ]


def process(text: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The units of a file, and those of the side file."""
    data = text.encode()
    starts = [match.start() for match in re.finditer(rb"^theorem ", data, re.MULTILINE)]
    units, records = [], []
    for start, end in zip(starts, [*starts[1:], len(data)], strict=True):
        head, _, proof = data[start:end].partition(b":= by\n")
        name = head.split()[1].decode()
        messages = [{"severity": "error", "data": "Type mismatch"}] if "wrong" in name else []
        if b"sorry" in proof:
            messages.append({"severity": "warning", "data": "declaration uses 'sorry'"})
        units.append({"boundary": [start, end], "messages": messages, "newConstants": [name]})
        records.append({"invocations": steps(name, proof)})
    return units, records


def main() -> None:
    if "--version" in sys.argv:
        print("0.3.15")
        return
    print("ready.", flush=True)
    for line in sys.stdin:
        command, _, text = line.partition(" ")
        payload = json.loads(text)
        answer: dict[str, Any] = {}
        if command == "frontend.process":
            units, records = process(payload["file"])
            answer = {"units": units}
            if "invocations" in payload:
                Path(payload["invocations"]).write_text(json.dumps({"units": records}), encoding="utf-8")
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
