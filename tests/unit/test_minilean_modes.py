"""The protocol's modes and sketches: calc and conv step by step, draft, distil, the older protocol."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from burnqed.minilean.repl import Repl


class Session:
    """A server whose newest state is the one that is stepped."""

    def __init__(self, expr: str, *tactics: str) -> None:
        self.repl = Repl()
        self.state = self.ask("goal.start", expr=expr)["stateId"]
        for tactic in tactics:
            self.step(tactic=tactic)

    def ask(self, command: str, **payload: Any) -> dict[str, Any]:
        return self.repl.handle(f"{command} {json.dumps(payload)}")

    def step(self, **payload: Any) -> list[tuple[str, str]]:
        """Step; (fragment, target) of each goal."""
        answer = self.ask("goal.tactic", stateId=self.state, **payload)
        assert "nextStateId" in answer and answer["hasSorry"] is False, answer
        self.state = answer["nextStateId"]
        return [(goal["fragment"], goal["target"]["pp"]) for goal in answer["goals"]]


def test_conv_by_steps() -> None:
    """After Pantograph's own test of `conv`."""
    s = Session("∀ (a b c1 c2 : Nat), (b + a) + c1 = (b + a) + c2 → (a + b) + c1 = (b + a) + c2", "intro a b c1 c2 h")
    assert s.step(mode="conv") == [("conv", "a + b + c1 = b + a + c2")]
    assert s.step(tactic="lhs") == [("conv", "a + b + c1")]
    assert s.step(tactic="congr") == [("conv", "a + b"), ("conv", "c1")]
    assert s.step(tactic="rw [Nat.add_comm]") == [("conv", "b + a"), ("conv", "c1")]
    assert s.step(tactic="rfl") == [("conv", "c1")]
    assert s.step(tactic="rfl") == [("tactic", "b + a + c1 = b + a + c2")]
    assert s.step(tactic="exact h") == []
    assert s.ask("goal.print", stateId=s.state, rootExpr=True)["rootHasMVar"] is False


def test_conv_leaves_side_goals_and_can_be_left() -> None:
    s = Session("∀ (p : Prop) (x y z : Nat), p → (p → x = y) → x + z = y + z ∧ p", "intro p x y z hp hi")
    s.step(tactic="apply And.intro")
    s.step(mode="conv")
    s.step(tactic="rhs")
    assert s.step(tactic="arg 1") == [("conv", "y"), ("tactic", "p")]
    assert len(s.step(tactic="rw [← hi]")) == 3
    assert s.step(tactic="rfl") == [("tactic", "p"), ("tactic", "p")]
    assert s.step(tactic="exact hp") == [("tactic", "p")]
    assert s.step(tactic="exact hp") == []

    s = Session("∀ (a b : Nat), a + b = b + a + 0", "intro a b")
    s.step(mode="conv")
    s.step(tactic="lhs; rw [Nat.add_comm]")
    assert s.step(mode="tactic") == [("tactic", "b + a = b + a + 0")]  # as Pantograph's own client expects it
    assert s.step(tactic="rfl") == []


def test_calc_by_steps() -> None:
    s = Session("∀ (a b c d : Nat), a + b = b + c → b + c = c + d → a + b = c + d", "intro a b c d h k")
    assert s.step(mode="calc") == [("calc", "a + b = c + d")]
    assert s.step(tactic="a + b = b + c") == [("tactic", "a + b = b + c"), ("calc", "b + c = c + d")]
    assert s.step(tactic="exact h") == [("calc", "b + c = c + d")]
    assert s.step(tactic="_ = c + d") == [("tactic", "b + c = c + d")]
    assert s.step(tactic="exact k") == []
    wrong = Session("∀ (a b : Nat), a = b", "intro a b")
    wrong.step(mode="calc")
    answer = wrong.ask("goal.tactic", stateId=wrong.state, tactic="b = a")
    assert "invalid 'calc' step" in answer["messages"][0]["data"]


