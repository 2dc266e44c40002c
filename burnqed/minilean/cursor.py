"""A cursor over tokens, for the parsers of terms and tactics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from burnqed.minilean.lexer import KEYWORDS, ParseError, Token, tokenize

Term = tuple[Any, ...]
Binder = tuple[Any, ...]


class Cursor:
    """A place in a list of tokens; subclasses parse terms and tactics."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.toks = tokenize(text)
        self.i = 0
        self.col = -1  # application arguments must start right of this column
        self.depth = 0

    # cursor

    @property
    def tok(self) -> Token:
        return self.toks[self.i]

    def next(self) -> Token:
        t = self.toks[self.i]
        if t.kind != "eof":
            self.i += 1
        return t

    def at(self, *texts: str) -> bool:
        t = self.toks[self.i]
        return t.text in texts and t.kind != "str"

    def accept(self, *texts: str) -> bool:
        if self.at(*texts):
            self.i += 1
            return True
        return False

    def expect(self, *texts: str) -> Token:
        if not self.at(*texts):
            self.fail("expected " + " or ".join(f"'{t}'" for t in texts))
        return self.next()

    def fail(self, expected: str) -> Any:
        t = self.tok
        if t.kind == "eof":
            raise ParseError(f"unexpected end of input; {expected}", t.pos)
        what = {"id": "identifier", "num": "numeral", "str": "string literal"}.get(t.kind)
        if what is None or t.text in KEYWORDS:
            what = f"token '{t.text}'"
        raise ParseError(f"unexpected {what}; {expected}", t.pos)

    def is_name(self) -> bool:
        t = self.tok
        return t.kind == "id" and t.text not in KEYWORDS and not t.text.startswith("?")

    def name(self) -> str:
        if not self.is_name():
            self.fail("expected identifier")
        return self.next().text

    def binder_name(self) -> str:
        if not self.is_name() or "." in self.tok.text:
            self.fail("expected '_' or identifier")
        return self.next().text

    def term(self, prec: int = 0) -> Term:
        """A term that binds at least as tightly as `prec`; the subclasses' part."""
        raise NotImplementedError

    def bracket_term(self, close: str) -> Term:
        saved, self.col = self.col, -1
        e = self.term()
        self.col = saved
        self.expect(close)
        return e


def parse_whole(parser: Cursor, rule: Callable[[], Any]) -> Any:
    """Run `rule` and require that all of the text is used."""
    e = rule()
    if parser.tok.kind != "eof":
        parser.fail("expected end of input")
    return e
