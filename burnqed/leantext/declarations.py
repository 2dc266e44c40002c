"""Reading Lean declarations as text: a declaration's name, signature and proposition; statements compared as text.

Nothing here elaborates: a published statement is cut at its outermost colon and `:=`, and its
binders become a `∀`, so that ``theorem n (h : p) : q := by`` reads ``∀ (h : p), q``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from burnqed.leantext.outline import (
    CLOSE,
    OPEN,
    Command,
    OutlineError,
    blank,
    commands,
    cut,
    ends_in_comment,
    strip_comments,
)

IDENTIFIER = re.compile(r"«[^»]*»|[^\W\d][\w'!?₀-₉✝¹²³⁴-⁹⁰]*(?:\.(?:«[^»]*»|[^\W\d][\w'!?₀-₉]*))*")
DECLARATION = re.compile(
    r"^[ \t]*(?:@\[[^\]]*\]\s*)*(?:(?:private|protected|noncomputable|nonrec|local)\s+)*"
    r"(theorem|lemma|example|problem)\b",
    re.MULTILINE,
)
PLACEHOLDER = re.compile(r"\b(?:abbrev|def|instance|axiom|opaque|determine)\b[^\0]*?:=\s*(?:by\s+)?sorry\b")
SORRY = re.compile(r"(?<![\w.'])(?:sorry|admit)(?![\w'])")
_LAYOUT = re.compile(r"(?<![\w.'])(?:by|let|have|match|do|where|calc|fun|λ)(?![\w'])|\"")
_NAME = re.compile(r"\s*(" + IDENTIFIER.pattern + r"|[^\s({\[:⦃]+)")
_UNIVERSES = re.compile(r"\.?\{[\w, ]+\}")


class TextError(ValueError):
    """The text is not a declaration that this module can read."""


@dataclass(frozen=True)
class Declaration:
    """A declaration cut into parts.

    ``preamble`` is all text before it, comments removed; ``signature`` is what stands between its
    name and its `:=`, as written; ``value`` what follows the `:=` (empty when nothing does).
    """

    preamble: str
    name: str
    binders: str
    goal: str
    signature: str = ""
    value: str = ""

    @property
    def proposition(self) -> str:
        """Return the statement as one proposition."""
        return f"∀ {self.binders}, {self.goal}" if self.binders else self.goal

    @property
    def proved(self) -> bool:
        """Whether it has a value without `sorry`."""
        if self.value in ("", "by", "sorry", "by sorry"):
            return False
        value = blank(self.value).strip()
        return value not in ("", "by") and not SORRY.search(value)


def _tidy(text: str) -> str:
    return " ".join(text.split())


def _one_line(text: str, column: int) -> str:
    """Return a term without comments, on one line where its layout says nothing.

    ``column`` is where its first line begins: lines that must align with it still do.
    """
    clean = strip_comments(text).strip()
    if "\n" not in clean and '"' not in clean:
        return _tidy(clean)
    if not _LAYOUT.search(clean):
        return _tidy(clean)
    later = [line for line in clean.split("\n")[1:] if line.strip()]
    if all(len(line) - len(line.lstrip()) < column for line in later):
        return clean
    return "\n" + " " * column + clean


def _binders(text: str) -> str:
    """Return the binder groups without default values (`(h : p := by simp)` is `(h : p)`)."""
    if ":=" not in text:
        return _tidy(strip_comments(text))
    out: list[str] = []
    depth, skip = 0, False
    clean = strip_comments(text)
    for i, char in enumerate(clean):
        if char in OPEN:
            depth += 1
        elif char in CLOSE:
            depth -= 1
            skip = skip and depth > 0
        elif depth == 1 and clean.startswith(":=", i):
            skip = True
        if not skip:
            out.append(char)
    return _tidy("".join(out))


def declaration_at(text: str, plain: str, command: Command) -> Declaration:
    """Return the parts of a command of ``text`` that is a theorem; ``plain`` is the blanked text.

    The preamble is left empty. Raises TextError when it has no name or type, or brackets do not match.
    """
    position, name = command.after, ""
    if command.word != "example":
        word = _NAME.match(plain, position, command.end)
        if word is None:
            raise TextError("a declaration without a name")
        name, position = text[word.start(1) : word.end(1)], word.end()
        name = name.rstrip(".")
        position = word.start(1) + len(name)
    signature = position
    universes = _UNIVERSES.match(plain, position, command.end)
    if universes is not None and plain[position] == ".":
        position = universes.end()
    try:
        found = cut(plain, position, command.end)
    except OutlineError as error:
        raise TextError(str(error)) from error
    if found.colon < 0:
        raise TextError(f"'{name or 'example'}' has no type (no ':' outside brackets)")
    first = found.colon + 1
    while first < found.end and plain[first].isspace():
        first += 1
    column = first - (text.rfind("\n", 0, first) + 1)
    goal = _one_line(text[first : found.end], column)
    if not goal:
        raise TextError(f"'{name or 'example'}' has an empty type")
    return Declaration(
        "",
        name,
        _binders(text[position : found.colon]),
        goal,
        text[signature : found.end].strip(),
        text[found.value : command.end].strip(),
    )


def type_colon(signature: str) -> int:
    """Return the place of a signature's outermost colon. Raises TextError when it has none, or brackets do not match."""
    plain = blank(signature)
    universes = _UNIVERSES.match(plain)
    try:
        found = cut(plain, universes.end() if universes and plain[0] == "." else 0, len(plain))
    except OutlineError as error:
        raise TextError(str(error)) from error
    if found.colon < 0:
        raise TextError("a signature without a type")
    return found.colon


