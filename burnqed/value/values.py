"""Values trained on honest labels: a reading of a state to the chance, or the discounted return, of a proof from it.

A value's energy is -log of what it predicts, so that it adds to a log-probability as a cost to come. The folder of a
value holds ``value.json`` (what it is, what it needs, its weight ``coefficient`` in the priority ``tuned``) and
``value.safetensors``, or, for the contrastive target, an energy head's files.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor, nn

from burnqed.config import ValueSettings
from burnqed.files import UserError, read_json, write_json
from burnqed.jobs.device import capturing
from burnqed.jobs.merging import Merger
from burnqed.policy.loading import load_model
from burnqed.policy.packed import trains_packed, use_packed_attention
from burnqed.value.encoder import model_digest, token_batches
from burnqed.value.head import EnergyHead, head_dtype, load_head
from burnqed.value.pooling import last_hidden
from burnqed.value.readers import Frozen, Policy, PromptTokens, Reading, Tokens

CONFIG, WEIGHTS = "value.json", "value.safetensors"
DIGITS = 6  # of an energy


@dataclass(frozen=True)
class ValueCard:
    """What a value is: its settings, the policy it reads, its weight in the search, and what training reported."""

    settings: dict[str, Any]
    model: str
    prompt_format: str
    max_length: int
    quantization: str
    width: int
    coefficient: float = 1.0
    report: dict[str, Any] = field(default_factory=dict)


class Value(Protocol):
    """A trained value."""

    card: ValueCard

    def energies(self, readings: Sequence[Reading]) -> list[float]:
        """Return one energy per reading, low for provable."""
        ...

    def lengths(self, readings: Sequence[Reading]) -> list[int]:
        """Return the tokens that each reading costs beside sampling."""
        ...

    def save(self, folder: Path) -> None:
        """Write the value into an existing folder."""
        ...


class ValueHead(nn.Module):
    """Standardised vectors (n, width) -> hidden layers -> logits (n,)."""

    def __init__(self, width: int, hidden_sizes: Sequence[int], dropout: float) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))
        self.register_buffer("deviation", torch.ones(width))
        self.mean: Tensor
        self.deviation: Tensor
        layers: list[nn.Module] = []
        for size in hidden_sizes:
            layers += [nn.Linear(width, size), nn.SiLU(), nn.Dropout(dropout)]
            width = size
        self.layers = nn.Sequential(*layers, nn.Linear(width, 1))

    def set_statistics(self, vectors: Tensor) -> None:
        """Take mean and deviation of training vectors (n, width)."""
        self.mean.copy_(vectors.mean(0))
        self.deviation.copy_(vectors.std(0).clamp_min(1e-6))

    def forward(self, vectors: Tensor) -> Tensor:
        found: Tensor = self.layers((vectors - self.mean) / self.deviation).squeeze(-1)
        return found


class OwnCopy(nn.Module):
    """A copy of the policy that learns to value: its hidden state at the end of the prompt, and layers above."""

    def __init__(self, model_dir: Path, settings: ValueSettings, dtype: str, device: str, quantization: str) -> None:
        super().__init__()
        decoder = load_model(model_dir, dtype, device, quantization, head=False)
        self.packed = trains_packed(decoder, device, decoder.dtype)
        if self.packed:
            use_packed_attention(decoder)
        if settings.lora_rank:
            from peft import LoraConfig, get_peft_model

            shape = LoraConfig(r=settings.lora_rank, lora_alpha=2 * settings.lora_rank, target_modules="all-linear")
            decoder = get_peft_model(decoder, shape)
        self.decoder, self.device = decoder, device
        self.width = int(decoder.config.hidden_size)
        self.head = ValueHead(self.width, settings.hidden_sizes, settings.dropout)
        self.head.to(device=device, dtype=head_dtype(dtype))

    def hidden(self, rows: Sequence[Tokens]) -> Tensor:
        """Return the hidden states that the head reads, (rows, hidden), in its type."""
        return last_hidden(self.decoder, rows, self.device, self.packed).to(self.head.mean.dtype)

    def forward(self, rows: Sequence[Tokens]) -> Tensor:
        logits: Tensor = self.head(self.hidden(rows))
        return logits

    def trained(self) -> dict[str, Tensor]:
        """Return the weights that training changes, and the head's statistics, by name."""
        learnt = {name for name, weight in self.named_parameters() if weight.requires_grad}
        return {k: v for k, v in self.state_dict().items() if k in learnt or k.startswith("head.")}


