"""The 51 exchanges of Pantograph's own integration tests, in order, against minilean.

`minilean_exchanges.jsonl` holds requests and answers as values, from leanprover/Pantograph's
Test/Integration.lean (commit 8cd15ee, after 0.3.6). Inside the fragment the answer must be the same as parsed JSON, names
of fresh variables aside; outside it must be a well-formed error.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from burnqed.minilean.repl import Repl

EXCHANGES = Path(__file__).with_name("minilean_exchanges.jsonl")
# universe levels and pairs (0, 38, 39, 45), s-expressions (3), calc and conv modes (31, 32, 33)
OUTSIDE = [0, 3, 31, 32, 33, 38, 39, 45]


def plain(value: Any) -> Any:
    """An answer without the numbers of fresh names."""
    return json.loads(re.sub(r"(_uniq|\?m)\.\d+", r"\1", json.dumps(value)))


def test_recorded_exchanges(tmp_path: Path) -> None:
    lines = EXCHANGES.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 51
    repl, test, same = Repl(), "", []
    for number, line in enumerate(lines):
        row = json.loads(line.replace("<tmp>", str(tmp_path)))
        if row["test"] != test:
            repl, test = Repl(), row["test"]
        answer = repl.handle(f"{row['cmd']} {json.dumps(row['payload'])}")
        if plain(answer) == plain(row["response"]):
            same.append(number)
        else:
            assert set(answer) == {"error", "desc"}, (number, answer)
            assert all(isinstance(text, str) and text for text in answer.values())
            assert answer["error"] not in ("internal", "main"), (number, answer)
    assert sorted(set(range(51)) - set(same)) == OUTSIDE


def ask(repl: Repl, command: str, **payload: Any) -> dict[str, Any]:
    return repl.handle(f"{command} {json.dumps(payload)}")


def said(repl: Repl, text: str) -> list[str]:
    units = ask(repl, "frontend.process", file=text, inheritEnv=True)["units"]
    return [f"{m['severity']}: {m['data']}" for unit in units for m in unit["messages"]]


def test_definitions_unfold_and_are_checked() -> None:
    repl = Repl()
    assert said(repl, "def twice (n : Nat) : Nat := n + n\ntheorem four : twice 2 = 4 := rfl\n") == []
    assert said(repl, "example (n : Nat) : twice n = n + n := by\n  unfold twice\n  rfl\n") == []
    assert said(repl, "theorem five : twice 2 = 5 := by decide")[0].startswith("error")
    assert said(repl, "def loop (n : Nat) : Nat := loop n") == ["error: Unknown identifier `loop`"]
    assert said(repl, "def twice : Nat := 0") == ["error: `twice` has already been declared"]
    assert said(repl, "def Nat.add (a b : Nat) : Nat := 0")[0].endswith("already been declared")
    assert said(repl, "def true : Nat := 0")[0].endswith("already been declared")
    assert said(repl, "def wrong : Nat := fun x => x")[0].startswith("error")


def test_what_rests_on_a_definition_by_sorry_says_so() -> None:
    repl = Repl()
    text = "def f : Nat → Nat := sorry\ntheorem same : f 0 = f 0 := rfl\n#print axioms same"
    assert said(repl, text) == [
        "warning: declaration uses `sorry`",
        "information: 'same' depends on axioms: [sorryAx]",
    ]
    assert said(repl, "theorem known : f 0 = 0 := rfl")[0].startswith("error")


def test_env_add_goes_through_the_kernel() -> None:
    repl = Repl()
    assert ask(repl, "env.add", name="t", type="1 + 1 = 2", value="rfl", isTheorem=True) == {}
    ask(repl, "goal.start", expr="2 = 1 + 1")
    assert ask(repl, "goal.tactic", stateId=0, tactic="exact t.symm")["goals"] == []
    for name, type_, value in (
        ("bad", "1 + 1 = 3", "rfl"),
        ("notfact", "Nat", "3"),
        ("t", "1 = 1", "rfl"),
        ("u", "1 = 1", "?x"),
    ):
        answer = ask(repl, "env.add", name=name, type=type_, value=value, isTheorem=True)
        assert answer["error"] == "elab", answer
    assert ask(repl, "env.inspect", name="bad")["error"] == "index"


def test_track_compares_definitions() -> None:
    src = "def f : Nat -> Nat := sorry\ntheorem property (n : Nat) : f n = n + 1 := sorry\n"
    good = "def f (x : Nat) := x + 1\ntheorem property (n : Nat) : f n = n + 1 := rfl\n"
    changed = "def f (x : Nat) := x + 1\ntheorem property (n : Nat) : 0 = 0 := rfl\n"
    found = ask(Repl(), "frontend.track", src=src, dst=good)
    assert "failure" not in found and found["dstMessages"] == []
    assert ask(Repl(), "frontend.track", src=src, dst=changed)["failure"] == "Type clash of property"
