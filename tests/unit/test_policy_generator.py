"""Sampling: probabilities, independence from the batch, seeds, stops, merging of requests."""

from __future__ import annotations

import asyncio
import math
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from burnqed.config import ModelSettings, PolicySettings, ScratchSettings
from burnqed.files import UserError
from burnqed.jobs.device import torch_device
from burnqed.policy.backends import load_generator
from burnqed.policy.generator import Candidate, collect
from burnqed.policy.loading import load_model
from burnqed.policy.prompts import FORMATS
from burnqed.policy.sampling import choose, sample
from burnqed.training.base import new_llama
from burnqed.training.batches import collate, loss_sum, make_examples
from burnqed.training.tokenizer import train_tokenizer

STATES = ["⊢ p → p", "p q : Prop\nhp : p\n⊢ p ∨ q", "n : Nat\nih : n + 0 = n\n⊢ n + 1 + 0 = n + 1\n\n⊢ p", "⊢ 1 = 1"]
MODEL = ModelSettings(kind="scratch", prompt_format="goal_proofstep", max_length=128)
POLICY = PolicySettings(backend="transformers", dtype="float64", max_new_tokens=12, max_batch=16)


@pytest.fixture(scope="module")
def model_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model")
    tokenizer = train_tokenizer(STATES * 2, 300)
    torch.manual_seed(0)
    model = new_llama(ScratchSettings(hidden_size=16, layers=2, heads=2, vocabulary=300), tokenizer, 256)
    pairs = [(state, tactic) for state in STATES for tactic in ("simp", "rfl", "exact hp", "intro h")]
    examples, _ = make_examples(tokenizer, FORMATS["goal_proofstep"], pairs, 256)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    for _ in range(40):  # enough for tactics of different lengths to come out
        loss = loss_sum(model, collate(examples, "padded", 0)) / 50
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def generator(model_dir: Path) -> Any:
    return load_generator(model_dir, POLICY, MODEL, "cpu", "none")


def _draw(generator: Any, texts: list[str], n: int = 5, temperature: float = 1.0, **options: Any) -> list[list[Any]]:
    prompts = generator.tokenizer([FORMATS["goal_proofstep"].prompt(text) for text in texts])["input_ids"]
    settings = {"eos": generator.tokenizer.eos_token_id, "pad": 0, "max_new_tokens": 12} | options
    return sample(generator.model, prompts, n, temperature, [STATES.index(text) for text in texts], **settings)


@pytest.mark.parametrize("before_end", [1, 2])
def test_hidden_states_equal_a_full_recompute(generator: Any, before_end: int) -> None:
    """Also of samples that ended early, in batches that shrank meanwhile."""

    def place(tokens: list[int]) -> int:
        return max(len(tokens) - before_end, 0)

    found = _draw(generator, STATES, n=8, temperature=1.2, place=place)
    seen = set()
    for text, samples in zip(STATES, found, strict=True):
        prompt = generator.tokenizer(FORMATS["goal_proofstep"].prompt(text))["input_ids"]
        for item in samples:
            assert (item.hidden is not None) == item.finished
            if item.hidden is not None:
                ids = torch.tensor([prompt + item.tokens[: place(item.tokens)]])
                with torch.inference_mode():
                    expected = generator.model.model(input_ids=ids, use_cache=False).last_hidden_state[0, -1]
                torch.testing.assert_close(item.hidden, expected, atol=1e-9, rtol=0)
                seen.add(len(item.tokens))
    assert len(seen) > 2


def test_logprobs_equal_a_full_recompute(generator: Any) -> None:
    found = _draw(generator, STATES, temperature=0.7)
    lengths = set()
    for text, samples in zip(STATES, found, strict=True):
        prompt = generator.tokenizer(FORMATS["goal_proofstep"].prompt(text))["input_ids"]
        for item in samples:
            ids = torch.tensor([prompt + item.tokens])
            with torch.inference_mode():
                logits = generator.model(input_ids=ids, use_cache=False).logits[0]
            logprobs = torch.log_softmax(logits, -1)[len(prompt) - 1 : -1]
            expected = logprobs.gather(-1, ids[0, len(prompt) :, None]).squeeze(-1)
            assert item.logprobs == pytest.approx(expected.tolist(), abs=1e-10)
            lengths.add(len(item.tokens))
    assert len(lengths) > 2  # samples ended at different times, so the batch did shrink


def test_the_batch_does_not_change_the_samples(generator: Any) -> None:
    together = _draw(generator, STATES)
    for index, text in enumerate(STATES):
        (alone,) = _draw(generator, [text])
        assert [item.tokens for item in alone] == [item.tokens for item in together[index]]
        for one, other in zip(alone, together[index], strict=True):
            assert one.logprobs == pytest.approx(other.logprobs, abs=1e-12)


def test_samples_follow_the_model(generator: Any) -> None:
    (found,) = _draw(generator, STATES[:1], n=4000, max_new_tokens=1)
    (again,) = _draw(generator, STATES[:1], n=4000, max_new_tokens=1)
    assert [item.tokens for item in found] == [item.tokens for item in again]
    counts = np.bincount([item.tokens[0] for item in found], minlength=300) / 4000
    probability = {item.tokens[0]: math.exp(item.logprobs[0]) for item in found}
    for token, expected in probability.items():
        assert abs(counts[token] - expected) < 5 * math.sqrt(expected / 4000) + 1e-3


