"""Parser for terms of several parts: `let`, `match`, `calc`, `if`, functions by cases."""

from __future__ import annotations

from typing import Any

from burnqed.minilean.cursor import Term
from burnqed.minilean.syntax_atoms import AtomParser

# Patterns, what they lead to (a term or, in tactic mode, a block), and the number of the alternative.
Alternative = tuple[list[Term], Any, int]


class CompoundParser(AtomParser):
    """Terms that begin with a keyword and go on over several parts or lines."""

    def separator(self) -> None:
        """The `;` or line break between a local definition and what follows."""
        if not self.accept(";") and self.tok.line == self.toks[self.i - 1].line:
            self.fail("expected ';' or line break")

    def t_let(self) -> Term:
        self.next()
        if self.at("⟨"):
            pattern = self.atom()
            self.expect(":=")
            value = self.term()
            self.separator()
            return ("app", ("lam", [("⟨⟩", pattern, "default")], self.term()), [value])
        name = self.binder_name()
        ty = self.term() if self.accept(":") else None
        self.expect(":=")
        value = self.term()
        self.separator()
        return ("let", name, ty, value, self.term())

    def t_suffices(self) -> Term:
        self.next()
        name = "this"
        if self.is_name() and self.toks[self.i + 1].text == ":":
            name = self.binder_name()
            self.next()
        ty = self.term()
        if self.accept("from"):
            value = self.term()
        else:
            if not self.at("by"):
                self.fail("expected 'from' or 'by'")
            value = self.term()
        self.separator()
        return ("suffices", name, ty, value, self.term())

    def t_if(self) -> Term:
        self.next()
        if self.is_name() and self.toks[self.i + 1].text == ":":
            self.fail("dependent `if` is outside minilean's fragment; expected term")
        condition = self.term()
        self.expect("then")
        then = self.term()
        self.expect("else")
        return ("ite", condition, then, self.term())

    def t_match(self) -> Term:
        self.next()
        return ("match", self.discriminants(), self.alternatives_of(self.term))

    def discriminants(self) -> list[Term]:
        """`e, f with`, the keyword `match` being read."""
        if self.is_name() and self.toks[self.i + 1].text == ":":
            self.fail("`match h : e` is outside minilean's fragment; expected 'with'")
        found = [self.term()]
        while self.accept(","):
            found.append(self.term())
        self.expect("with")
        return found

    def alternatives_of(self, body: Any) -> list[Alternative]:
        """`| p, q | r, s => body`, one entry for each row of patterns."""
        out: list[Alternative] = []
        column, line, number = self.tok.col, self.tok.line, 0
        while self.at("|") and (self.tok.line == line or self.tok.col >= column):
            rows: list[list[Term]] = []
            while self.accept("|"):
                row = [self.term()]
                while self.accept(","):
                    row.append(self.term())
                rows.append(row)
            self.expect("=>")
            right = body()
            out += [(row, right, number) for row in rows]
            number += 1
        return out

    def t_calc(self) -> Term:
        self.next()
        return ("calc", self.calc_steps())

    def calc_steps(self) -> list[tuple[Term, Term | None]]:
        """The steps of `calc`: the first sets no column, the others stand in one column."""
        outer = self.col
        self.col = self.tok.col
        relation = self.term()
        steps: list[tuple[Term, Term | None]] = [(relation, self.term() if self.accept(":=") else None)]
        if self.tok.line > self.toks[self.i - 1].line and (self.tok.col > outer or self.at("_")):
            self.col = column = self.tok.col
            while self.tok.kind != "eof" and self.tok.col == column and self.tok.line > self.toks[self.i - 1].line:
                if column == outer and not self.at("_"):
                    break
                relation = self.term()
                self.expect(":=")
                steps.append((relation, self.term()))
        self.col = outer
        return steps