@pytest.mark.parametrize(("mode", "said"), [("tactic", "in no mode"), ("rewrite", "does not support")])
def test_modes_refused(mode: str, said: str) -> None:
    s = Session("1 = 1")
    answer = s.ask("goal.tactic", stateId=s.state, mode=mode)
    assert said in json.dumps(answer) and "nextStateId" not in answer


def test_draft_and_distil_open_a_goal_for_each_sorry() -> None:
    s = Session("∀ (p q : Prop), p ∧ q → q ∧ p")
    targets = s.step(draft="fun p q h => by\n  have hq : q := sorry\n  exact ⟨hq, sorry⟩")
    assert targets == [("tactic", "q"), ("tactic", "p")]
    assert s.step(tactic="exact h.2") == [("tactic", "p")]
    assert s.step(tactic="exact h.1") == []
    text = "theorem x (p q : Prop) (h : p ∧ q) : q ∧ p := by\n  constructor\n  · sorry\n  · exact h.1"
    (target,) = s.ask("frontend.distil", file=text, ignoreValues=False)["targets"]
    s.state = target["stateId"]
    assert s.step(tactic="exact h.2") == []
    (target,) = s.ask("frontend.distil", file=text)["targets"]
    assert target["goals"][0]["target"]["pp"] == "∀ (p q : Prop), p ∧ q → q ∧ p"


def units(text: str) -> list[tuple[list[int], list[str]]]:
    answer = Repl().handle(f"frontend.process {json.dumps({'file': text})}")
    return [(u["boundary"], [m["data"] for m in u["messages"]]) for u in answer["units"]]


def test_declarations_need_no_line_of_their_own() -> None:
    indented = units("theorem a : 1 = 1 := rfl\n  theorem b : 2 = 2 := by\n    rfl\n#print axioms b")
    assert indented == [([0, 27], []), ([27, 59], []), ([59, 74], ["'b' does not depend on any axioms"])]
    assert [b for b, _ in units("theorem a : 1 = 1 := rfl theorem b : 2 = 2 := rfl")] == [[0, 25], [25, 49]]
    hidden = units("example : 1 = 1 := by\n  exact rfl\n  axiom bad : False\ntheorem c : False := bad")
    assert hidden[1][1] == ["minilean does not support the command `axiom`"]
    assert hidden[2][1] == ["Unknown identifier `bad`"]
    assert len(units('theorem a : 1 = 1 := by\n  fail "theorem b"')) == 1
    assert units("private theorem a : 1 = 1 := rfl")[0][1] == ["minilean does not support the command `private`"]


def test_the_older_protocol_starts_from_theorem_text() -> None:
    argv = [sys.executable, "-m", "burnqed.minilean", "--protocol", "0.3.4"]
    assert subprocess.run([*argv, "--version"], capture_output=True, text=True, check=True).stdout == "0.3.4\n"
    text = "theorem x (p : Prop) : p → p := by\n  intro h\n  sorry"
    requests = [
        ("frontend.process", {"file": text, "sorrys": True}),
        ("goal.tactic", {"stateId": 0, "tactic": "assumption"}),
        ("goal.tactic", {"stateId": 0, "tactic": "rfl"}),
        ("frontend.distil", {"file": text}),
    ]
    lines = "".join(f"{command} {json.dumps(payload)}\n" for command, payload in requests)
    done = subprocess.run(argv, input=lines, capture_output=True, text=True, check=True)
    ready, *answers = done.stdout.splitlines()
    process, closed, failed, unknown = map(json.loads, answers)
    assert ready == "ready."
    unit = process["units"][0]
    assert unit["goalSrcBoundaries"] == [[49, 54]] and unit["goals"][0]["target"]["pp"] == "p"
    assert unit["messages"][0]["data"] == "declaration uses 'sorry'"
    assert closed["goals"] == [] and closed["hasSorry"] is False
    assert failed["messages"][0]["data"].startswith("tactic 'rfl' failed, ")
    assert unknown == {"error": "command", "desc": "Unknown command frontend.distil"}
    wrong = subprocess.run([*argv[:-1], "0.2"], capture_output=True, text=True)
    assert wrong.returncode == 1 and "--protocol" in wrong.stderr
