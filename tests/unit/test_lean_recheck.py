"""Re-checking many proofs: faults of the prover, resuming, and the files that are written."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from real_lean import PROVER, needs_lean, verdicts

from burnqed.config import VerifySettings
from burnqed.files import UserError
from burnqed.prover import recheck as recheck_module
from burnqed.prover.recheck import recheck
from burnqed.prover.toolchain import find_toolchain
from burnqed.prover.verdict import Verdict
from burnqed.prover.verify import verify_claims
from burnqed.records.theorems import Theorem, TheoremIndex, write_theorem_index
from burnqed.records.trajectories import TheoremResult, write_trajectories

pytestmark = needs_lean

VERIFY = VerifySettings.model_validate({"timeout": 20, "proofs_per_process": 3})
GOOD, BETTER, WRONG = ["intro p h", "exact h"], ["exact fun _ h => h"], ["rfl"]
SAYS = "∀ (p : Prop), p → p"


def kinds(proofs: list[list[str]], **values: Any) -> list[str]:
    return [v.kind for v in verdicts([(Theorem(f"t{n}", SAYS), proof) for n, proof in enumerate(proofs)], **values)]


def test_each_proof_gets_its_own_verdict() -> None:
    proofs = [GOOD, WRONG, BETTER, ["sorry"], GOOD, [], ["exact h"], GOOD]
    wanted = ["ok", "error", "ok", "banned", "ok", "banned", "error", "ok"]
    assert kinds(proofs) == wanted
    assert kinds(proofs, options=["-DElab.async=false"], proofs_per_process=8) == wanted


def test_two_proofs_of_one_theorem() -> None:
    theorem = Theorem("t", SAYS)
    assert [v.kind for v in verdicts([(theorem, GOOD), (theorem, WRONG), (theorem, BETTER)])] == ["ok", "error", "ok"]


def test_a_hang_costs_its_own_proof_only() -> None:
    slow = ["intro p h", "sleep 600000", "exact h"]
    prover = PROVER.model_copy(update={"ready_timeout": 8.0, "workers": 1})
    items = [(Theorem(f"t{n}", SAYS), proof) for n, proof in enumerate([GOOD, slow, GOOD])]
    assert [v.kind for v in verdicts(items, prover, timeout=2)] == ["ok", "timeout", "ok"]


@pytest.fixture
def other_toolchain(tmp_path: Path) -> Path:
    """A toolchain's folder that leads to the Lean in use."""
    lean = find_toolchain(PROVER, "")
    folder = tmp_path / "other"
    (folder / "bin").mkdir(parents=True)
    (folder / "lib" / "lean").mkdir(parents=True)
    shutil.copy(lean.library, folder / "lib" / "lean")
    for place in lean.search:
        for file in Path(place).rglob("*.olean"):
            copy = folder / "lib" / "lean" / file.relative_to(place)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, copy)
    program = folder / "bin" / "lean"
    words = [*lean.lean[:-1], f"{folder}/lib/lean/libleanshared.so"] if len(lean.lean) > 1 else [*lean.lean]
    program.write_text(f'#!/bin/sh\nexport LEAN_PATH={folder}/lib/lean\nexec {shlex.join(words)} "$@"\n')
    program.chmod(0o755)
    return folder


def test_the_recheck_may_use_a_toolchain_of_its_own(other_toolchain: Path) -> None:
    proofs = [GOOD, WRONG, ["sorry"], ["rename_i x\nexact x"]]
    prover = PROVER.model_copy(
        update={"sandbox": "off"}
    )  # the script stands for a program; what it starts is elsewhere
    items = [(Theorem(f"t{n}", SAYS), proof) for n, proof in enumerate(proofs)]
    found = [verdict.kind for verdict in verdicts(items, prover, toolchain=str(other_toolchain))]
    assert found == ["ok", "unported", "banned", "unported"]
    assert kinds(proofs) == ["ok", "error", "banned", "error"]


