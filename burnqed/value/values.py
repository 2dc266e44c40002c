"""Values trained on honest labels: a reading of a state to the chance, or the discounted return, of a proof from it.

A value's energy is -log of what it predicts, so that it adds to a log-probability as a cost to come. The folder of a
value holds ``value.json`` (what it is, what it needs, its weight ``coefficient`` in the priority ``tuned``) and
``value.safetensors``, or, for the contrastive target, an energy head's files.
"""

from __future__ import annotations

import copy
import math
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
from burnqed.jobs.merging import Merger
from burnqed.jobs.stop import Stopped, stop_requested
from burnqed.policy.loading import load_model
from burnqed.value.encoder import model_digest, token_batches
from burnqed.value.head import EnergyHead, load_head
from burnqed.value.readers import AnyReader, Policy, PromptTokens, Reading, Tokens, last_hidden

CONFIG, WEIGHTS = "value.json", "value.safetensors"
WEIGHT_DECAY = 0.01
WARMUP_SHARE = 0.05
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
        if settings.lora_rank:
            from peft import LoraConfig, get_peft_model

            shape = LoraConfig(r=settings.lora_rank, lora_alpha=2 * settings.lora_rank, target_modules="all-linear")
            decoder = get_peft_model(decoder, shape)
        self.decoder, self.device = decoder, device
        self.width = int(decoder.config.hidden_size)
        self.head = ValueHead(self.width, settings.hidden_sizes, settings.dropout)
        self.head.to(device=device, dtype=torch.float64 if dtype == "float64" else torch.float32)

    def hidden(self, rows: Sequence[Tokens]) -> Tensor:
        """Return the hidden states that the head reads, (rows, hidden), in its type."""
        return last_hidden(self.decoder, rows, self.device).to(self.head.mean.dtype)

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
        self, card: ValueCard, settings: ValueSettings, policy: Policy, dtype: str, reader: AnyReader | None = None
    ) -> None:
        self.card, self.settings = card, settings
        self._dtype = torch.float64 if dtype == "float64" else torch.float32
        self._budget, self._device = policy.encoder.batch_tokens, policy.device
        self.own: OwnCopy | None = None
        if settings.reader == "own":
            self.tokens = PromptTokens(policy.model_dir, policy.model)
            self.own = OwnCopy(policy.model_dir, settings, dtype, policy.device, policy.quantization)
            self.head, width = self.own.head, self.own.width
        else:
            self.reader = reader or policy.reader(settings.reader)
            width = self.reader.width
            self.head = ValueHead(width, settings.hidden_sizes, settings.dropout).to(policy.device, self._dtype)
        if card.width != width:
            self.card = replace(card, width=width)

    def energies(self, readings: Sequence[Reading]) -> list[float]:
        """Return -log of the value of each reading, rounded."""
        module = self.own or self.head
        module.eval()
        with torch.inference_mode():
            if self.own is None:
                vectors = torch.from_numpy(self.reader.vectors(readings)).to(self._device, self._dtype)
                logits = self.head(vectors).double().cpu()
            else:
                rows = self.tokens(readings)
                logits = torch.zeros(len(rows), dtype=torch.float64)
                for batch in token_batches([len(row) for row in rows], self._budget):
                    logits[batch] = self.own([rows[i] for i in batch]).double().cpu()
        return [round(float(energy), DIGITS) + 0.0 for energy in nn.functional.softplus(-logits)]

    def lengths(self, readings: Sequence[Reading]) -> list[int]:
        """Return the tokens that each reading costs beside sampling."""
        if self.own is not None:
            return [len(row) for row in self.tokens(readings)]
        return self.reader.lengths(readings)

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


def card_of(settings: ValueSettings, policy: Policy, width: int) -> ValueCard:
    """Return the card of a value that is still to be trained."""
    model = policy.model
    where = model_digest(policy.model_dir), model.prompt_format, model.max_length, policy.quantization
    return ValueCard(settings.model_dump(), *where, width)


