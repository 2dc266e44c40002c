"""A run to share: the card says what the records say, the proofs compile, and every record is listed with its digest."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
import yaml

from burnqed.commands import cli
from burnqed.files import read_json, sha256_file, write_json, write_jsonl
from burnqed.prover.toolchain import find_toolchain
from tests.unit.real_lean import PROVER, needs_lean
from tests.unit.test_report import results  # noqa: F401  (a fixture)

Results = Path


@pytest.fixture
def finished(results: Results) -> Path:  # noqa: F811
    """The toy run with a model, a benchmark, data and proofs of real statements."""
    for iteration, proofs in enumerate(
        ([("a.b", "∀ (n : Nat), n + 0 = n", ["intro n", "rfl"])], [("c", "1 = 1", ["rfl"])])
    ):
        rows = [
            {"theorem": name, "statement": statement, "header": "", "proof": proof, "kind": "main", "level": "kernel"}
            for name, statement, proof in proofs
        ]
        write_jsonl(results / f"iter_{iteration}" / "proofs.jsonl", rows)
    verification = {"verification": {"refused": {}, "lean": "4.35.0"}}
    job = {"wall_seconds": 3.0, "cpu_seconds": 2.0, "gpu_seconds": 0.0, "estimated_cost": 0.0}
    write_json(
        results / "iter_1/proofs.jsonl.meta.json", {**job, **verification, "commit": "0123456789abcdef", "packages": {}}
    )
    for name in ("config.json", "model.safetensors"):
        (results / "iter_1/model").mkdir(parents=True, exist_ok=True)
        (results / "iter_1/model" / name).write_text("{}")
    settings = {
        "sft": {"learning_rate": 0.125, "lora_rank": 77},
        "model": {"kind": "pretrained", "repository": "some/base"},
    }
    sidecar = {**job, "seed": 5, "settings": {**settings, "quantization": "nf4"}, "packages": {"torch": "9.9"}}
    write_json(results / "iter_1/adapter.meta.json", sidecar)
    evaluation = read_json(results / "iter_1/eval/llm.json")
    evaluation["settings"] = {"verify": {"axioms": ["propext"]}, "prover": {"kind": "lean", "imports": []}}
    write_json(results / "iter_1/eval/llm.json", evaluation)
    write_json(
        results / "data/benchmarks/toy.json", {"source": {"source": "their.jsonl", "commit": "c0ffee"}, "theorems": []}
    )
    found = {"theorems": 10, "statement": 3, "name": 2, "skeleton": 4}
    report = {
        "train": {"pairs": 41, "theorems": 17},
        "search_theorems": 23,
        "contamination": {"benchmarks": {"toy": found}},
    }
    write_json(results / "data/report.json", report)
    return results


def publish(finished: Path, *more: str) -> int:
    return cli.main(["publish", str(finished), "--output", str(finished / "out"), *more])


def test_the_card_says_what_the_records_say_and_no_more(finished: Path) -> None:
    assert publish(finished, "--dry-run") == 0
    card = (finished / "out/model/README.md").read_text()
    head = yaml.safe_load(card.split("---\n")[1])
    assert head["base_model"] == "some/base" and "license" not in head
    values = [one["metrics"][0]["value"] for one in head["model-index"][0]["results"]]
    assert values == [30.0, 40.0]
    for text in (
        "No measurable change: the solve rate on toy went from 20.0 % (2 of 10) to 30.0 % (3 of 10)",
        "source their.jsonl, commit c0ffee, SHA-256 0",
        "may use the axioms propext, and no others",
        "2 published proofs of training theorems passed the re-check at level kernel",
        "Seed 5; learning_rate 0.125, lora_rank 77; weights in training: nf4",
        "Tactic pairs: 41 of 17 theorems; 23 theorems to search",
        "Of 10 theorems of toy, 3 have their statement among the training theorems up to bound names, 2 their name, 4",
        "| torch | 9.9 | 1 |",
        "| commit | 0123456789ab | 1 |",
    ):
        assert text in card
    for record in ("data/report.json", "iter_1/adapter.meta.json"):
        (finished / record).unlink()
    assert publish(finished, "--dry-run", "--license", "cc-by-4.0") == 0
    less = (finished / "out/model/README.md").read_text()
    assert "contamination" not in less and "Seed" not in less and "some/base" not in less and "None" not in less
    assert yaml.safe_load(less.split("---\n")[1])["license"] == "cc-by-4.0"


def test_every_record_is_listed_with_its_digest(finished: Path) -> None:
    (finished / ".run.json").write_text('{"config": {}, "started": 1}')
    assert publish(finished, "--dry-run") == 0
    crate = finished / "out" / "crate"
    graph = {entry["@id"]: entry for entry in read_json(crate / "ro-crate-metadata.json")["@graph"]}
    listed = {part["@id"] for part in graph["./"]["hasPart"]}
    there = {str(path.relative_to(crate)) for path in crate.rglob("*") if path.is_file()} - {"ro-crate-metadata.json"}
    assert listed == there and {"summary.json", "iter_0/proofs.jsonl", "baseline/eval/llm.json", "run.json"} <= listed
    assert all(graph[name]["sha256"] == sha256_file(crate / name) for name in listed)
    assert not any("safetensors" in name or name.startswith("out/") for name in listed)


@needs_lean
def test_the_proofs_compile_as_they_are_published(finished: Path) -> None:
    assert publish(finished, "--dry-run") == 0
    project = finished / "out" / "proofs"
    assert (project / "lean-toolchain").read_text() == "leanprover/lean4:v4.35.0\n"
    files = sorted((project / "Statements").glob("*.lean"))
    assert len(files) == 2 and len((project / "Statements.lean").read_text().splitlines()) == 2
    lean = find_toolchain(PROVER, "")
    for file in files:
        done = subprocess.run(
            [*lean.lean, "--json", str(file)], env=dict(lean.environment), capture_output=True, text=True
        )
        messages = [json.loads(line) for line in done.stdout.splitlines()]
        assert done.returncode == 0 and not messages, done.stdout + done.stderr


def test_what_cannot_be_published_is_said(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert publish(finished) == 1
    assert "give --repo OWNER/NAME to upload to, or --dry-run" in capsys.readouterr().err
    (finished / "iter_1/model/config.json").unlink()
    assert publish(finished, "--dry-run") == 1
    assert "no finished model; make it again" in capsys.readouterr().err
    assert cli.main(["publish", str(finished / "iter_0"), "--dry-run"]) == 1
    assert "no such file" in capsys.readouterr().err
