"""Text that may not occur in a tactic: what could fake, hide or postpone a proof.

The list follows the ways in which published checkers were deceived: new axioms, native code whose
result the kernel takes on trust, elaborators run from inside a proof, options that switch checks
off, redefined syntax, and placeholders. A refusal here is cheap and blunt; the re-check's own
tests (one declaration, axioms, statement) do not rely on it.
"""

from __future__ import annotations

import re

MAX_CHARS = 20_000

_PLACEHOLDERS = ("sorry", "admit", "sorryAx", "stop", "proof_wanted")
_TRUSTED_CODE = (
    "native_decide",
    "native",
    "of_decide_reduceBool_eq_true",
    "ofReduceBool",
    "ofReduceNat",
    "reduceBool",
    "reduceNat",
    "trustCompiler",
    "bv_decide",
    "implemented_by",
    "extern",
    "csimp",
    "unsafe",
    "partial",
    "lcProof",
    "lcUnreachable",
    "lcAny",
)
_PROGRAMS = (
    "run_tac",
    "run_tacq",
    "run_cmd",
    "run_elab",
    "run_meta",
    "run_conv",
    "by_elab",
    "eval_expr",
    "evalExpr",
    "unsafeCast",
    "unsafeIO",
    "unsafeEIO",
    "unsafeBaseIO",
    "dbg_trace",
    "include_str",
    "dbgTrace",
    "dbgTraceVal",
    "dbgTraceIfShared",
    "dbgSleep",
    "dbgStackTrace",
    "polyrith",  # asks a server
    "initialize",
    "builtin_initialize",
)
_DECLARATIONS = (
    "axiom",
    "theorem",
    "lemma",
    "example",
    "def",
    "abbrev",
    "opaque",
    "instance",
    "structure",
    "class",
    "inductive",
    "coinductive",
    "mutual",
    "namespace",
    "section",
    "universe",
    "variable",
    "import",
    "export",
    "attribute",
    "declare_syntax_cat",
    "syntax",
    "macro",
    "macro_rules",
    "elab",
    "elab_rules",
    "notation",
    "notation3",
    "infix",
    "infixl",
    "infixr",
    "prefix",
    "postfix",
    "binder_predicate",
    "register_option",
    "register_simp_attr",
    "declare_simp_like_tactic",
    "add_decl_doc",
    "alias",
    "deriving",
    "end",
    "termination_by",
    "decreasing_by",
    "irreducible_def",
    "simproc",
    "dsimproc",
    "compile_inductive",
    "unseal",
    "seal",
)
_OPTIONS = ("set_option",)
_SUGGESTIONS = (
    "exact?",
    "apply?",
    "rw?",
    "rw??",
    "simp?",
    "simp_all?",
    "dsimp?",
    "aesop?",
    "hint",
    "show_term",
    "says",
    "library_search",
    "suggest",
    "decide?",
    "omega?",
    "norm_num?",
    "positivity?",
    "ring_nf?",
    "have?",
    "observe?",
    "propose",
    "exact??",
    "plausible",
    "slim_check",
    "try?",
    "grind?",
)

_REASONS: dict[str, str] = {}
for _words, _reason in (
    (_PLACEHOLDERS, "placeholder"),
    (_TRUSTED_CODE, "native or unsafe code"),
    (_PROGRAMS, "runs a program"),
    (_DECLARATIONS, "declaration"),
    (_OPTIONS, "option"),
    (_SUGGESTIONS, "suggestion"),
):
    for _word in _words:
        _REASONS[_word] = _reason

# ASCII only: which other letters belong to an identifier differs between Lean's versions, so `sorryλ` is two
# tokens to some of them
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_'!]*\?*")
_SUGGESTION = re.compile(
    r"(?:^|[;|·(]|=>|\b(?:by|then|first|try|repeat|all_goals|any_goals|focus)\s)\s*([A-Za-z]\w*\?+)(?![\w.])",
    re.MULTILINE,
)
_PROGRAM = re.compile(r"\b(?:eval|elab)%|\bpanic!")
# not every `#`: Mathlib writes `#s` for the size of a finite set
_COMMAND = re.compile(
    r"(?<!\w)#(?:eval|print|check|reduce|synth|exit|guard|find|help|lint|simp|conv|push|norm_num|where|min_imports|loogle|moogle|leansearch|widget|html|count|time|dump|show|unfold|version|assert|test|discr|defeq|erase|redundant|string|sample|instances|import)\w*"
)
# Control characters, spaces other than U+0020, and what is invisible or joins with its neighbour
_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\xa0\u00ad\u034f\u037e\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f"
    r"\u205f-\u206f\u2800\u3000\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uff00-\uffef\ufff0-\uffff\U000e0000-\U0010ffff]"
)


def banned_construct(tactic: str) -> str | None:
    """Return why a tactic's text is refused before any prover sees it, or None when it is not.

    Refused are banned words (as whole words, also inside comments and strings, and as the last
    part of a dotted name), tactics that only suggest (``NAME?``), commands (``#eval``), control,
    invisible and full-width characters, text that is empty, unbalanced in block comments, or longer
    than 20,000 characters.
    """
    if not tactic.strip():
        return "empty"
    if len(tactic) > MAX_CHARS:
        return f"longer than {MAX_CHARS} characters"
    found = _CONTROL.search(tactic)
    if found:
        return f"invisible character U+{ord(found[0]):04X}"
    for match in _WORD.finditer(tactic):
        reason = _REASONS.get(match[0])
        if reason is not None:
            return f"{reason}: {match[0]}"
    found = _SUGGESTION.search(tactic)
    if found:
        return f"suggestion: {found[1]}"
    found = _PROGRAM.search(tactic)
    if found:
        return f"runs a program: {found[0]}"
    found = _COMMAND.search(tactic)
    if found:
        return f"command: {found[0]}"
    if tactic.count("/-") != tactic.count("-/"):
        return "unbalanced block comment"
    return None
