"""Published results of other provers in our eval form, so that theirs and ours stand in one table.

Two kinds are read: the step-level search records of InternLM-Math
(https://github.com/InternLM/InternLM-Math, minif2f/output: JSON shards with ``attempt_results``)
and proofs in any form of ``burnqed.data.claims``, which name only what was solved. Proofs are taken
as published: nothing here checks them again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from burnqed.data.claims import read_claims
from burnqed.data.published import read_published
from burnqed.evaluation.evals import wilson_row
from burnqed.files import UserError, digest, read_json
from burnqed.leantext.declarations import TextError, normalise_statement, read_statement
from burnqed.records.evaluations import SCHEMA_VERSION, BudgetResult
from burnqed.records.theorems import TheoremIndex, read_theorem_index

PUBLISHED = "as published, not re-checked here"
# Public bundles of proofs were found to hold some that rest on these.
DOUBTFUL = re.compile(r"\b(sorry|admit|native_decide|sorryAx|axiom|implemented_by|unsafe|run_tac|run_cmd)\b")


@dataclass
class Attempted:
    """A theorem of a published result: ``nodes`` is the budget unit at which it was solved."""

    name: str
    solved: bool
    nodes: int
    statement: str = ""
    proof: str = ""
    message: str = ""
    split: str = ""


@dataclass
class Published:
    """A published result: how it was made, and what became of each theorem it names."""

    mode: str
    unit: str
    budget: int
    theorems: list[Attempted] = field(default_factory=list)


def _statement(text: str) -> str:
    """Return the normalised proposition of a declaration, empty when it cannot be read."""
    try:
        return normalise_statement(read_statement(text).proposition)
    except TextError:
        return ""


def _shards(source: Path) -> list[Path]:
    if not source.is_dir():
        return [source]

    def numbers(path: Path) -> list[int]:
        return [int(part) for part in re.findall(r"\d+", path.name)]

    files = sorted(source.glob("*.json"), key=lambda path: (numbers(path), path.name))
    if not files:
        raise UserError(f"{source}: no JSON file in this folder; give the folder of the search's shards")
    return files


def read_search_records(source: Path) -> Published:
    """Read InternLM-Math's search records: a shard, or the folder of all of them.

    A theorem solved in iteration n (counted from 0) took n + 1 expanded nodes, one per iteration.
    Raises UserError naming the file that is damaged or was made with other settings than the first.
    """
    settings: Mapping[str, Any] | None = None
    found: dict[str, Attempted] = {}
    for path in _shards(source):
        value = read_json(path)
        try:
            own = {k: value["args"][k] for k in ("max_iters", "num_samples", "timeout", "temperatures")}
            if settings is not None and own != settings:
                raise UserError(f"{path}: made with other settings than the first shard: {own}, not {settings}")
            settings = own
            for result in value["results"]:
                attempted = _search_record(result, int(own["max_iters"]))
                if attempted.name in found:
                    raise UserError(f"{path}: theorem '{attempted.name}' occurs twice; give each shard once")
                found[attempted.name] = attempted
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise UserError(f"{path}: not a search record of InternLM-Math's form ({error!r})") from error
    assert settings is not None
    mode = (
        f"best-first search over tactics, 1 x {settings['num_samples']} candidates x {settings['max_iters']} nodes, "
        f"at most {settings['timeout']} s per theorem"
    )
    return Published(mode, "expanded nodes", int(settings["max_iters"]), list(found.values()))


def _search_record(result: Mapping[str, Any], limit: int) -> Attempted:
    example = result["example"]
    solved = [item for item in result["attempt_results"] if item["success"]]
    best = min(solved, key=lambda item: item["iteration"], default=None)
    reasons = {str(item.get("failure_reason") or "") for item in result["attempt_results"]} - {""}
    return Attempted(
        name=str(example["full_name"]),
        solved=best is not None,
        nodes=int(best["iteration"]) + 1 if best else limit,
        statement=_statement(str(example["statement"])),
        proof=str(best["proof"]) if best else "",
        message=", ".join(sorted(reasons)),
        split=str(example.get("split") or ""),
    )


def read_proof_list(source: Path, budget: int, mode: str, unit: str) -> Published:
    """Read accepted proofs of any form that ``read_claims`` knows; those that their author rejects do not count.

    The list does not say how it was made, so budget, unit and mode are the caller's to give.
    """
    rows: dict[str, Attempted] = {}
    for attempt in read_claims(source).attempts:
        statement = normalise_statement(attempt.theorem.statement)
        name = attempt.theorem.name
        rows.setdefault(name, Attempted(name, True, budget, statement, attempt.proof))
    return Published(mode, unit, budget, list(rows.values()))


def _is_search_record(source: Path) -> bool:
    """Return whether this is a folder of JSON files, or a JSON object of a search's results and settings."""
    path = next(iter(sorted(source.glob("*.json"))), None) if source.is_dir() else source
    if path is None or path.suffix != ".json":
        return False
    return '"attempt_results"' in path.read_text(encoding="utf-8", errors="replace")[: 1 << 20] or source.is_dir()


