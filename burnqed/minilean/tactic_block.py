"""Parser for tactic blocks: sequences by column, bullets, patterns and locations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from burnqed.minilean.cursor import Term
from burnqed.minilean.lexer import ParseError
from burnqed.minilean.syntax import Parser


class Tac(NamedTuple):
    """A parsed tactic; `pos` and `end` are offsets into the source text."""

    kind: str
    args: tuple[Any, ...]
    pos: int
    end: int


NULLARY = frozenset(
    "assumption constructor left right rfl symm trivial contradiction decide omega skip done sorry"
    " admit exfalso and_intros infer_instance eq_refl rotate_left rotate_right nofun injections congr".split()
)
ONE_TERM = frozenset(("exact", "apply", "refine", "refine'", "show"))
MANY_NAMES = frozenset("rename_i revert clear intros subst".split())
# Tactics Lean core has and minilean does not: they parse (loosely) and fail when run.
UNSUPPORTED = frozenset(
    "grind bv_decide norm_cast push_cast exact_mod_cast ac_rfl ac_nf"
    " native_decide exact? apply? rw? show_term simp? simp_arith delta"
    " let set run_tac unhygienic with_reducible erw dsimp? stop"
    " fun_induction fun_cases repeat' simpa?".split()
)
# Tactics that `conv` shares with the ordinary tactic language.
CONTROL = frozenset("skip done sorry first try repeat all_goals any_goals focus iterate fail case next".split())


class BlockParser(Parser):
    """Terms with `by`, and tactic sequences."""

    conv = False  # whether the tactics that come are those of `conv`

    def t_by(self) -> Term:
        by = self.next()
        return ("by", self.in_mode(False, self.block), by.pos, self.toks[self.i - 1].end)

    def in_mode(self, conv: bool, block: Callable[[], list[Tac]]) -> list[Tac]:
        """Parse a block in `conv` mode, or out of it."""
        saved, self.conv = self.conv, conv
        tacs = block()
        self.conv = saved
        return tacs

    def block(self) -> list[Tac]:
        """A tactic sequence whose column is that of its first token."""
        if self.at("{"):
            return self.braces()
        return self.seq(self.tok.col)

    def outer_block(self) -> list[Tac]:
        """A block after `=>`, which may begin left of the tactics around it."""
        saved, self.col = self.col, -1
        block = self.block()
        self.col = saved
        return block

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
                return "conv_bullet" if self.conv else "bullet", (self.block(),)
            if t.text == "(":
                self.next()
                saved, self.col = self.col, -1
                tacs = self.seq(self.tok.col, ")")
                self.col = saved
                self.expect(")")
                return "paren", (tacs,)
            if t.text == "{":
                return "conv_bullet" if self.conv else "bullet", (self.braces(),)
        if t.kind == "eof":
            self.fail("expected tactic")
        word = t.text
        if t.kind != "id":
            self.unknown()
        nxt = self.toks[self.i + 1]
        if nxt.text in ("?", "'") and not nxt.spaced:
            word += nxt.text
        if word in NULLARY and (not self.conv or word in CONTROL):
            self.next()
            return word, ()
        if word in ONE_TERM and not self.conv:
            self.next()
            return word, (self.term(),)
        if word in MANY_NAMES and not self.conv:
            self.next()
            names = []
            while self.is_name() and self.tok.col > self.col or self.at("_"):
                names.append(self.next().text)
            if not names and word != "intros":
                self.fail("expected identifier")
            return word, tuple(names)
        if self.conv:
            method = getattr(self, "conv_" + word, None)
            if method is not None:
                self.next()
                return method()
            if word not in CONTROL:
                self.unknown()
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
