"""Parser for tactics with arguments of their own, and the entry points of parsing."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from burnqed.minilean.conv_syntax import ConvParser
from burnqed.minilean.cursor import Term, parse_whole
from burnqed.minilean.tactic_block import Tac


class TacticParser(ConvParser):
    """Terms and tactics; every method named `k_…` parses what follows that keyword."""

    # tactics with arguments of their own

    def k_intro(self) -> tuple[str, tuple[Any, ...]]:
        pats: list[Term] = []
        while self.more():
            if self.is_name():
                x = self.binder_name()
                pats.append(("hole",) if x == "_" else ("name", x))
            elif self.at("⟨", "("):
                pats.append(self.pattern1())
            else:
                break
        return "intro", (pats,)

    def k_rintro(self) -> tuple[str, tuple[Any, ...]]:
        pats: list[Term] = []
        while self.more() and (self.is_name() or self.at("⟨", "(", "-", "@")):
            pats.append(self.pattern1())
        if not pats:
            self.fail("expected pattern")
        return "rintro", (pats,)

    def k_exists(self) -> tuple[str, tuple[Any, ...]]:
        terms = [self.term()]
        while self.accept(","):
            terms.append(self.term())
        return "exists", (terms,)

    def k_have(self) -> tuple[str, tuple[Any, ...]]:
        if self.at("⟨", "("):
            pat = self.pattern1()
        else:
            named = self.is_name() and self.more()
            pat = ("name", self.binder_name() if named else "this")
            if pat == ("name", "_"):
                pat = ("hole",)
        binders = []
        while self.at("(", "{") and pat[0] == "name":
            binders += self.bracketed()
        ty = self.term() if self.accept(":") else None
        self.expect(":=")
        value = self.term()
        if binders:
            if ty is None:
                self.fail("expected ':'")
            ty, value = ("pi", binders, ty), ("lam", binders, value)
        return "have", (pat, ty, value)

    def k_suffices(self) -> tuple[str, tuple[Any, ...]]:
        name = "this"
        if self.is_name() and self.toks[self.i + 1].text == ":":
            name = self.binder_name()
            self.next()
        ty = self.term()
        if self.accept("from"):
            value = self.term()
        elif self.at("by"):
            value = self.t_by()
        else:
            self.fail("expected 'from' or 'by'")
        return "suffices", (name, ty, value)

    def k_obtain(self) -> tuple[str, tuple[Any, ...]]:
        pat = self.pattern()
        ty = self.term() if self.accept(":") else None
        self.expect(":=")
        return "obtain", (pat, ty, self.term())

    def k_rcases(self) -> tuple[str, tuple[Any, ...]]:
        e = self.term()
        self.expect("with")
        return "obtain", (self.pattern(), None, e)

    def k_cases(self) -> tuple[str, tuple[Any, ...]]:
        eq = None
        if self.is_name() and self.toks[self.i + 1].text == ":":
            eq = self.binder_name()
            self.next()
        target = self.term()
        if self.accept(","):
            self.fail("minilean takes one target; expected end of input")
        return "cases", (eq, target, self.alternatives())

    def k_induction(self) -> tuple[str, tuple[Any, ...]]:
        target = self.term()
        using = self.name() if self.accept("using") else None
        general: list[str] = []
        if self.accept("generalizing"):
            while self.is_name() and self.more():
                general.append(self.binder_name())
        return "induction", (target, using, general, self.alternatives())

    def alternatives(self) -> list[Any] | None:
        """`with | ctor x y => tactics ...`; each is (names of constructors, binders, block)."""
        if not self.accept("with"):
            return None
        out: list[Any] = []
        if not self.at("|"):
            pre = self.tactic()
            out.append((None, [], [pre]))
        while self.at("|"):
            start = self.tok.pos
            ctors: list[str] = []
            while self.accept("|"):
                self.accept("@")
                ctors.append(self.next().text if self.at("_") else self.name())
                names = []
                while self.is_name() or self.at("_"):
                    names.append(self.next().text)
            self.expect("=>")
            if self.at("_", "?_") and self.tok.kind == "id":
                self.next()
                block = [Tac("skip", (), start, self.tok.pos)]
            else:
                block = self.outer_block()
            out.append((ctors, names, block))
        if not out:
            self.fail("expected '|'")
        return out

    def k_rw(self) -> tuple[str, tuple[Any, ...]]:
        rules = self.rules()
        return "rw", (rules, self.location())

    def k_rewrite(self) -> tuple[str, tuple[Any, ...]]:
        rules = self.rules()
        return "rewrite", (rules, self.location())

    def k_rwa(self) -> tuple[str, tuple[Any, ...]]:
        rules = self.rules()
        return "rwa", (rules, self.location())

    def k_simp(self) -> tuple[str, tuple[Any, ...]]:
        only, args = self.simp_args()
        return "simp", (only, args, self.location())

    def k_dsimp(self) -> tuple[str, tuple[Any, ...]]:
        only, args = self.simp_args()
        return "dsimp", (only, args, self.location())

    def k_simp_all(self) -> tuple[str, tuple[Any, ...]]:
        only, args = self.simp_args()
        return "simp_all", (only, args)

    def k_simpa(self) -> tuple[str, tuple[Any, ...]]:
        only, args = self.simp_args()
        return "simpa", (only, args, self.term() if self.accept("using") else None)

    def k_unfold(self) -> tuple[str, tuple[Any, ...]]:
        names = [self.name()]
        while self.is_name() and self.more():
            names.append(self.name())
        return "unfold", (names, self.location())

    def k_specialize(self) -> tuple[str, tuple[Any, ...]]:
        return "specialize", (self.term(),)

    def k_change(self) -> tuple[str, tuple[Any, ...]]:
        ty = self.term()
        return "change", (ty, self.location())

    def k_rename(self) -> tuple[str, tuple[Any, ...]]:
        ty = self.term()
        self.expect("=>")
        return "rename", (ty, self.binder_name())

    def k_generalize(self) -> tuple[str, tuple[Any, ...]]:
        eq = None
        if self.is_name() and self.toks[self.i + 1].text == ":":
            eq = self.binder_name()
            self.next()
        value = self.term(51)
        self.expect("=")
        return "generalize", (eq, value, self.binder_name())

    def k_calc(self) -> tuple[str, tuple[Any, ...]]:
        return "calc", (("calc", self.calc_steps()),)

    def k_match(self) -> tuple[str, tuple[Any, ...]]:
        return "match", (self.discriminants(), self.alternatives_of(self.outer_block))

    def k_nomatch(self) -> tuple[str, tuple[Any, ...]]:
        targets = [self.term()]
        while self.accept(","):
            targets.append(self.term())
        return "nomatch", (targets,)

    def k_split(self) -> tuple[str, tuple[Any, ...]]:
        if self.more() and not self.at("at", ")", "}", "⟩", "<;>", ";", "|", ","):
            self.fail("minilean's `split` takes no term; expected end of input")
        return "split", (self.location(),)

    def k_injection(self) -> tuple[str, tuple[Any, ...]]:
        target = self.term()
        names: list[str] = []
        if self.accept("with"):
            while self.more() and (self.is_name() or self.at("_")):
                names.append(self.next().text)
        return "injection", (target, names)

    def k_funext(self) -> tuple[str, tuple[Any, ...]]:
        names: list[str] = []
        while self.more() and (self.is_name() or self.at("_")):
            names.append(self.next().text)
        return "funext", (names,)

    def k_ext(self) -> tuple[str, tuple[Any, ...]]:
        return "ext", self.k_funext()[1]

    def k_by_cases(self) -> tuple[str, tuple[Any, ...]]:
        name = "h✝"
        if self.is_name() and self.toks[self.i + 1].text == ":":
            name = self.binder_name()
            self.next()
        return "by_cases", (name, self.term())

    def k_all_goals(self) -> tuple[str, tuple[Any, ...]]:
        return "all_goals", (self.block(),)

    def k_any_goals(self) -> tuple[str, tuple[Any, ...]]:
        return "any_goals", (self.block(),)

    def k_try(self) -> tuple[str, tuple[Any, ...]]:
        return "try", (self.block(),)

    def k_repeat(self) -> tuple[str, tuple[Any, ...]]:
        return "repeat", (self.block(),)

    def k_focus(self) -> tuple[str, tuple[Any, ...]]:
        return "bullet", (self.block(),)

    def k_iterate(self) -> tuple[str, tuple[Any, ...]]:
        n = int(self.next().text) if self.tok.kind == "num" else None
        block = self.block()
        return ("repeat", (block,)) if n is None else ("iterate", (n, block))

    def k_fail_if_success(self) -> tuple[str, tuple[Any, ...]]:
        return "fail_if_success", (self.block(),)

    def k_first(self) -> tuple[str, tuple[Any, ...]]:
        blocks: list[list[Tac]] = []
        while self.accept("|"):
            blocks.append(self.outer_block())
        if not blocks:
            self.fail("expected '|'")
        return "first", (blocks,)

    def k_case(self) -> tuple[str, tuple[Any, ...]]:
        tag = self.next().text if self.at("_") else self.name()
        names = []
        while self.is_name() or self.at("_"):
            names.append(self.next().text)
        self.expect("=>")
        return "case", (tag, names, self.block())

    def k_next(self) -> tuple[str, tuple[Any, ...]]:
        names = []
        while self.is_name() or self.at("_"):
            names.append(self.next().text)
        self.expect("=>")
        return "case", (None, names, self.block())

    def k_fail(self) -> tuple[str, tuple[Any, ...]]:
        message = self.next().text[1:-1] if self.tok.kind == "str" else "Failed"
        return "fail", (message,)

    def k_sleep(self) -> tuple[str, tuple[Any, ...]]:
        if self.tok.kind != "num":
            self.fail("expected numeral")
        return "sleep", (int(self.next().text),)


@lru_cache(maxsize=4_000)
def parse_tactics(text: str) -> list[Tac]:
    """The tactic sequence of `text`. Raises `ParseError`."""
    p = TacticParser(text)
    tacs = p.seq(p.tok.col)
    if p.tok.kind != "eof":
        p.fail("expected end of input")
    return tacs


@lru_cache(maxsize=1_000)
def parse_term(text: str) -> Term:
    """The term of `text`. Raises `ParseError`."""
    p = TacticParser(text)
    return parse_whole(p, p.term)


@lru_cache(maxsize=1_000)
def parse_conv(text: str) -> list[Tac]:
    """The sequence of `conv` tactics of `text`. Raises `ParseError`."""
    p = TacticParser(text)
    tacs = p.in_mode(True, lambda: p.seq(p.tok.col))
    if p.tok.kind != "eof":
        p.fail("expected end of input")
    return tacs
