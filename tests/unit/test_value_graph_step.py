"""The arithmetic of the step on a GPU equals the head's own, on a CPU and in double precision."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from burnqed.value.graph_step import energies, power_iteration, spectral_parts
from burnqed.value.head import HEADS, EnergyHead


def a_head(kind: str, seed: int = 0) -> EnergyHead:
    torch.manual_seed(seed)
    return HEADS[kind](12, [10, 6], 0.0).double()


def draw() -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(1)
    states = torch.randn(5, 4, 12, generator=generator, dtype=torch.float64)
    return states, torch.randn(5, 1, 12, generator=generator, dtype=torch.float64)


@pytest.mark.parametrize("kind", ["goal_conditioned", "state_only"])
def test_one_step_has_the_energies_and_gradients_of_the_head(kind: str) -> None:
    plain, fast = a_head(kind), a_head(kind)
    states, goals = draw()
    for head in (plain, fast):
        head.train()
    expected = plain(states, goals)  # advances the singular vectors, then computes
    for layer in fast.layers:
        power_iteration(*spectral_parts(layer))
    found = energies(fast, states, goals, torch.float64)
    torch.testing.assert_close(found, expected, rtol=1e-10, atol=1e-12)
    weights = torch.linspace(-1, 1, found.numel(), dtype=torch.float64).view_as(found)
    for head, energy in ((plain, expected), (fast, found)):
        (energy * weights).sum().backward()
        assert head.log_temperature.grad is not None
    theirs = dict(plain.named_parameters())
    for name, parameter in fast.named_parameters():
        torch.testing.assert_close(parameter.grad, theirs[name].grad, rtol=1e-8, atol=1e-10)
    for one, other in zip(fast.layers, plain.layers, strict=True):
        for ours, own in zip(spectral_parts(one)[1:], spectral_parts(other)[1:], strict=True):
            torch.testing.assert_close(ours, own, rtol=1e-8, atol=1e-10)


def test_bfloat16_products_stay_near_the_head() -> None:
    head = a_head("goal_conditioned").float().eval()
    states, goals = (t.float() for t in draw())
    with torch.no_grad():
        expected = head(states, goals)
        found = energies(head, states, goals, torch.bfloat16)
    assert found.dtype == torch.float32
    assert float((found - expected).norm() / expected.norm()) < 0.05


def test_the_singular_vectors_find_the_spectral_norm() -> None:
    head = a_head("goal_conditioned")
    weight, left, right = spectral_parts(head.layers[0])
    for _ in range(20):
        power_iteration(weight, left, right)
    norm = float(left @ weight.detach() @ right)
    assert norm == pytest.approx(float(torch.linalg.matrix_norm(weight.detach(), 2)), rel=1e-4)
