"""Whole-proof continuations: prompts, answers cut into tactics, log-probabilities, both back-ends."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from burnqed.policy.continuation import (
    CONTINUATIONS,
    Continuation,
    collect_continuations,
    continuation_of,
    example_of,
)
from burnqed.policy.prompts import FORMATS

STATE = "α : Type u_1\ninst✝ : Group α\nx✝ : Nat\np q : Prop\nhp :\n  p\n⊢ p ∨ q\n\ncase b\n⊢ q"
PROOF = "constructor\n· intro h\n  exact h\nsimp"


def texts(form: str, answer: str, finished: bool = True) -> list[str]:
    return [tactic for tactic, _ in CONTINUATIONS[form].units(answer, finished)]


def test_a_state_becomes_an_example() -> None:
    assert example_of(STATE) == "example (α : Type u_1) [Group α] (_ : Nat) (p q : Prop) (hp : p) : p ∨ q := by"
    assert example_of("⊢ 1 = 1") == "example : 1 = 1 := by"


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_what_is_trained_is_what_is_read(name: str) -> None:
    form = CONTINUATIONS[name]
    assert form.prompt(STATE) != FORMATS[name].prompt(STATE)
    answer = form.completion(PROOF)
    assert texts(name, answer) == ["constructor", "· intro h\n  exact h", "simp"]
    assert form.is_complete(f"{answer}\n```") and not form.is_complete(answer.removesuffix(form.end))


def test_deepseek_answers_go_on_in_an_open_fence() -> None:
    prompt = CONTINUATIONS["deepseek"].prompt("h : p\n⊢ p")
    assert prompt.endswith("<｜Assistant｜>```lean4\nexample (h : p) : p := by\n")
    assert prompt.count("example (h : p) : p := by\n  sorry\n```") == 1


def test_whole_proof_models_see_their_own_chat_turns() -> None:
    goedel, kimina = (CONTINUATIONS[name].prompt("⊢ p") for name in ("goedel_prover", "kimina_prover"))
    begun = "<|im_end|>\n<|im_start|>assistant\n```lean4\nexample : p := by\n"
    assert goedel == (
        "<|im_start|>user\nComplete the following Lean 4 code:\n\n```lean4\nexample : p := by sorry\n```" + begun
    )
    assert kimina == (
        "<|im_start|>system\nYou are an expert in mathematics and proving theorems in Lean 4.<|im_end|>\n"
        "<|im_start|>user\nThink about and solve the following problems step by step in Lean 4.\n\n"
        "# Formal Statement:\n```lean4\nexample : p := by\n```\n" + begun
    )


@pytest.mark.parametrize(
    ("answer", "tactics"),
    [
        ("  intro x\n  simp\n```\nThis proves it.", ["intro x", "simp"]),
        ("```lean4\nexample : p := by\n  intro x\n  simp\n```", ["intro x", "simp"]),
        ("  -- first\n  intro x -- so\n  simp", ["intro x", "simp"]),
        ("  have h : p := by\n    simp\n  exact h\n", ["have h : p := by\n  simp", "exact h"]),
        ("  intro x\n  sorry\n  simp", ["intro x"]),
        ("  intro x\n  native_decide", ["intro x"]),
        ("", []),
        ("```", []),
    ],
)
def test_answers_as_models_write_them(answer: str, tactics: list[str]) -> None:
    assert texts("deepseek", answer) == tactics


def test_an_unfinished_answer_loses_its_last_tactic_only() -> None:
    assert texts("goal_proofstep", "intro x\nsimp\nexact h.lef", finished=False) == ["intro x", "simp"]
    assert texts("goal_proofstep", "intro", finished=False) == []
    assert not CONTINUATIONS["deepseek"].is_complete("```lea")


def test_log_probabilities_belong_to_their_tactics() -> None:
    form, tokens = CONTINUATIONS["goal_proofstep"], ["intro", " x", "\n", "simp", "\n", "<end>"]
    text = "".join(tokens[:-1])
    logprobs = [-1.0, -2.0, -4.0, -8.0, -16.0, -32.0]

    def place(count: int) -> int:
        return len("".join(tokens[:count]).removesuffix("<end>"))

    found = continuation_of(form, text, logprobs, place, True)
    assert found == Continuation((("intro x", -3.0), ("simp", -60.0)), 6)
    assert found.logprob == sum(logprobs)
    cut = continuation_of(form, text, logprobs[:-1], place, False)
    assert cut == Continuation((("intro x", -3.0),), 5)
    assert continuation_of(form, "sorry", [-1.0], place, True) is None


def test_the_likeliest_of_equal_continuations_stays() -> None:
    low, high = Continuation((("simp", -2.0),), 3), Continuation((("simp", -1.0),), 4)
    other = Continuation((("rfl", -3.0), ("simp", 0.0)), 4)
    assert collect_continuations([low, None, other, high]) == [high, other]


def test_the_model_in_this_process_writes_continuations(tmp_path: Any) -> None:
    import torch

    from burnqed.config import ModelSettings, PolicySettings, ScratchSettings
    from burnqed.policy.backends import load_generator
    from burnqed.policy.transformers_backend import Closed
    from burnqed.training.base import new_llama
    from burnqed.training.batches import collate, loss_sum, make_examples
    from burnqed.training.tokenizer import train_tokenizer

    states = ["⊢ p → q", "p : Prop\n⊢ p ∨ ¬p"]
    rests = ["intro h\nsimp", "cases h\nrfl\nrfl"]
    tokenizer = train_tokenizer([*states, *rests] * 2, 300)
    torch.manual_seed(0)
    model = new_llama(ScratchSettings(hidden_size=32, layers=2, heads=2, vocabulary=300), tokenizer, 96)
    examples, _ = make_examples(tokenizer, CONTINUATIONS["goal_proofstep"], list(zip(states, rests, strict=True)), 96)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    for _ in range(150):
        optimizer.zero_grad()
        (loss_sum(model, collate(examples, "padded", 0)) / 20).backward()
        optimizer.step()
    model.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    settings = PolicySettings(backend="transformers", dtype="float64", max_new_tokens=8, max_proof_tokens=40)
    generator: Any = load_generator(
        tmp_path, settings, ModelSettings(kind="scratch", prompt_format="goal_proofstep", max_length=96), "cpu", "none"
    )

    generator.tokens_by_seed = {}

    async def ask() -> Any:
        return await asyncio.gather(
            generator.continue_proofs(states, 4, 1.0, [1, 2]), generator.generate(states[:1], 4, 1.0, [3])
        )

    found, _ = asyncio.run(ask())
    for rest, items in zip(rests, found, strict=True):
        assert [tactic for tactic, _ in items[0].steps] == rest.split("\n")
        assert all(logprob < 0 for _, logprob in items[0].steps)
    assert sorted(generator.tokens_by_seed) == [1, 2, 3]
    assert sum(generator.tokens_by_seed.values()) == generator.tokens
    alone = generator.run_proofs(states[1:], 4, 1.0, [2])
    assert [i.steps for i in alone[0]] == [i.steps for i in found[1]]
    asyncio.run(generator.close())  # in another event loop than the one that asked
    with pytest.raises(Closed):
        generator.run_proofs(states, 4, 1.0, [1, 2])
