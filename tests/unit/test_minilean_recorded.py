"""What Pantograph itself answered, against minilean: exchanges of its tests and cells of its notebooks.

Inside the fragment an answer must be the same as parsed JSON, names of fresh variables aside; outside it must be
a well-formed error. The recordings of the two versions are answered by the two versions minilean speaks as.
"""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

from burnqed.minilean.repl import Repl

RECORDED = Path(__file__).resolve().parents[3] / "shared" / "data" / "pantograph"
pytestmark_recorded = pytest.mark.skipif(not RECORDED.is_dir(), reason="needs the recorded exchanges")
# universe levels (0, 38, 39, 45) and s-expressions (3)
OUTSIDE = [0, 3, 38, 39, 45]


def plain(value: Any) -> Any:
    """An answer without the numbers of fresh names."""
    return json.loads(re.sub(r"(_uniq|\?m)\.\d+", r"\1", json.dumps(value)))


def well_formed(answer: dict[str, Any]) -> bool:
    texts = all(isinstance(text, str) and text for text in answer.values())
    return set(answer) == {"error", "desc"} and texts and answer["error"] not in ("internal", "main")


@pytestmark_recorded
@pytest.mark.parametrize(
    ("name", "older", "total"),
    [("integration_exchanges_v0.3.x_late", False, 51), ("integration_exchanges_v0.3.4", True, 49)],
)
def test_recorded_exchanges(tmp_path: Path, name: str, older: bool, total: int) -> None:
    lines = (RECORDED / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == total
    repl, test, same = Repl(older), "", []
    for number, line in enumerate(lines):
        row = json.loads(line.replace("<tmp>", str(tmp_path)))
        if row["test"] != test:
            repl, test = Repl(older), row["test"]
        answer = repl.handle(f"{row['cmd']} {json.dumps(row['payload'])}")
        if plain(answer) == plain(row["response"]):
            same.append(number)
        else:
            assert well_formed(answer), (number, answer)
        for path, content in row.get("side_file", {}).items():
            assert json.loads(Path(path).read_text(encoding="utf-8")) == content
    assert sorted(set(range(total)) - set(same)) == OUTSIDE


def shown(goal: dict[str, Any]) -> str:
    """A goal as the Python client prints it in the notebooks."""
    tag = goal["userName"] + "\n" if "userName" in goal else ""
    lines = [f"{v['userName']} : {v['type']['pp']}" for v in goal["vars"]]
    return f"{tag}{chr(10).join(lines)}\n⊢ {goal['target']['pp']}"


def printed(goals: list[dict[str, Any]]) -> str:
    return "\n".join(map(shown, goals)).strip()


def cells() -> dict[tuple[str, int], dict[str, str]]:
    rows = (RECORDED / "pypantograph_notebook_outputs.jsonl").read_text(encoding="utf-8").splitlines()
    return {(row["notebook"], row["cell"]): row for row in map(json.loads, rows)}


@pytestmark_recorded
def test_notebooks(tmp_path: Path) -> None:
    """The cells that ask a server something; the others import, collect garbage or print the client's own text."""
    found = cells()
    assert len(found) == 28
    goal = {cell: row for (book, cell), row in found.items() if book == "doc/goal.ipynb"}
    same: list[int] = []
    repl = Repl()

    def step(state: int, **payload: Any) -> tuple[int, list[dict[str, Any]]]:
        answer = ask(repl, "goal.tactic", stateId=state, **payload)
        return answer["nextStateId"], answer["goals"]

    def start(expr: str) -> int:
        return int(ask(repl, "goal.start", expr=expr)["stateId"])

    def compare(cell: int, goals: list[dict[str, Any]]) -> None:
        assert printed(goals) == goal[cell]["out"].strip(), cell
        same.append(cell)

    first = start("forall (p q: Prop), Or p q -> Or q p")
    goals = step(first, tactic="intro a")[1]
    compare(6, goals)
    compare(8, goals[:1])
    compare(10, step(first, tactic="intro p q\nintro h\ncases h")[1])
    compare(11, step(first, tactic="intro p q h\nhave random : 1 + 1 = 2 := ?_\ncases h")[1])
    older = Repl(True)  # the wording is that of an older Lean
    ask(older, "goal.start", expr="forall (p q: Prop), Or p q -> Or q p")
    ask(older, "goal.tactic", stateId=0, tactic="intro a")
    said = ask(older, "goal.tactic", stateId=1, tactic="assumption")["messages"]
    assert f"0:0: error: {said[0]['data']}" == goal[13]["out"].strip().split("\n", 1)[1]
    same.append(13)
    state = start("forall (p : Prop), p -> p")
    for tactic in ("intro", "intro h", "exact h"):
        state, goals = step(state, tactic=tactic)
    assert goals == [] and "goals=[]" in goal[15]["out"]
    same.append(15)
    compare(19, step(start("1 + 1 = 2"), have="2 = 1 + 1", binderName="h")[1])
    compare(21, step(step(start("forall (p : Prop), p -> p"), tactic="intro p")[0], expr="fun h => h")[1])
    sketch = goal[23]["in"].split('"""')[1]
    target = ask(repl, "frontend.distil", file=sketch, ignoreValues=False)["targets"][0]
    compare(23, target["goals"])
    compare(24, step(target["stateId"], draft=goal[24]["in"].split('"""')[1])[1])
    assert well_formed(ask(repl, "frontend.distil", file=goal[26]["in"].split('"""')[1]))  # a subtype
    state = step(start("forall (p : Prop), p -> And p (Or p p)"), tactic="intro p h")[0]
    state, goals = step(state, tactic="apply And.intro")
    compare(28, goals)
    compare(30, step(state, tactic="exact h", goalId=0, autoResume=False)[1])
    compare(32, step(state, tactic="apply Or.inl", goalId=1)[1])
    state = step(start("∀ (a b: Nat), (b = 2) -> 1 + a + 1 = a + b"), tactic="intro a b h")[0]
    goals = step(step(state, mode="calc")[0], tactic="1 + a + 1 = a + 1 + 1")[1]
    listed = re.findall(
        r"target='([^']*)', sibling_dep=None, name=('calc'|None), mode=<TacticMode.(\w+)", goal[34]["out"]
    )
    assert [(g["target"]["pp"], repr(g.get("userName")), g["fragment"].upper()) for g in goals] == listed
    same.append(34)
    assert len(same) == 14

    file = {cell: row for (book, cell), row in found.items() if book == "doc/frontend.ipynb"}
    aesop, steps = file[5]["out"].split("#0: ")[1].split("#1: ")
    answer = ask(repl, "frontend.process", file=aesop.split("]\n", 1)[1])
    assert answer["units"][-1]["messages"][0]["severity"] == "error"  # cells 3 and 7: a tactic of another package
    side = tmp_path / "invocations"
    ask(repl, "frontend.process", file=steps.split("]\n", 1)[1], invocations=str(side))
    said = [x for unit in json.loads(side.read_text(encoding="utf-8"))["units"] for x in unit["invocations"]]
    wanted = re.findall(
        r"\[Before\]\n(.*?)\n\[Tactic\]\n(.*?) \(using .*?\)\n\[After\]\n(.*?)\n(?=\[|$)", file[8]["out"], re.DOTALL
    )
    # the notebook's printing drops the blank line between goals
    got = [tuple(x[k].replace("\n\n", "\n") for k in ("goalBefore", "tactic", "goalAfter")) for x in said]
    assert got == [tuple(x.strip() for x in entry) for entry in wanted] and len(got) == 6
    unit = ask(repl, "frontend.process", file=file[10]["in"].split('"""')[1])["units"]
    assert unit == [{"boundary": [0, 31], "messages": []}]
    ask(repl, "frontend.process", file=file[13]["in"].split('"""')[1], inheritEnv=True)
    inspected = ask(repl, "env.inspect", name="mystery", source=True)
    assert inspected == ast.literal_eval(file[13]["out"])
    for cell in (15, 16):
        src, dst = file[cell]["in"].split('"""')[1], file[cell]["in"].split('"""')[3]
        failure = ask(repl, "frontend.track", src=src, dst=dst).get("failure")
        assert f"failure={failure!r}" in file[cell]["out"]


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
