"""What the answers of a Pantograph REPL mean, and how its goals read as Lean's own state text.

The protocol is that of leanprover/Pantograph 0.3.1 and later (``Pantograph/Protocol.lean``,
``doc/repl.md``). Messages are plain strings up to 0.3.3 and objects since 0.3.4; both are accepted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from burnqed.prover.steps import Outcome

MIN_VERSION = (0, 3, 1)  # older servers answer failures in `tacticErrors`, which would read as success
DISTIL_VERSION = (0, 3, 6)  # first version with frontend.distil and frontend.track

_STRING_ERROR = re.compile(r"^(?:[^\n:]*:\d+:\d+:\s*)?error\b")
_SORRY = re.compile(r"\buses\s+[`'‘]?sorry(?:Ax)?\b|\bsorryAx\b")


class Answer(NamedTuple):
    """A classified answer to ``goal.tactic``.

    ``state`` is the id the server gave to the new state, also when the step is refused here (a
    step with ``sorry`` makes a state): whoever holds the process must delete it.
    """

    outcome: Outcome
    state: int | None
    goals: tuple[Mapping[str, Any], ...]
    message: str


def parse_version(text: str) -> tuple[int, int, int] | None:
    """Return the version in the output of ``--version``, or None when there is none."""
    found = re.search(r"(\d+)\.(\d+)\.(\d+)", text)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def message_text(message: object) -> str:
    """Return the text of one message, a string or an object with ``data``."""
    if isinstance(message, dict):
        return str(message.get("data", ""))
    return str(message)


def is_error(message: object) -> bool:
    """Return whether a message has error severity (in a string message: starts with ``error``)."""
    if isinstance(message, dict):
        return message.get("severity") == "error"
    return bool(_STRING_ERROR.match(str(message)))


def mentions_sorry(message: object) -> bool:
    """Return whether a message says that a declaration rests on ``sorry``, in any known wording."""
    if isinstance(message, dict) and message.get("kind") == "hasSorry":
        return True
    return bool(_SORRY.search(message_text(message)))


def join_messages(messages: object) -> str:
    """Return the texts of an answer's messages, one per line block."""
    items = messages if isinstance(messages, Sequence) and not isinstance(messages, str) else [messages]
    return "\n".join(text for text in (message_text(item).strip() for item in items) if text)


def well_formed(goals: Sequence[object]) -> bool:
    """Return whether each goal is an object with a target and, if any, a list of variables."""
    for goal in goals:
        if not isinstance(goal, dict) or "target" not in goal:
            return False
        variables = goal.get("vars", ())
        if not isinstance(variables, (list, tuple)) or not all(isinstance(row, dict) for row in variables):
            return False
    return True


def classify(response: Mapping[str, Any]) -> Answer:
    """Classify an answer to ``goal.tactic``.

    A proof counts only with ``goals == []`` and ``hasSorry`` and ``hasUnsafe`` both present and
    false. An unknown state id (category ``index``) means that server and client disagree about
    which states exist, and goals of another shape that it is no Pantograph, so both are a CRASH:
    the process must be replaced.
    """
    if "error" in response:
        category, text = str(response["error"]), str(response.get("desc", ""))
        if text == "interrupt":
            return Answer(Outcome.TIMEOUT, None, (), "the tactic took longer than the time limit")
        if category == "index":
            return Answer(Outcome.CRASH, None, (), f"index: {text}")
        return Answer(Outcome.ERROR, None, (), f"{category}: {text}")
    state = response.get("nextStateId")
    state = state if isinstance(state, int) else None
    if "parseError" in response:
        return Answer(Outcome.ERROR, state, (), str(response["parseError"]))
    messages = response.get("messages", [])
    text = join_messages(messages) if messages else ""
    goals = response.get("goals")
    if state is None or goals is None:
        return Answer(Outcome.ERROR, state, (), text or "the tactic failed without a message")
    if not isinstance(goals, list) or not well_formed(goals):
        return Answer(Outcome.CRASH, None, (), f"goals of an unknown shape: {str(goals)[:200]}")
    if response.get("hasSorry") is not False:
        return Answer(Outcome.ERROR, state, (), "the tactic uses sorry")
    if response.get("hasUnsafe") is not False:
        return Answer(Outcome.ERROR, state, (), "the tactic uses an unsafe definition")
    if messages and isinstance(messages, list) and any(is_error(item) for item in messages):
        return Answer(Outcome.ERROR, state, (), text)
    return Answer(Outcome.OK if goals else Outcome.PROVED, state, tuple(goals), text)


def _variable_name(variable: Mapping[str, Any]) -> str:
    name, hidden = str(variable.get("userName", "")), variable.get("isInaccessible")
    if not name or name == "[anonymous]":
        name = "inst" if hidden else "x"
    return f"{name}✝" if hidden and "✝" not in name else name


def _text(expression: object) -> str:
    return str(expression.get("pp", "")) if isinstance(expression, dict) else str(expression)


def render_goal(goal: Mapping[str, Any]) -> str:
    """Return one goal as Lean prints it: ``case`` line, grouped hypotheses, ``⊢`` and target.

    Neighbouring hypotheses with the same type and no value share a line, as in Lean's ``ppGoal``.
    """
    lines: list[str] = []
    tag = goal.get("userName")
    if tag and tag != "[anonymous]":
        lines.append(f"case {tag}")
    names: list[str] = []
    pending = ""
    for variable in goal.get("vars", ()):
        kind, name = _text(variable.get("type", "")), _variable_name(variable)
        value = variable.get("value")
        if names and (value is not None or kind != pending):
            lines.append(f"{' '.join(names)} : {pending}")
            names = []
        if value is not None:
            lines.append(f"{name} : {kind} := {_text(value)}")
        else:
            names.append(name)
            pending = kind
    if names:
        lines.append(f"{' '.join(names)} : {pending}")
    bar = "|" if goal.get("fragment") == "conv" else "⊢"
    lines.append(f"{bar} {_text(goal.get('target', ''))}")
    return "\n".join(lines)


def render_goals(goals: Sequence[Mapping[str, Any]]) -> str:
    """Return a state as Lean prints it: its goals, separated by one blank line."""
    return "\n\n".join(render_goal(goal) for goal in goals)
