"""Tokens of Lean text, and the honest proofs that the text rules let pass."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from burnqed.leantext.banned import banned_construct
from burnqed.leantext.tokens import LexicalError, interpolated, tokens

RECORDED = Path(__file__).resolve().parents[3] / "shared" / "data"


def kinds(text: str) -> list[tuple[str, str]]:
    return [(token.kind, token.text) for token in tokens(text)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a.b.«c d».1 x'!?", [("name", "a.b.«c d».1"), ("name", "x'!?")]),
        ("h.2.1", [("name", "h.2.1")]),
        ("sorryᵀ", [("name", "sorry"), ("symbol", "ᵀ")]),
        ("αsorry λx", [("name", "αsorry"), ("symbol", "λ"), ("name", "x")]),
        ("x/- a /- b -/ c -/y", [("name", "x"), ("comment", "/- a /- b -/ c -/"), ("name", "y")]),
        ("x -- -/ y\nz", [("name", "x"), ("comment", "-- -/ y"), ("name", "z")]),
        ('"a \\" -- b" c', [("string", '"a \\" -- b"'), ("name", "c")]),
        ('r"\\" c r#"x"y"# d', [("string", 'r"\\"'), ("name", "c"), ("string", 'r#"x"y"#'), ("name", "d")]),
        ("f '\"' '\\'' 'x'", [("name", "f"), ("character", "'\"'"), ("character", "'\\''"), ("character", "'x'")]),
        ("f '' s", [("name", "f"), ("symbol", "''"), ("name", "s")]),
        ("0x1F 1_0 2.5e-3", [("number", "0x1F"), ("number", "1_0"), ("number", "2.5e-3")]),
    ],
)
def test_tokens(text: str, wanted: list[tuple[str, str]]) -> None:
    assert kinds(text) == wanted


@pytest.mark.parametrize("text", ["/- a", '"a', 'r#"a"', "a -/", " 'ab", "x ⁻¹'\"' y"])
def test_what_does_not_end(text: str) -> None:
    with pytest.raises(LexicalError):
        kinds(text)


def test_places() -> None:
    found = list(tokens("a b\n  c /- x\n -/ d\n-- e\nf"))
    assert [t.text for t in found if t.line_start] == ["a", "c", "d", "-- e", "f"]
    assert ["a b\n  c"[t.start : t.start + len(t.text)] for t in found[:3]] == ["a", "b", "c"]


def test_code_in_strings() -> None:
    (string,) = tokens('"a {x {y}} {z"')
    assert list(interpolated(string)) == ["x {y}", "z"]


def _body(text: str) -> str:
    """The text of the last theorem after its `:= by` (one project writes `by'`)."""
    start = max((m.start() for m in re.finditer(r"(?m)^(?:theorem|lemma)\b", text)), default=0)
    found = re.search(r":=\s*by(?:'(?=\s)|\b(?!'))", text[start:])
    assert found is not None
    return text[start + found.end() :]


def _published() -> Iterator[tuple[str, str]]:
    """(source, text) of whole proofs and of single tactics."""

    def rows(name: str) -> Iterator[dict[str, str]]:
        for line in (RECORDED / name).read_text(encoding="utf-8").splitlines():
            yield json.loads(line)

    for row in rows("proofs/deepseek_prover_v2_minif2f_solutions.jsonl"):
        yield "deepseek", _body(row["lean"])
    for row in rows("proofs/bfs_prover_v2_minif2f.jsonl"):
        yield "bfs", _body(row["lean"])
    for row in rows("minif2f/minif2f_deepseek_prover_v1.5_valid_few_shot.jsonl"):
        yield "human", row["formal_proof"]
    for row in rows("lean_errors/targets_100.jsonl"):
        yield "mathlib", row["recorded_proof"]
    for theorem in json.loads((RECORDED / "leandojo/leandojo_random_test_100.json").read_text(encoding="utf-8")):
        for step in theorem["traced_tactics"]:
            yield "mathlib tactic", step["tactic"]
    for file in sorted((RECORDED / "search_traces").glob("*/*.json")):
        for result in json.loads(file.read_text(encoding="utf-8"))["results"]:
            for attempt in result["attempt_results"]:
                if attempt["success"]:
                    yield "internlm", attempt["proof"]
                    yield from (("internlm tactic", tactic) for tactic in attempt["trace"])


@pytest.mark.skipif(not (RECORDED / "proofs").is_dir(), reason="no recorded data here")
def test_honest_proofs_are_not_refused() -> None:
    texts = list(_published())
    assert len(texts) >= 1500
    refused = Counter((source, reason) for source, text in texts if (reason := banned_construct(text)) is not None)
    assert refused == {
        ("bfs", "native or unsafe code: native_decide"): 14,
        ("bfs", "suggestion: aesop?"): 3,
        ("bfs", "option: set_option"): 2,
        ("internlm", "runs a program: polyrith"): 1,
        ("internlm tactic", "runs a program: polyrith"): 1,
    }, "each rightly refused: an axiom of its own, a suggestion, an option, a question to a server"
