"""Evaluating one model variant on one benchmark: search once at the largest budget, re-check, count."""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from burnqed.config import EvaluationSettings, VerifySettings
from burnqed.evaluation.evals import Checked, EvalParts, build_eval, build_timing
from burnqed.files import UserError, atomic_path, digest, write_json
from burnqed.jobs.progress import ProgressFolder
from burnqed.records.evaluations import Evaluation
from burnqed.records.theorems import Theorem, TheoremIndex, by_name, read_theorem_index
from burnqed.search.plan import EVAL, Searches
from burnqed.search.stack import Stack

if TYPE_CHECKING:
    from burnqed.records.trajectories import TheoremResult

logger = logging.getLogger(__name__)
KEPT_SEARCH, KEPT_TIMES = "search.parquet", "search.times.jsonl"
# Settings of the search that an evaluation does not use: its own budgets and attempts stand in their place.
UNUSED = {"shards", "max_theorems", "attempts", "expansions", "noisy_temperature"}


@dataclass(frozen=True, kw_only=True)
class ProverStack(Stack):
    """A search's stack, and how its proofs are re-checked."""

    verify: VerifySettings

    def science(self) -> dict[str, dict[str, Any]]:
        """Return the settings that decide what is found and accepted, by block."""
        names = ("policy", "encoder", "prover", "verify", "model")
        return {"search": self.search.science(UNUSED), **{name: getattr(self, name).science() for name in names}}


def search_and_check(
    stack: ProverStack,
    searches: Searches,
    output: Path,
    extra: dict[str, object] | None = None,
    progress: ProgressFolder | None = None,
) -> list[Checked]:
    """Search for proofs and put every proof found to the independent re-check.

    Writes the trajectory file ``output`` and its times. With ``progress``, a finished search and
    finished re-checks are kept there and taken over by the next call. Raises UserError for unusable
    settings or files, Stopped after SIGTERM.
    """
    from burnqed.records.trajectories import read_results
    from burnqed.search.run import run_search

    if progress is not None and _take_over(progress, output):
        logger.info("the search was finished before; now the re-check")
        results = read_results(output)
    else:
        results = run_search(stack, searches, output, extra)
        if progress is not None:
            check_results(results)
            _keep(progress, output)
    known = by_name(searches.theorems)
    proved = [result for result in results if result.proved]
    verdicts = _verify([(known[r.theorem], r.proof) for r in proved], stack, progress)
    verdict_of = {(r.theorem, r.attempt): v for r, v in zip(proved, verdicts, strict=True)}
    checked = []
    for result in results:
        ok, reason = verdict_of.get((result.theorem, result.attempt), (False, ""))
        if reason:
            logger.warning("%s: the proof found did not pass the re-check: %s", result.theorem, reason)
        checked.append(Checked(result, ok, reason))
    return checked


def _verify(
    items: Sequence[tuple[Theorem, Sequence[str]]], stack: ProverStack, progress: ProgressFolder | None
) -> list[tuple[bool, str]]:
    """Return (ok, reason of refusal) of each proof; those judged in an earlier call are not judged again."""
    from burnqed.prover.verdict import Verdict
    from burnqed.prover.verify import verify_proofs

    names = [digest([theorem.row(), list(proof)])[:24] + ".verdict.json" for theorem, proof in items]
    done: dict[int, tuple[bool, str]] = {}
    for index, name in enumerate(names):
        saved = progress.load(name) if progress is not None else None
        if saved is not None:
            done[index] = (bool(saved["ok"]), str(saved["reason"]))
    todo = [index for index in range(len(items)) if index not in done]

    def note(position: int, verdict: Verdict) -> None:
        index = todo[position]
        done[index] = (verdict.ok, "" if verdict.ok else verdict.reason)
        if progress is not None:
            progress.save(names[index], {"ok": verdict.ok, "reason": done[index][1]})

    if todo:
        asyncio.run(verify_proofs([items[index] for index in todo], stack.prover, stack.verify, note))
    return [done[index] for index in range(len(items))]


def _keep(progress: ProgressFolder, output: Path) -> None:
    """Keep a copy of a finished search: a workflow manager removes the outputs of a job that fails."""
    from burnqed.records.trajectories import times_path

    # The trajectory file goes last: where it is, the times are too.
    for source, name in ((times_path(output), KEPT_TIMES), (output, KEPT_SEARCH)):
        with atomic_path(progress / name) as partial:
            shutil.copyfile(source, partial)


