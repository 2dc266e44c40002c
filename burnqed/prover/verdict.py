"""A verdict on a proof, and what is refused by its text alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from burnqed.leantext.banned import MAX_CHARS, banned_construct

OnVerdict = Callable[[int, "Verdict"], None]


@dataclass(frozen=True)
class Verdict:
    """Whether a proof stands, why not (``kind: detail``), its Lean text, the axioms it uses.

    Kinds of refusal: banned, structure, error, unported (it does not compile with the re-check's own Lean, which
    refutes nothing), sorry, statement, axioms, kernel, timeout, crash.
    ``level`` says what an accepted proof has passed (docs/security.md): kernel, or kernel-header
    where the statement uses what its header declares.
    """

    ok: bool
    reason: str
    source: str
    axioms: list[str] = field(default_factory=list)
    level: str = ""

    @property
    def kind(self) -> str:
        """The kind of refusal, or ``ok``."""
        return "ok" if self.ok else self.reason.split(":", 1)[0]


def refused_text(tactics: Sequence[str], max_chars: int = MAX_CHARS) -> str | None:
    """Return why the text of a proof is refused without asking the prover, or None."""
    if not tactics:
        return "banned: empty proof"
    if sum(map(len, tactics)) > max_chars:
        return f"banned: longer than {max_chars} characters (verify.max_chars)"
    for tactic in tactics:
        reason = banned_construct(tactic, max_chars)
        if reason is not None:
            return f"banned: {reason}"
    return None
