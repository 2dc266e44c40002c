"""What a value reads of a state: vectors of the frozen policy, by one of several readers.

``pooled``: the mean of the last hidden states over the state's text, beside that of the theorem. ``prompt``: the hidden
state at the end of the prompt that the policy is asked with. ``free``: the hidden state at the last token of the tactic
that led to the state, seen from the parent's prompt; sampling computes it anyway, so it costs no forward pass of its
own. The reader ``own`` (``burnqed.value.values``) reads as ``prompt``, with a copy of the policy that learns too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from burnqed.config import EncoderSettings, ModelSettings
from burnqed.policy.loading import load_model, load_tokenizer
from burnqed.policy.prompts import FORMATS, completion_tokens, prompt_tokens
from burnqed.value.encoder import Encoder, token_batches

Vectors = NDArray[np.float32]
Tokens = list[int]


@dataclass(frozen=True)
class Reading:
    """A state under its theorem, with the edge that found it: the parent's text and the tactic tried there."""

    state: str
    root: str
    parent: str = ""
    tactic: str = ""


class PromptTokens:
    """The token ids that a reading is made of, for the readers that see the policy's own prompt."""

    def __init__(self, model_dir: Path, model: ModelSettings, after_tactic: bool = False) -> None:
        self.tokenizer = load_tokenizer(model_dir)
        self.form, self.limit, self.after_tactic = FORMATS[model.prompt_format], model.max_length, after_tactic

    def __call__(self, readings: Sequence[Reading]) -> list[Tokens]:
        """Return the ids of each prompt; with ``after_tactic`` the parent's prompt and the tactic, without its end."""
        if not self.after_tactic:
            return prompt_tokens(self.tokenizer, self.form, [reading.state for reading in readings], self.limit)
        prompts = prompt_tokens(self.tokenizer, self.form, [reading.parent for reading in readings], self.limit)
        tactics = completion_tokens(self.tokenizer, self.form, [reading.tactic for reading in readings])
        return [(prompt + tactic[:-1])[-self.limit :] for prompt, tactic in zip(prompts, tactics, strict=True)]


def last_hidden(decoder: Any, rows: Sequence[Tokens], device: str) -> Tensor:
    """Return the last hidden state at each row's last token, (rows, hidden); gradients flow where they may.

    Rows are filled on the right, where a causal model does not look.
    """
    ids = torch.zeros((len(rows), max(map(len, rows))), dtype=torch.long)
    for number, row in enumerate(rows):
        ids[number, : len(row)] = torch.tensor(row, dtype=torch.long)
    hidden = decoder(input_ids=ids.to(device), use_cache=False).last_hidden_state
    ends = torch.tensor([len(row) - 1 for row in rows], device=hidden.device)
    found: Tensor = hidden[torch.arange(len(rows), device=hidden.device), ends]
    return found


class PromptReader:
    """Hidden states of the frozen policy at the end of a prompt, or of a tactic (``after_tactic``: reader free)."""

    def __init__(
        self,
        model_dir: Path,
        model: ModelSettings,
        encoder: EncoderSettings,
        device: str,
        quantization: str,
        after_tactic: bool = False,
    ) -> None:
        self.tokens = PromptTokens(model_dir, model, after_tactic)
        self.free = after_tactic
        self._decoder = load_model(model_dir, encoder.dtype, device, quantization, head=False)
        self._decoder.requires_grad_(False)
        self._budget, self._device = encoder.batch_tokens, device
        self.width = int(self._decoder.config.hidden_size)

    def vectors(self, readings: Sequence[Reading]) -> Vectors:
        """Return one vector per reading, float32 (n, width)."""
        rows = self.tokens(readings)
        found = np.zeros((len(rows), self.width), np.float32)
        with torch.inference_mode():
            for batch in token_batches([len(row) for row in rows], self._budget):
                found[batch] = last_hidden(self._decoder, [rows[i] for i in batch], self._device).float().cpu().numpy()
        return found

    def lengths(self, readings: Sequence[Reading]) -> list[int]:
        """Return the tokens that each reading costs beside sampling."""
        return [0] * len(readings) if self.free else [len(row) for row in self.tokens(readings)]


class PooledReader:
    """Mean-pooled hidden states of state and theorem, side by side; each text is encoded once."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self.width = 2 * encoder.hidden_size

    def vectors(self, readings: Sequence[Reading]) -> Vectors:
        """Return one vector per reading, float32 (n, 2 hidden): the state's, then the theorem's."""
        texts = {text: None for reading in readings for text in (reading.state, reading.root)}
        at = {text: row for row, text in enumerate(texts)}
        encoded = self.encoder.encode(list(texts))
        state, root = ([at[getattr(reading, name)] for reading in readings] for name in ("state", "root"))
        found: Vectors = np.concatenate([encoded[state], encoded[root]], axis=1)
        return found

    def lengths(self, readings: Sequence[Reading]) -> list[int]:
        """Return the tokens that each reading costs beside sampling; the theorem is read once."""
        return self.encoder.lengths([reading.state for reading in readings])


class Remembered:
    """A frozen reader whose vectors are kept, for many values that read the same states."""

    def __init__(self, reader: PooledReader | PromptReader) -> None:
        self.reader, self.width = reader, reader.width
        self._known: dict[Reading, Vectors] = {}

    def vectors(self, readings: Sequence[Reading]) -> Vectors:
        """Return one vector per reading, float32 (n, width); new ones are read."""
        new = list(dict.fromkeys(reading for reading in readings if reading not in self._known))
        if new:
            self._known.update(zip(new, self.reader.vectors(new), strict=True))
        return np.stack([self._known[reading] for reading in readings]) if readings else np.zeros((0, self.width), "f4")

    def lengths(self, readings: Sequence[Reading]) -> list[int]:
        """Return the tokens that each reading costs beside sampling."""
        return self.reader.lengths(readings)


AnyReader = PooledReader | PromptReader | Remembered


@dataclass(frozen=True)
class Policy:
    """The policy that values read, and how: model folder, prompt, encoder's settings, device, quantization."""

    model_dir: Path
    model: ModelSettings
    encoder: EncoderSettings
    device: str
    quantization: str

    def reader(self, name: str) -> PooledReader | PromptReader:
        """Return the frozen reader of a name."""
        how = self.encoder, self.device, self.quantization
        if name == "pooled":
            return PooledReader(Encoder(self.model_dir, *how))
        return PromptReader(self.model_dir, self.model, *how, after_tactic=name == "free")
