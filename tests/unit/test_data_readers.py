"""Readers of published sets: recognised by content, nothing lost without being counted."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from burnqed.config import AmbiguousName, BenchmarkSettings, SourceSettings, find_source, published_sources
from burnqed.data.build import build_benchmark
from burnqed.data.claims import read_claims
from burnqed.data.published import read_published
from burnqed.files import UserError
from burnqed.leantext.files import read_file
from burnqed.leantext.outline import strip_comments
from burnqed.prover.starting import declaration
from burnqed.records.attempts import read_attempts, write_attempts
from burnqed.records.damage import Damage
from burnqed.records.theorems import Theorem, TheoremIndex

RECORDED = Path(__file__).resolve().parents[3] / "shared" / "data"
recorded = pytest.mark.skipif(not RECORDED.is_dir(), reason="recorded published data is not here")

SPLIT_FILE = """import Mathlib
open BigOperators Real

/-- An exercise: theorem no : False -/
theorem first (x : ℝ) (h : 0 < x) :
    x ≠ 0 := by sorry

-- theorem commented : False := by sorry
theorem second : 1 + 1 = 2 := by
  norm_num

set_option maxHeartbeats 400000 in
theorem third (n : ℕ) : ∃ m, n < m := by
  sorry
"""
ANSWERED = """import Mathlib

abbrev p1_solution : ℕ → ℕ := sorry
-- fun n : ℕ => n * (n + 1)
/-- Evaluate. -/
theorem p1 : ∀ n ≥ 2, p1_solution n = n ^ 2 + n :=
sorry
"""


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    return write(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def accounted(index: TheoremIndex) -> int:
    """Return the entries that an index speaks of: theorems, those left out, and the damaged."""
    source = index.source
    return len(index) + sum(source["dropped"].values()) + source.get("damage", {}).get("rows_skipped", 0)


def test_one_lean_file_holds_a_split(tmp_path: Path) -> None:
    index = read_published(write(tmp_path / "Test.lean", SPLIT_FILE), "test")
    assert [t.name for t in index.theorems] == ["first", "second", "third"]
    assert index.source["split"] == "test"
    first, _, third = index.theorems
    assert first.statement == "∀ (x : ℝ) (h : 0 < x), x ≠ 0"
    assert first.header == "import Mathlib\n\nopen BigOperators Real"
    assert third.header.endswith("set_option maxHeartbeats 400000")
    assert declaration(first, "sorry") == "theorem first (x : ℝ) (h : 0 < x) :\n    x ≠ 0 := sorry"


def test_a_checkout_with_a_file_a_theorem(tmp_path: Path) -> None:
    for split in ("Test", "Valid"):
        for name in ("a", "b"):
            text = f"import Mathlib\n\ntheorem {split.lower()}_{name} : 1 = 1 := by sorry\n"
            write(tmp_path / "Mini" / split / f"{split.lower()}_{name}.lean", text)
        write(tmp_path / "Mini" / f"{split}.lean", f"import Mini.{split}.a\n")
    commit = "5" * 40
    write(tmp_path / ".git" / "HEAD", "ref: refs/heads/main\n")
    write(tmp_path / ".git" / "packed-refs", f"# pack-refs\n{commit} refs/heads/main\n")
    write(tmp_path / ".git" / "config", '[remote "origin"]\n\turl = https://user:secret@example.org/x.git\n')
    write(tmp_path / "lean-toolchain", "leanprover/lean4:v4.24.0\n")
    write(tmp_path / ".lake" / "packages" / "x" / "Y.lean", "theorem y : True := trivial")
    index = read_published(tmp_path, "VALIDATION")
    assert [t.name for t in index.theorems] == ["valid_a", "valid_b"]
    found = {key: index.source[key] for key in ("commit", "remote", "lean", "split")}
    assert found == {"commit": commit, "remote": "https://example.org/x.git", "lean": "v4.24.0", "split": "valid"}
    assert len(read_published(tmp_path, "")) == 4
    with pytest.raises(UserError, match=r"no files of split 'train'; it has test \(3\), valid \(3\)"):
        read_published(tmp_path, "train")


def test_a_folder_named_test_beside_others_is_no_split(tmp_path: Path) -> None:
    write(tmp_path / "src" / "p1.lean", "theorem p1 : 1 = 1 := sorry")
    write(tmp_path / "test" / "t.lean", "theorem t : 2 = 2 := by rfl")
    assert [t.name for t in read_published(tmp_path, "test").theorems] == ["p1", "t"]


def test_an_answer_in_the_comment_after_it_is_taken(tmp_path: Path) -> None:
    index = read_published(write(tmp_path / "src" / "p1.lean", ANSWERED).parent)
    (theorem,) = index.theorems
    assert "abbrev p1_solution : ℕ → ℕ :=\n  fun n : ℕ => n * (n + 1)" in theorem.header
    assert index.source["answers_given"] == 1
    with pytest.raises(UserError, match="'answer_placeholder': 1"):
        read_published(tmp_path / "src", answers=False)
    row = {"name": "p1", "formal_statement": ANSWERED.replace("-- fun n : ℕ => n * (n + 1)\n", ""), "key": "fun n => n"}
    with pytest.raises(UserError, match="'answer_placeholder': 1"):
        read_published(lines(tmp_path / "p.jsonl", [row]))
    (theorem,) = read_published(tmp_path / "p.jsonl", fields={"answer": "key"}).theorems
    assert "p1_solution : ℕ → ℕ := (fun n => n)" in theorem.header
    statement = "theorem f : answer(sorry) ↔ 1 = 1 := by sorry\ntheorem g : 2 = 2 := by sorry"
    index = read_published(write(tmp_path / "c.lean", statement))
    assert ([t.name for t in index.theorems], index.source["dropped"]) == (["g"], {"answer_placeholder": 1})


def test_a_header_holds_what_the_statement_needs_and_no_more(tmp_path: Path) -> None:
    text = """import Mathlib