class TrainedValue:
    """A value learnt by cross-entropy: a head over a frozen reader, or an own copy of the policy."""

    def __init__(
        self, card: ValueCard, settings: ValueSettings, policy: Policy, dtype: str, reader: Frozen | None = None
    ) -> None:
        self.card, self.settings = card, settings
        self.dtype = head_dtype(dtype)
        self._budget, self.device = policy.encoder.batch_tokens, policy.device
        self.own: OwnCopy | None = None
        if settings.reader == "own":
            self.tokens = PromptTokens(policy.model_dir, policy.model)
            self.own = OwnCopy(policy.model_dir, settings, dtype, policy.device, policy.quantization)
            self.head, width = self.own.head, self.own.width
        else:
            self.reader = reader or policy.reader(settings.reader)
            width = self.reader.width
            self.head = ValueHead(width, settings.hidden_sizes, settings.dropout).to(policy.device, self.dtype)
        if card.width != width:
            self.card = replace(card, width=width)

    def energies(self, readings: Sequence[Reading]) -> list[float]:
        """Return -log of the value of each reading, rounded."""
        module = self.own or self.head
        module.eval()
        with torch.inference_mode():
            if self.own is None:
                vectors = torch.from_numpy(self.reader.vectors(readings)).to(self.device, self.dtype)
                logits = self.head(vectors).double().cpu()
            else:
                asked = [tuple(row) for row in self.tokens_of(readings)]
                place = {row: number for number, row in enumerate(dict.fromkeys(asked))}
                rows = [list(row) for row in place]  # one state may be read along several edges
                found = torch.zeros(len(rows), dtype=torch.float64)
                for batch in token_batches([len(row) for row in rows], self._budget, not self.own.packed):
                    found[batch] = self.own([rows[i] for i in batch]).double().cpu()
                logits = found[[place[row] for row in asked]]
        return _energies(logits)

    def lengths(self, readings: Sequence[Reading]) -> list[int]:
        """Return the tokens that each reading costs beside sampling."""
        if self.own is not None:
            return [len(row) for row in self.tokens_of(readings)]
        return self.reader.lengths(readings)

    def tokens_of(self, readings: Sequence[Reading]) -> list[Tokens]:
        """Return the tokens that an own copy reads of each reading."""
        return self.tokens([(r.after_history() if self.settings.history else r.state,) for r in readings])

    def weights(self) -> dict[str, Tensor]:
        """Return the weights that were trained."""
        found = self.head.state_dict() if self.own is None else self.own.trained()
        return {name: weight.detach().cpu().contiguous() for name, weight in found.items()}

    def restore(self, weights: dict[str, Tensor]) -> None:
        """Take saved weights; raises RuntimeError when they are not this value's."""
        module = self.own or self.head
        unknown = module.load_state_dict(weights, strict=self.own is None).unexpected_keys
        if unknown:
            raise RuntimeError(f"unknown weights: {unknown[:3]}")

    def save(self, folder: Path) -> None:
        """Write the value into an existing folder."""
        from safetensors.torch import save_file

        save_file(self.weights(), folder / WEIGHTS)
        write_json(folder / CONFIG, asdict(self.card))


def _energies(logits: Tensor) -> list[float]:
    """Return -log of the values that logits (n,) stand for, rounded."""
    return [round(energy, DIGITS) + 0.0 for energy in nn.functional.softplus(-logits).tolist()]


def card_of(settings: ValueSettings, policy: Policy, width: int) -> ValueCard:
    """Return the card of a value that is still to be trained."""
    model = policy.model
    where = model_digest(policy.model_dir), model.prompt_format, model.max_length, policy.quantization
    return ValueCard(settings.model_dump(), *where, width)


class ContrastiveValue:
    """The energy head of the published idea, as one value among others; its energies are those of ``EnergyScorer``."""

    def __init__(self, card: ValueCard, head: EnergyHead, reader: Frozen, dtype: str, device: str) -> None:
        self.card, self.reader, self._device = card, reader, device
        self._dtype = head_dtype(dtype)
        self._head = head.to(device=device, dtype=self._dtype).requires_grad_(False)

    def energies(self, readings: Sequence[Reading]) -> list[float]:
        """Return the head's energies, of vectors as they are stored."""
        vectors = torch.from_numpy(self.reader.vectors(readings).astype(np.float16)).to(self._device, self._dtype)
        with torch.inference_mode():
            state, root = vectors.chunk(2, dim=1)
            found = self._head(self._head.prepare(state), self._head.prepare(root)).double().cpu()
        return [round(float(energy), DIGITS) + 0.0 for energy in found]

    def lengths(self, readings: Sequence[Reading]) -> list[int]:
        """Return the tokens that each reading costs beside sampling; the theorem is read once."""
        return self.reader.lengths(readings)

    def save(self, folder: Path) -> None:
        """Write the card beside the head's files."""
        write_json(folder / CONFIG, asdict(self.card))