def test_temperature_zero_is_greedy_and_top_p_cuts_the_tail() -> None:
    logits = torch.tensor([[0.0, 2.0, 1.0, -1.0]], dtype=torch.float64).expand(1000, -1)
    uniform = torch.linspace(0, 0.999, 1000, dtype=torch.float64)
    tokens, logprobs = choose(logits, uniform, 0.0, 1.0)
    assert tokens.unique().tolist() == [1]
    assert logprobs[0].item() == pytest.approx(torch.log_softmax(logits[0], -1)[1].item())
    tokens, _ = choose(logits, uniform, 1.0, 0.8)
    assert sorted(tokens.unique().tolist()) == [1, 2]
    ratio = (tokens == 1).sum().item() / (tokens == 2).sum().item()
    assert ratio == pytest.approx(math.e, rel=0.02)
    tokens, _ = choose(logits, uniform, 1.0, 1.0)
    assert sorted(tokens.unique().tolist()) == [0, 1, 2, 3]


def test_a_complete_text_ends_a_sample_at_the_same_token_whenever_it_is_looked_at(generator: Any) -> None:
    def enough(tokens: list[int]) -> bool:
        return len(tokens) >= 3

    for samples in _draw(generator, STATES, is_complete=enough, eos=-1, max_new_tokens=20):
        assert all(len(item.tokens) == 3 == len(item.logprobs) and item.finished for item in samples)


def test_requests_that_wait_together_run_together_and_get_their_own_answers(
    generator: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches: list[int] = []
    run = generator.run
    monkeypatch.setattr(generator, "run", lambda states, *rest: batches.append(len(states)) or run(states, *rest))

    async def ask() -> list[list[list[Candidate]]]:
        seeds = range(len(STATES))
        return await asyncio.gather(
            *(generator.generate([text], 4, 1.0, [seed]) for text, seed in zip(STATES, seeds, strict=True))
        )

    answers = asyncio.run(ask())
    assert batches == [4]
    assert [answer[0] for answer in answers] == run(STATES, 4, 1.0, range(len(STATES)))
    assert any(answer[0] for answer in answers)


def test_the_event_loop_goes_on_while_the_model_works(generator: Any) -> None:
    async def ask() -> int:
        task = asyncio.create_task(generator.generate(STATES * 8, 16, 1.0, range(len(STATES) * 8)))
        ticks = 0
        while not task.done():
            await asyncio.sleep(0.001)
            ticks += 1
        await task
        return ticks

    assert asyncio.run(ask()) > 3


def test_out_of_memory_names_the_settings(generator: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("burnqed.policy.sampling.sample", lambda *_, **__: torch.empty(1 << 50))
    with pytest.raises(UserError, match=r"out of memory in sampling: lower policy\.max_batch \(now "):
        generator.run(STATES[:1], 2, 1.0, [0])


def test_an_error_reaches_the_caller_and_the_generator_lives_on(
    generator: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask() -> list[list[Candidate]]:
        with monkeypatch.context() as patch:
            patch.setattr(generator, "run", lambda *_: (_ for _ in ()).throw(RuntimeError("no memory")))
            with pytest.raises(RuntimeError, match="no memory"):
                await generator.generate(STATES[:1], 2, 1.0, [0])
        answers: list[list[Candidate]] = await generator.generate(STATES[:1], 2, 1.0, [0])
        return answers

    assert len(asyncio.run(ask())) == 1


def test_candidates_are_deduplicated_sorted_and_filtered() -> None:
    form = FORMATS["deepseek"]
    answers = [
        ("\nsimp", -2.0, 3, 0.7),
        ("\nsimp\n", -1.0000004, 4, 0.5),
        ("\nsorry", -0.1, 2, None),
        ("\n", -0.1, 1, None),
        ("\nrfl", -2.0, 3, None),
        ("\nomega", -2.0, 2, None),
    ]
    assert collect(form, answers) == [
        Candidate("simp", -1.0, 4, 0.5),
        Candidate("omega", -2.0, 2),
        Candidate("rfl", -2.0, 3),
    ]


def test_unusable_model_folders_are_named(tmp_path: Path, model_dir: Path) -> None:
    with pytest.raises(UserError, match="no such model folder"):
        load_generator(tmp_path / "none", POLICY, MODEL, "cpu", "none")
    with pytest.raises(UserError, match=r"config.json"):
        load_generator(tmp_path, POLICY, MODEL, "cpu", "none")
    (tmp_path / "config.json").write_text((model_dir / "config.json").read_text())
    with pytest.raises(UserError, match="no tokenizer"):
        load_generator(tmp_path, POLICY, MODEL, "cpu", "none")


@pytest.mark.parametrize("head", [True, False])
def test_what_keeps_a_model_from_loading_is_told(
    model_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, head: bool
) -> None:
    shutil.copytree(model_dir, tmp_path / "cut")
    weights = tmp_path / "cut" / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    with pytest.raises(UserError, match=r"the model cannot be read .* delete the folder"):
        load_model(tmp_path / "cut", "float32", "cpu", head=head)
    # The weights are moved to the device after they were read.
    monkeypatch.setattr(torch.nn.Module, "to", lambda *_: torch.empty(1 << 50))
    with pytest.raises(UserError, match=r"out of memory in loading .* set quantization: nf4"):
        load_model(model_dir, "float32", "cpu", head=head)


def test_an_absent_gpu_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(UserError, match="torch sees no GPU; use --device cpu"):
        torch_device("cuda")
    assert torch_device("auto") == "cpu"