def read_benchmark(path: Path, split: str) -> TheoremIndex:
    """Read the theorems a result is about: a theorem index of a run, or a published file."""
    if path.suffix == ".json" and '"theorems"' in path.read_text(encoding="utf-8")[:4096]:
        return read_theorem_index(path)
    index = read_published(path, split, str(path))
    return TheoremIndex({"name": path.stem, **index.source}, index.theorems)


def import_results(
    source: Path,
    label: str,
    *,
    benchmark: TheoremIndex | None = None,
    split: str = "",
    budgets: Sequence[int] = (),
    mode: str = "",
    unit: str = "",
    confidence: float = 0.95,
) -> dict[str, Any]:
    """Return the eval form of a published result.

    ``benchmark`` gives the theorems that count; a list of proofs needs it, for it does not name what
    was not solved. Theorems whose statement is another one in the result than in the benchmark are
    named under ``differing``, and then the result keeps a digest of its own statements, so that a
    comparison has to be forced. ``budgets`` smaller than the result's own are prefixes of its search.
    Solved proofs that rest on constructs our re-check refuses are named under ``doubtful``.
    Raises UserError for what cannot be read.
    """
    if not source.exists():
        raise UserError(f"{source}: no such file or folder")
    if not _is_search_record(source):
        if not mode or not unit or len(budgets) != 1:
            raise UserError(
                f"{source}: a list of proofs does not say how they were found; give --mode, --unit and one --budgets "
                'value from the publication (--mode "whole proofs, pass@8192" --unit samples --budgets 8192)'
            )
        if benchmark is None:
            raise UserError(f"{source}: a list of proofs names only what was solved; give --benchmark")
        published = read_proof_list(source, budgets[0], mode, unit)
    else:
        published = read_search_records(source)
        too_large = [budget for budget in budgets if budget > published.budget]
        if too_large:
            raise UserError(f"{source}: searched {published.budget} nodes at most; no budget {too_large[0]} in it")
    rows = [row for row in published.theorems if not split or not row.split or row.split == split]
    if not rows:
        have = ", ".join(sorted({row.split for row in published.theorems}))
        raise UserError(f"{source}: no theorem of split '{split}'; it has {have}")
    differing: list[str] = []
    if benchmark is not None:
        rows, differing = _on_benchmark(rows, benchmark, published.budget, source)
    statements = sorted((row.name, row.statement) for row in rows)
    ours = benchmark.source if benchmark is not None and not differing else {}
    splits = {row.split for row in rows if row.split}
    return {
        "schema_version": SCHEMA_VERSION,
        "label": label,
        "variant": "published",
        "model": {"name": label},
        "ebm": None,
        "benchmark": {
            "name": ours.get("name", "") or (benchmark.source.get("name") if benchmark else None) or source.stem,
            "split": ours.get("split", "") or split or (splits.pop() if len(splits) == 1 else ""),
            "sha256": ours.get("sha256", "") or digest(statements),
            "theorems": len(rows),
        },
        "settings": {"mode": published.mode, "unit": published.unit, "recheck": PUBLISHED},
        "seeds": [],
        "confidence": confidence,
        "results": _results(rows, sorted({*budgets, published.budget}), confidence),
        "cumulative": [],
        "pass_at_k": [],
        "unverified": 0,
        "differing": differing,
        "doubtful": sorted(row.name for row in rows if row.solved and DOUBTFUL.search(row.proof)),
        "per_theorem": [
            {
                "name": row.name,
                "proved": row.solved,
                "verified": row.solved,
                "budget_at_proof": None,
                "nodes": row.nodes,
                **({"message": row.message} if row.message else {}),
            }
            for row in rows
        ],
    }


def _on_benchmark(
    rows: Sequence[Attempted], benchmark: TheoremIndex, budget: int, source: Path
) -> tuple[list[Attempted], list[str]]:
    """Return one row per theorem of the benchmark, and the theorems whose statement is another one."""
    by_name = {row.name: row for row in rows}
    out, differing = [], []
    for theorem in benchmark.theorems:
        row = by_name.get(theorem.name)
        if row is None:
            row = Attempted(theorem.name, False, budget, message="not in the published result")
        elif row.statement and row.statement != normalise_statement(theorem.statement):
            differing.append(theorem.name)
        out.append(row)
    if not any(theorem.name in by_name for theorem in benchmark.theorems):
        raise UserError(f"{source}: names no theorem of the benchmark, for example {benchmark.theorems[0].name}")
    return out, differing


def _results(rows: Sequence[Attempted], budgets: Sequence[int], confidence: float) -> list[BudgetResult]:
    return [
        wilson_row(budget, sum(row.solved and row.nodes <= budget for row in rows), len(rows), confidence)
        for budget in budgets
    ]
