"""Parser for applications and terms of maximal precedence."""

from __future__ import annotations

from typing import Any

from burnqed.minilean.cursor import Cursor, Term
from burnqed.minilean.lexer import KEYWORDS, ParseError

MAX = 1024
MAX_DIGITS = 4000


class AtomParser(Cursor):
    """Applications, brackets, literals, projections."""

    def t_fun(self) -> Term:
        """`fun x => e`, from its keyword on; the subclass's part."""
        raise NotImplementedError

    def application(self) -> Term:
        f = self.atom()
        args: list[Term] = []
        while self.starts_arg():
            if self.at("fun", "λ"):
                args.append(self.t_fun())
                break
            if self.at("(") and self._named_arg():
                self.next()
                name = self.name()
                self.expect(":=")
                args.append(("named", name, self.bracket_term(")")))
            else:
                args.append(self.atom())
        return ("app", f, args) if args else f

    def _named_arg(self) -> bool:
        a, b = self.toks[self.i + 1], self.toks[min(self.i + 2, len(self.toks) - 1)]
        return a.kind == "id" and b.text == ":="

    def starts_arg(self) -> bool:
        t = self.tok
        if t.col <= self.col or not t.spaced and self.text[t.pos - 1 : t.pos] not in "([⟨,;:":
            if t.col <= self.col or t.text not in ("(", "⟨", "["):
                return False
            return t.text == "⟨"
        if t.kind == "num" or t.kind == "str":
            return True
        if t.kind == "id":
            return t.text not in KEYWORDS or t.text in ("fun", "Prop", "Type", "Sort")
        if t.text == ".":
            nxt = self.toks[self.i + 1]
            return nxt.kind == "id" and not nxt.spaced
        return t.text in ("(", "⟨", "[", "@", "·", "‹", "λ", "↑")

    def atom(self) -> Term:
        """A term of maximal precedence with its projections."""
        e = self.atom_base()
        while True:
            t = self.tok
            if t.text == "." and not t.spaced and t.kind == "sym":
                nxt = self.toks[self.i + 1]
                if nxt.spaced or nxt.kind not in ("id", "num"):
                    return e
                self.next()
                self.next()
                for part in nxt.text.split("."):
                    e = ("proj", e, part)
            else:
                return e

    def atom_base(self) -> Term:
        t = self.tok
        if t.kind == "num":
            self.next()
            if len(t.text) > MAX_DIGITS:
                raise ParseError("numeral is too long", t.pos)
            return ("num", int(t.text, 0) if t.text[:2] == "0x" else int(t.text))
        if t.kind == "id":
            if t.text.startswith("?"):
                self.next()
                return ("shole", t.text[1:])
            if t.text == "_":
                self.next()
                return ("hole",)
            if t.text in ("Prop", "Type", "Sort"):
                return self.universe()
            if t.text == "fun":
                return self.t_fun()
            if t.text == "sorry":
                self.next()
                return ("sorry",)
            if t.text in KEYWORDS:
                self.fail("expected term")
            self.next()
            return ("id", t.text)
        if t.text == "(":
            return self.paren()
        if t.text == "⟨":
            self.next()
            saved, self.col = self.col, -1
            items: list[Term] = []
            while not self.at("⟩"):
                items.append(self.term())
                if not self.accept(","):
                    break
            self.col = saved
            self.expect("⟩")
            return ("anon", items)
        if t.text == "[":
            self.next()
            saved, self.col = self.col, -1
            items = []
            while not self.at("]"):
                items.append(self.term())
                if not self.accept(","):
                    break
            self.col = saved
            self.expect("]")
            return ("list", items)
        if t.text == "@":
            self.next()
            return ("explicit", self.name())
        if t.text == "λ":
            return self.t_fun()
        if t.text == "↑":
            self.next()
            return ("coe", self.term(MAX))
        if t.text == "·":
            self.next()
            return ("cdot",)
        if t.text == "‹":
            self.next()
            return ("assume", self.bracket_term("›"))
        if t.text == "." and self.toks[self.i + 1].kind == "id" and not self.toks[self.i + 1].spaced:
            self.next()
            return ("dot", self.next().text)
        return self.fail("expected term")

    def universe(self) -> Term:
        word = self.next().text
        if word == "Prop":
            return ("sort", 0)
        level = 1 if word == "Type" else 0
        if self.tok.kind == "num" and self.tok.spaced and self.tok.col > self.col:
            return ("sort", level + int(self.next().text))
        if self.at("_", "*") and word == "Type":
            self.next()
        elif self.starts_arg() and self.tok.kind == "id" or self.at("("):
            raise ParseError("universe levels are outside minilean's fragment", self.tok.pos)
        return ("sort", level)

    def paren(self) -> Term:
        self.next()
        saved, self.col = self.col, -1
        start = self.i
        if self.at(")"):
            self.fail("expected term")
        e = self.term()
        if self.accept(":"):
            e = ("asc", e, self.term())
        elif self.at(","):
            self.fail("pairs are outside minilean's fragment; expected ')'")
        self.col = saved
        self.expect(")")
        return _section(e) if any(t.text == "·" for t in self.toks[start : self.i]) else ("paren", e)


def _section(e: Term) -> Term:
    """`(· + 1)` becomes a function of its dots, left to right."""
    count = 0

    def go(t: Any) -> Any:
        nonlocal count
        if t == ("cdot",):
            count += 1
            return ("id", f"x{count}✝")
        if isinstance(t, tuple):
            return tuple(go(x) for x in t)
        if isinstance(t, list):
            return [go(x) for x in t]
        return t

    body = go(e)
    if not count:
        return ("paren", e)
    return ("lam", [(f"x{k}✝", None, "default") for k in range(1, count + 1)], body)
