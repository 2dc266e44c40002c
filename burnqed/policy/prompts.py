"""Prompt formats: how a proof state becomes a prompt, and a model's text becomes one tactic.

Training and search build their text and their tokens from the same functions. The prompt is
tokenised alone and the completion's tokens are appended, so the tokens of a prompt never depend on
what follows it; a merge across the border (such as "```" + newline) cannot happen.

goedel_prover and kimina_prover are the same adaptation in the chat turn of those models.

internlm_stepprover leaves NAME and PROOF_BEFORE empty, in training and in search alike: a prompt is a function of
the state alone. A search keeps one node per state, however it was reached, and tactic pairs do not hold the proof
before them. So the published model sees less than it was trained on; fine-tuning teaches it the form without both.

Sources of the formats: DeepSeek-Prover-V1.5/V2 repositories (text "Complete the following Lean 4
code"; the state comment in a closed fence is a step-level adaptation), BFS-Prover-V2 model card,
InternLM2.5-StepProver (InternLM-Math repository, minif2f), llmstep and LeanDojo-v2 (GOAL/PROOFSTEP).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

FENCE = "```"
OPENING_FENCE = re.compile(r"\A```[A-Za-z0-9]*[ \t]*(?:\n|\Z)")
_BLOCK_COMMENT = re.compile(r"\A/-.*?-/[ \t]*\n?", re.DOTALL)
_LINE_COMMENT = re.compile(r"\A--[^\n]*(?:\n|\Z)")
_DECLARATION = re.compile(r"\A(?:theorem|lemma|example)\b.*?:=\s*by\b[ \t]*\n?", re.DOTALL)
# A line at the left margin that starts like this goes on with the tactic above it.
_CONTINUES = re.compile(r"(?:[|·.)\]}⟩_]|<;>|;|at\b|with\b|using\b|generalizing\b|from\b|else\b|then\b)")
# A line that ends like this needs the next one.
_OPEN_END = re.compile(r"(?::=|=>|\bby|\bwith|\bdo|\bthen|\belse|\bfrom|\bcalc|\bfirst|<;>|[,(\[{⟨+*/=<>≤≥∧∨→↔-])\s*\Z")
_PAIRS = {"(": ")", "[": "]", "{": "}", "⟨": "⟩"}


@dataclass(frozen=True)
class PromptFormat:
    """One text form of (state, tactic).

    ``before`` and ``after`` enclose the state; ``lead`` and ``end`` enclose the tactic in the
    completion (the tokenizer's end-of-sequence token follows ``end``); any text of ``stops`` in an
    answer ends the tactic.
    """

    name: str
    before: str
    after: str
    lead: str = ""
    end: str = ""
    stops: tuple[str, ...] = ()

    def prompt(self, state: str) -> str:
        """Return the text the model is given for a state."""
        return f"{self.before}{state}{self.after}"

    def completion(self, tactic: str) -> str:
        """Return the text the model is to answer, with the format's own end marker if it has one."""
        return f"{self.lead}{tactic}{self.end}"

    def extract(self, text: str) -> str:
        """Return the one tactic in a model's answer, or "" when there is none."""
        return self.cut(text)[0]

    def is_complete(self, text: str) -> bool:
        """Return whether the answer so far holds a whole tactic that more text cannot change."""
        return self.cut(text)[1]

    def cut(self, text: str) -> tuple[str, bool]:
        """Return the tactic in an answer and whether something in the answer ended it.

        Tolerated, because models do it: an opening code fence, comments before the tactic, a whole
        declaration before it, and more tactics after it (the first one counts). A tactic may span
        lines: indented lines, open brackets and lines that start or end like a continuation belong
        to it.
        """
        body, ended = text, False
        fence = OPENING_FENCE.match(body.lstrip())
        if fence:
            body = body.lstrip()[fence.end() :]
        start = len(body) - len(body.lstrip())
        marks = (FENCE, *self.stops, *([self.end] if self.end else []))
        found = [at for mark in marks if (at := body.find(mark, start)) >= 0]
        if found:
            body, ended = body[: min(found)], True
        body = strip_preamble(body)
        tactic, more = _first_tactic(body)
        return tactic, ended or more


def strip_preamble(text: str) -> str:
    """Drop comments and an echoed declaration from the start of an answer; keep its indentation."""
    while True:
        body = text.lstrip()
        match = _BLOCK_COMMENT.match(body) or _LINE_COMMENT.match(body) or _DECLARATION.match(body)
        if match is None or match.end() == 0:
            return text
        text = body[match.end() :]


def _open_brackets(text: str) -> int:
    return sum(text.count(left) - text.count(right) for left, right in _PAIRS.items())


def _first_tactic(text: str) -> tuple[str, bool]:
    """Return the first tactic of a block of lines, and whether another one follows."""
    lines = text.strip("\n").splitlines()
    while lines and not lines[0].strip():
        lines.pop(0)
    if not lines:
        return "", False
    margin = len(lines[0]) - len(lines[0].lstrip())
    taken = [lines[0].strip()]
    for number, line in enumerate(lines[1:], 1):
        if not line.strip():
            if any(rest.strip() for rest in lines[number:]):
                return "\n".join(taken).rstrip(), True
            break
        indent = len(line) - len(line.lstrip())
        joined = "\n".join(taken)
        goes_on = (
            indent > margin or _CONTINUES.match(line.lstrip()) or _open_brackets(joined) > 0 or _OPEN_END.search(joined)
        )
        if not goes_on:
            return joined.rstrip(), True
        taken.append(" " * max(0, indent - margin) + line.strip())
    return "\n".join(taken).rstrip(), False


KIMINA_SYSTEM = "<|im_start|>system\nYou are an expert in mathematics and proving theorems in Lean 4.<|im_end|>\n"

FORMATS: dict[str, PromptFormat] = {
    item.name: item
    for item in (
        PromptFormat(
            "deepseek",
            f"Complete the following Lean 4 code:\n\n{FENCE}lean4\n/- tactic state:\n",
            f"\n-/\n{FENCE}",
            lead="\n",
        ),
        PromptFormat(
            "goedel_prover",
            f"<|im_start|>user\nComplete the following Lean 4 code:\n\n{FENCE}lean4\n/- tactic state:\n",
            f"\n-/\n{FENCE}<|im_end|>\n<|im_start|>assistant\n",
            stops=("<|im_end|>",),
        ),
        PromptFormat(
            "kimina_prover",
            f"{KIMINA_SYSTEM}<|im_start|>user\nSuggest the next tactic in Lean 4.\n{FENCE}lean4\n/- tactic state:\n",
            f"\n-/\n{FENCE}<|im_end|>\n<|im_start|>assistant\n",
            stops=("<|im_end|>",),
        ),
        PromptFormat("bfs_prover", "", ":::", stops=(":::",)),
        PromptFormat(
            "internlm_stepprover",
            "<|im_start|>user\n---\nNAME: \n\n---\nPROOF_BEFORE: \n\n---\nSTATE_BEFORE: ",
            "\n\n---\nTACTIC: <|im_end|>\n<|im_start|>assistant\n",
            end="<|im_end|>",
            stops=("---", "\n\n", "STATE_AFTER"),
        ),
        PromptFormat("goal_proofstep", "[GOAL]", "[PROOFSTEP]", stops=("[GOAL]", "[PROOFSTEP]")),
    )
}


def prompt_tokens(
    tokenizer: Any, form: PromptFormat, states: Sequence[str], limit: int | None = None
) -> list[list[int]]:
    """Return the token ids of the prompts of some states.

    With ``limit``, a longer prompt loses leading lines of its state (the goal is last), and, when
    one line alone is too long, the head of that line.
    """
    if not states:
        return []
    rows = [list(ids) for ids in tokenizer([form.prompt(state) for state in states])["input_ids"]]
    if limit is not None:
        for index, ids in enumerate(rows):
            if len(ids) > limit:
                rows[index] = _shortened(tokenizer, form, states[index], limit)
    return rows


def _shortened(tokenizer: Any, form: PromptFormat, state: str, limit: int) -> list[int]:
    """Return the tokens of the prompt of the longest tail of a state that fits."""
    breaks = [0] + [match.end() for match in re.finditer("\n", state)]
    for start in breaks:
        ids = list(tokenizer(form.prompt(state[start:]))["input_ids"])
        if len(ids) <= limit:
            return ids
    tail = state[breaks[-1] :]
    low, high = 0, len(tail)  # the shortest cut of the last line that fits, by bisection
    while low < high:
        middle = (low + high) // 2
        if len(tokenizer(form.prompt(tail[middle:]))["input_ids"]) <= limit:
            high = middle
        else:
            low = middle + 1
    return list(tokenizer(form.prompt(tail[low:]))["input_ids"])[-limit:]


def completion_tokens(tokenizer: Any, form: PromptFormat, tactics: Sequence[str]) -> list[list[int]]:
    """Return the token ids of the completions of some tactics, each with the end-of-sequence token."""
    if not tactics:
        return []
    texts = [form.completion(tactic) for tactic in tactics]
    rows = tokenizer(texts, add_special_tokens=False)["input_ids"]
    return [[*ids, tokenizer.eos_token_id] for ids in rows]
