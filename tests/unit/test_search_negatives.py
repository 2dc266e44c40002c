"""Kind negatives: other tactics along known proofs."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import get_args

import pytest
from search_toys import TACTICS, ToyPolicy, ToyPool, ToySession, ToyValue
from test_search_run import SETTINGS, THEOREMS, run

from burnqed.config.search import Priority
from burnqed.records.theorems import Theorem
from burnqed.records.trajectories import merge_trajectories, read_results, read_steps
from burnqed.search.engine import SearchRecord
from burnqed.search.negatives import PathSearch, known_proofs
from burnqed.search.plan import SearchPlan


def walk(
    start: int, path: list[str], tactics: list[str], value: ToyValue | None = None, **more: object
) -> tuple[SearchRecord, ToySession]:
    """Go along a proof for a number, with a policy that knows some tactics."""
    settings = SETTINGS.model_copy(update={"negative_probes": ["add 1", "nonsense"], **more})
    plan = SearchPlan.from_settings(settings, kind="negatives", iteration=0, seed=0, with_head=value is not None)

    async def play() -> tuple[SearchRecord, ToySession]:
        pool = ToyPool()
        session = await pool.open(Theorem("t", str(start)))
        search = PathSearch(Theorem("t", str(start)), 0, session, ToyPolicy(tactics=tactics), value, plan, path)
        return await search.run(), session

    return asyncio.run(play())


def test_a_walk_labels_the_path_and_tries_siblings() -> None:
    record, session = walk(9, ["sub 3", "half", "sub 1", "sub 2"], ["swap", "sub 1", "noop"], ToyValue())
    result, columns = record.result, record.columns
    assert (result.proved, result.stop_reason, result.nodes, result.kind) == (True, "proved", 4, "negatives")
    assert result.proof == ["sub 3", "half", "sub 1", "sub 2"]
    rows = list(zip(*(columns[n] for n in ("state", "tactic", "outcome", "on_proof_path", "energy")), strict=True))
    assert [row[:2] for row in rows if row[3]] == list(zip(["⊢ 9", "⊢ 6", "⊢ 3", "⊢ 2"], result.proof, strict=True))
    for state in ("⊢ 9", "⊢ 6", "⊢ 3"):
        assert (state, "add 1") in {row[:2] for row in rows if row[2] in ("ok", "duplicate") and not row[3]}
        assert (state, "nonsense", "error") in {row[:3] for row in rows}
    assert all(row[4] is None for row in rows)  # nothing is ranked, so nothing is scored
    assert [c for c in columns["remaining_steps"] if c] == [4, 3, 2, 1]
    assert len({(row[0], row[1]) for row in rows}) == len(rows) == len(session.tried)
    assert set(session.states) == {0}  # nothing is left in the prover but the root


def test_another_way_to_close_a_goal_is_no_negative() -> None:
    record, _ = walk(3, ["sub 1", "sub 2"], ["sub 3"])
    assert record.result.proof == ["sub 1", "sub 2"]
    rows = set(zip(*(record.columns[name] for name in ("state", "tactic", "outcome")), strict=True))
    assert {("⊢ 3", "sub 3", "proved"), ("⊢ 2", "sub 2", "proved")} <= rows


def test_a_state_reached_before_the_path_gets_there() -> None:
    # from 6, `half` (a sibling) leads to 3 at once; the path gets there by two steps
    record, session = walk(6, ["sub 1", "sub 2", "sub 3"], ["half"])
    assert record.result.proved
    assert record.result.proof == ["half", "sub 3"]  # read along the first edges, as in a search
    assert set(session.states) == {0}


@pytest.mark.parametrize("priority", get_args(Priority))
def test_whatever_orders_the_search_a_walk_needs_no_energies(priority: Priority) -> None:
    """States beside the path are reached again, and by likelier tactics, but none is ranked."""
    for start in range(6, 24):
        record, _ = walk(start, ["sub 1"] * start, TACTICS[:7], ToyValue(), priority=priority)
        assert record.result.proved and "duplicate" in record.columns["outcome"]


@pytest.mark.parametrize("path", [["sub 3", "boom", "sub 1"], ["sub 3"], ["sub 1", "add 1", "sub 3"]])
def test_a_proof_that_does_not_play_again(path: list[str]) -> None:
    record, session = walk(5, path, ["sub 1"])
    assert (record.result.proved, record.result.stop_reason) == (False, "replay_failed")
    assert record.result.message
    assert not any(record.columns["on_proof_path"])
    assert set(session.states) <= {0, 1, 2, 3, 4, 5, 6, 7, 8}


def test_a_job_goes_along_the_proofs_of_another(tmp_path: Path) -> None:
    main, output, merged = (tmp_path / f"{name}.parquet" for name in ("main", "negatives", "merged"))
    run(main, attempts=2)
    proofs = known_proofs(main, THEOREMS)
    proved = {(r.theorem, r.attempt) for r in read_results(main) if r.proved}
    assert set(proofs) == proved and len(proved) > 3
    results = run(output, kind="negatives", proofs=proofs)
    assert {(r.theorem, r.attempt) for r in results if r.proved} == proved
    assert not {r.theorem for r in results} - {name for name, _ in proved}
    again = tmp_path / "again.parquet"
    run(again, kind="negatives", proofs=proofs, timing=7, concurrency=1)
    assert again.read_bytes() == output.read_bytes()
    both = merge_trajectories([main, output], merged)
    assert len(both) == len(read_results(main)) + len(results)
    path = read_steps(output).filter(read_steps(output)["on_proof_path"])
    assert 0 < path.num_rows < read_steps(output).num_rows
    with pytest.raises(ValueError, match="proofs are for kind negatives"):
        run(output, kind="negatives")
