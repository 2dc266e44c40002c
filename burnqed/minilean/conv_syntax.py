"""Parser for `conv` and its tactics, and for the rule lists that `rw` and `simp` take."""

from __future__ import annotations

from typing import Any

from burnqed.minilean.tactic_block import BlockParser, Tac

Args = tuple[str, tuple[Any, ...]]


class ConvParser(BlockParser):
    """Every method named `conv_…` parses what follows that keyword inside `conv`."""

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

    def k_conv(self) -> Args:
        where = None
        if self.accept("at"):
            where = self.name()
        pattern = self.term() if self.accept("in") else None
        self.expect("=>")
        return "conv", (where, pattern, self.in_mode(True, self.outer_block))

    def conv_conv(self) -> Args:
        self.expect("=>")
        return "paren", (self.outer_block(),)

    def conv_tactic(self) -> Args:
        self.expect("=>")
        return "conv_tactic", (self.in_mode(False, self.outer_block),)

    def position(self) -> tuple[bool, int]:
        """`i` or `@i` as (whether implicit arguments count, i)."""
        every = self.accept("@")
        sign = -1 if self.accept("-") else 1
        if self.tok.kind != "num":
            self.fail("expected numeral")
        return every, sign * int(self.next().text)

    def conv_arg(self) -> Args:
        return "conv_arg", self.position()

    def conv_enter(self) -> Args:
        self.expect("[")
        steps: list[Tac] = []
        while not self.at("]"):
            start = self.tok.pos
            if self.is_name() or self.at("_"):
                kind, args = "conv_ext", ([self.next().text],)
            else:
                kind, args = self.conv_arg()
            steps.append(Tac(kind, args, start, self.toks[self.i - 1].end))
            if not self.accept(","):
                break
        self.expect("]")
        return "paren", (steps,)

    def conv_ext(self) -> Args:
        names: list[str] = []
        while self.more() and (self.is_name() or self.at("_")):
            names.append(self.next().text)
        if not names:
            self.fail("expected identifier")
        return "conv_ext", (names,)

    conv_intro = conv_ext

    def conv_rw(self) -> Args:
        return "conv_rw", (self.rules(),)

    conv_rewrite = conv_rw

    def conv_simp(self) -> Args:
        return "conv_simp", self.simp_args()

    def conv_unfold(self) -> Args:
        names = [self.name()]
        while self.is_name() and self.more():
            names.append(self.name())
        return "conv_unfold", (names,)

    def conv_change(self) -> Args:
        return "conv_change", (self.term(),)

    def conv_pattern(self) -> Args:
        return "conv_pattern", (self.term(),)

    def conv_lhs(self) -> Args:
        return "conv_lhs", ()

    def conv_rhs(self) -> Args:
        return "conv_rhs", ()

    def conv_fun(self) -> Args:
        return "conv_arg", (False, 0)

    def conv_congr(self) -> Args:
        return "conv_congr", ()

    def conv_rfl(self) -> Args:
        return "conv_rfl", ()
