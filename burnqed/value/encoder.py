"""Mean-pooled last hidden states of the policy model: the input of the energy head.

One class serves the embeddings file and the search, so that a head sees in search what it was
trained on. Vectors are stored as float16; the search rounds to float16 too.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from burnqed.config import EncoderSettings
from burnqed.files import UserError, digest, file_digest
from burnqed.policy.adapted import RECORD
from burnqed.policy.loading import is_out_of_memory, load_model, load_tokenizer
from burnqed.policy.packed import read_packed

if TYPE_CHECKING:
    import torch

logger = logging.getLogger(__name__)

Vectors = NDArray[np.float32]
# Largest relative error of a text encoded in a batch against the same text alone.
BATCH_TOLERANCE = {"float64": 1e-6, "float32": 1e-3, "bfloat16": 0.1}


class EncoderError(RuntimeError):
    """The model returned vectors that cannot be right."""


def text_sha(text: str) -> str:
    """Return the SHA-256 (hex) of a state's text: the key of its vector."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def model_digest(model_dir: Path) -> str:
    """Return a digest of configuration, tokenizer and weights; raise UserError without them."""
    weights = sorted([*model_dir.glob("*.safetensors"), *model_dir.glob("*.bin")])
    if not (model_dir / "config.json").is_file() or not weights:
        raise UserError(
            f"{model_dir}: not a model folder (needs config.json and *.safetensors); "
            "check --model-dir, or make the model again"
        )
    small = [model_dir / name for name in ("config.json", "tokenizer.json", "tokenizer_config.json", RECORD)]
    return digest([(p.name, file_digest(p)) for p in [*small, *weights] if p.is_file()])


def encoder_spec(model_dir: Path, settings: EncoderSettings, quantization: str, hidden_size: int) -> dict[str, Any]:
    """Return what decides the vectors' values; embeddings, head and search must agree on it."""
    return {
        "model": model_digest(model_dir),
        "dtype": settings.dtype,
        "quantization": quantization,
        "pooling": "mean",
        "layer": "last",
        "max_length": settings.max_length,
        "hidden_size": hidden_size,
    }


def require_same_spec(expected: dict[str, Any], found: dict[str, Any], where: str) -> None:
    """Raise UserError naming each field in which two encoder specs differ."""
    differ = [
        f"{key} is {found.get(key)!r}, expected {expected.get(key)!r}"
        for key in sorted(expected.keys() | found.keys())
        if expected.get(key) != found.get(key)
    ]
    if differ:
        raise UserError(
            f"{where}: made with another encoder ({'; '.join(differ)}); "
            "use the model and encoder settings it was made with, or make it again"
        )


def token_batches(lengths: Sequence[int], budget: int, padded: bool = True) -> list[list[int]]:
    """Cut indices into batches of similar length, longest first.

    A batch holds at most ``budget`` tokens, with padding to its longest text when ``padded``; a
    longer text makes a batch of its own.
    """
    batches: list[list[int]] = []
    width = room = 0
    for index in sorted(range(len(lengths)), key=lambda i: (-lengths[i], i)):
        cost = width if padded else lengths[index]
        if batches and cost <= room:
            batches[-1].append(index)
            room -= cost
        else:
            batches.append([index])
            width = lengths[index]
            room = budget - width
    return batches


