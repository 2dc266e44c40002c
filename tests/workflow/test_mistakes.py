"""Mistakes of users through the real commands: each gets one message with a remedy, and no traceback or page of usage."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
from pathlib import Path

import pytest

from burnqed.records.trajectories import TheoremResult, write_trajectories
from tests.forking import forking
from tests.workflow.conftest import ROOT, environment, make_clone

PROOF = {"theorem": "t", "statement": "1 = 1", "header": "", "proof": ["rfl"], "kind": "main"}
EVAL = {
    "label": "iter_0",
    "variant": "llm",
    "benchmark": {"name": "toy"},
    "settings": {},
    "results": [],
    "per_theorem": [],
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone with some files that a user may give where another one is asked for."""
    clone = make_clone(tmp_path_factory.mktemp("mistakes") / "clone")
    texts = {
        "overlay.yaml": "seed: 1\n",
        "broken.yaml": "search: [1\n",
        "list.yaml": "- 1\n",
        "typo.yaml": "serach: {expansions: 8}\n",
        "proofs.jsonl": json.dumps(PROOF) + "\n",
        "eval.json": json.dumps(EVAL),
        "other.json": "{}",
        "notes.txt": "prose only\n",
        "cut.json": '{"a": [',
    }
    for name, text in texts.items():
        (clone / name).write_text(text, encoding="utf-8")
    (clone / "empty").mkdir()
    (clone / "file").write_text("")
    result = TheoremResult("add_comm_1", 0, False, [], 3, 1, 3, 1, "exhausted", "", 1)
    write_trajectories(clone / "search.parquet", [], [result])
    (clone / "cut.parquet").write_bytes((clone / "search.parquet").read_bytes()[:200])
    return clone


