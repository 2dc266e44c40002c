"""The one document a Lean server holds: a theorem, the tactics so far, one candidate; and what its diagnostics say.

The text is that of a Lean file, each tactic in parentheses of its own, so that none can attach to
what stands before it, and so that a candidate that is kept need not run again. Line 0 is a comment of ours: errors without a position are reported there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from burnqed.leantext.states import canonical_states
from burnqed.leantext.tokens import LexicalError, tokens
from burnqed.prover.lean_diagnostics import ACCOMPLISHED, ERROR, UNSOLVED, WARNING, Diagnostic, Place
from burnqed.prover.leanfile import indent_tactic
from burnqed.prover.starting import declaration
from burnqed.prover.steps import Outcome, StatementError, Step
from burnqed.records.theorems import Theorem

NAME = "burnqed_statement"  # the theorem's name in the document; no model writes it
FIRST = "-- the statement and its proof so far"
# An edit after the second command leaves the server's view of imports alone: a fifth of its work otherwise.
COMMANDS = ("section", "section")

_IMPORT = re.compile(r"\s*(?:module|prelude|(?:public\s+|meta\s+)*import\s.*)\s*$")
_METAVARIABLE = re.compile(r"\?([mu])\.(\d+)")
_UNIQUE = re.compile(r"\b(_uniq|_fvar|_mvar)\.\d+")
_HYGIENE = re.compile(r"\._@[\w.«»:]*?\._hyg(?:Ctx\._hyg)?\.\d+")
_LIMIT = re.compile(r"\(deterministic\) timeout at|\(kernel\) deterministic timeout|maximum number of heartbeats")
_LEFT_OPEN = re.compile(r"declaration has metavariables")
_CONCEALED = re.compile(r"\b(?:sorry|admit|sorryAx|stop)\b|\b(?:apply|rw|rw\?)\?")


def header_of(theorem: Theorem, modules: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the lines of a theorem's header: what it imports, with ``modules``, and the rest."""
    lines = theorem.header.replace("\r\n", "\n").split("\n")
    found = [" ".join(line.split()) for line in lines if _IMPORT.match(line)]
    first = [line for line in found if line in ("module", "prelude")]
    wanted = [f"import {name}" for name in modules] + [line for line in found if line not in first]
    rest = [line for line in lines if not _IMPORT.match(line)]
    return (*first, *dict.fromkeys(wanted)), tuple(rest) if any(line.strip() for line in rest) else ()


def opening_lines(imports: Sequence[str]) -> tuple[str, ...]:
    """Return the lines that all documents with the same import lines begin with."""
    return (FIRST, *imports, *COMMANDS)


@dataclass(frozen=True)
class Frame:
    """What stands around the tactics: the lines up to ``:= by``, where the theorem begins, where ``by`` stands."""

    lines: tuple[str, ...]
    imports: tuple[str, ...]
    first: int  # the declaration's first line
    by: tuple[int, int]  # line and UTF-16 column

    @classmethod
    def of(cls, theorem: Theorem, modules: Sequence[str]) -> Frame:
        """Return the frame of a theorem."""
        imports, rest = header_of(theorem, modules)
        head = (*opening_lines(imports), *rest)
        lines = (*head, *declaration(theorem, "by", NAME).replace("\r\n", "\n").split("\n"))
        column = len(lines[-1].encode("utf-16-le", "replace")) // 2 - 2
        return cls(lines, imports, len(head), (len(lines) - 1, column))


def step_lines(tactic: str) -> tuple[str, ...]:
    """Return the lines of one tactic in the document."""
    return ("  (", *(f" {line}" for line in indent_tactic(tactic.replace("\r\n", "\n")).split("\n")), "  )")


def body_lines(tactics: Sequence[str]) -> list[str]:
    """Return the lines of tactics, one after another."""
    return [line for tactic in tactics for line in step_lines(tactic)]


def normalised(text: str) -> str:
    """Return Lean's words with the numbers that differ between two runs made the same."""
    if "?" in text and _METAVARIABLE.search(text):
        seen: dict[str, int] = {}
        text = _METAVARIABLE.sub(lambda found: f"?{found[1]}.{seen.setdefault(found[0], len(seen) + 1)}", text)
    if "_" in text:
        text = _HYGIENE.sub("", _UNIQUE.sub(r"\1", text))
    return text


