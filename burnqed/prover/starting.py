"""From a theorem to its first proof state."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from burnqed.prover import protocol
from burnqed.prover.client import ReplClient
from burnqed.prover.steps import StatementError
from burnqed.records.theorems import Theorem

_DECLARES = re.compile(
    r"^\s*(?:@\[[^\]]*\]\s*)?(?:(?:private|protected|noncomputable|scoped|local|unsafe|partial)\s+)*"
    r"(?:def|abbrev|theorem|lemma|axiom|instance|structure|class|inductive|opaque|macro|syntax|elab|notation)\b",
    re.MULTILINE,
)

_KEYWORDS = frozenset(
    "Prop Sort Type abbrev at attribute axiom by calc catch class def deriving do else end example exists export extends "
    "finally for forall from fun have if import in inductive infix infixl infixr instance lambda let local macro match "
    "mutual namespace nofun nomatch noncomputable notation opaque open partial postfix prefix private protected return "
    "scoped section set_option show sorry structure suffices syntax then theorem try universe unless unsafe using "
    "variable where with".split()
)


@dataclass(frozen=True)
class Header:
    """What a theorem's header asks of the worker beyond its imported modules.

    ``text`` is the header without its ``import`` lines: workers import their modules at start.
    """

    text: str = ""

    @classmethod
    def of(cls, theorem: Theorem) -> Header:
        """Return the header of a theorem."""
        return cls(strip_imports(theorem.header))

    @property
    def declares(self) -> bool:
        """Whether it declares anything, so that running it twice in one process would clash."""
        return bool(_DECLARES.search(self.text))


def strip_imports(header: str) -> str:
    """Return a header without its import lines, outer blank lines removed."""
    lines = [line for line in header.splitlines() if not re.match(r"\s*(?:public\s+|meta\s+)*import\s", line)]
    return "\n".join(lines).strip()


def lean_name(theorem: Theorem) -> str:
    """Return the theorem's name as a plain ASCII identifier, under which it is declared again.

    A dotted name would open its namespace inside the proof, which ``goal.start`` does not do, and
    would clash with the library's own theorem; so would a root-level name of a theorem that was
    taken from a library's file.
    """
    name = re.sub(r"[^\w']", "_", theorem.name, flags=re.ASCII)
    if theorem.file_path is not None and name == theorem.name:
        name += "_again"
    return name if re.match(r"[A-Za-z]", name) and name not in _KEYWORDS else f"t_{name}"


def declaration(theorem: Theorem, value: str, name: str | None = "") -> str:
    """Return the theorem under its own statement with the value given, as Lean text.

    ``name`` replaces the theorem's own; None makes an ``example`` of it, whose type is the whole
    proposition. Otherwise a published signature is taken over as it is, so that its hypotheses are in
    the context of the first goal.
    """
    if name is None:
        head = f"example : {theorem.statement}"
    else:
        word = "noncomputable def" if theorem.keyword == "def" else "theorem"
        signature = theorem.signature or f": {theorem.statement}"
        head = f"{word} {name or lean_name(theorem)}{'' if signature.startswith('.{') else ' '}{signature}"
    gap = "\n  " if "--" in head.rpartition("\n")[2] else " "  # a comment would swallow what follows on its line
    return f"{head}{gap}:= {value}"


def _fail(theorem: Theorem, message: str) -> StatementError:
    return StatementError(f"{theorem.name}: {message.strip() or 'the prover gave no reason'}")


async def set_scope(client: ReplClient, header: Header, limit: float) -> None:
    """Make the header's opened namespaces those in which tactics are read.

    ``inheritEnv`` replaces the scope of the whole process, so it is set again whenever a theorem
    with another header uses the worker. A header that declares something is not inherited: only
    its theorem's own text sees it. Raises StatementError when the prover refuses the header.
    """
    text = "" if header.declares else header.text
    answer = await client.request(
        "frontend.process", {"file": text + "\n", "readHeader": False, "inheritEnv": True}, limit
    )
    errors = [m for unit in answer.get("units", []) for m in unit.get("messages", []) if protocol.is_error(m)]
    if "error" in answer or errors:
        raise StatementError(f"header refused: {answer.get('desc') or protocol.join_messages(errors)}")


async def start_theorem(client: ReplClient, theorem: Theorem, limit: float) -> tuple[int, list[dict[str, Any]]]:
    """Start a theorem in a process; return the id of its first state and that state's goals.

    ``limit`` is in seconds per request. The process must have the header's scope (``set_scope``).
    A bare proposition without a header goes to ``goal.start``. Else the theorem's whole text is
    elaborated, as a file would be (``frontend.distil``, before 0.3.6 ``frontend.process``).
    Raises StatementError when the prover refuses it, WorkerCrash or WorkerTimeout when it dies.
    """
    header = Header.of(theorem)
    if not header.text and not theorem.signature:
        answer = await client.request("goal.start", {"expr": theorem.statement}, limit)
        if "error" in answer or not isinstance(answer.get("stateId"), int):
            raise _fail(theorem, str(answer.get("desc", answer)))
        state = int(answer["stateId"])
        return state, await _print(client, state, theorem, limit)
    source = f"{header.text}\n\n{declaration(theorem, 'sorry')}".lstrip()
    if client.version >= protocol.DISTIL_VERSION:
        answer = await client.request("frontend.distil", {"file": source}, limit)
        targets = answer.get("targets", [])
        found = targets[-1] if targets else {}
        problem = str(answer.get("desc", "the text has no theorem to prove"))
    else:
        answer = await client.request("frontend.process", {"file": source, "sorrys": True}, limit)
        units: list[Mapping[str, Any]] = answer.get("units", [])
        last = units[-1] if units else {}
        found = {"stateId": last.get("goalStateId"), "goals": last.get("goals", [])}
        errors = [m for u in units for m in u.get("messages", []) if protocol.is_error(m)]
        problem = str(answer.get("desc", "")) or protocol.join_messages(errors) or "no goal at its sorry"
    goals = found.get("goals")
    if "error" in answer or not isinstance(found.get("stateId"), int) or not goals or not isinstance(goals, list):
        raise _fail(theorem, problem)
    if not protocol.well_formed(goals):
        raise _fail(theorem, f"goals of an unknown shape: {str(goals)[:200]}")
    return int(found["stateId"]), goals


async def _print(client: ReplClient, state: int, theorem: Theorem, limit: float) -> list[dict[str, Any]]:
    """Return the goals of a state: ``goal.start`` itself does not tell them."""
    answer = await client.request("goal.print", {"stateId": state, "goals": True}, limit)
    goals = answer.get("goals")
    if "error" in answer or not isinstance(goals, list) or not goals or not protocol.well_formed(goals):
        raise _fail(theorem, str(answer.get("desc", "the new state has no goals")))
    return goals
