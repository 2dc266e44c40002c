"""Figures and table of the data stage, from a report that the build makes."""

from __future__ import annotations

import csv
from pathlib import Path

from burnqed.data.contamination import Contamination
from burnqed.data.extraction import ProofTrace
from burnqed.data.filters import PairFilter, filter_traces
from burnqed.data.report import data_report
from burnqed.files import write_json
from burnqed.records.pairs import TacticPair
from burnqed.report.catalogue import DATA_FIGURES, draw_data


def test_figures_and_table_tell_what_the_report_holds(tmp_path: Path) -> None:
    pairs = [
        TacticPair(f"⊢ p{i}", "simp" if i % 2 else f"exact h{i}", f"t{i // 40}", i % 40, "s", 1) for i in range(80)
    ]
    pairs += [TacticPair("⊢ " + "x" * 99, "rfl", "t9", 0, "s", 1)]
    filtered = filter_traces([ProofTrace(p.theorem, "", (p,)) for p in pairs], PairFilter(50))
    report = data_report(filtered, filtered.pairs[:60], filtered.pairs[60:], Contamination(), [], 7)
    write_json(tmp_path / "report.json", report)
    draw_data(tmp_path / "report.json", tmp_path / "figures", tmp_path / "tables/data.md")
    first = {path.name: path.read_bytes() for path in (tmp_path / "figures").iterdir()}
    assert set(first) == {f"{name}.{kind}" for name in DATA_FIGURES for kind in ("svg", "png", "csv")}
    draw_data(tmp_path / "report.json", tmp_path / "figures", tmp_path / "tables/data.md")
    assert {path.name: path.read_bytes() for path in (tmp_path / "figures").iterdir()} == first

    def rows(name: str) -> list[list[str]]:
        return list(csv.reader((tmp_path / name).open()))[1:]

    assert rows("figures/data_drops.csv") == [["pair: long_state", "1"]]
    assert rows("figures/data_tactics.csv") == [["exact", "40"], ["simp", "40"]]
    assert rows("figures/data_sizes.csv") == [["source s", "80"], ["training", "60"], ["validation", "20"]]
    assert rows("figures/data_depth.csv")[-2:] == [["30", "2"], ["> 30", "18"]]
    assert ["pairs", "60", "20"] in rows("tables/data.csv")
