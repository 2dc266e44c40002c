"""Lean's text as tokens: what is a comment, a string, a name, a symbol.

Enough of Lean's lexer to tell code from comments and strings. Symbols are single characters, since
libraries add their own; names are whole, with their dots and ``«»`` parts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from burnqed.leantext.outline import comment_end

# Letters and what may follow them, as Lean's lexer has had them in all of Lean 4. Letters that only
# newer versions know end a name, so that `sorryé` shows `sorry`.
_FIRST = "A-Za-z_\u03b1-\u03ba\u03bc-\u03c9\u0391-\u039f\u03a1\u03a2\u03a4-\u03a9\u03ca-\u03fb\u1f00-\u1ffe\u2100-\u214f\U0001d49c-\U0001d59f"
_REST = _FIRST + "0-9'!?\u2080-\u2089\u2090-\u209c\u1d62-\u1d6a"
_PART = f"(?:[{_FIRST}][{_REST}]*|«[^»\n]*»)"
_NAME = rf"{_PART}(?:\.(?:{_PART}|[0-9]+(?![{_REST}])))*"
_RAW_STRING = re.compile(r'r(#*)"')
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_CHAR = re.compile(r"'(?:[^'\\]|\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.))'", re.DOTALL)
_NUMBER = r"0[xXbBoO][0-9a-fA-F_]+|[0-9][0-9_]*(?:\.[0-9_]+)?(?:[eE][+-]?[0-9]+)?"
_TOKEN = re.compile(
    rf"""(?P<space>[ \n]+)|(?P<comment>--[^\n]*)|(?P<special>r\#*"|/-|-/|['"])|(?P<name>{_NAME})|(?P<number>{_NUMBER})|(?P<symbol>.)""",
    re.DOTALL,
)


class LexicalError(ValueError):
    """A comment, string or character that does not end."""


class Token(NamedTuple):
    """A piece of text. ``kind``: name, number, symbol, string, character, comment."""

    kind: str
    text: str
    start: int
    line_start: bool  # nothing but spaces before it on its line


def _special(text: str, place: int) -> tuple[str, int]:
    """Return kind and end of what a hyphen, slash, quote or `r` opens. Raises LexicalError."""
    if text.startswith("/-", place):
        end = comment_end(text, place)
        if end < 0:
            raise LexicalError("a block comment that does not end")
        return "comment", end
    if text.startswith("-/", place):
        raise LexicalError("a comment's end without its begin")
    if raw := _RAW_STRING.match(text, place):
        end = text.find('"' + raw[1], raw.end())
        if end < 0:
            raise LexicalError("a raw string that does not end")
        return "string", end + 1 + len(raw[1])
    if text[place] == '"':
        found = _STRING.match(text, place)
        if found is None:
            raise LexicalError("a string that does not end")
        return "string", found.end()
    if text[place] == "'" and text[place : place + 2] != "''":
        return _quote(text, place)
    return "symbol", place + (2 if text[place] == "'" else 1)


def _quote(text: str, place: int) -> tuple[str, int]:
    """Return what a quote opens: a character, or after a symbol it belongs to a library's token (`⁻¹'`)."""
    found = _CHAR.match(text, place)
    if place and not text[place - 1].isspace() and text[place - 1] not in "()[]{}⟨⟩,;":
        if found is not None and found[0][1] in '"/-':
            raise LexicalError("a quote that may open a character or not")
        return "symbol", place + 1
    if found is None:
        raise LexicalError("a quote that opens no character")
    return "character", found.end()


def tokens(text: str) -> Iterator[Token]:
    """Return the tokens of a text, comments among them. Raises LexicalError."""
    place, fresh = 0, True
    while place < len(text):
        found = _TOKEN.match(text, place)
        assert found is not None
        kind, end = found.lastgroup or "", found.end()
        if kind == "space":
            fresh = fresh or "\n" in found[0]
            place = end
            continue
        if kind == "special":
            kind, end = _special(text, place)
        yield Token(kind, text[place:end], place, fresh)
        fresh = fresh and kind == "comment" or kind == "comment" and "\n" in text[place:end]
        place = end


def interpolated(token: Token) -> Iterator[str]:
    """Return the pieces of code in a string, should it be an interpolated one."""
    depth, begin = 0, 0
    for place, char in enumerate(token.text):
        if char == "{":
            begin = begin if depth else place + 1
            depth += 1
        elif char == "}" and depth:
            depth -= 1
            if not depth:
                yield token.text[begin:place]
    if depth:
        yield token.text[begin:-1]
