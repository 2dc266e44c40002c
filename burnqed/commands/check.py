"""`burnqed check`: anyone's proofs through the re-check of the workflow, one JSON object per line in and out."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from burnqed.files import UserError, digest, parse_json, write_jsonl

if TYPE_CHECKING:
    from burnqed.config import ProverSettings, VerifySettings
    from burnqed.prover.claims import Claim
    from burnqed.prover.verdict import Verdict

MAX_LINE = 16 << 20  # bytes
Add = Callable[[str, Callable[[argparse.Namespace], int], str], argparse.ArgumentParser]


@dataclass(frozen=True)
class Row:
    """A line of the input: a claim, or why it is none."""

    name: str
    claim: Claim | None = None
    problem: str = ""


def _lines(path: Path) -> Iterator[tuple[int, bytes | None]]:
    """Yield the lines that are not empty with their numbers; None for one that is too long."""
    with path.open("rb") as stream:
        number = 0
        while line := stream.readline(MAX_LINE + 1):
            number += 1
            cut = len(line) > MAX_LINE
            while cut and not line.endswith(b"\n") and (line := stream.readline(MAX_LINE)):
                pass
            if cut:
                yield number, None
            elif line.strip():
                yield number, line


def _row(line: bytes | None, place: str) -> Row:
    """Return what a line says."""
    from burnqed.prover.claims import claim, stated
    from burnqed.records.attempts import attempt_from

    name = ""
    try:
        if line is None:
            raise ValueError(f"longer than {MAX_LINE >> 20} MiB")
        value = parse_json(line.decode())
        if not isinstance(value, dict):
            raise ValueError("not a JSON object")
        name = value["name"] if isinstance(value.get("name"), str) else ""
        attempt = attempt_from(value, place)
        theorem, signature = stated(attempt.theorem)
        return Row(name, claim(theorem, signature, attempt.proof))
    except (UserError, ValueError) as error:
        return Row(name, problem=f"input: {error}" if str(error).startswith(place) else f"input: {place}: {error}")


def read_rows(path: Path) -> list[Row]:
    """Return the rows of a file; damaged lines are rows too. Raises UserError when it cannot be opened."""
    try:
        return [_row(line, f"line {number}") for number, line in _lines(path)]
    except OSError as error:
        raise UserError(f"{path}: {error.strerror or error}") from error


def _with_imports(claim: Claim, modules: Sequence[str]) -> Claim:
    """Return a claim whose header imports ``modules`` when it imports nothing by itself."""
    from burnqed.prover.leanfile import header_imports

    if header_imports(claim.header):
        return claim
    return replace(claim, header="".join(f"import {module}\n" for module in modules) + claim.header)


def check_file(source: Path, output: Path, prover: ProverSettings, settings: VerifySettings) -> tuple[int, int, int]:
    """Judge the proofs of a file and write the verdicts; return (accepted, refused, unreadable).

    Verdicts are saved as they are reached: the same call resumes. Raises UserError when there is no Lean for it.
    """
    from burnqed.jobs.progress import ProgressFolder
    from burnqed.jobs.stop import graceful_stop
    from burnqed.leantext.banned import banned_construct
    from burnqed.prover.recheck import judged

    rows = read_rows(source)
    claims = [_with_imports(row.claim, prover.imports) for row in rows if row.claim is not None]
    prover = prover.model_copy(update={"imports": []})
    texts = [claim.given or claim.proof for claim in claims]
    found = [banned_construct(text, settings.max_chars) for text in texts]
    refusals = [None if reason is None else f"banned: {reason}" for reason in found]
    key = {
        "claims": digest([asdict(claim) for claim in claims]),
        "prover": prover.model_dump(include={"kind", "command", "project", "lean_path", "imports"}),
        "verify": settings.model_dump(),
    }
    with ProgressFolder(output, key) as progress:
        with graceful_stop():
            verdicts = iter(judged(claims, refusals, prover, settings, progress, lambda _: None))
        lines = [(row, None if row.claim is None else next(verdicts)) for row in rows]
        write_jsonl(output, (answer(row, verdict) for row, verdict in lines))
        progress.finish()
    accepted = sum(verdict is not None and verdict.ok for _, verdict in lines)
    unreadable = sum(verdict is None for _, verdict in lines)
    return accepted, len(rows) - accepted - unreadable, unreadable


def answer(row: Row, verdict: Verdict | None) -> dict[str, object]:
    """Return the output line of a row."""
    if verdict is None:
        return {"name": row.name, "ok": False, "level": "", "reason": row.problem, "axioms": []}
    reason = verdict.reason
    return {"name": row.name, "ok": verdict.ok, "level": verdict.level, "reason": reason, "axioms": verdict.axioms}


def _check(args: argparse.Namespace) -> int:
    from burnqed.config import ProverSettings, VerifySettings
    from burnqed.evaluation.stack import load_blocks

    blocks, _ = load_blocks({}, args.config, args.set)
    prover, settings = blocks["prover"], blocks["verify"]
    assert isinstance(prover, ProverSettings) and isinstance(settings, VerifySettings)
    accepted, refused, unreadable = check_file(args.proofs, args.output, prover, settings)
    print(f"{args.output}: {accepted} accepted, {refused} refused, {unreadable} lines could not be read")
    return 1 if unreadable else 0


def add_check(add: Add) -> None:
    """Add the command to the parser."""
    check = add(
        "check", _check, "Re-check proofs of any origin: compiled, then judged by Lean's kernel (docs/security.md)."
    )
    check.add_argument(
        "proofs", type=Path, metavar="IN.jsonl",
        help="a line a proof: name, header, statement, proof (the text after `:= by`, or a whole declaration); "
        "a header without imports gets those of prover.imports",
    )  # fmt: skip
    check.add_argument(
        "--output",
        type=Path,
        required=True,
        metavar="OUT.jsonl",
        help="a line a verdict: name, ok, level, reason, axioms",
    )
    check.add_argument("--config", type=Path, help="configuration file with the blocks prover and verify")
    check.add_argument(
        "--set", action="append", default=[], metavar="BLOCK.KEY=VALUE", help="one setting (verify.toolchain=FOLDER)"
    )
