"""Base model, fine-tuning over two iterations, mixture, merging: small but real runs."""

from __future__ import annotations

import itertools
import json
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from safetensors.torch import load_file, save_file

from burnqed.config import ModelSettings, ScratchSettings, SFTSettings
from burnqed.files import UserError, sha256_file, write_jsonl
from burnqed.jobs.stop import Stopped
from burnqed.records.pairs import TacticPair, read_pairs, write_pairs
from burnqed.records.trajectories import SCHEMA, write_trajectories
from burnqed.training import merge as merge_module
from burnqed.training.base import noisy_share, train_base_model
from burnqed.training.merge import merge_adapter
from burnqed.training.mixture import Found, FoundStep, held_out_theorems, mix, read_found, shuffled_tactics
from burnqed.training.sft import FineTuning, TrainingJob, train_sft

MODEL = ModelSettings(kind="scratch", prompt_format="goal_proofstep", max_length=96)
SCRATCH = ScratchSettings(
    hidden_size=32, layers=2, heads=2, vocabulary=320, pair_share=0.5, epochs=30, learning_rate=2e-2, batch_tokens=512
)
SFT = SFTSettings(
    start="previous", found_states="path", epochs=4, later_epochs=1, learning_rate=2e-2, later_rate=0.5, schedule="cosine", base_pair_share=0.3, lora_rank=4, lora_alpha=8, lora_dropout=0.1, batch_tokens=512,
    gradient_checkpointing=False, checkpoint_every=4, dtype="float32",
)  # fmt: skip


def _pairs(count: int, prefix: str) -> list[TacticPair]:
    names = ["p", "q", "r", "s"]
    found = []
    for number in range(count):
        name = names[number % 4]
        tactic = f"exact h{name}" if number % 3 else "intro h"
        state = f"h{name} : {name}\n⊢ {name}" if number % 3 else f"⊢ {name} → {name}"
        found.append(TacticPair(f"n{number} : Nat\n{state}", tactic, f"{prefix}{number}", 0, "test", 1))
    return found


def _steps(rows: list[tuple[str, str, str, str, bool]], iteration: int = 0) -> pa.Table:
    """Return trajectory rows from (theorem, kind, state, tactic, on the proof path)."""
    blank: dict[str, Any] = {
        "iteration": iteration, "attempt": 0, "parent_step": -1, "depth": 0, "goal": "g",
        "outcome": "ok", "next_state": None, "message": "",
        "logprob": -1.0, "cumulative_logprob": -1.0, "energy": None, "remaining_steps": None, "expansion": 1, "seed": 0,
    }  # fmt: skip
    table = [
        blank
        | {"theorem": theorem, "kind": kind, "state": state, "tactic": tactic, "on_proof_path": path, "step": step}
        for step, (theorem, kind, state, tactic, path) in enumerate(rows)
    ]
    return pa.Table.from_pylist(table, schema=SCHEMA)


