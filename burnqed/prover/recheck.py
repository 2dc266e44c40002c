"""Re-checking all proofs of an iteration, resumably, and writing the ones that stand."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from burnqed.config import ProverSettings, VerifySettings
from burnqed.files import UserError, digest, input_digest, write_json, write_jsonl, write_text
from burnqed.jobs.progress import PROGRESS, ProgressFolder
from burnqed.jobs.stop import Stopped, graceful_stop, stop_requested
from burnqed.prover.claims import Claim, claim_of
from burnqed.prover.leanfile import imported_modules, render_lean_file
from burnqed.prover.verdict import Verdict, refused_text
from burnqed.prover.verify import verify_claims
from burnqed.records.theorems import Theorem, read_theorem_index

logger = logging.getLogger(__name__)

BATCH = 200  # proofs per saved piece of progress
MAX_EXAMPLES = 20  # refused proofs shown in the sidecar


class _Status:
    """Keeps the progress display's file up to date, at most once per second."""

    def __init__(self, artifact: Path, total: int) -> None:
        self.path = artifact.parent / PROGRESS / f"status-{artifact.name}.json"
        self.total, self.done, self.proved, self.written = total, 0, 0, 0.0

    def add(self, verdict: Verdict) -> None:
        self.done += 1
        self.proved += verdict.ok
        if time.monotonic() - self.written >= 1:
            write_json(self.path, {"done": self.done, "total": self.total, "proved": self.proved})
            self.written = time.monotonic()

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)


def recheck(
    trajectories: Path,
    theorems: Path,
    iteration: int,
    prover: ProverSettings,
    settings: VerifySettings,
    output: Path,
    lean: Path,
) -> dict[str, Any]:
    """Check each distinct (theorem, proof) of a trajectory file once; write proofs.jsonl and .lean.

    Rows of ``output`` are {theorem, statement, header, proof, source, iteration, kind, attempt,
    axioms, level}, ordered as the results; a proof found several times is listed at its first find.
    Progress is saved after every 200 proofs. Returns what the sidecar tells: counts checked,
    accepted and refused by reason, with examples of refused proofs.
    """
    from burnqed.records.trajectories import TheoremResult, read_results

    index = {theorem.name: theorem for theorem in read_theorem_index(theorems).theorems}
    found: dict[tuple[str, tuple[str, ...]], TheoremResult] = {}
    for result in sorted((r for r in read_results(trajectories) if r.proved), key=lambda r: r.key):
        if result.theorem not in index:
            raise UserError(
                f"{trajectories}: theorem '{result.theorem}' is not in {theorems}: "
                "the search used another index; search again"
            )
        found.setdefault((result.theorem, tuple(result.proof)), result)
    items: list[tuple[Theorem, list[str]]] = [(index[name], list(proof)) for name, proof in found]
    # Workers and limits of this machine do not change a verdict that was reached.
    key = {
        "trajectories": input_digest(trajectories),
        "items": digest([[asdict(theorem), proof] for theorem, proof in items]),
        "prover": prover.which_lean(),
        "verify": settings.science(),
    }
    progress, status = ProgressFolder(output, key), _Status(output, len(items))
    try:
        with graceful_stop():
            refusals = [refused_text(proof, settings.max_chars) for _, proof in items]
            claims = [claim_of(item) for item in items]
            verdicts = judged(claims, refusals, prover, settings, progress, status.add)
    except BaseException:
        progress.close()
        raise
    finally:
        status.remove()
    rows, accepted = [], []
    for (theorem, proof), result, verdict in zip(items, found.values(), verdicts, strict=True):
        if verdict.ok:
            accepted.append((theorem, proof))
            rows.append({
                "theorem": theorem.name, "statement": theorem.statement, "header": theorem.header,
                **({"signature": theorem.signature} if theorem.signature else {}),
                "proof": proof, "source": verdict.source, "iteration": iteration,
                "kind": result.kind, "attempt": result.attempt, "axioms": verdict.axioms, "level": verdict.level,
            })  # fmt: skip
    proved = len({theorem.name for theorem, _ in accepted})
    write_text(
        lean,
        render_lean_file(
            accepted,
            f"Proofs of iteration {iteration}: {proved} theorems, each checked as a whole.",
            imported_modules(prover),
        ),
    )
    write_jsonl(output, rows)
    progress.finish()
    report = _report(items, verdicts)
    logger.info(
        "%s: %d proofs checked, %d stand (%d theorems), refused: %s",
        output,
        len(items),
        len(rows),
        proved,
        report["refused"] or "none",
    )
    return report


def judged(
    claims: Sequence[Claim],
    refusals: Sequence[str | None],
    prover: ProverSettings,
    settings: VerifySettings,
    progress: ProgressFolder,
    on_verdict: Callable[[Verdict], None],
) -> list[Verdict]:
    """Return the verdicts on claims, batch by batch; saved batches are not judged again. Raises Stopped on SIGTERM."""
    verdicts: list[Verdict] = []
    for start in range(0, len(claims), BATCH):
        name, part = f"batch-{start:06d}.json", slice(start, start + BATCH)
        saved = progress.load(name)
        if isinstance(saved, list) and len(saved) == len(claims[part]):
            done = [Verdict(**row) for row in saved]
            for verdict in done:
                on_verdict(verdict)
        else:
            if stop_requested():
                raise Stopped
            done = asyncio.run(_until_stopped(claims[part], refusals[part], prover, settings, on_verdict))
            progress.save(name, [asdict(verdict) for verdict in done])
        verdicts += done
    return verdicts


async def _until_stopped(
    claims: Sequence[Claim],
    refusals: Sequence[str | None],
    prover: ProverSettings,
    settings: VerifySettings,
    on_verdict: Callable[[Verdict], None],
) -> list[Verdict]:
    """Check a batch; when SIGTERM comes, end the provers within a moment and raise Stopped."""
    task = asyncio.create_task(verify_claims(claims, refusals, prover, settings, lambda _, v: on_verdict(v)))
    while not task.done():
        await asyncio.wait({task}, timeout=0.2)
        if stop_requested() and not task.done():
            task.cancel()
            await asyncio.wait({task})
            raise Stopped
    return task.result()


def _report(items: list[tuple[Theorem, list[str]]], verdicts: list[Verdict]) -> dict[str, Any]:
    refused = [(theorem, proof, v) for (theorem, proof), v in zip(items, verdicts, strict=True) if not v.ok]
    return {
        "checked": len(items),
        "accepted": len(items) - len(refused),
        "theorems_proved": len({t.name for (t, _), v in zip(items, verdicts, strict=True) if v.ok}),
        "refused": dict(sorted(Counter(v.kind for _, _, v in refused).items())),
        "levels": dict(sorted(Counter(v.level for v in verdicts if v.ok).items())),
        "examples": [
            {"theorem": theorem.name, "proof": proof, "reason": verdict.reason[:500]}
            for theorem, proof, verdict in refused[:MAX_EXAMPLES]
        ],
    }
