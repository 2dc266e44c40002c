"""Reading Lean declarations as text: comments, brackets, and a declaration's proposition.

Nothing here elaborates: a published statement is cut at its outermost colon and `:=`, and its
binders become a `∀`, so that ``theorem n (h : p) : q := by`` reads ``∀ (h : p), q``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from burnqed.minilean.lexer import comment_end

OPEN = {"(": ")", "{": "}", "[": "]", "⟨": "⟩", "⦃": "⦄", "⌊": "⌋", "⌈": "⌉", "⟪": "⟫"}
CLOSE = {closing: opening for opening, closing in OPEN.items()}
# Mathlib's intervals and half-open ranges pair `[`/`]` as names (`Set.Ioc`), never as brackets, so
# brackets are balanced in any statement that Lean itself reads.
IDENTIFIER = re.compile(r"«[^»]*»|[^\W\d][\w'!?₀-₉✝¹²³⁴-⁹⁰]*(?:\.(?:«[^»]*»|[^\W\d][\w'!?₀-₉]*))*")
DECLARATION = re.compile(
    r"^[ \t]*(?:@\[[^\]]*\]\s*)*(?:(?:private|protected|noncomputable|nonrec|local)\s+)*"
    r"(theorem|lemma|example|problem)\b",
    re.MULTILINE,
)
PLACEHOLDER = re.compile(r"\b(?:abbrev|def|instance|axiom|opaque)\b[^\0]*?:=\s*(?:by\s+)?sorry\b")


class TextError(ValueError):
    """The text is not a declaration that this module can read."""


@dataclass(frozen=True)
class Declaration:
    """A declaration cut into parts: ``preamble`` is all text before it, comments removed."""

    preamble: str
    name: str
    binders: str
    goal: str

    @property
    def proposition(self) -> str:
        """Return the statement as one proposition."""
        return f"∀ {self.binders}, {self.goal}" if self.binders else self.goal


_COMMENT_OR_STRING = re.compile(r'/-|--[^\n]*|"(?:[^"\\]|\\.)*"?', re.DOTALL)


def strip_comments(text: str) -> str:
    """Remove line, block (nested) and documentation comments; string literals are left alone."""
    if "--" not in text and "/-" not in text:
        return text
    out: list[str] = []
    place = 0
    while found := _COMMENT_OR_STRING.search(text, place):
        out.append(text[place : found.start()])
        place = found.end()
        if found.group() == "/-":
            out.append(" ")
            place = comment_end(text, found.start())
            if place < 0:
                return "".join(out)
        elif found.group().startswith('"'):
            out.append(found.group())
    return "".join([*out, text[place:]])


def _tidy(text: str) -> str:
    return " ".join(text.split())


def _cut(text: str, start: int) -> tuple[int, int]:
    """Return the places of the outermost type colon and of the `:=` that ends the statement.

    Either is -1 when absent. A `:=` that belongs to a `let`, `have` or `set` is passed over.
    """
    stack: list[str] = []
    colon, bound, i = -1, 0, start
    while i < len(text):
        char = text[i]
        if char in OPEN:
            stack.append(char)
        elif char in CLOSE:
            if not stack or stack[-1] != CLOSE[char]:
                raise TextError(f"unbalanced '{char}'")
            stack.pop()
        elif not stack:
            if text.startswith(":=", i):
                if not bound:
                    return colon, i
                bound -= 1
                i += 1
            elif char == ":" and colon < 0:
                colon = i
            elif colon >= 0 and (word := re.compile(r"(?<![\w.])(?:let|have|set)\b").match(text, i)):
                bound += 1
                i = word.end() - 1
        i += 1
    if stack:
        raise TextError(f"unclosed '{stack[-1]}'")
    return colon, -1


def _binders(text: str) -> str:
    """Return the binder groups without default values (`(h : p := by simp)` is `(h : p)`)."""
    out: list[str] = []
    depth, skip = 0, False
    for i, char in enumerate(text):
        if char in OPEN:
            depth += 1
        elif char in CLOSE:
            depth -= 1
            skip = skip and depth > 0
        elif depth == 1 and text.startswith(":=", i):
            skip = True
        if not skip:
            out.append(char)
    return _tidy("".join(out))


def parse_declaration(text: str) -> Declaration:
    """Cut the last theorem, lemma or example of a text into its parts.

    Raises TextError when there is none, brackets do not match, or the type is missing.
    """
    clean = strip_comments(text)
    found = list(DECLARATION.finditer(clean))
    if not found:
        raise TextError("no theorem, lemma or example in the text")
    position = found[-1].end()
    name = ""
    if found[-1].group(1) != "example":
        word = re.compile(r"\s*(" + IDENTIFIER.pattern + r"|[^\s({\[:⦃]+)").match(clean, position)
        if word is None:
            raise TextError("a declaration without a name")
        name, position = word.group(1), word.end()
        universes = re.compile(r"\.?\{[\w, ]+\}").match(clean, position)
        if universes is not None and clean[position] == ".":
            position = universes.end()
        name = name.rstrip(".")
    colon, end = _cut(clean, position)
    if colon < 0:
        raise TextError(f"'{name or 'example'}' has no type (no ':' outside brackets)")
    goal = _tidy(clean[colon + 1 : end if end >= 0 else len(clean)])
    if not goal:
        raise TextError(f"'{name or 'example'}' has an empty type")
    preamble = clean[: found[-1].start()].strip()
    return Declaration(preamble, name, _binders(clean[position:colon]), goal)


def read_statement(text: str) -> Declaration:
    """Read a declaration, or a bare proposition (then name, binders and preamble are empty)."""
    clean = strip_comments(text)
    if DECLARATION.search(clean):
        return parse_declaration(text)
    stack: list[str] = []
    for char in clean:
        if char in OPEN:
            stack.append(char)
        elif char in CLOSE and (not stack or stack.pop() != CLOSE[char]):
            raise TextError(f"unbalanced '{char}'")
    if stack:
        raise TextError(f"unclosed '{stack[-1]}'")
    goal = _tidy(clean)
    if not goal:
        raise TextError("empty statement")
    return Declaration("", "", "", goal)


_QUANTIFIED = re.compile(r"[∀∃λ]!?\s*([^,:(){}\[\]]+?)\s*(?:[:,∈<>≤≥↦]|=>)|\bfun\s+([^,:(){}\[\]]+?)\s*(?::|=>|↦)")
_GROUP = re.compile(r"[({\[⦃]\s*([^(){}\[\]:,⦃⦄]+?)\s*:(?!=)")
_TOKEN = re.compile(IDENTIFIER.pattern + r"|\d+|=>|\S")
_NO_SYMBOL = re.compile(r"«[^»]*»|=>|[\w\s'!?₀-₉✝⁰¹²³⁴-⁹.(){}⦃⦄↦]+")


_ONE_GROUP = re.compile(r"([∀∃λ]|\bfun\b)\s*[({⦃]([^(){}\[\]⦃⦄]*)[)}⦄]\s*(,|=>|↦)")
_SAME_TOKEN = {"{": "(", "}": ")", "⦃": "(", "⦄": ")", "λ": "fun", "↦": "=>"}


def normalise_statement(statement: str) -> str:
    """Return a text that is equal for statements equal up to spacing and bound names.

    Bound names are numbered in order of appearance, kinds of binder brackets are not told apart,
    and a sole binder group loses its brackets. It decides contamination, not equality of
    propositions: notation (`≥` for `≤`, coercions) is not unfolded.
    """
    text = strip_comments(statement)
    bound: set[str] = set()
    for pattern in (_QUANTIFIED, _GROUP):
        for match in pattern.finditer(text):
            words = next(group for group in match.groups() if group)
            bound.update(w for w in words.split() if IDENTIFIER.fullmatch(w))
    numbers: dict[str, str] = {}
    out: list[str] = []
    for token in _TOKEN.findall(_ONE_GROUP.sub(r"\1 \2\3", text)):
        head, dot, rest = token.partition(".")
        if head in bound:
            token = numbers.setdefault(head, f"#{len(numbers)}") + dot + rest
        out.append(_SAME_TOKEN.get(token, token))
    return " ".join(out)


def symbols_of(statement: str) -> str:
    """Return a statement's symbols alone, in order: equal whenever ``normalise_statement`` is, and ten times cheaper."""
    return _NO_SYMBOL.sub("", strip_comments(statement))


