"""The process whose word counts: `python -m burnqed.prover.trust`, spoken to by ``kernelprocess.py``.

First line in: {"library", "search", "modules", "axioms"}; first line out: {"ready": true} or
{"unavailable": reason}. Then, for each pair of compiled modules, a line {"theorems", "clean", "proved"}
with the sizes in bytes, then these bytes; out comes a line [{"reason", "axioms"}], one for each theorem.
With "compare" in place of "theorems" the two modules are compared: out comes a line with
true or false for each theorem.
"""

from __future__ import annotations

import json
import sys
import threading
from typing import Any, BinaryIO

from burnqed.prover.trust.judge import Finding, Judge, same_statement
from burnqed.prover.trust.kernel import Kernel, KernelUnavailable
from burnqed.prover.trust.olean import OleanError, read_constants
from burnqed.prover.trust.terms import Terms

STACK_MB = 512


def findings(kernel: Kernel, job: dict[str, Any], clean: bytes, proved: bytes, axioms: list[str]) -> list[Finding]:
    """Return the verdict on each theorem of a pair of modules."""
    try:
        statements = read_constants(clean, kernel.terms)
    except OleanError as error:
        return [Finding(f"statement: the compiled statement cannot be read: {error}")] * len(job["theorems"])
    try:
        proofs = read_constants(proved, kernel.terms)
    except OleanError as error:
        return [Finding(f"structure: the compiled proof cannot be read: {error}")] * len(job["theorems"])
    judge = Judge(kernel.terms, statements, proofs, job["theorems"], kernel, axioms)
    return [judge.judge(plain) for plain in job["theorems"]]


def comparison(terms: Terms, names: list[str], one: bytes, other: bytes) -> list[bool]:
    """Return for each theorem whether two modules state the same."""
    try:
        first, second = read_constants(one, terms), read_constants(other, terms)
    except OleanError:
        return [False] * len(names)
    return [same_statement(terms, first, second, plain) for plain in names]


def serve(source: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until the input ends."""

    def say(value: object) -> None:
        answers.write(json.dumps(value).encode() + b"\n")
        answers.flush()

    task = json.loads(source.readline())
    try:
        kernel = Kernel(task["library"], task["search"], task["modules"], Terms())
    except KernelUnavailable as error:
        say({"unavailable": str(error)})
        return
    say({"ready": True})
    while line := source.readline():
        job = json.loads(line)
        clean, proved = source.read(job["clean"]), source.read(job["proved"])
        if "compare" in job:
            say(comparison(kernel.terms, job["compare"], clean, proved))
            continue
        say([{"reason": f.reason, "axioms": f.axioms} for f in findings(kernel, job, clean, proved, task["axioms"])])


def main() -> None:
    """Serve in a thread, whose stack can be chosen: terms may be deep."""
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr
    threading.stack_size(STACK_MB << 20)
    thread = threading.Thread(target=serve, args=(sys.stdin.buffer, answers))
    thread.start()
    thread.join()


if __name__ == "__main__":
    main()
