"""Thousands of proofs mutated into attacks on the real Lean: the re-check must accept none.

Run as: nice python benchmarks/lean_mutants.py [--mutants 10000] [--seed 0] [--no-rules] [--workers 2]

The mutants are those of tests/unit/lean_mutants.py: a false statement, and an honest proof with foreign tactics, commands,
endings and characters in it. `--no-rules` leaves out the text rules, so that all of them reach Lean. The exit status is 1
when one is accepted; it is printed.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections import Counter
from pathlib import Path

from hypothesis import Phase, given, seed, settings

from burnqed.config import ProverSettings, VerifySettings
from burnqed.leantext.banned import banned_construct
from burnqed.prover.claims import Claim
from burnqed.prover.verify import verify_claims

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "unit"))
from lean_mutants import mutants, named

TOGETHER = 100


def main() -> int:
    """Judge mutants; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutants", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--no-rules", action="store_true")
    args = parser.parse_args()
    prover = ProverSettings.model_validate({"kind": "lean", "imports": [], "workers": args.workers})
    verify = VerifySettings.model_validate({"timeout": 10, "proofs_per_process": 25})
    kinds: Counter[str] = Counter()
    texts: set[str] = set()
    accepted: list[str] = []
    waiting: list[Claim] = []
    began = time.monotonic()

    def judge(drawn: list[Claim]) -> None:
        claims = named(drawn)
        reasons = [None if args.no_rules else banned_construct(claim.given or claim.proof) for claim in claims]
        refusals = [None if reason is None else f"banned: {reason}" for reason in reasons]
        verdicts = asyncio.run(verify_claims(claims, refusals, prover, verify))
        kinds.update(verdict.kind for verdict in verdicts)
        accepted.extend(verdict.source for verdict in verdicts if verdict.ok)
        print(f"{sum(kinds.values())} after {time.monotonic() - began:.0f} s: {dict(kinds)}", flush=True)

    def draw(number: int) -> None:
        @seed(number)
        @settings(max_examples=500, deadline=None, database=None, phases=[Phase.generate])
        @given(mutants())
        def take(mutant: Claim) -> None:
            if mutant.proved in texts or len(texts) >= args.mutants:
                return
            texts.add(mutant.proved)
            waiting.append(mutant)
            if len(waiting) == TOGETHER:
                judge(waiting)
                waiting.clear()

        take()

    number = args.seed
    while len(texts) < args.mutants:
        draw(number)
        number += 1
    judge(waiting)
    for text in accepted:
        print("ACCEPTED", text, sep="\n")
    print(f"{sum(kinds.values())} distinct mutants, {len(accepted)} accepted: {dict(kinds.most_common())}")
    return int(bool(accepted))


if __name__ == "__main__":
    sys.exit(main())