def train_value(
    readings: Sequence[Reading],
    targets: Sequence[float],
    held: Sequence[bool],
    settings: ValueSettings,
    policy: Policy,
    seed: int,
    reader: AnyReader | None = None,
) -> TrainedValue:
    """Train a value on readings and their targets in [0, 1]; those ``held`` choose when to stop.

    ``reader``: that of the settings, where it is loaded already. Own copies train in float32 where the encoder computes in float64. Raises Stopped after SIGTERM and ValueError
    when one side of the split is empty.
    """
    train, val = ([i for i, out in enumerate(held) if out == side] for side in (False, True))
    if not train or not val:
        raise ValueError(f"{len(train)} states to train on and {len(val)} held out: both are needed")
    torch.manual_seed(seed)
    dtype = "float32" if policy.encoder.dtype == "float64" else policy.encoder.dtype
    value = TrainedValue(card_of(settings, policy, 0), settings, policy, dtype, reader)
    report = _own_fit(value, readings, targets, train, val, seed) if value.own else None
    if report is None:
        value.head.float()
        vectors = torch.from_numpy(value.reader.vectors(readings)).to(policy.device)
        value.head.set_statistics(vectors[train])
        goal = torch.tensor(targets, device=policy.device)
        rates = [(list(value.head.parameters()), settings.learning_rate)]
        report = _fit(
            value.head, lambda at: value.head(vectors[at]), goal, train, val, rates, settings.epochs, settings, seed
        )
        value.head.to(value._dtype)
    value.card = replace(value.card, report=report)
    return value


def _own_fit(
    value: TrainedValue,
    readings: Sequence[Reading],
    targets: Sequence[float],
    train: list[int],
    val: list[int],
    seed: int,
) -> dict[str, Any]:
    own, settings = value.own, value.settings
    assert own is not None
    rows = value.tokens(readings)
    with torch.no_grad():
        sample = np.random.default_rng(seed).permutation(train)[:1024]
        own.head.set_statistics(
            torch.cat([own.hidden([rows[i] for i in sample[at : at + 64]]) for at in range(0, len(sample), 64)])
        )
    goal = torch.tensor(targets, dtype=own.head.mean.dtype, device=own.device)
    copied = [weight for weight in own.decoder.parameters() if weight.requires_grad]
    rates = [(copied, settings.own_rate), (list(own.head.parameters()), settings.learning_rate)]
    epochs = settings.own_epochs
    return _fit(own, lambda at: own([rows[i] for i in at]), goal, train, val, rates, epochs, settings, seed)


