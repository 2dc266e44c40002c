"""Where things stand in Lean text: comments and strings, the commands of a file, the cut of a declaration.

Nothing here elaborates or raises on text that is not Lean; every scan is linear in the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

OPEN = {"(": ")", "{": "}", "[": "]", "⟨": "⟩", "⦃": "⦄", "⌊": "⌋", "⌈": "⌉", "⟪": "⟫"}
CLOSE = {closing: opening for opening, closing in OPEN.items()}
# Mathlib's intervals are names (`Set.Ioc`), never half-open brackets, so brackets are balanced in any
# statement that Lean itself reads.
_WORD_END = r"(?![\w'!?₀-₉])"
_WORD_START = r"(?<![\w.'`«#])"
_COMMENT_MARK = re.compile(r"/-|-/")
# Each alternative begins with its own character, which is what makes the search fast: what has to stand before
# it is looked back at.
_HIDDEN = re.compile(
    r"""/-|--[^\n]*|"(?<=r")(?<![\w']r")[^"]*(?:"|\Z)|"(?<=r\#")(?:[^"]|"(?!\#))*(?:"\#|\Z)"""
    r"""|"(?<=r\#\#")(?:[^"]|"(?!\#\#))*(?:"\#\#|\Z)|"(?:[^"\\]|\\.)*"?"""
    r"""|'(?<![\w'!?₀-₉]')(?:\\.|[^\\'\n])'|«[^»\n]{1,200}»""",
    re.DOTALL,
)
_FILL = re.compile(r"[^\n]")


class OutlineError(ValueError):
    """The text is not a declaration that can be cut."""


def comment_end(text: str, start: int) -> int:
    """Return the place after the block comment (they nest) that opens at ``start``, -1 when it does not end."""
    depth = 0
    for mark in _COMMENT_MARK.finditer(text, start):
        depth += 1 if mark.group() == "/-" else -1
        if not depth:
            return mark.end()
    return -1


def blank(text: str) -> str:
    """Return the text at the same length with comments as spaces and the contents of strings as `_`.

    Line breaks stay, so that places and columns of the result are those of the text.
    """
    if "--" not in text and "/-" not in text and '"' not in text and "'" not in text and "«" not in text:
        return text
    out: list[str] = []
    place = 0
    while found := _HIDDEN.search(text, place):
        start, end = found.span()
        piece = found.group()
        out.append(text[place:start])
        if piece == "/-":
            end = comment_end(text, start)
            end = len(text) if end < 0 else end
            out.append(_FILL.sub(" ", text[start:end]))
        elif piece.startswith("--"):
            out.append(" " * (end - start))
        else:
            out.append(_FILL.sub("_", piece))
        place = end
    out.append(text[place:])
    return "".join(out)


def ends_in_comment(text: str) -> bool:
    """Return whether a block comment of the text is not closed."""
    place = 0
    while found := _HIDDEN.search(text, place):
        place = found.end()
        if found.group() == "/-":
            place = comment_end(text, found.start())
            if place < 0:
                return True
    return False


def strip_comments(text: str) -> str:
    """Remove line, block (nested) and documentation comments; string literals are left alone."""
    if "--" not in text and "/-" not in text:
        return text
    out: list[str] = []
    place = 0
    while found := _HIDDEN.search(text, place):
        out.append(text[place : found.start()])
        place = found.end()
        piece = found.group()
        if piece == "/-":
            out.append(" ")
            place = comment_end(text, found.start())
            if place < 0:
                return "".join(out)
        elif not piece.startswith("--"):
            out.append(piece)
    return "".join([*out, text[place:]])


THEOREMS = ("theorem", "lemma", "problem", "example")
DEFINITIONS = (
    "def", "abbrev", "structure", "inductive", "class", "instance", "axiom", "opaque", "determine", "coinductive",
)  # fmt: skip
_STRONG = (*THEOREMS, *DEFINITIONS, "namespace")
_WEAK = (
    "import", "open", "section", "end", "variable", "variables", "universe", "universes", "set_option", "attribute",
    "notation3", "notation", "infixl", "infixr", "infix", "prefix", "postfix", "macro_rules", "macro", "syntax", "elab_rules",
    "elab", "export", "include", "omit", "mutual", "initialize", "builtin_initialize", "alias", "deriving", "module", "prelude",
    "simproc_decl", "simproc", "unset_option", "declare_syntax_cat", "declare_config_elab", "suppress_compilation",
    "unsuppress_compilation", "library_note", "add_decl_doc", "assert_not_exists", "assert_exists", "run_cmd", "run_elab",
    "run_meta", "compile_inductive", "problem_file", "snip", "binder_predicate", "irreducible_def", "recall", "unif_hint",
    "register_simp_attr", "initialize_simps_projections", "grind_pattern", "theorem_wanted",
)  # fmt: skip
_WORDS = frozenset((*_STRONG, *_WEAK))
_MODIFIERS = frozenset("private protected public meta noncomputable nonrec partial unsafe local scoped".split())
_PREFIXED = re.compile(
    r"(?:@\[(?:[^\[\]]|\[[^\[\]]*\])*\]\s*|(?:private|protected|public|meta|noncomputable|nonrec|partial|unsafe|local|scoped)"
    r"(?![\w'!?₀-₉.])\s*){1,9}(?P<word>[a-z_]+[0-9]?)(?![\w'!?₀-₉.]|[ \t]+\$)"
)
_LINE = re.compile(r"^[ \t]*(@\[|#?[a-z_]+[0-9]?(?![\w'!?₀-₉.]|[ \t]+\$))", re.MULTILINE)
_INLINE = re.compile(r"(?<=\s)(?:theorem|lemma)(?=\s+[^\s$])")
_SCOPES = frozenset("import open section namespace end variable variables universe set_option attribute module".split())
_IN = re.compile(r"\bin\s*$")


class Command(NamedTuple):
    """A command of a file: its word, and the places of its prefix, word, end of word, and end.

    ``start`` is where its attributes and modifiers begin; ``end`` is where the next command begins.
    """

    word: str
    start: int
    at: int
    after: int
    end: int

    @property
    def is_theorem(self) -> bool:
        """Whether it states something to prove."""
        return self.word in THEOREMS


def commands(text: str) -> list[Command]:
    """Cut a blanked text (see ``blank``) into its commands, in order.

    Words that can also stand inside a declaration (`open .. in`, `set_option .. in`, `end`) count as a
    command at a line's beginning that is not deeper than the command before. What no known word
    begins belongs to the command before it.
    """
    found: list[tuple[str, int, int, int]] = []
    column, inside = 0, False
    for word, start, at, after in _heads(text):
        own = start - (text.rfind("\n", 0, start) + 1)
        on_line = not text[start - own : start].strip()
        if inside and own > column and word not in _STRONG:
            continue
        if on_line:
            column = own
        inside = word not in _SCOPES
        found.append((word, start, at, after))
    ends = [*(start for _, start, _, _ in found[1:]), len(text)][: len(found)]
    return [Command(*head, end) for head, end in zip(found, ends, strict=True)]


def _heads(text: str) -> list[tuple[str, int, int, int]]:
    """Return what may begin a command: its word, and the places of prefix, word and end of word, in order."""
    found: list[tuple[str, int, int, int]] = []
    seen = -1  # the word of a prefix on lines of its own has been found already
    for line in _LINE.finditer(text):
        word, at = line[1], line.start(1)
        if at <= seen:
            continue
        if word in _WORDS or word[0] == "#":
            found.append((word, at, at, line.end()))
        elif word in _MODIFIERS or word == "@[":
            prefixed = _PREFIXED.match(text, at)
            if prefixed is not None and prefixed["word"] in _WORDS:
                seen = prefixed.start("word")
                found.append((prefixed["word"], at, seen, prefixed.end()))
    stated = sum(word in ("theorem", "lemma") for word, *_ in found)
    if text.count("theorem") + text.count("lemma") > stated:  # in the middle of a line: a text without line breaks
        known = {at for _, _, at, _ in found}
        inline = [(m.group(), m.start(), m.start(), m.end()) for m in _INLINE.finditer(text) if m.start() not in known]
        found = sorted([*found, *inline], key=lambda head: head[2])
    return found


def applies_to_next(text: str, command: Command) -> bool:
    """Return whether the command is a prefix of the one after it: `open Foo in`, `set_option x y in`."""
    return command.word in ("open", "set_option", "variable", "include", "omit", "attribute") and bool(
        _IN.search(text, command.after, command.end)
    )


_MARK = re.compile(r":=|::|:|[()\[\]{}⟨⟩⦃⦄⌊⌋⌈⌉⟪⟫]|letI?(?![\w'!?₀-₉])|haveI?(?![\w'!?₀-₉])|set(?![\w'!?₀-₉])|\|")
_IN_WORD = re.compile(r"[\w.'`«#]")
_ALTERNATIVE = re.compile(r"\|[^|\n]*=>")
# Ends whose `:=` an uncounted one (`let f | 0 => 1`) has hidden.
_ENDING = re.compile(r":=\s*(?:by\b)?\s*(?:sorry|admit)?\s*\Z")
_MATCHES = re.compile(rf"{_WORD_START}(?:match|fun|λ){_WORD_END}")


@dataclass(frozen=True)
class Cut:
    """Places in a declaration: its outermost type colon (-1: none) and the end of its type.

    ``value`` is the place after the `:=`, or the end of the type when there is none.
    """

    colon: int
    end: int
    value: int


def _begins_alternative(text: str, place: int) -> bool:
    """Return whether a bar begins its line and an arrow follows on it."""
    line = text.rfind("\n", 0, place) + 1
    return bool(line) and not text[line:place].strip() and _ALTERNATIVE.match(text, place) is not None


def cut(text: str, start: int, stop: int) -> Cut:
    """Return where the type of a declaration begins and ends; ``start`` is the place after its name.

    The text is blanked. A `:=` that belongs to a `let` or `have` of the type is passed over. Raises
    OutlineError when brackets do not match.
    """
    stack: list[str] = []
    colon, bound = -1, 0
    for mark in _MARK.finditer(text, start, stop):
        piece = mark.group()
        if piece in OPEN:
            stack.append(piece)
        elif piece in CLOSE:
            if not stack or stack[-1] != CLOSE[piece]:
                raise OutlineError(f"unbalanced '{piece}'")
            stack.pop()
        elif stack:
            continue
        elif piece == ":=":
            if not bound:
                return Cut(colon, mark.start(), mark.end())
            bound -= 1
        elif piece == ":":
            if colon < 0:
                colon = mark.start()
        elif piece == "|":
            if (
                colon >= 0
                and _begins_alternative(text, mark.start())
                and not _MATCHES.search(text, colon, mark.start())
            ):
                return Cut(colon, mark.start(), mark.start())
        elif piece != "::" and not _IN_WORD.match(text, mark.start() - 1):
            bound += colon >= 0
    if stack:
        raise OutlineError(f"unclosed '{stack[-1]}'")
    if ending := _ENDING.search(text, max(start, colon), stop):
        return Cut(colon, ending.start(), ending.start() + 2)
    return Cut(colon, stop, stop)