namespace Foo
def used (n : ℕ) : ℕ := inner n
def inner (n : ℕ) : ℕ := n
def unused : ℕ := 3
section
variable (k : ℕ)
theorem other : used k = k := by sorry
end
lemma helper : unused = 3 := rfl
notation "N" => ℕ
/-- The one. -/
@[category research, AMS 5]
theorem main (m : N) : used m = m := by sorry
end Foo
"""
    index = read_published(write(tmp_path / "x.lean", text))
    assert [t.name for t in index.theorems] == ["other", "main"]
    assert index.source["dropped"] == {"auxiliary": 1}
    other, main = (theorem.header for theorem in index.theorems)
    assert "variable (k : ℕ)" in other and "variable" not in main
    assert all(word in main for word in ("namespace Foo", "def used", "def inner", 'notation "N"'))
    assert not any(word in main for word in ("unused", "theorem", "helper", "category"))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("theorem a : ∀ n : ℕ, p n\n  | 0 => by simp\n  | n + 1 => by simp\n", ["a"]),
        ("theorem a :\n  let x := 3\n  x = 3 := by sorry", ["a"]),
        ("theorem a : p := by sorry theorem b : q := by sorry", ["a", "b"]),
        ("theorem a : '(' = '(' := by sorry\ntheorem b : \"theorem c : (\" = s := sorry", ["a", "b"]),
        ("theorem a : p := by\n  open Nat in simp\n  set_option x 1 in\n  simp\ntheorem b : q := sorry", ["a", "b"]),
        ("snip begin\nlemma l : p := by simp\nsnip end\nproblem a (n : ℕ) : q n := by simp", ["a"]),
        ("def a : CommGroup G :=\nsorry\ninstance b : Group H := sorry\ntheorem c : p := sorry", ["a", "b", "c"]),
        ("theorem «imo 1» : p := sorry\ntheorem A.b.{u} (α : Type u) : q := sorry", ["«imo 1»", "A.b"]),
    ],
)
def test_statements_of_lean_text(tmp_path: Path, text: str, names: list[str]) -> None:
    assert [t.name for t in read_published(write(tmp_path / "x.lean", text)).theorems] == names


def test_files_appended_to_one_another_start_anew(tmp_path: Path) -> None:
    one = "import Mathlib\nopen Nat\ndef k : ℕ := {0}\ntheorem t{0} : k = {0} := by sorry\nopen Nat\ntheorem u{0} : k = k := sorry\n"
    index = read_published(write(tmp_path / "x.lean", "".join(one.format(i) for i in range(20))))
    assert len(index) == 40
    assert {t.header.replace(t.name[1:], "#") for t in index.theorems} == {
        "import Mathlib\n\nopen Nat\n\ndef k : ℕ := #"
    } | {"import Mathlib\n\ndef k : ℕ := #\n\nopen Nat"}


def test_layout_stays_where_it_means_something(tmp_path: Path) -> None:
    text = "theorem a (n : ℕ) :\n    let x := n\n    x = n := by sorry\ntheorem b :\n  1\n  = 1 := by sorry"
    a, b = read_published(write(tmp_path / "x.lean", text)).theorems
    assert a.statement == "∀ (n : ℕ), \n    let x := n\n    x = n"
    assert (b.statement, b.signature) == ("1 = 1", ": \n  1\n  = 1".replace(" \n", "\n"))


STATED = {"a": "theorem a : 1 = 1 := by sorry", "b": "theorem b : 2 = 2 := by\n  sorry"}
ROWS = [{"id": i, "thm": text} for i, text in enumerate(STATED.values())]
SHAPES: dict[str, Any] = {
    "list": ROWS,
    "data": {"version": "1", "data": ROWS},
    "splits": {"test": ROWS, "valid": [{"id": 7, "thm": "theorem c : 3 = 3 := sorry"}]},
    "by_name": STATED,
    "objects": {name: {"thm": text} for name, text in STATED.items()},
    "nested": {
        "Test": {name: {"thm": text} for name, text in STATED.items()},
        "Valid": {"c": {"thm": "theorem c : q"}},
    },
    "columns": {"id": [0, 1], "thm": list(STATED.values())},
    "frame": {"id": {"0": 0, "1": 1}, "thm": dict(zip("01", STATED.values(), strict=True))},
    "viewer": {"rows": [{"row_idx": i, "row": row} for i, row in enumerate(ROWS)]},
    "deep": [{"problem": {"lean": {"code": text.replace(" ", "\r\n ", 2)}}} for text in STATED.values()],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_of_json(tmp_path: Path, shape: str) -> None:
    path = write(tmp_path / "x.json", json.dumps(SHAPES[shape]))
    index = read_published(path, "test")
    assert [t.name for t in index.theorems] == ["a", "b"]
    assert accounted(index) == index.source["rows"]


def test_parquet_csv_and_fences(tmp_path: Path) -> None:
    fenced = [{"id": "x", "autoformalization": f"Sure:\n```lean4\n{text}\n```"} for text in STATED.values()]
    pq.write_table(pa.Table.from_pylist(fenced), tmp_path / "train.bin")
    index = read_published(tmp_path / "train.bin")
    assert [t.statement for t in index.theorems] == ["1 = 1", "2 = 2"]
    with (tmp_path / "x.csv").open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerows([["theorem_name", "lean4"], *STATED.items(), ["only one cell"]])
    with pytest.raises(UserError, match=r"x\.csv:5: 1 cells, not the 2 of the first line; 1 of 3 entries"):
        read_published(tmp_path / "x.csv")
    index = read_published(tmp_path / "x.csv", damage=Damage("skip"))
    assert ([t.name for t in index.theorems], accounted(index)) == (["a", "b"], 3)


def test_other_keys_are_found_and_prose_is_none(tmp_path: Path) -> None:
    rows = [
        {"index": 1, "statement": "Prove that the sum is $2$.", "src_header": "import Mathlib\nopen Nat", "formal_stmt": text,
         "helper": "def k : ℕ := 1", "proof_lean": text.replace("sorry", "rfl")}
        for text in STATED.values()
    ]  # fmt: skip
    index = read_published(lines(tmp_path / "x.jsonl", rows))
    assert [(t.name, t.statement) for t in index.theorems] == [("a", "1 = 1"), ("b", "2 = 2")]
    assert index.theorems[0].header == "import Mathlib\nopen Nat\n\ndef k : ℕ := 1"
    prose = [{"question": "What is the sum?", "id": 3}]
    with pytest.raises(UserError, match=r"no theorem in 1 entry .*the keys are question, id; say which holds"):
        read_published(lines(tmp_path / "y.jsonl", prose))
    with pytest.raises(UserError, match=r"fields\.statement: no entry has the key 'nope'; the keys are"):
        read_published(tmp_path / "x.jsonl", fields={"statement": "nope"})
    with pytest.raises(UserError, match=r"fields\.text: no such role"):
        read_published(tmp_path / "x.jsonl", fields={"text": "nope"})


def test_one_damaged_entry_of_many_is_counted_and_named(tmp_path: Path) -> None:
    rows = [{"name": f"t{i}", "formal_statement": f"theorem t{i} : {i} = {i} := by sorry"} for i in range(371)]
    rows[5]["formal_statement"] = "theorem t5 : (1 = 1 := by sorry"
    path = lines(tmp_path / "x.jsonl", rows)
    output = tmp_path / "b.json"
    index = build_benchmark("b", BenchmarkSettings(source=str(path)), None, output)
    assert (len(index), accounted(index)) == (370, 371)
    (message,) = index.source["damage"]["examples"]
    assert "x.jsonl:6: the statement of 't5' cannot be read: unclosed '('" in message
    strict = BenchmarkSettings(source=str(path), max_damaged_share=0.001)
    with pytest.raises(UserError, match=r"'t5' cannot be read.*1 of 371 entries .* max_damaged_share \(0\.001\)"):
        build_benchmark("b", strict, None, output)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"PK\x03\x04aa", "a zip archive; unpack it"),
        (b"version https://git-lfs.github.com/spec/v1\noid", "git lfs pull"),
        (b"\x00\x01\x02", "no text and no Parquet"),
        (b"theorem t : p :=\nbegin\n  simp\nend\n", "1 declarations are Lean 3 text"),
        (b"hello world", "nothing is stated in it"),
        (b"{]", "not readable as JSON"),
        (b"\x1f\x8bxx", "not readable as gzip|cannot be read"),
    ],
)
def test_what_is_missing_is_said_in_one_line(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "x.data"
    path.write_bytes(content)
    with pytest.raises(UserError, match=message) as caught:
        read_published(path)
    assert "\n" not in str(caught.value) and "x.data" in str(caught.value)


def test_folders_of_several_sets_are_refused_with_the_list(tmp_path: Path) -> None:
    for name in ("minif2f.jsonl", "proofnet.jsonl"):
        lines(tmp_path / "datasets" / name, [{"name": "a", "formal_statement": STATED["a"]}])
    write(tmp_path / "package.json", "{}")
    with pytest.raises(UserError, match=r"several sets \(datasets/minif2f\.jsonl, datasets/proofnet\.jsonl\)"):
        read_published(tmp_path)
    for version in ("v1", "v2"):
        for i in range(4):
            write(tmp_path / "lean" / version / f"p{i}.lean", f"theorem p{i} : {i} = {version} := sorry")
    with pytest.raises(UserError, match=r"stated in several ways .*\(v1 \(4\), v2 \(4\)\)"):
        read_published(tmp_path / "lean")


def test_shards_and_splits_of_one_set_are_read_together(tmp_path: Path) -> None:
    for split, names in (("test", "ab"), ("valid", "cd")):
        for shard, name in enumerate(names):
            rows = [{"name": name, "formal_statement": f"theorem {name} : {shard} = {shard}"}]
            pq.write_table(pa.Table.from_pylist(rows), tmp_path / f"{split}-0000{shard}-of-00002.parquet")
    assert [t.name for t in read_published(tmp_path, "test").theorems] == ["a", "b"]
    assert len(read_published(tmp_path)) == 4


def test_names_that_files_share_are_told_apart(tmp_path: Path) -> None:
    for book in ("Axler", "Rudin"):
        write(
            tmp_path / f"{book}.lean", f"theorem ex1 : {len(book)} = {book} := sorry\ntheorem {book}_only : p := sorry"
        )
    names = {t.name for t in read_published(tmp_path).theorems}
    assert names == {"Axler_ex1", "Rudin_ex1", "Axler_only", "Rudin_only"}


def test_names_in_words() -> None:
    known = published_sources()
    assert find_source("PutnamBench", known) == ("putnambench", "")
    assert find_source("ProofNet# valid", known) == ("proofnet_sharp", "valid")
    assert find_source("MINIF2F v2c Test", known) == ("minif2f_v2c", "test")
    assert find_source("./somewhere/x.jsonl", known) == ("", "")
    for text in ("miniF2F test", "minif2f", "ProofNet"):
        with pytest.raises(AmbiguousName, match=r"is not one set; name one of these sources: .*_v1 \(deepseek-ai/Deep"):
            find_source(text, known)
    for name, source in known.items():
        assert source.revision and source.repository, name
        assert re.fullmatch(r"[0-9a-f]{64}|", source.sha256), name


def test_a_pinned_commit_is_fetched_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import subprocess

    repository = tmp_path / "repository"
    write(repository / "src" / "a.lean", STATED["a"])

    def git(*words: str) -> str:
        options = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "uploadpack.allowAnySHA1InWant=true"]
        done = subprocess.run(
            ["git", *options, "-C", str(repository), *words], check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    git("init", "--quiet")
    git("config", "uploadpack.allowAnySHA1InWant", "true")
    git("add", ".")
    git("commit", "--quiet", "-m", "one")
    commit = git("rev-parse", "HEAD")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    pinned = SourceSettings(repository=f"file://{repository}", revision=commit, file="src")
    settings_ = BenchmarkSettings(source="mine")
    index = build_benchmark("m", settings_, None, tmp_path / "m.json", {"mine": pinned})
    assert ([t.name for t in index.theorems], index.source["commit"]) == (["a"], commit)
    (repository / ".git").rename(repository / "gone")
    assert len(build_benchmark("m", settings_, None, tmp_path / "m.json", {"mine": pinned})) == 1
    for wrong, message in ({"revision": "main"}, "is no commit"), ({"revision": "0" * 40}, "cannot be fetched"):
        other = pinned.model_copy(update=wrong)
        with pytest.raises(UserError, match=message):
            build_benchmark("m", settings_, None, tmp_path / "m.json", {"mine": other})


RECORDED_FORMS = [
    ("minif2f/minif2f_deepseek_prover_v1.5.jsonl", "formal_statement", "name", "header"),
    ("minif2f/minif2f_goedel_prover_v2_test.jsonl", "formal_statement", "name", ""),
    ("minif2f/minif2f_internlm_lean4.7.0.jsonl", "statement", "full_name", ""),
    ("proofnet/proofnet_deepseek_prover_v1.5.jsonl", "formal_statement", "name", "header"),
    ("putnam/putnam_goedel_prover.head200.jsonl", "formal_statement", "name", "header"),
    ("minif2f/v2/miniF2F_v2s.sample.jsonl", "formal_statement", "name", "header"),
    ("minif2f/v2/miniF2F_v2c.sample.jsonl", "formal_statement", "name", "header"),
]


def squeezed(text: str) -> str:
    return "".join(strip_comments(text).split())


@recorded
@pytest.mark.parametrize(("file", "key", "name", "header"), RECORDED_FORMS)
def test_what_reaches_lean_is_what_was_published(file: str, key: str, name: str, header: str) -> None:
    path = RECORDED / file
    index = read_published(path)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    published: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        published.setdefault(row[name], []).append(row)
    for theorem in index.theorems[:200]:
        own = theorem.name if theorem.name in published else theorem.name.rpartition("_")[0]
        wanted = []
        for row in published[own]:
            text = squeezed(row.get(header, "") + "\n" + row[key]) if header else squeezed(row[key])
            wanted.append(re.sub(r":=(by)?(sorry)?$", "", text))
        # This entry's header was cut at the word "theorem" of its documentation, and its name read there.
        own = {"asserts": "putnam_1974_a3"}.get(own, own)
        sent = declaration(theorem, "sorry", own).removeprefix("noncomputable ").removesuffix(" := sorry")
        sent = squeezed(theorem.header) + squeezed(sent)
        assert sent in wanted or sent.replace("def" + own, "noncomputabledef" + own) in wanted


WORDS = st.sampled_from(
    [
        "theorem", "lemma a", "example", "def f", ":=", ":", "by", "sorry", "(", ")", "{", "}", "⟨", "/-", "-/", "--", "\n",
        "\n  ", " ", '"', "'", "«", "»", "| 0 =>", "let x := 3", "namespace N", "end", "open Nat in", "section", "@[simp]",
        "private", "import M", "∀ x", ", p x", "abbrev s : T := sorry", "-- c", "theorem t (n : ℕ) : n = n := by sorry",
        "variable (k : ℕ)", "mutual", "instance : C := i", "begin", "\x00", "\ud800", "𝕜", "where", "notation", "$",
    ]
)  # fmt: skip
LEAN = st.lists(WORDS, max_size=25).map("".join)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | LEAN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from(
    ["name", "formal_statement", "statement", "header", "split", "traced_tactics", "file_path", "x", "id"]
)
ROW = st.dictionaries(KEYS, VALUES, max_size=5)
FUZZ = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def check(path: Path) -> None:
    """Read a file: only an error for the user may come of it, and every entry is accounted for."""
    try:
        index = read_published(path)
    except UserError as error:
        assert "\n" not in str(error).replace(str(path), "") or "'" in str(error)
        return
    assert accounted(index) == index.source["rows"]
    assert len({theorem.name for theorem in index.theorems}) == len(index)
    for theorem in index.theorems:
        assert isinstance(theorem, Theorem) and theorem.statement.strip()
        declaration(theorem, "sorry").encode()


@FUZZ
@given(LEAN)
def test_fuzzed_lean_text(tmp_path: Path, text: str) -> None:
    for statement in read_file(text):
        assert statement.error or (statement.declaration and statement.declaration.proposition)
    (tmp_path / "x.lean").write_bytes(text.encode("utf-8", errors="surrogatepass"))
    check(tmp_path / "x.lean")


@FUZZ
@given(st.lists(ROW | VALUES, max_size=6), st.booleans())
def test_fuzzed_rows(tmp_path: Path, rows: list[Any], as_list: bool) -> None:
    text = json.dumps(rows) if as_list else "".join(json.dumps(row) + "\n" for row in rows)
    check(write(tmp_path / ("x.json" if as_list else "x.jsonl"), text))


@FUZZ
@given(
    st.dictionaries(
        st.sampled_from(["test", "valid", "data", "a", "b"]), VALUES | st.lists(ROW, max_size=3), max_size=4
    )
)
def test_fuzzed_objects(tmp_path: Path, value: dict[str, Any]) -> None:
    check(write(tmp_path / "x.json", json.dumps(value)))


@FUZZ
@given(st.binary(max_size=60), st.sampled_from(["x.json", "x.jsonl", "x.lean", "x.csv", "x.parquet", "x"]))
def test_fuzzed_bytes(tmp_path: Path, content: bytes, name: str) -> None:
    (tmp_path / name).write_bytes(content)
    check(tmp_path / name)


@FUZZ
@given(st.lists(st.fixed_dictionaries({"name": st.text(max_size=4), "lean": LEAN}), min_size=1, max_size=5))
def test_fuzzed_tables(tmp_path: Path, rows: list[dict[str, str]]) -> None:
    with (tmp_path / "x.csv").open("w", newline="", encoding="utf-8", errors="surrogatepass") as stream:
        csv.writer(stream).writerows([["name", "lean"], *(row.values() for row in rows)])
    check(tmp_path / "x.csv")
    clean = [{key: value.encode(errors="replace").decode() for key, value in row.items()} for row in rows]
    pq.write_table(pa.Table.from_pylist(clean), tmp_path / "x.parquet")
    check(tmp_path / "x.parquet")


@FUZZ
@given(
    st.lists(
        st.dictionaries(
            KEYS | st.sampled_from(["proof", "code", "attempts", "success", "example"]), VALUES, max_size=5
        ),
        max_size=5,
    )
)
def test_fuzzed_proofs(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    write(tmp_path / "x.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    damage = Damage("skip")
    try:
        claims = read_claims(tmp_path / "x.jsonl", damage)
    except UserError:
        return
    assert claims.entries + damage.count == len(rows)
    assert len(claims.attempts) + sum(claims.dropped.values()) >= claims.entries
    write_attempts(tmp_path / "a.jsonl", claims.attempts)
    assert [a.proof for a in read_attempts(tmp_path / "a.jsonl")] == [a.proof for a in claims.attempts]
