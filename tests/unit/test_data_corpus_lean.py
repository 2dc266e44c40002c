"""The corpus against the real Lean: every proof holds, what does not is left out, states are the search's."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest
from real_lean import needs_lean

from burnqed.config import DataSettings, ProverSettings, VerifySettings
from burnqed.data.build import build_corpus
from burnqed.data.corpus import classical
from burnqed.data.corpus.checking import check_corpus
from burnqed.data.corpus.draft import CorpusTheorem
from burnqed.data.corpus.generate import generate
from burnqed.files import UserError
from burnqed.prover.pool import LeanPool, Outcome
from burnqed.records.theorems import Theorem

pytestmark = needs_lean
PROVER = ProverSettings(kind="lean", workers=2, imports=[], ready_timeout=300, tactic_timeout=300)
VERIFY = VerifySettings()


@pytest.fixture(scope="module")
def corpus() -> list[CorpusTheorem]:
    return generate(3, 400)


def test_every_proof_is_accepted(corpus: list[CorpusTheorem]) -> None:
    theorems = [*classical.theorems(), *corpus]
    checked = check_corpus(theorems, PROVER, VERIFY)
    assert checked.refused == {}
    assert [theorem for theorem, _ in checked.kept] == theorems
    for theorem, states in checked.kept:
        assert len(states) == len(theorem.proof)
        assert states[0].startswith("⊢ ")


def test_wrong_proofs_are_left_out(corpus: list[CorpusTheorem]) -> None:
    good = [theorem for theorem in corpus if not theorem.header and len(theorem.proof) > 2]
    bad = [
        replace(good[0], name="open", proof=good[0].proof[:-1]),
        replace(good[1], name="more", proof=[*good[1].proof, "rfl"]),
        replace(good[2], name="sorry", proof=["sorry"]),
        replace(good[3], name="syntax", statement="∀ (p : Prop"),
        replace(good[4], name="brackets", proof=["exact (h1"]),
        replace(good[5], name="false", statement="∀ (p q : Prop), p → q", proof=["intro p q h", "exact h"]),
    ]
    mixed = [theorem for pair in zip(bad, good[10:16], strict=True) for theorem in pair]
    checked = check_corpus(mixed, PROVER, VERIFY)
    assert [theorem for theorem, _ in checked.kept] == good[10:16]
    assert set(checked.refused) == {theorem.name for theorem in bad}


def test_a_lean_that_refuses_most_proofs_is_named(corpus: list[CorpusTheorem]) -> None:
    bad = [replace(theorem, proof=["exact h"]) for theorem in corpus[:60]]
    with pytest.raises(UserError, match=r"refuses \d+ of \d+ proofs"):
        check_corpus(bad, PROVER, VERIFY)


def test_states_are_what_the_search_sees(corpus: list[CorpusTheorem]) -> None:
    deep = [theorem for theorem in corpus if len(theorem.proof) > 3]
    theorems = [*deep[::15], *[theorem for theorem in deep if theorem.header][:3]]
    checked = check_corpus(theorems, PROVER, VERIFY)

    async def walk() -> None:
        async with LeanPool(PROVER) as pool:
            for theorem, states in checked.kept:
                session = await pool.open(Theorem(theorem.name, theorem.statement, theorem.header))
                state, text = 0, session.root_text
                for before, tactic in zip(states, theorem.proof, strict=True):
                    assert text == before, theorem.name
                    result = await session.apply(state, tactic)
                    state, text = result.state or 0, result.text
                assert result.outcome is Outcome.PROVED, theorem.name

    asyncio.run(walk())


def test_the_corpus_file(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    told = build_corpus(DataSettings(source="corpus", corpus_size=120), PROVER, VERIFY, 5, path)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert (told["theorems"], told["refused"]) == (len(rows), 0)
    assert list(rows[0]) == [
        "name", "statement", "header", "proof", "family", "level", "split", "skeleton", "states",
    ]  # fmt: skip
