"""Re-checking many proofs: faults of the prover, resuming, and the files that are written."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from burnqed.artifacts import UserError
from burnqed.config import ProverSettings, VerifySettings
from burnqed.data.theorems import Theorem, TheoremIndex, write_theorem_index
from burnqed.lean import recheck as recheck_module
from burnqed.lean.recheck import recheck
from burnqed.lean.verify import Verdict, verify_proofs
from burnqed.search.trajectories import TheoremResult, write_trajectories

FAKE = Path(__file__).with_name("lean_fake_repl.py")
VERIFY = VerifySettings.model_validate({"timeout": 1, "proofs_per_process": 3})


def prover(*options: str) -> ProverSettings:
    command = [sys.executable, str(FAKE), *options]
    return ProverSettings.model_validate({"kind": "pantograph", "command": command, "workers": 2, "sandbox": "off"})


def kinds(proofs: list[list[str]], *options: str) -> list[str]:
    items = [(Theorem(f"t{number}", "p"), proof) for number, proof in enumerate(proofs)]
    return [verdict.kind for verdict in asyncio.run(verify_proofs(items, prover(*options), VERIFY))]


def test_each_proof_gets_its_own_verdict() -> None:
    proofs = [["good"], ["wrong"], ["crash"], ["good", "better"], ["sorry"], ["good"], [], ["wrong"], ["good"]]
    assert kinds(proofs) == ["ok", "error", "crash", "ok", "banned", "ok", "banned", "error", "ok"]


def test_frontend_track_refuses_a_changed_statement() -> None:
    assert kinds([["retyped"], ["mistyped"], ["good"]]) == ["track", "track", "ok"]


def test_a_hang_costs_its_own_proof_only() -> None:
    assert kinds([["good"], ["hang"], ["good"]]) == ["ok", "timeout", "ok"]


def test_a_crash_in_a_used_process_is_tried_again_alone(tmp_path: Path) -> None:
    options = f"crash_once={tmp_path / 'mark'}"
    one = prover(options).model_copy(update={"workers": 1})
    items = [(Theorem("a", "p"), ["good"]), (Theorem("b", "p"), ["once"])]
    assert [v.kind for v in asyncio.run(verify_proofs(items, one, VERIFY))] == ["ok", "ok"]


def result(name: str, proof: list[str], kind: str = "main", proved: bool = True) -> TheoremResult:
    reason = "proved" if proved else "exhausted"
    return TheoremResult(name, 0, proved, proof, 1, 1, 1, len(proof), reason, "", 0, kind=kind)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    index = [Theorem("a", "p"), Theorem("b", "q"), Theorem("c", "r", header="open Nat")]
    write_theorem_index(tmp_path / "theorems.json", TheoremIndex({"kind": "test"}, index))
    results = [
        result("a", ["good"]), result("a", ["good"], "noisy"), result("b", ["wrong"]), result("b", ["good"], "noisy"),
        result("c", [], proved=False),
    ]  # fmt: skip
    write_trajectories(tmp_path / "steps.parquet", [], results)
    return tmp_path


def check(folder: Path) -> dict[str, Any]:
    return recheck(
        folder / "steps.parquet",
        folder / "theorems.json",
        2,
        prover(),
        VERIFY,
        folder / "proofs.jsonl",
        folder / "proofs.lean",
    )


def test_each_distinct_proof_is_checked_once_and_the_good_ones_written(run: Path) -> None:
    report = check(run)
    assert (report["checked"], report["accepted"], report["theorems_proved"]) == (3, 2, 2)
    assert report["refused"] == {"error": 1}
    assert report["further_checks"] == {"frontend.track": 2}
    assert report["examples"] == [{"theorem": "b", "proof": ["wrong"], "reason": "error: unsolved goals"}]
    rows = [json.loads(line) for line in (run / "proofs.jsonl").read_text().splitlines()]
    assert rows[0] == {
        "theorem": "a", "statement": "p", "header": "", "proof": ["good"], "source": "theorem a : p := by\n  good\n",
        "iteration": 2, "kind": "main", "attempt": 0, "axioms": ["propext"],
    }  # fmt: skip
    assert [(row["theorem"], row["kind"]) for row in rows] == [("a", "main"), ("b", "noisy")]
    assert (run / "proofs.lean").read_text().count("theorem ") == 2
    assert not (run / ".progress").exists()


def test_it_goes_on_from_saved_batches(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recheck_module, "BATCH", 1)
    checked: list[str] = []

    async def dies_at_b(items: Any, *rest: Any) -> list[Verdict]:
        checked.append(items[0][0].name)
        if items[0][0].name == "b":
            raise RuntimeError("killed here")
        return await verify_proofs(items, *rest)

    monkeypatch.setattr(recheck_module, "verify_proofs", dies_at_b)
    with pytest.raises(RuntimeError):
        check(run)
    assert not (run / "proofs.jsonl").exists()

    async def notes(items: Any, *rest: Any) -> list[Verdict]:
        checked.append(f"again {items[0][0].name} {items[0][1][0]}")
        return await verify_proofs(items, *rest)

    monkeypatch.setattr(recheck_module, "verify_proofs", notes)
    check(run)
    assert checked == ["a", "b", "again b wrong", "again b good"]
    resumed = (run / "proofs.jsonl").read_bytes(), (run / "proofs.lean").read_bytes()
    check(run)
    assert ((run / "proofs.jsonl").read_bytes(), (run / "proofs.lean").read_bytes()) == resumed


def test_a_theorem_that_is_not_in_the_index(run: Path) -> None:
    write_trajectories(run / "steps.parquet", [], [result("z", ["good"])])
    with pytest.raises(UserError, match="'z' is not in"):
        check(run)
