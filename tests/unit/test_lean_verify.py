"""Re-checking: the file we write, banned text, and the verdict on a prover's answer."""

from __future__ import annotations

import re
from typing import Any

import pytest

from burnqed.config import ProverSettings
from burnqed.data.theorems import Theorem
from burnqed.lean.banned import banned_construct
from burnqed.lean.leanfile import (
    CheckFile,
    check_file,
    imported_modules,
    indent_tactic,
    proof_source,
    render_lean_file,
    track_files,
)
from burnqed.lean.starting import declaration, lean_name, strip_imports
from burnqed.lean.verify import judge, judge_track, parse_axioms, refused_text

ALLOWED = ["propext", "Classical.choice", "Quot.sound"]
THEOREM = Theorem("t", "∀ (p : Prop), p → p")
PROOF = ["intro p h", "exact h"]


@pytest.mark.parametrize(
    "tactic",
    [
        "sorry",
        "exact sorry",
        "exact (sorry : p)",
        "admit",
        "exact sorryAx _ true",
        "exact Lean.sorryAx _",
        "exact «sorry»",
        "native_decide",
        "decide +native",
        "exact Lean.ofReduceBool _ _ rfl",
        "run_tac do pure ()",
        "exact by_elab return default",
        "set_option debug.skipKernelTC true in trivial",
        "set_option maxRecDepth 9 in simp",
        "exact?",
        "apply?",
        "rw?",
        "simp?",
        "trivial\ntheorem x : False := by trivial",
        "trivial\naxiom cheat : False",
        "trivial\n#eval 1",
        "trivial #print axioms x",
        "exact h\nend",
        'macro "x" : tactic => `(tactic| trivial)',
        'local notation "x" => True',
        "@[implemented_by f] trivial",
        "open Lean in run_cmd pure ()",
        "",
        "   \n",
        "intro h\u200b",
        "intro\x00",
        "/- open",
        "exact h -/",
        "unsafe trivial",
        "termination_by 0",
        "stop",
        "x" * 20_001,
        "instance : Inhabited Nat := ⟨0⟩",
        "-- sorry",
        "exact sorryᵀ",
        "exact sorryλ x => x",
        "exact «sorry»",
        "all_goals frob?",
        "case h => linarith?",
        "simp; rcases?",
        "exact eval% 1",
        "polyrith",
        "exact\u00a0h",
        "in\u00adtro",
        "intro h\ufe0f",
        "exact ｈ",
    ],
)
def test_banned(tactic: str) -> None:
    assert banned_construct(tactic) is not None


@pytest.mark.parametrize(
    "tactic",
    [
        "intro h",
        "exact ⟨h.1, h.2⟩",
        "induction n with\n| zero => rfl\n| succ n ih => simp [ih]",
        "rw [Nat.add_comm] at h",
        "have ending : p := h",
        "simp only [List.prefix_append]",
        "exact (h : ¬ q)",
        "refine ⟨?_, ?x⟩",
        "decide",
        "omega",
        "cases h with\n| inl hp => exact Or.inr hp\n| inr hq => exact Or.inl hq",
        "exact Finset.card_le #s",
        "obtain ⟨x, hx⟩ := h",
        "exact inferInstance",
        "simp /- why -/",
        "calc a = b := h",
        "exact fun h' => h'",
        "all_goals first | rfl | simp_all",
        "rw [List.head?_cons] at h",
        "exact (l.head?).isSome",
        "refine ⟨?_, ?a⟩ <;> simp [xs.getLast?, ys[0]?]",
        "obtain ⟨x₁, hx'⟩ := h.1",
        "nlinarith [sq_nonneg (a - b), mul_pos ha hb, √2, 𝓝 x, π / 2]",
        "have h! : p := by trivial",
        "rw [Real.sqrt_eq_iff'] <;> norm_num at *; ring_nf",
    ],
)
def test_not_banned(tactic: str) -> None:
    assert banned_construct(tactic) is None


def test_indentation_keeps_columns() -> None:
    assert indent_tactic("intro h") == "  intro h"
    assert indent_tactic("  constructor\n  · simp\n  · simp\n") == "  constructor\n  · simp\n  · simp"
    assert indent_tactic("have h : p := by\n  simp\n\n  rfl") == "  have h : p := by\n    simp\n\n    rfl"
    assert indent_tactic("cases h\n| a => x") == "  cases h\n  | a => x"