def said(place: Path, *words: str) -> str:
    """Run a command that has to fail; return what it says, in few lines and without a traceback or usage."""
    # A folder for configuration of its own: profiles of the user who tests do not count.
    more = environment(XDG_CONFIG_HOME=str(place / "none"), PYTHONPATH=str(ROOT), COLUMNS="200")
    done = subprocess.run(
        forking().command(words),
        cwd=place,
        env=more,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    text = done.stdout
    assert done.returncode not in (0, 128 + signal.SIGABRT, 128 + signal.SIGSEGV), text
    assert "Traceback" not in text and "usage:" not in text, text
    kept = [
        line for line in text.splitlines() if not line.startswith(("Config file", "Using workflow", "Using profile"))
    ]
    assert 1 <= len(kept) <= 6, text
    return text


SNAKEMAKE = [
    ("--workflow-profile reharsal -n", "no such profile; did you mean rehearsal?"),
    ("--profile reharsal -n", "no such profile; did you mean rehearsal?"),
    ("--profile runpod -n", "run `make profiles`, or use --workflow-profile runpod"),
    ("-n --configfile overlay.yml", "no such file; did you mean overlay.yaml?"),
    ("-n --configfile overlay.yaml all", "a target after files needs `--` before it: -- all"),
    ("-n --configfile broken.yaml", "not valid JSON or YAML"),
    ("-n --configfile list.yaml", "keys at top level"),
    ("-n --configfile typo.yaml", "serach: unknown key; did you mean 'search'?"),
    ("-n --config search.expansions=8", "write 'search={expansions: 8}'"),
    ("-n --config seed", "write NAME=VALUE (seed=1)"),
    ("-n --config overlay.yaml", "is a file: give it with --configfile"),
    ("-n --config 'search={expansionz: 8}'", "search.expansionz: unknown key; did you mean 'expansions'?"),
    ("-n --config seed=abc", "seed: Input should be a valid integer"),
    ("-n --config hardware=rtx5090", "is not a key of `hardware_types` (cpu, rtx4090"),
    ("-n --config 'evaluation={benchmark: minif2f}'", "'minif2f' is not a key of `benchmarks` (minif2f_test)"),
    ("iter_9_eval -n", "iterations are 0 to 4; another number: --config iterations=N"),
    ("iter_1_evl -n", "no such target; did you mean iter_1_eval"),
    ("iter_1_evl -n --workflow-profile rehearsal --directory empty", "no such target; did you mean iter_1_eval"),
    ("results/figures/solverate.svg -n", "did you mean results/figures/solve_rate.svg"),
    ("results/rehearsal/summary.json -n", "another run's file needs that run's profile"),
    ("data --cores 1 --config results=file/results", "file is a file, not a folder; give another folder"),
]

BURNQED = [
    ("", "`burnqed --help` shows what there is"),
    ("prov x", "did you mean prove?"),
    ("prove 1=1 --budgt 3", "unknown option --budgt; did you mean --budget?"),
    ("prove 1=1", "no trained model (iter_*/model); run `make rehearsal` first"),
    ("prove ∀(", "unclosed '('; give a proposition"),
    ("prove 1=1 --model-dir empty", "not a model folder (no config.json); give R/iter_i/model"),
    ("doctor --set search.temprature=1", "search.temprature: unknown key; did you mean 'temperature'?"),
    ("doctor --set temperature=1", "write BLOCK.KEY=VALUE"),
    ("doctor --set serach.temperature=1", "no block 'serach'; did you mean 'search'?"),
    ("doctor --set search.temperature=hot", "search.temperature: Input should be a valid number"),
    ("doctor --config missing.yaml", "no such file; give the configuration of the run"),
    ("doctor --config broken.yaml", "line 2: "),
    ("doctor --config typo.yaml", "serach: unknown key; did you mean 'search'?"),
    ("doctor --profile reharsal", "no profile 'reharsal' here; did you mean rehearsal?"),
    ("inspect proofs.jsonl", "not a trajectory file; give R/iter_i/trajectories.parquet"),
    ("inspect missing.parquet", "no such file; check the path"),
    ("inspect cut.parquet", "is it the file you meant?"),
    ("inspect search.parquet --theorem add_com_1", "did you mean add_comm_1?"),
    ("inspect search.parquet --theorem add_comm_1 --attempt 4", "'add_comm_1' has no attempt 4"),
    ("compare nofile.json", "one eval file (nofile.json); give at least two"),
    ("compare other.json other.json", "not an eval file (R/iter_i/eval/*.json)"),
    ("compare cut.json cut.json", "not readable as JSON"),
    ("import proofs.jsonl", "give --proofs FILE"),
    ("import proofs.jsonl --output x.json", "--label: give the prover's name"),
    ("import proofs.jsonl --output x.json --label A", "give --mode, --unit and one --budgets"),
    ("import missing.lean --proofs x.jsonl", "no such file or folder"),
    ("check missing.jsonl --output x.jsonl", "No such file or directory"),
    ("summary empty", "no such file; check the path, or make it"),
    ("export mine --form lke --output x", "did you mean lake?"),
    ("compare-benchmarks miniF2F miniF2F", "minif2f_v1"),
    ("estimate --hardware rtx5090", "is not a key of `hardware_types`"),
    ("run -- iter_9_eval -n", "iterations are 0 to 4"),
    ("prove 1=1 --results file", "no trained model (iter_*/model)"),
    (
        "doctor --results file/results --config overlay.yaml --set prover.kind=lena",
        "prover.kind: Input should be 'lean'",
    ),
]


def test_there_are_forty() -> None:
    assert len(SNAKEMAKE) + len(BURNQED) >= 40


@pytest.mark.parametrize(("words", "remedy"), SNAKEMAKE)
def test_mistakes_on_snakemakes_command_line(place: Path, words: str, remedy: str) -> None:
    assert remedy in said(place, "snakemake", *shlex.split(words))


@pytest.mark.parametrize(("words", "remedy"), BURNQED)
def test_mistakes_on_our_command_line(place: Path, words: str, remedy: str) -> None:
    assert remedy in said(place, "burnqed", *words.split())
