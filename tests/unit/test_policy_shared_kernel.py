"""The Triton kernel of sampling against plain attention: on a GPU, else in Triton's interpreter."""

from __future__ import annotations

import importlib.util
import itertools
import os

import pytest
import torch

ON_GPU = torch.cuda.is_available()
if importlib.util.find_spec("triton") is None:
    pytest.skip("Triton is not installed: it comes with a CUDA build of torch", allow_module_level=True)
if not ON_GPU and os.environ.get("TRITON_INTERPRET") != "1":
    pytest.skip("a driver, but no GPU that torch can use", allow_module_level=True)
from burnqed.policy.shared_kernel import OWN_BLOCK, PROMPT_BLOCK, attend_shared  # noqa: E402

DEVICE = "cuda" if ON_GPU else "cpu"
SCALE = 0.3


def _reference(
    query: torch.Tensor, prompts: list[tuple[torch.Tensor, torch.Tensor]], own: tuple[torch.Tensor, torch.Tensor]
) -> torch.Tensor:
    """Return the attention of each sample's query to its prompt and to all its own tokens, in float64."""
    samples, heads, _ = query.shape
    each, share = samples // len(prompts), heads // own[0].shape[2]
    found = torch.empty(query.shape, dtype=torch.float64)
    for sample in range(samples):
        for head in range(heads):
            keys, values = (
                torch.cat([prompts[sample // each][part][:, head // share], own[part][sample, :, head // share]])
                .double()
                .cpu()
                for part in (0, 1)
            )
            weights = torch.softmax(keys @ query[sample, head].double().cpu() * SCALE, 0)
            found[sample, head] = weights @ values
    return found


@pytest.mark.parametrize(
    "dtype", [torch.bfloat16, torch.float16] if ON_GPU else [torch.float32, torch.float16], ids=str
)
@pytest.mark.parametrize(
    ("lengths", "each", "heads", "key_heads", "last"),
    [
        ([5, PROMPT_BLOCK + 7], 3, 4, 2, OWN_BLOCK + 1),  # a prompt within a block, one over two
        ([PROMPT_BLOCK], 2, 2, 1, 0),  # the first token after the prompt
        ([1, 2, 3], 1, 4, 4, 2 * OWN_BLOCK),  # as many key heads as heads
        ([9], 9, 4, 2, 3),  # more rows than the smallest matrix has
    ],
)
def test_the_kernel_is_attention_to_the_prompt_and_the_own_tokens(
    lengths: list[int], each: int, heads: int, key_heads: int, last: int, dtype: torch.dtype
) -> None:
    generator = torch.Generator().manual_seed(sum(lengths) + last)
    width, room, samples = 16, 2 * OWN_BLOCK + 3, each * len(lengths)

    def draw(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=generator).to(DEVICE, dtype)

    query, key, value = draw(samples, heads, width), draw(samples, key_heads, width), draw(samples, key_heads, width)
    prompt_keys, prompt_values = draw(sum(lengths) + 4, key_heads, width), draw(sum(lengths) + 4, key_heads, width)
    own_keys, own_values = draw(samples, room, key_heads, width), draw(samples, room, key_heads, width)
    ends = [0]
    for length in lengths:
        ends.append(ends[-1] + length)
    before = own_keys.clone(), own_values.clone()
    found = attend_shared(
        query, key, value, prompt_keys, prompt_values, torch.tensor(ends, dtype=torch.int32, device=DEVICE),
        own_keys, own_values, torch.tensor([last], device=DEVICE), each, SCALE,
    )  # fmt: skip
    for store, old, new in ((own_keys, before[0], key), (own_values, before[1], value)):
        old[:, last] = new
        assert torch.equal(store, old), "the newest token is stored at its place, and nothing else changes"
    prompts = [(prompt_keys[a:b], prompt_values[a:b]) for a, b in itertools.pairwise(ends)]
    expected = _reference(query, prompts, (own_keys[:, : last + 1], own_values[:, : last + 1]))
    tolerance = {torch.float32: 1e-5, torch.float16: 3e-3, torch.bfloat16: 3e-2}[dtype]
    assert found.dtype == dtype
    torch.testing.assert_close(found.double().cpu(), expected, rtol=tolerance, atol=tolerance)