_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def proposition_from_state(state: str) -> str:
    """Return a proposition for the one goal of a pretty-printed state, for want of a statement.

    Hypotheses become binders, unnamed instances instance binders, values `let`, inaccessible names
    plain ones, and `Type u_1` becomes `Type _`. Pretty print does not always elaborate again: the
    prover has the last word. Raises TextError unless the state has exactly one goal.
    """
    blocks = state.strip().split("\n\n")
    if len(blocks) != 1 or blocks[0].count("⊢ ") != 1:
        raise TextError("not a state with exactly one goal")
    context, target = blocks[0].split("⊢ ")
    entries: list[str] = []
    for line in context.splitlines():
        if line.startswith("case "):
            continue
        if line[:1].isspace() and entries:
            entries[-1] += " " + line.strip()
        elif line.strip():
            entries.append(line.strip())
    out: list[str] = []
    for entry in entries:
        names, colon, kind = entry.partition(" : ")
        if not colon:
            raise TextError(f"not a hypothesis: '{entry[:60]}'")
        value = ""
        if " := " in kind:
            kind, value = kind.split(" := ", 1)
        if value:
            out.append(f"let {names} : {kind} := {value};")
        elif names.startswith("inst✝") and re.fullmatch(r"(inst✝[⁰¹²³⁴-⁹]*\s*)+", names):
            out.append(f"∀ [{kind}],")
        else:
            out.append(f"∀ ({names} : {kind}),")
    merged: list[str] = []
    for part in out:
        if merged and part[0] == "∀" and merged[-1][0] == "∀":
            merged[-1] = merged[-1][:-1] + part[1:]
        else:
            merged.append(part)
    text = _tidy(" ".join([*merged, target]))
    if "✝" in text:
        text = re.sub(r"✝([⁰¹²³⁴-⁹]*)", lambda m: "_" + m.group(1).translate(_SUPERSCRIPT), text)
    return re.sub(r"\b(Type|Sort) (?:u_\d+|\?u\.\d+|u|v|w|\(max [^)]*\))", r"\1 _", text)