def _proof(theorem: str, kind: str = "main", iteration: int = 0) -> dict[str, object]:
    return {"theorem": theorem, "proof": ["t"], "iteration": iteration, "kind": kind, "attempt": 0}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A base model, adapters of iterations 0 and 1, and merged models, as the workflow makes them."""
    folder = tmp_path_factory.mktemp("run")
    write_pairs(folder / "train.jsonl", _pairs(120, "t"))
    write_pairs(folder / "val.jsonl", _pairs(12, "v"))
    rows = [("new", "main", "⊢ s ∧ s", "exact hs", True), ("new", "main", "⊢ s ∧ s", "simp", False)]
    write_trajectories(folder / "trajectories.parquet", [_steps(rows)], [])
    write_jsonl(folder / "proofs.jsonl", [_proof("new")])
    train_base_model(
        read_pairs(folder / "train.jsonl"),
        folder / "train.jsonl",
        folder / "base" / "model",
        SCRATCH,
        MODEL,
        0,
        1,
        "cpu",
    )
    for iteration in (0, 1):
        _sft(folder, folder / f"iter_{iteration}" / "adapter", iteration)
        merge_adapter(
            folder / "base" / "model", folder / f"iter_{iteration}" / "adapter", folder / f"iter_{iteration}" / "model"
        )
    return folder


def _sft(folder: Path, output: Path, iteration: int, settings: SFTSettings = SFT, base: Path | None = None) -> None:
    later = iteration > 0
    job = TrainingJob(
        base=base or folder / "base" / "model", adapter=folder / f"iter_{iteration - 1}" / "adapter" if later else None,
        pairs_file=folder / "train.jsonl", val_file=folder / "val.jsonl",
        trajectories=[folder / "trajectories.parquet"] if later else [],
        proofs=[folder / "proofs.jsonl"] if later else [],
        iteration=iteration, model_settings=MODEL, quantization="none", seed=0, threads=1, device="cpu",
    )  # fmt: skip
    train_sft(job, settings, output)


def test_the_loss_falls_and_the_record_tells_what_was_seen(run: Path) -> None:
    history = [json.loads(line) for line in (run / "iter_0" / "adapter" / "history.jsonl").read_text().splitlines()]
    assert history[-1]["val_loss"] < 0.9 * history[3]["val_loss"]
    assert set(history[0]) == {"step", "loss", "lr"}
    record = json.loads((run / "iter_1" / "adapter" / "training.json").read_text())
    assert record["examples"] == {
        "pairs": 36, "found_steps": 1, "new_found_steps": 1, "continuations": 13,
        "total": 52, "too_long": 0, "validation": 12, "trajectory_validation": 0,
    }  # fmt: skip
    assert not list(run.rglob(".progress"))


def test_later_iterations_go_on_from_the_adapter_at_half_the_rate(run: Path) -> None:
    rates = []
    for iteration in (0, 1):
        lines = (run / f"iter_{iteration}" / "adapter" / "history.jsonl").read_text().splitlines()
        rates.append(max(json.loads(line)["lr"] for line in lines))
    assert rates[1] <= rates[0] / 2
    first = load_file(run / "iter_0" / "adapter" / "adapter_model.safetensors")
    second = load_file(run / "iter_1" / "adapter" / "adapter_model.safetensors")
    distance = sum(float((first[name] - second[name]).norm()) for name in first)
    size = sum(float(value.norm()) for value in first.values())
    assert 0 < distance < 0.5 * size


def test_the_same_run_gives_the_same_bytes(run: Path, tmp_path: Path) -> None:
    train_base_model(
        read_pairs(run / "train.jsonl"), run / "train.jsonl", tmp_path / "base" / "model", SCRATCH, MODEL, 0, 1, "cpu"
    )
    assert sha256_file(tmp_path / "base" / "model") == sha256_file(run / "base" / "model")
    _sft(run, tmp_path / "iter_0" / "adapter", 0, base=tmp_path / "base" / "model")
    assert sha256_file(tmp_path / "iter_0" / "adapter") == sha256_file(run / "iter_0" / "adapter")


def test_the_merged_model_is_base_plus_adapter(run: Path) -> None:
    base = load_file(run / "base" / "model" / "model.safetensors")
    merged = load_file(run / "iter_0" / "model" / "model.safetensors")
    assert list(base) == list(merged)
    changed = {name for name in base if not base[name].equal(merged[name])}
    assert len(changed) == 2 * 7
    assert all("_proj" in name for name in changed)
    assert (run / "iter_0" / "model" / "tokenizer.json").read_bytes() == (
        run / "base" / "model" / "tokenizer.json"
    ).read_bytes()


def test_a_wrong_merge_is_refused(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right = merge_module.lora_deltas
    monkeypatch.setattr(
        merge_module,
        "lora_deltas",
        lambda path: {name: (a, b, scale * 1.1) for name, (a, b, scale) in right(path).items()},
    )
    with pytest.raises(UserError, match=r"differs from base \+ adapter"):
        merge_adapter(run / "base" / "model", run / "iter_0" / "adapter", tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_a_quantised_or_foreign_base_is_refused(run: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(run / "base" / "model", other)
    weights = load_file(other / "model.safetensors")
    weights["model.norm.weight"] += 1
    save_file(weights, other / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(UserError, match="another base model"):
        merge_adapter(other, run / "iter_0" / "adapter", tmp_path / "model")
    config = json.loads((other / "config.json").read_text()) | {"quantization_config": {"load_in_4bit": True}}
    (other / "config.json").write_text(json.dumps(config))
    with pytest.raises(UserError, match="quantised weights"):
        merge_adapter(other, run / "iter_0" / "adapter", tmp_path / "model")


def test_unusable_adapters_are_refused(run: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"lora_alpha is 8, the settings \(sft\) say 16"):
        _sft(run, tmp_path / "adapter", 1, SFT.model_copy(update={"lora_alpha": 16}))
    with pytest.raises(UserError, match="no adapter"):
        merge_adapter(run / "base" / "model", tmp_path, tmp_path / "model")
    with pytest.raises(UserError, match=r"sft.target_modules"):
        _sft(run, tmp_path / "adapter", 0, SFT.model_copy(update={"target_modules": ["nothing"]}))


def test_damaged_adapters_and_those_of_another_shape_are_refused(run: Path, tmp_path: Path) -> None:
    shutil.copytree(run / "iter_0", tmp_path / "iter_0")
    adapter = tmp_path / "iter_0" / "adapter"
    (adapter / "training.json").unlink()  # as from elsewhere: it does not say what its base is
    weights = adapter / "adapter_model.safetensors"
    for name in ("train.jsonl", "val.jsonl", "trajectories.parquet", "proofs.jsonl"):
        shutil.copy(run / name, tmp_path / name)
    tensors = load_file(weights)
    save_file(
        {name: value[:, :16].contiguous() if "lora_A" in name else value for name, value in tensors.items()}, weights
    )
    with pytest.raises(UserError, match="other shapes than those of"):
        _sft(tmp_path, tmp_path / "iter_1" / "adapter", 1, base=run / "base" / "model")
    with pytest.raises(UserError, match="give the adapter's own base"):
        merge_adapter(run / "base" / "model", adapter, tmp_path / "model")
    weights.write_bytes(weights.read_bytes()[:-10])
    for refused in (
        lambda: _sft(tmp_path, tmp_path / "iter_1" / "adapter", 1, base=run / "base" / "model"),
        lambda: merge_adapter(run / "base" / "model", adapter, tmp_path / "model"),
    ):
        with pytest.raises(UserError, match=r"adapter_model\.safetensors cannot be read .* train it again"):
            refused()
    shutil.copytree(run / "base" / "model", tmp_path / "base")
    cut = tmp_path / "base" / "model.safetensors"
    cut.write_bytes(cut.read_bytes()[:-10])
    save_file(tensors, weights)
    with pytest.raises(UserError, match=r"model\.safetensors: cannot be read .* get the base model again"):
        merge_adapter(tmp_path / "base", adapter, tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_only_steps_of_checked_proofs_count(tmp_path: Path) -> None:
    rows = [
        ("a", "main", "⊢ a", "simp", True), ("a", "main", "⊢ a", "rfl", False),
        ("a", "noisy", "⊢ a", "omega", True), ("b", "main", "⊢ b", "decide", True),
    ]  # fmt: skip
    write_trajectories(tmp_path / "t.parquet", [_steps(rows)], [])
    write_trajectories(tmp_path / "u.parquet", [_steps(rows[:1], iteration=1)], [])
    write_jsonl(tmp_path / "p.jsonl", [_proof("a")])
    settings = SFTSettings(found_states="path")
    found = read_found([tmp_path / "t.parquet", tmp_path / "u.parquet"], [tmp_path / "p.jsonl"], settings)
    assert found.steps == found.paths == [FoundStep("⊢ a", "simp", "a", (0, "main", 0), -1.0)]
    write_jsonl(tmp_path / "q.jsonl", [{"theorem": "a"}])
    with pytest.raises(UserError, match=r"q.jsonl: proof 1"):
        read_found([], [tmp_path / "q.jsonl"], settings)


def _edge(theorem: str, state: str, tactic: str, after: str | None, attempt: int = 0, **more: object) -> dict[str, Any]:
    """Return a trajectory row of an accepted tactic; ``after`` None closes the goals."""
    row = _steps([(theorem, "main", state, tactic, bool(more.get("on_proof_path")))]).to_pylist()[0]
    outcome = "proved" if after is None else "ok"
    return row | {"outcome": outcome, "next_state": after, "attempt": attempt} | more


def test_every_provable_state_of_a_solved_tree_is_learnt(tmp_path: Path) -> None:
    rows = [
        _edge("a", "⊢ 3", "long", "⊢ 2", on_proof_path=True), _edge("a", "⊢ 3", "lost", "⊢ 9"),
        _edge("a", "⊢ 2", "step", "⊢ 1", on_proof_path=True), _edge("a", "⊢ 1", "unlikely", None, logprob=-9.0),
        _edge("a", "⊢ 1", "done", None, on_proof_path=True), _edge("a", "⊢ 5", "side", "⊢ 1"),
        _edge("a", "⊢ 9", "round", "⊢ 3", outcome="duplicate"), _edge("a", "⊢ 9", "dead", "⊢ 8"),
        _edge("a", "⊢ 1", "fails", None, outcome="error"), _edge("b", "⊢ 7", "unchecked", None),
    ]  # fmt: skip
    write_trajectories(tmp_path / "t.parquet", [pa.Table.from_pylist(rows, schema=SCHEMA)], [])
    write_jsonl(tmp_path / "p.jsonl", [_proof("a")])
    found = read_found([tmp_path / "t.parquet"], [tmp_path / "p.jsonl"], SFTSettings())
    best = {step.state: step.tactic for step in found.steps}
    assert best == {"⊢ 1": "done", "⊢ 2": "step", "⊢ 3": "long", "⊢ 5": "side", "⊢ 9": "round"}
    assert [step.tactic for step in found.paths] == ["long", "step", "done"]


def test_only_the_shortest_proofs_of_a_theorem_count(tmp_path: Path) -> None:
    rows = [_edge("a", "⊢ 1", f"way {n}", None, attempt=n, on_proof_path=True) for n in range(5)]
    write_trajectories(tmp_path / "t.parquet", [pa.Table.from_pylist(rows, schema=SCHEMA)], [])
    lengths = [3, 1, 2, 1, 2]
    proofs = [_proof("a") | {"attempt": n, "proof": [f"way {n}"] * lengths[n]} for n in range(5)]
    write_jsonl(tmp_path / "p.jsonl", [*proofs, proofs[1] | {"iteration": 9}])  # the same proof found again
    for most, attempts in ((2, [1, 3]), (3, [1, 2, 3]), (0, [0, 1, 2, 3, 4])):
        settings = SFTSettings(found_states="path", proofs_per_theorem=most)
        found = read_found([tmp_path / "t.parquet"], [tmp_path / "p.jsonl"], settings)
        assert [step.search[2] for step in found.steps] == attempts


def _found(*steps: tuple[str, str, str]) -> Found:
    found = [FoundStep(*step, logprob=-float(number)) for number, step in enumerate(steps)]
    return Found(found, found)


def test_the_mixture_of_later_iterations() -> None:
    pairs = _pairs(100, "t")
    found = _found(("⊢ a", "simp", "x"), ("⊢ a", "simp", "y"), ("⊢ b", "simp", "held"), ("⊢ c", "rfl", "z"))
    settings = SFTSettings(base_pair_share=0.2, positive_upsample=3, continuation_share=0)
    first = mix(pairs, Found(), {"held"}, 0, settings, 0)
    assert first.texts == [(pair.state, pair.tactic) for pair in pairs]
    later = mix(pairs, found, {"held"}, 1, settings, 0)
    assert len(later.texts) == 20 + 2 * 3
    assert later.texts.count(("⊢ a", "simp")) == later.texts.count(("⊢ c", "rfl")) == 3
    assert ("⊢ b", "simp") not in later.texts
    assert set(later.texts[:20]) < set(first.texts)
    assert mix(pairs, found, set(), 2, settings, 0).texts[:20] != later.texts[:20]
    assert later.continuations == []
    both = mix(pairs, found, {"held"}, 1, settings.model_copy(update={"continuation_share": 0.25}), 0)
    assert both.texts == later.texts
    assert len(both.continuations) == both.counts["continuations"] == round(26 / 3)


def test_a_step_is_new_only_when_no_pair_has_it_also_of_those_not_drawn() -> None:
    pairs = _pairs(100, "t")
    settings = SFTSettings(base_pair_share=0.2, continuation_share=0)
    known = _found(*((pair.state, pair.tactic, "x") for pair in pairs))
    mixture = mix(pairs, known, set(), 1, settings, 0)
    assert mixture.counts == {"pairs": 20, "found_steps": 100, "new_found_steps": 0}


def test_the_controls_of_a_round() -> None:
    pairs = _pairs(40, "t")
    found = _found(*((f"⊢ {n}", f"exact {n}", "x") for n in range(30)))
    settings = SFTSettings(base_pair_share=1, positive_upsample=1)
    without, shuffled = (
        mix(pairs, found, set(), 1, settings.model_copy(update={"control": control}), 0)
        for control in ("no_proofs", "shuffled")
    )
    assert without.texts == [(pair.state, pair.tactic) for pair in pairs]
    assert not any("exact 1" in rest for _, rest in [*without.continuations, *shuffled.continuations])
    steps = shuffled.texts[40:]
    assert sorted(state for state, _ in steps) == sorted(f"⊢ {n}" for n in range(30))
    assert sorted(tactic for _, tactic in steps) == sorted(f"exact {n}" for n in range(30))
    assert sum(state[2:] == tactic[6:] for state, tactic in steps) < 5
    assert shuffled_tactics(steps, 1) == shuffled_tactics(steps, 1) != shuffled_tactics(steps, 2)


def test_steps_outside_the_quantiles_of_surprise_are_left_out() -> None:
    found = _found(*((f"⊢ {n}", "simp", "x") for n in range(101)))
    settings = SFTSettings(continuation_share=0, perplexity_quantiles=[0.1, 0.8], positive_upsample=1)
    texts = mix([], found, set(), 1, settings, 0).texts
    assert [state for state, _ in texts] == [f"⊢ {n}" for n in range(10, 81)]


@pytest.mark.parametrize("control", ["no_proofs", "shuffled"])
def test_a_control_trains_as_many_steps_as_the_run_it_is_a_control_of(run: Path, tmp_path: Path, control: str) -> None:
    records = []
    for name in ("none", control):
        settings = SFT.model_copy(update={"start": "base", "later_epochs": 2, "control": name})
        shutil.copytree(run, tmp_path / name, ignore=shutil.ignore_patterns("iter_*"))
        rows = [(f"n{n}", "main", f"⊢ s{n} ∧ s{n}", f"exact h{n}", True) for n in range(60)]
        write_trajectories(tmp_path / name / "trajectories.parquet", [_steps(rows)], [])
        write_jsonl(tmp_path / name / "proofs.jsonl", [_proof(f"n{n}") for n in range(60)])
        _sft(
            tmp_path / name,
            tmp_path / name / "iter_1" / "adapter",
            1,
            settings,
        )
        records.append(json.loads((tmp_path / name / "iter_1" / "adapter" / "training.json").read_text()))
    assert records[0]["steps"] == records[1]["steps"]
    assert records[0]["examples"]["new_found_steps"] > 40
    assert (records[1]["examples"]["new_found_steps"] == 0) == (control == "no_proofs")


def test_a_round_starts_from_the_base_model_at_a_constant_rate(run: Path, tmp_path: Path) -> None:
    """The adapter of the iteration before has no influence, and the rate neither falls nor is halved."""
    settings = SFT.model_copy(update={"start": "base", "schedule": "constant", "later_rate": 1.0, "warmup_steps": 1})
    for name, folder in (("one", run), ("two", tmp_path)):
        if folder != run:
            shutil.copytree(run, tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("iter_*"))
        _sft(folder, tmp_path / name / "adapter", 1, settings)
    one, two = (sha256_file(tmp_path / name / "adapter" / "adapter_model.safetensors") for name in ("one", "two"))
    assert one == two
    rates = [
        json.loads(line)["lr"] for line in (tmp_path / "one" / "adapter" / "history.jsonl").read_text().splitlines()
    ]
    assert set(rates) == {SFT.learning_rate}


def test_the_last_checkpoint_is_kept_when_asked(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for keep in ("best", "last"):
        losses = itertools.count(1.0)
        monkeypatch.setattr(FineTuning, "validate", lambda _, losses=losses: next(losses))  # worse at each look
        _sft(run, tmp_path / keep / "adapter", 0, SFT.model_copy(update={"keep": keep, "checkpoint_every": 2}))
    records = [json.loads((tmp_path / keep / "adapter" / "training.json").read_text()) for keep in ("best", "last")]
    assert records[0]["best_step"] == 2
    assert records[1]["best_step"] == records[1]["steps"] > 2


def _refusals(folder: Path, theorems: int) -> None:
    """Write search trees with a closing and two refused tactics at each root, and their checked proofs."""
    rows = [
        _edge(f"n{n}", f"⊢ s{n} ∧ s{n}", tactic, None, outcome=outcome, on_proof_path=outcome == "proved")
        for n in range(theorems)
        for tactic, outcome in ((f"exact h{n}", "proved"), ("simp", "error"), (f"exact p{n}", "error"))
    ]
    write_trajectories(folder / "trajectories.parquet", [pa.Table.from_pylist(rows, schema=SCHEMA)], [])
    write_jsonl(folder / "proofs.jsonl", [_proof(f"n{n}") for n in range(theorems)])


def test_preferences_teach_what_lean_refused(run: Path, tmp_path: Path) -> None:
    """With them the refused tactics lose against the accepted ones, in both layouts, by the same losses."""
    records: dict[str, list[dict[str, Any]]] = {}
    for layout in ("padded", "packed"):
        folder = tmp_path / layout
        shutil.copytree(run, folder, ignore=shutil.ignore_patterns("iter_*"))
        _refusals(folder, 40)
        changes = {
            "start": "base",
            "dpo_weight": 1.0,
            "dpo_pairs": 8,
            "layout": layout,
            "lora_dropout": 0.0,
            "steps": 30,
        }
        _sft(
            folder, folder / "iter_1" / "adapter", 1, SFT.model_copy(update=changes | {"trajectory_val_fraction": 0.0})
        )
        records[layout] = [
            json.loads(line) for line in (folder / "iter_1/adapter/history.jsonl").read_text().splitlines()
        ]
        assert json.loads((folder / "iter_1/adapter/training.json").read_text())["preference_pairs"] == 80
    padded, packed = ([row["dpo_loss"] for row in records[name]] for name in ("padded", "packed"))
    assert padded[0] == pytest.approx(0.693147, abs=1e-4)  # log 2: the policy is its own reference
    assert padded == pytest.approx(packed, abs=1e-3)
    assert sum(padded[-5:]) / 5 < 0.9 * padded[0]
    assert sum(row["dpo_ahead"] for row in records["padded"][-5:]) / 5 > 0.7


def test_a_preference_training_that_was_stopped_resumes_to_the_same_bytes(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(run, tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("iter_*"))
    _refusals(tmp_path, 20)
    settings = SFT.model_copy(update={"start": "base", "dpo_weight": 1.0, "dpo_pairs": 4, "checkpoint_every": 2})
    _sft(tmp_path, tmp_path / "whole" / "adapter", 1, settings)
    seen = 0

    def stop() -> bool:
        nonlocal seen
        seen += 1
        return seen == 3

    with monkeypatch.context() as patch:
        patch.setattr("burnqed.training.loop.stop_requested", stop)
        with pytest.raises(Stopped):
            _sft(tmp_path, tmp_path / "again" / "adapter", 1, settings)
    _sft(tmp_path, tmp_path / "again" / "adapter", 1, settings)
    name = "adapter/adapter_model.safetensors"
    assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_proof_steps_of_some_theorems_are_held_out() -> None:
    pairs, val = _pairs(10, "t"), _pairs(3, "v")
    found = [FoundStep("⊢ a", "simp", name) for name in ["t1", "v2", *(f"x{number}" for number in range(1000))]]
    held = held_out_theorems(pairs, val, found, 0.1, 0)
    assert {"v0", "v1", "v2"} < held
    assert "t1" not in held
    assert 60 < len(held) < 140
    assert held_out_theorems(pairs, val, found[:500], 0.1, 0) < held  # more proofs move nothing
    assert held_out_theorems(pairs, val, found, 0.1, 1) != held


def test_losses_of_held_out_pairs_and_proof_steps_are_told_apart(run: Path, tmp_path: Path) -> None:
    shutil.copytree(run / "base", tmp_path / "base")
    shutil.copytree(run / "iter_0", tmp_path / "iter_0")
    for name in ("train.jsonl", "val.jsonl"):
        shutil.copy(run / name, tmp_path / name)
    rows = [("v3", "main", "⊢ s ∧ s", "exact hs", True), ("new", "main", "⊢ q", "simp", True)]
    write_trajectories(tmp_path / "trajectories.parquet", [_steps(rows)], [])
    write_jsonl(tmp_path / "proofs.jsonl", [_proof("v3"), _proof("new")])
    _sft(tmp_path, tmp_path / "iter_1" / "adapter", 1, SFT.model_copy(update={"val_examples": 5}))
    examples = json.loads((tmp_path / "iter_1" / "adapter" / "training.json").read_text())["examples"]
    assert (examples["validation"], examples["trajectory_validation"]) == (5, 1)
    assert (examples["found_steps"], examples["new_found_steps"]) == (2, 1)
    last = json.loads((tmp_path / "iter_1" / "adapter" / "history.jsonl").read_text().splitlines()[-1])
    assert last["trajectory_loss"] > 0
    assert last["trajectory_loss"] != last["val_loss"]
    logged = json.loads((tmp_path / "iter_1" / "adapter.steps.jsonl").read_text().splitlines()[-1])
    assert logged["trajectory_loss"] == last["trajectory_loss"]


def test_the_noisy_share_is_noisy() -> None:
    pairs = [TacticPair(f"⊢ {number}", f"exact {number}", "t", 0, "", 1) for number in range(1000)]
    chosen = noisy_share(pairs, 0.5, 0.3, seed=1)
    wrong = sum(tactic != "exact " + state.removeprefix("⊢ ") for state, tactic in chosen)
    assert len(chosen) == len({state for state, _ in chosen}) == 500
    assert 110 < wrong < 190
    assert noisy_share(pairs, 0.5, 0.3, seed=1) == chosen


def test_pairs_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    write_pairs(tmp_path / "none.jsonl", [])
    with pytest.raises(UserError, match="no tactic pairs"):
        train_base_model([], tmp_path / "none.jsonl", tmp_path / "m", SCRATCH, MODEL, 0, 1, "cpu")
    write_pairs(tmp_path / "long.jsonl", _pairs(4, "t"))
    with pytest.raises(UserError, match=r"model.max_length"):
        short = MODEL.model_copy(update={"max_length": 8})
        train_base_model(_pairs(4, "t"), tmp_path / "long.jsonl", tmp_path / "m", SCRATCH, short, 0, 1, "cpu")
