"""Sequences without padding, and sampling with shared prompts, equal the plain computations."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from value_toys import tiny_model

from burnqed.config import EncoderSettings
from burnqed.policy import graph_sampling, packed
from burnqed.policy.graph_sampling import GraphSampler, _parts, attend_own, join
from burnqed.policy.packed import attend, packable, packing, trains_packed, use_packed_attention
from burnqed.policy.sampling import sample
from burnqed.training.batches import Example, collate, loss_sum
from burnqed.value.encoder import Encoder, token_batches

PROMPTS = [[5, 6, 7, 8, 9], [40], [11, 12, 13], list(range(20, 55))]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_model(tmp_path_factory.mktemp("model"))


def load(folder: Path, dtype: torch.dtype = torch.float64) -> Any:
    from transformers import AutoModelForCausalLM

    return AutoModelForCausalLM.from_pretrained(folder, dtype=dtype).eval()


def test_packed_attention_equals_each_sequence_alone(folder: Path) -> None:
    model, packed_model = load(folder), load(folder)
    use_packed_attention(packed_model)
    lengths = [len(ids) for ids in PROMPTS]
    flat = torch.tensor([token for ids in PROMPTS for token in ids])[None]
    positions = torch.cat([torch.arange(length) for length in lengths])[None]
    with torch.no_grad():
        together = packed_model(
            input_ids=flat, position_ids=positions, use_cache=False, **packing(lengths, "cpu")
        ).logits[0]
        alone = torch.cat([model(input_ids=torch.tensor([ids])).logits[0] for ids in PROMPTS])
    torch.testing.assert_close(together, alone, rtol=0, atol=1e-12)


def test_packed_training_loss_and_gradients_equal_padded_ones(folder: Path) -> None:
    examples = [Example(tuple(ids), max(1, len(ids) // 2)) for ids in PROMPTS if len(ids) > 1]
    results = []
    for layout in ("padded", "packed"):
        model = load(folder)
        if layout == "packed":
            use_packed_attention(model)
        loss = loss_sum(model, collate(examples, layout, 0))  # type: ignore[arg-type]
        loss.backward()
        results.append((float(loss), model.model.layers[0].self_attn.q_proj.weight.grad))
    assert results[0][0] == pytest.approx(results[1][0], abs=1e-10)
    torch.testing.assert_close(results[0][1], results[1][1], rtol=0, atol=1e-10)


def test_packing_names_ends_and_longest() -> None:
    where = packing([2, 5, 1], "cpu")
    assert where["packed_ends"].tolist() == [0, 2, 7, 8]
    assert where["packed_ends"].dtype == torch.int32
    assert where["packed_longest"] == 5


def test_only_half_precision_on_a_gpu_is_packed(folder: Path) -> None:
    model = load(folder, torch.bfloat16)
    assert packable(model, "cuda", torch.bfloat16)
    assert not packable(model, "cpu", torch.bfloat16)
    assert not packable(model, "cuda", torch.float32)
    assert trains_packed(model, "cpu", torch.float32)
    assert not trains_packed(model, "cuda", torch.float32)
    model.config.layer_types = ["sliding_attention", "full_attention"]
    assert not packable(model, "cuda", torch.bfloat16)


def test_the_encoder_packs_to_the_same_vectors(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["⊢ p", "p q : Prop\n⊢ p ∧ q", "n : Nat\nh : n + 0 = n\n⊢ n = n + 0 ∨ False", "x y : Nat\n⊢ x + y = y + x"]
    settings = EncoderSettings(dtype="float32", batch_tokens=64, max_length=128)
    expected = Encoder(folder, settings, "cpu", "none").encode(texts)
    monkeypatch.setattr(packed, "packable", lambda *_: True)
    monkeypatch.setattr(packed, "compile_layers", lambda _: None)
    packed_encoder = Encoder(folder, settings, "cpu", "none")
    assert packed.is_packed(packed_encoder._model)
    np.testing.assert_allclose(packed_encoder.encode(texts), expected, atol=1e-6)


def test_batches_without_padding_fill_the_budget() -> None:
    lengths = [9, 1, 1, 4, 5, 30]
    assert token_batches(lengths, 10, padded=False) == [[5], [0], [4, 3, 1], [2]]
    assert token_batches(lengths, 10) == [[5], [0], [4, 3], [1, 2]]


def test_attention_joined_from_two_parts_equals_the_whole() -> None:
    generator = torch.Generator().manual_seed(0)

    def draw(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=generator, dtype=torch.float64)

    # Two samples of one prompt of 5 tokens, 3 own places of which 2 count; 4 heads share 2 key heads.
    query, keys, values = draw(2, 4, 8), draw(5, 2, 8), draw(5, 2, 8)
    own_keys, own_values = draw(2, 3, 2, 8), draw(2, 3, 2, 8)
    ends = torch.tensor([0, 2]), torch.tensor([0, 5])
    first, first_mass = attend(query, keys, values, *ends, 2, 5, False, 0.3)
    second, second_mass = attend_own(query, own_keys, own_values, torch.tensor([1]), 0.3)
    found = join(first, first_mass.T, second, second_mass)
    for sample_number in range(2):
        for head in range(4):
            k = torch.cat([keys[:, head // 2], own_keys[sample_number, :2, head // 2]])
            v = torch.cat([values[:, head // 2], own_values[sample_number, :2, head // 2]])
            expected = torch.softmax(k @ query[sample_number, head] * 0.3, 0) @ v
            torch.testing.assert_close(found[sample_number, head], expected)


@pytest.mark.parametrize(("temperature", "top_p", "n"), [(1.0, 1.0, 4), (0.7, 0.9, 3), (0.0, 1.0, 1)])
def test_shared_prompts_give_the_samples_of_the_plain_loop(
    folder: Path, temperature: float, top_p: float, n: int
) -> None:
    plain, model = load(folder), load(folder)
    sampler = GraphSampler(model, 80, 64)
    seeds = [3, 1, 4, 1]
    options: dict[str, Any] = {"eos": 2, "max_new_tokens": 80, "top_p": top_p}
    expected = sample(plain, PROMPTS, n, temperature, seeds, pad=0, place=lambda ids: len(ids) // 2, **options)
    for prompts, place in ((4, None), (3, None), (4, lambda ids: len(ids) // 2)):  # three fill four rows too
        found = sampler.sample(PROMPTS[:prompts], n, temperature, seeds[:prompts], place=place, **options)
        assert len(found) == prompts
        for ours, theirs in zip(found, expected[:prompts], strict=True):
            assert [item.tokens for item in ours] == [item.tokens for item in theirs]
            for one, other in zip(ours, theirs, strict=True):
                assert one.logprobs == pytest.approx(other.logprobs, abs=1e-9)
                assert one.finished == other.finished
                assert (one.hidden is None) == (place is None or not one.finished)
                if one.hidden is not None:
                    torch.testing.assert_close(one.hidden, other.hidden, atol=1e-9, rtol=0)


def test_the_kernel_serves_half_precision_on_a_gpu_with_triton(monkeypatch: pytest.MonkeyPatch) -> None:
    def served(cuda: bool = True, dtype: torch.dtype = torch.bfloat16, width: int = 128) -> bool:
        query: Any = SimpleNamespace(is_cuda=cuda, dtype=dtype, shape=(1, 32, 4, width))
        return graph_sampling.has_kernel(query)

    monkeypatch.setattr(graph_sampling, "TRITON", True)
    assert served()
    assert not served(cuda=False)
    assert not served(dtype=torch.float32)
    assert not served(width=96)
    monkeypatch.setattr(graph_sampling, "TRITON", False)
    assert not served()


def test_samples_stop_where_the_text_is_complete(folder: Path) -> None:
    sampler = GraphSampler(load(folder), 20, 64)
    found = sampler.sample(
        PROMPTS, 2, 1.0, [1, 2, 3, 4], eos=-1, max_new_tokens=20, is_complete=lambda ids: len(ids) >= 5
    )
    assert [len(item.tokens) for items in found for item in items] == [5] * 8
    assert all(item.finished for items in found for item in items)


def test_many_prompts_run_in_parts() -> None:
    assert _parts([10, 10, 10], 100) == [(0, 3)]
    parts = _parts([30] * 10, 100)
    assert parts[0][0] == 0
    assert parts[-1][1] == 10
    assert all(sum([30] * (end - start)) + (1 << (end - start).bit_length()) <= 100 for start, end in parts)
    assert _parts([500], 100) == [(0, 1)]
    assert math.prod(end - start for start, end in parts) > 1


@pytest.mark.parametrize(("least", "compiled"), [(None, False), (1, True)])
def test_layers_of_small_models_are_not_compiled(
    folder: Path, monkeypatch: pytest.MonkeyPatch, least: int | None, compiled: bool
) -> None:
    if least is not None:
        monkeypatch.setattr(packed, "COMPILED_WEIGHTS", least)
    model = load(folder)
    packed.compile_layers(model)
    assert [layer._compiled_call_impl is not None for layer in packed.decoder_of(model).layers] == [compiled] * 2
