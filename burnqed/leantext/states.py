"""Proof states as text: reading Lean's print, and the one canonical form that training sees.

Lean's own printer groups neighbouring hypotheses of one type (`p q : Prop`) and LeanDojo separates
goals by a blank line; Pantograph's ``invocations`` separate them by a line break alone, and its
clients print one hypothesis per line. The canonical form is Lean's: grouped, with blank lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

NAME = re.compile(r"«[^»]*»[^\s:]*|[^\s:]+")
HYPOTHESIS = re.compile(r"((?:«[^»\n]*»\S*|[^\s:«]\S*)(?: (?:«[^»\n]*»\S*|[^\s:«]\S*))*) :(?=[ \n]|$)")
OPEN, CLOSE = "([{⟨⦃", ")]}⟩⦄"
NO_GOALS = ("", "no goals", "no goals!")


class StateError(ValueError):
    """The text is not a printed proof state."""


@dataclass(frozen=True)
class Hypothesis:
    """Names that share a type; ``rest`` is the text after their colon, further lines included."""

    names: tuple[str, ...]
    rest: str

    @property
    def has_value(self) -> bool:
        """Whether it is a `x : T := v`, which Lean never groups."""
        return _has_value(self.rest)

    def text(self) -> str:
        return f"{' '.join(self.names)} :{self.rest}"


@dataclass(frozen=True)
class Goal:
    """One goal: its case tag ("" without), hypotheses, and target line(s) with their `⊢` or `|`."""

    tag: str
    hypotheses: tuple[Hypothesis, ...]
    target: str

    def text(self) -> str:
        lines = [f"case {self.tag}"] if self.tag else []
        return "\n".join([*lines, *(h.text() for h in self.hypotheses), self.target])


def _has_value(rest: str) -> bool:
    if ":=" not in rest:
        return False
    depth = 0
    for at, char in enumerate(rest):
        if char in OPEN:
            depth += 1
        elif char in CLOSE:
            depth -= 1
        elif not depth and rest.startswith(":=", at):
            return True
    return False


def parse_state(text: str) -> list[Goal]:
    """Return the goals of a printed state, none for `no goals` and the empty text.

    Goals may be separated by blank lines or by line breaks. Raises StateError for other text.
    """
    text = text.replace("\r\n", "\n").strip("\n")
    if text.strip() in NO_GOALS:
        return []
    goals: list[Goal] = []
    tag, target, hypotheses = "", "", list[Hypothesis]()
    in_target = False
    for line in text.split("\n"):
        line = line.rstrip()
        if line[:1].isspace() and (target or hypotheses):  # a long type or target goes on
            if in_target:
                target += "\n" + line
            else:
                last = hypotheses[-1]
                hypotheses[-1] = Hypothesis(last.names, f"{last.rest}\n{line}")
            continue
        if in_target:  # anything else begins another goal
            goals.append(Goal(tag, tuple(hypotheses), target))
            tag, target, hypotheses, in_target = "", "", [], False
        if not line:
            if tag or hypotheses:
                raise StateError("a blank line within a goal")
        elif line.startswith(("⊢ ", "| ")) or line == "⊢":
            target, in_target = line, True
        elif line.startswith("case ") and not hypotheses and not tag:
            tag = line.removeprefix("case ")
        else:
            found = HYPOTHESIS.match(line)
            if found is None:
                raise StateError(f"not a hypothesis: '{line[:60]}'")
            hypotheses.append(Hypothesis(tuple(NAME.findall(found[1])), line[found.end() :]))
    if not in_target:
        raise StateError("a goal without '⊢'")
    goals.append(Goal(tag, tuple(hypotheses), target))
    return goals


def render_state(goals: list[Goal]) -> str:
    """Return goals as Lean prints them, separated by one blank line; `no goals` is the empty text."""
    return "\n\n".join(goal.text() for goal in goals)


def group_hypotheses(goal: Goal) -> Goal:
    """Return the goal with neighbouring hypotheses of equal type and without value on one line."""
    grouped: list[Hypothesis] = []
    for item in goal.hypotheses:
        if grouped and grouped[-1].rest == item.rest and not item.has_value:
            grouped[-1] = Hypothesis(grouped[-1].names + item.names, item.rest)
        else:
            grouped.append(item)
    return Goal(goal.tag, tuple(grouped), goal.target)


def canonical_state(text: str) -> str:
    """Return a state in Lean's own print; text that is no printed state stays, its ends stripped."""
    try:
        return render_state([group_hypotheses(goal) for goal in parse_state(text)])
    except StateError:
        return text.strip()


SEVERAL_NAMES = re.compile(r"^(?!case )[^\s⊢|:]+ [^\s:][^:\n]* :[ \n]", re.MULTILINE)


def shows_grouping(text: str) -> bool:
    """Return whether a state has a line with two names: the print of Lean itself, not of a client."""
    return SEVERAL_NAMES.search(text) is not None


def canonical_states(texts: list[str], regroup: bool = False) -> list[str]:
    """Return states in Lean's own print; ``regroup`` when their source shows one name per line.

    Lean's own print must not be regrouped: two neighbours whose types look alike but differ in what
    is not printed (universes) stay apart there.
    """
    return [canonical_state(text) if regroup else _plain(text) for text in texts]


def _plain(text: str) -> str:
    """Return a grouped state with the canonical separators; most texts are that already."""
    if "\r" not in text and text.count("⊢ ") <= 1:
        text = text.strip()
        return "" if text in NO_GOALS else text
    try:
        return render_state(parse_state(text))
    except StateError:
        return text.strip()
