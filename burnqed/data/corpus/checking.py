"""The corpus as this machine's Lean accepts it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from burnqed.config import ProverSettings, VerifySettings
from burnqed.data.corpus.draft import CorpusTheorem
from burnqed.data.corpus.replay import Replayed, Run, replay
from burnqed.files import UserError
from burnqed.prover.compiling import Message, compile_text
from burnqed.prover.sandbox import choose_sandbox
from burnqed.prover.toolchain import Toolchain, find_toolchain

FILE_SECONDS = 600.0  # for one file of theorems; a healthy Lean needs about one
LEAST_SHARE = 0.5  # with fewer proofs accepted the Lean in use is not one the corpus is meant for
MAX_EXAMPLES = 10


@dataclass(frozen=True)
class Checked:
    """Theorems whose proof Lean accepts, with the state before each tactic; examples of the others."""

    lean: str
    kept: list[tuple[CorpusTheorem, tuple[str, ...]]]
    refused: dict[str, str] = field(default_factory=dict)

    def row(self) -> dict[str, object]:
        """Return what a sidecar tells."""
        examples = dict(list(self.refused.items())[:MAX_EXAMPLES])
        return {"lean": self.lean, "theorems": len(self.kept), "refused": len(self.refused), "examples": examples}


def runner(toolchain: Toolchain, prover: ProverSettings) -> Run:
    """Return a way to have a file checked by a fresh, confined Lean process."""
    sandbox = choose_sandbox(prover)

    async def run(text: str) -> Sequence[Message]:
        compiled = await compile_text(toolchain, sandbox, text, FILE_SECONDS)
        if compiled.problem:
            raise UserError(
                f"data.source: corpus: Lean {toolchain.version} could not check a file ({compiled.problem})"
            )
        return compiled.messages

    return run


def check_corpus(theorems: Sequence[CorpusTheorem], prover: ProverSettings, verify: VerifySettings) -> Checked:
    """Check all proofs with the Lean of the re-check, ``prover.workers`` files at a time.

    Raises UserError when there is no Lean, or when it refuses most proofs.
    """
    toolchain = find_toolchain(prover, verify.toolchain)
    found: list[Replayed] = asyncio.run(replay(theorems, runner(toolchain, prover), prover.workers))
    pairs = list(zip(theorems, found, strict=True))
    refused = {theorem.name: answer.problem for theorem, answer in pairs if answer.problem}
    if len(theorems) - len(refused) < LEAST_SHARE * len(theorems):
        name, problem = next(iter(refused.items()))
        raise UserError(
            f"data.source: corpus: Lean {toolchain.version} refuses {len(refused)} of {len(theorems)} proofs "
            f"({name}: {problem}); use Lean 4.20 or newer"
        )
    return Checked(toolchain.version, [(t, answer.states) for t, answer in pairs if not answer.problem], refused)
