"""Speaking as Pantograph 0.3.4 (Lean 4.21) did: its commands, error categories and wording.

For clients that must get along with older servers too. What differs is read off the two recordings of
Pantograph's own tests.
"""

from __future__ import annotations

import re
from typing import Any

VERSION = "0.3.4"
# Commands that came with 0.3.5 to 0.3.8.
LATER = frozenset(("env.parse", "frontend.refactor", "frontend.distil", "frontend.track", "goal.subsume"))


def reword(text: str) -> str:
    """A message in the words of Lean 4.21: no blank line before the goal, other quotes."""
    text = re.sub(r"^Tactic `([\w!?']+)` failed: ", r"tactic '\1' failed, ", text)
    text = re.sub(r"^Tactic `([\w!?']+)` failed", r"tactic '\1' failed", text)
    text = text.replace("declaration uses `sorry`", "declaration uses 'sorry'")
    before, gap, goal = text.rpartition("\n\n")
    return f"{before}\n{goal}" if gap and "⊢ " in goal else text


def answer(command: str, new: dict[str, Any]) -> dict[str, Any]:
    """The answer to `command` as 0.3.4 gave it."""
    if new == {"error": "io", "desc": "interrupt"}:
        return {"error": "internal", "desc": "interrupt"}
    if "messages" in new:
        return {**new, "messages": [{**m, "data": reword(m["data"])} for m in new["messages"]]}
    if command == "frontend.process" and "units" in new:
        return {"units": [answer("", unit) for unit in new["units"]]}
    return new