def load_value(folder: Path, policy: Policy, reader: Frozen | None = None) -> TrainedValue | ContrastiveValue:
    """Return the value of a folder; its prompt is that of its card, whatever the policy's settings say.

    ``reader``: that of the value, where it is loaded already. Raises UserError when the folder is damaged, or made for
    another policy.
    """
    card = _card_for(folder, policy.model_dir)
    form = policy.model.model_copy(update={"prompt_format": card.prompt_format, "max_length": card.max_length})
    policy = replace(policy, model=form)
    settings = ValueSettings.model_validate(card.settings)
    if settings.target == "contrastive":
        head, _ = load_head(folder)
        return ContrastiveValue(card, head, reader or policy.reader("pooled"), policy.encoder.dtype, policy.device)
    value = TrainedValue(card, settings, policy, policy.encoder.dtype, reader)
    _restore(folder, value.restore)
    return value


def _restore(folder: Path, take: Callable[[dict[str, Tensor]], object]) -> None:
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        take(load_file(folder / WEIGHTS))
    except (OSError, SafetensorError, RuntimeError) as error:
        raise UserError(f"{folder / WEIGHTS}: not the weights of this value ({error}); train it again") from error


def read_card(folder: Path) -> ValueCard:
    """Read what a value is; raise UserError when the folder holds none."""
    try:
        return ValueCard(**read_json(folder / CONFIG))
    except TypeError as error:
        raise UserError(f"{folder / CONFIG}: not a value ({error}); train it again") from error


def _card_for(folder: Path, model_dir: Path) -> ValueCard:
    card = read_card(folder)
    if card.model != model_digest(model_dir):
        raise UserError(f"{folder}: trained for another policy than {model_dir}; train it again (target value_lab)")
    return card


class SampledValue:
    """A value of the reader free at work: the policy asks it for the energies of the tactics that it samples.

    Only the layers above the hidden state are loaded, and no forward pass of the policy is its own. ``coefficient`` is
    its weight in the priority ``tuned``, ``prompt_format`` that of the policy it can read. Raises UserError when the
    folder is damaged, or made for another policy.
    """

    def __init__(self, folder: Path, model_dir: Path, dtype: str, device: str) -> None:
        self.card = _card_for(folder, model_dir)
        self.coefficient, self.prompt_format = self.card.coefficient, self.card.prompt_format
        settings = ValueSettings.model_validate(self.card.settings)
        head = ValueHead(self.card.width, settings.hidden_sizes, settings.dropout)
        self._head = head.to(device, head_dtype(dtype)).eval()
        _restore(folder, self._head.load_state_dict)

    @torch.inference_mode()
    def energies(self, hidden: Tensor) -> list[float]:
        """Return one energy for each hidden state, (n, hidden) on any device; low for provable."""
        return _energies(self._head(hidden.to(self._head.mean)).double())

    async def score(self, states: Sequence[str], goals: Sequence[str]) -> list[float]:
        """Raise RuntimeError: a state's energy comes with the tactic that leads to it."""
        raise RuntimeError(f"{len(states)} states without an energy of the tactics that led to them")


class ValueScorer:
    """A value at work in the search: merged requests in one thread, cache by state, theorem and history.

    ``coefficient`` is the value's weight in the priority ``tuned``; ``busy_seconds`` the time spent computing;
    ``reads_history``: it wants to know the tactics that led to a state.
    """

    def __init__(self, value: Value) -> None:
        self._value = value
        self.coefficient = value.card.coefficient
        self.busy_seconds = 0.0
        self.reads_history = bool(value.card.settings.get("history", False))
        self._known: dict[Reading, float] = {}
        self._merger: Merger[list[Reading], list[float]] = Merger("value", self._answer)

    async def score(self, states: Sequence[str], goals: Sequence[str]) -> list[float]:
        """Return one energy per (state, goal) pair."""
        return await self._ask([Reading(*pair) for pair in zip(states, goals, strict=True)])

    async def score_after(
        self, states: Sequence[str], goals: Sequence[str], histories: Sequence[tuple[str, ...]]
    ) -> list[float]:
        """Return one energy per (state, goal, tactics that led to the state)."""
        asked = zip(states, goals, histories, strict=True)
        return await self._ask([Reading(state, goal, history=history) for state, goal, history in asked])

    async def _ask(self, readings: list[Reading]) -> list[float]:
        return await self._merger.ask(readings) if readings else []

    def _answer(self, requests: list[list[Reading]]) -> list[list[float]]:
        with capturing:
            begun = time.perf_counter()
            new = list(dict.fromkeys(one for request in requests for one in request if one not in self._known))
            self._known.update(zip(new, self._value.energies(new), strict=True))
            self.busy_seconds += time.perf_counter() - begun
        return [[self._known[one] for one in request] for request in requests]

    async def close(self) -> None:
        """End the thread; waiting requests are answered first."""
        await self._merger.finish()