def test_the_kernel_of_another_version_is_not_called(other_toolchain: Path) -> None:
    program = other_toolchain / "bin" / "lean"
    program.write_text(
        program.read_text().replace("exec", 'case "$1" in --short-version) echo 4.36.0; exit;; esac\nexec')
    )
    prover = PROVER.model_copy(update={"sandbox": "off"})
    with pytest.raises(UserError, match=r"no kernel check with Lean 4\.36\.0: .*4\.35\.x; set verify\.toolchain"):
        verdicts([(Theorem("t", SAYS), GOOD)], prover, toolchain=str(other_toolchain))


def result(name: str, proof: list[str], kind: str = "main", proved: bool = True) -> TheoremResult:
    reason = "proved" if proved else "exhausted"
    return TheoremResult(name, 0, proved, proof, 1, 1, 1, len(proof), reason, "", 0, kind=kind)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    index = [Theorem("a", SAYS), Theorem("b", SAYS), Theorem("c", SAYS, header="open Nat")]
    write_theorem_index(tmp_path / "theorems.json", TheoremIndex({"kind": "test"}, index))
    results = [
        result("a", GOOD), result("a", GOOD, "noisy"), result("b", WRONG), result("b", GOOD, "noisy"),
        result("c", [], proved=False),
    ]  # fmt: skip
    write_trajectories(tmp_path / "steps.parquet", [], results)
    return tmp_path


def check(folder: Path) -> dict[str, Any]:
    return recheck(
        folder / "steps.parquet",
        folder / "theorems.json",
        2,
        PROVER,
        VERIFY,
        folder / "proofs.jsonl",
        folder / "proofs.lean",
    )


def test_each_distinct_proof_is_checked_once_and_the_good_ones_written(run: Path) -> None:
    report = check(run)
    assert (report["checked"], report["accepted"], report["theorems_proved"]) == (3, 2, 2)
    assert report["refused"] == {"error": 1}
    assert report["levels"] == {"kernel": 2}
    (example,) = report["examples"]
    assert (example["theorem"], example["proof"]) == ("b", WRONG) and example["reason"].startswith("error: ")
    rows = [json.loads(line) for line in (run / "proofs.jsonl").read_text().splitlines()]
    assert rows[0] == {
        "theorem": "a", "statement": SAYS, "header": "", "proof": GOOD, "iteration": 2, "kind": "main", "attempt": 0,
        "source": f"theorem a : {SAYS} := by\n  intro p h\n  exact h\n", "axioms": [], "level": "kernel",
    }  # fmt: skip
    assert [(row["theorem"], row["kind"]) for row in rows] == [("a", "main"), ("b", "noisy")]
    assert (run / "proofs.lean").read_text().count("theorem ") == 2
    assert not (run / ".progress").exists()


def test_it_goes_on_from_saved_batches(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recheck_module, "BATCH", 1)
    checked: list[str] = []

    async def dies_at_b(claims: Any, *rest: Any) -> list[Verdict]:
        checked.append(claims[0].name)
        if claims[0].name == "b":
            raise RuntimeError("killed here")
        return await verify_claims(claims, *rest)

    monkeypatch.setattr(recheck_module, "verify_claims", dies_at_b)
    with pytest.raises(RuntimeError):
        check(run)
    assert not (run / "proofs.jsonl").exists()

    async def notes(claims: Any, *rest: Any) -> list[Verdict]:
        checked.append(f"again {claims[0].name} {claims[0].proof.split(chr(10))[0].strip()}")
        return await verify_claims(claims, *rest)

    monkeypatch.setattr(recheck_module, "verify_claims", notes)
    check(run)
    assert checked == ["a", "b", "again b rfl", "again b intro p h"]
    resumed = (run / "proofs.jsonl").read_bytes(), (run / "proofs.lean").read_bytes()
    check(run)
    assert ((run / "proofs.jsonl").read_bytes(), (run / "proofs.lean").read_bytes()) == resumed


def test_a_theorem_that_is_not_in_the_index(run: Path) -> None:
    write_trajectories(run / "steps.parquet", [], [result("z", GOOD)])
    with pytest.raises(UserError, match="'z' is not in"):
        check(run)
