"""Tactic pairs: extraction, filters, split, report."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from burnqed.config import BenchmarkSettings, DataSettings
from burnqed.data.build import build_benchmark, build_search_pool, build_tactic_pairs
from burnqed.data.contamination import check_contamination
from burnqed.data.corpus.generate import generate
from burnqed.data.extraction import ProofTrace, read_traces
from burnqed.data.filters import filter_traces, limit_pairs, split_pairs
from burnqed.data.report import quantiles, tactic_head
from burnqed.files import UserError, write_jsonl
from burnqed.records.pairs import TacticPair, read_pairs, write_pairs
from burnqed.records.theorems import Theorem, TheoremIndex, write_theorem_index

RECORDED = Path(__file__).resolve().parents[3] / "shared" / "data"


def pair(state: str = "⊢ p", tactic: str = "simp", theorem: str = "t", goals: int = 1) -> TacticPair:
    return TacticPair(state, tactic, theorem, 0, "test", goals)


def trace(*pairs: TacticPair, name: str = "t") -> ProofTrace:
    return ProofTrace(name, "p", pairs)


def dojo(name: str, *tactics: tuple[str, str, str]) -> dict[str, object]:
    keys = ("tactic", "state_before", "state_after")
    return {
        "full_name": name,
        "file_path": "F.lean",
        "traced_tactics": [dict(zip(keys, t, strict=True)) for t in tactics],
    }


def test_pairs_round_trip(tmp_path: Path) -> None:
    pairs = [pair("h : p\n⊢ q", "exact h"), pair("⊢ α ∧ β\n\n⊢ γ", "constructor", goals=2)]
    pairs.append(replace(pairs[0], dropped_after=2))
    write_pairs(tmp_path / "p.jsonl", pairs)
    assert read_pairs(tmp_path / "p.jsonl") == pairs
    assert (tmp_path / "p.jsonl").read_text().count("dropped_after") == 1
    (tmp_path / "bad.jsonl").write_text('{"state": "x"}\n')
    with pytest.raises(UserError, match=r"bad\.jsonl: pair 1"):
        read_pairs(tmp_path / "bad.jsonl")


def test_each_filter_counts_what_it_drops() -> None:
    result = filter_traces(
        [
            trace(pair(), pair(), pair(tactic=" "), pair(state="⊢ " + "x" * 50), pair(state="no goals", goals=0)),
            trace(pair("⊢ q", "intro x"), pair("⊢ q", "exact sorry", "cheat"), name="cheat"),
            trace(name="empty"),
        ],
        20,
    )
    assert result.pairs == [replace(pair(), dropped_after=2)]  # the duplicate and the long state
    assert dict(result.dropped_pairs) == {"duplicate": 1, "empty_tactic": 1, "long_state": 1, "no_goal": 1, "sorry": 2}
    assert dict(result.dropped_theorems) == {"sorry": 1, "no_tactics": 1}
    assert result.pairs_seen == len(result.pairs) + sum(result.dropped_pairs.values())


def test_a_name_that_contains_sorry_is_not_a_cheat() -> None:
    assert len(filter_traces([trace(pair(tactic="exact not_sorry_at_all h"))], 100).pairs) == 1


def test_split_keeps_theorems_together_and_depends_on_names_alone() -> None:
    pairs = [pair(f"⊢ {i}", theorem=f"t{i // 3}") for i in range(900)]
    train, val = split_pairs(pairs, 0.2, 0)
    assert not {p.theorem for p in train} & {p.theorem for p in val}
    assert 0.1 < len(val) / len(pairs) < 0.3
    assert set(split_pairs(pairs[::-1], 0.2, 0)[1]) == set(val)
    assert set(split_pairs(pairs, 0.2, 1)[1]) != set(val)


def test_limit_takes_whole_theorems() -> None:
    pairs = [pair(f"⊢ {i}", theorem=f"t{i // 4}") for i in range(40)]
    kept = limit_pairs(pairs, 13, 0)
    assert len(kept) == 12
    assert all(sum(p.theorem == name for p in kept) == 4 for name in {p.theorem for p in kept})
    assert limit_pairs(pairs, 0, 0) == pairs


def test_depth_follows_states_not_the_list(tmp_path: Path) -> None:
    path = tmp_path / "d.json"
    row = dojo(
        "A.t",
        ("constructor", "⊢ p ∧ q", "case left\n⊢ p\n\ncase right\n⊢ q"),
        ("simp", "case left\n⊢ p", "no goals"),
        ("norm_num", "⊢ q", "⊢ q'"),
        ("rfl", "⊢ q'", "no goals"),
    )
    path.write_text(json.dumps([row, dojo("A.u")]))
    first, second = read_traces(path, "d")
    assert [p.depth for p in first.pairs] == [0, 1, 1, 2]
    assert [p.num_goals for p in first.pairs] == [1, 1, 1, 1]
    assert first.statement == "p ∧ q"
    assert second.pairs == ()


@pytest.mark.skipif(not RECORDED.is_dir(), reason="recorded published data is not here")
def test_recorded_traces_load_whole() -> None:
    traces = list(read_traces(RECORDED / "leandojo/leandojo_random_test_100.json", "x"))
    assert (len(traces), sum(len(t.pairs) for t in traces)) == (100, 469)
    assert sum(p.num_goals > 1 for t in traces for p in t.pairs) == 8
    sample = list(read_traces(RECORDED / "leandojo/leandojo_benchmark_4_random_val.sample.json", "x"))
    assert [bool(t.pairs) for t in sample].count(False) == 2
    ntp = list(read_traces(RECORDED / "tactic_pairs/ntp_training_data_example0.jsonl", "x"))
    assert [(t.pairs[0].tactic.split()[0], t.pairs[0].depth) for t in ntp] == [("rw", 0), ("exact", 1)]


def test_quantiles_and_heads() -> None:
    assert quantiles([]) == {}
    assert quantiles(list(range(101)))["p95"] == 95
    assert [tactic_head(t) for t in ("simp_all [h]", "  rw [a]", "· simp", "exact?", "")] == [
        "simp_all",
        "rw",
        "·",
        "exact?",
        "",
    ]


@pytest.fixture
def published(tmp_path: Path) -> tuple[DataSettings, Path]:
    rows = [
        dojo(f"T.t{i}", ("intro h", f"⊢ p{i} → q", f"h : p{i}\n⊢ q"), ("simp", f"h : p{i}\n⊢ q", "no goals"))
        for i in range(60)
    ]
    path = tmp_path / "dojo.json"
    path.write_text(json.dumps(rows))
    return DataSettings(theorem_files=[str(path)], pair_files=[str(path)], val_fraction=0.2, trivial_share=1), tmp_path


def build(settings: DataSettings, folder: Path, heldout: TheoremIndex) -> dict[str, object]:
    write_theorem_index(folder / "bench.json", heldout)
    build_search_pool(settings, None, folder / "theorems.json")
    return dict(
        build_tactic_pairs(
            settings, None, folder / "theorems.json", [folder / "bench.json"], 0,
            folder / "train.jsonl", folder / "val.jsonl", folder / "report.json",
        )
    )  # fmt: skip


def test_published_files_become_pairs_and_a_report(published: tuple[DataSettings, Path]) -> None:
    settings, folder = published
    report = build(settings, folder, TheoremIndex({}, [Theorem("other", "1 = 1")]))
    train, val = read_pairs(folder / "train.jsonl"), read_pairs(folder / "val.jsonl")
    assert len(train) + len(val) == 120
    assert report["search_theorems"] == 60
    assert json.loads((folder / "report.json").read_text())["tactic_heads"] == {"intro": 60, "simp": 60}


def test_a_contaminated_source_ends_the_job_before_anything_is_written(published: tuple[DataSettings, Path]) -> None:
    settings, folder = published
    heldout = TheoremIndex({}, [Theorem("held", "p7 → q")])
    with pytest.raises(UserError, match=r"held = T\.t7 \(same statement, bench\)"):
        build(settings, folder, heldout)
    assert not (folder / "train.jsonl").exists()
    report = build(settings.model_copy(update={"contamination": "warn"}), folder, heldout)
    assert len(report["contamination"]["hits"]) == 1  # type: ignore[index]


def test_a_changed_benchmark_file_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "b.jsonl"
    path.write_text('{"name": "a", "statement": "p → p"}\n')
    index = build_benchmark("mine", BenchmarkSettings(source=str(path)), None, tmp_path / "o.json")
    again = BenchmarkSettings(source=str(path), sha256=index.source["sha256"])
    assert build_benchmark("mine", again, None, tmp_path / "o.json").theorems == index.theorems
    path.write_text('{"name": "a", "statement": "p → q"}\n')
    with pytest.raises(UserError, match=r"benchmarks\.mine\.sha256"):
        build_benchmark("mine", again, None, tmp_path / "o.json")


def test_generated_benchmark_and_pool_share_no_theorem(tmp_path: Path) -> None:
    rows = [
        {
            "name": f"n{i}",
            "statement": f"{i} = {i}",
            "proof": ["rfl"],
            "states": [f"⊢ {i} = {i}"],
            "family": "f",
            "level": 1,
            "split": split,
        }
        for i, split in enumerate(["train", "search", "benchmark"])
    ]
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("".join(json.dumps(row) + "\n" for row in rows))
    pool = build_search_pool(DataSettings(source="corpus"), corpus, tmp_path / "t.json")
    bench = build_benchmark("b", BenchmarkSettings(source="corpus:benchmark"), corpus, tmp_path / "b.json")
    assert [t.name for t in pool.theorems] == ["n0", "n1"]
    assert [(t.name, t.family, t.level) for t in bench.theorems] == [("n2", "f", 1)]
    with pytest.raises(UserError, match="needs --corpus"):
        build_benchmark("b", BenchmarkSettings(source="corpus:benchmark"), None, tmp_path / "b.json")


@pytest.mark.parametrize("seed", [0, 1])
def test_a_generated_corpus_is_not_contaminated(tmp_path: Path, seed: int) -> None:
    corpus = tmp_path / "corpus.jsonl"
    settings = DataSettings(source="corpus", corpus_size=1000)
    write_jsonl(corpus, ({**vars(theorem), "states": theorem.proof} for theorem in generate(seed, 1000)))
    pool = build_search_pool(settings, corpus, tmp_path / "t.json")
    heldout = {
        name: build_benchmark(name, BenchmarkSettings(source=f"corpus:{name}"), corpus, tmp_path / f"{name}.json")
        for name in ("benchmark", "classical")
    }
    assert len(heldout["benchmark"]) >= 100
    found = check_contamination({t.name: t.statement for t in pool.theorems}, heldout)
    assert (found.hits, found.likenesses) == ([], [])
