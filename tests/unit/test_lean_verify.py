"""Re-checking: the file we write, banned text, and the verdict on a prover's answer."""

from __future__ import annotations

import re

import pytest

from burnqed.config import ProverSettings
from burnqed.leantext.banned import banned_construct
from burnqed.prover.claims import claim_of, sheet
from burnqed.prover.leanfile import (
    imported_modules,
    indent_tactic,
    proof_source,
    render_lean_file,
)
from burnqed.prover.starting import declaration, lean_name, strip_imports
from burnqed.prover.verdict import refused_text
from burnqed.records.theorems import Theorem

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
        "x" * 200_001,
        "exact (let rec f : p := f; f)",
        "exact (let rec @[command_elab Lean.Parser.Command.printAxioms] f : p := x; h)",
        "exact @[simp] h",
        "exact aux\nwhere aux : p := aux",
        "decide (config := ⟨.false, .true, .true, .false⟩)",
        "decide (config := Lean.Meta.DecideConfig.mk false true true false)",
        "decide (config := { kernel := true, native := true })",
        "decide (native := true)",
        "simp (config := by exact {})",
        "simp (config := { maxSteps := (fun _ => 5) 0 })",
        "exact (show p from `(x))",
        "open Lean",
        "open Lean in run_cmd pure ()",
        'exact s!"{sorry}"',
        'exact r#"x"# sorry',
        "exact f '\"' sorry '\"'",
        "exact (x)⁻¹'\"' sorry",
        'exact "',
        "exact '",
        "rfl /- /- -/",
        "trivial\nend",
        "trivial\ndef f := 1",
        "trivial\nstop\nrfl",
        "private theorem x : p := h",
        "exact (do return h)",
        'exact (IO.FS.writeFile "x" "y" : IO Unit)',
        "exact Lean.Elab.Tactic.foo",
        "exact h.sorry",
        "#s",
        'exact panic! "x"',
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
        "-- this theorem is `sorry`-free, by definition; end of the section\nrfl",
        "/- axiom: /- native_decide -/ @[simp] -/ simp",
        "rw [Ne.def, Nat.instance, h.end]",
        'exact "sorry"',
        'exact r#"-- "sorry" /- "#',
        "have h : f ⁻¹' {0} = ∅ := by simp",
        "exact ⟨f '' s, 'a', '\\n', '\\''⟩",
        "simp_all (config := {decide := true})",
        "simp (config := { contextual := true, maxSteps := 100 }) [h] at *",
        "abel (config := .raw)",
        "open Real in simp",
        "open Finset Nat (succ) in rw [h]",
        "have hint : p := h\nexact hint",
        "exact fun partial_sum end' => partial_sum",
        "simp (disch := positivity) [x % 2, n%2, y]",
        "-- A comment: it’s “quoted”, with\u00a0odd spaces\nsimp",
        "simp" + " " * 30_000 + "[h]",
        "exact @foo _ h",
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


def test_refused_text() -> None:
    assert refused_text([]) == "banned: empty proof"
    assert refused_text(["intro h", "sorry"]) == "banned: placeholder: sorry"
    assert refused_text(PROOF) is None


def test_sheets_tell_where_each_theorem_is() -> None:
    header = 'import Mathlib\nopen Nat\nlocal notation "T" =>\n  True\n'
    claims = [
        claim_of(item) for item in [(Theorem("a", "p", header), PROOF), (Theorem("b", "q -- x", header), ["simp"])]
    ]
    stated = sheet(header, ["M"], [claim.stated for claim in claims])
    proved = sheet(header, ["M"], [claim.proved for claim in claims], [1])
    for page in (stated, proved):
        lines = page.text.splitlines()
        assert lines[:3] == ["import M", "import Mathlib", "open Nat"]
        for name, (first, last) in zip("ab", page.lines, strict=True):
            assert lines[first - 1].startswith(f"theorem {name} : ")
            assert lines[last:] == [] or lines[last] == ""
    assert "theorem b : q -- x\n  := sorry\n" in stated.text and "theorem b : q -- x\n  := by\n  simp\n" in proved.text
    assert "notation" in stated.text and "notation" not in proved.text
    assert proved.commands[1] == (4, 5) and stated.lines[0][0] == proved.lines[0][0]


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
        {"kind": "pantograph", "command": ["lake", "env", "repl", "Init", "Mathlib.Tactic", "--pp.raw=true"]}
    )
    assert imported_modules(lean) == ["Mathlib.Tactic"]


def test_lean_file_for_a_reader() -> None:
    other = Theorem("Nat.u", "q", header="import Mathlib\nopen Nat")
    text = render_lean_file([(THEOREM, PROOF), (other, ["simp"]), (THEOREM, ["trivial"])], "Title -/ x")
    assert text == (
        "import Mathlib\n\n/-! Title - / x -/\n\ntheorem t : ∀ (p : Prop), p → p := by\n  intro p h\n  exact h\n\n"
        "section\nopen Nat\n\ntheorem Nat_u : q := by\n  simp\n\nend\n"
    )