class Encoder:
    """The policy model without its output layer.

    ``spec`` says what the vectors depend on; ``hidden_size`` is their width. Weights are frozen and
    the model is in evaluation mode. Raises UserError when the folder holds no usable model.
    """

    def __init__(self, model_dir: Path, settings: EncoderSettings, device: str, quantization: str) -> None:
        import torch

        digest_first = model_digest(model_dir)
        self.settings = settings
        self.device = device
        self._dtype: torch.dtype = getattr(torch, settings.dtype)
        self._tokenizer = load_tokenizer(model_dir)
        self._model = load_model(model_dir, settings.dtype, device, quantization, head=False)
        self._model.requires_grad_(False)
        self._packed = read_packed(self._model, device, self._dtype, quantization)
        self.hidden_size = int(self._model.config.hidden_size)
        self.spec = encoder_spec(model_dir, settings, quantization, self.hidden_size)
        if self.spec["model"] != digest_first:
            raise UserError(f"{model_dir}: the model changed while it was read; run again")
        self._checked = False

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return the mean of the last hidden states over each text's tokens, float32 (n, hidden).

        A text longer than ``max_length`` tokens keeps its last ones (the goal). Texts of equal
        tokens are encoded once. The first call on several texts also checks a sample of them alone.
        Raises EncoderError when a vector is not finite, zero, or the same for different texts.
        """
        if not texts:
            return np.zeros((0, self.hidden_size), np.float32)
        unique: dict[tuple[int, ...], int] = {}
        rows = [unique.setdefault(ids, len(unique)) for ids in self._tokens(texts)]
        tokens = list(unique)
        vectors = np.empty((len(tokens), self.hidden_size), np.float32)
        for batch in token_batches([len(ids) for ids in tokens], self.settings.batch_tokens, not self._packed):
            vectors[batch] = self._encode_batch([tokens[i] for i in batch])
        check_vectors(vectors)
        if not self._checked and len(tokens) > 1:
            self._check_sample(tokens, vectors)
            self._checked = True
        result: Vectors = vectors[rows]
        return result

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """Return the tokens of each text that are encoded."""
        return [len(ids) for ids in self._tokens(texts)] if texts else []

    def recheck(self) -> None:
        """Make the next call of ``encode`` compare a sample with the same texts alone again."""
        self._checked = False

    def _tokens(self, texts: Sequence[str]) -> list[tuple[int, ...]]:
        from burnqed.value.pooling import state_tokens

        return state_tokens(self._tokenizer, texts, self.settings.max_length)

    def _encode_batch(self, tokens: list[tuple[int, ...]]) -> Vectors:
        """Encode one batch; when memory runs out, encode its halves."""
        import torch

        try:
            return self._forward_packed(tokens) if self._packed else self._forward(tokens)
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
            if len(tokens) == 1:
                raise UserError(
                    f"a state of {len(tokens[0])} tokens does not fit into memory alone; lower encoder.max_length"
                ) from error
        # Out of the except block, so that the traceback no longer holds the failed tensors.
        if self.device.startswith("cuda"):
            torch.cuda.empty_cache()
        logger.warning("out of memory with %d states of up to %d tokens; split", len(tokens), len(tokens[0]))
        half = len(tokens) // 2
        return np.concatenate([self._encode_batch(tokens[:half]), self._encode_batch(tokens[half:])])

    def _forward(self, tokens: list[tuple[int, ...]]) -> Vectors:
        """Return the pooled vectors of one right-padded batch."""
        return self._pooled(tokens, packed=False)

    def _forward_packed(self, tokens: list[tuple[int, ...]]) -> Vectors:
        """Return the pooled vectors of texts laid one after another, without padding."""
        return self._pooled(tokens, packed=True)

    def _pooled(self, tokens: list[tuple[int, ...]], packed: bool) -> Vectors:
        import torch

        from burnqed.value.pooling import pooled

        with torch.inference_mode():
            vectors: Vectors = pooled(self._model, tokens, self.device, packed).float().cpu().numpy()
            return vectors

    def _check_sample(self, tokens: list[tuple[int, ...]], vectors: Vectors) -> None:
        """Raise EncoderError when texts encoded alone differ from the same texts in their batch."""
        order = sorted(range(len(tokens)), key=lambda i: (len(tokens[i]), i))
        sample = sorted({order[0], order[len(order) // 2], order[-1]})
        alone = np.concatenate([self._encode_batch([tokens[i]]) for i in sample])
        error = np.linalg.norm(alone - vectors[sample], axis=1) / np.linalg.norm(alone, axis=1)
        if float(error.max()) > BATCH_TOLERANCE[self.settings.dtype]:
            raise EncoderError(
                f"a state's vector depends on its batch: relative difference {error.max():.2g} "
                f"to the same state alone ({self.settings.dtype})"
            )


def check_vectors(vectors: Vectors) -> None:
    """Raise EncoderError when vectors of different texts are not finite, zero or repeated."""
    largest = float(np.abs(vectors).max(initial=0.0))  # NaN when there is one
    if not largest <= float(np.finfo(np.float16).max):
        raise EncoderError("the model returned hidden states that are not finite in float16")
    zeros = int((~vectors.any(axis=1)).sum())
    if zeros:
        raise EncoderError(f"the model returned all-zero hidden states for {zeros} of {len(vectors)} states")
    repeated = len(vectors) - len({row.tobytes() for row in vectors})
    if repeated:
        raise EncoderError(f"the model returned the same vector for {repeated} different states")
