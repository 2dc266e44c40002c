"""The card of a published model, written from a run's records alone: what they do not say, it does not say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from burnqed.files import read_json, read_jsonl, sidecar_path
from burnqed.records.evaluations import read_eval
from burnqed.report.run import Run
from burnqed.report.sections import METHOD, environment_rows, gate_rows
from burnqed.report.summary import model_name, training_rows
from burnqed.report.tables import comparison_rows, to_markdown
from burnqed.report.verdict import scale, verdict
from burnqed.words import counted

LEVELS = {
    "kernel": "compiled in a fresh process, and its term checked by Lean's kernel in another that ran none of its text",
    "kernel-header": "the same, and the statement uses what its header declares",
}


def _sidecar(artifact: Path) -> dict[str, Any]:
    path = sidecar_path(artifact)
    return dict(read_json(path)) if path.exists() else {}


def proofs_of(results: Path, iterations: int) -> list[dict[str, Any]]:
    """Return the re-checked proofs of all iterations up to a number, each theorem's first one."""
    found: dict[str, dict[str, Any]] = {}
    for number in range(iterations):
        path = results / f"iter_{number}" / "proofs.jsonl"
        for row in read_jsonl(path) if path.exists() else []:
            found.setdefault(row["theorem"], row)
    return list(found.values())


def front_matter(run: Run, model: Mapping[str, Any], licence: str) -> str:
    """Return the YAML head of the card, with the results as the hub reads them."""
    last = [row for row in run.models if row["label"] == run.labels()[-1]]
    results = [
        {
            "task": {"type": "text-generation", "name": "theorem proving in Lean 4"},
            "dataset": {"name": run.benchmark["name"], "type": "benchmark", "split": run.benchmark.get("split", "")},
            "metrics": [
                {
                    "type": "solve_rate",
                    "name": f"solved within {row['budget']} expanded nodes"
                    + (", with the head" if row["variant"] == "llm_ebm" else ""),
                    "value": round(100 * row["rate"], 2),
                    "verified": False,
                }
            ],
        }
        for row in last
    ]
    head: dict[str, Any] = {
        "library_name": "transformers",
        "pipeline_tag": "text-generation",
        "tags": ["lean4", "burn-qed"],
    }
    if licence:
        head["license"] = licence
    if model.get("repository"):
        head["base_model"] = model["repository"]
    head["model-index"] = [{"name": run.results.name, "results": results}]
    return f"---\n{yaml.safe_dump(head, sort_keys=False, allow_unicode=True)}---\n"


def card(run: Run, licence: str = "") -> str:
    """Return the card; raise UserError when a record is missing or damaged."""
    label = run.labels()[-1]
    number = int(label.removeprefix("iter_")) if label != "baseline" else -1
    trained = _sidecar(run.results / label / "adapter")
    model = trained.get("settings", {}).get("model", {})
    return "\n".join(
        [front_matter(run, model, licence), *_sections(run, label, number, trained, model)],
    )


def _sections(run: Run, label: str, number: int, trained: Mapping[str, Any], model: Mapping[str, Any]) -> Iterator[str]:
    said = verdict(run)
    yield f"# {run.results.name}: {model_name(label)}\n"
    yield f"{said.headline}\n"
    yield "".join(f"{text}\n\n" for text in (*said.details, *([scale(dict(model))] if model else [])))
    yield "## Results\n"
    yield f"{_benchmark(run)} {METHOD}\n"
    yield to_markdown(comparison_rows(run.summary))
    yield "## What solved means\n"
    yield "".join(f"- {line}\n" for line in _recheck(run, label, number))
    yield "## Training\n"
    yield to_markdown(training_rows(run.summary))
    block = trained.get("settings", {}).get("sft") or trained.get("settings", {}).get("joint") or {}
    if block:
        kept = {
            key: block[key] for key in ("start", "learning_rate", "lora_rank", "lora_alpha", "dtype") if key in block
        }
        told = ", ".join(f"{key} {value}" for key, value in kept.items())
        yield f"Seed {trained.get('seed')}; {told}; weights in training: {trained['settings'].get('quantization')}.\n"
    data = run.results / "data" / "report.json"
    if data.exists():
        yield "## Data and contamination\n"
        yield "".join(f"- {line}\n" for line in _data(read_json(data)))
    gates = gate_rows(run.summary)
    if gates:
        yield "## Gates\n"
        yield to_markdown(gates)
    yield "## Made with\n"
    yield to_markdown(environment_rows(run.results / label))


def _benchmark(run: Run) -> str:
    benchmark = run.benchmark
    path = run.results / "data" / "benchmarks" / f"{benchmark['name']}.json"
    source = read_json(path)["source"] if path.exists() else {}
    facts = [f"split {benchmark['split']}"] if benchmark.get("split") else []
    facts += [f"{key} {source[key]}" for key in ("source", "revision", "commit", "lean") if source.get(key)]
    return f"Benchmark {benchmark['name']} ({', '.join([*facts, 'SHA-256 ' + str(benchmark.get('sha256', ''))])})."


def _recheck(run: Run, label: str, number: int) -> Iterator[str]:
    settings = read_eval(run.eval_path(next(m for m in run.models if m["label"] == label)))["settings"]
    verify, prover = settings.get("verify", {}), settings.get("prover", {})
    if prover:
        yield f"Prover: kind {prover.get('kind')}, imports {', '.join(prover.get('imports', [])) or 'none but Init'}."
    if verify:
        yield f"A proof may use the axioms {', '.join(verify.get('axioms', []))}, and no others."
    levels = Counter(str(row.get("level", "not recorded")) for row in proofs_of(run.results, number + 1))
    for level, count in sorted(levels.items()):
        meaning = f": {LEVELS[level]}" if level in LEVELS else ""
        yield f"{counted(count, 'published proof')} of training theorems passed the re-check at level {level}{meaning}."


def _data(report: Mapping[str, Any]) -> Iterator[str]:
    train = report.get("train", {})
    yield f"Tactic pairs: {train.get('pairs')} of {train.get('theorems')} theorems; {report.get('search_theorems')} theorems to search."
    for source in report.get("sources", []):
        facts = [str(source[key]) for key in ("file", "repository", "revision", "sha256") if source.get(key)]
        yield f"Source: {', '.join(facts)}."
    for name, found in report.get("contamination", {}).get("benchmarks", {}).items():
        yield (
            f"Of {found['theorems']} theorems of {name}, {found['statement']} have their statement among the training "
            f"theorems up to bound names, {found['name']} their name, {found['skeleton']} their skeleton."
        )
