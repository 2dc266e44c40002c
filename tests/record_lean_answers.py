"""Write down what `lean --json` itself says of tactics: the file tests/data/lean_answers.json.

Run as: python tests/record_lean_answers.py. One file of Lean per case: the theorem, its path and the
tactic as a user would write them, one below the other. The answers are those of the Lean in use.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from burnqed.config import ProverSettings
from burnqed.prover.toolchain import find_lean

Case = tuple[str, str, list[str], str]  # header, statement, path, tactic
OUTPUT = Path(__file__).parent / "data" / "lean_answers.json"

SHAPES = """inductive Colour
  | red
  | green
inductive Tree
  | leaf : Tree
  | node : Tree → Nat → Tree → Tree
def Tree.size : Tree → Nat
  | .leaf => 0
  | .node l _ r => l.size + 1 + r.size
def double : Nat → Nat
  | 0 => 0
  | n + 1 => double n + 2
variable (a0 : Nat)
theorem helper (n : Nat) : n + 0 = n := rfl"""

# (header, statement, path, tactics): each tactic is tried on the state that the path leads to.
PROBES = ["skip", "intro x", "constructor", "assumption", "rfl", "exact h", "contradiction", "simp only []", "trivial"]
SPECS: list[tuple[str, str, list[str], list[str]]] = [
    ("", "∀ (p q : Prop), p ∧ q → q ∧ p", [], [*PROBES, "intro p q h", "intro p q ⟨a, b⟩", "rintro p q ⟨hp, hq⟩",
        "intro p q h; exact ⟨h.2, h.1⟩", "intro p q h\nconstructor\n· exact h.2\n· exact h.1",
        "intro p q h\nconstructor\n· exact h.2", "intro p q h <;> constructor", "exact fun p q h => ⟨h.2, h.1⟩",
        "exact fun p q h => ⟨h.2, ?a⟩", "refine fun p q h => ⟨?_, ?_⟩", "refine fun p q h => ⟨?left, h.1⟩",
        "refine fun p q h => ⟨_, h.1⟩", "intros", "intro p q", "intro p _", "intro", "intro _ _ ⟨_, _⟩",
        "show ∀ (a b : Prop), a ∧ b → b ∧ a", "sorry", "intro p q h; sorry", "intro p q h; exact ⟨sorry, h.1⟩",
        "intro p q h; have e : q := by\n  sorry\nexact ⟨e, h.1⟩", "exact And.comm.mp", "intro p q h; cases h; sorry",
        "foo", "intro p q h; exact h.3", "exact", "intro p q h; ", "by_cases h : True",
        "have e : True := trivial", "have : 1 = 1 := by", "suffices h : True from fun p q k => ⟨k.2, k.1⟩"]),
    ("", "∀ (p q r : Prop), (p ∨ q) ∧ r → (p ∧ r) ∨ (q ∧ r)", ["intro p q r h", "obtain ⟨h1, h2⟩ := h"],
        [*PROBES, "cases h1", "cases h1 with\n| inl a => left; exact ⟨a, h2⟩\n| inr b => right; exact ⟨b, h2⟩",
        "cases h1 with | inl a => ?_ | inr b => ?_", "rcases h1 with a | b", "rcases h1 with (a | b) <;> simp_all",
        "rcases h1 with a | b\n· left\n  exact ⟨a, h2⟩", "left", "right", "exact Or.inl ⟨h1, h2⟩", "revert h1",
        "match h1 with\n| .inl a => exact .inl ⟨a, h2⟩\n| .inr b => exact .inr ⟨b, h2⟩", "exfalso", "clear h2",
        "rename_i x", "cases h1 <;> rename_i a", "rename r => s", "by_cases k : p", "refine Or.elim h1 ?_ ?_",
        "apply Or.elim h1", "apply Or.elim", "apply Or.inl", "have k := h1.symm", "specialize h1 h2",
        "cases h1\n· left; constructor\n  · assumption\n  · assumption\n· right; exact ⟨by assumption, h2⟩",
        "all_goals left", "try left", "first | exact h1 | left", "repeat left", "· left", "swap", "rotate_left"]),
    ("", "∀ (p q r : Prop), (p ∨ q) ∧ r → (p ∧ r) ∨ (q ∧ r)", ["intro p q r h", "cases h.1"],
        ["skip", "left", "· left; constructor; assumption; exact h.2", "case inl a => left; exact ⟨a, h.2⟩",
        "case inr b => exact Or.inr ⟨b, h.2⟩", "case inr b =>\n  right", "rename_i a", "all_goals rename_i a",
        "all_goals simp_all", "swap", "rotate_left", "any_goals left", "next a => exact Or.inl ⟨a, h.2⟩",
        "case inl a => left", "case nope => skip", "pick_goal 2", "all_goals sorry", "sorry", "exfalso",
        "all_goals (first | exact Or.inl ⟨‹_›, h.2⟩ | exact Or.inr ⟨‹_›, h.2⟩)", "on_goal 2 => skip",
        "case' inl a => left", "iterate 2 skip", "constructor"]),
    ("", "∃ x : Nat, x + 2 = 5", [], ["skip", "exists 3", "exact ⟨3, rfl⟩", "refine ⟨?_, ?_⟩", "refine ⟨3, ?_⟩", "constructor",
        "apply Exists.intro", "apply Exists.intro 3", "refine ⟨_, rfl⟩", "exact ⟨_, rfl⟩", "exists 4", "decide",
        "use 3", "refine Exists.intro ?w ?h", "apply Exists.intro; rfl", "exact ⟨3, by decide⟩",
        "exact ⟨3, by\n  skip\n  rfl⟩", "apply Exists.intro\ncase w => exact 3", "have ⟨y, hy⟩ : ∃ y : Nat, y = 3 := ⟨3, rfl⟩"]),
    ("", "∃ x : Nat, x + 2 = 5", ["apply Exists.intro"], ["skip", "case w => exact 3", "rfl", "swap", "rotate_left",
        "exact (rfl : 3 + 2 = 5)", "constructor", "all_goals skip", "exact 3"]),
    ("", "∀ a b c : Nat, a = b → b = c → c = a", ["intro a b c h k"], [*PROBES, "rw [h]", "rw [h, k]", "rw [← k]",
        "rw [h] at k", "rw [k] at h", "rw [nope]", "rw [h, h]", "subst h", "subst k", "subst h\nsubst k\nrfl", "exact (h.trans k).symm",
        "omega", "symm", "simp [h]", "simp only [h, k]", "simp_all", "simp [h, k]", "cases h", "cases h; cases k; rfl",
        "calc c = b := k.symm\n  _ = a := h.symm", "calc c = b := k.symm\n  _ = b := rfl", "exact Eq.symm (h ▸ k)",
        "apply Eq.trans", "apply Eq.symm", "generalize a = x", "generalize hx : a = x at h", "have := h.trans k",
        "have e : a = c := by\n  rw [h]\n  exact k", "have e : a = c := by\n  rw [h]", "conv => lhs\nskip",
        "conv =>\n  lhs\n  rw [← k]", "congr", "injection h", "change c = a", "show c = b", "show a = c", "exact h", "exact k.symm.trans h.symm",
        "induction a", "revert h", "clear h", "clear a", "unfold Nat.add", "delta Nat.add", "replace h := h.symm", "specialize h", "nofun"]),
    ("", "∀ n : Nat, 0 + n = n", ["intro n"], [*PROBES, "induction n", "induction n with\n| zero => rfl\n| succ n ih => rw [← Nat.add_assoc, ih]",
        "induction n with\n| zero => rfl\n| succ n ih => skip", "induction n with | zero => ?_ | succ n ih => ?_", "cases n", "cases n with\n| zero => rfl\n| succ m => rfl",
        "cases n <;> rfl", "simp", "simp only [Nat.zero_add]", "exact Nat.zero_add n", "exact Nat.zero_add _", "apply Nat.zero_add", "omega", "decide",
        "rw [Nat.zero_add]", "rcases n with _ | m", "match n with\n| 0 => rfl\n| m + 1 => exact Nat.zero_add _", "obtain _ | m := n", "induction n using Nat.rec",
        "induction n generalizing p", "cases h : n", "exact?", "revert n\nintro k", "unhygienic cases n"]),
    ("", "∀ n : Nat, 0 + n = n", ["intro n", "induction n with | zero => ?_ | succ k ih => ?_", "rfl"],
        ["skip", "rw [← Nat.add_assoc, ih]", "rw [ih]", "exact congrArg Nat.succ ih", "simp", "case succ => skip", "omega", "exact ih", "rw [Nat.add_succ, ih]", "rename_i x", "simp [ih]"]),
    ("", "∀ (f : Nat → Nat), (∀ x, f (x + 1) = f x) → f 3 = f 0", ["intro f h"], [*PROBES, "rw [h]", "rw [h, h]", "rw [h, h, h]",
        "rw [h 2]", "rw [h 0]", "rw [← h]", "simp [h]", "simp only [h]", "have := h 2", "have := h 2\nhave := h 1", "repeat rw [h]", "specialize h 2", "exact (h 2).trans ((h 1).trans (h 0))",
        "apply Eq.trans (h 2)", "refine (h 2).trans ?_", "refine (h _).trans ?_", "calc f 3 = f 2 := h 2\n  _ = f 1 := h 1\n  _ = f 0 := h 0", "calc f 3 = f 2 := h 2", "obtain k := h 0", "intro y", "funext", "unfold f"]),
    ("", "∀ (a b : Nat), a < b → ¬ b ≤ a", ["intro a b h"], [*PROBES, "intro k", "omega", "exact Nat.not_le_of_lt h", "exact Nat.not_le.mpr h", "simp", "simp [h]", "unfold Not", "push_neg", "by_contra k", "exact fun k => absurd h (by omega)", "cases h", "show ¬ b ≤ a", "have : a ≤ b := by omega", "decide", "exact fun k => Nat.lt_irrefl a (Nat.lt_of_lt_of_le h k)"]),
    ("", "∀ (α : Type) (P : α → Prop), (∀ x, P x) → ¬ ∃ x, ¬ P x", ["intro α P h"], [*PROBES, "intro ⟨x, k⟩", "rintro ⟨x, k⟩", "rintro ⟨x, k⟩; exact k (h x)", "intro k", "intro k; cases k", "intro k; obtain ⟨x, k⟩ := k; exact absurd (h x) k", "exact fun ⟨x, k⟩ => k (h x)", "exact fun ⟨x, k⟩ => k (h y)", "simp [h]", "simp"]),
    ("", "∀ xs : List Nat, xs ++ [] = xs", ["intro xs"], [*PROBES, "induction xs with\n| nil => rfl\n| cons x xs ih => simp", "cases xs", "cases xs with\n| nil => rfl\n| cons y ys => exact List.append_nil _", "exact List.append_nil xs", "simp", "rw [List.append_nil]", "induction xs"]),
    (SHAPES, "∀ t : Tree, t.size = t.size + 0", ["intro t"], ["skip", "rfl", "cases t", "cases t <;> rfl", "induction t with\n| leaf => rfl\n| node l x r hl hr => rfl", "induction t", "exact (helper _).symm", "rw [helper]", "simp", "unfold Tree.size", "cases t with\n| leaf => unfold Tree.size\n| node l x r => rfl", "exact helper"]),
    (SHAPES, "∀ c : Colour, c = .red ∨ c = .green", [], ["skip", "intro c; cases c <;> simp", "intro c; cases c", "intro c\ncases c with\n| red => left; rfl\n| green => right; rfl", "rintro (_ | _)", "decide", "intro c; cases c\n· left; rfl"]),
    (SHAPES, "∀ n, double n = n + n + a0 - a0", ["intro n"], ["skip", "induction n with\n| zero => simp [double]\n| succ n ih => rw [double, ih]; omega", "unfold double", "cases n", "simp [double]", "rw [double]", "show double n = n + n + a0 - a0"]),
    ("open Nat\nset_option maxRecDepth 2000", "succ 2 = 3", [], ["skip", "rfl", "decide", "simp", "exact succ_inj.mpr rfl", "norm_num", "show 3 = 3"]),
]  # fmt: skip


def indent(tactic: str) -> str:
    return "\n".join(f"  {line}" for line in tactic.split("\n"))


def source(header: str, statement: str, path: list[str], tactic: str) -> str:
    """Return the file of one case."""
    head = f"{header}\n\n" if header else ""
    return f"{head}theorem t : {statement} := by\n" + "".join(f"{indent(step)}\n" for step in [*path, tactic])


def answer(messages: list[dict[str, Any]], by: int, tactic: str) -> tuple[str, str]:
    """Return (verdict, goals) as the messages of Lean tell them; ``by`` is the line of the theorem's own `by`."""
    errors = [m for m in messages if m["severity"] == "error"]
    words = " ".join(str(m["data"]) for m in messages if m["severity"] == "warning")
    if not errors:
        return ("error", "") if "sorry" in words else ("proved", "")
    text = str(errors[0]["data"])
    hidden = "sorry" in tactic  # Lean warns of it only when no goal is left
    if len(errors) > 1 or errors[0]["pos"]["line"] != by or not text.startswith("unsolved goals\n") or hidden:
        return "error", ""
    return "ok", text.removeprefix("unsolved goals\n")


