"""Whole files: declarations with terms or tactic blocks, messages with positions, `#print axioms`.

Only `theorem`, `example`, `def`, `open`, `universe` and `#print axioms` are understood; any
other command is an error message and changes nothing, so a file cannot alter the environment
except by proving theorems and by definitions that are not recursive.
"""

from __future__ import annotations

import re
from typing import Any

from burnqed.minilean.budget import HeartbeatError
from burnqed.minilean.context import TacticError
from burnqed.minilean.cursor import Term
from burnqed.minilean.definitions import declared, define
from burnqed.minilean.engine import Engine, State, axioms_of, check_proof, rests_on_sorry
from burnqed.minilean.expr import Expr
from burnqed.minilean.kernel_reduce import Decl
from burnqed.minilean.lexer import ParseError, tokenize
from burnqed.minilean.runner import Runner
from burnqed.minilean.sketch import open_root
from burnqed.minilean.tactic_core import STRUCTURAL, Trace
from burnqed.minilean.tactic_syntax import TacticParser

_COMMAND = re.compile(
    r"^(?:@\[|#[a-z_]+|(?:theorem|lemma|example|def|abbrev|axiom|instance|class|structure|inductive"
    r"|open|namespace|section|end|variable|universe|set_option|import|macro|macro_rules|notation"
    r"|syntax|elab|elab_rules|infixl|infixr|infix|prefix|postfix|opaque|private|protected"
    r"|noncomputable|partial|unsafe|mutual|attribute|local|scoped|export|initialize|run_cmd"
    r"|deriving|include|omit|declare_syntax_cat|builtin_initialize|module|public|prelude)\b)",
    re.MULTILINE,
)
# Reserved words that end a declaration wherever they stand, also indented or on the same line.
_NEXT = re.compile(
    r'"(?:[^"\\]|\\.)*"|(?<![\w.\'!?✝@])(theorem|example|def|abbrev|axiom|instance|class|structure|inductive|opaque|variable'
    r"|universe|namespace|section|macro|macro_rules|notation|syntax|elab|attribute|noncomputable|private|protected|unsafe)"
    r"(?![\w.'!?✝])"
)
_STANDARD = ("propext", "Classical.choice", "Quot.sound", "sorryAx")


class Unit:
    """One command: byte boundary, messages, and the tactic invocations of its proof."""

    def __init__(self, begin: int, end: int) -> None:
        self.begin, self.end = begin, end
        self.messages: list[dict[str, Any]] = []
        self.invocations: list[dict[str, Any]] = []
        self.name: str | None = None
        self.statement: Expr | None = None
        self.sorry = False
        self.definition = False
        self.sketch: State | None = None  # the proof with a goal for each `sorry`, where that was asked for
        self.sorries: list[tuple[int, int]] = []  # byte boundaries of the word `sorry`


def message(
    data: str,
    pos: tuple[int, int],
    end: tuple[int, int] | None,
    severity: str = "error",
    kind: str = "[anonymous]",
    file: str = "<anonymous>",
) -> dict[str, Any]:
    """A Lean message as Pantograph serialises it."""
    return {
        "fileName": file,
        "pos": {"line": pos[0], "column": pos[1]},
        "endPos": None if end is None else {"line": end[0], "column": end[1]},
        "keepFullRange": False,
        "severity": severity,
        "isSilent": False,
        "caption": "",
        "data": data,
        "kind": kind,
    }


def mask_comments(text: str) -> str:
    """`text` with comments blanked, so that offsets stay. Unterminated ones blank the rest."""
    out = list(text)
    i, n = 0, len(text)
    while i < n:
        if text.startswith("--", i):
            while i < n and text[i] != "\n":
                out[i] = " "
                i += 1
        elif text.startswith("/-", i):
            depth, j = 1, i + 2
            while j < n and depth:
                if text.startswith("/-", j):
                    depth, j = depth + 1, j + 2
                elif text.startswith("-/", j):
                    depth, j = depth - 1, j + 2
                else:
                    j += 1
            for k in range(i, j):
                if text[k] != "\n":
                    out[k] = " "
            i = j
        elif text[i] == '"':
            i += 1
            while i < n and text[i] != '"':
                i += 2 if text[i] == "\\" else 1
            i += 1
        else:
            i += 1
    return "".join(out)


