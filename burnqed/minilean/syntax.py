"""Pratt parser for terms: Lean 4's precedences, unicode and ASCII forms.

Terms are tuples whose first entry is the kind: `("id", name)`, `("app", f, args)`,
`("bin", op, a, b)`, `("pi" | "ex" | "lam", binders, body)` with binders `(name, type, info)`, ...
"""

from __future__ import annotations

from burnqed.minilean.cursor import Binder, Term
from burnqed.minilean.lexer import KEYWORDS, ParseError
from burnqed.minilean.syntax_compound import CompoundParser

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


class Parser(CompoundParser):
    """Terms. Tactic blocks are parsed by the `TacticParser` subclass."""

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
            if self.at("|") and not binders:
                return ("cases", self.alternatives_of(self.term))
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

    def t_by(self) -> Term:
        return self.fail("expected term")

    def t_do(self) -> Term:
        return self.fail("'do' is outside minilean's fragment")


_LEADING = frozenset("fun show have if by let match calc suffices do".split())
