"""Claims to be re-checked, and the files that are compiled for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from burnqed.leantext.declarations import read_statement, type_colon
from burnqed.leantext.headers import Command, split_header, without
from burnqed.leantext.tokens import LexicalError, Token, tokens
from burnqed.prover.leanfile import Item, header_imports, indent_tactic
from burnqed.prover.starting import lean_name, strip_imports
from burnqed.records.theorems import Theorem


@dataclass(frozen=True)
class Claim:
    """A statement and a proof of it.

    ``signature`` is what follows the name: binders, a colon, the proposition. ``proof`` is the text of
    the tactics at column 2; ``given`` is instead a declaration's own signature and value, as the proof's
    author wrote them after the name.
    """

    name: str
    header: str
    signature: str
    proof: str
    given: str = ""

    @property
    def stated(self) -> str:
        """The statement with `sorry`, as Lean text."""
        return f"theorem {self.name}{_closed(self.signature)}:= sorry\n"

    @property
    def proved(self) -> str:
        """The statement with its proof, as Lean text."""
        if self.given:
            return f"theorem {self.name}{self.given.rstrip()}\n"
        return f"theorem {self.name}{_closed(self.signature)}:= by\n{self.proof}\n"


def _closed(text: str) -> str:
    """Return a signature with gaps around it; a comment would swallow what follows on its line."""
    before = "" if text.startswith(".{") else " "
    return before + text.rstrip() + ("\n  " if "--" in text.rpartition("\n")[2] else " ")


def signature_of(theorem: Theorem) -> str:
    """Return what follows a theorem's name: its published signature, else a colon and the proposition.

    Where a term is asked for, the claim is that there is one: `Nonempty` of its type.
    """
    signature = theorem.signature.strip() or f": {theorem.statement.strip()}"
    if theorem.keyword != "def":
        return signature
    colon = type_colon(signature) + 1
    return f"{signature[:colon]} Nonempty ({signature[colon:].strip()}\n  )"


def _proof_of(theorem: Theorem, tactics: str) -> str:
    """Return tactics at column 2; those for a term begin inside `Nonempty`."""
    text = indent_tactic(tactics)
    return f"  refine ⟨?_⟩\n{text}" if theorem.keyword == "def" else text


def claim_of(item: Item) -> Claim:
    """Return the claim of a theorem and its tactics."""
    theorem, tactics = item
    proof = "\n".join(indent_tactic(tactic) for tactic in tactics)
    proof = _proof_of(theorem, proof)
    return Claim(lean_name(theorem), theorem.header, signature_of(theorem), proof)


def declared(text: str) -> tuple[str, str] | None:
    """Return (name, what follows it) of a text that is a theorem's declaration, None of one that is not.

    Raises LexicalError.
    """
    code = [token for token in tokens(text.expandtabs()) if token.kind != "comment"]
    words = [token.text for token in code[:2]]
    if len(words) < 2 or words[0] not in ("theorem", "lemma") or code[1].kind != "name":
        return None
    return words[1], text.expandtabs()[_end(code[1]) :]


def _end(token: Token) -> int:
    return token.start + len(token.text)


def claim(theorem: Theorem, signature: str, text: str) -> Claim:
    """Return the claim of a proof given as text: tactics (with or without `by` before them) or a declaration."""
    try:
        given = declared(text)
        code = [token for token in tokens(text.expandtabs()) if token.kind != "comment"]
    except LexicalError:
        return Claim(lean_name(theorem), theorem.header, signature, _proof_of(theorem, text))
    if given is not None:
        return Claim(lean_name(theorem), theorem.header, signature, "", given[1])
    if code and code[0].text == "by":
        first = _end(code[0])
        text = " " * first + text.expandtabs()[first:]
        text = text if "\n" in text[: len(text) - len(text.lstrip())] else text.lstrip(" ")
    return Claim(lean_name(theorem), theorem.header, signature, _proof_of(theorem, text))


def stated(theorem: Theorem) -> tuple[Theorem, str]:
    """Return a theorem and its signature; without one of its own, its statement may be a whole declaration.

    What stands before a declaration (imports, `open`) becomes the header, if there is none. Raises TextError.
    """
    if theorem.signature:
        return theorem, signature_of(theorem)
    declaration = read_statement(theorem.statement)
    if not declaration.name and not declaration.binders:
        return theorem, signature_of(theorem)
    if declaration.preamble and not theorem.header.strip():
        theorem = replace(theorem, header=declaration.preamble)
    return theorem, declaration.signature.strip()


@dataclass(frozen=True)
class Sheet:
    """A file that declares theorems: its text, and the first and last line of each (counted from 1).

    ``commands`` are those of the header with their first and last lines; ``neutral`` says which cannot
    change what a statement means.
    """

    text: str
    lines: tuple[tuple[int, int], ...]
    commands: tuple[tuple[int, int], ...] = ()


def modules_of(header: str, modules: Sequence[str]) -> list[str]:
    """Return the modules that a file imports, Init left out, in order."""
    return [m for m in dict.fromkeys([*modules, *header_imports(header)]) if m != "Init"]


def header_commands(header: str) -> list[Command]:
    """Return the commands of a header without its imports. Raises LexicalError."""
    return split_header(strip_imports(header) + "\n")


def sheet(
    header: str, modules: Sequence[str], bodies: Sequence[str], left_out: Sequence[int] = (), strict: bool = False
) -> Sheet:
    """Return the file with theorems under a header, of which some commands may be left out.

    ``strict`` turns `autoImplicit` off. Raises LexicalError when a comment in the header has no end.
    """
    head = "".join(f"import {module}\n" for module in modules_of(header, modules))
    head += "set_option autoImplicit false\n" if strict else ""
    line = head.count("\n") + 1
    places: list[tuple[int, int]] = []
    commands = header_commands(header)
    for command in commands:
        places.append((line, line + command.text.rstrip("\n").count("\n")))
        line += command.text.count("\n")
    rest = without(commands, left_out)
    head += rest + "\n"
    line = head.count("\n") + 1
    lines = []
    for body in bodies:
        lines.append((line, line + body.count("\n") - 1))
        line += body.count("\n") + 1
    return Sheet(head + "\n".join(bodies), tuple(lines), tuple(places))
