"""Whole-proof continuations: how a model is asked for the rest of a proof, and how its text becomes tactics.

The counterpart of ``prompts`` for answers of many tactics. The forms of DeepSeek-Prover-V2 (model card),
Goedel-Prover-V2 (its repository) and Kimina-Prover (kimina-prover-rl) are their chat turns with the answer
begun; the model then writes what it was trained to write, a proof after ``:= by``, without thinking first. The
other models have published no form for whole proofs, so theirs are variants of the single-tactic form, which
fine-tuning teaches (``sft.continuation_share``).
"""

from __future__ import annotations

import textwrap
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from burnqed.policy.prompts import FENCE, KIMINA_SYSTEM, OPENING_FENCE, PromptFormat, strip_preamble

LOGPROB_DECIMALS = 6


@dataclass(frozen=True)
class Continuation:
    """The rest of a proof: its tactics, each with the log-probability of its tokens (temperature 1)."""

    steps: tuple[tuple[str, float], ...]
    num_tokens: int

    @property
    def logprob(self) -> float:
        """The log-probability of all steps together."""
        return sum(logprob for _, logprob in self.steps)


@dataclass(frozen=True)
class ContinuationForm(PromptFormat):
    """One text form of (state, rest of the proof).

    With ``as_example`` the first goal of the state is shown as a declaration ``example .. : .. := by``
    in place of Lean's print, with ``hole`` for its proof, and the proof is indented under it.
    """

    as_example: bool = False
    hole: str = "\n  sorry"

    def prompt(self, state: str) -> str:
        """Return the text the model is given for a state."""
        if not self.as_example:
            return super().prompt(state)
        example = example_of(state)
        return f"{self.before}{example}{self.hole}\n{FENCE}{self.after}{example}\n"

    def completion(self, tactic: str) -> str:
        """Return the text the model is to answer: all tactics of the rest, one under the other."""
        return super().completion(textwrap.indent(tactic, "  ") if self.as_example else tactic)

    def cut(self, text: str) -> tuple[str, bool]:
        """Return the proof in an answer, and whether something in the answer ended it."""
        start, end, ended = self._span(text)
        return text[start:end], ended

    def _span(self, text: str) -> tuple[int, int, bool]:
        """Return where the proof stands in an answer, and whether something ended it."""
        fence = OPENING_FENCE.match(text.lstrip())
        start = len(text) - len(text.lstrip()) + fence.end() if fence else 0
        marks = [mark for mark in (FENCE, *self.stops, self.end.strip()) if mark]
        found = [at for mark in marks if (at := text.find(mark, start)) >= 0]
        end = min(found, default=len(text))
        start = end - len(strip_preamble(text[start:end]))
        return start, end, bool(found)

    def units(self, text: str, finished: bool) -> list[tuple[str, int]]:
        """Return the tactics of an answer, each with the place in the answer where it ends.

        The last tactic of an unfinished answer is left out, as it may be cut. A banned tactic ends the
        proof before it: nothing after it could be reached.
        """
        from burnqed.leantext.banned import banned_construct
        from burnqed.leantext.scripts import split_tactics

        start, end, ended = self._span(text)
        units = split_tactics(text[start:end])
        if not (finished or ended):
            units = units[:-1]
        good: list[tuple[str, int]] = []
        for unit in units:
            if banned_construct(unit.tactic) is not None:
                break
            good.append((unit.tactic, start + unit.end))
        return good


CONTINUATIONS: dict[str, ContinuationForm] = {
    form.name: form
    for form in (
        ContinuationForm(
            "deepseek",
            f"<｜User｜>Complete the following Lean 4 code:\n\n{FENCE}lean4\n",
            f"<｜Assistant｜>{FENCE}lean4\n",
            end=f"\n{FENCE}",
            as_example=True,
        ),
        ContinuationForm(
            "goedel_prover",
            f"<|im_start|>user\nComplete the following Lean 4 code:\n\n{FENCE}lean4\n",
            f"<|im_end|>\n<|im_start|>assistant\n{FENCE}lean4\n",
            end=f"\n{FENCE}",
            as_example=True,
            hole=" sorry",
        ),
        ContinuationForm(
            "kimina_prover",
            f"{KIMINA_SYSTEM}<|im_start|>user\nThink about and solve the following problems step by step in Lean 4.\n\n"
            f"# Formal Statement:\n{FENCE}lean4\n",
            f"\n<|im_end|>\n<|im_start|>assistant\n{FENCE}lean4\n",
            end=f"\n{FENCE}",
            as_example=True,
            hole="",
        ),
        ContinuationForm("bfs_prover", "", "\n:::proof:::", stops=(":::",)),
        ContinuationForm(
            "internlm_stepprover",
            "<|im_start|>user\n---\nNAME: \n\n---\nSTATE_BEFORE: ",
            "\n\n---\nPROOF: <|im_end|>\n<|im_start|>assistant\n",
            end="<|im_end|>",
            stops=("---", "STATE_BEFORE"),
        ),
        ContinuationForm("goal_proofstep", "[GOAL]", "[PROOF]", stops=("[GOAL]", "[PROOF")),
    )
}


def example_of(state: str) -> str:
    """Return the first goal of a printed state as ``example (x : T) .. : target := by``.

    A hypothesis without an accessible name becomes ``_``, an instance ``[T]``.
    """
    entries: list[str] = []
    for line in state.strip().split("\n\n")[0].splitlines():
        if line[:1].isspace() and entries:
            entries[-1] += f" {line.strip()}"
        elif not line.startswith("case "):
            entries.append(line.strip())
    binders, target = [], ""
    for entry in entries:
        names, _, kind = entry.partition(" : ")
        if entry.startswith("⊢"):
            target = entry[1:].strip()
        elif names.startswith("inst✝"):
            binders.append(f"[{kind}]")
        else:
            names = " ".join("_" if "✝" in name else name for name in names.split())
            binders.append(f"({names} : {kind})" if kind else f"({entry})")
    return f"example {''.join(binder + ' ' for binder in binders)}: {target} := by"


def continuation_of(
    form: ContinuationForm, text: str, logprobs: Sequence[float], place: Callable[[int], int], finished: bool
) -> Continuation | None:
    """Return the continuation that an answer holds, None when it holds no tactic.

    ``place(n)`` is the number of characters of the answer's first n tokens. A token belongs to the first
    tactic that ends at or behind its own end; what stands behind the last tactic, the end of the text
    above all, belongs to it when the answer was finished.
    """
    units = form.units(text, finished)
    if not units:
        return None
    counts = range(len(logprobs) + 1)
    cuts = [bisect_left(counts, end, key=place) for _, end in units]
    if finished and not text[units[-1][1] :].strip():
        cuts[-1] = len(logprobs)
    sums = [round(sum(logprobs[a:b]), LOGPROB_DECIMALS) for a, b in zip([0, *cuts], cuts, strict=False)]
    return Continuation(tuple((tactic, sums[i]) for i, (tactic, _) in enumerate(units)), len(logprobs))


def collect_continuations(found: Iterable[Continuation | None]) -> list[Continuation]:
    """Return one continuation per list of tactics (its most probable one), most probable first."""
    best: dict[tuple[str, ...], Continuation] = {}
    for item in found:
        if item is None:
            continue
        key = tuple(tactic for tactic, _ in item.steps)
        known = best.get(key)
        if known is None or (item.logprob, -item.num_tokens) > (known.logprob, -known.num_tokens):
            best[key] = item
    return [best[key] for key in sorted(best, key=lambda key: (-best[key].logprob, key))]