class File:
    """Processes one text against an environment it may extend with proved theorems."""

    def __init__(self, engine: Engine, text: str, trace: bool = False, sketch: bool = False) -> None:
        self.engine = engine
        self.text = text
        self.trace, self.sketch = trace, sketch
        self.masked = mask_comments(text)
        self.units: list[Unit] = []
        self.opens = list(engine.opens)
        self.starts = [0]
        for m in re.finditer("\n", text):
            self.starts.append(m.end())

    def position(self, offset: int) -> tuple[int, int]:
        """(line from 1, column from 0 in characters) of a character offset."""
        from bisect import bisect_right

        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1]

    def bytes_at(self, offset: int) -> int:
        return len(self.text[:offset].encode())

    def process(self, begin: int = 0) -> list[Unit]:
        """Process every command from `begin` on; the units, in order."""
        marks = [m.start() for m in _COMMAND.finditer(self.masked, begin)]
        first = next((i for i in range(begin, len(self.masked)) if not self.masked[i].isspace()), None)
        if first is not None and first not in marks:
            marks = [first, *marks]
        marks = self.inner_marks(marks)
        for k, start in enumerate(marks):
            end = marks[k + 1] if k + 1 < len(marks) else len(self.text)
            unit = Unit(self.bytes_at(begin if k == 0 else start), self.bytes_at(end))
            self.units.append(unit)
            try:
                self.command(unit, start, self.masked[start:end])
            except ParseError as e:
                at = self.position(min(start + e.pos, len(self.text)))
                unit.messages.append(message(e.message, at, None))
        return self.units

    def inner_marks(self, marks: list[int]) -> list[int]:
        """`marks` and the commands that begin inside a declaration's last line or indented below it."""
        out: list[int] = []
        for k, start in enumerate(marks):
            out.append(start)
            end = marks[k + 1] if k + 1 < len(marks) else len(self.masked)
            text = self.masked[start:end]
            while re.match(r"(?:theorem|example|def)\b", text):
                value = text.find(":=")
                later = (m.start() for m in _NEXT.finditer(text, value + 2) if m.group(1)) if value >= 0 else iter(())
                offset = next(later, None)
                if offset is None:
                    break
                out.append(out[-1] + offset)
                text = text[offset:]
        return out

    def error(self, unit: Unit, text: str, start: int, end: int) -> None:
        unit.messages.append(message(text, self.position(start), self.position(end)))

    def command(self, unit: Unit, start: int, text: str) -> None:
        word = text.split(None, 1)[0] if text.strip() else ""
        if word in ("theorem", "example", "def"):
            known = len(self.engine.env.local)
            self.declaration(unit, start, text, word)
            if unit.name is not None and len(self.engine.env.local) > known:
                span = self.position(start), self.position(start + len(text.rstrip()))
                self.engine.env.sources[unit.name] = span
        elif word == "#print":
            self.print_axioms(unit, start, text)
        elif word == "open":
            self.open(unit, start, text)
        elif word == "universe":
            pass
        else:
            command = _COMMAND.match(text)
            if command is None:
                raise ParseError("unexpected token; expected command", 0)
            stripped = len(text.rstrip())
            self.error(unit, f"minilean does not support the command `{word}`", start, start + stripped)

    def open(self, unit: Unit, start: int, text: str) -> None:
        names = self.engine.env.names()
        for space in text.split()[1:]:
            if not any(n.startswith(space + ".") for n in names):
                self.error(unit, f"unknown namespace `{space}`", start, start + len(text.rstrip()))
                return
            self.opens.append(space)

    def print_axioms(self, unit: Unit, start: int, text: str) -> None:
        words = text.split()
        at, end = self.position(start), self.position(start + len("#print"))
        if len(words) != 3 or words[1] != "axioms":
            self.error(unit, "minilean supports `#print axioms NAME` only", start, start + len(text.rstrip()))
            return
        decl = self.engine.env.get(words[2])
        if decl is None:
            self.error(unit, f"Unknown constant `{words[2]}`", start + text.index(words[2]), start + len(text.rstrip()))
            return
        found = [a for a in _STANDARD if a in decl.axioms]
        found += sorted(decl.axioms - set(_STANDARD))
        said = f"'{words[2]}' does not depend on any axioms"
        if found:
            said = f"'{words[2]}' depends on axioms: [{', '.join(found)}]"
        unit.messages.append(message(said, at, end, "information"))

    def declaration(self, unit: Unit, start: int, text: str, word: str) -> None:
        p = TacticParser(text)
        first = p.next()
        name_tok = first
        name = None
        if word != "example":
            name_tok = p.tok
            name = p.name()
        binders: list[Any] = []
        while p.at("(", "{", "⦃", "["):
            binders += p.bracketed()
        type_term: Term | None = None
        if word != "def" or p.at(":"):
            p.expect(":")
            type_term = p.term()
        p.expect(":=")
        value_start = p.tok.pos
        value = p.term()
        if p.tok.kind != "eof":
            p.fail("expected command")
        span = (start + name_tok.pos, start + name_tok.end)
        if name is not None and declared(self.engine.env, name):
            self.error(unit, f"`{name}` has already been declared", *span)
            return
        engine = Engine(self.engine.env, self.opens)
        engine.timeout, engine.heartbeats = self.engine.timeout, self.engine.heartbeats
        try:
            if name is not None and word == "def":
                self.definition(engine, unit, name, type_term, value, binders, span)
                return
            assert type_term is not None
            term: Term = ("pi", binders, type_term) if binders else type_term
            statement = engine.type(term)
            unit.name, unit.statement = name, statement
            proof, sorry = self.prove(engine, unit, start, text, statement, binders, value)
        except TacticError as e:
            tac = getattr(e, "tac", None)
            a, b = value_start, len(text.rstrip())
            if str(e).startswith("unsolved goals") and value[0] == "by" and tac is None:
                a, b = value[2], value[3]
            elif tac is not None:
                a, b = tac.pos, tac.end
            self.error(unit, str(e), start + a, start + b)
            return
        except HeartbeatError as e:
            self.error(unit, str(e), *span)
            return
        self.note_sorry(unit, sorry, span)
        if name is not None:
            axioms = axioms_of(self.engine.env, proof) | axioms_of(self.engine.env, statement)
            axioms |= {"sorryAx"} if sorry else set()
            self.engine.env.local[name] = Decl(name, statement, axioms=frozenset(axioms))

    def note_sorry(self, unit: Unit, sorry: bool, span: tuple[int, int]) -> None:
        unit.sorry = sorry
        if sorry:
            start, end = self.position(span[0]), self.position(span[1])
            unit.messages.append(message("declaration uses `sorry`", start, end, "warning", "hasSorry"))

    def definition(
        self,
        engine: Engine,
        unit: Unit,
        name: str,
        type: Term | None,
        value: Term,
        binders: list[Any],
        span: tuple[int, int],
    ) -> None:
        """`def name binders : type := value`, not recursive."""
        if binders:
            type = ("pi", binders, type) if type is not None else None
            value = ("lam", binders, value)
        decl = define(self.engine.env, name, type, value, engine.budget(), self.opens)
        unit.name, unit.statement, unit.definition = name, decl.type, True
        self.note_sorry(unit, "sorryAx" in decl.axioms, span)

    def prove(
        self, engine: Engine, unit: Unit, start: int, source: str, statement: Expr, binders: list[Any], value: Term
    ) -> tuple[Expr, bool]:
        """The checked proof of `statement`, and whether it uses `sorry`."""
        state = engine.start(statement)
        meta = state.meta.copy(engine.budget())
        trace = Trace() if self.trace else None
        runner = Runner(meta, list(state.goals), self.opens, trace)
        try:
            for b in binders:
                runner.intro(runner.main, None if b[0] == "_" else b[0])
            if value[0] == "by":
                runner.seq(value[1])
                runner.require_done()
            else:
                runner.refine(runner.main, value)
                runner.require_done()
        except TacticError as e:
            e.tac = runner.failed_at  # type: ignore[attr-defined]
            raise
        proof = meta.inst(state.root)
        check_proof(self.engine.env, proof, statement, meta.budget)
        if trace is not None:
            for before, tac, after, used in trace.steps:
                if tac.kind in STRUCTURAL:
                    continue
                unit.invocations.append(
                    {
                        "goalBefore": before,
                        "goalAfter": after,
                        "tactic": self.text[start + tac.pos : start + tac.end],
                        "usedConstants": sorted(used),
                    }
                )
        sorry = rests_on_sorry(meta, proof)
        if self.sketch and sorry:
            unit.sketch = State(meta, open_root(runner, state.root), state.root, statement)
            words = [t for t in tokenize(source) if t.text == "sorry"]
            unit.sorries = [(self.bytes_at(start + t.pos), self.bytes_at(start + t.end)) for t in words]
        return proof, sorry


def distil(engine: Engine, text: str, ignore_values: bool) -> tuple[list[State], list[Unit]]:
    """Start states of the theorems that use `sorry`, and the file's units.

    With `ignore_values` the whole statement is the goal, else every `sorry` of the proof is one.
    Raises `TacticError` for a definition by `sorry`, which minilean cannot turn into a goal.
    """
    env = engine.env.copy()
    inner = Engine(env, engine.opens)
    inner.timeout, inner.heartbeats = engine.timeout, engine.heartbeats
    file = File(inner, text, sketch=not ignore_values)
    states = []
    for unit in file.process():
        if unit.name is None or unit.statement is None or not unit.sorry:
            continue
        if unit.definition:
            raise TacticError("minilean distils theorems only, no definitions by `sorry`")
        state = unit.sketch
        states.append(engine.start(unit.statement) if state is None else state)
    return states, file.units
