"""Lean text that we write: a proof under its statement, the file of a re-check, a file for a reader."""

from __future__ import annotations

import re
from collections.abc import Sequence

from burnqed.config import ProverSettings
from burnqed.prover.starting import Header, declaration, lean_name, strip_imports
from burnqed.records.theorems import Theorem

Item = tuple[Theorem, Sequence[str]]

_MODULE = re.compile(r"[A-Z]\w*(?:\.\w+)*")
_IMPORT = re.compile(r"\s*(?:public\s+|meta\s+)*import\s")
_BLOCK = re.compile(
    r"^(?:(?:noncomputable|public|private)\s+)*(namespace|section|mutual|end)\b[ \t]*([^\s-]\S*)?", re.M
)


def indent_tactic(tactic: str) -> str:
    """Return a tactic moved to column 2, its lines keeping their columns relative to each other.

    A first line without indentation and later lines with more stay as they are; only a text whose
    every line is indented is moved left first.
    """
    lines = tactic.expandtabs().strip("\n").rstrip().split("\n")
    filled = [line for line in lines if line.strip()]
    margin = min((len(line) - len(line.lstrip(" ")) for line in filled), default=0)
    return "\n".join("  " + line[margin:].rstrip() if line.strip() else "" for line in lines)


def proof_source(theorem: Theorem, tactics: Sequence[str], name: str = "") -> str:
    """Return the theorem with its proof as Lean text, without header, ending in a newline."""
    body = "\n".join(indent_tactic(tactic) for tactic in tactics)
    return declaration(theorem, f"by\n{body}\n", name)


def header_imports(header: str) -> list[str]:
    """Return the modules that a header imports, in order."""
    lines = (line for line in header.splitlines() if _IMPORT.match(line))
    return [word for line in lines for word in line.split() if _MODULE.fullmatch(word)]


def imported_modules(prover: ProverSettings) -> list[str]:
    """Return the modules that each worker of real Lean imports at its start, other than Init."""
    named = [word for word in prover.command[1:] if _MODULE.fullmatch(word)]
    return [word for word in named or prover.imports if _MODULE.fullmatch(word) and word != "Init"]


def _closing(header: str) -> str:
    """Return the ``end`` lines of the blocks that a header leaves open, innermost first."""
    opened: list[str] = []
    for kind, name in _BLOCK.findall(header):
        if kind != "end":
            opened.append(name)
        elif opened:
            opened.pop()
    return "".join(f"end {name}".rstrip() + "\n" for name in reversed(opened))


def render_lean_file(proofs: Sequence[Item], title: str, modules: Sequence[str] = ()) -> str:
    """Return one Lean file with a proof of each theorem, for a reader with Lean.

    ``modules`` and the imports of all headers come first; theorems are grouped into one section per
    distinct header. A theorem given twice appears once, with its first proof; two theorems whose
    names read alike as identifiers get different ones.
    """
    imports = dict.fromkeys(f"import {module}" for module in modules)
    groups: dict[str, dict[str, str]] = {}
    taken: dict[str, str] = {}  # identifier -> theorem
    for theorem, tactics in proofs:
        if theorem.name in taken.values():
            continue
        imports.update(dict.fromkeys(line.strip() for line in theorem.header.splitlines() if _IMPORT.match(line)))
        plain = name = lean_name(theorem)
        number = 1
        while name in taken:
            number += 1
            name = f"{plain}_{number}"
        taken[name] = theorem.name
        groups.setdefault(strip_imports(theorem.header), {})[name] = proof_source(theorem, tactics, name)
    parts = ["\n".join(imports) + "\n"] if imports else []
    parts.append(f"/-! {title.replace('-/', '- /')} -/\n")
    declaring = 0
    for header, theorems in groups.items():
        body = "\n".join(theorems.values())
        if not header:
            parts.append(body)
            continue
        block, declares = "section", Header(header).declares
        declaring += declares
        if declares and declaring > 1:  # two headers may declare the same helper
            block = f"namespace Part{declaring}"
        closed = _closing(header) + block.replace("section", "end").replace("namespace", "end")
        parts.append(f"{block}\n{header}\n\n{body}\n{closed}\n")
    return "\n".join(parts)
