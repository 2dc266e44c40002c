"""The protocol: answers of Pantograph's own tests (v0.3.x, Test/Integration.lean), and hostile input."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from burnqed.minilean.repl import Repl


def ask(repl: Repl, command: str, **payload: Any) -> dict[str, Any]:
    return repl.handle(f"{command} {json.dumps(payload)}")


def plain(value: Any) -> Any:
    """An answer without the fresh numbers of its names."""
    return json.loads(re.sub(r"_uniq\.\d+", "_uniq", json.dumps(value)))


def variable(name: str, type_: str, hidden: bool = False) -> dict[str, Any]:
    return {"name": "_uniq", "userName": name, "isInaccessible": hidden, "type": {"pp": type_}}


def test_recorded_steps() -> None:
    repl = Repl()
    assert plain(ask(repl, "goal.start", expr="∀ (p q: Prop), p ∨ q → q ∨ p")) == {"stateId": 0, "root": "_uniq"}
    x = variable("x", "Prop")
    assert plain(ask(repl, "goal.tactic", stateId=0, tactic="intro x")) == {
        "nextStateId": 1,
        "goals": [
            {"name": "_uniq", "fragment": "tactic", "target": {"pp": "∀ (q : Prop), x ∨ q → q ∨ x"}, "vars": [x]}
        ],
        "messages": [],
        "hasSorry": False,
        "hasUnsafe": False,
    }
    shown = ask(repl, "goal.print", stateId=1, parentExprs=True, rootExpr=True)
    assert re.sub(r"\d+", "2", json.dumps(shown)) == json.dumps(
        {
            "root": {"pp": "fun x => ?m.2"},
            "parentExprs": [{"pp": "fun x => ?m.2"}],
            "goals": [],
            "extraMVars": [],
            "rootHasSorry": False,
            "rootHasUnsafe": False,
            "rootHasMVar": True,
        }
    )
    failed = ask(repl, "goal.tactic", stateId=1, tactic="apply Nat.le_of_succ_le")
    assert "nextStateId" not in failed and failed["hasSorry"] is False
    assert failed["messages"][0]["data"] == (
        "Tactic `apply` failed: could not unify the conclusion of `@Nat.le_of_succ_le`\n"
        "  ∀ {m : Nat}, Nat.succ ?n ≤ m → ?n ≤ m\nwith the goal\n  ∀ (q : Prop), x ∨ q → q ∨ x\n\n"
        "Note: The full type of `@Nat.le_of_succ_le` is\n  ∀ {n m : Nat}, n.succ ≤ m → n ≤ m\n\n"
        "x : Prop\n⊢ ∀ (q : Prop), x ∨ q → q ∨ x"
    )
    assert plain(ask(repl, "goal.tactic", stateId=0, tactic="sorry")) == {
        "nextStateId": 2,
        "goals": [],
        "messages": [],
        "hasSorry": True,
        "hasUnsafe": False,
    }


def test_manual_mode_leaves_siblings_dormant() -> None:
    repl = Repl()
    ask(repl, "options.set", automaticMode=False)
    ask(repl, "goal.start", expr="∀ (p q: Prop), p ∨ q → q ∨ p")
    ask(repl, "goal.tactic", stateId=0, tactic="intro p q h")
    two = ask(repl, "goal.tactic", stateId=1, tactic="cases h")
    assert [g["userName"] for g in two["goals"]] == ["inl", "inr"]
    one = ask(repl, "goal.tactic", stateId=2, tactic="apply Or.inr")
    assert [g["userName"] for g in one["goals"]] == ["inl.h"]
    assert one["goals"][0]["vars"][2] | {"name": ""} == variable("h✝", "p", True) | {"name": ""}
    done = ask(repl, "goal.tactic", stateId=3, tactic="assumption")
    assert done["goals"] == []
    assert ask(repl, "goal.print", stateId=4, rootExpr=True)["rootHasMVar"] is True
    back = ask(repl, "goal.continue", target=4, branch=2)
    assert [g["userName"] for g in back["goals"]] == ["inr"]
    last = ask(repl, "goal.tactic", stateId=back["nextStateId"], tactic="apply Or.inl; assumption")
    assert last["goals"] == []
    assert ask(repl, "goal.print", stateId=last["nextStateId"], rootExpr=True)["rootHasMVar"] is False


def test_timeout_interrupts_and_leaves_the_state_usable() -> None:
    repl = Repl()
    ask(repl, "goal.start", expr="(1 : Nat) + (2 * 3) = 1 + (4 - 3) + (6 - 4) + 3")
    ask(repl, "options.set", timeout=10)
    assert ask(repl, "goal.tactic", stateId=0, expr="by\nsleep 1000; simp") == {"error": "io", "desc": "interrupt"}
    ask(repl, "options.set", timeout=0)
    assert ask(repl, "goal.tactic", stateId=0, tactic="simp")["goals"] == []


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ('invalid {"name": "Nat.add_one"}', {"error": "command", "desc": "Unknown command invalid"}),
        (
            'expr.echo {"invalid": "x"}',
            {"error": "command", "desc": "Unable to parse json: Pantograph.Protocol.ExprEcho.expr: String expected"},
        ),
        ('goal.print {"stateId": 7}', {"error": "index", "desc": "Invalid state index 7"}),
        ("reset {}", {"nGoals": 0}),
        ('{"cmd": "stat", "payload": {}}', {"nGoals": 0}),
        ('goal.delete {"stateIds": [3, 4]}', {}),
    ],
)
def test_single_answers(line: str, answer: dict[str, Any]) -> None:
    assert Repl().handle(line) == answer


@pytest.mark.parametrize(
    "line",
    [
        "goal.start {",
        "{",
        "[1]",
        "goal.start []",
        'goal.start {"expr": 3}',
        'goal.start {"expr": "x y z ("}',
        'goal.tactic {"stateId": true, "tactic": "x"}',
        'goal.start {"expr": "' + "(" * 5000 + '"}',
        'goal.start {"expr": "1 = ' + "9" * 9000 + '"}',
        "frontend.process {}",
        'goal.start {"expr": "∀ p : Prop, p", "copyFrom": "rfl"}',
    ],
)
def test_bad_requests_get_error_answers(line: str) -> None:
    answer = Repl().handle(line)
    assert set(answer) == {"error", "desc"} and answer["error"] != "internal"


@pytest.mark.parametrize(
    ("text", "category", "head"),
    [
        ("intro x; apply a", "tactic", "intro x"),
        ("simp at h\nexact h", "tactic", "simp at h\n"),
        ("constructor <;> intro a\n· exact a", "tactic", "constructor <;> intro a\n"),
        ("∀ n, n + 0 = n; rest", "term", "∀ n, n + 0 = n"),
        ("p → q)", "term", "p → q"),
    ],
)
def test_the_first_element_of_a_text(text: str, category: str, head: str) -> None:
    answer = Repl().handle("env.parse " + json.dumps({"input": text, "category": category}))
    assert text.encode()[: answer["pos"]].decode() == head


def test_texts_that_do_not_parse_and_other_categories() -> None:
    for text, category, error in (("intro (", "tactic", "parse"), ("", "term", "parse"), ("x", "command", "invalid")):
        answer = Repl().handle("env.parse " + json.dumps({"input": text, "category": category}))
        assert answer["error"] == error, answer
    assert Repl(True).handle('env.parse {"input": "x", "category": "term"}')["error"] == "command"


def test_goals_name_the_goals_they_depend_on_when_asked() -> None:
    repl = Repl()
    ask(repl, "goal.start", expr="∃ x, x + 1 = 2")
    plain = ask(repl, "goal.tactic", stateId=0, tactic="apply Exists.intro")["goals"]
    assert "dependentMVars" not in plain[0]["target"]
    ask(repl, "options.set", printDependentMVars=True)
    first, second = ask(repl, "goal.tactic", stateId=0, tactic="apply Exists.intro")["goals"]
    assert first["target"]["dependentMVars"] == [second["name"]]
    assert second["target"]["dependentMVars"] == []
    done = ask(repl, "goal.tactic", stateId=2, tactic="exact (rfl : 1 + 1 = 2)")
    assert done["goals"] == []


def test_a_numeral_is_no_proof() -> None:
    unit = ask(Repl(), "frontend.process", file="example (p : Prop) : p → p := 1")["units"][0]
    assert unit["messages"][0]["data"] == (
        "numerals are data in Lean, but the expected type is a proposition\n  p → p : Prop"
    )


def test_states_are_deleted_and_numbered_on() -> None:
    repl = Repl()
    for k in range(3):
        assert ask(repl, "goal.start", expr="True")["stateId"] == k
    ask(repl, "goal.delete", stateIds=[0, 2])
    assert ask(repl, "stat") == {"nGoals": 1}
    assert ask(repl, "goal.start", expr="True")["stateId"] == 3
    assert ask(repl, "reset") == {"nGoals": 2}
    assert ask(repl, "goal.start", expr="True")["stateId"] == 0


FILE = """theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p := ⟨h.2, h.1⟩
theorem wrong : 1 + 1 = 3 := by
  simp
