"""The Lean text in a free answer of a whole-proof model: thoughts, plans and echoed prompts taken away."""

from __future__ import annotations

import re

FENCE = "```"
_LEAN_FENCE = re.compile(r"```(?:lean4|lean)[ \t]*(?:\r?\n|\Z)")
_THOUGHTS_END = "</think>"


def whole_proof(answer: str) -> str:
    """Return the Lean text of an answer, "" when it holds none.

    That is what follows the last opening fence for Lean, up to the closing one or the end: an echoed prompt may
    leave its fence open, so blocks cannot be paired from the front. Thoughts (``<think>``) hold no answer. A text
    without a Lean fence is one that goes on in the prompt's own fence: it ends at the first fence.
    Comments and declarations are left as they are, as Lean reads them.
    """
    if "<think>" in answer and _THOUGHTS_END not in answer:
        return ""
    text = answer.rpartition(_THOUGHTS_END)[2]
    last = _LEAN_FENCE.split(text)[-1]
    return last.partition(FENCE)[0].strip("\r\n")
