"""Pratt parser for terms: Lean 4's precedences, unicode and ASCII forms.

Terms are tuples whose first entry is the kind: `("id", name)`, `("app", f, args)`,
`("bin", op, a, b)`, `("pi" | "ex" | "lam", binders, body)` with binders `(name, type, info)`, ...
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from burnqed.minilean.lexer import KEYWORDS, ParseError, Token, tokenize

Term = tuple[Any, ...]
Binder = tuple[Any, ...]

# operator -> (left precedence needed, right operand's precedence)
BINARY: dict[str, tuple[int, int]] = {
    "↔": (20, 21),
    "→": (25, 25),
    "∨": (30, 30),
    "||": (30, 31),
    "∧": (35, 35),
    "×": (35, 35),
    "&&": (35, 36),
    "=": (50, 51),
    "≠": (50, 51),
    "<": (50, 51),
    "≤": (50, 51),
    ">": (50, 51),
    "≥": (50, 51),
    "∣": (50, 51),
    "==": (50, 51),
    "!=": (50, 51),
    "∈": (50, 51),
    "∉": (50, 51),
    "::": (67, 67),
    "++": (65, 66),
    "+": (65, 66),
    "-": (65, 66),
    "*": (70, 71),
    "/": (70, 71),
    "%": (70, 71),
    "^": (75, 75),
    "▸": (75, 75),
    "∘": (90, 90),
    "<|": (10, 10),
    "$": (10, 10),
    "|>": (10, 11),
}
NON_ASSOC = 50
MAX = 1024
MAX_DIGITS = 4000


class Parser:
    """A cursor over tokens. Tactic blocks are parsed by the `TacticParser` subclass."""

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

    # terms

    def term(self, prec: int = 0) -> Term:
        """A term that binds at least as tightly as `prec`. Raises `ParseError`."""
        self.depth += 1
        if self.depth > 200:
            raise ParseError("maximum recursion depth has been reached", self.tok.pos)
        left = self.prefix(prec)
        while True:
            t = self.tok
            if t.kind != "sym" or t.text not in BINARY:
                break
            lp, rp = BINARY[t.text]
            if lp < prec:
                break
            if t.col <= self.col:
                break
            self.next()
            right = self.term(rp)
            if t.text == "→":
                left = ("arrow", left, right)
            elif t.text in ("<|", "$"):
                left = ("app", left, [right])
            elif t.text == "|>":
                left = ("app", right, [left])
            elif t.text == "▸":
                left = ("subst", left, right)
            else:
                left = ("bin", t.text, left, right)
                if lp in (NON_ASSOC, 20) and self.tok.text in BINARY:
                    if BINARY[self.tok.text][0] == lp and self.tok.col > self.col:
                        self.fail("expected end of input")
        self.depth -= 1
        return left

    def prefix(self, prec: int) -> Term:
        t = self.tok
        if t.kind == "sym":
            if t.text == "¬":
                self.next()
                return ("not", self.term(40))
            if t.text == "-":
                self.next()
                return ("neg", self.term(75))
            if t.text == "!":
                self.next()
                return ("bnot", self.term(40))
        if t.text in ("∀", "∃", "forall"):
            return self.quantifier()
        if t.text in ("{", "⦃") or t.text == "(" and self.dependent_arrow():
            binders = self.bracketed()
            self.expect("→")
            return ("pi", binders, self.term(25))
        if t.kind == "id" and t.text in _LEADING:
            return getattr(self, "t_" + t.text)()
        return self.application()

    def dependent_arrow(self) -> bool:
        """Whether `(x y : T) →` comes next."""
        i = self.i + 1
        while self.toks[i].kind == "id" and self.toks[i].text not in KEYWORDS:
            i += 1
        if i == self.i + 1 or self.toks[i].text != ":":
            return False
        depth = 1
        while depth and self.toks[i].kind != "eof":
            i += 1
            depth += {"(": 1, ")": -1}.get(self.toks[i].text, 0)
        return self.toks[min(i + 1, len(self.toks) - 1)].text == "→"

    def quantifier(self) -> Term:
        kind = "ex" if self.next().text == "∃" else "pi"
        names: list[Binder] = []
        if self.at("(", "{", "[", "⦃"):
            while self.at("(", "{", "[", "⦃"):
                names += self.bracketed()
            # a plain name may follow brackets: `∀ (x : Nat) y, p`
            while self.is_name():
                names.append((self.binder_name(), None, "default"))
        else:
            ids = [self.binder_name()]
            while self.is_name():
                ids.append(self.binder_name())
            ty = None
            if self.accept(":"):
                ty = self.term()
            elif len(ids) == 1 and self.at("<", ">", "≤", "≥", "≠", "∈"):
                op = self.next().text
                bound = self.term(51)
                self.expect(",")
                body = self.term()
                guard = ("bin", op, ("id", ids[0]), bound)
                inner: Term = ("arrow", guard, body)
                if kind == "ex":
                    inner = ("bin", "∧", guard, body)
                return (kind, [(ids[0], None, "default")], inner)
            else:
                while self.at("(", "{", "⦃"):
                    names += [(x, None, "default") for x in ids] + self.bracketed()
                    ids = []
            names += [(x, ty, "default") for x in ids]
        self.expect(",")
        return (kind, names, self.term())

    def bracketed(self) -> list[Binder]:
        """`(x y : T)`, `{x : T}`, `⦃x : T⦄` or `[inst : T]`."""
        t = self.next()
        close = {"(": ")", "{": "}", "⦃": "⦄", "[": "]"}[t.text]
        info = {"(": "default", "{": "implicit", "⦃": "strict", "[": "inst"}[t.text]
        saved, self.col = self.col, -1
        if info == "inst":
            raise ParseError("instance binders are outside minilean's fragment", t.pos)
        ids = [self.binder_name()]
        while self.is_name():
            ids.append(self.binder_name())
        ty = self.term() if self.accept(":") else None
        self.expect(close)
        self.col = saved
        return [(x, ty, info) for x in ids]

    def t_fun(self) -> Term:
        self.next()
        binders: list[Binder] = []
        while not self.at("=>"):
            if self.at("|"):
                self.fail("minilean has no pattern-matching alternatives here; expected '=>'")
            if self.at("(", "{", "⦃"):
                binders += self.bracketed()
            elif self.at("⟨"):
                binders.append(("⟨⟩", self.atom(), "default"))
            else:
                binders.append((self.binder_name(), None, "default"))
                if self.at(":") and not binders[:-1]:
                    self.next()
                    binders[-1] = (binders[-1][0], self.term(), "default")
                    break
        if not binders:
            self.fail("expected '_', '@' or identifier")
        self.expect("=>")
        return ("lam", binders, self.term())

    def t_show(self) -> Term:
        self.next()
        ty = self.term()
        if self.accept("from"):
            return ("asc", self.term(), ty)
        if self.at("by"):
            return ("asc", self.t_by(), ty)
        self.fail("expected 'from' or 'by'")
        raise AssertionError

    def t_have(self) -> Term:
        self.next()
        name = self.binder_name() if self.is_name() else "this"
        if self.at("⟨"):
            pat = self.atom()
            self.expect(":=")
            value = self.term()
            self.separator()
            return ("app", ("lam", [("⟨⟩", pat, "default")], self.term()), [value])
        ty = self.term() if self.accept(":") else None
        self.expect(":=")
        value = self.term()
        self.separator()
        return ("have", name, ty, value, self.term())

    def separator(self) -> None:
        if not self.accept(";") and self.tok.line == self.toks[self.i - 1].line:
            self.fail("expected ';' or line break")

    def t_if(self) -> Term:
        self.next()
        cond = self.term()
        self.expect("then")
        a = self.term()
        self.expect("else")
        return ("ite", cond, a, self.term())

    def t_by(self) -> Term:
        return self.fail("expected term")

    def t_let(self) -> Term:
        return self.fail("'let' is outside minilean's fragment")

    t_match = t_calc = t_suffices = t_do = t_let

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

    def bracket_term(self, close: str) -> Term:
        saved, self.col = self.col, -1
        e = self.term()
        self.col = saved
        self.expect(close)
        return e

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
        if self.at(")"):
            self.fail("expected term")
        e = self.term()
        if self.accept(":"):
            e = ("asc", e, self.term())
        elif self.at(","):
            self.fail("pairs are outside minilean's fragment; expected ')'")
        self.col = saved
        self.expect(")")
        return _section(e)


_LEADING = frozenset("fun show have if by let match calc suffices do".split())


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


def parse_whole(parser: Parser, rule: Callable[[], Any]) -> Any:
    """Run `rule` and require that all of the text is used."""
    e = rule()
    if parser.tok.kind != "eof":
        parser.fail("expected end of input")
    return e
