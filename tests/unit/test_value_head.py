"""The energy head: shapes, norms, initialisation, temperature, files, and the losses."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import torch

from burnqed.files import UserError, atomic_dir
from burnqed.value.head import (
    FIRST_LAYER_SCALE,
    TEMPERATURE_BOUNDS,
    EnergyHead,
    GoalConditionedEnergyHead,
    load_head,
    save_head,
)
from burnqed.value.losses import infonce, margin_ranking

SPEC = {"model": "a", "dtype": "float32", "max_length": 64}


def make(kind: type[EnergyHead] = GoalConditionedEnergyHead, hidden: int = 12) -> EnergyHead:
    torch.manual_seed(0)
    return kind(hidden, [32, 16, 8], 0.15)


def test_layers_and_shapes() -> None:
    head = make()
    assert [tuple(layer.weight.shape) for layer in head.layers] == [(32, 36), (16, 32), (8, 16), (1, 8)]
    assert head.eval()(torch.randn(5, 7, 12), torch.randn(5, 1, 12)).shape == (5, 7)
    assert make(EnergyHead).layers[0].weight.shape == (32, 12)


def test_input_is_state_goal_and_product() -> None:
    features = make().features(torch.tensor([1.0, 2.0] * 6), torch.tensor([3.0, -1.0] * 6))
    assert features.tolist() == [1.0, 2.0] * 6 + [3.0, -1.0] * 6 + [3.0, -2.0] * 6


def test_first_layer_of_split_input_is_the_layer_of_the_whole() -> None:
    head = make().eval()
    states, goals = torch.randn(5, 7, 12), torch.randn(5, 1, 12)
    whole = head.layers[0](head.features(states, goals))
    assert torch.allclose(head.first_layer(states, goals), whole, atol=1e-6)


def test_only_the_goal_conditioned_head_sees_the_goal() -> None:
    states, goals = torch.randn(3, 12), torch.randn(3, 12)
    for kind, same in ((EnergyHead, True), (GoalConditionedEnergyHead, False)):
        head = make(kind).eval()
        assert torch.equal(head(states, goals), head(states, -goals)) == same


def test_every_layer_has_spectral_norm_one() -> None:
    head = make().train()
    optimizer = torch.optim.SGD(head.parameters(), lr=0.5)
    for _ in range(20):
        optimizer.zero_grad()
        head(torch.randn(16, 12), torch.randn(16, 12)).square().mean().backward()
        optimizer.step()
    head(torch.randn(16, 12), torch.randn(16, 12))
    for layer in head.eval().layers:
        assert torch.linalg.matrix_norm(layer.weight, 2).item() == pytest.approx(1.0, abs=0.02)


def test_first_layer_starts_small() -> None:
    original = [layer.parametrizations.weight.original for layer in make().layers]
    # nn.Linear draws from U(-1/sqrt(n), 1/sqrt(n)): standard deviation 1/sqrt(3 n).
    for number, weight in enumerate(original[:3]):
        expected = 1 / math.sqrt(3 * weight.shape[1]) * (FIRST_LAYER_SCALE if number == 0 else 1)
        assert weight.std().item() == pytest.approx(expected, rel=0.15)


def test_temperature_divides_the_output_and_is_bounded() -> None:
    head = make().eval()
    states, goals = torch.randn(4, 12), torch.randn(4, 12)
    assert head.temperature == 1.0
    before = head(states, goals)
    with torch.no_grad():
        head.log_temperature.fill_(math.log(4.0))
    assert torch.allclose(head(states, goals), before / 4.0)
    with torch.no_grad():
        head.log_temperature.fill_(50.0)
    head.bound_temperature()
    assert head.temperature == pytest.approx(TEMPERATURE_BOUNDS[1])


def test_statistics_whiten_the_states() -> None:
    torch.manual_seed(1)
    data = (torch.randn(4000, 12) * torch.linspace(0.5, 4, 12)) @ torch.randn(12, 12) + 7
    head = make(EnergyHead)
    assert torch.equal(head.prepare(data), data)
    head.set_statistics(data.mean(0), torch.cov(data.T), len(data))
    z = head.prepare(data)
    assert z.mean(0).abs().max() < 1e-3
    assert (torch.cov(z.T) - torch.eye(12)).abs().max() < 0.3
    assert torch.equal(head.whitening, head.whitening.T)


def test_few_states_do_not_blow_up_what_they_do_not_show() -> None:
    torch.manual_seed(1)
    data = torch.randn(6, 12)
    data[:, 6:] = 0.0
    head = make(EnergyHead)
    head.set_statistics(data.mean(0), torch.cov(data.T), len(data))
    assert torch.linalg.matrix_norm(head.whitening, 2) < 5.0


def test_dropout_acts_in_training_only() -> None:
    head = make()
    states, goals = torch.randn(4, 12), torch.randn(4, 12)
    assert not torch.equal(head.train()(states, goals), head(states, goals))
    assert torch.equal(head.eval()(states, goals), head(states, goals))


def test_gradients_reach_the_head_and_nothing_else() -> None:
    head = make().train()
    vectors = torch.randn(6, 12)
    energies = head(vectors[torch.tensor([[0, 1, 2], [3, 4, 5]])], vectors[torch.tensor([[0], [3]])])
    infonce(energies, torch.ones(2, 3, dtype=torch.bool)).backward()
    assert vectors.grad is None
    assert not head.mean.requires_grad
    assert not head.whitening.requires_grad
    # The last bias shifts all energies alike: a contrastive loss cannot move it.
    silent = {name for name, p in head.named_parameters() if p.grad is None or p.grad.abs().max() < 1e-8}
    assert silent == {"layers.3.bias"}


def test_file_round_trip_and_spec(tmp_path: Path) -> None:
    head = make().train()
    head(torch.randn(4, 12), torch.randn(4, 12))
    with atomic_dir(tmp_path / "ebm") as folder:
        save_head(folder, head, SPEC)
    again, spec = load_head(tmp_path / "ebm", SPEC)
    states, goals = torch.randn(4, 12), torch.randn(4, 12)
    assert spec == SPEC
    assert isinstance(again, GoalConditionedEnergyHead)
    assert torch.equal(again(states, goals), head.eval()(states, goals))
    with pytest.raises(UserError, match=r"dtype is 'float32', expected 'bfloat16'"):
        load_head(tmp_path / "ebm", {**SPEC, "dtype": "bfloat16"})


def test_damaged_weights_are_named(tmp_path: Path) -> None:
    with atomic_dir(tmp_path / "ebm") as folder:
        save_head(folder, make(), SPEC)
    weights = tmp_path / "ebm" / "head.safetensors"
    weights.write_bytes(weights.read_bytes()[:-40])
    with pytest.raises(UserError, match=r"head\.safetensors"):
        load_head(tmp_path / "ebm")


def test_infonce_against_a_case_by_hand() -> None:
    energies = torch.tensor([[0.0, math.log(2.0), math.log(4.0)], [1.0, 1.0, 7.0]], dtype=torch.float64)
    valid = torch.tensor([[True, True, True], [True, True, False]])
    # First group: 1 / (1 + 1/2 + 1/4) = 4/7; second: two equal energies, the third is masked: 1/2.
    expected = (-math.log(4 / 7) - math.log(1 / 2)) / 2
    assert infonce(energies, valid).item() == pytest.approx(expected, abs=1e-12)


def test_margin_loss_by_hand_and_no_gradient_once_satisfied() -> None:
    energies = torch.tensor([[0.0, 0.25, 3.0, -9.0]], requires_grad=True)
    loss = margin_ranking(energies, torch.tensor([[True, True, True, False]]), 1.0)
    assert loss.item() == pytest.approx(0.75 / 2)
    loss.backward()
    assert energies.grad is not None
    assert energies.grad.tolist() == [[0.5, -0.5, 0.0, 0.0]]
