"""One optimiser step of the energy head as a CUDA graph.

The step is small (four matrix products forward, seven backward, ten thousand times a minute), so on
a GPU the launches would cost several times the arithmetic. The same mathematics as the head's own
forward, arranged for little memory traffic: weights are read as bfloat16, the spectral norm divides a
layer's output instead of its weight, and the power iterations of different layers run side by side.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from burnqed.value.head import POWER_ITERATIONS, EnergyHead
from burnqed.value.sampler import Batch

COMPILED_STEPS = 10_000  # compiling takes about 20 s
WARM_UP_STEPS = 3  # before the capture: they compile the kernels and create the optimiser's moments


def spectral_parts(layer: nn.Module) -> tuple[nn.Parameter, Tensor, Tensor]:
    """Return the raw weight of a layer under spectral normalisation and its left and right vectors."""
    weight = layer.parametrizations.weight
    return weight.original, weight[0]._u, weight[0]._v


@torch.no_grad()
def power_iteration(weight: Tensor, left: Tensor, right: Tensor) -> None:
    """Advance the singular vectors in place, as torch's spectral norm does in training.

    The vectors are normalised once at the end: their scale between iterations changes nothing.
    """
    u, v = left, right
    for _ in range(POWER_ITERATIONS):
        u = (weight.to(left.dtype) * v).sum(dim=1)
        v = (weight.to(left.dtype) * u[:, None]).sum(dim=0)
    left.copy_(u / u.norm().clamp_min(1e-12))
    right.copy_(v / v.norm().clamp_min(1e-12))


def energies(head: EnergyHead, states: Tensor, goals: Tensor, dtype: torch.dtype) -> Tensor:
    """Return what ``head(states, goals)`` returns, with matrix products in ``dtype``.

    The singular vectors are taken as they are. Gradients reach the weights through the spectral
    norm too, as in the head's own forward.
    """
    x = head.features(states, goals)
    for number, layer in enumerate(head.layers):
        if number:
            x = nn.functional.dropout(nn.functional.silu(x), head.dropout, head.training)
        original, left, right = spectral_parts(layer)
        weight = original.to(dtype)
        norm = ((weight.to(left.dtype) * right).sum(dim=1) * left).sum()
        bias: Tensor = layer.bias
        x = nn.functional.linear(x.to(dtype), weight).to(left.dtype) / norm + bias
    return x.squeeze(-1) / head.log_temperature.exp()


class GraphStep:
    """Repeats forward, backward and update of a head on a GPU; the optimiser must be capturable.

    ``table`` are the prepared vectors; a call takes one batch of rows, always of the same shape, and
    returns its loss, which the next call overwrites. ``steps`` says how many calls there will be: few are not worth
    compiling the kernels for.
    """

    def __init__(
        self,
        head: EnergyHead,
        table: Tensor,
        loss: Callable[[Tensor, Tensor], Tensor],
        optimizer: torch.optim.Optimizer,
        steps: int,
        dtype: torch.dtype = torch.bfloat16,
    ) -> None:
        self.head, self.table, self.optimizer, self.dtype = head, table, optimizer, dtype
        self.loss_of = loss
        self._forward, self._power = self._loss, power_iteration
        if steps >= COMPILED_STEPS:
            self._forward = torch.compile(self._loss, dynamic=False)
            self._power = torch.compile(power_iteration, dynamic=False)
        self._rounded = [torch.empty_like(spectral_parts(layer)[0], dtype=dtype) for layer in head.layers]
        self._inputs: tuple[Tensor, Tensor, Tensor] | None = None
        self._graph: torch.cuda.CUDAGraph | None = None
        self._output = torch.zeros((), device=table.device)
        self._stream = torch.cuda.Stream(table.device)
        self._side = torch.cuda.Stream(table.device)
        self._calls = 0

    def _loss(self, states: Tensor, goals: Tensor, valid: Tensor) -> Tensor:
        found = energies(self.head, self.table[states].float(), self.table[goals].float(), self.dtype)
        return self.loss_of(found, valid)

    def _advance(self, number: int) -> None:
        original, left, right = spectral_parts(self.head.layers[number])
        self._rounded[number].copy_(original.detach())
        self._power(self._rounded[number], left, right)

    def _step(self, states: Tensor, goals: Tensor, valid: Tensor) -> None:
        current = torch.cuda.current_stream()
        self._side.wait_stream(current)
        with torch.cuda.stream(self._side):
            for number in range(1, len(self.head.layers)):
                self._advance(number)
        self._advance(0)
        current.wait_stream(self._side)
        loss = self._forward(states, goals, valid)
        loss.backward()
        self.optimizer.step()
        self.head.bound_temperature()
        self._output.copy_(loss.detach())

    def __call__(self, batch: Batch) -> Tensor:
        """Take one step; return its loss, a scalar that stays valid until the next call."""
        given = (batch.states, batch.goals, batch.valid)
        if self._inputs is None:
            self._inputs = (given[0].clone(), given[1].clone(), given[2].clone())
        for static, new in zip(self._inputs, given, strict=True):
            static.copy_(new)
        if self._graph is not None:
            self._graph.replay()
            return self._output
        self.optimizer.zero_grad(set_to_none=True)
        self._stream.wait_stream(torch.cuda.current_stream())
        if self._calls < WARM_UP_STEPS:
            with torch.cuda.stream(self._stream):
                self._step(*self._inputs)
        else:
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, stream=self._stream):
                self._step(*self._inputs)
            self._graph = graph
            graph.replay()
        torch.cuda.current_stream().wait_stream(self._stream)
        self._calls += 1
        return self._output