def _take_over(progress: ProgressFolder, output: Path) -> bool:
    """Put a kept search in its place; return whether there was one."""
    from burnqed.records.trajectories import times_path

    if not (progress / KEPT_SEARCH).is_file():
        return False
    for target, name in ((times_path(output), KEPT_TIMES), (output, KEPT_SEARCH)):
        with atomic_path(target) as partial:
            shutil.copyfile(progress / name, partial)
    return True


def check_results(results: list[TheoremResult]) -> None:
    """Raise UserError when no search could start: the prover, not the model, failed then."""
    failed = [result for result in results if result.stop_reason == "start_failed"]
    if results and len(failed) == len(results):
        raise UserError(
            f"no theorem could be started in the prover; first: {failed[0].theorem}: {failed[0].message}; "
            "check prover.command and prover.project (`burnqed doctor`), and that the benchmark suits the prover"
        )


def iteration_of(label: str) -> int:
    """Return the iteration of a label, -1 for the base model; raise UserError for another label."""
    if label == "baseline":
        return -1
    if label.startswith("iter_") and label[5:].isdecimal():
        return int(label[5:])
    raise UserError(f"--label: '{label}'; write baseline or iter_I")


def recorded_settings(stack: ProverStack, evaluation: EvaluationSettings) -> dict[str, Any]:
    """Return the settings that enter the eval file: those that decide what is found and accepted."""
    kept = {"evaluation": evaluation.science(), **stack.science()}
    if stack.model.kind == "scratch":
        kept["model"] = {k: v for k, v in kept["model"].items() if k not in ("repository", "revision")}
    return {**kept, "quantization": stack.quantization}


def evaluate(
    stack: ProverStack,
    settings: EvaluationSettings,
    *,
    benchmark: Path,
    label: str,
    variant: str,
    seed: int,
    output: Path,
    trajectories: Path,
    extra: dict[str, object],
) -> Evaluation:
    """Evaluate and write eval file and trajectories; the times go to ``extra`` under `timing`.

    Raises UserError when the variant and the head given do not agree, or nothing could be started.
    """
    if (variant == "llm_ebm") != (stack.ebm is not None):
        raise UserError(f"--variant {variant}: {'needs' if stack.ebm is None else 'takes no'} --ebm")
    if stack.shuffled is not None and stack.ebm is None:
        raise UserError("--shuffled: needs --ebm, the head whose energies are permuted")
    index = read_theorem_index(benchmark)
    theorems = index.theorems[: settings.max_theorems] if settings.max_theorems else index.theorems
    if not theorems:
        raise UserError(f"{benchmark}: no theorems; make the benchmark again")
    recorded = recorded_settings(stack, settings)
    progress = ProgressFolder(
        output,
        {
            "key": stack.key(),
            "settings": {**recorded, "evaluation": [max(settings.budgets), settings.attempts]},
            "theorems": [theorem.row() for theorem in theorems],
            "run": [label, variant, seed],
        },
    )
    try:
        searches = Searches(theorems, EVAL, iteration_of(label), seed, max(settings.budgets), settings.attempts)
        checked = search_and_check(stack, searches, trajectories, extra, progress)
    except BaseException:
        progress.close()
        raise
    source = index.source
    key = stack.key()
    parts = EvalParts(
        label=label,
        variant=variant,
        model={"digest": key["model"], "kind": stack.model.kind},
        ebm={"digest": key["ebm"], **({"shuffled": key["shuffled"]} if stack.shuffled else {})} if stack.ebm else None,
        benchmark={
            "name": source.get("name", benchmark.stem),
            "split": source.get("split", ""),
            "sha256": source.get("sha256", ""),
            "theorems": len(theorems),
        },
        settings=recorded,
        seeds=[seed],
        budgets=settings.budgets,
        confidence=settings.confidence,
    )
    result = build_eval(parts, TheoremIndex(source, theorems), checked)
    from burnqed.records.trajectories import read_times

    extra["timing"] = build_timing(settings.budgets, checked, read_times(trajectories))
    write_json(output, result)
    progress.finish()
    return result
