"""The prover kind `lean` against a real Lean: its own server, in the sandbox, through the pool."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from open_files import open_files
from real_lean import PROVER, needs_lean

from burnqed.files import UserError
from burnqed.prover.commands import lake_variable
from burnqed.prover.jail.processes import descendants
from burnqed.prover.pool import LeanPool, Outcome, StatementError
from burnqed.prover.toolchain import Toolchain, find_lean
from burnqed.records.theorems import Theorem


def run(body: Callable[[LeanPool], Awaitable[None]], **values: Any) -> None:
    """Run a test body with a started pool; afterwards no process and no open file is left."""

    async def main() -> None:
        async with LeanPool(prover) as pool:
            await body(pool)

    prover = PROVER.model_copy(update={"workers": 1, "tactic_timeout": 120.0, **values})
    before = open_files()
    asyncio.run(main())
    assert open_files() - before == Counter()


SWAP = Theorem("swap", "∀ (p q : Prop), p ∧ q → q ∧ p")
HYPOTHESES = "p q : Prop\nh : p ∧ q"


@needs_lean
def test_a_proof_step_by_step() -> None:
    async def body(pool: LeanPool) -> None:
        session = await pool.open(SWAP)
        assert (session.root_text, session.root_goals) == ("⊢ ∀ (p q : Prop), p ∧ q → q ∧ p", 1)
        first = await session.apply(0, "intro p q h")
        assert (first.outcome, first.text, first.num_goals) == (Outcome.OK, f"{HYPOTHESES}\n⊢ q ∧ p", 1)
        assert first.state is not None
        wrong, split, done = await session.apply_many(first.state, ["exact h", "constructor", "exact ⟨h.2, h.1⟩"])
        assert wrong.outcome is Outcome.ERROR and "Type mismatch" in wrong.message and wrong.state is None
        assert split.text == f"case left\n{HYPOTHESES}\n⊢ q\n\ncase right\n{HYPOTHESES}\n⊢ p"
        assert split.num_goals == 2 and split.state is not None
        assert (done.outcome, done.text) == (Outcome.PROVED, "")
        left = await session.apply(split.state, "exact h.2")
        assert left.text == f"case right\n{HYPOTHESES}\n⊢ p" and left.state is not None
        session.drop([split.state])
        assert (await session.apply(left.state, "exact h.1")).outcome is Outcome.PROVED
        with pytest.raises(KeyError):
            await session.apply(split.state, "skip")

    run(body)


NEVER_PROVED = [
    "sorry",
    "intro p q h; exact sorry",
    "exact fun p q h => ⟨h.2, by sorry⟩",
    "intro p q h; constructor; sorry",
    "exact sorryAx _ true",
    "intro p q h; have : q := by",
    "intro p q h; have e : q := by\n  skip\nexact ⟨e, h.1⟩",
    "exact fun p q h => ⟨h.2, by",
    "intro p q h; exact ⟨h.2, _⟩",
    "intro p q h; exact ⟨h.2, ?x⟩; exact foo",
    "skip)\ntheorem x : True := by (trivial",
    "sorry)\n\nexample : True := by\n  (trivial",
    "exact burnqed_statement",
    "/-",
    "",
    "-- nothing",
]


@needs_lean
def test_all_threads_of_a_worker_run_in_long_turns_on_one_core() -> None:
    async def body() -> None:
        pool = LeanPool(PROVER.model_copy(update={"workers": 1}))
        core = pool._cores[0]
        pool._cores = [core]
        async with pool:
            session = await pool.open(SWAP)
            assert (await session.apply(0, "intro p q h")).outcome is Outcome.OK
            life = pool._workers[0].life
            assert life is not None
            found = []
            for pid in descendants(life.pid):
                for each in Path(f"/proc/{pid}/task").iterdir():
                    with suppress(ProcessLookupError):  # a thread may end meanwhile
                        found.append((os.sched_getscheduler(int(each.name)), os.sched_getaffinity(int(each.name))))
            assert len(found) > 2
            assert all(one == (os.SCHED_BATCH, {core}) for one in found)

    asyncio.run(body())


@needs_lean
def test_what_is_never_proved() -> None:
    async def body(pool: LeanPool) -> None:
        session = await pool.open(SWAP)
        for tactic in NEVER_PROVED:
            result = await session.apply(0, tactic)
            assert result.outcome is not Outcome.PROVED, tactic
            assert result.outcome is Outcome.ERROR or result.text == session.root_text, tactic
            assert (await session.apply(0, "exact fun p q h => ⟨h.2, h.1⟩")).outcome is Outcome.PROVED, tactic

    run(body)


DISGUISES = [  # on a false statement: nothing may prove it, and a step that hides a hole is none
    "intro p q h; admit",
    "intro p q h; first | exact h | sorry",
    "intro p q h; try sorry",
    "intro p q h; constructor <;> sorry",
    "intro p q h; constructor\nall_goals (try sorry)",
    "intro p q h; refine ⟨?_, sorry⟩",
    "intro p q h; exact (fun x => x) sorry",
    "intro p q h; have f : False := by sorry\nexact f.elim",
    "intro p q h; have f : False := by\n  stop\n  trivial\nexact f.elim",
    "intro p q h; show_term sorry",
    "intro p q h; open Classical in sorry",
    "intro p q h; set_option autoImplicit true in sorry",
    "intro p q h; apply?",
    "intro p q h; exact?",
    "intro p q h; decide",
    "intro p q h; native_decide",
    "intro p q h; exact lcProof",
    "intro p q h; exact burnqed_statement p q h",
    "exact burnqed_statement",
    "intro p q h; exact (by assumption : p ∧ q)",
    "intro p q h; constructor; all_goals first | assumption | exact (by simp_all)",
    "intro p q h; cases h <;> constructor <;> (try assumption) <;> exact id (by assumption)",
    "intro p q h; let rec f : p ∧ q := f; exact f",
    "run_tac sorry",
    "intro p q h; exact ⟨h.elim id (fun _ => _), h.elim (fun _ => _) id⟩",
]


@needs_lean
def test_a_false_statement_is_not_proved_in_any_disguise() -> None:
    async def body(pool: LeanPool) -> None:
        session = await pool.open(Theorem("false", "∀ (p q : Prop), p ∨ q → p ∧ q"))
        results = await session.apply_many(0, DISGUISES)
        taken = [tactic for tactic, r in zip(DISGUISES, results, strict=True) if r.outcome is not Outcome.ERROR]
        assert taken == [], results
        harmless = await session.apply_many(
            0, ["intro p q h -- sorry", "intro stopped admitted h", "intro p q /- admit -/ h"]
        )
        assert [r.outcome for r in harmless] == [Outcome.OK] * 3

    run(body)


@needs_lean
def test_theorems_share_a_worker_and_keep_their_headers() -> None:
    mine = "def twice (n : Nat) : Nat := n + n\nopen Nat"

    async def body(pool: LeanPool) -> None:
        one = await pool.open(Theorem("one", "twice 2 = 4", mine))
        other = await pool.open(SWAP)
        assert (one.root_text, other.root_text) == ("⊢ twice 2 = 4", "⊢ ∀ (p q : Prop), p ∧ q → q ∧ p")
        for _ in range(2):
            assert (await one.apply(0, "rfl")).outcome is Outcome.PROVED
            assert (await other.apply(0, "exact twice")).outcome is Outcome.ERROR
        with pytest.raises(StatementError, match=r"header refused.*nowhere"):
            await pool.open(Theorem("bad", "True", "open nowhere"))
        with pytest.raises(StatementError, match=r"header refused.*unknown module prefix 'No'"):
            await pool.open(Theorem("bad", "True", "import No.Such"))
        with pytest.raises(StatementError, match=r"Nat\.nothing"):
            await pool.open(Theorem("bad", "Nat.nothing = 1"))
        assert (await one.apply(0, "rfl")).outcome is Outcome.PROVED

    run(body)


PROJECT = {
    "Colours/Basic.lean": "inductive Colour\n  | red\n  | green\n\ndef Colour.flip : Colour → Colour\n  | .red => .green\n  | .green => .red\n",
    "Colours/Laws.lean": "import Colours.Basic\n\ntheorem Colour.flip_flip (c : Colour) : c.flip.flip = c := by cases c <;> rfl\n",
    "Colours.lean": "import Colours.Basic\nimport Colours.Laws\n\nnamespace Colours\ndef favourite : Colour := .green\nend Colours\n",
}


def build(folder: Path, lean: Toolchain) -> None:
    """Compile the modules of the project, each after its imports, as `lake build` would."""
    for name, text in PROJECT.items():
        source = folder / name
        source.parent.mkdir(exist_ok=True, parents=True)
        source.write_text(text, encoding="utf-8")
        environment = dict(lean.environment)
        environment["LEAN_PATH"] = os.pathsep.join([str(folder), *filter(None, [environment.get("LEAN_PATH")])])
        output = str(source.with_suffix(".olean"))
        subprocess.run([*lean.lean, "-R", str(folder), "-o", output, str(source)], env=environment, check=True)


@needs_lean
def test_theorems_of_a_project_with_several_modules(tmp_path: Path) -> None:
    project = tmp_path / "project"  # its parent is closed to others, and so to a worker
    build(project, find_lean(PROVER))
    laws, favourite = "import Colours.Laws\nopen Colour", "import Colours\nopen Colours"

    async def body(pool: LeanPool) -> None:
        one = await pool.open(Theorem("one", "∀ c : Colour, flip (flip (flip c)) = flip c", laws))
        other = await pool.open(Theorem("other", "favourite.flip = .red", favourite))
        third = await pool.open(SWAP)
        assert one.root_text == "⊢ ∀ (c : Colour), c.flip.flip.flip = c.flip"
        for _ in range(2):
            assert (await one.apply(0, "exact fun c => flip_flip (flip c)")).outcome is Outcome.PROVED
            assert (await other.apply(0, "rfl")).outcome is Outcome.PROVED
            assert (await third.apply(0, "exact Colour")).outcome is Outcome.ERROR
        with pytest.raises(StatementError, match=r"header refused.*Colours\.Nothing.*built with `lake build`"):
            await pool.open(Theorem("bad", "True", "import Colours.Nothing"))

    run(body, lean_path=str(project))
    (project / "Colours" / "Laws.olean").write_bytes(b"not compiled by this Lean")
    with pytest.raises(UserError, match=r"other Lean version|another Lean version"):
        run(body, lean_path=str(project), imports=["Colours.Laws"])


@needs_lean
def test_a_project_gives_its_own_toolchain_and_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`lake` and the toolchain are scripts here; what they lead to is the Lean in use."""
    lean = find_lean(PROVER)
    project, tools = tmp_path / "project", tmp_path / "tools" / "bin"
    build(project, lean)
    tools.mkdir(parents=True)
    found = os.pathsep.join(["build/..", dict(lean.environment).get("LEAN_PATH", "")])
    (project / "build").mkdir()
    scripts = {
        "lean": f'exec {" ".join(lean.lean)} "$@"',
        "lake": f'case "$3" in LEAN_PATH) echo "{found}";; LEAN_SYSROOT) echo {tools.parent};; *) exit 1;; esac',
    }
    for name, script in scripts.items():
        (tools / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (tools / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    (tools / "lean").rename(tools.parent / "elsewhere")  # what is on PATH does not count

    async def body(pool: LeanPool) -> None:
        session = await pool.open(Theorem("t", "Colour.red.flip = .green"))
        assert (await session.apply(0, "rfl")).outcome is Outcome.PROVED

    values = {"project": str(project), "imports": ["Colours"], "sandbox": "off"}
    with pytest.raises(UserError, match="run `lake build` there first"):
        run(body, **values)
    (tools.parent / "elsewhere").rename(tools / "lean")
    run(body, **values)
    with pytest.raises(UserError, match=r"Colours\.More.*built with `lake build`"):
        run(body, **{**values, "imports": ["Colours.More"]})
    (tools / "lake").unlink()
    lake_variable.cache_clear()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    with pytest.raises(UserError, match="`lake` is not on PATH; install Lean"):
        run(body, **values)