def test_source() -> None:
    assert proof_source(THEOREM, PROOF) == "theorem t : ∀ (p : Prop), p → p := by\n  intro p h\n  exact h\n"
    assert lean_name(Theorem("Nat.add-comm'", "p")) == "Nat_add_comm'"
    assert lean_name(Theorem("1st", "p")) == "t_1st"
    assert [lean_name(Theorem(name, "p")) for name in ("end", "_", "x²", "α")] == ["t_end", "t__", "x_", "t__"]
    library = [Theorem(name, "p", file_path="Mathlib/X.lean") for name in ("add_comm", "Nat.add_comm")]
    assert [lean_name(theorem) for theorem in library] == ["add_comm_again", "Nat_add_comm"]
    assert declaration(Theorem("t", "p -- why"), "sorry") == "theorem t : p -- why\n  := sorry"
    assert strip_imports("import Mathlib\nimport Aesop\n\nopen Nat\nset_option x 1\n") == "open Nat\nset_option x 1"


def test_check_file_offsets_are_bytes() -> None:
    file = check_file(Theorem("t", "∀ (p : Prop), p → p", header="import Mathlib\nopen Nat"), PROOF)
    data = file.text.encode()
    heads = [data[start : start + 8] for start in file.starts]
    assert heads == [b"theorem ", b"example ", b"#print a"]
    assert file.end == len(data)
    assert data.startswith(b"open Nat\n\ntheorem")


def answer(file: CheckFile, said: str = "'t' does not depend on any axioms", **changes: Any) -> dict[str, Any]:
    """The answer of a prover that accepts the file."""
    first, second, third = file.starts
    units: list[dict[str, Any]] = [{"boundary": [0, first], "messages": []}] if first else []
    units += [
        {"boundary": [first, second], "messages": changes.get("proof", [])},
        {"boundary": [second, third], "messages": changes.get("example", [])},
        {"boundary": [third, file.end], "messages": [{"severity": "information", "data": said}]},
    ]
    return {"units": units}


def verdict(reply: dict[str, Any], file: CheckFile | None = None) -> tuple[str, list[str]]:
    found = judge(file or check_file(THEOREM, PROOF), "t", reply, ALLOWED, "text")
    assert found.source == "text"
    return found.kind, found.axioms


def test_accepted_answers() -> None:
    file = check_file(THEOREM, PROOF)
    assert verdict(answer(file)) == ("ok", [])
    warning = [{"severity": "warning", "data": "unused variable `x`"}]
    assert verdict(answer(file, "'t' depends on axioms: [propext,\n Quot.sound]", proof=warning)) == (
        "ok",
        ["propext", "Quot.sound"],
    )
    headed = check_file(Theorem("t", "p", header="open Nat"), PROOF)
    assert verdict(answer(headed), headed) == ("ok", [])


def test_refused_answers() -> None:
    file = check_file(THEOREM, PROOF)
    error = [{"severity": "error", "data": "unsolved goals"}]
    first, second, third = file.starts
    cases: list[tuple[dict[str, Any], str]] = [
        (answer(file, proof=error), "error"),
        (answer(file, example=error), "statement"),
        (answer(file, proof=[{"severity": "warning", "data": "declaration uses 'sorry'"}]), "sorry"),
        (answer(file, proof=[{"severity": "warning", "data": "x", "kind": "hasSorry"}]), "sorry"),
        (answer(file, "'t' depends on axioms: [propext, sorryAx]"), "sorry"),
        (answer(file, "'t' depends on axioms: [propext, cheat]"), "axioms"),
        (answer(file, "'t' depends on axioms: [propext, Lean.ofReduceBool]"), "axioms"),
        (answer(file, "'u' does not depend on any axioms"), "axioms"),
        (answer(file, "hello"), "axioms"),
        ({"units": answer(file)["units"][:-1]}, "structure"),
        ({"units": []}, "structure"),
        ({"error": "io", "desc": "interrupt"}, "timeout"),
        ({"error": "frontend", "desc": "no"}, "answer"),
        ({"goals": []}, "answer"),
        ({"units": [{"boundary": "x"}] * 3}, "answer"),
    ]
    split = answer(file)["units"]
    split[0:1] = [{"boundary": [first, 30], "messages": []}, {"boundary": [30, second], "messages": []}]
    cases.append(({"units": split}, "structure"))
    doubled = answer(file)["units"]
    doubled[-1]["messages"] *= 2
    cases.append(({"units": doubled}, "axioms"))
    silent = answer(file)["units"]
    silent[-1]["messages"] = []
    cases.append(({"units": silent}, "axioms"))
    swallowed = [{"boundary": [first, third], "messages": []}, *answer(file)["units"][2:]]
    cases.append(({"units": swallowed}, "structure"))
    for reply, kind in cases:
        assert verdict(reply)[0] == kind, reply


