"""Tactics that the present Lean does not read: Lean 3 text, suggestions, and what was renamed since."""

from __future__ import annotations

import re
from collections.abc import Iterable

from burnqed.files import UserError

# A kind matches on the tactic's text alone. Each change is cited by its pull request and the day that was opened.
KINDS: dict[str, str] = {
    # `begin .. end`, a comma at the end, `λ x, e`, `rw h` without brackets, `cases h with a b`.
    "lean3": r"^\s*begin\b|,\s*$|λ[^,=↦⟨⟩(){}]*,|^\s*(?:rw|rewrite|simp_rw) +[^\[\s(?]|^\s*cases \S+ with [^|\s]",
    # They search, print what to write instead, and may close the goal on the way.
    "suggestion": r"\b(?:exact|apply|rw|simp|simp_all|dsimp|aesop|have|observe|says|norm_num|refine|show_term)\?"
    r"|^\s*(?:library_search|hint|show_term|suggest)\b",
    # slim_check became plausible (mathlib4#18459, 2024-10-30), decide! became decide +kernel (lean4#6016, 2024-11-08),
    # simp_arith became simp +arith (lean4#7043, 2025-02-12), unfold_let became unfold (mathlib4#18645, 2024-11-05;
    # deprecated in mathlib4#18844).
    "renamed_tactic": r"\b(?:slim_check|simp_arith|simp_all_arith|unfold_let)\b|\bdecide!",
    # `∑ x in s, f` became `∑ x ∈ s, f` (mathlib4#6795; replaced everywhere in mathlib4#13209, 2024-05-25).
    "sum_in": r"[∑∏][^,∈]* in ",
    # `simp (config := { .. })` became `simp +flag` and `simp (flag := ..)` (mathlib4#18699, 2024-11-06); still read.
    "config_option": r"\(config := \{",
}


def old_syntax(kinds: Iterable[str]) -> dict[str, re.Pattern[str]]:
    """Return the patterns of the named kinds; raise UserError for a name that is none."""
    patterns: dict[str, re.Pattern[str]] = {}
    for kind in kinds:
        if kind not in KINDS:
            raise UserError(f"data.drop_syntax: '{kind}' is not known; choose of {', '.join(KINDS)}")
        patterns[kind] = re.compile(KINDS[kind])
    return patterns
