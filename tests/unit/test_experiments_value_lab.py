"""The value laboratory: what it charges, what it may see, and what it says of a study with known answers."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from value_toys import forest, tiny_model

from burnqed.config import (
    EBMSettings,
    EncoderSettings,
    EvaluationSettings,
    ModelSettings,
    PolicySettings,
    SearchSettings,
    ValueLabSettings,
    ValueSettings,
    load_config,
)
from burnqed.config.search import ValueArm
from burnqed.experiments.figures_value_lab import draw_values, write_values
from burnqed.experiments.runs import plan_of
from burnqed.experiments.value_lab import (
    Costs,
    Discrimination,
    LabelledTree,
    Replays,
    Row,
    discrimination,
    permuted,
    read_replays,
    replay_policy,
    replay_values,
)
from burnqed.experiments.value_table import LabelTest, LabResult, compare_values, csv_rows, render, verdict
from burnqed.files import UserError, write_json, write_jsonl
from burnqed.records.trajectories import SCHEMA, TheoremResult, write_times, write_trajectories
from burnqed.search.frontier import Ranking
from burnqed.search.replay import RecordedTactic, RecordedTree, replay_all
from burnqed.training.values import (
    TreeEnergies,
    make_value,
    read_states,
    replay_plan,
    solved_share,
    tree_readings,
    tune,
)
from burnqed.value.readers import Policy

SEARCH = SearchSettings(max_depth=20, length_alpha=0.0)
THEOREMS = [f"t{number}" for number in range(120)]


def tree(edges: list[tuple[str, str, float, str | None]], name: str = "t", root: str = "r") -> RecordedTree:
    """Return a recorded tree of tactics (state, tactic, log-probability, next state; "!" fails, None closes)."""
    result = TheoremResult(name, 0, False, [], 0, 0, 0, 0, "", "", 0)
    found = RecordedTree(name, 0, root, result)
    for state, tactic, logprob, after in edges:
        outcome = "error" if after == "!" else "proved" if after is None else "ok"
        tried = RecordedTactic(tactic, logprob, outcome, after if outcome == "ok" else None, "")
        found.tactics.setdefault(state, []).append(tried)
    return found


# The likely way leads nowhere for two expansions; the unlikely one closes at once.
TRAP = tree(
    [("r", "a", -0.1, "x"), ("r", "b", -2.0, "y"), ("x", "c", -0.1, "z"), ("z", "d", -0.1, "!"), ("y", "e", -0.1, None)]
)


def replayed(ranking: Ranking, energies: dict[str, float], nodes: int = 8) -> tuple[int, int, tuple[str, ...]]:
    (found,) = replay_all([TRAP], replay_plan(SEARCH, ranking, nodes), [TreeEnergies(energies)])
    assert found.complete and found.proof
    return found.nodes, found.tactics, found.scored


def test_an_order_is_charged_for_what_it_expands_tries_and_scores() -> None:
    known = {"x": 2.0, "y": 0.1, "z": 3.0}
    assert replayed(Ranking("energy"), known) == (2, 3, ("x", "y"))
    assert replayed(Ranking("tuned", 0.0, coefficient=0.0), known) == (4, 5, ("x", "y", "z"))
    assert replayed(Ranking("tuned", 0.0, coefficient=8.0), known) == (2, 3, ("x", "y"))
    assert TRAP.shortest_proof() == 2
    assert replace(TRAP, tactics={"r": TRAP.tactics["r"]}).shortest_proof() is None
    short = replace(TRAP, tactics={"r": TRAP.tactics["r"]})
    (found,) = replay_all([short], replay_plan(SEARCH, Ranking(), 8), [None])
    assert (found.complete, found.proof, found.nodes) == (False, (), 1)


def test_each_state_is_read_with_the_edge_that_found_it_first() -> None:
    again = tree([("r", "a", -1.0, "x"), ("x", "b", -1.0, "y"), ("r", "late", -1.0, "y")])
    found = {r.state: (r.root, r.parent, r.tactic) for r in tree_readings(again)}
    assert found["x"] == ("r", "r", "a")
    histories = {reading.state: reading.history for reading in tree_readings(again)}
    assert histories["x"] == ("a",) and histories["y"] in (("a", "b"), ("late",))
    assert found["y"][1:] == ("x", "b") or found["y"][1:] == ("r", "late")


def test_the_weight_is_the_one_that_solves_most() -> None:
    known = [{"x": 2.0, "y": 0.1, "z": 3.0}]
    best, shares = tune(known, [TRAP], SEARCH, [0.1, 4.0, 8.0], 4)
    assert best == 4.0  # 8 is no better
    assert shares["0"] < shares["4"] == shares["8"]
    misleading = [{"x": 0.1, "y": 5.0, "z": 0.1}]
    assert tune(misleading, [TRAP], SEARCH, [0.1, 8.0], 4)[0] == 0.1
    nodes = [replay_all([TRAP], replay_plan(SEARCH, Ranking("energy"), 4), [TreeEnergies(known[0])])[0]]
    assert solved_share(nodes, 4) == 0.75


def test_training_and_weights_see_no_benchmark() -> None:
    plan = plan_of(load_config({"iterations": 1}))
    jobs = [job for job in plan.jobs if job.rule == "train_value"]
    assert len(jobs) == 7 * 3  # an arm, a training seed
    read = [f"results/value_lab/readings/training/{reader}.parquet" for reader in ("free", "pooled", "prompt")]
    assert {path for job in jobs for path in job.files} == {
        "results/iter_0/model",
        "results/value_lab/training/trajectories.parquet",
        "results/value_lab/training/proofs.jsonl",
        *read,
    }
    assert {path for job in jobs if job.wildcards["arm"].startswith("own") for path in job.files}.isdisjoint(read)
    for path in read:
        (made,) = [job for job in plan.jobs if path in job.outputs]
        assert made.files == ["results/iter_0/model", "results/value_lab/training/trajectories.parquet"]
    searched = plan.job("search_shard", {"run": "value_lab/training", "kind": "main", "shard": "000"})
    assert searched.inputs["theorems"] == "results/value_lab/training/theorems.json"
    benchmark = plan.job("search_shard", {"run": "value_lab/benchmark/seed_1", "kind": "main", "shard": "000"})
    assert benchmark.inputs["theorems"] == "results/value_lab/benchmark/seed_1/theorems.json"
    chosen = plan.job("select_theorems", {"run": "value_lab/benchmark/seed_1"})
    assert chosen.inputs["theorems"] == "results/data/benchmarks/minif2f_test.json"
    assert plan.count(["value_lab"])["replay_value"] == 7 * 3


def test_permuted_energies_are_the_same_ones_elsewhere() -> None:
    energies = {f"s{number}": float(number) for number in range(30)}
    found = permuted(energies, 3)
    assert sorted(found.values()) == sorted(energies.values())
    assert found != energies and found == permuted(energies, 3) and found != permuted(energies, 4)


def test_discrimination_on_planted_labels() -> None:
    labels = {f"s{number}": number % 3 == 0 for number in range(60)}
    groups = [[f"s{3 * n}", f"s{3 * n + 1}", f"s{3 * n + 2}"] for n in range(20)]
    trees = [LabelledTree("t", labels, groups)]
    good = discrimination(trees, [{state: -float(known) for state, known in labels.items()}])
    assert (good.auc, good.rank1, good.groups, good.states) == (1.0, 1.0, 20, 60)
    assert good.chance == pytest.approx(1 / 3)
    flat = discrimination(trees, [dict.fromkeys(labels, 0.0)])
    assert (flat.auc, flat.rank1) == (0.5, pytest.approx(1 / 3))


def rows(order: str, nodes: dict[str, int], states: int = 0) -> list[Row]:
    """Return rows of both sampling seeds: the expansion that proves a theorem, 0 for never."""
    return [
        Row(order, seed, name, ("tac",) if nodes[name] else (), nodes[name] or 16, 10 * (nodes[name] or 16), states, 9 * states, True)
        for seed in (0, 1)
        for name in THEOREMS
    ]  # fmt: skip


def replays(gain: int, seconds: float = 0.0) -> list[Replays]:
    """Return a study whose value proves ``gain`` of 120 theorems at once that the log-probability proves late."""
    late = {name: 12 if number < 60 else 0 for number, name in enumerate(THEOREMS)}
    early = {name: 4 if number < gain else nodes for number, (name, nodes) in enumerate(late.items())}
    quality = Discrimination(0.7, 0.6, 0.5, 100, 40, 20, 10)
    best = {name: min(nodes, 2) for name, nodes in late.items()}
    policy = [*rows("logprob", late), *rows("random", late), *rows("oracle", best)]
    value = [*rows("tuned", early, 12), *rows("energy", late, 12), *rows("permuted", late, 12)]
    return [
        Replays("policy", -1, 0.0, 0.0, quality, policy, Costs(0.01, 100.0, 0.001, 10.0)),
        *(Replays("own-steps", seed, 2.0, seconds, quality, value) for seed in (0, 1, 2)),
    ]


LAB = ValueLabSettings(arms=["own-steps"])
EVALUATION = EvaluationSettings(budgets=[4, 8, 16], bootstrap_samples=500)


def compared(gain: int, seconds: float = 0.0, refused: set[tuple[str, tuple[str, ...]]] | None = None) -> LabResult:
    tests = [LabelTest("expanded, four times the nodes", 3, 100)]
    return compare_values(replays(gain, seconds), refused or set(), LAB, EVALUATION, tests)


def test_a_gain_is_found_with_its_interval() -> None:
    result = compared(24)
    d = result.endpoint.to_logprob[8]
    assert d.value == pytest.approx(0.2) and d.low > 0.1
    assert result.endpoint.to_logprob[16].value == 0.0
    assert result.headroom == pytest.approx(0.5)
    assert result.pairs == 720 and result.by_seed == {seed: pytest.approx(0.2) for seed in (0, 1, 2)}
    assert "solves more than the log-probability: +20.0 points" in verdict(result)
    text = render(result, 0.95)
    assert "| own-steps | logprob - c energy | 20.0 | 20.0 | 50.0 | +20.0" in text and "3.0 %" in text
    assert len(csv_rows(result)) == 6 * 3
    assert len(draw_values(result).axes[0].lines) == 7  # six orders and the endpoint's budget


def test_no_gain_is_a_refutation() -> None:
    assert "is refuted" in verdict(compared(0))


def test_a_value_is_charged_for_its_seconds_and_tokens() -> None:
    cheap, dear = compared(24), compared(24, seconds=1.0)
    assert cheap.endpoint.equal_seconds.value == pytest.approx(0.2)
    assert dear.endpoint.to_logprob[8].value == pytest.approx(0.2)
    assert dear.endpoint.equal_seconds.value == 0.0  # 12 states of a second each are more than the budget
    assert cheap.endpoint.equal_tokens.value == pytest.approx(0.2)  # 4 * 100 + 12 * 9 tokens are fewer than 800


def test_a_refused_proof_solves_nothing() -> None:
    refused = {(name, ("tac",)) for name in THEOREMS[:12]}
    assert compared(24, refused=refused).endpoint.solved[8].value == pytest.approx(0.1)


def test_arms_on_other_theorems_are_refused() -> None:
    found = replays(24)
    found[1] = replace(found[1], rows=found[1].rows[5:])
    with pytest.raises(UserError, match="replayed on other theorems"):
        compare_values(found, set(), LAB, EVALUATION, [])
    with pytest.raises(UserError, match="the policy's own orders are missing"):
        compare_values(found[1:], set(), LAB, EVALUATION, [])


def recorded(folder: Path, theorems: int) -> tuple[Path, Path]:
    """Write searches of a forest (`value_toys`) with the proofs found in them; return the files."""
    searches, proved = forest(theorems)
    found = {name: tuple(proof) for name, proof in proved}
    results = [
        TheoremResult(s.theorem, 0, True, list(found[s.theorem]), len({row["state"] for row in s.rows}), len(s.rows),
                      4, 4, "proved", "", 0)
        for s in searches
    ]  # fmt: skip
    folder.mkdir(parents=True)
    trajectories, proofs = folder / "trees.parquet", folder / "proofs.jsonl"
    write_trajectories(trajectories, [pa.Table.from_pylist(s.rows, SCHEMA) for s in searches], results)
    write_times(trajectories, [{"theorem": s.theorem, "elapsed_ms": [2.0] * len(s.rows)} for s in searches])
    rows = [{"theorem": name, "proof": proof, "iteration": 0, "kind": "main", "attempt": 0} for name, proof in proved]
    write_jsonl(proofs, rows)
    return trajectories, proofs


def test_the_laboratory_from_recorded_trees_to_its_table(tmp_path: Path) -> None:
    learnt, shown = recorded(tmp_path / "training", 12), recorded(tmp_path / "benchmark", 5)
    model = ModelSettings(prompt_format="goal_proofstep", max_length=64)
    encoder = EncoderSettings(dtype="float32", max_length=64, batch_tokens=512)
    policy = Policy(tiny_model(tmp_path / "model"), model, encoder, "cpu", "none")
    settings = ValueSettings(hidden_sizes=[8], lora_rank=0, epochs=2, own_epochs=1, coefficients=[1.0, 4.0])
    head = EBMSettings(hidden_sizes=[8], steps=4, groups=4, evaluate_every=2, warmup_steps=1, resume="none")
    limits = SearchSettings(max_depth=6, candidates=2)
    orders = ["energy", "weighted", "hybrid", "tuned", "permuted"]
    arms: list[ValueArm] = ["own-steps", "own-steps-history", "pooled-contrastive", "free-binary"]
    files = {arm: [tmp_path / f"{arm}_{seed}.json" for seed in (0, 1)] for arm in arms}
    for arm in arms:
        reader, target, *history = arm.split("-")
        own = settings.model_copy(update={"reader": reader, "target": target, "history": bool(history)})
        known: list[Path | None] = [None, None]
        if reader != "own":
            known = [tmp_path / f"training_{reader}.parquet", tmp_path / f"benchmark_{reader}.parquet"]
            for path, trees in zip(known, (learnt, shown), strict=True):
                assert path is not None and read_states([trees[0]], reader, policy, path) > 30
        for seed, file in enumerate(files[arm]):
            folder = tmp_path / "values" / arm / str(seed)
            report = make_value([learnt[0]], [learnt[1]], own, head, limits, policy, seed, 6, folder, known[0])
            assert set(report["solved_by_coefficient"]) == {"0", "1", "4"}
            replay_values(folder, [shown[0]], [shown[1]], [3], arm, seed, limits, policy, 6, orders, file, known[1])
    sampling = PolicySettings(backend="transformers", dtype="float32", max_new_tokens=4)
    replay_policy([shown[0]], [shown[1]], [3], limits, sampling, policy, 6, tmp_path / "policy.json")
    write_json(tmp_path / "refused.json", [])
    lab = ValueLabSettings(arms=arms, seeds=[0, 1], sampling_seeds=[3], nodes=4)
    written = tmp_path / "table.md", tmp_path / "figure.svg"
    refused = tmp_path / "refused.json"
    written_by = [tmp_path / "policy.json", *(file for group in files.values() for file in group)]
    write_values(written_by, refused, [learnt[0]], [learnt[1]], learnt[0], lab, replace_budgets(EVALUATION), *written)
    text = written[0].read_text()
    for arm in arms:
        assert len([line for line in text.splitlines() if line.startswith(f"| {arm} |")]) == 5 + 1  # orders, quality
    assert "| expanded | 0 |" in text and "| exhausted | 0 |" in text  # the same search finds nothing more
    own_replay, free = read_replays(files["own-steps"][0]), read_replays(files["free-binary"][0])
    assert own_replay.seconds_per_state > free.seconds_per_state
    assert {row.tokens for row in free.rows} == {0} and max(row.tokens for row in own_replay.rows) > 0
    reference = read_replays(tmp_path / "policy.json")
    solved = {o: sum(r.solves(6) for r in reference.rows if r.order == o) for o in ("oracle", "logprob", "random")}
    assert solved["oracle"] >= max(solved.values())


def replace_budgets(settings: EvaluationSettings) -> EvaluationSettings:
    return settings.model_copy(update={"budgets": [2, 6]})


def test_scorers_of_trees_know_their_states() -> None:
    assert asyncio.run(TreeEnergies({"x": 1.0, "y": 2.0}).score(["y", "x"], ["r", "r"])) == [2.0, 1.0]