def test_refused_text() -> None:
    assert refused_text([]) == "banned: empty proof"
    assert refused_text(["intro h", "sorry"]) == "banned: placeholder: sorry"
    assert refused_text(PROOF) is None


def test_axioms() -> None:
    assert parse_axioms("'t' depends on axioms: [a, b.c,\n  d]", "t") == ["a", "b.c", "d"]
    assert parse_axioms("'t' depends on axioms: [a] 'u'", "t") is None
    assert parse_axioms("t does not depend on any axioms", "t") is None


def test_track() -> None:
    src, dst = track_files(Theorem("t", "p", header="import X\nopen Nat"), ["simp"])
    assert (src, dst) == ("open Nat\n\ntheorem t : p := sorry\n", "open Nat\n\ntheorem t : p := by\n  simp\n")
    error = {"severity": "error", "data": "Type mismatch"}
    warning = {"severity": "warning", "data": "declaration uses `sorry`", "kind": "hasSorry"}
    cases: list[tuple[dict[str, Any], str | None]] = [
        ({}, None),
        ({"srcMessages": [warning], "dstMessages": []}, None),
        ({"failure": None, "srcMessages": []}, None),
        ({"failure": "Type clash of t"}, "track: Type clash of t"),
        ({"srcMessages": [error], "dstMessages": []}, "track: Type mismatch"),
        ({"srcMessages": [warning], "dstMessages": [error]}, "track: Type mismatch"),
        ({"srcMessages": [warning], "dstMessages": [warning]}, "sorry: the proof rests on sorry"),
        ({"error": "io", "desc": "interrupt"}, "timeout: the prover's own limit"),
        ({"error": "command", "desc": "Unknown command"}, "answer: command: Unknown command"),
    ]
    for reply, refusal in cases:
        assert judge_track(reply) == refusal, reply


def test_names_in_a_lean_file_are_distinct_and_blocks_are_closed() -> None:
    names = ["a.b", "a_b", "a-b", "a.b"]
    text = render_lean_file([(Theorem(name, "p"), ["simp"]) for name in names], "T", ["Mathlib"])
    assert re.findall("theorem (\\S+)", text) == ["a_b", "a_b_2", "a_b_3"]
    assert text.startswith("import Mathlib\n")
    headers = [
        "def f := 1",
        "noncomputable section\nnamespace A.B\nsection\nend\n@[simp] def f := 2",
        "import Mathlib\nnamespace C",
    ]
    items = [(Theorem(f"t{i}", "p", header=header), ["simp"]) for i, header in enumerate(headers)]
    text = render_lean_file(items, "T")
    assert re.findall(r"(?m)^(?:end|section|noncomputable section|namespace).*", text) == [
        "section", "end",
        "namespace Part2", "noncomputable section", "namespace A.B", "section", "end", "end A.B", "end", "end Part2",
        "section", "namespace C", "end C", "end",
    ]  # fmt: skip
    assert text.count("import Mathlib") == 1 and text.index("import") == 0
    lean = ProverSettings.model_validate(
        {"command": ["lake", "env", "repl", "Init", "Mathlib.Tactic", "--pp.raw=true"]}
    )
    assert imported_modules(lean) == ["Mathlib.Tactic"]


def test_lean_file_for_a_reader() -> None:
    other = Theorem("Nat.u", "q", header="import Mathlib\nopen Nat")
    text = render_lean_file([(THEOREM, PROOF), (other, ["simp"]), (THEOREM, ["trivial"])], "Title -/ x")
    assert text == (
        "import Mathlib\n\n/-! Title - / x -/\n\ntheorem t : ∀ (p : Prop), p → p := by\n  intro p h\n  exact h\n\n"
        "section\nopen Nat\n\ntheorem Nat_u : q := by\n  simp\n\nend\n"
    )
