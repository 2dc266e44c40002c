"""Which theorems a round searches."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa

from burnqed.config import SearchSettings
from burnqed.files import write_jsonl
from burnqed.records.pairs import TacticPair, write_pairs
from burnqed.records.theorems import Theorem, TheoremIndex, read_theorem_index, write_theorem_index
from burnqed.records.trajectories import SCHEMA, TheoremResult, write_trajectories
from burnqed.search.rounds import choose_round, name_hash, select_theorems

THEOREMS = [Theorem(f"t{number}", "p → p") for number in range(40)]


def _result(name: str, expansions: int, depth: int = 1, attempt: int = 0) -> TheoremResult:
    return TheoremResult(name, attempt, False, [], expansions, 9, expansions, depth, "exhausted", "", 0)


def _names(settings: SearchSettings, paired: set[str], solved: set[str], earlier: list[TheoremResult]) -> set[str]:
    return {theorem.name for theorem in choose_round(THEOREMS, paired, solved, earlier, settings).theorems}


def test_solved_theorems_and_those_of_the_pairs_are_left_out() -> None:
    everything = {theorem.name for theorem in THEOREMS}
    assert _names(SearchSettings(), {"t1"}, {"t2"}, []) == everything - {"t1", "t2"}
    assert _names(SearchSettings(paired_theorems=True), {"t1"}, {"t2"}, []) == everything - {"t2"}


def test_the_places_of_a_round() -> None:
    earlier = [_result(f"t{number}", expansions=number) for number in range(20)]
    settings = SearchSettings(max_theorems=10, fresh_share=0.4)
    chosen = _names(settings, set(), {"t19"}, earlier)
    fresh = sorted((f"t{number}" for number in range(20, 40)), key=name_hash)
    assert chosen == {*fresh[:4], "t18", "t17", "t16", "t15", "t14", "t13"}
    # one side takes what the other leaves
    assert _names(settings, {f"t{n}" for n in range(21, 40)}, set(), earlier) == {
        "t20",
        *(f"t{n}" for n in range(11, 20)),
    }
    assert len(_names(settings, set(), {f"t{n}" for n in range(18)}, earlier)) == 10
    none_before = choose_round(THEOREMS, set(), set(), [], settings)
    assert none_before.counts == {"theorems": 40, "solved": 0, "paired": 0, "fresh": 10, "again": 0}
    assert [t.name for t in none_before.theorems] == [t.name for t in THEOREMS if t in none_before.theorems]


def test_the_nearest_of_several_searches_of_a_theorem_counts() -> None:
    earlier = [_result("t0", 2, attempt=0), _result("t0", 9, attempt=1), _result("t1", 5, 7), _result("t2", 5, 8)]
    settings = SearchSettings(max_theorems=2, fresh_share=0)
    assert _names(settings, set(), set(), earlier) == {"t0", "t2"}


def test_a_round_is_a_theorem_index(tmp_path: Path) -> None:
    write_theorem_index(tmp_path / "all.json", TheoremIndex({"name": "x"}, THEOREMS))
    write_pairs(tmp_path / "pairs.jsonl", [TacticPair("⊢ p", "simp", "t3", 0, "", 1)])
    empty = pa.table({name: [] for name in SCHEMA.names}, schema=SCHEMA)
    write_trajectories(tmp_path / "t.parquet", [empty], [_result("t0", 3), _result("t1", 2)])
    proof = {"theorem": "t1", "proof": ["simp"], "iteration": 0, "kind": "main", "attempt": 0}
    write_jsonl(tmp_path / "proofs.jsonl", [proof])
    counts = select_theorems(
        tmp_path / "all.json", tmp_path / "pairs.jsonl", [tmp_path / "t.parquet"], [tmp_path / "proofs.jsonl"],
        SearchSettings(), tmp_path / "round.json",
    )  # fmt: skip
    assert counts == {"theorems": 40, "solved": 1, "paired": 1, "fresh": 37, "again": 1}
    written = read_theorem_index(tmp_path / "round.json")
    assert {t.name for t in THEOREMS} - {t.name for t in written.theorems} == {"t1", "t3"}
    assert written.source["round"] == counts
    assert json.loads((tmp_path / "round.json").read_text())["source"]["name"] == "x"