theorem twice (p q : Prop) : p ∧ q ↔ q ∧ p := ⟨swap p q, swap q p⟩
theorem open_goal : 1 = 1 ∧ 2 = 2 := by
  constructor
  · rfl
#print axioms twice
"""


def test_file_units_and_messages() -> None:
    units = ask(Repl(), "frontend.process", file=FILE)["units"]
    starts = [u["boundary"][0] for u in units]
    data = FILE.encode()
    assert [data[s : s + 8].decode() for s in starts] == ["theorem "] * 4 + ["#print a"]
    assert units[-1]["boundary"][1] == len(data)
    first = [[(m["severity"], m["pos"]["line"]) for m in u["messages"]] for u in units]
    assert first == [[], [("error", 2)], [], [("error", 5)], [("information", 8)]]
    assert units[1]["messages"][0]["data"] == "unsolved goals\n⊢ False"
    assert "unsolved goals\ncase right" in units[3]["messages"][0]["data"]
    assert units[4]["messages"][0]["data"] == "'twice' does not depend on any axioms"


def test_invocations_file(tmp_path: Path) -> None:
    target = tmp_path / "inv.json"
    text = "example : ∀ (p q: Prop), p → p ∨ q := by\n  intro p q h\n  exact Or.inl h"
    answer = ask(Repl(), "frontend.process", file=text, invocations=str(target))
    assert answer == {"units": [{"boundary": [0, 77], "messages": [], "nInvocations": 2}]}
    assert json.loads(target.read_text()) == {
        "units": [
            {
                "invocations": [
                    {
                        "goalBefore": "⊢ ∀ (p q : Prop), p → p ∨ q",
                        "goalAfter": "p q : Prop\nh : p\n⊢ p ∨ q",
                        "tactic": "intro p q h",
                        "usedConstants": [],
                    },
                    {
                        "goalBefore": "p q : Prop\nh : p\n⊢ p ∨ q",
                        "goalAfter": "",
                        "tactic": "exact Or.inl h",
                        "usedConstants": ["Or.inl"],
                    },
                ]
            }
        ]
    }


def test_inherited_theorems_and_distil() -> None:
    repl = Repl()
    ask(repl, "frontend.process", file="theorem two : 1 + 1 = 2 := rfl\nopen Nat", inheritEnv=True)
    ask(repl, "goal.start", expr="2 = 1 + 1")
    assert ask(repl, "goal.tactic", stateId=0, tactic="exact two.symm")["goals"] == []
    ask(repl, "goal.start", expr="∀ n : Nat, n + 1 = Nat.succ n")
    assert ask(repl, "goal.tactic", stateId=2, tactic="apply add_one")["goals"] == []
    answer = ask(repl, "frontend.distil", file="theorem mystery (p: Prop) : p → p := sorry", binderName="x")
    assert answer["targets"][0]["goals"][0]["target"] == {"pp": "∀ (p : Prop), p → p"}
    track = ask(repl, "frontend.track", src="theorem a : 1 = 1 := sorry", dst="theorem a : 0 = 0 := rfl")
    assert track["failure"] == "Type clash of a"


def test_process_speaks_lines_and_ends() -> None:
    command = [sys.executable, "-m", "burnqed.minilean"]
    version = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True).stdout
    assert version.strip() == "0.3.15"
    lines = 'stat {}\ngoal.start {"expr": "True"}\n\nstat {}\n'
    done = subprocess.run([*command, "Init"], input=lines, capture_output=True, text=True, check=True, timeout=120)
    out = done.stdout.splitlines()
    assert out[0] == "ready." and len(out) == 3 and json.loads(out[1]) == {"nGoals": 0}
