"""Parser for tactic blocks: Lean 4 core's tactics, bullets and column-sensitive sequences."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from burnqed.minilean.lexer import ParseError
from burnqed.minilean.syntax import Parser, Term, parse_whole


class Tac(NamedTuple):
    """A parsed tactic; `pos` and `end` are offsets into the source text."""

    kind: str
    args: tuple[Any, ...]
    pos: int
    end: int


NULLARY = frozenset(
    "assumption constructor left right rfl symm trivial contradiction decide omega skip done sorry"
    " admit exfalso and_intros infer_instance eq_refl rotate_left rotate_right nofun".split()
)
ONE_TERM = frozenset(("exact", "apply", "refine", "refine'", "show"))
MANY_NAMES = frozenset("rename_i revert clear intros subst".split())
# Tactics Lean core has and minilean does not: they parse (loosely) and fail when run.
UNSUPPORTED = frozenset(
    "grind bv_decide norm_cast push_cast exact_mod_cast ac_rfl ac_nf conv calc split injection"
    " injections funext ext congr native_decide exact? apply? rw? show_term simp? simp_arith delta"
    " let set generalize match nomatch run_tac unhygienic with_reducible erw dsimp? stop"
    " fun_induction fun_cases repeat' simpa?".split()
)


class TacticParser(Parser):
    """Terms with `by`, and tactic sequences."""

    def t_by(self) -> Term:
        by = self.next()
        return ("by", self.block(), by.pos, self.toks[self.i - 1].end)

    def block(self) -> list[Tac]:
        """A tactic sequence whose column is that of its first token."""
        if self.at("{"):
            return self.braces()
        return self.seq(self.tok.col)

    def braces(self) -> list[Tac]:
        self.expect("{")
        if self.accept("}"):
            return []
        tacs = self.seq(self.tok.col, "}")
        self.expect("}")
        return tacs

    def seq(self, col: int, close: str = "") -> list[Tac]:
        if self.tok.kind == "eof" or self.tok.col <= self.col and not close:
            self.fail("expected '{' or tactic")
        saved, self.col = self.col, col
        out: list[Tac] = []
        while True:
            out.append(self.tactic())
            if self.accept(";"):
                t = self.tok
                if t.kind == "eof" or t.text in (")", "}", "⟩", close):
                    break
                if t.line == self.toks[self.i - 1].line or t.col == col:
                    continue
                break
            t = self.tok
            if t.kind != "eof" and t.line > self.toks[self.i - 1].line and t.col == col:
                if t.text in ("|", ")", "}", "⟩"):
                    break
                continue
            break
        self.col = saved
        return out

    def tactic(self) -> Tac:
        """One tactic with its `<;>` continuations, left associative."""
        t = self._tactic()
        while self.at("<;>"):
            self.next()
            u = self._tactic()
            t = Tac("then_all", (t, u), t.pos, u.end)
        return t

    def _tactic(self) -> Tac:
        t = self.tok
        start = t.pos
        kind, args = self._body()
        return Tac(kind, args, start, self.toks[self.i - 1].end)

    def _body(self) -> tuple[str, tuple[Any, ...]]:
        t = self.tok
        if t.kind == "sym":
            if t.text in ("·", "."):
                self.next()
                return "bullet", (self.block(),)
            if t.text == "(":
                self.next()
                saved, self.col = self.col, -1
                tacs = self.seq(self.tok.col, ")")
                self.col = saved
                self.expect(")")
                return "paren", (tacs,)
            if t.text == "{":
                return "bullet", (self.braces(),)
        if t.kind == "eof":
            self.fail("expected tactic")
        word = t.text
        if t.kind != "id":
            self.unknown()
        nxt = self.toks[self.i + 1]
        if nxt.text in ("?", "'") and not nxt.spaced:
            word += nxt.text
        if word in NULLARY:
            self.next()
            return word, ()
        if word in ONE_TERM:
            self.next()
            return word, (self.term(),)
        if word in MANY_NAMES:
            self.next()
            names = []
            while self.is_name() and self.tok.col > self.col or self.at("_"):
                names.append(self.next().text)
            if not names and word != "intros":
                self.fail("expected identifier")
            return word, tuple(names)
        method = getattr(self, "k_" + word, None)
        if method is not None:
            self.next()
            return method()
        if word in UNSUPPORTED:
            while self.tok.kind != "eof" and self.tok.line == t.line and not self.at(";", ")"):
                self.next()
            return "unsupported", (word,)
        self.unknown()
        raise AssertionError

    def unknown(self) -> None:
        raise ParseError("unknown tactic", self.tok.pos)

    # names, patterns, locations

    def more(self) -> bool:
        return self.tok.kind != "eof" and self.tok.col > self.col

    def pattern(self) -> Term:
        """An rcases pattern: alternatives separated by `|`."""
        alts = [self.pattern1()]
        while self.accept("|"):
            alts.append(self.pattern1())
        return alts[0] if len(alts) == 1 else ("alts", alts)

    def pattern1(self) -> Term:
        if self.accept("⟨"):
            saved, self.col = self.col, -1
            items: list[Term] = []
            while not self.at("⟩"):
                items.append(self.pattern())
                if not self.accept(","):
                    break
            self.expect("⟩")
            self.col = saved
            return ("tuple", items)
        if self.accept("("):
            saved, self.col = self.col, -1
            p = self.pattern()
            if self.accept(":"):
                p = ("typed", p, self.term())
            self.expect(")")
            self.col = saved
            return p
        if self.accept("-"):
            return ("clear",)
        if self.accept("@"):
            return self.pattern1()
        name = self.binder_name()
        return ("hole",) if name == "_" else ("name", name)

    def location(self) -> tuple[str, ...] | None:
        """Names after `at`; `⊢` stands for the goal, `*` for everywhere; None without `at`."""
        if not self.at("at"):
            return None
        self.next()
        if self.accept("*"):
            return ("*",)
        names: list[str] = []
        while self.more() and (self.is_name() or self.at("⊢")):
            names.append(self.next().text)
        if not names:
            self.fail("expected identifier")
        return tuple(names)

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
                saved, self.col = self.col, -1
                block = self.block()
                self.col = saved
            out.append((ctors, names, block))
        if not out:
            self.fail("expected '|'")
        return out

    def rules(self) -> list[Any]:
        """`[t, ← u]` as (reversed, term, pos) triples."""
        self.expect("[")
        saved, self.col = self.col, -1
        out: list[Any] = []
        while not self.at("]"):
            pos = self.tok.pos
            back = self.accept("←")
            out.append((back, self.term(), pos))
            if not self.accept(","):
                break
        self.col = saved
        self.expect("]")
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

    def simp_args(self) -> tuple[bool, list[Any]]:
        only = self.tok.text == "only"
        if only:
            self.next()
        out: list[Any] = []
        if self.at("["):
            self.next()
            saved, self.col = self.col, -1
            while not self.at("]"):
                if self.accept("*"):
                    out.append(("*", None))
                elif self.accept("-"):
                    out.append(("-", self.name()))
                elif self.accept("←"):
                    out.append(("←", self.term()))
                else:
                    self.accept("↑", "↓")
                    out.append(("", self.term()))
                if not self.accept(","):
                    break
            self.col = saved
            self.expect("]")
        return only, out

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
            saved, self.col = self.col, -1
            blocks.append(self.block())
            self.col = saved
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
