"""Published theorem sets: forms, splits, conflicts, damage."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from burnqed.data.contamination import act_on, check_contamination
from burnqed.data.published import read_published
from burnqed.data.rows import read_rows
from burnqed.data.sources import resolve
from burnqed.files import UserError
from burnqed.leantext.declarations import DECLARATION
from burnqed.records.theorems import Theorem, TheoremIndex, read_theorem_index, write_theorem_index

RECORDED = Path(__file__).resolve().parents[3] / "shared" / "data"
recorded = pytest.mark.skipif(not RECORDED.is_dir(), reason="recorded published data is not here")


def lines(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@recorded
@pytest.mark.parametrize(
    ("file", "split", "count"),
    [
        ("minif2f/minif2f_deepseek_prover_v1.5.jsonl", "test", 244),
        ("minif2f/minif2f_deepseek_prover_v1.5.jsonl", "validation", 244),
        ("minif2f/minif2f_deepseek_prover_v1.5_valid_few_shot.jsonl", "", 67),
        ("minif2f/minif2f_goedel_prover_v2_test.jsonl", "test", 244),
        ("minif2f/minif2f_internlm_lean4.7.0.jsonl", "test", 244),
        ("minif2f/v2/miniF2F_v2s.sample.jsonl", "", 21),
        ("minif2f/v2/miniF2F_v2c.sample.jsonl", "", 7),
        ("proofnet/proofnet_deepseek_prover_v1.5.jsonl", "test", 186),
        ("putnam/putnam_goedel_prover.head200.jsonl", "test", 200),
        ("leandojo/leandojo_random_test_100.json", "", 100),
        ("lean_errors/targets_100.jsonl", "", 100),
    ],
)
def test_recorded_files_load_whole(file: str, split: str, count: int) -> None:
    index = read_published(RECORDED / file, split)
    assert len(index) == count
    assert len({t.name for t in index.theorems}) == count
    for theorem in index.theorems:
        assert ":= by" not in theorem.statement
        assert not DECLARATION.search(theorem.statement)
        assert "sorry" not in theorem.statement
    assert len(index.source["sha256"]) == 64


@recorded
def test_answers_given_as_sorry_are_left_out_and_counted() -> None:
    index = read_published(RECORDED / "minif2f/v2/miniF2F_v2c.sample.jsonl")
    assert index.source["dropped"] == {"answer_placeholder": 2}


@recorded
def test_two_versions_of_minif2f_are_seen_as_one_set() -> None:
    first = read_published(RECORDED / "minif2f/minif2f_deepseek_prover_v1.5.jsonl", "test")
    second = read_published(RECORDED / "minif2f/minif2f_goedel_prover_v2_test.jsonl", "test")
    hits = check_contamination({t.name: t.statement for t in first.theorems}, {"goedel": second}).hits
    assert len(hits) == 244
    assert 0 < sum(hit.by == "name" for hit in hits) < 25  # restated problems


@recorded
def test_full_file_texts_give_their_own_imports_once() -> None:
    index = read_published(RECORDED / "minif2f/minif2f_goedel_prover_v2_test.jsonl", "test")
    assert all(t.header.count("import Mathlib") == 1 and "/--" not in t.header for t in index.theorems)


def test_name_keys_and_own_form(tmp_path: Path) -> None:
    rows = [
        {"full_name": "a", "statement": "theorem a (n : Nat) : n = n"},
        {
            "problem_id": "b",
            "formal_statement": "theorem other : p → p := by\n",
            "header": "import X\n/-- c -/\nopen Y\n",
        },
        {"formal_statement": "theorem c : q → q := by sorry"},
    ]
    index = read_published(lines(tmp_path / "x.jsonl", rows))
    assert [t.name for t in index.theorems] == ["a", "b", "c"]
    assert index.theorems[1].header.split() == ["import", "X", "open", "Y"]
    own = tmp_path / "own.json"
    write_theorem_index(own, index)
    assert read_published(own).theorems == index.theorems == read_theorem_index(own).theorems


def test_one_name_for_two_statements_keeps_both_and_says_so(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"name": "a", "statement": "1 = 1"},
        {"name": "a", "statement": "2 = 2"},
        {"name": "a", "statement": "1  =  1"},
    ]
    index = read_published(lines(tmp_path / "x.jsonl", rows))
    assert [(t.name, t.statement) for t in index.theorems] == [("a", "1 = 1"), ("a_2", "2 = 2")]
    assert index.source["renamed"] == ["a_2"]
    assert index.source["dropped"] == {"duplicate": 1}


def test_unknown_split_names_those_there_are(tmp_path: Path) -> None:
    path = lines(tmp_path / "x.jsonl", [{"name": "a", "statement": "p", "split": "valid"}])
    with pytest.raises(UserError, match=r"x\.jsonl: no entry of split 'test'; it has valid \(1\)"):
        read_published(path, "test")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"name": "a", "statement": "p"}\n{"name": "b", "sta', r"x\.jsonl:2: "),
        (b'{"name": "a", "statement": "p"}\n{"name": "\xff"}\n', r"x\.jsonl:2: not UTF-8"),
        (b'{"name": "a", "statement": "theorem a (p : q"}\n', r"x\.jsonl:1: .*'a' cannot be read"),
        (b'[{"name": "a"}, 3]', r"x\.jsonl\[1\]: not a JSON object"),
        (b'[{"name": "a"},\n\n{"name": }]', r"x\.jsonl:3: not readable as JSON"),
        (b'[{"name": "a"}\n{"name": "b"}]', r"x\.jsonl:2: not readable as JSON"),
        (b'[{"name": "a"},', r"x\.jsonl: the list does not end \(after 1 entry\)"),
        (b'[{"name": "a"},]', r"x\.jsonl:1: not readable as JSON"),
        (b'[{"name": "a"}\n, {"name": "\xff"}]', r"x\.jsonl:2: not UTF-8"),
        (b'[{"name": "a"}] x', r"x\.jsonl:1: text after the list"),
        (b"", r"x\.jsonl: no theorem"),
    ],
)
def test_damage_names_file_and_line(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    with pytest.raises(UserError, match=message):
        read_published(path)


@pytest.mark.parametrize("chunk", [1, 2, 7, 1 << 20])
def test_lists_are_read_alike_in_pieces_of_any_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    monkeypatch.setattr("burnqed.data.rows.CHUNK", chunk)
    rows = [{"name": f"n{i}", "statement": f"𝕜 = {i} ∧ p" * (i % 3 + 1)} for i in range(9)]
    path = tmp_path / "x.json"
    path.write_text(json.dumps(rows, ensure_ascii=False, indent=1), encoding="utf-8")
    assert [row for _, row in read_rows(path)] == rows
    path.write_text(" [ ]\n")
    assert list(read_rows(path)) == []


def test_truncated_gzip_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl.gz"
    whole = gzip.compress(b'{"name": "a", "statement": "p"}\n' * 50)
    path.write_bytes(whole)
    assert len(read_published(path)) == 1
    path.write_bytes(whole[:-12])
    with pytest.raises(UserError, match=r"x\.jsonl\.gz"):
        read_published(path)


def test_missing_files_and_misspelt_addresses() -> None:
    with pytest.raises(UserError, match="no such file"):
        resolve("/nowhere/x.jsonl")
    with pytest.raises(UserError, match="hf://owner/repository/file"):
        resolve("hf://owner/x.json")


def test_no_network_is_one_clear_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(UserError, match=r"hf://owner/data@abc/x\.json: cannot be downloaded and is not in the cache"):
        resolve("hf://owner/data@abc/x.json")


def index_of(**statements: str) -> TheoremIndex:
    return TheoremIndex({}, [Theorem(name, statement) for name, statement in statements.items()])


def test_contamination_by_statement_and_by_name() -> None:
    heldout = {"bench": index_of(a="∀ (p : Prop), p → p", b="1 = 1", c="2 = 2")}
    result = check_contamination({"x": "∀ {q : Prop}, q → q", "b": "3 = 3", "y": ""}, heldout)
    assert [(h.theorem, h.training_theorem, h.by) for h in result.hits] == [
        ("a", "x", "statement"),
        ("b", "b", "name"),
    ]
    assert result.without_statement == 1
    like = check_contamination(
        {"x": "∀ (a : Nat) (b : Nat), a + 7 = b + 1"}, {"bench": index_of(d="∀ (n m : Nat), n + 2 = m + 3")}
    )
    assert (like.hits, [(h.theorem, h.by) for h in like.likenesses]) == ([], [("d", "skeleton")])
    assert like.row()["benchmarks"] == {
        "bench": {"theorems": 1, "statement": 0, "name": 0, "skeleton": 1}
        | {"statement_share": 0.0, "name_share": 0.0, "skeleton_share": 1.0}
    }
    act_on(like, "fail", "data")
    with pytest.raises(UserError, match="2 of 3 held-out theorems"):
        act_on(result, "fail", "data")
    act_on(result, "warn", "data")
    act_on(check_contamination({"y": "4 = 4"}, heldout), "fail", "data")


@pytest.mark.parametrize(
    "text",
    [
        '{"theorems": 3}',
        '{"theorems": [{"name": "a"}]}',
        '{"theorems": [{"name": "a", "statement": "p"}, {"name": "a", "statement": "q"}]}',
    ],
)
def test_wrong_indexes_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "i.json"
    path.write_text(text)
    with pytest.raises(UserError, match=r"i\.json"):
        read_theorem_index(path)
