"""A Lean file as a list of statements, each with the part of the file that it needs.

A statement's header is what Lean would have read before it: imports, open namespaces, options and
variables in scope, notations and instances, and those definitions and proved lemmas that the
statement refers to, directly or through one another. Other statements of the file are left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain

from burnqed.leantext.declarations import SORRY, Declaration, TextError, declaration_at
from burnqed.leantext.outline import DEFINITIONS, Command, applies_to_next, blank, commands, strip_comments

_NAMES = re.compile(r"[^\W\d][\w'!?₀-₉]*")
_DEFINED = re.compile(r"\s*([^\s({\[:⦃.][^\s({\[:⦃]*)")
_VALUE_SORRY = re.compile(r":=\s*(?:by\s+)?sorry\b")
_ANSWER = re.compile(r"\s*((?:^[ \t]*--[^\n]*(?:\n|\Z))+)", re.MULTILINE)
_NO_VALUE = re.compile(r":=\s*(?:by\b)?\s*(?:sorry|admit)?\s*\Z")
_BLANK_LINES = re.compile(r"\n\s*\n+")
_LEAN3 = re.compile(r":=\s*begin\b")
DEEPEST = 100  # sections and namespaces in one another; what is deeper counts as one
NAMESAKES = 8  # definitions of one last name (in several namespaces) that a reference may mean: the latest
TERMS = ("def", "abbrev", "instance")
_EFFECTS = frozenset(
    "notation notation3 infix infixl infixr prefix postfix macro macro_rules syntax elab elab_rules instance attribute "
    "local scoped deriving simproc simproc_decl declare_syntax_cat alias export binder_predicate unif_hint".split()
)
_SCOPE = frozenset(
    "open variable variables universe universes set_option include omit suppress_compilation unset_option".split()
)
# What these do is no part of any statement, or needs a library of the file's own.
_IGNORED = frozenset("module prelude problem_file snip theorem_wanted library_note add_decl_doc".split())


@dataclass(frozen=True)
class Statement:
    """A theorem of a file: its parts and header, or why it cannot be read.

    ``line`` counts from 1; ``word`` is its keyword. ``asks_answer``: it rests on a definition whose
    value is `sorry`. ``answered``: such a definition took the value that the comment after it gives.
    ``used``: another theorem or definition of the file refers to it. ``lemmas`` are the proved
    lemmas that its own proof refers to beyond the header, and ``definitions`` the text of the rest
    that it refers to, both in the order of the file.
    """

    word: str
    line: int
    name: str
    declaration: Declaration | None = None
    header: str = ""
    error: str = ""
    asks_answer: bool = False
    answered: bool = False
    used: bool = False
    lemmas: tuple[Declaration, ...] = ()
    definitions: tuple[str, ...] = ()

    @property
    def proved(self) -> bool:
        """Whether the file gives a proof of it."""
        return self.declaration is not None and self.declaration.proved


@dataclass(eq=False)
class _Part:
    """A command that a header may hold: its text, the names it defines and refers to."""

    text: str
    defines: frozenset[str] = frozenset()
    always: bool = False
    asks: bool = False
    answered: bool = False
    refers: frozenset[str] | None = None
    lemma: Declaration | None = None

    def names(self) -> frozenset[str]:
        if self.refers is None:
            self.refers = frozenset(_NAMES.findall(self.text))
        return self.refers


@dataclass(eq=False)
class _Block:
    """A section or namespace (or the file itself) with what stands in it so far."""

    opening: str = ""
    parts: list[_Part | _Block] = field(default_factory=list)
    closing: str = ""
    closed: bool = False
    scope: dict[str, _Part] = field(default_factory=dict)
    lasting: bool = False  # something in it is defined, or counts always


@lru_cache(maxsize=512)
def _clean(text: str) -> str:
    return _BLANK_LINES.sub("\n", strip_comments(text)).strip()


def _given_answer(text: str, command: Command, plain: str) -> str:
    """Return a definition with its `sorry` replaced by the comment right after it, empty when there is none."""
    found = _VALUE_SORRY.search(plain, command.at, command.end)
    if found is None or plain[found.end() : command.end].strip():
        return ""
    comment = _ANSWER.match(text, found.end(), command.end)
    if comment is None:
        return ""
    lines = [line.strip().removeprefix("--").removeprefix(" ") for line in comment[1].splitlines()]
    answer = "\n  ".join(line for line in lines if line.strip())
    head = _clean(text[command.start : found.start()])
    return f"{head} :=\n  {answer}" if answer and not SORRY.search(answer) else ""


def _first_name(plain: str, command: Command) -> str:
    found = _DEFINED.match(plain, command.after, command.end)
    return found[1] if found else ""


def _own_names(plain: str, command: Command) -> frozenset[str]:
    """Return the last part of the name that a command defines, nothing when it defines none."""
    return frozenset(_NAMES.findall(_first_name(plain, command))[-1:])


_NOTHING: Mapping[int, _Part] = {}


class _Reader:
    """Walks through a file's commands and keeps the context of the next one."""

    def __init__(self, text: str, answers: bool) -> None:
        self.text, self.plain, self.answers = text, blank(text), answers
        self.imports: list[str] = []
        self.root = _Block()
        self.stack = [self.root]
        self.prefix: list[str] = []
        self.defined: dict[str, list[_Part]] = {}
        self.always: list[_Part] = []
        self.version = 0
        self.places: dict[int, int] = {}
        self.stated = False
        self.based, self.shared = -1, dict[int, _Part]()
        self.line, self.counted = 1, 0
        self.cache: dict[tuple[int, tuple[int, ...], tuple[str, ...]], str] = {}

    def line_of(self, place: int) -> int:
        """Return the line of a place, counted from 1; places must not go back."""
        self.line += self.text.count("\n", self.counted, place)
        self.counted = place
        return self.line

    def piece(self, command: Command) -> str:
        return _clean(self.text[command.start : command.end])

    def context(self, command: Command) -> None:
        """Take in a command that is no theorem."""
        word = command.word
        if word in _IGNORED or word.startswith("#"):
            return
        if applies_to_next(self.plain, command):
            self.prefix.append(re.sub(r"\s*\bin\s*$", "", self.piece(command)))
            return
        prefix, self.prefix = self.prefix, []
        self.version += 1
        if word == "import":
            if self.root.parts or self.stated:
                self.restart()  # imports come first: this is where another file was appended
            self.imports += [f"import {' '.join(self.plain[command.after : command.end].split()[:1])}"]
        elif word in ("namespace", "section"):
            opening = self.piece(command)
            if len(self.stack) < DEEPEST and not re.search(r"@\[expose\]|\bpublic\b", opening):
                self.stack.append(_Block(opening, closing=f"end {opening.partition(word)[2].strip()}".rstrip()))
                self.stack[-2].parts.append(self.stack[-1])
        elif word == "end":
            if len(self.stack) > 1:
                block = self.stack.pop()
                block.closed = True
                if not block.lasting and self.stack[-1].parts[-1:] == [block]:
                    self.stack[-1].parts.pop()  # nothing of it counts outside
                self.stack[-1].lasting |= block.lasting
        elif word in DEFINITIONS:
            self.definition(command, prefix)
        else:
            self.add(_Part("\n".join([*prefix, self.piece(command)]), always=word in _EFFECTS))

    def restart(self) -> None:
        """Forget all that an earlier file of the same text has declared."""
        self.root = _Block()
        self.stack, self.imports, self.defined, self.always, self.stated = [self.root], [], {}, [], False

    def add(self, part: _Part) -> None:
        block = self.stack[-1]
        if not part.defines and not part.always:
            again = block.scope.get(part.text)
            if again is not None:  # `open Nat` twice is `open Nat`
                again.text = ""
            block.scope[part.text] = part
        block.lasting |= bool(part.defines) or part.always
        block.parts.append(part)
        if part.always:
            self.always.append(part)
        self.places[id(part)] = len(self.places)
        for name in part.defines:
            namesakes = self.defined.setdefault(name, [])
            namesakes.append(part)
            del namesakes[:-NAMESAKES]

    def order(self, part: _Part) -> int:
        """Return a part's place in the file."""
        return self.places[id(part)]

    def definition(self, command: Command, prefix: list[str]) -> None:
        text, asks, answered = self.piece(command), False, False
        if SORRY.search(self.plain, command.after, command.end):
            given = _given_answer(self.text, command, self.plain) if self.answers else ""
            text, asks, answered = given or text, not given, bool(given)
        lines = [f"{line} in" for line in prefix]
        part = _Part("\n".join([*lines, text]), _own_names(self.plain, command), command.word == "instance")
        part.asks, part.answered = asks, answered
        self.add(part)

    def base(self) -> dict[int, _Part]:
        """Return the parts that every statement has: what counts always, and what that refers to."""
        if self.based != self.version:
            self.based, self.shared = self.version, {}
            if self.defined:
                self._follow(list(self.always), self.shared)
        return self.shared

    def needed(self, names: Iterable[str]) -> list[_Part]:
        """Return the parts that names refer to, through one another, beside those that every statement has."""
        if not self.defined:
            return []
        found: dict[int, _Part] = {}
        self._follow([part for name in names for part in self.defined.get(name, ())], found, self.base())
        return list(found.values())

    def _follow(self, todo: list[_Part], found: dict[int, _Part], known: Mapping[int, _Part] = _NOTHING) -> None:
        while todo:
            part = todo.pop()
            if id(part) in found or id(part) in known:
                continue
            found[id(part)] = part
            todo += [other for name in part.names() for other in self.defined.get(name, ()) if id(other) not in found]

    def header(self, needed: list[_Part], prefix: list[str]) -> str:
        key = (self.version, tuple(sorted(id(part) for part in needed)), tuple(prefix))
        if key not in self.cache:
            self.cache.clear()
            wanted = {id(part) for part in needed} | self.base().keys()
            imports = "\n".join(dict.fromkeys(self.imports))
            self.cache[key] = "\n\n".join(filter(None, [imports, *_render(self.root, wanted), *prefix]))
        return self.cache[key]


