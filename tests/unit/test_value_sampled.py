"""The reader free in a living search: what the laboratory reads anew, without a forward pass of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
import torch
from value_toys import tiny_model

from burnqed.config import EncoderSettings, ModelSettings, PolicySettings, SearchSettings, ValueSettings
from burnqed.files import UserError
from burnqed.policy.loading import load_model, load_tokenizer
from burnqed.policy.prompts import FORMATS, PromptFormat, completion_tokens
from burnqed.policy.transformers_backend import TransformersGenerator
from burnqed.records.theorems import Theorem
from burnqed.records.trajectories import SCHEMA, write_trajectories
from burnqed.search.engine import SearchRecord, TheoremSearch
from burnqed.search.plan import SearchPlan
from burnqed.search.replay import Answer, read_recorded, replay_all
from burnqed.seeds import fraction
from burnqed.training.batches import collate, loss_sum, make_examples
from burnqed.training.value_fit import train_value
from burnqed.training.values import TreeEnergies, sampled_energies, tree_energies
from burnqed.value.loading import load_scorer
from burnqed.value.readers import Policy, Reading
from burnqed.value.values import SampledValue, load_value

FORM = FORMATS["goal_proofstep"]
MODEL = ModelSettings(prompt_format=FORM.name, max_length=96)
ENCODER = EncoderSettings(dtype="float64", batch_tokens=1024, max_length=96)
SAMPLING = PolicySettings(backend="transformers", dtype="float64", max_new_tokens=16, max_batch=64)
TACTICS = ("simp", "rfl", "exact h", "intro h", "omega")
SETTINGS = SearchSettings(priority="tuned", candidates_with_head=8, temperature_with_head=1.0, batch_expansions=1)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A policy of bytes that has learnt to write short tactics."""
    folder = tiny_model(tmp_path_factory.mktemp("sampled") / "model")
    tokenizer, policy = load_tokenizer(folder), load_model(folder, "float32", "cpu")
    states = [f"⊢ {a} {b}" for a in "pqr" for b in "xyz"]
    examples, _ = make_examples(tokenizer, FORM, [(s, t) for s in states for t in TACTICS], 96)
    optimizer = torch.optim.AdamW(policy.parameters(), lr=1e-2)
    policy.train()
    for _ in range(60):
        loss = loss_sum(policy, collate(examples, "padded", 0)) / 200
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    policy.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def value(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A trained value of the reader free."""
    readings = [
        Reading(f"⊢ {number}", "⊢ t", f"⊢ {number % 7}", TACTICS[number % len(TACTICS)]) for number in range(60)
    ]
    settings = ValueSettings(reader="free", hidden_sizes=[8], learning_rate=0.02, epochs=6, batch=8)
    trained = train_value(
        readings,
        [0.9 if "h" in reading.tactic else 0.1 for reading in readings],
        [number % 3 == 0 for number in range(60)],
        settings,
        Policy(model, MODEL, ENCODER, "cpu", "none"),
        0,
    )
    trained.card = replace(trained.card, coefficient=2.0)
    folder = tmp_path_factory.mktemp("value")
    trained.save(folder)
    return folder


class Echo:
    """A prover whose states are what was tried so far; some tactics fail, a few close the goal."""

    root, root_text = 0, "⊢ p x"

    def __init__(self) -> None:
        self._texts = [self.root_text]

    async def apply_many(self, state: int, tactics: Sequence[str]) -> list[Answer]:
        return [self._apply(self._texts[state], tactic) for tactic in tactics]

    def _apply(self, text: str, tactic: str) -> Answer:
        drawn = fraction(f"{text} {tactic}")
        if drawn < 0.3:
            return Answer("error", None, "", "no")
        if drawn > 0.98:
            return Answer("proved", None, "", "")
        self._texts.append(f"{text[:20]} {round(1000 * drawn) % 40}")  # several ways lead to a state
        return Answer("ok", len(self._texts) - 1, self._texts[-1], "")

    def drop(self, states: Iterable[int]) -> None:
        pass


def policy_of(model: Path, form: PromptFormat = FORM) -> TransformersGenerator:
    return TransformersGenerator(model, SAMPLING, form, MODEL.max_length, "cpu")


def scorer_of(value: Path, model: Path) -> SampledValue:
    found = load_scorer(value, model, ENCODER, "cpu", "none")
    assert isinstance(found, SampledValue)
    return found


def searched(model: Path, scorer: SampledValue | None, nodes: int, past: int = 0) -> SearchRecord:
    """Return what a living search found."""
    generator = policy_of(model)
    plan = SearchPlan.from_settings(
        SETTINGS.model_copy(update={"candidates": 8, "temperature": 1.0}), kind="eval", iteration=0, seed=0,
        with_head=scorer is not None, budget=nodes, past_proof=past, coefficient=2.0,
    )  # fmt: skip
    plan.couple(generator, scorer)

    async def run() -> SearchRecord:
        found = await TheoremSearch(Theorem("t", ""), 0, Echo(), generator, scorer, plan).run()
        await generator.close()
        return found

    return asyncio.run(run())


def written(record: SearchRecord, path: Path) -> Path:
    write_trajectories(path, [pa.table(record.columns, schema=SCHEMA)], [record.result])
    return path


def test_energies_while_sampling_are_those_of_the_laboratory(model: Path, value: Path, tmp_path: Path) -> None:
    """Equal to 2e-6 (energies have 6 decimals) where the sampled tokens are the tactic's own ones."""
    record, generator = searched(model, scorer_of(value, model), 25, past=25), policy_of(model)
    lab = load_value(value, Policy(model, MODEL, ENCODER, "cpu", "none"))
    (tree,) = sampled_energies(lab, read_recorded(written(record, tmp_path / "t.parquet")))
    expected = {(state, t.tactic): t.energy for state, group in tree.tactics.items() for t in group}
    own = set()  # tactics whose sampled tokens are those of their text
    columns = record.columns
    for state, seed in set(zip(columns["state"], columns["seed"], strict=True)):
        (samples,) = generator._samples(FORM, [state], 8, 1.0, [seed], 16)
        for item in samples:
            tactic = FORM.extract(generator._text(item.tokens))
            if item.tokens == completion_tokens(generator.tokenizer, FORM, [tactic])[0]:
                own.add((state, tactic))
    compared = 0
    rows = zip(*(columns[name] for name in ("state", "tactic", "outcome", "energy")), strict=True)
    for state, tactic, outcome, energy in rows:
        if outcome == "ok":
            assert energy is not None
            if (state, tactic) in own:
                assert energy == pytest.approx(expected[state, tactic], abs=2e-6)
                compared += 1
    assert compared > 40
    assert len({energy for energy in expected.values() if energy is not None}) > 20


def test_the_value_costs_no_forward_pass(model: Path, value: Path) -> None:
    plain, valued = policy_of(model), policy_of(model)
    valued.value_samples(scorer_of(value, model))
    counts = []
    found = []
    for generator in (plain, valued):
        calls: list[int] = []
        generator.model.model.register_forward_hook(lambda *_, calls=calls: calls.append(1))
        found.append(generator.run(["⊢ p x", "⊢ q y"], 8, 1.0, [1, 2]))
        counts.append(len(calls))
    assert counts[0] == counts[1] > 3
    for without, with_energy in zip(*found, strict=True):
        assert all(candidate.energy is not None for candidate in with_energy)
        assert without == [replace(candidate, energy=None) for candidate in with_energy]


def test_a_replayed_search_takes_the_way_of_the_living_one(model: Path, value: Path, tmp_path: Path) -> None:
    explored = searched(model, None, 60, past=60)
    lab = load_value(value, Policy(model, MODEL, ENCODER, "cpu", "none"))
    plain = read_recorded(written(explored, tmp_path / "t.parquet"))
    live = searched(model, scorer_of(value, model), 8)
    plan = SearchPlan.from_settings(
        SETTINGS, kind="eval", iteration=0, seed=0, with_head=True, budget=8, coefficient=2.0
    )
    (found,) = replay_all(sampled_energies(lab, plain), plan, [TreeEnergies(tree_energies(lab, plain)[0])])
    assert found.complete
    assert (found.proof, found.nodes, found.tactics) == (
        tuple(live.result.proof),
        live.result.nodes,
        len(live.columns["tactic"]),
    )
    assert set(found.scored) == {
        t for t, o in zip(live.columns["next_state"], live.columns["outcome"], strict=True) if o == "ok"
    }


def test_what_cannot_read_samples_is_refused(model: Path, value: Path) -> None:
    scorer = scorer_of(value, model)

    def plan(**changes: object) -> SearchPlan:
        settings = SETTINGS.model_copy(update=changes)
        return SearchPlan.from_settings(settings, kind="eval", iteration=0, seed=0, with_head=True, coefficient=1.0)

    generator = policy_of(model)
    with pytest.raises(UserError, match=r"policy\.backend: a server hands out no hidden states"):
        plan().couple(object(), scorer)
    with pytest.raises(UserError, match=r"search\.probe_tactics"):
        plan(probe_tactics=["simp"]).couple(generator, scorer)
    with pytest.raises(UserError, match=r"search\.mode"):
        plan(mode="mixed").couple(generator, scorer)
    plan(priority="logprob").couple(object(), scorer)  # never asks for energies
    other = policy_of(model, FORMATS["bfs_prover"])
    with pytest.raises(UserError, match="was trained with goal_proofstep"):
        plan().couple(other, scorer)
