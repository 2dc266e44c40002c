"""What a value reads of a state: vectors of the frozen policy, by one of several readers.

``pooled``: the mean of the last hidden states over the state's text, beside that of the theorem. ``prompt``: the hidden
state at the end of the prompt that the policy is asked with. ``free``: the hidden state at the last token of the tactic
that led to the state, seen from the parent's prompt; sampling computes it anyway, so it costs no forward pass of its
own. The reader ``own`` (``burnqed.value.values``) reads as ``prompt``, with a copy of the policy that learns too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from burnqed.config import EncoderSettings, ModelSettings
from burnqed.files import UserError, atomic_path
from burnqed.policy.loading import load_model, load_tokenizer
from burnqed.policy.packed import read_packed
from burnqed.policy.prompts import FORMATS, completion_tokens, prompt_tokens
from burnqed.value.encoder import Encoder, model_digest, token_batches
from burnqed.value.pooling import last_hidden

Vectors = NDArray[np.float32]
Tokens = list[int]
SPEC = b"burnqed.reader"


@dataclass(frozen=True)
class Reading:
    """A state under its theorem, with the edge that found it: the parent's text and the tactic tried there.

    ``history`` are all tactics on the path that found it.
    """

    state: str
    root: str
    parent: str = ""
    tactic: str = ""
    history: tuple[str, ...] = ()

    def after_history(self) -> str:
        """Return the state's text below the tactics that led to it; where a prompt is too long they go first."""
        lines = [f"-- {line}\n" for tactic in self.history for line in tactic.splitlines()]
        return "".join(lines) + self.state


# What a frozen vector is read from: a text, or a parent's text and the tactic tried there.
Part = tuple[str, ...]


class PromptTokens:
    """The token ids of the policy's own prompt: of a state (one text), or of a parent and the tactic tried there (two)."""

    def __init__(self, model_dir: Path, model: ModelSettings) -> None:
        self.tokenizer = load_tokenizer(model_dir)
        self.form, self.limit = FORMATS[model.prompt_format], model.max_length

    def __call__(self, parts: Sequence[Part]) -> list[Tokens]:
        """Return the ids of each prompt, with a tactic those after the prompt too, without their end."""
        prompts = prompt_tokens(self.tokenizer, self.form, [part[0] for part in parts], self.limit)
        led = [number for number, part in enumerate(parts) if len(part) > 1]
        tactics = completion_tokens(self.tokenizer, self.form, [parts[number][1] for number in led])
        for number, tactic in zip(led, tactics, strict=True):
            prompts[number] = (prompts[number] + tactic[:-1])[-self.limit :]
        return prompts


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
        self.tokens = PromptTokens(model_dir, model)
        self.free = after_tactic
        self._decoder = load_model(model_dir, encoder.dtype, device, quantization, head=False)
        self._decoder.requires_grad_(False)
        self._packed = read_packed(self._decoder, device, self._decoder.dtype, quantization)
        self._budget, self._device = encoder.batch_tokens, device
        self.width = int(self._decoder.config.hidden_size)

    def parts(self, reading: Reading) -> tuple[Part, ...]:
        """Return what the vector of a reading is read from."""
        return ((reading.parent, reading.tactic) if self.free else (reading.state,),)

    def read(self, parts: Sequence[Part]) -> Vectors:
        """Return one vector per part, float32 (n, width)."""
        rows = self.tokens(parts)
        found = np.zeros((len(rows), self.width), np.float32)
        with torch.inference_mode():
            for batch in token_batches([len(row) for row in rows], self._budget, not self._packed):
                ends = last_hidden(self._decoder, [rows[i] for i in batch], self._device, self._packed)
                found[batch] = ends.float().cpu().numpy()
        return found

    def lengths(self, readings: Sequence[Reading]) -> list[int]:
        """Return the tokens that each reading costs beside sampling."""
        if self.free:
            return [0] * len(readings)
        return [len(row) for row in self.tokens([part for reading in readings for part in self.parts(reading)])]