def _render(block: _Block, wanted: set[int]) -> list[str]:
    out: list[str] = []
    for part in block.parts:
        if isinstance(part, _Block):
            inner = _render(part, wanted)
            if not part.closed:
                out += [part.opening, *inner]
            elif _holds(part, wanted):
                out += [part.opening, *inner, part.closing]
        elif part.text and (part.always or not part.defines or id(part) in wanted):
            out.append(part.text)
    return out


def _holds(block: _Block, wanted: set[int]) -> bool:
    """Return whether a closed block has something that counts outside it."""
    return any(
        _holds(part, wanted) if isinstance(part, _Block) else part.always or id(part) in wanted for part in block.parts
    )


def read_file(text: str, answers: bool = True) -> list[Statement]:
    """Return the statements of a Lean text in order: each theorem, lemma, problem and example.

    A definition without value (or with `sorry`) that nothing else in the text names is a statement
    too: published sets ask for terms. ``answers`` lets a definition that is given as `sorry` take
    the answer in the comment after it. Never raises: what cannot be read is a Statement with ``error``.
    """
    reader = _Reader(text, answers)
    found = commands(reader.plain)
    lean3 = bool(_LEAN3.search(reader.plain))
    stated = {command.at for command in found if command.is_theorem}
    terms = [command for command in found if _asks_for_term(reader.plain, command)]
    if terms:
        count = Counter(_NAMES.findall(reader.plain))
        stated |= {c.at for c in terms if all(count[name] == 1 for name in _own_names(reader.plain, c))}
    out: list[Statement] = []
    referred: set[str] = set()
    for command in found:
        if command.at not in stated:
            reader.context(command)
            continue
        prefix, reader.prefix = reader.prefix, []
        statement = _statement(reader, command, prefix, lean3)
        reader.stated = True
        out.append(statement)
        if statement.proved and statement.name:
            part = _Part(_clean(text[command.start : command.end]), _own_names(reader.plain, command))
            part.lemma = statement.declaration
            reader.add(part)
    for part in [part for parts in reader.defined.values() for part in parts]:
        referred |= part.names() - part.defines
    return [_with_use(statement, referred) for statement in out] if len(out) > 1 else out


