"""The `burnqed` command: help, mistakes, comparison and inspection, as a user runs it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from burnqed.commands import cli
from burnqed.commands.doctor import check_disk, check_packages
from burnqed.commands.prove import DEFAULT_NAME, stack_from, theorem_from_text
from burnqed.config import ProverSettings, SearchSettings
from burnqed.evaluation.evals import Checked
from burnqed.evaluation.stack import load_blocks, newest_iteration, recorded_blocks
from burnqed.files import UserError, write_json
from burnqed.records.trajectories import SCHEMA, TheoremResult, write_trajectories
from burnqed.search.plan import Searches
from tests.unit.real_lean import needs_lean


def test_help_names_every_command() -> None:
    done = subprocess.run([sys.executable, "-m", "burnqed", "--help"], capture_output=True, text=True, check=True)
    for command in ("prove", "compare", "inspect", "doctor", "lean", "summary"):
        assert command in done.stdout


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from burnqed.commands.cli import build_parser; build_parser(); "
        "print(sorted({'torch', 'pyarrow', 'transformers', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def row(step: int, parent: int, tactic: str, outcome: str, **changes: Any) -> dict[str, Any]:
    values = {
        "iteration": 0, "kind": "eval", "theorem": "and_swap", "attempt": 0, "step": step, "parent_step": parent,
        "depth": 0 if parent < 0 else 1, "state": "p q : Prop\n⊢ p ∧ q → q ∧ p", "goal": "g", "tactic": tactic,
        "outcome": outcome, "next_state": None, "message": "", "logprob": -0.5, "cumulative_logprob": -0.5,
        "energy": None, "on_proof_path": False, "remaining_steps": None, "expansion": 1 if parent < 0 else 2, "seed": 1,
    }  # fmt: skip
    return {**values, **changes}


@pytest.fixture
def searched(tmp_path: Path) -> Path:
    rows = [
        row(
            0, -1, "intro h", "ok", next_state="h : p ∧ q\n⊢ q ∧ p", energy=-1.25, on_proof_path=True, remaining_steps=2
        ),
        row(1, -1, "omega", "error", message="omega could not prove the goal"),
        row(2, -1, "simp", "error", message="simp made no progress"),
        row(3, -1, "constructor", "ok", next_state="⊢ a\n\n⊢ b"),
        row(4, 0, "exact ⟨h.2, h.1⟩", "proved", on_proof_path=True, logprob=None, remaining_steps=1),
    ]
    results = [
        TheoremResult("and_swap", 0, True, ["intro h", "exact ⟨h.2, h.1⟩"], 2, 5, 2, 2, "proved", "", 1, "eval"),
        TheoremResult("bad", 0, False, [], 0, 0, 0, 0, "start_failed", "unknown identifier 'x'", 1, "eval"),
    ]
    path = tmp_path / "llm.parquet"
    write_trajectories(path, [pa.Table.from_pylist(rows, schema=SCHEMA)], results)
    return path


def test_inspect_shows_the_tree(searched: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["inspect", str(searched), "--theorem", "and_swap"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "and_swap, eval, attempt 0: proved, 2 nodes expanded, 5 tactics, depth 2"
    assert lines[1] == "⊢ p ∧ q → q ∧ p"
    assert lines[2:] == [
        "  x 2 error, e.g. omega: omega could not prove the goal",
        "  * intro h  [logprob -0.50, energy -1.25]",
        "      ⊢ q ∧ p (expanded 2)",
        "      * exact ⟨h.2, h.1⟩  [probe]  proved",
        "  - constructor  [logprob -0.50]",
        "      (2 goals) ⊢ a (not expanded)",
    ]
    assert cli.main(["inspect", str(searched), "--theorem", "and_swap", "--all"]) == 0
    assert "x simp [error: simp made no progress]" in capsys.readouterr().out


def test_inspect_lists_and_finds_names(searched: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["inspect", str(searched), "--list"]) == 0
    out = capsys.readouterr().out
    assert "1 of 2 proved" in out
    assert "start_failed" in out
    assert cli.main(["inspect", str(searched), "--theorem", "and_swop"]) == 1
    assert "did you mean and_swap?" in capsys.readouterr().err
    assert cli.main(["inspect", str(searched), "--theorem", "bad"]) == 0
    assert "unknown identifier 'x'" in capsys.readouterr().out
    assert cli.main(["inspect", str(searched.with_name("none.parquet")), "--list"]) == 1
    assert "no such file" in capsys.readouterr().err


def test_inspect_survives_a_search_deeper_than_the_recursion_limit(tmp_path: Path) -> None:
    rows = [row(i, i - 1, f"t{i}", "ok", next_state=f"⊢ s{i}") for i in range(3000)]
    path = tmp_path / "deep.parquet"
    result = TheoremResult("and_swap", 0, False, [], 3000, 3000, 3000, 3000, "expansions", "", 1, "eval")
    write_trajectories(path, [pa.Table.from_pylist(rows, schema=SCHEMA)], [result])
    assert cli.main(["inspect", str(path), "--theorem", "and_swap"]) == 0


def test_compare_refuses_and_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def save(name: str, label: str, solved: bool, sha: str) -> str:
        theorem = {"name": "a", "proved": solved, "verified": solved, "nodes": 3}
        result = {"budget": 10, "solved": int(solved), "total": 1, "rate": float(solved)}
        value = {"label": label, "variant": "llm", "benchmark": {"name": "b", "sha256": sha}, "settings": {}}
        write_json(tmp_path / name, {**value, "results": [result], "per_theorem": [theorem]})
        return str(tmp_path / name)

    first, second, other = (
        save("0", "baseline", False, "s"),
        save("1", "iter_0", True, "s"),
        save("2", "iter_1", True, "t"),
    )
    assert cli.main(["compare", first, second]) == 0
    assert "newly solved: a" in capsys.readouterr().out
    assert cli.main(["compare", first, other]) == 1
    assert "not of the same benchmark" in capsys.readouterr().err
    assert cli.main(["compare", first, str(tmp_path / "none")]) == 1


def test_a_typed_statement_becomes_a_theorem() -> None:
    assert theorem_from_text("∀ p : Prop, p → p").name == DEFAULT_NAME
    theorem = theorem_from_text("open Nat\ntheorem t (p : Prop) (h : p) : p := by sorry", "import Mathlib")
    assert (theorem.name, theorem.statement) == ("t", "∀ (p : Prop) (h : p), p")
    assert theorem.header == "import Mathlib\n\nopen Nat"
    with pytest.raises(UserError, match=r"cannot be read: unclosed '\('"):
        theorem_from_text("(p → q")


def test_prove_without_a_model_says_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["prove", "1 = 1", "--results", str(tmp_path)]) == 1
    assert "no trained model" in capsys.readouterr().err
    assert cli.main(["prove", "1 = 1", "--model-dir", str(tmp_path)]) == 1
    assert "no config.json" in capsys.readouterr().err


def model(folder: Path) -> Path:
    write_json(folder / "model" / "config.json", {})
    return folder


def test_newest_iteration_counts_as_a_number(tmp_path: Path) -> None:
    assert newest_iteration(tmp_path) is None
    for number in (2, 9, 10):
        model(tmp_path / f"iter_{number}")
    (tmp_path / "iter_11" / "model").mkdir(parents=True)
    assert newest_iteration(tmp_path) == newest_iteration(tmp_path.parent) == tmp_path / "iter_10"


def test_prove_takes_the_settings_and_head_of_the_run(tmp_path: Path) -> None:
    folder = model(tmp_path / "iter_1")
    write_json(folder / "ebm" / "config.json", {})
    recorded = {
        "prover": {"kind": "lean"},
        "search": {"candidates": 5, "gone": 1},
        "quantization": "nf4",
        "evaluation": {"budgets": [7, 9]},
    }
    write_json(folder / "eval" / "llm.json.meta.json", {"settings": recorded})
    assert recorded_blocks(folder) == recorded
    with_head = {**recorded, "encoder": {"max_length": 99}}
    write_json(folder / "eval" / "llm_ebm.json.meta.json", {"settings": with_head})
    assert recorded_blocks(folder) == with_head, "a head needs the encoder settings it was made with"
    (folder / "eval" / "llm_ebm.json.meta.json").unlink()

    def stack(*options: str) -> tuple[Any, int]:
        args = cli.build_parser().parse_args(["prove", "1 = 1", "--results", str(tmp_path), *options])
        found, budget, _ = stack_from(args)
        return found, budget

    found, budget = stack("--time", "3.5", "--set", "search.candidates=6", "--set", "prover.tactic_timeout=2")
    assert (found.prover.kind, found.search.candidates, found.search.max_seconds, budget) == ("lean", 6, 3.5, 9)
    assert (found.model_dir, found.ebm, found.quantization) == (folder / "model", folder / "ebm", "nf4")
    found, budget = stack("--no-ebm", "--budget", "4", "--model-dir", str(folder / "model"))
    assert (found.ebm, budget, found.prover.kind, found.search.candidates) == (None, 4, "lean", 5)
    for options, message in [
        (("--budget", "0"), "at least 1 node"),
        (("--time", "0"), "positive"),
        (("--set", "search.candidates=x"), r"search\.candidates: .*got 'x'"),
        (("--set", "sarch.candidates=1"), "no block 'sarch'"),
        (("--set", "search.nothing=1"), r"search\.nothing"),
        (("--set", "nonsense"), r"BLOCK\.KEY=VALUE"),
        (("--config", "/nowhere.yaml"), "no such file"),
    ]:
        with pytest.raises(UserError, match=message):
            stack(*options)


def test_configuration_file_is_over_the_record(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text("search: {candidates: 3}\nhardware: gpu\nhardware_types: {gpu: {quantization: nf4}}\nseed: 1\n")
    blocks, quantization = load_blocks({"search": {"candidates": 2, "shards": 4}}, path, [])
    search = blocks["search"]
    assert isinstance(search, SearchSettings)
    assert (search.candidates, search.shards, quantization) == (3, 4, "nf4")
    assert isinstance(blocks["prover"], ProverSettings)
    path.write_text("a: [")
    with pytest.raises(UserError, match=r"c\.yaml: not readable as YAML"):
        load_blocks({}, path, [])


def test_doctor_findings(tmp_path: Path) -> None:
    assert check_packages(["pyarrow"]).status == "ok"
    missing = check_packages(["pyarrow", "no-such-package-here"])
    assert (missing.status, missing.text) == ("fail", "missing: no-such-package-here")
    assert check_disk(tmp_path / "not" / "yet").text.endswith(str(tmp_path))


def test_doctor_names_a_prover_that_does_not_start(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = [
        "--set",
        "prover.kind=pantograph",
        "--set",
        'prover.command=["/no/such/repl"]',
        "--set",
        "prover.sandbox=off",
        "--set",
        "prover.lean_path=/x",
    ]
    assert cli.main(["doctor", "--results", str(tmp_path), *options]) == 1
    out = capsys.readouterr().out
    assert "FAIL  prover" in out
    assert "/no/such/repl" in out


@pytest.mark.parametrize(
    ("outcomes", "status", "shown", "said"),
    [
        (
            [(False, False, []), (True, True, ["intro h", "simp", "rfl"]), (True, True, ["rfl"])],
            0,
            "1 = 1 := by\n  rfl\n",
            "re-checked",
        ),
        ([(True, False, ["rfl"]), (False, False, [])], 1, "", "the re-check refused it: axioms: sorryAx"),
        ([(False, False, []), (False, False, [])], 1, "", "no proof found in 2 searches (6 nodes expanded"),
    ],
)
def test_prove_prints_only_a_re_checked_proof(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    outcomes: list[tuple[bool, bool, list[str]]],
    status: int,
    shown: str,
    said: str,
) -> None:
    folder = model(tmp_path / "iter_0")
    write_json(folder / "eval" / "llm.json.meta.json", {"settings": {"prover": {"kind": "lean"}}})

    def search(stack: object, searches: Searches, output: Path) -> list[Checked]:
        assert searches.attempts == len(outcomes)
        return [
            Checked(
                TheoremResult(
                    searches.theorems[0].name, i, proved, proof, 3, 9, 3, 1, "proved" if proved else "exhausted", "", 1
                ),
                verified,
                "axioms: sorryAx" if proved and not verified else "",
            )
            for i, (proved, verified, proof) in enumerate(outcomes)
        ]

    async def accepts(*_: object) -> str:
        return ""

    monkeypatch.setattr("burnqed.commands.prove.search_and_check", search)
    monkeypatch.setattr("burnqed.commands.prove.refusal", accepts)
    options = ["--results", str(tmp_path), "--attempts", str(len(outcomes))]
    assert cli.main(["prove", "theorem t : 1 = 1", *options]) == status
    printed = capsys.readouterr()
    assert printed.out == (f"theorem t : {shown}" if shown else "")
    assert said in printed.err


@needs_lean
def test_prove_looks_at_the_statement_before_the_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = model(tmp_path / "iter_0")  # a model that cannot be loaded
    settings = {"settings": {"prover": {"kind": "lean", "imports": []}}}
    write_json(folder / "eval" / "llm.json.meta.json", settings)
    assert cli.main(["prove", "(1 : Nat) = 'a'", "--results", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert "does not accept the statement" in said and "Char" in said and "--header" in said