class PooledReader:
    """Mean-pooled hidden states of state and theorem, side by side."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self.width = 2 * encoder.hidden_size

    def parts(self, reading: Reading) -> tuple[Part, ...]:
        """Return what the vector of a reading is read from: the state, then the theorem."""
        return (reading.state,), (reading.root,)

    def read(self, parts: Sequence[Part]) -> Vectors:
        """Return one vector per part, float32 (n, hidden)."""
        return self.encoder.encode([part[0] for part in parts])

    def lengths(self, readings: Sequence[Reading]) -> list[int]:
        """Return the tokens that each reading costs beside sampling; the theorem is read once."""
        return self.encoder.lengths([reading.state for reading in readings])


class Frozen:
    """A frozen reader. With ``keep`` each part is read once, for all values and readings that share it.

    ``stored`` is a file of ``write_parts``, whose vectors need not be read again.
    """

    def __init__(
        self,
        reader: PooledReader | PromptReader,
        spec: Mapping[str, object],
        keep: bool = False,
        stored: Path | None = None,
    ) -> None:
        self.reader, self.width, self.spec, self._keep = reader, reader.width, dict(spec), keep
        self._known = read_parts(stored, self.spec) if stored else {}

    def vectors(self, readings: Sequence[Reading]) -> Vectors:
        """Return one vector per reading, float32 (n, width)."""
        parts = [self.reader.parts(reading) for reading in readings]
        known = self._known if self._keep else dict(self._known)
        new = list(dict.fromkeys(part for own in parts for part in own if part not in known))
        if new:
            known.update(zip(new, self.reader.read(new), strict=True))
        if not parts:
            return np.zeros((0, self.width), np.float32)
        return np.stack([np.concatenate([known[part] for part in own]) for own in parts])

    def write(self, output: Path) -> None:
        """Write all vectors that were kept."""
        write_parts(output, self._known, self.spec)

    def lengths(self, readings: Sequence[Reading]) -> list[int]:
        """Return the tokens that each reading costs beside sampling."""
        return self.reader.lengths(readings)


def write_parts(output: Path, known: Mapping[Part, Vectors], spec: Mapping[str, object]) -> None:
    """Write vectors with what each was read from."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = np.stack(list(known.values())) if known else np.zeros((0, 1), np.float32)
    vectors = pa.FixedSizeListArray.from_arrays(pa.array(rows.reshape(-1)), rows.shape[1])
    texts = pa.array([list(part) for part in known], pa.list_(pa.string()))
    table = pa.table({"part": texts, "vector": vectors}).replace_schema_metadata({SPEC: json.dumps(spec)})
    with atomic_path(output) as partial:
        pq.write_table(table, partial, compression="zstd", use_dictionary=False, write_statistics=False)


def read_parts(path: Path, spec: Mapping[str, object]) -> dict[Part, Vectors]:
    """Read a file of ``write_parts``; raise UserError when it is damaged or was read in another way than ``spec``."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path)
        found = json.loads(table.schema.metadata[SPEC])
        flat = table["vector"].combine_chunks().flatten().to_numpy(zero_copy_only=False)
        parts = [tuple(part) for part in table["part"].to_pylist()]
    except (pa.ArrowException, OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{path}: not a file of vectors ({error}); delete it and run again") from error
    if found != json.loads(json.dumps(spec)):
        raise UserError(f"{path}: read with another policy or other settings; delete it and run again")
    return dict(zip(parts, flat.reshape(len(parts), -1), strict=True))


@dataclass(frozen=True)
class Policy:
    """The policy that values read, and how: model folder, prompt, encoder's settings, device, quantization."""

    model_dir: Path
    model: ModelSettings
    encoder: EncoderSettings
    device: str
    quantization: str

    def reader(self, name: str, keep: bool = False, stored: Path | None = None) -> Frozen:
        """Return the frozen reader of a name; ``keep``: with a memory, ``stored``: of vectors read before, too."""
        how = self.encoder, self.device, self.quantization
        reader: PooledReader | PromptReader
        if name == "pooled":
            reader = PooledReader(Encoder(self.model_dir, *how))
        else:
            reader = PromptReader(self.model_dir, self.model, *how, after_tactic=name == "free")
        return Frozen(reader, self.spec(name), keep, stored)

    def spec(self, name: str) -> dict[str, object]:
        """Return what the vectors of a reader depend on."""
        if name == "pooled":
            form: dict[str, object] = {"max_length": self.encoder.max_length}
        else:
            form = {"max_length": self.model.max_length, "prompt_format": self.model.prompt_format}
        how = {"dtype": self.encoder.dtype, "quantization": self.quantization}
        return {"reader": name, "model": model_digest(self.model_dir), **how, **form}
