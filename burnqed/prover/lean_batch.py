"""Several tactics on one state by one edit: each in a block of its own, on a copy of the state's first goal.

Most of what an edit costs the server does not depend on the tactic, so a document that tries eight
of them costs little more than two of one. A block `· (tactic)` recovers from errors as the whole
proof does: what it reports about its tactic is what a document with that tactic alone reports, up to
the copy's name. What a copy cannot show is asked alone: finished proofs, tactics that reach for
goals by name or number, states with metavariables (which copies would share), time limits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from burnqed.leantext.states import CLOSE, OPEN
from burnqed.leantext.tokens import LexicalError, tokens
from burnqed.prover.lean_diagnostics import ERROR, UNSOLVED, Diagnostic, Place
from burnqed.prover.lean_document import judge_block, normalised, over_limit, step_lines
from burnqed.prover.steps import Outcome, Step

MIN_TACTICS = 3  # fewer are as fast one by one

_COPY = "burnqed_copy"
_SHOW = "burnqed_show"
_TAG = re.compile(rf"^case {_COPY}\d+(?:\.(.+))?$\n?", re.MULTILINE)
_HOLE = re.compile(rf"\?{_COPY}\d+\b(?:\.(\w+))?")
_PARSER = re.compile(r"<input>|unexpected |expected |unterminated |missing |invalid |elaboration function for")
_BY_NAME = frozenset({"case", "case'", "next", "let", "rec", "set_option", _SHOW})
# With further goals behind the first, only what is sure to look at the first alone.
_FIRST_ONLY = frozenset(
    "ac_rfl apply assumption by_cases cases change clear congr constructor contradiction decide dsimp exact exfalso "
    "exists ext field_simp funext generalize have induction injection intro intros left linarith nlinarith norm_num "
    "obtain omega positivity push_neg rcases refine replace revert rewrite rfl right ring ring_nf rw simp simp_all "
    "simp_arith simpa specialize split subst symm trivial unfold use".split()
)
_OTHER_GOALS = frozenset(
    "all_goals any_goals assumption' done iterate on_goal pick_goal repeat repeat' rotate_left rotate_right show stop "
    "swap".split()
)


def can_copy(state: str) -> bool:
    """Return whether the goals of a state stand on their own, so that copies of one share nothing."""
    return bool(state) and "?" not in state and _COPY not in state


def can_join(tactic: str, alone: bool) -> bool:
    """Return whether a tactic does on a copy what it does on the state; ``alone``: the state is one goal."""
    try:
        code = [token for token in tokens(tactic) if token.kind != "comment"]
    except LexicalError:
        return False
    names = {token.text for token in code if token.kind == "name"}
    if not code or names & _BY_NAME or _COPY in tactic:
        return False
    depth, question = 0, -1
    for token in code:
        if token.kind == "symbol":
            depth += token.text in OPEN
            depth -= token.text in CLOSE
            if depth < 0:
                return False
            question = token.start + 1 if token.text == "?" else -1
        else:
            if token.kind == "name" and token.start == question and token.text != "_":
                return False  # a hole by name, which another copy may have made too
            question = -1
    if depth:
        return False
    if alone:
        return True
    several = any(token.kind == "symbol" and token.text in ";·" for token in code) or "\n" in tactic.strip()
    return code[0].text in _FIRST_ONLY and not several and not names & _OTHER_GOALS


@dataclass(frozen=True)
class Batch:
    """A document that tries tactics on copies of a state's first goal. Lines count from 0."""

    lines: list[str]
    tactics: Sequence[str]
    blocks: Sequence[tuple[int, int]]  # of each tactic: first line, line after its last
    goals: Sequence[str]  # the state's, in canonical form
    first: int  # the line after the prefix

    @classmethod
    def of(cls, prefix: Sequence[str], state: str, tactics: Sequence[str]) -> Batch:
        """Return the document; ``prefix`` is its lines up to the state."""
        goals = state.split("\n\n")
        lines = list(prefix)
        copies = range(len(tactics) + 1)
        binders, holes = " ".join(f"x{i}" for i in copies), " ".join(f"?{_COPY}{i}" for i in copies)
        # `@(...)`: for any other term Lean would introduce the goal's implicit binders.
        lines.append(f"  refine @((fun (α : Sort _) ({binders} : α) => x0) _ {holes})")
        lines.append(f'  · fail "{_SHOW}"')  # its error shows the copy
        blocks = []
        for tactic in tactics:
            begin = len(lines)
            opening, *inner = step_lines(tactic)
            lines += [f"  · {opening.strip()}", *(f"  {line}" for line in inner)]
            blocks.append((begin, len(lines)))
        if len(goals) > 1:
            lines.append("  all_goals sorry")
        return cls(lines, tactics, blocks, goals, len(prefix))

    def judge(self, diagnostics: Sequence[Diagnostic]) -> tuple[list[Step | None], int]:
        """Return the answer to each tactic, None where it is to be asked again; and from which tactic on together.

        No message is no answer: the tactic finished the goal, or Lean did not come to it, because a
        text before it does not parse or met a limit. Only in that case the second is not the number
        of tactics.
        """
        count = len(self.tactics)
        answers: list[Step | None] = [None] * count
        errors = [each for each in diagnostics if each.severity == ERROR]
        within: list[list[Diagnostic]] = [[] for _ in self.blocks]
        shown = ""
        for each in errors:
            at = self._block(each.begin)
            if at >= 0:
                within[at].append(each)
            elif each.begin[0] == self.first + 1 and each.text.startswith(_SHOW):
                shown = self._plain(each.text).partition("\n")[2].strip()
            elif UNSOLVED not in each.tags:  # of the whole proof: what stands after a text that does not parse
                return answers, count
        if shown != self.goals[0]:
            return answers, count
        last = max((at for at, found in enumerate(within) if found), default=-1)
        stopped = last >= 0 and (over_limit(within[last]) or any(_PARSER.match(each.text) for each in within[last]))
        for at, (tactic, found) in enumerate(zip(self.tactics, within, strict=True)):
            answers[at] = self._answer(at, tactic, found)
        return answers, last + 1 if stopped else count

    def _block(self, place: Place) -> int:
        return next((i for i, (begin, end) in enumerate(self.blocks) if begin <= place[0] < end), -1)

    def _plain(self, text: str) -> str:
        """Return Lean's words with a copy's name made the state's own."""
        tag = self.goals[0].split("\n", 1)[0].removeprefix("case ") if self.goals[0].startswith("case ") else ""

        def own(found: re.Match[str]) -> str:
            name = ".".join(part for part in (tag, found[1]) if part)
            return f"case {name}\n" if name else ""

        def hole(found: re.Match[str]) -> str:
            return "?" + (".".join(part for part in (tag, found[1]) if part) or "_")

        return normalised(_HOLE.sub(hole, _TAG.sub(own, text)))

    def _answer(self, at: int, tactic: str, found: Sequence[Diagnostic]) -> Step | None:
        begin, end = self.blocks[at]
        rest = self.goals[1:]
        if not found or over_limit(found):
            return None
        plain = [replace(each, text=self._plain(each.text)) for each in found]
        step = judge_block((begin, 2), (end - 1, 5), tactic, plain)
        if step.outcome is Outcome.OK and rest:
            return Step(Outcome.OK, "\n\n".join([step.text, *rest]), step.num_goals + len(rest))
        return step