def parse_declaration(text: str) -> Declaration:
    """Cut the last theorem, lemma or example of a text into its parts.

    Raises TextError when there is none, brackets do not match, or the type is missing.
    """
    plain = blank(text)
    found = [command for command in commands(plain) if command.is_theorem]
    if not found:
        raise TextError("no theorem, lemma or example in the text")
    parts = declaration_at(text, plain, found[-1])
    preamble = strip_comments(text[: found[-1].start]).strip()
    return Declaration(preamble, parts.name, parts.binders, parts.goal, parts.signature, parts.value)


def read_statement(text: str) -> Declaration:
    """Read a declaration, or a bare proposition (then name, binders, signature and preamble are empty).

    Raises TextError as ``parse_declaration``, and for a comment or bracket that is not closed.
    """
    if ends_in_comment(text):
        raise TextError("a comment that does not end")
    plain = blank(text)
    if commands(plain):
        return parse_declaration(text)
    stack: list[str] = []
    for char in plain:
        if char in OPEN:
            stack.append(char)
        elif char in CLOSE and (not stack or stack.pop() != CLOSE[char]):
            raise TextError(f"unbalanced '{char}'")
    if stack:
        raise TextError(f"unclosed '{stack[-1]}'")
    goal = _one_line(text, 0)
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


_SPLIT_GROUPS = re.compile(r"([(\[]) ((?:#\d+ )+): ([^()\[\]:]+) ([)\]]) [(\[] ((?:#\d+ )+): \3 [)\]]")

_SOLE_GROUP = re.compile(r"(∀|∃|fun) \( ([^()\[\]]*) \) (,|=>)")


def skeleton(statement: str) -> str:
    """Return a text that is equal for statements equal up to spacing, bound names, numerals and the grouping of binders.

    Equal skeletons are a likeness to look at, not a proof of copying: `2 + 2 = 4` has that of `1 + 1 = 3`.
    """
    words = normalise_statement(statement).split(" ")
    text = " ".join("0" if word.isdigit() else word for word in words)
    while (merged := _SPLIT_GROUPS.sub(r"\1 \2\5: \3 \4", text)) != text:
        text = merged
    return _SOLE_GROUP.sub(r"\1 \2 \3", text)


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
