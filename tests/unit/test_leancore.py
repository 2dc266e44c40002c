"""The core library of the embedded Lean: every tactic that the docs list proves something, and nothing false."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from embedded_lean import needs_embedded_lean, run_lean

ROOT = Path(__file__).parents[2]
LEAN = ROOT / "tests" / "lean"
STANDARD_AXIOMS = {"propext", "Classical.choice", "Quot.sound"}
pytestmark = needs_embedded_lean


def blocks() -> dict[str, str]:
    """Return the text of each tactic's block in tests/lean/tactics.lean."""
    parts = re.split(r"^-- (\S+)$", (LEAN / "tactics.lean").read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def listed() -> set[str]:
    """Return the tactics that docs/leancore.md lists."""
    text = (ROOT / "docs" / "leancore.md").read_text(encoding="utf-8")
    section = text[text.index("## Tactics") : text.index("Missing:")]
    return set(re.findall(r"`([a-z_]+\??)`", section))


def test_each_tactic_of_the_docs_has_a_block_that_uses_it() -> None:
    found = blocks()
    assert listed() == set(found)
    assert [name for name, text in found.items() if not re.search(rf"\b{re.escape(name)}(?![a-z_?])", text)] == []


@pytest.mark.parametrize("name", ["tactics.lean", "language.lean"])
def test_the_file_has_no_error_and_uses_only_the_standard_axioms(name: str, tmp_path: Path) -> None:
    text = (LEAN / name).read_text(encoding="utf-8")
    theorems = re.findall(r"^theorem (\S+)", text, re.MULTILINE)
    outside = [theorem for theorem in theorems if not in_namespace(text, theorem)]
    assert len(outside) > 20
    asked = "".join(f"#print axioms {theorem}\n" for theorem in outside)
    messages = run_lean(f"{text}\n{asked}", tmp_path)
    assert [m for m in messages if m.severity == "error" or "sorry" in m.text] == []
    answers = [
        m.text
        for m in messages
        if "depend on axioms" in m.text or "depends on axioms" in m.text or "any axioms" in m.text
    ]
    assert len(answers) == len(outside)
    used = {axiom for text in answers for axiom in re.findall(r"[\w.]+", text.partition("[")[2])}
    assert used <= STANDARD_AXIOMS


def in_namespace(text: str, theorem: str) -> bool:
    """Say whether a theorem stands inside a namespace of the file."""
    before = text[: text.index(f"theorem {theorem} ")]
    return len(re.findall(r"^namespace ", before, re.MULTILINE)) > len(re.findall(r"^end [A-Z]", before, re.MULTILINE))


FALSE = [
    "example : 1 = 2 := by TACTIC",
    "example (a b : Nat) : a - b + b = a := by TACTIC",
    "example (a : Int) : a / 2 * 2 = a := by TACTIC",
    "example (p q : Prop) (h : p ∨ q) : p := by TACTIC",
    "example (xs ys : List Nat) : xs ++ ys = ys ++ xs := by TACTIC",
    "example (f : Nat → Nat) : f 0 = f 1 := by TACTIC",
    "example : ∀ a < 10, a * a < 81 := by TACTIC",
    "example (a b : Nat) (h : a ≤ b) : b ≤ a := by TACTIC",
]
CLOSING = ["simp", "simp_all", "omega", "decide", "rfl", "trivial", "ac_rfl", "contradiction", "exact?", "simp +arith"]


def test_no_closing_tactic_proves_what_is_false(tmp_path: Path) -> None:
    lines = [statement.replace("TACTIC", tactic) for statement in FALSE for tactic in CLOSING]
    wrong: set[int] = set()
    # Lean stops after 100 errors: one file for each statement.
    for start in range(0, len(lines), len(CLOSING)):
        messages = run_lean("\n".join(lines[start : start + len(CLOSING)]), tmp_path)
        wrong |= {start + m.line for m in messages if m.severity == "error"}
    assert wrong == set(range(1, len(lines) + 1))


def test_the_library_states_no_axiom_beyond_the_standard_ones() -> None:
    """Besides those for code generation, which proofs cannot use because they are unsafe, and `sorryAx`."""
    stated = {
        name
        for path in (ROOT / "leancore").rglob("*.lean")
        for name in re.findall(r"^(?:@\[[^\n]*\] )?axiom (\S+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert stated == STANDARD_AXIOMS | {"sorryAx"}


def test_the_library_proves_all_it_states() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "leancore").rglob("*.lean"))
    assert re.findall(r"\b(sorry|admit|native_decide|implemented_by|csimp)\b", text) == []


def test_goals_are_shown_as_a_stock_lean_shows_them(tmp_path: Path) -> None:
    statement = (
        "(a, b).fst ∣ c ∧ (∀ n, n ∈ xs → n ≤ a) ∧ (∃ n, n > 3 ∧ xs[0]? = some n) ∧ (↑a : Int) - -1 = 0 ∧ a ≠ b ∧ "
        "(if a < b then [1, 2] else 3 :: xs ++ []) = xs ∧ (f ∘ f) a = 2 ^ b % 3 ∨ ¬(p && !p) = true ↔ False"
    )
    text = f"example (a b c : Nat) (xs : List Nat) (f : Nat → Nat) (p : Bool) : {statement} := by\n  trace_state\n  sorry\n"
    shown = next(m.text for m in run_lean(text, tmp_path) if "⊢" in m.text)
    assert shown.splitlines()[:4] == ["a b c : Nat", "xs : List Nat", "f : Nat → Nat", "p : Bool"]
    goal = " ".join(shown.partition("⊢ ")[2].split())
    assert goal == statement.replace("(↑a : Int)", "↑a").replace("∀ n,", "∀ (n : Nat),")
