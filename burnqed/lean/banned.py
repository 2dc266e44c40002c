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

_WORD = re.compile(r"[^\W\d][\w'!]*\?*", re.UNICODE)
# not every `#`: Mathlib writes `#s` for the size of a finite set
_COMMAND = re.compile(
    r"(?<!\w)#(?:eval|print|check|reduce|synth|exit|guard|find|help|lint|simp|conv|push|norm_num|where|min_imports|loogle|moogle|leansearch|widget|html|count|time|dump|show|unfold|version|assert|test|discr|defeq|erase|redundant|string|sample|instances|import)\w*"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u0085\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def banned_construct(tactic: str) -> str | None:
    """Return why a tactic's text is refused before any prover sees it, or None when it is not.

    Refused are banned words (as whole words, also inside comments and strings, and as the last
    part of a dotted name), commands (``#eval``), control and invisible characters, text that is
    empty, unbalanced in block comments, or longer than 20,000 characters.
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
    found = _COMMAND.search(tactic)
    if found:
        return f"command: {found[0]}"
    if tactic.count("/-") != tactic.count("-/"):
        return "unbalanced block comment"
    return None
