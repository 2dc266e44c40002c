"""Answers of the protocol, and goals as Lean prints them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from burnqed.prover.protocol import (
    Outcome,
    classify,
    is_error,
    mentions_sorry,
    parse_version,
    render_goals,
)

RECORDED = Path(__file__).parents[2].parent / "shared" / "data" / "pantograph"
CLEAN = {"messages": [], "hasSorry": False, "hasUnsafe": False}
GOAL = {"name": "_uniq.1", "target": {"pp": "p"}, "vars": []}


@pytest.mark.parametrize(
    ("answer", "outcome", "state", "message"),
    [
        ({"nextStateId": 1, "goals": [GOAL], **CLEAN}, Outcome.OK, 1, ""),
        ({"nextStateId": 2, "goals": [], **CLEAN}, Outcome.PROVED, 2, ""),
        ({"nextStateId": 3, "goals": [], **CLEAN, "hasSorry": True}, Outcome.ERROR, 3, "sorry"),
        ({"nextStateId": 3, "goals": [GOAL], **CLEAN, "hasSorry": True}, Outcome.ERROR, 3, "sorry"),
        ({"nextStateId": 3, "goals": [], **CLEAN, "hasUnsafe": True}, Outcome.ERROR, 3, "unsafe"),
        ({"nextStateId": 3, "goals": [], "messages": []}, Outcome.ERROR, 3, "sorry"),
        ({"nextStateId": 3, "goals": [], "messages": [], "hasSorry": False}, Outcome.ERROR, 3, "unsafe"),
        ({**CLEAN, "messages": [{"severity": "error", "data": "no"}]}, Outcome.ERROR, None, "no"),
        ({**CLEAN, "messages": ["<Pantograph>:0:0: error: no"]}, Outcome.ERROR, None, "no"),
        ({"tacticErrors": ["old servers fail so"]}, Outcome.ERROR, None, "without a message"),
        ({"parseError": "<Pantograph>:1:1: unknown tactic", "hasSorry": False}, Outcome.ERROR, None, "unknown tactic"),
        (
            {"nextStateId": 4, "goals": [], **CLEAN, "messages": [{"severity": "error", "data": "x"}]},
            Outcome.ERROR,
            4,
            "x",
        ),
        ({"nextStateId": 4, "goals": [], **CLEAN, "messages": ["<Pantograph>:0:0: error: x"]}, Outcome.ERROR, 4, "x"),
        ({"nextStateId": 4, "goals": [], **CLEAN, "messages": ["unused variable"]}, Outcome.PROVED, 4, "unused"),
        ({"goals": [], **CLEAN}, Outcome.ERROR, None, ""),
        ({"error": "io", "desc": "interrupt"}, Outcome.TIMEOUT, None, "time limit"),
        ({"error": "internal", "desc": "interrupt"}, Outcome.TIMEOUT, None, "time limit"),
        ({"error": "index", "desc": "Invalid state index 7"}, Outcome.CRASH, None, "index"),
        ({"error": "exception", "desc": "maximum recursion depth"}, Outcome.ERROR, None, "recursion"),
        ({}, Outcome.ERROR, None, ""),
    ],
)
def test_classify(answer: dict[str, Any], outcome: Outcome, state: int | None, message: str) -> None:
    found = classify(answer)
    assert (found.outcome, found.state) == (outcome, state)
    assert message in found.message


def variable(name: str, kind: str, value: str | None = None, hidden: bool = False) -> dict[str, Any]:
    row: dict[str, Any] = {"name": "_uniq.9", "userName": name, "isInaccessible": hidden, "type": {"pp": kind}}
    return row if value is None else {**row, "value": {"pp": value}}


def test_render_groups_neighbours_of_equal_type_without_value() -> None:
    goal = {
        "userName": "inl.h",
        "target": {"pp": "p"},
        "vars": [
            variable("p", "Prop"), variable("q", "Prop"), variable("h✝", "p", hidden=True), variable("r", "Prop"),
            variable("n", "Nat"), variable("m", "Nat", "2"), variable("k", "Nat"), variable("", "Group G", hidden=True),
        ],
    }  # fmt: skip
    expected = "case inl.h\np q : Prop\nh✝ : p\nr : Prop\nn : Nat\nm : Nat := 2\nk : Nat\ninst✝ : Group G\n⊢ p"
    assert render_goals([goal]) == expected
    assert render_goals([goal, {"target": {"pp": "q"}, "fragment": "conv"}]) == expected + "\n\n| q"
    assert render_goals([]) == ""


def test_sorry_in_any_wording() -> None:
    assert mentions_sorry("declaration uses 'sorry'")
    assert mentions_sorry({"data": "declaration uses `sorry`", "severity": "warning"})
    assert mentions_sorry({"data": "anything", "kind": "hasSorry"})
    assert mentions_sorry("'t' depends on axioms: [sorryAx]")
    assert not mentions_sorry({"data": "unused variable `sorrow`", "severity": "warning"})


def test_severity_and_version() -> None:
    assert is_error({"severity": "error", "data": ""})
    assert not is_error({"severity": "warning", "data": "error: no"})
    assert is_error("<Pantograph>:1:2: error: no")
    assert not is_error("an error is not near")
    assert parse_version("v0.3.15\n") == (0, 3, 15)
    assert parse_version("usage: repl") is None


@pytest.mark.skipif(not RECORDED.is_dir(), reason="recorded exchanges are not here")
def test_recorded_answers() -> None:
    seen: dict[str, int] = {}
    for path in sorted(RECORDED.glob("integration_exchanges_*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["cmd"] != "goal.tactic":
                continue
            response, tactic = row["response"], row["payload"].get("tactic", "")
            answer = classify(response)
            if tactic == "sorry":
                expected = Outcome.ERROR
            elif response.get("desc") == "interrupt":
                expected = Outcome.TIMEOUT
            elif "goals" in response:
                expected = Outcome.OK if response["goals"] else Outcome.PROVED
            else:
                expected = Outcome.ERROR
                assert answer.message.strip()
            assert answer.outcome is expected, row
            seen[expected] = seen.get(expected, 0) + 1
            if tactic == "cases h":
                text = render_goals(response["goals"])
                assert text == "case inl\np q : Prop\nh✝ : p\n⊢ q ∨ p\n\ncase inr\np q : Prop\nh✝ : q\n⊢ q ∨ p"
    assert min(seen.get(kind, 0) for kind in ("ok", "proved", "error", "timeout")) >= 2, seen
