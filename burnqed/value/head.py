"""Energy heads: a proof state's vector, with its theorem's, to one energy; low means provable."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils.parametrizations import spectral_norm

from burnqed.files import UserError, read_json, write_json
from burnqed.value.encoder import require_same_spec

POWER_ITERATIONS = 5
FIRST_LAYER_SCALE = 0.1
TEMPERATURE_BOUNDS = (0.1, 10.0)
WEIGHTS, CONFIG = "head.safetensors", "config.json"


def head_dtype(encoder_dtype: str) -> torch.dtype:
    """Return the type that the layers above an encoder compute in: its own when that is float64, else float32."""
    return torch.float64 if encoder_dtype == "float64" else torch.float32


def _linear(inputs: int, outputs: int, scale: float = 1.0) -> nn.Linear:
    """Return a freshly initialised linear layer under spectral normalisation.

    Miyato et al. 2018, "Spectral Normalization for Generative Adversarial Networks", section 2.1:
    the weight used is W / sigma(W), sigma estimated by power iteration from random vectors that are
    kept between steps. ``scale`` multiplies W itself: the weight used is the same, and a step of the
    optimiser turns it by as much more.
    """
    layer = nn.Linear(inputs, outputs)
    with torch.no_grad():
        layer.weight.mul_(scale)
    return spectral_norm(layer, n_power_iterations=POWER_ITERATIONS)


class EnergyHead(nn.Module):
    """Energy of a state alone, for ablation: ``z_state`` -> hidden layers -> 1.

    ``prepare`` turns an encoder's vector into z: centred and whitened with the statistics of the
    training states (``set_statistics``; the identity before). Mean-pooled hidden states share one
    large component and vary along few directions (Ethayarajh 2019, "How Contextual are
    Contextualized Word Representations?", section 4.1); layers of spectral norm one could not
    enlarge the others. The output is divided by a learnable temperature.
    """

    kind = "state_only"
    inputs_per_feature = 1

    def __init__(self, hidden_size: int, hidden_sizes: list[int], dropout: float) -> None:
        super().__init__()
        self.hidden_size, self.hidden_sizes, self.dropout = hidden_size, list(hidden_sizes), dropout
        widths = [hidden_size * self.inputs_per_feature, *hidden_sizes, 1]
        self.layers = nn.ModuleList(
            _linear(a, b, FIRST_LAYER_SCALE if number == 0 else 1.0)
            for number, (a, b) in enumerate(itertools.pairwise(widths))
        )
        self.log_temperature = nn.Parameter(torch.zeros(()))
        self.register_buffer("mean", torch.zeros(hidden_size))
        self.register_buffer("whitening", torch.eye(hidden_size))
        self.mean: Tensor
        self.whitening: Tensor

    @property
    def temperature(self) -> float:
        """The learnable temperature that divides the output."""
        return float(self.log_temperature.detach().exp())

    def set_statistics(self, mean: Tensor, covariance: Tensor, count: int) -> None:
        """Set mean (hidden,) and covariance (hidden, hidden) of the vectors of ``count`` states.

        z = C^(-1/2) (vector - mean), the symmetric root, which turns the features least. The
        covariance is drawn towards a multiple of the identity, the more the fewer states there
        are, so that directions in which they hardly differ are not blown up.
        """
        width = self.hidden_size
        share = width / (width + count)
        values, axes = torch.linalg.eigh(covariance.double())
        values = (1 - share) * values.clamp_min(0) + share * values.clamp_min(0).mean()
        self.mean.copy_(mean)
        self.whitening.copy_((axes / values.clamp_min(1e-12).sqrt()) @ axes.T)

    def prepare(self, vectors: Tensor) -> Tensor:
        """Return z (..., hidden) of an encoder's vectors (..., hidden)."""
        return (vectors - self.mean) @ self.whitening

    @torch.no_grad()
    def bound_temperature(self) -> None:
        """Bring the temperature back between its bounds; call after each optimiser step."""
        low, high = TEMPERATURE_BOUNDS
        self.log_temperature.clamp_(math.log(low), math.log(high))

    def features(self, states: Tensor, goals: Tensor) -> Tensor:
        """Return the input of the first layer, (..., inputs), of z of states and goals (..., hidden)."""
        return states

    def first_layer(self, states: Tensor, goals: Tensor) -> Tensor:
        """Return the output of the first layer, (..., width)."""
        output: Tensor = self.layers[0](self.features(states, goals))
        return output

    def forward(self, states: Tensor, goals: Tensor) -> Tensor:
        """Return energies (...,) of z of states (..., hidden) under z of goals of a shape that broadcasts."""
        x = self.first_layer(states, goals)
        for layer in self.layers[1:]:
            x = nn.functional.silu(x)
            x = nn.functional.dropout(x, self.dropout, self.training)
            x = layer(x)
        energy: Tensor = x.squeeze(-1)
        return energy / self.log_temperature.exp()

    def sizes(self) -> dict[str, Any]:
        """Return what the constructor needs, and the kind of head."""
        return {
            "head": self.kind,
            "hidden_size": self.hidden_size,
            "hidden_sizes": self.hidden_sizes,
            "dropout": self.dropout,
        }


class GoalConditionedEnergyHead(EnergyHead):
    """Energy of a state under its theorem: ``[z_state; z_goal; z_state * z_goal]`` -> hidden layers -> 1."""

    kind = "goal_conditioned"
    inputs_per_feature = 3

    def features(self, states: Tensor, goals: Tensor) -> Tensor:
        """Return the input of the first layer, (..., 3 * hidden)."""
        return torch.cat([states, goals.expand_as(states), states * goals], dim=-1)

    def first_layer(self, states: Tensor, goals: Tensor) -> Tensor:
        """Return the output of the first layer; a goal shared by many states is multiplied once."""
        of_state, of_goal, of_product = self.layers[0].weight.split(self.hidden_size, dim=1)
        linear = nn.functional.linear
        shared = linear(goals, of_goal, self.layers[0].bias)
        return linear(states, of_state) + linear(states * goals, of_product) + shared


HEADS: dict[str, type[EnergyHead]] = {h.kind: h for h in (EnergyHead, GoalConditionedEnergyHead)}


def save_head(folder: Path, head: EnergyHead, spec: dict[str, Any]) -> None:
    """Write ``head.safetensors`` and ``config.json`` (sizes and encoder spec) into an existing folder."""
    from safetensors.torch import save_file

    tensors = {name: t.detach().cpu().contiguous() for name, t in head.state_dict().items()}
    save_file(tensors, folder / WEIGHTS, metadata={"format": "pt"})
    write_json(folder / CONFIG, {**head.sizes(), "spec": spec})


def head_config(folder: Path) -> dict[str, Any]:
    """Return a head's ``config.json``; raise UserError when it is absent or damaged."""
    config: dict[str, Any] = read_json(folder / CONFIG)
    absent = {"head", "hidden_size", "hidden_sizes", "dropout", "spec"} - config.keys()
    if absent or config["head"] not in HEADS:
        raise UserError(f"{folder / CONFIG}: not the configuration of an energy head; make the head again")
    return config


def load_head(folder: Path, expected_spec: dict[str, Any] | None = None) -> tuple[EnergyHead, dict[str, Any]]:
    """Return a head in evaluation mode and its encoder spec.

    Raises UserError naming the field when ``expected_spec`` is given and differs.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    config = head_config(folder)
    if expected_spec is not None:
        require_same_spec(expected_spec, config["spec"], str(folder))
    head = HEADS[config["head"]](config["hidden_size"], config["hidden_sizes"], config["dropout"])
    try:
        head.load_state_dict(load_file(folder / WEIGHTS))
    except (OSError, SafetensorError, RuntimeError, json.JSONDecodeError) as error:
        raise UserError(f"{folder / WEIGHTS}: not the weights of this head ({error}); make it again") from error
    return head.eval(), config["spec"]
