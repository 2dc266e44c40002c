"""Training examples: what the loss counts, the order of steps, and the two batch layouts."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
import torch

from burnqed.config import ScratchSettings
from burnqed.policy.prompts import FORMATS, prompt_tokens
from burnqed.training.base import new_llama
from burnqed.training.batches import Example, collate, loss_sum, make_examples, plan_steps, split_packed, split_padded
from burnqed.training.tokenizer import END, train_tokenizer

PAIRS = [
    ("p q : Prop\nhp : p\n⊢ p ∨ q", "left"),
    (
        "case inl\nα✝ : Type\nx✝ : α✝\n⊢ x✝ = x✝\n\ncase inr\n⊢ ∀ ε > 0, ∃ δ > 0, δ ≤ ε",
        "all_goals\n  first | rfl | exact fun ε hε => ⟨ε, hε, le_rfl⟩",
    ),
    ("n : Nat\n" * 8 + "⊢ n + 0 = n", "simp"),
    ("⊢ 1 = 1", "rfl"),
]
FORM = FORMATS["deepseek"]
GOLDEN = [3.772598, 3.223862, 2.995524]  # recorded with torch 2.13 and transformers 5.23


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return train_tokenizer((FORM.prompt(state) + FORM.completion(tactic) for state, tactic in PAIRS), 420)


@pytest.fixture(scope="module")
def model(tokenizer: Any) -> Any:
    torch.manual_seed(0)
    return new_llama(ScratchSettings(hidden_size=32, layers=2, heads=2), tokenizer, 512).double().eval()


def test_the_loss_counts_the_tactic_and_the_end_alone(tokenizer: Any) -> None:
    examples, dropped = make_examples(tokenizer, FORM, PAIRS, 512)
    assert dropped == 0
    for example, (state, tactic) in zip(examples, PAIRS, strict=True):
        batch = collate([example], "padded", 0)
        counted = batch["labels"][0][batch["labels"][0] >= 0].tolist()
        assert tokenizer.decode(counted) == FORM.completion(tactic) + END
        assert example.targets == len(counted)
        assert list(example.tokens[: example.start]) == prompt_tokens(tokenizer, FORM, [state])[0]


def test_labels_are_the_next_tokens(tokenizer: Any) -> None:
    examples, _ = make_examples(tokenizer, FORM, PAIRS, 512)
    for layout in ("padded", "packed"):
        batch = collate(examples, layout, 0)  # type: ignore[arg-type]
        ids, labels = batch["input_ids"], batch["labels"]
        rows, places = (labels >= 0).nonzero(as_tuple=True)
        assert torch.equal(labels[rows, places], ids[rows, places + 1])
        assert len(rows) == sum(example.targets for example in examples)


def test_whole_text_counts_everything_but_the_first_token(tokenizer: Any) -> None:
    (example,), _ = make_examples(tokenizer, FORM, PAIRS[:1], 512, whole_text=True)
    assert (collate([example], "padded", 0)["labels"] >= 0).sum() == len(example.tokens) - 1


def test_examples_that_are_too_long_are_counted(tokenizer: Any) -> None:
    lengths = [len(example.tokens) for example in make_examples(tokenizer, FORM, PAIRS, 512)[0]]
    kept, dropped = make_examples(tokenizer, FORM, PAIRS, sorted(lengths)[-2])
    assert (len(kept), dropped) == (3, 1)


def test_packed_padded_and_single_losses_agree(tokenizer: Any, model: Any) -> None:
    examples, _ = make_examples(tokenizer, FORM, PAIRS, 512)
    with torch.no_grad():
        single = sum(float(loss_sum(model, collate([example], "padded", 0))) for example in examples)
        padded = float(loss_sum(model, collate(examples, "padded", 0)))
        packed = float(loss_sum(model, collate(examples, "packed", 0)))
        direct = 0.0
        for example in examples:
            logits = model(input_ids=torch.tensor([example.tokens]), use_cache=False).logits[0].float()
            chosen = torch.log_softmax(logits, -1)[:-1].gather(-1, torch.tensor(example.tokens[1:])[:, None])
            direct -= float(chosen[example.start - 1 :].sum())
    assert padded == pytest.approx(single, rel=1e-6)
    assert packed == pytest.approx(single, rel=1e-6)
    assert direct == pytest.approx(single, rel=1e-6)


def test_packed_and_padded_gradients_agree(tokenizer: Any, model: Any) -> None:
    examples, _ = make_examples(tokenizer, FORM, PAIRS, 512)
    gradients = []
    for layout in ("padded", "packed"):
        model.zero_grad()
        loss_sum(model, collate(examples, layout, 0)).backward()  # type: ignore[arg-type]
        gradients.append({name: p.grad.clone() for name, p in model.named_parameters()})
    for name, value in gradients[0].items():
        assert torch.allclose(value, gradients[1][name], rtol=1e-5, atol=1e-6), name


def _lengths(*lengths: int) -> list[Example]:
    return [Example(tuple(range(length)), 1) for length in lengths]


def test_steps_see_every_example_once_per_epoch_within_the_budget() -> None:
    examples = _lengths(*([10] * 20 + [35] * 5 + [200]))
    steps = plan_steps(examples, 2.5, 64, seed=3)
    order = [index for step in steps for index in step]
    assert len(order) == 65
    assert Counter(order[:26]) == Counter(range(26)) == Counter(order[26:52])
    assert order[:26] != order[26:52]
    for step in steps:
        assert sum(len(examples[index].tokens) for index in step) <= 64 or len(step) == 1
    assert plan_steps(examples, 2.5, 64, seed=3) == steps
    assert plan_steps(examples, 2.5, 64, seed=4) != steps
    counted = plan_steps(examples, 1, 64, seed=3, count=len(steps) + 5)
    assert len(counted) == len(steps) + 5
    assert counted[: len(steps) - 1] == steps[:-1]


def test_groups_hold_all_examples_within_the_budget() -> None:
    examples = _lengths(5, 50, 7, 40, 90, 8, 8)
    padded, packed = split_padded(examples, 100), split_packed(examples, 100)
    assert sorted(len(e.tokens) for group in padded for e in group) == sorted(len(e.tokens) for e in examples)
    assert [e for group in packed for e in group] == examples
    assert all(len(group) * max(len(e.tokens) for e in group) <= 100 for group in padded)
    assert all(sum(len(e.tokens) for e in group) <= 100 for group in packed)


def test_the_tokenizer_is_lossless_and_deterministic(tokenizer: Any, tmp_path: Any) -> None:
    text = "∀ ε > 0, ∃ δ, |x₁ - y✝| < 12345 →\n\tq ∧ ¬p  ```  [GOAL] é"
    assert tokenizer.decode(tokenizer(text)["input_ids"]) == text
    texts = [FORM.prompt(state) + FORM.completion(tactic) for state, tactic in PAIRS]
    for name in ("a", "b"):
        train_tokenizer(iter(texts), 420).save_pretrained(tmp_path / name)
    assert (tmp_path / "a" / "tokenizer.json").read_bytes() == (tmp_path / "b" / "tokenizer.json").read_bytes()


def test_golden_losses_of_a_tiny_model() -> None:
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(
        vocab_size=40, hidden_size=16, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2,
        num_key_value_heads=1,
    )  # fmt: skip
    small = LlamaForCausalLM(config).double()
    with torch.no_grad():  # weights from a formula, so that no version's random numbers matter
        for number, parameter in enumerate(small.parameters()):
            at = torch.arange(parameter.numel(), dtype=torch.float64).view_as(parameter)
            parameter.copy_(torch.sin(at * 0.7 + number) * 0.3 + (1 if parameter.dim() == 1 else 0))
    batch = collate([Example((3, 9, 27, 1, 3, 9), 2), Example((5, 25, 5, 25), 1)], "packed", 0)
    optimizer = torch.optim.SGD(small.parameters(), lr=0.05)
    losses = []
    for _ in range(3):
        optimizer.zero_grad()
        loss = loss_sum(small, batch) / 7
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    assert losses == pytest.approx(GOLDEN, abs=1e-5)
