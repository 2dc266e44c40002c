"""minilean driven in the way of PyPantograph's `Server` (0.3.15), not of our own client.

The habits that matter: the program gets module names and `--option`s as arguments and is called by a path;
standard error is inherited; the first line must be `ready.`; options are sent only when there are any; a line
is `COMMAND {json}` with unescaped Unicode; exactly one line is read per request; every field of a goal is read
by key; states are collected and deleted in one `goal.delete`; the process is ended by SIGTERM, without a word.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
LIMIT = 60.0


class Failure(Exception):
    """A tactic failed; the arguments are what the server sent."""


class Foreign:
    """The foreign client: no more than what its users see."""

    def __init__(self, process: asyncio.subprocess.Process, timeout: float) -> None:
        self.process, self.timeout = process, timeout
        self.dropped: list[int] = []

    @classmethod
    async def start(
        cls,
        folder: Path,
        options: dict[str, Any] | None = None,
        arguments: tuple[str, ...] = (),
        timeout: float = LIMIT,
    ) -> Foreign:
        program = folder / "pantograph-repl"
        program.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m burnqed.minilean "$@"\n')
        program.chmod(0o755)
        process = await asyncio.create_subprocess_exec(
            program, "Init", *arguments,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, cwd=folder, limit=1_000_000,
        )  # fmt: skip
        self = cls(process, timeout)
        assert process.stdout is not None
        assert (await asyncio.wait_for(process.stdout.readline(), LIMIT)).decode().strip() == "ready."
        if options:
            await self.run("options.set", options)
        return self

    async def run(self, command: str, payload: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{command} {json.dumps(payload, ensure_ascii=False)}\n".encode())
        await self.process.stdin.drain()
        line = await asyncio.wait_for(self.process.stdout.readline(), self.timeout)
        answer = json.loads(line.decode().strip())
        if "error" in answer:
            raise RuntimeError(answer)
        return dict(answer)

    async def tactic(self, state: int, **arguments: Any) -> tuple[int, list[dict[str, Any]]]:
        answer = await self.run("goal.tactic", {"stateId": state, **arguments})
        if "parseError" in answer:
            raise Failure(answer["parseError"])
        if "goals" not in answer:
            raise Failure(*((m["severity"], m["pos"]["line"], m["kind"], m["data"]) for m in answer["messages"]))
        if answer["hasSorry"] or answer["hasUnsafe"]:
            await self.run("goal.delete", {"stateIds": [answer["nextStateId"]]})
            raise Failure("sorry")
        return answer["nextStateId"], answer["goals"]

    async def collect(self) -> None:
        await self.run("goal.delete", {"stateIds": self.dropped})
        self.dropped.clear()

    def close(self) -> None:
        self.process.terminate()


def text(goal: dict[str, Any]) -> str:
    """One goal as that client prints it; a missing key is an error."""
    assert goal["fragment"] == "tactic" and goal["name"].startswith("_uniq.")
    lines = [f"case {goal['userName']}"] if goal.get("userName") else []
    for variable in goal["vars"]:
        assert set(variable) >= {"name", "userName", "isInaccessible", "type"}
        lines.append(f"{variable['userName']} : {variable['type']['pp']}")
    return "\n".join([*lines, f"⊢ {goal['target']['pp']}"])


def drive(body: Callable[[Foreign], Awaitable[None]], folder: Path, **values: Any) -> None:
    """Run a body with a started client; afterwards SIGTERM has ended the process."""

    async def main() -> None:
        client = await Foreign.start(folder, **values)
        try:
            await body(client)
        finally:
            client.close()
            assert await asyncio.wait_for(client.process.wait(), 10) in (-15, 0)

    asyncio.run(main())


def test_a_proof_with_goal_ids_and_branches(tmp_path: Path) -> None:
    async def body(client: Foreign) -> None:
        start = await client.run("goal.start", {"expr": "forall (p q: Prop), Or p q -> Or q p"})
        assert start["stateId"] == 0
        one, goals = await client.tactic(0, tactic="intro a b h")
        assert [text(goal) for goal in goals] == ["a : Prop\nb : Prop\nh : a ∨ b\n⊢ b ∨ a"]
        two, goals = await client.tactic(one, tactic="cases h")
        assert [text(goal) for goal in goals] == [
            "case inl\na : Prop\nb : Prop\nh✝ : a\n⊢ b ∨ a",
            "case inr\na : Prop\nb : Prop\nh✝ : b\n⊢ b ∨ a",
        ]
        three, goals = await client.tactic(two, tactic="apply Or.inl", goalId=1)
        assert [goal["target"]["pp"] for goal in goals] == ["b", "b ∨ a"]
        four, goals = await client.tactic(three, tactic="assumption")
        assert [goal.get("userName") for goal in goals] == ["inl"]
        assert await client.tactic(four, tactic="exact Or.inr (by assumption)") == (5, [])
        assert await client.tactic(two, tactic="all_goals simp_all") == (6, []), "another branch of the same state"
        whole = await client.run("goal.print", {"stateId": 5, "rootExpr": True})
        assert "Or.inl" in whole["root"]["pp"] and whole["rootHasMVar"] is False
        client.dropped += [0, one, two, 99]
        await client.collect()
        assert (await client.run("stat", {}))["nGoals"] == 4
        with pytest.raises(RuntimeError, match="Invalid state index 0"):
            await client.tactic(0, tactic="intro p")
        assert (await client.run("reset", {}))["nGoals"] == 4
        assert (await client.run("goal.start", {"expr": "∀ (n : Nat), n = n"}))["stateId"] == 0

    drive(body, tmp_path)


def test_failures_sorry_and_terms(tmp_path: Path) -> None:
    async def body(client: Foreign) -> None:
        await client.run("goal.start", {"expr": "∀ (p : Prop), p → p"})
        with pytest.raises(Failure, match="unknown tactic"):
            await client.tactic(0, tactic="frobnicate")
        with pytest.raises(Failure) as failed:
            await client.tactic(0, tactic="exact 3")
        severity, line, kind, data = failed.value.args[0]
        assert (severity, line, kind) == ("error", 0, "[anonymous]") and data
        with pytest.raises(Failure, match="sorry"):
            await client.tactic(0, tactic="sorry")
        with pytest.raises(RuntimeError, match="Exactly one of"):
            await client.tactic(0, tactic="intro p", expr="fun p h => h")
        with pytest.raises(RuntimeError, match="Unknown command"):
            await client.run("no.such", {})
        assert (await client.tactic(0, expr="fun z h => h"))[1] == []
        state, _ = await client.tactic(0, tactic="intro p h")
        _, goals = await client.tactic(state, have="p ∧ p", binderName="both")
        assert [text(goal).splitlines()[-2:] for goal in goals] == [
            ["h : p", "⊢ p ∧ p"],
            ["both : p ∧ p", "⊢ p"],
        ]

    drive(body, tmp_path)


def test_manual_mode_and_continue(tmp_path: Path) -> None:
    async def body(client: Foreign) -> None:
        await client.run("goal.start", {"expr": "∀ (p q : Prop), p → q → p ∧ q"})
        one, _ = await client.tactic(0, tactic="intro p q hp hq")
        two, goals = await client.tactic(one, tactic="constructor")
        assert [goal["userName"] for goal in goals] == ["left", "right"]
        three, goals = await client.tactic(two, tactic="exact hp")
        assert goals == [], "the other goal is dormant"
        answer = await client.run("goal.continue", {"target": three, "branch": two})
        assert [goal["userName"] for goal in answer["goals"]] == ["right"]
        _, goals = await client.tactic(two, tactic="exact hp", autoResume=True)
        assert [goal["userName"] for goal in goals] == ["right"]
        named = await client.run("goal.continue", {"target": three, "goals": [goals[0]["name"]]})
        assert (await client.tactic(named["nextStateId"], tactic="exact hq"))[1] == []

    drive(body, tmp_path, options={"automaticMode": False})


def test_whole_files(tmp_path: Path) -> None:
    async def body(client: Foreign) -> None:
        source = "theorem mystery (p: Prop) : p → p := sorry"
        found = await client.run("frontend.distil", {"file": source, "ignoreValues": True})
        assert [text(goal) for goal in found["targets"][0]["goals"]] == ["⊢ ∀ (p : Prop), p → p"]
        file = {"file": "example (p: Prop) : p -> p := id", "newConstants": False, "readHeader": False}
        (unit,) = (await client.run("frontend.process", {**file, "inheritEnv": False}))["units"]
        assert unit["messages"] == []
        proof = tmp_path / "proof.lean"
        proof.write_text("import Init\n\nexample (p : Prop) : p → p := by\n  intro h\n  exact h\n")
        traced = {"fileName": str(proof), "invocations": str(tmp_path / "steps.json"), "readHeader": True}
        await client.run("frontend.process", {**traced, "inheritEnv": False, "newConstants": False})
        units = json.loads((tmp_path / "steps.json").read_text())["units"]
        assert [step["tactic"] for step in units[-1]["invocations"]] == ["intro h", "exact h"]
        await client.run("frontend.process", {"file": "open Nat\ndef two : Nat := 2", "inheritEnv": True})
        assert (await client.run("env.inspect", {"name": "two", "source": True}))["type"] == {"pp": "Nat"}
        await client.run("goal.start", {"expr": "∀ (n : Nat), n + 1 = n.succ"})
        kept = "def f : Nat := sorry"
        assert (await client.run("frontend.track", {"src": kept, "dst": "def f : Nat := 1"})).get("failure") is None
        with pytest.raises(RuntimeError):
            await client.run("goal.start", {"expr": "no such thing"})

    drive(body, tmp_path, arguments=("--pp.unicode.fun=true",))


def test_a_time_limit_and_the_end_by_sigterm_in_the_middle_of_work(tmp_path: Path) -> None:
    slow = "iterate 500 (have h : 2 ^ 64 * 3 ^ 40 + 1 = 1 + 3 ^ 40 * 2 ^ 64 := by omega)"

    async def body(client: Foreign) -> None:
        await client.run("goal.start", {"expr": "∀ (n : Nat), n * 0 = 0"})
        with pytest.raises(RuntimeError, match="interrupt"):
            await client.tactic(0, tactic=slow)
        assert (await client.tactic(0, tactic="intro n; rfl"))[1] == [], "the state is as good as before"
        client.timeout = 0.05
        await client.run("options.set", {"timeout": 0})
        with pytest.raises(TimeoutError):
            await client.tactic(0, tactic=slow)

    drive(body, tmp_path, options={"timeout": 30})
