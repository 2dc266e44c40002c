"""Text that may not occur in a proof: what could fake, hide or postpone it, or run a program.

The rules read tokens (``tokens.py``), so what stands in a comment, a string or a lemma's name
(`Ne.def`) does not matter. A proof is tactics and terms: it declares nothing, sets no attribute and no
option, quotes no syntax, configures a tactic by plain values alone. The list follows the ways in
which published checkers were deceived. A refusal here is cheap and comes before any Lean reads the
text; the verdict does not rest on it (docs/security.md).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from burnqed.leantext.tokens import LexicalError, Token, interpolated, tokens

MAX_CHARS = 200_000

_PLACEHOLDERS = "sorry admit sorryAx proof_wanted".split()
# constants, refused as any part of a dotted name
_TRUSTED_CODE = """native_decide of_decide_reduceBool_eq_true ofReduceBool ofReduceNat reduceBool reduceNat trustCompiler
    bv_decide bv_check implemented_by extern csimp lcProof lcUnreachable lcAny unsafeCast unsafeIO unsafeEIO unsafeBaseIO
    ptrEq ptrAddrUnsafe""".split()
_PROGRAMS = """run_tac run_tacq run_cmd run_elab run_meta run_conv by_elab eval_expr evalExpr evalDecl dbg_trace dbgTrace
    dbgTraceVal dbgTraceIfShared dbgSleep dbgStackTrace include_str include_bytes polyrith initialize builtin_initialize
    IO BaseIO EIO MetaM TermElabM TacticM CommandElabM CoreM MacroM skipKernelTC addDecl addAndCompile do""".split()
# commands and modifiers, refused as names of their own: `Ne.def` is a lemma
_DECLARATIONS = """axiom theorem lemma example def abbrev opaque instance structure class inductive coinductive mutual
    namespace section universe variable variables import export attribute declare_syntax_cat syntax macro macro_rules elab
    elab_rules notation notation3 infix infixl infixr prefix postfix binder_predicate register_option register_simp_attr
    declare_simp_like_tactic add_decl_doc alias deriving end termination_by decreasing_by irreducible_def simproc dsimproc
    simproc_decl dsimproc_decl builtin_simproc builtin_dsimproc compile_inductive unseal seal where include omit prelude
    private protected noncomputable unsafe partial nonrec scoped init_quot library_note recall initialize_simps_projections
    mk_iff_of_inductive_prop suppress_compilation unsuppress_compilation assert_not_exists assert_not_imported
    gen_injective_theorems set_option""".split()
_SUGGESTIONS = """exact? apply? rw? rw?? simp? simp_all? dsimp? simpa? aesop? says show_term library_search decide? omega?
    norm_num? positivity? ring_nf? have? observe? exact?? plausible slim_check try? grind? conv? rcases? split_ifs?
    linarith? nlinarith? solve_by_elim? hint suggest propose""".split()
_ANYWHERE = {"says", "show_term", "library_search", "plausible", "slim_check"}  # cannot name a hypothesis of a proof
_OPENS = set("; | · ( { > .".split())  # after these a tactic may begin
_BEGINS = set("by then first try repeat all_goals any_goals focus iterate on_goal conv done case".split())

_PART = re.compile(r"«[^»]*»|[^.«»]+")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
# Spaces other than U+0020, and what is invisible or joins with its neighbour
_INVISIBLE = re.compile(
    r"[\t\x80-\xa0\u00ad\u034f\u037e\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f"
    r"\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uff00-\uffef\ufff0-\uffff\U000e0000-\U0010ffff]"
)
_RULES = (
    (frozenset(_PLACEHOLDERS), "placeholder"),
    (frozenset(_TRUSTED_CODE), "native or unsafe code"),
    (frozenset(_PROGRAMS), "runs a program"),
)
_COMMANDS = frozenset(_DECLARATIONS)
_SUGGEST = frozenset(_SUGGESTIONS)


def banned_construct(tactic: str, max_chars: int = MAX_CHARS) -> str | None:
    """Return why a proof's or tactic's text is refused before any prover sees it, or None when it is not."""
    if len(tactic) > max_chars:
        return f"longer than {max_chars} characters"
    found = _CONTROL.search(tactic)
    if found:
        return f"invisible character U+{ord(found[0]):04X}"
    try:
        all_tokens = list(tokens(tactic.expandtabs()))
    except LexicalError as error:
        return f"unbalanced: {error}"
    code = [token for token in all_tokens if token.kind != "comment"]
    if not code:
        return "empty"
    return _reason(code)


def _reason(code: Sequence[Token]) -> str | None:
    for token in code:
        refusal = _word(token) if token.kind == "name" else _other(token)
        if refusal is not None:
            return refusal
    for before, token in zip([None, *code], code, strict=False):
        if token.text == "stop" and (token.line_start or before is None or before.text in _OPENS):
            return "placeholder: stop"
        if token.kind == "name" and _suggests(before, token):
            return f"suggestion: {token.text}"
    for first, second in pairwise(code):
        refusal = _pair(first, second)
        if refusal is not None:
            return refusal
    return _opened(code) or _configured(code)


def _word(token: Token) -> str | None:
    parts = [part.strip("«»") for part in _PART.findall(token.text)]
    for words, reason in _RULES:
        for part in parts:
            if part in words:
                return f"{reason}: {part}"
    if token.text in _COMMANDS:
        return f"declaration: {token.text}" if token.text != "set_option" else "option: set_option"
    if parts[:2] in (["Lean", "Elab"], ["Lean", "Meta"], ["Lean", "Environment"], ["Lean", "Parser"]):
        return f"runs a program: {token.text}"
    return None


def _other(token: Token) -> str | None:
    if token.kind == "string":
        for piece in interpolated(token):
            refusal = banned_construct(piece) if piece.strip() else None
            if refusal is not None:
                return refusal
        return None
    found = _INVISIBLE.search(token.text) if token.kind == "symbol" else None
    if found:
        return f"invisible character U+{ord(found[0]):04X}"
    return "quotation of syntax" if token.text == "`" else None


def _suggests(before: Token | None, token: Token) -> bool:
    """Return whether a name is a tactic that only suggests one: known, or `NAME?` where a tactic begins."""
    begins = before is None or token.line_start or before.text in _OPENS or before.text in _BEGINS
    unknown = token.text.endswith("?") and "." not in token.text
    return (
        token.text in _ANYWHERE or begins and (unknown or token.text in _SUGGEST) or token.text in _SUGGEST and unknown
    )


def _pair(first: Token, second: Token) -> str | None:
    """Return why two tokens that follow each other are refused."""
    touch = first.start + len(first.text) == second.start
    pair = (first.text, second.text)
    if pair == ("@", "[") and touch:
        return "declaration: @["
    if pair == ("let", "rec"):
        return "declaration: let rec"
    if pair in (("+", "native"), ("native", ":")):
        return "native or unsafe code: native"
    if second.text == "%" and touch and first.text in ("eval", "elab", "by_elab", "private_decl", "unsafe"):
        return f"runs a program: {first.text}%"
    if first.text == "panic!" or second.text == "panic!":
        return "runs a program: panic!"
    # not every `#`: Mathlib writes `#s` for the size of a finite set
    if first.text == "#" and touch and second.kind == "name" and (first.line_start or _COMMAND.match(second.text)):
        return f"command: #{second.text}"
    return None


_COMMAND = re.compile(
    r"(?:eval|print|check|reduce|synth|exit|guard|find|help|lint|simp|conv|push|norm_num|where|min_imports|loogle|moogle|"
    r"leansearch|widget|html|count|time|dump|show|unfold|version|assert|test|discr|defeq|erase|redundant|string|sample|"
    r"instances|import)"
)


def _opened(code: Sequence[Token]) -> str | None:
    """Return why an `open` is refused: only `open NAMES in` belongs to a proof."""
    for place, token in enumerate(code):
        if token.text != "open":
            continue
        rest = code[place + 1 : place + 40]
        end = next((i for i, t in enumerate(rest) if t.text == "in"), None)
        if not end or any(t.kind != "name" and t.text not in "()→-><" for t in rest[:end]):
            return "declaration: open"
    return None


def _configured(code: Sequence[Token]) -> str | None:
    """Return why a tactic's configuration is refused: it is evaluated, so only plain values may stand there."""
    for place, token in enumerate(code):
        if token.text not in ("config", "cfg") or [t.text for t in code[place + 1 : place + 3]] != [":", "="]:
            continue
        refusal = _plain_value(code[place + 3 :])
        if refusal:
            return refusal
    return None


def _plain_value(rest: Sequence[Token]) -> str | None:
    depth = 0
    for token in rest:
        if token.text in "({[⟨":
            depth += 1
        if token.text in ")}]⟩":
            depth -= 1
            if depth <= 0:
                return None if depth < 0 or token.text == "}" else "configuration: not { field := value }"
        if token.text in ("⟨", "fun", "by", "λ", "(", "["):
            return f"configuration: {token.text}"
    return "configuration: unbalanced"
