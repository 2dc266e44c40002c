"""Searches over real worker processes that crash, hang, refuse and are replaced."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from real_lean import needs_lean, verdicts
from search_toys import ToyPolicy, ToyStack

from burnqed.config import ProverSettings, SearchSettings
from burnqed.records.theorems import Theorem
from burnqed.records.trajectories import read_steps
from burnqed.search.plan import Searches
from burnqed.search.run import run_search

FAKE = Path(__file__).with_name("lean_fake_repl.py")
TACTICS = ["push a", "push b", "push a", "push c", "pop", "fail", "interrupt", "crash", "rubbish", "sorry"]
THEOREMS = [*(Theorem(f"t{n}", f"goal_{n}") for n in range(6)), Theorem("refused", "bad"), Theorem("fatal", "deadly")]


class NoPop(ToyPolicy):
    """Closes goals rarely, so that searches last a while."""

    def propose(self, state: str, n: int, temperature: float, seed: int) -> list:  # type: ignore[type-arg]
        found = super().propose(state, n, temperature, seed)
        return found if seed % 2 == 0 else [item for item in found if item.tactic != "pop"]


@pytest.mark.slow
def test_results_do_not_depend_on_workers_and_their_lives(tmp_path: Path) -> None:
    files = []
    for workers, recycle in ((1, 1000), (3, 9)):
        output = tmp_path / f"{workers}.parquet"
        prover = ProverSettings(
            kind="pantograph",
            command=[sys.executable, str(FAKE)],
            sandbox="off",
            workers=workers,
            recycle_requests=recycle,
            tactic_timeout=100,
        )
        search = SearchSettings(expansions=6, candidates=5, concurrency=4, batch_expansions=2)
        stack = ToyStack(generator=NoPop(tactics=TACTICS), search=search, prover=prover)
        results = run_search(stack, Searches(THEOREMS, "main", 0, 1), output)
        reasons = {r.theorem: r.stop_reason for r in results}
        assert reasons.pop("refused") == reasons.pop("fatal") == "start_failed"
        assert set(reasons.values()) == {"proved", "expansions"}
        outcomes = set(read_steps(output, ["outcome"]).column(0).to_pylist())
        assert outcomes == {"ok", "proved", "error", "timeout", "duplicate", "crash"}
        files.append(output.read_bytes())
    assert files[0] == files[1]


class Lean(ToyPolicy):
    """Proposes the same core tactics everywhere, in an order that the seed draws."""

    TACTICS = ("intro h", "intro p q", "constructor", "exact h.2", "exact h.1", "omega", "cases h", "left", "exact h")

    def __init__(self) -> None:
        super().__init__(tactics=self.TACTICS)


@needs_lean
def test_proofs_in_real_lean(tmp_path: Path) -> None:
    theorems = [
        Theorem("swap", "∀ (p q : Prop), p ∧ q → q ∧ p"),
        Theorem("false", "∀ (p q : Prop), p ∨ q → p ∧ q"),
        Theorem("nonsense", "∀ (p : Prop), p →"),
    ]
    files = []
    for workers in (1, 2):
        output = tmp_path / f"{workers}.parquet"
        prover = ProverSettings(kind="lean", imports=[], workers=workers, ready_timeout=300, tactic_timeout=300)
        search = SearchSettings(expansions=30, candidates=16, max_depth=8, batch_expansions=2)
        stack = ToyStack(generator=Lean(), search=search, prover=prover)
        results = run_search(stack, Searches(theorems, "main", 0, 0), output)
        by_name = {result.theorem: result for result in results}
        assert by_name["swap"].proved and verdicts([(theorems[0], by_name["swap"].proof)])[0].ok
        assert not by_name["false"].proved
        assert by_name["false"].tactics > 20
        assert by_name["nonsense"].stop_reason == "start_failed"
        files.append(output.read_bytes())
    assert files[0] == files[1]
