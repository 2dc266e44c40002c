"""Prompt formats, extraction of one tactic, and tokens of prompt and completion."""

from __future__ import annotations

import pytest

from burnqed.policy.prompts import FORMATS, completion_tokens, prompt_tokens
from burnqed.training.tokenizer import train_tokenizer

STATE = "p q : Prop\nhp : p\n⊢ p ∨ q\n\ncase right\nx✝ : Nat\n⊢ x✝ = x✝"
DEEPSEEK = FORMATS["deepseek"]


def test_deepseek_prompt_is_the_closed_fence_form() -> None:
    assert DEEPSEEK.prompt("⊢ p") == ("Complete the following Lean 4 code:\n\n```lean4\n/- tactic state:\n⊢ p\n-/\n```")
    assert DEEPSEEK.completion("simp") == "\nsimp"


def test_other_formats() -> None:
    assert FORMATS["bfs_prover"].prompt("⊢ p") == "⊢ p:::"
    assert FORMATS["goal_proofstep"].prompt("⊢ p") == "[GOAL]⊢ p[PROOFSTEP]"
    text = FORMATS["internlm_stepprover"].prompt("⊢ p")
    assert text.startswith("<|im_start|>user\n---\nNAME: ")
    assert "---\nSTATE_BEFORE: ⊢ p\n\n---\nTACTIC: " in text
    assert FORMATS["internlm_stepprover"].completion("simp") == "simp<|im_end|>"


@pytest.mark.parametrize("name", sorted(FORMATS))
@pytest.mark.parametrize(
    "tactic",
    [
        "simp",
        "rw [Nat.add_comm,\n  Nat.mul_comm]",
        "induction n with\n| zero => rfl\n| succ n ih =>\n  simp\n  omega",
        "have h : p := by\n  constructor\n  · exact hp\n  · simp",
        "constructor\n· exact hp\n· exact hq",
        "calc a = b := by simp\n  _ = c := by omega",
        "first\n  | rfl\n  | simp",
        "cases h <;>\nsimp",
    ],
)
def test_extract_undoes_completion(name: str, tactic: str) -> None:
    form = FORMATS[name]
    assert form.extract(form.completion(tactic)) == tactic


@pytest.mark.parametrize(
    ("answer", "tactic"),
    [
        ("", ""),
        ("\n\n", ""),
        ("\nsimp\n", "simp"),
        ("\nsimp\n```\nThe proof is done.", "simp"),
        ("\n```lean4\nsimp [h]\n```", "simp [h]"),
        ("\nintro x\nexact h x", "intro x"),
        ("\nintro x\n\nexact h x", "intro x"),
        ("\n-- first split\n  constructor\n  exact h", "constructor"),
        ("\n/- a comment\nof two lines -/\nomega", "omega"),
        (
            "\ntheorem foo (n : ℕ) : n = n := by\n  induction n with\n  | zero => rfl\n  simp",
            "induction n with\n| zero => rfl",
        ),
        ("\nhave h : a = b := by\n  simp\nexact h", "have h : a = b := by\n  simp"),
        ("\n```", ""),
    ],
)
def test_one_tactic_from_hostile_answers(answer: str, tactic: str) -> None:
    assert DEEPSEEK.extract(answer) == tactic


def test_completeness_is_seen_as_soon_as_a_second_tactic_starts() -> None:
    assert not DEEPSEEK.is_complete("\nintro x")
    assert not DEEPSEEK.is_complete("\nrw [a,\n")
    assert DEEPSEEK.is_complete("\nintro x\nexact")
    assert DEEPSEEK.is_complete("\nintro x\n```")
    assert FORMATS["bfs_prover"].is_complete("simp:::")


def test_complete_answers_do_not_change_with_more_text() -> None:
    full = "\nhave h : p := by\n  simp\nexact h\n```\nmore"
    done = [FORMATS["deepseek"].cut(full[:end]) for end in range(len(full))]
    first = next(index for index, (_, complete) in enumerate(done) if complete)
    assert {tactic for tactic, _ in done[first:]} == {"have h : p := by\n  simp"}


@pytest.fixture(scope="module")
def tokenizer() -> object:
    texts = [form.prompt(STATE) + form.completion("exact h") for form in FORMATS.values()]
    return train_tokenizer(texts * 3, 400)


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_prompt_tokens_do_not_depend_on_the_completion(tokenizer: object, name: str) -> None:
    form = FORMATS[name]
    (prompt,) = prompt_tokens(tokenizer, form, [STATE])
    (completion,) = completion_tokens(tokenizer, form, ["exact Or.inl hp"])
    assert tokenizer.decode(prompt) == form.prompt(STATE)  # type: ignore[attr-defined]
    assert completion[-1] == tokenizer.eos_token_id  # type: ignore[attr-defined]
    assert tokenizer.decode(completion[:-1]) == form.completion("exact Or.inl hp")  # type: ignore[attr-defined]


def test_long_states_keep_their_goal(tokenizer: object) -> None:
    state = "\n".join(f"h{i} : p ∨ q" for i in range(50)) + "\n⊢ p ∨ q"
    limit = 80
    (ids,) = prompt_tokens(tokenizer, DEEPSEEK, [state], limit)
    text = tokenizer.decode(ids)  # type: ignore[attr-defined]
    assert len(ids) <= limit
    assert text.startswith("Complete the following Lean 4 code:")
    assert text.endswith("h49 : p ∨ q\n⊢ p ∨ q\n-/\n```")
    (ids,) = prompt_tokens(tokenizer, DEEPSEEK, ["⊢ " + "p ∧ " * 200 + "q"], limit)
    assert len(ids) <= limit
    assert tokenizer.decode(ids).endswith("p ∧ q\n-/\n```")  # type: ignore[attr-defined]
