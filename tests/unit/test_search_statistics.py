"""Figures of a search job."""

from __future__ import annotations

import pyarrow as pa
import pytest

from burnqed.records.trajectories import SCHEMA, TheoremResult
from burnqed.search.statistics import SearchStatistics, error_kind


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("<Pantograph>:1:8: unexpected numeral; expected '_' or identifier", "parse"),
        ("<anonymous>:1:0: unknown tactic", "parse"),
        ("Unknown identifier `h7`", "unknown name"),
        ("unknown constant 'Nat.foo'", "unknown name"),
        ("Invalid field `comm`: The environment does not contain `Function.comm`", "unknown name"),
        ("Type mismatch\n  h\nhas type\n  p : Prop\nbut is expected to have type\n  q : Prop", "type mismatch"),
        ("Function expected at\n  h1", "type mismatch"),
        ("failed to synthesize\n  Decidable p", "synthesis"),
        ("Tactic `rewrite` failed: Did not find an occurrence of the pattern", "rewrite"),
        ("linarith failed to find a contradiction", "arithmetic"),
        ("unsolved goals\n⊢ p", "unsolved goals"),
        ("simp made no progress", "no progress"),
        ("Tactic `apply` failed: could not unify", "unification"),
        ("Tactic `left` failed: target is not an inductive datatype", "tactic does not apply"),
        ("", "other"),
    ],
)
def test_error_kinds(message: str, kind: str) -> None:
    assert error_kind(message) == kind


def table(rows: list[tuple[int, str, str, float | None]]) -> pa.Table:
    """Rows of (expansion, outcome, message, logprob); everything else is empty."""
    columns = {f.name: [{"string": "", "bool": False}.get(str(f.type), 0)] * len(rows) for f in SCHEMA}
    for name, values in zip(("expansion", "outcome", "message", "logprob"), zip(*rows, strict=True), strict=True):
        columns[name] = list(values)
    return pa.table(columns, schema=SCHEMA)


def test_figures_are_those_of_the_rows() -> None:
    statistics = SearchStatistics()
    times: dict[str, object] = {"seconds": 10.0, "policy_seconds": 6.0, "lean_seconds": 2.0, "value_seconds": 1.0}
    times["elapsed_ms"] = [500.0, 1000.0]
    proved = TheoremResult("a", 0, True, ["x", "y"], 2, 4, 2, 2, "proved", "", 1)
    rows = [(1, "ok", "", -1.0), (1, "error", "unknown tactic", -2.0), (1, "ok", "", None), (2, "proved", "", -1.0)]
    statistics.add(table(rows), proved, times)
    failed = TheoremResult("b", 0, False, [], 3, 1, 3, 1, "exhausted", "", 1)
    statistics.add(table([(2, "duplicate", "", -1.0)]), failed, times)
    summary = statistics.summary()
    assert (summary["searches"], summary["proved"], summary["expansions"], summary["tactics"]) == (2, 1, 5, 5)
    assert summary["unique_candidates_per_expansion"] == {"min": 0, "mean": 0.8, "max": 2}
    assert summary["outcomes"] == {"ok": 2, "duplicate": 1, "error": 1, "proved": 1}
    assert summary["error_kinds"] == {"parse": 1}
    assert summary["nodes_to_proof"] == {"mean": 2.0, "median": 2, "p90": 2, "max": 2}
    assert summary["tactic_seconds"] == 3.0
    assert summary["time_split"] == {"policy": 0.6, "lean": 0.2, "value": 0.1, "engine": 0.1}


def test_a_job_without_theorems_has_figures() -> None:
    assert SearchStatistics().summary()["tactics"] == 0
