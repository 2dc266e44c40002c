"""Re-checking all proofs of an iteration, resumably, and writing the ones that stand."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

from burnqed.artifacts import (
    PROGRESS,
    ProgressFolder,
    UserError,
    digest,
    input_digest,
    write_json,
    write_jsonl,
    write_text,
)
from burnqed.config import ProverSettings, VerifySettings
from burnqed.data.theorems import Theorem, read_theorem_index
from burnqed.lean.leanfile import imported_modules, render_lean_file
from burnqed.lean.verify import Verdict, verify_proofs
from burnqed.scripting import Stopped, graceful_stop, stop_requested

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
    axioms}, ordered as the results; a proof found several times is listed at its first find.
    Progress is saved after every 200 proofs. Returns what the sidecar tells: counts checked,
    accepted and refused by reason, with examples of refused proofs.
    """
    from burnqed.search.trajectories import TheoremResult, read_results

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
        "prover": prover.model_dump(include={"kind", "command", "project", "lean_path"}),
        "verify": settings.model_dump(),
    }
    progress, status = ProgressFolder(output, key), _Status(output, len(items))
    try:
        with graceful_stop():
            verdicts = _checked(items, prover, settings, progress, status)
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
                "proof": proof, "source": verdict.source, "iteration": iteration,
                "kind": result.kind, "attempt": result.attempt, "axioms": verdict.axioms,
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


def _checked(
    items: list[tuple[Theorem, list[str]]],
    prover: ProverSettings,
    settings: VerifySettings,
    progress: ProgressFolder,
    status: _Status,
) -> list[Verdict]:
    verdicts: list[Verdict] = []
    for start in range(0, len(items), BATCH):
        name = f"batch-{start:06d}.json"
        saved = progress.load(name)
        batch = items[start : start + BATCH]
        if isinstance(saved, list) and len(saved) == len(batch):
            done = [Verdict(**row) for row in saved]
            for verdict in done:
                status.add(verdict)
        else:
            if stop_requested():
                raise Stopped
            done = asyncio.run(_until_stopped(batch, prover, settings, status))
            progress.save(name, [asdict(verdict) for verdict in done])
        verdicts += done
    return verdicts


async def _until_stopped(
    batch: list[tuple[Theorem, list[str]]], prover: ProverSettings, settings: VerifySettings, status: _Status
) -> list[Verdict]:
    """Check a batch; when SIGTERM comes, end the provers within a moment and raise Stopped."""
    task = asyncio.create_task(verify_proofs(batch, prover, settings, lambda _, verdict: status.add(verdict)))
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
        "further_checks": dict(sorted(Counter(check for v in verdicts if v.ok for check in v.checks).items())),
        "examples": [
            {"theorem": theorem.name, "proof": proof, "reason": verdict.reason[:500]}
            for theorem, proof, verdict in refused[:MAX_EXAMPLES]
        ],
    }