def _fit(
    module: nn.Module,
    logits: Callable[[list[int]], Tensor],
    targets: Tensor,
    train: list[int],
    val: list[int],
    rates: Sequence[tuple[list[nn.Parameter], float]],
    epochs: int,
    settings: ValueSettings,
    seed: int,
) -> dict[str, Any]:
    """Minimise the cross-entropy to soft targets; keep the weights of the best held-out pass."""
    groups = [{"params": parameters, "lr": rate} for parameters, rate in rates if parameters]
    optimizer = torch.optim.AdamW(groups, weight_decay=WEIGHT_DECAY)
    steps = epochs * math.ceil(len(train) / settings.batch)
    warmup = max(1, round(WARMUP_SHARE * steps))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer,
        lambda step: min((step + 1) / warmup, 0.5 * (1 + math.cos(math.pi * min(1.0, step / steps)))),
    )
    random = np.random.default_rng(seed)
    best, stale, history = (math.inf, copy.deepcopy(module.state_dict())), 0, []
    for _ in range(epochs):
        module.train()
        order = random.permutation(len(train))
        for at in range(0, len(train), settings.batch):
            batch = [train[i] for i in order[at : at + settings.batch]]
            loss = nn.functional.binary_cross_entropy_with_logits(logits(batch), targets[batch])
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(module.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            if stop_requested():
                raise Stopped
        history.append(_loss(module, logits, targets, val))
        if history[-1] < best[0]:
            best, stale = (history[-1], copy.deepcopy(module.state_dict())), 0
        else:
            stale += 1
        if stale >= settings.patience:
            break
    module.load_state_dict(best[1])
    module.eval()
    share = float(targets[train].mean())
    prior = torch.full((len(val),), math.log(max(share, 1e-6) / max(1 - share, 1e-6)), device=targets.device)
    return {
        "held_out_loss": round(best[0], 6),
        "prior_loss": round(float(nn.functional.binary_cross_entropy_with_logits(prior, targets[val].float())), 6),
        "epochs": len(history),
        "best_epoch": history.index(best[0]) + 1 if best[0] in history else 0,
        "train_states": len(train),
        "held_out_states": len(val),
    }


@torch.inference_mode()
def _loss(module: nn.Module, logits: Callable[[list[int]], Tensor], targets: Tensor, rows: list[int]) -> float:
    module.eval()
    parts = [rows[at : at + 256] for at in range(0, len(rows), 256)]
    total = sum(
        float(nn.functional.binary_cross_entropy_with_logits(logits(part), targets[part], reduction="sum"))
        for part in parts
    )
    return total / len(rows)


class ContrastiveValue:
    """The energy head of the published idea, as one value among others; its energies are those of ``EnergyScorer``."""

    def __init__(self, card: ValueCard, head: EnergyHead, reader: AnyReader, dtype: str, device: str) -> None:
        self.card, self.reader, self._device = card, reader, device
        self._dtype = torch.float64 if dtype == "float64" else torch.float32
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


def load_value(folder: Path, policy: Policy, reader: AnyReader | None = None) -> TrainedValue | ContrastiveValue:
    """Return the value of a folder; its prompt is that of its card, whatever the policy's settings say.

    ``reader``: that of the value, where it is loaded already. Raises UserError when the folder is damaged, or made for
    another policy.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    card = _read_card(folder)
    if card.model != model_digest(policy.model_dir):
        raise UserError(
            f"{folder}: trained for another policy than {policy.model_dir}; train it again (target value_lab)"
        )
    form = policy.model.model_copy(update={"prompt_format": card.prompt_format, "max_length": card.max_length})
    policy = replace(policy, model=form)
    settings = ValueSettings.model_validate(card.settings)
    if settings.target == "contrastive":
        head, _ = load_head(folder)
        pooled = reader or policy.reader("pooled")
        return ContrastiveValue(card, head, pooled, policy.encoder.dtype, policy.device)
    value = TrainedValue(card, settings, policy, policy.encoder.dtype, reader)
    try:
        value.restore(load_file(folder / WEIGHTS))
    except (OSError, SafetensorError, RuntimeError) as error:
        raise UserError(f"{folder / WEIGHTS}: not the weights of this value ({error}); train it again") from error
    return value


def _read_card(folder: Path) -> ValueCard:
    try:
        return ValueCard(**read_json(folder / CONFIG))
    except TypeError as error:
        raise UserError(f"{folder / CONFIG}: not a value ({error}); train it again") from error


class ValueScorer:
    """A value at work in the search: merged requests in one thread, cache by state and theorem.

    ``coefficient`` is the value's weight in the priority ``tuned``; ``busy_seconds`` the time spent computing.
    """

    def __init__(self, value: Value) -> None:
        if value.card.settings["reader"] == "free":
            raise UserError(
                "the reader free reads while the policy samples, which the search does not do yet: its orders are "
                "replayed (target value_lab); search with another reader"
            )
        self._value = value
        self.coefficient = value.card.coefficient
        self.busy_seconds = 0.0
        self._known: dict[tuple[str, str], float] = {}
        self._merger: Merger[list[tuple[str, str]], list[float]] = Merger("value", self._answer)

    async def score(self, states: Sequence[str], goals: Sequence[str]) -> list[float]:
        """Return one energy per (state, goal) pair."""
        return await self._merger.ask(list(zip(states, goals, strict=True))) if states else []

    def _answer(self, requests: list[list[tuple[str, str]]]) -> list[list[float]]:
        begun = time.perf_counter()
        new = list(dict.fromkeys(pair for request in requests for pair in request if pair not in self._known))
        found = self._value.energies([Reading(*pair) for pair in new])
        self._known.update(zip(new, found, strict=True))
        self.busy_seconds += time.perf_counter() - begun
        return [[self._known[pair] for pair in request] for request in requests]

    async def close(self) -> None:
        """End the thread; waiting requests are answered first."""
        await self._merger.finish()
