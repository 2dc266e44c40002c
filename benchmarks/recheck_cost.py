"""What the re-check costs on one core: proofs of the corpus, compiled and judged by the kernel.

Run as: python benchmarks/recheck_cost.py [--proofs 400] [--together 1,10,50,200]

Each proof is judged as the workflow does it, with `verify.proofs_per_process` proofs together. This
process and all its children are bound to one core. Told are CPU and wall milliseconds per proof, and
how they divide: text rules, compiling statements, compiling proofs, kernel.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import sys
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from burnqed.config import ProverSettings, VerifySettings
from burnqed.data.corpus.generate import generate
from burnqed.leantext.banned import banned_construct
from burnqed.prover import verify
from burnqed.prover.compiling import compile_text
from burnqed.prover.kernelprocess import KernelProcess
from burnqed.prover.leanfile import Item
from burnqed.records.theorems import Theorem

PROVER = ProverSettings.model_validate({"kind": "lean", "imports": [], "workers": 1})


def cpu() -> float:
    """Return CPU seconds of this process and of its children that have ended."""
    uses = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(use.ru_utime + use.ru_stime for use in uses)


def timed(function: Callable[..., Awaitable[Any]], spent: dict[str, float], name: Callable[..., str]) -> Any:
    """Return a coroutine function that adds its wall seconds to ``spent``."""

    async def wrapped(*args: Any, **values: Any) -> Any:
        began = time.perf_counter()
        try:
            return await function(*args, **values)
        finally:
            spent[name(*args)] += time.perf_counter() - began

    return wrapped


def measure(items: Sequence[Item], together: int) -> None:
    """Judge the proofs and print one line."""
    spent: dict[str, float] = defaultdict(float)

    def kind(_toolchain: object, _sandbox: object, text: str, *_rest: object) -> str:
        return "statements" if ":= sorry" in text else "proofs"

    verify.compile_text = timed(compile_text, spent, kind)  # type: ignore[attr-defined]
    judge, start = KernelProcess.judge, KernelProcess.start
    KernelProcess.judge = timed(judge, spent, lambda *_: "kernel")  # type: ignore[method-assign]
    KernelProcess.start = timed(start, spent, lambda *_: "kernel's start")  # type: ignore[method-assign]
    began, busy = time.perf_counter(), cpu()
    settings = VerifySettings.model_validate({"proofs_per_process": together, "timeout": 60})
    verdicts = asyncio.run(verify.verify_proofs(items, PROVER, settings))
    wall, used = time.perf_counter() - began, cpu() - busy
    KernelProcess.judge, KernelProcess.start = judge, start  # type: ignore[method-assign]
    parts = ", ".join(f"{name} {1000 * seconds / len(items):.2f}" for name, seconds in sorted(spent.items()))
    refused = [verdict.reason for verdict in verdicts if not verdict.ok]
    print(
        f"{together:>5} together: {1000 * used / len(items):7.2f} ms CPU, {1000 * wall / len(items):7.2f} ms wall a proof "
        f"(wall: {parts}); {len(refused)} refused {sorted(set(refused))[:2]}",
        flush=True,
    )


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--proofs", type=int, default=400)
    parser.add_argument("--together", default="1,10,50,200")
    args = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    items: list[Item] = [(Theorem(t.name, t.statement, t.header), t.proof) for t in generate(0, args.proofs)][
        : args.proofs
    ]
    texts = ["\n".join(proof) for _, proof in items]
    began = time.process_time()
    for text in texts:
        banned_construct(text)
    print(
        f"{len(items)} proofs of {sum(map(len, texts)) / len(texts):.0f} characters in the mean; "
        f"text rules {1000 * (time.process_time() - began) / len(items):.3f} ms CPU a proof"
    )
    for together in map(int, args.together.split(",")):
        measure(items[: max(20, together) if together < 10 else None], together)


if __name__ == "__main__":
    sys.exit(main())
