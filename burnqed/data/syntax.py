"""Tactics that the present Lean does not read: Lean 3 text, suggestions, and what was renamed since."""

from __future__ import annotations

import re
from collections.abc import Iterable

from burnqed.artifacts import UserError

# Dates are those of Lean's and Mathlib's release notes. A kind matches on the tactic's text alone.
KINDS: dict[str, str] = {
    # `begin .. end`, a comma at the end, `λ x, e`, `rw h` without brackets, `cases h with a b`.
    "lean3": r"^\s*begin\b|,\s*$|λ[^,=↦⟨⟩(){}]*,|^\s*(?:rw|rewrite|simp_rw) +[^\[\s(?]|^\s*cases \S+ with [^|\s]",
    # They search, print what to write instead, and may close the goal on the way.
    "suggestion": r"\b(?:exact|apply|rw|simp|simp_all|dsimp|aesop|have|observe|says|norm_num|refine|show_term)\?"
    r"|^\s*(?:library_search|hint|show_term|suggest)\b",
    # slim_check became plausible (2024-10), decide! became decide +kernel (2024-11), simp_arith became
    # simp +arith (2025-01), unfold_let was withdrawn for unfold and simp only (2024-11).
    "renamed_tactic": r"\b(?:slim_check|simp_arith|simp_all_arith|unfold_let)\b|\bdecide!",
    # `∑ x in s, f` became `∑ x ∈ s, f` (2024-04).
    "sum_in": r"[∑∏][^,∈]* in ",
    # `exact Foo.bar (config := { .. })` became `+flag` and `(flag := ..)` (2024-11); still read, with a warning.
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
