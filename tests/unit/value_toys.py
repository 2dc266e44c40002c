"""Small models, trajectories and vectors for the tests of the value."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from burnqed.config import EncoderSettings
from burnqed.files import write_jsonl
from burnqed.records.trajectories import SCHEMA, write_trajectories
from burnqed.value.encoder import text_sha

HIDDEN = 16


def tiny_model(folder: Path, seed: int = 0, hidden: int = 32) -> Path:
    """Save a random Llama of two layers with a byte-level tokenizer."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {token: number for number, token in enumerate(["<pad>", "<s>", "</s>", *alphabet])}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    torch.manual_seed(seed)
    config = LlamaConfig(
        hidden_size=hidden,
        intermediate_size=2 * hidden,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        vocab_size=len(vocabulary),
        max_position_embeddings=512,
        tie_word_embeddings=True,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", bos_token="<s>", eos_token="</s>"
    ).save_pretrained(folder)
    return folder


class Steps:
    """Builds the rows of one search."""

    def __init__(self, theorem: str, goal: str, kind: str = "main", attempt: int = 0) -> None:
        self.theorem, self.goal, self.kind, self.attempt = theorem, goal, kind, attempt
        self.rows: list[dict[str, Any]] = []

    def add(
        self, state: str, tactic: str, next_state: str | None, depth: int, path: bool = False, outcome: str = ""
    ) -> Steps:
        """Add a tactic: ok with a next state, proved without, or the outcome given."""
        outcome = outcome or ("ok" if next_state else "proved")
        self.rows.append(
            {
                "iteration": 0, "kind": self.kind, "theorem": self.theorem, "attempt": self.attempt,
                "step": len(self.rows), "parent_step": -1, "depth": depth, "state": state, "goal": self.goal,
                "tactic": tactic, "outcome": outcome, "next_state": next_state, "message": "", "logprob": -1.0,
                "cumulative_logprob": -1.0, "energy": None, "on_proof_path": path, "remaining_steps": None,
                "expansion": 1, "seed": 0,
            }
        )  # fmt: skip
        return self


def write_run(folder: Path, searches: Sequence[Steps], proofs: Sequence[tuple[str, list[str]]]) -> tuple[Path, Path]:
    """Write trajectories and re-checked proofs; return their paths."""
    trajectories, proved = folder / "trajectories.parquet", folder / "proofs.jsonl"
    write_trajectories(trajectories, [pa.Table.from_pylist(s.rows, SCHEMA) for s in searches], [])
    write_jsonl(proved, [{"theorem": theorem, "proof": proof} for theorem, proof in proofs])
    return trajectories, proved


def forest(theorems: int, depth: int = 3, children: int = 4) -> tuple[list[Steps], list[tuple[str, list[str]]]]:
    """Return searches whose path state at depth d is `path`, its siblings `dead`, with their proofs."""
    searches, proofs = [], []
    for number in range(theorems):
        name = f"t{number:03d}"
        root = f"⊢ root {name}"
        search, state = Steps(name, root), root
        for level in range(depth):
            for child in range(1, children):
                dead = f"⊢ dead {name} {level} {child}"
                search.add(state, f"bad {level} {child}", dead, level)
                search.add(dead, "worse", f"{dead} deep", level + 1)
            following = f"⊢ path {name} {level}"
            search.add(state, f"good {level}", following, level, path=True)
            state = following
        search.add(state, "close", None, depth, path=True)
        searches.append(search)
        proofs.append((name, [*(f"good {level}" for level in range(depth)), "close"]))
    return searches, proofs


class VectorEncoder:
    """Vectors made from the text: a random direction per text, plus a signal in `path` states."""

    def __init__(self, signal: float, settings: EncoderSettings | None = None) -> None:
        self.signal, self.hidden_size, self.device = signal, HIDDEN, "cpu"
        self.settings = settings or EncoderSettings(dtype="float32", progress_every=100)
        self.spec: dict[str, Any] = {"model": "toy", "dtype": "float32", "hidden_size": HIDDEN}
        self.calls: list[int] = []

    def recheck(self) -> None:
        """Do nothing: there is no batch here."""

    def encode(self, texts: Sequence[str]) -> np.ndarray[Any, np.dtype[np.float32]]:
        """Return one vector per text."""
        self.calls.append(len(texts))
        vectors = np.empty((len(texts), HIDDEN), np.float32)
        for row, text in enumerate(texts):
            vectors[row] = np.random.default_rng(int(text_sha(text)[:8], 16)).normal(size=HIDDEN)
            vectors[row, 0] += self.signal * ("path" in text)
        return vectors
