"""A theorem's header as commands: which of them could change what a statement means.

Imports, opened names, namespaces and sections, universes and harmless options say where names are
looked up, as every reader of the file sees. A plain definition at top level is a new name: a statement
that uses it says so, and no other changes. The rest (notation, instances, variables, attributes,
definitions in a namespace, which hide others...) can make a statement mean something else than it
seems to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from burnqed.leantext.tokens import Token, tokens

_MODIFIERS = frozenset(
    "local scoped private protected public meta noncomputable unsafe partial nonrec deriving".split()
)
_KEYWORDS = frozenset(
    """import open section namespace end universe universes set_option variable variables include omit export attribute
    notation notation3 infix infixl infixr prefix postfix macro macro_rules syntax declare_syntax_cat elab elab_rules
    binder_predicate unif_hint instance def abbrev theorem lemma axiom opaque structure inductive coinductive class example
    mutual initialize builtin_initialize register_option register_simp_attr simproc dsimproc alias run_cmd run_meta run_elab
    prelude module""".split()
)
_PLAIN = frozenset("def abbrev theorem lemma opaque structure inductive axiom".split())
_LINE_START_ONLY = frozenset(
    "include omit export alias prefix postfix lemma prelude module universes variables".split()
)
_OPEN_WORDS = frozenset("( ) → - > hiding renaming scoped".split())
_HARMLESS = ("maxHeartbeats", "maxRecDepth", "synthInstance.", "linter.", "pp.", "trace.", "profiler", "warn.", "exponentiation.",
             "Elab.async", "maxSynthPendingDepth", "maxUniverseOffset")  # fmt: skip


@dataclass(frozen=True)
class Command:
    """One command of a header. ``neutral``: a statement that can be read without it means the same with it."""

    text: str
    neutral: bool


def split_header(header: str) -> list[Command]:
    """Return the commands of a header in order; their texts make up the header. Raises LexicalError."""
    code = [token for token in tokens(header.expandtabs()) if token.kind != "comment"]
    starts = list(_starts(code))
    bounds = [code[place].start for place in starts] or [len(header)]
    texts = [header.expandtabs()[left:right] for left, right in zip([0, *bounds[1:]], [*bounds[1:], None], strict=True)]
    ends = [*starts[1:], len(code)]
    pieces = [code[first:last] for first, last in zip(starts or [0], ends, strict=True)]
    named = any(piece and piece[0].text == "namespace" for piece in pieces)
    return [
        Command(text, _neutral(piece) or not named and _plain(piece)) for text, piece in zip(texts, pieces, strict=True)
    ]


def _starts(code: Sequence[Token]) -> Iterator[int]:
    """Return the places of the tokens with which commands begin, attributes and modifiers among them."""
    depth, began, inside_mutual = 0, True, False
    for place, token in enumerate(code):
        text = token.text
        bracket = depth
        depth += (text in "([{⟨") - (text in ")]}⟩") if token.kind == "symbol" else 0
        depth = max(depth, 0)
        keyword = text in _KEYWORDS and token.kind == "name" and (token.line_start or text not in _LINE_START_ONLY)
        after = code[place + 1].text if place + 1 < len(code) else ""
        modifier = text in _MODIFIERS and (text != "deriving" or after == "instance") or (text, after) == ("@", "[")
        modifier = modifier and (place == 0 or code[place - 1].text != "open")
        hash_command = text == "#" and token.line_start
        begins = bracket == 0 and (keyword or modifier or hash_command)
        if inside_mutual:
            inside_mutual = text != "end"
            continue
        if place == 0 or begins and not began:
            yield place
        if begins:
            began = not keyword  # a modifier waits for its keyword
            inside_mutual = text == "mutual"
        elif text == "in" and bracket == 0:
            began = True  # `open X in`: the next command belongs to it
        elif not (bracket or depth or text in "@"):
            began = False


def _plain(code: Sequence[Token]) -> bool:
    """Return whether a command declares a new name and nothing else: no attribute, no instance, no modifier."""
    if code[0].text not in _PLAIN or len(code) < 2 or code[1].kind != "name":
        return False
    return not any(
        token.text in ("deriving", "macro", "instance", "extends")
        or (token.text, after.text) in (("@", "["), ("let", "rec"))
        for token, after in pairwise(code)
    )


def _neutral(code: Sequence[Token]) -> bool:
    words = [token.text for token in code]
    if not words:
        return True
    if words[0] == "noncomputable" and words[1:2] == ["section"]:
        words = words[1:]
    head, rest = words[0], code[len(code) - len(words) + 1 :]
    if head == "import":
        return all(token.kind == "name" for token in rest)
    if head in ("section", "namespace", "end"):
        return len(rest) <= 1 and all(token.kind == "name" for token in rest)
    if head in ("universe", "universes"):
        return all(token.kind == "name" for token in rest)
    if head == "open":
        return bool(rest) and all(
            token.text != "in" and (token.kind == "name" or token.text in _OPEN_WORDS) for token in rest
        )
    if head == "set_option":
        return len(rest) == 2 and rest[0].text.startswith(_HARMLESS)
    return False


def without(commands: Sequence[Command], left_out: Sequence[int]) -> str:
    """Return the header with some commands left out; their lines stay, empty."""
    return "".join("\n" * c.text.count("\n") if i in left_out else c.text for i, c in enumerate(commands))


def refused_header(commands: Sequence[Command]) -> str | None:
    """Return why no statement under such a header can be checked, or None."""
    for command in commands:
        word = next((t.text for t in tokens(command.text) if t.kind != "comment"), "")
        if word in ("prelude", "module"):
            return f"a header that begins with `{word}` replaces Lean's own library"
    return None