def goals_text(message: str) -> tuple[str, int]:
    """Return the state that an ``unsolved goals`` message shows, in canonical form, and its number of goals."""
    text = canonical_states([normalised(message.partition("\n")[2])])[0]
    return text, text.count("\n\n") + 1 if text else 0


def _message(diagnostics: Sequence[Diagnostic]) -> str:
    return normalised("\n".join(each.text.strip() for each in diagnostics))


def conceals(tactic: str) -> bool:
    """Return whether a tactic may admit a goal, which Lean reports only when no goal is left."""
    if _CONCEALED.search(tactic) is None:
        return False
    try:
        hidden = [token for token in tokens(tactic) if token.kind in ("comment", "string")]
    except LexicalError:
        return True
    for token in reversed(hidden):
        tactic = f"{tactic[: token.start]} {tactic[token.start + len(token.text) :]}"
    return _CONCEALED.search(tactic) is not None


def over_limit(errors: Sequence[Diagnostic]) -> bool:
    """Return whether a tactic met Lean's own limit of work."""
    return any(_LIMIT.search(each.text) for each in errors)


def judge_block(begin: Place, end: Place, tactic: str, errors: Sequence[Diagnostic]) -> Step:
    """Return what the errors, at least one, of a block say of its last tactic; the block stands between two places."""
    if over_limit(errors):
        return Step(Outcome.TIMEOUT, message=_message(errors))
    unsolved = [each for each in errors if UNSOLVED in each.tags and each.spans(begin, end)]
    if len(unsolved) == 1:
        others = [each for each in errors if each is not unsolved[0] and not _LEFT_OPEN.search(each.text)]
        if others:
            return Step(Outcome.ERROR, message=_message(others))
        if conceals(tactic):
            return Step(Outcome.ERROR, message="the tactic uses sorry")
        text, goals = goals_text(unsolved[0].text)
        return Step(Outcome.OK, text, goals)
    said = [each for each in errors if UNSOLVED not in each.tags or each.begin != begin]
    return Step(Outcome.ERROR, message=_message(said) or "the text ends the block of tactics it stands in")


def judge(frame: Frame, last: int, tactic: str, diagnostics: Sequence[Diagnostic]) -> Step:
    """Return what a document's diagnostics say of its last tactic; ``last`` is the line that closes it.

    PROVED only with Lean's own word that the whole declaration, as we wrote it, has neither an error
    nor a ``sorry``; OK only when the one error is ``unsolved goals`` of our ``by`` as a whole.
    """
    end = (last, 3)
    errors = [each for each in diagnostics if each.severity == ERROR]
    if errors:
        return judge_block(frame.by, end, tactic, errors)
    if any(ACCOMPLISHED in each.tags and each.spans((frame.first, 0), end) for each in diagnostics):
        return Step(Outcome.PROVED)
    warnings = [each for each in diagnostics if each.severity == WARNING]
    return Step(Outcome.ERROR, message=_message(warnings) or "Lean did not say that the proof is complete")


def errors_within(diagnostics: Sequence[Diagnostic], first: int, end: int) -> bool:
    """Return whether an error begins in the lines from ``first`` up to, not including, ``end``."""
    return any(each.severity == ERROR and first <= each.begin[0] < end for each in diagnostics)


def opening(frame: Frame, last: int, diagnostics: Sequence[Diagnostic]) -> tuple[str, int]:
    """Return a theorem's first state from the diagnostics of the document whose one tactic is ``skip``.

    Raises StatementError with Lean's reason when header or statement have an error.
    """
    early = [each for each in diagnostics if each.severity == ERROR and each.begin[0] < frame.first]
    if early:
        raise StatementError(f"header refused: {_message(early)}")
    step = judge(frame, last, "skip", diagnostics)
    if step.outcome is not Outcome.OK:
        raise StatementError(step.message or f"no goal to begin with ({step.outcome})")
    return step.text, step.num_goals