def _with_use(statement: Statement, referred: set[str]) -> Statement:
    last = statement.name.rpartition(".")[2]
    if not last or last not in referred:
        return statement
    return Statement(**{**statement.__dict__, "used": True})


def _asks_for_term(plain: str, command: Command) -> bool:
    if command.word not in TERMS:
        return False
    valueless = ":=" not in plain[command.after : command.end] and "=>" not in plain[command.after : command.end]
    return bool(_own_names(plain, command)) and (valueless or bool(_NO_VALUE.search(plain, command.after, command.end)))


def _statement(reader: _Reader, command: Command, prefix: list[str], lean3: bool) -> Statement:
    line = reader.line_of(command.at)
    if lean3:
        return Statement(command.word, line, "", error="Lean 3 text; only Lean 4 can be read")
    try:
        parts = declaration_at(reader.text, reader.plain, command)
    except TextError as error:
        return Statement(command.word, line, _first_name(reader.plain, command), error=str(error))
    names = _NAMES.findall(parts.signature) if reader.defined else ()
    needed = reader.needed(names)
    known = {id(part) for part in needed}
    by_proof = reader.needed(_NAMES.findall(parts.value)) if reader.defined and parts.value else []
    extra = sorted((part for part in by_proof if id(part) not in known), key=reader.order)
    return Statement(
        command.word,
        line,
        parts.name,
        parts,
        reader.header(needed, prefix),
        asks_answer=any(part.asks for part in chain(needed, reader.base().values()))
        or bool(SORRY.search(parts.signature) and SORRY.search(blank(parts.signature))),
        answered=any(part.answered for part in chain(needed, reader.base().values())),
        lemmas=tuple(part.lemma for part in extra if part.lemma is not None),
        definitions=tuple(part.text for part in extra if part.lemma is None),
    )
