"""Two theorems through the prover of this machine: tactic by tactic, and re-checked in a fresh process.

Run as: python -m burnqed.cloud.smoke [--config FILE] [--set prover.kind=lean]
No model is needed: the proofs are given. What is tested is Lean, Pantograph, the sandbox and the re-check.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from burnqed.config import ProverSettings, VerifySettings
from burnqed.evaluation.stack import load_blocks
from burnqed.files import UserError
from burnqed.prover.verify import verify_proofs
from burnqed.records.theorems import Theorem

# Both of Lean core, so that they need no import.
THEOREMS = [
    (Theorem("smoke_and_swap", "∀ (p q : Prop), p ∧ q → q ∧ p"), ["intro p q h", "exact ⟨h.2, h.1⟩"]),
    (Theorem("smoke_add_zero", "∀ (n : Nat), n + 0 = n"), ["intro n", "rfl"]),
]
# Must be refused: a re-check that accepts everything would pass the two above.
WRONG = (Theorem("smoke_false", "∀ (p q : Prop), p → q"), ["intro p q h", "exact h"])


def run_smoke(prover: ProverSettings, verify: VerifySettings) -> int:
    """Check the two proofs and one wrong one; return 0 when all verdicts are right."""
    began = time.monotonic()
    verdicts = asyncio.run(verify_proofs([*THEOREMS, WRONG], prover, verify, lambda *_: None))
    wanted = [True] * len(THEOREMS) + [False]
    failed = False
    for (theorem, _), verdict, right in zip([*THEOREMS, WRONG], verdicts, wanted, strict=True):
        good = verdict.ok == right
        failed = failed or not good
        said = "accepted" if verdict.ok else f"refused ({' '.join(verdict.reason.split())[:100]})"
        print(
            f"{'ok  ' if good else 'FAIL'}  {theorem.name:<16} {said}{', as it must be' if good and not right else ''}"
        )
    print(f"{'failed' if failed else 'ready'} after {time.monotonic() - began:.0f} s")
    return int(failed)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the smoke test; return its exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", type=Path, help="configuration file with the block prover")
    parser.add_argument("--set", action="append", default=[], metavar="BLOCK.KEY=VALUE", help="one setting")
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    try:
        blocks, _ = load_blocks({}, args.config, args.set)
        prover, verify = blocks["prover"], blocks["verify"]
        assert isinstance(prover, ProverSettings)
        assert isinstance(verify, VerifySettings)
        return run_smoke(prover, verify)
    except UserError as error:
        print(f"smoke test: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
