"""Tokens of minilean's surface syntax, with Lean 4's identifiers, symbols and comments."""

from __future__ import annotations

import re
from typing import NamedTuple


class ParseError(Exception):
    """Text that is not in the grammar; `pos` is an offset into the source text."""

    def __init__(self, message: str, pos: int) -> None:
        super().__init__(message)
        self.message = message
        self.pos = pos


class Token(NamedTuple):
    kind: str  # id | num | sym | str | eof
    text: str
    pos: int
    end: int
    col: int
    line: int
    spaced: bool  # whitespace (or the start) comes before it


_LETTER = "A-Za-z_α-κμ-ωΑ-ΟΡΤ-ΩἀℂℍℕℙℚℝℤℓÀ-ÖØ-öø-ÿ"
_IDENT = rf"[{_LETTER}][{_LETTER}0-9'!?₀-₉ₐ-ₜᵢ-ᵪⱼ]*"
_TOKEN = re.compile(
    rf"""
    (?P<ws>\s+|--[^\n]*)
  | (?P<comment>/-)
  | (?P<id>\?(?:_(?![{_LETTER}0-9])|{_IDENT})|{_IDENT}(?:\.{_IDENT})*)
  | (?P<num>0x[0-9a-fA-F]+|[0-9]+)
  | (?P<str>"(?:[^"\\]|\\.)*")
  | (?P<sym><;>|<->|->|<-|/\\|\\/|:=|::|=>|==|!=|<=|>=|<\||\|>\.|\|>|\+\+|&&|\|\||\.\.
      |[()\[\]{{}}⟨⟩⦃⦄‹›,:;.@+\-*/%^=≠<>≤≥|∣∀∃λ→←↔∧∨¬↑·▸$!×∘∈∉⊢↦#&~?Σ∑∏√⁻'`])
    """,
    re.VERBOSE,
)
_ASCII = {"->": "→", "<-": "←", "<->": "↔", "/\\": "∧", "\\/": "∨", "<=": "≤", ">=": "≥", "↦": "=>"}
KEYWORDS = frozenset(
    "fun λ ∀ ∃ forall exists by have show from let in if then else match with at do return calc"
    " theorem lemma example def axiom where suffices Prop Type Sort open import namespace end"
    " section variable set_option instance macro notation syntax elab abbrev inductive structure"
    " class mutual universe attribute noncomputable private protected local deriving partial"
    " unsafe infixl infixr infix prefix postfix opaque".split()
) - {"exists", "from", "at", "local", "lemma"} | {"from", "at", "using", "generalizing"}


_COMMENT_MARK = re.compile(r"/-|-/")


def comment_end(text: str, start: int) -> int:
    """Return the place after the block comment (they nest) that opens at ``start``, -1 when it does not end."""
    depth = 0
    for mark in _COMMENT_MARK.finditer(text, start):
        depth += 1 if mark.group() == "/-" else -1
        if not depth:
            return mark.end()
    return -1


def tokenize(text: str) -> list[Token]:
    """All tokens of `text` and one of kind eof. Raises `ParseError` on a character Lean rejects."""
    out: list[Token] = []
    pos, n, line, start, spaced = 0, len(text), 0, 0, True
    match = _TOKEN.match
    while pos < n:
        m = match(text, pos)
        if m is None:
            raise ParseError("expected token", pos)
        kind, tok = m.lastgroup or "", m.group()
        if kind == "comment":
            i = comment_end(text, pos)
            if i < 0:
                raise ParseError("unterminated comment", n)
            line += text.count("\n", pos, i)
            if "\n" in text[pos:i]:
                start = text.rfind("\n", pos, i) + 1
            pos, spaced = i, True
            continue
        if kind == "ws":
            breaks = tok.count("\n")
            if breaks:
                line += breaks
                start = pos + tok.rfind("\n") + 1
            spaced = True
        else:
            word = _ASCII.get(tok, tok) if kind == "sym" else tok
            out.append(Token(kind, word, pos, m.end(), pos - start, line, spaced))
            spaced = False
        pos = m.end()
    out.append(Token("eof", "", n, n, n - start, line, True))
    return out