def ask(case: Case) -> dict[str, object]:
    """Return a case with the answer of a fresh Lean."""
    header, statement, path, tactic = case
    lean = find_lean(ProverSettings(kind="lean"))
    text = source(*case)
    by = text.split(":= by\n")[0].count("\n") + 1
    with tempfile.NamedTemporaryFile("w", suffix=".lean") as file:
        file.write(text)
        file.flush()
        environment = {**os.environ, **dict(lean.environment)}
        done = subprocess.run([*lean.lean, "--json", file.name], env=environment, capture_output=True, text=True)
    verdict, goals = answer([json.loads(line) for line in done.stdout.splitlines()], by, tactic)
    return {
        "header": header,
        "statement": statement,
        "path": path,
        "tactic": tactic,
        "verdict": verdict,
        "goals": goals,
    }


def record() -> list[dict[str, object]]:
    """Return all cases with their answers."""
    cases = [(header, statement, path, tactic) for header, statement, path, tactics in SPECS for tactic in tactics]
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(ask, cases))


def main() -> int:
    rows = record()
    OUTPUT.parent.mkdir(exist_ok=True)
    version = find_lean(ProverSettings(kind="lean")).version
    OUTPUT.write_text(
        json.dumps({"lean": version, "cases": rows}, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
    )
    counts = {verdict: sum(row["verdict"] == verdict for row in rows) for verdict in ("ok", "proved", "error")}
    print(f"{OUTPUT}: {len(rows)} cases by Lean {version}: {counts}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
