"""The scorer: energies as in training, independent of batches, merged and cached."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from value_toys import tiny_model

from burnqed.config import EncoderSettings
from burnqed.files import UserError, atomic_dir
from burnqed.jobs.device import capturing
from burnqed.value.encoder import Encoder
from burnqed.value.head import GoalConditionedEnergyHead, save_head
from burnqed.value.scorer import EnergyScorer, load_scorer
from burnqed.value.values import ValueScorer

SETTINGS = EncoderSettings(dtype="float64", batch_tokens=256, max_length=128)
STATES = [f"n : Nat\nh : n = {i}\n⊢ n + {i} = {2 * i} ∨ {'x' * (i % 5)}" for i in range(12)]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    root = tmp_path_factory.mktemp("scorer")
    model = tiny_model(root / "model")
    torch.manual_seed(0)
    head = GoalConditionedEnergyHead(32, [16, 8], 0.5)
    head.set_statistics(torch.zeros(32), 0.0025 * torch.eye(32), 100)
    with atomic_dir(root / "ebm") as folder:
        save_head(folder, head, Encoder(model, SETTINGS, "cpu", "none").spec)
    return root / "ebm", model


def load(folders: tuple[Path, Path]) -> EnergyScorer:
    return load_scorer(*folders, SETTINGS, "cpu", "none")


def test_energies_are_those_of_the_stored_vectors(folders: tuple[Path, Path]) -> None:
    scorer = load(folders)
    found = asyncio.run(scorer.score(STATES, [STATES[0]] * 12))
    vectors = torch.from_numpy(scorer.encoder.encode(STATES).astype(np.float16)).double()
    with torch.no_grad():
        expected = scorer.head.eval()(scorer.head.prepare(vectors), scorer.head.prepare(vectors[:1]))
    assert found == [round(e, 6) for e in expected.tolist()]
    assert len(set(found)) == 12
    assert scorer.busy_seconds > 0


def test_energies_do_not_depend_on_company(folders: tuple[Path, Path]) -> None:
    together = asyncio.run(load(folders).score(STATES, [STATES[0]] * 12))
    alone = load(folders)

    async def one_by_one() -> list[float]:
        return [(await alone.score([s], [STATES[0]]))[0] for s in reversed(STATES)]

    assert together == asyncio.run(one_by_one())[::-1]


def test_requests_are_merged_and_texts_encoded_once(
    folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    scorer = load(folders)
    real, calls = scorer.encoder.encode, []

    def counted(texts: Sequence[str]) -> Any:
        calls.append(list(texts))
        return real(texts)

    monkeypatch.setattr(scorer.encoder, "encode", counted)

    async def many() -> list[list[float]]:
        return await asyncio.gather(*(scorer.score([s, STATES[0]], [STATES[0]] * 2) for s in STATES))

    results = asyncio.run(many())
    assert len(calls) == 1
    assert sorted(calls[0]) == sorted(STATES)
    assert len({r[1] for r in results}) == 1
    assert asyncio.run(many()) == results  # in another event loop, from the cache
    assert len(calls) == 1


def test_no_graph_is_captured_while_it_works(folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """In the same process the policy captures CUDA graphs, which each other's work would end."""
    scorer, held = load(folders), []
    monkeypatch.setattr(
        scorer, "score_now", lambda states, goals: held.append(capturing.locked()) or [0.0] * len(states)
    )
    values = ValueScorer(SimpleNamespace(  # type: ignore[arg-type]
        card=SimpleNamespace(coefficient=1.0, settings={}),
        energies=lambda readings: held.append(capturing.locked()) or [0.0] * len(readings),
    ))  # fmt: skip

    async def work() -> None:
        for one in (scorer, values):
            await one.score(STATES[:2], STATES[:2])
            await one.close()

    asyncio.run(work())
    assert held == [True, True] and not capturing.locked()


def test_a_failure_reaches_every_request_and_the_next_works(
    folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    scorer = load(folders)
    real = scorer.encoder.encode

    def broken(texts: Sequence[str]) -> Any:
        raise RuntimeError("no")

    async def both() -> list[Any]:
        return await asyncio.gather(*(scorer.score([s], [s]) for s in STATES[:2]), return_exceptions=True)

    monkeypatch.setattr(scorer.encoder, "encode", broken)
    assert [str(e) for e in asyncio.run(both())] == ["no", "no"]
    monkeypatch.setattr(scorer.encoder, "encode", real)
    assert all(isinstance(r, list) for r in asyncio.run(both()))


def test_small_cache_gives_the_same(folders: tuple[Path, Path]) -> None:
    scorer = load(folders)
    expected = asyncio.run(scorer.score(STATES, STATES))
    scorer._vectors.clear()
    scorer._capacity = 2
    assert asyncio.run(scorer.score(STATES, STATES)) == expected
    assert len(scorer._vectors) == 2


def test_another_encoder_is_refused(folders: tuple[Path, Path], tmp_path: Path) -> None:
    head, model = folders
    with pytest.raises(UserError, match=r"max_length is 128, expected 64"):
        load_scorer(head, model, SETTINGS.model_copy(update={"max_length": 64}), "cpu", "none")
    with pytest.raises(UserError, match="model is"):
        load_scorer(head, tiny_model(tmp_path / "model", seed=7), SETTINGS, "cpu", "none")
