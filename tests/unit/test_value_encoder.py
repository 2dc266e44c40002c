"""The encoder: pooling, batches, checks, and the embeddings file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch
from value_toys import HIDDEN, Steps, VectorEncoder, tiny_model, write_run

from burnqed import files
from burnqed.config import EncoderSettings
from burnqed.files import UserError
from burnqed.value import encoder as module
from burnqed.value.embeddings import (
    Text,
    load_vectors,
    read_shas,
    read_spec,
    texts_of_trajectories,
    write_embeddings,
)
from burnqed.value.encoder import Encoder, EncoderError, check_vectors, require_same_spec, text_sha, token_batches

TEXTS = [
    "⊢ p",
    "p q : Prop\n⊢ p ∧ q",
    "n : Nat\nh : n + 0 = n\n⊢ n = n + 0 ∨ False",
    "⊢ True",
    "x y : Nat\n⊢ x + y = y + x",
]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_model(tmp_path_factory.mktemp("model"))


def load(model: Path, **settings: object) -> Encoder:
    values = {"dtype": "float64", "batch_tokens": 256, "max_length": 128, **settings}
    return Encoder(model, EncoderSettings.model_validate(values), "cpu", "none")


def test_vector_is_the_mean_of_the_last_hidden_states(model: Path) -> None:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    causal = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float64)
    tokenizer = AutoTokenizer.from_pretrained(model)
    for text, vector in zip(TEXTS, load(model).encode(TEXTS), strict=True):
        ids = torch.tensor([tokenizer(text)["input_ids"]])
        with torch.no_grad():
            hidden = causal(input_ids=ids, output_hidden_states=True).hidden_states[-1]
        np.testing.assert_allclose(vector, hidden[0].mean(0).float().numpy(), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize(("dtype", "tolerance"), [("float64", 1e-7), ("float32", 1e-5), ("bfloat16", 0.05)])
def test_batches_do_not_change_vectors(model: Path, dtype: str, tolerance: float) -> None:
    encoder = load(model, dtype=dtype)
    together = encoder.encode(TEXTS * 3)
    assert together.dtype == np.float32
    assert together.shape == (15, 32)
    alone = np.concatenate([encoder.encode([text]) for text in TEXTS])
    np.testing.assert_allclose(together[:5], alone, atol=tolerance)
    np.testing.assert_array_equal(together[:5], together[5:10])
    if dtype == "float64":
        np.testing.assert_array_equal(together[:5].astype(np.float16), alone.astype(np.float16))


def test_long_text_keeps_its_last_tokens(model: Path) -> None:
    encoder = load(model, max_length=16)
    tail = "⊢ a + b = b + a!"
    tokens = encoder._tokens(["h : junk\n" * 40 + tail, tail])
    assert len(tokens[0]) == 16
    assert tokens[0] == tokens[1][-16:]


def test_token_batches_keep_the_budget_and_everything() -> None:
    lengths = [5, 900, 3, 40, 41, 40, 7, 2, 100]
    batches = token_batches(lengths, 100)
    assert sorted(i for batch in batches for i in batch) == list(range(9))
    for batch in batches:
        assert len(batch) == 1 or len(batch) * max(lengths[i] for i in batch) <= 100
    assert [lengths[b[0]] for b in batches] == sorted((lengths[b[0]] for b in batches), reverse=True)


def test_out_of_memory_splits_the_batch(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = load(model)
    expected = encoder.encode(TEXTS)
    real, sizes = encoder._forward, []

    def limited(tokens: list[tuple[int, ...]]) -> np.ndarray:
        sizes.append(len(tokens))
        if len(tokens) > 1:
            raise torch.OutOfMemoryError("out of memory")
        return real(tokens)

    monkeypatch.setattr(encoder, "_forward", limited)
    np.testing.assert_allclose(encoder.encode(TEXTS), expected, atol=1e-7)
    assert max(sizes) > 1

    def never(tokens: list[tuple[int, ...]]) -> np.ndarray:
        raise torch.OutOfMemoryError("out of memory")

    monkeypatch.setattr(encoder, "_forward", never)
    with pytest.raises(UserError, match=r"encoder\.max_length"):
        encoder.encode(TEXTS)


def test_a_model_that_mixes_rows_is_caught(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = load(model)
    real = encoder._forward
    monkeypatch.setattr(
        encoder, "_forward", lambda tokens: real(tokens)[::-1].copy() if len(tokens) > 1 else real(tokens)
    )
    with pytest.raises(EncoderError, match="depends on its batch"):
        encoder.encode(TEXTS)


@pytest.mark.parametrize(
    ("row", "message"),
    [([0.0, 0.0], "all-zero"), ([np.nan, 1.0], "finite"), ([1e6, 1.0], "finite"), ([1.0, 2.0], "same")],
)
def test_bad_vectors_are_refused(row: Sequence[float], message: str) -> None:
    good = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
    check_vectors(good)
    with pytest.raises(EncoderError, match=message):
        check_vectors(np.vstack([good, np.array([row], np.float32)]))


def test_empty_text_is_refused(model: Path) -> None:
    with pytest.raises(ValueError, match="without text"):
        load(model).encode(["⊢ p", ""])


def test_spec_tells_models_and_settings_apart(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = load(model).spec
    assert spec == load(model).spec
    assert spec["hidden_size"] == 32
    other = tiny_model(tmp_path / "other", seed=1)
    with pytest.raises(UserError, match="model is"):
        require_same_spec(spec, load(other).spec, "x")
    with pytest.raises(UserError, match=r"max_length is 64, expected 128"):
        require_same_spec(spec, load(model, max_length=64).spec, "x")
    # Large weights are told apart by samples of their content: same names, same sizes.
    monkeypatch.setattr(files, "WHOLE_FILE_BYTES", 1000)
    monkeypatch.setattr(files, "SAMPLE_BYTES", 16)
    assert module.model_digest(model) != module.model_digest(other)


def test_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"needs config\.json"):
        load(tmp_path)


def some_texts(n: int) -> list[Text]:
    return sorted((Text(text_sha(t), "state", t) for t in (f"⊢ {i} = {i}" for i in range(n))), key=lambda t: t.sha)


def test_embeddings_round_trip(tmp_path: Path) -> None:
    toy, texts = VectorEncoder(0.0), some_texts(250)
    output = tmp_path / "embeddings.parquet"
    write_embeddings(output, texts, toy, {})  # type: ignore[arg-type]
    assert toy.calls == [100, 100, 50]
    assert read_spec(output) == toy.spec
    assert read_shas(output) == [t.sha for t in texts]
    assert pq.ParquetFile(output).num_row_groups == 3
    rows = np.array([0, 3, 99, 100, 249])
    expected = toy.encode([texts[i].text for i in rows]).astype(np.float16)
    np.testing.assert_array_equal(load_vectors(output, rows, "cpu").numpy(), expected)
    assert load_vectors(output, rows, "cpu").shape == (5, HIDDEN)
    assert not (tmp_path / ".progress").exists()


def test_interrupted_encoding_goes_on(tmp_path: Path) -> None:
    texts, whole, cut = some_texts(250), tmp_path / "whole.parquet", tmp_path / "cut.parquet"
    write_embeddings(whole, texts, VectorEncoder(0.0), {})  # type: ignore[arg-type]

    class Dies(VectorEncoder):
        def encode(self, texts: Sequence[str]) -> np.ndarray:
            if len(self.calls) == 2:
                raise KeyboardInterrupt
            return super().encode(texts)

    with pytest.raises(KeyboardInterrupt):
        write_embeddings(cut, texts, Dies(0.0), {})  # type: ignore[arg-type]
    assert not cut.exists()
    toy = VectorEncoder(0.0)
    write_embeddings(cut, texts, toy, {})  # type: ignore[arg-type]
    assert toy.calls == [50]
    assert cut.read_bytes() == whole.read_bytes()


def test_texts_of_trajectories_are_distinct_and_sorted(tmp_path: Path) -> None:
    search = (
        Steps("t", "⊢ g").add("⊢ g", "a", "⊢ s", 0).add("⊢ g", "b", "⊢ s", 0).add("⊢ s", "c", None, 1, outcome="error")
    )
    trajectories, _ = write_run(tmp_path, [search], [])
    texts = texts_of_trajectories([trajectories, trajectories])
    assert {(t.text, t.kind) for t in texts} == {("⊢ g", "goal"), ("⊢ s", "state")}
    assert [t.sha for t in texts] == sorted(text_sha(t.text) for t in texts)


def test_truncated_file_is_named(tmp_path: Path) -> None:
    output = tmp_path / "embeddings.parquet"
    write_embeddings(output, some_texts(20), VectorEncoder(0.0), {})  # type: ignore[arg-type]
    output.write_bytes(output.read_bytes()[:-100])
    with pytest.raises(UserError, match=r"embeddings\.parquet: not a whole Parquet file"):
        read_shas(output)
